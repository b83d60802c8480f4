//! `chuhe play` without a terminal: lines in, lines out.

use chuhe::board::Position;
use chuhe::clock::Stop;
use chuhe::kingdoms::Options;
use chuhe::play::game::Game;
use chuhe::play::kingdoms::{self, Kingdoms, seats};
use chuhe::play::screen::{Screen, Symbols};
use chuhe::play::seat::Strength;
use chuhe::play::store::Store;
use chuhe::play::table::Table;
use chuhe::play::xiangqi::{Setup, Xiangqi, sides};
use chuhe::rules::RuleSet;
use std::collections::VecDeque;
use std::path::PathBuf;

/// A folder that goes with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("chuhe-play-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn store(&self) -> Store {
        Store::new(self.0.join("game.pgn"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What is said at the table when these lines are typed.
fn talk(game: &mut dyn Game, folder: &Folder, lines: &[&str]) -> String {
    let mut lines: VecDeque<String> = lines.iter().map(|l| (*l).to_owned()).collect();
    let mut out = Vec::new();
    let mut table = Table {
        game,
        lines: &mut lines,
        out: &mut out,
        screen: Screen {
            symbols: Symbols::Letters,
            colour: false,
        },
        store: folder.store(),
        stop: &Stop::default(),
        evaluates: false,
    };
    table.run().unwrap();
    String::from_utf8(out).unwrap()
}

fn quick() -> Strength {
    Strength {
        nodes: Some(200),
        ..Strength::default()
    }
}

fn both() -> Xiangqi {
    Xiangqi::new(Setup {
        persons: sides("both").unwrap(),
        strength: quick(),
        ..Setup::default()
    })
}

#[test]
fn moves_of_every_notation_are_played_and_others_refused() {
    let folder = Folder::new("notations");
    let mut game = both();
    let text = talk(
        &mut game,
        &folder,
        &[
            "炮二平五",
            "H8+7",
            "h1g3",
            "i9i8",
            "h2e2",
            "e0e3",
            "zzz",
            "moves e4",
            "moves e3",
        ],
    );
    for part in [
        "Red plays h2e2.",
        "Black plays h9g7.",
        "Red plays h0g2.",
        "Black plays i9i8.",
        "`h2e2` is no legal move here: no piece of the side to move goes that way",
        "`e0e3` is no legal move",
        "`zzz` is no move",
        "Nothing on e4 can move.",
        "e3e4",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    assert_eq!(game.plies(), 4);
}

#[test]
fn the_engine_answers_and_moves_are_taken_back() {
    let folder = Folder::new("undo");
    let mut game = Xiangqi::new(Setup {
        strength: quick(),
        ..Setup::default()
    });
    let text = talk(
        &mut game,
        &folder,
        &["h2e2", "hint", "eval", "go", "undo", "undo", "undo"],
    );
    assert_eq!(text.matches("Black plays").count(), 2, "{text}");
    assert_eq!(text.matches("2 plies taken back.").count(), 2);
    assert!(text.contains("I would play") && text.contains("Evaluation"));
    assert!(text.contains("There is no move of yours to take back."));
    assert_eq!(game.plies(), 0);
}

#[test]
fn a_repetition_ends_the_game_and_is_explained() {
    let folder = Folder::new("ruling");
    // Red's rook checks for ever.
    let mut game = Xiangqi::new(Setup {
        persons: sides("both").unwrap(),
        rules: RuleSet::Asian,
        start: "3k5/9/9/9/9/9/9/9/R8/4K4 w - - 0 1".parse().unwrap(),
        ..Setup::default()
    });
    let mut lines = vec!["a1d1"];
    for _ in 0..4 {
        lines.extend(["d9e9", "d1e1", "e9d9", "e1d1"]);
    }
    let text = talk(&mut game, &folder, &lines);
    let ending = game.ending().expect("the game is over");
    assert!(
        ending.contains("perpetual") || ending.contains("check"),
        "{ending}"
    );
    assert!(text.contains("The game is over."));
    assert!(
        text.contains("The game is over: undo, new or quit."),
        "{text}"
    );
}

#[test]
fn a_killed_game_goes_on_where_it_was() {
    let folder = Folder::new("resume");
    let mut game = Xiangqi::new(Setup {
        persons: sides("black").unwrap(),
        strength: quick(),
        rules: RuleSet::Chinese,
        ..Setup::default()
    });
    // Lines that end are a terminal that is gone.
    talk(&mut game, &folder, &["h9g7"]);
    let kept = folder.store().load().unwrap().expect("a game");
    let mut again = Xiangqi::new(Setup::default());
    again.restore(kept.as_bytes()).unwrap();
    assert_eq!(again.record(), game.record());
    assert_eq!(again.plies(), 3);
    assert!(again.introduction().contains("chinese"));
    let broken = again.restore(b"[Event \"x\"]\n\n1. a0a5 *\n");
    assert!(broken.is_err() && again.plies() == 3);
}

#[test]
fn files_are_saved_and_loaded() {
    let folder = Folder::new("files");
    let mut game = both();
    let file = folder.0.join("My game.pgn");
    let save = format!("save {}", file.display());
    let load = format!("load {}", file.display());
    let text = talk(
        &mut game,
        &folder,
        &[
            "h2e2",
            &save,
            "new",
            &load,
            "load /no/such/file",
            "resign",
            "quit",
        ],
    );
    assert!(text.contains("The game is in") && text.contains("A new game."));
    assert!(text.contains("/no/such/file: "));
    assert!(text.contains("Black resigns: Red wins."), "{text}");
    assert_eq!(game.plies(), 1);
    assert!(game.record().contains("[Result \"1-0\"]"));
}

fn three_kingdoms(persons: &str) -> Kingdoms {
    Kingdoms::new(kingdoms::Setup {
        persons: seats(persons).unwrap(),
        strength: Strength {
            depth: Some(1),
            ..Strength::default()
        },
        start: kingdoms::start(None, 7, Options::ENGLISH).unwrap(),
    })
}

#[test]
fn a_round_of_seven_kingdoms() {
    let folder = Folder::new("kingdoms");
    let mut game = three_kingdoms("Chu");
    let text = talk(
        &mut game,
        &folder,
        &[
            "c1b3", "a10a11", "moves c1", "f5f6", "moves", "undo", "d2b3", "quit",
        ],
    );
    assert!(
        text.contains("Qin plays") && text.contains("Chu plays c1b3."),
        "{text}"
    );
    for name in ["Han", "Qi", "Wei", "Zhao", "Yan", "Qin"] {
        assert!(text.contains(&format!("{name} plays")), "{name}");
    }
    assert!(text.contains("is no legal move"));
    assert!(text.contains("Last round: Chu c1b3, Han"));
    let kept = folder.store().load().unwrap().expect("a game");
    let mut again = three_kingdoms("none");
    again.restore(kept.as_bytes()).unwrap();
    assert_eq!(again.record(), game.record());
    assert!(again.has_person());
}

#[test]
fn engines_play_seven_kingdoms_to_the_end() {
    let folder = Folder::new("engines");
    let mut game = three_kingdoms("none");
    let text = talk(&mut game, &folder, &[]);
    let ending = game.ending().expect("an end");
    assert!(text.trim_end().ends_with(ending.trim_end()), "{ending}");
    assert!(ending.contains(" win"));
}

#[test]
fn sides_and_seats_are_read() {
    assert_eq!(sides("Both"), Ok([true, true]));
    assert!(sides("white").unwrap_err().to_string().contains("`white`"));
    assert_eq!(
        seats("w, chu"),
        Ok([true, true, false, false, false, false, false])
    );
    assert!(
        seats("Song")
            .unwrap_err()
            .to_string()
            .contains("expected Qin")
    );
    assert!(kingdoms::start(None, 2, Options::ENGLISH).is_err());
    assert!(kingdoms::start(Some("x"), 7, Options::ENGLISH).is_err());
    assert!(Position::startpos().to_string().starts_with("rnbakabnr"));
}
