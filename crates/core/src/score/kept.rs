//! Places of values, and which places a run keeps replication by replication.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// A metric at a moment of a run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MetricAt {
    /// The metric's name.
    pub metric: Arc<str>,
    /// The moment in the run, in the unit of `report.at`; `None` = at its end.
    pub at: Option<u64>,
}

/// The values kept replication by replication. All others are folded into statistics.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Kept {
    /// All values.
    #[default]
    All,
    /// The values of these metrics at the end of the run. A name that ends in a full stop is a
    /// family.
    Ends(BTreeSet<String>),
}

impl Kept {
    /// Leaves out a metric, if not all values are kept.
    pub fn leave_out(&mut self, metric: &str) {
        if let Self::Ends(names) = self {
            names.remove(metric);
        }
    }

    /// Returns true if the value at a place is kept.
    pub fn holds(&self, place: &MetricAt) -> bool {
        let Self::Ends(names) = self else {
            return true;
        };
        let family = || place.metric.split_inclusive('.').next();
        let is_named =
            || names.contains(&*place.metric) || family().is_some_and(|f| names.contains(f));
        place.at.is_none() && is_named()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_metrics_and_of_families_are_kept() {
        let names = ["screened", "share."].map(str::to_owned);
        let kept = Kept::Ends(names.into());
        let holds = |metric: &str, at| {
            let metric = metric.into();
            kept.holds(&MetricAt { metric, at })
        };
        assert!(holds("screened", None) && holds("share.a:F", None) && holds("share.a.b", None));
        assert!(!holds("screened", Some(50)) && !holds("share.F", Some(50)));
        assert!(!holds("share", None) && !holds("selection_rate.F", None));
        assert!(Kept::All.holds(&MetricAt {
            metric: "cost".into(),
            at: Some(1)
        }));
    }
}
