//! A move: from one square to another.

use super::{ParseError, Square};
use std::fmt;
use std::str::FromStr;

/// A move. Text is the two squares without a separator: `a13b15`, `n19n18`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    /// Where the piece stands.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Move {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let error = || ParseError::Move(text.to_owned());
        let (from, rest) = Square::split_from(text).ok_or_else(error)?;
        let (to, rest) = Square::split_from(rest).ok_or_else(error)?;
        if rest.is_empty() && from != to {
            Ok(Self { from, to })
        } else {
            Err(error())
        }
    }
}
