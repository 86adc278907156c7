//! Fair-Greedy for pools (Puranik et al. 2022, Eq. 4): the shares that maximise the round's own
//! utility R.

use super::applicants::Applicants;
use super::weighing::{AdmittedSeats, GreedyTerm, Infeasible, Weighing};
use super::{ScoreLaw, declared};
use crate::{BadParameters, Policy, no_place};
use kleroterion_core::protocol::{Move, View};

/// Admits the best of each group, in the numbers that maximise R = R_G - lambda L_F.
///
/// It admits as many as there are places by the rules' share. R_G is the expectation before the
/// scores are seen ([`GreedyTerm`]), or the scores themselves. Within a group the highest scores
/// are admitted in any case.
#[derive(Clone, Debug)]
pub struct FairGreedyPool {
    weighing: Weighing,
    applicants: Applicants,
    sizes: Vec<u32>,
    seats: AdmittedSeats,
}

impl FairGreedyPool {
    /// Makes the policy for the groups that are the values of an attribute (its index in the
    /// schema), in the order of the target.
    ///
    /// # Errors
    /// Returns all parameters that are out of range.
    pub fn new(attribute: usize, weighing: Weighing) -> Result<Self, BadParameters> {
        let mut wrong = BadParameters::default();
        weighing.check(&mut wrong);
        let groups = weighing.target.len().max(1);
        wrong.or(Self {
            weighing,
            applicants: Applicants::new(attribute, groups),
            sizes: Vec::new(),
            seats: AdmittedSeats::default(),
        })
    }

    /// Makes the policy with lambda = 0: the highest scores, by the same term. With
    /// [`GreedyTerm::Realised`] these are the best of the slate. Ties go to the later group.
    ///
    /// # Errors
    /// The errors of [`FairGreedyPool::new`].
    pub fn score_greedy(
        attribute: usize,
        groups: usize,
        greedy_term: GreedyTerm,
        laws: Vec<ScoreLaw>,
    ) -> Result<Self, BadParameters> {
        let weighing = Weighing {
            // Any: it does not count.
            target: vec![1.0 / groups as f64; groups],
            lambda: 0.0,
            greedy_term,
            laws,
            infeasible: Infeasible::Feasible,
        };
        Self::new(attribute, weighing)
    }
}

impl Policy for FairGreedyPool {
    fn act(&mut self, view: &mut View<'_>) -> Move {
        let places = view.places().max;
        if places == 0 {
            return no_place(view);
        }
        let Self {
            weighing,
            applicants,
            sizes,
            seats,
        } = self;
        applicants.read(view.slate(), sizes);
        let bisects = sizes.len() == 2 && weighing.infeasible == Infeasible::Feasible;
        if weighing.greedy_term == GreedyTerm::Realised && !bisects {
            applicants.sort(places);
        }
        let realised = |group, rank| applicants.score(group, rank);
        weighing.seats(places, sizes, realised, seats);
        if weighing.infeasible == Infeasible::Authors {
            view.measure("nominal_share", seats.share(places));
        }
        let chosen = applicants.best(seats.counts());
        view.reason(|| applicants.terms(&chosen));
        declared(chosen, seats, places)
    }

    fn corrects(&self) -> bool {
        // It learns from no outcome.
        true
    }
}
