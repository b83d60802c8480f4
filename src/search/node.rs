//! What a node knows about itself while its moves are tried.

use super::report::Bound;
use super::score::{INFINITE, Value};
use super::table::Entry;
use crate::board::{Move, MoveList};

/// The question asked of a node.
#[derive(Debug, Clone, Copy)]
pub struct Window {
    pub alpha: Value,
    pub beta: Value,
}

impl Window {
    /// The window of width one just above `alpha`.
    pub const fn null(alpha: Value) -> Self {
        Self {
            alpha,
            beta: alpha + 1,
        }
    }

    /// The same window from the opponent's side.
    pub const fn flipped(self) -> Self {
        Self {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }

    /// What a value says that was searched with this window.
    pub const fn bound(self, value: Value) -> Bound {
        if value >= self.beta {
            Bound::Lower
        } else if value <= self.alpha {
            Bound::Upper
        } else {
            Bound::Exact
        }
    }

    /// Whether the exact value is wanted.
    pub const fn is_pv(self) -> bool {
        self.beta - self.alpha > 1
    }
}

/// The state of a node.
#[derive(Debug, Clone)]
pub struct Node {
    pub ply: usize,
    pub depth: i32,
    pub window: Window,
    /// The alpha of the start, to tell bounds from values.
    pub first_alpha: Value,
    pub pv: bool,
    /// A null-window node that is expected to fail high.
    pub cut: bool,
    pub in_check: bool,
    pub excluded: Move,
    pub entry: Option<Entry>,
    /// Whether this node is or was part of a principal variation.
    pub was_pv: bool,
    /// The static evaluation before corrections.
    pub raw_eval: Value,
    /// The static evaluation, or the better bound from the table.
    pub eval: Value,
    pub improving: bool,
    pub best: Value,
    pub best_move: Move,
    pub tried_quiets: MoveList,
    pub tried_captures: MoveList,
    /// Moves tried so far.
    pub count: usize,
    /// The least value by the rules of repetition, for a side that cannot
    /// lose.
    pub floor: Value,
    /// The greatest value, for a side that cannot win.
    pub ceiling: Value,
}

impl Node {
    pub fn new(ply: usize, depth: i32, window: Window, cut: bool) -> Self {
        Self {
            ply,
            depth,
            window,
            first_alpha: window.alpha,
            pv: window.is_pv(),
            cut,
            in_check: false,
            excluded: Move::NULL,
            entry: None,
            was_pv: window.is_pv(),
            raw_eval: 0,
            eval: 0,
            improving: false,
            best: -INFINITE,
            best_move: Move::NULL,
            tried_quiets: MoveList::new(),
            tried_captures: MoveList::new(),
            count: 0,
            floor: -INFINITE,
            ceiling: INFINITE,
        }
    }

    /// Takes over the bounds that a repetition leaves.
    pub fn narrow(&mut self, alpha: Value, beta: Value) {
        if alpha > self.window.alpha {
            self.floor = alpha;
        }
        if beta < self.window.beta {
            self.ceiling = beta;
        }
        self.window = Window { alpha, beta };
    }

    /// Whether the rules of repetition bound the value.
    pub fn is_bounded(&self) -> bool {
        self.floor > -INFINITE || self.ceiling < INFINITE
    }

    /// The move that the table advises.
    pub fn table_move(&self) -> Move {
        self.entry.map_or(Move::NULL, |entry| entry.mv)
    }
}
