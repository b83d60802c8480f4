//! The hidden layer of every position on the way from the root, brought up to
//! date only when a value is asked for.

use super::features::{SWAPPED, bucket, input, inputs};
use super::simd::{Kernels, Lanes};
use super::{EVAL_LIMIT, Network, QA, QB};
use crate::board::{Color, Move, Piece, Position};
use std::sync::Arc;

/// Plies for which there is room at the start; more are added when needed.
const INITIAL_PLIES: usize = 128;

/// What a move does to the inputs.
#[derive(Debug, Clone, Copy)]
struct Change {
    mv: Move,
    moved: Piece,
    captured: Option<Piece>,
}

/// The hidden layers of the positions from a root to the present one, both
/// sides' views of each. One per search thread.
///
/// [`push`](Self::push) only notes the move; [`evaluate`](Self::evaluate)
/// computes what is missing. A null move changes no input, so it needs neither
/// a push nor a pop.
///
/// ```
/// use chuhe::board::Position;
/// use chuhe::eval::nnue::{Accumulators, Network, Parameters};
/// use std::sync::Arc;
///
/// let net = Arc::new(Network::new(Parameters::random(32, 1)).unwrap());
/// let mut pos = Position::startpos();
/// let mut acc = Accumulators::new(net.clone(), &pos);
/// let mv = "h2e2".parse().unwrap();
/// acc.push(mv, pos.piece_on(mv.from()).unwrap(), pos.piece_on(mv.to()));
/// pos.make(mv);
/// assert_eq!(acc.evaluate(&pos), net.evaluate(&pos));
/// ```
#[derive(Debug, Clone)]
pub struct Accumulators {
    network: Arc<Network>,
    kernels: &'static Kernels,
    /// Per ply Red's view, then Black's.
    values: Vec<Lanes>,
    changes: Vec<Change>,
    /// Plies of `values`, from the root, that are up to date, 1 or more.
    computed: usize,
}

impl Accumulators {
    /// For searches from `pos`.
    pub fn new(network: Arc<Network>, pos: &Position) -> Self {
        Self::with_kernels(network, pos, Kernels::best())
    }

    /// The same with the kernels of a certain instruction set.
    pub fn with_kernels(network: Arc<Network>, pos: &Position, kernels: &'static Kernels) -> Self {
        let values = vec![Lanes::ZERO; INITIAL_PLIES * 2 * network.lanes()];
        let mut this = Self {
            network,
            kernels,
            values,
            changes: Vec::with_capacity(INITIAL_PLIES),
            computed: 0,
        };
        this.reset(pos);
        this
    }

    /// The net in use.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Starts again from another root.
    pub fn reset(&mut self, pos: &Position) {
        self.changes.clear();
        let lanes = self.network.lanes();
        for view in Color::ALL {
            let to = &mut self.values[view.index() * lanes..][..lanes];
            refresh(&self.network, self.kernels, view, pos, to);
        }
        self.computed = 1;
    }

    /// Notes a move of `moved` that takes `captured`.
    #[inline]
    pub fn push(&mut self, mv: Move, moved: Piece, captured: Option<Piece>) {
        self.changes.push(Change {
            mv,
            moved,
            captured,
        });
    }

    /// Takes back the last move noted; none is left at the root.
    #[inline]
    pub fn pop(&mut self) {
        self.changes.pop();
        self.computed = self.computed.min(self.changes.len() + 1);
    }

    /// The value of `pos`, which the moves noted lead to, for the side to move,
    /// in the unit of the net's scale, within ±[`EVAL_LIMIT`].
    #[inline]
    pub fn evaluate(&mut self, pos: &Position) -> i32 {
        while self.computed <= self.changes.len() {
            self.compute_next();
        }
        let lanes = self.network.lanes();
        let views = &self.values[self.changes.len() * 2 * lanes..][..2 * lanes];
        let (red, black) = views.split_at(lanes);
        let (own, other) = match pos.side_to_move() {
            Color::Red => (red, black),
            Color::Black => (black, red),
        };
        let bucket = bucket(pos.occupied().len());
        output(&self.network, self.kernels, own, other, bucket)
    }

    fn compute_next(&mut self) {
        let lanes = self.network.lanes();
        let start = self.computed * 2 * lanes;
        if self.values.len() < start + 2 * lanes {
            self.values.resize(2 * start, Lanes::ZERO);
        }
        let change = self.changes[self.computed - 1];
        let (before, after) = self.values.split_at_mut(start);
        let from = before[start - 2 * lanes..].chunks_exact(lanes);
        let to = after[..2 * lanes].chunks_exact_mut(lanes);
        for ((view, from), to) in Color::ALL.into_iter().zip(from).zip(to) {
            apply(&self.network, self.kernels, view, change, from, to);
        }
        self.computed += 1;
    }
}

impl Network {
    /// The value for the side to move of the position whose inputs in that
    /// side's view are `own`.
    pub fn evaluate_inputs(&self, own: &[u16]) -> i32 {
        let kernels = Kernels::best();
        let other: Vec<u16> = own.iter().map(|&i| SWAPPED[i as usize]).collect();
        let views = [own, &other].map(|inputs| {
            let mut view = vec![Lanes::ZERO; self.lanes()];
            kernels.refresh(self.bias(), self.rows(), inputs, &mut view);
            view
        });
        output(self, kernels, &views[0], &views[1], bucket(own.len()))
    }

    /// The value of `pos` for the side to move, computed from nothing; see
    /// [`Accumulators::evaluate`] for the fast way.
    pub fn evaluate(&self, pos: &Position) -> i32 {
        let own: Vec<u16> = inputs(pos.side_to_move(), pos).collect();
        self.evaluate_inputs(&own)
    }
}

#[inline]
fn apply(
    network: &Network,
    kernels: &Kernels,
    view: Color,
    change: Change,
    from: &[Lanes],
    to: &mut [Lanes],
) {
    let row = |piece, sq| network.row(input(view, piece, sq));
    let add = row(change.moved, change.mv.to());
    let sub = row(change.moved, change.mv.from());
    match change.captured {
        None => kernels.add_sub(from, add, sub, to),
        Some(piece) => kernels.add_sub_sub(from, add, sub, row(piece, change.mv.to()), to),
    }
}

fn refresh(network: &Network, kernels: &Kernels, view: Color, pos: &Position, to: &mut [Lanes]) {
    let inputs: Vec<u16> = inputs(view, pos).collect();
    kernels.refresh(network.bias(), network.rows(), &inputs, to);
}

#[inline]
fn output(
    network: &Network,
    kernels: &Kernels,
    own: &[Lanes],
    other: &[Lanes],
    bucket: usize,
) -> i32 {
    let (weights, bias) = network.output(bucket);
    let sum = i64::from(kernels.forward(own, other, weights)) / i64::from(QA) + i64::from(bias);
    let value = sum * i64::from(network.scale()) / (i64::from(QA) * i64::from(QB));
    value.clamp(-i64::from(EVAL_LIMIT), i64::from(EVAL_LIMIT)) as i32
}
