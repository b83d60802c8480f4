//! A position: who stands where, who is to move, and the two counters.

use super::attacks::{
    advisor_attacks, bishop_attacks, cannon_attacks, king_attacks, knight_attackers,
    pawn_attackers, rook_attacks,
};
use super::safety::Danger;
use super::zobrist::{piece_key, side_key};
use super::{Bitboard, Color, Move, Piece, PieceKind, SQUARES, Square};

/// A position of a game or a composed study, its king safe from capture. Built from a FEN or from
/// another position by a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    board: [Option<Piece>; SQUARES],
    kinds: [Bitboard; 7],
    colors: [Bitboard; 2],
    kings: [Square; 2],
    side: Color,
    halfmove_clock: u16,
    fullmove_number: u16,
    key: u64,
    pub(super) danger: Danger,
}

/// What [`Position::unmake`] needs to take a move back.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    /// The piece that was captured.
    pub captured: Option<Piece>,
    halfmove_clock: u16,
    key: u64,
    danger: Danger,
}

impl Position {
    /// The start position of a game.
    pub fn startpos() -> Self {
        super::fen::START_FEN
            .parse()
            .expect("the start position is valid")
    }

    /// An empty board for the FEN reader to fill.
    pub(super) fn empty(side: Color, halfmove_clock: u16, fullmove_number: u16) -> Self {
        Self {
            board: [None; SQUARES],
            kinds: [Bitboard::EMPTY; 7],
            colors: [Bitboard::EMPTY; 2],
            kings: [Square::new(0); 2],
            side,
            halfmove_clock,
            fullmove_number,
            key: side_key(side),
            danger: Danger::default(),
        }
    }

    pub(super) fn put(&mut self, piece: Piece, sq: Square) {
        self.board[sq.index()] = Some(piece);
        self.kinds[piece.kind().index()] |= sq.into();
        self.colors[piece.color().index()] |= sq.into();
        self.key ^= piece_key(piece, sq);
        if piece.kind() == PieceKind::King {
            self.kings[piece.color().index()] = sq;
        }
    }

    fn take(&mut self, sq: Square) -> Option<Piece> {
        let piece = self.board[sq.index()].take()?;
        self.kinds[piece.kind().index()] -= sq.into();
        self.colors[piece.color().index()] -= sq.into();
        self.key ^= piece_key(piece, sq);
        Some(piece)
    }

    pub(super) fn refresh(&mut self) {
        self.danger = self.danger(self.side);
    }

    /// The side to move.
    #[inline(always)]
    pub fn side_to_move(&self) -> Color {
        self.side
    }

    /// The piece on `sq`.
    #[inline(always)]
    pub fn piece_on(&self, sq: Square) -> Option<Piece> {
        self.board[sq.index()]
    }

    /// The pieces of one kind and side.
    #[inline(always)]
    pub fn pieces(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.colors[color.index()] & self.kinds[kind.index()]
    }

    /// The pieces of one kind, both sides.
    #[inline(always)]
    pub fn kind(&self, kind: PieceKind) -> Bitboard {
        self.kinds[kind.index()]
    }

