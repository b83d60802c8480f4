//! What a file of games holds: numbers for people, and checks.

use super::games::{Block, Ending, GameRecord, GameResult, Source, read_blocks};
use super::metrics::fit_scale;
use super::sample::{Filter, Sample, Samples};
use super::wdl::WdlFit;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

/// Sums over many games.
#[derive(Debug, Clone, Default)]
pub struct Stats {
    /// Bytes of the files.
    pub bytes: u64,
    /// Blocks.
    pub blocks: u64,
    /// Games and positions by what played them.
    pub sources: BTreeMap<Source, (u64, u64)>,
    /// Wins of Black, draws, wins of Red.
    pub results: [u64; 3],
    /// Games by their ending.
    pub endings: [u64; Ending::ALL.len()],
    /// Positions with a score.
    pub positions: u64,
    /// Positions in check.
    pub in_check: u64,
    /// Positions whose best move captures.
    pub captures: u64,
    /// Positions with a score beyond the filter's.
    pub decided: u64,
    /// Positions by the number of pieces.
    pub pieces: BTreeMap<usize, u64>,
}

/// Statistics, and the samples that they are about.
#[derive(Debug, Default)]
pub struct Survey {
    /// The numbers.
    pub stats: Stats,
    /// The usable positions.
    pub samples: Samples,
}

impl Survey {
    /// Reads all games of the files.
    ///
    /// # Errors
    /// Names the file and the place where something is wrong.
    pub fn of(paths: &[PathBuf]) -> Result<Self, String> {
        let mut survey = Self::default();
        for path in paths {
            let named = |what: String| format!("`{}`: {what}", path.display());
            survey.stats.bytes += path.metadata().map_err(|e| named(e.to_string()))?.len();
            for block in read_blocks(path).map_err(|e| named(e.to_string()))? {
                let block = block.map_err(|(at, error)| named(format!("at byte {at}: {error}")))?;
                survey.add(&block).map_err(named)?;
            }
        }
        Ok(survey)
    }

    fn add(&mut self, block: &Block) -> Result<(), String> {
        self.stats.blocks += 1;
        for game in &block.games {
            self.stats.add(block.source, game);
        }
        self.samples.add(block, &Filter::default())
    }
}

impl Stats {
    fn add(&mut self, source: Source, game: &GameRecord) {
        let entry = self.sources.entry(source).or_default();
        entry.0 += 1;
        entry.1 += game.plies.len() as u64;
        self.results[game.result as usize] += 1;
        self.endings[game.ending as usize] += 1;
        let max_score = Filter::default().max_score.unsigned_abs();
        // An illegal move ends the count; the samples report it.
        let _ = game.replay(|pos, mv, score| {
            self.positions += 1;
            self.in_check += u64::from(pos.in_check());
            self.captures += u64::from(pos.is_capture(mv));
            self.decided += u64::from(score.unsigned_abs() > max_score);
            *self.pieces.entry(pos.occupied().len()).or_default() += 1;
        });
    }

    fn games(&self) -> u64 {
        self.results.iter().sum()
    }

    /// The number of pieces that `share` of the positions do not exceed.
    fn piece_quantile(&self, share: f64) -> usize {
        let wanted = share * self.positions as f64;
        let mut sum = 0;
        let reached = self.pieces.iter().find(|&(_, &positions)| {
            sum += positions;
            sum as f64 >= wanted
        });
        reached.map_or(0, |(&pieces, _)| pieces)
    }
}

fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

impl fmt::Display for Survey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { stats, samples } = self;
        let games = stats.games();
        writeln!(
            f,
            "{} bytes, {} blocks, {games} games",
            stats.bytes, stats.blocks
        )?;
        for (source, (games, positions)) in &stats.sources {
            writeln!(
                f,
                "  net {:08x}, {} nodes a move, seed {}: {games} games, {positions} positions",
                source.net, source.nodes, source.seed
            )?;
        }
        writeln!(
            f,
            "{} positions ({:.1} a game, {:.2} bytes each)",
            stats.positions,
            stats.positions as f64 / games.max(1) as f64,
            stats.bytes as f64 / stats.positions.max(1) as f64
        )?;
        for result in [GameResult::RedWin, GameResult::Draw, GameResult::BlackWin] {
            let count = stats.results[result as usize];
            writeln!(
                f,
                "  {result:?}: {count} games ({:.1} %)",
                percent(count, games)
            )?;
        }
        for ending in Ending::ALL {
            let count = stats.endings[ending as usize];
            writeln!(
                f,
                "  ended by {ending:?}: {count} games ({:.1} %)",
                percent(count, games)
            )?;
        }
        for (what, count) in [
            ("in check", stats.in_check),
            ("best move captures", stats.captures),
            ("decided", stats.decided),
            ("left out in all", samples.tally.filtered),
            ("duplicates", samples.tally.duplicates),
        ] {
            writeln!(f, "  {what}: {:.1} %", percent(count, stats.positions))?;
        }
        let [low, middle, high] = [0.25, 0.5, 0.75].map(|share| stats.piece_quantile(share));
        writeln!(f, "pieces: quartiles {low}, {middle}, {high}")?;
        writeln!(
            f,
            "usable: {} to learn from, {} held out",
            samples.training.len(),
            samples.validation.len()
        )?;
        writeln!(
            f,
            "points per unit (best fit of the results): {:.0}",
            fit_scale(&samples.training)
        )?;
        writeln!(f, "{}", WdlFit::of(&samples.training))
    }
}

/// What [`verify`] found wrong, or the number of games and positions.
///
/// # Errors
/// The file and the first thing wrong with it: a damaged block, an illegal
/// move, a decided game whose scores favour the loser, or scores that do not
/// go with the results.
pub fn verify(path: &Path) -> Result<(u64, u64), String> {
    let survey = Survey::of(&[path.to_path_buf()])?;
    let samples = [&survey.samples.training[..], &survey.samples.validation].concat();
    let agreement = agreement(&samples);
    if samples.len() >= LEAST_FOR_AGREEMENT && agreement < LEAST_AGREEMENT {
        return Err(format!(
            "`{}`: only {:.0} % of the clear scores agree with the result: wrong side or sign?",
            path.display(),
            100.0 * agreement
        ));
    }
    Ok((survey.stats.games(), survey.stats.positions))
}

/// Fewer samples prove nothing about [`agreement`].
const LEAST_FOR_AGREEMENT: usize = 1000;
/// Share below which sides or signs must be wrong.
const LEAST_AGREEMENT: f64 = 0.6;
/// Scores from here are clear.
const CLEAR_SCORE: u16 = 200;

/// Of the clear scores in games that were not drawn, the share that favours
/// the winner.
pub fn agreement(samples: &[Sample]) -> f64 {
    let clear = samples
        .iter()
        .filter(|s| s.result != 0 && s.score.unsigned_abs() >= CLEAR_SCORE);
    let (mut agree, mut all) = (0u32, 0u32);
    for sample in clear {
        all += 1;
        agree += u32::from((sample.score > 0) == (sample.result > 0));
    }
    f64::from(agree) / f64::from(all.max(1))
}
