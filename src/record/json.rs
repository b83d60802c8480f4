//! A record as a JSON object on one line.

use super::{Format, NodeId, Problem, Record};
use encoding_rs::Encoding;
use serde_json::{Map, Value, json};

/// One game as JSON: `format`, `encoding`, `tags`, `result`, `start_fen`,
/// `moves` (ICCS), `plies`, `final_fen`, `variations` (each with the number
/// of its own line and the line it leaves, the ply that it replaces and its
/// moves), `comments` (line, ply and text, ply 0 of line 0 being the whole
/// game) and `problems`.
pub fn to_json(
    format: Format,
    encoding: &'static Encoding,
    record: &Record,
    problems: &[Problem],
) -> Value {
    let main = record.continuation(NodeId::ROOT);
    let last = main.last().copied().unwrap_or(NodeId::ROOT);
    let tags = record.tags.iter();
    let tags: Map<String, Value> = tags.map(|(n, v)| (n.to_owned(), v.into())).collect();
    json!({
        "format": format.name(),
        "encoding": encoding.name(),
        "tags": tags,
        "result": record.result().text(),
        "start_fen": record.start().to_string(),
        "moves": moves(record, &main),
        "plies": main.len(),
        "final_fen": record.position(last).to_string(),
        "variations": variations(record),
        "comments": comments(record),
        "problems": problems.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

fn moves(record: &Record, nodes: &[NodeId]) -> Vec<String> {
    let texts = nodes.iter().map(|id| record.node(*id).mv.to_string());
    texts.collect()
}

fn variations(record: &Record) -> Vec<Value> {
    let lines = record.lines();
    let variations = lines.iter().enumerate().skip(1);
    variations
        .map(|(number, line)| {
            json!({
                "line": number,
                "parent": line.parent,
                "ply": line.ply,
                "moves": moves(record, &line.nodes),
            })
        })
        .collect()
}

fn comments(record: &Record) -> Vec<Value> {
    let mut found = Vec::new();
    let mut push = |line: usize, ply: usize, id: NodeId| {
        let node = record.node(id);
        if !node.comment.is_empty() || !node.glyphs.is_empty() {
            found.push(json!({
                "line": line,
                "ply": ply,
                "text": node.comment,
                "glyphs": node.glyphs,
            }));
        }
    };
    push(0, 0, NodeId::ROOT);
    for (i, line) in record.lines().iter().enumerate() {
        for (node, ply) in line.nodes.iter().zip(line.ply..) {
            push(i, ply, *node);
        }
    }
    found
}
