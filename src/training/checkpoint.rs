//! The state of the trainer in a file, to go on after an interruption.
//!
//! Little-endian: magic, checksum of the rest, hidden size, epochs done, steps
//! done (8 bytes), then the weights and the optimiser's two means as 32-bit
//! floats in the order of `Model::slices`.

use super::adam::Adam;
use super::model::Model;
use super::trainer::State;
use crate::platform::files;
use std::fmt;
use std::io;
use std::path::Path;

const MAGIC: &[u8; 8] = b"CHUHECK1";
/// Magic, checksum, hidden, epoch, steps.
const HEADER_BYTES: usize = 8 + 4 + 4 + 4 + 8;
const CHECKED_FROM: usize = 12;

/// Why a checkpoint cannot be used.
#[derive(Debug)]
pub enum CheckpointError {
    /// The file cannot be read or written.
    Io(io::Error),
    /// The file is no checkpoint, or damaged.
    Damaged,
    /// It is of a net of another size.
    Hidden {
        /// The size in the file.
        found: usize,
        /// The size asked for.
        expected: usize,
    },
}

impl fmt::Display for CheckpointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "{error}"),
            Self::Damaged => write!(f, "no checkpoint, or a damaged one"),
            Self::Hidden { found, expected } => {
                write!(
                    f,
                    "a checkpoint of a net with {found} hidden values, expected {expected}"
                )
            }
        }
    }
}

impl std::error::Error for CheckpointError {}

impl From<io::Error> for CheckpointError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Writes the state in the place of the one at `path`: an interruption leaves
/// either the old file or the new one.
///
/// # Errors
/// When the file cannot be written.
pub fn save<const H: usize>(state: &State<H>, path: &Path) -> io::Result<()> {
    let mut checked = Vec::new();
    checked.extend((H as u32).to_le_bytes());
    checked.extend(state.epoch.to_le_bytes());
    checked.extend(state.adam.steps.to_le_bytes());
    for model in [&state.model, &state.adam.mean, &state.adam.square] {
        for slice in model.slices() {
            checked.extend(slice.iter().flat_map(|x| x.to_le_bytes()));
        }
    }
    let checksum = crc32fast::hash(&checked).to_le_bytes();
    files::replace(path, &[&MAGIC[..], &checksum, &checked].concat())
}

/// Reads a state.
///
/// # Errors
/// See [`CheckpointError`].
pub fn load<const H: usize>(path: &Path) -> Result<State<H>, CheckpointError> {
    decode(&files::read(path)?)
}

/// The state in the bytes of a file.
///
/// # Errors
/// See [`CheckpointError`].
pub fn decode<const H: usize>(bytes: &[u8]) -> Result<State<H>, CheckpointError> {
    if bytes.len() < HEADER_BYTES || !bytes.starts_with(MAGIC) {
        return Err(CheckpointError::Damaged);
    }
    let word = |at: usize| [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
    if u32::from_le_bytes(word(8)) != crc32fast::hash(&bytes[CHECKED_FROM..]) {
        return Err(CheckpointError::Damaged);
    }
    let found = u32::from_le_bytes(word(12)) as usize;
    if found != H {
        return Err(CheckpointError::Hidden { found, expected: H });
    }
    let mut floats = bytes[HEADER_BYTES..]
        .chunks_exact(4)
        .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
    let steps =
        u64::from(u32::from_le_bytes(word(20))) | u64::from(u32::from_le_bytes(word(24))) << 32;
    let mut model = || read_model(&mut floats).ok_or(CheckpointError::Damaged);
    Ok(State {
        model: model()?,
        adam: Adam {
            mean: model()?,
            square: model()?,
            steps,
        },
        epoch: u32::from_le_bytes(word(16)),
    })
}

fn read_model<const H: usize>(floats: &mut impl Iterator<Item = f32>) -> Option<Model<H>> {
    let mut model = Model::zero();
    for number in model.slices_mut().into_iter().flatten() {
        *number = floats.next()?;
    }
    Some(model)
}
