//! The names of openings, by the positions that their moves lead to.

use super::key::position_key;
use crate::board::Position;
use std::collections::HashMap;
use std::sync::LazyLock;

/// Moves from the start position, Chinese name, English name.
const TABLE: &str = include_str!("names.tsv");

/// A named opening. The moves are those of the table; other orders of moves
/// and mirror images have the same name, left and right exchanged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    /// The name in Chinese.
    pub chinese: String,
    /// The name in English.
    pub english: String,
    /// Plies from the start position to where the name holds.
    pub ply: usize,
}

/// Words that change places in a mirror image.
const SIDES: [(&str, &str); 5] = [
    ("左", "右"),
    ("三兵", "七兵"),
    ("3卒", "7卒"),
    ("left", "right"),
    ("三路", "七路"),
];

struct Named {
    chinese: &'static str,
    english: &'static str,
    /// Whether the key was taken from the mirror image.
    mirrored: bool,
}

static NAMES: LazyLock<HashMap<u64, Named>> = LazyLock::new(|| {
    let rows = TABLE.lines().filter(|line| !line.starts_with('#'));
    rows.filter_map(|row| {
        let mut fields = row.split('\t');
        let (moves, chinese, english) = (fields.next()?, fields.next()?, fields.next()?);
        let (key, mirrored) = position_key(&after(moves)?);
        let named = Named {
            chinese,
            english,
            mirrored,
        };
        Some((key, named))
    })
    .collect()
});

/// The position after moves in ICCS.
fn after(moves: &str) -> Option<Position> {
    let mut pos = Position::startpos();
    for text in moves.split_whitespace() {
        let mv = text.parse().ok().filter(|mv| pos.is_legal(*mv))?;
        pos.make(mv);
    }
    Some(pos)
}

/// The opening of a game, given its positions from the start: the last one
/// that has a name.
///
/// ```
/// use chuhe::record::pgn::read_game;
/// use chuhe::opening::opening_of;
///
/// let game = read_game("1. C2=5 H8+7 2. H2+3 H2+3", 1).record.game();
/// let opening = opening_of(game.positions()).unwrap();
/// assert_eq!(opening.chinese, "中炮对屏风马");
/// ```
pub fn opening_of(positions: &[Position]) -> Option<Opening> {
    let mut named = positions
        .iter()
        .enumerate()
        .take(LONGEST)
        .filter_map(|(ply, pos)| {
            let (key, mirrored) = position_key(pos);
            let named = NAMES.get(&key)?;
            let swap = mirrored != named.mirrored;
            Some(Opening {
                chinese: in_view(named.chinese, swap),
                english: in_view(named.english, swap),
                ply,
            })
        });
    named.next_back()
}

/// Positions of a game that are looked at.
const LONGEST: usize = 40;

fn in_view(name: &str, swap: bool) -> String {
    if !swap {
        return name.to_owned();
    }
    SIDES.iter().fold(name.to_owned(), |name, (a, b)| {
        name.replace(a, "\0").replace(b, a).replace('\0', b)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn all_rows_are_legal_distinct_and_many() {
        let rows: Vec<&str> = TABLE
            .lines()
            .filter(|line| !line.starts_with('#'))
            .collect();
        let mut names = HashSet::new();
        for row in &rows {
            let fields: Vec<&str> = row.split('\t').collect();
            assert_eq!(fields.len(), 3, "{row}");
            assert!(after(fields[0]).is_some(), "{row}");
            assert!(names.insert(fields[1]), "{row}");
        }
        assert!(rows.len() >= 100, "{}", rows.len());
        assert_eq!(NAMES.len(), rows.len(), "two rows lead to one position");
    }

    #[test]
    fn mirror_images_and_other_orders_have_the_name_in_their_view() {
        let of = |moves: &str| {
            let mut positions = vec![Position::startpos()];
            for text in moves.split(' ') {
                let last = positions[positions.len() - 1].clone();
                positions.push(last.after(text.parse().unwrap()));
            }
            opening_of(&positions).unwrap().chinese
        };
        assert_eq!(of("h2e2 h9g7 h0g2 b9c7"), "中炮对屏风马");
        assert_eq!(of("b2e2 h9g7 b0c2 b9c7"), "中炮对屏风马");
        assert_eq!(of("h0g2 b9c7 h2e2 h9g7"), "中炮对屏风马");
        assert_eq!(of("g0e2 h7e7"), "飞相局对左中炮");
        assert_eq!(of("c0e2 b7e7"), "飞相局对右中炮");
    }
}
