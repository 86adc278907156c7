//! Computed plans: values and choices, to be kept and looked up.

use serde::{Deserialize, Serialize};

use super::solve::Solved;
use super::{AheadState, LookAhead};

/// A plan: the value of each state, and the share to admit in it.
///
/// It can be stored with a run and read back; [`LookAhead::key`] says whether it is the right one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LookAheadPlan {
    /// The key of the parameters.
    pub key: u64,
    /// V of each state, in units of the scores.
    pub values: Vec<f64>,
    /// The largest possible error of the values.
    pub bound: f64,
    /// The number of sweeps over all choices.
    pub sweeps: u32,
    /// The number of `places` of the first group: a row a state; if the state is theta, a column
    /// for each n of the applicants.
    choices: Vec<u32>,
    places: u32,
    /// The choices that differ in later rounds of a horizon, in order: the place in `choices`, the
    /// most rounds left for which it holds, and the choice.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    fewer: Vec<FewerLeft>,
}

/// A place in the choices, up to how many rounds are left, and the choice.
pub(super) type FewerLeft = (u32, u32, u32);

impl LookAheadPlan {
    pub(super) fn new(
        ahead: &LookAhead,
        solved: Solved,
        choices: Vec<u32>,
        fewer: Vec<FewerLeft>,
    ) -> Self {
        Self {
            key: ahead.key(),
            values: solved.values,
            bound: solved.bound,
            sweeps: solved.sweeps,
            choices,
            places: ahead.places(),
            fewer,
        }
    }

    /// Returns true if this is a complete plan of finite numbers for these parameters.
    #[must_use]
    pub fn is_for(&self, ahead: &LookAhead) -> bool {
        let (states, columns) = shape(ahead.state);
        self.key == ahead.key()
            && self.places == ahead.places()
            && self.values.len() == states
            && self.choices.len() == states * columns
            && self.choices.iter().all(|&k| k <= self.places)
            && self.values.iter().all(|value| value.is_finite())
            && (0.0..=ahead.tolerance).contains(&self.bound)
            && self
                .fewer
                .is_sorted_by(|(a, m, _), (b, n, _)| (a, m) < (b, n))
            && self.fewer.iter().all(|&(at, left, k)| {
                let last = ahead.horizon.unwrap_or(0);
                (at as usize) < self.choices.len() && left < last && k <= self.places
            })
    }

    /// The number of sweeps it took, in words.
    #[must_use]
    pub fn effort(&self) -> String {
        effort(self.sweeps)
    }

    /// Returns V at a state from 0 to 1, interpolated linearly.
    #[must_use]
    pub fn value(&self, state: f64) -> f64 {
        interpolated(&self.values, state)
    }

    /// Returns the share a of the first group to admit in the first round, if the group is a share
    /// `applying` of the applicants. It is that of the nearest state and, if theta is the state, of
    /// the nearest column.
    #[must_use]
    pub fn share(&self, theta: f64, applying: f64) -> f64 {
        self.share_with(u32::MAX, theta, applying)
    }

    /// Returns the share to admit if this many rounds are left, including the present one.
    #[must_use]
    pub fn share_with(&self, left: u32, theta: f64, applying: f64) -> f64 {
        let states = self.values.len();
        let columns = self.choices.len() / states;
        let nearest = |x: f64, of: usize| (x.clamp(0.0, 1.0) * (of - 1) as f64 + 0.5) as usize;
        let at = match columns {
            1 => nearest(applying, states),
            _ => nearest(theta, states) * columns + nearest(applying, columns),
        };
        let later = self
            .fewer
            .partition_point(|&(of, up_to, _)| (of as usize, up_to) < (at, left));
        let later = self.fewer.get(later).filter(|(of, ..)| *of as usize == at);
        let k = later.map_or(self.choices[at], |(.., k)| *k);
        f64::from(k) / f64::from(self.places)
    }
}

/// The value at a state from 0 to 1 of those at the points of a grid, linearly.
pub(super) fn interpolated(values: &[f64], state: f64) -> f64 {
    let last = values.len() - 1;
    let place = state.clamp(0.0, 1.0) * last as f64;
    let below = (place as usize).min(last - 1);
    let value = values[below];
    value + (place - below as f64) * (values[below + 1] - value)
}

pub(super) fn effort(sweeps: u32) -> String {
    match sweeps {
        1 => "1 sweep".to_owned(),
        many => format!("{many} sweeps"),
    }
}

/// Returns the number of states of a plan, and the number of columns.
fn shape(state: AheadState) -> (usize, usize) {
    match state {
        AheadState::MeanField { cells } => (cells as usize + 1, 1),
        AheadState::Share { applicants } => (applicants as usize + 1, 1),
        AheadState::Theta { applicants, cells } => (cells as usize + 1, applicants as usize + 1),
    }
}
