//! Orders of matches.

use super::*;
use clap::Parser;

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    args: Args,
}

fn order(words: &str) -> Result<MatchConfig, String> {
    let words = ["match"].into_iter().chain(words.split_whitespace());
    let cli = Cli::try_parse_from(words).map_err(|error| error.to_string())?;
    ordered(cli.args).map_err(|error| error.to_string())
}

#[test]
fn the_example_of_the_guide() {
    let config = order(
        "--engine name=A,cmd=./chuhe,option.Hash=64 \
         --engine name=B,cmd=fairy-stockfish,ranks=1,option.UCI_Variant=xiangqi \
         --tc 3+0.03 --games 200 --concurrency 2 --rules asian --sprt 0,5 \
         --pgn games.pgn --json games.jsonl --resume",
    )
    .unwrap();
    assert_eq!(config.fixtures().len(), 200);
    assert_eq!(config.budget_of(1).to_string(), "3+0.03");
    assert_eq!(config.event, "A v B");
    assert_eq!(config.arbiter.draws.length, Some(400));
    assert!(config.warnings().iter().any(|w| w.contains("opening")));
}

#[test]
fn wrong_orders_name_what_is_wrong() {
    let two = "--engine name=A,cmd=a --engine name=B,cmd=b";
    for (words, part) in [
        ("--engine cmd=a --nodes 5".to_owned(), "two engines"),
        (format!("{two} --engine name=A,cmd=c --nodes 5"), "`A`"),
        (two.to_owned(), "no limit"),
        (format!("{two} --nodes 0"), "above 0"),
        (format!("{two} --tc soon"), "--tc `soon`"),
        (format!("{two} --tc 1 --movetime 1"), "one of them"),
        (format!("{two} --movetime 0"), "--movetime `0`"),
        (format!("{two} --nodes 5 --games 0"), "--games"),
        (format!("{two} --nodes 5 --rules chess"), "--rules `chess`"),
        (format!("{two} --nodes 5 --clock sun"), "wall or cpu"),
        (format!("{two} --nodes 5 --sprt 5,0"), "--sprt `5,0`"),
        (
            format!("{two} --nodes 5 --sprt -10,5 --engine name=C,cmd=c"),
            "--sprt",
        ),
        (format!("{two} --nodes 5 --resume"), "--json"),
        (
            format!("{two} --nodes 5 --adjudicate-win x"),
            "--adjudicate-win `x`",
        ),
        (format!("{two} --nodes 5 --openings /no/such"), "/no/such"),
        (format!("{two} --nodes 5 --format swiss"), "gauntlet"),
        ("--engine foo --nodes 5".to_owned(), "key=value"),
    ] {
        let error = order(&words).unwrap_err();
        assert!(error.contains(part), "{words}: {error}");
    }
}

#[test]
fn arguments_count_more_than_the_file() {
    let text = "games = 8\nnodes = 100\nponder = true\n\
                [[engine]]\nname = 'A'\ncmd = 'a'\n[[engine]]\nname = 'B'\ncmd = 'b'\nnodes = 7\n";
    let file: Args = toml::from_str(text).unwrap();
    let cli = Cli::try_parse_from(["match", "--games", "4"]).unwrap();
    let config = ordered(cli.args.over(file)).unwrap();
    assert_eq!((config.games, config.ponder), (4, true));
    assert_eq!(config.budget_of(0).nodes, Some(100));
    assert_eq!(config.budget_of(1).nodes, Some(7));
    let error = toml::from_str::<Args>("game = 8").unwrap_err().to_string();
    assert!(error.contains("game") && error.contains("expected"));
}
