//! The 9x10 board: squares, pieces, sets of squares, positions, legal moves,
//! FEN and perft. Knows nothing of games, search or evaluation.

pub mod attacks;
mod bitboard;
mod checks;
mod color;
mod fen;
mod fen_error;
mod intrinsics;
mod legality;
mod lines;
mod movegen;
mod moves;
pub mod perft;
mod piece;
mod position;
mod safety;
mod see;
mod sink;
mod square;
mod tables;
mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub use color::Color;
pub use fen::START_FEN;
pub use fen_error::FenError;
pub use intrinsics::prefetch;
pub use moves::{MAX_MOVES, Move, MoveError, MoveList};
pub use piece::{Piece, PieceKind};
pub use position::{Position, Undo};
pub use see::exchange_value;
pub use square::{FILES, RANKS, SQUARES, Square, SquareError};
pub use zobrist::piece_key;
