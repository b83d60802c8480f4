//! The opening book of a session.

use crate::board::Move;
use crate::opening::{Book, Choice};
use crate::rules::Game;
use std::path::Path;

/// What parts the files of a list.
const SEPARATORS: [char; 2] = [';', '|'];
/// A position met so often is for the search: the book does not see that the
/// game goes in circles.
const MEETINGS: usize = 2;

/// The books in use, asked in their order.
#[derive(Debug, Default)]
pub struct Shelf {
    books: Vec<Book>,
}

impl Shelf {
    /// Opens the books of a list of files; an empty list closes all.
    ///
    /// # Errors
    /// The first file that is no book, in words; the others are used.
    pub fn open(&mut self, files: &str) -> Result<(), String> {
        self.books.clear();
        let mut problem = Ok(());
        let names = files.split(SEPARATORS).map(str::trim);
        for name in names.filter(|name| !name.is_empty()) {
            match Book::open(Path::new(name)) {
                Ok(book) => self.books.push(book),
                Err(error) if problem.is_ok() => problem = Err(format!("{name}: {error}")),
                Err(_) => {}
            }
        }
        problem
    }

    /// The move of the first book that has one.
    pub fn choose(&self, game: &Game, best: bool) -> Option<Move> {
        let pos = game.position();
        let met = game.positions().iter().filter(|p| p.key() == pos.key());
        if met.count() >= MEETINGS {
            return None;
        }
        let choice = if best { Choice::Best } else { Choice::Weighted };
        let random = fastrand::u64(..);
        let chosen = |book: &Book| book.choose(pos, choice, random);
        self.books.iter().find_map(chosen)
    }
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
        let mv = shelf.choose(&Game::default(), true).unwrap();
        assert_eq!(mv, "b2e2".parse().unwrap(), "the twin that comes first");
        let error = shelf.open("no/such.book").unwrap_err();
        assert!(error.contains("no/such.book"));
        assert_eq!(shelf.choose(&Game::default(), true), None);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
