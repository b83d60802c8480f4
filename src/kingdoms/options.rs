//! The points on which the sources differ, as options, and the presets.

use super::{ParseError, SEATS};
use std::fmt;

/// Greatest number of a player; 0 stands for nobody.
pub const MAX_PLAYER: u8 = SEATS as u8;

/// What happens to the army of a kingdom that falls.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Fall {
    /// It keeps its places and serves the heir.
    #[default]
    Inherit,
    /// It leaves the board.
    Remove,
}

/// What happens to a general that outlives the fall of his kingdom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FallenGeneral {
    /// He serves the heir as an ordinary piece.
    #[default]
    Keep,
    /// He leaves the board.
    Remove,
}

/// What may stand between a cannon and its target.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Screen {
    /// Any piece, go-between and emperor included.
    #[default]
    Any,
    /// Only a piece under the same command.
    Own,
}

/// How far a piece with a stated number of steps goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Reach {
    /// Up to that many steps.
    #[default]
    UpTo,
    /// Exactly that many.
    Exact,
}

/// What captures and losses are counted in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Count {
    /// Every taken piece counts one.
    #[default]
    Pieces,
    /// Every taken piece counts its historical value.
    Points,
}

/// Who is credited when a kingdom falls by its losses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Conquest {
    /// The player with most captures of it.
    #[default]
    Largest,
    /// Only a player who alone took more than the loss limit; where there is
    /// none the army leaves the board and nobody is credited.
    Single,
}

/// What the two victories (kingdoms, captures) are worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Hegemon {
    /// They end the game.
    #[default]
    Wins,
    /// They are titles only: play goes on until one player is left, nobody
    /// can move or the quiet limit is reached, and the most captures win.
    PlaysOn,
}

/// The rules of one game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// A kingdom falls when its losses exceed this.
    pub loss_limit: u8,
    /// A player wins when his captures exceed this.
    pub capture_limit: u8,
    /// Conquests that win the game.
    pub kingdoms_to_win: u8,
    /// The army of a fallen kingdom.
    pub fall: Fall,
    /// The general of a kingdom that fell by losses.
    pub fallen_general: FallenGeneral,
    /// Whether inherited pieces also count as captures.
    pub inherited_count: bool,
    /// The screens a cannon may use.
    pub cannon_screen: Screen,
    /// Steps of the archer and of the crossbow.
    pub archer: Reach,
    /// Steps of the knight's slanting part.
    pub knight: Reach,
    /// Plies without a capture after which the game is scored.
    pub quiet_limit: u16,
    /// What captures and losses are counted in.
    pub count: Count,
    /// Who is credited with a fall by losses.
    pub conquest: Conquest,
    /// What the two victories are worth.
    pub hegemon: Hegemon,
    /// The team of each player: `teams[p - 1]` for player `p`, a number 1 to
    /// 7. Team mates do not take each other and win together.
    pub teams: [u8; SEATS],
}

/// Every player for himself.
pub const NO_TEAMS: [u8; SEATS] = [1, 2, 3, 4, 5, 6, 7];

impl Options {
    /// The rules of the English text (the default).
    pub const ENGLISH: Self = Self {
        loss_limit: 10,
        capture_limit: 30,
        kingdoms_to_win: 2,
        fall: Fall::Inherit,
        fallen_general: FallenGeneral::Keep,
        inherited_count: false,
        cannon_screen: Screen::Any,
        archer: Reach::UpTo,
        knight: Reach::UpTo,
        quiet_limit: 350,
        count: Count::Pieces,
        conquest: Conquest::Largest,
        hegemon: Hegemon::Wins,
        teams: NO_TEAMS,
    };

    /// The rules of the Russian text, close to the Chinese original.
    pub const RUSSIAN: Self = Self {
        fall: Fall::Remove,
        archer: Reach::Exact,
        knight: Reach::Exact,
        conquest: Conquest::Single,
        hegemon: Hegemon::PlaysOn,
        ..Self::ENGLISH
    };

