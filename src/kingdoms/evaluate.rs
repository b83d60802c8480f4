//! A position as seven chances of winning.
//!
//! Every team has a score, the weighted sum of its features; the chances are
//! the softmax of the scores (the share of `exp(score)` in the sum). They add
//! up to one, which is what the pruning of max^n rests on, and the weights are
//! those of a multinomial logistic regression, which is how they are tuned
//! (`examples/kingdoms_tune.rs`).

use super::scan::{AFTER, BEFORE, NOW, Reaches, Scan, reaches};
use super::weights::WEIGHTS;
use super::{KINDS, Kind, Outcome, Position, SEATS, Seat};

/// One number per team: `values[t - 1]` for team `t`. Without teams that is
/// one per player.
pub type Values = [f32; SEATS];

/// Number of features of a team.
pub const FEATURES: usize = Feature::Count as usize;

/// The features of a team after the first ten, which count the pieces it
/// commands by kind.
#[derive(Clone, Copy, Debug)]
pub(super) enum Feature {
    /// Share of the captures that win.
    Captures = KINDS as isize - 1,
    /// Its square.
    CapturesSquared,
    /// Conquests.
    Conquests,
    /// Share of the losses that fell a kingdom, squared.
    Losses,
    /// Living kingdoms.
    Living,
    /// Moves its pieces have, in hundreds.
    Mobility,
    /// Best capture of a seat that is to move.
    GainNow,
    /// Best capture of a seat that moves before the victim.
    GainBefore,
    /// Best capture of a seat that moves after the victim.
    GainAfter,
    /// The same three for the general of a living kingdom.
    HitNow,
    /// See above.
    HitBefore,
    /// See above.
    HitAfter,
    /// A hit by a seat to move that is the last conquest needed.
    WinNow,
    /// The same by another seat.
    WinLater,
    /// Best own piece attacked by somebody who moves earlier.
    HangsBefore,
    /// Best own piece attacked only by others.
    HangsAfter,
    /// Own kingdom about to fall to somebody who moves earlier.
    FallsBefore,
    /// Own kingdom about to fall to others.
    FallsAfter,
    /// Number of features.
    Count,
}

/// The features of a team.
pub type Features = [f32; FEATURES];

/// Whether a seat takes its turns.
pub(super) fn plays(position: &Position, seat: Seat) -> bool {
    position.is_alive(seat) && position.player(seat) != 0
}

/// The features of all teams, teams 1 to 7 in order; those of a team without
/// a living kingdom are zero.
pub fn features(position: &Position) -> [Features; SEATS] {
    features_of(position, &Standing::of(position), &reaches(position))
}

/// What only a capture changes.
#[derive(Clone)]
pub(super) struct Standing {
    /// Material and progress of each team.
    features: [Features; SEATS],
    /// Whether one more loss fells a kingdom.
    brink: [bool; SEATS],
    /// Whether one more conquest wins.
    wins: [bool; SEATS],
}

impl Standing {
    pub(super) fn of(position: &Position) -> Self {
        let mut features = [[0.0; FEATURES]; SEATS];
        for seat in Seat::ALL {
            if plays(position, seat) {
                let team = &mut features[position.team(seat) as usize - 1];
                add_material(position, seat, team);
                add_progress(position, seat, team);
            }
        }
        let needed = u32::from(position.options.kingdoms_to_win);
        let conquests = |seat| position.conquests_of_player(position.player(seat));
        Self {
            features,
            brink: Seat::ALL.map(|kingdom| is_on_brink(position, kingdom)),
            wins: Seat::ALL.map(|seat| conquests(seat) + 1 >= needed),
        }
    }
}

/// Whether one more loss fells a living kingdom.
fn is_on_brink(position: &Position, kingdom: Seat) -> bool {
    position.is_alive(kingdom) && position.losses(kingdom) >= u32::from(position.options.loss_limit)
}

/// The same from what stands and what can be done.
fn features_of(
    position: &Position,
    standing: &Standing,
    reaches: &[Reaches; SEATS],
) -> [Features; SEATS] {
    let mut features = standing.features;
    let scan = Scan::new(position.turn, &standing.brink, reaches);
    for seat in Seat::ALL {
        if plays(position, seat) {
            let team = &mut features[position.team(seat) as usize - 1];
            add_attacks(seat, standing, &scan, team);
        }
    }
    features
}

