//! The seven kingdoms and the seats behind them.

use std::fmt;

/// Number of kingdoms, hence of seats.
pub const SEATS: usize = 7;

/// One of the seven kingdoms, which is also the seat that plays it, numbered
/// in turn order: Qin, Chu, Han, Qi, Wei, Zhao, Yan.
///
/// A *kingdom* is the colour of a piece and never changes; a *seat* commands
/// the pieces of its own kingdom and of those it has conquered; a *player*
/// (see [`Position::player`](super::Position::player)) may hold several seats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(transparent)]
pub struct Seat(u8);

const LETTERS: [char; SEATS] = ['w', 'r', 'o', 'b', 'g', 'p', 'k'];
const NAMES: [&str; SEATS] = ["Qin", "Chu", "Han", "Qi", "Wei", "Zhao", "Yan"];
const COLOURS: [&str; SEATS] = ["white", "red", "orange", "blue", "green", "purple", "black"];

impl Seat {
    /// Qin, white, west.
    pub const QIN: Self = Self(0);
    /// Chu, red, south-west.
    pub const CHU: Self = Self(1);
    /// Han, orange, south-east.
    pub const HAN: Self = Self(2);
    /// Qi, blue, east, southern half.
    pub const QI: Self = Self(3);
    /// Wei, green, east, northern half.
    pub const WEI: Self = Self(4);
    /// Zhao, purple, north-east.
    pub const ZHAO: Self = Self(5);
    /// Yan, black, north-west.
    pub const YAN: Self = Self(6);
    /// All seven in turn order.
    pub const ALL: [Self; SEATS] = [
        Self::QIN,
        Self::CHU,
        Self::HAN,
        Self::QI,
        Self::WEI,
        Self::ZHAO,
        Self::YAN,
    ];

    /// The seat with this number.
    ///
    /// # Panics
    /// When `index` is 7 or more.
    #[inline]
    pub const fn new(index: usize) -> Self {
        assert!(index < SEATS);
        Self(index as u8)
    }

    /// The number in turn order, 0 (Qin) to 6 (Yan).
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The set that holds this seat alone, as a bit mask.
    #[inline(always)]
    pub(super) const fn bit(self) -> u16 {
        1 << self.0
    }

    /// The seat of this letter (`w r o b g p k`).
    pub fn from_letter(letter: char) -> Option<Self> {
        let index = LETTERS.iter().position(|&l| l == letter)?;
        Some(Self::new(index))
    }

    /// The colour letter used in all text forms.
    pub const fn letter(self) -> char {
        LETTERS[self.index()]
    }

    /// The English name of the kingdom.
    pub const fn name(self) -> &'static str {
        NAMES[self.index()]
    }

    /// The colour of the pieces.
    pub const fn colour(self) -> &'static str {
        COLOURS[self.index()]
    }

    /// All seats in turn order, starting with this one.
    pub fn round(self) -> impl Iterator<Item = Self> {
        (0..SEATS).map(move |step| Self::new((self.index() + step) % SEATS))
    }

    /// How many turns after `self` this other seat comes, 0 to 6.
    #[inline]
    pub const fn distance_to(self, other: Self) -> usize {
        (other.index() + SEATS - self.index()) % SEATS
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}
