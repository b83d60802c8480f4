//! Lines to replies.

use super::Dialect;
use super::score;
use super::words::{Words, join, read_move, read_number};
use super::write_reply::{EMPTY, NO_MOVE};
use crate::protocol::{
    BestMove, IdKey, Info, Offer, OptionKind, OptionLine, PopHash, Reply, ReplyError,
};
use crate::search::{Bound, Score};
use std::str::FromStr;

/// Reads a line from an engine.
pub fn read(dialect: Dialect, line: &str) -> Result<Reply, ReplyError> {
    let mut words = Words::new(line);
    let whole = words.rest();
    let fail = |expected| ReplyError {
        line: whole.to_owned(),
        expected,
    };
    let known = match words.next().unwrap_or_default() {
        "uciok" | "ucciok" => Some(Reply::Ok),
        "readyok" => Some(Reply::ReadyOk),
        "nobestmove" => Some(Reply::NoBestMove),
        "bye" => Some(Reply::Bye),
        "bestmove" => Some(best_move(words).ok_or_else(|| fail("a move after `bestmove`"))?),
        "option" => Some(
            option_line(words).ok_or_else(|| fail("a name and a type of option after `option`"))?,
        ),
        "info" => Some(info(dialect, words)),
        "pophash" => Some(Reply::PopHash(pop_hash(words))),
        "id" => id(words),
        _ => None,
    };
    Ok(known.unwrap_or_else(|| Reply::Text(line.trim_end_matches(['\r', '\n']).to_owned())))
}

fn id(mut words: Words<'_>) -> Option<Reply> {
    let word = words.next()?;
    let key = IdKey::ALL.into_iter().find(|key| key.word() == word)?;
    Some(Reply::Id {
        key,
        text: words.rest().to_owned(),
    })
}

/// `bestmove M [ponder M] [draw|resign]`, or one of the ways to say that
/// there is none.
fn best_move(mut words: Words<'_>) -> Option<Reply> {
    let first = words.next()?;
    if [NO_MOVE, "0000", "null", "none", "a0a0"].contains(&first) {
        return Some(Reply::NoBestMove);
    }
    let mut best = BestMove {
        mv: read_move(first)?,
        ponder: None,
        offer: None,
    };
    while let Some(word) = words.next() {
        match word {
            "ponder" => best.ponder = words.accept(read_move),
            "draw" => best.offer = Some(Offer::Draw),
            "resign" => best.offer = Some(Offer::Resign),
            _ => {}
        }
    }
    Some(Reply::BestMove(best))
}

/// `[name] NAME type TYPE ...`.
fn option_line(mut words: Words<'_>) -> Option<Reply> {
    words.accept(|word| (word == "name").then_some(()));
    let name = join(&words.until("type"));
    let kind = kind(words.next()?, words)?;
    (!name.is_empty()).then_some(Reply::Option(OptionLine { name, kind }))
}

/// What follows the type of an option, in any order.
#[derive(Default)]
struct Parts {
    default: String,
    min: Option<i64>,
    max: Option<i64>,
    values: Vec<String>,
}

impl Parts {
    const KEYS: [&'static str; 4] = ["default", "min", "max", "var"];

    fn read(mut words: Words<'_>) -> Self {
        let mut parts = Self::default();
        while let Some(key) = words.next() {
            let not_key = |word: &str| !Self::KEYS.contains(&word);
            let mut value = Vec::new();
            while let Some(word) = words.peek().filter(|word| not_key(word)) {
                value.push(word);
                words.next();
            }
            parts.set(key, join(&value));
        }
        parts
    }

    fn set(&mut self, key: &str, value: String) {
        match key {
            "default" => self.default = value,
            "min" => self.min = read_number(&value),
            "max" => self.max = read_number(&value),
            "var" => self.values.push(value),
            _ => {}
        }
    }
}

fn kind(word: &str, words: Words<'_>) -> Option<OptionKind> {
    let parts = Parts::read(words);
    Some(match word {
        "check" => OptionKind::Check {
            default: matches!(parts.default.as_str(), "true" | "on" | "1"),
        },
        "spin" => OptionKind::Spin {
            default: read_number(&parts.default).unwrap_or(0),
            min: parts.min.unwrap_or(i64::MIN),
            max: parts.max.unwrap_or(i64::MAX),
        },
        "combo" => OptionKind::Combo {
            default: parts.default,
            values: parts.values,
        },
        "button" => OptionKind::Button,
        "string" => OptionKind::Text {
            default: if parts.default == EMPTY {
                String::new()
            } else {
                parts.default
            },
        },
        "label" => OptionKind::Label,
        _ => return None,
    })
}

/// The news on a line; words that are not known are passed over.
fn info(dialect: Dialect, mut words: Words<'_>) -> Reply {
    let mut news = Info::default();
    while let Some(word) = words.next() {
        match word {
            "string" | "message" => return Reply::Message(words.rest().to_owned()),
            "depth" => news.depth = number(&mut words),
            "seldepth" => news.seldepth = number(&mut words),
            "multipv" => news.multipv = number(&mut words),
            "score" => news.score = score::read(dialect, &mut words).map(exact),
            "lowerbound" => news.score = news.score.map(|(value, _)| (value, Bound::Lower)),
            "upperbound" => news.score = news.score.map(|(value, _)| (value, Bound::Upper)),
            "wdl" => news.wdl = wdl(&mut words),
            "nodes" => news.nodes = number(&mut words),
            "nps" => news.nps = number(&mut words),
            "hashfull" => news.hashfull = number(&mut words),
            "tbhits" => news.tbhits = number(&mut words),
            "time" => news.time = number(&mut words),
            "currmove" => news.currmove = words.accept(read_move),
            "currmovenumber" => news.currmovenumber = number(&mut words),
            "pv" => news.pv = words.moves(),
            _ => {}
        }
    }
    Reply::Info(Box::new(news))
}

fn exact(score: Score) -> (Score, Bound) {
    (score, Bound::Exact)
}

fn number<T: FromStr>(words: &mut Words<'_>) -> Option<T> {
    words.accept(|word| word.parse().ok())
}

fn wdl(words: &mut Words<'_>) -> Option<[u16; 3]> {
    Some([number(words)?, number(words)?, number(words)?])
}

fn pop_hash(mut words: Words<'_>) -> PopHash {
    let mut known = PopHash::default();
    while let Some(word) = words.next() {
        match word {
            "bestmove" => known.best = words.accept(read_move),
            "lowerbound" => known.lower = bound(&mut words),
            "upperbound" => known.upper = bound(&mut words),
            _ => {}
        }
    }
    known
}

/// `N depth D`.
fn bound(words: &mut Words<'_>) -> Option<(Score, u32)> {
    let value = words.accept(read_number)?;
    words.accept(|word| (word == "depth").then_some(()))?;
    Some((score::from_ucci(value), number(words)?))
}
