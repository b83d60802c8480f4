//! A game move by move: what each move was worth.
//!
//! The chances of a position are those of win, draw and loss behind its value
//! (`eval::wdl`, fitted to games of the engine with itself): the expectation
//! of a side is its chance of a win and half that of a draw. A move loses
//! what the expectation of its side falls by; the grades begin where those of
//! lichess.org do (a fall of the winning chances, which it counts from -1 to
//! 1, by 0.1, 0.2 and 0.3), and the accuracy of a move is its formula
//! (<https://lichess.org/page/accuracy>).

use super::examine::{Finding, LineEnd};
use crate::board::{Color, Move};
use crate::opening::{Opening, opening_of};
use crate::rules::{Game, Ground, RuleSet, Ruling, judge};
use crate::search::Score;

/// How bad a move was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// `?!`
    Inaccuracy,
    /// `?`
    Mistake,
    /// `??`
    Blunder,
}

impl Grade {
    /// All grades, the least bad first.
    pub const ALL: [Self; 3] = [Self::Inaccuracy, Self::Mistake, Self::Blunder];

    /// The name in a word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }

    /// The numeric annotation glyph of PGN.
    pub const fn glyph(self) -> u8 {
        match self {
            Self::Inaccuracy => 6,
            Self::Mistake => 2,
            Self::Blunder => 4,
        }
    }

    /// The least loss of expectation, as a part of 1.
    pub const fn least_loss(self) -> f64 {
        match self {
            Self::Inaccuracy => 0.05,
            Self::Mistake => 0.10,
            Self::Blunder => 0.15,
        }
    }

    /// The grade of a loss.
    pub fn of(loss: f64) -> Option<Self> {
        let reached = |grade: &Self| loss >= grade.least_loss();
        Self::ALL.into_iter().rev().find(reached)
    }
}

/// The least loss of a turning point, below which chance may have turned it.
const LEAST_TURN: f64 = 0.02;
/// A side becomes the better one when it expects more than the first number,
/// and is so until it expects less than the second.
const BETTER: [f64; 2] = [0.65, 0.58];

/// A position of the game and what was found out about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Reviewed {
    /// The value for the side to move.
    pub score: Score,
    /// Chances of win, draw and loss for the side to move, per mille.
    pub wdl: [u16; 3],
    /// The expectation of Red, 0 to 1.
    pub red: f64,
    /// The best line.
    pub line: Vec<Move>,
    /// How the rules end that line.
    pub end: Option<LineEnd>,
    /// Its depth.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
}

/// A move of the game.
#[derive(Debug, Clone, PartialEq)]
pub struct ReviewedMove {
    /// The move.
    pub mv: Move,
    /// Who made it.
    pub side: Color,
    /// What its side's expectation fell by, 0 to 1.
    pub loss: f64,
    /// Its grade, `None` for a good move.
    pub grade: Option<Grade>,
    /// Its accuracy in percent.
    pub accuracy: f64,
    /// Whether it changed who is better.
    pub is_turning_point: bool,
}

/// The moves of one side taken together.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SideReview {
    /// Moves made.
    pub moves: usize,
    /// The mean accuracy in percent, `None` without moves.
    pub accuracy: Option<f64>,
    /// The mean loss of expectation, 0 to 1.
    pub mean_loss: f64,
    /// Inaccuracies, mistakes, blunders.
    pub graded: [usize; 3],
}

/// A ruling that the moves of the game lead to.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleEvent {
    /// Moves played when the ruling is due.
    pub ply: usize,
    /// The ruling.
    pub ruling: Ruling,
}

/// A whole game.
#[derive(Debug, Clone, PartialEq)]
pub struct Review {
    /// The positions from the start to the end, one more than moves.
    pub positions: Vec<Reviewed>,
    /// The moves.
    pub moves: Vec<ReviewedMove>,
    /// Red's and Black's moves taken together.
    pub sides: [SideReview; 2],
    /// Rulings on the way and at the end.
    pub events: Vec<RuleEvent>,
    /// The name of the opening.
    pub opening: Option<Opening>,
}

