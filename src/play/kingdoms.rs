//! The Game of the Seven Kingdoms at the table.

use super::game::{Answer, Game, Refusal, Turn, first_of};
use super::kingdoms_board::{Drawing, style};
use super::kingdoms_words::{how_to_move, introduction};
use super::screen::Screen;
use super::seat::{Strength, pairs};
use crate::clock::{Limits, Stop};
use crate::kingdoms::{
    Ending, Engine, GAME, Move, Options, Piece, Position, Record, Report, SEATS, Seat, Settings,
    Square,
};
use std::fmt::Write;
use std::time::Duration;

/// Time for a look at how it stands.
const LOOK: Duration = Duration::from_millis(300);
/// The tag that says who plays and how.
const SETTINGS_TAG: &str = "ChuheSettings";
/// What a file says of a game that was given up.
const RESIGNED: &str = "resignation";

/// Who plays what, and how.
#[derive(Debug, Clone)]
pub struct Setup {
    /// The seats that persons play.
    pub persons: [bool; SEATS],
    /// How strong the engine is.
    pub strength: Strength,
    /// Where games begin, with the rules.
    pub start: Position,
}

/// The rules of a text: a preset, and options as in `english fall=remove`.
///
/// # Errors
/// When there are no such rules.
pub fn rules(text: &str) -> Result<Options, Refusal> {
    text.parse().map_err(|e| Refusal(format!("{e}")))
}

/// The seats of a list of names or letters; `all` or `none`.
///
/// # Errors
/// When a word is none of these.
pub fn seats(text: &str) -> Result<[bool; SEATS], Refusal> {
    let mut seats = [false; SEATS];
    match text.to_ascii_lowercase().as_str() {
        "none" => return Ok(seats),
        "all" => return Ok([true; SEATS]),
        _ => {}
    }
    for word in text.split(',').map(str::trim) {
        let named = |s: &Seat| {
            s.name().eq_ignore_ascii_case(word)
                || word.eq_ignore_ascii_case(&s.letter().to_string())
        };
        let Some(seat) = Seat::ALL.into_iter().find(named) else {
            let names = Seat::ALL.map(Seat::name).join(", ");
            let words = format!("`{word}`: expected {names}, all or none");
            return Err(Refusal(words));
        };
        seats[seat.index()] = true;
    }
    Ok(seats)
}

fn seat_words(persons: [bool; SEATS]) -> String {
    let names = Seat::ALL.into_iter().filter(|s| persons[s.index()]);
    let names: Vec<&str> = names.map(Seat::name).collect();
    match names.is_empty() {
        true => "none".to_owned(),
        false => names.join(","),
    }
}

/// The start of a game: a position line, or so many players by the historical
/// scheme.
///
/// # Errors
/// When the line is malformed or the number is not 3 to 7.
pub fn start(line: Option<&str>, players: usize, rules: Options) -> Result<Position, Refusal> {
    match line {
        Some(line) => Position::parse(line, rules).map_err(|e| Refusal(e.to_string())),
        None => Position::start_for(players, rules)
            .ok_or_else(|| Refusal(format!("--players {players}: expected 3 to 7"))),
    }
}

/// A game of the seven kingdoms at the table.
pub struct Kingdoms {
    setup: Setup,
    record: Record,
    engine: Engine,
    /// The seat whose person has given up.
    resigned: Option<Seat>,
}

impl Kingdoms {
    /// A new game.
    pub fn new(setup: Setup) -> Self {
        Self {
            record: Record::new(setup.start),
            setup,
            engine: Engine::new(Settings::default()),
            resigned: None,
        }
    }

    fn position(&self) -> &Position {
        self.record.position()
    }

    /// Whether a person plays a seat: his own, or one of the same player.
    fn is_person(&self, seat: Seat) -> bool {
        let player = self.position().player(seat);
        let mut seats = Seat::ALL.into_iter();
        seats.any(|s| self.setup.persons[s.index()] && self.position().player(s) == player)
    }

