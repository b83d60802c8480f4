//! The progress line of a match, on standard error.

use super::journal::GameRecord;
use super::runner::Watcher;
use super::standings::Standings;
use super::stats::SprtState;
use super::summary::{elo_text, signed};
use indicatif::{ProgressBar, ProgressStyle};

/// A line that shows how the match goes; nothing when standard error is no
/// terminal.
#[derive(Debug)]
pub struct ProgressLine {
    bar: ProgressBar,
    names: Vec<String>,
}

impl ProgressLine {
    /// The line of a match of so many games.
    pub fn new(games: usize, names: Vec<String>) -> Self {
        let bar = ProgressBar::new(games as u64);
        let template = "{bar:20} {pos}/{len} [{elapsed_precise} <{eta_precise}] {wide_msg}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self { bar, names }
    }

    /// Takes the line away.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }

    fn two_engines(&self, standings: &Standings) -> String {
        let score = standings.between(0, 1);
        let elo = score
            .estimate()
            .map_or(String::new(), |e| format!(" Elo {}", elo_text(e.elo)));
        format!("{} v {}: {}{elo}", self.names[0], self.names[1], score.wdl)
    }

    fn leaders(&self, standings: &Standings) -> String {
        const SHOWN: usize = 3;
        let list = standings.ratings();
        let leaders = list.ratings.iter().take(SHOWN);
        let texts = leaders.map(|r| format!("{} {}", self.names[r.player], signed(r.elo)));
        texts.collect::<Vec<_>>().join(", ")
    }
}

impl Watcher for ProgressLine {
    fn game(&self, standings: &Standings, last: Option<&GameRecord>, test: Option<SprtState>) {
        let mut message = match self.names.len() {
            2 => self.two_engines(standings),
            _ => self.leaders(standings),
        };
        if let Some(test) = test {
            message += &format!(
                " LLR {:.2} ({:.2}, {:.2})",
                test.llr, test.lower, test.upper
            );
        }
        if standings.faults() > 0 {
            message += &format!(" faults {}", standings.faults());
        }
        if let Some(game) = last.filter(|game| game.fault.is_some()) {
            let words = format!(
                "{} - {}: {}: {}",
                game.red, game.black, game.reason, game.detail
            );
            self.bar.suspend(|| log::warn!("{words}"));
        }
        self.bar.set_position(standings.games());
        self.bar.set_message(message);
    }
}
