//! What an engine is asked, in the words of its protocol.

use super::Player;
use crate::arena::limit::{Budget, TimeControl};
use crate::board::{Move, Position};
use crate::clock::Clock;
use crate::protocol::{Command, Go, PositionText, Start};
use crate::rules::Game;
use std::time::Duration;

/// Plies without a capture after which a UCCI engine gets a newer FEN.
const UCCI_HISTORY: usize = 90;

/// What a player is asked.
#[derive(Debug, Clone)]
pub struct Request<'a> {
    /// The game so far.
    pub game: &'a Game,
    /// Its limits.
    pub budget: &'a Budget,
    /// Its own clock and the opponent's, where there are clocks.
    pub clocks: Option<[Clock; 2]>,
    /// The opponent offers a draw.
    pub draw_offered: bool,
    /// Moves that the arbiter would rule lost (sent in UCCI only).
    pub bans: Vec<Move>,
    /// Charge CPU time instead of time.
    pub cpu_clock: bool,
}

impl Request<'_> {
    /// The time that may be used, `None` without a limit of time.
    pub(super) fn time(&self) -> Option<Duration> {
        match (self.budget.time?, self.clocks) {
            (TimeControl::PerMove(time), _) => Some(time),
            (TimeControl::Clock { .. }, Some([own, _])) => Some(own.left),
            (TimeControl::Clock { base, .. }, None) => Some(base),
        }
    }
}

impl Player {
    /// The commands that ask for a move.
    pub(super) fn request(&self, request: &Request, game: &Game, ponder: bool) -> Vec<Command> {
        let mut go = Go {
            ponder,
            draw: request.draw_offered && !ponder,
            nodes: request
                .budget
                .nodes
                .map(|n| i64::try_from(n).unwrap_or(i64::MAX)),
            depth: request.budget.depth.map(i64::from),
            ..Go::default()
        };
        let unit = self.time_unit();
        if let Some(clocks) = request.clocks {
            let clocks = clocks.map(|clock| at_least(clock, unit));
            go.set_clocks(self.dialect, game.position().side_to_move(), clocks, unit);
        }
        if let Some(TimeControl::PerMove(time)) = request.budget.time {
            let units = i64::try_from(time.max(unit).as_millis() / unit.as_millis()).ok();
            // UCCI has no fixed time: a clock alone is the time for one move.
            if self.dialect.is_ucci() {
                go.own.time = units;
            } else {
                go.movetime = units;
            }
        }
        let mut commands = vec![Command::Position(self.position(game))];
        if self.dialect.is_ucci() && !request.bans.is_empty() && !ponder {
            commands.push(Command::BanMoves(request.bans.clone().into()));
        }
        commands.push(Command::Go(Box::new(go)));
        commands
    }

    fn time_unit(&self) -> Duration {
        if self.dialect.is_ucci() && !self.manners.milliseconds {
            Duration::from_secs(1)
        } else {
            Duration::from_millis(1)
        }
    }

    /// UCI gets the whole game; UCCI, as its text asks, the position after
    /// the last capture and the moves since; both a newer position where the
    /// engine's description limits the history.
    fn position(&self, game: &Game) -> PositionText {
        let plies = game.moves().len();
        let last_capture = after_last_capture(game);
        let (mut base, most) = match (self.dialect.is_ucci(), self.spec.history_max) {
            (true, most) => (last_capture, Some(most.unwrap_or(UCCI_HISTORY))),
            (false, most) => (0, most),
        };
        let most = most.unwrap_or(usize::MAX);
        let cut = plies - base.max(last_capture) > most;
        if cut {
            base = plies - most;
        }
        let position = game.positions()[base].clone();
        let fen = match (cut, base) {
            (true, _) => position.with_halfmove_clock(0).to_string(),
            (false, 0) if position == Position::startpos() => String::new(),
            (false, _) => position.to_string(),
        };
        PositionText {
            start: if fen.is_empty() {
                Start::Startpos
            } else {
                Start::Fen(fen)
            },
            moves: game.moves()[base..].to_vec(),
        }
    }
}

