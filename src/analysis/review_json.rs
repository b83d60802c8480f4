//! A review as JSON, for files and for the page.

use super::examine::Order;
use super::review::{Review, Reviewed, ReviewedMove, RuleEvent, SideReview};
use super::schema::{EndJson, OrderJson, RulingJson, ScoreJson, VERSION, in_notations, side_name};
use crate::board::{Color, Position};
use crate::notation::Notation;
use crate::record::{NodeId, Record};
use crate::rules::Game;
use serde::Serialize;
use std::collections::BTreeMap;

/// A game that was reviewed.
#[derive(Debug, Clone)]
pub struct ReviewedGame {
    /// The file it is from.
    pub source: String,
    /// Its number there, from 1.
    pub number: usize,
    /// The game as the file has it.
    pub record: Record,
    /// What was found out.
    pub review: Review,
}

/// The object of a game. Numbers that are no whole numbers are rounded.
#[derive(Debug, Serialize)]
pub struct GameJson<'a> {
    version: u32,
    source: &'a str,
    game: usize,
    tags: BTreeMap<&'a str, &'a str>,
    result: &'static str,
    opening: Option<OpeningJson<'a>>,
    start_fen: String,
    order: OrderJson,
    sides: SidesJson,
    turning_points: Vec<usize>,
    events: Vec<EventJson>,
    moves: Vec<MoveJson<'a>>,
    positions: Vec<PositionJson>,
}

#[derive(Debug, Serialize)]
struct OpeningJson<'a> {
    chinese: &'a str,
    english: &'a str,
    ply: usize,
}

#[derive(Debug, Serialize)]
struct SidesJson {
    red: SideJson,
    black: SideJson,
}

#[derive(Debug, Serialize)]
struct SideJson {
    moves: usize,
    accuracy: Option<f64>,
    mean_loss: f64,
    inaccuracies: usize,
    mistakes: usize,
    blunders: usize,
}

#[derive(Debug, Serialize)]
struct EventJson {
    ply: usize,
    #[serde(flatten)]
    ruling: RulingJson,
}

#[derive(Debug, Serialize)]
struct MoveJson<'a> {
    ply: usize,
    side: &'static str,
    r#move: String,
    texts: BTreeMap<&'static str, String>,
    loss: f64,
    accuracy: f64,
    grade: Option<&'static str>,
    turning_point: bool,
    comment: Option<&'a str>,
}

#[derive(Debug, Serialize)]
struct PositionJson {
    ply: usize,
    fen: String,
    side: &'static str,
    score: ScoreJson,
    wdl: [u16; 3],
    red: f64,
    depth: u32,
    nodes: u64,
    pv: BTreeMap<&'static str, Vec<String>>,
    ends: Option<EndJson>,
}

/// A number to so many digits.
fn rounded(number: f64, digits: i32) -> f64 {
    let factor = 10_f64.powi(digits);
    (number * factor).round() / factor
}

impl<'a> GameJson<'a> {
    /// The object of a game, moves in ICCS and in `notations`.
    pub fn new(game: &'a ReviewedGame, order: &Order, notations: &[Notation]) -> Self {
        let (record, review) = (&game.record, &game.review);
        let played = record.game();
        let opening = review.opening.as_ref();
        let [red, black] = review.sides.each_ref().map(SideJson::new);
        Self {
            version: VERSION,
            source: &game.source,
            game: game.number,
            tags: record.tags.iter().collect(),
            result: record.result().text(),
            opening: opening.map(|opening| OpeningJson {
                chinese: &opening.chinese,
                english: &opening.english,
                ply: opening.ply,
            }),
            start_fen: record.start().to_string(),
            order: OrderJson::new(order),
            sides: SidesJson { red, black },
            turning_points: review.turning_points(),
            events: review.events.iter().map(EventJson::new).collect(),
            moves: move_objects(record, review, &played, notations),
            positions: (0..)
                .zip(played.positions().iter().zip(&review.positions))
                .map(|(ply, (pos, found))| PositionJson::new(ply, pos, found, notations))
                .collect(),
        }
    }
}

fn move_objects<'a>(
    record: &'a Record,
    review: &Review,
    played: &Game,
    notations: &[Notation],
) -> Vec<MoveJson<'a>> {
    let nodes = record.continuation(NodeId::ROOT);
    let moves = review.moves.iter().zip(played.positions()).zip(&nodes);
    (1..)
        .zip(moves)
        .map(|(ply, ((mv, pos), node))| {
            let comment = record.node(*node).comment.as_str();
            MoveJson::new(ply, mv, pos, comment, notations)
        })
        .collect()
}

impl SideJson {
    fn new(side: &SideReview) -> Self {
        let [inaccuracies, mistakes, blunders] = side.graded;
        Self {
            moves: side.moves,
            accuracy: side.accuracy.map(|accuracy| rounded(accuracy, 1)),
            mean_loss: rounded(side.mean_loss, 4),
            inaccuracies,
            mistakes,
            blunders,
        }
    }
}

impl EventJson {
    fn new(event: &RuleEvent) -> Self {
        Self {
            ply: event.ply,
            ruling: RulingJson::new(&event.ruling),
        }
    }
}

impl<'a> MoveJson<'a> {
    fn new(
        ply: usize,
        mv: &ReviewedMove,
        pos: &Position,
        comment: &'a str,
        notations: &[Notation],
    ) -> Self {
        let all = std::iter::once(&Notation::Iccs).chain(notations);
        Self {
            ply,
            side: side_name(mv.side),
            r#move: mv.mv.to_string(),
            texts: all.map(|n| (n.name(), n.write(pos, mv.mv))).collect(),
            loss: rounded(mv.loss, 4),
            accuracy: rounded(mv.accuracy, 1),
            grade: mv.grade.map(|grade| grade.name()),
            turning_point: mv.is_turning_point,
            comment: Some(comment).filter(|comment| !comment.is_empty()),
        }
    }
}

impl PositionJson {
    fn new(ply: usize, pos: &Position, found: &Reviewed, notations: &[Notation]) -> Self {
        Self {
            ply,
            fen: pos.to_string(),
            side: side_name(pos.side_to_move()),
            score: ScoreJson::new(found.score),
            wdl: found.wdl,
            red: rounded(found.red, 4),
            depth: found.depth,
            nodes: found.nodes,
            pv: in_notations(pos, &found.line, notations),
            ends: found.end.as_ref().map(EndJson::new),
        }
    }
}

/// The names of both players, `?` for one that the file does not have.
pub fn players(record: &Record) -> [&str; 2] {
    Color::ALL.map(|color| {
        let tag = if color == Color::Red { "Red" } else { "Black" };
        let name = record.tags.get(tag).unwrap_or_default().trim();
        if name.is_empty() { "?" } else { name }
    })
}
