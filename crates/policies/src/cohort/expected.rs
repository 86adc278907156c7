//! A cohort policy that counts applicants by what they are expected to bring.

use std::sync::Arc;

use crate::Policy;
use kleroterion_core::protocol::{LookStats, Move, Outcome, Shown, View, Yields};

/// A policy that sees each applicant's utility times the probability that they take the place
/// (*ours*; Schumann et al. 2019, Section 8, name it as future work). With top k it thus seeks the
/// cohort whose members who come have the highest expected sum.
///
/// With probability r the file holds the mean times r, and the weight over r squared: the radius
/// c / sqrt(T) becomes r c / sqrt(T), that of r u.
#[derive(Clone, Debug)]
pub struct Expected<P> {
    policy: P,
    yields: Arc<Yields>,
    round: u64,
    /// The probability of each candidate to take the place, by slot.
    chances: Vec<f64>,
    files: Vec<LookStats>,
}

impl<P> Expected<P> {
    /// Makes the policy before the first round.
    #[must_use]
    pub fn new(policy: P, yields: Arc<Yields>) -> Self {
        Self {
            policy,
            yields,
            round: 0,
            chances: Vec::new(),
            files: Vec::new(),
        }
    }
}

/// A file on r u, from that on u.
fn expected(file: LookStats, r: f64) -> LookStats {
    if file.weight == 0.0 {
        return file;
    }
    LookStats {
        mean: r * file.mean,
        // Of who never comes the worth is known.
        weight: file.weight / (r * r).max(f64::MIN_POSITIVE),
        ..file
    }
}

impl<P: Policy> Policy for Expected<P> {
    fn act(&mut self, view: &mut View<'_>) -> Move {
        let slate = view.slate();
        if view.round() != self.round {
            self.round = view.round();
            let chances = slate.candidates().map(|one| self.yields.of(one));
            self.chances = chances.collect();
            let files = (0..slate.len()).zip(&self.chances);
            self.files = files
                .map(|(slot, r)| expected(view.file(slot), *r))
                .collect();
        }
        for answer in view.answers() {
            let slot = answer.pull.slot;
            self.files[slot as usize] = expected(view.file(slot), self.chances[slot as usize]);
        }
        let (files, answers) = (&self.files, view.answers());
        self.policy.act(&mut view.showing(slate, files, answers))
    }

    fn learn(&mut self, outcome: &Outcome<'_>) {
        self.policy.learn(outcome);
    }

    fn decline(&mut self, round: u64, person: Shown<'_>) {
        self.policy.decline(round, person);
    }

    fn corrects(&self) -> bool {
        self.policy.corrects()
    }

    fn correct(&mut self, outcome: &Outcome<'_>, before: f64) {
        self.policy.correct(outcome, before);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_that_of_as_many_looks_at_r_times_the_worth() {
        let looks = [(3.0, 1.0), (4.0, 2.5), (1.0, 4.0)];
        for r in [1.0, 0.5, 0.01] {
            let (mut file, mut scaled) = (LookStats::default(), LookStats::default());
            for (value, gain) in looks {
                file.add(value, gain);
                // A look at r u has r times the noise.
                scaled.add(r * value, gain / (r * r));
            }
            let expected = expected(file, r);
            assert!((expected.mean - scaled.mean).abs() < 1e-12);
            assert!((expected.weight / scaled.weight - 1.0).abs() < 1e-12);
            assert_eq!(expected.looks, 3);
        }
        let none = LookStats::default();
        assert_eq!(expected(none, 0.0), none);
        let mut file = none;
        file.add(2.0, 1.0);
        let gone = expected(file, 0.0);
        assert!(gone.mean == 0.0 && gone.weight.is_finite() && gone.weight > 1e300);
    }
}
