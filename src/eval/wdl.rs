//! Chances of win, draw and loss behind a value.
//!
//! The two numbers are fitted to 10,912 games of self-play (1.04 million quiet
//! positions, 500 nodes a move) by `chuhe datagen --stats`, for positions with
//! 24 pieces; see the guide's chapter on training.

/// The value in centipawns at which a win is as likely as not.
const EVEN_WIN: f64 = 297.0;
/// How fast the chances change, in centipawns.
const SPREAD: f64 = 396.0;
const PER_MILLE: f64 = 1000.0;

fn win_chance(centipawns: i32) -> f64 {
    1.0 / (1.0 + ((EVEN_WIN - f64::from(centipawns)) / SPREAD).exp())
}

/// Chances of win, draw and loss for the side to move, per mille, of sum 1000.
pub fn wdl(centipawns: i32) -> [u16; 3] {
    let [win, loss] =
        [centipawns, -centipawns].map(|cp| (win_chance(cp) * PER_MILLE).round() as u16);
    [win, 1000 - win - loss, loss]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_sum_to_one_and_grow_with_the_value() {
        for cp in (-3000..3000).step_by(37) {
            let [win, draw, loss] = wdl(cp);
            assert_eq!(win + draw + loss, 1000);
            assert_eq!(wdl(-cp), [loss, draw, win]);
            assert!(wdl(cp + 50)[0] >= win);
        }
    }
}
