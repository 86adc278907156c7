//! The true worth with normal noise.

use crate::draw::Draw;
use crate::protocol::{Feedback, Person, Probe};

/// Feedback with normal noise.
///
/// It answers worth + sd z to an outcome (Grazzi et al. 2022, Section 3), and worth + sd / sqrt(s)
/// z to an interview of gain s. The latter is as precise as the mean of s interviews of gain 1
/// (Schumann et al. 2019, Section 5.1).
///
/// z is a standard normal that belongs to the person, and for an interview to (person, nth
/// interview). The kind of interview only scales it, so policies that buy other kinds stay coupled.
///
/// Where the source has no truth the answer is NaN; the check of a config refuses that.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gaussian {
    sd: f64,
}

impl Gaussian {
    /// Makes feedback with noise of this standard deviation, at least 0, in units of the worth.
    pub fn new(sd: f64) -> Self {
        Self { sd }
    }
}

impl Feedback for Gaussian {
    fn answer(&self, person: Person<'_>, probe: Probe, draw: &mut Draw) -> f64 {
        let gain = match probe {
            Probe::Interview { gain, .. } => gain,
            Probe::Outcome => 1.0,
            Probe::Offer => return 1.0,
        };
        person.merit().unwrap_or(f64::NAN) + self.sd / gain.sqrt() * draw.normal()
    }
}
