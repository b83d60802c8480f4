//! Reading ElephantEye's `BOOK.DAT`: records of lock (u32), move (u16, from
//! in the low byte) and weight (u16), sorted by lock.
//!
//! The lock is one word of a Zobrist key whose random words come from RC4
//! with a key of four zero bytes.

use super::book::{BookError, BookMove};
use crate::board::{Color, FILES, Move, Position, RANKS, Square};
use std::sync::LazyLock;

const RECORD: usize = 8;
/// The board of that program is 16 wide; ours starts at row and file 3.
const WIDTH: usize = 16;
const MARGIN: usize = 3;
const CELLS: usize = 256;
const KINDS: usize = 14;

/// A record of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Record {
    lock: u32,
    from: u8,
    to: u8,
    weight: u16,
}

/// ElephantEye's book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EleeyeBook {
    records: Vec<Record>,
}

impl EleeyeBook {
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self, BookError> {
        let whole = !bytes.is_empty() && bytes.len().is_multiple_of(RECORD);
        let records: Vec<Record> = bytes.chunks_exact(RECORD).map(Record::of).collect();
        let sorted = records.windows(2).all(|pair| pair[0].lock <= pair[1].lock);
        let on_board = |cell: u8| square(cell).is_some();
        let valid = records.iter().all(|r| on_board(r.from) && on_board(r.to));
        if whole && sorted && valid {
            Ok(Self { records })
        } else {
            Err(BookError::UnknownFormat)
        }
    }

    pub(super) fn len(&self) -> usize {
        self.records.len()
    }

    /// The moves of a position, or of its mirror image turned round.
    pub(super) fn moves(&self, pos: &Position) -> Vec<BookMove> {
        let direct = self.find(lock(pos)).filter_map(Record::book_move);
        let mut moves: Vec<BookMove> = direct.collect();
        if moves.is_empty() {
            let image = self
                .find(lock(&pos.mirrored()))
                .filter_map(Record::book_move);
            moves = image
                .map(|entry| BookMove {
                    mv: entry.mv.mirrored(),
                    ..entry
                })
                .collect();
        }
        moves
    }

    fn find(&self, lock: u32) -> impl Iterator<Item = &Record> {
        let start = self.records.partition_point(|record| record.lock < lock);
        let run = self.records[start..].iter();
        run.take_while(move |record| record.lock == lock)
    }
}

impl Record {
    fn of(bytes: &[u8]) -> Self {
        Self {
            lock: u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]),
            from: bytes[4],
            to: bytes[5],
            weight: u16::from_le_bytes([bytes[6], bytes[7]]),
        }
    }

    fn book_move(&self) -> Option<BookMove> {
        let (from, to) = (square(self.from)?, square(self.to)?);
        (from != to).then(|| BookMove {
            mv: Move::new(from, to),
            weight: self.weight.into(),
            results: [0; 3],
        })
    }
}

fn square(cell: u8) -> Option<Square> {
    let (row, column) = (usize::from(cell) / WIDTH, usize::from(cell) % WIDTH);
    let (row, file) = (row.checked_sub(MARGIN)?, column.checked_sub(MARGIN)?);
    (row < RANKS && file < FILES).then(|| Square::at(file, RANKS - 1 - row))
}

fn cell(sq: Square) -> usize {
    WIDTH * (MARGIN + RANKS - 1 - sq.rank()) + MARGIN + sq.file()
}

/// The words of the lock.
struct Locks {
    black_to_move: u32,
    pieces: Vec<[u32; CELLS]>,
}

static LOCKS: LazyLock<Locks> = LazyLock::new(|| {
    let mut stream = Rc4::new([0; 4]);
    let mut lock = || {
        // Key, first lock, second lock; only the last is used.
        let words = [stream.word(), stream.word(), stream.word()];
        words[2]
    };
    Locks {
        black_to_move: lock(),
        pieces: (0..KINDS)
            .map(|_| std::array::from_fn(|_| lock()))
            .collect(),
    }
});

fn lock(pos: &Position) -> u32 {
    let side = match pos.side_to_move() {
        Color::Red => 0,
        Color::Black => LOCKS.black_to_move,
    };
    pos.occupied().into_iter().fold(side, |lock, sq| {
        let piece = pos
            .piece_on(sq)
            .map_or(0, |p| LOCKS.pieces[p.index()][cell(sq)]);
        lock ^ piece
    })
}

/// The stream cipher RC4, here a source of random words.
struct Rc4 {
    state: [u8; 256],
    i: u8,
    j: u8,
}

impl Rc4 {
    fn new(key: [u8; 4]) -> Self {
        let mut state: [u8; 256] = std::array::from_fn(|i| i as u8);
        let mut j = 0_u8;
        for i in 0..256 {
            j = j.wrapping_add(state[i]).wrapping_add(key[i % key.len()]);
            state.swap(i, usize::from(j));
        }
        Self { state, i: 0, j: 0 }
    }

    fn byte(&mut self) -> u8 {
        self.i = self.i.wrapping_add(1);
        let at_i = self.state[usize::from(self.i)];
        self.j = self.j.wrapping_add(at_i);
        let at_j = self.state[usize::from(self.j)];
        self.state.swap(usize::from(self.i), usize::from(self.j));
        self.state[usize::from(at_i.wrapping_add(at_j))]
    }

    fn word(&mut self) -> u32 {
        u32::from_le_bytes([self.byte(), self.byte(), self.byte(), self.byte()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_random_words_are_the_published_ones() {
        let mut stream = Rc4::new([0; 4]);
        let words: Vec<u32> = (0..6).map(|_| stream.word()).collect();
        let expected = [
            0x4189_18DE,
            0x3A5D_37A3,
            0x671E_068A,
            0x6D92_6E57,
            0xA37F_1AC7,
            0x97EB_CCF0,
        ];
        assert_eq!(words, expected);
        let start = Position::startpos();
        assert_eq!(lock(&start), 0x0526_56D5);
        let cannon = start.after("h2e2".parse().unwrap());
        assert_eq!(lock(&cannon), 0xEB50_5D7D);
        assert_eq!(lock(&cannon.mirrored()), 0x5396_644F);
    }

    #[test]
    fn moves_are_found_direct_and_through_the_mirror() {
        // Start position h2e2, and the mirrored position after it b9c7.
        let mut records = [
            (0x0526_56D5_u32, "h2e2", 1473_u16),
            (0x5396_644F, "b9c7", 761),
            (0x5396_644F, "a0a1", 5),
        ];
        records.sort();
        let mut bytes = Vec::new();
        for (lock, mv, weight) in records {
            let mv: Move = mv.parse().unwrap();
            bytes.extend(lock.to_le_bytes());
            bytes.extend([cell(mv.from()) as u8, cell(mv.to()) as u8]);
            bytes.extend(weight.to_le_bytes());
        }
        let book = super::super::Book::from_bytes(&bytes).unwrap();
        let start = Position::startpos();
        let texts = |pos: &Position| -> Vec<String> {
            book.moves(pos)
                .iter()
                .map(|m| format!("{} {}", m.mv, m.weight))
                .collect()
        };
        assert_eq!(texts(&start), ["h2e2 1473"]);
        let cannon = start.after("h2e2".parse().unwrap());
        assert_eq!(texts(&cannon), ["h9g7 761"], "the illegal one is dropped");
    }
}
