//! Which squares are dangerous for a valuable piece: those that cheaper pieces
//! of the opponent attack.

use super::params::Params;
use crate::board::attacks::{
    advisor_attacks, bishop_attacks, knight_attacks, over_screens, pawn_attacks,
};
use crate::board::{Bitboard, Move, PieceKind, Position, Square};

/// The squares that the side not to move attacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Threats {
    /// With pawns, advisors and bishops.
    by_cheap: Bitboard,
    /// With those, knights and cannons.
    by_middle: Bitboard,
}

impl Threats {
    /// In `pos`.
    pub fn of(pos: &Position) -> Self {
        use PieceKind::{Advisor, Bishop, Cannon, Knight, Pawn};
        let (them, occupied) = (!pos.side_to_move(), pos.occupied());
        let all = |kind, attacks: &dyn Fn(Square) -> Bitboard| {
            pos.pieces(them, kind)
                .into_iter()
                .fold(Bitboard::EMPTY, |set, sq| set | attacks(sq))
        };
        let by_cheap = all(Pawn, &|sq| pawn_attacks(them, sq))
            | all(Advisor, &advisor_attacks)
            | all(Bishop, &|sq| bishop_attacks(sq, occupied));
        let by_middle = by_cheap
            | all(Knight, &|sq| knight_attacks(sq, occupied))
            | all(Cannon, &|sq| over_screens(sq, occupied));
        Self {
            by_cheap,
            by_middle,
        }
    }

    /// What a quiet move of a piece of `kind` is worth for leaving danger, or
    /// costs for running into it, in the unit of histories.
    #[inline]
    pub fn flight(&self, p: &Params, kind: PieceKind, mv: Move) -> i32 {
        let (danger, worth) = match kind {
            PieceKind::Rook => (self.by_middle, p.threat_rook),
            PieceKind::Knight | PieceKind::Cannon => (self.by_cheap, p.threat_piece),
            _ => return 0,
        };
        let is_bad = |sq| i32::from(danger.contains(sq));
        (is_bad(mv.from()) - is_bad(mv.to())) * worth
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rook_leaves_the_line_of_a_cannon() {
        let fen = "3k5/9/9/1c7/9/1P7/9/1R7/9/4K4 w - - 0 1";
        let threats = Threats::of(&fen.parse().unwrap());
        let p = Params::default();
        let flight = |mv: &str| threats.flight(&p, PieceKind::Rook, mv.parse().unwrap());
        assert_eq!(flight("b2a2"), p.threat_rook);
        assert_eq!(flight("b2b3"), 0);
    }

    #[test]
    fn a_knight_does_not_fear_a_cannon() {
        let fen = "3k5/9/9/1c7/9/1P7/9/1N7/9/4K4 w - - 0 1";
        let threats = Threats::of(&fen.parse().unwrap());
        let mv = "b2a4".parse().unwrap();
        assert_eq!(threats.flight(&Params::default(), PieceKind::Knight, mv), 0);
    }
}
