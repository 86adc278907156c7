//! The desk where lanes ask and people answer: the book, shared between tasks.

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::watch;

use super::book::{LookBook, Received};
use super::key::{Asked, LookKey};
use super::lanes::{Audience, LookLanes};
use super::listed::{ListedLook, LookState};
use kleroterion_core::lock::locked;
use kleroterion_core::protocol::OFFER;
use kleroterion_io::trace::{AnsweredBy, Names};

/// A kind of interview, as it is offered.
#[derive(Clone, Debug, PartialEq)]
pub struct OfferedKind {
    /// Its name.
    pub name: Arc<str>,
    /// What one costs.
    pub cost: f64,
}

/// The desk of a live run.
#[derive(Debug)]
pub struct LookDesk {
    kinds: Arc<[OfferedKind]>,
    book: Mutex<LookBook>,
    /// Counts changes.
    news: watch::Sender<u64>,
    /// Whether no more answers come.
    shut: AtomicBool,
}

impl LookDesk {
    /// A desk for this many lanes.
    #[must_use]
    pub fn new(kinds: Arc<[OfferedKind]>, lanes: usize, audience: Audience) -> Self {
        let offers = offers_of(&kinds);
        Self {
            kinds,
            book: Mutex::new(LookBook::new(LookLanes::new(lanes, audience)).offering(offers)),
            news: watch::Sender::new(0),
            shut: AtomicBool::new(false),
        }
    }

    fn book(&self) -> MutexGuard<'_, LookBook> {
        locked(&self.book)
    }

    /// Changes the book, and wakes all who wait for news.
    pub fn change<T>(&self, change: impl FnOnce(&mut LookBook) -> T) -> T {
        let changed = change(&mut self.book());
        self.wake();
        changed
    }

    fn wake(&self) {
        self.news.send_modify(|changes| *changes += 1);
    }

    /// The answers to a lane's interviews, as [`LookBook::consult`]; what people are asked from now
    /// on.
    pub fn consult(
        &self,
        lane: usize,
        round: u64,
        wanted: &[LookKey],
        now: u64,
    ) -> (Option<Vec<Option<f64>>>, Vec<Asked>) {
        let mut asked = Vec::new();
        let answers = self.book().consult(lane, round, wanted, now, &mut asked);
        if !asked.is_empty() {
            self.wake();
        }
        (answers, asked)
    }

    /// An interview that lanes once wanted and want no more, as [`LookBook::forgotten`].
    #[must_use]
    pub fn forgotten(&self) -> Option<LookKey> {
        self.book().forgotten().cloned()
    }

    /// Takes an answer in, as [`LookBook::receive`].
    pub fn receive(&self, id: &str, kind: usize, nth: Option<u64>, value: f64) -> Received {
        self.book().receive(id, kind, nth, value)
    }

    /// Takes in who answered an interview.
    pub fn note_interviewer(&self, look: &LookKey, by: &str) {
        self.book().note_interviewer(look, by);
    }

    /// Who answered a candidate's interview of a kind, by its name.
    #[must_use]
    pub fn answered(&self, candidate: &str, kind: &str, nth: u64) -> AnsweredBy {
        let Some(kind) = self.kinds.iter().position(|known| *known.name == *kind) else {
            return AnsweredBy::default();
        };
        let look = LookKey {
            candidate: candidate.into(),
            kind,
            nth,
        };
        let book = self.book();
        let (by, asked) = book.answered(&look);
        AnsweredBy {
            by: by.map(str::to_owned),
            asked,
        }
    }

    /// Shows lanes what was committed.
    pub fn commit(&self) {
        if self.book().commit() {
            self.wake();
        }
    }

    /// Says that no more answers come.
    pub fn shut(&self) {
        self.shut.store(true, Ordering::Relaxed);
        self.wake();
    }

    /// Whether no more answers come.
    #[must_use]
    pub fn is_shut(&self) -> bool {
        self.shut.load(Ordering::Relaxed)
    }

    /// Counts the changes from now on.
    #[must_use]
    pub fn news(&self) -> watch::Receiver<u64> {
        self.news.subscribe()
    }

    /// The interviews without an answer that people have been asked for since then or before.
    #[must_use]
    pub fn overdue(&self, since: u64) -> Vec<LookKey> {
        self.book().overdue(since)
    }

    /// Since when people have been asked for the interview that has been open longest.
    #[must_use]
    pub fn oldest(&self) -> Option<u64> {
        self.book().oldest()
    }

    /// The candidate of whom an interview is wanted and who is called so.
    #[must_use]
    pub fn called(&self, is: impl Fn(&str) -> bool) -> Option<String> {
        self.book().called(is).map(str::to_owned)
    }

    /// The kind that asks whether a person takes a place, where people are asked that.
    #[must_use]
    pub fn offers(&self) -> Option<usize> {
        offers_of(&self.kinds)
    }

    /// The kinds of interviews, by their index in the rules.
    #[must_use]
    pub fn kinds(&self) -> &Arc<[OfferedKind]> {
        &self.kinds
    }
}

/// The kind that asks whether a person takes a place.
fn offers_of(kinds: &[OfferedKind]) -> Option<usize> {
    kinds.iter().position(|kind| *kind.name == *OFFER)
}

/// The desk, for those who only look.
#[derive(Clone, Debug)]
pub struct DeskView {
    desk: Arc<LookDesk>,
    names: Names,
}

impl DeskView {
    /// The view of a desk; people are called by these names.
    #[must_use]
    pub fn new(desk: &Arc<LookDesk>, names: Names) -> Self {
        let desk = Arc::clone(desk);
        Self { desk, names }
    }

    /// What a candidate is called.
    #[must_use]
    pub fn called(&self, candidate: &str) -> String {
        self.names.called(candidate)
    }

    /// Who answered a candidate's interview of a kind; empty where they gave no name, or people are
    /// hidden.
    #[must_use]
    pub fn by(&self, candidate: &str, kind: &str, nth: u64) -> String {
        let answered = || self.desk.answered(candidate, kind, nth).by;
        let by = (!self.names.is_hidden()).then(answered).flatten();
        by.unwrap_or_default()
    }

    /// The kinds of interviews, by their index in the rules.
    #[must_use]
    pub fn kinds(&self) -> &Arc<[OfferedKind]> {
        &self.desk.kinds
    }

    /// Whether people are asked whether they take their places.
    #[must_use]
    pub fn offers(&self) -> bool {
        self.desk.offers().is_some()
    }

    /// The interviews in these states.
    #[must_use]
    pub fn listed(&self, states: RangeInclusive<LookState>) -> Vec<ListedLook> {
        self.desk.book().listed(states)
    }

    /// How many interviews are open, are answered, and were missed.
    #[must_use]
    pub fn counts(&self) -> [u64; 3] {
        self.desk.book().counts()
    }

    /// Counts the changes from now on.
    #[must_use]
    pub fn news(&self) -> watch::Receiver<u64> {
        self.desk.news()
    }
}
