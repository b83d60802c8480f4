//! The arbiter: the ruling on the last position of a game.

use super::chase::{Chase, Level, chases};
use super::chinese::{self, ChineseClass};
use super::cxq::{self, Breach, Counter, Tally};
use super::cycle::{Cycle, CyclePly, at_fault};
use super::draws::drawn;
use super::ruling::{Attack, Class, ClassifiedMove, Standing};
use super::sky::{SkyBreach, SkyTally};
use super::{Article, DrawReason, DrawRules, Game, Ground, Outcome, RuleSet, Ruling};
use super::{computer, threats};
use crate::board::{Bitboard, Color, Move, Position, Square};
use std::ops::Range;

/// The ruling on the last position of `game`, `None` when play goes on. Draws
/// by count are those that the rule set has by default.
///
/// The order is that of the rules: no legal reply first, then repetition or
/// streaks, then draws.
pub fn judge(game: &Game, rules: RuleSet) -> Option<Ruling> {
    judge_with(game, rules, &DrawRules::of(rules))
}

/// The same with draws by count as the caller wants them.
pub fn judge_with(game: &Game, rules: RuleSet, draws: &DrawRules) -> Option<Ruling> {
    let arbiter = Arbiter { game, rules };
    arbiter
        .mate()
        .or_else(|| arbiter.streak())
        .or_else(|| arbiter.repetition())
        .or_else(|| drawn(game, draws).map(|reason| arbiter.count(reason)))
}

/// The ruling at which a line of play arrives from the end of `game`: the
/// first one on the way, with the game played up to it.
pub fn foreseen(game: &Game, line: &[Move], rules: RuleSet) -> Option<(Game, Ruling)> {
    let mut game = game.clone();
    for &mv in line {
        game.play(mv).ok()?;
        if let Some(ruling) = judge(&game, rules) {
            return Some((game, ruling));
        }
    }
    None
}

/// The lines of at most `plies` moves from the end of `game` that bring a
/// position to the occurrence at which these rules judge it, with the rulings.
/// `goes_on` is asked before each ruling; the rest is left out when it says no.
pub fn completing(
    game: &Game,
    rules: RuleSet,
    plies: usize,
    goes_on: &dyn Fn() -> bool,
) -> Vec<(Vec<Move>, Ruling)> {
    let mut search = Completing {
        game: game.clone(),
        rules,
        goes_on,
        due: due(game, rules),
        line: Vec::new(),
        found: Vec::new(),
    };
    if !search.due.is_empty() {
        search.extend(plies);
    }
    search.found
}

/// The keys of positions that need to occur once more to be judged.
fn due(game: &Game, rules: RuleSet) -> Vec<u64> {
    let Some(fold) = rules.fold() else {
        return Vec::new();
    };
    let mut keys: Vec<u64> = game.positions().iter().map(Position::key).collect();
    keys.sort_unstable();
    let runs = keys.chunk_by(|a, b| a == b);
    runs.filter(|run| run.len() + 1 >= fold)
        .map(|run| run[0])
        .collect()
}

struct Completing<'a> {
    game: Game,
    rules: RuleSet,
    goes_on: &'a dyn Fn() -> bool,
    due: Vec<u64>,
    line: Vec<Move>,
    found: Vec<(Vec<Move>, Ruling)>,
}

impl Completing<'_> {
    fn extend(&mut self, plies: usize) {
        for mv in self.game.position().legal_moves() {
            let pos = self.game.position();
            let is_due = self.due.contains(&pos.key_after(mv));
            let leads_on = is_due && (self.goes_on)() || !is_due && plies > 1;
            if pos.is_capture(mv) || !leads_on || self.game.play(mv).is_err() {
                continue;
            }
            self.line.push(mv);
            if !is_due {
                self.extend(plies - 1);
            } else if let Some(ruling) = judge(&self.game, self.rules) {
                self.found.push((self.line.clone(), ruling));
            }
            self.line.pop();
            self.game.undo();
        }
    }
}

struct Arbiter<'a> {
    game: &'a Game,
    rules: RuleSet,
}

