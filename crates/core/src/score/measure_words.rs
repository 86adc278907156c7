//! Names, units and formats of measures, for people.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::direction::Direction;
use crate::number::shown;

/// The name, the unit and the format of a measure, as people read it. A metric without them is
/// called by its identifier, and its values are plain numbers.
///
/// ```
/// use kleroterion_core::score::MeasureWords;
///
/// let gap = MeasureWords::points("Largest gap to a target", "gap to a target");
/// assert_eq!(gap.head(), "Largest gap to a target (points)");
/// assert_eq!(gap.value(0.0432, Some(1)), "4.3");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MeasureWords {
    /// The name at the head of a table or figure: `People screened`.
    pub title: Cow<'static, str>,
    /// The name after a number in a sentence: `people screened`.
    pub short: Cow<'static, str>,
    /// The unit of a value: `people`. Empty if there is none.
    pub unit: Cow<'static, str>,
    /// The format of a value.
    pub format: MeasureFormat,
}

/// The format of a measure's values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MeasureFormat {
    /// A difference of shares in percentage points: 0.043 is 4.3.
    Points,
    /// A share of 100: 0.43 is 43.
    Percent,
    /// A number of people or things.
    Count,
    /// An amount that was spent.
    Cost,
    /// A relative rank, or a sum of them.
    Rank,
    /// Any other number.
    #[default]
    Number,
}

/// The unit of shares that are of no other hundred.
const PERCENT: &str = "%";
/// The unit of differences of shares.
const POINTS: &str = "points";

impl MeasureWords {
    const fn new(
        title: &'static str,
        short: &'static str,
        unit: &'static str,
        format: MeasureFormat,
    ) -> Self {
        Self {
            title: Cow::Borrowed(title),
            short: Cow::Borrowed(short),
            unit: Cow::Borrowed(unit),
            format,
        }
    }

    /// Makes a difference of shares, shown in points.
    #[must_use]
    pub const fn points(title: &'static str, short: &'static str) -> Self {
        Self::new(title, short, POINTS, MeasureFormat::Points)
    }

    /// Makes a share of 100. The unit is `%`, or `of 100 …`.
    #[must_use]
    pub const fn percent(title: &'static str, short: &'static str, unit: &'static str) -> Self {
        Self::new(title, short, unit, MeasureFormat::Percent)
    }

    /// Makes a number of people or things.
    #[must_use]
    pub const fn count(title: &'static str, short: &'static str, unit: &'static str) -> Self {
        Self::new(title, short, unit, MeasureFormat::Count)
    }

    /// Makes an amount that was spent.
    #[must_use]
    pub const fn cost(title: &'static str, short: &'static str) -> Self {
        Self::new(title, short, "", MeasureFormat::Cost)
    }

    /// Makes a relative rank.
    #[must_use]
    pub const fn rank(title: &'static str, short: &'static str) -> Self {
        Self::new(title, short, "", MeasureFormat::Rank)
    }

    /// Makes a plain number.
    #[must_use]
    pub const fn number(title: &'static str, short: &'static str, unit: &'static str) -> Self {
        Self::new(title, short, unit, MeasureFormat::Number)
    }

    /// The words of a metric that has none but its identifier.
    pub(super) fn bare(name: &str) -> Self {
        Self {
            title: Cow::Owned(name.to_owned()),
            short: Cow::Owned(name.to_owned()),
            unit: Cow::Borrowed(""),
            format: MeasureFormat::Number,
        }
    }

    /// The words of a metric of a family, with its group, attribute or objective by name.
    pub(super) fn of_member(&self, member: &str) -> Self {
        let named = |text: &str| {
            let places = ["GROUP", "ATTRIBUTE", "OBJECTIVE"].into_iter();
            Cow::Owned(places.fold(text.to_owned(), |text, place| text.replace(place, member)))
        };
        Self {
            title: named(&self.title),
            short: named(&self.short),
            ..self.clone()
        }
    }

    /// Returns the title with its unit, unless the title says it.
    #[must_use]
    pub fn head(&self) -> String {
        let is_said = self
            .title
            .to_lowercase()
            .contains(&self.unit.to_lowercase());
        match is_said {
            true => self.title.to_string(),
            false => format!("{} ({})", self.title, self.unit),
        }
    }

    /// Returns the factor from a value in files to one that people read.
    #[must_use]
    pub const fn scale(&self) -> f64 {
        match self.format {
            MeasureFormat::Points | MeasureFormat::Percent => 100.0,
            _ => 1.0,
        }
    }

