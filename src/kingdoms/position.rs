//! A position of the game: the board and everything the rules remember.

use super::board::Board;
use super::options::{Options, historical_players};
use super::{Kind, Outcome, Piece, SEATS, Seat, Square, hash};

/// A position, with the rules it is played by. Text is the line of eight
/// fields (see [`Position::parse`]).
#[derive(Clone, Copy)]
pub struct Position {
    pub(super) board: Board,
    pub(super) options: Options,
    pub(super) turn: Seat,
    /// `command[k]`: the seat that commands kingdom `k`'s pieces.
    pub(super) command: [Option<Seat>; SEATS],
    /// Players of the seats, 0 for a vacant seat.
    pub(super) players: [u8; SEATS],
    /// `captures[s][k]`: taken by seat `s` of kingdom `k`.
    pub(super) captures: [[u8; SEATS]; SEATS],
    pub(super) conquests: [u8; SEATS],
    pub(super) quiet: u16,
    pub(super) ply: u32,
    pub(super) outcome: Option<Outcome>,
    pub(super) key: u64,
}

/// One army, seen by its own player: steps to the right of the general, steps
/// forward, kind.
const FORMATION: [(i32, i32, Kind); super::ARMY] = [
    (0, 0, Kind::General),
    (-1, 0, Kind::Chancellor),
    (1, 0, Kind::Diplomat),
    (0, 1, Kind::Cannon),
    (0, 2, Kind::Crossbow),
    (0, 3, Kind::Archer),
    (0, 4, Kind::GoBetween),
    (-1, 2, Kind::Dagger),
    (1, 2, Kind::Dagger),
    (-2, 0, Kind::Sword),
    (2, 0, Kind::Sword),
    (-1, 1, Kind::Sword),
    (1, 1, Kind::Sword),
    (-3, 0, Kind::Knight),
    (3, 0, Kind::Knight),
    (-2, 1, Kind::Knight),
    (2, 1, Kind::Knight),
];

/// Where each general stands (file, rank) and which way his army faces (east,
/// north), in turn order.
const HOMES: [((i32, i32), (i32, i32)); SEATS] = [
    ((0, 9), (1, 0)),
    ((5, 0), (0, 1)),
    ((13, 0), (0, 1)),
    ((18, 5), (-1, 0)),
    ((18, 13), (-1, 0)),
    ((13, 18), (0, -1)),
    ((5, 18), (0, -1)),
];

/// The square of one man of a formation.
fn home_square(seat: Seat, right: i32, forward: i32) -> Square {
    let ((file, rank), (east, north)) = HOMES[seat.index()];
    let file = file + forward * east + right * north;
    let rank = rank + forward * north - right * east;
    Square::checked(file, rank).expect("a formation lies on the board")
}

impl Position {
    /// The start of a game of seven players under these rules.
    pub fn start(options: Options) -> Self {
        let mut board = Board::bare();
        for seat in Seat::ALL {
            for (right, forward, kind) in FORMATION {
                board.put(home_square(seat, right, forward), seat, kind);
            }
        }
        Self::of_board(board, options)
    }

    /// The start for 3 to 7 players, the armies shared out by the historical
    /// scheme ([`historical_players`]); `None` for another number.
    pub fn start_for(players: usize, options: Options) -> Option<Self> {
        let mut position = Self::start(options);
        position.players = historical_players(players)?;
        position.key = hash::of(&position);
        Some(position)
    }

    /// A position with these pieces in which nothing has happened yet.
    pub(super) fn of_board(board: Board, options: Options) -> Self {
        let mut position = Self {
            board,
            options,
            turn: Seat::QIN,
            command: Seat::ALL.map(Some),
            players: options_free_for_all(),
            captures: [[0; SEATS]; SEATS],
            conquests: [0; SEATS],
            quiet: 0,
            ply: 0,
            outcome: None,
            key: 0,
        };
        position.key = hash::of(&position);
        position
    }

    /// The rules.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The same position under other rules.
    pub fn with_options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// The piece on a square.
    pub fn piece(&self, square: Square) -> Option<Piece> {
        self.board.piece(square)
    }

    /// Where the pieces of a kingdom's colour stand, in no particular order.
    pub fn men(&self, kingdom: Seat) -> &[Square] {
        self.board.men(kingdom)
    }

    /// The seat to move, `None` when the game is over.
    pub fn turn(&self) -> Option<Seat> {
        self.outcome.is_none().then_some(self.turn)
    }

    /// How the game ended, `None` while it goes on.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The seat that commands this kingdom's pieces, `None` when the kingdom
    /// is off the board.
    #[inline]
    pub fn commander(&self, kingdom: Seat) -> Option<Seat> {
        self.command[kingdom.index()]
    }

    /// Whether the kingdom has not fallen (and is in play).
    #[inline]
    pub fn is_alive(&self, kingdom: Seat) -> bool {
        self.command[kingdom.index()] == Some(kingdom)
    }

    /// The player behind a seat, 1 to 7, 0 when the seat is vacant.
    #[inline]
    pub fn player(&self, seat: Seat) -> u8 {
        self.players[seat.index()]
    }

    /// The team of the player behind a seat, 1 to 7; 0 when it is vacant.
    /// Without teams this is the player.
    #[inline]
    pub fn team(&self, seat: Seat) -> u8 {
        match self.player(seat) {
            0 => 0,
            player => self.options.teams[player as usize - 1],
        }
    }

    /// What seat `by` has taken of kingdom `of`.
    pub fn captures(&self, by: Seat, of: Seat) -> u8 {
        self.captures[by.index()][of.index()]
    }

    /// What kingdom `of` has lost in all.
    #[inline]
    pub fn losses(&self, of: Seat) -> u32 {
        let lost = self.captures.iter().map(|row| u32::from(row[of.index()]));
        lost.sum()
    }

    /// All captures of a player.
    pub fn captures_of_player(&self, player: u8) -> u32 {
        let mine = |s: &Seat| self.player(*s) == player;
        let taken = |s: Seat| self.captures[s.index()].iter().map(|&n| u32::from(n));
        Seat::ALL.into_iter().filter(mine).flat_map(taken).sum()
    }

    /// Conquests credited to a seat.
    pub fn conquests(&self, seat: Seat) -> u8 {
        self.conquests[seat.index()]
    }

    /// All conquests of a player.
    pub fn conquests_of_player(&self, player: u8) -> u32 {
        let mine = |s: &Seat| self.player(*s) == player;
        let of = |s: Seat| u32::from(self.conquests(s));
        Seat::ALL.into_iter().filter(mine).map(of).sum()
    }

    /// Plies since the last capture.
    pub fn quiet_plies(&self) -> u16 {
        self.quiet
    }

    /// Plies played.
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// A hash of all that decides how the game can go on, save the two ply
    /// counters and the options.
    pub fn key(&self) -> u64 {
        self.key
    }
}

/// Seven players, one seat each.
fn options_free_for_all() -> [u8; SEATS] {
    super::options::NO_TEAMS
}
