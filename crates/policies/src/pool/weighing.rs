//! The worth of a place: the score it brings, less lambda times the loss of fairness.

use super::allocation::{Allotted, allot, clipped, nominal, split};
use super::order_statistics::{blom, expected};
use crate::BadParameters;
use kleroterion_core::protocol::ScoreLaw;

/// The estimate of the score of the r-th best of n of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GreedyTerm {
    /// Blom's approximation, mu + sigma Phi^-1(1 - (r - 3/8) / (n + 1/4)), as in the released code.
    Blom,
    /// The expectation, by quadrature.
    Exact,
    /// The large-N limit: the growth of R_G's closed form.
    MeanField,
    /// The score that the place does bring: the slate's own scores. The laws are not used.
    Realised,
}

impl GreedyTerm {
    /// Returns the expected score of the `rank`-th best (from 1) of n of a law. `None` if the slate
    /// must be asked.
    #[must_use]
    pub fn score(self, law: ScoreLaw, rank: u32, n: u32) -> Option<f64> {
        match self {
            Self::Blom => Some(law.mean + law.sd * blom(rank, n)),
            Self::Exact => Some(law.mean + law.sd * expected(rank, n)),
            Self::MeanField => {
                let size = f64::from(n);
                let to = |rank: u32| law.best(f64::from(rank) / size);
                Some(size * (to(rank) - to(rank - 1)))
            }
            Self::Realised => None,
        }
    }
}

/// The rule for a share that the applicants can't fill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Infeasible {
    /// The share is not allowed.
    Feasible,
    /// The share is allowed, as in the released code, for two groups. The head-count is clipped;
    /// the nominal share counts in the loss, and the pool learns that share.
    Authors,
}

/// The numbers admitted of each group.
#[derive(Clone, Debug, Default)]
pub struct AdmittedSeats {
    allotted: Allotted,
    nominal: Option<u32>,
}

impl AdmittedSeats {
    /// Sets the seats of the first of two groups and of the second; `nominal` where another number
    /// of the first is what counts.
    pub(super) fn set(&mut self, counts: [u32; 2], nominal: u32) {
        self.allotted.counts.clear();
        self.allotted.counts.extend(counts);
        self.nominal = (nominal != counts[0]).then_some(nominal);
    }

    /// The numbers admitted, by group.
    #[must_use]
    pub fn counts(&self) -> &[u32] {
        &self.allotted.counts
    }

    /// The number of the first group that counts in the loss and that the pool learns, if it
    /// differs from the head-count.
    #[must_use]
    pub fn nominal(&self) -> Option<u32> {
        self.nominal
    }

    /// The share of the first group that counts, out of a number of places; 0 if there are none.
    #[must_use]
    pub fn share(&self, places: u32) -> f64 {
        let k = self.nominal.unwrap_or(self.counts()[0]);
        f64::from(k) / f64::from(places.max(1))
    }
}

/// R of Puranik et al. 2022, Eq. 1: the expected scores of the admitted, by head, less lambda times
/// the loss. The loss is (1/2) sum_g (a_g - sbar_g)^2, which for two groups is the paper's
/// (a - sbar)^2.
#[derive(Clone, Debug, PartialEq)]
pub struct Weighing {
    /// sbar: the share of each group that is wanted among the admitted.
    pub target: Vec<f64>,
    /// The weight of the loss, in units of the scores; 0 or more.
    pub lambda: f64,
    /// The estimate of scores by which places are weighed.
    pub greedy_term: GreedyTerm,
    /// The laws of the scores of each group; may be empty if the term is `Realised`.
    pub laws: Vec<ScoreLaw>,
    /// The rule for a share that can't be filled.
    pub infeasible: Infeasible,
}

