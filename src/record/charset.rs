//! The encodings of game texts: found out, decoded, encoded.
//!
//! A byte order mark decides; then valid UTF-8; then the legacy encoding
//! under which more of the characters of Chinese move notation appear, GB18030
//! or Big5; and where there are none, the guess of `chardetng`, the detector
//! of Firefox. Bytes that mean nothing in the encoding are kept as the
//! private-use characters U+F780 to U+F7FF, as the WHATWG encoding
//! `x-user-defined` has them, and written back as they were.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{
    BIG5, DecoderResult, EncoderResult, Encoding, GB18030, GBK, UTF_8, UTF_16BE, UTF_16LE,
    WINDOWS_1258,
};
use std::fmt;
use std::str::FromStr;

/// An encoding asked for, or the wish to have it found out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Charset {
    /// Find out.
    #[default]
    Auto,
    /// This one.
    Known(&'static Encoding),
}

/// A name that is no encoding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CharsetError(String);

impl fmt::Display for CharsetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is no encoding: expected auto, utf-8, gb18030, gbk, big5, utf-16le, cp1258 or \
             another label of the WHATWG encoding standard",
            self.0
        )
    }
}

impl std::error::Error for CharsetError {}

impl FromStr for Charset {
    type Err = CharsetError;

    fn from_str(text: &str) -> Result<Self, CharsetError> {
        if text.eq_ignore_ascii_case("auto") {
            return Ok(Self::Auto);
        }
        Encoding::for_label(text.as_bytes())
            .map(Self::Known)
            .ok_or_else(|| CharsetError(text.to_owned()))
    }
}

/// Characters of Chinese moves in both scripts.
const MOVE_ALPHABET: &str = "帅帥将將仕士相象马馬傌车車俥炮砲包兵卒进進退平前后後中\
                             一二三四五六七八九１２３４５６７８９";
/// A character of the alphabet weighs this many bytes that mean nothing.
const ALPHABET_WEIGHT: i64 = 4;
/// UTF-16 without a mark shows by zero bytes in this share of the text.
const ZERO_SHARE: usize = 4;
/// Private-use characters for bytes from 0x80 on.
const RAW_BYTES: std::ops::RangeInclusive<u32> = 0xF780..=0xF7FF;
const RAW_SHIFT: u32 = 0xF700;

/// The encoding of a text, and the length of its byte order mark.
pub fn detect(bytes: &[u8]) -> (&'static Encoding, usize) {
    if let Some(found) = Encoding::for_bom(bytes) {
        return found;
    }
    let encoding = if let Some(wide) = utf_16_without_mark(bytes) {
        wide
    } else if is_utf_8(bytes) {
        UTF_8
    } else {
        legacy(bytes)
    };
    (encoding, 0)
}

/// Whether a text that may break off inside a character is UTF-8.
fn is_utf_8(bytes: &[u8]) -> bool {
    match std::str::from_utf8(bytes) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    }
}

fn utf_16_without_mark(bytes: &[u8]) -> Option<&'static Encoding> {
    let zeros = |odd: usize| {
        let places = bytes.iter().skip(odd).step_by(2);
        places.filter(|b| **b == 0).count()
    };
    let (even, odd) = (zeros(0), zeros(1));
    if (even + odd) * ZERO_SHARE < bytes.len() || bytes.is_empty() {
        return None;
    }
    match (even, odd) {
        (0, _) => Some(UTF_16LE),
        (_, 0) => Some(UTF_16BE),
        _ => None,
    }
}

/// The encoding of a text that is not wholly UTF-8: a damaged UTF-8 text
/// stands beside the legacy encodings.
fn legacy(bytes: &[u8]) -> &'static Encoding {
    let mut scores = [UTF_8, GB18030, BIG5].map(|encoding| (score(encoding, bytes), encoding));
    scores.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    let [(best, encoding), (second, _), _] = scores;
    if best > second && best.is_some() {
        return encoding;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let guess = detector.guess(None, Utf8Detection::Allow);
    if guess == GBK { GB18030 } else { guess }
}

/// How well an encoding fits by the characters of moves; `None` without any.
fn score(encoding: &'static Encoding, bytes: &[u8]) -> Option<i64> {
    let text = decode(encoding, bytes);
    let wide = || text.chars().filter(|c| !c.is_ascii());
    let known = wide().filter(|c| MOVE_ALPHABET.contains(*c)).count() as i64;
    let raw = wide().filter(|c| RAW_BYTES.contains(&(*c as u32))).count() as i64;
    (known > 0).then_some(ALPHABET_WEIGHT * known - raw)
}

