//! A sequence of move texts as moves.
//!
//! Some texts fit several moves, and which one is meant shows only later,
//! when one of the readings breaks off. So the reader goes back to the last
//! choice and takes the other.

use crate::board::{Move, Position};
use crate::notation::{Notation, NotationError, candidates, counts_ranks_from_one, read};

/// How many texts of a game may be read again after going back to a choice.
pub(super) const MAX_RETRIES: usize = 4096;

/// Moves as far as a line could be read, and what stopped it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Resolved {
    pub(super) moves: Vec<Move>,
    pub(super) error: Option<NotationError>,
}

/// How a game in coordinates counts its ranks. A move or two do not show it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Ranks {
    #[default]
    FromZero,
    FromOne,
}

impl Ranks {
    /// The count that the texts of a whole game show.
    pub(super) fn of<'a>(mut texts: impl Iterator<Item = &'a str>) -> Self {
        if texts.any(counts_ranks_from_one) {
            Self::FromOne
        } else {
            Self::FromZero
        }
    }

    fn readings(self, pos: &Position, text: &str) -> Vec<Move> {
        let mut moves = Vec::new();
        if self == Self::FromOne {
            let notations = [Notation::Algebraic, Notation::Russian];
            moves.extend(
                notations
                    .into_iter()
                    .filter_map(|n| n.parse(pos, text).ok()),
            );
            moves.truncate(1);
        }
        if moves.is_empty() {
            moves = candidates(pos, text);
        }
        moves
    }
}

/// Reads a line of move texts from a position; `retries` is how many texts may
/// be read again, and becomes what is left of them.
pub(super) fn resolve(
    start: &Position,
    texts: &[&str],
    ranks: Ranks,
    retries: &mut usize,
) -> Resolved {
    let usual = resolve_with(start, texts, retries, |pos, text| ranks.readings(pos, text));
    if usual.error.is_none() || ranks == Ranks::FromOne {
        return usual;
    }
    let from_one = |pos: &Position, text: &str| Ranks::FromOne.readings(pos, text);
    let other = resolve_with(start, texts, retries, from_one);
    if other.moves.len() > usual.moves.len() {
        other
    } else {
        usual
    }
}

/// One ply of a line: its position and the readings not yet tried.
struct Ply {
    pos: Position,
    mv: Move,
    others: Vec<Move>,
}

fn resolve_with(
    start: &Position,
    texts: &[&str],
    retries: &mut usize,
    readings: impl Fn(&Position, &str) -> Vec<Move>,
) -> Resolved {
    let mut line: Vec<Ply> = Vec::new();
    let mut longest: Vec<Move> = Vec::new();
    let mut error = None;
    let mut budget = texts.len() + *retries;
    let mut pos = start.clone();
    while let Some(text) = texts.get(line.len()) {
        budget = budget.saturating_sub(1);
        let mut others = readings(&pos, text);
        if !others.is_empty() {
            let mv = others.remove(0);
            let next = pos.after(mv);
            line.push(Ply { pos, mv, others });
            pos = next;
            continue;
        }
        if error.is_none() || line.len() > longest.len() {
            longest = line.iter().map(|ply| ply.mv).collect();
            error = read(&pos, text).err();
        }
        match step_back(&mut line).filter(|_| budget > 0) {
            Some(next) => pos = next,
            None => {
                *retries = (*retries).min(budget);
                return Resolved {
                    moves: longest,
                    error,
                };
            }
        }
    }
    *retries = (*retries).min(budget);
    let moves = line.iter().map(|ply| ply.mv).collect();
    Resolved { moves, error: None }
}

/// Takes another reading at the last ply that has one and returns the
/// position after it.
fn step_back(line: &mut Vec<Ply>) -> Option<Position> {
    while let Some(mut ply) = line.pop() {
        if !ply.others.is_empty() {
            ply.mv = ply.others.remove(0);
            let next = ply.pos.after(ply.mv);
            line.push(ply);
            return Some(next);
        }
    }
    None
}

/// The same position with the other side to move, when that is legal.
pub(super) fn other_side(pos: &Position) -> Option<Position> {
    let fen = pos.to_string();
    let swapped = if fen.contains(" w ") {
        fen.replacen(" w ", " b ", 1)
    } else {
        fen.replacen(" b ", " w ", 1)
    };
    swapped.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(pos: &Position, texts: &[&str]) -> Resolved {
        resolve(pos, texts, Ranks::default(), &mut MAX_RETRIES.clone())
    }

    #[test]
    fn a_reading_that_breaks_off_is_given_up() {
        // The text fits two pawns; only one of them can go on.
        let pos: Position = "3k5/9/2P1P4/2P1P4/9/9/9/9/9/5K3 w - - 0 1".parse().unwrap();
        let texts = ["后兵平六", "将４退１", "兵六进一", "将４平５", "兵五进一"];
        let line = resolved(&pos, &texts[..1]);
        assert_eq!(line.error, None);
        let texts = ["后兵平六", "将４进１", "前兵平六"];
        assert!(resolved(&pos, &texts).moves.len() >= 2);
    }

    #[test]
    fn ranks_from_one_show_in_the_whole_game() {
        let texts = ["h3e3", "h10g8", "h1g3", "i10h10"];
        let line = resolved(&Position::startpos(), &texts);
        assert_eq!(line.error, None);
        assert_eq!(line.moves.len(), 4);
    }

    #[test]
    fn the_first_bad_move_is_named() {
        let line = resolved(&Position::startpos(), &["h2e2", "炮三平五", "h0g2"]);
        assert_eq!(line.moves.len(), 1);
        assert_eq!(line.error.unwrap().text, "炮三平五");
    }
}
