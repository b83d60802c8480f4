//! The numbers of a `go` command made into limits that make sense.

use crate::board::{Color, Move};
use crate::clock::{Clock, Limits};
use crate::protocol::{Go, MoveList, Options, SideClock};
use std::time::Duration;

/// Where the clock may be used up by one move, this part of it is kept back:
/// one that runs out is a loss.
const WHOLE_BUDGET_RESERVE: u32 = 20;

/// The limits of a search; without any it is endless, and one that is endless
/// ends at `stop` only where `waits_for_stop` says so. Numbers out of range are brought into it; where a
/// limit could not be read the search ends after one ply, so that a slip never
/// makes it endless.
pub fn limits_of(go: &Go, side: Color, options: &Options, waits_for_stop: bool) -> Limits {
    let unit = if options.milliseconds { 1 } else { 1000 };
    let (own, opponent) = clocks(go, side);
    let mut limits = Limits {
        depth: go.depth.map(|depth| saturate(depth.max(1))),
        nodes: go.nodes.map(|nodes| nodes.max(1).unsigned_abs()),
        movetime: go.movetime.map(|time| duration(time.max(1), 1)),
        clock: own.and_then(|own| clock(own, unit)),
        opponent_clock: opponent.and_then(|clock_text| clock(clock_text, unit)),
        mate: go.mate.map(|moves| saturate(moves.max(1))),
        infinite: false,
        ponder: go.ponder,
        search_moves: restriction(&go.search_moves),
        ban_moves: Vec::new(),
    };
    if own.is_some_and(is_whole_budget) && limits.movetime.is_none() {
        let spendable = |clock: Clock| clock.left - clock.left / WHOLE_BUDGET_RESERVE;
        limits.movetime = limits.clock.take().map(spendable);
    }
    if !go.unreadable.is_empty() {
        limits.depth = Some(1);
    }
    let endless = go.infinite || !limits.is_limited() && !limits.ponder;
    limits.infinite = endless && waits_for_stop && go.unreadable.is_empty();
    limits
}

/// The moves of a list; one in which nothing can be read allows none.
fn restriction(list: &MoveList) -> Option<Vec<Move>> {
    (!list.is_empty()).then(|| list.moves.clone())
}

/// The clocks of the side to move and of the other. Where only the other's is
/// known it stands for both.
fn clocks(go: &Go, side: Color) -> (Option<SideClock>, Option<SideClock>) {
    let given = |clock: SideClock| clock.time.map(|_| clock);
    let (own, opponent) = match side {
        Color::Red => (go.red, go.black),
        Color::Black => (go.black, go.red),
    };
    let whole_game = |clock: SideClock| SideClock {
        increment: clock.increment.or(Some(0)),
        moves_to_go: clock.moves_to_go.or(go.own.moves_to_go),
        ..clock
    };
    let opponent = given(go.opponent).or(given(opponent));
    let own = given(go.own)
        .or(given(own).map(whole_game))
        .or(opponent.map(whole_game));
    (own, opponent)
}

/// A bare UCCI `time T`: the whole of it may go into this move.
fn is_whole_budget(clock: SideClock) -> bool {
    clock.increment.is_none() && clock.moves_to_go.is_none()
}

fn clock(text: SideClock, unit: i64) -> Option<Clock> {
    Some(Clock {
        left: duration(text.time?, unit),
        increment: duration(text.increment.unwrap_or(0), unit),
        moves_to_go: text.moves_to_go.filter(|&moves| moves > 0).map(saturate),
    })
}

/// A time in `unit`s of milliseconds, at most a year.
fn duration(time: i64, unit: i64) -> Duration {
    const YEAR_MS: i64 = 365 * 24 * 3600 * 1000;
    Duration::from_millis(time.saturating_mul(unit).clamp(0, YEAR_MS).unsigned_abs())
}

