//! The Chinese competition rules of 2020: classes of moves, and the verdict
//! by levels. For the referee and the root of the search; too slow for more.

mod gain;
mod kill;

use super::cycle::{Cycle, CyclePly};
use crate::board::{Bitboard, Color, Move, PieceKind, Position, Square};
use gain::{Gain, Hold, gain_by_checks, gains};
use kill::{KILL_MOVES, mate_by_checks};

/// The class of a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChineseClass {
    /// The king can be taken.
    Check,
    /// Mate is threatened, at once or by checks.
    Kill,
    /// Material is threatened.
    Chase {
        /// The captures threatened, empty when checks come first.
        captures: Vec<(Square, Square)>,
        /// Jointly, or of a piece with too little protection only.
        light: bool,
    },
    /// An exchange is offered.
    Exchange,
    /// None of these.
    Idle,
}

impl ChineseClass {
    /// Whether the class counts against its side.
    pub const fn counts(&self) -> bool {
        !matches!(self, Self::Exchange | Self::Idle)
    }

    /// Its name as in files of cases.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Check => "check",
            Self::Kill => "kill",
            Self::Chase { light: false, .. } => "chase",
            Self::Chase { light: true, .. } => "light chase",
            Self::Exchange => "exchange",
            Self::Idle => "idle",
        }
    }
}

/// The weight of a side's moves over a cycle. The heavier side must vary, or
/// loses; equal weights draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChineseLevel {
    /// At least one permitted move.
    Permitted,
    /// Forbidden moves only, at least one of them a light chase.
    Light,
    /// Forbidden moves only, no light chase among them.
    Heavy,
    /// Checks only.
    Check,
}

/// The level of the moves of one side.
pub fn chinese_level<'a>(classes: impl IntoIterator<Item = &'a ChineseClass>) -> ChineseLevel {
    let mut level = ChineseLevel::Check;
    for class in classes {
        level = level.min(match class {
            ChineseClass::Check => ChineseLevel::Check,
            ChineseClass::Kill | ChineseClass::Chase { light: false, .. } => ChineseLevel::Heavy,
            ChineseClass::Chase { light: true, .. } => ChineseLevel::Light,
            ChineseClass::Exchange | ChineseClass::Idle => ChineseLevel::Permitted,
        });
    }
    level
}

/// The side at fault over a cycle whose moves have these classes.
pub(super) fn at_fault(cycle: &Cycle, classes: &[ChineseClass]) -> Option<Color> {
    let of = |side| {
        let moves = cycle.plies().zip(classes);
        chinese_level(
            moves
                .filter(|(ply, _)| ply.before.side_to_move() == side)
                .map(|(_, class)| class),
        )
    };
    let [red, black] = Color::ALL.map(of);
    match red.cmp(&black) {
        std::cmp::Ordering::Greater => Some(Color::Red),
        std::cmp::Ordering::Less => Some(Color::Black),
        std::cmp::Ordering::Equal => None,
    }
}

/// The classes of the moves of a cycle.
pub(super) fn classes(cycle: &Cycle) -> Vec<ChineseClass> {
    let plies: Vec<CyclePly> = cycle.plies().collect();
    let mut known: Vec<(u64, Move, ChineseClass)> = Vec::new();
    for (i, ply) in plies.iter().enumerate() {
        let key = (ply.before.key(), ply.mv);
        let seen = known.iter().find(|(k, m, _)| (*k, *m) == key);
        let class = match seen {
            Some((_, _, class)) => class.clone(),
            None => {
                let last = plies[(i + plies.len() - 1) % plies.len()];
                class(ply, last.before)
            }
        };
        known.push((key.0, key.1, class));
    }
    known.into_iter().map(|(_, _, class)| class).collect()
}

/// The class of one move; `earlier` is the position before the opponent's
/// last move.
fn class(ply: &CyclePly, earlier: &Position) -> ChineseClass {
    let (before, after) = (ply.before, ply.after);
    let side = before.side_to_move();
    if after.in_check() {
        return ChineseClass::Check;
    }
    let king_moved = before.king(side) == ply.mv.from();
    if before.in_check() && king_moved {
        return ChineseClass::Idle;
    }
    let mut again = after.clone();
    again.make_null();
    if mate_by_checks(&again, KILL_MOVES).is_some() && mate_by_checks(before, KILL_MOVES).is_none()
    {
        return ChineseClass::Kill;
    }
    if let Some(chase) = chase(ply, &again, earlier) {
        return chase;
    }
    if offers_exchange(ply) {
        ChineseClass::Exchange
    } else {
        ChineseClass::Idle
    }
}

