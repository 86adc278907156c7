//! Plays a plan by lookup.

use std::sync::Arc;

use super::{AheadState, Foresight};
use crate::pool::allocation::{clipped, feasible};
use crate::pool::applicants::Applicants;
use crate::pool::declared;
use crate::pool::weighing::{AdmittedSeats, Infeasible};
use crate::{BadParameters, Policy, no_place};
use kleroterion_core::protocol::{Move, View};

/// Admits the best of each of two groups in the share that a plan has for the state.
///
/// Of slates that the plan was not made for (another number of applicants) it takes the nearest
/// state, and of the shares the nearest that is possible. In rounds beyond the plan's horizon it
/// admits as in its last. Where the state is theta the policy
/// follows it from where it starts: it knows what it admits and who applies, as long as the pool
/// moves as the plan assumes.
#[derive(Clone, Debug)]
pub struct Optimal {
    foresight: Arc<Foresight>,
    eta: f64,
    infeasible: Infeasible,
    /// The current theta, if it is followed.
    theta: Option<f64>,
    applicants: Applicants,
    sizes: Vec<u32>,
    seats: AdmittedSeats,
}

impl Optimal {
    /// Makes the policy for the groups that are the values of an attribute (its index in the
    /// schema). `start` is theta in the first round. The plan is computed in the first round,
    /// unless it is known. If there can be none, the policy stalls.
    ///
    /// # Errors
    /// Returns an error if the start is not a share.
    pub fn new(
        attribute: usize,
        foresight: Arc<Foresight>,
        start: f64,
    ) -> Result<Self, BadParameters> {
        let mut wrong = BadParameters::default();
        let right = (0.0..=1.0).contains(&start);
        wrong.demand("the start", start, right, "a share from 0 to 1");
        let ahead = foresight.ahead();
        let follows = matches!(ahead.state, AheadState::Theta { .. });
        wrong.or(Self {
            eta: ahead.eta,
            infeasible: ahead.infeasible,
            foresight,
            theta: follows.then_some(start),
            applicants: Applicants::new(attribute, 2),
            sizes: Vec::new(),
            seats: AdmittedSeats::default(),
        })
    }
}

impl Policy for Optimal {
    fn act(&mut self, view: &mut View<'_>) -> Move {
        let places = view.places().max;
        if places == 0 || view.slate().is_empty() {
            return no_place(view);
        }
        // Whoever plays it has seen to it before that there is a plan.
        let Ok(plan) = self.foresight.work_out() else {
            return Move::Stall;
        };
        self.applicants.read(view.slate(), &mut self.sizes);
        let sizes = [self.sizes[0], self.sizes[1]];
        let applying = f64::from(sizes[0]) / f64::from(view.slate().len());
        let left = self.foresight.ahead().left(view.round());
        let share = plan.share_with(left, self.theta.unwrap_or(applying), applying);
        // The nearest number; of two as near the lower.
        let wanted = (share * f64::from(places) - 0.5).ceil().max(0.0) as u32;
        let admitted = clipped(wanted, places, sizes);
        let (low, high) = feasible(places, sizes);
        let counted = match self.infeasible {
            Infeasible::Feasible => wanted.clamp(low, high),
            Infeasible::Authors => wanted,
        };
        self.seats.set([admitted, places - admitted], counted);
        if let Some(theta) = &mut self.theta {
            let admitted = self.seats.share(places);
            *theta = (*theta + self.eta * (admitted - applying)).clamp(0.0, 1.0);
        }
        let chosen = self.applicants.best(self.seats.counts());
        view.reason(|| {
            let planned = [("planned_share", share)];
            planned.into_iter().chain(self.applicants.terms(&chosen))
        });
        declared(chosen, &self.seats, places)
    }

    fn corrects(&self) -> bool {
        // It learns from no outcome.
        true
    }
}
