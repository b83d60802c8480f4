//! A position: who stands where, who is to move, and the two counters.

use super::attacks::{
    advisor_attacks, bishop_attacks, cross, king_attacks, knight_attackers, line_attacks,
    pawn_attackers, rook_attacks,
};
use super::lines::Lines;
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
    pub(super) lines: Lines,
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
            lines: Lines::default(),
            kings: [Square::new(0); 2],
            side,
            halfmove_clock,
            fullmove_number,
            key: side_key(side),
            danger: Danger::NONE,
        }
    }

    pub(super) fn put(&mut self, piece: Piece, sq: Square) {
        self.board[sq.index()] = Some(piece);
        self.kinds[piece.kind().index()] |= sq.into();
        self.colors[piece.color().index()] |= sq.into();
        self.lines.toggle(piece.color(), piece.kind(), sq);
        self.key ^= piece_key(piece, sq);
        if piece.kind() == PieceKind::King {
            self.kings[piece.color().index()] = sq;
        }
    }

    #[inline(always)]
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

    /// Adds or removes a piece of `color` everywhere but on the array of
    /// squares.
    #[inline(always)]
    fn toggle(&mut self, color: Color, kind: PieceKind, sq: Square) {
        self.kinds[kind.index()] ^= sq.into();
        self.colors[color.index()] ^= sq.into();
        self.lines.toggle(color, kind, sq);
    }

    /// Moves a piece of `color` everywhere but on the array of squares.
    #[inline(always)]
    fn shift(&mut self, color: Color, kind: PieceKind, from: Square, to: Square) {
        let both = Bitboard::of(from) ^ Bitboard::of(to);
        self.kinds[kind.index()] ^= both;
        self.colors[color.index()] ^= both;
        self.lines.toggle(color, kind, from);
        self.lines.toggle(color, kind, to);
        if kind == PieceKind::King {
            self.kings[color.index()] = to;
        }
    }

    /// Plays a legal move.
    pub fn make(&mut self, mv: Move) -> Undo {
        // Two copies of the code, each for a side known to the compiler.
        match self.side {
            Color::Red => self.make_as(Color::Red, mv),
            Color::Black => self.make_as(Color::Black, mv),
        }
    }

    #[inline(always)]
    fn make_as(&mut self, us: Color, mv: Move) -> Undo {
        let (from, to) = (mv.from(), mv.to());
        let undo = Undo {
            captured: self.board[to.index()],
            halfmove_clock: self.halfmove_clock,
            key: self.key,
            danger: self.danger,
        };
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        if let Some(captured) = undo.captured {
            self.toggle(!us, captured.kind(), to);
            self.key ^= piece_key(captured, to);
            self.halfmove_clock = 0;
        }
        let moved = self.board[from.index()].take();
        self.board[to.index()] = moved;
        if let Some(piece) = moved {
            self.shift(us, piece.kind(), from, to);
            self.key ^= piece_key(piece, from) ^ piece_key(piece, to);
        }
        self.pass_from(us);
        self.danger = self.danger(!us);
        undo
    }

    /// Takes back the move that gave `undo`.
    pub fn unmake(&mut self, mv: Move, undo: Undo) {
        match self.side {
            Color::Red => self.unmake_as(Color::Black, mv, undo),
            Color::Black => self.unmake_as(Color::Red, mv, undo),
        }
    }

    #[inline(always)]
    fn unmake_as(&mut self, us: Color, mv: Move, undo: Undo) {
        let (from, to) = (mv.from(), mv.to());
        let moved = self.board[to.index()];
        self.board[from.index()] = moved;
        self.board[to.index()] = undo.captured;
        if let Some(piece) = moved {
            self.shift(us, piece.kind(), to, from);
        }
        if let Some(captured) = undo.captured {
            self.toggle(!us, captured.kind(), to);
        }
        self.restore(us, undo);
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
        self.pass_from(self.side);
        self.refresh();
        undo
    }

    /// Takes back a null move.
    pub fn unmake_null(&mut self, undo: Undo) {
        self.restore(!self.side, undo);
    }

    #[inline(always)]
    fn pass_from(&mut self, us: Color) {
        self.fullmove_number = self.fullmove_number.saturating_add(us.index() as u16);
        self.side = !us;
        self.key ^= side_key(Color::Black);
    }

    /// Undoes all but the places of the pieces.
    #[inline(always)]
    fn restore(&mut self, us: Color, undo: Undo) {
        self.side = us;
        self.fullmove_number = self.fullmove_number.saturating_sub(us.index() as u16);
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
        let pawns = pawn_attackers(Color::Red, sq) & self.color(Color::Red)
            | pawn_attackers(Color::Black, sq) & self.color(Color::Black);
        let steps = knight_attackers(sq, occupied) & of(PieceKind::Knight)
            | bishop_attacks(sq, occupied) & of(PieceKind::Bishop)
            | advisor_attacks(sq) & of(PieceKind::Advisor)
            | king_attacks(sq) & of(PieceKind::King)
            | pawns & of(PieceKind::Pawn);
        let (rooks, cannons) = (of(PieceKind::Rook), of(PieceKind::Cannon));
        if ((rooks | cannons) & cross(sq)).is_empty() {
            return steps & occupied;
        }
        let (rook_attacks, cannon_attacks) = line_attacks(sq, occupied);
        (steps | rook_attacks & rooks | cannon_attacks & cannons) & occupied
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
