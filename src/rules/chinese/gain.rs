//! Threats to come out ahead in material: what the Chinese rules call a chase.
//!
//! A small search of captures and checks answers whether a side that may move
//! again wins something. Captures that either side could have made with
//! profit in the first place are left out: they are no consequence of the
//! threat that is looked at.

use super::kill::mate_by_checks;
use crate::board::{Bitboard, Color, Move, MoveList, PieceKind, Position, Square};
use crate::rules::threats::{Root, can_be_chased, may_take, reaching, root};

/// A rook weighs as much as two of horse and cannon.
const ROOK: i32 = 10;
const LIGHT_PIECE: i32 = 5;
const GUARD: i32 = 2;
/// Moves of both sides after the first capture.
const DEPTH: u32 = 9;
/// Moves of a mate that takes the point out of a gain.
const MATED_AT_ONCE: u32 = 2;
/// Checks that may come before the capture.
pub(super) const CHECKS: u32 = 2;
/// The worth of a mate.
const MATE: i32 = 10_000;
/// A line that brings nothing.
const NO_GAIN: i32 = -1;
/// Weight of pieces against pawns, which only break ties.
const PIECES: i32 = 100;

/// What the captures of a line have brought the threatening side.
#[derive(Clone, Copy, Default)]
struct Balance {
    pieces: i32,
    pawns: i32,
}

impl Balance {
    fn captured(self, pos: &Position, sq: Square, sign: i32) -> Self {
        use PieceKind::{Advisor, Bishop, Cannon, King, Knight, Pawn, Rook};
        let Some(piece) = pos.piece_on(sq) else {
            return self;
        };
        let (pieces, pawns) = match piece.kind() {
            Rook => (ROOK, 0),
            Knight | Cannon => (LIGHT_PIECE, 0),
            Advisor | Bishop => (GUARD, 0),
            Pawn => (0, i32::from(can_be_chased(pos, sq))),
            King => (0, 0),
        };
        Self {
            pieces: self.pieces + sign * pieces,
            pawns: self.pawns + sign * pawns,
        }
    }

    /// A pawn has no fixed worth: a piece less than a rook won for a pawn, or a
    /// pawn for a piece, is no gain.
    fn value(self) -> i32 {
        if (1..ROOK).contains(&self.pieces) && self.pawns < 0 {
            NO_GAIN
        } else {
            self.pieces * PIECES + self.pawns
        }
    }
}

/// Worth of a piece in an exchange on one square.
fn worth(pos: &Position, sq: Square) -> i32 {
    Balance::default().captured(pos, sq, 1).value()
}

/// A capture that wins material.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Gain {
    /// The piece that takes.
    pub attacker: Square,
    /// What it takes.
    pub victim: Square,
    /// What the whole line brings.
    pub value: i32,
    /// The victim's protection.
    pub hold: Hold,
}

/// All captures by which the side to move comes out ahead. Of what the other
/// side could have taken anyway, only pieces on `exposed` count as its gain.
pub(super) fn gains(pos: &Position, exposed: Bitboard) -> Vec<Gain> {
    let mut search = GainSearch::new(pos, exposed);
    let mut captures = MoveList::new();
    pos.captures(&mut captures);
    captures
        .into_iter()
        .filter(|&mv| can_be_chased(pos, mv.to()) && !is_exchange(pos, mv))
        .filter_map(|mv| search.gain(pos, mv))
        .collect()
}

/// What the side to move wins by a series of checks and then a capture, if the
/// other side takes only what comes of it; nothing when the other side could
/// take more that hung from the start.
pub(super) fn gain_by_checks(pos: &Position) -> i32 {
    let value = best_by_checks(pos, Replies::Consequences);
    let holds = value > 0 && best_by_checks(pos, Replies::Hanging) > 0;
    if holds { value } else { 0 }
}

fn best_by_checks(pos: &Position, replies: Replies) -> i32 {
    let mut search = GainSearch::new(pos, Bitboard::EMPTY);
    search.replies = replies;
    let ahead = Ahead {
        depth: DEPTH + 1,
        checks: CHECKS,
    };
    let (none, empty) = (Balance::default(), Bitboard::EMPTY);
    let value = |mv| search.reply(&pos.after(mv), none, empty, ahead.after_check(), OPEN);
    let checks = ahead.checks_in(pos).into_iter();
    checks.map(value).max().unwrap_or(0)
}

/// How much a victim needs for its protection to fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hold {
    /// Nothing: it is unprotected, or a rook attacked by a lesser piece.
    Nothing,
    /// Its protectors are bound to their king.
    Bound,
    /// It can be retaken: more than one attacker is needed.
    Retaken,
}

