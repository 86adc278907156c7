//! The measures of a lane, as its scorers are read one after the other.

use std::sync::Arc;

use super::layout::{Layout, Layouts, MetricAt};
use super::scores::MetricRow;

/// The measures of a lane: values in the order in which its scorers gave them.
#[derive(Debug, Default)]
pub struct Readings {
    at: Option<u64>,
    places: Places,
    values: Vec<f64>,
}

/// The places of values that are being read.
#[derive(Debug)]
enum Places {
    /// The places of a known layout, so far.
    Known(Arc<Layout>),
    /// Other places.
    New(Vec<MetricAt>),
}

impl Default for Places {
    fn default() -> Self {
        Self::New(Vec::new())
    }
}

impl Readings {
    /// Makes empty readings, which are likely to have the places of the layout found last.
    pub(super) fn like(layouts: &Layouts) -> Self {
        let places = layouts.latest().map_or_else(Places::default, Places::Known);
        Self {
            places,
            ..Self::default()
        }
    }

    /// Returns true if these are the current or final measures, and not those at a moment of a
    /// series.
    #[must_use]
    pub fn is_end(&self) -> bool {
        self.at.is_none()
    }

    /// Sets the moment of the values that follow.
    pub(super) fn turn_to(&mut self, at: Option<u64>) {
        self.at = at;
    }

    /// Adds a value. A value that is not finite counts as absent.
    pub fn put(&mut self, metric: &str, value: f64) {
        let place = self.values.len();
        if let Places::Known(layout) = &self.places {
            let known = layout.places().get(place);
            if known.is_none_or(|known| known.at != self.at || *known.metric != *metric) {
                self.places = Places::New(layout.places()[..place].to_vec());
            }
        }
        if let Places::New(places) = &mut self.places {
            places.push(MetricAt {
                metric: metric.into(),
                at: self.at,
            });
        }
        self.values.push(value);
    }

    /// The number of values.
    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    /// The rows put from a number on; without those that are not finite.
    pub(super) fn rows_from(&self, from: usize) -> Vec<MetricRow> {
        let places = match &self.places {
            Places::Known(layout) => layout.places(),
            Places::New(places) => places,
        };
        let rows = places[from..].iter().zip(&self.values[from..]);
        let finite = rows.filter(|(_, value)| value.is_finite());
        let row = |(place, value): (&MetricAt, &f64)| MetricRow {
            metric: Arc::clone(&place.metric),
            at: place.at,
            value: *value,
        };
        finite.map(row).collect()
    }

    /// The values and their layout, shared with the lanes that had it before.
    pub(super) fn finish(self, layouts: &Layouts) -> (Arc<Layout>, Vec<f64>) {
        let places = match self.places {
            Places::Known(layout) if layout.places().len() == self.values.len() => {
                return (layout, self.values);
            }
            Places::Known(layout) => layout.places()[..self.values.len()].to_vec(),
            Places::New(places) => places,
        };
        (layouts.of(places), self.values)
    }
}
