//! The trainer: its gradient against numbers, what it can learn, and whether
//! float and 16-bit nets agree.

use chuhe::board::{Color, Piece, PieceKind, Position};
use chuhe::eval::classical;
use chuhe::eval::nnue::Network;
use chuhe::eval::nnue::features::{BUCKETS, SWAPPED, bucket};
use chuhe::training::checkpoint;
use chuhe::training::curve;
use chuhe::training::games::{Block, Ending, GameRecord, GameResult, Source};
use chuhe::training::metrics::{fit_scale, measure};
use chuhe::training::model::{Model, sigmoid};
use chuhe::training::sample::{Filter, Labels, Sample, Samples};
use chuhe::training::trainer::{Plan, State};

const H: usize = 32;

/// Values that a planted evaluation gives to the kinds, in centipawns.
const PLANTED: [i16; 7] = [0, 20, 25, 90, 200, 95, 30];

/// Positions of random games with captures, so that material differs.
fn positions(count: usize, seed: u64) -> Vec<Position> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut all = Vec::new();
    while all.len() < count {
        let mut pos = Position::startpos();
        for _ in 0..150 {
            let moves = pos.legal_moves();
            let Some(&mv) = random.choice(moves.iter()) else {
                break;
            };
            pos.make(mv);
            if random.u8(..8) == 0 {
                all.push(pos.clone());
            }
        }
    }
    all.truncate(count);
    all
}

fn material(pos: &Position) -> i16 {
    let of = |color: Color| -> i16 {
        let count = |kind: PieceKind| pos.pieces(color, kind).len() as i16;
        PieceKind::ALL
            .map(|kind| PLANTED[kind.index()] * count(kind))
            .iter()
            .sum()
    };
    of(pos.side_to_move()) - of(!pos.side_to_move())
}

fn samples(count: usize, seed: u64) -> Vec<Sample> {
    positions(count, seed)
        .iter()
        .map(|pos| Sample::new(pos, material(pos), 0))
        .collect()
}

/// The loss of a sample in double precision, written down once more.
fn reference_loss(model: &Model<H>, sample: &Sample, target: f64) -> f64 {
    let bucket = bucket(sample.active().len());
    let mut output = f64::from(model.output_bias[bucket]);
    for view in 0..2 {
        for i in 0..H {
            let mut hidden = f64::from(model.input_bias[i]);
            for &own in sample.active() {
                let input = if view == 0 {
                    own
                } else {
                    SWAPPED[own as usize]
                };
                hidden += f64::from(model.input_weights[input as usize][i]);
            }
            let clipped = hidden.clamp(0.0, 1.0);
            output += clipped * clipped * f64::from(model.output_weights[bucket][view][i]);
        }
    }
    (1.0 / (1.0 + (-output).exp()) - target).powi(2)
}

/// Picks a weight by input, bucket and hidden value.
type Place = fn(&mut Model<H>, usize, usize, usize) -> &mut f32;

#[test]
fn gradient_is_the_slope_of_the_loss() {
    const STEP: f32 = 1e-3;
    let mut random = fastrand::Rng::with_seed(3);
    for (number, sample) in samples(12, 5).iter().enumerate() {
        let mut model = Model::<H>::random(number as u64);
        let target = random.f32();
        let mut gradient = Model::zero();
        model.backward(sample, false, target, 1.0, &mut gradient);
        let bucket = bucket(sample.active().len());
        // One weight of each kind that the sample touches, at random places.
        for _ in 0..40 {
            let i = random.usize(..H);
            let input = *random.choice(sample.active()).unwrap();
            let input = if random.bool() {
                input
            } else {
                SWAPPED[input as usize]
            } as usize;
            let places: [Place; 4] = [
                |m, input, _, i| &mut m.input_weights[input][i],
                |m, _, _, i| &mut m.input_bias[i],
                |m, _, bucket, i| &mut m.output_weights[bucket][i % 2][i],
                |m, _, bucket, _| &mut m.output_bias[bucket],
            ];
            for (kind, place) in places.into_iter().enumerate() {
                let mut loss_at = |change: f32| {
                    let weight = place(&mut model, input, bucket, i);
                    let before = *weight;
                    *weight = before + change;
                    let exact = f64::from(*weight);
                    let loss = reference_loss(&model, sample, f64::from(target));
                    *place(&mut model, input, bucket, i) = before;
                    (exact, loss)
                };
                let ((x1, y1), (x0, y0)) = (loss_at(STEP), loss_at(-STEP));
                let numeric = (y1 - y0) / (x1 - x0);
                let analytic = f64::from(*place(&mut gradient, input, bucket, i));
                // A hidden value at the kink of the clipping has no slope.
                let tolerance = 2e-3 * numeric.abs().max(0.05);
                assert!(
                    (numeric - analytic).abs() < tolerance,
                    "{kind}: {numeric} {analytic}"
                );
            }
        }
    }
}

