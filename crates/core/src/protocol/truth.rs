//! The truth, which no policy sees. These types are made from a `&Batch`, which no policy ever
//! holds.

use super::batch::Batch;
use super::persons::Shown;
use super::view::Slate;

/// A person with the truth about them. Only feedback gets one.
#[derive(Clone, Copy)]
pub struct Person<'a> {
    batch: &'a Batch,
    index: u32,
}

impl<'a> Person<'a> {
    /// The person in a row of a batch.
    #[must_use]
    pub fn new(batch: &'a Batch, index: u32) -> Self {
        Self { batch, index }
    }

    /// The person's row in its batch.
    pub(super) fn index(self) -> u32 {
        self.index
    }

    /// The person's number in the stream, from 0.
    #[must_use]
    pub fn number(self) -> u64 {
        self.batch.persons().number(self.index)
    }

    /// The person as policies see it.
    #[must_use]
    pub fn shown(self) -> Shown<'a> {
        self.batch.persons().shown(self.index)
    }

    /// The scores that reviewers once gave the person, in their order. Empty if nothing was
    /// recorded.
    #[must_use]
    pub fn record(self) -> &'a [f64] {
        self.batch.record(self.index)
    }

    /// The person's expected worth. `None` if the source has no truth.
    #[must_use]
    pub fn merit(self) -> Option<f64> {
        self.batch.merits().get(self.index as usize).copied()
    }
}

/// The truth of a slate, by slot. Only oracles and scorers get it.
#[derive(Clone, Copy)]
pub struct Truth<'a> {
    batch: &'a Batch,
    slate: Slate<'a>,
}

impl<'a> Truth<'a> {
    /// The truth of a slate of a batch.
    #[inline]
    #[must_use]
    pub fn new(batch: &'a Batch, slate: Slate<'a>) -> Self {
        Self { batch, slate }
    }

    /// The expected worth of the candidate in a slot. `None` if the source has no truth.
    ///
    /// # Panics
    /// Panics if the slate has no slot of this number.
    #[must_use]
    pub fn merit(&self, slot: u32) -> Option<f64> {
        Person::new(self.batch, self.slate.row(slot)).merit()
    }

    /// The outcome of the candidate in a slot, chosen or not. `None` if it is not recorded, or is
    /// reported from outside.
    ///
    /// # Panics
    /// Panics if the slate has no slot of this number.
    #[must_use]
    pub fn outcome(&self, slot: u32) -> Option<f64> {
        let person = Person::new(self.batch, self.slate.row(slot));
        self.batch.sealed().outcome(person)
    }
}

/// The true CDF F_a of the merits of each group. Only oracles and scorers get it.
pub trait GroupCdf: Send + Sync {
    /// Returns F_group(merit), 0 to 1: the share of the group with at most this merit.
    fn rank(&self, group: usize, merit: f64) -> f64;
}

impl<F: Fn(usize, f64) -> f64 + Send + Sync> GroupCdf for F {
    fn rank(&self, group: usize, merit: f64) -> f64 {
        self(group, merit)
    }
}

/// The distributions of the groups' merits, and the attribute that makes the groups.
#[derive(Clone)]
pub struct GroupTruth {
    /// The attribute's index in the schema; its values are the groups.
    pub attribute: usize,
    /// The CDFs, one per group.
    pub cdf: std::sync::Arc<dyn GroupCdf>,
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::schema::Schema;
    use super::super::sealed::SealedOutcomes;
    use super::*;

    #[test]
    fn the_truth_of_a_slot_is_that_of_its_row() {
        let mut batch = Batch::new(Arc::new(Schema::default()), 1, 40);
        for merit in [0.125, 0.25, 0.5, 0.75] {
            batch.persons_mut().push(0, &[], &[], None);
            batch.push_merit(merit);
            batch.push_record(&[merit, 2.0 * merit]);
        }
        batch.close_rounds(2);
        let outcomes: [Option<f64>; 4] = [Some(1.0), None, Some(3.0), Some(4.0)];
        let slots = |batch: &Batch, who: Option<&[u32]>| {
            let truth = Truth::new(batch, Slate::new(batch, 1, who));
            [0, 1].map(|slot| (truth.merit(slot), truth.outcome(slot)))
        };
        assert_eq!(slots(&batch, None), [(Some(0.5), None), (Some(0.75), None)]);
        batch.seal_outcomes(SealedOutcomes::Recorded(outcomes.into()));
        let (third, fourth) = ((Some(0.5), Some(3.0)), (Some(0.75), Some(4.0)));
        assert_eq!(slots(&batch, None), [third, fourth]);
        assert_eq!(slots(&batch, Some(&[1, 0])), [fourth, third]);
        let person = Person::new(&batch, 2);
        assert_eq!(
            (person.number(), person.merit(), person.index()),
            (42, Some(0.5), 2)
        );
        assert_eq!(person.record(), [0.5, 1.0]);
        assert_eq!(person.shown().number(), 42);
        assert_eq!(batch.sealed().outcome(Person::new(&batch, 1)), None);
        // Without a truth or a record there is none.
        let mut batch = Batch::new(Arc::new(Schema::default()), 1, 0);
        batch.persons_mut().push(0, &[], &[], None);
        batch.close_round();
        let person = Person::new(&batch, 0);
        assert_eq!((person.merit(), person.record()), (None, &[][..]));
    }

    #[test]
    fn a_law_is_any_function_of_group_and_merit() {
        let law = |group: usize, merit: f64| group as f64 + merit / 2.0;
        assert_eq!(GroupCdf::rank(&law, 1, 0.5), 1.25);
    }
}
