//! The weights of a net, and the file they come in.

use super::features::{BUCKETS, INPUTS};
use super::simd::{Lanes, WIDTH};
use crate::platform::files::check_plain;
use std::fmt;

/// Hidden values are stored times this and clipped at it (1.0).
pub const QA: i16 = 255;

/// Output weights are stored times this.
pub const QB: i16 = 128;

/// No evaluation is larger: mate scores begin above.
pub const EVAL_LIMIT: i32 = 15_000;

/// Largest hidden layer accepted.
pub const MAX_HIDDEN: usize = 2048;

/// Largest absolute output weight: 255 * 127 still fits 16 bits.
const OUTPUT_WEIGHT_LIMIT: i16 = 127;

const MAGIC: &[u8; 8] = b"CHUHENET";
const VERSION: u32 = 1;
const NAME_BYTES: usize = 32;
/// Magic, checksum, version, inputs, hidden, buckets, QA, QB, scale, name.
const HEADER_BYTES: usize = 8 + 8 * 4 + NAME_BYTES;
/// The checksum covers all that follows it.
const CHECKED_FROM: usize = 12;

/// The weights as plain numbers, row by row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameters {
    /// What the net is called, at most 32 bytes.
    pub name: String,
    /// Hidden values per view, a multiple of 32.
    pub hidden: usize,
    /// Points per unit of the output before the sigmoid.
    pub scale: i32,
    /// `[INPUTS][hidden]`, times [`QA`].
    pub input_weights: Vec<i16>,
    /// `[hidden]`, times [`QA`].
    pub input_bias: Vec<i16>,
    /// `[BUCKETS][own hidden, other hidden]`, times [`QB`], within ±127.
    pub output_weights: Vec<i16>,
    /// `[BUCKETS]`, times `QA * QB`.
    pub output_bias: Vec<i32>,
}

impl Parameters {
    /// Numbers of the usual size drawn by a small generator, for tests.
    pub fn random(hidden: usize, seed: u64) -> Self {
        let mut state = seed;
        let mut draw = |limit: i16| -> i16 {
            // Knuth's MMIX generator, upper bits.
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            ((state >> 48) as i32 % (2 * i32::from(limit) + 1) - i32::from(limit)) as i16
        };
        Self {
            name: format!("random-{seed}"),
            hidden,
            scale: 400,
            input_weights: (0..INPUTS * hidden).map(|_| draw(60)).collect(),
            input_bias: (0..hidden).map(|_| draw(100)).collect(),
            output_weights: (0..BUCKETS * 2 * hidden).map(|_| draw(40)).collect(),
            output_bias: (0..BUCKETS).map(|_| i32::from(draw(5000))).collect(),
        }
    }

    /// Whether another net has the same size and scale.
    pub fn is_like(&self, other: &Self) -> bool {
        (self.hidden, self.scale) == (other.hidden, other.scale)
    }

    /// The mean of nets that are [like](Self::is_like) the first, number by
    /// number. Nets that went on from one net lie in one valley, and their mean
    /// is often deeper in it than each (Wortsman et al. 2022, "Model soups").
    ///
    /// # Panics
    /// Without any net.
    pub fn mean(name: &str, nets: &[Self]) -> Self {
        let all = |row: fn(&Self) -> &Vec<i16>| mean_of(&nets.iter().map(row).collect::<Vec<_>>());
        let biases: Vec<_> = nets.iter().map(|net| &net.output_bias).collect();
        Self {
            name: name.to_owned(),
            hidden: nets[0].hidden,
            scale: nets[0].scale,
            input_weights: all(|net| &net.input_weights),
            input_bias: all(|net| &net.input_bias),
            output_weights: all(|net| &net.output_weights),
            output_bias: mean_of(&biases),
        }
    }

    /// The file of this net: little-endian, header, input weights, input bias,
    /// output weights, output bias.
    pub fn encode(&self) -> Vec<u8> {
        let mut name = [0; NAME_BYTES];
        let used = self.name.len().min(NAME_BYTES);
        name[..used].copy_from_slice(&self.name.as_bytes()[..used]);
        let dimensions = [VERSION as usize, INPUTS, self.hidden, BUCKETS].map(|n| n as u32);
        let mut checked: Vec<u8> = Vec::new();
        checked.extend(dimensions.iter().flat_map(|n| n.to_le_bytes()));
        checked.extend(
            [i32::from(QA), i32::from(QB), self.scale]
                .iter()
                .flat_map(|n| n.to_le_bytes()),
        );
        checked.extend(name);
        for numbers in [&self.input_weights, &self.input_bias, &self.output_weights] {
            checked.extend(numbers.iter().flat_map(|n| n.to_le_bytes()));
        }
        checked.extend(self.output_bias.iter().flat_map(|n| n.to_le_bytes()));
        let checksum = crc32fast::hash(&checked);
        [&MAGIC[..], &checksum.to_le_bytes(), &checked].concat()
    }

