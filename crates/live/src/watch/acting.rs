//! The policy whose decisions count: the acting one, the one that took over from it, or none.

use std::sync::PoisonError;

use super::Watched;
use kleroterion_core::protocol::Stop;
use kleroterion_core::score::MetricRow;
use kleroterion_stats::RunResult;

/// The metric with the last round that the acting policy decided before another took over.
pub const ACTED_UNTIL: &str = "acted_until_round";

/// The metric with the first round decided by the policy that took over.
pub const ACTS_FROM: &str = "acts_from_round";

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
    /// Sets the lane whose decisions count once the acting policy has broken off.
    #[must_use]
    pub fn falling_back(mut self, fallback: Option<usize>) -> Self {
        self.decisions = self.decisions.falling_back(fallback);
        self.fallback = fallback;
        self
    }

    /// The policy whose decisions count now.
    #[must_use]
    pub fn acts(&self) -> Acts {
        let ends = self.ends.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(acting) = self.acting else {
            return Acts::NotAsked;
        };
        let from = |lane: usize| self.gauges.lanes[lane].rounds.get() + 1;
        let ended = |lane: usize, stop: &Stop| match stop.ending.breaks_off() {
            true => Acts::Broken {
                lane,
                from: from(lane),
                stop: stop.clone(),
            },
            false => Acts::Done(lane, stop.clone()),
        };
        let Some(stop) = &ends[acting] else {
            return Acts::Plays(acting);
        };
        match (ended(acting, stop), self.fallback) {
            (Acts::Broken { from, stop, .. }, Some(lane)) => match &ends[lane] {
                Some(stop) if stop.ending.breaks_off() => ended(lane, stop),
                _ => Acts::TakenOver { lane, from, stop },
            },
            (acts, _) => acts,
        }
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

    /// Writes the rounds of a takeover into the lanes' rows, in place of earlier ones.
    pub(crate) fn write_acting(&self, result: &mut RunResult) {
        let Some(from) = self.decisions.taken_over() else {
            return;
        };
        let policies = [
            (self.acting, ACTED_UNTIL, from - 1),
            (self.fallback, ACTS_FROM, from),
        ];
        for (place, metric, round) in policies {
            let run = place.and_then(|place| result.policies.get_mut(place));
            let Some(run) = run else { continue };
            run.change_first(|rows| {
                rows.retain(|row| *row.metric != *metric);
                rows.push(MetricRow {
                    metric: metric.into(),
                    at: None,
                    value: round as f64,
                });
            });
        }
    }

    /// The advice for the user where no policy decides.
    #[must_use]
    pub fn acting_remedy(&self) -> &'static str {
        match (self.fallback, self.labels.len()) {
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
