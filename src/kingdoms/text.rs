//! The position line, and the diagram.
//!
//! Eight fields separated by one space: board, side to move, command,
//! players, captures, conquests, plies since the last capture, plies played.

use super::board::Board;
use super::options::player_digits;
use super::{
    Ending, Kind, Options, Outcome, ParseError, Piece, Position, SEATS, SIDE, Seat, Square, hash,
};
use std::fmt;
use std::fmt::Write;
use std::str::FromStr;

/// The start position of seven players.
pub const START: &str = "2kNkSkBkGkRkSkN1pNpSpBpGpRpSpN2/3kNkSkCkSkN3pNpSpCpSpN3/\
4kDkXkD5pDpXpD3gN/5kA7pA3gNgS/5kM7pM2gDgSgB/14gMgAgXgCgG/wN15gDgSgR/wSwN15gNgS/\
wRwSwD15gN/wGwCwXwAwM4yE9/wBwSwD15bN/wSwN15bNbS/wN15bDbSbB/14bMbAbXbCbG/\
5rM7oM2bDbSbR/5rA7oA3bNbS/4rDrXrD5oDoXoD3bN/3rNrSrCrSrN3oNoSoCoSoN3/\
2rNrSrRrGrBrSrN1oNoSoRoGoBoSoN2 w wrobgpk 1234567 - 0000000 0 0";

/// The start as given by sources that mirror the two southern armies
/// (diplomat and chancellor of Chu and of Han change places).
pub const START_MIRRORED_SOUTH: &str = "2kNkSkBkGkRkSkN1pNpSpBpGpRpSpN2/\
3kNkSkCkSkN3pNpSpCpSpN3/4kDkXkD5pDpXpD3gN/5kA7pA3gNgS/5kM7pM2gDgSgB/14gMgAgXgCgG/\
wN15gDgSgR/wSwN15gNgS/wRwSwD15gN/wGwCwXwAwM4yE9/wBwSwD15bN/wSwN15bNbS/wN15bDbSbB/\
14bMbAbXbCbG/5rM7oM2bDbSbR/5rA7oA3bNbS/4rDrXrD5oDoXoD3bN/3rNrSrCrSrN3oNoSoCoSoN3/\
2rNrSrBrGrRrSrN1oNoSoBoGoRoSoN2 w wrobgpk 1234567 - 0000000 0 0";

/// Fields of a position line.
pub const FIELDS: usize = 8;