    /// All pieces of a side.
    #[inline(always)]
    pub fn color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// All pieces.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// Where a side's king stands.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        self.kings[color.index()]
    }

    /// The pieces that give check to the side to move, an open file between
    /// the kings counted as check by the other king.
    #[inline(always)]
    pub fn checkers(&self) -> Bitboard {
        self.danger.checkers
    }

    /// Whether the side to move is in check.
    #[inline(always)]
    pub fn in_check(&self) -> bool {
        self.danger.checkers.any()
    }

    /// The Zobrist key: pieces, squares and side to move.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// Plies since the last capture.
    #[inline(always)]
    pub fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// The number of the move, from 1, raised after Black's move.
    #[inline(always)]
    pub fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    /// The same position with another count of plies since the last capture.
    pub fn with_halfmove_clock(mut self, plies: u16) -> Self {
        self.halfmove_clock = plies;
        self
    }

    /// Whether `mv` takes a piece.
    #[inline(always)]
    pub fn is_capture(&self, mv: Move) -> bool {
        self.board[mv.to().index()].is_some()
    }

    /// Plays a legal move.
    pub fn make(&mut self, mv: Move) -> Undo {
        let (halfmove_clock, key, danger) = (self.halfmove_clock, self.key, self.danger);
        let captured = self.take(mv.to());
        let undo = Undo {
            captured,
            halfmove_clock,
            key,
            danger,
        };
        if let Some(piece) = self.take(mv.from()) {
            self.put(piece, mv.to());
        }
        self.halfmove_clock = if captured.is_some() {
            0
        } else {
            halfmove_clock.saturating_add(1)
        };
        self.pass();
        self.refresh();
        undo
    }

    /// Takes back the move that gave `undo`.
    pub fn unmake(&mut self, mv: Move, undo: Undo) {
        if let Some(piece) = self.take(mv.to()) {
            self.put(piece, mv.from());
        }
        if let Some(piece) = undo.captured {
            self.put(piece, mv.to());
        }
        self.unpass(undo);
    }

    /// Gives the move to the other side. Not while in check.
    pub fn make_null(&mut self) -> Undo {
        let undo = Undo {
            captured: None,
            halfmove_clock: self.halfmove_clock,
            key: self.key,
            danger: self.danger,
        };
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.pass();
        self.refresh();
        undo
    }

    /// Takes back a null move.
    pub fn unmake_null(&mut self, undo: Undo) {
        self.unpass(undo);
    }

    fn pass(&mut self) {
        self.fullmove_number = self
            .fullmove_number
            .saturating_add(self.side.index() as u16);
        self.side = !self.side;
        self.key ^= side_key(Color::Black);
    }

    fn unpass(&mut self, undo: Undo) {
        self.side = !self.side;
        self.fullmove_number = self
            .fullmove_number
            .saturating_sub(self.side.index() as u16);
        self.halfmove_clock = undo.halfmove_clock;
        self.key = undo.key;
        self.danger = undo.danger;
    }

    /// The position after a legal move.
    pub fn after(&self, mv: Move) -> Self {
        let mut next = self.clone();
        next.make(mv);
        next
    }

    /// All pieces of both sides that attack `sq` when the squares of
    /// `occupied` are filled. The kings attack as they move; the open file
    /// between them is left out.
    pub fn attackers_to(&self, sq: Square, occupied: Bitboard) -> Bitboard {
        let of = |kind| self.kind(kind);
        let pawns = Color::ALL.map(|c| pawn_attackers(c, sq) & self.color(c));
        (rook_attacks(sq, occupied) & of(PieceKind::Rook)
            | cannon_attacks(sq, occupied) & of(PieceKind::Cannon)
            | knight_attackers(sq, occupied) & of(PieceKind::Knight)
            | bishop_attacks(sq, occupied) & of(PieceKind::Bishop)
            | advisor_attacks(sq) & of(PieceKind::Advisor)
            | king_attacks(sq) & of(PieceKind::King)
            | (pawns[0] | pawns[1]) & of(PieceKind::Pawn))
            & occupied
    }

    /// The pieces that could take the king of `color` if it were the other
    /// side's turn, the other king on an open file included.
    pub fn attackers_of_king(&self, color: Color) -> Bitboard {
        let (king, occupied) = (self.king(color), self.occupied());
        let facing = rook_attacks(king, occupied) & Bitboard::file(king.file());
        (self.attackers_to(king, occupied) | facing & self.kind(PieceKind::King))
            & self.color(!color)
    }

    /// The left-right mirror image.
    pub fn mirrored(&self) -> Self {
        self.mapped(self.side, |piece, sq| (piece, sq.mirrored()))
    }

    /// The same position with the sides' roles exchanged: colours swapped,
    /// board turned, the other side to move.
    pub fn flipped(&self) -> Self {
        self.mapped(!self.side, |piece, sq| (piece.flipped(), sq.flipped()))
    }

    fn mapped(&self, side: Color, map: impl Fn(Piece, Square) -> (Piece, Square)) -> Self {
        let mut image = Self::empty(side, self.halfmove_clock, self.fullmove_number);
        for sq in self.occupied() {
            if let Some((piece, to)) = self.piece_on(sq).map(|piece| map(piece, sq)) {
                image.put(piece, to);
            }
        }
        image.refresh();
        image
    }
}
