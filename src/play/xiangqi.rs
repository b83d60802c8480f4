//! Xiangqi at the table.

use super::game::{Answer, Game, Refusal, Turn, first_of};
use super::screen::Screen;
use super::seat::Strength;
use super::xiangqi_board::{Drawing, Marks};
pub use super::xiangqi_setup::{Setup, sides};
use crate::board::{Color, Move, Position, Square};
use crate::clock::{Limits, Stop};
use crate::notation::{self, Notation, NotationError, NotationErrorKind};
use crate::record::{Charset, GameResult, Record, pgn, read_file_bytes};
use crate::rules::{DrawRules, Game as Moves, Illegality, Outcome, Ruling, judge_with};
use crate::search::{Engine, Line, Report, Score, Settings};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// Time for a look at how it stands.
const LOOK: Duration = Duration::from_millis(300);
/// Moves of a line that are told.
const LINE_SHOWN: usize = 6;
/// The tag that says who plays and how.
const SETTINGS_TAG: &str = "ChuheSettings";

/// A game of xiangqi at the table.
#[derive(Debug)]
pub struct Xiangqi {
    setup: Setup,
    game: Moves,
    engine: Engine,
    flipped: bool,
    /// The side that has given up.
    resigned: Option<Color>,
    ruling: Option<Ruling>,
}

impl Xiangqi {
    /// A new game.
    pub fn new(setup: Setup) -> Self {
        let engine = Engine::new(Settings::default());
        let mut table = Self {
            flipped: setup.persons == [false, true],
            game: Moves::new(setup.start.clone()),
            setup,
            engine,
            resigned: None,
            ruling: None,
        };
        table.configure();
        table.judge();
        table
    }

    /// Tells the engine its strength and the rules.
    fn configure(&mut self) {
        self.configure_as(self.setup.strength);
    }

    fn configure_as(&mut self, strength: Strength) {
        let settings = Settings::default();
        self.engine.configure(Settings {
            skill_level: strength.skill.unwrap_or(settings.skill_level),
            elo: strength.elo,
            rules: self.setup.rules,
            ..settings
        });
    }

    fn pos(&self) -> &Position {
        self.game.position()
    }

    fn side(&self) -> Color {
        self.pos().side_to_move()
    }

    fn is_over(&self) -> bool {
        self.ruling.is_some() || self.resigned.is_some()
    }

    fn judge(&mut self) {
        let draws = DrawRules::of(self.setup.rules);
        self.ruling = judge_with(&self.game, self.setup.rules, &draws);
    }

    /// A legal move in the notation of the table, and as two squares.
    fn told(&self, pos: &Position, mv: Move) -> String {
        match self.setup.notation {
            Notation::Iccs => mv.to_string(),
            other => format!("{} ({mv})", other.write(pos, mv)),
        }
    }

    fn make(&mut self, mv: Move) -> Answer {
        let told = self.told(self.pos(), mv);
        let side = name(self.side());
        self.game.play(mv).map_err(|e| Refusal(e.to_string()))?;
        self.judge();
        let check = if self.pos().in_check() { ", check" } else { "" };
        Ok(format!("{side} plays {told}{check}."))
    }

    /// Searches; the best move and the last line told.
    fn search(&mut self, limits: &Limits, stop: &Stop) -> (Option<Move>, Option<Line>) {
        let mut last = None;
        let outcome = self
            .engine
            .search(&self.game, limits, Instant::now(), stop, &mut |report| {
                if let Report::Line(line) = report
                    && line.multipv == 1
                {
                    last = Some(line);
                }
            });
        (outcome.best, last)
    }

    /// The same at full strength, for advice.
    fn advise(&mut self, limits: &Limits, stop: &Stop) -> (Option<Move>, Option<Line>) {
        self.configure_as(Strength::default());
        let found = self.search(limits, stop);
        self.configure();
        found
    }

    fn line_text(&self, line: &Line) -> String {
        let mut pos = self.pos().clone();
        let mut words = Vec::new();
        for &mv in line.pv.iter().take(LINE_SHOWN) {
            words.push(self.setup.notation.write(&pos, mv));
            pos = pos.after(mv);
        }
        words.join(" ")
    }

    /// Why a text is not played.
    fn refuse(&self, text: &str, error: &NotationError) -> Refusal {
        let why = match &error.kind {
            NotationErrorKind::Illegal(_) => {
                let reason = coordinates(text).and_then(|mv| Illegality::of(self.pos(), mv));
                let reason = reason.map_or_else(String::new, |r| format!(": {r}"));
                format!("`{text}` is no legal move here{reason}. `moves` lists them.")
            }
            NotationErrorKind::Ambiguous { candidates, .. } => {
                let list: Vec<String> = candidates.iter().map(Move::to_string).collect();
                format!("`{text}` may be {}: type one of these.", list.join(" or "))
            }
            _ => format!("{error}. `help` lists what else you can type."),
        };
        Refusal(why)
    }

