//! What all pieces on the board can do: the ground of the evaluation.
//!
//! Looking at all moves of everybody is most of the work of the evaluation, and
//! one move changes little of it. [`Survey`] therefore keeps what each piece
//! can do and on which cells that depends, and after a move sees to the pieces
//! anew that looked at one of its two cells. The result is exactly the same.

use super::evaluate::{Standing, Values, evaluate, evaluate_reaches, plays};
use super::movegen::{Prey, Visitor};
use super::piece::Content;
use super::square::CELLS;
use super::weights::GAIN;
use super::{ARMY, Kind, Move, Position, SEATS, Seat, Square};

/// When an attacker moves, seen from the seat to move.
pub(super) const NOW: usize = 0;
pub(super) const BEFORE: usize = 1;
pub(super) const AFTER: usize = 2;

/// Seats, rounded up to what a processor does at once.
const LANES: usize = SEATS.next_power_of_two();

/// What a piece can do, or all pieces of a seat.
#[derive(Clone, Copy)]
pub(super) struct Reaches {
    moves: u32,
    /// The best capture from each seat, generals of living kingdoms aside.
    gain: [f32; LANES],
    /// The seats whose own general can be taken, as a bit mask.
    hits: u16,
    /// The seats whose own pieces can be taken, those of conquered kingdoms
    /// aside.
    hurts: u16,
}

impl Reaches {
    const NONE: Self = Self {
        moves: 0,
        gain: [0.0; LANES],
        hits: 0,
        hurts: 0,
    };

    /// Adds what another piece can do.
    #[inline(always)]
    fn join(&mut self, other: &Self) {
        self.moves += other.moves;
        for (best, &gain) in self.gain.iter_mut().zip(&other.gain) {
            *best = if gain > *best { gain } else { *best };
        }
        self.hits |= other.hits;
        self.hurts |= other.hurts;
    }

    /// Notes that a piece can be taken.
    fn note_attack(&mut self, position: &Position, target: Content) {
        let Some(kingdom) = target.piece().and_then(super::Piece::kingdom) else {
            return;
        };
        let Some(owner) = position.commander(kingdom) else {
            return;
        };
        if owner == kingdom {
            self.hurts |= owner.bit();
        }
        if owner == kingdom && target.kind_number() == Kind::General as usize {
            self.hits |= owner.bit();
        } else {
            let best = &mut self.gain[owner.index()];
            *best = best.max(GAIN[target.kind_number() - 1]);
        }
    }
}

/// Sees what a piece can do.
struct Look<'a> {
    position: &'a Position,
    reaches: Reaches,
}

impl Visitor for Look<'_> {
    #[inline(always)]
    fn visit(&mut self, _to: usize, content: Content) -> bool {
        self.reaches.moves += 1;
        if !content.is_empty() {
            self.reaches.note_attack(self.position, content);
        }
        true
    }
}

/// What each seat can do.
pub(super) fn reaches(position: &Position) -> [Reaches; SEATS] {
    Seat::ALL.map(|seat| {
        let mut look = Look {
            position,
            reaches: Reaches::NONE,
        };
        if plays(position, seat) {
            let side = Side::of(position, seat);
            for kingdom in Seat::ALL.into_iter().filter(|k| side.own & k.bit() != 0) {
                for &from in position.men(kingdom) {
                    position.visit_man(from, side.prey, side.own, &mut look);
                }
            }
        }
        look.reaches
    })
}

/// Whom a seat may take and what it commands.
#[derive(Clone, Copy)]
struct Side {
    prey: Prey,
    own: u16,
}

impl Side {
    fn of(position: &Position, seat: Seat) -> Self {
        Self {
            prey: position.prey(seat),
            own: position.commanded(seat),
        }
    }
}

