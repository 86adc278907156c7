//! A summary of a plan.

use serde::Serialize;

use super::plan::effort;
use super::{AheadState, Foresight, LookAhead, Unsolved};

/// A summary of a plan in a few numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Digest {
    /// The kind of state: `theta`, `share`, or `share without chance`.
    pub state: &'static str,
    /// The number of states.
    pub states: usize,
    /// The largest possible error of the values.
    pub bound: f64,
    /// The number of sweeps over all choices.
    pub sweeps: u32,
    /// The number of rounds that count, if not all do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub horizon: Option<u32>,
    /// theta_0, the state in the first round.
    pub start: f64,
    /// V at theta_0, in units of the scores.
    pub value: f64,
    /// The share to admit at the states .1, .2, … .9. If theta is the state, the expected number
    /// applies. With a horizon, it is the share in the first round.
    pub shares: Vec<(f64, f64)>,
}

impl Digest {
    /// Summarises a plan, which is computed if there is none. `start` is theta in the first round.
    ///
    /// # Errors
    /// The errors of [`LookAhead::solve`].
    pub fn of(foresight: &Foresight, start: f64) -> Result<Self, Unsolved> {
        let plan = foresight.work_out()?;
        let states = (1..10).map(|tenths| f64::from(tenths) / 10.0);
        Ok(Self {
            state: word(foresight.ahead()),
            states: plan.values.len(),
            bound: plan.bound,
            sweeps: plan.sweeps,
            horizon: foresight.ahead().horizon,
            start,
            value: plan.value(start),
            shares: states.map(|s| (s, plan.share(s, s))).collect(),
        })
    }

    /// Returns the summary in a sentence without its full stop.
    #[must_use]
    pub fn sentence(&self) -> String {
        let shares = self.shares.iter().map(|(at, a)| format!("{a:.3} at {at}"));
        let shares: Vec<_> = shares.collect();
        let first = self.horizon.map_or("", |_| " in the first round");
        format!(
            "looks ahead{} over {} states of {}: values are right to {:.1e} ({}), V({}) = \
             {:.4}; admits{first} {}",
            rounds_ahead(self.horizon),
            self.states,
            self.state,
            self.bound,
            effort(self.sweeps),
            self.start,
            self.value,
            shares.join(", ")
        )
    }
}

/// Returns the rounds of a horizon in words, to follow other words.
#[must_use]
pub fn rounds_ahead(horizon: Option<u32>) -> String {
    match horizon {
        None => String::new(),
        Some(1) => " 1 round".to_owned(),
        Some(many) => format!(" {many} rounds"),
    }
}

fn word(ahead: &LookAhead) -> &'static str {
    match ahead.state {
        AheadState::MeanField { .. } => "share without chance",
        AheadState::Share { .. } => "share",
        AheadState::Theta { .. } => "theta",
    }
}