/// Decodes a whole text with the encoding asked for, its mark left out.
pub fn decode_text(charset: Charset, bytes: &[u8]) -> (String, &'static Encoding) {
    let (found, mark) = detect(bytes);
    let encoding = match charset {
        Charset::Auto => found,
        Charset::Known(encoding) => encoding,
    };
    let mark = if encoding == found { mark } else { 0 };
    (decode(encoding, &bytes[mark..]), encoding)
}

/// Decodes; bytes without meaning become private-use characters.
pub(super) fn decode(encoding: &'static Encoding, bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    Decoding::new(encoding).push(bytes, true, &mut out);
    out
}

/// A decoder that is fed piece by piece.
pub(super) struct Decoding {
    decoder: encoding_rs::Decoder,
    /// The bytes of the character that the last piece broke off in.
    recent: Vec<u8>,
}

/// The most bytes that an encoding holds back as parts of one character.
const LONGEST_CHARACTER: usize = 8;

impl Decoding {
    pub(super) fn new(encoding: &'static Encoding) -> Self {
        Self {
            decoder: encoding.new_decoder_without_bom_handling(),
            recent: Vec::new(),
        }
    }

    /// Decodes a piece behind `out`.
    pub(super) fn push(&mut self, bytes: &[u8], last: bool, out: &mut String) {
        let mut at = 0;
        loop {
            let rest = &bytes[at..];
            let room = self
                .decoder
                .max_utf8_buffer_length_without_replacement(rest.len());
            out.reserve(room.unwrap_or(rest.len()));
            let (result, read) = self
                .decoder
                .decode_to_string_without_replacement(rest, out, last);
            at += read;
            match result {
                DecoderResult::InputEmpty => break,
                DecoderResult::OutputFull => {}
                DecoderResult::Malformed(bad, after) => {
                    self.keep_raw(&bytes[..at], bad as usize, after as usize, out);
                }
            }
        }
        let keep = bytes.len().saturating_sub(LONGEST_CHARACTER);
        self.recent = bytes[keep..].to_vec();
    }

    /// Writes the `bad` bytes that end `after` bytes before the end of what
    /// was read; they may start in the piece before.
    fn keep_raw(&self, read: &[u8], bad: usize, after: usize, out: &mut String) {
        let all = [&self.recent[..], read].concat();
        let end = all.len().saturating_sub(after);
        let start = end.saturating_sub(bad);
        out.extend(all[start..end].iter().map(|b| raw_char(*b)));
    }
}

fn raw_char(byte: u8) -> char {
    match byte {
        0..=0x7F => byte as char,
        _ => char::from_u32(RAW_SHIFT + u32::from(byte)).unwrap_or('\u{FFFD}'),
    }
}

/// Encodes; private-use characters become the bytes they stand for, other
/// characters outside the encoding a question mark, which is said in the log.
pub fn encode(encoding: &'static Encoding, text: &str) -> Vec<u8> {
    if encoding == UTF_16LE {
        return text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    }
    if encoding == UTF_16BE {
        return text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    }
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    let mut encoder = encoding.new_encoder();
    let mut lost = None;
    loop {
        let raw = rest.find(|c| RAW_BYTES.contains(&(c as u32)));
        let piece = &rest[..raw.unwrap_or(rest.len())];
        lost = encode_piece(&mut encoder, piece, raw.is_none(), &mut out).or(lost);
        let Some(c) = raw.and_then(|i| rest[i..].chars().next()) else {
            break;
        };
        out.push((c as u32 - RAW_SHIFT) as u8);
        rest = &rest[piece.len() + c.len_utf8()..];
    }
    if let Some(c) = lost {
        let name = encoding.name();
        log::warn!("{name} has no `{c}`, perhaps more is missing: `?` stands for it");
    }
    out
}

/// Encodes a piece of text; a character that the encoding lacks, if any.
fn encode_piece(
    encoder: &mut encoding_rs::Encoder,
    text: &str,
    last: bool,
    out: &mut Vec<u8>,
) -> Option<char> {
    let (mut at, mut lost) = (0, None);
    loop {
        let rest = &text[at..];
        let room = encoder.max_buffer_length_from_utf8_without_replacement(rest.len());
        out.reserve(room.unwrap_or(rest.len() * 4) + 1);
        let (result, read) = encoder.encode_from_utf8_to_vec_without_replacement(rest, out, last);
        at += read;
        match result {
            EncoderResult::InputEmpty => return lost,
            EncoderResult::OutputFull => {}
            EncoderResult::Unmappable(c) => {
                out.push(b'?');
                lost = Some(c);
            }
        }
    }
}

