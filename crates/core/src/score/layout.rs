//! The places of a lane's values: which metric, and when. Named once and shared by replications.

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
    /// A layout.
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

    /// Whether two values have one place.
    #[must_use]
    pub fn is_doubled(&self) -> bool {
        self.is_doubled
    }
}

/// The layouts that a policy's lanes have had in a run. Replications share them, so that a value is
/// named where its lane is the first with its layout, and known by its number after that.
#[derive(Debug, Default)]
pub struct Layouts(Mutex<Vec<Arc<Layout>>>);

impl Layouts {
    /// The most layouts that are remembered; a policy may name its own measures as it likes.
    const MOST: usize = 64;

    /// The one found last.
    pub(super) fn latest(&self) -> Option<Arc<Layout>> {
        locked(&self.0).last().cloned()
    }

    /// The layout of these places, the one that is known where it is.
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
