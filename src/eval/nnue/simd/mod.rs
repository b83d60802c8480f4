//! The arithmetic of the net, once per instruction set with the same names.
//!
//! `portable` is the specification; the others are chosen at run time and
//! agree with it to the last bit (all sums wrap, so their order is free).

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;

use super::QA;
use std::sync::LazyLock;

/// 16-bit numbers in one [`Lanes`].
pub const WIDTH: usize = 32;

/// The environment variable that forces a set of kernels by name.
pub const KERNELS_VARIABLE: &str = "CHUHE_SIMD";

/// 32 numbers of 16 bits, aligned for the widest register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Lanes(pub [i16; WIDTH]);

impl Lanes {
    /// All zero.
    pub const ZERO: Self = Self([0; WIDTH]);

    /// The numbers packed, the last lanes filled with zeros.
    pub fn pack(numbers: &[i16]) -> Vec<Self> {
        numbers
            .chunks(WIDTH)
            .map(|chunk| {
                let mut lanes = Self::ZERO;
                lanes.0[..chunk.len()].copy_from_slice(chunk);
                lanes
            })
            .collect()
    }
}

type AddSub = unsafe fn(&[Lanes], &[Lanes], &[Lanes], &mut [Lanes]);
type AddSubSub = unsafe fn(&[Lanes], &[Lanes], &[Lanes], &[Lanes], &mut [Lanes]);
type Refresh = unsafe fn(&[Lanes], &[Lanes], &[u16], &mut [Lanes]);
type Forward = unsafe fn(&[Lanes], &[Lanes], &[Lanes]) -> i32;

/// The four operations for one instruction set.
///
/// All slices of one call have the length of one hidden layer, except where
/// said otherwise; of unequal ones the shortest counts.
#[derive(Debug)]
pub struct Kernels {
    name: &'static str,
    add_sub: AddSub,
    add_sub_sub: AddSubSub,
    refresh: Refresh,
    forward: Forward,
}

macro_rules! kernels {
    ($name:literal, $module:ident) => {
        Kernels {
            name: $name,
            add_sub: $module::add_sub,
            add_sub_sub: $module::add_sub_sub,
            refresh: $module::refresh,
            forward: $module::forward,
        }
    };
}

static PORTABLE: Kernels = kernels!("portable", portable);
#[cfg(target_arch = "x86_64")]
static AVX2: Kernels = kernels!("avx2", avx2);
#[cfg(target_arch = "x86_64")]
static AVX512: Kernels = kernels!("avx512", avx512);

impl Kernels {
    /// The fastest that this processor can run, or the ones that the
    /// environment variable `CHUHE_SIMD` names.
    pub fn best() -> &'static Self {
        static BEST: LazyLock<&'static Kernels> = LazyLock::new(|| {
            let available = Kernels::available();
            let wanted = std::env::var(KERNELS_VARIABLE).unwrap_or_default();
            let forced = available.iter().find(|k| k.name == wanted);
            forced.copied().unwrap_or(available[0])
        });
        *BEST
    }

    /// All that this processor can run, the fastest first, never empty.
    pub fn available() -> Vec<&'static Self> {
        let mut kernels: Vec<&'static Self> = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512bw") && is_x86_feature_detected!("avx512vnni") {
                kernels.push(&AVX512);
            }
            if is_x86_feature_detected!("avx2") {
                kernels.push(&AVX2);
            }
        }
        kernels.push(&PORTABLE);
        kernels
    }

    /// `portable`, `avx2` or `avx512`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// `to = from + add - sub`.
    #[inline(always)]
    pub fn add_sub(&self, from: &[Lanes], add: &[Lanes], sub: &[Lanes], to: &mut [Lanes]) {
        // SAFETY: a `Kernels` is handed out only where the processor has its instructions.
        unsafe { (self.add_sub)(from, add, sub, to) }
    }

    /// `to = from + add - sub - taken`.
    #[inline(always)]
    pub fn add_sub_sub(
        &self,
        from: &[Lanes],
        add: &[Lanes],
        sub: &[Lanes],
        taken: &[Lanes],
        to: &mut [Lanes],
    ) {
        // SAFETY: a `Kernels` is handed out only where the processor has its instructions.
        unsafe { (self.add_sub_sub)(from, add, sub, taken, to) }
    }

    /// `to = bias + the sum of the rows of weights that inputs names`; `weights`
    /// holds rows of the length of `bias`.
    ///
    /// # Panics
    /// When `weights` has no such row.
    #[inline(always)]
    pub fn refresh(&self, bias: &[Lanes], weights: &[Lanes], inputs: &[u16], to: &mut [Lanes]) {
        // SAFETY: a `Kernels` is handed out only where the processor has its instructions.
        unsafe { (self.refresh)(bias, weights, inputs, to) }
    }

    /// The dot product of `own` then `other`, each clipped to 0..=[`QA`] and
    /// squared, with `weights` (twice their length, each weight within ±127).
    #[inline(always)]
    pub fn forward(&self, own: &[Lanes], other: &[Lanes], weights: &[Lanes]) -> i32 {
        // SAFETY: a `Kernels` is handed out only where the processor has its instructions.
        unsafe { (self.forward)(own, other, weights) }
    }
}
