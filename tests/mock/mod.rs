//! An engine for tests that misbehaves as its first argument says.
//!
//! It plays some legal move that depends on the position only. What it does
//! wrong it does at its third move, so that the game is under way by then.
//! Arguments: a mode, then `ucci` to speak that protocol instead of UCI, then
//! anything (to find its process by).

use chuhe::board::{Move, Position};
use chuhe::protocol::{Command, Dialect, PositionText, Start};
use chuhe::rules::Game;
use std::io::{BufRead, Write};
use std::process::exit;
use std::time::Duration;

/// The move at which it misbehaves.
const FATAL_MOVE: usize = 3;
/// The mode in which the ranks of moves are counted from 1.
const FROM_ONE: &str = "from-one";
/// How long it sleeps when it does not answer.
const LONG: Duration = Duration::from_secs(600);
/// An engine that expects seconds has seen milliseconds when they are more.
const MOST_SECONDS: i64 = 100;

struct Mock {
    mode: String,
    dialect: Dialect,
    game: Game,
    bans: Vec<Move>,
    moves_made: usize,
    /// It owes a move until `stop` or `ponderhit`.
    pending: bool,
}

/// Runs the engine with its arguments.
pub fn main(arguments: &[String]) {
    let ucci = arguments.iter().any(|word| word == "ucci");
    let mut mock = Mock {
        mode: arguments.first().cloned().unwrap_or_default(),
        dialect: if ucci { Dialect::Ucci } else { Dialect::Uci },
        game: Game::default(),
        bans: Vec::new(),
        moves_made: 0,
        pending: false,
    };
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        if mock.mode == FROM_ONE {
            mock.obey(&shifted(&line, -1));
        } else {
            mock.obey(&line);
        }
    }
}

/// The line with the ranks of its moves counted from another number.
fn shifted(line: &str, by: i32) -> String {
    let words = line.split(' ');
    let moved = words.map(|word| shifted_move(word, by).unwrap_or_else(|| word.to_owned()));
    moved.collect::<Vec<_>>().join(" ")
}

fn shifted_move(word: &str, by: i32) -> Option<String> {
    let (mut text, mut rest) = (String::new(), word);
    for _ in 0..2 {
        let file = rest.chars().next().filter(|c| ('a'..='i').contains(c))?;
        let end = rest[1..].find(|c: char| !c.is_ascii_digit());
        let (rank, after) = rest[1..].split_at(end.unwrap_or(rest.len() - 1));
        text.push(file);
        text += &(rank.parse::<i32>().ok()? + by).to_string();
        rest = after;
    }
    rest.is_empty().then_some(text)
}

#[allow(clippy::print_stdout)]
fn say(line: &str) {
    if writeln!(std::io::stdout(), "{line}").is_err() {
        exit(0);
    }
}

impl Mock {
    fn obey(&mut self, line: &str) {
        match self.dialect.read_command(line) {
            Ok(Some(Command::Hello(dialect))) => self.introduce(dialect),
            Ok(Some(Command::IsReady)) => say("readyok"),
            Ok(Some(Command::NewGame)) => self.moves_made = 0,
            Ok(Some(Command::SetOption { name, .. })) if name == "newgame" => self.moves_made = 0,
            Ok(Some(Command::Position(text))) => self.set(&text),
            Ok(Some(Command::BanMoves(list))) => self.bans = list.moves,
            Ok(Some(Command::Go(go))) if go.ponder => self.pending = true,
            Ok(Some(Command::Go(go))) => {
                let too_large = go.own.time.is_some_and(|time| time > MOST_SECONDS);
                if self.mode == "seconds" && too_large {
                    exit(9);
                }
                self.think(go.draw);
            }
            Ok(Some(Command::PonderHit { .. } | Command::Stop)) if self.pending => {
                self.pending = false;
                self.answer("");
            }
            Ok(Some(Command::Quit)) => exit(0),
            _ => {}
        }
    }

