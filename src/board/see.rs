//! Static exchange evaluation.

use super::{Move, Position};

impl Position {
    /// Whether the exchanges that `mv` starts on its target square win at
    /// least `threshold` (in the units of [`exchange_value`]) for the mover.
    pub fn see_ge(&self, _mv: Move, _threshold: i32) -> bool {
        true
    }
}
