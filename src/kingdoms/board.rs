//! What stands where: cells for looking around, lists for walking armies.

use super::piece::Content;
use super::square::CELLS;
use super::{Kind, Piece, SEATS, Seat, Square};

/// Pieces of one army at the start, the most a kingdom can ever have.
pub const ARMY: usize = 17;

/// The pieces on the board. The emperor is always on the central square.
#[derive(Clone, Copy)]
pub(super) struct Board {
    cells: [Content; CELLS],
    men: [[Square; ARMY]; SEATS],
    count: [u8; SEATS],
}

/// The empty board with its edge, and the emperor in the centre.
const BARE: Board = bare();

const fn bare() -> Board {
    let mut cells = [Content::EDGE; CELLS];
    let mut i = 0;
    while i < super::SIDE * super::SIDE {
        cells[Square::at(i % super::SIDE, i / super::SIDE).cell()] = Content::EMPTY;
        i += 1;
    }
    cells[Square::CENTRE.cell()] = Content::of(Piece::EMPEROR);
    Board {
        cells,
        men: [[Square::CENTRE; ARMY]; SEATS],
        count: [0; SEATS],
    }
}

impl Board {
    /// The board without any army.
    pub(super) const fn bare() -> Self {
        BARE
    }

    /// What the cell holds.
    #[inline(always)]
    pub(super) fn content(&self, cell: usize) -> Content {
        self.cells[cell]
    }

    /// The piece on a square.
    #[inline]
    pub(super) fn piece(&self, square: Square) -> Option<Piece> {
        self.cells[square.cell()].piece()
    }

    /// Where the pieces of a kingdom stand, in no particular order.
    #[inline(always)]
    pub(super) fn men(&self, kingdom: Seat) -> &[Square] {
        &self.men[kingdom.index()][..self.count[kingdom.index()] as usize]
    }

    /// The general of a kingdom, `None` when taken.
    #[inline]
    pub(super) fn general(&self, kingdom: Seat) -> Option<Square> {
        let wanted = Content::of(Piece::new(kingdom, Kind::General));
        let mut men = self.men(kingdom).iter().copied();
        men.find(|m| self.cells[m.cell()] == wanted)
    }

    /// Puts a piece of a kingdom on an empty square; false, and nothing done,
    /// when the kingdom already has all its pieces.
    pub(super) fn put(&mut self, square: Square, kingdom: Seat, kind: Kind) -> bool {
        let (k, n) = (kingdom.index(), self.count[kingdom.index()] as usize);
        if n == ARMY {
            return false;
        }
        self.cells[square.cell()] = Content::of(Piece::new(kingdom, kind));
        self.men[k][n] = square;
        self.count[k] += 1;
        true
    }

    /// Takes the piece of `kingdom` on `square` off the board.
    #[inline]
    pub(super) fn remove(&mut self, square: Square, kingdom: Seat) {
        let k = kingdom.index();
        let slot = self.slot(square, kingdom);
        self.cells[square.cell()] = Content::EMPTY;
        self.count[k] -= 1;
        self.men[k][slot] = self.men[k][self.count[k] as usize];
    }

    /// Moves the piece of `kingdom` on `from` to the empty square `to`.
    #[inline]
    pub(super) fn shift(&mut self, from: Square, to: Square, kingdom: Seat) {
        let slot = self.slot(from, kingdom);
        self.men[kingdom.index()][slot] = to;
        self.cells[to.cell()] = self.cells[from.cell()];
        self.cells[from.cell()] = Content::EMPTY;
    }

    #[inline]
    fn slot(&self, square: Square, kingdom: Seat) -> usize {
        let men = self.men(kingdom);
        men.iter()
            .position(|&m| m == square)
            .expect("every piece on the board is on its kingdom's list")
    }
}