    fn make(&mut self, m: Move) -> Answer {
        let before = *self.position();
        let Some(seat) = before.turn() else {
            return Err(Refusal("The game is over: undo, new or quit.".to_owned()));
        };
        self.record.play(m).map_err(|_| self.refuse(m, seat))?;
        let mut text = format!("{} plays {m}", seat.name());
        if let Some(piece) = before.piece(m.to) {
            let _ = write!(text, ", takes {}", piece_text(piece));
        }
        text.push('.');
        for kingdom in Seat::ALL {
            if before.is_alive(kingdom) && !self.position().is_alive(kingdom) {
                let _ = write!(text, " {}", self.fall_text(kingdom));
            }
        }
        Ok(text)
    }

    /// What has become of a kingdom that fell.
    fn fall_text(&self, kingdom: Seat) -> String {
        match self.position().commander(kingdom) {
            Some(heir) => format!("{} falls to {}.", kingdom.name(), heir.name()),
            None => format!("{} falls, its army leaves the board.", kingdom.name()),
        }
    }

    /// Why a move is not played.
    fn refuse(&self, m: Move, seat: Seat) -> Refusal {
        let position = self.position();
        let why = match position.piece(m.from) {
            None => format!("there is nothing on {}", m.from),
            Some(piece) => match piece.kingdom().and_then(|k| position.commander(k)) {
                Some(commander) if commander == seat => {
                    format!("the {} cannot go there", piece.kind().name())
                }
                _ => format!("the {} is not {}'s", piece_text(piece), seat.name()),
            },
        };
        Refusal(format!(
            "`{m}` is no legal move: {why}. `moves {}` helps.",
            m.from
        ))
    }

    fn search(&mut self, limits: &Limits, stop: &Stop) -> Result<Report, Refusal> {
        let position = *self.position();
        let found = self.engine.search(&position, limits, stop, &mut |_| {});
        found.ok_or_else(|| Refusal("The game is over: undo, new or quit.".to_owned()))
    }

    fn settings_text(&self) -> String {
        let side = seat_words(self.setup.persons);
        let text = format!("side={side} {}", self.setup.strength);
        text.trim_end().to_owned()
    }

    /// Takes in the settings kept with a game; what is not understood stays.
    fn take_settings(&mut self, text: &str) {
        let mut strength = Strength::default();
        for (key, value) in pairs(text) {
            match key {
                "side" => self.setup.persons = seats(value).unwrap_or(self.setup.persons),
                _ => drop(strength.set(key, value)),
            }
        }
        self.setup.strength = strength;
    }

    /// The seats that persons play, in words.
    fn who_plays(&self) -> String {
        let persons = Seat::ALL.map(|seat| self.is_person(seat));
        match persons.contains(&true) {
            true => format!("You play {}.", seat_words(persons).replace(',', ", ")),
            false => "You look on.".to_owned(),
        }
    }

    /// One line for each kingdom: who commands it, what it has lost and taken.
    fn table(&self, screen: &Screen) -> String {
        let position = self.position();
        let mut text = String::from("   kingdom  player   taken  lost  conquests\n");
        for seat in Seat::ALL {
            let letter = screen.paint(style(seat), &format!(" {} ", seat.letter()));
            let taken: u32 = Seat::ALL
                .iter()
                .map(|&of| u32::from(position.captures(seat, of)))
                .sum();
            let _ = writeln!(
                text,
                "{letter}{:<8} {:<8} {taken:>5} {:>5} {:>10}  {}",
                seat.name(),
                self.player(seat),
                position.losses(seat),
                position.conquests(seat),
                self.state(seat)
            );
        }
        text
    }

    fn player(&self, seat: Seat) -> String {
        match (self.position().player(seat), self.is_person(seat)) {
            (0, _) => "nobody".to_owned(),
            (player, true) => format!("{player} you"),
            (player, false) => format!("{player} Chuhe"),
        }
    }

    fn state(&self, seat: Seat) -> String {
        let position = self.position();
        match position.commander(seat) {
            _ if position.turn() == Some(seat) => "to move".to_owned(),
            None => "off the board".to_owned(),
            Some(commander) if commander != seat => format!("serves {}", commander.name()),
            Some(_) => String::new(),
        }
    }

