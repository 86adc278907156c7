//! The better sides of a run's metrics: the catalogue's, and those that the config sets.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::direction::Direction;
use super::metric::MetricInfo;

/// The better sides of a run's metrics. Every verdict, order, chart and table of a run uses them,
/// so a side set by the config applies everywhere.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Directions(BTreeMap<String, Direction>);

impl Directions {
    /// Makes the catalogue's sides with these exceptions.
    #[must_use]
    pub fn set(sides: BTreeMap<String, Direction>) -> Self {
        Self(sides)
    }

    /// Sets the side of a metric that has none yet.
    pub fn suggest(&mut self, metric: &str, direction: Direction) {
        self.0.entry(metric.to_owned()).or_insert(direction);
    }

    /// The better side of a metric.
    #[must_use]
    pub fn of(&self, metric: &str) -> Direction {
        let set = self.0.get(metric).copied();
        set.unwrap_or_else(|| MetricInfo::of(metric).direction)
    }

    /// Returns a predicate for the policy that is best on a metric, for messages. `None` if the
    /// catalogue has none or the config sets another side.
    #[must_use]
    pub fn best(&self, metric: &str) -> Option<&'static str> {
        let info = MetricInfo::of(metric);
        info.best.filter(|_| self.of(metric) == info.direction)
    }

    /// Returns true if the config changes no side.
    #[must_use]
    pub fn is_default(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_that_is_set_takes_the_place_of_the_catalogues_and_of_its_words() {
        let mut sides = Directions::default();
        assert!(sides.is_default());
        assert_eq!(sides.of("selection_rate"), Direction::Higher);
        assert_eq!(sides.best("selection_rate"), Some("screens fewest"));
        sides.suggest("selection_rate", Direction::None);
        sides.suggest("selection_rate", Direction::Lower);
        assert_eq!(sides.of("selection_rate"), Direction::None);
        assert_eq!(sides.best("selection_rate"), None);
        assert_eq!(sides.of("screened"), Direction::Lower);
        assert_eq!(sides.of("a measure of a policy's own"), Direction::None);
        let text = serde_json::to_string(&sides).unwrap();
        assert_eq!(text, r#"{"selection_rate":"none"}"#);
        assert_eq!(serde_json::from_str::<Directions>(&text).unwrap(), sides);
    }
}