/// No clock is sent as 0, which some engines take for no limit.
fn at_least(clock: Clock, unit: Duration) -> Clock {
    Clock {
        left: clock.left.max(unit),
        ..clock
    }
}

fn after_last_capture(game: &Game) -> usize {
    let captures = |i: &usize| game.positions()[*i].is_capture(game.moves()[*i]);
    (0..game.moves().len())
        .rev()
        .find(captures)
        .map_or(0, |i| i + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::spec::EngineSpec;
    use crate::protocol::Dialect;
    use std::sync::Arc;

    fn player(dialect: Dialect, more: &str) -> Player {
        let mut spec: EngineSpec = format!("cmd=x{more}").parse().unwrap();
        spec.dialect = Some(dialect);
        Player::new(spec, Arc::default(), Default::default(), Vec::new())
    }

    fn game(moves: &str) -> Game {
        let mut game = Game::default();
        for mv in moves.split_whitespace() {
            game.play(mv.parse().unwrap()).unwrap();
        }
        game
    }

    fn lines(player: &Player, game: &Game, budget: &str, bans: Vec<Move>) -> String {
        let time: TimeControl = budget.parse().unwrap();
        let clock = match time {
            TimeControl::Clock {
                base, increment, ..
            } => Clock {
                left: base,
                increment,
                moves_to_go: None,
            },
            TimeControl::PerMove(_) => Clock::default(),
        };
        let other = Clock {
            left: clock.left * 2,
            ..clock
        };
        let request = Request {
            game,
            budget: &Budget {
                time: Some(time),
                ..Budget::default()
            },
            clocks: Some([clock, other]),
            draw_offered: true,
            bans,
            cpu_clock: false,
        };
        let commands = player.request(&request, game, false);
        let lines = commands.iter().map(|c| player.dialect.write_command(c));
        lines.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn uci_gets_the_whole_game_and_both_clocks() {
        let game = game("h2e2 h9g7 e2e6");
        let text = lines(&player(Dialect::Uci, ""), &game, "3+0.5", vec![]);
        let expected = "position startpos moves h2e2 h9g7 e2e6\n\
                        go wtime 6000 btime 3000 winc 500 binc 500";
        assert_eq!(text, expected);
    }

    #[test]
    fn ucci_gets_what_follows_the_last_capture_in_its_own_unit() {
        let game = game("h2e2 h9g7 e2e6 b9c7");
        let bans = vec!["e6e5".parse().unwrap()];
        let text = lines(&player(Dialect::Ucci, ""), &game, "3+0.5", bans);
        assert!(
            text.contains("b - - 0 2 moves b9c7\nbanmoves e6e5\n"),
            "{text}"
        );
        // No `usemillisec` was announced: seconds, rounded down.
        assert!(
            text.ends_with("go draw time 3 increment 0 opptime 6 oppincrement 0"),
            "{text}"
        );
        let text = lines(&player(Dialect::Ucci, ""), &game, "0.2", vec![]);
        assert!(text.contains("go draw time 1 "), "{text}");
    }

    #[test]
    fn a_long_history_is_cut_where_the_engine_needs_it() {
        let quiet = ["h0g2 h9g7 g2h0 g7h9"; 2].join(" ");
        let text = lines(
            &player(Dialect::Uci, ",histmax=3"),
            &game(&quiet),
            "3",
            vec![],
        );
        assert!(text.contains("b - - 0 3 moves h9g7 g2h0 g7h9"), "{text}");
        let text = lines(
            &player(Dialect::Uci, ",histmax=8"),
            &game(&quiet),
            "3",
            vec![],
        );
        assert!(text.starts_with("position startpos moves h0g2"), "{text}");
    }
}
