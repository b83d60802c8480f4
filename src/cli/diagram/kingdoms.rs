//! `chuhe diagram --variant sevenkingdoms`.

use super::{Args, Failure, Usage, in_file, write};
use crate::draw::Symbols as Style;
use crate::draw::kingdoms::{Symbols, picture};
use crate::kingdoms::protocol::VARIANT;
use crate::kingdoms::{Options, Position, Record};
use crate::platform::files;
use std::path::Path;

impl Args {
    /// Whether the picture is of the seven kingdoms.
    ///
    /// # Errors
    /// When there is no such game.
    pub(super) fn is_seven(&self) -> Result<bool, Usage> {
        match self.variant.as_str() {
            "xiangqi" => Ok(false),
            VARIANT => Ok(true),
            other => Err(Usage(format!(
                "--variant `{other}`: expected xiangqi or {VARIANT}"
            ))),
        }
    }

    /// The game up to the position to draw.
    fn seven(&self) -> Result<Record, Failure> {
        if !self.arrows.is_empty() || !self.marks.is_empty() || self.flip {
            let words = format!("--arrow, --mark and --flip: not with --variant {VARIANT}");
            return Err(Usage(words).into());
        }
        let mut record = match &self.game {
            Some(path) => self.seven_of(path)?,
            None if self.fen.is_empty() => Record::new(Position::start(Options::ENGLISH)),
            None => {
                let line = self.fen.join(" ");
                let position = line.parse::<Position>();
                Record::new(position.map_err(|error| Usage(format!("{error} in `{line}`")))?)
            }
        };
        for text in self.moves.as_deref().unwrap_or_default().split_whitespace() {
            let m = text.parse();
            let m = m.map_err(|error| Usage(format!("--moves: {error}")))?;
            record
                .play(m)
                .map_err(|error| Usage(format!("--moves: {error}")))?;
        }
        Ok(record)
    }

    /// The game of a file up to the ply asked for.
    fn seven_of(&self, path: &Path) -> Result<Record, Failure> {
        let text = files::read_text(path).map_err(|error| in_file(path, &error))?;
        let games = Record::read_all(&text).map_err(|error| in_file(path, &error))?;
        let mut record = self.chosen(path, games)?;
        for _ in 0..self.surplus(record.moves().len())? {
            record.undo();
        }
        Ok(record)
    }
}

/// Draws the diagram.
///
/// # Errors
/// When the position or a move makes no sense, or a file cannot be used.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let record = args.seven()?;
    let last = record.moves().last().copied().filter(|_| !args.no_last);
    let symbols = match args.symbols {
        Style::Western => Symbols::Letters,
        Style::Chinese | Style::Traditional => Symbols::Chinese,
    };
    let svg = picture(record.position(), last, symbols);
    write(args.output.as_deref(), &svg, args.width)
}
