//! The page of a match: cross table, Elo over time, and the games to click
//! through. It is one file without references to others.

use super::config::MatchConfig;
use super::journal::GameRecord;
use super::runner::MatchResult;
use super::standings::Standings;
use super::summary::{Summary, elo_text, signed};
use crate::board::{Color, PieceKind};
use crate::draw::page::{escape, page, script_json};
use crate::draw::svg;
use serde_json::json;
use std::fmt::Write;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The page.
pub fn render(config: &MatchConfig, result: &MatchResult) -> String {
    let summary = Summary::new(config, result);
    let body = [
        heading(&summary),
        cross_table(&summary),
        meetings(&summary),
        chart(config, result),
        engines(&summary),
        viewer(result),
    ]
    .concat();
    let style = STYLE.to_owned() + svg::STYLE;
    page(&config.event, &style, &body)
}

fn heading(summary: &Summary) -> String {
    let mut out = format!("<h1>{}</h1>\n", escape(&summary.event));
    let _ = writeln!(
        out,
        "<p>{} of {} games, {}; rules {}, {} clock; Red {}</p>",
        summary.games, summary.planned, summary.ending, summary.rules, summary.clock, summary.red
    );
    for warning in &summary.warnings {
        let _ = writeln!(out, "<p class=\"warning\">{}</p>", escape(warning));
    }
    out
}

/// Engines by points, or by rating where there are ratings.
fn cross_table(summary: &Summary) -> String {
    let mut order: Vec<usize> = (0..summary.engines.len()).collect();
    let points = |i: usize| summary.engines[i].points;
    order.sort_by(|&a, &b| points(b).total_cmp(&points(a)));
    if let Some(list) = &summary.ratings {
        order = list.ratings.iter().map(|rating| rating.player).collect();
    }
    let mut out =
        String::from("<h2>Cross table</h2>\n<table id=\"cross\"><tr><th>#</th><th>Engine</th>");
    if summary.ratings.is_some() {
        out += "<th>Elo</th>";
    }
    out += "<th>Points</th>";
    for place in 1..=order.len() {
        let _ = write!(out, "<th>{place}</th>");
    }
    out += "</tr>\n";
    for (place, &engine) in order.iter().enumerate() {
        out += &cross_row(summary, &order, place, engine);
    }
    out + "</table>\n"
}

fn cross_row(summary: &Summary, order: &[usize], place: usize, engine: usize) -> String {
    let this = &summary.engines[engine];
    let mut out = format!("<tr><td>{}</td><td>{}</td>", place + 1, escape(&this.name));
    if let Some(list) = &summary.ratings {
        let rating = list.ratings.iter().find(|rating| rating.player == engine);
        let text = rating.map_or(String::new(), |r| {
            format!("{} ± {:.0}", signed(r.elo), r.error)
        });
        let _ = write!(out, "<td>{text}</td>");
    }
    let _ = write!(out, "<td>{}</td>", this.points);
    for &other in order {
        let cell = summary.against(&this.name, &summary.engines[other].name);
        let cell = cell.map_or(String::new(), |(wdl, text)| {
            format!("{text}<br><small>{wdl}</small>")
        });
        let _ = write!(out, "<td>{cell}</td>");
    }
    out + "</tr>\n"
}

fn meetings(summary: &Summary) -> String {
    let mut out = String::from("<ul>\n");
    for meeting in &summary.meetings {
        let _ = writeln!(out, "<li>{}</li>", escape(meeting.to_string().trim()));
    }
    if let Some(test) = &summary.sprt {
        let _ = writeln!(out, "<li>{}</li>", escape(&test.to_string()));
    }
    let reasons = summary
        .reasons
        .iter()
        .map(|(reason, n)| format!("{reason} {n}"));
    let reasons: Vec<String> = reasons.collect();
    let _ = write!(out, "<li>Endings: {}</li>\n</ul>\n", reasons.join(", "));
    out
}

fn engines(summary: &Summary) -> String {
    let mut out = String::from(
        "<h2>Engines</h2>\n<table><tr><th>Engine</th><th>introduced as</th><th>limit</th>\
         <th>Red</th><th>Black</th><th>depth</th><th>nodes/s</th><th>ms/move</th><th>longest</th><th>faults</th></tr>\n",
    );
    for engine in &summary.engines {
        let number = |n: Option<f64>, digits| n.map_or(String::new(), |n| format!("{n:.digits$}"));
        let faults = engine
            .faults
            .iter()
            .map(|(reason, n)| format!("{reason} {n}"));
        let cells = [
            escape(&engine.name),
            escape(engine.introduced_as.as_deref().unwrap_or("")),
            escape(&engine.limit),
            engine.red.to_string(),
            engine.black.to_string(),
            number(engine.depth, 1),
            number(engine.nps, 0),
            number(engine.ms_per_move, 1),
            engine.longest_ms.to_string(),
            faults.collect::<Vec<_>>().join(", "),
        ];
        let _ = writeln!(out, "<tr><td>{}</td></tr>", cells.join("</td><td>"));
    }
    out + "</table>\n"
}

