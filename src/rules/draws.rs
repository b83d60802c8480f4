//! Draws by count and for want of material. Each is a switch of its own; a
//! rule set only says how they stand by default.

use super::{Game, RuleSet};
use crate::board::{Bitboard, Color, PieceKind, Position};

/// Which draws are in force besides repetition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DrawRules {
    /// Plies without a capture that make a draw, `None` for no limit.
    pub capture_limit: Option<u16>,
    /// How many checks of a side count among them; later ones and their
    /// answers do not. `None` when all count.
    pub checks_counted: Option<u16>,
    /// A draw when neither side has a piece that can give mate.
    pub material: bool,
    /// Plies in all that make a draw.
    pub length: Option<u16>,
}

/// The 60 moves of each side, in plies.
pub const SIXTY_MOVES: u16 = 120;
/// Checks of a side that count towards the sixty moves.
pub const CHECKS_COUNTED: u16 = 10;
/// The 50 moves of each side of the computer league, in plies.
const FIFTY_MOVES: u16 = 100;
/// The length of a game on Tiantian, in plies.
const TIANTIAN_LENGTH: u16 = 400;

impl DrawRules {
    /// No draws but by repetition.
    pub const OFF: Self = Self {
        capture_limit: None,
        checks_counted: None,
        material: false,
        length: None,
    };

    const SIXTY: Self = Self {
        capture_limit: Some(SIXTY_MOVES),
        checks_counted: Some(CHECKS_COUNTED),
        ..Self::OFF
    };

    /// The switches as a rule set has them.
    pub const fn of(rules: RuleSet) -> Self {
        match rules {
            RuleSet::Cxq | RuleSet::Basic => Self::OFF,
            RuleSet::Sixty => Self::SIXTY,
            RuleSet::ClassicPrc | RuleSet::ClassicHk => Self {
                material: true,
                ..Self::OFF
            },
            RuleSet::Computer => Self {
                capture_limit: Some(FIFTY_MOVES),
                checks_counted: Some(0),
                material: true,
                length: None,
            },
            RuleSet::Sky => Self {
                material: true,
                length: Some(TIANTIAN_LENGTH),
                ..Self::SIXTY
            },
            RuleSet::Asian | RuleSet::Wxf | RuleSet::Chinese | RuleSet::Simple | RuleSet::None => {
                Self {
                    material: true,
                    ..Self::SIXTY
                }
            }
        }
    }
}

/// A draw by count or for want of material.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DrawReason {
    /// So many plies without a capture.
    NoCapture(u16),
    /// Neither side has a rook, horse, cannon or pawn.
    Material,
    /// So many plies in all.
    Length(u16),
}

/// The draw on the board, if the rules have one.
pub(super) fn drawn(game: &Game, rules: &DrawRules) -> Option<DrawReason> {
    let counted = || plies_without_capture(game, rules.checks_counted);
    if rules.material && is_material_draw(game.position()) {
        return Some(DrawReason::Material);
    }
    match (rules.capture_limit, rules.length) {
        (Some(limit), _) if counted() >= limit => Some(DrawReason::NoCapture(limit)),
        (_, Some(limit)) if game.moves().len() >= usize::from(limit) => {
            Some(DrawReason::Length(limit))
        }
        _ => None,
    }
}

/// Whether neither side has a rook, horse, cannon or pawn.
pub fn is_material_draw(pos: &Position) -> bool {
    use PieceKind::{Cannon, Knight, Pawn, Rook};
    let fighters = [Rook, Knight, Cannon, Pawn].map(|kind| pos.kind(kind));
    fighters.into_iter().all(Bitboard::is_empty)
}

/// The plies since the last capture that count: from the FEN's counter on, a
/// side's checks beyond `checks_counted` since then and the answers to them
/// left out.
pub fn plies_without_capture(game: &Game, checks_counted: Option<u16>) -> u16 {
    let mut count = Count {
        plies: game.positions()[0].halfmove_clock(),
        checks: [0; 2],
        last_was_free: false,
    };
    let plies = game.positions().windows(2).zip(game.moves());
    for (pair, &mv) in plies {
        if pair[0].is_capture(mv) {
            count = Count::default();
        } else {
            let side = pair[0].side_to_move();
            count.add(side, pair[1].in_check(), checks_counted);
        }
    }
    count.plies
}

#[derive(Default)]
struct Count {
    plies: u16,
    checks: [u16; 2],
    /// The last move was a check that does not count.
    last_was_free: bool,
}

impl Count {
    fn add(&mut self, side: Color, checks: bool, checks_counted: Option<u16>) {
        let seen = &mut self.checks[side.index()];
        *seen += u16::from(checks);
        let free = checks && checks_counted.is_some_and(|most| *seen > most);
        let counts = !free && !self.last_was_free;
        self.plies = self.plies.saturating_add(u16::from(counts));
        self.last_was_free = free;
    }
}
