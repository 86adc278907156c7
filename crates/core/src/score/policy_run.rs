//! The results of one policy over the replications of a run, with a column for each metric and
//! moment.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::layout::{Kept, Layout, MetricAt};
use super::scores::{LaneResult, MetricRow};
use crate::limits::MOST_LAYOUTS;
use crate::protocol::Ending;

/// Places by number: each place of a policy's lanes, in the order in which they first came.
#[derive(Clone, Debug, Default)]
pub struct Numbers {
    places: Vec<MetricAt>,
    by_place: BTreeMap<MetricAt, usize>,
    /// The numbers in the order of the lanes' rows.
    order: Vec<usize>,
    /// The numbers of the places of a layout; none where a place is not held.
    known: Vec<(Arc<Layout>, Vec<Option<usize>>)>,
}

impl Numbers {
    /// Returns the number of each place of a layout; `None` for places that `holds` rejects.
    /// `holds` must always give the same result for a place.
    pub fn of(
        &mut self,
        layout: &Arc<Layout>,
        holds: impl Fn(&MetricAt) -> bool,
    ) -> &[Option<usize>] {
        let is_it = |known: &(Arc<Layout>, _)| Arc::ptr_eq(&known.0, layout);
        let at = match self.known.iter().position(is_it) {
            Some(at) => at,
            None => {
                let numbers = self.number(layout, holds);
                if self.known.len() == MOST_LAYOUTS {
                    self.known.remove(0);
                }
                self.known.push((Arc::clone(layout), numbers));
                self.known.len() - 1
            }
        };
        &self.known[at].1
    }

    /// Numbers the places of a layout; a new one comes in the order after the place before it.
    fn number(&mut self, layout: &Layout, holds: impl Fn(&MetricAt) -> bool) -> Vec<Option<usize>> {
        let mut next = 0;
        let mut numbers = Vec::with_capacity(layout.places().len());
        for place in layout.places() {
            if !holds(place) {
                numbers.push(None);
                continue;
            }
            let number = match self.by_place.get(place) {
                Some(number) => *number,
                None => {
                    let number = self.places.len();
                    self.places.push(place.clone());
                    self.by_place.insert(place.clone(), number);
                    self.order.insert(next, number);
                    number
                }
            };
            let found = self.order.iter().position(|known| *known == number);
            next = found.map_or(next, |found| found + 1);
            numbers.push(Some(number));
        }
        numbers
    }

    /// The places by number.
    #[must_use]
    pub fn places(&self) -> &[MetricAt] {
        &self.places
    }
}

/// The results of one policy over all replications.
#[derive(Clone, Debug, Default)]
pub struct PolicyRun {
    /// The lane's label, unique in a run.
    pub label: String,
    /// The algorithm (`kind` in the config).
    pub kind: String,
    /// The ending of each replication, in order. There are fewer if the run was interrupted.
    endings: Vec<Ending>,
    details: BTreeMap<usize, String>,
    held: Kept,
    numbers: Numbers,
    /// The values held, by number and then by replication. A missing one is not finite, or beyond
    /// the column's end.
    columns: Vec<Vec<f64>>,
}

impl PolicyRun {
    /// Makes the results of a policy before any lane is played. It holds all values.
    #[must_use]
    pub fn new(label: impl Into<String>, kind: impl Into<String>) -> Self {
        Self {
            label: label.into(),
            kind: kind.into(),
            ..Self::default()
        }
    }

    /// Restricts the values that are held.
    #[must_use]
    pub fn holding(mut self, held: Kept) -> Self {
        self.held = held;
        self
    }

    /// Adds the lanes of its replications, in order.
    #[must_use]
    pub fn with(mut self, lanes: impl IntoIterator<Item = LaneResult>) -> Self {
        lanes.into_iter().for_each(|lane| self.push(lane));
        self
    }

    /// Adds the lane of the next replication.
    pub fn push(&mut self, lane: LaneResult) {
        let replication = self.endings.len();
        self.endings.push(lane.ending);
        let numbers = self
            .numbers
            .of(lane.layout(), |place| self.held.holds(place));
        for (number, value) in numbers.iter().zip(lane.laid_values()) {
            let Some(number) = number.filter(|_| value.is_finite()) else {
                continue;
            };
            if self.columns.len() <= number {
                self.columns.resize_with(number + 1, Vec::new);
            }
            let column = &mut self.columns[number];
            column.resize(replication, f64::NAN);
            column.push(*value);
        }
        if let Some(detail) = lane.detail {
            self.details.insert(replication, detail);
        }
    }

    /// The number of replications played.
    #[must_use]
    pub fn replications(&self) -> usize {
        self.endings.len()
    }

    /// The ending of each replication.
    #[must_use]
    pub fn endings(&self) -> &[Ending] {
        &self.endings
    }

    /// The details of endings, by replication.
    #[must_use]
    pub fn details(&self) -> &BTreeMap<usize, String> {
        &self.details
    }

