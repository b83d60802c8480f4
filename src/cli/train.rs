//! `chuhe train`: a net from games.

use super::Failure;
use crate::eval::nnue::{EMBEDDED_FILE, Network, Parameters};
use crate::platform::files;
use crate::training::games::read_blocks;
use crate::training::metrics::{fit_scale, measure};
use crate::training::model::Model;
use crate::training::sample::{Filter, Labels, Sample, Samples};
use crate::training::trainer::{EpochReport, Plan, State};
use crate::training::{checkpoint, curve};
use indicatif::{ProgressBar, ProgressStyle};
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use std::time::Duration;

/// Learns a net from games of self-play.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Files of games (.xqg)
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// Folder for net, checkpoint, loss curve and report
    #[arg(long, default_value = "runs/net")]
    out: PathBuf,
    /// Name of the net
    #[arg(long, default_value = "net")]
    name: String,
    /// Hidden values per view: 32, 64, 128, 256 or 512
    #[arg(long, default_value_t = 128, value_parser = hidden)]
    hidden: usize,
    /// Times through the positions
    #[arg(long, default_value_t = Plan::default().epochs)]
    epochs: u32,
    /// Positions per step; by default 4096, from two million on 16384
    #[arg(long)]
    batch: Option<usize>,
    /// Learning rate after the warm-up
    #[arg(long, default_value_t = Plan::default().rate)]
    rate: f32,
    /// Share of the game's result in what is learnt, 0 to 1; the rest is the score
    #[arg(long, default_value_t = Plan::default().blend)]
    blend: f32,
    /// Points of the score per unit before the sigmoid; by default fitted to the results
    #[arg(long)]
    scale: Option<f32>,
    /// Points of the net's value per unit; by default the same as --scale
    #[arg(long)]
    net_scale: Option<i32>,
    /// Seed of the first weights and of the order
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Use at most so many positions
    #[arg(long)]
    limit: Option<usize>,
    /// Leave out positions whose best move gives check
    #[arg(long)]
    skip_checking: bool,
    /// Keep positions whose best move takes a piece
    #[arg(long)]
    keep_capturing: bool,
    /// Leave out positions with a larger score, either way, in points
    #[arg(long, value_name = "POINTS", default_value_t = Filter::default().max_score)]
    max_score: i16,
    /// One output for any number of pieces, instead of eight by their number
    #[arg(long)]
    one_output: bool,
    /// Do not learn from mirror images
    #[arg(long)]
    no_mirror: bool,
    /// Learn the classical evaluation instead of the games' scores: a first
    /// stage before learning from the games with --start
    #[arg(long)]
    classical: bool,
    /// Begin with the weights of this checkpoint or net (a file, or
    /// `embedded`) instead of random ones
    #[arg(long, value_name = "CHECKPOINT|NET")]
    start: Option<PathBuf>,
    /// Go on from the checkpoint in the folder
    #[arg(long)]
    resume: bool,
    /// Replace the net and checkpoint that are in the folder
    #[arg(long, conflicts_with = "resume")]
    overwrite: bool,
}

/// The sizes for which the trainer is compiled.
const SIZES: [usize; 5] = [32, 64, 128, 256, 512];

fn hidden(text: &str) -> Result<usize, String> {
    let size = text.parse().ok().filter(|size| SIZES.contains(size));
    size.ok_or_else(|| format!("expected one of {SIZES:?}"))
}

/// Runs the command.
///
/// # Errors
/// When a file cannot be used.
pub fn run(args: &Args) -> Result<(), Failure> {
    match args.hidden {
        32 => train::<32>(args),
        64 => train::<64>(args),
        128 => train::<128>(args),
        512 => train::<512>(args),
        _ => train::<256>(args),
    }
}

