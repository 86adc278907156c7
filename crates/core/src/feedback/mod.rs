//! Feedback answers interviews and outcomes: one act, a priced or an unpriced look at the truth.
//!
//! A task seals addresses onto each batch on its way to the lanes. The feedback task of a lane
//! draws answers there, some ahead, and an answer is opened when it is paid for. Its noise belongs
//! to the person, so lanes that interview the same person see the same.

mod answers;

use std::sync::Arc;

use crate::draw::Draw;
use crate::protocol::Yields;
pub use crate::protocol::{Feedback, Person, Probe};
pub use answers::{AnsweredBy, Answers};

/// Answers 1 to an offer with the person's probability, else 0. The random number belongs to the
/// person, so lanes that offer the same person a place get the same reply.
#[derive(Clone, Debug, PartialEq)]
pub struct Acceptance(pub Arc<Yields>);

impl Feedback for Acceptance {
    fn answer(&self, person: Person<'_>, probe: Probe, draw: &mut Draw) -> f64 {
        match probe {
            Probe::Offer => f64::from(u8::from(draw.uniform() < self.0.of(person.shown()))),
            Probe::Interview { .. } | Probe::Outcome => f64::NAN,
        }
    }
}

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

/// Feedback with label noise: each outcome, 0 or 1, is reported as the other one with some
/// probability. All other answers are unchanged. The address's next word decides, so an outcome
/// that is not flipped equals that without label noise.
#[derive(Clone)]
pub struct Flipped {
    /// The feedback that gives the answers before they are flipped.
    pub inner: Arc<dyn Feedback>,
    /// The attribute whose value as shown decides the probability of a flip. `None` if it is the
    /// same for all.
    pub attribute: Option<usize>,
    /// The probabilities of a flip: one for all, or one per value.
    pub rates: Vec<f64>,
}

impl Feedback for Flipped {
    fn answer(&self, person: Person<'_>, probe: Probe, draw: &mut Draw) -> f64 {
        let answer = self.inner.answer(person, probe, draw);
        if probe != Probe::Outcome {
            return answer;
        }
        let values = person.shown().values();
        let place = self.attribute.map_or(0, |at| usize::from(values[at]));
        match draw.uniform() < self.rates[place] {
            true => 1.0 - answer,
            false => answer,
        }
    }
}

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
    #[must_use]
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
    #[must_use]
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
