//! Answers to interviews, and outcomes: sealed onto a batch on its way to the lanes.

use std::sync::Arc;

use super::batch::Batch;
use super::seal::{Blocks, Seal};
use super::truth::Person;
use crate::draw::{Draw, Key, Purpose};

/// A question about a person: an interview, the outcome or an offer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Probe {
    /// An interview. An interview of gain s has 1/s of the variance of one of gain 1.
    Interview {
        /// The kind's index in the rules.
        kind: usize,
        /// The kind's gain.
        gain: f64,
        /// The number of earlier interviews of the person in this lane and round, of any kind.
        nth: u64,
    },
    /// The outcome of an accepted person.
    Outcome,
    /// The reply of a chosen person to an offer: not 0 if the person takes the place.
    Offer,
}

/// Answers interviews and outcomes; a pure function of the person and the draw.
pub trait Feedback: Send + Sync {
    /// Returns the answer to `probe`, with the noise of `draw`. For an interview it is the draw of
    /// (person, nth interview), for an outcome the draw of the person.
    fn answer(&self, person: Person<'_>, probe: Probe, draw: &mut Draw) -> f64;
}

/// The generator and key from which drawn answers can be had when they are paid for.
#[derive(Clone)]
pub struct Drawn {
    /// The feedback that answers.
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

    /// Seals what the nth interview of a person answers, for some kinds of interview and their
    /// gains.
    pub(crate) fn seal_looks(
        &self,
        person: Person<'_>,
        nth: u64,
        kinds: &[(usize, f64)],
        seals: &mut Vec<Seal>,
    ) {
        // The kinds of a look share its noise.
        let draw = self.key.draw(Purpose::Interview, person.number(), nth);
        let draw = if kinds.len() > 1 { draw.begun() } else { draw };
        for &(kind, gain) in kinds {
            let probe = Probe::Interview { kind, gain, nth };
            let answer = self.feedback.answer(person, probe, &mut draw.clone());
            seals.push(Seal::of(answer));
        }
    }
}

/// The answers of a batch. The addresses are those of the batch's persons.
#[derive(Clone, Default)]
pub struct Sealed {
    /// The answers to interviews.
    pub(super) looks: SealedAnswers,
    /// The outcomes of the chosen.
    pub(super) outcomes: SealedOutcomes,
    /// The replies of the chosen to offers.
    pub(super) offers: SealedAnswers,
    /// The outcomes that are drawn already.
    pub(super) drawn_outcomes: Blocks,
    /// The replies to offers that are drawn already.
    pub(super) drawn_offers: Blocks,
}

/// The answers to interviews, or the replies of the chosen to offers.
#[derive(Clone, Default)]
pub enum SealedAnswers {
    /// There are no answers. All who are offered a place take it.
    #[default]
    Nothing,
    /// The answers are drawn.
    Drawn(Drawn),
    /// A program or people outside answer: the feedback task of a lane asks them.
    Outside,
}

/// The outcomes of the chosen.
#[derive(Clone, Default)]
pub enum SealedOutcomes {
    /// No outcomes are known.
    #[default]
    Nothing,
    /// The outcomes are drawn.
    Drawn(Drawn),
    /// The recorded outcome of each person; `None` for one that never comes.
    Recorded(Arc<[Option<f64>]>),
    /// The outcomes are reported from outside, later or never: see [`Batch::push_report`].
    ///
    /// [`Batch::push_report`]: super::Batch::push_report
    Reported,
    /// A program outside gives the outcome once someone is chosen: the feedback task of a lane asks
    /// it.
    Outside,
}

impl Sealed {
    /// The replies of the chosen to offers.
    #[inline]
    pub fn offers(&self) -> &SealedAnswers {
        &self.offers
    }

    /// Returns true if any of the chosen may decline.
    #[inline]
    #[must_use]
    pub fn may_be_declined(&self) -> bool {
        !matches!(self.offers, SealedAnswers::Nothing)
    }

    /// The answers to interviews.
    pub fn looks(&self) -> &SealedAnswers {
        &self.looks
    }

    /// The outcomes of the chosen.
    #[inline]
    #[must_use]
    pub fn outcomes(&self) -> &SealedOutcomes {
        &self.outcomes
    }

    /// Returns true if every chosen person gets an outcome once it is due.
    #[inline]
    #[must_use]
    pub fn has_outcomes(&self) -> bool {
        !matches!(
            self.outcomes,
            SealedOutcomes::Nothing | SealedOutcomes::Reported
        )
    }

    /// Returns true if outcomes are reported from outside.
    #[inline]
    #[must_use]
    pub fn is_reported(&self) -> bool {
        matches!(self.outcomes, SealedOutcomes::Reported)
    }

    /// Returns the generator of the answer to a probe, if it is drawn.
    pub(crate) fn drawn(&self, probe: Probe) -> Option<&Drawn> {
        match (probe, &self.looks, &self.outcomes, &self.offers) {
            (Probe::Interview { .. }, SealedAnswers::Drawn(drawn), _, _)
            | (Probe::Outcome, _, SealedOutcomes::Drawn(drawn), _)
            | (Probe::Offer, _, _, SealedAnswers::Drawn(drawn)) => Some(drawn),
            _ => None,
        }
    }

    /// The sealed answers to a probe that all lanes share; none to interviews, which each lane buys
    /// in its own order.
    fn blocks(&self, probe: Probe) -> Option<&Blocks> {
        match probe {
            Probe::Interview { .. } => None,
            Probe::Outcome => Some(&self.drawn_outcomes),
            Probe::Offer => Some(&self.drawn_offers),
        }
    }

