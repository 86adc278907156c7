//! Interviews that say yes or no.

use crate::draw::Draw;
use crate::protocol::{Feedback, Person, Probe};

/// Feedback by tosses of a coin.
///
/// An interview of gain s answers the share of yes in s tosses of a coin that shows yes with
/// probability u, the person's utility (0 to 1). That is the mean of s parallel interviews of gain
/// 1 (Schumann et al. 2019, Section 3). The noise is 1/2-sub-Gaussian.
///
/// The gain is a whole number of tosses; the check of a config refuses others. The tosses belong to
/// (person, nth interview) and come in order, so a stronger interview begins with the weaker one's.
/// An outcome is one toss. Where the source has no truth the answer is NaN; the check of a config
/// refuses that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BernoulliLooks;

impl Feedback for BernoulliLooks {
    fn answer(&self, person: Person<'_>, probe: Probe, draw: &mut Draw) -> f64 {
        let Some(utility) = person.merit() else {
            return f64::NAN;
        };
        let tosses = match probe {
            Probe::Interview { gain, .. } => gain.max(1.0) as u64,
            Probe::Outcome => 1,
            Probe::Offer => return 1.0,
        };
        let yes = (0..tosses).filter(|_| draw.uniform() < utility).count();
        yes as f64 / tosses as f64
    }
}
