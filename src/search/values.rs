//! What a position is worth without a search: the evaluation, or the verdict
//! of the rules where the game is over.

use super::score::{DRAW, EVAL_LIMIT, RULE_WIN, Value};
use super::worker::Worker;
use crate::rules::repetition::{self, Fold, Verdict};

impl Worker<'_> {
    /// The static evaluation, damped as the draw by moves without capture
    /// comes nearer.
    pub fn evaluate(&mut self) -> Value {
        let value = self.evaluator.evaluate(&self.pos);
        let damping = self.params().halfmove_damping;
        let left = damping - i32::from(self.pos.halfmove_clock()).min(damping / 2);
        (value * left / damping).clamp(-EVAL_LIMIT, EVAL_LIMIT)
    }

    /// The value of a game that is over by repetition or length here, or the
    /// bounds `(alpha, beta)` that a repetition leaves.
    pub fn adjudicate(
        &self,
        ply: usize,
        alpha: Value,
        beta: Value,
    ) -> Result<(Value, Value), Value> {
        if let Some(value) = self.ended_by_count(ply) {
            return Err(value);
        }
        let clock = self.pos.halfmove_clock();
        if clock >= self.shared.capture_limit && self.pos.has_legal_move() {
            return Err(self.at_the_limit(ply));
        }
        let window = usize::from(clock).min(self.path.len());
        let recent = &self.path[self.path.len() - window..];
        if window < 4 || !repetition::recurs(self.pos.key(), recent) {
            return Ok((alpha, beta));
        }
        if let Some(verdict) = self.verdict_near_root(ply) {
            return Err(ruled(verdict, ply));
        }
        let root = match self.shared.settings.fold {
            Fold::RootThree => self.shared.history.len(),
            Fold::Two => 0,
            Fold::Three => usize::MAX,
        };
        let Some(finding) =
            repetition::verdict(&self.pos, &self.path, root, self.shared.settings.rules)
        else {
            return Ok((alpha, beta));
        };
        match (finding.verdict, finding.binding) {
            (Verdict::Draw, _) => Err(DRAW),
            (verdict, true) => Err(ruled(verdict, ply)),
            (Verdict::Win, false) if beta <= DRAW => Err(DRAW),
            (Verdict::Win, false) => Ok((alpha.max(DRAW), beta)),
            (Verdict::Loss, false) if alpha >= DRAW => Err(DRAW),
            (Verdict::Loss, false) => Ok((alpha, beta.min(DRAW))),
        }
    }

    /// The value where the plies without capture have reached their limit: as
    /// with the arbiter, a repetition that is complete there goes before.
    fn at_the_limit(&self, ply: usize) -> Value {
        let rules = self.shared.settings.rules;
        let complete = repetition::verdict(&self.pos, &self.path, usize::MAX, rules);
        complete.map_or(DRAW, |finding| ruled(finding.verdict, ply))
    }

    /// What the arbiter says of the line from the root, if it was asked.
    fn verdict_near_root(&self, ply: usize) -> Option<Verdict> {
        let line = || self.path[self.path.len() - ply..].iter().map(|ply| ply.mv);
        let mut known = self.shared.root_verdicts.iter();
        let (_, verdict) = known.find(|(moves, _)| moves.iter().copied().eq(line()))?;
        Some(*verdict)
    }

    /// The value of a game that is over by a run of moves or a count.
    fn ended_by_count(&self, ply: usize) -> Option<Value> {
        let verdict = self.counts.last()?.verdict(self.pos.side_to_move())?;
        if !self.pos.has_legal_move() {
            return None;
        }
        Some(ruled(verdict, ply))
    }
}

/// The value of a ruling `ply` plies from the root.
fn ruled(verdict: Verdict, ply: usize) -> Value {
    match verdict {
        Verdict::Draw => DRAW,
        Verdict::Win => RULE_WIN - ply as Value,
        Verdict::Loss => ply as Value - RULE_WIN,
    }
}
