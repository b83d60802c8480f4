//! The text of one PGN game taken apart: tags and a tree of tokens, no move
//! understood yet.

use crate::notation::is_move_text;
use crate::record::problem::note;
use crate::record::tags::chinese_name;
use crate::record::{GameResult, Problem, ProblemKind, Tags};

/// Something among the moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Item<'a> {
    Move {
        text: &'a str,
        line: usize,
    },
    Comment(String),
    Glyph(u8),
    /// Round brackets: the number of the sequence in them.
    Bracket(usize),
}

/// Moves from one position on, with what stands between them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Sequence<'a> {
    pub(super) items: Vec<Item<'a>>,
    /// The text itself, for brackets that turn out to be a comment.
    pub(super) raw: &'a str,
    pub(super) line: usize,
    /// Whether it holds words that are no moves.
    pub(super) stray: bool,
}

/// A game's text taken apart; sequence 0 is the main line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct GameText<'a> {
    pub(super) tags: Tags,
    pub(super) sequences: Vec<Sequence<'a>>,
    pub(super) result: Option<GameResult>,
    pub(super) problems: Vec<Problem>,
}

/// Numeric glyphs of the signs behind a move.
const GLYPHS: [(&str, u8); 6] = [
    ("!!", 3),
    ("??", 4),
    ("!?", 5),
    ("?!", 6),
    ("!", 1),
    ("?", 2),
];
/// What ends a word among the moves.
const WORD_ENDS: &[char] = &[
    '{', '}', '(', ')', '（', '）', ';', '[', ']', '$', ',', '，', '；',
];
/// Signs between a move number and its move.
const NUMBER_SIGNS: [char; 5] = ['.', '、', '．', '。', '…'];
/// The most brackets of one game; text in further ones is left out.
const MAX_BRACKETS: usize = 10_000;
/// The most tags of one game; further ones are left out.
const MAX_TAGS: usize = 1000;
/// Characters of a Chinese move.
const HAN_MOVE: usize = 4;

/// Takes a game apart; `line` is the number of the text's first line.
pub(super) fn take_apart(text: &str, line: usize) -> GameText<'_> {
    let mut scanner = Scanner::new(text, line);
    scanner.tags();
    scanner.moves();
    scanner.finish()
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    line: usize,
    game: GameText<'a>,
    /// Open brackets: sequence number and where its text starts.
    open: Vec<(usize, usize)>,
    // What is known not to come any more, so that a crafted text is not
    // searched through again and again.
    /// Up to here no tag of the line has quotes before its bracket.
    bare_tags_until: usize,
    /// Braces are not in pairs: a comment ends with the first one that closes.
    unpaired_braces: bool,
    /// There are no more wide brackets that close.
    wide_brackets_done: bool,
}

impl<'a> Scanner<'a> {
    fn new(text: &'a str, line: usize) -> Self {
        Self {
            text,
            at: 0,
            line,
            game: GameText {
                tags: Tags::default(),
                sequences: vec![Sequence::default()],
                result: None,
                problems: Vec::new(),
            },
            open: vec![(0, 0)],
            bare_tags_until: 0,
            unpaired_braces: false,
            wide_brackets_done: false,
        }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Moves on by `bytes` and counts the lines passed.
    fn skip(&mut self, bytes: usize) -> &'a str {
        let passed = &self.text[self.at..self.at + bytes];
        self.line += passed.matches('\n').count();
        self.at += bytes;
        passed
    }

    fn skip_blanks(&mut self) {
        let rest = self.rest();
        let blank = |c: char| c.is_whitespace() || c == '\u{feff}' || c == '\0';
        self.skip(rest.len() - rest.trim_start_matches(blank).len());
    }

    fn problem(&mut self, kind: ProblemKind) {
        note(&mut self.game.problems, Problem::at_line(self.line, kind));
    }

