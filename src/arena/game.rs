//! One game between two players.

use super::arbiter::{Arbiter, centipawns};
use super::limit::{Budget, TimeControl};
use super::opening::Opening;
use super::player::{Player, Request, Thought};
use super::process::{Fault, Trouble};
use super::reason::{Finish, Reason};
use crate::board::{Color, Move};
use crate::clock::Clock;
use crate::protocol::Offer;
use crate::rules::Game;
use std::time::Duration;

/// What is noted about a move that an engine made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MoveNote {
    /// Its score in centipawns for its own side.
    pub score: Option<i32>,
    /// Its depth.
    pub depth: Option<u32>,
    /// Its nodes.
    pub nodes: Option<u64>,
    /// Time charged.
    pub used: Duration,
}

/// What is noted about a fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FaultNote {
    /// The side at fault.
    pub side: Color,
    /// The last position and limits it was sent.
    pub command: String,
    /// The last lines it wrote.
    pub lines: Vec<String>,
}

/// A finished game.
#[derive(Debug, Clone, PartialEq)]
pub struct Played {
    /// The opening and the moves.
    pub game: Game,
    /// How it ended.
    pub finish: Finish,
    /// A note for each move after the opening.
    pub notes: Vec<MoveNote>,
    /// Where an engine misbehaved or overstepped its time.
    pub fault: Option<FaultNote>,
}

/// The match was ended in mid-game: the game does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Aborted;

/// All that a game needs, players and limits being Red's and Black's.
#[derive(Debug)]
pub struct Table<'a> {
    /// The players.
    pub players: [&'a mut Player; 2],
    /// Their limits.
    pub budgets: [Budget; 2],
    /// Where it begins.
    pub opening: &'a Opening,
    /// Who judges.
    pub arbiter: &'a Arbiter,
    /// Both think on the other's time too.
    pub ponder: bool,
    /// Clocks count CPU time.
    pub cpu_clock: bool,
}

/// The clock of one side.
#[derive(Debug, Clone, Copy)]
struct SideTime {
    control: Option<TimeControl>,
    left: Duration,
    moves: u32,
}

impl SideTime {
    fn new(budget: &Budget) -> Self {
        let left = match budget.time {
            Some(TimeControl::Clock { base, .. }) => base,
            _ => Duration::ZERO,
        };
        Self {
            control: budget.time,
            left,
            moves: 0,
        }
    }

    /// What the engines are told, `None` without a clock.
    fn shown(&self) -> Option<Clock> {
        let Some(TimeControl::Clock {
            increment, moves, ..
        }) = self.control
        else {
            return None;
        };
        Some(Clock {
            left: self.left,
            increment,
            moves_to_go: moves.map(|period| period - self.moves % period),
        })
    }

    /// Charges a move. A small overrun, within the margin, leaves nothing.
    fn charge(&mut self, used: Duration) {
        self.moves += 1;
        let Some(TimeControl::Clock {
            base,
            increment,
            moves,
        }) = self.control
        else {
            return;
        };
        self.left = self.left.saturating_sub(used) + increment;
        if moves.is_some_and(|period| self.moves.is_multiple_of(period)) {
            self.left += base;
        }
    }
}

/// Plays the game to its end.
///
/// # Errors
/// [`Aborted`] when the match was ended.
pub fn play(table: Table) -> Result<Played, Aborted> {
    let times = table.budgets.map(|budget| SideTime::new(&budget));
    let mut course = Course {
        game: table.opening.game(),
        table,
        times,
        notes: Vec::new(),
        red_scores: Vec::new(),
        draw_offer: None,
        expected: None,
        fault: None,
    };
    let finish = course.run()?;
    for player in &mut course.table.players {
        if let Err(Trouble::Fault(fault)) = player.end_pondering() {
            log::warn!("{} after its game: {}", player.spec().name, fault.detail);
            player.kill();
        }
    }
    Ok(Played {
        game: course.game,
        finish,
        notes: course.notes,
        fault: course.fault,
    })
}

/// A game in progress.
struct Course<'a> {
    table: Table<'a>,
    game: Game,
    times: [SideTime; 2],
    notes: Vec<MoveNote>,
    /// The engines' scores, for Red.
    red_scores: Vec<Option<i32>>,
    /// The side whose last reply offered a draw.
    draw_offer: Option<Color>,
    /// The side that has just moved and the answer that it expects.
    expected: Option<(Color, Move)>,
    fault: Option<FaultNote>,
}

