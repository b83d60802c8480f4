//! The kernels in plain Rust: the specification of the others.

use super::{Lanes, QA, WIDTH};

pub(super) fn add_sub(from: &[Lanes], add: &[Lanes], sub: &[Lanes], to: &mut [Lanes]) {
    for (((to, from), add), sub) in to.iter_mut().zip(from).zip(add).zip(sub) {
        for i in 0..WIDTH {
            to.0[i] = from.0[i].wrapping_add(add.0[i]).wrapping_sub(sub.0[i]);
        }
    }
}

pub(super) fn add_sub_sub(
    from: &[Lanes],
    add: &[Lanes],
    sub: &[Lanes],
    taken: &[Lanes],
    to: &mut [Lanes],
) {
    add_sub(from, add, sub, to);
    for (to, taken) in to.iter_mut().zip(taken) {
        for i in 0..WIDTH {
            to.0[i] = to.0[i].wrapping_sub(taken.0[i]);
        }
    }
}

pub(super) fn refresh(bias: &[Lanes], weights: &[Lanes], inputs: &[u16], to: &mut [Lanes]) {
    to.copy_from_slice(bias);
    for &input in inputs {
        let row = &weights[input as usize * bias.len()..][..bias.len()];
        for (to, row) in to.iter_mut().zip(row) {
            for i in 0..WIDTH {
                to.0[i] = to.0[i].wrapping_add(row.0[i]);
            }
        }
    }
}

pub(super) fn forward(own: &[Lanes], other: &[Lanes], weights: &[Lanes]) -> i32 {
    let mut sum = 0i32;
    for (value, weight) in own.iter().chain(other).zip(weights) {
        for i in 0..WIDTH {
            let clipped = value.0[i].clamp(0, QA);
            let product = clipped.wrapping_mul(weight.0[i]);
            sum = sum.wrapping_add(i32::from(product) * i32::from(clipped));
        }
    }
    sum
}
