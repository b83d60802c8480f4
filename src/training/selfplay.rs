//! One game of the engine against itself, with scores.

use super::games::{Ending, GameRecord, GameResult};
use crate::board::{Color, Move, PieceKind, Position};
use crate::clock::{Limits, Stop};
use crate::rules::repetition::{self, Ply, Verdict};
use crate::rules::{Game, RuleSet};
use crate::search::{Bound, Engine, Outcome, Report, Score};
use std::time::Instant;

/// Score of a mate on the board; mates in `n` plies are stored as this less `n`.
const MATE_SCORE: i32 = 30_000;
/// Scores of other values are cut to this size.
const MAX_SCORE: i32 = 25_000;

/// How games are played. The defaults are those of the recipe in the guide.
#[derive(Debug, Clone, PartialEq)]
pub struct Conduct {
    /// No iteration is begun after so many nodes.
    pub soft_nodes: u64,
    /// An iteration is broken off after so many times the soft limit.
    pub hard_factor: u64,
    /// Random moves at the start: the usual numbers, from and to.
    pub opening: (usize, usize),
    /// In one game of `rare_every` so many fewer or more random moves.
    pub opening_spread: usize,
    /// See `opening_spread`.
    pub rare_every: usize,
    /// Openings with a larger score are not played.
    pub max_opening_score: i32,
    /// A game is won with this score ...
    pub decided_score: i32,
    /// ... on so many plies in a row.
    pub decided_plies: u32,
    /// A game is drawn with at most this score ...
    pub quiet_score: i32,
    /// ... on so many plies in a row ...
    pub quiet_plies: u32,
    /// ... after this ply.
    pub quiet_from: usize,
    /// Plies without a capture that make a draw.
    pub no_capture_plies: u16,
    /// The longest game.
    pub max_plies: usize,
    /// The rules on repetition.
    pub rules: RuleSet,
}

impl Default for Conduct {
    fn default() -> Self {
        Self {
            soft_nodes: 1000,
            hard_factor: 8,
            opening: (8, 10),
            opening_spread: 2,
            rare_every: 5,
            max_opening_score: 300,
            decided_score: 1500,
            decided_plies: 4,
            quiet_score: 8,
            quiet_plies: 16,
            quiet_from: 90,
            no_capture_plies: 120,
            max_plies: 400,
            rules: RuleSet::default(),
        }
    }
}

/// A score as it is stored.
pub fn stored_score(score: Score) -> i16 {
    let value = match score {
        Score::Cp(cp) => cp.clamp(-MAX_SCORE, MAX_SCORE),
        Score::MateIn(plies) => MATE_SCORE - plies as i32,
        Score::MatedIn(plies) => plies as i32 - MATE_SCORE,
    };
    value as i16
}

/// A game in progress with what the rules need to know.
struct Board {
    game: Game,
    history: Vec<Ply>,
}

impl Board {
    fn new() -> Self {
        Self {
            game: Game::default(),
            history: Vec::new(),
        }
    }

    fn position(&self) -> &Position {
        self.game.position()
    }

    fn ply(&self) -> usize {
        self.history.len()
    }

    /// Plays a move; whether it was legal.
    fn play(&mut self, mv: Move) -> bool {
        let (key, captured) = (self.position().key(), self.position().piece_on(mv.to()));
        if self.game.play(mv).is_err() {
            return false;
        }
        let gave_check = self.position().in_check();
        self.history.push(Ply {
            key,
            mv,
            captured,
            gave_check,
        });
        true
    }

    /// Result and ending, where the rules have decided.
    fn over(&self, conduct: &Conduct) -> Option<(GameResult, Ending)> {
        let pos = self.position();
        if !pos.has_legal_move() {
            return Some((won_by(!pos.side_to_move()), Ending::NoMoves));
        }
        if let Some(verdict) = self.repetition(conduct.rules) {
            let result = match verdict {
                Verdict::Draw => GameResult::Draw,
                Verdict::Win => won_by(pos.side_to_move()),
                Verdict::Loss => won_by(!pos.side_to_move()),
            };
            return Some((result, Ending::Repetition));
        }
        if pos.halfmove_clock() >= conduct.no_capture_plies || !can_attack(pos) {
            return Some((GameResult::Draw, Ending::NoCaptures));
        }
        (self.ply() >= conduct.max_plies).then_some((GameResult::Draw, Ending::Length))
    }

    fn repetition(&self, rules: RuleSet) -> Option<Verdict> {
        let pos = self.position();
        if !repetition::recurs(pos.key(), &self.history) {
            return None;
        }
        let finding = repetition::verdict(pos, &self.history, self.ply(), rules)?;
        finding.binding.then_some(finding.verdict)
    }
}

/// Whether any piece is left that can cross the river.
fn can_attack(pos: &Position) -> bool {
    [
        PieceKind::Knight,
        PieceKind::Rook,
        PieceKind::Cannon,
        PieceKind::Pawn,
    ]
    .into_iter()
    .any(|kind| pos.kind(kind).any())
}

fn won_by(color: Color) -> GameResult {
    match color {
        Color::Red => GameResult::RedWin,
        Color::Black => GameResult::BlackWin,
    }
}

