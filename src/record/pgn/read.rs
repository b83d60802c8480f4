//! A game's text as a record.

use super::text::{GameText, Item, Sequence, take_apart};
use crate::board::{Move, Position};
use crate::record::problem::note;
use crate::record::resolve::{MAX_RETRIES, Ranks, Resolved, other_side, resolve};
use crate::record::setup::parse_start;
use crate::record::{
    GameResult, MAX_NODES, MAX_PLIES, NodeId, Problem, ProblemKind, ReadGame, Record,
};
use std::collections::VecDeque;

/// Reads the text of one game, tags and moves; `line` is the number of its
/// first line.
pub fn read_game(text: &str, line: usize) -> ReadGame {
    read_game_from(text, line, None)
}

/// The same for moves from a start position given elsewhere.
pub(in crate::record) fn read_game_from(
    text: &str,
    line: usize,
    start: Option<Position>,
) -> ReadGame {
    let mut game = take_apart(text, line);
    let start = start.map_or_else(|| start_position(&mut game, line), Ok);
    let (start, playable) = match start {
        Ok(start) => (start, true),
        Err(problem) => {
            game.problems.push(problem);
            (Position::startpos(), false)
        }
    };
    let mut builder = Builder::new(start, &mut game);
    if playable {
        builder.build(&game.sequences);
    }
    builder.finish(game)
}

/// The position of the FEN tag, or the usual one.
fn start_position(game: &mut GameText, line: usize) -> Result<Position, Problem> {
    let Some(fen) = game.tags.remove("FEN") else {
        return Ok(Position::startpos());
    };
    game.tags.remove("SetUp");
    parse_start(&fen).map_err(|reason| {
        let text = fen.clone();
        Problem::at_line(line, ProblemKind::BadStart { text, reason })
    })
}

/// Fills a record from sequences of move texts.
struct Builder {
    record: Record,
    problems: Vec<Problem>,
    ranks: Ranks,
    /// How many texts of the game may still be read again.
    retries: usize,
}

/// A sequence waiting for its turn, with the node and position it starts
/// from and the node that its text stands behind.
struct Job {
    sequence: usize,
    from: NodeId,
    pos: Position,
    ply: usize,
    behind: NodeId,
}

impl Builder {
    /// Takes the side that the first move shows.
    fn new(start: Position, game: &mut GameText) -> Self {
        let mut problems = Vec::new();
        let texts = move_texts(&game.sequences[0]);
        let ranks = Ranks::of(game.sequences.iter().flat_map(move_texts));
        let playable = |pos: &Position| resolve(pos, &texts[..1], ranks, &mut 0).error.is_none();
        let mut start = start;
        if !texts.is_empty()
            && !playable(&start)
            && let Some(other) = other_side(&start).filter(playable)
        {
            start = other;
            let line = game.sequences[0].line;
            problems.push(Problem::at_line(line, ProblemKind::SideCorrected));
        }
        Self {
            record: Record::new(start),
            problems,
            ranks,
            retries: MAX_RETRIES,
        }
    }

    fn build(&mut self, sequences: &[Sequence]) {
        let mut jobs = VecDeque::from([Job {
            sequence: 0,
            from: NodeId::ROOT,
            pos: self.record.start().clone(),
            ply: 1,
            behind: NodeId::ROOT,
        }]);
        while let Some(job) = jobs.pop_front() {
            let sequence = &sequences[job.sequence];
            let mut texts = move_texts(sequence);
            if texts.len() > MAX_PLIES {
                self.problem(sequence.line, ProblemKind::TooLarge("a line of moves"));
                texts.truncate(MAX_PLIES);
            }
            let resolved = resolve(&job.pos, &texts, self.ranks, &mut self.retries);
            if job.sequence > 0 && !is_variation(sequence, &resolved) {
                self.comment(job.behind, &format!("({})", sequence.raw.trim()));
            } else if self.record.len() + resolved.moves.len() > MAX_NODES {
                self.problem(sequence.line, ProblemKind::TooLarge("the tree of moves"));
            } else {
                self.report(sequence, &resolved, job.ply);
                self.walk(sequence, &job, &resolved.moves, &mut jobs);
            }
        }
    }

    /// Adds the moves of a sequence, its comments and glyphs; its brackets
    /// become jobs.
    fn walk(&mut self, sequence: &Sequence, job: &Job, moves: &[Move], jobs: &mut VecDeque<Job>) {
        let (mut node, mut ply) = (job.from, job.ply);
        let mut before = (node, job.pos.clone());
        let mut pos = job.pos.clone();
        let mut moves = moves.iter();
        let mut lead = String::new();
        for item in &sequence.items {
            match item {
                Item::Move { .. } => {
                    let Some(&mv) = moves.next() else { return };
                    before = (node, pos.clone());
                    node = self.record.add(node, mv);
                    pos.make(mv);
                    ply += 1;
                    self.comment(node, &std::mem::take(&mut lead));
                }
                // Before the first move of a variation there is no node yet.
                Item::Comment(text) if node == job.from && job.sequence > 0 => {
                    join(&mut lead, text);
                }
                Item::Comment(text) => self.comment(node, text),
                Item::Glyph(_) if node == job.from => {}
                Item::Glyph(glyph) => self.record.node_mut(node).glyphs.push(*glyph),
                Item::Bracket(sequence) => jobs.push_back(Job {
                    sequence: *sequence,
                    from: before.0,
                    pos: before.1.clone(),
                    ply: ply.saturating_sub(1).max(job.ply),
                    behind: node,
                }),
            }
        }
    }

    fn comment(&mut self, node: NodeId, text: &str) {
        join(&mut self.record.node_mut(node).comment, text);
    }

    fn report(&mut self, sequence: &Sequence, resolved: &Resolved, first_ply: usize) {
        let Some(error) = resolved.error.clone() else {
            return;
        };
        let index = resolved.moves.len();
        let lines = sequence.items.iter().filter_map(|item| match item {
            Item::Move { line, .. } => Some(*line),
            _ => None,
        });
        let line = lines.clone().nth(index).unwrap_or(sequence.line);
        let ply = first_ply + index;
        self.problem(line, ProblemKind::MoveText { ply, error });
    }

    fn problem(&mut self, line: usize, kind: ProblemKind) {
        note(&mut self.problems, Problem::at_line(line, kind));
    }

    fn finish(self, game: GameText) -> ReadGame {
        let Self {
            mut record,
            mut problems,
            ..
        } = self;
        record.tags = game.tags;
        let stated = record.result();
        if let Some(result) = game.result.filter(|_| stated == GameResult::Unknown) {
            record.tags.set("Result", result.text());
        }
        record.tags.remove("Format");
        problems.extend(game.problems);
        ReadGame { record, problems }
    }
}

fn move_texts<'a>(sequence: &Sequence<'a>) -> Vec<&'a str> {
    let texts = sequence.items.iter().filter_map(|item| match item {
        Item::Move { text, .. } => Some(*text),
        _ => None,
    });
    texts.collect()
}

/// Round brackets hold a variation when all in them are moves that can be
/// played.
fn is_variation(sequence: &Sequence, resolved: &Resolved) -> bool {
    !resolved.moves.is_empty() && resolved.error.is_none() && !sequence.stray
}

/// Adds a text on a line of its own.
fn join(texts: &mut String, more: &str) {
    if !texts.is_empty() && !more.is_empty() {
        texts.push('\n');
    }
    texts.push_str(more);
}
