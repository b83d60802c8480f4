//! What a move does: captures, the fall of a kingdom, its heir, victory, and
//! whose turn is next. The rules follow the English text of the game; the
//! [`Options`](super::Options) say where others differ.

use super::options::{Conquest, Count, Fall, FallenGeneral, Hegemon};
use super::{Ending, Kind, Move, Outcome, PlayError, Position, SEATS, Seat, Square, hash};

/// The end of a kingdom.
struct Collapse {
    kingdom: Seat,
    /// Who is credited; `None` when nobody is, and the army goes.
    heir: Option<Seat>,
}

/// There is no more to conquer; a position line says no greater number.
const MOST_CONQUESTS: u8 = SEATS as u8;

impl Position {
    /// The position after a move.
    ///
    /// # Errors
    /// When the game is over or the move is not legal.
    pub fn play(&self, m: Move) -> Result<Self, PlayError> {
        if self.outcome.is_some() {
            return Err(PlayError::GameOver(m));
        }
        if !self.is_legal(m) {
            return Err(PlayError::Illegal(m));
        }
        Ok(self.after(m))
    }

    /// The position after a move that is known to be legal.
    #[inline]
    pub fn after(&self, m: Move) -> Self {
        let mut next = *self;
        next.make(m);
        next
    }

    /// The same position with another seat to move.
    pub(super) fn with_turn(mut self, seat: Seat) -> Self {
        self.key ^= hash::turn(self.turn) ^ hash::turn(seat);
        self.turn = seat;
        self
    }

    /// The same position with the next seat to move. The rules know no
    /// passing; a search may leave somebody's move out.
    pub(super) fn pass(&self) -> Self {
        let mut next = *self;
        next.advance(self.turn);
        next
    }

    /// Plays a legal move of the seat to move.
    fn make(&mut self, m: Move) {
        let mover = self.turn;
        let moved = self.board.content(m.from.cell());
        let victim = self.piece(m.to);
        let taken = victim.and_then(|v| v.kingdom().map(|k| (k, v.kind())));
        if let Some((kingdom, kind)) = taken {
            self.take(mover, m.to, kingdom, kind);
        }
        if let Some(colour) = self.piece(m.from).and_then(super::Piece::kingdom) {
            self.board.shift(m.from, m.to, colour);
        }
        self.key ^= hash::piece(moved, m.from) ^ hash::piece(moved, m.to);
        self.ply += 1;
        self.quiet = self.quiet.saturating_add(1);
        if let Some((kingdom, kind)) = taken {
            self.quiet = 0;
            self.after_capture(mover, kingdom, kind);
        } else if self.quiet >= self.options.quiet_limit {
            self.score(Ending::Quiet);
        }
        if self.outcome.is_none() {
            self.advance(mover);
        }
    }

    /// Takes a piece off and counts it.
    fn take(&mut self, mover: Seat, square: Square, kingdom: Seat, kind: Kind) {
        self.key ^= hash::piece(self.board.content(square.cell()), square);
        self.board.remove(square, kingdom);
        self.add_captures(mover, kingdom, self.worth(kind));
    }

    /// What one taken piece counts.
    fn worth(&self, kind: Kind) -> u8 {
        match self.options.count {
            Count::Pieces => 1,
            Count::Points => kind.historical_value(),
        }
    }

    fn add_captures(&mut self, by: Seat, of: Seat, number: u8) {
        let old = self.captures(by, of);
        let new = old.saturating_add(number);
        self.captures[by.index()][of.index()] = new;
        self.key ^= hash::captures(by, of, old) ^ hash::captures(by, of, new);
    }

    /// The consequences of a capture: a fall, the end of the game.
    fn after_capture(&mut self, mover: Seat, victim: Seat, kind: Kind) {
        if let Some(collapse) = self.collapse(mover, victim, kind) {
            self.fall(&collapse);
        }
        self.check_victory(mover);
    }

    /// Whether a kingdom that just lost a piece falls, and to whom.
    fn collapse(&self, mover: Seat, kingdom: Seat, kind: Kind) -> Option<Collapse> {
        if !self.is_alive(kingdom) {
            return None;
        }
        if kind == Kind::General {
            let heir = Some(mover);
            return Some(Collapse { kingdom, heir });
        }
        let limit = u32::from(self.options.loss_limit);
        (self.losses(kingdom) > limit).then(|| Collapse {
            kingdom,
            heir: self.heir(kingdom, mover),
        })
    }

    /// Who inherits a kingdom that fell by its losses: the living player with
    /// most captures of it; among equals the mover, else the first in turn
    /// order after him. His seat is found by the same rule.
    fn heir(&self, kingdom: Seat, mover: Seat) -> Option<Seat> {
        let may_inherit = |s: &Seat| {
            self.is_alive(*s) && self.player(*s) != 0 && self.player(*s) != self.player(kingdom)
        };
        let of_player = |s: Seat| self.taken_by_player(self.player(s), kingdom);
        let candidates = || mover.round().filter(may_inherit);
        let most = candidates().map(of_player).max()?;
        let single = self.options.conquest == Conquest::Single;
        if single && most <= u32::from(self.options.loss_limit) {
            return None;
        }
        let player = self.player(candidates().find(|&s| of_player(s) == most)?);
        let seats = || candidates().filter(|&s| self.player(s) == player);
        let most = seats().map(|s| self.captures(s, kingdom)).max()?;
        seats().find(|&s| self.captures(s, kingdom) == most)
    }

