//! The talk at the table: the board is shown, moves are made and answered,
//! questions too, until somebody leaves.

use super::game::{Answer, Game, Refusal, Turn};
use super::lines::Lines;
use super::screen::Screen;
use super::store::Store;
use super::words::{Word, list};
use crate::clock::Stop;
use crate::platform::files;
use std::io::{self, Write};
use std::path::Path;

/// Everything on the table.
pub struct Table<'a> {
    /// The game.
    pub game: &'a mut dyn Game,
    /// What the players type.
    pub lines: &'a mut dyn Lines,
    /// Where all is written.
    pub out: &'a mut dyn Write,
    /// What the terminal can show.
    pub screen: Screen,
    /// Where the game is kept.
    pub store: Store,
    /// Ends a search before its time.
    pub stop: &'a Stop,
    /// Tell how it stands after every move.
    pub evaluates: bool,
}

/// What to do after a word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// The position is another.
    Changed,
    /// Nothing has happened.
    Same,
    /// The person leaves.
    Leave,
}

impl Table<'_> {
    /// Plays until the game of engines is over or a person leaves.
    ///
    /// # Errors
    /// When nothing can be read or written any more.
    pub fn run(&mut self) -> io::Result<()> {
        writeln!(self.out, "{}", self.game.introduction())?;
        if self.game.has_person() {
            writeln!(self.out, "Type a move, or help for all else.")?;
        }
        self.show()?;
        loop {
            let next = match self.game.turn() {
                Turn::Engine => self.engine_moves()?,
                Turn::Over if !self.game.has_person() => Next::Leave,
                Turn::Over | Turn::Person => self.listen()?,
            };
            match next {
                Next::Changed => {
                    self.keep()?;
                    self.show()?;
                }
                Next::Same => {}
                Next::Leave => return self.leave(),
            }
        }
    }

    /// The board, and the end of the game where it has come. A person is
    /// shown the board when it is his turn, not before the engine answers.
    fn show(&mut self) -> io::Result<()> {
        if self.game.turn() == Turn::Engine && self.game.has_person() {
            return self.out.flush();
        }
        writeln!(self.out, "\n{}", self.game.picture(&self.screen))?;
        match self.game.ending() {
            Some(ending) => writeln!(self.out, "{}", ending.trim_end()),
            None if self.evaluates => self.evaluate(),
            None => Ok(()),
        }
    }

    fn evaluate(&mut self) -> io::Result<()> {
        self.stop.reset();
        let text = self.game.evaluation(self.stop);
        writeln!(self.out, "{text}")
    }

    fn engine_moves(&mut self) -> io::Result<Next> {
        self.stop.reset();
        let answer = self.game.think(self.stop);
        let next = self.answer(answer, Next::Changed)?;
        // Nobody types when engines play: an interruption is the only word.
        if self.stop.is_stopped() && !self.game.has_person() {
            self.keep()?;
            return Ok(Next::Leave);
        }
        Ok(next)
    }

    /// One line of a person.
    fn listen(&mut self) -> io::Result<Next> {
        let Some(line) = self.lines.next(&self.game.prompt())? else {
            writeln!(self.out)?;
            return Ok(Next::Leave);
        };
        match Word::read(&line) {
            Word::Move(text) => {
                let answer = self.game.play(&text);
                self.answer(answer, Next::Changed)
            }
            word => self.obey(word),
        }
    }

    fn obey(&mut self, word: Word) -> io::Result<Next> {
        self.stop.reset();
        let (answer, next) = match word {
            Word::Help => (Ok(self.help()), Next::Same),
            Word::Hint => (self.game.hint(self.stop), Next::Same),
            Word::Moves(square) => {
                let moves = self.game.moves(square.as_deref(), &self.screen);
                (moves, Next::Same)
            }
            Word::Undo => (self.game.undo(), Next::Changed),
            Word::Go => (self.game.think(self.stop), Next::Changed),
            Word::Eval(choice) => (Ok(self.set_evaluation(choice)), Next::Same),
            Word::Board => (Ok(self.game.picture(&self.screen)), Next::Same),
            Word::Flip => (self.flip(), Next::Same),
            Word::Save(path) => (self.save(&path), Next::Same),
            Word::Load(path) => (self.load(&path), Next::Changed),
            Word::New => (self.begin_again(), Next::Changed),
            Word::Resign => (self.game.resign(), Next::Changed),
            Word::Quit => return Ok(Next::Leave),
            Word::Wrong(expected) => (Err(Refusal(format!("expected {expected}"))), Next::Same),
            Word::Nothing | Word::Move(_) => return Ok(Next::Same),
        };
        self.answer(answer, next)
    }

    /// Says the answer; what follows if it is not a refusal.
    fn answer(&mut self, answer: Answer, next: Next) -> io::Result<Next> {
        match answer {
            Ok(text) => {
                writeln!(self.out, "{}", text.trim_end())?;
                Ok(next)
            }
            Err(refusal) => {
                writeln!(self.out, "{refusal}")?;
                Ok(Next::Same)
            }
        }
    }

    fn help(&self) -> String {
        format!("{}\n\n{}", self.game.how_to_move(), list())
    }

    fn set_evaluation(&mut self, choice: Option<bool>) -> String {
        self.evaluates = choice.unwrap_or(self.evaluates);
        match choice {
            Some(false) => "The evaluation is off.".to_owned(),
            _ => self.game.evaluation(self.stop),
        }
    }

    fn begin_again(&mut self) -> Answer {
        self.put_aside()?;
        self.game.restart();
        Ok("A new game.".to_owned())
    }

    /// Keeps an unfinished game that another one is about to replace.
    fn put_aside(&self) -> Result<(), Refusal> {
        if self.game.plies() == 0 || self.game.ending().is_some() {
            return Ok(());
        }
        let aside = self.store.put_aside();
        aside.map_err(|error| self.trouble(&error)).map(drop)
    }

    fn flip(&mut self) -> Answer {
        match self.game.flip() {
            true => Ok(self.game.picture(&self.screen)),
            false => Err(Refusal("The board of this game is not turned.".to_owned())),
        }
    }

    fn save(&self, path: &Path) -> Answer {
        let store = Store::new(path.to_owned());
        store
            .save(&self.game.record())
            .map_err(|error| Refusal(format!("{}: {error}", path.display())))?;
        Ok(format!("The game is in {}.", path.display()))
    }

    fn load(&mut self, path: &Path) -> Answer {
        let name = path.display();
        let bytes = files::read(path).map_err(|error| Refusal(format!("{name}: {error}")))?;
        self.game.restore(&bytes)
    }

    /// Writes the game to its place. A full disk does not end the game.
    fn keep(&mut self) -> io::Result<()> {
        match self.store.save(&self.game.record()) {
            Ok(()) => Ok(()),
            Err(error) => {
                let trouble = self.trouble(&error);
                writeln!(self.out, "The game could not be kept: {trouble}")
            }
        }
    }

    fn trouble(&self, error: &io::Error) -> Refusal {
        Refusal(format!("{}: {error}", self.store.path().display()))
    }

    fn leave(&mut self) -> io::Result<()> {
        if self.game.plies() > 0 && self.game.ending().is_none() {
            let path = self.store.path().display();
            writeln!(
                self.out,
                "The game is kept in {path}; --resume goes on, with --keep and this name where there are others."
            )?;
        }
        self.out.flush()
    }
}