    fn introduce(&mut self, dialect: Dialect) {
        // Some UCCI engines leave at an unknown first word.
        if dialect != self.dialect {
            exit(0);
        }
        match self.mode.as_str() {
            "exit-at-start" => exit(3),
            "hang-at-start" => std::thread::sleep(LONG),
            "orphan" => {
                let marker = std::env::args().next_back().unwrap_or_default();
                let child = std::process::Command::new("sleep").arg(marker).spawn();
                drop(child.expect("sleep starts"));
            }
            _ => {}
        }
        say(&format!("id name Mock {}", self.mode));
        if self.dialect == Dialect::Ucci {
            if self.mode != "seconds" {
                say("option usemillisec type check default false");
            }
            say("ucciok");
        } else {
            say("option name Hash type spin default 16 min 1 max 64");
            say("option name Ponder type check default false");
            say("uciok");
        }
    }

    fn set(&mut self, text: &PositionText) {
        let start = match &text.start {
            Start::Startpos => Position::startpos(),
            Start::Fen(fen) => fen.parse().unwrap_or_else(|_| exit(7)),
        };
        self.game = Game::new(start);
        self.bans.clear();
        for &mv in &text.moves {
            if self.game.play(mv).is_err() {
                exit(8);
            }
        }
    }

    fn think(&mut self, draw_offered: bool) {
        self.moves_made += 1;
        say("info depth 5 score cp 12 nodes 1000 time 1 pv h2e2");
        if self.moves_made == FATAL_MOVE && self.misbehaves() {
            return;
        }
        let offer = match self.mode.as_str() {
            "draw" => " draw",
            "accept" if draw_offered => " draw",
            _ => "",
        };
        self.answer(offer);
    }

    /// True when it does not go on to answer.
    fn misbehaves(&mut self) -> bool {
        match self.mode.as_str() {
            "crash" => std::process::abort(),
            "exit" => exit(1),
            "stop-hang" => std::thread::sleep(LONG),
            "slow" => self.pending = true,
            "flood" => loop {
                say("info string more and more and more and more and more and more");
            },
            "long-line" => loop {
                let _ = write!(std::io::stdout(), "and no end of the line ");
            },
            "close" => {
                #[cfg(unix)]
                rustix::stdio::dup2_stdout(std::io::stderr()).expect("standard output closes");
                std::thread::sleep(LONG);
            }
            "garbage" => say("bestmove zz99"),
            "illegal" => say("bestmove a0a9"),
            "none" if self.dialect == Dialect::Ucci => say("nobestmove"),
            "none" => say("bestmove (none)"),
            "resign" => self.answer(" resign"),
            "twice" => {
                self.answer("");
                self.answer("");
            }
            _ => return false,
        }
        true
    }

    fn answer(&self, offer: &str) {
        let Some(mv) = self.choice() else {
            return say("bestmove (none)");
        };
        let mut game = self.game.clone();
        let reply = game.play(mv).ok().and_then(|()| some_move(game.position()));
        let ponder = reply.map_or(String::new(), |reply| format!(" ponder {reply}"));
        let line = format!("bestmove {mv}{ponder}{offer}");
        say(&shifted(&line, i32::from(self.mode == FROM_ONE)));
    }

    fn choice(&self) -> Option<Move> {
        let pos = self.game.position();
        if self.mode == "repeat" {
            let moves = pos.legal_moves();
            let mut allowed = moves.iter().copied().filter(|mv| !self.bans.contains(mv));
            let back = self.game.moves().iter().rev().nth(1);
            let back = back.map(|mv| Move::new(mv.to(), mv.from()));
            let along_file = |mv: &Move| mv.from().file() == mv.to().file();
            let checks = |mv: &Move| along_file(mv) && pos.after(*mv).in_check();
            let check = allowed.clone().find(checks);
            let back = allowed.clone().find(|mv| Some(*mv) == back);
            return check.or(back).or_else(|| allowed.next());
        }
        some_move(pos)
    }
}

/// A move that depends on the position alone.
fn some_move(pos: &Position) -> Option<Move> {
    let moves = pos.legal_moves();
    let count = u64::try_from(moves.len()).ok().filter(|&count| count > 0)?;
    moves.get((pos.key() % count) as usize).copied()
}