fn saturate(number: i64) -> u32 {
    u32::try_from(number.max(0)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{Command, Dialect};

    fn limits(line: &str, side: Color) -> Limits {
        match Dialect::Uci.read_command(line) {
            Ok(Some(Command::Go(go))) => limits_of(&go, side, &Options::default(), true),
            other => panic!("{line}: {other:?}"),
        }
    }

    fn left(line: &str, side: Color) -> Option<u128> {
        limits(line, side).clock.map(|clock| clock.left.as_millis())
    }

    #[test]
    fn each_side_gets_its_clock() {
        let line = "go wtime 1000 btime 2000 winc 10 binc 20 movestogo 5";
        assert_eq!(left(line, Color::Red), Some(1000));
        assert_eq!(left(line, Color::Black), Some(2000));
        let black = limits(line, Color::Black);
        assert_eq!(black.clock.unwrap().increment.as_millis(), 20);
        assert_eq!(black.clock.unwrap().moves_to_go, Some(5));
        assert_eq!(black.opponent_clock.unwrap().left.as_millis(), 1000);
    }

    #[test]
    fn one_clock_alone_is_enough() {
        assert_eq!(left("go wtime 1000", Color::Red), Some(1000));
        assert_eq!(left("go wtime 1000", Color::Black), Some(1000));
        assert_eq!(
            left("go opptime 1000 oppincrement 0", Color::Red),
            Some(1000)
        );
        assert!(limits("go wtime 1000", Color::Red).movetime.is_none());
    }

    #[test]
    fn a_bare_time_is_for_this_move() {
        let bare = limits("go time 500 depth 10", Color::Red);
        assert_eq!(bare.movetime, Some(Duration::from_millis(475)));
        assert_eq!((bare.clock, bare.depth), (None, Some(10)));
        assert_eq!(left("go time 500 increment 0", Color::Red), Some(500));
        assert_eq!(
            left("go time 0 opptime 0 movestogo 40", Color::Red),
            Some(0)
        );
    }

    #[test]
    fn numbers_out_of_range_are_brought_into_it() {
        for line in ["go depth 0", "go depth -3"] {
            assert_eq!(limits(line, Color::Red).depth, Some(1));
        }
        let huge = limits("go depth 99999999999999999999 nodes -1", Color::Red);
        assert_eq!((huge.depth, huge.nodes), (Some(u32::MAX), Some(1)));
        assert_eq!(left("go wtime -50 btime -50", Color::Red), Some(0));
        let time = |line| limits(line, Color::Red).movetime.unwrap().as_millis();
        assert_eq!(time("go movetime 0"), 1);
        assert_eq!(
            limits("go movetime 99999999999999999999", Color::Red).clock,
            None
        );
    }

    #[test]
    fn what_cannot_be_read_ends_after_one_ply() {
        for line in ["go depth abc", "go movetime", "go infinite nodes x"] {
            let limits = limits(line, Color::Red);
            assert_eq!((limits.depth, limits.infinite), (Some(1), false), "{line}");
        }
    }

    #[test]
    fn without_limits_the_search_is_endless() {
        for line in [
            "go",
            "go infinite",
            "go infinite depth 3",
            "go searchmoves a0a1",
        ] {
            assert!(limits(line, Color::Red).infinite, "{line}");
        }
        for line in ["go depth 3", "go wtime 0", "go ponder", "go mate 2"] {
            assert!(!limits(line, Color::Red).infinite, "{line}");
        }
    }

    #[test]
    fn seconds_where_the_user_says_so() {
        let options = Options {
            milliseconds: false,
            ..Options::default()
        };
        let go = Go {
            own: SideClock {
                time: Some(20),
                increment: Some(2),
                moves_to_go: None,
            },
            ..Go::default()
        };
        let clock = limits_of(&go, Color::Red, &options, false).clock.unwrap();
        assert_eq!((clock.left.as_secs(), clock.increment.as_secs()), (20, 2));
    }
}
