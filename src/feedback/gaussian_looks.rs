//! Looks with normal noise.

use crate::draw::Draw;
use crate::protocol::{Feedback, Person, Probe};

/// A look of gain s answers u + sd / sqrt(s) z (Schumann et al. 2019, Section 5.1): as precise as the mean of s looks of
/// gain 1. z is a standard normal that belongs to (person, nth look): the kind of look only scales it, so policies that
/// buy other kinds stay coupled. An outcome is a look of gain 1.
///
/// Where the source has no truth the answer is NaN; the check of a config refuses that.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GaussianLooks {
    sd: f64,
}

impl GaussianLooks {
    /// With noise of this standard deviation in a look of gain 1, at least 0, in units of the utility.
    #[must_use]
    pub fn new(sd: f64) -> Self {
        Self { sd }
    }
}

impl Feedback for GaussianLooks {
    fn answer(&self, person: Person<'_>, probe: Probe, draw: &mut Draw) -> f64 {
        let gain = match probe {
            Probe::Interview { gain, .. } => gain,
            Probe::Outcome => 1.0,
        };
        person.merit().unwrap_or(f64::NAN) + self.sd / gain.sqrt() * draw.normal()
    }
}
