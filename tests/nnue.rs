//! The net in the engine: incremental values against values from nothing, the
//! kernels against each other, symmetry, and the file format.

use chuhe::board::{Color, Move, Piece, Position, Square};
use chuhe::eval::nnue::features::{BUCKETS, INPUTS, MIRRORED, SWAPPED, bucket, input, inputs};
use chuhe::eval::nnue::simd::{Kernels, Lanes, WIDTH};
use chuhe::eval::nnue::{Accumulators, EVAL_LIMIT, Network, NetworkError, Parameters};
use std::sync::Arc;

/// Marsaglia's xorshift, for choices that must be the same on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}

fn net(hidden: usize, seed: u64) -> Arc<Network> {
    Arc::new(Network::new(Parameters::random(hidden, seed)).unwrap())
}

fn random_move(pos: &Position, random: &mut Random) -> Option<Move> {
    let moves = pos.legal_moves();
    (!moves.is_empty()).then(|| moves[random.below(moves.len())])
}

fn push(acc: &mut Accumulators, pos: &Position, mv: Move) {
    acc.push(mv, pos.piece_on(mv.from()).unwrap(), pos.piece_on(mv.to()));
}

/// Positions of random games from the start.
fn positions(games: usize, seed: u64) -> Vec<Position> {
    let mut random = Random(seed);
    let mut all = Vec::new();
    for _ in 0..games {
        let mut pos = Position::startpos();
        while let Some(mv) = random_move(&pos, &mut random) {
            all.push(pos.clone());
            if pos.fullmove_number() > 60 {
                break;
            }
            pos.make(mv);
        }
    }
    all
}

#[test]
fn inputs_are_numbered_once_each_and_symmetric() {
    for view in Color::ALL {
        let mut seen = [false; INPUTS];
        for piece in Piece::ALL {
            for sq in Square::all() {
                let i = input(view, piece, sq);
                assert!(!std::mem::replace(&mut seen[i], true));
                assert_eq!(SWAPPED[i] as usize, input(view.opponent(), piece, sq));
                assert_eq!(MIRRORED[i] as usize, input(view, piece, sq.mirrored()));
                assert_eq!(i, input(view.opponent(), piece.flipped(), sq.flipped()));
                assert_eq!(SWAPPED[SWAPPED[i] as usize] as usize, i);
                assert_eq!(MIRRORED[MIRRORED[i] as usize] as usize, i);
            }
        }
        assert!(seen.iter().all(|&s| s));
    }
}

#[test]
fn start_position_sets_the_expected_inputs() {
    let pos = Position::startpos();
    let red: Vec<u16> = inputs(Color::Red, &pos).collect();
    let black: Vec<u16> = inputs(Color::Black, &pos).collect();
    assert_eq!(red.len(), 32);
    // a0: own rook, the fifth kind.
    assert_eq!(red[0], 4 * 90);
    // e0: own king, the first kind, on square 4.
    assert_eq!(red[4], 4);
    // The views of the start position hold the same inputs.
    let sorted = |mut list: Vec<u16>| {
        list.sort_unstable();
        list
    };
    assert_eq!(sorted(red), sorted(black));
}

#[test]
fn buckets_follow_the_number_of_pieces() {
    assert_eq!(
        [2, 5, 6, 9, 10, 29, 30, 32].map(bucket),
        [0, 0, 1, 1, 2, 6, 7, 7]
    );
    assert!((0..=40).all(|n| bucket(n) < BUCKETS));
}

#[test]
fn incremental_value_is_the_value_from_nothing() {
    for (hidden, kernels) in [32, 96, 256]
        .into_iter()
        .flat_map(|h| Kernels::available().into_iter().map(move |k| (h, k)))
    {
        let net = net(hidden, 7);
        let mut random = Random(hidden as u64);
        for _ in 0..30 {
            let mut pos = Position::startpos();
            let mut acc = Accumulators::with_kernels(net.clone(), &pos, kernels);
            walk(&net, &mut acc, &mut pos, &mut random, 200);
        }
    }
}

/// Plays, takes back and passes at random; asks for values only now and then.
fn walk(
    net: &Arc<Network>,
    acc: &mut Accumulators,
    pos: &mut Position,
    random: &mut Random,
    steps: usize,
) {
    let mut undos = Vec::new();
    for _ in 0..steps {
        let mv = random_move(pos, random);
        match (random.below(8), mv) {
            (0..=4, Some(mv)) => {
                push(acc, pos, mv);
                undos.push((mv, pos.make(mv)));
            }
            (5, _) if !pos.in_check() => {
                let undo = pos.make_null();
                assert_eq!(acc.evaluate(pos), net.evaluate(pos));
                pos.unmake_null(undo);
            }
            (6, _) => assert_eq!(acc.evaluate(pos), net.evaluate(pos), "{pos}"),
            _ => {
                if let Some((mv, undo)) = undos.pop() {
                    acc.pop();
                    pos.unmake(mv, undo);
                }
            }
        }
    }
    assert_eq!(acc.evaluate(pos), net.evaluate(pos), "{pos}");
}