impl Weighing {
    /// Notes all that can't be worked with.
    pub(crate) fn check(&self, wrong: &mut BadParameters) {
        demand_shares(&self.target, wrong);
        let lambda = self.lambda;
        let right = lambda.is_finite() && lambda >= 0.0;
        wrong.demand("lambda", lambda, right, "a finite number of 0 or more");
        let groups = self.target.len();
        let needed = self.greedy_term != GreedyTerm::Realised;
        wrong.demand(
            "the number of score laws",
            self.laws.len() as f64,
            self.laws.len() == groups || !needed,
            "one for each group",
        );
        demand_laws(&self.laws, wrong);
        let two = groups == 2 || self.infeasible == Infeasible::Feasible;
        wrong.demand(
            "the number of groups",
            groups as f64,
            two,
            "2 where infeasible = \"authors\"",
        );
    }

    /// Returns lambda times the contribution of a group's r-th place to the loss, times the number
    /// of places.
    #[inline]
    fn loss(&self, places: u32, group: usize, place: u32) -> f64 {
        let share = (f64::from(place) - 0.5) / f64::from(places);
        self.lambda * (share - self.target[group])
    }

    /// Returns the seats that maximise R if `places` are filled from groups of these sizes, which
    /// have at least as many people. `realised(g, r)` is asked for the r-th best score of a group
    /// if the term is `Realised`. With two groups and feasible shares alone its queries are nested.
    pub fn seats(
        &self,
        places: u32,
        sizes: &[u32],
        mut realised: impl FnMut(usize, u32) -> f64,
        seats: &mut AdmittedSeats,
    ) {
        let mut score = |group: usize, rank: u32| match self.laws.get(group) {
            Some(&law) => match self.greedy_term.score(law, rank, sizes[group]) {
                Some(score) => score,
                None => realised(group, rank),
            },
            None => realised(group, rank),
        };
        let &[first, second] = sizes else {
            seats.nominal = None;
            allot(places, sizes, &mut seats.allotted, |group, place| {
                score(group, place) - self.loss(places, group, place)
            });
            return;
        };
        let sizes = [first, second];
        let (admitted, nominal) = match self.infeasible {
            Infeasible::Feasible => {
                let k = split(places, sizes, |group, place| {
                    score(group, place) - self.loss(places, group, place)
                });
                (k, k)
            }
            Infeasible::Authors => {
                let fair = |k| self.loss(places, 0, k + 1) - self.loss(places, 1, places - k);
                let k = nominal(places, sizes, score, fair);
                (clipped(k, places, sizes), k)
            }
        };
        seats.set([admitted, places - admitted], nominal);
    }

    /// Returns a*: the share of the first of two groups that counts in loss and pool if `places`
    /// are filled from groups of these sizes; 0 without places.
    ///
    /// # Panics
    /// Panics if the term is `Realised`, or there are not two groups.
    #[must_use]
    pub fn share(&self, places: u32, sizes: [u32; 2]) -> f64 {
        let mut seats = AdmittedSeats::default();
        self.seats(places, &sizes, |_, _| panic!("no slate to ask"), &mut seats);
        seats.share(places)
    }
}

/// Notes shares that are not at least two numbers of 0 or more that add up to 1.
pub(super) fn demand_shares(shares: &[f64], wrong: &mut BadParameters) {
    let groups = shares.len();
    wrong.demand(
        "the number of groups",
        groups as f64,
        groups >= 2,
        "2 or more",
    );
    for &share in shares {
        let right = (0.0..=1.0).contains(&share);
        wrong.demand("a group's target", share, right, "a share from 0 to 1");
    }
    let total: f64 = shares.iter().sum();
    let whole = (total - 1.0).abs() <= 1e-9;
    wrong.demand("the sum of the targets", total, whole, "1");
}

/// Notes laws that are none.
pub(super) fn demand_laws(laws: &[ScoreLaw], wrong: &mut BadParameters) {
    for law in laws {
        let right = law.mean.is_finite();
        wrong.demand("the mean of a group's scores", law.mean, right, "finite");
        let right = law.sd.is_finite() && law.sd >= 0.0;
        wrong.demand(
            "the standard deviation of a group's scores",
            law.sd,
            right,
            "a finite number of 0 or more",
        );
    }
}
