//! The summary of a match, as text and as JSON.

use super::config::MatchConfig;
use super::runner::MatchResult;
use super::standings::{EngineScore, Score};
use super::stats::{Elo, Estimate, Pentanomial, RatingList, Sprt, SprtState, Wdl};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::{self, Write};

/// Nodes per second are told of no shorter times: a clock outside the engine
/// sees little of a move that takes no milliseconds.
const LEAST_MS: u64 = 100;

/// Everything about a match but its games.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// Version of the program.
    pub version: &'static str,
    /// The name of the event.
    pub event: String,
    /// Why the match ended.
    pub ending: String,
    /// Games played.
    pub games: u64,
    /// Games of the schedule.
    pub planned: usize,
    /// The rule set.
    pub rules: &'static str,
    /// `wall` or `cpu`.
    pub clock: &'static str,
    /// What to know about the value of the figures.
    pub warnings: Vec<String>,
    /// All games for Red.
    pub red: Wdl,
    /// How often games ended why.
    pub reasons: BTreeMap<String, u64>,
    /// The engines in their order.
    pub engines: Vec<EngineSummary>,
    /// The meetings, for the first engine of each.
    pub meetings: Vec<MeetingSummary>,
    /// The sequential test.
    pub sprt: Option<SprtSummary>,
    /// Ratings, of more than two engines.
    pub ratings: Option<RatingList>,
}

/// An engine in the summary.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EngineSummary {
    /// Its name.
    pub name: String,
    /// How it introduced itself.
    pub introduced_as: Option<String>,
    /// Its limits.
    pub limit: String,
    /// Its results with Red.
    pub red: Wdl,
    /// Its results with Black.
    pub black: Wdl,
    /// Its points.
    pub points: f64,
    /// Games lost by faults and time.
    pub faults: BTreeMap<String, u64>,
    /// Its moves.
    pub moves: u64,
    /// Mean depth.
    pub depth: Option<f64>,
    /// Nodes per second.
    pub nps: Option<f64>,
    /// Mean milliseconds per move.
    pub ms_per_move: Option<f64>,
    /// The most milliseconds for a move.
    pub longest_ms: u64,
}

/// Two engines' games in the summary.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MeetingSummary {
    /// The two names.
    pub engines: [String; 2],
    /// Results for the first.
    pub wdl: Wdl,
    /// Pairs for the first: `[LL, LD, DD or WL, WD, WW]`.
    pub pentanomial: Pentanomial,
    /// The difference.
    pub estimate: Option<Estimate>,
}

/// The sequential test in the summary.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SprtSummary {
    /// The test.
    #[serde(flatten)]
    pub test: Sprt,
    /// Where it stands.
    #[serde(flatten)]
    pub state: SprtState,
}

impl Summary {
    /// The summary of a match.
    pub fn new(config: &MatchConfig, result: &MatchResult) -> Self {
        let standings = &result.standings;
        let name = |i: usize| config.engines[i].name.clone();
        let meeting = |((first, second), score): ((usize, usize), Score)| MeetingSummary {
            engines: [name(first), name(second)],
            wdl: score.wdl,
            pentanomial: score.pairs,
            estimate: score.estimate(),
        };
        let engine = |(i, score): (usize, &EngineScore)| EngineSummary {
            name: name(i),
            introduced_as: result.introduced[i].clone(),
            limit: config.budget_of(i).to_string(),
            ..EngineSummary::from(score)
        };
        let test = |test: Sprt| SprtSummary {
            test,
            state: test.state(standings.between(0, 1).pairs),
        };
        let reasons = standings.reasons().iter();
        Self {
            version: env!("CARGO_PKG_VERSION"),
            event: config.event.clone(),
            ending: result.ending.to_string(),
            games: standings.games(),
            planned: result.planned,
            rules: config.arbiter.rules.name(),
            clock: if config.cpu_clock { "cpu" } else { "wall" },
            warnings: config.warnings(),
            red: standings.red(),
            reasons: reasons
                .map(|(reason, &n)| (reason.to_string(), n))
                .collect(),
            engines: standings.engines().iter().enumerate().map(engine).collect(),
            meetings: standings.meetings().map(meeting).collect(),
            sprt: config.sprt.map(test),
            ratings: (config.engines.len() > 2).then(|| standings.ratings()),
        }
    }
}

impl From<&EngineScore> for EngineSummary {
    fn from(score: &EngineScore) -> Self {
        let ratio = |sum: u64, count: u64| (count > 0).then(|| sum as f64 / count as f64);
        let faults = score.faults.iter();
        Self {
            name: String::new(),
            introduced_as: None,
            limit: String::new(),
            red: score.red,
            black: score.black,
            points: score.all().points(),
            faults: faults.map(|(reason, &n)| (reason.to_string(), n)).collect(),
            moves: score.moves,
            depth: ratio(score.depth.0, score.depth.1),
            nps: ratio(score.nodes.0 * 1000, score.nodes.1).filter(|_| score.nodes.1 >= LEAST_MS),
            ms_per_move: ratio(score.ms, score.moves),
            longest_ms: score.longest_ms,
        }
    }
}

/// `+12.3`, `-inf`.
pub fn signed(elo: f64) -> String {
    if elo.is_infinite() {
        return if elo > 0.0 { "+inf" } else { "-inf" }.to_owned();
    }
    format!("{elo:+.1}")
}