fn train<const H: usize>(args: &Args) -> Result<(), Failure> {
    args.games
        .iter()
        .try_for_each(|path| super::check_input(path))?;
    let first = args.start.as_deref().map(first_weights::<H>).transpose()?;
    check_folder(args)?;
    std::fs::create_dir_all(&args.out).map_err(|e| in_file(&args.out, &e))?;
    let samples = load(args)?;
    let plan = plan(args, &samples);
    log::info!(
        "{:?}; {} to learn from, {} held out; {plan:?}",
        samples.tally,
        samples.training.len(),
        samples.validation.len()
    );
    let path = |name: &str| args.out.join(name);
    let mut state = start(args, &plan, first)?;
    let stop = super::stop_on_signal(None)?;
    while state.epoch < plan.epochs {
        let bar = bar(samples.training.len());
        let report = state.run_epoch(&plan, &samples, &mut |done| {
            bar.set_position(done as u64);
            !stop.is_stopped()
        });
        bar.finish_and_clear();
        let Some(report) = report else {
            break;
        };
        log::info!("{}", curve::csv_line(&report));
        add_line(&path("loss.csv"), &report)?;
        write(&path("net.nnue"), &net_bytes(args, &plan, &state.model))?;
        checkpoint::save(&state, &path("checkpoint.bin"))
            .map_err(|e| in_file(&path("checkpoint.bin"), &e))?;
    }
    super::unless_interrupted(&stop, "--resume goes on after the last whole epoch")?;
    draw_curve(args)?;
    let report = report(args, &plan, &samples, &state)?;
    write(&path("report.txt"), report.as_bytes())?;
    super::print(&report);
    Ok(())
}

/// Sees to it that the work of an earlier run is not replaced by oversight.
fn check_folder(args: &Args) -> Result<(), Failure> {
    let mut results = ["checkpoint.bin", "net.nnue"]
        .map(|name| args.out.join(name))
        .into_iter();
    match results.find(|path| path.exists()) {
        Some(path) if !args.resume && !args.overwrite => Err(format!(
            "`{}` exists: add --resume to go on from it, --overwrite to begin anew, or name \
             another folder with --out",
            path.display()
        )
        .into()),
        _ => Ok(()),
    }
}

fn load(args: &Args) -> Result<Samples, Failure> {
    let filter = Filter {
        skip_checking: args.skip_checking,
        skip_capturing: !args.keep_capturing,
        max_score: args.max_score,
        ..Filter::default()
    };
    let labels = if args.classical {
        Labels::Classical
    } else {
        Labels::Search
    };
    let mut samples = Samples::labelled(labels);
    for path in &args.games {
        for block in read_blocks(path).map_err(|e| in_file(path, &e))? {
            let block = block.map_err(|(at, e)| in_file(path, &format!("at byte {at}: {e}")))?;
            samples
                .add(&block, &filter)
                .map_err(|e| in_file(path, &e))?;
        }
    }
    if let Some(limit) = args.limit {
        samples.training.truncate(limit);
    }
    if samples.training.is_empty() || samples.validation.is_empty() {
        return Err("too few games: nothing to learn from, or nothing held out".into());
    }
    Ok(samples)
}

fn plan(args: &Args, samples: &Samples) -> Plan {
    /// From so many positions on the batch is the large one.
    const MANY: usize = 2_000_000;
    let default = Plan::default();
    let small = default.batch / 4;
    let usual = if samples.training.len() < MANY {
        small
    } else {
        default.batch
    };
    Plan {
        epochs: args.epochs,
        batch: args.batch.unwrap_or(usual).max(1),
        rate: args.rate,
        blend: if args.classical {
            0.0
        } else {
            args.blend.clamp(0.0, 1.0)
        },
        scale: args.scale.unwrap_or_else(|| usual_scale(args, samples)),
        seed: args.seed,
        threads: args.threads.max(1),
        mirror: !args.no_mirror,
        one_output: args.one_output,
        ..default
    }
}

/// The scale that fits the results; classical labels come without any.
fn usual_scale(args: &Args, samples: &Samples) -> f32 {
    /// What the first games gave.
    const CLASSICAL_SCALE: f32 = 489.0;
    if args.classical {
        CLASSICAL_SCALE
    } else {
        fit_scale(&samples.training).round()
    }
}

fn start<const H: usize>(
    args: &Args,
    plan: &Plan,
    first: Option<(Model<H>, Option<f32>)>,
) -> Result<State<H>, Failure> {
    let checkpoint = args.out.join("checkpoint.bin");
    if args.resume && checkpoint.exists() {
        return checkpoint::load(&checkpoint).map_err(|e| in_file(&checkpoint, &e));
    }
    write(
        &args.out.join("loss.csv"),
        format!("{}\n", curve::CSV_HEADER).as_bytes(),
    )?;
    let mut state = State::new(plan);
    if let Some((model, scale)) = first {
        state.model = model;
        state
            .model
            .scale_output(scale.unwrap_or(plan.scale) / plan.scale);
        if plan.one_output {
            state.model.average_buckets();
        }
    }
    Ok(state)
}

