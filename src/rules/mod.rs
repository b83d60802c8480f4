//! What a *game* is: history, repetition, draw rules and the result.
//!
//! `judge` is the arbiter: a game in, a `Ruling` out. The search asks the
//! same classifier through `repetition` and, under rules that count moves,
//! through `Tally` and `SkyTally`.

mod chase;
mod chinese;
mod classic;
mod computer;
mod counts;
mod cxq;
mod cycle;
mod draws;
mod game;
mod judge;
pub mod repetition;
mod ruleset;
mod ruling;
mod sky;
mod streak;
mod threats;

pub use chase::{Level, Novelty};
pub use chinese::{ChineseClass, ChineseLevel, chinese_level};
pub use counts::Counts;
pub use cxq::{Breach, Counter, Tally};
pub use draws::{
    CHECKS_COUNTED, DrawReason, DrawRules, SIXTY_MOVES, is_material_draw, plies_without_capture,
};
pub use game::{Game, GameError, Illegality};
pub use judge::{completing, foreseen, judge, judge_with};
pub use ruleset::{RuleSet, RuleSetError};
pub use ruling::{
    Article, Attack, Class, ClassifiedMove, Ground, Outcome, Ruling, Standing, levels_of_classified,
};
pub use sky::{SkyBreach, SkyTally};
pub use streak::Streak;
pub use threats::king_attackers_after;