impl Review {
    /// The review of a game, from what was found out about each position,
    /// start and end included.
    pub fn new(game: &Game, findings: &[Finding], rules: RuleSet) -> Self {
        let last = game.moves().len();
        let numbered = findings.iter().zip(game.positions()).enumerate();
        let positions: Vec<Reviewed> = numbered
            .map(|(ply, (finding, pos))| reviewed(finding, pos.side_to_move(), ply == last))
            .collect();
        let pairs = positions.windows(2).zip(game.moves().iter().enumerate());
        let moves: Vec<ReviewedMove> = pairs
            .map(|(pair, (ply, &mv))| {
                let pos = &game.positions()[ply];
                let forced = pos.legal_moves().len() == 1;
                reviewed_move(mv, pos.side_to_move(), pair, forced)
            })
            .collect();
        let mut review = Self {
            sides: [SideReview::default(); 2],
            events: rule_events(game, rules),
            opening: opening_of(game.positions()),
            positions,
            moves,
        };
        review.sum_up();
        review
    }

    /// What follows from the losses of all moves.
    fn sum_up(&mut self) {
        self.sides = Color::ALL.map(|side| side_review(&self.moves, side));
        let mut better = None;
        for (i, position) in self.positions.iter().enumerate() {
            let now = better_side(better, position.red);
            if let Some(mv) = i.checked_sub(1).and_then(|i| self.moves.get_mut(i)) {
                mv.is_turning_point = mv.loss >= LEAST_TURN && now != better;
            }
            better = now;
        }
    }

    /// The plies, from 1, of the moves that seem bad.
    pub fn suspects(&self) -> Vec<usize> {
        let graded = (1..).zip(&self.moves).filter(|(_, mv)| mv.grade.is_some());
        graded.map(|(ply, _)| ply).collect()
    }

    /// Takes in what a search of the move with this ply alone found, from the
    /// position before it. The smaller loss counts: two searches of different
    /// positions differ by chance as well.
    pub fn look_again(&mut self, ply: usize, finding: &Finding) {
        let mv = self.moves[ply - 1].clone();
        let again = reviewed(finding, mv.side, false);
        let before = &self.positions[ply - 1];
        let fall = fall(mv.side, before.red, again.red);
        let loss = mv.loss.min(fall.max(0.0));
        self.moves[ply - 1] = ReviewedMove::new(mv.mv, mv.side, loss);
        self.sum_up();
    }

    /// The plies, from 1, of the moves that changed who is better.
    pub fn turning_points(&self) -> Vec<usize> {
        let turning = (1..).zip(&self.moves).filter(|(_, mv)| mv.is_turning_point);
        turning.map(|(ply, _)| ply).collect()
    }
}

/// At the end of a game the ruling decides, before it the search.
fn reviewed(finding: &Finding, side: Color, is_last: bool) -> Reviewed {
    let ruling = finding.ruling.as_ref().filter(|_| is_last);
    let by_rule = ruling.map(|ruling| match ruling.outcome.loser() {
        None => [0, 1000, 0],
        Some(loser) if loser == side => [0, 0, 1000],
        Some(_) => [1000, 0, 0],
    });
    let line = finding.lines.first();
    let wdl = by_rule
        .or(line.map(|line| line.wdl))
        .unwrap_or([0, 0, 1000]);
    let own = expectation(wdl);
    Reviewed {
        score: finding.score(),
        wdl,
        red: if side == Color::Red { own } else { 1.0 - own },
        line: line.map_or(Vec::new(), |line| line.pv.clone()),
        end: finding.ends.first().cloned().flatten(),
        depth: line.map_or(0, |line| line.depth),
        nodes: finding.nodes,
    }
}