    /// Whether a file begins as [`Self::encode`] makes it.
    pub fn is_net(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// Reads a file made by [`Self::encode`].
    ///
    /// # Errors
    /// When it is no such file, is damaged, or has dimensions that this
    /// program does not know.
    pub fn decode(bytes: &[u8]) -> Result<Self, NetworkError> {
        if !Self::is_net(bytes) {
            return Err(NetworkError::Magic);
        }
        if bytes.len() < HEADER_BYTES {
            return Err(NetworkError::Length {
                expected: HEADER_BYTES,
                found: bytes.len(),
            });
        }
        let hidden = check_dimensions(bytes)?;
        let expected = file_bytes(hidden);
        if bytes.len() != expected {
            return Err(NetworkError::Length {
                expected,
                found: bytes.len(),
            });
        }
        if crc32fast::hash(&bytes[CHECKED_FROM..]) != word(bytes, 0) {
            return Err(NetworkError::Checksum);
        }
        Self::read_body(bytes, hidden).check()
    }

    /// The numbers of a file whose length is right.
    fn read_body(bytes: &[u8], hidden: usize) -> Self {
        let name = &bytes[HEADER_BYTES - NAME_BYTES..HEADER_BYTES];
        let name = String::from_utf8_lossy(name);
        let mut body = &bytes[HEADER_BYTES..];
        let mut shorts = |count: usize| -> Vec<i16> {
            let (now, rest) = body.split_at(2 * count);
            body = rest;
            now.chunks_exact(2)
                .map(|b| i16::from_le_bytes([b[0], b[1]]))
                .collect()
        };
        Self {
            name: name.trim_end_matches('\0').to_owned(),
            hidden,
            scale: word(bytes, 7) as i32,
            input_weights: shorts(INPUTS * hidden),
            input_bias: shorts(hidden),
            output_weights: shorts(BUCKETS * 2 * hidden),
            output_bias: (0..BUCKETS)
                .map(|i| word_at(bytes, bytes.len() - 4 * (BUCKETS - i)) as i32)
                .collect(),
        }
    }

    fn check(self) -> Result<Self, NetworkError> {
        let limit = OUTPUT_WEIGHT_LIMIT;
        match self
            .output_weights
            .iter()
            .find(|w| !(-limit..=limit).contains(w))
        {
            Some(&weight) => Err(NetworkError::Weight(weight)),
            None => Ok(self),
        }
    }
}

/// The means of the numbers at each place of some rows, to the nearest whole.
fn mean_of<T: Copy + Into<f64> + TryFrom<i64>>(rows: &[&Vec<T>]) -> Vec<T> {
    let mean =
        |i: usize| -> f64 { rows.iter().map(|row| row[i].into()).sum::<f64>() / rows.len() as f64 };
    let within = |i: usize| T::try_from(mean(i).round_ties_even() as i64).unwrap_or(rows[0][i]);
    (0..rows[0].len()).map(within).collect()
}

/// The hidden size of a header, where all dimensions are known ones.
fn check_dimensions(bytes: &[u8]) -> Result<usize, NetworkError> {
    let hidden = word(bytes, 3);
    let known = [
        ("version", 1, VERSION),
        ("inputs", 2, INPUTS as u32),
        (
            "hidden",
            3,
            (hidden.clamp(1, MAX_HIDDEN as u32)).next_multiple_of(WIDTH as u32),
        ),
        ("buckets", 4, BUCKETS as u32),
        ("QA", 5, QA as u32),
        ("QB", 6, QB as u32),
    ];
    for (what, index, expected) in known {
        let found = word(bytes, index);
        if found != expected {
            return Err(NetworkError::Dimension {
                what,
                expected,
                found,
            });
        }
    }
    Ok(hidden as usize)
}

/// Header word `index` after the magic; word 0 is the checksum.
fn word(bytes: &[u8], index: usize) -> u32 {
    word_at(bytes, MAGIC.len() + 4 * index)
}

fn word_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

fn file_bytes(hidden: usize) -> usize {
    HEADER_BYTES + 2 * (INPUTS * hidden + hidden + BUCKETS * 2 * hidden) + 4 * BUCKETS
}

/// A net ready for use: the weights laid out for the kernels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Network {
    name: String,
    hash: u32,
    scale: i32,
    input_weights: Vec<Lanes>,
    input_bias: Vec<Lanes>,
    output_weights: Vec<Lanes>,
    output_bias: Vec<i32>,
}

