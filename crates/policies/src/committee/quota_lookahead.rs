//! Quota look-ahead: accepts each candidate who leaves every minimum within reach.
//!
//! A candidate is accepted iff they are under every maximum and, once they sit, the seats left
//! still cover, for each attribute, all that its minimums still lack. What is checked is each
//! attribute by itself: whether people exist who fill all gaps at once is another question, and
//! where the law of the candidates is known, a committee that no one can complete is said to be
//! stalled. A usual rule of organisers; not in Do et al. 2021.
//!
//! Where the respondents are known beforehand, nothing but the question itself is asked: one is
//! accepted iff some who are still to come would complete the committee
//! ([`Completion`](kleroterion_sortition::completion::Completion)). All quotas are kept then,
//! wherever a committee keeps them at all.
//!
//! Where the rules fix how many of a slate are chosen and that rule accepts fewer, the whole slate
//! is looked at: those are chosen who miss the quotas by the fewest seats.

use super::greedy::PossibleValues;
use super::known_pool::KnownPool;
use super::seats::Seats;
use super::{OneByOne, decide};
use crate::Policy;
use kleroterion_core::protocol::{Chosen, Law, Move, Quota, Schema, Selection, Shown, View};

/// The quota look-ahead policy.
#[derive(Clone, Debug)]
pub struct QuotaLookahead {
    left: Seats,
    support: PossibleValues,
    /// A seat was filled since it was last asked whether anyone fits.
    unsure: bool,
    stuck: bool,
    /// The respondents, where they are known and can complete the committee.
    known: KnownPool,
    /// True if the candidate judged last leaves the committee completable. `None` if respondents
    /// are not known.
    completes: Option<bool>,
}

impl QuotaLookahead {
    /// Makes the policy from quotas, a row per attribute of the schema (an empty row sets none),
    /// for a committee of `members`. `law` is the candidates' law, if it is exact.
    #[must_use]
    pub fn new(schema: &Schema, quotas: Vec<Vec<Quota>>, members: u32, law: Option<&Law>) -> Self {
        Self {
            left: Seats::new(quotas, members),
            support: PossibleValues::new(schema, law),
            unsure: true,
            stuck: false,
            known: KnownPool::default(),
            completes: None,
        }
    }

    /// Sets the respondents, if they are known beforehand.
    pub fn over(self, known: KnownPool) -> Self {
        Self { known, ..self }
    }

    /// Returns true if a candidate is accepted.
    fn admits(&mut self, person: Shown<'_>) -> bool {
        self.completes = self.known.may_seat(person);
        let completes = self.completes;
        completes.unwrap_or_else(|| self.left.admits(person.values()))
    }

    /// Returns true if the rule accepts `least` of the slate, one by one.
    fn fills(&self, view: &View<'_>, least: u32) -> bool {
        let mut trial = self.clone();
        let slate = view.slate();
        let accepted = slate.candidates().filter(|person| {
            let admitted = trial.admits(*person);
            match admitted {
                true => trial.accept(*person),
                false => trial.pass(*person),
            }
            admitted
        });
        accepted.take(least as usize).count() == least as usize
    }

    /// Chooses `members` of the slate, those who miss the quotas by the fewest seats.
    fn choose_exactly(&mut self, view: &mut View<'_>, members: u32) -> Move {
        let slate = view.slate();
        let values: Vec<&[u16]> = slate.candidates().map(|person| person.values()).collect();
        let chosen = self.left.nearest(&values, members);
        if let Some(&first) = chosen.first() {
            let person = slate.candidate(first);
            let judge = &*self;
            view.reason_instead(move || judge.why(person));
        }
        for (slot, person) in (0..).zip(slate.candidates()) {
            if chosen.contains(&slot) {
                self.left.seat(person.values());
                self.known.seat(person);
            } else {
                self.known.pass(person);
            }
        }
        self.unsure = true;
        Move::Select(Selection {
            chosen: Chosen::Many(chosen),
            p: None,
            declared: None,
        })
    }
}

impl OneByOne for QuotaLookahead {
    #[inline]
    fn judge(&mut self, person: Shown<'_>) -> f64 {
        f64::from(u8::from(self.admits(person)))
    }

    fn why(&self, person: Shown<'_>) -> Vec<(&'static str, f64)> {
        let [slack, spare] = self.left.slack(person.values());
        let number = |fits: bool| f64::from(u8::from(fits));
        let fits = self.left.admits(person.values());
        let completes = self
            .completes
            .map(|completes| ("completes", number(completes)));
        let terms = [
            ("acceptance", number(self.completes.unwrap_or(fits))),
            ("slack", slack),
            ("spare", spare),
            ("seats_left", f64::from(self.left.seats())),
        ];
        let hinge = self.left.hinge(person.values());
        terms.into_iter().chain(hinge).chain(completes).collect()
    }

    fn accept(&mut self, person: Shown<'_>) {
        self.left.admit(person.values());
        self.known.seat(person);
        self.unsure = true;
    }

    fn pass(&mut self, person: Shown<'_>) {
        self.known.pass(person);
    }

    fn report(&mut self, view: &mut View<'_>) {
        self.known.report(view);
    }
}

impl Policy for QuotaLookahead {
    #[inline]
    fn act(&mut self, view: &mut View<'_>) -> Move {
        self.known.meet(view);
        let least = view.places().min;
        if least > 0 {
            return match self.fills(view, least) {
                true => decide(self, view),
                false => self.choose_exactly(view, least),
            };
        }
        if self.unsure {
            self.unsure = false;
            self.stuck = self.support.no_one(|values| self.left.admits(values));
        }
        if self.stuck {
            view.reason(|| [("acceptance", 0.0)]);
            return Move::Stall;
        }
        decide(self, view)
    }

    fn decline(&mut self, _: u64, person: Shown<'_>) {
        self.left.release(person.values());
        self.known.decline(person);
        self.unsure = true;
    }

    fn corrects(&self) -> bool {
        // It learns from no outcome.
        true
    }
}
