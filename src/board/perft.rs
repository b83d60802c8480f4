//! Counting the leaves of the move tree, the standard test of move generation
//! (Chess Programming Wiki, "Perft").

use super::{Move, Position};
use std::fmt;
use std::str::FromStr;

/// How the moves of the last ply are counted. The counts are the same, the
/// work is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LastPly {
    /// By the sizes of the sets of targets, no move being written.
    #[default]
    Count,
    /// By the length of the list of legal moves.
    List,
    /// By playing each move and taking it back: no bulk counting.
    Make,
}

impl LastPly {
    /// All ways, the quickest first.
    pub const ALL: [Self; 3] = [Self::Count, Self::List, Self::Make];

    /// The name: `count`, `list` or `make`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::List => "list",
            Self::Make => "make",
        }
    }
}

impl fmt::Display for LastPly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that names no [`LastPly`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastPlyError(String);

impl fmt::Display for LastPlyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: expected count, list or make", self.0)
    }
}

impl std::error::Error for LastPlyError {}

impl FromStr for LastPly {
    type Err = LastPlyError;

    fn from_str(text: &str) -> Result<Self, LastPlyError> {
        let named = |way: &Self| way.name() == text;
        Self::ALL
            .into_iter()
            .find(named)
            .ok_or_else(|| LastPlyError(text.to_owned()))
    }
}

/// The number of sequences of `depth` legal moves.
pub fn perft(pos: &mut Position, depth: u32) -> u64 {
    perft_by(pos, depth, LastPly::Count)
}

/// The greatest depth that anybody may ask for: far beyond what can be counted,
/// and within the stack.
pub const MOST_PLIES: u32 = 64;

/// The number of sequences of `depth` legal moves, the last ply counted in the
/// given way.
pub fn perft_by(pos: &mut Position, depth: u32, last: LastPly) -> u64 {
    match last {
        LastPly::Count => walk(pos, depth, &|pos| pos.count_legal_moves() as u64),
        LastPly::List => walk(pos, depth, &|pos| pos.legal_moves().len() as u64),
        LastPly::Make => walk_to_the_end(pos, depth),
    }
}

/// For each legal move, in the order of generation, the number of sequences of
/// `depth` moves that begin with it. Empty for depth 0.
pub fn divide(pos: &mut Position, depth: u32, last: LastPly) -> Vec<(Move, u64)> {
    let Some(below) = depth.checked_sub(1) else {
        return Vec::new();
    };
    let moves = pos.legal_moves();
    let count = |mv| (mv, after(pos, mv, |pos| perft_by(pos, below, last)));
    moves.into_iter().map(count).collect()
}

/// What `count` gives after `mv`.
#[inline(always)]
fn after(pos: &mut Position, mv: Move, count: impl Fn(&mut Position) -> u64) -> u64 {
    let undo = pos.make(mv);
    let leaves = count(pos);
    pos.unmake(mv, undo);
    leaves
}

fn walk(pos: &mut Position, depth: u32, leaves: &impl Fn(&Position) -> u64) -> u64 {
    match depth {
        0 => 1,
        1 => leaves(pos),
        _ => {
            let below = |pos: &mut Position| walk(pos, depth - 1, leaves);
            let moves = pos.legal_moves();
            moves.into_iter().map(|mv| after(pos, mv, below)).sum()
        }
    }
}

fn walk_to_the_end(pos: &mut Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let below = |pos: &mut Position| walk_to_the_end(pos, depth - 1);
    let moves = pos.legal_moves();
    moves.into_iter().map(|mv| after(pos, mv, below)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_ways_count_the_same() {
        let mut pos = Position::startpos();
        for last in LastPly::ALL {
            assert_eq!(last.name().parse(), Ok(last));
            assert_eq!(perft_by(&mut pos, 0, last), 1);
            assert_eq!(perft_by(&mut pos, 3, last), 79_666);
            let split = divide(&mut pos, 3, last);
            assert_eq!(split.len(), 44);
            assert_eq!(split.iter().map(|&(_, n)| n).sum::<u64>(), 79_666);
            assert_eq!(divide(&mut pos, 0, last), []);
        }
        assert_eq!(pos, Position::startpos());
        assert!(
            "bulk"
                .parse::<LastPly>()
                .unwrap_err()
                .to_string()
                .contains("`bulk`")
        );
    }
}