impl Arbiter<'_> {
    fn ruling(&self, outcome: Outcome, ground: Ground, article: Article) -> Ruling {
        Ruling {
            rules: self.rules,
            outcome,
            ground,
            article,
            span: 0..0,
            moves: Vec::new(),
        }
    }

    fn mate(&self) -> Option<Ruling> {
        let pos = self.game.position();
        if pos.has_legal_move() {
            return None;
        }
        let (ground, name) = if pos.in_check() {
            (Ground::Checkmate, "checkmate")
        } else {
            (Ground::Stalemate, "stalemate, which loses")
        };
        let outcome = Outcome::Loss(pos.side_to_move());
        Some(self.ruling(outcome, ground, Article { number: "", name }))
    }

    fn count(&self, reason: DrawReason) -> Ruling {
        let name = match reason {
            DrawReason::NoCapture(_) => "too many moves without a capture",
            DrawReason::Material => "neither side can attack",
            DrawReason::Length(_) => "the game is too long",
        };
        let article = Article { number: "", name };
        self.ruling(Outcome::Draw, Ground::Count(reason), article)
    }

    fn repetition(&self) -> Option<Ruling> {
        let fold = self.rules.fold()?;
        let start = window_start(self.game, fold)?;
        let span = start..self.game.moves().len();
        let cycle = self.game.cycle(span.clone());
        if self.rules == RuleSet::Sky && !is_quiet(self.game, &span) {
            return None;
        }
        if self.rules == RuleSet::Chinese {
            return Some(self.chinese_repetition(span));
        }
        let loser = at_fault(&cycle, self.rules);
        let outcome = loser.map_or(Outcome::Draw, Outcome::Loss);
        let ground = Ground::Repetition(fold);
        let mut ruling = self.ruling(
            outcome,
            ground,
            repetition_article(&cycle, self.rules, loser),
        );
        ruling.moves = self.classified(&span);
        ruling.span = span;
        Some(ruling)
    }

    fn chinese_repetition(&self, span: Range<usize>) -> Ruling {
        let cycle = self.game.cycle(span.clone());
        let classes = chinese::classes(&cycle);
        let loser = chinese::at_fault(&cycle, &classes);
        let outcome = loser.map_or(Outcome::Draw, Outcome::Loss);
        let mut ruling = self.ruling(
            outcome,
            Ground::Repetition(3),
            chinese_article(&cycle, &classes, loser),
        );
        let plies = (span.start + 1..).zip(cycle.plies()).zip(&classes);
        ruling.moves = plies
            .map(|((number, ply), class)| ClassifiedMove {
                ply: number,
                side: ply.before.side_to_move(),
                mv: ply.mv,
                class: chinese_class(&ply, class),
            })
            .collect();
        ruling.span = span;
        ruling
    }

    fn streak(&self) -> Option<Ruling> {
        let (outcome, ground, article, len) = match self.rules {
            RuleSet::Cxq => cxq_streak(self.game)?,
            RuleSet::Sky => sky_streak(self.game)?,
            _ => return None,
        };
        let mut ruling = self.ruling(outcome, ground, article);
        let end = self.game.moves().len();
        ruling.span = end.saturating_sub(len)..end;
        ruling.moves = self.classified(&ruling.span);
        Some(ruling)
    }

    fn classified(&self, span: &Range<usize>) -> Vec<ClassifiedMove> {
        let cycle = self.game.cycle(span.clone());
        let classes = cycle.plies().map(|ply| class_of(&ply, self.rules));
        let numbered = (span.start + 1..).zip(cycle.plies()).zip(classes);
        numbered
            .map(|((number, ply), class)| ClassifiedMove {
                ply: number,
                side: ply.before.side_to_move(),
                mv: ply.mv,
                class,
            })
            .collect()
    }
}

/// The ply before which the position of the end stood for the first of its
/// last `fold` occurrences; `None` when there are fewer.
fn window_start(game: &Game, fold: usize) -> Option<usize> {
    let (positions, moves) = (game.positions(), game.moves());
    let captures = |i: &usize| positions[*i].is_capture(moves[*i]);
    let first = (0..moves.len()).rev().find(captures).map_or(0, |i| i + 1);
    let key = game.position().key();
    let earlier = (first..moves.len())
        .rev()
        .filter(|&i| positions[i].key() == key);
    earlier.take(fold - 1).nth(fold - 2)
}

fn is_quiet(game: &Game, span: &Range<usize>) -> bool {
    let cycle = game.cycle(span.clone());
    let quiet =
        |ply: CyclePly| !ply.after.in_check() && chases(ply.before, ply.mv, ply.after).is_empty();
    cycle.plies().all(quiet)
}

type Streak = (Outcome, Ground, Article, usize);

