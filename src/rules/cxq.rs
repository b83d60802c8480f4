//! The rules of Club Xiangqi. They count consecutive moves and do not ask for
//! repetition. Numbers such as 3.6 are those of the guide's chapter "Rules".

use super::streak::{Pursuits, Streak};
use super::threats::{Root, can_be_chased, may_take, reaching, root};
use crate::board::attacks::{between, cannon_attacks};
use crate::board::{Bitboard, Color, Move, PieceKind, Position, Square};

/// 4.1: effective moves of each side, over the whole game.
pub const EFFECTIVE_MOVES: u16 = 120;
/// 4.2: moves of each side since the last progress.
pub const MOVES_WITHOUT_PROGRESS: u16 = 30;
/// 4.3: moves of each side in all.
pub const MOVES_IN_ALL: u16 = 300;
/// The first rank over the river, counted from the own side.
const RIVER: usize = 5;

/// An attack of 2.3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Attack {
    /// The piece that could take: the moved piece, or the cannon whose screen
    /// it has become.
    pub attacker: Square,
    /// The piece it could take.
    pub victim: Square,
    /// Whether the victim is unprotected (2.4), so that 3.2 applies.
    pub unprotected: bool,
}

/// What a move is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Class {
    /// A check by these pieces (2.1).
    Check(Bitboard),
    /// Attacks, at least one.
    Attack(Vec<Attack>),
    /// Neither.
    Idle,
}

/// The class of `mv`, which leads from `before` to `after`. A move that gives
/// check is a check and no attack.
pub(super) fn class(before: &Position, mv: Move, after: &Position) -> Class {
    let checkers = after.checkers();
    if checkers.contains(mv.to()) {
        return Class::Check(mv.to().into());
    }
    if let Some(discovered) = checkers.first() {
        return Class::Check(discovered.into());
    }
    let mut attacks = direct_attacks(after, mv.to());
    let by_mover: Bitboard = attacks.iter().map(|attack| attack.victim).collect();
    attacks.extend(mount_attacks(before, mv, after).filter(|a| !by_mover.contains(a.victim)));
    if attacks.is_empty() {
        Class::Idle
    } else {
        Class::Attack(attacks)
    }
}

/// The attacks of the moved piece, now on `at`; kings and pawns make none.
fn direct_attacks(pos: &Position, at: Square) -> Vec<Attack> {
    let is = |kind| pos.kind(kind).contains(at);
    if is(PieceKind::King) || is(PieceKind::Pawn) {
        return Vec::new();
    }
    let victims = pos.destinations(at) & pos.color(pos.side_to_move());
    victims
        .into_iter()
        .filter(|&victim| can_be_chased(pos, victim) && may_take(pos, at, victim))
        .filter(|&victim| !(same_kind(pos, at, victim) && can_be_taken(pos, at)))
        .map(|victim| attack(pos, at, victim))
        .collect()
}

/// The attacks of own cannons whose screen the moved piece has become.
fn mount_attacks(before: &Position, mv: Move, after: &Position) -> impl Iterator<Item = Attack> {
    let (enemy, screen) = (after.side_to_move(), mv.to());
    let occupied = after.occupied();
    let cannons = after.pieces(!enemy, PieceKind::Cannon) - screen.into();
    let over = move |cannon, victim| between(cannon, victim).contains(screen);
    let pairs = cannons.into_iter().flat_map(move |cannon| {
        let reached = cannon_attacks(cannon, occupied) & after.color(enemy);
        let victims = reached.into_iter().filter(move |&v| over(cannon, v));
        victims.map(move |victim| (cannon, victim))
    });
    pairs
        .filter(|&(cannon, victim)| !before.destinations(cannon).contains(victim))
        .filter(|&(_, victim)| can_be_chased(after, victim))
        .filter(|&(cannon, victim)| may_take(after, cannon, victim))
        .filter(|&(cannon, victim)| {
            !(same_kind(after, cannon, victim) && may_take(after, victim, cannon))
        })
        .map(|(cannon, victim)| attack(after, cannon, victim))
}

fn same_kind(pos: &Position, a: Square, b: Square) -> bool {
    pos.piece_on(a).map(|p| p.kind()) == pos.piece_on(b).map(|p| p.kind())
}

/// Whether the side to move could take what stands on `sq`.
fn can_be_taken(pos: &Position, sq: Square) -> bool {
    reaching(pos, pos.side_to_move(), sq, pos.occupied())
        .into_iter()
        .any(|from| may_take(pos, from, sq))
}

fn attack(pos: &Position, attacker: Square, victim: Square) -> Attack {
    let is = |sq, kind| pos.kind(kind).contains(sq);
    let lesser = is(attacker, PieceKind::Knight) || is(attacker, PieceKind::Cannon);
    let unequal = is(victim, PieceKind::Rook) && lesser;
    Attack {
        attacker,
        victim,
        unprotected: unequal || root(pos, attacker, victim) != Root::True,
    }
}

/// How a game under these rules ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Breach {
    /// 3.1: this side checked once too often.
    PerpetualCheck(Color),
    /// 3.2: this side attacked an unprotected piece once too often.
    PerpetualAttack(Color),
    /// 3.4: both sides check.
    MutualCheck,
    /// 3.4: both sides attack.
    MutualAttack,
    /// 3.5: this side checks while the other attacks.
    CheckAgainstAttack(Color),
    /// 4.1 to 4.3: an automatic draw.
    Automatic(Counter),
}

/// The counters of the automatic draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counter {
    /// 4.1.
    Effectiveness,
    /// 4.2.
    Progress,
    /// 4.3.
    Length,
}

