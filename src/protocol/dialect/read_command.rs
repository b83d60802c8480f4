//! Lines to commands.

use super::Dialect;
use super::words::{Words, join, read_move, read_number};
use crate::board::Move;
use crate::board::perft::MOST_PLIES;
use crate::protocol::command::POSITION;
use crate::protocol::{Command, CommandError, Go, MoveList, PositionText, Start, Unreadable};

/// Reads a line; `None` when there is nothing in it.
pub fn read(line: &str) -> Result<Option<Command>, CommandError> {
    let mut words = Words::new(line);
    let whole = words.clone();
    let Some(first) = words.next().filter(|word| !word.starts_with('#')) else {
        return Ok(None);
    };
    let command = match first {
        "uci" => Command::Hello(Dialect::Uci),
        "ucicyclone" => Command::Hello(Dialect::Cyclone),
        "ucci" => Command::Hello(Dialect::Ucci),
        "isready" => Command::IsReady,
        "setoption" => set_option(words)?,
        "ucinewgame" | "uccinewgame" | "newgame" => Command::NewGame,
        "position" => Command::Position(position(words, POSITION)?),
        "fen" | "startpos" => Command::Position(position(whole, POSITION)?),
        "banmoves" => Command::BanMoves(move_list(&mut words, |_| false)),
        "go" => go(words),
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit {
            draw: words.any(|word| word == "draw"),
        },
        "probe" => Command::Probe(position(words, "probe")?),
        "quit" | "exit" => Command::Quit,
        "debug" => Command::Debug(words.next() != Some("off")),
        "d" => Command::Display,
        "eval" => Command::Eval,
        "flip" => Command::Flip,
        "bench" => Command::Bench(words.map(str::to_owned).collect()),
        "help" | "--help" => Command::Help,
        _ => return Err(CommandError::Unknown(whole.rest().to_owned())),
    };
    Ok(Some(command))
}

/// Splits a line on which a `go` follows a position without a line end
/// between them, a slip of real programs; the second part is empty otherwise.
pub fn split_glued(line: &str) -> (&str, &str) {
    let mut words = Words::new(line);
    if !matches!(words.next(), Some("position" | "fen" | "startpos")) {
        return (line, "");
    }
    while let Some(word) = words.peek() {
        if word == "go" {
            let rest = words.rest();
            let at = rest.as_ptr() as usize - line.as_ptr() as usize;
            return (&line[..at], rest);
        }
        words.next();
    }
    (line, "")
}

/// `[position] {startpos | fen F} [moves M...]`.
fn position(mut words: Words<'_>, command: &'static str) -> Result<PositionText, CommandError> {
    const EXPECTED: &str = "`startpos` or `fen` and a FEN";
    let start = match words.next() {
        Some("startpos") => {
            words.accept(|word| (word == "moves").then_some(()));
            Start::Startpos
        }
        Some("fen") => Start::Fen(fen(&words.until("moves"))),
        None => {
            return Err(CommandError::Missing {
                command,
                expected: EXPECTED,
            });
        }
        Some(found) => {
            return Err(CommandError::Unexpected {
                command,
                expected: EXPECTED,
                found: found.to_owned(),
            });
        }
    };
    let moves = only_moves(words, command)?;
    Ok(PositionText { start, moves })
}

/// The fields of a FEN, with red to move written as `w`.
fn fen(fields: &[&str]) -> String {
    let mut fields = fields.to_vec();
    if let Some(side) = fields.get_mut(1).filter(|side| **side == "r") {
        *side = "w";
    }
    join(&fields)
}

/// Moves up to the end of the line.
fn only_moves(mut words: Words<'_>, command: &'static str) -> Result<Vec<Move>, CommandError> {
    let moves = words.moves();
    match words.next() {
        None => Ok(moves),
        Some(word) => Err(CommandError::NotAMove {
            command,
            number: moves.len() + 1,
            word: word.to_owned(),
        }),
    }
}

/// A list of moves up to the end of the line or to a word that ends it. Words
/// that are no moves cost only themselves.
fn move_list(words: &mut Words<'_>, ends: fn(&str) -> bool) -> MoveList {
    let mut list = MoveList::default();
    while let Some(word) = words.accept(|word| Some(word).filter(|word| !ends(word))) {
        match read_move(word) {
            Some(mv) => list.moves.push(mv),
            None => list.unreadable.push(word.to_owned()),
        }
    }
    list
}

/// Whether a word begins another part of a `go` command.
fn is_go_word(word: &str) -> bool {
    matches!(
        word,
        "infinite" | "ponder" | "draw" | "searchmoves" | "perft"
    ) || go_number(&mut Go::default(), word).is_some()
}

/// `name N [value V]` or, as UCCI has it, `N [V]`.
fn set_option(mut words: Words<'_>) -> Result<Command, CommandError> {
    let long = words.peek() == Some("name");
    let name = if long {
        words.next();
        join(&words.until("value"))
    } else {
        words.next().unwrap_or_default().to_owned()
    };
    if name.is_empty() {
        return Err(CommandError::Missing {
            command: "setoption",
            expected: "the name of an option",
        });
    }
    if name.eq_ignore_ascii_case("newgame") {
        return Ok(Command::NewGame);
    }
    let value = Some(words.rest()).filter(|rest| !rest.is_empty());
    Ok(Command::SetOption {
        name,
        value: value.map(str::to_owned),
    })
}

/// The limits of a search, in any order, the words of both dialects.
fn go(mut words: Words<'_>) -> Command {
    let mut go = Go::default();
    let mut perft = None;
    while let Some(word) = words.next() {
        match word {
            "infinite" => go.infinite = true,
            "ponder" => go.ponder = true,
            "draw" => go.draw = true,
            "searchmoves" => go.search_moves = move_list(&mut words, is_go_word),
            "perft" => perft = words.accept(read_number).or(Some(1)),
            _ => number(&mut go, word, &mut words),
        }
    }
    match perft {
        Some(depth) => Command::Perft(depth.clamp(0, MOST_PLIES.into()) as u32),
        None => Command::Go(Box::new(go)),
    }
}

/// Takes the number after a limit word; other words are noted as unknown.
fn number(go: &mut Go, word: &str, words: &mut Words<'_>) {
    let Some((name, slot)) = go_number(go, word) else {
        go.unknown.push(word.to_owned());
        return;
    };
    match words.accept(read_number) {
        Some(value) => *slot = Some(value),
        None => {
            let value = words.peek().unwrap_or_default().to_owned();
            go.unreadable.push(Unreadable { word: name, value });
        }
    }
}

/// The field that a limit word fills, and the word.
fn go_number<'a>(go: &'a mut Go, word: &str) -> Option<(&'static str, &'a mut Option<i64>)> {
    Some(match word {
        "depth" => ("depth", &mut go.depth),
        "nodes" => ("nodes", &mut go.nodes),
        "movetime" => ("movetime", &mut go.movetime),
        "mate" => ("mate", &mut go.mate),
        "wtime" => ("wtime", &mut go.red.time),
        "btime" => ("btime", &mut go.black.time),
        "winc" => ("winc", &mut go.red.increment),
        "binc" => ("binc", &mut go.black.increment),
        "movestogo" => ("movestogo", &mut go.own.moves_to_go),
        "time" => ("time", &mut go.own.time),
        "increment" => ("increment", &mut go.own.increment),
        "opptime" => ("opptime", &mut go.opponent.time),
        "oppincrement" => ("oppincrement", &mut go.opponent.increment),
        "oppmovestogo" => ("oppmovestogo", &mut go.opponent.moves_to_go),
        _ => return None,
    })
}
