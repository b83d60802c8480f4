//! Games of self-play as they are stored: whole games, so that filters, labels
//! and inputs can change later, in about four bytes a position.
//!
//! A file (`.xqg`) is a row of blocks and nothing else; files are merged by
//! putting one after the other. All numbers are little-endian.
//!
//! | block header | bytes |
//! |---|---|
//! | magic `XQGB` | 4 |
//! | format version (1) | 2 |
//! | games in the block | 2 |
//! | bytes of the games | 4 |
//! | net that played, [`Network::hash`](crate::eval::nnue::Network::hash), 0 for the classical evaluation | 4 |
//! | engine that played, checksum of its version text | 4 |
//! | soft node limit per move | 4 |
//! | seed of the run | 8 |
//! | CRC-32 of the header before it and of the games | 4 |
//!
//! | game | bytes |
//! |---|---|
//! | random opening moves | 1 |
//! | the opening, `Move::code` each, from the start position | 2 each |
//! | result + 4 * ending | 1 |
//! | moves played by search | 2 |
//! | move, then its score for the mover | 2 + 2 each |

use crate::board::{Move, Position};
use crate::platform::files::{cut, open_to_go_on};
use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

const MAGIC: [u8; 4] = *b"XQGB";
const VERSION: u16 = 1;
const HEADER_BYTES: usize = 36;
/// Header bytes that the checksum covers, all before it.
const CHECKED_HEADER: usize = HEADER_BYTES - 4;
/// No block is larger; a larger number in a header is damage.
const MAX_BLOCK_BYTES: usize = 1 << 24;

/// Who won.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameResult {
    /// Black won.
    BlackWin,
    /// Nobody won.
    Draw,
    /// Red won.
    RedWin,
}

impl GameResult {
    const ALL: [Self; 3] = [Self::BlackWin, Self::Draw, Self::RedWin];

    /// 1 for a win of Red, 0 for a draw, -1 for a win of Black.
    pub const fn for_red(self) -> i8 {
        self as i8 - 1
    }
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ending {
    /// Mate or stalemate.
    NoMoves,
    /// A ruling on repetition.
    Repetition,
    /// Too many moves without a capture.
    NoCaptures,
    /// Both sides saw a decisive advantage for some moves.
    Decided,
    /// Both sides saw nothing for many moves.
    Quiet,
    /// The longest game allowed.
    Length,
}

impl Ending {
    /// All endings in the order of their codes.
    pub const ALL: [Self; 6] = [
        Self::NoMoves,
        Self::Repetition,
        Self::NoCaptures,
        Self::Decided,
        Self::Quiet,
        Self::Length,
    ];
}

/// One game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameRecord {
    /// Random moves from the start position, at most 255.
    pub opening: Vec<Move>,
    /// The moves found by search, with the score for the side that made them.
    pub plies: Vec<(Move, i16)>,
    /// Who won.
    pub result: GameResult,
    /// How it ended.
    pub ending: Ending,
}

impl GameRecord {
    fn encode(&self, out: &mut Vec<u8>) {
        out.push(self.opening.len() as u8);
        out.extend(self.opening.iter().flat_map(|mv| mv.code().to_le_bytes()));
        out.push(self.result as u8 | (self.ending as u8) << 2);
        out.extend((self.plies.len() as u16).to_le_bytes());
        for (mv, score) in &self.plies {
            out.extend(mv.code().to_le_bytes());
            out.extend(score.to_le_bytes());
        }
    }

    fn decode(bytes: &mut &[u8]) -> Option<Self> {
        let opening = (0..take::<1>(bytes)?[0])
            .map(|_| Move::from_code(u16::from_le_bytes(take(bytes)?)))
            .collect::<Option<_>>()?;
        let [code] = take(bytes)?;
        let plies = (0..u16::from_le_bytes(take(bytes)?))
            .map(|_| {
                let mv = Move::from_code(u16::from_le_bytes(take(bytes)?))?;
                Some((mv, i16::from_le_bytes(take(bytes)?)))
            })
            .collect::<Option<_>>()?;
        Some(Self {
            opening,
            plies,
            result: *GameResult::ALL.get(code as usize & 3)?,
            ending: *Ending::ALL.get(code as usize >> 2)?,
        })
    }

