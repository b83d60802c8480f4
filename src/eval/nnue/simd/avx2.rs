//! The kernels with AVX2: one [`Lanes`] is two registers.

use super::{Lanes, QA};
use std::arch::x86_64::*;

#[inline]
#[target_feature(enable = "avx2")]
fn load(lanes: &Lanes) -> [__m256i; 2] {
    let at = std::ptr::from_ref(lanes).cast::<__m256i>();
    // SAFETY: `Lanes` is 64 bytes, aligned to 64.
    unsafe { [_mm256_load_si256(at), _mm256_load_si256(at.add(1))] }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store(lanes: &mut Lanes, [low, high]: [__m256i; 2]) {
    let at = std::ptr::from_mut(lanes).cast::<__m256i>();
    // SAFETY: `Lanes` is 64 bytes, aligned to 64.
    unsafe {
        _mm256_store_si256(at, low);
        _mm256_store_si256(at.add(1), high);
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn add(a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
    [_mm256_add_epi16(a[0], b[0]), _mm256_add_epi16(a[1], b[1])]
}

#[inline]
#[target_feature(enable = "avx2")]
fn sub(a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
    [_mm256_sub_epi16(a[0], b[0]), _mm256_sub_epi16(a[1], b[1])]
}

#[target_feature(enable = "avx2")]
pub(super) fn add_sub(from: &[Lanes], plus: &[Lanes], minus: &[Lanes], to: &mut [Lanes]) {
    for (((to, from), plus), minus) in to.iter_mut().zip(from).zip(plus).zip(minus) {
        store(to, sub(add(load(from), load(plus)), load(minus)));
    }
}

#[target_feature(enable = "avx2")]
pub(super) fn add_sub_sub(
    from: &[Lanes],
    plus: &[Lanes],
    minus: &[Lanes],
    taken: &[Lanes],
    to: &mut [Lanes],
) {
    let rows = from.iter().zip(plus).zip(minus).zip(taken);
    for (to, (((from, plus), minus), taken)) in to.iter_mut().zip(rows) {
        let moved = sub(add(load(from), load(plus)), load(minus));
        store(to, sub(moved, load(taken)));
    }
}

#[target_feature(enable = "avx2")]
pub(super) fn refresh(bias: &[Lanes], weights: &[Lanes], inputs: &[u16], to: &mut [Lanes]) {
    for (i, (to, bias_lanes)) in to.iter_mut().zip(bias).enumerate() {
        let mut sum = load(bias_lanes);
        for &input in inputs {
            sum = add(sum, load(&weights[input as usize * bias.len() + i]));
        }
        store(to, sum);
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn term(value: __m256i, weight: __m256i) -> __m256i {
    let clipped = _mm256_min_epi16(
        _mm256_max_epi16(value, _mm256_setzero_si256()),
        _mm256_set1_epi16(QA),
    );
    _mm256_madd_epi16(_mm256_mullo_epi16(clipped, weight), clipped)
}

#[target_feature(enable = "avx2")]
pub(super) fn forward(own: &[Lanes], other: &[Lanes], weights: &[Lanes]) -> i32 {
    let mut sums = [_mm256_setzero_si256(); 2];
    for (value, weight) in own.iter().chain(other).zip(weights) {
        let (value, weight) = (load(value), load(weight));
        for i in 0..2 {
            sums[i] = _mm256_add_epi32(sums[i], term(value[i], weight[i]));
        }
    }
    horizontal_sum(_mm256_add_epi32(sums[0], sums[1]))
}

#[inline]
#[target_feature(enable = "avx2")]
fn horizontal_sum(lanes: __m256i) -> i32 {
    let (low, high) = (
        _mm256_castsi256_si128(lanes),
        _mm256_extracti128_si256::<1>(lanes),
    );
    let four = _mm_add_epi32(low, high);
    let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
    let one = _mm_add_epi32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two));
    _mm_cvtsi128_si32(one)
}
