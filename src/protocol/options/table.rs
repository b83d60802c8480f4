//! The table of options.

use super::{Effect, Kind, OptionRow, Options};
use crate::platform::processors;
use crate::rules::repetition::Fold;
use crate::search::{self, ELO_RANGE, MOST_THREADS};
use std::time::Duration;

pub const XIANGQI: &str = "xiangqi";
const DEFAULT_HASH_MB: i64 = 16;
pub const MAX_HASH_MB: i64 = 33_554_432;
const MAX_THREADS: i64 = MOST_THREADS as i64;
const MAX_LINES: i64 = 128;
const DEFAULT_OVERHEAD_MS: i64 = 10;
const MAX_OVERHEAD_MS: i64 = 5000;
const FULL_SKILL: i64 = search::FULL_SKILL as i64;
const MIN_ELO: i64 = ELO_RANGE.0 as i64;
const MAX_ELO: i64 = ELO_RANGE.1 as i64;
pub const DEFAULT_ELO: i64 = MIN_ELO;

use Effect::{Clear, Configure};

/// For what is accepted and has no effect.
fn ignore<T>(_: &mut Options, _: T) -> Effect {
    Effect::None
}

fn ignore_text(_: &mut Options, _: &str) -> Effect {
    Effect::None
}

/// Runs a setter of a search setting.
fn configure(set: impl FnOnce()) -> Effect {
    set();
    Configure
}

const fn row(uci: &'static str, ucci: &'static str, kind: Kind, help: &'static str) -> OptionRow {
    OptionRow {
        uci,
        ucci,
        kind,
        help,
    }
}

const LEVELS: &[&str] = &["none", "small", "medium", "large"];
const LEVELS_FROM_LARGE: &[&str] = &["large", "none", "small", "medium"];

/// The names under which GUIs know rule sets, the default first; the last two
/// are older spellings.
const RULES: &[&str] = &[
    "AsianRule",
    "ChineseRule",
    "SkyRule",
    "ComputerRule",
    "CXQRule",
    "WXFRule",
    "ClassicPRCRule",
    "ClassicHKRule",
    "SimpleRule",
    "NoJudgement",
    "AllowChase",
    "YitianRule",
];
const UCCI_RULES: &[&str] = &[
    "asianrule",
    "chineserule",
    "skyrule",
    "computerrule",
    "cxqrule",
    "wxfrule",
    "simplerule",
    "checkban",
    "alwaysdraw",
];
const FOLDS: &[&str] = &["RootThreeFold", "TwoFold", "ThreeFold"];
/// The most that the limit of plies without a capture can be set to.
const MAX_RULE60: i64 = 150;
pub const DEFAULT_RULE60: i64 = 120;

fn set_rules(options: &mut Options, name: &str) -> Option<Effect> {
    options.settings.rules = name.parse().ok()?;
    Some(Configure)
}

/// By name, or by the check of older programs: whether the search judges no
/// repetition before the third.
fn set_fold(options: &mut Options, word: &str) -> Option<Effect> {
    options.settings.fold = match super::plain(word).as_str() {
        "rootthreefold" | "false" => Fold::RootThree,
        "twofold" => Fold::Two,
        "threefold" | "true" => Fold::Three,
        _ => return None,
    };
    Some(Configure)
}

/// The limit of plies without a capture, from its switch and its number.
fn set_limit(options: &mut Options) -> Effect {
    let limit = options.rule60_max_ply;
    options.settings.capture_limit = (options.sixty_move_rule && limit > 0).then_some(limit);
    Configure
}

