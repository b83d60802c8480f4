//! Replies to lines.

use super::Dialect;
use super::score;
use super::words::join;
use crate::protocol::{BestMove, Info, Offer, OptionKind, OptionLine, PopHash, Reply};
use crate::search::{Bound, Score};
use std::fmt::Display;

/// What stands for an empty text in UCI.
pub const EMPTY: &str = "<empty>";
/// What stands for no move in UCI.
pub const NO_MOVE: &str = "(none)";

/// Writes a reply; `None` where the dialect has none such.
pub fn write(dialect: Dialect, reply: &Reply) -> Option<String> {
    let ucci = dialect.is_ucci();
    Some(match reply {
        Reply::Id { key, text } => format!("id {} {text}", key.word()),
        Reply::Option(option) => option_line(ucci, option),
        Reply::Ok if ucci => "ucciok".into(),
        Reply::Ok => "uciok".into(),
        Reply::ReadyOk => "readyok".into(),
        Reply::Info(news) => info(dialect, news),
        Reply::Message(text) if ucci => format!("info message {text}"),
        Reply::Message(text) => format!("info string {text}"),
        Reply::BestMove(best) => best_move(ucci, best),
        Reply::NoBestMove if ucci => "nobestmove".into(),
        Reply::NoBestMove => format!("bestmove {NO_MOVE}"),
        Reply::PopHash(known) if ucci => pop_hash(known),
        Reply::Bye if ucci => "bye".into(),
        Reply::PopHash(_) | Reply::Bye => return None,
        Reply::Text(text) => text.clone(),
    })
}

fn option_line(ucci: bool, option: &OptionLine) -> String {
    let head = if ucci { "option" } else { "option name" };
    format!("{head} {} type {}", option.name, kind(ucci, &option.kind))
}

fn kind(ucci: bool, kind: &OptionKind) -> String {
    match kind {
        OptionKind::Check { default } => format!("check default {default}"),
        OptionKind::Spin { default, min, max } if ucci => {
            format!("spin min {min} max {max} default {default}")
        }
        OptionKind::Spin { default, min, max } => {
            format!("spin default {default} min {min} max {max}")
        }
        OptionKind::Combo { default, values } => combo(ucci, default, values),
        OptionKind::Button => "button".into(),
        OptionKind::Text { default } if default.is_empty() && ucci => "string".into(),
        OptionKind::Text { default } if default.is_empty() => format!("string default {EMPTY}"),
        OptionKind::Text { default } => format!("string default {default}"),
        OptionKind::Label => "label".into(),
    }
}

fn combo(ucci: bool, default: &str, values: &[String]) -> String {
    let vars: String = values.iter().map(|value| format!(" var {value}")).collect();
    if ucci {
        format!("combo{vars} default {default}")
    } else {
        format!("combo default {default}{vars}")
    }
}

fn info(dialect: Dialect, news: &Info) -> String {
    let mut line = "info".to_owned();
    let uci = !dialect.is_ucci();
    part(&mut line, "depth", news.depth);
    part(&mut line, "seldepth", news.seldepth.filter(|_| uci));
    part(&mut line, "multipv", news.multipv.filter(|_| uci));
    if let Some((value, bound)) = news.score {
        part(&mut line, "score", Some(score::write(dialect, value)));
        line += bound_word(bound);
    }
    if let Some([win, draw, loss]) = news.wdl.filter(|_| uci) {
        part(&mut line, "wdl", Some(format!("{win} {draw} {loss}")));
    }
    if !uci {
        part(&mut line, "time", news.time);
    }
    part(&mut line, "nodes", news.nodes);
    if uci {
        part(&mut line, "nps", news.nps);
        part(&mut line, "hashfull", news.hashfull);
        part(&mut line, "tbhits", news.tbhits);
        part(&mut line, "time", news.time);
    }
    part(&mut line, "currmove", news.currmove);
    part(&mut line, "currmovenumber", news.currmovenumber);
    if !news.pv.is_empty() {
        part(&mut line, "pv", Some(join(&news.pv)));
    }
    line
}

fn part(line: &mut String, word: &str, value: Option<impl Display>) {
    if let Some(value) = value {
        *line = format!("{line} {word} {value}");
    }
}

fn bound_word(bound: Bound) -> &'static str {
    match bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    }
}

fn best_move(ucci: bool, best: &BestMove) -> String {
    let mut line = format!("bestmove {}", best.mv);
    part(&mut line, "ponder", best.ponder);
    match best.offer.filter(|_| ucci) {
        Some(Offer::Draw) => line + " draw",
        Some(Offer::Resign) => line + " resign",
        None => line,
    }
}

fn pop_hash(known: &PopHash) -> String {
    let mut line = "pophash".to_owned();
    let bound = |(value, depth): (Score, u32)| format!("{} depth {depth}", score::ucci(value));
    part(&mut line, "bestmove", known.best);
    part(&mut line, "lowerbound", known.lower.map(bound));
    part(&mut line, "upperbound", known.upper.map(bound));
    line
}