    /// Returns each metric and moment with a held value, by name and then by moment, with its
    /// values in the order of the replications.
    pub fn columns(&self) -> impl Iterator<Item = (&MetricAt, Vec<f64>)> {
        let columns = self.numbers.by_place.iter();
        columns.filter_map(|(place, number)| {
            let column = self.columns.get(*number)?.iter().copied();
            let values: Vec<f64> = column.filter(|value| value.is_finite()).collect();
            (!values.is_empty()).then_some((place, values))
        })
    }

    /// Returns the values of a metric, one per replication: at the end, or at a moment of its
    /// series.
    pub fn column<'a>(
        &'a self,
        metric: &str,
        at: Option<u64>,
    ) -> impl Iterator<Item = Option<f64>> + use<'a> {
        let metric = metric.into();
        let number = self.numbers.by_place.get(&MetricAt { metric, at });
        let column = number.and_then(|number| self.columns.get(*number));
        let value = move |replication: usize| column?.get(replication).copied();
        let all = (0..self.endings.len()).map(value);
        all.map(|value| value.filter(|value| value.is_finite()))
    }

    /// Returns the values of a replication in the order of the lane's rows.
    pub fn row(&self, replication: usize) -> impl Iterator<Item = (&MetricAt, f64)> {
        let numbers = self.numbers.order.iter();
        numbers.filter_map(move |number| {
            let value = *self.columns.get(*number)?.get(replication)?;
            value
                .is_finite()
                .then(|| (&self.numbers.places[*number], value))
        })
    }

    /// Returns the lanes of the replications, with the values held.
    #[must_use]
    pub fn lanes(&self) -> Vec<LaneResult> {
        let lane = |(replication, ending): (usize, &Ending)| {
            let rows = self.row(replication).map(|(place, value)| MetricRow {
                metric: Arc::clone(&place.metric),
                at: place.at,
                value,
            });
            LaneResult::new(*ending, self.details.get(&replication).cloned(), rows)
        };
        self.endings.iter().enumerate().map(lane).collect()
    }

    /// Changes the lanes of its replications.
    pub fn change(&mut self, change: impl FnOnce(&mut Vec<LaneResult>)) {
        let mut lanes = self.lanes();
        change(&mut lanes);
        let empty = Self::new(&*self.label, &*self.kind).holding(self.held.clone());
        *self = empty.with(lanes);
    }

    /// Changes the rows of its first replication, if there is one.
    pub fn change_first(&mut self, change: impl FnOnce(&mut Vec<MetricRow>)) {
        self.change(|lanes| {
            if let Some(lane) = lanes.first_mut() {
                lane.change(change);
            }
        });
    }
}

impl PartialEq for PolicyRun {
    fn eq(&self, other: &Self) -> bool {
        let names = |run: &Self| (run.label.clone(), run.kind.clone());
        names(self) == names(other) && self.lanes() == other.lanes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lane(rows: &[(&str, Option<u64>, f64)]) -> LaneResult {
        let rows = rows.iter().map(|&(metric, at, value)| MetricRow {
            metric: metric.into(),
            at,
            value,
        });
        LaneResult::new(Ending::Filled, None, rows)
    }

    /// The rows that came, in the order of one total order of places, whichever lane is first.
    #[test]
    fn the_lanes_come_back_as_they_were() {
        let full = [
            ("a", Some(5), 1.0),
            ("b", Some(5), 2.0),
            ("a", Some(9), 3.0),
            ("b", Some(9), 4.0),
            ("a", None, 5.0),
            ("own", None, 6.0),
        ];
        let early = [full[0], full[1], full[4]];
        let gap = [full[0], ("b", Some(5), f64::NAN), full[2], full[3], full[4]];
        for order in [[0, 1, 2], [1, 0, 2], [2, 1, 0], [1, 2, 0]] {
            let all = [lane(&full), lane(&early), lane(&gap)];
            let lanes: Vec<_> = order.map(|at| all[at].clone()).into();
            let run = PolicyRun::new("l", "k").with(lanes.clone());
            assert_eq!(run.lanes(), lanes, "{order:?}");
        }
    }

    #[test]
    fn columns_have_a_value_a_replication_and_only_what_is_held() {
        let lanes = [
            lane(&[("a", None, 1.0), ("b", None, 9.0)]),
            lane(&[("b", None, 8.0)]),
            lane(&[("b", None, f64::NAN), ("a", Some(1), 0.5), ("a", None, 3.0)]),
        ];
        let run = PolicyRun::new("l", "k")
            .holding(Kept::Ends(["a".to_owned()].into()))
            .with(lanes);
        let ends = |metric| run.column(metric, None).collect::<Vec<_>>();
        assert_eq!(ends("a"), [Some(1.0), None, Some(3.0)]);
        assert_eq!(ends("b"), [None; 3]);
        assert_eq!(run.column("a", Some(1)).collect::<Vec<_>>(), [None; 3]);
        let columns: Vec<_> = run.columns().collect();
        assert_eq!(columns.len(), 1);
        assert_eq!(columns[0].1, [1.0, 3.0]);
        assert_eq!(run.row(1).count(), 0);
    }
}