fn hold(pos: &Position, mv: Move) -> Hold {
    let lesser = worth(pos, mv.to()) > worth(pos, mv.from());
    if pos.kind(PieceKind::Rook).contains(mv.to()) && lesser {
        return Hold::Nothing;
    }
    match root(pos, mv.from(), mv.to()) {
        Root::None => Hold::Nothing,
        Root::False => Hold::Bound,
        Root::True => Hold::Retaken,
    }
}

/// Whether attacker and victim are of one kind and the victim could take the
/// attacker: an offer to exchange, whoever has protection.
fn is_exchange(pos: &Position, mv: Move) -> bool {
    let kind = |sq| pos.piece_on(sq).map(|piece| piece.kind());
    kind(mv.from()) == kind(mv.to())
        && pos.destinations(mv.to()).contains(mv.from())
        && may_take(pos, mv.to(), mv.from())
}

/// Captures of the other side that count: where something was taken before or
/// a line has been opened, also of pieces that hung from the start, or all.
#[derive(Clone, Copy)]
enum Replies {
    Consequences,
    Hanging,
    All,
}

/// The values between which an outcome is of interest.
type Window = (i32, i32);
/// Every value is.
const OPEN: Window = (i32::MIN, i32::MAX);

/// How far a line may go on.
#[derive(Clone, Copy)]
struct Ahead {
    /// Moves of both sides.
    depth: u32,
    /// Checks without a capture.
    checks: u32,
}

impl Ahead {
    fn further(self) -> Self {
        Self {
            depth: self.depth - 1,
            ..self
        }
    }

    fn without_checks(self) -> Self {
        Self { checks: 0, ..self }
    }

    fn after_check(self) -> Self {
        Self {
            depth: self.depth - 1,
            checks: self.checks - 1,
        }
    }

    /// The checks that may still be given.
    fn checks_in(self, pos: &Position) -> MoveList {
        let mut checks = MoveList::new();
        if self.checks > 0 {
            let wanted = |mv: &Move| !pos.is_capture(*mv) && pos.gives_check(*mv);
            checks = pos.legal_moves();
            checks.retain(|mv| wanted(mv));
        }
        checks
    }
}

struct GainSearch {
    side: Color,
    /// Captures of either side that win something from the start.
    standing: Vec<(Square, Square)>,
    /// Pieces of this side that the other may take.
    exposed: Bitboard,
    /// Which captures of the other side count against the threat.
    replies: Replies,
    /// Captures of the other side that were there from the start.
    reach: Vec<(Square, Square)>,
}

impl GainSearch {
    fn new(pos: &Position, exposed: Bitboard) -> Self {
        let standing = Color::ALL
            .into_iter()
            .flat_map(|side| standing_captures(pos, side))
            .collect();
        Self {
            side: pos.side_to_move(),
            standing,
            exposed,
            replies: Replies::Consequences,
            reach: captures_by_reach(pos, !pos.side_to_move()),
        }
    }

    /// The gain by a capture. What needs no second attacker is also one when
    /// the other side gets as much elsewhere: each takes its own victim.
    fn gain(&mut self, pos: &Position, mv: Move) -> Option<Gain> {
        let next = pos.after(mv);
        if mate_by_checks(&next, MATED_AT_ONCE).is_some() {
            return None;
        }
        let balance = Balance::default().captured(pos, mv.to(), 1);
        let hold = hold(pos, mv);
        self.replies = if hold == Hold::Nothing {
            Replies::Consequences
        } else {
            Replies::All
        };
        let ahead = Ahead {
            depth: DEPTH,
            checks: 0,
        };
        let value = self.reply(&next, balance, mv.to().into(), ahead, OPEN);
        let least = i32::from(hold == Hold::Retaken);
        (value >= least).then_some(Gain {
            attacker: mv.from(),
            victim: mv.to(),
            value,
            hold,
        })
    }

    /// Whether a capture by the other side counts against the threat: on a
    /// square where something was taken before, or on a line that was not
    /// open. Pieces that the threatening side leaves unprotected do not count
    /// while its victim needs no second attacker: it has a victim, the other
    /// side may have its own.
    fn is_consequence(&self, mv: Move, in_play: Bitboard) -> bool {
        let pair = (mv.from(), mv.to());
        let consequence = (in_play | self.exposed).contains(mv.to()) || !self.reach.contains(&pair);
        consequence
            || match self.replies {
                Replies::Consequences => false,
                Replies::Hanging => self.standing.contains(&pair),
                Replies::All => true,
            }
    }

    fn allowed(&self, mv: Move, in_play: Bitboard) -> bool {
        in_play.contains(mv.to()) || !self.standing.contains(&(mv.from(), mv.to()))
    }