#[test]
fn mirror_images_are_learnt_as_mirrored_positions() {
    let model = Model::<H>::random(9);
    for pos in positions(50, 1) {
        let sample = Sample::new(&pos, 0, 0);
        let image = Sample::new(&pos.mirrored(), 0, 0);
        let difference = model.output(&sample, true) - model.output(&image, false);
        assert!(difference.abs() < 1e-5);
    }
}

#[test]
fn results_and_scores_are_those_of_the_side_to_move() {
    let mut pos = Position::startpos();
    assert_eq!(Sample::new(&pos, 7, 1).result, 1);
    pos.make("h2e2".parse().unwrap());
    let sample = Sample::new(&pos, 7, 1);
    assert_eq!((sample.result, sample.score, sample.pieces), (-1, 7, 32));
}

fn trained(plan: &Plan, training: Vec<Sample>, validation: Vec<Sample>) -> (State<H>, Samples) {
    let samples = Samples::of(training, validation);
    let mut state = State::new(plan);
    for _ in 0..plan.epochs {
        state.run_epoch(plan, &samples, &mut |_| true);
    }
    (state, samples)
}

fn quick_plan() -> Plan {
    Plan {
        epochs: 30,
        batch: 256,
        rate: 5e-3,
        warm_up: 10,
        blend: 0.0,
        ..Plan::default()
    }
}

#[test]
fn a_net_learns_planted_piece_values() {
    let plan = quick_plan();
    let (state, held_out) = trained(&plan, samples(8000, 1), samples(500, 2));
    let metrics = measure(&plan, &held_out.validation, |s| {
        state.model.output(s, false)
    });
    assert!(metrics.score_correlation > 0.97, "{metrics:?}");
    let value = |fen: &str| {
        let sample = Sample::new(&fen.parse().unwrap(), 0, 0);
        state.model.output(&sample, false) * plan.scale
    };
    let full = value("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1");
    let no_rook = value("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/1NBAKABNR w - - 0 1");
    let no_knight = value("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/R1BAKABNR w - - 0 1");
    assert!(full.abs() < 40.0, "{full}");
    assert!((full - no_rook - 200.0).abs() < 80.0, "{full} {no_rook}");
    assert!((full - no_knight - 90.0).abs() < 50.0, "{full} {no_knight}");
}

#[test]
fn a_net_can_learn_a_thousand_positions_by_heart() {
    let mut random = fastrand::Rng::with_seed(8);
    let mut training = samples(1000, 3);
    training
        .iter_mut()
        .for_each(|s| s.score = random.i16(-400..=400));
    let plan = Plan {
        epochs: 150,
        batch: 128,
        mirror: false,
        ..quick_plan()
    };
    let (state, _) = trained(&plan, training.clone(), training.clone());
    let error = measure(&plan, &training, |s| state.model.output(s, false)).loss;
    let unlearnt = measure(&plan, &training, |_| 0.0).loss;
    assert!(error < unlearnt / 50.0, "{error} of {unlearnt}");
}

#[test]
fn a_net_with_one_output_has_equal_buckets() {
    let model = |one_output| {
        let plan = Plan {
            epochs: 3,
            one_output,
            ..quick_plan()
        };
        trained(&plan, samples(3000, 1), samples(100, 2)).0.model
    };
    let (one, many) = (model(true), model(false));
    assert_ne!(many.output_bias[0], many.output_bias[BUCKETS - 1]);
    assert!(
        one.output_weights
            .iter()
            .all(|b| *b == one.output_weights[0])
    );
    assert!(one.output_bias.iter().all(|b| *b == one.output_bias[0]));
    let mut averaged = many.clone();
    averaged.average_buckets();
    let mean = many.output_bias.iter().sum::<f32>() / BUCKETS as f32;
    assert!((averaged.output_bias[3] - mean).abs() < 1e-6);
}

#[test]
fn threads_change_a_run_only_by_rounding() {
    let run = |threads| {
        let plan = Plan {
            threads,
            epochs: 3,
            ..quick_plan()
        };
        trained(&plan, samples(3000, 1), samples(100, 2)).0.model
    };
    let (one, again, three) = (run(1), run(1), run(3));
    assert_eq!(one, again, "the same seed gives the same net");
    for sample in samples(100, 4) {
        let difference = one.output(&sample, false) - three.output(&sample, false);
        assert!(difference.abs() < 1e-3, "{difference}");
    }
}

#[test]
fn float_and_16_bit_nets_agree() {
    let plan = Plan {
        epochs: 10,
        ..quick_plan()
    };
    let (state, _) = trained(&plan, samples(4000, 1), samples(100, 2));
    let net = Network::new(state.model.quantised("test", 220)).unwrap();
    let (mut sum, mut worst) = (0.0, 0.0f32);
    let all = positions(1000, 6);
    for pos in &all {
        let float = state.model.output(&Sample::new(pos, 0, 0), false) * 220.0;
        let error = (float - net.evaluate(pos) as f32).abs();
        sum += error;
        worst = worst.max(error);
    }
    let mean = sum / all.len() as f32;
    assert!(mean <= 6.0 && worst <= 30.0, "mean {mean} worst {worst}");
}

