//! The parts of a metric's name: its family, the attribute and the value that it speaks of.

use std::sync::Arc;

use super::metric::MetricPattern;
use super::metrics::Metrics;
use crate::protocol::Schema;

/// A metric's name in parts, for the columns of tidy tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MetricParts<'a> {
    /// The name of the family, or the whole name if the metric belongs to none.
    pub metric: &'a str,
    /// The attribute, if the metric is about one.
    pub attribute: Option<&'a str>,
    /// The attribute's value, or the objective of a cohort's measure, if there is one.
    pub part: Option<&'a str>,
}

/// The columns of [`MetricParts`].
pub const PARTS: [&str; 3] = ["metric", "attribute", "part"];

/// Splits the names of a run's metrics into parts. Names have the attribute if a run has several
/// (`share.gender:F`), and leave it out if it has one or a pool steers one (`share.F`).
#[derive(Clone, Debug)]
pub struct MetricNames {
    schema: Arc<Schema>,
    metrics: Metrics,
    /// The attribute whose value is alone in a name.
    alone: Option<usize>,
}

impl MetricNames {
    /// Makes the names of a run with these attributes; `pool` is the attribute that a pool steers,
    /// if any.
    #[must_use]
    pub fn new(schema: &Arc<Schema>, pool: Option<usize>) -> Self {
        let only = (schema.attributes().len() == 1).then_some(0);
        Self {
            schema: Arc::clone(schema),
            metrics: Metrics::default(),
            alone: pool.or(only),
        }
    }

    /// Adds the metrics that a program adds.
    #[must_use]
    pub fn knowing(mut self, metrics: &Metrics) -> Self {
        self.metrics = metrics.clone();
        self
    }

    /// The parts of a metric's name.
    #[must_use]
    pub fn parts<'a>(&'a self, name: &'a str) -> MetricParts<'a> {
        let whole = MetricParts {
            metric: name,
            attribute: None,
            part: None,
        };
        let Some((metric, rest)) = name.split_once('.') else {
            return whole;
        };
        let found = match self.metrics.pattern_of(name) {
            Some(MetricPattern::Objectives) => Some((None, Some(rest))),
            Some(MetricPattern::Groups | MetricPattern::Attributes) => self.group(rest),
            Some(MetricPattern::One) | None => None,
        };
        found.map_or(whole, |(attribute, part)| MetricParts {
            metric,
            attribute,
            part,
        })
    }

    /// The attribute and the value that the end of a name speaks of: `ATTRIBUTE:VALUE`, `VALUE` or
    /// `ATTRIBUTE`.
    fn group<'a>(&'a self, text: &'a str) -> Option<(Option<&'a str>, Option<&'a str>)> {
        let attributes = self.schema.attributes();
        let pair = attributes.iter().find_map(|attribute| {
            let value = text.strip_prefix(&*attribute.name)?.strip_prefix(':')?;
            attribute.index(value).map(|_| (attribute, Some(value)))
        });
        let alone = || {
            let attribute = &attributes[self.alone?];
            attribute.index(text).map(|_| (attribute, Some(text)))
        };
        let attribute = || {
            attributes
                .iter()
                .find(|a| a.name == text)
                .map(|a| (a, None))
        };
        let (attribute, value) = pair.or_else(alone).or_else(attribute)?;
        Some((Some(&attribute.name), value))
    }
}

impl<'a> MetricParts<'a> {
    /// The fields of a row, in the order of [`PARTS`]. A missing part is empty.
    #[must_use]
    pub fn fields(self) -> [&'a str; 3] {
        let Self {
            metric,
            attribute,
            part,
        } = self;
        [metric, attribute.unwrap_or(""), part.unwrap_or("")]
    }
}

#[cfg(test)]
mod tests {
    use super::super::tally::group_names;
    use super::*;
    use crate::protocol::Attribute;

    fn schema(attributes: &[(&str, &[&str])]) -> Arc<Schema> {
        let attribute = |(name, values): &(&str, &[&str])| Attribute {
            name: (*name).to_owned(),
            values: values.iter().map(|value| (*value).to_owned()).collect(),
        };
        let attributes = attributes.iter().map(attribute).collect();
        Arc::new(Schema::new(attributes, Vec::new(), false).expect("few cells"))
    }

    const ONE: &[(&str, &[&str])] = &[("gender", &["F", "M", "a:b", "x.y"])];
    const TWO: &[(&str, &[&str])] = &[("gender", &["F", "no"]), ("a:b", &["no", "F:c", "gender"])];

    #[test]
    fn every_group_has_the_same_parts_with_one_attribute_or_several() {
        for attributes in [ONE, TWO] {
            let schema = schema(attributes);
            let names = MetricNames::new(&schema, None);
            for (attribute, of_values) in schema
                .attributes()
                .iter()
                .zip(group_names("share", &schema))
            {
                for (value, name) in attribute.values.iter().zip(of_values) {
                    let known = ["share", &*attribute.name, &**value];
                    assert_eq!(names.parts(&name).fields(), known, "{name}");
                }
            }
        }
    }

    #[test]
    fn a_pools_groups_are_those_of_the_attribute_that_it_steers() {
        let schema = schema(TWO);
        for (pool, known) in [(0, "gender"), (1, "a:b")] {
            let names = MetricNames::new(&schema, Some(pool));
            assert_eq!(
                names.parts("pool_share.no").fields(),
                ["pool_share", known, "no"]
            );
            // Other families name the attribute as ever.
            let other = names.parts("share.gender:F").fields();
            assert_eq!(other, ["share", "gender", "F"]);
        }
    }

    #[test]
    fn what_is_of_no_group_has_no_parts() {
        let schema = schema(TWO);
        let names = MetricNames::new(&schema, None);
        for (name, known) in [
            ("screened", ["screened", "", ""]),
            ("selection_rate", ["selection_rate", "", ""]),
            ("impact_ratio.gender", ["impact_ratio", "gender", ""]),
            (
                "cohort_value.diverse:gender",
                ["cohort_value", "", "diverse:gender"],
            ),
            (
                "optimal.diverse:gender+a:b",
                ["optimal", "", "diverse:gender+a:b"],
            ),
            // A policy's own, whatever it is called.
            ("mine.gender:F", ["mine.gender:F", "", ""]),
            ("share.nobody", ["share.nobody", "", ""]),
            ("share.", ["share.", "", ""]),
            ("pool_share.no", ["pool_share.no", "", ""]),
        ] {
            assert_eq!(names.parts(name).fields(), known);
        }
    }
}
