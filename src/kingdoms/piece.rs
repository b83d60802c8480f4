//! Kinds of piece, and a piece of a kingdom.

use super::Seat;
use std::fmt;

/// Number of kinds, the emperor included.
pub const KINDS: usize = 11;

/// What a piece is, numbered from 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Kind {
    /// 將, any distance along eight lines; his capture is the kingdom's fall.
    General = 1,
    /// 偏, any distance along ranks and files.
    Chancellor,
    /// 裨, any distance along diagonals.
    Diplomat,
    /// 砲, along ranks and files, takes over exactly one screen.
    Cannon,
    /// 行人, any distance along eight lines, never takes, is never taken.
    GoBetween,
    /// 弓, up to four steps along eight lines.
    Archer,
    /// 弩, up to five steps along eight lines.
    Crossbow,
    /// 刀, one step diagonally.
    Dagger,
    /// 劍, one step along a rank or file.
    Sword,
    /// 騎, one step straight, then one to three steps outward diagonally.
    Knight,
    /// 周, the emperor in the centre, who never moves and is never taken.
    Emperor,
}

/// Name, letter, Chinese character, and the value that the Chinese and the
/// Russian text give (none for general, go-between and emperor).
const FACTS: [(&str, char, &str, u8); KINDS] = [
    ("general", 'G', "將", 0),
    ("chancellor", 'R', "偏", 5),
    ("diplomat", 'B', "裨", 4),
    ("cannon", 'C', "砲", 3),
    ("go-between", 'M', "行人", 0),
    ("archer", 'A', "弓", 1),
    ("crossbow", 'X', "弩", 1),
    ("dagger", 'D', "刀", 1),
    ("sword", 'S', "劍", 1),
    ("knight", 'N', "騎", 2),
    ("emperor", 'E', "周", 0),
];

impl Kind {
    /// All eleven, in the order of their numbers.
    pub const ALL: [Self; KINDS] = [
        Self::General,
        Self::Chancellor,
        Self::Diplomat,
        Self::Cannon,
        Self::GoBetween,
        Self::Archer,
        Self::Crossbow,
        Self::Dagger,
        Self::Sword,
        Self::Knight,
        Self::Emperor,
    ];

    /// Position in [`Kind::ALL`], 0 to 10.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize - 1
    }

    /// The kind of this letter, the emperor included.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|k| k.letter() == letter)
    }

    /// The letter in all text forms.
    pub const fn letter(self) -> char {
        FACTS[self.index()].1
    }

    /// The English name.
    pub const fn name(self) -> &'static str {
        FACTS[self.index()].0
    }

    /// The Chinese name.
    pub const fn chinese(self) -> &'static str {
        FACTS[self.index()].2
    }

    /// The value in points that the historical texts give, 0 to 5.
    pub const fn historical_value(self) -> u8 {
        FACTS[self.index()].3
    }
}

/// The number that stands where a kingdom's number would, for Zhou.
const ZHOU: u8 = 7;

/// A piece: a kind of a kingdom, or the emperor of Zhou.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Piece(u8);

impl Piece {
    /// The emperor of Zhou.
    pub const EMPEROR: Self = Self(ZHOU << 4 | Kind::Emperor as u8);

    /// A piece of a kingdom.
    ///
    /// # Panics
    /// When the kind is the emperor, whom no kingdom owns.
    pub const fn new(kingdom: Seat, kind: Kind) -> Self {
        assert!(kind as u8 != Kind::Emperor as u8);
        Self((kingdom.index() as u8) << 4 | kind as u8)
    }

    /// The kingdom whose colour it bears, `None` for the emperor.
    pub const fn kingdom(self) -> Option<Seat> {
        match self.0 >> 4 {
            ZHOU => None,
            kingdom => Some(Seat::new(kingdom as usize)),
        }
    }

    /// What it is.
    #[inline(always)]
    pub const fn kind(self) -> Kind {
        Kind::ALL[(self.0 & 15) as usize - 1]
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let colour = self.kingdom().map_or('y', Seat::letter);
        write!(f, "{colour}{}", self.kind().letter())
    }
}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What stands on a cell of the padded board: nothing, the edge, or a piece.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub(super) struct Content(u8);

impl Content {
    pub(super) const EMPTY: Self = Self(0);
    pub(super) const EDGE: Self = Self(0xf0);

    #[inline(always)]
    pub(super) const fn of(piece: Piece) -> Self {
        Self(piece.0)
    }

    #[inline(always)]
    pub(super) const fn is_empty(self) -> bool {
        self.0 == Self::EMPTY.0
    }

    #[inline(always)]
    pub(super) const fn is_edge(self) -> bool {
        self.0 == Self::EDGE.0
    }

    /// The piece, `None` for an empty or an edge cell.
    #[inline(always)]
    pub(super) const fn piece(self) -> Option<Piece> {
        match self.0 {
            0 | 0xf0 => None,
            piece => Some(Piece(piece)),
        }
    }

    /// The kingdom's number as a bit: bit 7 for Zhou, bit 15 for the edge.
    /// An empty cell gives Qin's bit: ask for it only where one stands.
    #[inline(always)]
    pub(super) const fn kingdom_bit(self) -> u16 {
        1 << (self.0 >> 4)
    }

    /// The number of the kind, 0 for an empty or an edge cell.
    #[inline(always)]
    pub(super) const fn kind_number(self) -> usize {
        (self.0 & 15) as usize
    }

    /// Whether a go-between stands here.
    #[inline(always)]
    pub(super) const fn is_go_between(self) -> bool {
        self.0 & 15 == Kind::GoBetween as u8
    }

    /// A number below 256 that tells contents apart.
    #[inline(always)]
    pub(super) const fn code(self) -> u64 {
        self.0 as u64
    }
}