    /// The rules that the Ludii system codes after Leventhal.
    pub const LUDII: Self = Self {
        loss_limit: 9,
        capture_limit: 29,
        fall: Fall::Remove,
        cannon_screen: Screen::Own,
        archer: Reach::Exact,
        knight: Reach::Exact,
        ..Self::ENGLISH
    };

    /// The preset of this name: `english`, `russian` or `ludii`.
    ///
    /// # Errors
    /// When there is no such preset.
    pub fn preset(name: &str) -> Result<Self, ParseError> {
        match name {
            "english" => Ok(Self::ENGLISH),
            "russian" => Ok(Self::RUSSIAN),
            "ludii" => Ok(Self::LUDII),
            _ => Err(bad_value("preset", name, "english, russian or ludii")),
        }
    }

    /// Sets one option by the names of [`OPTIONS`].
    ///
    /// # Errors
    /// When there is no such option or the value does not fit it; the options
    /// then stay as they are.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), ParseError> {
        let option = OPTIONS
            .iter()
            .find(|o| o.name == name)
            .ok_or_else(|| ParseError::OptionName(name.to_owned()))?;
        if let Domain::Number { min, max } = option.domain {
            let fits = value.parse().is_ok_and(|n: u16| (min..=max).contains(&n));
            if !fits {
                let expected = format!("a number from {min} to {max}");
                return Err(bad_value(name, value, &expected));
            }
        }
        (option.write)(self, value)
            .ok_or_else(|| bad_value(name, value, &option.domain.to_string()))
    }

    /// The options that are not those of the English text, as text.
    pub fn differences(&self) -> Vec<(&'static str, String)> {
        let other = |o: &&OptionSpec| (o.read)(self) != (o.read)(&Self::ENGLISH);
        let options = OPTIONS.iter().filter(other);
        options.map(|o| (o.name, (o.read)(self))).collect()
    }

    /// The value of one option as text, `None` for an unknown name.
    pub fn get(&self, name: &str) -> Option<String> {
        let option = OPTIONS.iter().find(|o| o.name == name)?;
        Some((option.read)(self))
    }
}

impl Default for Options {
    fn default() -> Self {
        Self::ENGLISH
    }
}

fn bad_value(name: &str, value: &str, expected: &str) -> ParseError {
    ParseError::OptionValue {
        name: name.to_owned(),
        value: value.to_owned(),
        expected: expected.to_owned(),
    }
}

/// The values an option takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Domain {
    /// A number, both ends included.
    Number {
        /// The least value.
        min: u16,
        /// The greatest value.
        max: u16,
    },
    /// One of these words.
    Words(&'static [&'static str]),
    /// Seven digits, the team of players 1 to 7.
    Teams,
}

impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Number { min, max } => write!(f, "a number from {min} to {max}"),
            Self::Words(words) => write!(f, "{}", words.join(" or ")),
            Self::Teams => write!(f, "seven digits from 1 to 7"),
        }
    }
}

/// Description of one option: its name, its values, how to read and write it.
#[derive(Debug)]
pub struct OptionSpec {
    /// The name, in snake case.
    pub name: &'static str,
    /// The values.
    pub domain: Domain,
    /// What it decides, for a list.
    pub help: &'static str,
    read: fn(&Options) -> String,
    write: fn(&mut Options, &str) -> Option<()>,
}

macro_rules! number {
    ($field:ident, $min:expr, $max:expr, $help:literal) => {
        OptionSpec {
            name: stringify!($field),
            domain: Domain::Number {
                min: $min,
                max: $max,
            },
            help: $help,
            read: |o| o.$field.to_string(),
            write: |o, text| {
                o.$field = text.parse().ok()?;
                Some(())
            },
        }
    };
}