/// Counts plies that agree on the outcome.
#[derive(Debug, Default)]
struct Adjudicator {
    decided: u32,
    winner: i32,
    quiet: u32,
}

impl Adjudicator {
    /// Takes note of a score for Red; the outcome when it is clear.
    fn judge(&mut self, ply: usize, red: i32, conduct: &Conduct) -> Option<(GameResult, Ending)> {
        let winner = if red.abs() >= conduct.decided_score {
            red.signum()
        } else {
            0
        };
        self.decided = if winner != 0 && winner == self.winner {
            self.decided + 1
        } else {
            1
        };
        self.winner = winner;
        let quiet = ply >= conduct.quiet_from && red.abs() <= conduct.quiet_score;
        self.quiet = if quiet { self.quiet + 1 } else { 0 };
        if winner != 0 && self.decided >= conduct.decided_plies {
            let color = if winner > 0 { Color::Red } else { Color::Black };
            Some((won_by(color), Ending::Decided))
        } else if self.quiet >= conduct.quiet_plies {
            Some((GameResult::Draw, Ending::Quiet))
        } else {
            None
        }
    }
}

/// Plays the game of this seed: the same seed, engine and conduct give the
/// same game.
pub fn play_game(engine: &mut Engine, conduct: &Conduct, seed: u64) -> GameRecord {
    let mut random = fastrand::Rng::with_seed(seed);
    loop {
        engine.clear();
        if let Some(board) = random_opening(conduct, &mut random)
            && let Some(record) = play_from(engine, conduct, board)
        {
            return record;
        }
    }
}

/// Random legal moves from the start, `None` when the game is over by then.
fn random_opening(conduct: &Conduct, random: &mut fastrand::Rng) -> Option<Board> {
    let (mut from, mut to) = conduct.opening;
    if random.usize(..conduct.rare_every) == 0 {
        from = from.saturating_sub(conduct.opening_spread);
        to += conduct.opening_spread;
    }
    let mut board = Board::new();
    for _ in 0..random.usize(from..=to) {
        let moves = board.position().legal_moves();
        board.play(*random.choice(&moves)?);
    }
    board.over(conduct).is_none().then_some(board)
}

/// The game from an opening, `None` when that is not balanced.
fn play_from(engine: &mut Engine, conduct: &Conduct, mut board: Board) -> Option<GameRecord> {
    let opening = board.game.moves().to_vec();
    let mut adjudicator = Adjudicator::default();
    let mut plies = Vec::new();
    let (result, ending) = loop {
        if let Some(over) = board.over(conduct) {
            break over;
        }
        let outcome = think(engine, conduct, &board.game);
        let (mv, score) = (outcome.best?, stored_score(outcome.score));
        if plies.is_empty() && i32::from(score).abs() > conduct.max_opening_score {
            return None;
        }
        plies.push((mv, score));
        let sign = [1, -1][board.position().side_to_move().index()];
        if let Some(over) = adjudicator.judge(board.ply(), i32::from(score) * sign, conduct) {
            break over;
        }
        if !board.play(mv) {
            return None;
        }
    };
    Some(GameRecord {
        opening,
        plies,
        result,
        ending,
    })
}

/// Searches until an iteration ends beyond the soft limit.
fn think(engine: &mut Engine, conduct: &Conduct, game: &Game) -> Outcome {
    let limits = Limits {
        nodes: Some(conduct.soft_nodes * conduct.hard_factor),
        ..Limits::default()
    };
    let stop = Stop::default();
    let mut on_report = |report| {
        if let Report::Line(line) = report
            && line.bound == Bound::Exact
            && line.nodes >= conduct.soft_nodes
        {
            stop.stop();
        }
    };
    engine.search(game, &limits, Instant::now(), &stop, &mut on_report)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decided_game_ends_for_the_right_side() {
        let conduct = Conduct::default();
        let mut adjudicator = Adjudicator::default();
        let scores = [1600, 1600, 1600, -1600, -1600, -1600];
        for (ply, red) in scores.into_iter().enumerate() {
            assert_eq!(adjudicator.judge(ply, red, &conduct), None);
        }
        let over = adjudicator.judge(6, -2000, &conduct);
        assert_eq!(over, Some((GameResult::BlackWin, Ending::Decided)));
    }

    #[test]
    fn a_quiet_game_is_drawn_only_late() {
        let conduct = Conduct::default();
        let mut adjudicator = Adjudicator::default();
        let first = (0..200).find(|&ply| adjudicator.judge(ply, -3, &conduct).is_some());
        assert_eq!(
            first,
            Some(conduct.quiet_from + conduct.quiet_plies as usize - 1)
        );
    }

    #[test]
    fn scores_are_stored_in_order() {
        let order = [
            Score::MatedIn(0),
            Score::MatedIn(8),
            Score::Cp(-40_000),
            Score::Cp(-3),
            Score::Cp(7),
            Score::Cp(40_000),
            Score::MateIn(9),
            Score::MateIn(1),
        ];
        assert!(order.map(stored_score).is_sorted_by(|a, b| a < b));
    }
}