    /// The moves since the seat to move played last.
    fn round_text(&self) -> String {
        let plies = self.record.moves().len();
        let mover = self.position().turn();
        let since = (0..plies).rev().find(|&p| self.record.mover(p) == mover);
        let first = since.unwrap_or(plies.saturating_sub(SEATS));
        let told = (first..plies).map(|ply| {
            let name = self.record.mover(ply).map_or("", Seat::name);
            format!("{name} {}", self.record.moves()[ply])
        });
        let told: Vec<String> = told.collect();
        match told.is_empty() {
            true => String::new(),
            false => format!("Last round: {}\n", told.join(", ")),
        }
    }
}

fn piece_text(piece: Piece) -> String {
    let name = piece.kind().name();
    match piece.kingdom() {
        Some(kingdom) => format!("{} {name}", kingdom.name()),
        None => name.to_owned(),
    }
}

/// Why the game is over, in words.
fn ending_text(ending: Ending) -> &'static str {
    match ending {
        Ending::Kingdoms => "enough kingdoms conquered",
        Ending::Captures => "enough pieces taken",
        Ending::Last => "nobody else is left",
        Ending::Quiet => "no capture for too long, and most captures",
        Ending::NoMoves => "nobody can move, and most captures",
        Ending::Given => "as the position says",
    }
}

/// Everybody's chances in a line.
fn chances_text(position: &Position, report: &Report) -> String {
    let plays = |s: &Seat| position.is_alive(*s) && position.player(*s) != 0;
    let chance = |s: Seat| report.values[position.team(s) as usize - 1] * 100.0;
    let words = Seat::ALL.into_iter().filter(plays);
    let words: Vec<String> = words
        .map(|s| format!("{} {:.0} %", s.name(), chance(s)))
        .collect();
    format!("Chances: {}", words.join(", "))
}

impl Game for Kingdoms {
    fn introduction(&self) -> String {
        introduction(self.position().options(), &self.who_plays())
    }

    fn how_to_move(&self) -> String {
        how_to_move(self.position().options())
    }

    fn picture(&self, screen: &Screen) -> String {
        let board = Drawing {
            position: self.position(),
            last: self.record.moves().last().copied(),
            targets: &[],
            screen,
        };
        format!(
            "{}\n\n{}{}",
            board.text(),
            self.table(screen),
            self.round_text()
        )
    }

    fn prompt(&self) -> String {
        match self.position().turn() {
            Some(seat) if self.resigned.is_none() => format!("{}> ", seat.name()),
            _ => "over> ".to_owned(),
        }
    }

    fn turn(&self) -> Turn {
        match self.position().turn() {
            Some(seat) if self.resigned.is_none() => match self.is_person(seat) {
                true => Turn::Person,
                false => Turn::Engine,
            },
            _ => Turn::Over,
        }
    }

    fn has_person(&self) -> bool {
        self.setup.persons.contains(&true)
    }

    fn plies(&self) -> usize {
        self.record.moves().len()
    }

    fn ending(&self) -> Option<String> {
        if let Some(seat) = self.resigned {
            return Some(format!("{} gives up; the game ends here.", seat.name()));
        }
        let outcome = self.position().outcome()?;
        let result = self.record.result_text();
        let winners = match result.contains('+') {
            true => format!("{} win", result.replace('+', " and ")),
            false => format!("{result} wins"),
        };
        let why = ending_text(outcome.by);
        match outcome.by {
            Ending::Given => Some(format!("The game is over: {why}.")),
            _ => Some(format!("The game is over. {winners}: {why}.")),
        }
    }

    fn play(&mut self, text: &str) -> Answer {
        match text.to_ascii_lowercase().replace([' ', '-'], "").parse() {
            Ok(m) => self.make(m),
            Err(error) => {
                let words = format!("{error}. `help` lists what else you can type.");
                Err(Refusal(words))
            }
        }
    }

    fn think(&mut self, stop: &Stop) -> Answer {
        let limits = self.setup.strength.limits();
        let best = self.search(&limits, stop)?.best;
        self.make(best)
    }

