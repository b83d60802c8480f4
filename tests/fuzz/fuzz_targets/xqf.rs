//! Any bytes read as XQF: no panic, and what was read can be written and read
//! again with the same tree.

#![no_main]

use chuhe::record::{Charset, xqf};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok((game, encoding)) = xqf::read(bytes, Charset::Auto) else {
        return;
    };
    let Ok(written) = xqf::write(&game.record, encoding) else {
        return;
    };
    let (again, _) = xqf::read(&written, Charset::Known(encoding)).expect("we wrote it");
    assert_eq!(again.record.main_line(), game.record.main_line());
    assert_eq!(again.record.len(), game.record.len());
});
