//! What a review has to say, written into the record of the game.

use super::layout::score_text;
use super::review::{Grade, Review, Reviewed};
use super::wording::{Language, ruling_text};
use crate::board::{Color, Move, Position};
use crate::notation::Notation;
use crate::record::{NodeId, Record};
use crate::search::Score;

/// The most moves of a variation.
const LONGEST_VARIATION: usize = 12;

/// How to annotate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// The language of comments.
    pub language: Language,
    /// The notation of moves in comments.
    pub notation: Notation,
    /// Whether every move gets the best line as a variation, not only bad
    /// moves.
    pub all_lines: bool,
}

/// Adds to a record the values of its moves, the better lines, glyphs, and
/// tags. What the record had to say is kept.
pub fn annotate(record: &mut Record, review: &Review, style: Style) {
    write_tags(record, review);
    let opening = opening_comment(review, style.language);
    add_comment(record, NodeId::ROOT, &opening);
    let nodes = record.continuation(NodeId::ROOT);
    let mut pos = record.start().clone();
    let mut parent = NodeId::ROOT;
    for (ply, node) in nodes.into_iter().enumerate().take(review.moves.len()) {
        let comment = move_comment(review, ply, &pos, style);
        add_comment(record, node, &comment);
        let mv = &review.moves[ply];
        if let Some(grade) = mv.grade {
            record.node_mut(node).glyphs.push(grade.glyph());
        }
        if mv.grade.is_some() || mv.is_turning_point || style.all_lines {
            add_variation(record, parent, &review.positions[ply], mv.mv);
        }
        parent = node;
        pos.make(mv.mv);
    }
}

fn write_tags(record: &mut Record, review: &Review) {
    let annotator = concat!("Chuhe ", env!("CARGO_PKG_VERSION"));
    record.tags.set("Annotator", annotator);
    let blank = record.tags.get("Opening").is_none_or(str::is_empty);
    if let Some(opening) = review.opening.as_ref().filter(|_| blank) {
        record.tags.set("Opening", opening.chinese.clone());
    }
    for (name, side) in ["RedAccuracy", "BlackAccuracy"]
        .into_iter()
        .zip(&review.sides)
    {
        if let Some(accuracy) = side.accuracy {
            record.tags.set(name, format!("{accuracy:.1}"));
        }
    }
}

fn add_comment(record: &mut Record, node: NodeId, text: &str) {
    let comment = &mut record.node_mut(node).comment;
    if !comment.is_empty() && !text.is_empty() {
        comment.push('\n');
    }
    comment.push_str(text);
}

/// Accuracies and mistakes of both sides, and the opening.
fn opening_comment(review: &Review, language: Language) -> String {
    let sides = Color::ALL.map(|color| side_comment(review, color, language));
    let mut text = sides.join("; ");
    if let Some(opening) = &review.opening {
        text += &match language {
            Language::English => format!("; {} ({})", opening.english, opening.chinese),
            Language::Chinese => format!("；{}", opening.chinese),
        };
    }
    text
}

fn side_comment(review: &Review, color: Color, language: Language) -> String {
    let side = &review.sides[color.index()];
    let accuracy = side
        .accuracy
        .map_or("-".to_owned(), |accuracy| format!("{accuracy:.1} %"));
    let [inaccuracies, mistakes, blunders] = side.graded;
    match (language, color) {
        (Language::English, _) => {
            let name = if color == Color::Red { "Red" } else { "Black" };
            let inaccuracies = counted(inaccuracies, "inaccuracy", "inaccuracies");
            let mistakes = counted(mistakes, "mistake", "mistakes");
            let blunders = counted(blunders, "blunder", "blunders");
            format!("{name}: accuracy {accuracy}, {inaccuracies}, {mistakes}, {blunders}")
        }
        (Language::Chinese, _) => {
            let name = if color == Color::Red {
                "红方"
            } else {
                "黑方"
            };
            format!(
                "{name}准确率 {accuracy}，软着 {inaccuracies}，失误 {mistakes}，漏着 {blunders}"
            )
        }
    }
}

fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// The value after a move, and what is wrong with it.
fn move_comment(review: &Review, ply: usize, pos: &Position, style: Style) -> String {
    let mv = &review.moves[ply];
    let after = &review.positions[ply + 1];
    let mut text = format!("{}/{}", red_score_text(after, !mv.side), after.depth);
    if mv.grade.is_some() || mv.is_turning_point {
        text += " ";
        text += &grade_comment(review, ply, pos, style);
    }
    for event in review.events.iter().filter(|event| event.ply == ply + 1) {
        text += ". ";
        text += &ruling_text(&event.ruling, style.language);
    }
    text += &offence_ahead(review, ply, style.language);
    text
}

/// The ruling that makes a bad move bad, where it is still to come.
fn offence_ahead(review: &Review, ply: usize, language: Language) -> String {
    let mv = &review.moves[ply];
    let end = review.positions[ply + 1].end.as_ref();
    let end = end.filter(|end| end.after > 0 && end.ruling.at_fault() == Some(mv.side));
    let Some(end) = end.filter(|_| mv.grade.is_some()) else {
        return String::new();
    };
    let ruling = ruling_text(&end.ruling, language);
    match language {
        Language::English => format!(". Ahead: {ruling}"),
        Language::Chinese => format!("。后续：{ruling}"),
    }
}

