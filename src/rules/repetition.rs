//! Repetition inside the search: a cheap scan for a repeated position, and
//! the verdict on it.

use super::RuleSet;
use super::cycle::{Cycle, at_fault};
use crate::board::{Color, Move, Piece, Position};

/// One move of the history of a position, the oldest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ply {
    /// The key of the position in which the move was made.
    pub key: u64,
    /// The move, [`Move::NULL`] for a null move.
    pub mv: Move,
    /// The piece it captured.
    pub captured: Option<Piece>,
    /// Whether it gave check.
    pub gave_check: bool,
}

impl Ply {
    /// Whether no position before this move can come back after it (captures)
    /// or be compared with those after it (null moves).
    fn breaks(&self) -> bool {
        self.captured.is_some() || self.mv.is_null()
    }
}

/// A verdict for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Neither side is at fault, or both are alike.
    Draw,
    /// The opponent, who has just moved, is at fault.
    Win,
    /// The side to move is at fault.
    Loss,
}

impl Verdict {
    /// The verdict for `side` when `loser` is at fault, nobody for a draw.
    pub fn of(loser: Option<Color>, side: Color) -> Self {
        match loser {
            None => Self::Draw,
            Some(loser) if loser == side => Self::Loss,
            Some(_) => Self::Win,
        }
    }
}

/// What a repetition is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Finding {
    /// The verdict, were the cycle to go on.
    pub verdict: Verdict,
    /// Whether an arbiter would rule so here and now. Otherwise the position
    /// has come back for the first time since the root: the cycle leads
    /// nowhere, but the side at fault may still leave it on its next round.
    pub binding: bool,
}

/// How soon a search judges a repetition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Fold {
    /// At the second occurrence when the first lies after the root, else as
    /// the rules say.
    #[default]
    RootThree,
    /// Always at the second occurrence.
    Two,
    /// Only when the rules say so.
    Three,
}

/// Whether the position of `key` occurred before in `history`, back to the
/// last capture or null move. This is the question to ask at every node; it
/// costs one comparison for every second ply.
#[inline]
pub fn recurs(key: u64, history: &[Ply]) -> bool {
    occurrences(key, history).next().is_some()
}

/// The indices of the plies made from the position of `key`, latest first.
fn occurrences(key: u64, history: &[Ply]) -> impl Iterator<Item = usize> + '_ {
    let start = history
        .iter()
        .rposition(Ply::breaks)
        .map_or(0, |last| last + 1);
    (start..history.len())
        .rev()
        .skip(1)
        .step_by(2)
        .filter(move |&i| history[i].key == key)
}

/// Judges the repetition of `pos`, whose history from the start of the game is
/// `history`; the first `root` plies were played in the game, the others by
/// the search. `None` when nothing is to be scored yet.
///
/// Call it when [`recurs`] says so, at every node but the root. Then
/// * a draw is a draw, binding or not: score 0;
/// * a binding win or loss is a win or loss by rule;
/// * a win or loss that is not binding is a bound: the innocent side has at
///   least a draw, so raise alpha (win) or lower beta (loss) to the draw score
///   and search on. The position will be judged again, with `binding`, when
///   the cycle is complete.
///
/// Such scores depend on the path and must not enter the hash table.
pub fn verdict(pos: &Position, history: &[Ply], root: usize, rules: RuleSet) -> Option<Finding> {
    let fold = rules.fold();
    let mut start = None;
    let mut seen = 1;
    for i in occurrences(pos.key(), history) {
        seen += 1;
        if Some(seen) == fold {
            return Some(finding(pos, &history[i..], rules, true));
        }
        if i > root {
            start = Some(i);
        }
    }
    start.map(|i| finding(pos, &history[i..], rules, false))
}

fn finding(pos: &Position, window: &[Ply], rules: RuleSet, binding: bool) -> Finding {
    Finding {
        verdict: cycle_verdict(pos, window, rules),
        binding,
    }
}

/// The verdict on a cycle that leads from `pos` back to `pos`.
fn cycle_verdict(pos: &Position, window: &[Ply], rules: RuleSet) -> Verdict {
    // The last ply was the opponent's.
    let checks = |skip| {
        let mut plies = window.iter().rev().skip(skip).step_by(2);
        plies.all(|ply| ply.gave_check)
    };
    let judged = match (checks(1), checks(0)) {
        _ if matches!(rules, RuleSet::None | RuleSet::Basic | RuleSet::Sixty) => None,
        (true, true) => None,
        (true, false) => Some(pos.side_to_move()),
        (false, true) => Some(!pos.side_to_move()),
        (false, false) => replayed(pos, window, rules),
    };
    Verdict::of(judged, pos.side_to_move())
}

/// The side at fault over the window. Its first position is the present one,
/// so the moves can be played over again from here.
fn replayed(pos: &Position, window: &[Ply], rules: RuleSet) -> Option<Color> {
    let moves: Vec<Move> = window.iter().map(|ply| ply.mv).collect();
    let mut positions = vec![pos.clone()];
    for &mv in &moves {
        positions.push(positions[positions.len() - 1].after(mv));
    }
    at_fault(&Cycle::new(&positions, &moves), rules)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The position and history after `moves`.
    fn played(fen: &str, moves: &str) -> (Position, Vec<Ply>) {
        let mut pos: Position = fen.parse().unwrap();
        let mut history = Vec::new();
        for mv in moves.split_whitespace().map(|m| m.parse().unwrap()) {
            let key = pos.key();
            let captured = pos.piece_on(Move::to(mv));
            pos = pos.after(mv);
            history.push(Ply {
                key,
                mv,
                captured,
                gave_check: pos.in_check(),
            });
        }
        (pos, history)
    }

    const CHECKS: &str = "4k4/8R/9/9/9/9/9/9/9/3K5 w - - 0 1";
    const ROUND: &str = "i8i9 e9e8 i9i8 e8e9 ";

    #[test]
    fn a_second_occurrence_counts_only_below_the_root() {
        let (pos, history) = played(CHECKS, ROUND);
        assert!(recurs(pos.key(), &history));
        assert_eq!(verdict(&pos, &history, 0, RuleSet::Asian), None);
        let lead_in = "5k3/9/8R/9/9/9/9/9/9/3K5 w - - 0 1";
        let (pos, history) = played(lead_in, &format!("i7i8 f9e9 {ROUND}"));
        let found = verdict(&pos, &history, 1, RuleSet::Asian);
        assert_eq!(
            found,
            Some(Finding {
                verdict: Verdict::Loss,
                binding: false
            })
        );
    }

    #[test]
    fn the_third_occurrence_binds() {
        let (pos, history) = played(CHECKS, &ROUND.repeat(2));
        let found = Some(Finding {
            verdict: Verdict::Loss,
            binding: true,
        });
        assert_eq!(verdict(&pos, &history, 8, RuleSet::Asian), found);
        assert_eq!(verdict(&pos, &history, 8, RuleSet::Simple), None);
    }
}