/// Attacks by when they come.
pub(super) struct Scan {
    pub(super) mobility: [u32; SEATS],
    /// Best captures of a seat: now, before the victim, after the victim.
    pub(super) gain: [[f32; 3]; SEATS],
    /// Whether a seat hits a living general, by the same classes.
    pub(super) hit: [[bool; 3]; SEATS],
    /// Best piece of a seat attacked: by somebody earlier, by others.
    pub(super) hangs: [[f32; 2]; SEATS],
    /// Whether a kingdom can fall to the next capture: to somebody earlier,
    /// to others.
    pub(super) falls: [[bool; 2]; SEATS],
}

impl Scan {
    /// Puts in order what each seat can do when it is this seat's turn and
    /// these kingdoms fall by their next loss.
    pub(super) fn new(turn: Seat, brink: &[bool; SEATS], reaches: &[Reaches; SEATS]) -> Self {
        let mut scan = Self {
            mobility: reaches.each_ref().map(|r| r.moves),
            gain: [[0.0; 3]; SEATS],
            hit: [[false; 3]; SEATS],
            hangs: [[0.0; 2]; SEATS],
            falls: [[false; 2]; SEATS],
        };
        let waits = Seat::ALL.map(|seat| turn.distance_to(seat));
        for owner in Seat::ALL {
            let brink = brink[owner.index()];
            for (attacker, reach) in reaches.iter().enumerate() {
                let waits = (waits[attacker], waits[owner.index()]);
                scan.note(attacker, owner, reach, waits, brink);
            }
        }
        scan
    }

    /// Notes what one seat can do to another; `waits` says how soon each is to
    /// move, `brink` whether the victim falls by its next loss.
    #[inline(always)]
    fn note(
        &mut self,
        attacker: usize,
        owner: Seat,
        reach: &Reaches,
        waits: (usize, usize),
        brink: bool,
    ) {
        let earlier = waits.0 < waits.1;
        let class = match (waits.0, earlier) {
            (0, _) => NOW,
            (_, true) => BEFORE,
            (_, false) => AFTER,
        };
        let (o, late) = (owner.index(), usize::from(!earlier));
        let hits = reach.hits & owner.bit() != 0;
        self.hit[attacker][class] |= hits;
        raise(&mut self.gain[attacker][class], reach.gain[o]);
        raise(&mut self.hangs[o][late], reach.gain[o]);
        self.falls[o][late] |= hits || (brink && reach.hurts & owner.bit() != 0);
    }
}

fn raise(best: &mut f32, value: f32) {
    *best = best.max(value);
}

/// Pieces as a bit mask, by their number in a survey.
type Men = u128;

/// A piece of a survey.
#[derive(Clone, Copy)]
struct Man {
    square: Square,
    reaches: Reaches,
}

/// What every piece of a position can do, for the positions a move later.
pub(super) struct Survey {
    command: [Option<Seat>; SEATS],
    men: Vec<Man>,
    /// The piece on a cell, one more than its number.
    on: Box<[u8; CELLS]>,
    /// The pieces whose moves depend on a cell.
    watchers: Box<[Men; CELLS]>,
    /// The pieces of each seat.
    of_seat: [Men; SEATS],
    sides: [Side; SEATS],
    reaches: [Reaches; SEATS],
    standing: Standing,
}

/// Sees what a piece can do and on which cells it depends.
struct Watch<'a> {
    look: Look<'a>,
    watchers: &'a mut [Men; CELLS],
    man: Men,
}

impl Visitor for Watch<'_> {
    #[inline(always)]
    fn look(&mut self, cell: usize) {
        self.watchers[cell] |= self.man;
    }

    #[inline(always)]
    fn visit(&mut self, to: usize, content: Content) -> bool {
        self.look.visit(to, content)
    }
}

