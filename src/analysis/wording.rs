//! Rulings in the words of a language.

use crate::board::Color;
use crate::rules::{Class, ClassifiedMove, DrawReason, Ground, Outcome, Ruling};
use std::fmt;
use std::str::FromStr;

/// A language of comments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Chinese, in simplified characters.
    Chinese,
}

/// A text that names no language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LanguageError(String);

impl fmt::Display for LanguageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: expected english or chinese", self.0)
    }
}

impl std::error::Error for LanguageError {}

impl FromStr for Language {
    type Err = LanguageError;

    fn from_str(text: &str) -> Result<Self, LanguageError> {
        match text {
            "english" | "en" => Ok(Self::English),
            "chinese" | "zh" => Ok(Self::Chinese),
            _ => Err(LanguageError(text.to_owned())),
        }
    }
}

/// A ruling in one sentence.
pub fn ruling_text(ruling: &Ruling, language: Language) -> String {
    match language {
        Language::English => ruling.summary(),
        Language::Chinese => chinese_ruling(ruling),
    }
}

fn chinese_ruling(ruling: &Ruling) -> String {
    let result = match ruling.outcome {
        Outcome::Loss(Color::Red) => "红方负",
        Outcome::Loss(Color::Black) => "黑方负",
        Outcome::Draw => "和棋",
    };
    let number = match ruling.article.number {
        "" => String::new(),
        number => format!("，{number}"),
    };
    let span = format!("第 {} 至 {} 着", ruling.span.start + 1, ruling.span.end);
    let moves = match ruling.ground {
        Ground::Repetition(n) => format!("；{span}，局面第 {n} 次出现"),
        Ground::Streak => format!("；{span}"),
        _ => String::new(),
    };
    let ground = chinese_ground(ruling);
    format!("{result}：{ground}（规则 {}{number}）{moves}", ruling.rules)
}

fn chinese_ground(ruling: &Ruling) -> &'static str {
    match ruling.ground {
        Ground::Checkmate => "绝杀",
        Ground::Stalemate => "困毙",
        Ground::Repetition(_) | Ground::Streak => match ruling.outcome.loser() {
            Some(side) => chinese_offence(&ruling.moves, side),
            None => "循环反复，不变作和",
        },
        Ground::Count(DrawReason::NoCapture(_)) => "自然限着",
        Ground::Count(DrawReason::Material) => "双方无进攻子力",
        Ground::Count(DrawReason::Length(_)) => "着数已满",
        Ground::Automatic => "自动判和",
    }
}

/// What the moves of the side that has to break off are called together.
fn chinese_offence(moves: &[ClassifiedMove], side: Color) -> &'static str {
    let all = |kind: fn(&Class) -> bool| {
        let mut own = moves.iter().filter(|mv| mv.side == side).peekable();
        own.peek().is_some() && own.all(|mv| kind(&mv.class))
    };
    if all(|class| matches!(class, Class::Check(_))) {
        "长将"
    } else if all(|class| matches!(class, Class::Chase { .. })) {
        "长捉"
    } else if all(|class| matches!(class, Class::Kill)) {
        "长杀"
    } else {
        "长打，不变作负"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Game, RuleSet, judge};

    fn ruling(fen: &str, moves: &str) -> Ruling {
        let mut game = Game::new(fen.parse().unwrap());
        for mv in moves.split_whitespace() {
            game.play(mv.parse().unwrap()).unwrap();
        }
        judge(&game, RuleSet::Asian).unwrap()
    }

    #[test]
    fn rulings_are_told_in_chinese() {
        let chinese = |fen, moves: &str| ruling_text(&ruling(fen, moves), Language::Chinese);
        let mate = chinese("3k5/9/9/9/9/9/9/4R4/9/3AKR3 w", "e2d2");
        assert_eq!(mate, "黑方负：绝杀（规则 asian）");
        let rounds = "h2h3 h7h6 h3h2 h6h7 ".repeat(2);
        let draw = chinese(crate::board::START_FEN, &rounds);
        assert!(draw.starts_with("和棋：循环反复"), "{draw}");
        assert!(draw.contains("第 1 至 8 着"), "{draw}");
        let checks = "e5d5 d9e9 d5e5 e9d9 ".repeat(3);
        let lost = chinese("3k5/9/9/9/4R4/9/9/9/9/5K3 w", &checks);
        assert!(lost.starts_with("红方负：长将"), "{lost}");
    }

    #[test]
    fn english_is_the_summary() {
        let mate = ruling("3k5/9/9/9/9/9/9/4R4/9/3AKR3 w", "e2d2");
        assert_eq!(ruling_text(&mate, Language::English), mate.summary());
        assert!("klingon".parse::<Language>().is_err());
    }
}