fn expectation([win, draw, _]: [u16; 3]) -> f64 {
    (f64::from(win) + f64::from(draw) / 2.0) / 1000.0
}

/// What the expectation of a side falls by when that of Red changes.
fn fall(side: Color, red_before: f64, red_after: f64) -> f64 {
    match side {
        Color::Red => red_before - red_after,
        Color::Black => red_after - red_before,
    }
}

/// A move between two positions. The best move loses nothing, nor does the
/// only one.
fn reviewed_move(mv: Move, side: Color, pair: &[Reviewed], forced: bool) -> ReviewedMove {
    let [before, after] = [&pair[0], &pair[1]];
    let is_best = before.line.first() == Some(&mv);
    let loss = if forced || is_best {
        0.0
    } else {
        fall(side, before.red, after.red).max(0.0)
    };
    ReviewedMove::new(mv, side, loss)
}

impl ReviewedMove {
    /// A move that loses so much.
    fn new(mv: Move, side: Color, loss: f64) -> Self {
        Self {
            mv,
            side,
            loss,
            grade: Grade::of(loss),
            accuracy: accuracy(loss),
            is_turning_point: false,
        }
    }
}

/// The accuracy in percent of a move that loses so much.
fn accuracy(loss: f64) -> f64 {
    const PERCENT: f64 = 100.0;
    let formula = 103.1668 * (-0.04354 * loss * PERCENT).exp() - 3.1669;
    formula.clamp(0.0, PERCENT)
}

/// Who is better when Red expects so much, and `before` was so until now.
fn better_side(before: Option<Color>, red: f64) -> Option<Color> {
    let expects = |side| if side == Color::Red { red } else { 1.0 - red };
    let becomes = |side: &Color| expects(*side) > BETTER[0];
    let stays = before.filter(|side| expects(*side) >= BETTER[1]);
    stays.or_else(|| Color::ALL.into_iter().find(becomes))
}

fn side_review(moves: &[ReviewedMove], side: Color) -> SideReview {
    let own: Vec<&ReviewedMove> = moves.iter().filter(|mv| mv.side == side).collect();
    let mean = |value: fn(&ReviewedMove) -> f64| {
        let sum: f64 = own.iter().map(|mv| value(mv)).sum();
        sum / own.len().max(1) as f64
    };
    let graded = |grade| own.iter().filter(|mv| mv.grade == Some(grade)).count();
    SideReview {
        moves: own.len(),
        accuracy: (!own.is_empty()).then(|| mean(|mv| mv.accuracy)),
        mean_loss: mean(|mv| mv.loss),
        graded: Grade::ALL.map(graded),
    }
}