    /// Returns true if the answers of the people in these rows are already drawn.
    #[inline]
    pub(crate) fn has_drawn(&self, probe: Probe, rows: &[u32]) -> bool {
        let blocks = self.blocks(probe);
        blocks.is_some_and(|blocks| rows.iter().all(|row| blocks.get(*row).is_some()))
    }

    /// Draws the answers of the people around a row of the batch that these answers are sealed on.
    pub(super) fn draw_block(&self, probe: Probe, batch: &Batch, row: u32) {
        if let (Some(drawn), Some(blocks)) = (self.drawn(probe), self.blocks(probe)) {
            let answer = |row| drawn.answer(Person::new(batch, row), probe);
            blocks.draw(row, batch.persons().len(), answer);
        }
    }

    /// The answer of a person that is drawn already, or is drawn here and now; none where no one
    /// draws it.
    pub(crate) fn answer(&self, probe: Probe, person: Person<'_>) -> Option<f64> {
        let ready = self.blocks(probe).and_then(|all| all.get(person.index()));
        match ready {
            Some(seal) => Some(seal.open(person)),
            None => self.drawn(probe).map(|drawn| drawn.answer(person, probe)),
        }
    }

    /// Returns true if a chosen person takes the place, as far as that is drawn. A person asked
    /// outside counts as taking it.
    pub(crate) fn takes(&self, person: Person<'_>) -> bool {
        self.answer(Probe::Offer, person) != Some(0.0)
    }

    /// The outcome of a person; none where none ever comes, or where it comes from outside.
    pub(crate) fn outcome(&self, person: Person<'_>) -> Option<f64> {
        match &self.outcomes {
            SealedOutcomes::Drawn(_) => self.answer(Probe::Outcome, person),
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

    /// Feedback that draws as many words as the kind's number plus one, and answers with its gain.
    struct Toss;

    impl Feedback for Toss {
        fn answer(&self, _: Person<'_>, probe: Probe, draw: &mut Draw) -> f64 {
            match probe {
                Probe::Interview { kind, gain, .. } => {
                    gain + (0..=3 * kind).map(|_| draw.uniform()).sum::<f64>()
                }
                Probe::Outcome | Probe::Offer => f64::NAN,
            }
        }
    }

    fn drawn() -> Drawn {
        Drawn {
            feedback: Arc::new(Numbered),
            key: Key::new(1, 0),
        }
    }

    /// Makes a batch of two people, of numbers 0 and 1.
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
        for offers in [SealedAnswers::Drawn(drawn()), SealedAnswers::Outside] {
            batch.seal_offers(offers);
            assert!(batch.sealed().may_be_declined());
        }
        // An answer of 0 is a no; who is asked outside is taken to come.
        let takes = |batch: &Batch| [0, 1].map(|row| batch.sealed().takes(Person::new(batch, row)));
        assert_eq!(takes(&batch), [true, true]);
        batch.seal_offers(SealedAnswers::Drawn(drawn()));
        assert_eq!(takes(&batch), [false, true]);
        batch.draw_block(Probe::Offer, 1);
        assert_eq!(takes(&batch), [false, true]);
    }

    /// Answers drawn ahead equal those drawn on request, and exist only for probes that are drawn.
    #[test]
    fn a_block_holds_the_answers_to_one_probe() {
        let mut batch = batch();
        let looks = Probe::Interview {
            kind: 0,
            gain: 1.0,
            nth: 0,
        };
        batch.seal_looks(SealedAnswers::Drawn(drawn()));
        batch.seal_outcomes(SealedOutcomes::Drawn(drawn()));
        batch.seal_offers(SealedAnswers::Outside);
        let has = |batch: &Batch| {
            [looks, Probe::Outcome, Probe::Offer]
                .map(|probe| batch.sealed().has_drawn(probe, &[0, 1]))
        };
        let said =
            |batch: &Batch| [0, 1].map(|row| batch.sealed().outcome(Person::new(batch, row)));
        assert_eq!(
            (has(&batch), said(&batch)),
            ([false; 3], [Some(0.0), Some(1.0)])
        );
        for probe in [looks, Probe::Outcome, Probe::Offer] {
            batch.draw_block(probe, 0);
        }
        let sealed = ([false, true, false], [Some(0.0), Some(1.0)]);
        assert_eq!((has(&batch), said(&batch)), sealed);
        // A batch that is sealed anew forgets what was drawn.
        batch.seal_outcomes(SealedOutcomes::Drawn(drawn()));
        assert_eq!(has(&batch), [false; 3]);
    }

    /// An interview of each kind is what is asked for singly, in the order of the kinds.
    #[test]
    fn looks_sealed_ahead_are_the_looks_that_are_asked_for() {
        let feedback = Arc::new(Toss);
        let drawn = Drawn {
            feedback,
            ..drawn()
        };
        let batch = batch();
        let person = Person::new(&batch, 1);
        for kinds in [&[(0, 1.0)][..], &[(2, 3.0), (0, 1.0), (1, 1.5)]] {
            let mut seals = Vec::new();
            (4..6).for_each(|nth| drawn.seal_looks(person, nth, kinds, &mut seals));
            let looks = (4..6).flat_map(|nth| kinds.iter().map(move |kind| (nth, *kind)));
            let asked: Vec<f64> = looks
                .map(|(nth, (kind, gain))| {
                    drawn.answer(person, Probe::Interview { kind, gain, nth })
                })
                .collect();
            let opened: Vec<f64> = seals.iter().map(|seal| seal.open(person)).collect();
            assert_eq!(opened, asked);
        }
    }

    /// Each kind of outcomes, and its answers for the two people.
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
