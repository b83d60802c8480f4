//! The arbiter of a game: the rules, and adjudication by agreed scores.

use super::reason::{Finish, Reason};
use crate::board::{Color, Move};
use crate::rules::{DrawReason, DrawRules, Game, Ground, Outcome, RuleSet, Ruling, judge_with};
use crate::search::Score;
use std::fmt;
use std::str::FromStr;

/// End a game when both engines agree about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Agreed {
    /// Centipawns: at least so many for one side, or at most for a draw.
    pub score: i32,
    /// For so many plies in a row.
    pub plies: usize,
    /// Not before this ply.
    pub from_ply: usize,
}

/// A text that is no such rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgreedError(String);

impl fmt::Display for AgreedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}`: expected score[,plies[,from-ply]] in centipawns and plies, such as 1000,8",
            self.0
        )
    }
}

impl std::error::Error for AgreedError {}

/// Plies where none are given.
const AGREED_PLIES: usize = 8;

impl FromStr for Agreed {
    type Err = AgreedError;

    fn from_str(text: &str) -> Result<Self, AgreedError> {
        let parse = || {
            let numbers = text.split(',').map(|n| n.trim().parse::<u32>().ok());
            let numbers: Vec<u32> = numbers.collect::<Option<_>>()?;
            let (score, plies, from) = match numbers[..] {
                [score] => (score, None, 0),
                [score, plies] => (score, Some(plies), 0),
                [score, plies, from] => (score, Some(plies), from),
                _ => return None,
            };
            let plies = plies.map_or(Some(AGREED_PLIES), |plies| usize::try_from(plies).ok());
            Some(Self {
                score: i32::try_from(score).ok()?,
                plies: plies.filter(|&plies| plies > 0)?,
                from_ply: usize::try_from(from).ok()?,
            })
        };
        parse().ok_or_else(|| AgreedError(text.to_owned()))
    }
}

/// How games are judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arbiter {
    /// The rule set.
    pub rules: RuleSet,
    /// Draws by count.
    pub draws: DrawRules,
    /// Won when both scores say so.
    pub win: Option<Agreed>,
    /// Drawn when both scores say so.
    pub draw: Option<Agreed>,
}

impl Arbiter {
    /// The end of the game by the rules, `None` when it goes on.
    pub fn verdict(&self, game: &Game) -> Option<Finish> {
        judge_with(game, self.rules, &self.draws).map(|ruling| finish(&ruling))
    }

    /// The moves that the rules would let their player lose: a repetition
    /// that is not permitted.
    pub fn bans(&self, game: &Game) -> Vec<Move> {
        /// The shortest game that can repeat a position three times.
        const LEAST_PLIES: usize = 7;
        if game.moves().len() < LEAST_PLIES {
            return Vec::new();
        }
        let side = game.position().side_to_move();
        let mut line = game.clone();
        let mut is_lost = |mv: &Move| {
            if line.play(*mv).is_err() {
                return true;
            }
            let ruling = judge_with(&line, self.rules, &self.draws);
            line.undo();
            ruling.is_some_and(|ruling| ruling.at_fault() == Some(side))
        };
        let moves = game.position().legal_moves();
        moves.into_iter().filter(|mv| is_lost(mv)).collect()
    }

    /// The end of the game by agreement of the scores, given for Red and ply
    /// by ply.
    pub fn adjudicate(&self, scores: &[Option<i32>]) -> Option<Finish> {
        let agreed = |rule: &Agreed, holds: &dyn Fn(i32) -> bool| {
            let last = scores.len().checked_sub(rule.plies);
            last.is_some_and(|start| {
                scores.len() >= rule.from_ply
                    && scores[start..].iter().all(|s| s.is_some_and(holds))
            })
        };
        if let Some(rule) = &self.win {
            let words = format!("{} centipawns for {} plies", rule.score, rule.plies);
            for (loser, sign) in [(Color::Black, 1), (Color::Red, -1)] {
                if agreed(rule, &|score| score.saturating_mul(sign) >= rule.score) {
                    return Some(Finish::loss(loser, Reason::AdjudicatedWin).with_detail(words));
                }
            }
        }
        let rule = self.draw.as_ref()?;
        let words = format!("within {} centipawns for {} plies", rule.score, rule.plies);
        agreed(rule, &|score| score.abs() <= rule.score)
            .then(|| Finish::draw(Reason::AdjudicatedDraw).with_detail(words))
    }
}

/// Above every score in centipawns.
const MATE: i32 = 30_000;

/// A score as a number of centipawns, mates beyond all others.
pub fn centipawns(score: Score) -> i32 {
    let plies = |plies: u32| i32::try_from(plies).unwrap_or(MATE).min(MATE);
    match score {
        Score::Cp(cp) => cp,
        Score::MateIn(n) => MATE - plies(n),
        Score::MatedIn(n) => plies(n) - MATE,
    }
}

fn finish(ruling: &Ruling) -> Finish {
    let reason = match (ruling.ground, ruling.outcome) {
        (Ground::Checkmate, _) => Reason::Mate,
        (Ground::Stalemate, _) => Reason::Stalemate,
        (Ground::Count(DrawReason::NoCapture(_)), _) => Reason::NoCapture,
        (Ground::Count(DrawReason::Material), _) => Reason::InsufficientMaterial,
        (Ground::Count(DrawReason::Length(_)), _) => Reason::Length,
        (Ground::Automatic, _) => Reason::AutomaticDraw,
        (_, Outcome::Loss(_)) => Reason::Perpetual,
        (_, Outcome::Draw) => Reason::Repetition,
    };
    let detail = match reason {
        Reason::Perpetual | Reason::Repetition | Reason::AutomaticDraw => ruling.summary(),
        _ => String::new(),
    };
    Finish {
        winner: ruling.outcome.loser().map(|loser| !loser),
        reason,
        detail,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arbiter(rules: RuleSet) -> Arbiter {
        Arbiter {
            rules,
            draws: DrawRules::of(rules),
            win: None,
            draw: None,
        }
    }

    fn game(fen: &str, moves: &str) -> Game {
        let mut game = Game::new(fen.parse().unwrap());
        for mv in moves.split_whitespace() {
            game.play(mv.parse().unwrap()).unwrap();
        }
        game
    }

    fn verdict(fen: &str, moves: &str) -> Option<(Reason, &'static str)> {
        let finish = arbiter(RuleSet::Asian).verdict(&game(fen, moves))?;
        Some((finish.reason, finish.result()))
    }

    const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

    #[test]
    fn endings_have_their_names() {
        let mate = "3k5/9/9/9/9/9/9/9/4R4/3RK4 b - - 0 1";
        assert_eq!(verdict(mate, ""), Some((Reason::Mate, "1-0")));
        let stalemate = "4k4/9/3P5/9/9/9/9/9/9/5K3 w - - 0 1";
        assert_eq!(verdict(stalemate, "d7d8"), Some((Reason::Stalemate, "1-0")));
        let idle = ["h0g2 h9g7 g2h0 g7h9"; 2].join(" ");
        assert_eq!(verdict(START, &idle), Some((Reason::Repetition, "1/2-1/2")));
        assert_eq!(verdict(START, "h0g2 h9g7"), None);
        let bare = "3ak4/9/9/9/9/9/9/9/9/3K1A3 w - - 0 1";
        let draw = Some((Reason::InsufficientMaterial, "1/2-1/2"));
        assert_eq!(verdict(bare, ""), draw);
        let quiet = START.replace("- - 0", "- - 119");
        assert_eq!(
            verdict(&quiet, "h0g2"),
            Some((Reason::NoCapture, "1/2-1/2"))
        );
    }

    #[test]
    fn a_perpetual_check_is_lost_and_its_last_move_banned() {
        let cycle = "a0a9 d9d8 a9a8 d8d9 a8a9 d9d8 a9a8 d8d9 a8a9";
        let mut game = game("3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1", "");
        let moves: Vec<&str> = cycle.split_whitespace().collect();
        let (last, before) = moves.split_last().unwrap();
        for mv in before {
            game.play(mv.parse().unwrap()).unwrap();
        }
        let arbiter = arbiter(RuleSet::Asian);
        assert_eq!(arbiter.verdict(&game), None);
        let bans = arbiter.bans(&game);
        assert_eq!(bans, [last.parse().unwrap()]);
        game.play(bans[0]).unwrap();
        let finish = arbiter.verdict(&game).unwrap();
        assert_eq!((finish.reason, finish.result()), (Reason::Perpetual, "0-1"));
        assert!(finish.detail.contains("Red loses"), "{}", finish.detail);
    }

    #[test]
    fn scores_must_agree_for_long_enough() {
        let mut arbiter = arbiter(RuleSet::Asian);
        arbiter.win = Some("900,3".parse().unwrap());
        arbiter.draw = Some("10,2,5".parse().unwrap());
        let result = |scores: &[i32]| {
            let scores: Vec<_> = scores.iter().map(|&s| Some(s)).collect();
            arbiter.adjudicate(&scores).map(|f| f.result())
        };
        assert_eq!(result(&[950, 899, 900, 901]), None);
        assert_eq!(result(&[900, 950, 1000]), Some("1-0"));
        assert_eq!(result(&[-900, -950, -30_000]), Some("0-1"));
        assert_eq!(result(&[0, 5, -5]), None);
        assert_eq!(result(&[90, 90, 90, 5, -10]), Some("1/2-1/2"));
        assert_eq!(arbiter.adjudicate(&[Some(950), None, Some(950)]), None);
        for bad in ["", "x", "100,0", "1,2,3,4", "-5"] {
            assert!(bad.parse::<Agreed>().unwrap_err().to_string().contains(bad));
        }
    }
}
