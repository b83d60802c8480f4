//! The part of the state that starts searches and tells what they found.

use super::super::limits::limits_of;
use super::super::searches::{Answer, Running};
use super::super::shelf::Found;
use super::super::show;
use super::super::worker::{Job, SearchJob, View};
use super::State;
use super::clip;
use crate::board::{Move, Position};
use crate::clock::Limits;
use crate::protocol::{BestMove, Go, Info, MoveList, Offer, Reply};
use crate::rules::Game;
use crate::search::{Bound, Outcome, Score};
use std::sync::Arc;
use std::time::Instant;

/// So many bad words of a list are named one by one.
const MOST_FAULTS: usize = 8;

impl State {
    pub(super) fn go(&mut self, go: &Go, read: Instant) {
        self.stop();
        for problem in &go.unreadable {
            self.tell(clip(&problem.to_string()));
        }
        let unknown = go.unknown.iter().map(|word| (word.clone(), "is unknown"));
        self.name_faults("go", unknown);
        self.name_bad_moves("go searchmoves", &go.search_moves);
        let game = self.game.as_ref().ok().map(Arc::clone);
        // Behind a search that is being stopped the answer waits its turn.
        if self.dialect.is_ucci() && go.depth == Some(0) && !self.is_thinking() {
            return self.static_score(game.as_deref());
        }
        let Some(game) = game.filter(|_| !(self.dialect.is_ucci() && go.depth == Some(0))) else {
            return self.start(Running::new(None, Arc::default()), go, read);
        };
        let mut search = Running::new(Some(game), Arc::default());
        search.pondering = go.ponder;
        search.draw = go.draw;
        self.start(search, go, read);
    }

    /// Forbids root moves of the present position.
    pub(super) fn ban(&mut self, list: &MoveList) {
        self.name_bad_moves("banmoves", list);
        self.bans.extend(&list.moves);
    }

    /// Says which words of a list of root moves count for nothing.
    fn name_bad_moves(&self, command: &str, list: &MoveList) {
        let illegal = |mv: &&Move| {
            !self
                .game
                .as_ref()
                .is_ok_and(|g| g.position().is_legal(**mv))
        };
        let words = list
            .unreadable
            .iter()
            .map(|word| (word.clone(), "is no move such as h2e2"));
        let moves = list.moves.iter().filter(illegal);
        let moves = moves.map(|mv| (mv.to_string(), "is not legal in this position"));
        self.name_faults(command, words.chain(moves));
    }

