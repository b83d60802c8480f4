//! Properties that every rule set has, on the cases and on random games that
//! go round in circles.

use chuhe::board::{Move, Position};
use chuhe::rules::{Game, Ground, RuleSet, judge};

/// A small deterministic generator (xorshift).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides as u64) as usize
    }
}

const CYCLE_RULES: [RuleSet; 5] = [
    RuleSet::Asian,
    RuleSet::Computer,
    RuleSet::ClassicPrc,
    RuleSet::ClassicHk,
    RuleSet::Simple,
];

/// Positions with few pieces, in which random moves soon repeat or chase.
const STARTS: [&str; 8] = [
    "4k4/9/9/9/9/r1r6/3C5/4B4/9/5K3 w - - 0 1",
    "3k5/9/9/9/9/9/3r5/9/9/3NK4 w - - 0 1",
    "4k4/9/4n4/9/3c5/9/4N4/9/9/3K5 w - - 0 1",
    "4kab2/4a4/4b4/3rC2R1/9/9/4n4/4B4/4A4/4KAB1c w - - 0 1",
    "3akr3/5c3/1P2b4/4R4/9/9/9/9/9/4CK3 w - - 0 1",
    "5k3/9/9/5C3/5c3/5C3/9/9/5p3/4K4 w - - 0 1",
    "3ak1b2/4a4/9/8p/3P5/4R3P/7n1/4B4/1Cr1A4/3AK1B2 w - - 0 1",
    "2bak2r1/c3aRc2/2n1b1n2/p1p1p3p/6p2/2P6/P3P1P1P/1CN1C1N2/9/2BAKAB2 w - - 0 1",
];

/// A quiet move there and one that can be taken back later, if there is one.
fn there_and_back(pos: &Position, dice: &mut Dice) -> Option<[Move; 4]> {
    let quiet = |pos: &Position| -> Vec<Move> {
        let moves = pos.legal_moves().into_iter();
        moves.filter(|&mv| !pos.is_capture(mv)).collect()
    };
    let back = |mv: Move| Move::new(mv.to(), mv.from());
    let first = quiet(pos);
    let a = *first.get(dice.roll(first.len().max(1)))?;
    let after_a = pos.after(a);
    let second = quiet(&after_a);
    let b = *second.get(dice.roll(second.len().max(1)))?;
    let after_b = after_a.after(b);
    if !after_b.is_legal(back(a)) || !after_b.after(back(a)).is_legal(back(b)) {
        return None;
    }
    Some([a, b, back(a), back(b)])
}

/// A random game that has gone round at least twice: a lead-in of random
/// moves, then rounds of four plies.
fn cyclic_game(start: &str, dice: &mut Dice) -> Option<Game> {
    let mut game = Game::new(start.parse().expect("a position"));
    for _ in 0..dice.roll(6) {
        let moves = game.position().legal_moves();
        let mv = *moves.get(dice.roll(moves.len().max(1)))?;
        game.play(mv).expect("legal");
    }
    let round = there_and_back(game.position(), dice)?;
    for mv in round.into_iter().cycle().take(12) {
        game.play(mv).ok()?;
    }
    Some(game)
}

fn games(count: usize, mut visit: impl FnMut(&Game)) {
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    let mut seen = 0;
    for i in 0.. {
        if let Some(game) = cyclic_game(STARTS[i % STARTS.len()], &mut dice) {
            visit(&game);
            seen += 1;
        }
        if seen == count {
            return;
        }
    }
}

fn replayed(start: Position, moves: impl IntoIterator<Item = Move>) -> Game {
    let mut game = Game::new(start);
    for mv in moves {
        game.play(mv).expect("legal");
    }
    game
}

fn verdict(game: &Game, rules: RuleSet) -> &'static str {
    judge(game, rules).map_or("none", |ruling| ruling.outcome.name())
}

fn with_sides_exchanged(verdict: &str) -> &str {
    match verdict {
        "red_loses" => "black_loses",
        "black_loses" => "red_loses",
        other => other,
    }
}

#[test]
fn verdicts_do_not_depend_on_colour_or_side_of_the_board() {
    let mut losses = 0;
    games(10_000, |game| {
        let (start, moves) = (&game.positions()[0], game.moves().iter());
        let flipped = replayed(start.flipped(), moves.clone().map(|mv| mv.flipped()));
        let mirrored = replayed(start.mirrored(), moves.map(|mv| mv.mirrored()));
        for rules in RuleSet::ALL {
            if rules == RuleSet::Chinese {
                continue;
            }
            let own = verdict(game, rules);
            losses += usize::from(own.ends_with("loses"));
            assert_eq!(
                with_sides_exchanged(own),
                verdict(&flipped, rules),
                "{rules}"
            );
            assert_eq!(own, verdict(&mirrored, rules), "{rules}");
        }
    });
    assert!(losses > 1_500, "too few games with a loss: {losses}");
}

#[test]
fn verdicts_do_not_depend_on_what_was_before_the_window() {
    let mut judged = 0;
    games(10_000, |game| {
        for rules in CYCLE_RULES {
            let Some(ruling) = judge(game, rules) else {
                continue;
            };
            if !matches!(ruling.ground, Ground::Repetition(_)) {
                continue;
            }
            let from = ruling.span.start;
            let fen = game.positions()[from].to_string();
            let start = fen.parse().expect("a position");
            let moves = game.moves()[from..].iter().copied();
            assert_eq!(
                verdict(&replayed(start, moves), rules),
                ruling.outcome.name()
            );
            judged += 1;
        }
    });
    assert!(judged > 10_000, "too few rulings: {judged}");
}

#[test]
fn chinese_verdicts_do_not_depend_on_colour_or_side_of_the_board() {
    games(40, |game| {
        let (start, moves) = (&game.positions()[0], game.moves().iter());
        let flipped = replayed(start.flipped(), moves.clone().map(|mv| mv.flipped()));
        let mirrored = replayed(start.mirrored(), moves.map(|mv| mv.mirrored()));
        let own = verdict(game, RuleSet::Chinese);
        assert_eq!(
            with_sides_exchanged(own),
            verdict(&flipped, RuleSet::Chinese)
        );
        assert_eq!(own, verdict(&mirrored, RuleSet::Chinese));
    });
}