impl Breach {
    /// The side that loses, `None` for a draw.
    pub fn loser(self) -> Option<Color> {
        match self {
            Self::PerpetualCheck(side)
            | Self::PerpetualAttack(side)
            | Self::CheckAgainstAttack(side) => Some(side),
            Self::MutualCheck | Self::MutualAttack | Self::Automatic(_) => None,
        }
    }
}

/// What is counted of one side.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct SideTally {
    checks: Streak,
    attacks: Pursuits,
    effective: u16,
    since_progress: u16,
    moves: u16,
}

impl SideTally {
    fn exceeds_attacks(&self) -> bool {
        self.attacks.streaks().any(Streak::exceeded)
    }

    fn attacks_used_up(&self) -> bool {
        self.attacks.streaks().any(Streak::used_up)
    }
}

/// The counts of a game, carried from move to move: part of the state of the
/// search under these rules, since the same position is worth less to a side
/// that has used up its allowance.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    sides: [SideTally; 2],
    /// Whether the last move asks for an answer (a check or an attack).
    forcing: bool,
    /// Who made the last move.
    mover: Option<Color>,
}

impl Tally {
    /// The counts after `mv`, which leads from `before` to `after`.
    pub fn play(&mut self, before: &Position, mv: Move, after: &Position) {
        self.count(before, mv, &class(before, mv, after));
    }

    /// The same with the class of the move at hand.
    pub(super) fn count(&mut self, before: &Position, mv: Move, class: &Class) {
        let side = before.side_to_move();
        for tally in &mut self.sides {
            tally.checks.follow(mv);
            tally.attacks.follow(mv);
        }
        let answers = std::mem::replace(&mut self.forcing, *class != Class::Idle);
        let progress = is_progress(before, mv);
        let tally = &mut self.sides[side.index()];
        tally.note(class);
        tally.moves += 1;
        tally.effective += u16::from(!answers && !self.forcing);
        if progress {
            self.sides.iter_mut().for_each(|t| t.since_progress = 0);
        } else {
            self.sides[side.index()].since_progress += 1;
        }
        self.mover = Some(side);
    }

    /// How the last move ends the game, `None` when play goes on. Mate and
    /// stalemate come before.
    pub fn breach(&self) -> Option<Breach> {
        let side = self.mover?;
        self.violation(side)
            .or_else(|| self.automatic().map(Breach::Automatic))
    }

    fn violation(&self, side: Color) -> Option<Breach> {
        let (own, other) = (&self.sides[side.index()], &self.sides[(!side).index()]);
        if own.checks.exceeded() {
            Some(if other.checks.used_up() {
                Breach::MutualCheck
            } else if other.attacks_used_up() {
                Breach::CheckAgainstAttack(side)
            } else {
                Breach::PerpetualCheck(side)
            })
        } else if own.exceeds_attacks() {
            Some(if other.checks.used_up() {
                Breach::CheckAgainstAttack(!side)
            } else if other.attacks_used_up() {
                Breach::MutualAttack
            } else {
                Breach::PerpetualAttack(side)
            })
        } else {
            None
        }
    }

    /// The lengths of the runs of both sides: checks, longest attack, one byte
    /// each with the pieces behind them.
    pub(super) fn runs(&self) -> [u16; 4] {
        let [red, black] = Color::ALL;
        let attack = |side| self.longest_attack(side).map_or(0, Streak::code);
        [
            self.checks(red).code(),
            self.checks(black).code(),
            attack(red),
            attack(black),
        ]
    }

    fn automatic(&self) -> Option<Counter> {
        let both = |reached: fn(&SideTally) -> bool| self.sides.iter().all(reached);
        if both(|t| t.effective >= EFFECTIVE_MOVES) {
            Some(Counter::Effectiveness)
        } else if both(|t| t.since_progress >= MOVES_WITHOUT_PROGRESS) {
            Some(Counter::Progress)
        } else if both(|t| t.moves >= MOVES_IN_ALL) {
            Some(Counter::Length)
        } else {
            None
        }
    }

    /// The run of consecutive checks of a side.
    pub fn checks(&self, side: Color) -> &Streak {
        &self.sides[side.index()].checks
    }

    /// The longest run of attacks of a side on one victim, if any.
    pub fn longest_attack(&self, side: Color) -> Option<&Streak> {
        let streaks = self.sides[side.index()].attacks.streaks();
        streaks.max_by_key(|streak| streak.count())
    }
}

impl SideTally {
    fn note(&mut self, class: &Class) {
        match class {
            Class::Check(by) => {
                self.checks.add(*by);
                self.attacks = Pursuits::default();
            }
            Class::Attack(attacks) => {
                self.checks = Streak::default();
                let counted = attacks.iter().filter(|attack| attack.unprotected);
                let pairs: Vec<_> = counted.map(|a| (a.attacker, a.victim)).collect();
                self.attacks.add(&pairs);
            }
            Class::Idle => {
                self.checks = Streak::default();
                self.attacks = Pursuits::default();
            }
        }
    }
}

/// 4.2: a capture, or a forward step of a pawn that has crossed the river
/// before the step (the crossing step itself is none by the letter).
fn is_progress(before: &Position, mv: Move) -> bool {
    let side = before.side_to_move();
    let crossed_pawn = before.pieces(side, PieceKind::Pawn).contains(mv.from())
        && mv.from().relative_rank(side) >= RIVER;
    before.is_capture(mv) || crossed_pawn && mv.from().rank() != mv.to().rank()
}
