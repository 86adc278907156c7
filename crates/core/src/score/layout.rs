//! The places of a lane's values, that is, metric and moment. They are named once and shared by
//! replications.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use crate::limits::MOST_LAYOUTS;
use crate::lock::locked;
use serde::{Deserialize, Serialize};

/// The places of the values of a lane, in the scorers' order.
#[derive(Debug, PartialEq)]
pub struct Layout {
    places: Vec<MetricAt>,
    is_doubled: bool,
}

impl Layout {
    /// Makes a layout of these places.
    #[must_use]
    pub fn new(places: Vec<MetricAt>) -> Arc<Self> {
        let mut seen = BTreeSet::new();
        let is_doubled = !places.iter().all(|place| seen.insert(place));
        Arc::new(Self { places, is_doubled })
    }

    /// The places, in order.
    #[must_use]
    pub fn places(&self) -> &[MetricAt] {
        &self.places
    }

    /// Returns true if two values have the same place.
    #[must_use]
    pub fn is_doubled(&self) -> bool {
        self.is_doubled
    }
}

/// The layouts of a policy's lanes in a run. Replications share them: the first lane with a layout
/// names its values, and later lanes know them by number.
#[derive(Debug, Default)]
pub struct Layouts(Mutex<Vec<Arc<Layout>>>);

impl Layouts {
    /// The one found last.
    pub(super) fn latest(&self) -> Option<Arc<Layout>> {
        locked(&self.0).last().cloned()
    }

    /// Returns the layout of these places, an already known one if there is one.
    pub fn of(&self, places: Vec<MetricAt>) -> Arc<Layout> {
        let mut known = locked(&self.0);
        let layout = match known.iter().position(|layout| layout.places == places) {
            Some(place) => known.remove(place),
            None => Layout::new(places),
        };
        if known.len() == MOST_LAYOUTS {
            known.remove(0);
        }
        known.push(Arc::clone(&layout));
        layout
    }
}

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
    #[must_use]
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
