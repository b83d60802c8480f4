//! Ratings of many players from all their games.
//!
//! The model of Bradley and Terry (*Rank analysis of incomplete block
//! designs*, Biometrika 39, 1952): the chance of each point is the logistic
//! curve of the rating difference, a draw counts half a point for either.
//! Newton's method finds the ratings of greatest likelihood. The error bars
//! come from the "sandwich" covariance (P. Huber 1967, H. White 1982): the
//! curvature of the likelihood around the scatter of points that was seen, so
//! that draws make them narrower, as they should.

use super::{ELO_PER_LOGIT, Wdl, Z95};
use serde::Serialize;

/// The games between two players, counted for the first one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meeting {
    /// The two players' numbers.
    pub players: (usize, usize),
    /// The results for the first.
    pub wdl: Wdl,
}

/// A player's place in the list.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Rating {
    /// The player's number.
    pub player: usize,
    /// Elo, the mean of the list being 0.
    pub elo: f64,
    /// Half width of the 95 % interval.
    pub error: f64,
    /// Games played.
    pub games: u64,
    /// Points made.
    pub points: f64,
}

/// All players, the strongest first.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RatingList {
    /// The ratings.
    pub ratings: Vec<Rating>,
    /// The results alone do not bound all differences (somebody has lost or
    /// won everything, or players are not connected by games): one drawn game
    /// between every two players was added.
    pub with_prior: bool,
}

/// Rates `players` players by their meetings.
pub fn rate(players: usize, meetings: &[Meeting]) -> RatingList {
    let mut cells: Vec<Cell> = meetings.iter().filter_map(Cell::new).collect();
    let with_prior = !is_bounded(players, &cells);
    if with_prior {
        cells.extend(couples(players).map(|(first, second)| Cell::draw(first, second)));
    }
    let logits = maximise(players, &cells);
    let errors = standard_errors(players, &cells, &logits);
    let rating = |player: usize| Rating {
        player,
        elo: ELO_PER_LOGIT * logits[player],
        error: Z95 * ELO_PER_LOGIT * errors[player],
        games: games(player, meetings).games(),
        points: games(player, meetings).points(),
    };
    let mut ratings: Vec<Rating> = (0..players).map(rating).collect();
    ratings.sort_by(|a, b| b.elo.total_cmp(&a.elo).then(a.player.cmp(&b.player)));
    RatingList {
        ratings,
        with_prior,
    }
}

/// Every two players, once.
fn couples(players: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..players).flat_map(move |first| (first + 1..players).map(move |second| (first, second)))
}

/// All games of a player.
fn games(player: usize, meetings: &[Meeting]) -> Wdl {
    let mut sum = Wdl::default();
    for meeting in meetings {
        if meeting.players.0 == player {
            sum += meeting.wdl;
        } else if meeting.players.1 == player {
            sum += meeting.wdl.reversed();
        }
    }
    sum
}

/// A meeting as numbers.
struct Cell {
    first: usize,
    second: usize,
    games: f64,
    points: f64,
    /// Variance of the points of one game.
    variance: f64,
}

impl Cell {
    fn new(meeting: &Meeting) -> Option<Self> {
        let games = meeting.wdl.games() as f64;
        if games == 0.0 {
            return None;
        }
        let points = meeting.wdl.points();
        let squares = meeting.wdl.wins as f64 + meeting.wdl.draws as f64 / 4.0;
        let (first, second) = meeting.players;
        Some(Self {
            first,
            second,
            games,
            points,
            variance: squares / games - (points / games).powi(2),
        })
    }

    fn draw(first: usize, second: usize) -> Self {
        Self {
            first,
            second,
            games: 1.0,
            points: 0.5,
            variance: 0.25,
        }
    }

    /// The first player's expected score in a game.
    fn expected(&self, logits: &[f64]) -> f64 {
        1.0 / (1.0 + (logits[self.second] - logits[self.first]).exp())
    }
}

