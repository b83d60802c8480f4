//! The page of a match of the seven kingdoms.

use super::config::SevenConfig;
use super::log::SevenGame;
use super::places::{Mean, PlaceTable};
use crate::draw::kingdoms::game_page_after;
use crate::draw::page::escape;
use crate::kingdoms::Record;
use std::fmt::Write;

/// The page: the table of places and the games to step through.
pub fn render(config: &SevenConfig, games: &[SevenGame]) -> String {
    let records: Vec<Record> = games.iter().filter_map(SevenGame::game).collect();
    let table = PlaceTable::new(config, games);
    game_page_after(&config.event, &places(&table), &records)
}

fn places(table: &PlaceTable) -> String {
    let mut out = format!(
        "<p>{} of {} games, {:.0} plies on average; 95 % intervals.</p>\n<table><tr><th>Engine</th>",
        table.games, table.planned, table.plies
    );
    for title in [
        "seats",
        "won %",
        "chance %",
        "place",
        "taken",
        "conquests",
        "out %",
        "faults",
    ] {
        let _ = write!(out, "<th class=\"number\">{title}</th>");
    }
    out += "</tr>\n";
    for row in &table.rows {
        let cells = [
            row.seats.to_string(),
            with_error(row.won, 100.0, 1),
            format!("{:.1}", row.chance * 100.0),
            with_error(row.place, 1.0, 2),
            format!("{:.1}", row.captures),
            format!("{:.2}", row.conquests),
            format!("{:.0}", row.fell * 100.0),
            row.faults.to_string(),
        ];
        let _ = write!(out, "<tr><td>{}</td>", escape(&row.name));
        for cell in cells {
            let _ = write!(out, "<td class=\"number\">{cell}</td>");
        }
        out += "</tr>\n";
    }
    out + "</table>\n"
}

fn with_error(mean: Mean, scale: f64, digits: usize) -> String {
    let value = mean.value * scale;
    match mean.error.is_finite() {
        true => format!("{value:.digits$} ± {:.digits$}", mean.error * scale),
        false => format!("{value:.digits$}"),
    }
}
