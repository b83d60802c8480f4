//! One player against six others in the Game of the Seven Kingdoms, with
//! rotated seats:
//!
//! ```text
//! cargo run --release --example kingdoms_match -- --hero brs:nodes=30000 --others greedy --games 140
//! ```
//!
//! Game `g` gives the hero seat `g % 7`; the seven games of a group begin with
//! the same random moves (`--random-plies`). Chance is 14.3 %.

use chuhe::kingdoms::{Options, Player, Position, Random, SEATS, Seat};
use clap::Parser;
use std::collections::BTreeMap;
use std::error::Error;
use std::io::Write;

#[derive(Parser)]
#[command(about = "Play one against six in the Game of the Seven Kingdoms")]
struct Args {
    /// The player that is measured: `greedy`, `brs:depth=3`, `maxn:nodes=20000`.
    #[arg(long)]
    hero: String,
    /// The player of the six other seats.
    #[arg(long)]
    others: String,
    /// Number of games, best a multiple of seven.
    #[arg(long, default_value_t = 70)]
    games: usize,
    /// Random moves at the start of every game.
    #[arg(long, default_value_t = 7)]
    random_plies: usize,
    /// Seed of the random moves.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Preset of rules.
    #[arg(long, default_value = "english")]
    rules: String,
    /// Print every game.
    #[arg(long)]
    verbose: bool,
}

/// Points of the hero, one per game: 1 for a win, a share for a shared win.
struct Tally {
    points: Vec<f64>,
    endings: BTreeMap<&'static str, usize>,
    plies: u64,
}

impl Tally {
    /// Mean and half the width of its 95 % interval.
    fn rate(&self) -> (f64, f64) {
        let n = self.points.len() as f64;
        let mean = self.points.iter().sum::<f64>() / n;
        let squares = self.points.iter().map(|p| (p - mean) * (p - mean));
        let variance = squares.sum::<f64>() / (n - 1.0).max(1.0);
        (100.0 * mean, 196.0 * (variance / n).sqrt())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    let options = Options::preset(&args.rules)?;
    let mut hero: Player = args.hero.parse()?;
    let others = (1..SEATS).map(|_| args.others.parse());
    let mut others = others.collect::<Result<Vec<Player>, _>>()?;
    let mut tally = Tally {
        points: Vec::new(),
        endings: BTreeMap::new(),
        plies: 0,
    };
    let mut out = std::io::stdout();
    for game in 0..args.games {
        let seat = Seat::new(game % SEATS);
        let start = opening(
            options,
            args.random_plies,
            args.seed + (game / SEATS) as u64,
        );
        let end = play(start, seat, &mut hero, &mut others, args.seed + game as u64);
        note(&mut tally, &end, seat);
        if args.verbose {
            let outcome = end.outcome().map_or_else(String::new, |o| o.to_string());
            writeln!(out, "{game} {} {outcome} ply {}", seat.name(), end.ply())?;
        }
    }
    summary(&args, &tally, &mut out)
}

/// The start position after some random moves, the same for the same seed.
fn opening(options: Options, plies: usize, seed: u64) -> Position {
    let mut random = Random::new(seed);
    let mut position = Position::start(options);
    for _ in 0..plies {
        let moves = position.legal_moves();
        if !moves.is_empty() {
            position = position.after(moves[random.below(moves.len())]);
        }
    }
    position
}

fn play(
    start: Position,
    seat: Seat,
    hero: &mut Player,
    others: &mut [Player],
    seed: u64,
) -> Position {
    hero.begin(seed);
    for (i, other) in others.iter_mut().enumerate() {
        other.begin(seed * SEATS as u64 + i as u64 + 1);
    }
    let mut position = start;
    while let Some(turn) = position.turn() {
        let chosen = match seat.distance_to(turn) {
            0 => hero.choose(&position),
            distance => others[distance - 1].choose(&position),
        };
        match chosen {
            Some(m) => position = position.after(m),
            None => break,
        }
    }
    position
}

fn note(tally: &mut Tally, end: &Position, seat: Seat) {
    let Some(outcome) = end.outcome() else { return };
    let winners = outcome.winners().count() as f64;
    let won = outcome.is_winner(end.player(seat));
    tally.points.push(if won { 1.0 / winners } else { 0.0 });
    *tally.endings.entry(outcome.by.name()).or_default() += 1;
    tally.plies += u64::from(end.ply());
}

fn summary(args: &Args, tally: &Tally, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let (rate, error) = tally.rate();
    writeln!(
        out,
        "{} against six {}: {rate:.1} % +- {error:.1} of {} games, mean {} plies, {:?}",
        args.hero,
        args.others,
        tally.points.len(),
        tally.plies / tally.points.len().max(1) as u64,
        tally.endings
    )?;
    Ok(())
}