    /// Calls `visit` with every position from which a search was made, the
    /// move and the score.
    ///
    /// # Errors
    /// Where a move is illegal: its number from 1, counted from the start.
    pub fn replay(&self, mut visit: impl FnMut(&Position, Move, i16)) -> Result<(), usize> {
        let mut pos = Position::startpos();
        let mut number = 0usize;
        let mut play = |pos: &mut Position, mv: Move| {
            number += 1;
            if !pos.is_legal(mv) {
                return Err(number);
            }
            pos.make(mv);
            Ok(())
        };
        for &mv in &self.opening {
            play(&mut pos, mv)?;
        }
        for &(mv, score) in &self.plies {
            visit(&pos, mv, score);
            play(&mut pos, mv)?;
        }
        Ok(())
    }
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (now, rest) = bytes.split_first_chunk::<N>()?;
    *bytes = rest;
    Some(*now)
}

/// What played the games of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Source {
    /// Hash of the net, 0 for the classical evaluation.
    pub net: u32,
    /// Checksum of the engine's version text.
    pub engine: u32,
    /// Soft node limit per move.
    pub nodes: u32,
    /// Seed of the run.
    pub seed: u64,
}

/// Some games by the same source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// What played them.
    pub source: Source,
    /// The games.
    pub games: Vec<GameRecord>,
}

impl Block {
    /// The bytes of the block.
    pub fn encode(&self) -> Vec<u8> {
        let mut games = Vec::new();
        for game in &self.games {
            game.encode(&mut games);
        }
        let mut block = Vec::with_capacity(HEADER_BYTES + games.len());
        block.extend(MAGIC);
        block.extend(VERSION.to_le_bytes());
        block.extend((self.games.len() as u16).to_le_bytes());
        block.extend((games.len() as u32).to_le_bytes());
        block.extend(self.source.net.to_le_bytes());
        block.extend(self.source.engine.to_le_bytes());
        block.extend(self.source.nodes.to_le_bytes());
        block.extend(self.source.seed.to_le_bytes());
        block.extend(checksum(&block, &games).to_le_bytes());
        block.extend(games);
        block
    }

    /// Reads the next block, `None` at the end of the file.
    ///
    /// # Errors
    /// See [`BlockError`].
    pub fn read(input: &mut impl Read) -> Result<Option<Self>, BlockError> {
        let mut header = [0; HEADER_BYTES];
        match read_up_to(input, &mut header)? {
            0 => return Ok(None),
            HEADER_BYTES => {}
            short if begins_like_a_block(&header[..short]) => return Err(BlockError::Truncated),
            _ => return Err(BlockError::Magic),
        }
        let bytes = check_header(&header)?;
        let mut games = vec![0; bytes];
        if read_up_to(input, &mut games)? < bytes {
            return Err(BlockError::Truncated);
        }
        if number(&header[CHECKED_HEADER..]) != checksum(&header[..CHECKED_HEADER], &games) {
            return Err(BlockError::Checksum);
        }
        Self::decode(&header, &games).map(Some)
    }

    fn decode(header: &[u8; HEADER_BYTES], mut games: &[u8]) -> Result<Self, BlockError> {
        let source = Source {
            net: number(&header[12..]),
            engine: number(&header[16..]),
            nodes: number(&header[20..]),
            seed: u64::from(number(&header[24..])) | u64::from(number(&header[28..])) << 32,
        };
        let count = u16::from_le_bytes([header[6], header[7]]);
        let games: Option<Vec<_>> = (0..count).map(|_| GameRecord::decode(&mut games)).collect();
        let games = games.ok_or(BlockError::Contents)?;
        Ok(Self { source, games })
    }
}

fn begins_like_a_block(bytes: &[u8]) -> bool {
    bytes.iter().zip(MAGIC).all(|(byte, magic)| *byte == magic)
}