fn cxq_streak(game: &Game) -> Option<Streak> {
    let mut tally = Tally::default();
    for ply in game.cycle(0..game.moves().len()).plies() {
        tally.play(ply.before, ply.mv, ply.after);
    }
    let breach = tally.breach()?;
    let (number, name) = match breach {
        Breach::PerpetualCheck(_) => ("CXQ 3.1, 3.3, 3.6", "perpetual check"),
        Breach::PerpetualAttack(_) => (
            "CXQ 3.2, 3.3, 3.6",
            "perpetual attack on one unprotected piece",
        ),
        Breach::MutualCheck => ("CXQ 3.4, 3.6", "both sides check perpetually"),
        Breach::MutualAttack => ("CXQ 3.4, 3.6", "both sides attack perpetually"),
        Breach::CheckAgainstAttack(_) => {
            ("CXQ 3.5, 3.6", "perpetual check against perpetual attack")
        }
        Breach::Automatic(Counter::Effectiveness) => {
            ("CXQ 4.1", "120 effective moves by each side")
        }
        Breach::Automatic(Counter::Progress) => {
            ("CXQ 4.2", "30 moves by each side without progress")
        }
        Breach::Automatic(Counter::Length) => ("CXQ 4.3", "300 moves by each side"),
    };
    let outcome = breach.loser().map_or(Outcome::Draw, Outcome::Loss);
    let article = Article { number, name };
    if let Breach::Automatic(_) = breach {
        return Some((outcome, Ground::Automatic, article, 0));
    }
    let longest = |side| {
        let attack = tally
            .longest_attack(side)
            .map_or(0, |streak| streak.count());
        tally.checks(side).count().max(attack)
    };
    let mover = !game.position().side_to_move();
    Some((outcome, Ground::Streak, article, plies_of(longest(mover))))
}

/// The plies from the first to the last of `moves` moves of one side.
fn plies_of(moves: u16) -> usize {
    (usize::from(moves) * 2).saturating_sub(1)
}

fn sky_streak(game: &Game) -> Option<Streak> {
    let mut tally = SkyTally::default();
    for ply in game.cycle(0..game.moves().len()).plies() {
        tally.play(ply.before, ply.mv, ply.after);
    }
    let breach = tally.breach()?;
    let name = match breach {
        SkyBreach::Checks(_) => "too many checks in a row",
        SkyBreach::Chases(_) => "too many chases of one piece in a row",
        SkyBreach::Mixed(_) => "too many checks and chases in a row",
        SkyBreach::CheckAgainstChase(_) => "checks against chases",
        SkyBreach::MutualChecks => "both sides check",
        SkyBreach::MutualChases => "both sides chase",
    };
    let outcome = breach.loser().map_or(Outcome::Draw, Outcome::Loss);
    let mover = !game.position().side_to_move();
    let len = plies_of(tally.longest_run(mover));
    Some((outcome, Ground::Streak, Article { number: "", name }, len))
}

/// The rule by which a cycle is judged.
fn repetition_article(cycle: &Cycle, rules: RuleSet, loser: Option<Color>) -> Article {
    let checks = Color::ALL.map(|side| cycle.checks_always(side));
    let level = |side| super::chase::level(cycle, side);
    let kind = match loser {
        Some(side) if checks[side.index()] => Kind::Check,
        Some(_) => Kind::Chase,
        None if checks == [true, true] => Kind::MutualCheck,
        None if Color::ALL.iter().all(|&side| level(side) > Level::Other) => Kind::MutualChase,
        None => Kind::Permitted,
    };
    article(rules, kind)
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Check,
    Chase,
    MutualCheck,
    MutualChase,
    Permitted,
}

fn article(rules: RuleSet, kind: Kind) -> Article {
    let name = match kind {
        Kind::Check => "perpetual check",
        Kind::Chase => "perpetual chase of one piece",
        Kind::MutualCheck => "both sides check perpetually",
        Kind::MutualChase => "both sides chase perpetually",
        Kind::Permitted => "repetition by permitted moves",
    };
    let number = match (rules, kind) {
        (RuleSet::Asian | RuleSet::Wxf, Kind::Check | Kind::MutualCheck) => "WXF 20.1",
        (RuleSet::Asian | RuleSet::Wxf, Kind::Chase | Kind::MutualChase) => "WXF 20.3",
        (RuleSet::Asian | RuleSet::Wxf, Kind::Permitted) => "WXF 20.2",
        (RuleSet::Computer, Kind::Check) => "UCCI league (1)",
        (RuleSet::Computer, Kind::Chase) => "UCCI league (2)",
        (RuleSet::Computer, _) => "UCCI league (3)",
        (RuleSet::ClassicPrc | RuleSet::ClassicHk, Kind::Check) => "classic 6.1",
        (RuleSet::ClassicPrc | RuleSet::ClassicHk, _) => "classic 6.3",
        _ => "",
    };
    Article { number, name }
}

