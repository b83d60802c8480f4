//! Any bytes read as PGN: no panic, and what was read can be written and read
//! again with the same moves.

#![no_main]

use chuhe::notation::Notation;
use chuhe::record::pgn::{Reader, read_game, write};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for game in Reader::new(bytes).flatten() {
        let mut text = Vec::new();
        write(&mut text, &game.record, Notation::Chinese).expect("memory can be written");
        let text = String::from_utf8(text).expect("the writer writes UTF-8");
        let again = read_game(&text, 1);
        assert_eq!(again.record.main_line(), game.record.main_line());
        assert_eq!(again.record.len(), game.record.len());
    }
});