/// The bytes of games that a header announces.
fn check_header(header: &[u8; HEADER_BYTES]) -> Result<usize, BlockError> {
    let version = u16::from_le_bytes([header[4], header[5]]);
    let bytes = number(&header[8..]) as usize;
    if header[..4] != MAGIC {
        Err(BlockError::Magic)
    } else if version != VERSION {
        Err(BlockError::Version(version))
    } else if bytes > MAX_BLOCK_BYTES {
        Err(BlockError::Checksum)
    } else {
        Ok(bytes)
    }
}

/// The first four bytes as a number.
fn number(bytes: &[u8]) -> u32 {
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}

fn checksum(header: &[u8], games: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(header);
    hasher.update(games);
    hasher.finalize()
}

fn read_up_to(input: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match input.read(&mut buffer[filled..])? {
            0 => break,
            n => filled += n,
        }
    }
    Ok(filled)
}

/// Why a block cannot be used.
#[derive(Debug)]
pub enum BlockError {
    /// It does not begin as a block does.
    Magic,
    /// It is of another version of the format.
    Version(u16),
    /// The file ends inside it.
    Truncated,
    /// Its contents do not match its checksum.
    Checksum,
    /// A move or code in it is none, although the checksum is right.
    Contents,
    /// The file cannot be read.
    Io(io::Error),
}

impl From<io::Error> for BlockError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl fmt::Display for BlockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Magic => write!(f, "no block of games here (expected `XQGB`)"),
            Self::Version(version) => {
                write!(f, "format version {version}, this program knows {VERSION}")
            }
            Self::Truncated => write!(f, "the file ends inside a block"),
            Self::Checksum => write!(f, "a damaged block: the checksum does not match"),
            Self::Contents => write!(f, "a block with moves off the board or unknown codes"),
            Self::Io(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for BlockError {}

/// The blocks of a file, each with the offset at which it starts. Ends after
/// the first error.
pub fn read_blocks(
    path: &Path,
) -> io::Result<impl Iterator<Item = Result<Block, (u64, BlockError)>>> {
    let mut input = BufReader::new(File::open(path)?);
    let mut failed = false;
    Ok(std::iter::from_fn(move || {
        if failed {
            return None;
        }
        let offset = input.stream_position().unwrap_or(0);
        let block = Block::read(&mut input).map_err(|error| (offset, error));
        failed = block.is_err();
        block.transpose()
    }))
}

/// A file of games that blocks are added to.
#[derive(Debug)]
pub struct GameWriter {
    file: File,
}

/// What [`GameWriter::open`] found in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Present {
    /// Games in whole blocks.
    pub games: u64,
    /// Positions with a score in them.
    pub positions: u64,
    /// Bytes of an unfinished last block, which were cut off.
    pub dropped: u64,
}

impl GameWriter {
    /// Opens `path` to add blocks, making it where it does not exist. A last
    /// block that was not written to its end is cut off.
    ///
    /// # Errors
    /// When the file cannot be used or holds something else than games.
    pub fn open(path: &Path) -> Result<(Self, Present), BlockError> {
        let mut file = open_to_go_on(path)?;
        let (mut present, mut good) = (Present::default(), 0);
        let mut input = BufReader::new(&mut file);
        loop {
            match Block::read(&mut input) {
                Ok(Some(block)) => present.count(&block),
                Ok(None) => break,
                Err(BlockError::Truncated) => break,
                Err(error) => return Err(error),
            }
            good = input.stream_position()?;
        }
        let length = file.seek(SeekFrom::End(0))?;
        present.dropped = length - good;
        cut(&mut file, good)?;
        Ok((Self { file }, present))
    }

    /// Adds a block in one write and hands it to the system.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn append(&mut self, block: &Block) -> io::Result<()> {
        self.file.write_all(&block.encode())?;
        self.file.flush()
    }
}

impl Present {
    fn count(&mut self, block: &Block) {
        self.games += block.games.len() as u64;
        let positions = block.games.iter().map(|game| game.plies.len() as u64);
        self.positions += positions.sum::<u64>();
    }
}
