//! The desk where lanes ask for interviews and people answer: the book, shared between tasks.

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::watch;

use super::book::{Asked, Candidate, ListedLook, LookBook, LookKey, LookState};
use super::lanes::{Audience, LookLanes};
use super::slates::{LaneSlate, SlateMember};
use super::terms::HiringTerms;
use kleroterion_core::lock::locked;
use kleroterion_core::protocol::OFFER;
use kleroterion_io::trace::{AnswerCredit, Names};

/// A kind of interview, as policies can buy it.
#[derive(Clone, Debug, PartialEq)]
pub struct OfferedKind {
    /// Its name.
    pub name: Arc<str>,
    /// The cost of one interview.
    pub cost: f64,
}

/// The desk of a live run. It shares a [`LookBook`] between tasks.
#[derive(Debug)]
pub struct LookDesk {
    kinds: Arc<[OfferedKind]>,
    book: Mutex<LookBook>,
    /// The slate that each lane plays.
    slates: Mutex<Vec<LaneSlate>>,
    /// The number of changes so far.
    news: watch::Sender<u64>,
    /// True once no more answers come.
    shut: AtomicBool,
}

impl LookDesk {
    /// Creates the desk of `lanes` lanes. `audience` says whose interviews people hold.
    #[must_use]
    pub fn new(kinds: Arc<[OfferedKind]>, lanes: usize, audience: Audience) -> Self {
        let mut book = LookBook::new(LookLanes::new(lanes, audience));
        book.offers = kinds.iter().position(|kind| *kind.name == *OFFER);
        Self {
            kinds,
            book: Mutex::new(book),
            slates: Mutex::new(vec![LaneSlate::default(); lanes]),
            news: watch::Sender::new(0),
            shut: AtomicBool::new(false),
        }
    }

    /// The book, locked. What is noted in it is seen once it is committed.
    pub(crate) fn book(&self) -> MutexGuard<'_, LookBook> {
        locked(&self.book)
    }

    /// Changes the book, and wakes all that wait for [`LookDesk::news`].
    pub fn change<T>(&self, change: impl FnOnce(&mut LookBook) -> T) -> T {
        let changed = change(&mut self.book());
        self.wake();
        changed
    }

    fn wake(&self) {
        self.news.send_modify(|changes| *changes += 1);
    }

    /// Notes the round that a lane is in, and whom its policy would choose now. `people` are those
    /// who applied, with the lane's first question of the round.
    pub fn note_slate(
        &self,
        lane: usize,
        round: u64,
        people: Vec<SlateMember>,
        best: Vec<Candidate>,
    ) {
        locked(&self.slates)[lane].ask(round, people, best);
    }

    /// Returns the answers to a lane's interviews, as [`LookBook::consult`] does, and the
    /// interviews that people are newly asked to hold.
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

    /// Returns the interviewer and the time of asking, for the `nth` interview of a candidate of
    /// the kind with this name. Both are `None` for an unknown kind or interview.
    #[must_use]
    pub fn answered(&self, candidate: &str, kind: &str, nth: u64) -> AnswerCredit {
        let Some(kind) = self.kinds.iter().position(|known| *known.name == *kind) else {
            return AnswerCredit::default();
        };
        let look = LookKey {
            candidate: candidate.into(),
            kind,
            nth,
        };
        let book = self.book();
        let (by, asked) = book.answered(&look);
        AnswerCredit {
            by: by.map(str::to_owned),
            asked,
        }
    }

    /// Makes committed changes visible to lanes; see [`LookBook::commit`].
    pub fn commit(&self) {
        if self.book().commit() {
            self.wake();
        }
    }

    /// Closes the desk: no more answers come.
    pub fn shut(&self) {
        self.shut.store(true, Ordering::Relaxed);
        self.wake();
    }

    /// Returns true once no more answers come.
    #[must_use]
    pub fn is_shut(&self) -> bool {
        self.shut.load(Ordering::Relaxed)
    }

    /// Subscribes to the number of changes.
    #[must_use]
    pub fn news(&self) -> watch::Receiver<u64> {
        self.news.subscribe()
    }

    /// The kind of interview that asks a person whether they take a place, if there is one.
    #[must_use]
    pub fn offers(&self) -> Option<usize> {
        self.book().offers
    }

    /// The kinds of interviews, by their index in the rules.
    #[must_use]
    pub fn kinds(&self) -> &Arc<[OfferedKind]> {
        &self.kinds
    }
}

/// A read-only view of the desk, for the board and the web.
#[derive(Clone, Debug)]
pub struct DeskView {
    desk: Arc<LookDesk>,
    names: Names,
    terms: Arc<HiringTerms>,
}

impl DeskView {
    /// Creates a view of a desk that shows candidates by these names.
    #[must_use]
    pub fn new(desk: &Arc<LookDesk>, names: Names, terms: HiringTerms) -> Self {
        Self {
            desk: Arc::clone(desk),
            names,
            terms: Arc::new(terms),
        }
    }

    /// The terms of the run's hiring rounds.
    #[must_use]
    pub fn terms(&self) -> &HiringTerms {
        &self.terms
    }

    /// The names of people, and what may be shown of them.
    #[must_use]
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// The slate that a lane plays.
    #[must_use]
    pub fn slate(&self, lane: usize) -> LaneSlate {
        locked(&self.desk.slates)[lane].clone()
    }

    /// Returns true if a candidate withdrew.
    #[must_use]
    pub fn has_withdrawn(&self, candidate: &str) -> bool {
        self.desk.book().has_withdrawn(candidate)
    }

    /// The name under which a candidate is shown.
    #[must_use]
    pub fn called(&self, candidate: &str) -> String {
        self.names.called(candidate)
    }

    /// Returns the interviewer of the `nth` interview of a candidate. The name is empty if the
    /// interviewer gave none, and if ids are hidden.
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

    /// Returns true if people are asked whether they take their places.
    #[must_use]
    pub fn offers(&self) -> bool {
        self.desk.offers().is_some()
    }

    /// Lists the interviews in these states; see [`LookBook::listed`].
    #[must_use]
    pub fn listed(&self, states: RangeInclusive<LookState>) -> Vec<ListedLook> {
        self.desk.book().listed(states)
    }

    /// Returns the numbers of open, answered and missed interviews, in this order.
    #[must_use]
    pub fn counts(&self) -> [u64; 3] {
        self.desk.book().counts()
    }

    /// Subscribes to the number of changes.
    #[must_use]
    pub fn news(&self) -> watch::Receiver<u64> {
        self.desk.news()
    }
}
