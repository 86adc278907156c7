//! The scores of a lane: an ending and rows of numbers.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::layout::{Layout, MetricAt};
use crate::protocol::Ending;

/// One measured value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MetricRow {
    /// The metric's name.
    pub metric: Arc<str>,
    /// The moment in the run, in the unit of `report.at`; `None` = at its end.
    pub at: Option<u64>,
    /// The value; finite. Values that are not finite are left out.
    pub value: f64,
}

/// The result of one lane of one replication.
#[derive(Clone, Debug)]
pub struct LaneResult {
    /// The ending of the lane.
    pub ending: Ending,
    /// The detail of the ending: the rule broken, the panic's message.
    pub detail: Option<String>,
    layout: Arc<Layout>,
    /// A value a place; not finite where there is none.
    values: Vec<f64>,
}

impl LaneResult {
    /// Builds a lane's result from its ending and its rows, in the scorers' order.
    #[must_use]
    pub fn new(
        ending: Ending,
        detail: Option<String>,
        rows: impl IntoIterator<Item = MetricRow>,
    ) -> Self {
        let rows = rows.into_iter().map(|row| {
            let place = MetricAt {
                metric: row.metric,
                at: row.at,
            };
            (place, row.value)
        });
        let (places, values) = rows.unzip();
        Self::laid_out(ending, detail, Layout::new(places), values)
    }

    /// Builds a lane's result from its ending and a value for each place of a layout. A value that
    /// is not finite counts as absent.
    pub fn laid_out(
        ending: Ending,
        detail: Option<String>,
        layout: Arc<Layout>,
        values: Vec<f64>,
    ) -> Self {
        debug_assert_eq!(layout.places().len(), values.len());
        Self {
            ending,
            detail,
            layout,
            values,
        }
    }

    /// The places of the lane's values.
    #[must_use]
    pub fn layout(&self) -> &Arc<Layout> {
        &self.layout
    }

    /// The lane's values, one for each place of its layout; not finite if absent.
    #[must_use]
    pub fn laid_values(&self) -> &[f64] {
        &self.values
    }

    /// The rows with a finite value, in the scorers' order.
    pub fn rows(&self) -> impl DoubleEndedIterator<Item = MetricRow> {
        self.finite().map(|(place, value)| MetricRow {
            metric: Arc::clone(&place.metric),
            at: place.at,
            value,
        })
    }

    fn finite(&self) -> impl DoubleEndedIterator<Item = (&MetricAt, f64)> {
        let values = self.values.iter().copied();
        let all = self.layout.places().iter().zip(values);
        all.filter(|(_, value)| value.is_finite())
    }

    /// The rows that count: finite values, one for each metric and moment (the last given counts).
    pub fn values(&self) -> BTreeMap<(&str, Option<u64>), f64> {
        self.finite()
            .map(|(place, value)| ((&*place.metric, place.at), value))
            .collect()
    }

    /// The value of `metric` at the end of the run, if there is one.
    pub fn at_end(&self, metric: &str) -> Option<f64> {
        let mut rows = self.finite().rev();
        rows.find(|(place, _)| place.at.is_none() && &*place.metric == metric)
            .map(|(_, value)| value)
    }

    /// Changes the lane's rows.
    pub fn change(&mut self, change: impl FnOnce(&mut Vec<MetricRow>)) {
        let mut rows = self.rows().collect();
        change(&mut rows);
        *self = Self::new(self.ending, self.detail.take(), rows);
    }

    /// Drops every row after the first of its place. Returns the name of the first dropped.
    pub fn leave_out_doubles(&mut self) -> Option<Arc<str>> {
        if !self.layout.is_doubled() {
            return None;
        }
        let mut seen = BTreeSet::new();
        let mut taken = None;
        let (mut kept, mut values) = (Vec::new(), Vec::new());
        for (place, value) in self.layout.places().iter().zip(&self.values) {
            if seen.insert(place) {
                kept.push(place.clone());
                values.push(*value);
            } else {
                taken.get_or_insert_with(|| Arc::clone(&place.metric));
            }
        }
        (self.layout, self.values) = (Layout::new(kept), values);
        taken
    }
}

impl PartialEq for LaneResult {
    fn eq(&self, other: &Self) -> bool {
        let what = |lane: &Self| (lane.ending, lane.detail.clone());
        what(self) == what(other) && self.finite().eq(other.finite())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(metric: &str, at: Option<u64>, value: f64) -> MetricRow {
        MetricRow {
            metric: metric.into(),
            at,
            value,
        }
    }

    fn lane(rows: Vec<MetricRow>) -> LaneResult {
        LaneResult::new(Ending::Filled, None, rows)
    }

    #[test]
    fn a_value_that_is_not_finite_is_none_and_the_last_stands() {
        let lane = lane(vec![
            row("cost", None, 1.0),
            row("cost", None, 2.0),
            row("cost", None, f64::NAN),
            row("pulls", Some(5), f64::INFINITY),
        ]);
        assert_eq!(lane.at_end("cost"), Some(2.0));
        assert_eq!(lane.at_end("pulls"), None);
        assert_eq!(
            lane.values().into_iter().collect::<Vec<_>>(),
            [(("cost", None), 2.0)]
        );
    }

    #[test]
    fn what_has_a_name_twice_is_left_out() {
        let mut one = lane(vec![
            row("cost", None, 1.0),
            row("cost", Some(1), 2.0),
            row("cost", None, 4.0),
        ]);
        assert_eq!(one.leave_out_doubles().as_deref(), Some("cost"));
        let left = [row("cost", None, 1.0), row("cost", Some(1), 2.0)];
        assert_eq!(one.rows().collect::<Vec<_>>(), left);
        assert_eq!(one.leave_out_doubles(), None);
        assert_eq!(one, lane(left.into()));
    }
}
