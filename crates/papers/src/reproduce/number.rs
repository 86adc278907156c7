//! Our numbers, each with its origin.

use super::estimate::StudyEstimate;
use super::holds::SURE;
use super::share::StudyShare;
use kleroterion_report::report::number::{brief, mean_and_se};
use kleroterion_report::report::page::PageStrip;

/// A number of ours, with its origin and the paper's counterpart.
#[derive(Clone, Debug, PartialEq)]
pub struct Number {
    /// The name of the number.
    pub what: String,
    /// The value.
    pub value: f64,
    /// The origin of the value, such as a measurement with its standard error.
    pub source: NumberSource,
    /// The paper's number for it, if the paper prints one.
    pub paper: Option<f64>,
}

/// The origin of a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NumberSource {
    /// Simulated: the standard error (`None` for a single replication) and the number of
    /// replications.
    Measured(Option<f64>, u64),
    /// Counted over replications or instances, as a share.
    Share(StudyShare),
    /// The p-value of a test on this many values, simulated or from a file.
    Tested(u64),
    /// From a file of this many people. The standard error treats them as a sample of many others;
    /// `None` if the number was counted.
    Recorded(Option<f64>, u64),
    /// Computed from a law, a policy or a formula.
    Computed,
}

impl Number {
    /// Makes a number that was simulated.
    pub fn measured(what: impl Into<String>, estimate: StudyEstimate) -> Self {
        Self {
            what: what.into(),
            value: estimate.mean,
            source: NumberSource::Measured(estimate.se, estimate.n),
            paper: None,
        }
    }

    /// Makes a share of replications, or of instances.
    pub fn share(what: impl Into<String>, share: StudyShare) -> Self {
        Self {
            what: what.into(),
            value: share.share(),
            source: NumberSource::Share(share),
            paper: None,
        }
    }

    /// Makes a number from a file of people, which would differ for other people like them.
    pub fn recorded(what: impl Into<String>, estimate: StudyEstimate) -> Self {
        Self {
            what: what.into(),
            value: estimate.mean,
            source: NumberSource::Recorded(estimate.se, estimate.n),
            paper: None,
        }
    }

    /// Makes a number that was counted, or measured, among `n` people of a file.
    pub fn counted(what: impl Into<String>, value: f64, n: u64) -> Self {
        Self {
            what: what.into(),
            value,
            source: NumberSource::Recorded(None, n),
            paper: None,
        }
    }

    /// Makes a p-value of a test on `n` values.
    pub fn tested(what: impl Into<String>, p: f64, n: u64) -> Self {
        Self {
            what: what.into(),
            value: p,
            source: NumberSource::Tested(n),
            paper: None,
        }
    }

    /// Makes a number that was computed.
    pub fn computed(what: impl Into<String>, value: f64) -> Self {
        Self {
            what: what.into(),
            value,
            source: NumberSource::Computed,
            paper: None,
        }
    }

    /// Returns the number with the paper's printed one.
    #[must_use]
    pub fn against(mut self, paper: f64) -> Self {
        self.paper = Some(paper);
        self
    }

    /// Returns both numbers on a strip, or `None` if the paper prints none.
    #[must_use]
    pub fn strip(&self) -> Option<PageStrip> {
        let se = match self.source {
            NumberSource::Measured(se, _) | NumberSource::Recorded(se, _) => se,
            NumberSource::Share(_) | NumberSource::Tested(_) | NumberSource::Computed => None,
        };
        let ours = self.value;
        self.paper.map(|paper| PageStrip { ours, se, paper })
    }

    /// Returns the number in words: "tau at K = 50: 123.3 ± 0.4".
    #[must_use]
    pub fn text(&self) -> String {
        match self.source {
            NumberSource::Measured(Some(se), _) => {
                format!("{} {}", self.what, mean_and_se(self.value, Some(se)))
            }
            NumberSource::Measured(None, _) => format!(
                "{} {} (one replication)",
                self.what,
                mean_and_se(self.value, None)
            ),
            NumberSource::Share(share) => {
                let [low, high] = share.limits(SURE).map(|limit| brief(limit, 2));
                let (what, hits, n) = (&self.what, share.hits, share.n);
                format!("{what} {hits} of {n} (exact limits {low} to {high})")
            }
            NumberSource::Tested(_) if self.value < 1e-9 => format!("{} p < 1e-9", self.what),
            NumberSource::Tested(_) if self.value < 0.001 => {
                format!("{} p = {:.0e}", self.what, self.value)
            }
            NumberSource::Tested(_) => format!("{} p = {:.3}", self.what, self.value),
            // A number of the file itself is exact: its digits do not depend on the standard error.
            NumberSource::Recorded(Some(se), _) => {
                format!("{} {} ± {}", self.what, brief(self.value, 4), brief(se, 2))
            }
            NumberSource::Recorded(None, _) => format!("{} {}", self.what, brief(self.value, 4)),
            NumberSource::Computed => {
                format!("{} {} (computed)", self.what, mean_and_se(self.value, None))
            }
        }
    }
}
