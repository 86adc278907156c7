//! The view of a policy: slates when it acts, outcomes when it learns.

use std::borrow::Cow;
use std::ops::Range;

use super::batch::Batch;
use super::moves::Pull;
use super::persons::{Persons, Shown};
use super::rules::Places;
use super::trail::LookReason;
use crate::draw::Draw;

/// The candidates shown together in one round, by slot from 0.
#[derive(Clone, Copy)]
pub struct Slate<'a> {
    persons: &'a Persons,
    start: u32,
    len: u32,
    /// The applicants, as positions of the roster by slot; all if `None`.
    who: Option<&'a [u32]>,
}

impl<'a> Slate<'a> {
    /// Makes the slate of a round (from 0) of a batch: the whole roster, or `who` of it (positions
    /// in the roster, by slot).
    #[inline]
    #[must_use]
    pub fn new(batch: &'a Batch, round: usize, who: Option<&'a [u32]>) -> Self {
        Self::of(batch.persons(), batch.roster(round), who)
    }

    /// The slate of a roster: all of it, or `who` of it.
    #[inline]
    pub(crate) fn of(persons: &'a Persons, roster: Range<u32>, who: Option<&'a [u32]>) -> Self {
        Self {
            persons,
            start: roster.start,
            len: who.map_or(roster.end - roster.start, |who| who.len() as u32),
            who,
        }
    }

    /// The number of candidates.
    #[inline]
    #[must_use]
    pub fn len(&self) -> u32 {
        self.len
    }

    /// Returns true if there are no candidates.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The candidate in a slot.
    ///
    /// # Panics
    /// Panics if the slate has no slot of this number.
    #[inline]
    #[must_use]
    pub fn candidate(&self, slot: u32) -> Shown<'a> {
        self.persons.shown(self.row(slot))
    }

    /// The candidates, in slot order.
    pub fn candidates(&self) -> impl Iterator<Item = Shown<'a>> + use<'a> {
        let slate = *self;
        (0..self.len).map(move |slot| slate.candidate(slot))
    }

    /// The position in the roster of a slot.
    #[inline]
    pub fn position(&self, slot: u32) -> u32 {
        self.who.map_or(slot, |who| who[slot as usize])
    }

    /// Returns a slate of the same roster that shows these positions, in this order.
    pub fn showing<'b>(self, who: &'b [u32]) -> Slate<'b>
    where
        'a: 'b,
    {
        Slate {
            len: who.len() as u32,
            who: Some(who),
            ..self
        }
    }

    /// The row of a slot in its batch. A policy that scores a whole batch at once finds the score
    /// of a candidate by it.
    ///
    /// # Panics
    /// Panics if the slate has no slot of this number.
    #[inline]
    #[must_use]
    pub fn row(&self, slot: u32) -> u32 {
        assert!(slot < self.len, "no slot {slot}");
        self.start + self.position(slot)
    }
}

/// The interviews bought so far of one candidate in this round.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LookStats {
    /// The number of interviews, of any kind.
    pub looks: u32,
    /// The sum of their gains.
    pub weight: f64,
    /// The mean of their answers, weighted by gain; 0 if there are none.
    pub mean: f64,
}

impl LookStats {
    /// Adds an interview: T += s, mean <- (mean T + s x) / (T + s) (Schumann et al. 2019, Section
    /// 4.1).
    pub fn add(&mut self, value: f64, gain: f64) {
        let weight = self.weight + gain;
        self.mean = (self.mean * self.weight + gain * value) / weight;
        self.weight = weight;
        self.looks += 1;
    }
}

/// An interview that was bought, with its answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LookAnswer {
    /// The candidate and the kind of interview.
    pub pull: Pull,
    /// The answer.
    pub value: f64,
}

