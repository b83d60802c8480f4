//! Records made at random.

use chuhe::board::Position;
use chuhe::record::{NodeId, Record};

/// A small generator of random numbers (xorshift).
pub struct Random(pub u64);

impl Random {
    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

/// A record with random variations and comments.
pub fn random_record(random: &mut Random) -> Record {
    let comments = [
        "",
        "",
        "好棋",
        "a {b} c",
        "two\nlines",
        "(not a move)",
        "100% ;",
    ];
    let mut record = Record::default();
    let mut node = NodeId::ROOT;
    record.node_mut(node).comment = comments[random.below(7)].into();
    for _ in 0..random.below(120) {
        if random.below(6) == 0 && node != NodeId::ROOT {
            node = record.path(node)[random.below(record.path(node).len())];
            node = record.parent(node);
        }
        let pos: Position = record.position(node);
        let moves = pos.legal_moves();
        if moves.is_empty() {
            break;
        }
        let mv = moves[random.below(moves.len())];
        let known = record.children(node).iter().copied();
        let known = known.clone().find(|id| record.node(*id).mv == mv);
        node = known.map_or_else(|| record.play(node, mv), Ok).unwrap();
        let comment = comments[random.below(7)];
        record.node_mut(node).comment = comment.replace('{', "｛").replace('}', "｝");
        record.node_mut(node).glyphs = vec![1; random.below(2)];
    }
    record
        .node_mut(NodeId::ROOT)
        .comment
        .retain(|c| !"{}".contains(c));
    record.tags.set("Red", "a \"b\" \\ c");
    record
}
