//! Legal moves, made directly: where the king's safety asks nothing of a
//! piece, its way of moving is all there is to look up.

use super::attacks::{
    advisor_attacks, bishop_attacks, cannon_moves, king_attacks, knight_attacks, pawn_attacks,
    rook_attacks,
};
use super::{Bitboard, Color, FILES, Move, MoveList, PieceKind, Position, RANKS, Square};

/// What becomes of the moves found.
trait Sink {
    /// The moves of one piece.
    fn add(&mut self, from: Square, targets: Bitboard);
    /// Moves of several pieces that all go `by` squares in the numbering.
    fn add_steps(&mut self, targets: Bitboard, by: i32);
}

impl Sink for MoveList {
    #[inline(always)]
    fn add(&mut self, from: Square, targets: Bitboard) {
        for to in targets {
            self.push(Move::new(from, to));
        }
    }

    #[inline(always)]
    fn add_steps(&mut self, targets: Bitboard, by: i32) {
        for to in targets {
            let from = Square::new((to.index() as i32 - by) as usize);
            self.push(Move::new(from, to));
        }
    }
}

/// Counts the moves without writing them.
struct Count(usize);

impl Sink for Count {
    #[inline(always)]
    fn add(&mut self, _from: Square, targets: Bitboard) {
        self.0 += targets.len();
    }

    #[inline(always)]
    fn add_steps(&mut self, targets: Bitboard, _by: i32) {
        self.0 += targets.len();
    }
}

/// The ranks beyond the river, as each side sees it.
const FAR_HALF: [Bitboard; 2] = {
    let mut half = Bitboard::EMPTY;
    let mut rank = RANKS / 2;
    while rank < RANKS {
        half = half.union(Bitboard::rank(rank));
        rank += 1;
    }
    [half, half.down((FILES * RANKS / 2) as u32)]
};
const FILE_A: Bitboard = Bitboard::file(0);
const FILE_I: Bitboard = Bitboard::file(FILES - 1);

impl Position {
    /// All legal moves.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate(!self.color(self.side_to_move()), &mut list);
        list
    }

    /// Adds the legal captures to `list`.
    pub fn captures(&self, list: &mut MoveList) {
        self.generate(self.color(!self.side_to_move()), list);
    }

    /// Adds the legal moves that take nothing to `list`.
    pub fn quiets(&self, list: &mut MoveList) {
        self.generate(!self.occupied(), list);
    }

    /// The number of legal moves, counted without writing them.
    pub fn count_legal_moves(&self) -> usize {
        let mut count = Count(0);
        self.generate(!self.color(self.side_to_move()), &mut count);
        count.0
    }

    /// Whether there is any legal move; without one the side to move has lost.
    pub fn has_legal_move(&self) -> bool {
        self.count_legal_moves() > 0
    }

    /// Gives `sink` the legal moves to `targets`, which hold no own piece.
    #[inline(always)]
    fn generate(&self, targets: Bitboard, sink: &mut impl Sink) {
        let danger = &self.danger;
        let king = self.king(self.side_to_move());
        let safe = if danger.is_open() {
            Bitboard::ALL
        } else {
            self.safe_targets(king)
        };
        self.generate_king(king, targets, sink);
        self.generate_free(targets & safe, !danger.bound, sink);
        for from in danger.bound {
            sink.add(
                from,
                self.destinations(from) & targets & self.safe_targets(from),
            );
        }
    }

    #[inline(always)]
    fn generate_king(&self, king: Square, targets: Bitboard, sink: &mut impl Sink) {
        let steps = king_attacks(king) & targets;
        let safe = steps.into_iter().filter(|&to| self.king_may_step(to));
        sink.add(king, safe.collect());
    }

    /// The pieces that are not bound.
    #[inline(always)]
    fn generate_free(&self, targets: Bitboard, free: Bitboard, sink: &mut impl Sink) {
        let us = self.side_to_move();
        let occupied = self.occupied();
        let free = free & self.color(us);
        let of = |kind| self.kind(kind) & free;
        for from in of(PieceKind::Rook) {
            sink.add(from, rook_attacks(from, occupied) & targets);
        }
        for from in of(PieceKind::Cannon) {
            sink.add(from, cannon_moves(from, occupied) & targets);
        }
        for from in of(PieceKind::Knight) {
            sink.add(from, knight_attacks(from, occupied) & targets);
        }
        for from in of(PieceKind::Bishop) {
            sink.add(from, bishop_attacks(from, occupied) & targets);
        }
        for from in of(PieceKind::Advisor) {
            sink.add(from, advisor_attacks(from) & targets);
        }
        generate_pawns(us, of(PieceKind::Pawn), targets, sink);
    }

    /// Where the piece on `from` may go by its way of moving, own pieces
    /// excluded, the safety of the king not considered. Empty for an empty
    /// square.
    pub fn destinations(&self, from: Square) -> Bitboard {
        let Some(piece) = self.piece_on(from) else {
            return Bitboard::EMPTY;
        };
        let occupied = self.occupied();
        let reach = match piece.kind() {
            PieceKind::King => king_attacks(from),
            PieceKind::Advisor => advisor_attacks(from),
            PieceKind::Bishop => bishop_attacks(from, occupied),
            PieceKind::Knight => knight_attacks(from, occupied),
            PieceKind::Rook => rook_attacks(from, occupied),
            PieceKind::Cannon => cannon_moves(from, occupied),
            PieceKind::Pawn => pawn_attacks(piece.color(), from),
        };
        reach - self.color(piece.color())
    }

    /// Whether the piece on the start square is the mover's and goes to the
    /// target square; its king may be left in check.
    pub fn is_pseudo_legal(&self, mv: Move) -> bool {
        self.color(self.side_to_move()).contains(mv.from())
            && self.destinations(mv.from()).contains(mv.to())
    }

    /// Whether `mv` is a legal move; any two squares may be asked.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.is_pseudo_legal(mv) && self.leaves_king_safe(mv)
    }

    /// Whether a legal move gives check.
    pub fn gives_check(&self, mv: Move) -> bool {
        self.after(mv).in_check()
    }
}

/// All pawns at once.
#[inline(always)]
fn generate_pawns(us: Color, pawns: Bitboard, targets: Bitboard, sink: &mut impl Sink) {
    const FORWARD: u32 = FILES as u32;
    match us {
        Color::Red => sink.add_steps(pawns.up(FORWARD) & targets, FORWARD as i32),
        Color::Black => sink.add_steps(pawns.down(FORWARD) & targets, -(FORWARD as i32)),
    }
    let crossed = pawns & FAR_HALF[us.index()];
    sink.add_steps((crossed - FILE_A).down(1) & targets, -1);
    sink.add_steps((crossed - FILE_I).up(1) & targets, 1);
}
