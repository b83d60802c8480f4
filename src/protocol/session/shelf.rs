//! The opening book of a session.

use crate::board::Move;
use crate::opening::{Book, BookError, Choice, EMBEDDED_NAME};
use crate::rules::Game;
use std::borrow::Cow;
use std::path::Path;

/// What parts the files of a list.
const SEPARATORS: [char; 2] = [';', '|'];
/// A position met so often is for the search: the book does not see that the
/// game goes in circles.
const MEETINGS: usize = 2;

/// A book and the name that it was opened by.
type Named = (String, Cow<'static, Book>);

/// A move and the name of the book that it is from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The move.
    pub mv: Move,
    /// The file of the book, or what stands for the one in the program.
    pub book: String,
}

/// The books in use, asked in their order.
#[derive(Debug, Default)]
pub struct Shelf {
    books: Vec<Named>,
    /// Whether any file was named, be it a book or not.
    named: bool,
}

impl Shelf {
    /// Opens the books of a list of files; an empty list closes all.
    ///
    /// # Errors
    /// The first file that is no book, in words; the others are used.
    pub fn open(&mut self, files: &str) -> Result<(), String> {
        *self = Self::default();
        let mut problem = Ok(());
        let names = files.split(SEPARATORS).map(str::trim);
        for name in names.filter(|name| !name.is_empty()) {
            self.named = true;
            match open(name) {
                Ok(book) => self.books.push((name.to_owned(), book)),
                Err(error) if problem.is_ok() => problem = Err(format!("{name}: {error}")),
                Err(_) => {}
            }
        }
        problem
    }

    /// The move of the first book that has one. Where no file is named, the
    /// book in the program is asked if `embedded` says so.
    pub fn choose(&self, game: &Game, best: bool, embedded: bool) -> Option<Found> {
        let pos = game.position();
        let met = game.positions().iter().filter(|p| p.key() == pos.key());
        if met.count() >= MEETINGS {
            return None;
        }
        let choice = if best { Choice::Best } else { Choice::Weighted };
        let random = fastrand::u64(..);
        let chosen = |name: &str, book: &Book| {
            let mv = book.choose(pos, choice, random)?;
            let book = name.to_owned();
            Some(Found { mv, book })
        };
        if embedded && !self.named {
            return chosen(EMBEDDED_NAME, Book::embedded());
        }
        let mut books = self.books.iter();
        books.find_map(|(name, book)| chosen(name, book))
    }
}

fn open(name: &str) -> Result<Cow<'static, Book>, BookError> {
    if name == EMBEDDED_NAME {
        return Ok(Cow::Borrowed(Book::embedded()));
    }
    Book::open(Path::new(name)).map(Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opening::{BookMaker, MakeOptions};

    #[test]
    fn files_are_opened_and_closed_and_errors_named() {
        let folder = std::env::temp_dir().join(format!("chuhe-shelf-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("a.book");
        let mut maker = BookMaker::new(MakeOptions::default());
        let start = crate::board::START_FEN;
        maker.add_line(&format!("{start}\t炮二平五\t1-0")).unwrap();
        std::fs::write(&path, maker.finish().to_bytes()).unwrap();
        let mut shelf = Shelf::default();
        shelf.open(path.to_str().unwrap()).unwrap();
        let found = shelf.choose(&Game::default(), true, true).unwrap();
        let twin = "b2e2".parse().unwrap();
        assert_eq!(found.mv, twin, "the twin that comes first");
        assert_eq!(found.book, path.to_str().unwrap());
        let error = shelf.open("no/such.book").unwrap_err();
        assert!(error.contains("no/such.book"));
        assert_eq!(shelf.choose(&Game::default(), true, true), None);
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn the_book_in_the_program_is_asked_where_no_file_is_named() {
        let mut shelf = Shelf::default();
        let start = Game::default();
        assert_eq!(shelf.choose(&start, true, false), None);
        let found = shelf.choose(&start, true, true).unwrap();
        assert_eq!(found.book, EMBEDDED_NAME);
        shelf.open("no/such.book; <embedded>").unwrap_err();
        assert_eq!(shelf.choose(&start, true, false), Some(found));
    }
}