/// All options, in the order of their announcement.
pub static OPTIONS: &[OptionRow] = &[
    row(
        "Threads",
        "",
        Kind::Spin(1, 1, MAX_THREADS, |o, n| {
            configure(|| o.settings.threads = n as usize)
        }),
        "search threads",
    ),
    row(
        "Hash",
        "",
        Kind::Spin(DEFAULT_HASH_MB, 1, MAX_HASH_MB, |o, n| {
            configure(|| o.settings.hash_mb = n as usize)
        }),
        "size of the transposition table in MB; where memory is short, the largest that is to be had",
    ),
    row(
        "Clear Hash",
        "",
        Kind::Button(Clear),
        "forget everything learnt so far",
    ),
    row(
        "Ponder",
        "ponder",
        Kind::Check(false, |o, on| configure(|| o.settings.ponder = on)),
        "the GUI will let the engine think on the opponent's time, so it may use its own more freely",
    ),
    row(
        "MultiPV",
        "",
        Kind::Spin(1, 1, MAX_LINES, |o, n| {
            configure(|| o.settings.multi_pv = n as usize)
        }),
        "how many best lines to search and print",
    ),
    row(
        "Move Overhead",
        "moveoverhead",
        Kind::Spin(DEFAULT_OVERHEAD_MS, 0, MAX_OVERHEAD_MS, |o, n| {
            configure(|| o.settings.move_overhead = Duration::from_millis(n as u64))
        }),
        "milliseconds lost on each move between engine and clock",
    ),
    row(
        "Slow Mover",
        "",
        Kind::Spin(100, 10, 1000, |o, n| {
            configure(|| o.settings.slow_mover = n as u32)
        }),
        "use of time in percent of normal",
    ),
    row(
        "nodestime",
        "",
        Kind::Spin(0, 0, 10_000, |o, n| {
            configure(|| o.settings.nodes_per_ms = n as u64)
        }),
        "count so many nodes as a millisecond instead of looking at the clock; 0 for real time",
    ),
    row(
        "NumaPolicy",
        "",
        Kind::Text(ignore_text),
        "accepted and ignored: the system places the threads",
    ),
    row(
        "Repetition Rule",
        "",
        Kind::Words(RULES, set_rules),
        "the rules by which repetition is judged, see chuhe rules",
    ),
    row(
        "",
        "repetition",
        Kind::Words(UCCI_RULES, set_rules),
        "the rules by which repetition is judged, see chuhe rules",
    ),
    row(
        "Repetition Fold",
        "",
        Kind::Words(FOLDS, set_fold),
        "when the search judges a repetition: at the second occurrence below the root, always (TwoFold) or only at the third (ThreeFold)",
    ),
    row(
        "Sixty Move Rule",
        "",
        Kind::Check(true, |o, on| {
            o.sixty_move_rule = on;
            set_limit(o)
        }),
        "60 moves of each side without a capture draw",
    ),
    row(
        "Rule60MaxPly",
        "",
        Kind::Spin(DEFAULT_RULE60, 0, MAX_RULE60, |o, n| {
            o.rule60_max_ply = n as u16;
            set_limit(o)
        }),
        "plies without a capture that draw, 0 for no limit",
    ),
    row(
        "UCI_ShowWDL",
        "",
        Kind::Check(false, |o, on| {
            o.show_wdl = on;
            Effect::None
        }),
        "print the chances of win, draw and loss per mille",
    ),
    row(
        "UCI_AnalyseMode",
        "",
        Kind::Check(false, |o, on| {
            o.analyse_mode = on;
            Effect::None
        }),
        "the user analyses: no draw offers, no resignation",
    ),
    row(
        "Skill Level",
        "skilllevel",
        Kind::Spin(FULL_SKILL, 0, FULL_SKILL, |o, n| {
            configure(|| o.settings.skill_level = n as u32)
        }),
        "strength from 0 (weakest) to 20 (full)",
    ),
    row(
        "UCI_LimitStrength",
        "",
        Kind::Check(false, |o, on| configure(|| o.limit_strength = on)),
        "play at the strength of UCI_Elo",
    ),
    row(
        "UCI_Elo",
        "",
        Kind::Spin(DEFAULT_ELO, MIN_ELO, MAX_ELO, |o, n| {
            configure(|| o.elo = n as u32)
        }),
        "the strength to play at when UCI_LimitStrength is on",
    ),
    row(
        "UCI_Variant",
        "",
        Kind::Combo(VARIANTS, |o, i| {
            if o.variant == VARIANTS[i] {
                return Effect::None;
            }
            o.variant = VARIANTS[i].to_owned();
            Effect::Variant
        }),
        "the game played",
    ),
    row(
        "EvalFile",
        "evalfile",
        Kind::Text(|o, path| {
            o.eval_file = path.to_owned();
            Effect::Network
        }),
        "the file of a net to judge positions by; empty for the one in the program",
    ),
    row(
        "Debug Log File",
        "",
        Kind::Text(|o, path| {
            o.debug_log_file = path.to_owned();
            Effect::Log
        }),
        "a file to which every line in and out is written; empty for none",
    ),
    row(
        "",
        "usemillisec",
        Kind::Check(true, |o, on| {
            o.milliseconds = on;
            Effect::None
        }),
        "times in go are milliseconds (true) or seconds (false)",
    ),
    row(
        "",
        "batch",
        Kind::Check(false, |o, on| {
            o.batch = on;
            Effect::None
        }),
        "lines are looked at only when no search runs",
    ),
    row(
        "",
        "debug",
        Kind::Check(false, |o, on| {
            o.debug = on;
            Effect::None
        }),
        "print lines of lower and upper bounds too",
    ),
    row(
        "",
        "usehash",
        Kind::Check(true, |o, on| configure(|| o.settings.use_hash = on)),
        "keep the table from one search to the next",
    ),
    row(
        "",
        "hashsize",
        Kind::Spin(DEFAULT_HASH_MB, 0, MAX_HASH_MB, |o, n| {
            let size = if n == 0 { DEFAULT_HASH_MB } else { n };
            configure(|| o.settings.hash_mb = size as usize)
        }),
        "size of the transposition table in MB, 0 for automatic",
    ),
    row(
        "",
        "threads",
        Kind::Spin(1, 0, MAX_THREADS, |o, n| {
            let count = if n == 0 { processors() } else { n as usize };
            configure(|| o.settings.threads = count)
        }),
        "search threads, 0 for one per processor",
    ),
    row(
        "",
        "randomness",
        Kind::Combo(RANDOMNESS, |o, i| {
            configure(|| o.settings.randomness = i as u32)
        }),
        "how much the choice among good moves varies",
    ),
    row(
        "",
        "drawresign",
        Kind::Check(true, |o, on| {
            o.draw_and_resign = on;
            Effect::None
        }),
        "offer and accept draws, and resign a lost game",
    ),
    row(
        "OwnBook",
        "",
        Kind::Check(false, |o, on| {
            o.own_book = on;
            Effect::None
        }),
        "play the moves of the opening book where it has some",
    ),
    row(
        "",
        "usebook",
        Kind::Check(true, |o, on| {
            o.use_book = on;
            Effect::None
        }),
        "play the moves of the opening book where it has some",
    ),
    row(
        "BookFile",
        "bookfiles",
        Kind::Text(|o, path| {
            o.book_file = path.to_owned();
            Effect::Book
        }),
        "the opening books: files of `chuhe book make`, ElephantEye's BOOK.DAT or <embedded>; \
         empty for <embedded> in UCI and for none in UCCI",
    ),
    row(
        "Book Choice",
        "bookchoice",
        Kind::Combo(BOOK_CHOICES, |o, i| {
            o.best_book_move = i == 1;
            Effect::None
        }),
        "choose book moves at random by their weights, or always the one of the greatest weight",
    ),
    row(
        "",
        "useegtb",
        Kind::Check(true, ignore),
        "accepted and ignored: there are no endgame tables",
    ),
    row(
        "",
        "egtbpaths",
        Kind::Text(ignore_text),
        "accepted and ignored: there are no endgame tables",
    ),
    row(
        "",
        "evalapi",
        Kind::Text(ignore_text),
        "accepted and ignored: evaluation libraries are a thing of the past",
    ),
    row(
        "",
        "idle",
        Kind::Combo(LEVELS, ignore),
        "accepted and ignored: use threads to leave processors to others",
    ),
    row(
        "",
        "promotion",
        Kind::Check(false, ignore),
        "accepted and ignored: advisors and elephants never promote",
    ),
    row(
        "",
        "pruning",
        Kind::Combo(LEVELS_FROM_LARGE, ignore),
        "accepted and ignored",
    ),
    row(
        "",
        "knowledge",
        Kind::Combo(LEVELS_FROM_LARGE, ignore),
        "accepted and ignored: use skilllevel for a weaker game",
    ),
    row(
        "",
        "style",
        Kind::Combo(&["normal", "solid", "risky"], ignore),
        "accepted and ignored",
    ),
    row("", "newgame", Kind::Button(Clear), "a new game begins"),
];

const BOOK_CHOICES: &[&str] = &["weighted", "best"];
const VARIANTS: &[&str] = &[XIANGQI, crate::kingdoms::protocol::VARIANT];
const RANDOMNESS: &[&str] = &["none", "tiny", "small", "medium", "large"];