    /// Says which words count for nothing, and why.
    fn name_faults<'a>(&self, command: &str, mut faults: impl Iterator<Item = (String, &'a str)>) {
        for (word, fault) in faults.by_ref().take(MOST_FAULTS) {
            self.tell(format!("{command}: `{}` {fault}, passed over", clip(&word)));
        }
        let more = faults.count();
        if more > 0 {
            self.tell(format!("{command}: {more} more words passed over"));
        }
    }

    fn start(&mut self, mut search: Running, go: &Go, started: Instant) {
        if search.game.is_none() && !self.is_thinking() {
            return self.say(&Reply::NoBestMove);
        }
        let side = search
            .game
            .as_ref()
            .map_or(crate::board::Color::Red, |game| {
                game.position().side_to_move()
            });
        let mut limits = limits_of(go, side, &self.options, !self.dialect.is_ucci());
        limits.ban_moves.clone_from(&self.bans);
        search.infinite = limits.infinite;
        search.limited = limits.is_limited();
        if let Some(found) = self.book_move(&search, &limits) {
            return self.answer_from_book(&found);
        }
        self.send(Job::Search(Box::new(SearchJob {
            game: search.game.clone(),
            limits,
            started,
            stop: Arc::clone(&search.stop),
            view: self.view(),
        })));
        self.searches.push(search);
    }

    /// The move of the book, when a move to play is all that is asked for.
    fn book_move(&self, search: &Running, limits: &Limits) -> Option<Found> {
        let in_use = if self.dialect.is_ucci() {
            self.options.use_book
        } else {
            self.options.own_book
        };
        let analysis = self.options.analyse_mode || self.options.settings.multi_pv > 1;
        let restricted = limits.search_moves.is_some() || !limits.ban_moves.is_empty();
        let waits = search.pondering || search.infinite || !self.searches.is_empty();
        if !in_use || analysis || restricted || waits {
            return None;
        }
        let game = search.game.as_ref()?;
        // UCCI has books on from the start, and no file named means none.
        let embedded = !self.dialect.is_ucci();
        self.shelf
            .choose(game, self.options.best_book_move, embedded)
    }

    fn answer_from_book(&self, found: &Found) {
        let book = clip(&found.book);
        self.tell(format!("the move is from the opening book {book}"));
        self.conclude(&Reply::BestMove(BestMove {
            mv: found.mv,
            ponder: None,
            offer: None,
        }));
    }

    fn view(&self) -> View {
        let ucci = self.dialect.is_ucci();
        View {
            dialect: self.dialect,
            lines: if ucci {
                1
            } else {
                self.options.settings.multi_pv
            },
            wdl: self.options.show_wdl,
            bounds: !ucci || self.options.debug,
        }
    }

    /// UCCI `go depth 0`: the evaluation and no move.
    fn static_score(&self, game: Option<&Game>) {
        if let Some(game) = game {
            self.say(&score_at_depth_0(show::static_score(
                game.position(),
                &self.network(),
            )));
        }
        self.say(&Reply::NoBestMove);
    }

    pub(super) fn stop(&mut self) {
        for stop in &self.errand_stops {
            stop.stop();
        }
        let answers = self.searches.stop();
        self.answer_all(answers);
    }

    /// In UCCI a `stop` without a search is answered all the same.
    pub(super) fn stop_or_say_so(&mut self) {
        if self.dialect.is_ucci() && !self.is_busy() {
            self.say(&Reply::NoBestMove);
        }
        self.stop();
    }

    /// The engine has finished a search.
    pub fn search_done(&mut self, outcome: Outcome) {
        if let Some(answer) = self.searches.finish(outcome) {
            self.answer(answer);
        }
        self.catch_up();
    }

    pub(super) fn answer_all(&mut self, answers: Vec<Answer>) {
        for answer in answers {
            self.answer(answer);
        }
    }

    fn answer(&mut self, (search, outcome): Answer) {
        let best = search.game.as_ref().zip(outcome.best);
        let Some((game, mv)) = best else {
            return self.answer_without_move(&search);
        };
        let pos = game.position();
        let next = pos.after(mv);
        let reply = Reply::BestMove(BestMove {
            mv,
            ponder: outcome.ponder.filter(|&answer| next.is_legal(answer)),
            offer: self.offer(&search, pos, mv, &outcome),
        });
        self.conclude(&reply);
    }

    /// A side whose moves are all forbidden is told as mated, except in UCCI,
    /// where the answer says it all.
    fn answer_without_move(&self, search: &Running) {
        let mated = |game: &Arc<Game>| game.position().legal_moves().is_empty();
        let tells = |game| !self.dialect.is_ucci() || mated(game);
        if search.game.as_ref().is_some_and(tells) {
            self.conclude(&score_at_depth_0(Score::MatedIn(0)));
        }
        self.conclude(&Reply::NoBestMove);
    }

    fn conclude(&self, reply: &Reply) {
        if let Some(text) = self.dialect.write_reply(reply) {
            self.printer.conclude(text);
        }
    }

    /// What to say with the move in a game under UCCI.
    fn offer(
        &mut self,
        search: &Running,
        pos: &Position,
        best: Move,
        outcome: &Outcome,
    ) -> Option<Offer> {
        let silent = !self.dialect.is_ucci()
            || !self.options.draw_and_resign
            || self.options.analyse_mode
            || search.pondering
            || search.infinite;
        if silent {
            return None;
        }
        let score = (outcome.score, outcome.depth);
        self.courtesy.decide(pos, best, score, search.draw)
    }
}

fn score_at_depth_0(score: Score) -> Reply {
    Reply::Info(Box::new(Info {
        depth: Some(0),
        score: Some((score, Bound::Exact)),
        ..Info::default()
    }))
}