#[test]
fn a_line_longer_than_the_room_at_the_start_grows() {
    let net = net(32, 1);
    let mut pos = Position::startpos();
    let mut acc = Accumulators::new(net.clone(), &pos);
    let shuttle = ["a0a1", "a9a8", "a1a0", "a8a9"].map(|m| m.parse::<Move>().unwrap());
    for mv in shuttle.into_iter().cycle().take(1001) {
        push(&mut acc, &pos, mv);
        pos.make(mv);
    }
    assert_eq!(acc.evaluate(&pos), net.evaluate(&pos));
}

#[test]
fn reset_starts_from_another_root() {
    let net = net(64, 3);
    let mut acc = Accumulators::new(net.clone(), &Position::startpos());
    for pos in positions(2, 5) {
        acc.reset(&pos);
        assert_eq!(acc.evaluate(&pos), net.evaluate(&pos));
    }
}

#[test]
fn exchanging_the_sides_keeps_the_value() {
    let net = net(64, 11);
    let mut distinct = std::collections::HashSet::new();
    for pos in positions(20, 17) {
        let value = net.evaluate(&pos);
        assert_eq!(value, net.evaluate(&pos.flipped()), "{pos}");
        assert!(value.abs() <= EVAL_LIMIT);
        distinct.insert(value);
    }
    assert!(
        distinct.len() > 500,
        "the values must differ to prove anything"
    );
}

fn random_lanes(random: &mut Random, count: usize, limit: i32) -> Vec<Lanes> {
    (0..count)
        .map(|_| {
            Lanes(std::array::from_fn(|_| {
                (random.below(2 * limit as usize + 1) as i32 - limit) as i16
            }))
        })
        .collect()
}

#[test]
fn kernels_agree_to_the_last_bit() {
    let portable = *Kernels::available().last().unwrap();
    assert_eq!(portable.name(), "portable");
    let mut random = Random(99);
    for lanes in [1, 2, 5, 8, 16] {
        // Values over the whole range of 16 bits: sums must wrap alike.
        let mut draw = |count, limit| random_lanes(&mut random, count, limit);
        let [from, add, sub, taken, other] = [(); 5].map(|()| draw(lanes, 32767));
        let (weights, table) = (draw(2 * lanes, 127), draw(40 * lanes, 32767));
        let list = [3, 39, 0, 7, 7];
        let run = |k: &Kernels| {
            let mut to = vec![vec![Lanes::ZERO; lanes]; 3];
            k.add_sub(&from, &add, &sub, &mut to[0]);
            k.add_sub_sub(&from, &add, &sub, &taken, &mut to[1]);
            k.refresh(&from, &table, &list, &mut to[2]);
            (to, k.forward(&from, &other, &weights))
        };
        for kernels in Kernels::available() {
            assert_eq!(run(kernels), run(portable), "{} {lanes}", kernels.name());
        }
    }
}

#[test]
fn forward_is_the_squared_clipped_dot_product() {
    let mut own = Lanes::ZERO;
    (own.0[0], own.0[1], own.0[2]) = (-5, 10, 300);
    let mut other = Lanes::ZERO;
    other.0[WIDTH - 1] = 255;
    let mut weights = vec![Lanes([1; WIDTH]), Lanes([-2; WIDTH])];
    weights[0].0[2] = 127;
    let expected = 100 + 255 * 255 * 127 - 2 * 255 * 255;
    for kernels in Kernels::available() {
        assert_eq!(kernels.forward(&[own], &[other], &weights), expected);
    }
}

#[test]
fn net_file_round_trips() {
    let parameters = Parameters::random(32, 5);
    let bytes = parameters.encode();
    assert_eq!(Parameters::decode(&bytes).unwrap(), parameters);
    let net = Network::decode(&bytes).unwrap();
    assert_eq!((net.name(), net.hidden()), ("random-5", 32));
    assert_eq!(net.to_string(), format!("random-5 ({:08x})", net.hash()));
}

#[test]
fn wrong_files_are_refused_with_the_reason() {
    let bytes = Parameters::random(32, 5).encode();
    let refused = |bytes: &[u8]| Network::decode(bytes).unwrap_err();
    assert_eq!(refused(b""), NetworkError::Magic);
    assert_eq!(refused(b"MZ\x90\0 not a net at all"), NetworkError::Magic);
    assert!(matches!(refused(&bytes[..20]), NetworkError::Length { .. }));
    assert!(matches!(
        refused(&bytes[..bytes.len() - 1]),
        NetworkError::Length { .. }
    ));
    let changed = |at: usize| {
        let mut copy = bytes.clone();
        copy[at] ^= 1;
        refused(&copy)
    };
    assert_eq!(changed(8), NetworkError::Checksum);
    assert_eq!(changed(5000), NetworkError::Checksum);
    for (at, word) in [
        (12, "version"),
        (16, "inputs"),
        (20, "hidden"),
        (24, "buckets"),
        (28, "QA"),
        (32, "QB"),
    ] {
        assert!(changed(at).to_string().contains(word));
    }
    let mut zero_hidden = bytes.clone();
    zero_hidden[20..24].fill(0);
    assert!(refused(&zero_hidden).to_string().contains("hidden"));
    let mut huge = Parameters::random(32, 5);
    huge.output_weights[9] = 128;
    assert_eq!(Network::new(huge).unwrap_err(), NetworkError::Weight(128));
    let missing = Network::load(std::path::Path::new("no/such.net")).unwrap_err();
    assert!(missing.to_string().contains("no/such.net"));
}