/// The notes of a policy: what it reports in addition to its move.
#[derive(Debug, Default)]
pub struct ViewNotes {
    pub(crate) measures: Vec<(Cow<'static, str>, f64)>,
    pub(crate) reason: Vec<(Cow<'static, str>, f64)>,
    /// The reasons for the interviews of the move, in their order. The last also covers those after
    /// it.
    pub(crate) looks: Vec<LookReason>,
    /// True if reasons are requested.
    pub(crate) traced: bool,
}

impl ViewNotes {
    /// The measures that the policy reported.
    #[must_use]
    pub fn measures(&self) -> &[(Cow<'static, str>, f64)] {
        &self.measures
    }

    /// `true` where there are measures or reasons.
    #[inline]
    pub(crate) fn any(&self) -> bool {
        !(self.measures.is_empty() && self.reason.is_empty())
    }

    /// Takes these notes in place of all of the round so far.
    pub(crate) fn repeat(&mut self, measures: Vec<(String, f64)>, reason: Vec<(String, f64)>) {
        let owned = |(name, value)| (Cow::Owned(name), value);
        self.measures = measures.into_iter().map(owned).collect();
        if self.traced {
            self.reason = reason.into_iter().map(owned).collect();
        }
    }

    /// Keeps reasons. Out of line: it is seldom wanted, and its code would burden every decision.
    #[cold]
    #[inline(never)]
    fn tell<T, N>(&mut self, terms: impl FnOnce() -> T)
    where
        T: IntoIterator<Item = (N, f64)>,
        N: Into<Cow<'static, str>>,
    {
        let terms = terms().into_iter().filter(|(_, value)| value.is_finite());
        self.reason
            .extend(terms.map(|(name, value)| (name.into(), value)));
    }
}

/// A round as a policy sees it.
pub struct View<'a>(pub(crate) ViewParts<'a>);

/// The parts of a [`View`], for callers who show a round to a policy.
pub struct ViewParts<'a> {
    /// The round's number, from 1.
    pub round: u64,
    /// The candidates.
    pub slate: Slate<'a>,
    /// The fewest and the most candidates that may be chosen.
    pub places: Places,
    /// The number of places left in the run, if it is fixed.
    pub places_left: Option<u64>,
    /// The interviews that the policy may still buy in this run.
    pub looks_left: u64,
    /// The money left for interviews.
    pub money_left: f64,
    /// Each candidate's interviews so far, by slot.
    pub files: &'a [LookStats],
    /// The answers to the interviews that the policy has just bought.
    pub answers: &'a [LookAnswer],
    /// The policy's own random numbers of the round.
    pub draw: &'a mut Draw,
    /// The policy's notes of the round.
    pub notes: &'a mut ViewNotes,
}

impl<'a> View<'a> {
    /// Makes a view of these parts.
    #[must_use]
    pub fn of(parts: ViewParts<'a>) -> Self {
        Self(parts)
    }

    /// Each candidate's interviews so far, by slot.
    #[must_use]
    pub fn files(&self) -> &'a [LookStats] {
        self.0.files
    }
    /// The round's number, from 1.
    #[inline]
    #[must_use]
    pub fn round(&self) -> u64 {
        self.0.round
    }

