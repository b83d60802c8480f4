//! Legal moves, made directly: where the king's safety asks nothing of a
//! piece, its way of moving is all there is to look up.

use super::attacks::{cannon_moves, king_attacks, knight_attacks, rook_attacks};
use super::lines::{FILE_TABLE, Line, RANK_TABLE};
use super::sink::{Count, Sink};
use super::tables::{ADVISOR_HOME, BISHOP_HOME};
use super::{Bitboard, Color, FILES, MoveList, PieceKind, Position, RANKS};

/// Which moves are wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    All,
    Captures,
    Quiets,
}

impl Wanted {
    /// The places of a line where such moves end, of the lower bits.
    #[inline(always)]
    fn on_line(self, line: Line) -> u16 {
        match self {
            Self::All => !line.own(),
            Self::Captures => line.enemy(),
            Self::Quiets => !(line.own() | line.enemy()),
        }
    }

    /// The squares where such moves of `us` end.
    #[inline(always)]
    fn on_board(self, pos: &Position, us: Color) -> Bitboard {
        match self {
            Self::All => !pos.color(us),
            Self::Captures => pos.color(!us),
            Self::Quiets => !pos.occupied(),
        }
    }
}

/// Number of squares of one half of the board.
const HALF: u32 = (FILES * RANKS / 2) as u32;
const FORWARD: u32 = FILES as u32;
const FILE_A: u64 = Bitboard::file(0).bits() as u64 & HALF_MASK;
const FILE_I: u64 = Bitboard::file(FILES - 1).bits() as u64 & HALF_MASK;
const HALF_MASK: u64 = (1 << HALF) - 1;

/// The 45 squares of the half of the board where `owner` starts, bit 0 being
/// a0 or a5.
#[inline(always)]
fn half(set: Bitboard, owner: Color) -> u64 {
    let bits = match owner {
        Color::Red => set.bits(),
        Color::Black => set.bits() >> HALF,
    };
    bits as u64 & HALF_MASK
}