    /// Takes in the settings kept with a game.
    fn take_settings(&mut self, text: &str) {
        self.setup.take(text);
        self.flipped = self.setup.persons == [false, true];
        self.configure();
    }

    fn result(&self) -> GameResult {
        let outcome = self.ruling.as_ref().map(|r| r.outcome);
        let loser = outcome.and_then(Outcome::loser).or(self.resigned);
        match (loser, outcome) {
            (Some(Color::Red), _) => GameResult::BlackWins,
            (Some(Color::Black), _) => GameResult::RedWins,
            (None, Some(_)) => GameResult::Draw,
            (None, None) => GameResult::Unknown,
        }
    }

    fn player(&self, color: Color) -> String {
        let strength = self.setup.strength;
        match (self.setup.persons[color.index()], strength.to_string()) {
            (true, _) => "Person".to_owned(),
            (false, text) if text.is_empty() => "Chuhe".to_owned(),
            (false, text) => format!("Chuhe ({text})"),
        }
    }
}

fn name(color: Color) -> &'static str {
    match color {
        Color::Red => "Red",
        Color::Black => "Black",
    }
}

/// Two squares with ranks from 0, as in `h2e2` or `H2-E2`.
fn coordinates(text: &str) -> Option<Move> {
    text.replace('-', "").to_ascii_lowercase().parse().ok()
}

/// A score in words, as Red sees it.
fn score_text(score: Score, side: Color) -> String {
    let (winner, plies) = match score {
        Score::MateIn(plies) => (side, plies),
        Score::MatedIn(plies) => (!side, plies),
        Score::Cp(cp) => {
            let red = if side == Color::Red { cp } else { -cp };
            return format!("{:+.2} for Red", f64::from(red) / 100.0);
        }
    };
    format!("{} mates in {}", name(winner), plies.div_ceil(2))
}

impl Game for Xiangqi {
    fn introduction(&self) -> String {
        let [red, black] = [Color::Red, Color::Black].map(|c| self.player(c));
        format!(
            "Xiangqi by the rules `{}`. Red: {red}. Black: {black}.",
            self.setup.rules.name()
        )
    }

    fn how_to_move(&self) -> String {
        "A move is two squares, as h2e2, or what books write: C2=5, 炮二平五,\n\
         h3e3 (ranks 1 to 10), Che2. Uppercase letters are Red's pieces: K king,\n\
         A advisor, B elephant, N horse, R rook, C cannon, P pawn. [ ] marks the\n\
         last move, ( ) where it came from. Words besides moves:"
            .to_owned()
    }

    fn picture(&self, screen: &Screen) -> String {
        let marks = Marks {
            last: self.game.moves().last().copied(),
            flipped: self.flipped,
            ..Marks::default()
        };
        let board = Drawing {
            pos: self.pos(),
            marks: &marks,
            screen,
        };
        board.text() + "\n"
    }

    fn prompt(&self) -> String {
        let check = if self.pos().in_check() {
            " (check!)"
        } else {
            ""
        };
        match self.is_over() {
            true => "over> ".to_owned(),
            false => format!(
                "{}, move {}{check}> ",
                name(self.side()),
                self.game.moves().len() / 2 + 1
            ),
        }
    }

    fn turn(&self) -> Turn {
        match self.setup.persons[self.side().index()] {
            _ if self.is_over() => Turn::Over,
            true => Turn::Person,
            false => Turn::Engine,
        }
    }

    fn has_person(&self) -> bool {
        self.setup.persons != [false, false]
    }

    fn plies(&self) -> usize {
        self.game.moves().len()
    }

    fn ending(&self) -> Option<String> {
        if let Some(loser) = self.resigned {
            let winner = name(!loser);
            return Some(format!("{} resigns: {winner} wins.", name(loser)));
        }
        let ruling = self.ruling.as_ref()?;
        Some(format!("The game is over. {ruling}"))
    }

    fn play(&mut self, text: &str) -> Answer {
        if self.is_over() {
            return Err(Refusal("The game is over: undo, new or quit.".to_owned()));
        }
        match notation::read(self.pos(), text) {
            Ok((mv, _)) => self.make(mv),
            Err(error) => Err(self.refuse(text, &error)),
        }
    }

    fn think(&mut self, stop: &Stop) -> Answer {
        if self.is_over() {
            return Err(Refusal("The game is over.".to_owned()));
        }
        let limits = self.setup.strength.limits();
        match self.search(&limits, stop).0 {
            Some(mv) => self.make(mv),
            None => Err(Refusal("There is no move.".to_owned())),
        }
    }

    fn hint(&mut self, stop: &Stop) -> Answer {
        if self.is_over() {
            return Err(Refusal("The game is over.".to_owned()));
        }
        let side = self.side();
        let (best, line) = self.advise(&Strength::default().limits(), stop);
        let (Some(mv), Some(line)) = (best, line) else {
            return Err(Refusal("There is no move.".to_owned()));
        };
        let mut text = format!("I would play {}", self.told(self.pos(), mv));
        let _ = write!(text, " ({}", score_text(line.score, side));
        let _ = write!(text, "; expected {}).", self.line_text(&line));
        Ok(text)
    }

