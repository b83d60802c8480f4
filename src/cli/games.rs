//! The games of a file, whatever its format.

use super::files::read_whole;
use super::{Failure, in_file};
use crate::analysis::is_stream;
use crate::record::{Charset, Format, ReadGame, pgn, read_file_bytes};
use encoding_rs::Encoding;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// What a file of games turned out to be.
pub type Kind = (Format, &'static Encoding);

/// Bytes by which a format is known.
const HEAD: u64 = 1 << 16;

/// Hands the games of a file or, for the name `-`, of standard input to
/// `visit`, one after the other; a PGN file that is no pipe is not kept in
/// memory, so that it may have any size.
///
/// # Errors
/// When the file cannot be read or has no game, or `visit` fails.
pub fn each(
    path: &Path,
    charset: Charset,
    visit: &mut dyn FnMut(Kind, ReadGame) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut empty = true;
    if !is_stream(path) && is_pgn(path).map_err(|error| in_file(path, &error))? {
        let file = File::open(path).map_err(|error| in_file(path, &error))?;
        let mut reader = pgn::Reader::with_charset(file, charset);
        while let Some(game) = reader.next() {
            empty = false;
            let kind = (Format::Pgn, reader.encoding());
            visit(kind, game.map_err(|error| in_file(path, &error))?)?;
        }
    } else {
        let bytes = read_whole(path)?;
        let file = read_file_bytes(&bytes, charset).map_err(|error| in_file(path, &error))?;
        for game in file.games {
            empty = false;
            visit((file.format, file.encoding), game)?;
        }
    }
    if empty {
        return Err(in_file(path, &"no game found"));
    }
    Ok(())
}

/// Whether a file is PGN, by its first block.
fn is_pgn(path: &Path) -> io::Result<bool> {
    let mut head = Vec::new();
    File::open(path)?.take(HEAD).read_to_end(&mut head)?;
    Ok(Format::detect(&head) == Format::Pgn)
}
