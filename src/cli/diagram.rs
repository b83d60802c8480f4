//! `chuhe diagram`: a position as a picture.

mod kingdoms;

use super::files::read_whole;
use super::{Failure, Usage, in_file, parse, write_file};
use crate::board::{Color, Move, Square};
use crate::draw::{Coordinates, Diagram, MOST_PIXELS, Paint, Symbols, png};
use crate::notation;
use crate::record::{Charset, read_file_bytes};
use crate::rules::Game;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Draws a position as SVG or PNG, the pieces with Chinese characters or
/// pictures. The picture needs no fonts.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// xiangqi or sevenkingdoms
    #[arg(long, value_name = "GAME", default_value = "xiangqi")]
    variant: String,
    /// The position as FEN; the start position if left out
    #[arg(value_name = "FEN")]
    fen: Vec<String>,
    /// A game to take the position from, - for standard input
    #[arg(long, value_name = "FILE", conflicts_with = "fen")]
    game: Option<PathBuf>,
    /// Which game of the file
    #[arg(long, value_name = "N", requires = "game", default_value_t = 1)]
    number: usize,
    /// After so many moves of the game [default: all]
    #[arg(long, value_name = "N", requires = "game")]
    ply: Option<usize>,
    /// Encoding of the game file
    #[arg(long, default_value = "auto", value_parser = parse::<Charset>)]
    encoding: Charset,
    /// Moves to play first, in any notation; the last one is marked
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    moves: Option<String>,
    /// Do not mark the last move
    #[arg(long)]
    no_last: bool,
    /// Arrows such as h2e2 or h9g7:red
    #[arg(long = "arrow", value_name = "MOVE[:COLOUR],...", value_delimiter = ',', value_parser = painted::<Move>)]
    arrows: Vec<(Move, Paint)>,
    /// Rings such as e4 or e4:blue; colours: green, red, blue, yellow
    #[arg(long = "mark", value_name = "SQUARE[:COLOUR],...", value_delimiter = ',', value_parser = painted::<Square>)]
    marks: Vec<(Square, Paint)>,
    /// chinese, traditional or western (in the seven kingdoms: letters)
    #[arg(long, value_name = "STYLE", default_value = "chinese", value_parser = parse::<Symbols>)]
    symbols: Symbols,
    /// files, iccs or none [default: files; iccs with western symbols]
    #[arg(long, value_name = "KIND", value_parser = parse::<Coordinates>)]
    coordinates: Option<Coordinates>,
    /// Black below
    #[arg(long)]
    flip: bool,
    /// Width of a PNG in pixels
    #[arg(long, value_name = "N", default_value_t = 928,
          value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_PIXELS)))]
    width: u32,
    /// The file, .svg or .png; SVG on standard output if left out
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// A square or move, with a colour behind a colon or not.
fn painted<T: FromStr>(text: &str) -> Result<(T, Paint), String>
where
    T::Err: std::fmt::Display,
{
    match text.split_once(':') {
        None => Ok((parse(text)?, Paint::default())),
        Some((what, colour)) => Ok((parse(what)?, parse(colour)?)),
    }
}

/// Draws the diagram.
///
/// # Errors
/// When the position or a move makes no sense, or a file cannot be used.
pub fn run(args: &Args) -> Result<(), Failure> {
    if args.is_seven()? {
        return kingdoms::run(args);
    }
    let game = args.position()?;
    let default = match args.symbols {
        Symbols::Western => Coordinates::Iccs,
        Symbols::Chinese | Symbols::Traditional => Coordinates::Files,
    };
    let diagram = Diagram {
        last: game.moves().last().copied().filter(|_| !args.no_last),
        arrows: args.arrows.clone(),
        marks: args.marks.clone(),
        symbols: args.symbols,
        coordinates: args.coordinates.unwrap_or(default),
        below: if args.flip { Color::Black } else { Color::Red },
        ..Diagram::new(game.position().clone())
    };
    write(args.output.as_deref(), &diagram.svg(), args.width)
}

impl Args {
    fn position(&self) -> Result<Game, Failure> {
        let mut game = match &self.game {
            Some(path) => self.game_of(path)?,
            None => Game::new(super::position(&self.fen)?),
        };
        let moves = self.moves.as_deref().unwrap_or_default();
        for text in moves.split_whitespace() {
            let (mv, _) =
                notation::read(game.position(), text).map_err(|error| Usage(error.to_string()))?;
            game.play(mv)?;
        }
        Ok(game)
    }

    /// The game of a file up to the ply asked for.
    fn game_of(&self, path: &Path) -> Result<Game, Failure> {
        let bytes = read_whole(path)?;
        let file = read_file_bytes(&bytes, self.encoding);
        let file = file.map_err(|problem| in_file(path, &problem))?;
        let mut game = self.chosen(path, file.games)?.record.game();
        for _ in 0..self.surplus(game.moves().len())? {
            game.undo();
        }
        Ok(game)
    }

    /// The game asked for of those in a file.
    fn chosen<G>(&self, path: &Path, games: Vec<G>) -> Result<G, Usage> {
        let (number, count) = (self.number, games.len());
        let none = || {
            let name = path.display();
            Usage(format!("--number {number}: {name} has {count} games"))
        };
        let at = number.checked_sub(1).ok_or_else(none)?;
        games.into_iter().nth(at).ok_or_else(none)
    }

    /// How many of a game's plies lie beyond the one asked for.
    fn surplus(&self, plies: usize) -> Result<usize, Usage> {
        let wanted = self.ply.unwrap_or(plies);
        let missing = || Usage(format!("--ply {wanted}: the game has {plies} moves"));
        plies.checked_sub(wanted).ok_or_else(missing)
    }
}

fn write(path: Option<&Path>, svg: &str, width: u32) -> Result<(), Failure> {
    let Some(path) = path else {
        super::print(svg);
        return Ok(());
    };
    let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
    match extension.to_str() {
        Some("svg") => write_file(path, svg),
        Some("png") => write_file(path, png(svg, width)?),
        _ => {
            let words = format!(
                "{}: expected a name that ends in .svg or .png",
                path.display()
            );
            Err(Usage(words).into())
        }
    }
}
