//! The rules of the seven kingdoms in a few words, as they are set.

use crate::kingdoms::{Count, Fall, Hegemon, Options, Reach};

/// What a person is told at the start; `who_plays` is a sentence.
pub(super) fn introduction(rules: &Options, who_plays: &str) -> String {
    let pieces = unit(rules);
    format!(
        "The Game of the Seven Kingdoms by the rules `{rules}`. {}\n{}\n{}.\n\
         A kingdom falls with more than {} {pieces} lost. Guard your general G: there is\n\
         no check, and all others move before you move again.",
        who_plays,
        fall_rule(rules),
        aim(rules),
        rules.loss_limit,
    )
}

/// The pieces and how they go.
pub(super) fn how_to_move(rules: &Options) -> String {
    let archer = match rules.archer {
        Reach::UpTo => "up to ",
        Reach::Exact => "exactly ",
    };
    let knight = match rules.knight {
        Reach::UpTo => "1-3",
        Reach::Exact => "3",
    };
    format!(
        "A move is two squares, as a13b15: files a to s, ranks 1 to 19. Pieces:\n\
         G 將 general, any distance along 8 lines    R 偏 chancellor, straight lines\n\
         B 裨 diplomat, diagonals                    C 砲 cannon, takes over one piece\n\
         {:43} X 弩 crossbow, {archer}5\n\
         {:43} D 刀 dagger, 1 diagonally\n\
         S 劍 sword, 1 straight                      M 行 go-between, never takes nor is taken\n\
         A letter before a piece is the conqueror who commands it; > marks the last move.\n\
         Words besides moves:",
        format!("A 弓 archer, {archer}4 along 8 lines"),
        format!("N 騎 knight, 1 straight, then {knight} slanting"),
    )
}

/// What is counted.
fn unit(rules: &Options) -> &'static str {
    match rules.count {
        Count::Pieces => "pieces",
        Count::Points => "points",
    }
}

fn fall_rule(rules: &Options) -> &'static str {
    match rules.fall {
        Fall::Inherit => "Take a general and his kingdom serves you.",
        Fall::Remove => "Take a general and his army leaves the board.",
    }
}

/// How the game is won.
fn aim(rules: &Options) -> String {
    let (kingdoms, captures) = (rules.kingdoms_to_win, rules.capture_limit);
    let goal = match kingdoms {
        1 => "1 kingdom conquered".to_owned(),
        n => format!("{n} kingdoms conquered"),
    };
    let goal = format!("{goal}, or more than {captures} {} taken", unit(rules));
    match rules.hegemon {
        Hegemon::Wins => format!("{goal}, win the game"),
        Hegemon::PlaysOn => format!("{goal}, are a title only: the last one left wins"),
    }
}
