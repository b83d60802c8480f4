//! The `chuhe` program.

use chuhe::board::{Position, perft::perft};

fn main() {
    let depth = std::env::args()
        .nth(2)
        .and_then(|d| d.parse().ok())
        .unwrap_or(4);
    eprintln!("{}", perft(&mut Position::startpos(), depth));
}
