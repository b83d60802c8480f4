//! Games in, their reviews out.

use super::examine::{Examiner, Finding, Order};
use super::pool::{Work, in_order};
use super::review::Review;
use super::review_json::ReviewedGame;
use crate::board::Move;
use crate::clock::Stop;
use crate::rules::Game;
use std::convert::Infallible;
use std::sync::Arc;

/// A search of a game's last position, of some moves or of all.
type Question = (Game, Vec<Move>);

/// How to review.
pub struct Reviewer<'a> {
    /// The order for each position.
    pub order: &'a Order,
    /// Positions at the same time.
    pub jobs: usize,
    /// Ends the work when it is set.
    pub stop: &'a Arc<Stop>,
    /// Called after each search with the number of searches known to be
    /// needed in all.
    pub progress: &'a mut (dyn FnMut(usize) + Send),
}

impl Reviewer<'_> {
    /// Reviews games, given with their sources; those that were finished
    /// before the work was stopped.
    pub fn review(&mut self, sources: Vec<ReviewSource>) -> Vec<ReviewedGame> {
        let games: Vec<Game> = sources.iter().map(|source| source.record.game()).collect();
        let mut all = games.iter().map(|game| game.positions().len()).sum();
        let mut reviewed = Vec::new();
        for (source, game) in sources.into_iter().zip(&games) {
            let Some(review) = self.review_game(game, &mut all) else {
                break;
            };
            reviewed.push(source.with(review));
        }
        reviewed
    }

    /// Every position is searched, then each bad move once more by itself;
    /// `all` counts the searches needed in all. `None` when the work was
    /// stopped.
    fn review_game(&mut self, game: &Game, all: &mut usize) -> Option<Review> {
        let positions = prefixes(game).map(|game| (game, Vec::new()));
        let findings = self.ask(positions, *all)?;
        let mut review = Review::new(game, &findings, self.order.rules);
        let suspects = review.suspects();
        *all += suspects.len();
        let alone = suspects.iter().map(|&ply| {
            let mv = game.moves()[ply - 1];
            (prefix(game, ply - 1), vec![mv])
        });
        let findings = self.ask(alone, *all)?;
        for (ply, finding) in suspects.into_iter().zip(&findings) {
            review.look_again(ply, finding);
        }
        Some(review)
    }

    /// The answers; `None` when the work was stopped before the last one.
    fn ask(
        &mut self,
        questions: impl Iterator<Item = Question> + Send,
        all: usize,
    ) -> Option<Vec<Finding>> {
        let (order, stop) = (self.order, self.stop);
        let mut findings = Vec::new();
        let mut deliver = |finding: Finding| -> Result<(), Infallible> {
            findings.push(finding);
            (self.progress)(all);
            Ok(())
        };
        let worker = || -> Work<'static, Question, Finding> {
            let (mut examiner, stop) = (Examiner::new(order), stop.clone());
            Box::new(move |(game, moves)| examiner.examine_moves(&game, &moves, &stop))
        };
        let Ok(whole) = in_order(questions, self.jobs, &worker, &|| stop.stop(), &mut deliver);
        whole.then_some(findings)
    }
}

/// A game to review, with where it is from.
#[derive(Debug, Clone)]
pub struct ReviewSource {
    /// The file.
    pub source: String,
    /// The number of the game in it, from 1.
    pub number: usize,
    /// The game.
    pub record: crate::record::Record,
}

impl ReviewSource {
    fn with(self, review: Review) -> ReviewedGame {
        ReviewedGame {
            source: self.source,
            number: self.number,
            record: self.record,
            review,
        }
    }
}

/// The game after 0, 1, 2 ... moves.
fn prefixes(game: &Game) -> impl Iterator<Item = Game> + '_ {
    let mut so_far = Game::new(game.positions()[0].clone());
    (0..game.positions().len()).map(move |ply| {
        if let Some(&mv) = ply.checked_sub(1).and_then(|i| game.moves().get(i)) {
            // The moves of a game are legal.
            let _ = so_far.play(mv);
        }
        so_far.clone()
    })
}

/// The game after so many moves.
fn prefix(game: &Game, plies: usize) -> Game {
    let mut part = game.clone();
    while part.moves().len() > plies && part.undo().is_some() {}
    part
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Limits;
    use crate::record::Record;

    #[test]
    fn games_are_reviewed_in_order_and_work_is_counted() {
        let order = Order {
            limits: Limits {
                nodes: Some(3000),
                ..Limits::default()
            },
            ..Order::default()
        };
        let games = ["h2e2 h9g7 e2e6 g7e6", "c3c4", "h2e2 b9c7"].map(|moves| {
            let game = super::super::review::tests::game(moves);
            ReviewSource {
                source: moves.to_owned(),
                number: 1,
                record: Record::from_game(&game),
            }
        });
        let (mut searches, mut all) = (0, 0);
        let mut progress = |count| {
            searches += 1;
            all = count;
        };
        let mut reviewer = Reviewer {
            order: &order,
            jobs: 2,
            stop: &Arc::default(),
            progress: &mut progress,
        };
        let reviewed = reviewer.review(games.to_vec());
        let plies: Vec<usize> = reviewed.iter().map(|r| r.review.moves.len()).collect();
        assert_eq!(plies, [4, 1, 2]);
        assert!(searches == all && all >= 10, "{searches} of {all}");
        assert_eq!(reviewed[0].review.suspects(), [3]);
    }

    #[test]
    fn a_game_that_is_not_done_is_not_reviewed() {
        let stop = Arc::new(Stop::default());
        let sources = ["h2e2 h9g7", "c3c4"].map(|moves| ReviewSource {
            source: moves.to_owned(),
            number: 1,
            record: Record::from_game(&super::super::review::tests::game(moves)),
        });
        let mut searches = 0;
        let mut reviewer = Reviewer {
            order: &Order {
                limits: Limits {
                    nodes: Some(2000),
                    ..Limits::default()
                },
                ..Order::default()
            },
            jobs: 1,
            stop: &stop,
            progress: &mut |_| {
                searches += 1;
                if searches == 4 {
                    stop.stop();
                }
            },
        };
        let reviewed = reviewer.review(sources.to_vec());
        let done: Vec<&str> = reviewed.iter().map(|game| game.source.as_str()).collect();
        assert_eq!(done, ["h2e2 h9g7"]);
    }
}
