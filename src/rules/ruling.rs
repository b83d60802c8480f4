//! A ruling: who wins or that it is a draw, by which rule, for which moves.

use super::chase::Novelty;
use super::{ChineseLevel, DrawReason, RuleSet};
use crate::board::{Color, Move, Piece, Square};
use std::fmt;
use std::ops::Range;

/// The result of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// This side loses.
    Loss(Color),
    /// A draw.
    Draw,
}

impl Outcome {
    /// `red_loses`, `black_loses` or `draw`, as in files of cases.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Loss(Color::Red) => "red_loses",
            Self::Loss(Color::Black) => "black_loses",
            Self::Draw => "draw",
        }
    }

    /// The side that loses.
    pub const fn loser(self) -> Option<Color> {
        match self {
            Self::Loss(side) => Some(side),
            Self::Draw => None,
        }
    }
}

/// A rule by its number in the text it comes from and by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Article {
    /// The text and number, as in `CXQ 3.1`; empty where the text has none.
    pub number: &'static str,
    /// What the rule is called.
    pub name: &'static str,
}

/// A piece and where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// The piece.
    pub piece: Piece,
    /// Its square after the move that is classified.
    pub square: Square,
}

/// One attack of a chase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attack {
    /// The attacking piece.
    pub by: Standing,
    /// The piece attacked.
    pub victim: Standing,
    /// What made it new, where the rules ask.
    pub novelty: Option<Novelty>,
}

/// What a move is in the eyes of the rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Class {
    /// It gives check with these pieces.
    Check(Vec<Standing>),
    /// It threatens mate.
    Kill,
    /// It chases.
    Chase {
        /// The attacks, at least one unless the gain is a combination.
        attacks: Vec<Attack>,
        /// Chinese rules: by several pieces together, or of a piece with too
        /// little protection rather than none.
        light: bool,
    },
    /// It offers an exchange or itself (Chinese rules), which is permitted.
    Exchange,
    /// None of these.
    Idle,
}

impl Class {
    /// The name in one or two words.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Check(_) => "check",
            Self::Kill => "kill",
            Self::Chase { light: false, .. } => "chase",
            Self::Chase { light: true, .. } => "light chase",
            Self::Exchange => "exchange",
            Self::Idle => "idle",
        }
    }
}

/// A move of the cycle or streak.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassifiedMove {
    /// Its number in the game, from 1.
    pub ply: usize,
    /// Who made it.
    pub side: Color,
    /// The move.
    pub mv: Move,
    /// What it is.
    pub class: Class,
}

/// Why a game is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ground {
    /// No legal move, in check.
    Checkmate,
    /// No legal move, not in check.
    Stalemate,
    /// A repetition, at this occurrence of the position.
    Repetition(usize),
    /// A run of moves longer than allowed.
    Streak,
    /// A draw by count or for want of material.
    Count(DrawReason),
    /// An automatic draw of Club Xiangqi.
    Automatic,
}

impl Ground {
    /// The name in a word or two.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::Repetition(_) => "repetition",
            Self::Streak => "streak",
            Self::Count(_) => "draw by count",
            Self::Automatic => "automatic draw",
        }
    }
}

/// A ruling on the last position of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ruling {
    /// The rule set.
    pub rules: RuleSet,
    /// The result.
    pub outcome: Outcome,
    /// On what ground.
    pub ground: Ground,
    /// The rule.
    pub article: Article,
    /// The plies of the game that the ruling is about, counted from 0: the
    /// cycle or the streak; empty for mate and draws by count.
    pub span: Range<usize>,
    /// The moves of the span with their classes.
    pub moves: Vec<ClassifiedMove>,
}

impl Ruling {
    /// The side that broke a rule; nobody does by being mated.
    pub fn at_fault(&self) -> Option<Color> {
        match self.ground {
            Ground::Repetition(_) | Ground::Streak => self.outcome.loser(),
            _ => None,
        }
    }
}

const fn side_name(side: Color) -> &'static str {
    match side {
        Color::Red => "Red",
        Color::Black => "Black",
    }
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use crate::board::PieceKind::{Advisor, Bishop, Cannon, King, Knight, Pawn, Rook};
        let name = match self.piece.kind() {
            King => "king",
            Advisor => "advisor",
            Bishop => "elephant",
            Knight => "horse",
            Rook => "rook",
            Cannon => "cannon",
            Pawn => "pawn",
        };
        write!(f, "{name} {}", self.square)
    }
}

impl fmt::Display for Attack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} attacks {}", self.by, self.victim)?;
        match self.novelty {
            Some(Novelty::FalseRoot) => f.write_str(", whose protector may not leave its king"),
            Some(Novelty::Unrooted) => f.write_str(", whose protection is taken away"),
            Some(Novelty::Reach) | None => Ok(()),
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        let details: Vec<String> = match self {
            Self::Check(by) => by.iter().map(|s| format!("by {s}")).collect(),
            Self::Chase { attacks, .. } => attacks.iter().map(Attack::to_string).collect(),
            _ => Vec::new(),
        };
        if details.is_empty() {
            Ok(())
        } else {
            write!(f, ": {}", details.join("; "))
        }
    }
}

impl fmt::Display for ClassifiedMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = side_name(self.side);
        write!(f, "{:>4} {side:<5} {}  {}", self.ply, self.mv, self.class)
    }
}

/// The ruling in one sentence.
impl Ruling {
    /// The result, the rule and the moves in one sentence, without the list
    /// of moves.
    pub fn summary(&self) -> String {
        let result = match self.outcome {
            Outcome::Loss(side) => format!("{} loses", side_name(side)),
            Outcome::Draw => "Draw".to_owned(),
        };
        let number = match self.article.number {
            "" => String::new(),
            number => format!(", {number}"),
        };
        let where_ = match self.ground {
            Ground::Repetition(n) => format!(
                "; moves {} to {}, occurrence {n} of the position",
                self.span.start + 1,
                self.span.end
            ),
            Ground::Streak => format!("; moves {} to {}", self.span.start + 1, self.span.end),
            _ => String::new(),
        };
        let name = self.article.name;
        format!("{result}: {name} (rules {}{number}){where_}", self.rules)
    }
}

/// The sentence and, line by line, what each move of the cycle or streak is.
impl fmt::Display for Ruling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.summary())?;
        self.moves.iter().try_for_each(|mv| writeln!(f, "{mv}"))
    }
}

/// The levels of Red and Black by the Chinese rules, from the classes of the
/// moves of a cycle.
pub fn levels_of_classified(moves: &[ClassifiedMove]) -> [u8; 2] {
    let level = |class: &Class| match class {
        Class::Check(_) => ChineseLevel::Check,
        Class::Kill | Class::Chase { light: false, .. } => ChineseLevel::Heavy,
        Class::Chase { light: true, .. } => ChineseLevel::Light,
        Class::Exchange | Class::Idle => ChineseLevel::Permitted,
    };
    Color::ALL.map(|side| {
        let own = moves.iter().filter(|mv| mv.side == side);
        own.map(|mv| level(&mv.class))
            .min()
            .map_or(0, |level| level as u8)
    })
}
