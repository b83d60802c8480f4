//! `chuhe play`: a person at the board.

use super::{Failure, Usage};
use crate::board::Position;
use crate::kingdoms::SEATS;
use crate::notation::Notation;
use crate::platform::files::{self, check_plain};
use crate::play::game::Game;
use crate::play::kingdoms::{self, Kingdoms};
use crate::play::lines::Keyboard;
use crate::play::screen::{Screen, Symbols};
use crate::play::seat::Strength;
use crate::play::store::Store;
use crate::play::table::Table;
use crate::play::xiangqi::{self, Xiangqi};
use crate::rules::RuleSet;
use crate::search::ELO_RANGE;
use anstream::{AutoStream, ColorChoice};
use std::io;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

const AFTER_HELP: &str = "\
You type moves and words at the prompt; `help` lists them. A move is two
squares: h2e2 in xiangqi (files a to i from the left, ranks 0 to 9 from Red's
side), a13b15 in the Game of the Seven Kingdoms. In xiangqi you may also type
moves as books print them: C2=5, 炮二平五, h3e3, Che2. `moves h2` shows where
the piece on h2 may go, `hint` what the engine would play, `undo` takes your
last move back, `eval on` tells how it stands, `quit` leaves.

The game is kept after every move, and `chuhe play --resume` goes on with it.

Examples:
  chuhe play                         you are Red, the engine takes a second a move
  chuhe play --side black --skill 5  an easier opponent, who begins
  chuhe play --side none             the engine against itself
  chuhe play --variant sevenkingdoms --side Chu";

/// The Elo numbers that can be asked for.
const ELOS: RangeInclusive<i64> = ELO_RANGE.0 as i64..=ELO_RANGE.1 as i64;

/// Play against the engine in the terminal, or watch it play.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// xiangqi or sevenkingdoms
    #[arg(long, value_name = "GAME", default_value = "xiangqi")]
    variant: String,
    /// What you play: red, black, both or none; of the seven kingdoms names or
    /// letters with commas, all or none [default: red; Qin]
    #[arg(long, value_name = "SIDE")]
    side: Option<String>,
    /// Seconds that the engine thinks about a move [default: 1]
    #[arg(long, value_name = "S", value_parser = seconds)]
    movetime: Option<Duration>,
    /// Nodes that it searches for a move
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Plies that it looks ahead
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Strength in xiangqi, 0 (weakest) to 20
    #[arg(long, value_name = "LEVEL", value_parser = clap::value_parser!(u32).range(0..=20))]
    skill: Option<u32>,
    /// Strength in xiangqi as an Elo number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(ELOS))]
    elo: Option<u32>,
    /// Rules of repetition (asian, chinese, cxq and others), or a preset of
    /// the seven kingdoms (english, russian, ludii)
    #[arg(long, value_name = "NAME")]
    rules: Option<String>,
    /// Players of the seven kingdoms, 3 to 7 [default: 7]
    #[arg(long, value_name = "N")]
    players: Option<usize>,
    /// Begin with this position
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// How xiangqi moves are told: iccs, wxf, chinese, algebraic and others
    /// [default: iccs]
    #[arg(long, value_name = "NAME")]
    notation: Option<Notation>,
    /// Tell how it stands after every move
    #[arg(long)]
    eval: bool,
    /// What stands on the pieces: chinese, letters or ascii [default: chinese
    /// in a UTF-8 terminal, else ascii]
    #[arg(long, value_name = "KIND")]
    symbols: Option<Symbols>,
    /// Colours: auto, always or never
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: clap::ColorChoice,
    /// Go on with the game that was left or killed
    #[arg(long, conflicts_with_all = ["load", "fen"])]
    resume: bool,
    /// Go on with the game in this file
    #[arg(long, value_name = "FILE")]
    load: Option<PathBuf>,
    /// Keep the game in this file [default: one for each game in the user's
    /// folder for program state; while that is in use, one more]
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|&s: &f64| s > 0.0);
    let time = seconds.and_then(|s| Duration::try_from_secs_f64(s).ok());
    time.ok_or_else(|| format!("`{text}`: expected seconds above 0"))
}

/// Runs the command.
///
/// # Errors
/// When the arguments make no sense or the terminal or a file cannot be used.
pub fn run(args: &Args) -> Result<(), Failure> {
    match args.variant.as_str() {
        "xiangqi" => at_table(args, &mut Xiangqi::new(args.xiangqi()?)),
        "sevenkingdoms" => at_table(args, &mut Kingdoms::new(args.kingdoms()?)),
        other => Err(Box::new(Usage(format!(
            "--variant `{other}`: expected xiangqi or sevenkingdoms"
        )))),
    }
}

fn at_table(args: &Args, game: &mut dyn Game) -> Result<(), Failure> {
    let store = args.store()?;
    prepare(args, game, &store)?;
    let stop = super::stop_on_signal(None)?;
    let mut lines = Keyboard::new()?;
    let mut table = Table {
        game,
        lines: &mut lines,
        out: &mut io::stdout(),
        screen: args.screen(),
        store,
        stop: &stop,
        evaluates: args.eval,
    };
    match table.run() {
        // A reader that has gone away is no failure.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other?),
    }
}

