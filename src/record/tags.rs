//! Tags and results.

use std::fmt;

/// Chinese names of tags as text exports have them, with ours.
const CHINESE_NAMES: [(&str, &str); 26] = [
    ("标题", "Title"),
    ("標題", "Title"),
    ("棋局", "Title"),
    ("赛事", "Event"),
    ("賽事", "Event"),
    ("赛会", "Event"),
    ("地点", "Site"),
    ("地點", "Site"),
    ("日期", "Date"),
    ("时间", "Date"),
    ("轮次", "Round"),
    ("輪次", "Round"),
    ("红方", "Red"),
    ("紅方", "Red"),
    ("黑方", "Black"),
    ("红队", "RedTeam"),
    ("黑队", "BlackTeam"),
    ("结果", "Result"),
    ("結果", "Result"),
    ("开局", "Opening"),
    ("開局", "Opening"),
    ("布局", "Opening"),
    ("变例", "Variation"),
    ("评注", "Annotator"),
    ("作者", "Author"),
    ("分类", "ECCO"),
];

/// Names of Western tools, with ours.
const WESTERN_NAMES: [(&str, &str); 6] = [
    ("White", "Red"),
    ("WhiteElo", "RedElo"),
    ("WhiteTeam", "RedTeam"),
    ("Creator", "Author"),
    ("Place", "Site"),
    ("ContestName", "Event"),
];

/// The spelling that we write, for names that files spell in any case.
const KNOWN_NAMES: [&str; 26] = [
    "Game",
    "Event",
    "Site",
    "Date",
    "Round",
    "Red",
    "Black",
    "RedTeam",
    "BlackTeam",
    "RedElo",
    "BlackElo",
    "Result",
    "Title",
    "ECCO",
    "Opening",
    "Variation",
    "Annotator",
    "Author",
    "TimeControl",
    "Format",
    "FEN",
    "SetUp",
    "Variant",
    "Termination",
    "RedTime",
    "BlackTime",
];

/// Names and values in the order of the file; names are compared without
/// regard to case.
///
/// ```
/// use chuhe::record::Tags;
///
/// let mut tags = Tags::default();
/// tags.set("White", "Hu Ronghua"); // Western and Chinese names become ours
/// assert_eq!(tags.get("red"), Some("Hu Ronghua"));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tags(Vec<(String, String)>);

impl Tags {
    /// The value of a tag.
    pub fn get(&self, name: &str) -> Option<&str> {
        let name = canonical_name(name);
        self.0
            .iter()
            .find(|(n, _)| n.eq_ignore_ascii_case(&name))
            .map(|(_, value)| value.as_str())
    }

    /// Sets a tag, in its place if it is there.
    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        let (name, value) = (canonical_name(name), value.into());
        match self
            .0
            .iter_mut()
            .find(|(n, _)| n.eq_ignore_ascii_case(&name))
        {
            Some((_, old)) => *old = value,
            None => self.0.push((name, value)),
        }
    }

    /// Sets a tag unless the value is blank.
    pub(super) fn set_filled(&mut self, name: &str, value: &str) {
        let value = value.trim();
        if !value.is_empty() {
            self.set(name, value);
        }
    }

    /// Removes a tag and returns its value.
    pub fn remove(&mut self, name: &str) -> Option<String> {
        let i = self
            .0
            .iter()
            .position(|(n, _)| n.eq_ignore_ascii_case(name))?;
        Some(self.0.remove(i).1)
    }

    /// All names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(n, v)| (n.as_str(), v.as_str()))
    }

    /// The number of tags.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Our name of a Chinese tag name.
pub(super) fn chinese_name(name: &str) -> Option<&'static str> {
    let found = CHINESE_NAMES.iter().find(|(chinese, _)| *chinese == name);
    found.map(|&(_, ours)| ours)
}

fn canonical_name(name: &str) -> String {
    let known = KNOWN_NAMES.iter().find(|n| n.eq_ignore_ascii_case(name));
    let western = WESTERN_NAMES
        .iter()
        .find(|(n, _)| n.eq_ignore_ascii_case(name));
    known
        .copied()
        .or(western.map(|&(_, ours)| ours))
        .or_else(|| chinese_name(name))
        .unwrap_or(name)
        .to_owned()
}

/// How a game ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// `1-0`.
    RedWins,
    /// `0-1`.
    BlackWins,
    /// `1/2-1/2`.
    Draw,
    /// `*`: not known or not over.
    #[default]
    Unknown,
}

/// Words for results; the first match wins.
const RESULT_WORDS: [(&str, GameResult); 22] = [
    ("1-0", GameResult::RedWins),
    ("0-1", GameResult::BlackWins),
    ("1/2-1/2", GameResult::Draw),
    ("1/2", GameResult::Draw),
    ("红胜", GameResult::RedWins),
    ("紅勝", GameResult::RedWins),
    ("红先胜", GameResult::RedWins),
    ("紅先勝", GameResult::RedWins),
    ("先胜", GameResult::RedWins),
    ("先勝", GameResult::RedWins),
    ("黑负", GameResult::RedWins),
    ("黑胜", GameResult::BlackWins),
    ("黑勝", GameResult::BlackWins),
    ("红负", GameResult::BlackWins),
    ("先负", GameResult::BlackWins),
    ("先負", GameResult::BlackWins),
    ("和棋", GameResult::Draw),
    ("和局", GameResult::Draw),
    ("先和", GameResult::Draw),
    ("和", GameResult::Draw),
    ("未知", GameResult::Unknown),
    ("*", GameResult::Unknown),
];

impl GameResult {
    /// The text of PGN: `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub const fn text(self) -> &'static str {
        match self {
            Self::RedWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unknown => "*",
        }
    }

    /// The result that a word or phrase states, in PGN's form or in Chinese.
    pub fn recognise(text: &str) -> Option<Self> {
        let word = |(word, _): &&(&str, Self)| text.contains(*word);
        RESULT_WORDS.iter().find(word).map(|&(_, result)| result)
    }

    /// The result of a token that is nothing but a result.
    pub(super) fn token(text: &str) -> Option<Self> {
        let plain = text.trim_matches(['(', ')', '（', '）', '。', '.', ',', '，']);
        let found = RESULT_WORDS.iter().find(|(word, _)| *word == plain);
        found.map(|&(_, result)| result)
    }

    /// The code of XQF, CBR and CBF files: 1 red, 2 black, 3 (or 4) draw.
    pub(super) const fn from_code(code: u32) -> Self {
        match code {
            1 => Self::RedWins,
            2 => Self::BlackWins,
            3 | 4 => Self::Draw,
            _ => Self::Unknown,
        }
    }

    /// The code of those files.
    pub(super) const fn code(self) -> u8 {
        match self {
            Self::Unknown => 0,
            Self::RedWins => 1,
            Self::BlackWins => 2,
            Self::Draw => 3,
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}