    fn undo(&mut self) -> Answer {
        if self.resigned.take().is_some() {
            return Ok("The resignation is taken back.".to_owned());
        }
        let plies = self.game.moves().len();
        let persons = self.setup.persons;
        let by_person = |ply: &usize| persons[self.game.positions()[*ply].side_to_move().index()];
        let Some(first) = (0..plies).rev().find(by_person) else {
            return Err(Refusal(
                "There is no move of yours to take back.".to_owned(),
            ));
        };
        for _ in first..plies {
            self.game.undo();
        }
        self.judge();
        Ok(format!("{} plies taken back.", plies - first))
    }

    fn moves(&self, square: Option<&str>, screen: &Screen) -> Answer {
        let pos = self.pos();
        let from = square.map(|text| {
            text.to_ascii_lowercase()
                .parse::<Square>()
                .map_err(|_| Refusal(format!("`{text}` is no square: expected a0 to i9")))
        });
        let from = from.transpose()?;
        let legal = pos.legal_moves().into_iter();
        let moves: Vec<Move> = legal
            .filter(|mv| from.is_none_or(|f| mv.from() == f))
            .collect();
        let told: Vec<String> = moves.iter().map(|&mv| self.told(pos, mv)).collect();
        match (from, moves.is_empty()) {
            (None, _) => Ok(told.join(" ")),
            (Some(square), true) => Err(Refusal(format!("Nothing on {square} can move."))),
            (Some(_), false) => {
                let marks = Marks {
                    targets: moves.iter().map(|mv| mv.to()).collect(),
                    flipped: self.flipped,
                    last: None,
                };
                let board = Drawing {
                    pos,
                    marks: &marks,
                    screen,
                };
                Ok(format!("{}\n\n{}", board.text(), told.join(" ")))
            }
        }
    }

    fn evaluation(&mut self, stop: &Stop) -> String {
        let side = self.side();
        let limits = Limits {
            movetime: Some(LOOK),
            ..Limits::default()
        };
        match self.advise(&limits, stop).1 {
            Some(line) => format!(
                "Evaluation {}, depth {}: {}",
                score_text(line.score, side),
                line.depth,
                self.line_text(&line)
            ),
            None => "There is nothing to evaluate.".to_owned(),
        }
    }

    fn flip(&mut self) -> bool {
        self.flipped = !self.flipped;
        true
    }

    fn resign(&mut self) -> Answer {
        match self.turn() {
            Turn::Person => {
                self.resigned = Some(self.side());
                Ok(format!("{} resigns.", name(self.side())))
            }
            _ => Err(Refusal("It is not your turn to resign.".to_owned())),
        }
    }

    fn restart(&mut self) {
        self.game = Moves::new(self.setup.start.clone());
        self.resigned = None;
        self.engine.clear();
        self.judge();
    }

    fn record(&self) -> String {
        let mut record = Record::from_game(&self.game);
        let today = jiff::Zoned::now().strftime("%Y.%m.%d").to_string();
        for (name, value) in [
            ("Event", "chuhe play".to_owned()),
            ("Date", today),
            ("Red", self.player(Color::Red)),
            ("Black", self.player(Color::Black)),
            ("Result", self.result().text().to_owned()),
            ("Rules", self.setup.rules.name().to_owned()),
            (SETTINGS_TAG, self.setup.text()),
        ] {
            record.tags.set(name, value);
        }
        if self.resigned.is_some() {
            record.tags.set("Termination", "resignation");
        }
        let mut out = Vec::new();
        match pgn::write(&mut out, &record, Notation::Iccs) {
            Ok(()) => String::from_utf8_lossy(&out).into_owned(),
            Err(error) => {
                log::error!("the game cannot be written as PGN: {error}");
                String::new()
            }
        }
    }

    fn restore(&mut self, bytes: &[u8]) -> Answer {
        let file = read_file_bytes(bytes, Charset::Auto).map_err(|e| Refusal(e.to_string()))?;
        let Some(read) = first_of(file.games) else {
            return Err(Refusal("There is no game in it.".to_owned()));
        };
        if let Some(problem) = read.problems.first() {
            return Err(Refusal(problem.to_string()));
        }
        self.game = read.record.game();
        self.setup.start = read.record.start().clone();
        if let Some(text) = read.record.tags.get(SETTINGS_TAG) {
            self.take_settings(text);
        }
        self.resigned = match read.record.tags.get("Termination") {
            Some("resignation") => Some(self.side()),
            _ => None,
        };
        self.engine.clear();
        self.judge();
        Ok(format!(
            "{} Move {}.",
            self.introduction(),
            self.plies() / 2 + 1
        ))
    }
}