/// L. R. Ford (*Solution of a ranking problem from binary comparisons*,
/// 1957): the likelihood has a maximum when in every split of the players in
/// two groups each group has made points against the other.
fn is_bounded(players: usize, cells: &[Cell]) -> bool {
    let reaches_all = |forward: bool| {
        let mut seen = vec![false; players];
        let mut open = vec![0];
        while let Some(player) = open.pop() {
            if std::mem::replace(&mut seen[player], true) {
                continue;
            }
            for cell in cells {
                let scored = [cell.points > 0.0, cell.points < cell.games];
                let [from_first, from_second] = if forward {
                    scored
                } else {
                    [scored[1], scored[0]]
                };
                if cell.first == player && from_first {
                    open.push(cell.second);
                }
                if cell.second == player && from_second {
                    open.push(cell.first);
                }
            }
        }
        seen.into_iter().all(|s| s)
    };
    players == 0 || (reaches_all(true) && reaches_all(false))
}

/// Natural-logarithm strengths of sum 0 of greatest likelihood.
fn maximise(players: usize, cells: &[Cell]) -> Vec<f64> {
    const STEPS: usize = 200;
    const ENOUGH: f64 = 1e-10;
    const LONGEST_STEP: f64 = 1.0;
    let mut logits = vec![0.0; players];
    for _ in 0..STEPS {
        let mut gradient = vec![0.0; players];
        for cell in cells {
            let surplus = cell.points - cell.games * cell.expected(&logits);
            gradient[cell.first] += surplus;
            gradient[cell.second] -= surplus;
        }
        let inverse = curvature_inverse(players, cells, &logits);
        let step = times(&inverse, &gradient);
        let longest = step.iter().fold(0.0, |max: f64, s| max.max(s.abs()));
        let scale = (LONGEST_STEP / longest).min(1.0);
        for (logit, step) in logits.iter_mut().zip(&step) {
            *logit += scale * step;
        }
        if longest < ENOUGH {
            break;
        }
    }
    logits
}

type Matrix = Vec<Vec<f64>>;

/// The sum over the cells of `weight * (e_first - e_second)(...)^T`.
fn laplacian(players: usize, cells: &[Cell], weight: impl Fn(&Cell) -> f64) -> Matrix {
    let mut sum = vec![vec![0.0; players]; players];
    for cell in cells {
        let w = weight(cell);
        sum[cell.first][cell.first] += w;
        sum[cell.second][cell.second] += w;
        sum[cell.first][cell.second] -= w;
        sum[cell.second][cell.first] -= w;
    }
    sum
}

/// The inverse of the likelihood's curvature on the strengths of sum 0: the
/// matrix of ones fills the direction that does not count.
fn curvature_inverse(players: usize, cells: &[Cell], logits: &[f64]) -> Matrix {
    let mut curvature = laplacian(players, cells, |cell| {
        let expected = cell.expected(logits);
        cell.games * expected * (1.0 - expected)
    });
    let fill = 1.0 / players as f64;
    curvature.iter_mut().flatten().for_each(|x| *x += fill);
    let mut inverse = inverted(curvature);
    inverse.iter_mut().flatten().for_each(|x| *x -= fill);
    inverse
}

fn standard_errors(players: usize, cells: &[Cell], logits: &[f64]) -> Vec<f64> {
    let bread = curvature_inverse(players, cells, logits);
    let filling = laplacian(players, cells, |cell| cell.games * cell.variance);
    let variance = |row: &Vec<f64>| -> f64 {
        let product = times(&filling, row);
        product.iter().zip(row).map(|(a, b)| a * b).sum()
    };
    bread
        .iter()
        .map(|row| variance(row).max(0.0).sqrt())
        .collect()
}

fn times(matrix: &Matrix, vector: &[f64]) -> Vec<f64> {
    let dot = |row: &Vec<f64>| row.iter().zip(vector).map(|(a, b)| a * b).sum();
    matrix.iter().map(dot).collect()
}

