//! Which move a book has for a position: books of our own and ElephantEye's,
//! the making of books from games, the names of openings, and screened start
//! positions for matches.
//!
//! A `Book` is read whole into memory and knows a position and its mirror
//! image as one; a small one is in the program. `BookMaker` counts games and
//! writes books.
//!
//! ```
//! use chuhe::board::Position;
//! use chuhe::opening::{Book, BookMaker, Choice, MakeOptions};
//! use chuhe::record::pgn;
//!
//! let game = pgn::read_game("1. 炮二平五 马８进７ 2. 马二进三 车９平８ 1-0", 1);
//! let mut maker = BookMaker::new(MakeOptions::default());
//! maker.add_game(&game.record);
//! let book = Book::from_bytes(&maker.finish().to_bytes())?;
//! let start = Position::startpos();
//! // The start position is its own mirror image, so the move may be either.
//! assert!(["h2e2", "b2e2"].contains(&book.moves(&start)[0].mv.to_string().as_str()));
//! assert!(book.choose(&start, Choice::Best, 0).is_some());
//! # Ok::<(), chuhe::opening::BookError>(())
//! ```

mod analyse;
mod book;
mod eleeye;
mod key;
mod make;
mod names;
mod screen;

pub use analyse::{AnalyseOptions, Analysed, Analysis};
pub use book::{Book, BookError, BookMove, Choice, EMBEDDED_NAME, own::OwnBook};
pub use eleeye::EleeyeBook;
pub use key::position_key;
pub use make::{BookMaker, LineError, MakeOptions};
pub use names::{Opening, opening_of};
pub use screen::{Screen, ScreenError, Screened, canonical_key, screened_from_line};