    /// The best outcome for the other side, which is to move: exact within the
    /// window, a bound outside it (alpha-beta).
    fn reply(
        &self,
        pos: &Position,
        balance: Balance,
        in_play: Bitboard,
        ahead: Ahead,
        window: Window,
    ) -> i32 {
        debug_assert_ne!(pos.side_to_move(), self.side);
        if ahead.depth == 0 {
            return balance.value();
        }
        let (alpha, beta) = window;
        let mut worst = MATE;
        let moves = if pos.in_check() {
            pos.legal_moves()
        } else {
            worst = balance.value();
            let mut list = MoveList::new();
            pos.captures(&mut list);
            list.retain(|mv| self.is_consequence(*mv, in_play));
            list
        };
        for mv in moves {
            if worst <= alpha {
                break;
            }
            let balance = balance.captured(pos, mv.to(), -1);
            let (next, in_play) = (pos.after(mv), in_play.with(mv.to()));
            let window = (alpha, beta.min(worst));
            worst = worst.min(self.go_on(&next, balance, in_play, ahead.further(), window));
        }
        worst
    }

    /// The best outcome for the threatening side, which is to move; like
    /// [`reply`](Self::reply).
    fn go_on(
        &self,
        pos: &Position,
        balance: Balance,
        in_play: Bitboard,
        ahead: Ahead,
        window: Window,
    ) -> i32 {
        if pos.in_check() && !pos.has_legal_move() {
            return -MATE;
        }
        let (alpha, beta) = window;
        let mut best = balance.value();
        if ahead.depth == 0 {
            return best;
        }
        // A capture by the king makes no joint threat.
        let by_king = |mv: &Move| mv.from() == pos.king(self.side);
        let captures = self.captures(pos, in_play);
        for mv in captures.into_iter().filter(|mv| !by_king(mv)) {
            if best >= beta {
                return best;
            }
            let mut balance = balance.captured(pos, mv.to(), 1);
            balance.pawns += self.initiative();
            let (next, in_play) = (pos.after(mv), in_play.with(mv.to()));
            let window = (alpha.max(best), beta);
            let ahead = ahead.without_checks().further();
            best = best.max(self.reply(&next, balance, in_play, ahead, window));
        }
        for mv in ahead.checks_in(pos) {
            if best >= beta {
                break;
            }
            let window = (alpha.max(best), beta);
            let ahead = ahead.after_check();
            best = best.max(self.reply(&pos.after(mv), balance, in_play, ahead, window));
        }
        best
    }

    /// Equal losses on both sides count for the side that threatens.
    fn initiative(&self) -> i32 {
        i32::from(matches!(self.replies, Replies::Hanging))
    }

    fn captures(&self, pos: &Position, in_play: Bitboard) -> MoveList {
        let mut list = MoveList::new();
        pos.captures(&mut list);
        list.retain(|mv| self.allowed(*mv, in_play));
        list
    }
}

/// The captures of `side` by way of moving.
fn captures_by_reach(pos: &Position, side: Color) -> Vec<(Square, Square)> {
    let victims = |from| pos.destinations(from) & pos.color(!side);
    let pairs = pos.color(side).into_iter();
    pairs
        .flat_map(|from| victims(from).into_iter().map(move |to| (from, to)))
        .collect()
}

/// The captures of `side` that win something by the exchange on their square.
fn standing_captures(pos: &Position, side: Color) -> Vec<(Square, Square)> {
    let mut found = Vec::new();
    for from in pos.color(side) {
        for to in pos.destinations(from) & pos.color(!side) {
            if may_take(pos, from, to) && exchange(pos, side, from, to) > 0 {
                found.push((from, to));
            }
        }
    }
    found
}

/// The outcome of the exchange that begins with `from` taking on `to`, each
/// side taking back with its least piece or not at all.
fn exchange(pos: &Position, side: Color, from: Square, to: Square) -> i32 {
    let occupied = pos.occupied() - from.into();
    worth(pos, to) - exchange_reply(pos, !side, to, occupied, worth(pos, from)).max(0)
}

fn exchange_reply(pos: &Position, side: Color, sq: Square, occupied: Bitboard, prize: i32) -> i32 {
    let takers = reaching(pos, side, sq, occupied);
    let Some(from) = takers.into_iter().min_by_key(|&from| taker_rank(pos, from)) else {
        return 0;
    };
    let occupied = occupied - from.into();
    prize - exchange_reply(pos, !side, sq, occupied, worth(pos, from)).max(0)
}

/// Least valuable first, the king last.
fn taker_rank(pos: &Position, from: Square) -> i32 {
    if pos.kind(PieceKind::King).contains(from) {
        MATE
    } else {
        worth(pos, from)
    }
}
