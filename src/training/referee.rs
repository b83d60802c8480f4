//! When a game of self-play is over, and where it starts.

use super::games::{Ending, GameResult};
use super::selfplay::Conduct;
use crate::board::{Color, Move, PieceKind, Position};
use crate::rules::repetition::{self, Ply, Verdict};
use crate::rules::{Game, RuleSet};

/// The length of the longest opening that a file of games can hold.
const MOST_STORED: usize = u8::MAX as usize;

/// A game in progress with what the rules need to know.
pub(super) struct Board {
    pub(super) game: Game,
    history: Vec<Ply>,
}

impl Board {
    pub(super) fn new() -> Self {
        Self {
            game: Game::default(),
            history: Vec::new(),
        }
    }

    pub(super) fn position(&self) -> &Position {
        self.game.position()
    }

    pub(super) fn ply(&self) -> usize {
        self.history.len()
    }

    /// Plays a move; whether it was legal.
    pub(super) fn play(&mut self, mv: Move) -> bool {
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
    pub(super) fn over(&self, conduct: &Conduct) -> Option<(GameResult, Ending)> {
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
pub(super) struct Adjudicator {
    decided: u32,
    winner: i32,
    quiet: u32,
}

impl Adjudicator {
    /// Takes note of a score for Red; the outcome when it is clear.
    pub(super) fn judge(
        &mut self,
        ply: usize,
        red: i32,
        conduct: &Conduct,
    ) -> Option<(GameResult, Ending)> {
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

/// Random legal moves from the start, `None` when the game is over by then.
pub(super) fn random_opening(conduct: &Conduct, random: &mut fastrand::Rng) -> Option<Board> {
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

/// Random moves from the start that mostly take something, until few pieces
/// are left; `None` when the game is over by then or the moves are too many to
/// be stored.
pub(super) fn random_ending(conduct: &Conduct, random: &mut fastrand::Rng) -> Option<Board> {
    let (fewest, most) = conduct.ending_pieces;
    let pieces = random.usize(fewest..=most);
    let mut board = Board::new();
    while board.position().occupied().len() > pieces {
        let pos = board.position();
        let mut moves = pos.legal_moves();
        if random.usize(..conduct.ending_pause) > 0 && moves.iter().any(|&mv| pos.is_capture(mv)) {
            moves.retain(|mv| pos.is_capture(*mv));
        }
        board.play(*random.choice(&moves)?);
        if board.ply() > MOST_STORED {
            return None;
        }
    }
    board.over(conduct).is_none().then_some(board)
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
}