macro_rules! words {
    ($field:ident, $help:literal, $($word:literal => $value:expr),+) => {
        OptionSpec {
            name: stringify!($field),
            domain: Domain::Words(&[$($word),+]),
            help: $help,
            read: |o| {
                let names = [$(($value, $word)),+];
                let found = names.into_iter().find(|n| n.0 == o.$field);
                found.map_or_else(String::new, |n| n.1.to_owned())
            },
            write: |o, text| {
                o.$field = match text {
                    $($word => $value,)+
                    _ => return None,
                };
                Some(())
            },
        }
    };
}

/// All options, in the order in which they are listed to users.
pub const OPTIONS: &[OptionSpec] = &[
    number!(
        loss_limit,
        0,
        100,
        "a kingdom falls when it has lost more than this"
    ),
    number!(
        capture_limit,
        0,
        250,
        "a player wins who has taken more than this"
    ),
    number!(kingdoms_to_win, 1, 7, "conquests that win"),
    words!(fall, "what becomes of a fallen army: it serves the heir or leaves the board", "inherit" => Fall::Inherit, "remove" => Fall::Remove),
    words!(fallen_general, "its general, if alive, stays as a piece or leaves the board", "keep" => FallenGeneral::Keep, "remove" => FallenGeneral::Remove),
    words!(inherited_count, "inherited men are captures too", "false" => false, "true" => true),
    words!(cannon_screen, "screens of a cannon: any piece, or only one under the same command", "any" => Screen::Any, "own" => Screen::Own),
    words!(archer, "archer and crossbow go up to, or exactly, four and five steps", "upto" => Reach::UpTo, "exact" => Reach::Exact),
    words!(knight, "the slanting part of a knight's move: up to, or exactly, three steps", "upto" => Reach::UpTo, "exact" => Reach::Exact),
    number!(
        quiet_limit,
        1,
        10_000,
        "plies without a capture after which the game is scored"
    ),
    words!(count, "what captures and losses are counted in: pieces, or their historical values", "pieces" => Count::Pieces, "points" => Count::Points),
    words!(conquest, "who is credited with a fall by losses: the largest captor, or only one who alone took more than the limit", "largest" => Conquest::Largest, "single" => Conquest::Single),
    words!(hegemon, "the two victories end the game, or are titles while the most captures win in the end", "wins" => Hegemon::Wins, "plays_on" => Hegemon::PlaysOn),
    OptionSpec {
        name: "teams",
        domain: Domain::Teams,
        help: "the team of each player; mates do not take each other and win together",
        read: |o| o.teams.map(|t| t.to_string()).concat(),
        write: |o, text| {
            o.teams = player_digits(text, 1)?;
            Some(())
        },
    },
];

/// Seven digits from `least` to 7.
pub(super) fn player_digits(text: &str, least: u8) -> Option<[u8; SEATS]> {
    let digits: Vec<u8> = text.bytes().map(|b| b.wrapping_sub(b'0')).collect();
    let digits: [u8; SEATS] = digits.try_into().ok()?;
    let good = |d: &u8| (least..=MAX_PLAYER).contains(d);
    digits.iter().all(good).then_some(digits)
}

/// The historical distribution of the seven seats among fewer players: Qin
/// gets a partner first (Yan), then Chu (Zhao), then Qi (Wei); with three
/// players Qin gets Han as well. Digits are the players of the seats in turn
/// order.
///
/// `None` unless `players` is 3 to 7.
pub const fn historical_players(players: usize) -> Option<[u8; SEATS]> {
    match players {
        7 => Some([1, 2, 3, 4, 5, 6, 7]),
        6 => Some([1, 2, 3, 4, 5, 6, 1]),
        5 => Some([1, 2, 3, 4, 5, 2, 1]),
        4 => Some([1, 2, 3, 4, 4, 2, 1]),
        3 => Some([1, 2, 1, 3, 3, 2, 1]),
        _ => None,
    }
}
