//! The policy whose decisions count, as viewers see it: the acting policy, the one that took over
//! from it, or none.

use super::Watched;
use kleroterion_core::lock::locked;
use kleroterion_core::protocol::Stop;

/// The policy whose decisions count now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Acts {
    /// No policy acts: all of them are shadows.
    NotAsked,
    /// The policy in this lane acts.
    Plays(usize),
    /// The policy in this lane has ended as intended, for example because all places are taken.
    Done(usize, Stop),
    /// The acting policy broke off, and the fallback decides from this round on.
    TakenOver {
        /// The fallback's lane.
        lane: usize,
        /// The first round that it decides.
        from: u64,
        /// The ending of the acting policy.
        stop: Stop,
    },
    /// No policy decides from this round on: the last one whose decisions counted broke off.
    Broken {
        /// The policy's lane.
        lane: usize,
        /// The first round without a decision.
        from: u64,
        /// The ending of the policy.
        stop: Stop,
    },
}

impl Watched {
    /// Takes in whose decisions count now.
    pub fn note_acts(&self, acts: Acts) {
        *locked(&self.acts) = acts;
    }

    /// Takes in that the fallback's decisions count from this round on.
    pub fn take_over(&self, from: u64) {
        self.decisions.take_over(from);
    }

    /// The policy whose decisions count, by the acting room's latest report.
    #[must_use]
    pub fn acts(&self) -> Acts {
        locked(&self.acts).clone()
    }

    /// The warning where the acting policy no longer decides; `None` while it does or after it
    /// ended as intended.
    #[must_use]
    pub fn acting_news(&self) -> Option<String> {
        match self.acts() {
            Acts::NotAsked | Acts::Plays(_) | Acts::Done(..) => None,
            Acts::TakenOver { lane, from, stop } => {
                let acting = self.acting.map_or("", |lane| &*self.labels[lane]);
                Some(format!(
                    "policy {acting} acts no more ({}); {} decides from round {from} on",
                    how(&stop),
                    self.labels[lane]
                ))
            }
            Acts::Broken { lane, from, stop } => Some(format!(
                "policy {} acts no more ({}); no policy decides from round {from} on",
                self.labels[lane],
                how(&stop)
            )),
        }
    }

    /// The advice for a run in which no policy decides.
    #[must_use]
    pub fn acting_remedy(&self) -> &'static str {
        match (self.decisions.fallback, self.labels.len()) {
            (None, 2..) => {
                "stop the run, name another policy in its config.toml ([live] fallback \
                 = \"LABEL\"), and `klero resume` it: that policy \
                 then decides from the first person on for whom there is no decision"
            }
            _ => "stop the run, and begin another with a policy that goes on",
        }
    }
}

/// A lane's ending and its reason, as text.
fn how(stop: &Stop) -> String {
    let why = stop.detail.as_deref().map(|why| format!(": {why}"));
    format!("{}{}", stop.ending, why.unwrap_or_default())
}
