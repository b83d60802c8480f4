//! The kernels with AVX-512 BW and VNNI: one [`Lanes`] is one register.

use super::{Lanes, QA};
use std::arch::x86_64::*;

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn load(lanes: &Lanes) -> __m512i {
    // SAFETY: `Lanes` is 64 bytes, aligned to 64.
    unsafe { _mm512_load_si512(std::ptr::from_ref(lanes).cast()) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn store(lanes: &mut Lanes, value: __m512i) {
    // SAFETY: `Lanes` is 64 bytes, aligned to 64.
    unsafe { _mm512_store_si512(std::ptr::from_mut(lanes).cast(), value) }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub(super) fn add_sub(from: &[Lanes], plus: &[Lanes], minus: &[Lanes], to: &mut [Lanes]) {
    for (((to, from), plus), minus) in to.iter_mut().zip(from).zip(plus).zip(minus) {
        let sum = _mm512_add_epi16(load(from), load(plus));
        store(to, _mm512_sub_epi16(sum, load(minus)));
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub(super) fn add_sub_sub(
    from: &[Lanes],
    plus: &[Lanes],
    minus: &[Lanes],
    taken: &[Lanes],
    to: &mut [Lanes],
) {
    let rows = from.iter().zip(plus).zip(minus).zip(taken);
    for (to, (((from, plus), minus), taken)) in to.iter_mut().zip(rows) {
        let sum = _mm512_add_epi16(load(from), load(plus));
        let moved = _mm512_sub_epi16(sum, load(minus));
        store(to, _mm512_sub_epi16(moved, load(taken)));
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub(super) fn refresh(bias: &[Lanes], weights: &[Lanes], inputs: &[u16], to: &mut [Lanes]) {
    for (i, (to, bias_lanes)) in to.iter_mut().zip(bias).enumerate() {
        let mut sum = load(bias_lanes);
        for &input in inputs {
            sum = _mm512_add_epi16(sum, load(&weights[input as usize * bias.len() + i]));
        }
        store(to, sum);
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub(super) fn forward(own: &[Lanes], other: &[Lanes], weights: &[Lanes]) -> i32 {
    let (own_weights, other_weights) = weights.split_at(own.len().min(weights.len()));
    let mut sums = [_mm512_setzero_si512(); 2];
    for (view, (values, weights)) in [(own, own_weights), (other, other_weights)]
        .into_iter()
        .enumerate()
    {
        for (value, weight) in values.iter().zip(weights) {
            sums[view] = accumulate(sums[view], load(value), load(weight));
        }
    }
    _mm512_reduce_add_epi32(_mm512_add_epi32(sums[0], sums[1]))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn accumulate(sum: __m512i, value: __m512i, weight: __m512i) -> __m512i {
    let positive = _mm512_max_epi16(value, _mm512_setzero_si512());
    let clipped = _mm512_min_epi16(positive, _mm512_set1_epi16(QA));
    _mm512_dpwssd_epi32(sum, _mm512_mullo_epi16(clipped, weight), clipped)
}