/// The weights to begin with, from a checkpoint or from a net, and the points
/// per unit of the net's output.
fn first_weights<const H: usize>(path: &Path) -> Result<(Model<H>, Option<f32>), Failure> {
    let bytes = if path == Path::new(super::trial::EMBEDDED) {
        EMBEDDED_FILE.to_vec()
    } else {
        super::check_input(path)?;
        files::read(path).map_err(|e| in_file(path, &e))?
    };
    if !Parameters::is_net(&bytes) {
        let earlier: State<H> = checkpoint::decode(&bytes).map_err(|e| in_file(path, &e))?;
        return Ok((earlier.model, None));
    }
    let net = Parameters::decode(&bytes).map_err(|e| in_file(path, &e))?;
    let model = Model::from_net(&net).ok_or_else(|| {
        format!(
            "`{}`: a net with {} hidden values, expected {H} (--hidden)",
            path.display(),
            net.hidden
        )
    })?;
    Ok((model, Some(net.scale as f32)))
}

fn net_bytes<const H: usize>(args: &Args, plan: &Plan, model: &Model<H>) -> Vec<u8> {
    let scale = args.net_scale.unwrap_or(plan.scale.round() as i32);
    model.quantised(&args.name, scale).encode()
}

fn draw_curve(args: &Args) -> Result<(), Failure> {
    let csv = args.out.join("loss.csv");
    let text = std::fs::read_to_string(&csv).map_err(|e| in_file(&csv, &e))?;
    let title = format!("Loss of {}", args.name);
    write(
        &args.out.join("loss.svg"),
        curve::svg(&title, &curve::parse_csv(&text)).as_bytes(),
    )
}

/// What was done and how good the net is, in words.
fn report<const H: usize>(
    args: &Args,
    plan: &Plan,
    samples: &Samples,
    state: &State<H>,
) -> Result<String, Failure> {
    let net = Network::decode(&net_bytes(args, plan, &state.model))?;
    let (mean, worst) = rounding(&net, &state.model, &samples.validation);
    let last = measure(plan, &samples.validation, |s| state.model.output(s, false));
    Ok(format!(
        "net {net}: {H} hidden values per view\n\
         {} games, {} positions: {} filtered, {} duplicates, {} to learn from, {} held out\n\
         {plan:?}\n\
         held out: loss {:.5}, score error {:.5} (correlation {:.4}), result error {:.5} (correlation {:.4})\n\
         rounding to 16 bits: mean {mean:.1} points, worst {worst} points\n",
        samples.tally.games,
        samples.tally.positions,
        samples.tally.filtered,
        samples.tally.duplicates,
        samples.training.len(),
        samples.validation.len(),
        last.loss,
        last.score_error,
        last.score_correlation,
        last.result_error,
        last.result_correlation,
    ))
}

/// Mean and worst difference in points between the float net and the
/// engine's.
fn rounding<const H: usize>(net: &Network, model: &Model<H>, samples: &[Sample]) -> (f32, i32) {
    /// Enough to know.
    const COUNT: usize = 5000;
    let some = &samples[..samples.len().min(COUNT)];
    let errors = some.iter().map(|sample| {
        let float = model.output(sample, false) * net.scale() as f32;
        (float - net.evaluate_inputs(sample.active()) as f32).abs()
    });
    let (sum, worst) = errors.fold((0.0, 0.0f32), |(sum, worst), e| (sum + e, worst.max(e)));
    (sum / some.len().max(1) as f32, worst.round() as i32)
}

fn add_line(path: &Path, report: &EpochReport) -> Result<(), Failure> {
    let line = curve::csv_line(report) + "\n";
    let mut file = OpenOptions::new()
        .append(true)
        .create(true)
        .open(path)
        .map_err(|e| in_file(path, &e))?;
    file.write_all(line.as_bytes())
        .map_err(|e| in_file(path, &e))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    std::fs::write(path, bytes).map_err(|e| in_file(path, &e))
}

fn in_file(path: &Path, error: &dyn std::fmt::Display) -> Failure {
    format!("`{}`: {error}", path.display()).into()
}

fn bar(len: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} ({per_sec}, {eta} left)");
    let bar = ProgressBar::new(len as u64)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.enable_steady_tick(Duration::from_secs(1));
    bar
}