/// The encoding of the short strings of one binary file: GB18030 unless they
/// are no such text.
pub(super) fn detect_strings(strings: &[&[u8]]) -> &'static Encoding {
    let all = strings.join(&b'\n');
    if all.is_ascii() {
        return GB18030;
    }
    if std::str::from_utf8(&all).is_ok() {
        return UTF_8;
    }
    let chinese = decode(GB18030, &all);
    let odd = |c: char| RAW_BYTES.contains(&(c as u32)) || is_rare(c);
    let odd = chinese.chars().filter(|c| odd(*c)).count();
    let wide = chinese.chars().filter(|c| !c.is_ascii()).count();
    if odd * 4 < wide {
        return GB18030;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(&all, true);
    match detector.guess(None, Utf8Detection::Allow) {
        guess if guess == BIG5 => BIG5,
        guess if guess == WINDOWS_1258 => WINDOWS_1258,
        _ => GB18030,
    }
}

/// Whether a decoded character is one that Chinese game records do not use.
fn is_rare(c: char) -> bool {
    let usual = matches!(c,
        '\u{0}'..='\u{FF}' | '\u{2000}'..='\u{303F}' | '\u{4E00}'..='\u{9FFF}'
        | '\u{FF00}'..='\u{FFEF}');
    !usual
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOVES: &str = "1. 炮二平五 馬８進７ 2. 馬二進三 車９平８";

    #[test]
    fn encodings_of_move_texts_are_found() {
        for encoding in [UTF_8, GB18030, BIG5, UTF_16LE, UTF_16BE] {
            let bytes = encode(encoding, MOVES);
            let marked = |mark: &[u8]| [mark, &bytes].concat();
            let bytes = match encoding {
                e if e == UTF_16LE => marked(&[0xFF, 0xFE]),
                e if e == UTF_16BE => marked(&[0xFE, 0xFF]),
                _ => bytes.clone(),
            };
            let (text, found) = decode_text(Charset::Auto, &bytes);
            assert_eq!((text.as_str(), found), (MOVES, encoding));
        }
    }

    #[test]
    fn a_damaged_text_keeps_its_encoding() {
        for encoding in [UTF_8, GB18030, BIG5] {
            let mut bytes = encode(encoding, MOVES);
            bytes.insert(12, 0xFF);
            assert_eq!(detect(&bytes).0, encoding);
        }
    }

    #[test]
    fn bytes_without_meaning_come_back() {
        let bytes = b"abc\xFF\xFE \xD6\xD0\xFF end\x81";
        let text = decode(GB18030, bytes);
        assert!(text.contains('中') && text.contains('\u{F7FF}'));
        assert_eq!(encode(GB18030, &text), bytes);
    }

    #[test]
    fn pieces_decode_as_the_whole() {
        let bytes = [&encode(GB18030, MOVES)[..], b"\xFF\xFE\x81"].concat();
        let whole = decode(GB18030, &bytes);
        for size in 1..9 {
            let (mut decoding, mut out) = (Decoding::new(GB18030), String::new());
            for piece in bytes.chunks(size) {
                decoding.push(piece, false, &mut out);
            }
            decoding.push(&[], true, &mut out);
            assert_eq!(out, whole, "{size}");
        }
    }

    #[test]
    fn vietnamese_names_are_not_chinese() {
        let name = "Nguy\u{1EC5}n V\u{103}n A, \u{110}\u{E0} N\u{1EB5}ng, Tr\u{1EA7}n Qu\u{1ED1}c";
        let Charset::Known(encoding) = "cp1258".parse().unwrap() else {
            panic!("a label");
        };
        let bytes = encode(encoding, &decompose(name));
        assert_eq!(encode(encoding, &decode(encoding, &bytes)), bytes);
    }

    /// The combining forms that the encoding has, for the letters of the test.
    fn decompose(text: &str) -> String {
        text.replace('\u{1EC5}', "\u{EA}\u{303}")
            .replace('\u{1EB5}', "\u{103}\u{303}")
            .replace('\u{1EA7}', "\u{E2}\u{300}")
            .replace('\u{1ED1}', "\u{F4}\u{301}")
    }
}