    fn hint(&mut self, stop: &Stop) -> Answer {
        let report = self.search(&Strength::default().limits(), stop)?;
        let chances = chances_text(self.position(), &report);
        Ok(format!("I would play {}. {chances}", report.best))
    }

    fn undo(&mut self) -> Answer {
        if self.resigned.take().is_some() {
            return Ok("You go on.".to_owned());
        }
        let plies = self.record.moves().len();
        let by_person = |ply: &usize| self.record.mover(*ply).is_some_and(|s| self.is_person(s));
        let Some(first) = (0..plies).rev().find(by_person) else {
            return Err(Refusal(
                "There is no move of yours to take back.".to_owned(),
            ));
        };
        for _ in first..plies {
            self.record.undo();
        }
        Ok(format!("{} plies taken back.", plies - first))
    }

    fn moves(&self, square: Option<&str>, screen: &Screen) -> Answer {
        let position = self.position();
        let Some(text) = square else {
            let all: Vec<String> = position.legal_moves().iter().map(Move::to_string).collect();
            return Ok(all.join(" "));
        };
        let from: Square = text
            .to_ascii_lowercase()
            .parse()
            .map_err(|e| Refusal(format!("{e}")))?;
        let legal = position.legal_moves().into_iter();
        let targets: Vec<Square> = legal.filter(|m| m.from == from).map(|m| m.to).collect();
        if targets.is_empty() {
            return Err(Refusal(format!("Nothing of yours on {from} can move.")));
        }
        let board = Drawing {
            position,
            last: None,
            targets: &targets,
            screen,
        };
        let told: Vec<String> = targets.iter().map(|to| format!("{from}{to}")).collect();
        Ok(format!("{}\n\n{}", board.text(), told.join(" ")))
    }

    fn evaluation(&mut self, stop: &Stop) -> String {
        let limits = Limits {
            movetime: Some(LOOK),
            ..Limits::default()
        };
        match self.search(&limits, stop) {
            Ok(report) => chances_text(self.position(), &report),
            Err(refusal) => refusal.0,
        }
    }

    /// The board is the same from all sides: letters stay with their files.
    fn flip(&mut self) -> bool {
        false
    }

    fn resign(&mut self) -> Answer {
        match (self.turn(), self.position().turn()) {
            (Turn::Person, Some(seat)) => {
                self.resigned = Some(seat);
                Ok(format!("{} gives up.", seat.name()))
            }
            _ => Err(Refusal("It is not your turn to give up.".to_owned())),
        }
    }

    fn restart(&mut self) {
        self.record = Record::new(self.setup.start);
        self.resigned = None;
        self.engine.clear();
    }

    fn record(&self) -> String {
        let mut record = self.record.clone();
        record.set_tag("Event", "chuhe play");
        record.set_tag("Date", jiff::Zoned::now().strftime("%Y.%m.%d").to_string());
        for seat in Seat::ALL {
            let name = match self.is_person(seat) {
                true => "Person",
                false => "Chuhe",
            };
            record.set_tag(seat.name(), name);
        }
        record.set_tag(SETTINGS_TAG, self.settings_text());
        if self.resigned.is_some() {
            record.set_tag("End", RESIGNED);
        }
        record.to_string()
    }

    fn restore(&mut self, bytes: &[u8]) -> Answer {
        let text = String::from_utf8_lossy(bytes);
        let games = Record::read_all(&text).map_err(|e| Refusal(e.to_string()))?;
        let Some(record) = first_of(games) else {
            return Err(Refusal(format!("There is no game of the {GAME} in it.")));
        };
        self.setup.start = *record.start();
        if let Some(text) = record.tag(SETTINGS_TAG) {
            self.take_settings(text);
        }
        let gave_up = record.tag("End") == Some(RESIGNED);
        self.resigned = record.position().turn().filter(|_| gave_up);
        self.record = record;
        self.record.tags.retain(|t| t.0 != "End");
        self.engine.clear();
        Ok(format!("{} moves have been played.", self.plies()))
    }
}