/// Points of the chart: Elo with its interval after each game, of the first
/// engine against all others.
fn course(config: &MatchConfig, games: &[GameRecord]) -> Vec<[f64; 3]> {
    /// An interval before that says nothing.
    const FIRST: u64 = 10;
    let mut standings = Standings::new(config.engines.len());
    let mut points = Vec::new();
    for game in games {
        standings.add(game);
        let wdl = standings
            .engines()
            .first()
            .map(|engine| engine.all())
            .unwrap_or_default();
        let estimate = super::stats::Estimate::of_games(wdl);
        if let Some(e) = estimate.filter(|_| wdl.games() >= FIRST) {
            points.push([e.elo.low, e.elo.value, e.elo.high]);
        }
    }
    points
}

/// Elo over time as a line in its band.
fn chart(config: &MatchConfig, result: &MatchResult) -> String {
    const SIZE: (f64, f64) = (640.0, 220.0);
    /// Differences beyond are drawn at the edge.
    const MOST: f64 = 800.0;
    const LEAST: f64 = 20.0;
    let points = course(config, &result.games);
    let name = config
        .engines
        .first()
        .map_or("", |engine| engine.name.as_str());
    let mut out = format!("<h2>Elo of {} over time</h2>\n", escape(name));
    let Some(last) = points.last() else {
        return out + "<p>Too few games.</p>\n";
    };
    let largest = points
        .iter()
        .flatten()
        .fold(LEAST, |most: f64, p| most.max(p.abs().min(MOST)));
    let step = SIZE.0 / (points.len().max(2) - 1) as f64;
    let y = |elo: f64| SIZE.1 / 2.0 * (1.0 - elo.clamp(-largest, largest) / largest);
    let line = |column: usize| -> Vec<String> {
        let at = |(i, point): (usize, &[f64; 3])| {
            format!("{:.1},{:.1}", i as f64 * step, y(point[column]))
        };
        points.iter().enumerate().map(at).collect()
    };
    let band: Vec<String> = line(0)
        .into_iter()
        .chain(line(2).into_iter().rev())
        .collect();
    let _ = writeln!(
        out,
        "<svg id=\"chart\" viewBox=\"-50 -10 {} {}\"><polygon class=\"band\" points=\"{}\"/>\
         <line class=\"zero\" x2=\"{}\" y1=\"{z}\" y2=\"{z}\"/><polyline class=\"elo\" points=\"{}\"/>\
         <text x=\"-48\" y=\"5\">+{largest:.0}</text><text x=\"-48\" y=\"{z}\">0</text><text x=\"-48\" y=\"{}\">-{largest:.0}</text></svg>",
        SIZE.0 + 60.0,
        SIZE.1 + 20.0,
        band.join(" "),
        SIZE.0,
        line(1).join(" "),
        SIZE.1,
        z = SIZE.1 / 2.0,
    );
    let elo = super::stats::Elo {
        value: last[1],
        low: last[0],
        high: last[2],
    };
    let _ = writeln!(
        out,
        "<p>After {} games: {}</p>",
        result.games.len(),
        elo_text(elo)
    );
    out
}

/// The list of games, the board and what the script needs.
fn viewer(result: &MatchResult) -> String {
    let game = |game: &GameRecord| {
        json!({
            "red": game.red, "black": game.black, "result": game.result,
            "reason": game.reason, "detail": game.detail, "fen": game.fen,
            "moves": game.moves, "book": game.opening_plies,
            "score": game.score, "depth": game.depth, "ms": game.ms,
        })
    };
    let characters = Color::ALL.map(|color| {
        let letter = |kind: PieceKind| match color {
            Color::Red => kind.letter(),
            Color::Black => kind.letter().to_ascii_lowercase(),
        };
        PieceKind::ALL.map(|kind| (letter(kind), svg::character(color, kind)))
    });
    let characters: serde_json::Map<_, _> = characters
        .into_iter()
        .flatten()
        .map(|(letter, character)| (letter.to_string(), json!(character)))
        .collect();
    let data = json!({
        "games": result.games.iter().map(game).collect::<Vec<_>>(),
        "characters": characters,
        "cell": svg::CELL, "margin": svg::MARGIN, "piece": svg::PIECE,
    });
    format!(
        "<h2>Games</h2>\n<div id=\"viewer\">\n<div><select id=\"list\" size=\"16\"></select></div>\n\
         <div>{}<p><button id=\"first\">|&lt;</button> <button id=\"back\">&lt;</button> \
         <button id=\"forward\">&gt;</button> <button id=\"last\">&gt;|</button> <span id=\"status\"></span></p></div>\n\
         <div id=\"moves\"></div>\n</div>\n<script type=\"application/json\" id=\"data\">{}</script>\n<script>\n{SCRIPT}</script>\n",
        svg::board(""),
        script_json(&data)
    )
}
