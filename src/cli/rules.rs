//! `chuhe rules`: the question of GUI authors and arbiters.

mod batch;
mod files;
mod json;

use super::{Failure, Usage};
use crate::board::{Move, Position};
use crate::rules::{DrawRules, Game, GameError, RuleSet, Ruling, judge_with};
use serde_json::Value;
use std::fmt::Write;
use std::path::PathBuf;

/// Says what the rules make of a game: who loses, by which rule, and what each
/// move of the repetition is.
///
/// The game is one of FEN and moves, which is judged at its end, or each of
/// the files named, which is judged by the first ruling on its way.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Files of games, in any format that chuhe convert reads
    #[arg(value_name = "FILE", conflicts_with_all = ["fen", "moves", "batch"])]
    files: Vec<PathBuf>,

    /// The rule set (asian, wxf, chinese, cxq, sky, computer, simple,
    /// classic_prc, classic_hk, none, basic, sixty), or all to compare them
    #[arg(long, alias = "rule", value_name = "NAME", default_value = "asian")]
    rules: String,

    /// The position in which the moves begin; the start position if left out
    #[arg(long)]
    fen: Option<String>,

    /// The moves, as in "h2e2 h9g7"
    #[arg(long, default_value = "", allow_hyphen_values = true)]
    moves: String,

    /// Print one JSON object
    #[arg(long)]
    json: bool,

    /// Answer the cases of a file instead (- for standard input), one JSON
    /// object a line: fen, moves, and if wanted id and rule
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "moves"])]
    batch: Option<PathBuf>,

    /// With --batch: compare with the expected verdicts and classes of the
    /// file and print how many are right
    #[arg(long, requires = "batch")]
    score: bool,

    /// Plies without a capture that draw, 0 for no limit; as the rule set has
    /// it if left out
    #[arg(long, value_name = "PLIES")]
    capture_limit: Option<u16>,

    /// Whether lack of attacking pieces draws; as the rule set has it if left
    /// out
    #[arg(long, value_name = "BOOL", action = clap::ArgAction::Set)]
    material_draw: Option<bool>,
}

/// Runs the command.
///
/// # Errors
/// When the rule set, the FEN or a move makes no sense, or the file cannot be
/// read. Illegal moves are no error but a verdict.
pub fn run(args: &Args) -> Result<(), Failure> {
    if let Some(path) = &args.batch {
        return batch::run(args, path);
    }
    let sets = rule_sets(&args.rules)?;
    if !args.files.is_empty() {
        return files::run(args, &sets);
    }
    let fen = args.fen.as_deref();
    let start = fen.map_or_else(|| Ok(Position::startpos()), position)?;
    let moves = moves(&args.moves)?;
    let answers: Vec<Answer> = sets
        .into_iter()
        .map(|rules| Answer::of(start.clone(), &moves, rules, &args.draws(rules)))
        .collect();
    super::print(&if args.json {
        Value::Object(json::one_or_all(&answers)).to_string() + "\n"
    } else {
        in_words(&answers)
    });
    Ok(())
}

impl Args {
    fn draws(&self, rules: RuleSet) -> DrawRules {
        let mut draws = DrawRules::of(rules);
        if let Some(limit) = self.capture_limit {
            draws.capture_limit = (limit > 0).then_some(limit);
        }
        draws.material = self.material_draw.unwrap_or(draws.material);
        draws
    }
}

fn rule_sets(name: &str) -> Result<Vec<RuleSet>, Usage> {
    if name.eq_ignore_ascii_case("all") {
        return Ok(RuleSet::ALL.to_vec());
    }
    let set = name.parse::<RuleSet>();
    Ok(vec![set.map_err(|error| Usage(error.to_string()))?])
}

fn position(fen: &str) -> Result<Position, Usage> {
    let pos = fen.parse::<Position>();
    pos.map_err(|error| Usage(format!("{error} in `{fen}`")))
}