fn standing(pos: &Position, square: Square) -> Option<Standing> {
    let piece = pos.piece_on(square)?;
    Some(Standing { piece, square })
}

fn standings(pos: &Position, squares: Bitboard) -> Vec<Standing> {
    squares
        .into_iter()
        .filter_map(|sq| standing(pos, sq))
        .collect()
}

/// The class of a move by the definitions of a rule set.
fn class_of(ply: &CyclePly, rules: RuleSet) -> Class {
    let pos = ply.after;
    if pos.in_check() {
        return Class::Check(standings(pos, pos.checkers()));
    }
    let attacks = match rules {
        RuleSet::Cxq => cxq_attacks(ply),
        RuleSet::Computer => {
            let victims = computer::victims(ply).into_iter();
            attacks(pos, victims.map(|victim| (ply.mv.to(), victim, None)))
        }
        RuleSet::Simple => Vec::new(),
        _ => {
            let found: Vec<Chase> = chases(ply.before, ply.mv, pos);
            attacks(
                pos,
                found
                    .iter()
                    .map(|c| (c.attacker, c.victim, Some(c.novelty))),
            )
        }
    };
    let prepares = matches!(rules, RuleSet::ClassicPrc | RuleSet::ClassicHk);
    if prepares && threats::mates_at_once(pos, ply.before.side_to_move()) {
        Class::Kill
    } else if attacks.is_empty() {
        Class::Idle
    } else {
        Class::Chase {
            attacks,
            light: false,
        }
    }
}

fn cxq_attacks(ply: &CyclePly) -> Vec<Attack> {
    match cxq::class(ply.before, ply.mv, ply.after) {
        cxq::Class::Attack(found) => {
            let counted = found.iter().filter(|attack| attack.unprotected);
            attacks(ply.after, counted.map(|a| (a.attacker, a.victim, None)))
        }
        _ => Vec::new(),
    }
}

fn attacks(
    pos: &Position,
    pairs: impl Iterator<Item = (Square, Square, Option<super::Novelty>)>,
) -> Vec<Attack> {
    let named = pairs.filter_map(|(by, victim, novelty)| {
        Some(Attack {
            by: standing(pos, by)?,
            victim: standing(pos, victim)?,
            novelty,
        })
    });
    named.collect()
}

fn chinese_class(ply: &CyclePly, class: &ChineseClass) -> Class {
    match class {
        ChineseClass::Check => Class::Check(standings(ply.after, ply.after.checkers())),
        ChineseClass::Kill => Class::Kill,
        ChineseClass::Chase { captures, light } => Class::Chase {
            attacks: attacks(ply.after, captures.iter().map(|&(a, v)| (a, v, None))),
            light: *light,
        },
        ChineseClass::Exchange => Class::Exchange,
        ChineseClass::Idle => Class::Idle,
    }
}

fn chinese_article(cycle: &Cycle, classes: &[ChineseClass], loser: Option<Color>) -> Article {
    let all = |side: Color, wanted: fn(&ChineseClass) -> bool| {
        let moves = cycle.plies().zip(classes);
        moves
            .filter(|(ply, _)| ply.before.side_to_move() == side)
            .all(|(_, class)| wanted(class))
    };
    let (number, name) = match loser {
        Some(side) if all(side, |c| *c == ChineseClass::Check) => ("CXA 24.9", "perpetual check"),
        Some(side) if all(side, |c| *c == ChineseClass::Kill) => ("CXA 24.10", "perpetual kill"),
        Some(side) if all(side, |c| matches!(c, ChineseClass::Chase { .. })) => {
            ("CXA 24.11", "perpetual chase")
        }
        Some(_) => ("CXA 24.12, 24.13", "forbidden moves in turn"),
        None if Color::ALL
            .iter()
            .all(|&side| all(side, ChineseClass::counts)) =>
        {
            ("CXA 24", "forbidden moves of the same weight on both sides")
        }
        None => ("CXA 24", "repetition by permitted moves"),
    };
    Article { number, name }
}
