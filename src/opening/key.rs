//! A key of a position that is the same for its mirror image and never
//! changes from version to version.

use crate::board::{Move, Position};

/// Constants of the 64-bit FNV-1a hash (Fowler, Noll, Vo).
const FNV_OFFSET: u64 = 0xCBF2_9CE4_8422_2325;
const FNV_PRIME: u64 = 0x0000_0100_0000_01B3;

/// The key of a position and whether its mirror image was taken for it.
///
/// It is the FNV-1a hash of the first two fields of the FEN, rows and side to
/// move, of the position or of its left-right mirror image, whichever text
/// comes first in the order of bytes.
pub fn position_key(pos: &Position) -> (u64, bool) {
    let (own, mirror) = (rows_and_side(pos), rows_and_side(&pos.mirrored()));
    if mirror < own {
        (fnv(&mirror), true)
    } else {
        (fnv(&own), false)
    }
}

/// The move as the keyed position has it, or back.
pub(super) fn turned(mv: Move, mirrored: bool) -> Move {
    if mirrored { mv.mirrored() } else { mv }
}

/// Whether the position is its own mirror image.
pub(super) fn is_symmetric(pos: &Position) -> bool {
    rows_and_side(pos) == rows_and_side(&pos.mirrored())
}

fn rows_and_side(pos: &Position) -> String {
    let fen = pos.to_string();
    let end = fen.match_indices(' ').nth(1).map_or(fen.len(), |(i, _)| i);
    fen[..end].to_owned()
}

fn fnv(text: &str) -> u64 {
    text.bytes().fold(FNV_OFFSET, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(FNV_PRIME)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirror_images_share_a_key_that_stays() {
        let start = Position::startpos();
        let after = |text: &str| start.after(text.parse().unwrap());
        assert_eq!(
            position_key(&after("h2e2")).0,
            position_key(&after("b2e2")).0
        );
        assert_ne!(
            position_key(&after("h2e2")).1,
            position_key(&after("b2e2")).1
        );
        assert_ne!(position_key(&after("h2e2")).0, position_key(&start).0);
        assert_eq!(fnv(""), FNV_OFFSET);
        // A published value of the hash.
        assert_eq!(fnv("foobar"), 0x8594_4171_F739_67E8);
        assert!(is_symmetric(&start));
    }
}