#[test]
fn learning_goes_on_from_a_net_as_from_its_weights() {
    let (state, _) = trained(&quick_plan(), samples(4000, 1), samples(100, 2));
    let net = state.model.quantised("test", 220);
    let mut model = Model::<H>::from_net(&net).unwrap();
    assert_eq!(model.quantised("test", 220), net, "nothing is lost");
    model.scale_output(220.0 / 250.0);
    for sample in samples(100, 6) {
        let before = state.model.output(&sample, false) * 220.0;
        let after = model.output(&sample, false) * 250.0;
        assert!((before - after).abs() < 20.0, "{before} {after}");
    }
    assert_eq!(Model::<64>::from_net(&net), None);
}

#[test]
fn an_interrupted_run_goes_on_to_the_same_net() {
    let plan = Plan {
        epochs: 4,
        ..quick_plan()
    };
    let (whole, data) = trained(&plan, samples(2000, 1), samples(100, 2));
    let folder = std::env::temp_dir().join(format!("chuhe-training-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("checkpoint.bin");
    let mut state = State::<H>::new(&plan);
    for _ in 0..plan.epochs {
        state.run_epoch(&plan, &data, &mut |_| true);
        checkpoint::save(&state, &path).unwrap();
        state = checkpoint::load(&path).unwrap();
    }
    assert_eq!(state, whole);
    assert!(matches!(
        checkpoint::load::<64>(&path),
        Err(checkpoint::CheckpointError::Hidden {
            found: 32,
            expected: 64
        })
    ));
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[1000] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    assert!(checkpoint::load::<H>(&path).is_err());
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_rate_warms_up_and_falls() {
    let plan = Plan::default();
    assert!(plan.rate_at(0, 5000) < plan.rate / 50.0);
    assert!((plan.rate_at(100, 5000) - plan.rate).abs() < plan.rate / 100.0);
    assert!((plan.rate_at(2500, 5000) - plan.rate / 2.0).abs() < plan.rate / 50.0);
    assert!((plan.rate_at(5000, 5000) - plan.final_rate).abs() < 1e-7);
}

#[test]
fn the_scale_of_the_scores_is_found_again() {
    let mut random = fastrand::Rng::with_seed(4);
    let planted = 180.0;
    let mut data = samples(20_000, 1);
    for sample in &mut data {
        sample.score = random.i16(-800..=800);
        let wins = random.f32() < sigmoid(f32::from(sample.score) / planted);
        sample.result = if wins { 1 } else { -1 };
    }
    assert!(
        (fit_scale(&data) - planted).abs() < 12.0,
        "{}",
        fit_scale(&data)
    );
}

#[test]
fn the_loss_curve_is_read_back_and_drawn() {
    let plan = Plan {
        epochs: 1,
        ..quick_plan()
    };
    let data = Samples::of(samples(500, 1), samples(50, 2));
    let report = State::<H>::new(&plan)
        .run_epoch(&plan, &data, &mut |_| true)
        .unwrap();
    let table = format!("{}\n{}\n", curve::CSV_HEADER, curve::csv_line(&report));
    let points = curve::parse_csv(&table);
    assert_eq!(points.len(), 1);
    assert!((points[0].2 - report.validation.loss).abs() < 1e-5);
    let svg = curve::svg("Loss", &points);
    assert_eq!(svg.matches("<polyline").count(), 2);
    assert!(svg.ends_with("</svg>\n"));
}

#[test]
fn every_piece_finds_its_place_in_a_sample() {
    let pos = Position::startpos();
    let sample = Sample::new(&pos, 0, 0);
    let mut kinds = [0; Piece::COUNT];
    sample
        .active()
        .iter()
        .for_each(|&i| kinds[i as usize / 90] += 1);
    assert_eq!(kinds, [1, 2, 2, 2, 2, 2, 5, 1, 2, 2, 2, 2, 2, 5]);
    assert_eq!(BUCKETS, 8);
}

#[test]
fn classical_labels_come_from_the_games_and_their_neighbourhood() {
    let moves = ["h2e2", "h9g7", "h0g2", "i9h9"].map(|m| (m.parse().unwrap(), 900));
    let game = GameRecord {
        opening: Vec::new(),
        plies: moves.to_vec(),
        result: GameResult::RedWin,
        ending: Ending::Decided,
    };
    let source = Source {
        net: 0,
        engine: 0,
        nodes: 1,
        seed: 1,
    };
    let mut samples = Samples::labelled(Labels::Classical);
    samples
        .add(
            &Block {
                source,
                games: vec![game],
            },
            &Filter::default(),
        )
        .unwrap();
    let all = [&samples.training[..], &samples.validation].concat();
    assert!(
        all.len() > 8,
        "four positions, two deviations each: {}",
        all.len()
    );
    assert!(all.iter().all(|s| s.score < 900 && s.result == 0));
    let start = Sample::new(&Position::startpos(), 0, 0).inputs;
    let found = all.iter().find(|s| s.inputs == start).unwrap();
    assert_eq!(
        i32::from(found.score),
        classical::evaluate(&Position::startpos())
    );
}