impl Survey {
    /// Looks at all moves of everybody.
    pub(super) fn of(position: &Position) -> Self {
        let mut survey = Self {
            command: position.command,
            men: Vec::with_capacity(SEATS * ARMY),
            on: Box::new([0; CELLS]),
            watchers: Box::new([0; CELLS]),
            of_seat: [0; SEATS],
            sides: Seat::ALL.map(|seat| Side::of(position, seat)),
            reaches: [Reaches::NONE; SEATS],
            standing: Standing::of(position),
        };
        for kingdom in Seat::ALL {
            let commander = position.commander(kingdom);
            if let Some(seat) = commander.filter(|&s| plays(position, s)) {
                for &square in position.men(kingdom) {
                    survey.add(position, seat, square);
                }
            }
        }
        survey
    }

    fn add(&mut self, position: &Position, seat: Seat, square: Square) {
        let man = 1 << self.men.len();
        let mut watch = Watch {
            look: Look {
                position,
                reaches: Reaches::NONE,
            },
            watchers: &mut self.watchers,
            man,
        };
        let side = self.sides[seat.index()];
        position.visit_man(square, side.prey, side.own, &mut watch);
        let reaches = watch.look.reaches;
        self.men.push(Man { square, reaches });
        self.on[square.cell()] = self.men.len() as u8;
        self.of_seat[seat.index()] |= man;
        self.reaches[seat.index()].join(&reaches);
    }

    /// The chances after a move; `child` is the position it leads to, where
    /// the game goes on.
    pub(super) fn evaluate(&self, child: &Position, m: Move) -> Values {
        if child.command != self.command {
            return evaluate(child);
        }
        let taken = self.on(m.to);
        let reaches = self.reaches_after(child, m, taken);
        match taken {
            0 if child.quiet > 0 => evaluate_reaches(child, &self.standing, &reaches),
            _ => evaluate_reaches(child, &Standing::of(child), &reaches),
        }
    }

    fn reaches_after(&self, child: &Position, m: Move, taken: Men) -> [Reaches; SEATS] {
        let moved = self.on(m.from);
        let watchers = self.watchers[m.from.cell()] | self.watchers[m.to.cell()];
        let changed = (watchers | moved) & !taken;
        let mut reaches = self.reaches;
        for (seat, reach) in reaches.iter_mut().enumerate() {
            let men = self.of_seat[seat];
            if men & (changed | taken) == 0 {
                continue;
            }
            let mut look = Look {
                position: child,
                reaches: self.join(men & !changed & !taken),
            };
            let side = self.sides[seat];
            for man in bits(men & changed) {
                let stays = 1 << man != moved;
                let square = if stays { self.men[man].square } else { m.to };
                child.visit_man(square, side.prey, side.own, &mut look);
            }
            *reach = look.reaches;
        }
        reaches
    }

    /// The piece on a square, none where nobody's stands.
    fn on(&self, square: Square) -> Men {
        match self.on[square.cell()] {
            0 => 0,
            number => 1 << (number - 1),
        }
    }

    /// What some pieces can do together.
    fn join(&self, men: Men) -> Reaches {
        let mut reaches = Reaches::NONE;
        for man in bits(men) {
            reaches.join(&self.men[man].reaches);
        }
        reaches
    }
}

/// The numbers of the bits that are set.
fn bits(mut men: Men) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (men != 0).then(|| men.trailing_zeros() as usize)?;
        men &= men - 1;
        Some(bit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kingdoms::{Options, Random};

    /// Every position a move after those of random games, by both ways.
    #[test]
    fn survey_and_plain_evaluation_agree() {
        let mut random = Random::new(9);
        for name in ["english", "russian", "ludii"] {
            let options = Options::preset(name).unwrap();
            let mut position = Position::start_for(5, options).unwrap();
            while position.turn().is_some() && position.ply() < 400 {
                let survey = Survey::of(&position);
                let moves = position.legal_moves();
                for &m in &moves {
                    let child = position.after(m);
                    if child.turn().is_some() {
                        assert_eq!(survey.evaluate(&child, m), evaluate(&child), "{m}");
                    }
                }
                position = position.after(moves[random.below(moves.len())]);
            }
            assert!(position.ply() > 100);
        }
    }
}
