//! Interviews that replay what reviewers once said.

use super::Gaussian;
use crate::draw::Draw;
use crate::protocol::{Feedback, Person, Probe};

/// Feedback that replays recorded scores.
///
/// The nth interview of a person answers the nth score that was recorded of them. When all are used
/// up, it answers a draw about the true worth, as [`Gaussian`] does. In Schumann et al. 2019,
/// Section 5.2, a classifier's probability is the worth.
///
/// As in the paper the kind of the interview does not matter to a recorded score: a strong
/// interview that meets one answers it, though it may be no more precise than a weak one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RecordedLooks {
    beyond: Gaussian,
}

impl RecordedLooks {
    /// Makes the feedback; `sd` is the noise of a draw of gain 1 about the worth, at least 0, in
    /// units of the worth.
    pub fn new(sd: f64) -> Self {
        Self {
            beyond: Gaussian::new(sd),
        }
    }
}

impl Feedback for RecordedLooks {
    fn answer(&self, person: Person<'_>, probe: Probe, draw: &mut Draw) -> f64 {
        if let Probe::Interview { nth, .. } = probe
            && let Some(&score) = person.record().get(nth as usize)
        {
            return score;
        }
        self.beyond.answer(person, probe, draw)
    }
}