fn grade_comment(review: &Review, ply: usize, pos: &Position, style: Style) -> String {
    let mv = &review.moves[ply];
    let before = &review.positions[ply];
    let percent = mv.loss * 100.0;
    let best = before.line.first().copied();
    let best = best.map_or(String::new(), |best| style.notation.write(pos, best));
    let value = red_score_text(before, mv.side);
    let turn = mv.is_turning_point;
    match style.language {
        Language::English => {
            let grade = mv.grade.map(Grade::name);
            let names = [grade, turn.then_some("turning point")].into_iter();
            let names: Vec<&str> = names.flatten().collect();
            let names = names.join(", ");
            format!("{names}: chances -{percent:.0} %, better {best} ({value})")
        }
        Language::Chinese => {
            let grade = mv.grade.map(chinese_name);
            let names = [grade, turn.then_some("转折点")].into_iter();
            let names: Vec<&str> = names.flatten().collect();
            let names = names.join("，");
            format!("{names}：期望值 -{percent:.0} %，应走 {best} ({value})")
        }
    }
}

const fn chinese_name(grade: Grade) -> &'static str {
    match grade {
        Grade::Inaccuracy => "软着",
        Grade::Mistake => "失误",
        Grade::Blunder => "漏着",
    }
}

/// A value as Red sees it, where the score is that of `side`.
fn red_score_text(position: &Reviewed, side: Color) -> String {
    score_text(red_score(position.score, side))
}

/// The score of Red, where `score` is that of `side`.
pub fn red_score(score: Score, side: Color) -> Score {
    match (side, score) {
        (Color::Red, score) => score,
        (_, Score::Cp(cp)) => Score::Cp(-cp),
        (_, Score::MateIn(plies)) => Score::MatedIn(plies),
        (_, Score::MatedIn(plies)) => Score::MateIn(plies),
    }
}

/// The best line before a move as a variation beside it, with its value at
/// the first move.
fn add_variation(record: &mut Record, parent: NodeId, before: &Reviewed, played: Move) {
    if before.line.first() == Some(&played) {
        return;
    }
    let mut node = parent;
    for &mv in before.line.iter().take(LONGEST_VARIATION) {
        let known = record.children(node).iter().copied();
        let known = known.clone().find(|id| record.node(*id).mv == mv);
        match known.map_or_else(|| record.play(node, mv), Ok) {
            Ok(next) => node = next,
            Err(_) => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::review::tests::blunder;
    use super::*;
    use crate::rules::RuleSet;

    const STYLE: Style = Style {
        language: Language::English,
        notation: Notation::Wxf,
        all_lines: false,
    };

    fn annotated(style: Style) -> Record {
        let (game, findings) = blunder();
        let review = Review::new(&game, &findings, RuleSet::Asian);
        let mut record = Record::from_game(&game);
        let first = record.continuation(NodeId::ROOT)[0];
        record.node_mut(first).comment = "as usual".into();
        annotate(&mut record, &review, style);
        record
    }

    #[test]
    fn bad_moves_get_glyph_comment_and_variation() {
        let record = annotated(STYLE);
        let nodes = record.continuation(NodeId::ROOT);
        let comments: Vec<&str> = nodes
            .iter()
            .map(|id| record.node(*id).comment.as_str())
            .collect();
        assert_eq!(comments[0], "as usual\n+0.10/9");
        assert!(comments[2].starts_with("-3.00/9 blunder, turning point: chances -"));
        assert!(
            comments[2].ends_with("better H2+3 (+0.15)"),
            "{}",
            comments[2]
        );
        assert_eq!(record.node(nodes[2]).glyphs, [4]);
        assert_eq!(record.lines().len(), 2);
        assert_eq!(record.tags.get("Opening"), Some("中炮对进左马"));
        let root = &record.node(NodeId::ROOT).comment;
        assert!(
            root.contains("1 blunder; Black: accuracy 95.4 %, 0 inaccuracies"),
            "{root}"
        );
    }

    #[test]
    fn all_lines_and_chinese_words_on_demand() {
        let record = annotated(Style {
            language: Language::Chinese,
            notation: Notation::Chinese,
            all_lines: true,
        });
        assert_eq!(record.lines().len(), 3);
        let last = *record.continuation(NodeId::ROOT).last().unwrap();
        assert!(record.node(last).comment.contains("漏着，转折点"));
    }

    #[test]
    fn scores_turn_with_the_side() {
        assert_eq!(red_score(Score::MateIn(3), Color::Black), Score::MatedIn(3));
        assert_eq!(red_score(Score::Cp(30), Color::Red), Score::Cp(30));
        assert_eq!(red_score(Score::MatedIn(0), Color::Black), Score::MateIn(0));
    }
}