    /// The sequence being filled.
    fn sequence(&mut self) -> &mut Sequence<'a> {
        let (number, _) = self.open[self.open.len() - 1];
        &mut self.game.sequences[number]
    }

    /// Reads tags and `name：value` lines up to the moves.
    fn tags(&mut self) {
        loop {
            self.skip_blanks();
            if self.rest().starts_with('[') {
                self.tag();
            } else if !self.chinese_tag() && !self.escaped_line() {
                return;
            }
        }
    }

    /// `[Name "value"]`: quotes of either kind, the closing one or the
    /// bracket possibly missing, quotes inside the value not escaped.
    fn tag(&mut self) {
        let end = self.tag_end();
        let tag = self.skip(end.length);
        if end.open {
            self.problem(ProblemKind::Unclosed("a tag"));
        }
        let body = &tag[1..end.body];
        let (name, value) = body.split_once(char::is_whitespace).unwrap_or((body, ""));
        if self.game.tags.len() >= MAX_TAGS {
            self.problem(ProblemKind::TooLarge("the number of tags"));
        } else if !name.is_empty() {
            self.game.tags.set(name, unquoted(value.trim()));
        }
    }

    /// Where the tag ends: at the first bracket with quotes before it, at the
    /// first bracket of the line if none has them, or with the line.
    fn tag_end(&mut self) -> TagEnd {
        let text = self.rest();
        let mut bare = None;
        let mut line_end = text.len();
        for (i, _) in text.match_indices([']', '\n']) {
            if text[i..].starts_with('\n') {
                line_end = i;
                break;
            }
            let quoted = text[1..i].strip_suffix(' ').unwrap_or(&text[1..i]);
            if quoted.ends_with(['"', '\'']) {
                return TagEnd::at_bracket(1 + quoted.len(), i);
            }
            bare = bare.or(Some(i));
            if self.at < self.bare_tags_until {
                break;
            }
        }
        self.bare_tags_until = self.bare_tags_until.max(self.at + line_end);
        bare.map_or_else(
            || TagEnd::at_line_end(&text[..line_end]),
            |bracket| TagEnd::at_bracket(bracket, bracket),
        )
    }

    fn chinese_tag(&mut self) -> bool {
        let line = self.rest().lines().next().unwrap_or_default();
        let Some((name, value)) = line.split_once(['：', ':']) else {
            return false;
        };
        let Some(name) = chinese_name(name.trim()) else {
            return false;
        };
        self.game.tags.set_filled(name, value);
        self.skip(line.len());
        true
    }

    /// A line that starts with `%` is for other programs.
    fn escaped_line(&mut self) -> bool {
        let escaped = self.rest().starts_with('%');
        if escaped {
            self.skip_line();
        }
        escaped
    }

    fn skip_line(&mut self) -> &'a str {
        let rest = self.rest();
        self.skip(rest.find('\n').unwrap_or(rest.len()))
    }

    /// Reads up to the result or the end of the text.
    fn moves(&mut self) {
        self.skip_blanks();
        self.game.sequences[0].line = self.line;
        while let Some(c) = self.rest().chars().next() {
            match c {
                '{' => self.braces(),
                '（' => self.wide_brackets(),
                ';' => self.line_comment(),
                '(' => self.open_bracket(),
                ')' => self.close_bracket(),
                '$' => self.numeric_glyph(),
                _ if WORD_ENDS.contains(&c) => drop(self.skip(c.len_utf8())),
                _ if self.word() => return,
                _ => {}
            }
            self.skip_blanks();
        }
    }

    fn comment(&mut self, text: &str) {
        let text = text.trim().replace("\r\n", "\n");
        if !text.is_empty() {
            self.sequence().items.push(Item::Comment(text));
        }
    }

    /// `{...}`, possibly nested.
    fn braces(&mut self) {
        let rest = self.rest();
        let paired = (!self.unpaired_braces)
            .then(|| paired_brace(rest))
            .flatten();
        self.unpaired_braces |= paired.is_none();
        let end = paired.or_else(|| rest.find('}'));
        if end.is_none() {
            self.problem(ProblemKind::Unclosed("a comment"));
        }
        let text = self.skip(end.map_or(rest.len(), |i| i + 1));
        self.comment(text[1..].strip_suffix('}').unwrap_or(&text[1..]));
    }

    fn wide_brackets(&mut self) {
        let rest = self.rest();
        let close = (!self.wide_brackets_done)
            .then(|| rest.find('）'))
            .flatten();
        self.wide_brackets_done |= close.is_none();
        let text = match close {
            Some(i) => self.skip(i + '）'.len_utf8()),
            None => self.skip_line(),
        };
        self.comment(text.trim_start_matches('（').trim_end_matches('）'));
    }

    fn line_comment(&mut self) {
        let text = self.skip_line();
        self.comment(&text[1..]);
    }

    fn open_bracket(&mut self) {
        self.skip(1);
        if self.game.sequences.len() > MAX_BRACKETS {
            return self.problem(ProblemKind::TooLarge("the number of brackets"));
        }
        let number = self.game.sequences.len();
        self.sequence().items.push(Item::Bracket(number));
        let line = self.line;
        self.game.sequences.push(Sequence {
            line,
            ..Sequence::default()
        });
        self.open.push((number, self.at));
    }

    fn close_bracket(&mut self) {
        self.end_bracket();
        self.skip(1);
    }

    fn end_bracket(&mut self) {
        if self.open.len() > 1 {
            let (number, start) = self.open.pop().unwrap_or_default();
            self.game.sequences[number].raw = &self.text[start..self.at];
        }
    }

    /// `$n`.
    fn numeric_glyph(&mut self) {
        let digits = self.rest()[1..]
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(self.rest().len() - 1);
        let text = self.skip(1 + digits);
        if let Ok(glyph) = text[1..].parse() {
            self.sequence().items.push(Item::Glyph(glyph));
        }
    }

    /// A word: move, move number or result. Returns whether it ends the game.
    fn word(&mut self) -> bool {
        let rest = self.rest();
        let end = |c: char| c.is_whitespace() || WORD_ENDS.contains(&c) || c == '\0';
        let word = &rest[..rest.find(end).unwrap_or(rest.len())];
        if self.open.len() == 1
            && let Some(result) = GameResult::token(word)
        {
            self.game.result = Some(result);
            return true;
        }
        let line = self.line;
        self.skip(word.len().max(1));
        self.move_word(without_number(word), line);
        false
    }

    fn move_word(&mut self, word: &'a str, line: usize) {
        let (bare, glyph) = split_glyph(word);
        if bare.is_empty()
            || bare
                .chars()
                .all(|c| c.is_ascii_digit() || NUMBER_SIGNS.contains(&c))
        {
            // A number, or dots for a half-move that is not there.
        } else if is_move_text(bare) {
            self.sequence().items.push(Item::Move { text: bare, line });
        } else if let Some(moves) = glued_moves(bare) {
            let items = moves.into_iter().map(|text| Item::Move { text, line });
            self.sequence().items.extend(items);
        } else {
            self.stray(bare);
        }
        self.sequence().items.extend(glyph.map(Item::Glyph));
    }

    fn stray(&mut self, word: &str) {
        self.sequence().stray = true;
        if self.open.len() == 1 {
            self.problem(ProblemKind::StrayText(word.to_owned()));
        }
    }

    fn finish(mut self) -> GameText<'a> {
        if self.open.len() > 1 {
            self.problem(ProblemKind::Unclosed("a bracket"));
        }
        while self.open.len() > 1 {
            self.end_bracket();
        }
        self.game
    }
}