impl Position {
    /// All legal moves.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate(Wanted::All, &mut list);
        list
    }

    /// Adds the legal captures to `list`.
    pub fn captures(&self, list: &mut MoveList) {
        self.generate(Wanted::Captures, list);
    }

    /// Adds the legal moves that take nothing to `list`.
    pub fn quiets(&self, list: &mut MoveList) {
        self.generate(Wanted::Quiets, list);
    }

    /// The number of legal moves, counted without writing them.
    pub fn count_legal_moves(&self) -> usize {
        let mut count = Count(0);
        self.generate(Wanted::All, &mut count);
        count.0 as usize
    }

    /// Whether there is any legal move; without one the side to move has lost.
    pub fn has_legal_move(&self) -> bool {
        self.count_legal_moves() > 0
    }

    /// Gives `sink` the wanted legal moves.
    #[inline(always)]
    fn generate(&self, wanted: Wanted, sink: &mut impl Sink) {
        // Two copies of the code, each for a side known to the compiler.
        match self.side_to_move() {
            Color::Red => self.generate_for(Color::Red, wanted, sink),
            Color::Black => self.generate_for(Color::Black, wanted, sink),
        }
    }

    #[inline(always)]
    fn generate_for(&self, us: Color, wanted: Wanted, sink: &mut impl Sink) {
        let targets = wanted.on_board(self, us);
        let bound = self.danger.bound;
        let free = self.color(us) - bound;
        self.generate_king(us, targets, sink);
        if bound.is_empty() || !self.is_restricted() {
            self.generate_sliders(us, free, wanted, sink);
            self.generate_steppers(us, free, targets, sink);
        } else {
            self.generate_onto(us, free, targets & self.safe_targets(self.king(us)), sink);
        }
        if bound.any() {
            self.generate_bound(us, targets, sink);
        }
    }

    #[inline(always)]
    fn generate_king(&self, us: Color, targets: Bitboard, sink: &mut impl Sink) {
        let king = self.king(us);
        for to in king_attacks(king) & targets {
            if self.king_may_step(us, to) {
                sink.add_one(king, to);
            }
        }
    }

    /// Rooks and cannons of `free` by the words of their lines.
    #[inline(always)]
    fn generate_sliders(&self, us: Color, free: Bitboard, wanted: Wanted, sink: &mut impl Sink) {
        for from in self.kind(PieceKind::Rook) & free {
            let (file, rank) = (from.file(), from.rank());
            let line = self.lines.rank(us, rank);
            let along = RANK_TABLE.rook[file][line.rank_state()];
            sink.add_rank(from, along & wanted.on_line(line));
            let line = self.lines.file(us, file);
            let along = FILE_TABLE.rook[rank][line.file_state()];
            sink.add_file(from, along & wanted.on_line(line));
        }
        for from in self.kind(PieceKind::Cannon) & free {
            let (file, rank) = (from.file(), from.rank());
            let line = self.lines.rank(us, rank);
            let along = RANK_TABLE.cannon_moves[file][line.rank_state()];
            sink.add_rank(from, along & wanted.on_line(line));
            let line = self.lines.file(us, file);
            let along = FILE_TABLE.cannon_moves[rank][line.file_state()];
            sink.add_file(from, along & wanted.on_line(line));
        }
    }

    /// Knights, bishops, advisors and pawns of `free`.
    #[inline(always)]
    fn generate_steppers(
        &self,
        us: Color,
        free: Bitboard,
        targets: Bitboard,
        sink: &mut impl Sink,
    ) {
        let occupied = self.occupied();
        for from in self.kind(PieceKind::Knight) & free {
            sink.add(from, knight_attacks(from, occupied) & targets);
        }
        let home_targets = half(targets, us);
        let bishops = half(self.kind(PieceKind::Bishop) & free, us);
        generate_bishops(us, bishops, half(occupied, us), home_targets, sink);
        let advisors = half(self.kind(PieceKind::Advisor) & free, us);
        generate_advisors(us, advisors, home_targets, sink);
        generate_pawns(us, self.kind(PieceKind::Pawn) & free, targets, sink);
    }

    /// The pieces of `free`, not the king, to the few `targets` that a check
    /// or a hollow cannon leaves.
    #[cold]
    #[inline(never)]
    fn generate_onto(&self, us: Color, free: Bitboard, targets: Bitboard, sink: &mut impl Sink) {
        let occupied = self.occupied();
        for from in self.kind(PieceKind::Rook) & free {
            sink.add(from, rook_attacks(from, occupied) & targets);
        }
        for from in self.kind(PieceKind::Cannon) & free {
            sink.add(from, cannon_moves(from, occupied) & targets);
        }
        self.generate_steppers(us, free, targets, sink);
    }

    /// The bound pieces, each to its own safe squares.
    #[cold]
    #[inline(never)]
    fn generate_bound(&self, us: Color, targets: Bitboard, sink: &mut impl Sink) {
        for from in self.danger.bound - self.king(us).into() {
            sink.add(
                from,
                self.destinations(from) & targets & self.safe_targets(from),
            );
        }
    }
}

/// All bishops at once, in the words of their half. A step over the edge ends
/// on no bishop's point.
#[inline(always)]
fn generate_bishops(us: Color, bishops: u64, occupied: u64, targets: u64, sink: &mut impl Sink) {
    let targets = targets & BISHOP_HOME[us.index()];
    for eye in [FORWARD - 1, FORWARD + 1] {
        sink.add_half(
            us,
            (bishops & !(occupied >> eye)) << (2 * eye) & targets,
            2 * eye as i32,
        );
        sink.add_half(
            us,
            (bishops & !(occupied << eye)) >> (2 * eye) & targets,
            -2 * eye as i32,
        );
    }
}

/// All advisors at once, in the words of their half. A step out of the palace
/// ends on no advisor's point.
#[inline(always)]
fn generate_advisors(us: Color, advisors: u64, targets: u64, sink: &mut impl Sink) {
    let targets = targets & ADVISOR_HOME[us.index()];
    for step in [FORWARD - 1, FORWARD + 1] {
        sink.add_half(us, advisors << step & targets, step as i32);
        sink.add_half(us, advisors >> step & targets, -(step as i32));
    }
}

/// All pawns at once, those over the river also in the words of that half.
#[inline(always)]
fn generate_pawns(us: Color, pawns: Bitboard, targets: Bitboard, sink: &mut impl Sink) {
    match us {
        Color::Red => sink.add_steps(pawns.up(FORWARD) & targets, FORWARD as i32),
        Color::Black => sink.add_steps(pawns.down(FORWARD) & targets, -(FORWARD as i32)),
    }
    let (crossed, targets) = (half(pawns, !us), half(targets, !us));
    sink.add_half(!us, (crossed & !FILE_A) >> 1 & targets, -1);
    sink.add_half(!us, (crossed & !FILE_I) << 1 & targets, 1);
}