/// Moves between blanks or commas, in ICCS with or without a hyphen.
fn moves(text: &str) -> Result<Vec<Move>, Usage> {
    let words = text.split(|c: char| c.is_whitespace() || c == ',');
    words
        .filter(|word| !word.is_empty())
        .map(|word| {
            let plain = word.replace('-', "").to_ascii_lowercase();
            plain.parse().map_err(|_| {
                Usage(format!(
                    "`{word}` is no move: expected two squares such as h2e2"
                ))
            })
        })
        .collect()
}

/// What a rule set says of a game.
struct Answer {
    rules: RuleSet,
    ending: Ending,
    /// Plies of the game that were looked at.
    plies: usize,
    /// Plies from the last earlier occurrence of the position to the end.
    period: Option<usize>,
}

enum Ending {
    Ruling(Box<Ruling>),
    PlayGoesOn,
    Illegal(GameError),
}

impl Answer {
    fn of(start: Position, moves: &[Move], rules: RuleSet, draws: &DrawRules) -> Self {
        let mut game = Game::new(start);
        match moves.iter().try_for_each(|&mv| game.play(mv)) {
            Ok(()) => Self::now(&game, rules, draws),
            Err(error) => Self {
                ending: Ending::Illegal(error),
                ..Self::silent(&game, rules)
            },
        }
    }

    /// At the first position for which there is a ruling, or else the last.
    fn first_of(all: &Game, rules: RuleSet, draws: &DrawRules) -> Self {
        let mut game = Game::new(all.positions()[0].clone());
        for &mv in all.moves() {
            let answer = Self::now(&game, rules, draws);
            if matches!(answer.ending, Ending::Ruling(_)) || game.play(mv).is_err() {
                return answer;
            }
        }
        Self::now(&game, rules, draws)
    }

    fn now(game: &Game, rules: RuleSet, draws: &DrawRules) -> Self {
        let ruling = judge_with(game, rules, draws).map(|ruling| Ending::Ruling(Box::new(ruling)));
        Self {
            ending: ruling.unwrap_or(Ending::PlayGoesOn),
            ..Self::silent(game, rules)
        }
    }

    fn silent(game: &Game, rules: RuleSet) -> Self {
        Self {
            rules,
            ending: Ending::PlayGoesOn,
            plies: game.moves().len(),
            period: game.period(),
        }
    }

    /// The verdict by its name in files of cases.
    fn verdict(&self) -> &'static str {
        match &self.ending {
            Ending::Ruling(ruling) => ruling.outcome.name(),
            Ending::PlayGoesOn => "none",
            Ending::Illegal(error) => error.reason.name(),
        }
    }

    /// The names of the classes of one round of the cycle.
    fn classes(&self) -> Vec<&'static str> {
        let Ending::Ruling(ruling) = &self.ending else {
            return Vec::new();
        };
        let round = self.period.unwrap_or(ruling.moves.len());
        let moves = ruling.moves.iter().take(round);
        moves.map(|mv| mv.class.name()).collect()
    }
}

fn in_words(answers: &[Answer]) -> String {
    if let [answer] = answers {
        return explanation(answer);
    }
    let mut text = String::new();
    for answer in answers {
        let first = explanation(answer);
        let first = first.lines().next().unwrap_or_default();
        let _ = writeln!(text, "{:<12} {first}", answer.rules.name());
    }
    text
}

fn explanation(answer: &Answer) -> String {
    match &answer.ending {
        Ending::Ruling(ruling) => ruling.to_string(),
        Ending::PlayGoesOn => format!("Play goes on (rules {})\n", answer.rules),
        Ending::Illegal(error) => format!("{error}\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_read_in_every_spelling() {
        let expected = moves("h2e2 h9g7").ok();
        assert!(expected.is_some());
        for text in ["h2e2,h9g7", " H2-E2  h9-g7 ", "h2e2, h9g7"] {
            assert_eq!(moves(text).ok(), expected, "{text}");
        }
        assert!(moves("h2e2 x").is_err_and(|error| error.0.contains("`x`")));
    }

    #[test]
    fn rule_sets_are_one_or_all() {
        assert_eq!(rule_sets("All").map(|sets| sets.len()).ok(), Some(12));
        assert_eq!(rule_sets("AsianRule").ok(), Some(vec![RuleSet::Asian]));
        assert!(rule_sets("chess").is_err());
    }
}
