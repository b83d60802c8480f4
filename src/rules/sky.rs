//! The counters of the Tiantian server. Chases are those of the Asian rules,
//! but a move that chases two pieces at once is none; runs of checks, chases
//! and mixtures of both are limited, and a capture starts all counts anew.

use super::chase::{Chase, Novelty, chases};
use super::streak::{Pursuits, Streak};
use crate::board::{Bitboard, Color, Move, Position, Square};

/// Chases of one piece in a row, by whichever pieces; also the number at
/// which checks, or chases, by both sides draw.
const CHASES: u16 = 6;
/// Checks and chases in alternation, by one piece.
const MIXED_ONE_PIECE: u16 = 12;
/// The same by more pieces.
const MIXED_MORE_PIECES: u16 = 18;

/// How a run of moves ends the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SkyBreach {
    /// Too many checks.
    Checks(Color),
    /// Too many chases of one piece.
    Chases(Color),
    /// Too many checks and chases in alternation.
    Mixed(Color),
    /// This side checks while the other chases.
    CheckAgainstChase(Color),
    /// Both sides check.
    MutualChecks,
    /// Both sides chase.
    MutualChases,
}

impl SkyBreach {
    /// The side that loses (the server refuses its move), `None` for a draw.
    pub fn loser(self) -> Option<Color> {
        match self {
            Self::Checks(side)
            | Self::Chases(side)
            | Self::Mixed(side)
            | Self::CheckAgainstChase(side) => Some(side),
            Self::MutualChecks | Self::MutualChases => None,
        }
    }
}

/// What a move is.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Class {
    Check(Bitboard),
    Chase { by: Bitboard, victim: Square },
    Other,
}

fn class(before: &Position, mv: Move, after: &Position) -> Class {
    let checkers = after.checkers();
    if checkers.contains(mv.to()) {
        return Class::Check(mv.to().into());
    }
    if let Some(discovered) = checkers.first() {
        return Class::Check(discovered.into());
    }
    let attacks = attacks(before, mv, after);
    let victims: Bitboard = attacks.iter().map(|chase| chase.victim).collect();
    match victims.first() {
        Some(victim) if !victims.many() => Class::Chase {
            by: attacks.iter().map(|chase| chase.attacker).collect(),
            victim,
        },
        _ => Class::Other,
    }
}

/// The chases of a move. An answer to a check does not make an attack that was
/// there before and only had to wait.
fn attacks(before: &Position, mv: Move, after: &Position) -> Vec<Chase> {
    let mut found = chases(before, mv, after);
    found.retain(|chase| chase.novelty == Novelty::Reach || !before.in_check());
    found
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct SideTally {
    checks: Streak,
    chases: Pursuits,
    /// Checks and chases in one run.
    mixed: Streak,
    mixed_checks: bool,
    mixed_chases: bool,
}

impl SideTally {
    fn note(&mut self, class: Class) {
        match class {
            Class::Check(by) => {
                self.checks.add(by);
                self.chases = Pursuits::default();
                self.mixed.add(by);
                self.mixed_checks = true;
            }
            Class::Chase { by, victim } => {
                self.checks = Streak::default();
                let pairs: Vec<_> = by.into_iter().map(|from| (from, victim)).collect();
                self.chases.add(&pairs);
                self.mixed.add(by);
                self.mixed_chases = true;
            }
            Class::Other => *self = Self::default(),
        }
    }

    fn follow(&mut self, mv: Move) {
        self.checks.follow(mv);
        self.chases.follow(mv);
        self.mixed.follow(mv);
    }

    fn chase_count(&self) -> u16 {
        self.chases.streaks().map(Streak::count).max().unwrap_or(0)
    }

    fn mixed_exceeded(&self) -> bool {
        let limit = if self.mixed.pieces() > 1 {
            MIXED_MORE_PIECES
        } else {
            MIXED_ONE_PIECE
        };
        self.mixed_checks && self.mixed_chases && self.mixed.count() > limit
    }
}

/// The counts of a game, carried from move to move.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SkyTally {
    sides: [SideTally; 2],
    mover: Option<Color>,
}

impl SkyTally {
    /// The counts after `mv`, which leads from `before` to `after`.
    pub fn play(&mut self, before: &Position, mv: Move, after: &Position) {
        let side = before.side_to_move();
        if before.is_capture(mv) {
            *self = Self::default();
        }
        self.sides.iter_mut().for_each(|tally| tally.follow(mv));
        self.sides[side.index()].note(class(before, mv, after));
        self.mover = Some(side);
    }

    /// How the last move ends the game, `None` when play goes on.
    pub fn breach(&self) -> Option<SkyBreach> {
        let side = self.mover?;
        let (own, other) = (&self.sides[side.index()], &self.sides[(!side).index()]);
        if own.checks.count() >= CHASES && other.checks.count() >= CHASES {
            Some(SkyBreach::MutualChecks)
        } else if own.chase_count() >= CHASES && other.chase_count() >= CHASES {
            Some(SkyBreach::MutualChases)
        } else if own.checks.exceeded() {
            Some(if other.chase_count() >= CHASES {
                SkyBreach::CheckAgainstChase(side)
            } else {
                SkyBreach::Checks(side)
            })
        } else if own.chase_count() > CHASES {
            Some(if other.checks.used_up() {
                SkyBreach::CheckAgainstChase(!side)
            } else {
                SkyBreach::Chases(side)
            })
        } else {
            own.mixed_exceeded().then_some(SkyBreach::Mixed(side))
        }
    }

    /// The lengths of the runs of both sides: checks, and checks and chases.
    pub(super) fn runs(&self) -> [u16; 4] {
        let [red, black] = &self.sides;
        [
            red.checks.code(),
            black.checks.code(),
            red.mixed.code(),
            black.mixed.code(),
        ]
    }

    /// The longest current run of checks or chases of a side, in moves.
    pub fn longest_run(&self, side: Color) -> u16 {
        let tally = &self.sides[side.index()];
        tally.mixed.count()
    }

    /// Whether the last moves of both sides were neither checks nor chases.
    pub fn is_quiet(&self) -> bool {
        self.sides.iter().all(|tally| tally.mixed.count() == 0)
    }
}