impl Position {
    /// Reads a position line, to be played by these rules. A side to move that
    /// cannot is skipped, as in a game.
    ///
    /// # Errors
    /// The first fault found, with the offending text.
    pub fn parse(text: &str, options: Options) -> Result<Self, ParseError> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let Ok(
            [
                board,
                turn,
                command,
                players,
                captures,
                conquests,
                quiet,
                ply,
            ],
        ) = <[&str; FIELDS]>::try_from(fields.as_slice())
        else {
            return Err(ParseError::FieldCount(fields.len()));
        };
        let mut position = Self::of_board(parse_board(board)?, options);
        position.command = parse_command(command)?;
        position.players = player_digits(players, 0)
            .ok_or_else(|| field("players", players, "seven digits from 0 to 7"))?;
        position.captures = parse_captures(captures)?;
        position.conquests = player_digits(conquests, 0)
            .ok_or_else(|| field("conquests", conquests, "seven digits from 0 to 7"))?;
        position.quiet = parse_number("plies since the last capture", quiet)?;
        position.ply = parse_number("plies played", ply)?;
        position.set_turn(turn)?;
        position.check()?;
        position.key = hash::of(&position);
        position.skip_the_immobile();
        Ok(position)
    }

    /// Reads the side to move; `-` means that the game is over.
    fn set_turn(&mut self, text: &str) -> Result<(), ParseError> {
        if text == "-" {
            let by = Ending::Given;
            self.outcome = Some(Outcome { winners: 0, by });
            return Ok(());
        }
        self.turn = one_letter(text)
            .and_then(Seat::from_letter)
            .ok_or_else(|| field("side to move", text, "one of w r o b g p k, or -"))?;
        if !self.is_alive(self.turn) || self.player(self.turn) == 0 {
            return Err(field(
                "side to move",
                text,
                "a living kingdom that is played",
            ));
        }
        Ok(())
    }

    /// What one field alone cannot tell.
    fn check(&self) -> Result<(), ParseError> {
        for kingdom in Seat::ALL {
            match self.commander(kingdom) {
                Some(c) if !self.is_alive(c) => return Err(ParseError::FallenCommander(c)),
                None if !self.men(kingdom).is_empty() => {
                    return Err(ParseError::Uncommanded(kingdom));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The board as a drawing of 19 lines and a line of file letters, `..`
    /// for an empty point.
    pub fn diagram(&self) -> String {
        let mut drawing = String::new();
        for rank in (0..SIDE).rev() {
            let points = (0..SIDE).map(|file| match self.piece(Square::at(file, rank)) {
                Some(piece) => piece.to_string(),
                None => "..".to_owned(),
            });
            let points = points.collect::<Vec<_>>().join(" ");
            let _ = writeln!(drawing, "{:2} {points}", rank + 1);
        }
        let files = (0..SIDE).map(|f| Square::at(f, 0).to_string()[..1].to_owned());
        let _ = write!(drawing, "   {}", files.collect::<Vec<_>>().join("  "));
        drawing
    }

    fn write_rank(&self, f: &mut fmt::Formatter, rank: usize) -> fmt::Result {
        let mut empty = 0;
        for file in 0..SIDE {
            match self.piece(Square::at(file, rank)) {
                None => empty += 1,
                Some(piece) => {
                    write_run(f, empty)?;
                    write!(f, "{piece}")?;
                    empty = 0;
                }
            }
        }
        write_run(f, empty)
    }

    fn captures_text(&self) -> String {
        let pairs = Seat::ALL
            .into_iter()
            .flat_map(|by| Seat::ALL.map(|of| (by, of, self.captures(by, of))));
        let items: Vec<String> = pairs
            .filter(|&(_, _, n)| n > 0)
            .map(|(by, of, n)| format!("{by}{of}{n}"))
            .collect();
        if items.is_empty() {
            "-".to_owned()
        } else {
            items.join(",")
        }
    }
}

fn write_run(f: &mut fmt::Formatter, empty: usize) -> fmt::Result {
    match empty {
        0 => Ok(()),
        n => write!(f, "{n}"),
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for rank in (0..SIDE).rev() {
            self.write_rank(f, rank)?;
            f.write_str(if rank > 0 { "/" } else { " " })?;
        }
        let turn = self.turn().map_or('-', Seat::letter);
        let command = self.command.map(|c| c.map_or('-', Seat::letter));
        write!(f, "{turn} {} ", command.iter().collect::<String>())?;
        let digits = |d: &[u8; SEATS]| d.map(|n| n.to_string()).concat();
        write!(f, "{} {} ", digits(&self.players), self.captures_text())?;
        write!(f, "{} {} {}", digits(&self.conquests), self.quiet, self.ply)
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Position {
    type Err = ParseError;

    /// Reads a position line, to be played by the default rules.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::parse(text, Options::default())
    }
}

fn field(name: &'static str, text: &str, expected: &'static str) -> ParseError {
    ParseError::Field {
        name,
        text: text.to_owned(),
        expected,
    }
}

fn one_letter(text: &str) -> Option<char> {
    let mut letters = text.chars();
    letters.next().filter(|_| letters.next().is_none())
}

fn parse_number<T: FromStr>(name: &'static str, text: &str) -> Result<T, ParseError> {
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    let number = text.parse().ok().filter(|_| digits);
    number.ok_or_else(|| field(name, text, "a number that is not too large"))
}

fn parse_board(text: &str) -> Result<Board, ParseError> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != SIDE {
        return Err(ParseError::RankCount(rows.len()));
    }
    let mut board = Board::bare();
    let mut emperor = false;
    for (row, rank) in rows.into_iter().zip((0..SIDE).rev()) {
        emperor |= parse_rank(&mut board, row, rank)?;
    }
    if emperor {
        Ok(board)
    } else {
        Err(ParseError::NoEmperor)
    }
}

/// Reads one rank; returns whether it holds the emperor.
fn parse_rank(board: &mut Board, row: &str, rank: usize) -> Result<bool, ParseError> {
    let (mut file, mut rest, mut emperor) = (0, row, false);
    while let Some(first) = rest.chars().next() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 {
            file += parse_run(&rest[..digits], row, rank)?;
            rest = &rest[digits..];
            continue;
        }
        let letters: String = rest.chars().take(2).collect();
        let piece = parse_piece(first, &letters)?;
        if file >= SIDE {
            break;
        }
        emperor |= place(board, piece, Square::at(file, rank))?;
        file += 1;
        rest = &rest[letters.len()..];
    }
    if file == SIDE && rest.is_empty() {
        return Ok(emperor);
    }
    let (rank, row) = (rank + 1, row.to_owned());
    Err(ParseError::RankLength { rank, row })
}

/// A number of empty points, 1 to 19.
fn parse_run(digits: &str, row: &str, rank: usize) -> Result<usize, ParseError> {
    let number = digits.parse().ok().filter(|n| (1..=SIDE).contains(n));
    number.ok_or_else(|| ParseError::RankLength {
        rank: rank + 1,
        row: row.to_owned(),
    })
}

fn parse_piece(colour: char, letters: &str) -> Result<Piece, ParseError> {
    let error = || ParseError::Piece(letters.to_owned());
    let kind = letters.chars().nth(1).and_then(Kind::from_letter);
    match (Seat::from_letter(colour), kind.ok_or_else(error)?) {
        (None, Kind::Emperor) if colour == 'y' => Ok(Piece::EMPEROR),
        (Some(kingdom), kind) if kind != Kind::Emperor => Ok(Piece::new(kingdom, kind)),
        _ => Err(error()),
    }
}

/// Puts a piece read from text on the board; returns whether it is the
/// emperor.
fn place(board: &mut Board, piece: Piece, square: Square) -> Result<bool, ParseError> {
    match piece.kingdom() {
        None if square == Square::CENTRE => return Ok(true),
        None => return Err(ParseError::EmperorPlace(square)),
        Some(_) if square == Square::CENTRE => return Err(ParseError::NoEmperor),
        Some(kingdom) => {
            if piece.kind() == Kind::General && board.general(kingdom).is_some() {
                return Err(ParseError::TwoGenerals(kingdom));
            }
            if !board.put(square, kingdom, piece.kind()) {
                return Err(ParseError::ArmyTooLarge(kingdom));
            }
        }
    }
    Ok(false)
}

fn parse_command(text: &str) -> Result<[Option<Seat>; SEATS], ParseError> {
    let letters = text.chars().map(|c| match c {
        '-' => Some(None),
        c => Seat::from_letter(c).map(Some),
    });
    let seats: Option<Vec<Option<Seat>>> = letters.collect();
    seats
        .and_then(|s| s.try_into().ok())
        .ok_or_else(|| field("command", text, "seven of w r o b g p k or -"))
}

fn parse_captures(text: &str) -> Result<[[u8; SEATS]; SEATS], ParseError> {
    let mut captures = [[0; SEATS]; SEATS];
    if text == "-" {
        return Ok(captures);
    }
    for item in text.split(',') {
        let (by, of, number) = parse_capture(item)
            .ok_or_else(|| field("captures", item, "taker, victim and a count, as in wr3"))?;
        let count = &mut captures[by.index()][of.index()];
        if *count != 0 {
            return Err(field("captures", item, "each pair of kingdoms once"));
        }
        *count = number;
    }
    Ok(captures)
}

fn parse_capture(item: &str) -> Option<(Seat, Seat, u8)> {
    let mut letters = item.chars();
    let by = Seat::from_letter(letters.next()?)?;
    let of = Seat::from_letter(letters.next()?)?;
    let number = letters.as_str();
    let plain = number.bytes().all(|b| b.is_ascii_digit());
    let count = number.parse().ok().filter(|&n: &u8| n > 0 && plain)?;
    Some((by, of, count))
}
