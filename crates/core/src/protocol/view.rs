//! The view of a policy: slates when it acts, outcomes when it learns.

use std::borrow::Cow;
use std::ops::Range;

use super::batch::Batch;
use super::moves::Pull;
use super::persons::{Persons, Shown};
use super::rules::Places;
use super::trail::LookReason;
use crate::draw::Draw;

/// Those shown together in one round, by slot from 0.
#[derive(Clone, Copy)]
pub struct Slate<'a> {
    persons: &'a Persons,
    start: u32,
    len: u32,
    /// Who of the roster applied, by slot; all where `None`.
    who: Option<&'a [u32]>,
}

impl<'a> Slate<'a> {
    /// The slate of a round (from 0) of a batch: the whole roster, or `who` of it (positions in the
    /// roster, by slot).
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

    /// How many candidates there are.
    #[inline]
    #[must_use]
    pub fn len(&self) -> u32 {
        self.len
    }

    /// Whether no one is on it.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The candidate in a slot.
    ///
    /// # Panics
    /// Where the slate has no slot of this number.
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

    /// The same roster, of which these positions are shown, in this order.
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

    /// The row of a slot in its batch.
    #[inline]
    pub(crate) fn row(&self, slot: u32) -> u32 {
        assert!(slot < self.len, "no slot {slot}");
        self.start + self.position(slot)
    }
}

/// The looks bought so far at one candidate in this round.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LookStats {
    /// How many looks, of any kind.
    pub looks: u32,
    /// Their gains, added up.
    pub weight: f64,
    /// Their mean, weighted by gain; 0 where there are none.
    pub mean: f64,
}

impl LookStats {
    /// Adds a look: T += s, mean <- (mean T + s x) / (T + s) (Schumann et al. 2019, Section 4.1).
    pub fn add(&mut self, value: f64, gain: f64) {
        let weight = self.weight + gain;
        self.mean = (self.mean * self.weight + gain * value) / weight;
        self.weight = weight;
        self.looks += 1;
    }
}

/// A look that was bought, with its answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LookAnswer {
    /// Whom and how.
    pub pull: Pull,
    /// What was seen.
    pub value: f64,
}

/// The notes of a policy: what it reports in addition to its move.
#[derive(Debug, Default)]
pub struct ViewNotes {
    pub(crate) measures: Vec<(Cow<'static, str>, f64)>,
    pub(crate) reason: Vec<(Cow<'static, str>, f64)>,
    /// Why the looks of the move are wanted, in their order; the last is also that of those after
    /// it.
    pub(crate) looks: Vec<LookReason>,
    /// Whether anyone wants the reasons.
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
    fn tell<T>(&mut self, terms: impl FnOnce() -> T)
    where
        T: IntoIterator<Item = (&'static str, f64)>,
    {
        let terms = terms().into_iter().filter(|(_, value)| value.is_finite());
        let terms = terms.map(|(name, value)| (Cow::Borrowed(name), value));
        self.reason.extend(terms);
    }
}

/// A round as a policy sees it.
pub struct View<'a>(pub(crate) ViewParts<'a>);

/// The parts of a [`View`], for those who show a round to a policy.
pub struct ViewParts<'a> {
    /// The round's number, from 1.
    pub round: u64,
    /// The candidates.
    pub slate: Slate<'a>,
    /// How many may be chosen, at least and at most.
    pub places: Places,
    /// The places of the run that are left, where their number is fixed.
    pub places_left: Option<u64>,
    /// The interviews that the policy may still buy in this run.
    pub looks_left: u64,
    /// The money that is left for them.
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
    /// A view of these parts.
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
    /// Where the slate has no slot of this number.
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

    /// How many may still be accepted in the run; `None` where the rules set no number.
    #[inline]
    #[must_use]
    pub fn places_left(&self) -> Option<u64> {
        self.0.places_left
    }

    /// How many looks may still be bought in this round. Where a move's looks did not all fit, this
    /// is 0 and the next move must select.
    #[inline]
    #[must_use]
    pub fn looks_left(&self) -> u64 {
        self.0.looks_left
    }

    /// How much money is left for looks, of the round's and of the run's the lesser; infinite where
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

    /// The answers to the last `Interview` of this round, in the order asked; fewer than asked
    /// where the money or the cap ended.
    #[inline]
    #[must_use]
    pub fn answers(&self) -> &'a [LookAnswer] {
        self.0.answers
    }

    /// This round's own random numbers, the same whatever else happens; they go on from one `act`
    /// of the round to the next.
    #[inline]
    pub fn draw(&mut self) -> &mut Draw {
        self.0.draw
    }

    /// Reports a number of the policy's own (say, `converged` = 1); the last of a name in a run
    /// becomes a metric.
    pub fn measure(&mut self, name: impl Into<Cow<'static, str>>, value: f64) {
        self.0.notes.measures.push((name.into(), value));
    }

    /// Says why, in named terms; computed and kept only where a trace wants it. A term that is no
    /// finite number is left out.
    #[inline]
    pub fn reason<T>(&mut self, terms: impl FnOnce() -> T)
    where
        T: IntoIterator<Item = (&'static str, f64)>,
    {
        if self.0.notes.traced {
            self.0.notes.tell(terms);
        }
    }

    /// Says why the next look of this move is wanted, in the order of the looks; the last reason is
    /// also that of those after it. Computed and kept only where a trace wants it.
    #[inline]
    pub fn why_look(&mut self, why: impl FnOnce() -> LookReason) {
        if self.0.notes.traced {
            self.0.notes.looks.push(why());
        }
    }

    /// Puts the slots of the slate in the place of those that the reasons of looks name.
    pub fn rename_looked_at(&mut self, slot: impl Fn(u32) -> u32) {
        for why in &mut self.0.notes.looks {
            why.put(&slot);
        }
    }

    /// Says why in place of all that was said in this round.
    #[inline]
    pub fn reason_instead<T>(&mut self, terms: impl FnOnce() -> T)
    where
        T: IntoIterator<Item = (&'static str, f64)>,
    {
        if self.0.notes.traced {
            self.0.notes.reason.clear();
            self.0.notes.tell(terms);
        }
    }

    /// The same view, but for who is in which slot and what is on file.
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

    /// Why a policy that sits outside wants the looks of its move.
    pub(crate) fn give_look_reason(&mut self, terms: &[(String, f64)]) {
        if self.0.notes.traced && !terms.is_empty() {
            let terms = terms.iter().cloned();
            self.0.notes.looks.push(LookReason {
                terms: terms
                    .map(|(name, value)| (Cow::Owned(name), value))
                    .collect(),
                people: Vec::new(),
            });
        }
    }

    /// The reasons of a policy that sits outside.
    pub(crate) fn give_reason(&mut self, terms: Vec<(String, f64)>) {
        if self.0.notes.traced {
            let terms = terms.into_iter();
            self.0
                .notes
                .reason
                .extend(terms.map(|(name, value)| (Cow::Owned(name), value)));
        }
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
    /// The outcome of the choice of a person in a round, from 1; `p` is the chance with which it is
    /// heard, where that is known.
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

    /// What the person turned out to be.
    #[inline]
    #[must_use]
    pub fn value(&self) -> f64 {
        self.value
    }

    /// The propensity of the choice, where it was random: of all who were chosen then together (see
    /// [`Selection`](super::Selection)).
    #[inline]
    #[must_use]
    pub fn p(&self) -> Option<f64> {
        self.p
    }
}

#[cfg(test)]
mod tests;
