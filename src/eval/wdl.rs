//! The scale of values: the chances of win, draw and loss behind them, and
//! the centipawns that users see.
//!
//! Search, net and stored games count in *points*, whatever size those came
//! out of training with. What points are worth is fitted to games of the
//! engine with itself by `chuhe datagen --stats`; the guide's chapter on
//! training tells which games. Of centipawns, 100 are an even chance to win
//! with [`REFERENCE_PIECES`] on the board. Points are turned into centipawns
//! here and nowhere else.

/// Numbers of pieces, kings included, for which a model says what it holds.
pub const KNOTS: [u8; 5] = [6, 12, 18, 24, 32];
/// Which of the [`KNOTS`] centipawns go by.
const REFERENCE: usize = 3;
/// The number of pieces for which 100 centipawns are an even chance to win.
pub const REFERENCE_PIECES: u8 = KNOTS[REFERENCE];
/// Centipawns of an even chance to win.
const EVEN_CENTIPAWNS: i32 = 100;
const PER_MILLE: f64 = 1000.0;

/// The chances behind points: a win has `1 / (1 + exp((a - points) / b))`, a
/// loss the same of the negated points, a draw the rest; `b` has one value
/// below `a` and another above, where the chance changes faster. All three
/// numbers are given at the [`KNOTS`] and run straight between them. The
/// logistic form is that of the Stockfish project's win rate model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Model {
    /// `a`, the points at which a win is as likely as not; not negative.
    pub even_win: [f64; KNOTS.len()],
    /// `b` below `a`: how fast the chance to win changes, in points; positive.
    pub below: [f64; KNOTS.len()],
    /// `b` above `a`; positive.
    pub above: [f64; KNOTS.len()],
}

/// The model of the engine, fitted to its games.
pub const FITTED: Model = Model {
    even_win: [472.0, 448.0, 344.0, 245.0, 162.0],
    below: [156.0, 158.0, 293.0, 320.0, 268.0],
    above: [199.0, 112.0, 150.0, 204.0, 209.0],
};

/// The points of [`EVEN_CENTIPAWNS`].
const EVEN_POINTS: i32 = FITTED.even_win[REFERENCE] as i32;

impl Model {
    /// `a` and `b` below and above it with so many pieces.
    pub fn at(&self, pieces: f64) -> [f64; 3] {
        [&self.even_win, &self.below, &self.above].map(|values| between(values, pieces))
    }

    /// Chances of win, draw and loss, of sum 1, for the side that has so many
    /// points with so many pieces on the board.
    pub fn chances(&self, points: f64, pieces: f64) -> [f64; 3] {
        let [even, below, above] = self.at(pieces);
        let win = |points: f64| {
            let spread = if points < even { below } else { above };
            1.0 / (1.0 + ((even - points) / spread).exp())
        };
        // Far out, where hardly a draw is left, the weaker side keeps its
        // chance.
        let weaker = win(-points.abs());
        let stronger = win(points.abs()).min(1.0 - weaker);
        for_side(points, [stronger, 1.0 - stronger - weaker, weaker])
    }
}

/// The value at a number of pieces, from those at the [`KNOTS`]; beyond them
/// it is that of the nearest.
fn between(values: &[f64; KNOTS.len()], pieces: f64) -> f64 {
    let inner = &KNOTS[1..KNOTS.len() - 1];
    let knot = inner.partition_point(|&knot| f64::from(knot) <= pieces);
    let [from, to] = [knot, knot + 1].map(|knot| f64::from(KNOTS[knot]));
    let part = ((pieces - from) / (to - from)).clamp(0.0, 1.0);
    values[knot] * (1.0 - part) + values[knot + 1] * part
}

/// The chances of a side, from those of the one that is ahead.
fn for_side<T>(points: f64, [win, draw, loss]: [T; 3]) -> [T; 3] {
    if points < 0.0 {
        [loss, draw, win]
    } else {
        [win, draw, loss]
    }
}

/// Chances of win, draw and loss for the side that has so many points, per
/// mille, of sum 1000.
pub fn wdl(points: i32, pieces: usize) -> [u16; 3] {
    let points = f64::from(points);
    let [win, _, loss] = FITTED.chances(points, pieces as f64);
    let weaker = (win.min(loss) * PER_MILLE).round();
    let stronger = (win.max(loss) * PER_MILLE).round().min(PER_MILLE - weaker);
    let chances = [stronger, PER_MILLE - stronger - weaker, weaker];
    for_side(points, chances.map(|chance| chance as u16))
}

/// Points as the centipawns that users see, rounded.
pub const fn centipawns(points: i32) -> i32 {
    let size = (points.abs() * EVEN_CENTIPAWNS + EVEN_POINTS / 2) / EVEN_POINTS;
    points.signum() * size
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pieces with which the tests look.
    const COUNTS: [usize; 6] = [2, 8, 13, 24, 31, 32];

    #[test]
    fn chances_sum_to_one_are_symmetric_and_grow_with_the_points() {
        for (points, pieces) in (-3000..3000)
            .step_by(37)
            .flat_map(|points| COUNTS.map(|pieces| (points, pieces)))
        {
            let [win, draw, loss] = wdl(points, pieces);
            assert_eq!(win + draw + loss, 1000);
            assert_eq!(wdl(-points, pieces), [loss, draw, win]);
            let [more, _, less] = wdl(points + 50, pieces);
            assert!(more >= win && less <= loss);
        }
    }

    #[test]
    fn a_hundred_centipawns_are_an_even_chance_to_win() {
        let pieces = usize::from(REFERENCE_PIECES);
        assert_eq!(centipawns(EVEN_POINTS), 100);
        assert_eq!(wdl(EVEN_POINTS, pieces)[0], 500);
        assert_eq!(wdl(-EVEN_POINTS, pieces)[2], 500);
        for points in -2000..2000 {
            let [win, _, _] = wdl(points, pieces);
            assert!(centipawns(points) < 100 || win >= 498, "{points}");
            assert!(centipawns(points) > 100 || win <= 502, "{points}");
        }
    }

    #[test]
    fn centipawns_are_symmetric_and_never_fall() {
        for points in 0..15_000 {
            assert_eq!(centipawns(-points), -centipawns(points));
            assert!((0..=1).contains(&(centipawns(points + 1) - centipawns(points))));
        }
    }

    #[test]
    fn values_at_the_knots_are_met_and_kept_beyond() {
        for (i, &pieces) in KNOTS.iter().enumerate() {
            assert_eq!(between(&FITTED.even_win, pieces.into()), FITTED.even_win[i]);
        }
        assert_eq!(between(&FITTED.below, 2.0), FITTED.below[0]);
        assert_eq!(between(&[0.0, 6.0, 0.0, 0.0, 8.0], 11.0), 5.0);
        assert_eq!(between(&[0.0, 6.0, 0.0, 0.0, 8.0], 31.0), 7.0);
    }

    #[test]
    fn fewer_pieces_need_more_for_a_win() {
        assert!(FITTED.even_win.is_sorted_by(|few, many| few >= many));
        let draws = [6, 12, 18, 24, 32].map(|pieces| wdl(0, pieces)[1]);
        assert!(draws.is_sorted_by(|few, many| few > many), "{draws:?}");
    }
}