/// `+12.3 [-5.0, +29.6]`.
pub fn elo_text(elo: Elo) -> String {
    format!(
        "{} [{}, {}]",
        signed(elo.value),
        signed(elo.low),
        signed(elo.high)
    )
}

/// The text of the summary, line by line.
impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{}: {} of {} games, {}; rules {}, {} clock; Red {}",
            self.event, self.games, self.planned, self.ending, self.rules, self.clock, self.red
        )?;
        for meeting in &self.meetings {
            write!(f, "{meeting}")?;
        }
        if let Some(test) = &self.sprt {
            writeln!(f, "{test}")?;
        }
        if let Some(list) = &self.ratings {
            f.write_str(&self.cross_table(list))?;
        }
        f.write_str(&self.engine_table())?;
        let reasons = self
            .reasons
            .iter()
            .map(|(reason, n)| format!("{reason} {n}"));
        writeln!(f, "endings: {}", reasons.collect::<Vec<_>>().join(", "))?;
        self.warnings
            .iter()
            .try_for_each(|warning| writeln!(f, "warning: {warning}"))
    }
}

impl fmt::Display for MeetingSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = &self.engines;
        write!(
            f,
            "{first} v {second}: {}, pairs {}",
            self.wdl, self.pentanomial
        )?;
        if let Some(estimate) = &self.estimate {
            write!(
                f,
                ", score {:.1} %, Elo {}, normalised {}, LOS {:.1} %",
                100.0 * estimate.score,
                elo_text(estimate.elo),
                elo_text(estimate.normalized),
                100.0 * estimate.los
            )?;
        }
        writeln!(f)
    }
}

impl fmt::Display for SprtSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use super::stats::{Decision, EloModel};
        let unit = match self.test.model {
            EloModel::Logistic => "Elo",
            EloModel::Normalized => "normalised Elo",
        };
        let verdict = match self.state.decision {
            Decision::Continue => "undecided",
            Decision::AcceptH0 => "H0 accepted",
            Decision::AcceptH1 => "H1 accepted",
        };
        let SprtState {
            llr, lower, upper, ..
        } = self.state;
        write!(
            f,
            "SPRT {} {unit}: LLR {llr:.2} in ({lower:.2}, {upper:.2}): {verdict}",
            self.test
        )
    }
}

impl Summary {
    /// Points of one engine against another and the games, as `3.5/6`.
    pub fn against(&self, engine: &str, other: &str) -> Option<(Wdl, String)> {
        let found = self
            .meetings
            .iter()
            .find_map(|meeting| match &meeting.engines {
                [a, b] if a == engine && b == other => Some(meeting.wdl),
                [a, b] if a == other && b == engine => Some(meeting.wdl.reversed()),
                _ => None,
            })?;
        Some((found, format!("{}/{}", found.points(), found.games())))
    }

    fn cross_table(&self, list: &RatingList) -> String {
        let name_of = |player: usize| self.engines[player].name.as_str();
        let mut text = String::new();
        let width = self
            .engines
            .iter()
            .map(|e| e.name.chars().count())
            .max()
            .unwrap_or(0)
            .max(6);
        let _ = write!(
            text,
            "  # {:width$} {:>8} {:>7} {:>9}",
            "engine", "Elo", "+-", "points"
        );
        for i in 0..list.ratings.len() {
            let _ = write!(text, " {:>9}", i + 1);
        }
        text.push('\n');
        for (place, rating) in list.ratings.iter().enumerate() {
            let name = name_of(rating.player);
            let points = format!("{}/{}", rating.points, rating.games);
            let _ = write!(
                text,
                "{:>3} {name:width$} {:>8} {:>7.1} {points:>9}",
                place + 1,
                signed(rating.elo),
                rating.error
            );
            for other in &list.ratings {
                let cell = self.against(name, name_of(other.player));
                let _ = write!(
                    text,
                    " {:>9}",
                    cell.map_or("-".to_owned(), |(_, cell)| cell)
                );
            }
            text.push('\n');
        }
        if list.with_prior {
            text +=
                "    (with a drawn game between every two engines added: results are one-sided)\n";
        }
        text
    }

    fn engine_table(&self) -> String {
        let mut text = String::new();
        let width = self
            .engines
            .iter()
            .map(|e| e.name.chars().count())
            .max()
            .unwrap_or(0);
        for engine in &self.engines {
            let number =
                |n: Option<f64>, digits| n.map_or("-".to_owned(), |n| format!("{n:.digits$}"));
            let faults: Vec<String> = engine
                .faults
                .iter()
                .map(|(reason, n)| format!("{reason} {n}"))
                .collect();
            let _ = writeln!(
                text,
                "{:width$} ({}): Red {}, Black {}; depth {}, {} nodes/s, {} ms/move, longest {} ms; faults: {}",
                engine.name,
                engine.limit,
                engine.red,
                engine.black,
                number(engine.depth, 1),
                number(engine.nps, 0),
                number(engine.ms_per_move, 1),
                engine.longest_ms,
                if faults.is_empty() {
                    "none".to_owned()
                } else {
                    faults.join(", ")
                }
            );
        }
        text
    }
}
