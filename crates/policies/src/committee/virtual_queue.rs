//! Virtual queues: drift plus penalty, without knowing the candidates' law and without a program.
//! Ours; not in Do et al. 2021.
//!
//! Q^i_j = N^i_j - rho^i_j N over the accepted. Accept x iff sum_i (Q^i_{x_i} - sum_j rho^i_j
//! Q^i_j) <= V. Some x always has a score <= 0, so with V >= 0 it ends under full support; the loss
//! falls like 1/K.
//!
//! V depends on the instance and on K: with V = 2, which suits some, others screen a fifth more
//! than `cmdp`. Where the law is known a pilot finds it (`v = "pilot"`). Where it is not, there is
//! no rule: a larger V screens fewer, and what it costs in loss shows only in the end; the loss is
//! about proportional to V/K.

use super::{ByValue, OneByOne, decide};
use crate::Policy;
use kleroterion_core::protocol::{Move, Shown, Target, View};

/// Accepts each candidate who lengthens the queues by at most V.
#[derive(Clone, Debug)]
pub struct VirtualQueue {
    v: f64,
    /// The target shares rho.
    shares: ByValue<f64>,
    /// N^i_j, in the places of `shares`.
    counts: Vec<u64>,
    members: u64,
    /// Q^i_j - sum_j rho^i_j Q^i_j, in the places of `shares`.
    scores: Vec<f64>,
}

impl VirtualQueue {
    /// Makes the queues for a target. The larger V >= 0, the fewer are screened.
    #[must_use]
    pub fn new(target: &Target, v: f64) -> Self {
        let shares = ByValue::new(target, |_, shares| shares.to_vec());
        let values = shares.numbers.len();
        Self {
            v,
            shares,
            counts: vec![0; values],
            members: 0,
            scores: vec![0.0; values],
        }
    }

    /// Returns the score of a candidate: the increase of the queues' squares.
    // Inside a lane's loop its sum would go through memory.
    #[inline(never)]
    #[must_use]
    pub fn score(&self, values: &[u16]) -> f64 {
        self.shares
            .places(values)
            .map(|place| self.scores[place])
            .sum()
    }

    /// Returns true if a candidate of these values is accepted.
    #[inline]
    #[must_use]
    pub fn accepts(&self, values: &[u16]) -> bool {
        self.score(values) <= self.v
    }

    /// Returns, for a trace, the attribute (from 1) that weighs most against a candidate of these
    /// values, or most for one. The other terms are the number of members with the value, and the
    /// number that the target gives it.
    pub(super) fn hinge(&self, values: &[u16], against: bool) -> Vec<(&'static str, f64)> {
        let attributes = self
            .shares
            .attributes
            .iter()
            .map(|(attribute, _)| *attribute);
        let places = attributes.zip(self.shares.places(values));
        let by_score =
            |a: &(usize, usize), b: &(usize, usize)| self.scores[a.1].total_cmp(&self.scores[b.1]);
        let found = match against {
            true => places.max_by(by_score),
            false => places.min_by(by_score),
        };
        let terms = found.map(|(attribute, place)| {
            [
                ("attribute", attribute as f64 + 1.0),
                ("taken", self.counts[place] as f64),
                ("wanted", self.shares.numbers[place] * self.members as f64),
            ]
        });
        terms.into_iter().flatten().collect()
    }

    /// Adds a member to the counts.
    pub fn admit(&mut self, values: &[u16]) {
        self.members += 1;
        for place in self.shares.places(values) {
            self.counts[place] += 1;
        }
        self.settle();
    }

    /// Removes a member from the counts.
    pub fn dismiss(&mut self, values: &[u16]) {
        self.members -= 1;
        for place in self.shares.places(values) {
            self.counts[place] -= 1;
        }
        self.settle();
    }

    /// Computes the scores afresh from whole numbers, so that they never drift.
    #[inline]
    fn settle(&mut self) {
        let members = self.members as f64;
        let mut start = 0;
        for shares in self.shares.rows() {
            let end = start + shares.len();
            let scores = &mut self.scores[start..end];
            let mut mean = 0.0;
            for ((score, share), &count) in
                scores.iter_mut().zip(shares).zip(&self.counts[start..end])
            {
                *score = count as f64 - share * members;
                mean += share * *score;
            }
            for score in scores {
                *score -= mean;
            }
            start = end;
        }
    }
}

impl OneByOne for VirtualQueue {
    #[inline]
    fn judge(&mut self, person: Shown<'_>) -> f64 {
        f64::from(u8::from(self.accepts(person.values())))
    }

    fn why(&self, person: Shown<'_>) -> Vec<(&'static str, f64)> {
        let score = self.score(person.values());
        let mut terms = vec![("score", score), ("v", self.v)];
        terms.extend(self.hinge(person.values(), score > self.v));
        terms
    }

    fn accept(&mut self, person: Shown<'_>) {
        self.admit(person.values());
    }
}

impl Policy for VirtualQueue {
    #[inline]
    fn act(&mut self, view: &mut View<'_>) -> Move {
        decide(self, view)
    }

    fn decline(&mut self, _: u64, person: Shown<'_>) {
        self.dismiss(person.values());
    }

    fn corrects(&self) -> bool {
        // It learns from no outcome.
        true
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use kleroterion_core::protocol::{Attribute, Batch, Schema};

    /// Two of three members are old, and all are of town. With halves wanted, the scores of age are
    /// -.5 and .5, those of place 1.5 and -1.5.
    #[test]
    fn a_decision_hangs_on_the_attribute_that_speaks_most() {
        let attribute = |name: &str, values: [&str; 2]| Attribute {
            name: name.into(),
            values: values.map(String::from).into(),
        };
        let attributes = vec![
            attribute("eyes", ["blue", "brown"]),
            attribute("age", ["young", "old"]),
            attribute("place", ["town", "land"]),
        ];
        let schema = Schema::new(attributes, vec![], false).unwrap();
        let halves = || vec![0.5, 0.5];
        let target = Target::new(&schema, vec![(1, halves()), (2, halves())]);
        let mut queue = VirtualQueue::new(&target, 1.0);
        for values in [[0, 0, 0], [1, 1, 0], [0, 1, 0]] {
            queue.admit(&values);
        }
        let terms = |attribute, taken, wanted| {
            vec![
                ("attribute", attribute),
                ("taken", taken),
                ("wanted", wanted),
            ]
        };
        for (values, score, for_, against) in [
            ([0, 0, 0], 1.0, terms(2.0, 1.0, 1.5), terms(3.0, 3.0, 1.5)),
            ([0, 1, 0], 2.0, terms(2.0, 2.0, 1.5), terms(3.0, 3.0, 1.5)),
            ([1, 1, 1], -1.0, terms(3.0, 0.0, 1.5), terms(2.0, 2.0, 1.5)),
        ] {
            assert_eq!(queue.score(&values), score);
            assert_eq!(queue.accepts(&values), score <= 1.0);
            assert_eq!(queue.hinge(&values, false), for_);
            assert_eq!(queue.hinge(&values, true), against);
        }
        let cell = schema.cell(&[0, 1, 0]);
        let mut batch = Batch::new(Arc::new(schema), 1, 0);
        batch.persons_mut().push(cell, &[0, 1, 0], &[], None);
        let why = queue.why(batch.persons().shown(0));
        assert_eq!(why[..2], [("score", 2.0), ("v", 1.0)]);
        assert_eq!(why[2..], queue.hinge(&[0, 1, 0], true));
    }
}
