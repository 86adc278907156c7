//! Virtual queues with learned merits: who is accepted is worth much, keeps to the target and to a
//! pace. Ours; not in Do et al. 2021.
//!
//! Drift plus penalty, as [`VirtualQueue`]: accept x iff score(x) + (N - alpha n) <= V (m(x) + b
//! w(x)). The score is that of the target's queues, N - alpha n the queue of the pace: those
//! accepted less the share alpha of those shown. m(x) = mu^.(x - x') is the estimated merit above
//! the mean x' of those shown, mu^ the ridge estimate of the outcomes so far, and w(x)^2 = (x -
//! x')'V^-1 (x - x'). Only those accepted have outcomes, so b > 0 keeps it from passing over people
//! of whom it knows too little.
//!
//! With merits known, theory has the mean merit within a constant over V of the best stationary
//! rule's, and the queues within a constant times V: a larger V selects better, and misses target
//! and pace by more. With merits learned nothing is proven.

use super::{OneByOne, VirtualQueue, decide};
use crate::meritocratic::{Ridge, dot};
use crate::{BadParameters, Policy};
use kleroterion_core::protocol::{Move, Outcome, Schema, Shown, Target, View};

/// The parameters of the merit queue.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeritQueueParameters {
    /// alpha: the share of those shown that is to be accepted, in (0, 1].
    pub rate: f64,
    /// V: the number of places of the queues that a unit of merit outweighs, 0 or more.
    pub v: f64,
    /// The regularisation, above 0.
    pub lambda: f64,
    /// b: the number of standard widths by which an estimate is raised, 0 or more.
    pub bonus: f64,
}

/// Accepts each candidate whose estimated merit outweighs the queues.
#[derive(Clone, Debug)]
pub struct MeritQueue {
    parameters: MeritQueueParameters,
    quotas: VirtualQueue,
    ridge: Ridge,
    /// The estimate mu^. `None` if outcomes came since it was computed.
    mu: Option<Vec<f64>>,
    shown: u64,
    /// The round of the last slate, and whether it acts again in it: it has counted its people.
    round: u64,
    again: bool,
    accepted: u64,
    /// The sums of the features of those shown.
    sums: Vec<f64>,
    /// The terms of the candidate judged last.
    weighed: Weighed,
}

/// The terms of a decision.
#[derive(Clone, Copy, Debug, Default)]
struct Weighed {
    score: f64,
    pace: f64,
    merit: f64,
    width: f64,
}

impl MeritQueue {
    /// Makes the queues for a target over candidates with features.
    ///
    /// # Errors
    /// Returns all parameters that are out of range.
    pub fn new(
        schema: &Schema,
        target: &Target,
        parameters: MeritQueueParameters,
    ) -> Result<Self, BadParameters> {
        let MeritQueueParameters {
            rate,
            v,
            lambda,
            bonus,
        } = parameters;
        let dimension = schema.features().len();
        let mut wrong = BadParameters::default();
        let is_share = rate > 0.0 && rate <= 1.0;
        wrong.demand("rate", rate, is_share, "above 0, at most 1");
        for (name, x) in [("v", v), ("bonus", bonus)] {
            let is_right = x.is_finite() && x >= 0.0;
            wrong.demand(name, x, is_right, "a finite number, 0 or more");
        }
        wrong.demand_lambda(lambda);
        let what = "1 or more: merits are learned from features";
        wrong.demand(
            "the number of features",
            dimension as f64,
            dimension > 0,
            what,
        );
        wrong.or(Self {
            parameters,
            quotas: VirtualQueue::new(target, 0.0),
            ridge: Ridge::new(dimension, lambda),
            mu: None,
            shown: 0,
            round: 0,
            again: false,
            accepted: 0,
            sums: vec![0.0; dimension],
            weighed: Weighed::default(),
        })
    }

    fn weigh(&mut self, person: Shown<'_>) -> Weighed {
        if !self.again {
            self.shown += 1;
            for (sum, x) in self.sums.iter_mut().zip(person.features()) {
                *sum += if x.is_finite() { *x } else { 0.0 };
            }
        }
        let shown = self.shown as f64;
        let features = person.features().iter().zip(&self.sums);
        let centred: Vec<f64> = features.map(|(x, sum)| x - sum / shown).collect();
        let mu = self.mu.get_or_insert_with(|| self.ridge.estimate());
        Weighed {
            score: self.quotas.score(person.values()),
            pace: self.accepted as f64 - self.parameters.rate * shown,
            merit: dot(mu, &centred),
            width: self.ridge.spread(&centred).sqrt(),
        }
    }
}

impl Weighed {
    /// Returns true if the candidate is accepted. Never true if a feature is NaN, because no
    /// comparison then holds.
    fn accepts(&self, parameters: &MeritQueueParameters) -> bool {
        let worth = self.merit + parameters.bonus * self.width;
        self.score + self.pace <= parameters.v * worth
    }
}

impl OneByOne for MeritQueue {
    fn judge(&mut self, person: Shown<'_>) -> f64 {
        self.weighed = self.weigh(person);
        f64::from(u8::from(self.weighed.accepts(&self.parameters)))
    }

    fn why(&self, person: Shown<'_>) -> Vec<(&'static str, f64)> {
        let Weighed {
            score,
            pace,
            merit,
            width,
        } = self.weighed;
        let terms = [
            ("score", score),
            ("pace", pace),
            ("estimated_merit", merit),
            ("width", width),
        ];
        let against = !self.weighed.accepts(&self.parameters);
        let hinge = self.quotas.hinge(person.values(), against);
        terms.into_iter().chain(hinge).collect()
    }

    fn accept(&mut self, person: Shown<'_>) {
        self.accepted += 1;
        self.quotas.admit(person.values());
    }

    fn meet(&mut self, round: u64) {
        self.again = round == self.round;
        self.round = round;
    }
}

impl Policy for MeritQueue {
    fn act(&mut self, view: &mut View<'_>) -> Move {
        decide(self, view)
    }

    fn decline(&mut self, _: u64, person: Shown<'_>) {
        self.accepted -= 1;
        self.quotas.dismiss(person.values());
    }

    fn learn(&mut self, outcome: &Outcome<'_>) {
        self.ridge
            .observe(outcome.person().features(), outcome.value());
        self.mu = None;
    }

    fn corrects(&self) -> bool {
        true
    }

    fn correct(&mut self, outcome: &Outcome<'_>, before: f64) {
        let features = outcome.person().features();
        self.ridge.replace(features, before, outcome.value());
        self.mu = None;
    }
}
