//! Static exchange evaluation: what a series of captures on one square wins.
//!
//! The swap algorithm (Chess Programming Wiki, "SEE - The Swap Algorithm"),
//! for xiangqi: the attackers are found anew after each capture, since a piece
//! that leaves may open a line, take a cannon's screen away, become one less
//! screen too many, or free a knight's leg or a bishop's eye.

use super::{Bitboard, Color, Move, PieceKind, Position, Square};

/// What a piece counts for in an exchange. The king is never taken, its value
/// only ranks it last among the attackers.
pub const EXCHANGE_VALUES: [i32; 7] = [10_000, 200, 200, 400, 900, 450, 100];

/// The order in which a side uses its attackers, the cheapest first.
const CHEAPEST_FIRST: [PieceKind; 7] = [
    PieceKind::Pawn,
    PieceKind::Advisor,
    PieceKind::Bishop,
    PieceKind::Knight,
    PieceKind::Cannon,
    PieceKind::Rook,
    PieceKind::King,
];

/// What a piece of this kind counts for in an exchange, a pawn being 100.
#[inline(always)]
pub const fn exchange_value(kind: PieceKind) -> i32 {
    EXCHANGE_VALUES[kind.index()]
}

/// An exchange on one square, between two captures.
struct Exchange<'a> {
    pos: &'a Position,
    square: Square,
    occupied: Bitboard,
    side: Color,
}

impl<'a> Exchange<'a> {
    /// After `mv`, the other side to capture.
    fn after(pos: &'a Position, mv: Move) -> Self {
        let occupied = (pos.occupied() - mv.from().into()) | mv.to().into();
        Self {
            pos,
            square: mv.to(),
            occupied,
            side: !pos.side_to_move(),
        }
    }

    /// Lets the side to capture use its cheapest attacker; `None` when it has
    /// none, or only a king that could be taken back.
    fn capture(&mut self) -> Option<PieceKind> {
        let attackers = self.pos.attackers_to(self.square, self.occupied);
        let own = attackers & self.pos.color(self.side);
        if own.is_empty() {
            return None;
        }
        let (kind, from) = CHEAPEST_FIRST
            .into_iter()
            .find_map(|kind| Some((kind, (own & self.pos.kind(kind)).first()?)))?;
        self.occupied -= from.into();
        if kind == PieceKind::King && self.is_defended() {
            return None;
        }
        self.side = !self.side;
        Some(kind)
    }

    fn is_defended(&self) -> bool {
        let attackers = self.pos.attackers_to(self.square, self.occupied);
        (attackers & self.pos.color(!self.side)).any()
    }
}

impl Position {
    fn value_on(&self, sq: Square) -> i32 {
        self.piece_on(sq).map_or(0, |p| exchange_value(p.kind()))
    }

    /// Whether the exchanges that `mv` starts on its target square win at
    /// least `threshold` (in the units of [`exchange_value`]) for the mover,
    /// both sides free to stop. Pins are not considered.
    pub fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        // What the mover is ahead of the threshold, were the exchange over.
        let mut balance = self.value_on(mv.to()) - threshold;
        if balance < 0 {
            return false;
        }
        let mut at_risk = self.value_on(mv.from());
        if balance >= at_risk {
            return true;
        }
        // From here the balance is seen by the side that captured last. A
        // side that is ahead even if its capturer is lost need look no further.
        let mut exchange = Exchange::after(self, mv);
        let mut mover_won_last = true;
        while let Some(kind) = exchange.capture() {
            balance = at_risk - balance - 1;
            at_risk = exchange_value(kind);
            mover_won_last = !mover_won_last;
            if balance >= at_risk {
                break;
            }
        }
        mover_won_last
    }

    /// What the exchanges that `mv` starts on its target square win for the
    /// mover with best play by both sides (in the units of
    /// [`exchange_value`]), negative when it loses. Pins are not considered.
    pub fn see(&self, mv: Move) -> i32 {
        let mut gains = arrayvec::ArrayVec::<i32, 34>::new();
        gains.push(self.value_on(mv.to()));
        let mut at_risk = self.value_on(mv.from());
        let mut exchange = Exchange::after(self, mv);
        while let Some(kind) = exchange.capture() {
            gains.push(at_risk);
            at_risk = exchange_value(kind);
        }
        // The first capture is forced, each later one is made if it pays.
        let first = gains[0];
        let later = gains[1..]
            .iter()
            .rev()
            .fold(0, |rest, &gain| (gain - rest).max(0));
        first - later
    }
}