/// Puts an earlier game on the board where that is asked for; else an
/// unfinished one that would be overwritten is put aside.
fn prepare(args: &Args, game: &mut dyn Game, store: &Store) -> Result<(), Failure> {
    let name = store.path().display();
    let kept = store.load().map_err(|error| format!("{name}: {error}"))?;
    if let Some(path) = &args.load {
        let name = path.display();
        let bytes = files::read(path).map_err(|error| format!("{name}: {error}"))?;
        game.restore(&bytes).map_err(|e| format!("{name}: {e}"))?;
    } else if args.resume {
        let text = kept.ok_or_else(|| format!("{name}: there is no game to go on with"))?;
        game.restore(text.as_bytes())
            .map_err(|e| format!("{name}: {e}"))?;
        return Ok(());
    }
    if let Some(old) = store.put_aside()? {
        log::info!("the game before this one is in {}", old.display());
    }
    Ok(())
}

impl Args {
    fn strength(&self) -> Strength {
        Strength {
            time: self.movetime,
            nodes: self.nodes,
            depth: self.depth,
            skill: self.skill,
            elo: self.elo,
        }
    }

    /// Refuses what means nothing in the game chosen.
    fn refuse(&self, options: &[(&str, bool)]) -> Result<(), Usage> {
        super::refuse(options, &format!("not with {}", self.variant))
    }

    fn xiangqi(&self) -> Result<xiangqi::Setup, Usage> {
        self.refuse(&[("--players", self.players.is_some())])?;
        let usage = |error: &dyn std::fmt::Display| Usage(error.to_string());
        let side = self.side.as_deref().unwrap_or("red");
        let rules = match &self.rules {
            None => RuleSet::default(),
            Some(name) => name.parse().map_err(|e| usage(&e))?,
        };
        let start = match &self.fen {
            None => Position::startpos(),
            Some(fen) => fen
                .parse()
                .map_err(|error| Usage(format!("{error} in `{fen}`")))?,
        };
        Ok(xiangqi::Setup {
            persons: xiangqi::sides(side).map_err(|e| Usage(format!("--side {e}")))?,
            strength: self.strength(),
            rules,
            notation: self.notation.unwrap_or(Notation::Iccs),
            start,
        })
    }

    fn kingdoms(&self) -> Result<kingdoms::Setup, Usage> {
        self.refuse(&[
            ("--skill", self.skill.is_some()),
            ("--elo", self.elo.is_some()),
            ("--notation", self.notation.is_some()),
            (
                "--players with --fen",
                self.players.is_some() && self.fen.is_some(),
            ),
        ])?;
        let rules = self.rules.as_deref().unwrap_or("english");
        let rules = kingdoms::rules(rules).map_err(|e| Usage(format!("--rules {e}")))?;
        let side = self.side.as_deref().unwrap_or("Qin");
        Ok(kingdoms::Setup {
            persons: kingdoms::seats(side).map_err(|e| Usage(format!("--side {e}")))?,
            strength: self.strength(),
            start: kingdoms::start(self.fen.as_deref(), self.players.unwrap_or(SEATS), rules)
                .map_err(|e| Usage(e.to_string()))?,
        })
    }

    fn screen(&self) -> Screen {
        let choice = match self.color {
            clap::ColorChoice::Always => ColorChoice::Always,
            clap::ColorChoice::Never => ColorChoice::Never,
            // Knows NO_COLOR, CLICOLOR and what is no terminal.
            clap::ColorChoice::Auto => AutoStream::choice(&io::stdout()),
        };
        Screen {
            symbols: self
                .symbols
                .unwrap_or_else(|| Symbols::of_locale(&locale())),
            colour: choice != ColorChoice::Never,
        }
    }

    /// Where the game is kept: in the file that is named, else in the first of
    /// the usual ones that no other table has. To go on with a game there must
    /// be one.
    fn store(&self) -> Result<Store, Usage> {
        let places: Vec<PathBuf> = match &self.keep {
            Some(path) => vec![path.clone()],
            None => (1..=MOST_TABLES).map(|n| self.kept_by_default(n)).collect(),
        };
        let first = places[0].display();
        check_plain(&places[0]).map_err(|error| Usage(format!("{first}: {error}")))?;
        let is_meant = |&(n, path): &(usize, &PathBuf)| n == 0 || !self.resume || path.exists();
        let mut meant = places.iter().enumerate().filter(is_meant);
        let store = meant.find_map(|(_, path)| Store::claim(path.clone()));
        store.ok_or_else(|| {
            Usage(format!(
                "{first}: another `chuhe play` has this game, expected --keep and another file"
            ))
        })
    }

    /// The file of the game at one of several tables, the first of which is 1.
    fn kept_by_default(&self, table: usize) -> PathBuf {
        let name = match table {
            1 => format!("{}.pgn", self.variant),
            _ => format!("{}-{table}.pgn", self.variant),
        };
        state_folder().join("chuhe").join(name)
    }
}

/// So many games can be played at the same time without naming their files.
const MOST_TABLES: usize = 64;

/// The first of the variables of the locale that is set.
fn locale() -> String {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"];
    let values = names.iter().filter_map(|name| std::env::var(name).ok());
    values
        .into_iter()
        .find(|v| !v.is_empty())
        .unwrap_or_default()
}

/// The user's folder for the state of programs, the present one where there
/// is none.
fn state_folder() -> PathBuf {
    let folder = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty());
    if let Some(state) = folder("XDG_STATE_HOME").or_else(|| folder("LOCALAPPDATA")) {
        return state.into();
    }
    match folder("HOME") {
        Some(home) => PathBuf::from(home).join(".local").join("state"),
        None => PathBuf::new(),
    }
}
