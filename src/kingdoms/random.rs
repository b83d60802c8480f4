//! A small generator of pseudo-random numbers, for play that can be repeated.

/// Xorshift64* (Vigna 2016).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator whose numbers follow from `seed`.
    pub fn new(seed: u64) -> Self {
        // An odd multiplier spreads small seeds; the state may not be zero.
        Self(seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// The next number.
    pub fn next_u64(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `n`.
    ///
    /// # Panics
    /// When `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        ((self.next_u64() >> 32) % n as u64) as usize
    }
}
