//! The problem of looking ahead: the quantity to be maximised over the rounds to come.

use crate::BadParameters;
use crate::limits::{MOST_PROBABILITIES, MOST_PRODUCTS, MOST_WORK};
use crate::pool::weighing::{GreedyTerm, Infeasible, demand_laws};
use kleroterion_core::protocol::Choose;
use kleroterion_core::protocol::ScoreLaw;

/// The state as the policy sees it, and its transitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AheadState {
    /// The share s without chance: s' = s + eta (a - s). States and shares are the multiples of
    /// 1/`cells`, with linear interpolation between them, and R_G is the large-N form.
    MeanField {
        /// The number of states less one.
        cells: u32,
    },
    /// The share s of N applicants, as the paper prints it: s' = min(N, Poisson(N clip(s + eta (a -
    /// s)))) / N.
    Share {
        /// N, the number of applicants.
        applicants: u32,
    },
    /// theta, which the policy can follow because it knows the start. The share s of N applicants
    /// is drawn around theta, then theta' = clip(theta + eta (a - s)). It is kept on the multiples
    /// of 1/`cells`, with linear interpolation.
    Theta {
        /// N, the number of applicants.
        applicants: u32,
        /// The number of states less one.
        cells: u32,
    },
}

/// The parameters of looking ahead: the quantity to maximise, and the pool's response.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LookAhead {
    /// The laws of the scores of the first group and the second.
    pub laws: [ScoreLaw; 2],
    /// abar: the share of the applicants that is admitted.
    pub admitted: f64,
    /// sbar: the share of the first group that is wanted among the admitted.
    pub target: f64,
    /// lambda, the weight of the loss, 0 or more.
    pub lambda: f64,
    /// eta: the pool's step, above 0.
    pub eta: f64,
    /// gamma: the weight of a round against the one before, from 0 to below 1; with a horizon up to
    /// 1.
    pub gamma: f64,
    /// The number of rounds that count, including the first; all if `None`. The paper's H is one
    /// less.
    pub horizon: Option<u32>,
    /// The estimate of scores by which places are weighed; `MeanField` if the state is.
    pub greedy_term: GreedyTerm,
    /// The rule for shares that the applicants can't fill.
    pub infeasible: Infeasible,
    /// The state.
    pub state: AheadState,
    /// The largest error allowed in the values, in units of the scores.
    pub tolerance: f64,
}

impl LookAhead {
    /// Checks all parameters.
    ///
    /// # Errors
    /// Returns all parameters that are out of range, and tables that would be too large.
    pub fn check(&self) -> Result<(), BadParameters> {
        let mut wrong = BadParameters::default();
        demand_laws(&self.laws, &mut wrong);
        let mut demand = |name, value: f64, right, wants| wrong.demand(name, value, right, wants);
        let (admitted, target) = (self.admitted, self.target);
        let right = admitted > 0.0 && admitted <= 1.0;
        demand("the admitted share", admitted, right, "above 0, at most 1");
        let right = (0.0..=1.0).contains(&target);
        demand("the target", target, right, "a share from 0 to 1");
        let right = self.lambda.is_finite() && self.lambda >= 0.0;
        demand("lambda", self.lambda, right, "a finite number of 0 or more");
        let right = self.eta.is_finite() && self.eta > 0.0;
        demand("eta", self.eta, right, "a finite number above 0");
        let (right, wants) = match self.horizon {
            None => ((0.0..1.0).contains(&self.gamma), "from 0 to below 1"),
            Some(_) => ((0.0..=1.0).contains(&self.gamma), "from 0 to 1"),
        };
        demand("gamma", self.gamma, right, wants);
        let rounds = self.horizon.map_or(1.0, f64::from);
        demand("the horizon", rounds, rounds >= 1.0, "1 round or more");
        let right = self.tolerance.is_finite() && self.tolerance > 0.0;
        demand(
            "the tolerance",
            self.tolerance,
            right,
            "a finite number above 0",
        );
        self.check_size(&mut wrong);
        self.check_words(&mut wrong);
        wrong.or(())
    }

    /// Notes tables that would be too large or empty.
    fn check_size(&self, wrong: &mut BadParameters) {
        let mut demand = |name, value: f64, right, wants| wrong.demand(name, value, right, wants);
        let places = self.places();
        let (states, products, probabilities) = match self.state {
            AheadState::MeanField { cells } => {
                let cells = f64::from(cells);
                (cells, cells * cells, 0.0)
            }
            AheadState::Share { applicants } => {
                let n = f64::from(applicants);
                let width = 20.0 * n.sqrt();
                let products = n * f64::from(places) * width.min(n);
                (n, products, products)
            }
            AheadState::Theta { applicants, cells } => {
                let (n, cells) = (f64::from(applicants), f64::from(cells));
                let width = (20.0 * n.sqrt()).min(n);
                (cells.min(n), cells * n * f64::from(places), cells * width)
            }
        };
        demand("the number of states", states, states >= 1.0, "2 or more");
        let right = places > 0;
        demand(
            "the number of places",
            f64::from(places),
            right,
            "1 or more",
        );
        // One of them is enough to say.
        let storable = probabilities <= MOST_PROBABILITIES;
        demand(
            "the number of probabilities in the table",
            rough(probabilities),
            storable,
            "at most 60000000: follow theta (state = \"theta\"), or take fewer applicants",
        );
        demand(
            "the number of products in a sweep",
            rough(products),
            products <= MOST_PRODUCTS || !storable,
            "at most 400000000: take fewer applicants or cells, or leave chance out (state = \
             \"share\", transitions = \"mean_field\")",
        );
        let in_all = products * self.horizon.map_or(1.0, f64::from);
        demand(
            "the number of products of all rounds",
            rough(in_all),
            in_all <= MOST_WORK || products > MOST_PRODUCTS || !storable,
            "at most 20000000000: take a shorter horizon, or fewer applicants",
        );
    }

    /// Notes words that do not go with the state.
    fn check_words(&self, wrong: &mut BadParameters) {
        let drawn = !matches!(self.state, AheadState::MeanField { .. });
        let right = drawn || self.infeasible == Infeasible::Feasible;
        let wants = "\"feasible\" where the state has no chance";
        wrong.demand_word("infeasible", right, wants);
        let right = self.greedy_term != GreedyTerm::Realised
            && (drawn || self.greedy_term == GreedyTerm::MeanField);
        let wants = if drawn {
            "an expectation: looking ahead can't see the slates' scores"
        } else {
            "mean_field, as the state is"
        };
        wrong.demand_word("the greedy term", right, wants);
    }

    /// The number of rounds left in a round, including that one. Beyond the horizon each round is
    /// the last.
    pub(super) fn left(&self, round: u64) -> u32 {
        let horizon = self.horizon.unwrap_or(u32::MAX);
        let gone = u32::try_from(round.saturating_sub(1)).unwrap_or(u32::MAX);
        horizon.saturating_sub(gone).max(1)
    }

    /// Into how many a share is divided: the places where people are counted, else the cells.
    pub(super) fn places(&self) -> u32 {
        match self.state {
            AheadState::MeanField { cells } => cells,
            AheadState::Share { applicants } | AheadState::Theta { applicants, .. } => {
                Choose::Share(self.admitted).places(applicants, None).max
            }
        }
    }
}

/// A number of which only the size matters: two digits.
fn rough(x: f64) -> f64 {
    let digit = libm::pow(10.0, (libm::log10(x.max(1.0)).floor() - 1.0).max(0.0));
    (x / digit).round() * digit
}
