//! What `d`, `help` and `go perft` print.

use crate::board::perft::perft;
use crate::board::{Color, FILES, Position, RANKS, Square};
use crate::clock::Stop;
use crate::eval::{classical, nnue::Network, wdl::centipawns};
use crate::kingdoms::protocol::{VARIANT, helps};
use crate::protocol::Dialect;
use crate::protocol::options::OPTIONS;
use crate::rules::{Game, RuleSet, judge};
use crate::search::Score;
use std::fmt::Write;

/// The board with its FEN, key and the pieces that give check.
pub fn position(pos: &Position) -> String {
    let mut text = String::new();
    for rank in (0..RANKS).rev() {
        let row: String = (0..FILES)
            .map(|file| match pos.piece_on(Square::at(file, rank)) {
                Some(piece) => format!(" {piece}"),
                None => " .".to_owned(),
            })
            .collect();
        let _ = writeln!(text, "{rank} {row}");
    }
    let files: String = ('a'..='i').map(|file| format!(" {file}")).collect();
    let checkers: String = pos
        .checkers()
        .into_iter()
        .map(|sq| format!(" {sq}"))
        .collect();
    let side = match pos.side_to_move() {
        Color::Red => "Red",
        Color::Black => "Black",
    };
    let _ = write!(
        text,
        "  {files}   {side} to move\n\nFen: {pos}\nKey: {:016X}\nCheckers:{checkers}",
        pos.key()
    );
    text
}

/// What the rules make of the game so far.
pub fn ruling(game: &Game, rules: RuleSet) -> String {
    judge(game, rules).map_or_else(
        || format!("Ruling: none, play goes on (rules {rules})"),
        |ruling| format!("Ruling: {}", ruling.to_string().trim_end()),
    )
}

/// The hand-made evaluation term by term, and what the net says, which is
/// what the search goes by.
pub fn evaluation(pos: &Position, network: &Network) -> String {
    let (trace, hand_made) = (classical::trace(pos), classical::evaluate(pos));
    let told = |points| {
        let cp = centipawns(points);
        format!("{points} points, {cp} centipawns for the side to move")
    };
    let (hand_made, net) = (told(hand_made), told(network.evaluate(pos)));
    format!(
        "{trace}Hand-made evaluation: {hand_made}\n\
         Evaluation by the net: {net}\n\
         Net: {network}"
    )
}

/// The evaluation without a search, for the side to move.
pub fn static_score(pos: &Position, network: &Network) -> Score {
    Score::Cp(centipawns(network.evaluate(pos)))
}

/// Leaves of the move tree `depth` plies deep, per root move; cut short by
/// `stop`.
pub fn divide(pos: &Position, depth: u32, stop: &Stop) -> String {
    let (mut text, mut sum) = (String::new(), Some(u64::from(depth == 0)));
    for mv in pos.legal_moves().into_iter().filter(|_| depth > 0) {
        let count = count_leaves(&mut pos.after(mv), depth - 1, stop);
        if let Some(count) = count {
            let _ = writeln!(text, "{mv}: {count}");
        }
        sum = sum.zip(count).map(|(sum, count)| sum + count);
    }
    let _ = match sum {
        Some(sum) => write!(text, "\nNodes searched: {sum}\n"),
        None => write!(text, "\ninfo string perft stopped before its end\n"),
    };
    text
}

/// Trees of this depth are counted in a few milliseconds, without a look at
/// the flag.
const UNWATCHED_DEPTH: u32 = 4;

/// The leaves of a tree, `None` when stopped.
fn count_leaves(pos: &mut Position, depth: u32, stop: &Stop) -> Option<u64> {
    if stop.is_stopped() {
        return None;
    }
    if depth <= UNWATCHED_DEPTH {
        return Some(perft(pos, depth));
    }
    pos.legal_moves()
        .into_iter()
        .map(|mv| count_leaves(&mut pos.after(mv), depth - 1, stop))
        .sum()
}

const COMMANDS: &str = "\
uci | ucci                       introduce yourself in this dialect
isready                          answer readyok
setoption name NAME value VALUE  set an option (UCCI: setoption NAME VALUE)
ucinewgame                       forget what was learnt
position startpos|fen FEN [moves M...]
banmoves M...                    root moves not to play in this position
go [depth N] [nodes N] [movetime MS] [wtime MS btime MS winc MS binc MS movestogo N]
   [time T increment I movestogo N opptime T oppincrement I oppmovestogo N]
   [mate N] [infinite] [ponder|draw] [searchmoves M...]
go perft N                       count the leaves of the move tree
stop | ponderhit [draw]          end the search | the expected move was played
probe startpos|fen FEN           what the table knows (UCCI)
d | eval | flip                  show the board | the evaluation | exchange the sides
bench [HASH] [THREADS] [DEPTH]   search fixed positions, report on stderr
quit                             leave

Options:";

/// The commands and the options of a dialect.
pub fn help(dialect: Dialect) -> String {
    let mut text = COMMANDS.to_owned();
    for row in OPTIONS {
        if let Some(name) = row.name(dialect) {
            let _ = write!(text, "\n  {name:<18} {}", row.help);
        }
    }
    let _ = write!(text, "\n\nOptions while UCI_Variant is {VARIANT}:");
    for (name, help) in helps() {
        let _ = write!(text, "\n  {name:<24} {help}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_is_drawn_from_reds_side() {
        let mut pos = Position::startpos();
        pos.make("h2e2".parse().unwrap());
        let expected = "\
9  r n b a k a b n r
8  . . . . . . . . .
7  . c . . . . . c .
6  p . p . p . p . p
5  . . . . . . . . .
4  . . . . . . . . .
3  P . P . P . P . P
2  . C . . C . . . .
1  . . . . . . . . .
0  R N B A K A B N R
   a b c d e f g h i   Black to move

Fen: rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1
Key: ";
        assert!(position(&pos).starts_with(expected), "{}", position(&pos));
    }

    #[test]
    fn divide_sums_up() {
        let text = divide(&Position::startpos(), 2, &Stop::default());
        assert!(text.contains("\nNodes searched: 1920\n"), "{text}");
        assert_eq!(text.lines().filter(|line| line.contains(": ")).count(), 45);
        assert!(divide(&Position::startpos(), 0, &Stop::default()).contains("searched: 1\n"));
    }

    #[test]
    fn a_stopped_count_gives_no_sum() {
        let stop = Stop::default();
        stop.stop();
        let text = divide(&Position::startpos(), 8, &stop);
        assert!(
            !text.contains("Nodes searched") && text.contains("stopped"),
            "{text}"
        );
    }

    #[test]
    fn help_names_every_option() {
        assert!(help(Dialect::Uci).contains("Move Overhead"));
        assert!(help(Dialect::Uci).contains("Kingdoms_LossLimit"));
        assert!(help(Dialect::Ucci).contains("usemillisec"));
    }
}