    /// The candidates.
    #[inline]
    #[must_use]
    pub fn slate(&self) -> Slate<'a> {
        self.0.slate
    }

    /// The candidate in a slot.
    ///
    /// # Panics
    /// Panics if the slate has no slot of this number.
    #[inline]
    #[must_use]
    pub fn candidate(&self, slot: u32) -> Shown<'a> {
        self.0.slate.candidate(slot)
    }

    /// The fewest and the most that may be chosen now.
    #[inline]
    #[must_use]
    pub fn places(&self) -> Places {
        self.0.places
    }

    /// The number of candidates who may still be accepted in the run. `None` if the rules set no
    /// number.
    #[inline]
    #[must_use]
    pub fn places_left(&self) -> Option<u64> {
        self.0.places_left
    }

    /// The number of interviews that may still be bought in this round. If a move's interviews did
    /// not all fit, this is 0 and the next move must select.
    #[inline]
    #[must_use]
    pub fn looks_left(&self) -> u64 {
        self.0.looks_left
    }

    /// The money left for interviews: the lesser of the round's and the run's budgets. Infinite if
    /// none is set.
    #[inline]
    #[must_use]
    pub fn money_left(&self) -> f64 {
        self.0.money_left
    }

    /// The file on the candidate in a slot.
    #[inline]
    #[must_use]
    pub fn file(&self, slot: u32) -> LookStats {
        self.0.files.get(slot as usize).copied().unwrap_or_default()
    }

    /// The answers to the last `Interview` of this round, in the order asked. There are fewer than
    /// asked if the money or the cap ran out.
    #[inline]
    #[must_use]
    pub fn answers(&self) -> &'a [LookAnswer] {
        self.0.answers
    }

    /// The round's own random numbers, which depend on nothing else in the run. They continue from
    /// one `act` of the round to the next.
    #[inline]
    pub fn draw(&mut self) -> &mut Draw {
        self.0.draw
    }

    /// Reports a number of the policy's own (for example `converged` = 1). The last of a name in a
    /// run becomes a metric.
    pub fn measure(&mut self, name: impl Into<Cow<'static, str>>, value: f64) {
        self.0.notes.measures.push((name.into(), value));
    }

    /// Records the reason for the move, in named terms. The names may be made at run time. It is
    /// computed and kept only for a trace. A term that is not a finite number is left out.
    #[inline]
    pub fn reason<T, N>(&mut self, terms: impl FnOnce() -> T)
    where
        T: IntoIterator<Item = (N, f64)>,
        N: Into<Cow<'static, str>>,
    {
        if self.0.notes.traced {
            self.0.notes.tell(terms);
        }
    }

    /// Records the reason for the next interview of this move, in the order of the interviews. The
    /// last reason also covers those after it. It is computed and kept only for a trace.
    #[inline]
    pub fn why_look(&mut self, why: impl FnOnce() -> LookReason) {
        if self.0.notes.traced {
            self.0.notes.looks.push(why());
        }
    }

    /// Maps the slots that the reasons of interviews name to slots of the slate.
    pub fn rename_looked_at(&mut self, slot: impl Fn(u32) -> u32) {
        for why in &mut self.0.notes.looks {
            why.put(&slot);
        }
    }

    /// Records a reason in place of all reasons recorded in this round.
    #[inline]
    pub fn reason_instead<T, N>(&mut self, terms: impl FnOnce() -> T)
    where
        T: IntoIterator<Item = (N, f64)>,
        N: Into<Cow<'static, str>>,
    {
        if self.0.notes.traced {
            self.0.notes.reason.clear();
            self.0.notes.tell(terms);
        }
    }

    /// Returns the same view with other candidates in the slots and other files.
    pub fn showing<'b>(
        &'b mut self,
        slate: Slate<'b>,
        files: &'b [LookStats],
        answers: &'b [LookAnswer],
    ) -> View<'b> {
        View::of(ViewParts {
            round: self.0.round,
            slate,
            places: self.0.places,
            places_left: self.0.places_left,
            looks_left: self.0.looks_left,
            money_left: self.0.money_left,
            files,
            answers,
            draw: self.0.draw,
            notes: self.0.notes,
        })
    }
}

/// The outcome of a choice.
pub struct Outcome<'a> {
    pub(crate) decided: u64,
    pub(crate) person: Shown<'a>,
    pub(crate) value: f64,
    pub(crate) p: Option<f64>,
}

impl<'a> Outcome<'a> {
    /// Makes the outcome of the choice of a person in a round, from 1. `p` is the propensity of the
    /// choice, if known.
    #[must_use]
    pub fn new(decided: u64, person: Shown<'a>, value: f64, p: Option<f64>) -> Self {
        Self {
            decided,
            person,
            value,
            p,
        }
    }

    /// The round in which the person was chosen, from 1.
    #[inline]
    #[must_use]
    pub fn decided(&self) -> u64 {
        self.decided
    }

    /// The person, as shown then.
    #[inline]
    #[must_use]
    pub fn person(&self) -> Shown<'a> {
        self.person
    }

    /// The person's outcome.
    #[inline]
    #[must_use]
    pub fn value(&self) -> f64 {
        self.value
    }

    /// The propensity of the choice, if it was random. It covers all who were chosen then together
    /// (see [`Selection`](super::Selection)).
    #[inline]
    #[must_use]
    pub fn p(&self) -> Option<f64> {
        self.p
    }
}

#[cfg(test)]
mod tests;