impl Course<'_> {
    fn run(&mut self) -> Result<Finish, Aborted> {
        for side in Color::ALL {
            if let Err(trouble) = self.table.players[side.index()].prepare() {
                return self.lost_by(side, trouble);
            }
        }
        loop {
            // The rules come before what the engines think of the position.
            let arbiter = self.table.arbiter;
            let verdict = arbiter.verdict(&self.game);
            if let Some(finish) = verdict.or_else(|| arbiter.adjudicate(&self.red_scores)) {
                return Ok(finish);
            }
            if let Err((side, trouble)) = self.ponder() {
                return self.lost_by(side, trouble);
            }
            let side = self.game.position().side_to_move();
            let finish = match self.think(side) {
                Ok(thought) => self.take(side, &thought)?,
                Err(trouble) => return self.lost_by(side, trouble),
            };
            if let Some(finish) = finish {
                return Ok(finish);
            }
        }
    }

    /// Lets the side that has just moved think on the opponent's time.
    fn ponder(&mut self) -> Result<(), (Color, Trouble)> {
        let Some((side, expected)) = self.expected.take().filter(|_| self.table.ponder) else {
            return Ok(());
        };
        let (request, player) = self.request(side);
        player
            .ponder(&request, expected)
            .map_err(|trouble| (side, trouble))
    }

    fn think(&mut self, side: Color) -> Result<Thought, Trouble> {
        let arbiter = self.table.arbiter;
        let (mut request, player) = self.request(side);
        if player.takes_bans() {
            request.bans = arbiter.bans(request.game);
        }
        player.think(&request)
    }

    /// What to ask a side now, and its player.
    fn request(&mut self, side: Color) -> (Request<'_>, &mut Player) {
        let [own, other] = [side, !side].map(|side| self.times[side.index()].shown());
        let request = Request {
            game: &self.game,
            budget: &self.table.budgets[side.index()],
            // Without a clock of its own the other side has none to show.
            clocks: own.map(|own| [own, other.unwrap_or(own)]),
            draw_offered: self.draw_offer == Some(!side),
            bans: Vec::new(),
            cpu_clock: self.table.cpu_clock,
        };
        (request, self.table.players[side.index()])
    }

    /// Takes an engine's answer; the end of the game where it is one.
    fn take(&mut self, side: Color, thought: &Thought) -> Result<Option<Finish>, Aborted> {
        let silent = thought.mv.is_none() && self.table.players[side.index()].resigns_by_silence();
        if thought.offer == Some(Offer::Resign) || silent {
            return Ok(Some(Finish::loss(side, Reason::Resignation)));
        }
        let Some(mv) = thought.mv else {
            let trouble = Trouble::fault(Reason::NoMove, "it says that it has no move");
            return self.lost_by(side, trouble).map(Some);
        };
        if let Err(error) = self.game.play(mv) {
            let trouble = Trouble::fault(Reason::IllegalMove, error.to_string());
            return self.lost_by(side, trouble).map(Some);
        }
        self.times[side.index()].charge(thought.used);
        self.note(side, thought);
        self.expected = thought.ponder.map(|answer| (side, answer));
        let offers = thought.offer == Some(Offer::Draw);
        let accepted = offers && self.draw_offer == Some(!side);
        self.draw_offer = offers.then_some(side);
        Ok(accepted.then(|| Finish::draw(Reason::Agreement)))
    }

    fn note(&mut self, side: Color, thought: &Thought) {
        let score = thought.score.map(centipawns);
        self.red_scores.push(match side {
            Color::Red => score,
            Color::Black => score.map(|score| -score),
        });
        self.notes.push(MoveNote {
            score,
            depth: thought.depth,
            nodes: thought.nodes,
            used: thought.used,
        });
    }

    /// The engine of `side` loses by its fault. Its process is not trusted
    /// any more, unless it was only late.
    fn lost_by(&mut self, side: Color, trouble: Trouble) -> Result<Finish, Aborted> {
        let Trouble::Fault(Fault { reason, detail }) = trouble else {
            return Err(Aborted);
        };
        let player = &mut self.table.players[side.index()];
        self.fault = Some(FaultNote {
            side,
            command: player.last_command().to_owned(),
            lines: player.tail(),
        });
        if reason.is_fault() {
            player.kill();
        }
        Ok(Finish::loss(side, reason).with_detail(detail))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_count_down_and_up() {
        let budget = |text: &str| Budget {
            time: Some(text.parse().unwrap()),
            ..Budget::default()
        };
        let mut time = SideTime::new(&budget("2/10+1"));
        assert_eq!(time.shown().unwrap().moves_to_go, Some(2));
        time.charge(Duration::from_secs(4));
        assert_eq!(time.left, Duration::from_secs(7));
        assert_eq!(time.shown().unwrap().moves_to_go, Some(1));
        time.charge(Duration::from_secs(9));
        assert_eq!(time.left, Duration::from_secs(11));
        assert_eq!(time.shown().unwrap().moves_to_go, Some(2));
        let mut none = SideTime::new(&Budget::default());
        none.charge(Duration::from_secs(4));
        assert_eq!(none.shown(), None);
    }
}