impl Network {
    /// Lays out the weights.
    ///
    /// # Errors
    /// When their numbers do not fit the dimensions.
    pub fn new(parameters: Parameters) -> Result<Self, NetworkError> {
        Self::decode(&parameters.encode())
    }

    /// Reads the bytes of a net file.
    ///
    /// # Errors
    /// See [`Parameters::decode`].
    pub fn decode(bytes: &[u8]) -> Result<Self, NetworkError> {
        let parameters = Parameters::decode(bytes)?;
        Ok(Self {
            hash: word(bytes, 0),
            scale: parameters.scale,
            input_weights: Lanes::pack(&parameters.input_weights),
            input_bias: Lanes::pack(&parameters.input_bias),
            output_weights: Lanes::pack(&parameters.output_weights),
            output_bias: parameters.output_bias,
            name: parameters.name,
        })
    }

    /// Reads a net file.
    ///
    /// # Errors
    /// When it cannot be read or is no net, with the path.
    pub fn load(path: &std::path::Path) -> Result<Self, NetworkError> {
        let at = |error: &dyn fmt::Display| NetworkError::File {
            path: path.display().to_string(),
            reason: error.to_string(),
        };
        // A pipe or a device could hold the reader up for ever.
        check_plain(path).map_err(|e| at(&e))?;
        let about = std::fs::metadata(path).map_err(|e| at(&e))?;
        if about.len() > file_bytes(MAX_HIDDEN) as u64 {
            return Err(at(&format!("{} bytes, larger than any net", about.len())));
        }
        let bytes = std::fs::read(path).map_err(|e| at(&e))?;
        Self::decode(&bytes).map_err(|e| at(&e))
    }

    /// What the net is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The checksum of its file, which tells nets apart.
    pub fn hash(&self) -> u32 {
        self.hash
    }

    /// Hidden values per view.
    pub fn hidden(&self) -> usize {
        self.input_bias.len() * WIDTH
    }

    /// [`Lanes`] per view.
    #[inline(always)]
    pub(super) fn lanes(&self) -> usize {
        self.input_bias.len()
    }

    #[inline(always)]
    pub(super) fn bias(&self) -> &[Lanes] {
        &self.input_bias
    }

    #[inline(always)]
    pub(super) fn rows(&self) -> &[Lanes] {
        &self.input_weights
    }

    /// The weights of one input.
    #[inline(always)]
    pub(super) fn row(&self, input: usize) -> &[Lanes] {
        &self.input_weights[input * self.lanes()..][..self.lanes()]
    }

    /// The output weights and bias of a bucket.
    #[inline(always)]
    pub(super) fn output(&self, bucket: usize) -> (&[Lanes], i32) {
        let lanes = 2 * self.lanes();
        (
            &self.output_weights[bucket * lanes..][..lanes],
            self.output_bias[bucket],
        )
    }

    /// Points per unit of the output before the sigmoid.
    #[inline(always)]
    pub fn scale(&self) -> i32 {
        self.scale
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({:08x})", self.name, self.hash)
    }
}

/// Why a file is no net for this program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NetworkError {
    /// It does not begin as a net file does.
    Magic,
    /// A number of the header is not the one expected.
    Dimension {
        /// Which number.
        what: &'static str,
        /// What this program expects.
        expected: u32,
        /// What the file says.
        found: u32,
    },
    /// It is too short or too long.
    Length {
        /// Bytes expected.
        expected: usize,
        /// Bytes found.
        found: usize,
    },
    /// Its contents do not match its checksum.
    Checksum,
    /// An output weight is larger than 127.
    Weight(i16),
    /// A file could not be read or used.
    File {
        /// Its path.
        path: String,
        /// Why.
        reason: String,
    },
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Magic => write!(f, "not a Chuhe net: it does not begin with `CHUHENET`"),
            Self::Dimension {
                what,
                expected,
                found,
            } => {
                write!(
                    f,
                    "a net of another kind: {what} is {found}, expected {expected}"
                )
            }
            Self::Length { expected, found } => {
                write!(f, "a damaged net: {found} bytes, expected {expected}")
            }
            Self::Checksum => write!(f, "a damaged net: the checksum does not match"),
            Self::Weight(weight) => {
                write!(
                    f,
                    "a damaged net: output weight {weight} is outside -127..127"
                )
            }
            Self::File { path, reason } => write!(f, "`{path}`: {reason}"),
        }
    }
}

impl std::error::Error for NetworkError {}