fn add_material(position: &Position, seat: Seat, team: &mut Features) {
    for kingdom in Seat::ALL {
        if position.commander(kingdom) == Some(seat) {
            for &square in position.men(kingdom) {
                let kind = position.board.content(square.cell()).kind_number();
                team[kind - 1] += 1.0;
            }
        }
    }
    // The general of the living kingdom is its life, not a piece.
    if position.board.general(seat).is_some() {
        team[Kind::General.index()] -= 1.0;
    }
}

fn add_progress(position: &Position, seat: Seat, team: &mut Features) {
    let player = position.player(seat);
    let options = &position.options;
    let is_first = Seat::ALL
        .into_iter()
        .find(|&s| plays(position, s) && position.player(s) == player);
    if is_first == Some(seat) {
        let needed = f32::from(options.capture_limit) + 1.0;
        let share = position.captures_of_player(player) as f32 / needed;
        team[Feature::Captures as usize] += share;
        team[Feature::CapturesSquared as usize] += share * share;
        let conquests = position.conquests_of_player(player) as f32;
        team[Feature::Conquests as usize] += conquests;
    }
    let lost = position.losses(seat) as f32 / (f32::from(options.loss_limit) + 1.0);
    team[Feature::Losses as usize] += lost * lost;
    team[Feature::Living as usize] += 1.0;
}

const PER_HUNDRED: f32 = 0.01;

fn add_attacks(seat: Seat, standing: &Standing, scan: &Scan, team: &mut Features) {
    let s = seat.index();
    let mut add = |feature: Feature, value: f32| team[feature as usize] += value;
    add(Feature::Mobility, scan.mobility[s] as f32 * PER_HUNDRED);
    add(Feature::GainNow, scan.gain[s][NOW]);
    add(Feature::GainBefore, scan.gain[s][BEFORE]);
    add(Feature::GainAfter, scan.gain[s][AFTER]);
    let hit = scan.hit[s].map(|h| f32::from(u8::from(h)));
    add(Feature::HitNow, hit[NOW]);
    add(Feature::HitBefore, hit[BEFORE]);
    add(Feature::HitAfter, hit[AFTER]);
    if standing.wins[s] {
        add(Feature::WinNow, hit[NOW]);
        add(Feature::WinLater, hit[BEFORE].max(hit[AFTER]));
    }
    add(Feature::HangsBefore, scan.hangs[s][0]);
    add(Feature::HangsAfter, scan.hangs[s][1]);
    let falls = scan.falls[s].map(|f| f32::from(u8::from(f)));
    add(Feature::FallsBefore, falls[0]);
    add(Feature::FallsAfter, falls[1]);
}

/// The chances of the teams with these features; a team without a living
/// kingdom has none.
pub fn chances(features: &[Features; SEATS], weights: &Features) -> Values {
    let lives = |f: &Features| f[Feature::Living as usize] > 0.0;
    let score = |f: &Features| f.iter().zip(weights).map(|(a, b)| a * b).sum::<f32>();
    let scores = [0, 1, 2, 3, 4, 5, 6].map(|t| score(&features[t]));
    let living = (0..SEATS).filter(|&t| lives(&features[t]));
    let top = living.fold(f32::MIN, |top, t| top.max(scores[t]));
    let mut values = [0.0; SEATS];
    for team in 0..SEATS {
        if lives(&features[team]) {
            values[team] = (scores[team] - top).exp();
        }
    }
    let sum: f32 = values.iter().sum();
    values.map(|v| v / sum)
}

/// The chances of all teams in a position where the game goes on.
pub fn evaluate(position: &Position) -> Values {
    chances(&features(position), &WEIGHTS)
}

/// The same from what stands and what each seat can do.
pub(super) fn evaluate_reaches(
    position: &Position,
    standing: &Standing,
    reaches: &[Reaches; SEATS],
) -> Values {
    chances(&features_of(position, standing, reaches), &WEIGHTS)
}

/// The values of a finished game: the winning teams share one.
pub(super) fn final_values(position: &Position, outcome: Outcome) -> Values {
    let mut values = [0.0; SEATS];
    for seat in Seat::ALL {
        if outcome.is_winner(position.player(seat)) && position.team(seat) != 0 {
            values[position.team(seat) as usize - 1] = 1.0;
        }
    }
    let sum: f32 = values.iter().sum();
    values.map(|v| v / sum.max(1.0))
}
