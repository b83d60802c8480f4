//! Playing weaker on purpose: fewer nodes, and a choice among several lines
//! that is blurred by chance.

use super::engine::Settings;
use super::root::RootMove;
use super::score::{INFINITE, Value};
use crate::clock::Limits;
use std::borrow::Cow;
use std::time::{SystemTime, UNIX_EPOCH};

/// The level that plays its best.
pub const FULL_SKILL: u32 = 20;
/// What the levels are worth: the even ones measured in games of each against
/// the next (the guide's chapter on strength), the odd ones half-way; the full
/// level at 3 s + 0.03 s is called 3133. They rise.
pub const LEVEL_ELO: [u32; FULL_SKILL as usize + 1] = [
    754, 791, 828, 916, 1004, 1161, 1317, 1468, 1618, 1741, 1863, 1991, 2118, 2336, 2554, 2628,
    2701, 2797, 2892, 3013, 3133,
];
/// The range of Elo numbers that can be asked for.
pub const ELO_RANGE: (u32, u32) = (LEVEL_ELO[0], LEVEL_ELO[FULL_SKILL as usize]);

/// Lines to choose from: two, and one more for so many points of blur, up to
/// the greatest number. Each costs nodes.
const LEAST_LINES: usize = 2;
const BLUR_PER_LINE: f64 = 100.0;
const MOST_LINES: usize = 6;
/// Nodes of level 0, doubled every `LEVELS_PER_DOUBLING` levels.
const LEAST_NODES: f64 = 60.0;
const LEVELS_PER_DOUBLING: f64 = 1.9;
/// Blur in points at level 0; it fades with this power of what is missing to full strength.
const GREATEST_BLUR: f64 = 700.0;
const BLUR_FADING: i32 = 4;
/// Less blur than this would change no choice, and several lines cost nodes.
const LEAST_BLUR: f64 = 8.0;
/// Blur in points per step of the option `randomness`.
const RANDOMNESS_BLUR: f64 = 12.0;

/// How far the strength is reduced.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Handicap {
    nodes: Option<u64>,
    /// Lines within this many points of the best may be chosen.
    blur: f64,
}

impl Handicap {
    /// The handicap that these settings ask for.
    pub fn new(settings: &Settings) -> Self {
        let level = settings
            .elo
            .map_or(f64::from(settings.skill_level), level_of_elo);
        let randomness = RANDOMNESS_BLUR * f64::from(settings.randomness);
        let full = f64::from(FULL_SKILL);
        if level >= full {
            return Self {
                nodes: None,
                blur: randomness,
            };
        }
        let nodes = LEAST_NODES * (level / LEVELS_PER_DOUBLING).exp2();
        let blur = GREATEST_BLUR * (1.0 - level / full).powi(BLUR_FADING) + randomness;
        Self {
            nodes: Some(nodes as u64),
            blur: if blur < LEAST_BLUR { 0.0 } else { blur },
        }
    }

    /// How many lines there are to choose from.
    fn lines(&self) -> usize {
        if self.blur == 0.0 {
            return 1;
        }
        if self.nodes.is_none() {
            return MOST_LINES;
        }
        let more = (self.blur / BLUR_PER_LINE) as usize;
        (LEAST_LINES + more).min(MOST_LINES)
    }

    fn is_none(&self) -> bool {
        self.nodes.is_none() && self.blur == 0.0
    }

    /// Settings and limits of the search under this handicap.
    pub fn apply<'a>(
        &self,
        settings: &'a Settings,
        limits: &'a Limits,
    ) -> (Cow<'a, Settings>, Cow<'a, Limits>) {
        if self.is_none() {
            return (Cow::Borrowed(settings), Cow::Borrowed(limits));
        }
        let nodes = [limits.nodes, self.nodes].into_iter().flatten().min();
        let multi_pv = settings.multi_pv.max(self.lines());
        (
            Cow::Owned(Settings {
                multi_pv,
                ..settings.clone()
            }),
            Cow::Owned(Limits {
                nodes,
                ..limits.clone()
            }),
        )
    }

    /// The rank of the line to play, `None` for the first.
    pub fn choose(&self, lines: &[RootMove]) -> Option<usize> {
        if self.blur == 0.0 {
            return None;
        }
        let mut dice = Dice::from_clock();
        let searched = lines
            .iter()
            .take(self.lines())
            .take_while(|m| m.value > -INFINITE);
        let blurred = searched.map(|m| m.value + (dice.roll() * self.blur) as Value);
        let (choice, _) = blurred.enumerate().max_by_key(|&(_, value)| value)?;
        (choice > 0).then_some(choice)
    }
}

/// The level of this strength, between two levels where none has it.
fn level_of_elo(elo: u32) -> f64 {
    let elo = elo.clamp(ELO_RANGE.0, ELO_RANGE.1);
    let next = LEVEL_ELO.partition_point(|&of_level| of_level <= elo);
    let Some(&above) = LEVEL_ELO.get(next) else {
        return f64::from(FULL_SKILL);
    };
    let below = LEVEL_ELO[next - 1];
    (next - 1) as f64 + f64::from(elo - below) / f64::from(above - below)
}

/// A small random generator (SplitMix64); chance is all that is asked of it.
struct Dice(u64);

impl Dice {
    fn from_clock() -> Self {
        Self(
            SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .map_or(0, |d| d.as_nanos() as u64),
        )
    }

    /// A number from 0 to 1.
    fn roll(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) as f64 / u64::MAX as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lower_levels_get_fewer_nodes_and_more_blur() {
        let at = |skill_level| {
            Handicap::new(&Settings {
                skill_level,
                ..Settings::default()
            })
        };
        for level in 0..FULL_SKILL - 1 {
            assert!(at(level).nodes < at(level + 1).nodes);
            let (blur, next) = (at(level).blur, at(level + 1).blur);
            assert!(blur > next || blur == 0.0 && next == 0.0);
        }
        assert!(at(FULL_SKILL).is_none());
        let elo = Handicap::new(&Settings {
            elo: Some(ELO_RANGE.0),
            ..Settings::default()
        });
        assert_eq!(elo, at(0));
    }

    #[test]
    fn an_elo_number_is_the_level_that_has_it() {
        assert!(LEVEL_ELO.is_sorted_by(|a, b| a < b));
        for (level, &elo) in LEVEL_ELO.iter().enumerate() {
            assert_eq!(level_of_elo(elo), level as f64);
        }
        let between = level_of_elo((LEVEL_ELO[3] + LEVEL_ELO[4]) / 2);
        assert!((3.4..3.6).contains(&between), "{between}");
        assert_eq!(level_of_elo(0), 0.0);
        assert_eq!(level_of_elo(u32::MAX), f64::from(FULL_SKILL));
    }
}
