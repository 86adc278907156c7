//! A noisy look at what a person is worth.

use crate::draw::Draw;
use crate::protocol::{Feedback, Person, Probe};

/// r = merit + noise z, z a standard normal that belongs to the person (Grazzi et al. 2022, Section 2: r = mu.x + eta).
/// A look of gain s has 1/s of the variance.
///
/// Where the source has no truth the answer is NaN; the check of a config refuses that.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Linear {
    noise: f64,
}

impl Linear {
    /// With noise of this standard deviation, at least 0, in units of the reward.
    #[must_use]
    pub fn new(noise: f64) -> Self {
        Self { noise }
    }
}

impl Feedback for Linear {
    fn answer(&self, person: Person<'_>, probe: Probe, draw: &mut Draw) -> f64 {
        let sd = match probe {
            Probe::Outcome => self.noise,
            Probe::Interview { gain, .. } => self.noise / gain.sqrt(),
        };
        person.merit().unwrap_or(f64::NAN) + sd * draw.normal()
    }
}
