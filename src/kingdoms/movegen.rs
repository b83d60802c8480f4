//! Where pieces can go.
//!
//! Every sliding piece stops before a point it may not take and on a point it
//! takes; nothing but the cannon jumps. Go-betweens and the emperor are never
//! taken, and pieces of one side do not take each other.

use super::options::{Reach, Screen};
use super::piece::Content;
use super::square::{DIAGONAL, ORTHOGONAL, OUTWARD, Step};
use super::{Move, Position, SIDE, Seat, Square};

const ARCHER_STEPS: usize = 4;
const CROSSBOW_STEPS: usize = 5;
const KNIGHT_STEPS: usize = 3;

/// The kingdoms whose pieces a seat may take, as a bit mask.
#[derive(Clone, Copy)]
pub(super) struct Prey(u16);

impl Prey {
    /// Whether the piece here (not an empty cell) may be taken.
    #[inline(always)]
    pub(super) fn may_take(self, content: Content) -> bool {
        self.0 & content.kingdom_bit() != 0 && !content.is_go_between()
    }
}

/// One piece about to move.
#[derive(Clone, Copy)]
struct Mover {
    from: usize,
    prey: Prey,
    /// Kingdoms under the same command, as a bit mask.
    own: u16,
}

/// Somebody who is told where a piece can go.
pub(super) trait Visitor {
    /// The move depends on what stands on this cell. May be called more than
    /// once for a cell.
    #[inline(always)]
    fn look(&mut self, _cell: usize) {}

    /// The piece can go to this cell, which holds this. False ends the visit.
    fn visit(&mut self, to: usize, content: Content) -> bool;
}

impl<F: FnMut(usize, Content) -> bool> Visitor for F {
    #[inline(always)]
    fn visit(&mut self, to: usize, content: Content) -> bool {
        self(to, content)
    }
}

#[inline(always)]
fn step(cell: usize, step: Step) -> usize {
    cell.wrapping_add_signed(step)
}

impl Position {
    /// The kingdoms whose pieces this seat may take.
    #[inline]
    pub(super) fn prey(&self, seat: Seat) -> Prey {
        let team = self.team(seat);
        let mut mask = 0;
        for kingdom in Seat::ALL {
            if let Some(commander) = self.commander(kingdom)
                && self.team(commander) != team
            {
                mask |= kingdom.bit();
            }
        }
        Prey(mask)
    }

    /// The kingdoms that this seat commands, as a bit mask.
    #[inline]
    pub(super) fn commanded(&self, seat: Seat) -> u16 {
        let mine = |k: &Seat| self.commander(*k) == Some(seat);
        let kingdoms = Seat::ALL.into_iter().filter(mine);
        kingdoms.fold(0, |mask, k| mask | k.bit())
    }

    /// Calls `visit(from, to, content of to)` for every move of a seat, as if
    /// it were its turn; stops early and returns false when `visit` does.
    #[inline(always)]
    pub(super) fn visit_moves(
        &self,
        seat: Seat,
        mut visit: impl FnMut(Square, Square, Content) -> bool,
    ) -> bool {
        let (prey, own) = (self.prey(seat), self.commanded(seat));
        for kingdom in Seat::ALL {
            if own & kingdom.bit() == 0 {
                continue;
            }
            for &square in self.board.men(kingdom) {
                let from = square.cell();
                let mover = Mover { from, prey, own };
                let on = &mut |to, content| visit(square, Square::of_cell(to), content);
                if !self.visit_piece(mover, on) {
                    return false;
                }
            }
        }
        true
    }

    /// Tells a visitor of every destination that the piece on `from` would have
    /// if it were the turn of `seat`, its commander.
    #[inline(always)]
    pub(super) fn visit_man(&self, from: Square, prey: Prey, own: u16, visitor: &mut impl Visitor) {
        let from = from.cell();
        self.visit_piece(Mover { from, prey, own }, visitor);
    }

    /// Tells of every destination of one piece.
    #[inline(always)]
    fn visit_piece(&self, mover: Mover, visit: &mut impl Visitor) -> bool {
        let rays = |steps: &[Step], min, max, visit: &mut _| {
            let mut each = steps.iter();
            each.all(|&by| self.visit_ray(mover, mover.from, by, min, max, visit))
        };
        match self.board.content(mover.from).kind_number() {
            GENERAL => rays(&ORTHOGONAL, 1, SIDE, visit) && rays(&DIAGONAL, 1, SIDE, visit),
            CHANCELLOR => rays(&ORTHOGONAL, 1, SIDE, visit),
            DIPLOMAT => rays(&DIAGONAL, 1, SIDE, visit),
            CANNON => ORTHOGONAL
                .iter()
                .all(|&by| self.visit_cannon(mover, by, visit)),
            GO_BETWEEN => {
                let peaceful = Mover {
                    prey: Prey(0),
                    ..mover
                };
                let mut all = ORTHOGONAL.iter().chain(&DIAGONAL);
                all.all(|&by| self.visit_ray(peaceful, mover.from, by, 1, SIDE, visit))
            }
            ARCHER | CROSSBOW => {
                let max = self.bow_steps(mover.from);
                let min = least_steps(self.options.archer, max);
                rays(&ORTHOGONAL, min, max, visit) && rays(&DIAGONAL, min, max, visit)
            }
            DAGGER => rays(&DIAGONAL, 1, 1, visit),
            SWORD => rays(&ORTHOGONAL, 1, 1, visit),
            KNIGHT => self.visit_knight(mover, visit),
            _ => true,
        }
    }

