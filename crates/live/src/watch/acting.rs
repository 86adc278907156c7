//! Whose decisions count: the acting policy's, those of the policy that took over from it, or none.

use std::sync::PoisonError;

use super::Watched;
use kleroterion_core::protocol::Stop;
use kleroterion_core::score::MetricRow;
use kleroterion_stats::RunResult;

/// The last round that the acting policy decided, where another took over from it.
pub const ACTED_UNTIL: &str = "acted_until_round";

/// The first round that was decided by the policy that took over.
pub const ACTS_FROM: &str = "acts_from_round";

/// Whose decisions count now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Acts {
    /// No policy acts: all only say what they would do.
    NotAsked,
    /// The policy in this lane.
    Plays(usize),
    /// The policy in this lane has ended as intended (all places are taken, say).
    Done(usize, Stop),
    /// The acting policy ended so, and the fallback decides from this round on.
    TakenOver {
        /// The fallback's lane.
        lane: usize,
        /// The first round that it decides.
        from: u64,
        /// How the acting policy ended.
        stop: Stop,
    },
    /// No policy decides from this round on: the last whose decisions counted ended so.
    Broken {
        /// The policy's lane.
        lane: usize,
        /// The first round without a decision.
        from: u64,
        /// How the policy ended.
        stop: Stop,
    },
}

impl Watched {
    /// With the lane whose decisions count once the acting policy has ended otherwise than it was
    /// to.
    #[must_use]
    pub fn falling_back(mut self, fallback: Option<usize>) -> Self {
        self.decisions = self.decisions.falling_back(fallback);
        self.fallback = fallback;
        self
    }

    /// Whose decisions count now.
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

    /// The message where the acting policy decides no more.
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

    /// Writes into the lanes' rows until when each decided, where another policy took over, in
    /// place of what was written before.
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

    /// What to do where no policy decides.
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

/// How a lane ended, and why.
fn how(stop: &Stop) -> String {
    let why = stop.detail.as_deref().map(|why| format!(": {why}"));
    format!("{}{}", stop.ending, why.unwrap_or_default())
}
