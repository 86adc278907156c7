//! The places of a lane's values, that is, metric and moment. They are named once and shared by
//! replications.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use super::kept::MetricAt;
use crate::lock::locked;

/// The places of the values of a lane, in the scorers' order.
#[derive(Debug, PartialEq)]
pub struct Layout {
    places: Vec<MetricAt>,
    is_doubled: bool,
}

impl Layout {
    /// Makes a layout of these places.
    pub fn new(places: Vec<MetricAt>) -> Arc<Self> {
        let mut seen = BTreeSet::new();
        let is_doubled = !places.iter().all(|place| seen.insert(place));
        Arc::new(Self { places, is_doubled })
    }

    /// The places, in order.
    pub fn places(&self) -> &[MetricAt] {
        &self.places
    }

    /// Returns true if two values have the same place.
    pub fn is_doubled(&self) -> bool {
        self.is_doubled
    }
}

/// The layouts of a policy's lanes in a run. Replications share them: the first lane with a layout
/// names its values, and later lanes know them by number.
#[derive(Debug, Default)]
pub struct Layouts(Mutex<Vec<Arc<Layout>>>);

impl Layouts {
    /// The most layouts that are remembered; a policy may name its own measures as it likes.
    const MOST: usize = 64;

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
        if known.len() == Self::MOST {
            known.remove(0);
        }
        known.push(Arc::clone(&layout));
        layout
    }
}
