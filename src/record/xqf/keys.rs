//! The keys of versions from 1.1 on.
//!
//! All arithmetic is on bytes. The scheme is public in several readers; it is
//! checked here against a real header.

/// Text that the stream of key bytes is cut from.
const PHRASE: &[u8; 32] = b"[(C) Copyright Mr. Dong Shiwei.]";

/// What is subtracted from the parts of a keyed file; all zero for a plain
/// one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Keys {
    pub(super) piece: u8,
    pub(super) from: u8,
    pub(super) to: u8,
    /// Subtracted from the length of a comment.
    pub(super) comment: u32,
    /// Subtracted from the bytes of the body, by offset.
    pub(super) stream: [u8; 32],
}

impl Keys {
    /// The keys of a header of at least 16 bytes.
    pub(super) fn of(header: &[u8]) -> Self {
        let at = |offset: usize| header.get(offset).copied().unwrap_or(0);
        let (mask, or) = (at(3), [at(8), at(9), at(10), at(11)]);
        let bytes = [at(12), at(13), at(14), at(15)];
        let [sum, p, f, t] = bytes;
        let piece = mixed(p).wrapping_mul(p);
        let from = mixed(f).wrapping_mul(piece);
        let to = mixed(t).wrapping_mul(from);
        let mut stream = *PHRASE;
        for (i, byte) in stream.iter_mut().enumerate() {
            *byte &= bytes[i % 4] & mask | or[i % 4];
        }
        Self {
            piece,
            from,
            to,
            comment: (u32::from(sum) * 256 + u32::from(p)) % 32000 + 767,
            stream,
        }
    }

    /// The body in plain; `offset` is where it starts in the file.
    pub(super) fn decode(&self, body: &[u8], offset: usize) -> Vec<u8> {
        let keyed = body.iter().enumerate();
        keyed
            .map(|(i, byte)| byte.wrapping_sub(self.stream[(offset + i) % 32]))
            .collect()
    }
}

fn mixed(a: u8) -> u8 {
    a.wrapping_mul(a).wrapping_mul(54).wrapping_add(221)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_a_real_header() {
        let mut header = [0; 16];
        header[3..].copy_from_slice(&[
            0xAF, 0, 0, 0, 0, 0x32, 0x2A, 0xDF, 0xC5, 0x15, 0x8D, 0x33, 0x2B,
        ]);
        let keys = Keys::of(&header);
        assert_eq!((keys.piece, keys.from, keys.to), (0x27, 0xF5, 0x3F));
        assert_eq!(keys.comment, 6284);
        assert_eq!(
            keys.stream[..8],
            [0x13, 0x28, 0x43, 0x29, 0x20, 0x03, 0x6F, 0x60]
        );
        let body = [0x6B, 0x79, 0xE2, 0x99, 0x75, 0x8C, 0x41, 0x39];
        let plain = [0x58, 0x51, 0x9F, 0x70, 0x55, 0x89, 0xD2, 0xD9];
        assert_eq!(keys.decode(&body, 0x400), plain);
    }
}