/// Where a tag ends, in bytes from its opening bracket.
struct TagEnd {
    /// The end of what stands between the brackets.
    body: usize,
    length: usize,
    /// Whether the closing bracket is missing.
    open: bool,
}

impl TagEnd {
    fn at_bracket(body: usize, bracket: usize) -> Self {
        let length = bracket + 1;
        Self {
            body,
            length,
            open: false,
        }
    }

    fn at_line_end(line: &str) -> Self {
        let body = line.trim_end().len();
        Self {
            body,
            length: line.len(),
            open: true,
        }
    }
}

/// The brace that closes the one at the start of a text, those between in
/// pairs.
fn paired_brace(text: &str) -> Option<usize> {
    let mut depth = 0;
    let mut braces = text.match_indices(['{', '}']);
    let end = braces.find(|(_, brace)| {
        depth += if *brace == "{" { 1 } else { -1 };
        depth == 0
    });
    end.map(|(i, _)| i)
}

fn unquoted(value: &str) -> String {
    let quote = |c: char| c == '"' || c == '\'' || c == '“' || c == '”';
    let inner = value.strip_prefix(quote).unwrap_or(value);
    let inner = inner.strip_suffix(quote).unwrap_or(inner);
    inner.replace("\\\"", "\"").replace("\\\\", "\\")
}

/// The word without a leading move number: `12.`, `1、`, `3...`. A text such
/// as `33.4` is a pawn's move and stays whole.
fn without_number(word: &str) -> &str {
    let digit = |c: char| c.is_ascii_digit() || ('０'..='９').contains(&c);
    let after_digits = word.trim_start_matches(digit);
    let rest = after_digits.trim_start_matches(NUMBER_SIGNS);
    let numbered = after_digits.len() < word.len() && rest.len() < after_digits.len();
    let dots_only = after_digits.len() == word.len() && rest.len() < word.len();
    if dots_only || numbered && !rest.chars().all(digit) || rest.is_empty() {
        rest
    } else {
        word
    }
}

fn split_glyph(word: &str) -> (&str, Option<u8>) {
    let found = GLYPHS.iter().find_map(|&(sign, glyph)| {
        let bare = word.strip_suffix(sign)?;
        Some((bare, Some(glyph)))
    });
    found.unwrap_or((word, None))
}

/// Chinese moves written without blanks between them.
fn glued_moves(word: &str) -> Option<Vec<&str>> {
    let starts: Vec<usize> = word.char_indices().map(|(i, _)| i).collect();
    if starts.len() <= HAN_MOVE || !starts.len().is_multiple_of(HAN_MOVE) {
        return None;
    }
    let mut borders: Vec<usize> = starts.into_iter().step_by(HAN_MOVE).collect();
    borders.push(word.len());
    let parts: Vec<&str> = borders.windows(2).map(|w| &word[w[0]..w[1]]).collect();
    parts.iter().all(|part| is_move_text(part)).then_some(parts)
}
