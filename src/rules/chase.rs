//! Chases in the sense of the Asian rules: attacks that are new through the
//! move, and the level of a side's moves over a whole cycle.

use super::cycle::Cycle;
use super::threats::{Root, Threat, threats};
use crate::board::{Color, Move, Position, SQUARES, Square};

/// What made an attack new.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Novelty {
    /// The attacker could not reach the victim before: moved there, line
    /// opened, leg or eye freed, screen put up or taken away.
    Reach,
    /// The victim's protector was bound to its king's defence by the move.
    FalseRoot,
    /// The victim lost its protection, or the attacker its own bond.
    Unrooted,
}

/// A new attack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Chase {
    /// The attacking piece, after the move.
    pub attacker: Square,
    /// The piece attacked.
    pub victim: Square,
    /// Why it is new.
    pub novelty: Novelty,
}

/// The attacks that `mv`, which leads from `before` to `after`, has made. Of
/// a checking move only those that are new by reach.
pub(super) fn chases(before: &Position, mv: Move, after: &Position) -> Vec<Chase> {
    let side = before.side_to_move();
    let old = threats(before, side);
    threats(after, side)
        .into_iter()
        .filter(Threat::is_attack)
        .filter_map(|new| {
            Some(Chase {
                attacker: new.attacker,
                victim: new.victim,
                novelty: novelty(&new, &old, mv)?,
            })
        })
        .filter(|chase| chase.novelty == Novelty::Reach || !after.in_check())
        .collect()
}

fn novelty(new: &Threat, old: &[Threat], mv: Move) -> Option<Novelty> {
    let origin = if new.attacker == mv.to() {
        mv.from()
    } else {
        new.attacker
    };
    let before = old
        .iter()
        .find(|t| t.attacker == origin && t.victim == new.victim);
    match before {
        None => Some(Novelty::Reach),
        Some(before) if before.is_attack() => None,
        Some(before) if before.root == Root::True && new.root == Root::False => {
            Some(Novelty::FalseRoot)
        }
        Some(_) => Some(Novelty::Unrooted),
    }
}

/// The weight of a side's moves over a cycle; the heavier side is at fault.
/// The levels between other moves and perpetual check reproduce the diagrams
/// of the Asian manual (39 to 41 and 61: a chase outweighs counter-threats
/// that only take away protection).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// At least one move that is permitted.
    Other,
    /// One piece keeps attacking one other, whose protection is taken away
    /// again and again.
    Unrooting,
    /// One and the same piece is chased by every move.
    Chase,
    /// Every move gives check.
    Check,
}

/// The level of `side` over `cycle`.
pub(super) fn level(cycle: &Cycle, side: Color) -> Level {
    if cycle.checks_always(side) {
        return Level::Check;
    }
    let chased = Chased::of(cycle, side);
    if chased.victims.any() {
        Level::Chase
    } else if chased.pairs.is_empty() {
        Level::Other
    } else {
        Level::Unrooting
    }
}

/// The pieces chased by every move of one side, named by the squares on which
/// they stood when the cycle began.
pub(super) struct Chased {
    /// Victims of a chase by reach or by a false root.
    pub victims: crate::board::Bitboard,
    /// (attacker, victim) of any new attack.
    pub pairs: Vec<(Square, Square)>,
}

impl Chased {
    /// The chases of `side` over `cycle`; stops as soon as there are none.
    pub fn of(cycle: &Cycle, side: Color) -> Self {
        let mut found: Option<Self> = None;
        let mut names = Names::new();
        for ply in cycle.plies() {
            names.follow(ply.mv);
            if ply.before.side_to_move() != side {
                continue;
            }
            let fresh = Self::by(&chases(ply.before, ply.mv, ply.after), &names);
            let all = match found {
                None => fresh,
                Some(earlier) => earlier.and(&fresh),
            };
            if all.pairs.is_empty() && all.victims.is_empty() {
                return all;
            }
            found = Some(all);
        }
        found.unwrap_or_else(|| Self::by(&[], &names))
    }

    fn by(chases: &[Chase], names: &Names) -> Self {
        let strong = chases.iter().filter(|c| c.novelty != Novelty::Unrooted);
        Self {
            victims: strong.map(|c| names.of(c.victim)).collect(),
            pairs: chases
                .iter()
                .map(|c| (names.of(c.attacker), names.of(c.victim)))
                .collect(),
        }
    }

    fn and(mut self, other: &Self) -> Self {
        self.victims &= other.victims;
        self.pairs.retain(|pair| other.pairs.contains(pair));
        self
    }
}

/// The names of pieces that move about: the squares where they began.
pub(super) struct Names([Square; SQUARES]);

impl Names {
    /// Every piece is where it begins.
    pub fn new() -> Self {
        Self(std::array::from_fn(Square::new))
    }

    /// Notes a move.
    pub fn follow(&mut self, mv: Move) {
        self.0[mv.to().index()] = self.0[mv.from().index()];
    }

    /// The name of the piece that stands on `sq` now.
    pub fn of(&self, sq: Square) -> Square {
        self.0[sq.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pieces chased by a move, each after its chaser.
    fn chased(fen: &str, mv: &str) -> String {
        let before: Position = fen.parse().unwrap();
        let mv: Move = mv.parse().unwrap();
        let found = chases(&before, mv, &before.after(mv));
        let pairs: Vec<String> = found
            .iter()
            .map(|chase| format!("{} {}", chase.attacker, chase.victim))
            .collect();
        pairs.join(", ")
    }

    /// Fairy-Stockfish#938, 1: the king could take back on e9 but for the rook
    /// behind the cannon.
    #[test]
    fn a_king_that_may_not_take_back_is_no_root() {
        assert_eq!(chased("3kncC2/5R3/9/9/9/9/9/9/9/5K3 w", "f8f9"), "g9 e9");
    }

    /// Fairy-Stockfish#938, 2: the horse must stay before its king.
    #[test]
    fn a_pinned_horse_chases_nothing() {
        assert_eq!(chased("4k4/9/9/9/9/9/9/4c1N2/9/3K4r w", "g2f0"), "");
    }

    /// Fairy-Stockfish#938, 3: the attack goes along the line of the move, but
    /// what was taken had been in its way.
    #[test]
    fn a_capture_that_opens_a_line_chases_along_it() {
        assert_eq!(chased("n4k3/9/9/9/9/9/9/9/p8/R3K4 w", "a0a1"), "a1 a9");
    }

    /// eleeye#5: the rook between two cannons is no screen for either, since
    /// it leaves its square when it takes the other.
    #[test]
    fn the_attacker_is_no_screen_for_a_protector() {
        let between = "5k3/9/9/c8/9/1R7/9/c8/9/4K4 w";
        assert_eq!(chased(between, "b4a4"), "a4 a2, a4 a6");
    }
}