    /// Steps of the archer or crossbow on this cell.
    #[inline(always)]
    fn bow_steps(&self, from: usize) -> usize {
        if self.board.content(from).kind_number() == ARCHER {
            ARCHER_STEPS
        } else {
            CROSSBOW_STEPS
        }
    }

    /// A straight run of `min` to `max` steps beginning beside `start`.
    #[inline(always)]
    fn visit_ray(
        &self,
        mover: Mover,
        start: usize,
        by: Step,
        min: usize,
        max: usize,
        visit: &mut impl Visitor,
    ) -> bool {
        let mut to = start;
        for steps in 1..=max {
            to = step(to, by);
            visit.look(to);
            let content = self.board.content(to);
            if content.is_empty() {
                if steps >= min && !visit.visit(to, content) {
                    return false;
                }
            } else {
                let takes = steps >= min && mover.prey.may_take(content);
                return !takes || visit.visit(to, content);
            }
        }
        true
    }

    /// An empty leg, then up to three steps along the two outward diagonals.
    #[inline(always)]
    fn visit_knight(&self, mover: Mover, visit: &mut impl Visitor) -> bool {
        let min = least_steps(self.options.knight, KNIGHT_STEPS);
        ORTHOGONAL.iter().zip(&OUTWARD).all(|(&by, outward)| {
            let leg = step(mover.from, by);
            visit.look(leg);
            !self.board.content(leg).is_empty()
                || outward
                    .iter()
                    .all(|&by| self.visit_ray(mover, leg, by, min, KNIGHT_STEPS, visit))
        })
    }

    /// Empty points up to the screen, then the first piece behind it.
    #[inline(always)]
    fn visit_cannon(&self, mover: Mover, by: Step, visit: &mut impl Visitor) -> bool {
        let mut to = step(mover.from, by);
        visit.look(to);
        while self.board.content(to).is_empty() {
            if !visit.visit(to, Content::EMPTY) {
                return false;
            }
            to = step(to, by);
            visit.look(to);
        }
        let screen = self.board.content(to);
        let foreign = mover.own & screen.kingdom_bit() == 0;
        if screen.is_edge() || (foreign && self.options.cannon_screen == Screen::Own) {
            return true;
        }
        to = step(to, by);
        visit.look(to);
        while self.board.content(to).is_empty() {
            to = step(to, by);
            visit.look(to);
        }
        let target = self.board.content(to);
        !mover.prey.may_take(target) || visit.visit(to, target)
    }

    /// All legal moves, none when the game is over.
    pub fn legal_moves(&self) -> Vec<Move> {
        match self.turn() {
            Some(seat) => self.moves_of(seat),
            None => Vec::new(),
        }
    }

    /// All moves that a seat would have if it were its turn.
    pub fn moves_of(&self, seat: Seat) -> Vec<Move> {
        let mut moves = Vec::with_capacity(TYPICAL_MOVES);
        self.visit_moves(seat, |from, to, _| {
            moves.push(Move { from, to });
            true
        });
        moves
    }

    /// The number of legal moves.
    pub fn count_moves(&self) -> u64 {
        let mut count = 0;
        if let Some(seat) = self.turn() {
            self.visit_moves(seat, |_, _, _| {
                count += 1;
                true
            });
        }
        count
    }

    /// Whether a seat would have a move if it were its turn.
    pub fn can_move(&self, seat: Seat) -> bool {
        !self.visit_moves(seat, |_, _, _| false)
    }

    /// Where the piece on `from` could go if it were its commander's turn.
    pub fn destinations(&self, from: Square) -> Vec<Square> {
        let kingdom = self.piece(from).and_then(super::Piece::kingdom);
        let Some(seat) = kingdom.and_then(|k| self.commander(k)) else {
            return Vec::new();
        };
        let mover = Mover {
            from: from.cell(),
            prey: self.prey(seat),
            own: self.commanded(seat),
        };
        let mut squares = Vec::new();
        self.visit_piece(mover, &mut |to, _| {
            squares.push(Square::of_cell(to));
            true
        });
        squares
    }

    /// Whether the side to move may play this move.
    pub fn is_legal(&self, m: Move) -> bool {
        let kingdom = self.piece(m.from).and_then(super::Piece::kingdom);
        self.turn().is_some()
            && kingdom.and_then(|k| self.commander(k)) == self.turn()
            && self.destinations(m.from).contains(&m.to)
    }
}

/// Room for the moves of one seat in most positions.
const TYPICAL_MOVES: usize = 192;

#[inline(always)]
fn least_steps(reach: Reach, max: usize) -> usize {
    match reach {
        Reach::UpTo => 1,
        Reach::Exact => max,
    }
}

const GENERAL: usize = super::Kind::General as usize;
const CHANCELLOR: usize = super::Kind::Chancellor as usize;
const DIPLOMAT: usize = super::Kind::Diplomat as usize;
const CANNON: usize = super::Kind::Cannon as usize;
const GO_BETWEEN: usize = super::Kind::GoBetween as usize;
const ARCHER: usize = super::Kind::Archer as usize;
const CROSSBOW: usize = super::Kind::Crossbow as usize;
const DAGGER: usize = super::Kind::Dagger as usize;
const SWORD: usize = super::Kind::Sword as usize;
const KNIGHT: usize = super::Kind::Knight as usize;
