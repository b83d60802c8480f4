//! Small pure rules: when a node or a move is not worth a full search.

use super::node::Node;
use super::params::Params;
use super::score::{Value, is_decisive};

/// Reverse futility: the evaluation is so far above beta that a quiet reply
/// cannot bring it down in the depth left.
pub fn reverse_futility(p: &Params, node: &Node) -> bool {
    let margin = p.rfp_margin * node.depth - p.rfp_improving * i32::from(node.improving);
    node.depth <= p.rfp_depth
        && node.eval - margin >= node.window.beta
        && !is_decisive(node.window.beta)
        && !is_decisive(node.eval)
}

/// Razoring: so far below alpha that only a capture can help.
pub fn razoring(p: &Params, node: &Node) -> bool {
    node.eval + p.razor_base + p.razor_depth * node.depth * node.depth < node.window.alpha
        && !is_decisive(node.window.alpha)
}

/// The depth below a null move.
pub fn null_move_depth(p: &Params, node: &Node) -> i32 {
    let surplus = (node.eval - node.window.beta) / p.null_eval;
    node.depth - p.null_base - node.depth / p.null_divisor - surplus.clamp(0, p.null_eval_max)
}

/// After how many moves the rest of the quiet ones is left out.
pub fn late_move_count(p: &Params, depth: i32, improving: bool) -> usize {
    let count = p.lmp_base + depth * depth;
    (if improving { count } else { count / 2 }) as usize
}

/// Futility of a quiet move at a reduced depth.
pub fn futility(p: &Params, node: &Node, reduced: i32) -> bool {
    !node.in_check
        && reduced <= p.futility_depth
        && node.eval + p.futility_base + p.futility_margin * reduced <= node.window.alpha
}

/// What a quiet move may lose by exchanges.
pub fn see_quiet_threshold(p: &Params, reduced: i32) -> Value {
    -p.see_quiet_margin * reduced * reduced
}

/// What a capture may lose by exchanges.
pub fn see_capture_threshold(p: &Params, depth: i32) -> Value {
    -p.see_capture_margin * depth
}

/// The reward of a move that was best at `depth`.
pub fn history_bonus(p: &Params, depth: i32) -> i32 {
    (p.history_bonus * depth).min(p.history_bonus_max)
}

/// The punishment of a move that was tried in vain at `depth`.
pub fn history_malus(p: &Params, depth: i32) -> i32 {
    -(p.history_malus * depth).min(p.history_malus_max)
}