    /// Formats a value, or a difference of two, with this many decimals. `None` gives at most four
    /// digits.
    #[must_use]
    pub fn value(&self, value: f64, decimals: Option<i32>) -> String {
        shown(self.scale() * value, decimals)
    }

    /// Returns the unit of a difference of two values: `points` for shares, else that of a value.
    #[must_use]
    pub fn unit_of_differences(&self) -> &str {
        match self.unit.as_ref() {
            PERCENT => POINTS,
            unit => unit,
        }
    }

    /// Formats the size of a difference: `2.6 points`. Counts and shares of another hundred have
    /// their unit in the short name.
    #[must_use]
    pub fn amount(&self, difference: f64, decimals: Option<i32>) -> String {
        let number = self.value(difference.abs(), decimals);
        match self.unit_of_differences() {
            POINTS => format!("{number} {POINTS}"),
            _ => number,
        }
    }

    /// Returns a bound of a config, as in `<= 0.05`, in words: `gap to a target at most 5 points`.
    /// A bound of another form stays as it is.
    #[must_use]
    pub fn bound(&self, bound: &str) -> String {
        let (sign, number) = bound.split_once(' ').unwrap_or_default();
        let at = match sign {
            "<=" => "at most",
            ">=" => "at least",
            _ => "",
        };
        let limit = number.parse().ok().filter(|_| !at.is_empty());
        match limit {
            Some(limit) if number.starts_with('-') => {
                format!("{} {at} \u{2212}{}", self.short, self.amount(limit, None))
            }
            Some(limit) => format!("{} {at} {}", self.short, self.amount(limit, None)),
            None => format!("{} {bound}", self.short),
        }
    }

    /// Returns the word for fewer or more of it, by the better side.
    #[must_use]
    pub fn ahead(&self, direction: Direction) -> &'static str {
        let is_counted = self.format == MeasureFormat::Count
            || self.format == MeasureFormat::Percent && self.unit != PERCENT;
        match direction {
            Direction::Lower if is_counted => "fewer",
            Direction::Lower => "less",
            _ => "more",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::metric::MetricInfo;
    use super::*;

    #[test]
    fn a_measure_is_read_in_its_unit() {
        let words = |name| MetricInfo::of(name).words(name);
        let rate = words("selection_rate");
        assert_eq!(rate.head(), "Chosen of 100 screened");
        assert_eq!(rate.value(0.40658, Some(1)), "40.7");
        assert_eq!(rate.amount(-0.1463, Some(1)), "14.6");
        assert_eq!(rate.ahead(Direction::Lower), "fewer");
        let gap = words("representation_loss");
        assert_eq!(gap.amount(0.0256, Some(1)), "2.6 points");
        assert_eq!(gap.ahead(Direction::Lower), "less");
        let screened = words("screened");
        assert_eq!((screened.value(6114.2, Some(0))), "6,114");
        assert_eq!(screened.head(), "People screened");
        assert_eq!(
            words("share.gender:F").head(),
            "Share of gender:F among the selected (%)"
        );
        assert_eq!(words("share.F").amount(0.021, None), "2.1 points");
        assert_eq!(gap.bound("<= 0.05"), "gap to a target at most 5 points");
        assert_eq!(
            words("my_own").bound(">= -1.5"),
            "my_own at least \u{2212}1.5"
        );
        assert_eq!(words("my_own").head(), "my_own");
        assert_eq!(words("my_own").value(-0.5, None), "\u{2212}0.5");
    }

    /// What follows a number in a sentence is short, and each unit says what its format means.
    #[test]
    fn every_metric_of_the_catalogue_has_words() {
        for (name, info) in super::super::catalogue() {
            let words = info.words.expect(name);
            assert!(words.short.chars().count() <= 40, "{name}: {}", words.short);
            assert!(words.title.chars().count() <= 60, "{name}: {}", words.title);
            let place = name.split_once('.').map_or("", |(_, place)| place);
            assert!(
                words.title.contains(place) && words.short.contains(place),
                "{name}"
            );
            let unit = words.unit.as_ref();
            let is_right = match words.format {
                MeasureFormat::Points => unit == POINTS,
                MeasureFormat::Percent => unit == PERCENT || unit.starts_with("of 100"),
                MeasureFormat::Count => !unit.is_empty(),
                _ => true,
            };
            assert!(is_right, "{name}: {unit}");
        }
    }
}