    /// What a player has taken of a kingdom.
    fn taken_by_player(&self, player: u8, kingdom: Seat) -> u32 {
        let seats = Seat::ALL.into_iter().filter(|&s| self.player(s) == player);
        seats.map(|s| u32::from(self.captures(s, kingdom))).sum()
    }

    /// Hands a fallen kingdom and all it commanded to its heir, or takes it
    /// off the board.
    fn fall(&mut self, collapse: &Collapse) {
        let Collapse { kingdom, heir } = *collapse;
        if let Some(heir) = heir {
            let conquests = &mut self.conquests[heir.index()];
            *conquests = MOST_CONQUESTS.min(*conquests + 1);
        }
        let keeper = heir.filter(|_| self.options.fall == Fall::Inherit);
        if self.options.fallen_general == FallenGeneral::Remove {
            self.remove_general(kingdom);
        }
        for realm in Seat::ALL {
            if self.commander(realm) == Some(kingdom) {
                self.hand_over(realm, keeper);
            }
        }
        self.key = hash::of(self);
    }

    fn remove_general(&mut self, kingdom: Seat) {
        if let Some(square) = self.board.general(kingdom) {
            self.board.remove(square, kingdom);
        }
    }

    /// Gives the pieces of one colour to `keeper`, or removes them.
    fn hand_over(&mut self, realm: Seat, keeper: Option<Seat>) {
        self.command[realm.index()] = keeper;
        match keeper {
            Some(heir) if self.options.inherited_count => {
                let count = self.worth_on_board(realm);
                self.add_captures(heir, realm, count);
            }
            Some(_) => {}
            None => {
                while let Some(&square) = self.board.men(realm).last() {
                    self.board.remove(square, realm);
                }
            }
        }
    }

    /// What the pieces of one colour on the board would count if taken.
    fn worth_on_board(&self, kingdom: Seat) -> u8 {
        let pieces = self.men(kingdom).iter().filter_map(|&s| self.piece(s));
        pieces.map(|p| self.worth(p.kind())).sum()
    }

    /// Ends the game when someone has won: the mover is asked first, then the
    /// others in turn order.
    fn check_victory(&mut self, mover: Seat) {
        if self.options.hegemon == Hegemon::Wins {
            for seat in mover.round() {
                if let Some(by) = self.victory_of(self.player(seat)) {
                    return self.end(self.team_of_player(self.player(seat)), by);
                }
            }
        }
        if let Some(last) = self.last_team() {
            self.end(last, Ending::Last);
        }
    }

    /// How a player has won, if he has and still lives.
    fn victory_of(&self, player: u8) -> Option<Ending> {
        if player == 0 || !self.lives(player) {
            return None;
        }
        if self.conquests_of_player(player) >= u32::from(self.options.kingdoms_to_win) {
            return Some(Ending::Kingdoms);
        }
        let captures = self.captures_of_player(player);
        (captures > u32::from(self.options.capture_limit)).then_some(Ending::Captures)
    }

    /// Whether a player has a living kingdom.
    pub fn lives(&self, player: u8) -> bool {
        let mut seats = Seat::ALL.into_iter();
        seats.any(|s| self.player(s) == player && self.is_alive(s))
    }

    /// The team of a player, 0 for nobody.
    fn team_of_player(&self, player: u8) -> u8 {
        match player {
            0 => 0,
            player => self.options.teams[player as usize - 1],
        }
    }

    /// The only team with a living kingdom, if there is only one.
    fn last_team(&self) -> Option<u8> {
        let living = |s: &Seat| self.is_alive(*s) && self.player(*s) != 0;
        let mut teams = Seat::ALL.into_iter().filter(living).map(|s| self.team(s));
        let first = teams.next()?;
        teams.all(|t| t == first).then_some(first)
    }

    /// Ends the game with the win of a team.
    fn end(&mut self, team: u8, by: Ending) {
        let members = Seat::ALL.into_iter().filter(|&s| self.team(s) == team);
        let winners = members.fold(0, |set, s| set | 1 << self.player(s));
        self.outcome = Some(Outcome { winners, by });
    }

    /// Ends an exhausted game: the living players with most captures win,
    /// their team mates with them.
    fn score(&mut self, by: Ending) {
        let living = |s: &Seat| self.is_alive(*s) && self.player(*s) != 0;
        let seats = || Seat::ALL.into_iter().filter(living);
        let total = |s: Seat| self.captures_of_player(self.player(s));
        let most = seats().map(total).max();
        let mut teams = [false; SEATS + 1];
        for seat in seats().filter(|&s| Some(total(s)) == most) {
            teams[self.team(seat) as usize] = true;
        }
        let members = Seat::ALL
            .into_iter()
            .filter(|&s| teams[self.team(s) as usize]);
        let winners = members.fold(0, |set, s| set | 1 << self.player(s));
        self.outcome = Some(Outcome { winners, by });
    }

    /// Passes over a seat to move that has no move.
    pub(super) fn skip_the_immobile(&mut self) {
        if self.outcome.is_none() && !self.can_move(self.turn) {
            self.advance(self.turn);
        }
    }

    /// Gives the turn to the next living kingdom that can move.
    fn advance(&mut self, mover: Seat) {
        let next = mover.round().skip(1).chain([mover]);
        let plays = |s: &Seat| self.is_alive(*s) && self.player(*s) != 0 && self.can_move(*s);
        match next.into_iter().find(plays) {
            Some(seat) => {
                self.key ^= hash::turn(self.turn) ^ hash::turn(seat);
                self.turn = seat;
            }
            None => self.score(Ending::NoMoves),
        }
    }
}
