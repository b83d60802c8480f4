//! The speed of the board: generation, making moves, exchanges, perft.
//!
//! `cargo bench --bench board`; figures are for the set of positions below
//! together, as many elements per second as the name says.

use chuhe::board::perft::{LastPly, perft_by};
use chuhe::board::{Move, MoveList, Position, attacks};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

/// The opening, middlegames, an endgame and a check.
const POSITIONS: [&str; 6] = [
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
    "r1bakabr1/9/1cn3nc1/p1p1p3p/6p2/9/P1P1P1P1P/NC2C1N2/9/R1BAKABR1 w",
    "3akab2/r6r1/2n1b2c1/p3p3p/1c3n3/2R6/P3P3P/1CN1C1N2/7R1/2BAKAB2 w",
    "3a1k3/4a1C2/1c2b4/4C3p/p1rR5/2p2NP2/P1c1Pn2P/9/9/2BAKAB2 b",
    "3aka3/9/9/p8/4P4/2C6/9/9/9/4K4 w",
    "4kab2/2nc5/9/p3C3R/2b6/P2n1rP2/2P4R1/N3c4/4A1N2/r1B1KA3 w",
];

fn positions() -> Vec<Position> {
    POSITIONS
        .map(|fen| fen.parse().expect("a position"))
        .to_vec()
}

/// Every legal move of every position, with its position.
fn moves(positions: &[Position]) -> Vec<(&Position, Move)> {
    let with_moves = |pos| {
        Position::legal_moves(pos)
            .into_iter()
            .map(move |mv| (pos, mv))
    };
    positions.iter().flat_map(with_moves).collect()
}

fn generation(c: &mut Criterion) {
    let positions = positions();
    let mut group = c.benchmark_group("generation (positions)");
    group.throughput(Throughput::Elements(positions.len() as u64));
    let mut bench = |name: &str, generate: fn(&Position) -> usize| {
        group.bench_function(name, |b| {
            b.iter(|| {
                positions
                    .iter()
                    .map(|pos| generate(black_box(pos)))
                    .sum::<usize>()
            });
        });
    };
    bench("legal moves", |pos| black_box(pos.legal_moves()).len());
    bench("count", Position::count_legal_moves);
    bench("captures", |pos| {
        let mut list = MoveList::new();
        pos.captures(&mut list);
        black_box(list).len()
    });
    bench("quiets", |pos| {
        let mut list = MoveList::new();
        pos.quiets(&mut list);
        black_box(list).len()
    });
    bench("attackers of the king", |pos| {
        let king = pos.king(pos.side_to_move());
        pos.attackers_to(king, pos.occupied()).len()
    });
    group.finish();
}

fn single_moves(c: &mut Criterion) {
    let positions = positions();
    let moves = moves(&positions);
    let mut group = c.benchmark_group("single moves (moves)");
    group.throughput(Throughput::Elements(moves.len() as u64));
    let mut bench = |name: &str, ask: fn(&Position, Move) -> bool| {
        group.bench_function(name, |b| {
            b.iter(|| {
                moves
                    .iter()
                    .filter(|&&(pos, mv)| ask(pos, black_box(mv)))
                    .count()
            });
        });
    };
    bench("is_legal", Position::is_legal);
    bench("gives_check", Position::gives_check);
    bench("see_ge 0", |pos, mv| pos.see_ge(mv, 0));
    bench("see", |pos, mv| pos.see(mv) >= 0);
    bench("copy and make", |pos, mv| pos.after(mv).in_check());
    bench("destinations", |pos, mv| pos.destinations(mv.from()).any());
    bench("rook attacks", |pos, mv| {
        attacks::rook_attacks(mv.from(), pos.occupied()).any()
    });
    group.bench_function("make and unmake", |b| {
        let mut positions = positions.clone();
        let lists: Vec<MoveList> = positions.iter().map(Position::legal_moves).collect();
        b.iter(|| {
            for (pos, list) in positions.iter_mut().zip(&lists) {
                for &mv in list {
                    let undo = pos.make(black_box(mv));
                    black_box(pos.key());
                    pos.unmake(mv, undo);
                }
            }
        });
    });
    group.finish();
}

fn perft(c: &mut Criterion) {
    const DEPTH: u32 = 4;
    const LEAVES: u64 = 3_290_240;
    let mut group = c.benchmark_group("perft 4 (leaves)");
    group
        .throughput(Throughput::Elements(LEAVES))
        .sample_size(20);
    for last in LastPly::ALL {
        group.bench_function(last.name(), |b| {
            let mut pos = Position::startpos();
            b.iter(|| assert_eq!(perft_by(&mut pos, DEPTH, last), LEAVES));
        });
    }
    group.finish();
}

criterion_group!(benches, generation, single_moves, perft);
criterion_main!(benches);