/// Gauss-Jordan elimination; the matrix is symmetric and positive definite.
fn inverted(mut matrix: Matrix) -> Matrix {
    let n = matrix.len();
    let unit = |i: usize| (0..n).map(|j| f64::from(u8::from(i == j))).collect();
    let mut inverse: Matrix = (0..n).map(unit).collect();
    for pivot in 0..n {
        let scale = 1.0 / matrix[pivot][pivot];
        matrix[pivot].iter_mut().for_each(|x| *x *= scale);
        inverse[pivot].iter_mut().for_each(|x| *x *= scale);
        for row in (0..n).filter(|&row| row != pivot) {
            let factor = matrix[row][pivot];
            for column in 0..n {
                matrix[row][column] -= factor * matrix[pivot][column];
                inverse[row][column] -= factor * inverse[pivot][column];
            }
        }
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::stats::{Estimate, Outcome, score_of_elo};

    fn meeting(first: usize, second: usize, wins: u64, draws: u64, losses: u64) -> Meeting {
        Meeting {
            players: (first, second),
            wdl: Wdl {
                wins,
                draws,
                losses,
            },
        }
    }

    /// Baseball, American League East 1987, in A. Agresti, *Categorical Data
    /// Analysis* (2nd edition, 2002), section 10.6 and table 10.11: strengths
    /// over Baltimore's, with standard errors of about 0.3.
    #[test]
    fn the_published_baseball_ratings() {
        const WINS: [[u64; 7]; 7] = [
            [0, 7, 9, 7, 7, 9, 11],
            [6, 0, 7, 5, 11, 9, 9],
            [4, 6, 0, 7, 7, 8, 12],
            [6, 8, 6, 0, 6, 7, 10],
            [6, 2, 6, 7, 0, 7, 12],
            [4, 4, 5, 6, 6, 0, 6],
            [2, 4, 1, 3, 1, 7, 0],
        ];
        let couple = |(a, b): (usize, usize)| meeting(a, b, WINS[a][b], 0, WINS[b][a]);
        let meetings: Vec<Meeting> = couples(WINS.len()).map(couple).collect();
        let list = rate(7, &meetings);
        assert!(!list.with_prior);
        let logit = |player| {
            let rating = list.ratings.iter().find(|r| r.player == player).unwrap();
            rating.elo / ELO_PER_LOGIT
        };
        for (team, published) in [1.58, 1.44, 1.29, 1.25, 1.11, 0.68].iter().enumerate() {
            let found = logit(team) - logit(6);
            assert!((found - published).abs() < 0.006, "{team}: {found}");
        }
        // From the mean the errors are smaller than from Baltimore's 0.3.
        for rating in &list.ratings {
            let error = rating.error / Z95 / ELO_PER_LOGIT;
            assert!((0.18..0.3).contains(&error), "{error}");
        }
    }

    #[test]
    fn two_players_agree_with_the_plain_formula() {
        let games = meeting(0, 1, 50, 60, 30);
        let list = rate(2, &[games]);
        let plain = Estimate::of_games(games.wdl).unwrap();
        let difference = list.ratings[0].elo - list.ratings[1].elo;
        assert!((difference - plain.elo.value).abs() < 1e-6);
        // Each of two opposite ratings carries half the difference's error.
        let error = list.ratings[0].error + list.ratings[1].error;
        assert!((error - plain.elo.error()).abs() < 0.5);
    }

    #[test]
    fn lost_cases_get_a_prior_and_stay_finite() {
        let list = rate(3, &[meeting(0, 1, 10, 0, 0)]);
        assert!(list.with_prior);
        assert!(list.ratings.iter().all(|r| r.elo.is_finite()));
        assert_eq!(list.ratings[0].player, 0);
        assert!(rate(0, &[]).ratings.is_empty());
    }

    /// Four players of known strength: the ratings come back, and 95 % of the
    /// error bars hold the truth.
    #[test]
    fn simulated_tournaments() {
        const TRUTH: [f64; 4] = [120.0, 20.0, -40.0, -100.0];
        let mut rng = fastrand::Rng::with_seed(5);
        let (mut held, mut runs) = (0, 0);
        for _ in 0..300 {
            let mut play = |players: (usize, usize)| {
                let win = score_of_elo(TRUTH[players.0] - TRUTH[players.1]) - 0.15;
                let mut wdl = Wdl::default();
                for _ in 0..60 {
                    wdl.add(match rng.f64() {
                        x if x < win => Outcome::Win,
                        x if x < win + 0.3 => Outcome::Draw,
                        _ => Outcome::Loss,
                    });
                }
                Meeting { players, wdl }
            };
            let meetings: Vec<Meeting> = couples(TRUTH.len()).map(&mut play).collect();
            for rating in rate(4, &meetings).ratings {
                runs += 1;
                held += usize::from((rating.elo - TRUTH[rating.player]).abs() <= rating.error);
            }
        }
        let share = held as f64 / runs as f64;
        assert!((0.93..0.97).contains(&share), "{share}");
    }
}
