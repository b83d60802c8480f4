//! Commands to lines.

use super::Dialect;
use super::words::join;
use crate::protocol::{Command, Go, MoveList, PositionText, SideClock, Start};

/// Writes a command as a line without its end.
pub fn write(dialect: Dialect, command: &Command) -> String {
    match command {
        Command::Hello(Dialect::Uci) => "uci".into(),
        Command::Hello(Dialect::Cyclone) => "ucicyclone".into(),
        Command::Hello(Dialect::Ucci) => "ucci".into(),
        Command::IsReady => "isready".into(),
        Command::SetOption { name, value } => set_option(dialect, name, value.as_deref()),
        Command::NewGame if dialect.is_ucci() => "setoption newgame".into(),
        Command::NewGame => "ucinewgame".into(),
        Command::Position(text) if dialect == Dialect::Cyclone => cyclone(text),
        Command::Position(text) => format!("position {}", position(text)),
        Command::BanMoves(list) => spaced("banmoves", &moves(list)),
        Command::Go(limits) => go(dialect, limits),
        Command::Perft(depth) => format!("go perft {depth}"),
        Command::Stop => "stop".into(),
        Command::PonderHit { draw: true } if dialect.is_ucci() => "ponderhit draw".into(),
        Command::PonderHit { .. } => "ponderhit".into(),
        Command::Probe(text) => format!("probe {}", position(text)),
        Command::Quit => "quit".into(),
        Command::Debug(on) => format!("debug {}", if *on { "on" } else { "off" }),
        Command::Display => "d".into(),
        Command::Eval => "eval".into(),
        Command::Flip => "flip".into(),
        Command::Bench(args) => spaced("bench", &args.join(" ")),
        Command::Help => "help".into(),
    }
}

/// A word and, where there is any, what follows it.
fn spaced(word: &str, rest: &str) -> String {
    if rest.is_empty() {
        return word.to_owned();
    }
    format!("{word} {rest}")
}

fn set_option(dialect: Dialect, name: &str, value: Option<&str>) -> String {
    match (dialect.is_ucci(), value) {
        (true, _) => spaced(&format!("setoption {name}"), value.unwrap_or_default()),
        (false, None) => format!("setoption name {name}"),
        (false, Some(value)) => format!("setoption name {name} value {value}"),
    }
}

fn position(text: &PositionText) -> String {
    let start = match &text.start {
        Start::Startpos => "startpos".to_owned(),
        Start::Fen(fen) => format!("fen {fen}"),
    };
    if text.moves.is_empty() {
        return start;
    }
    format!("{start} moves {}", join(&text.moves))
}

/// As uci2wb writes it: no `position`, red as `r`, `moves` even when empty.
fn cyclone(text: &PositionText) -> String {
    let start = match &text.start {
        Start::Startpos => "startpos".to_owned(),
        Start::Fen(fen) => format!("fen {}", fen.replacen(" w", " r", 1)),
    };
    spaced(&format!("{start} moves"), &join(&text.moves))
}

/// The limits in the words of a dialect; a clock belongs to the words of the
/// dialect it was made for (see [`Go::set_clocks`]).
fn go(dialect: Dialect, go: &Go) -> String {
    let mut line = "go".to_owned();
    flag(&mut line, "ponder", go.ponder);
    flag(&mut line, "draw", go.draw && dialect.is_ucci());
    flag(&mut line, "infinite", go.infinite);
    number(&mut line, "depth", go.depth);
    number(&mut line, "nodes", go.nodes);
    number(&mut line, "movetime", go.movetime);
    number(&mut line, "mate", go.mate);
    if dialect.is_ucci() {
        clock(&mut line, ["time", "increment", "movestogo"], go.own);
        clock(
            &mut line,
            ["opptime", "oppincrement", "oppmovestogo"],
            go.opponent,
        );
    } else {
        number(&mut line, "wtime", go.red.time);
        number(&mut line, "btime", go.black.time);
        number(&mut line, "winc", go.red.increment);
        number(&mut line, "binc", go.black.increment);
        number(&mut line, "movestogo", go.own.moves_to_go);
    }
    if go.search_moves.is_empty() {
        return line;
    }
    format!("{line} searchmoves {}", moves(&go.search_moves))
}

fn moves(list: &MoveList) -> String {
    let moves = list.moves.iter().map(ToString::to_string);
    let words: Vec<String> = moves.chain(list.unreadable.iter().cloned()).collect();
    words.join(" ")
}

fn flag(line: &mut String, word: &str, set: bool) {
    if set {
        *line = format!("{line} {word}");
    }
}

fn number(line: &mut String, word: &str, value: Option<i64>) {
    if let Some(value) = value {
        *line = format!("{line} {word} {value}");
    }
}

fn clock(line: &mut String, words: [&str; 3], clock: SideClock) {
    number(line, words[0], clock.time);
    number(line, words[1], clock.increment);
    number(line, words[2], clock.moves_to_go);
}