/// The chase that the move makes, if any; `again` is the position after it
/// with the same side to move.
fn chase(ply: &CyclePly, again: &Position, earlier: &Position) -> Option<ChineseClass> {
    let known = Known::new(ply, earlier);
    let fresh: Vec<Gain> = gains(again, Bitboard::EMPTY)
        .into_iter()
        .filter(|gain| !is_own_threat_of_pawn_or_king(again, gain, ply.mv))
        .filter(|gain| known.is_new(gain, ply))
        .collect();
    let only_guards = || fresh.iter().all(|gain| is_guard(again, gain.victim));
    let excused = is_lone_defender(ply.before) && only_guards();
    if !fresh.is_empty() && !excused {
        return Some(ChineseClass::Chase {
            light: !fresh.iter().any(|gain| is_heavy(gain, ply.mv)),
            captures: fresh.iter().map(|g| (g.attacker, g.victim)).collect(),
        });
    }
    let by_checks = gain_by_checks(again) > known.best(ply.before);
    by_checks.then_some(ChineseClass::Chase {
        captures: Vec::new(),
        light: true,
    })
}

/// What the side could have taken before its move.
struct Known {
    /// Before the move, the moved piece being left where it was at its peril.
    real: Vec<Gain>,
    /// Before the move, whatever the other side could take meanwhile.
    standing: Vec<Gain>,
    /// Before the opponent's last move, unless a check forced that.
    earlier: Option<Vec<Gain>>,
}

impl Known {
    fn new(ply: &CyclePly, earlier: &Position) -> Self {
        let earlier = (!earlier.in_check()).then(|| {
            let mut turned = earlier.clone();
            turned.make_null();
            gains(&turned, Bitboard::EMPTY)
        });
        Self {
            real: gains(ply.before, ply.mv.from().into()),
            standing: gains(ply.before, Bitboard::EMPTY),
            earlier,
        }
    }

    /// Whether a gain is owed to the move. One that was there before but not
    /// real, because the moved piece would have been lost meanwhile, is owed
    /// to the move that saves that piece, unless the opponent's own move gave
    /// it.
    fn is_new(&self, gain: &Gain, ply: &CyclePly) -> bool {
        let from = origin(gain.attacker, ply.mv);
        let among = |gains: &[Gain]| {
            gains
                .iter()
                .any(|g| g.attacker == from && g.victim == gain.victim)
        };
        let reached = ply.before.destinations(from).contains(gain.victim);
        let king_moved = ply.before.king(ply.before.side_to_move()) == ply.mv.from();
        let dodged = self.earlier.as_deref().is_none_or(among);
        if among(&self.real) || reached && (ply.before.in_check() || king_moved && dodged) {
            return false;
        }
        !among(&self.standing) || dodged
    }

    /// The best that a piece other than king and pawn could take.
    fn best(&self, before: &Position) -> i32 {
        let quiet = before.kind(PieceKind::King) | before.kind(PieceKind::Pawn);
        let pieces = self.real.iter().filter(|g| !quiet.contains(g.attacker));
        let captures = pieces.map(|gain| gain.value).max().unwrap_or(0);
        captures.max(gain_by_checks(before))
    }
}

/// Whether one piece threatens alone: the victim is unprotected, or its
/// protectors are bound by nothing but what the attacker itself has done.
fn is_heavy(gain: &Gain, mv: Move) -> bool {
    match gain.hold {
        Hold::Nothing => true,
        Hold::Bound => gain.attacker == mv.to(),
        Hold::Retaken => false,
    }
}

/// The piece's square before the move.
fn origin(sq: Square, mv: Move) -> Square {
    if sq == mv.to() { mv.from() } else { sq }
}

/// Threats of the king are none, nor those of a pawn that has just moved.
fn is_own_threat_of_pawn_or_king(pos: &Position, gain: &Gain, mv: Move) -> bool {
    let is = |kind| pos.kind(kind).contains(gain.attacker);
    is(PieceKind::King) || is(PieceKind::Pawn) && gain.attacker == mv.to()
}

fn is_guard(pos: &Position, sq: Square) -> bool {
    pos.kind(PieceKind::Advisor).contains(sq) || pos.kind(PieceKind::Bishop).contains(sq)
}

/// Whether the side to move defends with its only attacking piece.
fn is_lone_defender(pos: &Position) -> bool {
    use PieceKind::{Cannon, Knight, Pawn, Rook};
    let fighters = |side| -> usize {
        [Rook, Knight, Cannon, Pawn]
            .map(|kind| pos.pieces(side, kind).len())
            .iter()
            .sum()
    };
    let side = pos.side_to_move();
    fighters(side) == 1 && fighters(!side) > 1
}

/// Whether the move brings two pieces of one kind to face each other, each
/// able to take the other.
fn offers_exchange(ply: &CyclePly) -> bool {
    let side = ply.before.side_to_move();
    let facing = |pos: &Position, a: Square, b: Square| {
        let kind = |sq| pos.piece_on(sq).map(|piece| piece.kind());
        kind(a) == kind(b) && pos.destinations(a).contains(b) && pos.destinations(b).contains(a)
    };
    ply.after.color(side).into_iter().any(|own| {
        let reached = ply.after.destinations(own) & ply.after.color(!side);
        reached.into_iter().any(|other| {
            facing(ply.after, own, other) && !facing(ply.before, origin(own, ply.mv), other)
        })
    })
}