/// The rulings that are new at each position; one that goes on to hold while
/// the game is played on is named once.
fn rule_events(game: &Game, rules: RuleSet) -> Vec<RuleEvent> {
    let mut events: Vec<RuleEvent> = Vec::new();
    let mut before: Option<std::mem::Discriminant<Ground>> = None;
    let mut so_far = Game::new(game.positions()[0].clone());
    for (ply, &mv) in (1..).zip(game.moves()) {
        if so_far.play(mv).is_err() {
            break;
        }
        let ruling = judge(&so_far, rules);
        let ground = ruling.as_ref().map(|r| std::mem::discriminant(&r.ground));
        if let Some(ruling) = ruling.filter(|_| ground != before) {
            events.push(RuleEvent { ply, ruling });
        }
        before = ground;
    }
    events
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::eval::wdl::{centipawns, wdl};
    use crate::search::{Bound, Line};
    use std::time::Duration;

    /// A finding with these points for the side to move and this best move.
    pub fn finding(points: i32, best: &str) -> Finding {
        let line = Line {
            depth: 9,
            seldepth: 9,
            multipv: 1,
            score: Score::Cp(centipawns(points)),
            bound: Bound::Exact,
            wdl: wdl(points, 32),
            nodes: 100,
            time: Duration::ZERO,
            hashfull: 0,
            pv: vec![best.parse().unwrap()],
        };
        Finding {
            ruling: None,
            lines: vec![line],
            ends: vec![None],
            nodes: 100,
            time: Duration::ZERO,
        }
    }

    /// The points that are shown as so many centipawns.
    fn points(shown: i32) -> i32 {
        let mut all = 0..;
        all.find(|&points| centipawns(points) == shown).unwrap()
    }

    /// A game of three moves, the last of which is a blunder, and what was found.
    pub fn blunder() -> (Game, [Finding; 4]) {
        let findings = [
            finding(points(10), "h2e2"),
            finding(-points(10), "b9c7"),
            finding(points(15), "h0g2"),
            finding(points(300), "g7e6"),
        ];
        (game("h2e2 h9g7 e2e6"), findings)
    }

    pub fn game(moves: &str) -> Game {
        let mut game = Game::default();
        for mv in moves.split(' ') {
            game.play(mv.parse().unwrap()).unwrap();
        }
        game
    }

    #[test]
    fn moves_are_graded_by_what_they_lose() {
        let (game, findings) = blunder();
        let review = Review::new(&game, &findings, RuleSet::Asian);
        let grades: Vec<_> = review.moves.iter().map(|mv| mv.grade).collect();
        assert_eq!(grades, [None, None, Some(Grade::Blunder)]);
        assert!(review.moves[0].loss == 0.0 && review.moves[0].accuracy > 99.9);
        assert!(review.moves[2].loss > 0.25 && review.moves[2].accuracy < 50.0);
        assert_eq!(review.turning_points(), [3]);
        assert_eq!(review.sides[0].graded, [0, 0, 1]);
        assert_eq!((review.sides[0].moves, review.sides[1].moves), (2, 1));
        assert!(
            review
                .positions
                .iter()
                .all(|p| (0.0..=1.0).contains(&p.red))
        );
        assert_eq!(review.opening.unwrap().chinese, "中炮对进左马");
    }

    #[test]
    fn a_second_look_can_clear_a_move() {
        let (game, findings) = blunder();
        let mut review = Review::new(&game, &findings, RuleSet::Asian);
        assert_eq!(review.suspects(), [3]);
        review.look_again(3, &finding(-700, "e2e6"));
        assert_eq!(review.moves[2].grade, Some(Grade::Blunder));
        review.look_again(3, &finding(25, "e2e6"));
        assert_eq!((review.moves[2].grade, review.suspects().len()), (None, 0));
        assert_eq!(review.sides[0].graded, [0, 0, 0]);
    }

    #[test]
    fn the_better_side_is_so_until_it_clearly_is_not() {
        let mut better = None;
        let mut after = |red| {
            better = better_side(better, red);
            better
        };
        let expectations = [0.5, 0.64, 0.66, 0.6, 0.57, 0.3, 0.4, 0.9];
        let sides = expectations.map(&mut after);
        let (red, black) = (Some(Color::Red), Some(Color::Black));
        assert_eq!(sides, [None, None, red, red, None, black, black, red]);
    }

    #[test]
    fn losses_have_the_grades_of_the_guide() {
        assert_eq!(Grade::of(0.049), None);
        assert_eq!(Grade::of(0.05), Some(Grade::Inaccuracy));
        assert_eq!(Grade::of(0.12), Some(Grade::Mistake));
        assert_eq!(Grade::of(1.0), Some(Grade::Blunder));
        assert!(accuracy(0.1) < accuracy(0.05) && accuracy(1.0) == 0.0);
    }

    #[test]
    fn a_repetition_is_told_once() {
        let round = "h2h3 h7h6 h3h2 h6h7 ".repeat(3);
        let game = game(round.trim());
        let events = rule_events(&game, RuleSet::Asian);
        assert_eq!(events.len(), 1);
        assert_eq!(
            (events[0].ply, events[0].ruling.outcome.name()),
            (8, "draw")
        );
    }
}
