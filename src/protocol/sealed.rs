//! Answers to interviews, and outcomes: sealed onto a batch on its way to the lanes.

use std::sync::Arc;

use super::truth::Person;
use crate::draw::{Draw, Key, Purpose};

/// A question about a person: a priced or unpriced look at the truth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Probe {
    /// An interview of a kind (its index in the rules) and its gain: a look of gain s has 1/s of
    /// the variance of a look of gain 1.
    Interview {
        /// The kind's index in the rules.
        kind: usize,
        /// The kind's gain.
        gain: f64,
        /// How many looks, of any kind, there were at the person before in this lane and round.
        nth: u64,
    },
    /// What the accepted person turns out to be.
    Outcome,
    /// Whether the chosen person takes the place: not 0 where so.
    Offer,
}

/// Answers interviews and outcomes; a pure function of the person and the draw.
pub trait Feedback: Send + Sync {
    /// The answer to `probe`, with the noise of `draw`: for a look the draw of (person, nth look),
    /// for an outcome the draw of the person.
    fn answer(&self, person: Person<'_>, probe: Probe, draw: &mut Draw) -> f64;
}

/// The address at which drawn answers can be had when they are paid for.
#[derive(Clone)]
pub struct Drawn {
    /// Who answers.
    pub feedback: Arc<dyn Feedback>,
    /// The replication's key.
    pub key: Key,
}

impl Drawn {
    /// The answer to a probe of a person.
    pub(crate) fn answer(&self, person: Person<'_>, probe: Probe) -> f64 {
        let number = person.number();
        let mut draw = match probe {
            Probe::Interview { nth, .. } => self.key.draw(Purpose::Interview, number, nth),
            Probe::Outcome => self.key.draw(Purpose::Outcome, number, 0),
            Probe::Offer => self.key.draw(Purpose::Offer, number, 0),
        };
        self.feedback.answer(person, probe, &mut draw)
    }

    /// Whether a chosen person takes the place.
    pub(crate) fn takes(&self, person: Person<'_>) -> bool {
        self.answer(person, Probe::Offer) != 0.0
    }
}

/// The answers of a batch. The addresses are those of the batch's persons.
#[derive(Clone, Default)]
pub struct Sealed {
    /// The answers to interviews.
    pub(super) looks: SealedLooks,
    /// What the chosen turn out to be.
    pub(super) outcomes: SealedOutcomes,
    /// Whether the chosen take their places.
    pub(super) offers: SealedOffers,
}

/// The answers to interviews.
#[derive(Clone, Default)]
pub enum SealedLooks {
    /// There are none.
    #[default]
    Nothing,
    /// They are drawn.
    Drawn(Drawn),
    /// A program or people outside give them: the feedback task of a lane asks.
    Outside,
}

/// What the chosen turn out to be.
#[derive(Clone, Default)]
pub enum SealedOutcomes {
    /// Nothing that is known.
    #[default]
    Nothing,
    /// It is drawn.
    Drawn(Drawn),
    /// The recorded outcome of each person, none where none ever comes.
    Recorded(Arc<[Option<f64>]>),
    /// It is reported from outside, later or never: see [`Batch::push_report`].
    ///
    /// [`Batch::push_report`]: super::Batch::push_report
    Reported,
    /// A program outside says it once someone is chosen: the feedback task of a lane asks.
    Outside,
}

/// Whether the chosen take their places.
#[derive(Clone, Default)]
pub enum SealedOffers {
    /// All do.
    #[default]
    Taken,
    /// It is drawn of each.
    Drawn(Drawn),
    /// A program or people outside say it: the feedback task of a lane asks.
    Outside,
}

impl Sealed {
    /// Whether the chosen take their places.
    #[inline]
    #[must_use]
    pub fn offers(&self) -> &SealedOffers {
        &self.offers
    }

    /// Whether any of the chosen may decline.
    #[inline]
    #[must_use]
    pub fn may_be_declined(&self) -> bool {
        !matches!(self.offers, SealedOffers::Taken)
    }

    /// The answers to interviews.
    #[must_use]
    pub fn looks(&self) -> &SealedLooks {
        &self.looks
    }

    /// What the chosen turn out to be.
    #[inline]
    #[must_use]
    pub fn outcomes(&self) -> &SealedOutcomes {
        &self.outcomes
    }

    /// Whether a chosen person will turn out to be something, as soon as it is due.
    #[inline]
    #[must_use]
    pub fn has_outcomes(&self) -> bool {
        !matches!(
            self.outcomes,
            SealedOutcomes::Nothing | SealedOutcomes::Reported
        )
    }

    /// Whether outcomes are reported from outside.
    #[inline]
    #[must_use]
    pub fn is_reported(&self) -> bool {
        matches!(self.outcomes, SealedOutcomes::Reported)
    }

    /// The outcome of a person; none where none ever comes, or where it comes from outside.
    pub(crate) fn outcome(&self, person: Person<'_>) -> Option<f64> {
        match &self.outcomes {
            SealedOutcomes::Drawn(drawn) => Some(drawn.answer(person, Probe::Outcome)),
            SealedOutcomes::Recorded(values) => values.get(person.index() as usize).copied()?,
            SealedOutcomes::Nothing | SealedOutcomes::Reported | SealedOutcomes::Outside => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Batch, Schema};
    use super::*;

    /// Everything is worth its person's number.
    struct Numbered;

    impl Feedback for Numbered {
        fn answer(&self, person: Person<'_>, _: Probe, _: &mut Draw) -> f64 {
            person.number() as f64
        }
    }

    fn drawn() -> Drawn {
        Drawn {
            feedback: Arc::new(Numbered),
            key: Key::new(1, 0),
        }
    }

    /// Two people, of numbers 0 and 1.
    fn batch() -> Batch {
        let mut batch = Batch::new(Arc::new(Schema::default()), 1, 0);
        (0..2).for_each(|_| batch.persons_mut().push(0, &[], &[], None));
        batch.close_round();
        batch
    }

    #[test]
    fn places_may_be_declined_where_anyone_is_asked() {
        let mut batch = batch();
        assert!(!batch.sealed().may_be_declined());
        for offers in [SealedOffers::Drawn(drawn()), SealedOffers::Outside] {
            batch.seal_offers(offers);
            assert!(batch.sealed().may_be_declined());
        }
        // An answer of 0 is a no.
        let takes = [0, 1].map(|row| drawn().takes(Person::new(&batch, row)));
        assert_eq!(takes, [false, true]);
    }

    /// Which kind of outcomes there are, and what it says of the two people.
    #[test]
    fn outcomes_are_drawn_recorded_reported_or_asked_for() {
        let recorded = [None, Some(0.5)];
        let mut batch = batch();
        for (outcomes, has, is_reported, known) in [
            (SealedOutcomes::Nothing, false, false, [None; 2]),
            (
                SealedOutcomes::Drawn(drawn()),
                true,
                false,
                [Some(0.0), Some(1.0)],
            ),
            (
                SealedOutcomes::Recorded(recorded.into()),
                true,
                false,
                recorded,
            ),
            (SealedOutcomes::Reported, false, true, [None; 2]),
            (SealedOutcomes::Outside, true, false, [None; 2]),
        ] {
            batch.seal_outcomes(outcomes);
            let sealed = batch.sealed();
            assert_eq!(
                (sealed.has_outcomes(), sealed.is_reported()),
                (has, is_reported)
            );
            let said = [0, 1].map(|row| sealed.outcome(Person::new(&batch, row)));
            assert_eq!(said, known);
        }
    }
}
