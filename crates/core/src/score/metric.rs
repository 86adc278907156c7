//! The description of a metric: its better side, its range and other properties.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::direction::Direction;
use super::measure_words::MeasureWords;

/// The description of a metric.
///
/// A metric of a program's own is described in the same way:
///
/// ```
/// use kleroterion_core::score::MetricInfo;
///
/// let late = MetricInfo::lower("share of the accepted in the second half of the run");
/// assert_eq!(late.unit().range, Some((0.0, 1.0)));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct MetricInfo {
    /// The better side, unless the run sets another: ask [`Directions::of`].
    ///
    /// [`Directions::of`]: super::Directions::of
    #[serde(skip)]
    pub(super) direction: Direction,
    /// The least and greatest possible value, if it is bounded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<(f64, f64)>,
    /// The least and greatest possible value in one round, if the metric is a sum, a mean or the
    /// last of values of rounds. For a rate within a group it is that of one person. `None` for
    /// quantities of a whole run, such as a committee's loss.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by_round: Option<(f64, f64)>,
    /// True if the metric has a value for each person of a group rather than for each round.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub by_person: bool,
    /// True if the metric describes the people selected, as a committee's loss does. On one stream
    /// as it was played it is a fact.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub of_selected: bool,
    /// True if the metric adds up over a run. A lane that ended early then keeps its last value in
    /// a series over rounds.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub cumulative: bool,
    /// True if the metric applies to a committee with empty places too. Replications with such a
    /// committee are then compared.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub of_unfilled: bool,
    /// True if a policy measures itself by it, with a rule or an aim of its own. Two policies are
    /// compared on it only if these are the same ([`MeasureDefinition`]).
    ///
    /// [`MeasureDefinition`]: super::MeasureDefinition
    #[serde(skip)]
    pub is_own: bool,
    /// True if a series over rounds has the mean of the policy's reports rather than the last.
    #[serde(skip)]
    pub(super) is_mean: bool,
    /// A short predicate for the policy that is best on the metric, if there is one: `represents
    /// best`. Ask [`Directions::best`].
    ///
    /// [`Directions::best`]: super::Directions::best
    #[serde(skip)]
    pub(super) best: Option<&'static str>,
    /// A description of the metric, in a line.
    pub about: Cow<'static, str>,
    /// The name, the unit and the format in which people read it. Ask [`words`](Self::words).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words: Option<MeasureWords>,
}

impl Default for MetricInfo {
    fn default() -> Self {
        Self::describes("")
    }
}

/// The metrics that an entry of the catalogue describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MetricPattern {
    /// One, by its name.
    One,
    /// A family with a metric for each group: `share.GROUP`.
    Groups,
    /// A family with a metric for each attribute: `impact_ratio.ATTRIBUTE`.
    Attributes,
    /// A family with a metric for each further objective of a cohort.
    Objectives,
}

impl MetricPattern {
    /// The pattern and its stem: the name, or what comes before the full stop of a family.
    pub(super) fn read(pattern: &str) -> (Self, &str) {
        let of = |end, kind| pattern.strip_suffix(end).map(|stem| (kind, stem));
        let family = of(".GROUP", Self::Groups)
            .or_else(|| of(".ATTRIBUTE", Self::Attributes))
            .or_else(|| of(".OBJECTIVE", Self::Objectives));
        family.unwrap_or((Self::One, pattern))
    }
}

/// The entry by which a metric is known, and its pattern.
pub(super) fn found<'a>(
    name: &str,
    entries: impl Iterator<Item = (&'a str, &'a MetricInfo)>,
) -> Option<(MetricPattern, &'a MetricInfo)> {
    let family = name.split_once('.').map(|(family, _)| family);
    let entries = entries.map(|(entry, info)| (MetricPattern::read(entry), info));
    let mut found = entries.filter(|((pattern, stem), _)| match pattern {
        MetricPattern::One => *stem == name,
        MetricPattern::Groups | MetricPattern::Attributes | MetricPattern::Objectives => {
            family == Some(*stem)
        }
    });
    found.next().map(|((pattern, _), info)| (pattern, info))
}

impl MetricInfo {
    /// A metric of which less is better.
    #[must_use]
    pub const fn lower(about: &'static str) -> Self {
        Self::new(Direction::Lower, about)
    }

    /// A metric of which more is better.
    #[must_use]
    pub const fn higher(about: &'static str) -> Self {
        Self::new(Direction::Higher, about)
    }

    /// A metric that only describes.
    #[must_use]
    pub const fn describes(about: &'static str) -> Self {
        Self::new(Direction::None, about)
    }

    const fn new(direction: Direction, about: &'static str) -> Self {
        Self {
            direction,
            range: None,
            by_round: None,
            by_person: false,
            of_selected: false,
            cumulative: false,
            of_unfilled: false,
            is_own: false,
            is_mean: false,
            best: None,
            about: Cow::Borrowed(about),
            words: None,
        }
    }

    /// The better side, unless the run sets another.
    #[must_use]
    pub fn direction(&self) -> Direction {
        self.direction
    }

    /// Names it for people, with its unit and format.
    #[must_use]
    pub const fn called(mut self, words: MeasureWords) -> Self {
        // A constant function can drop nothing. There are no words before.
        std::mem::forget(self.words.replace(words));
        self
    }

    /// Returns the name, the unit and the format in which people read the metric called `name`.
    #[must_use]
    pub fn words(&self, name: &str) -> MeasureWords {
        match (&self.words, name.split_once('.')) {
            (None, _) => MeasureWords::bare(name),
            (Some(words), None) => words.clone(),
            (Some(words), Some((_, member))) => words.of_member(member),
        }
    }

    /// Bounds it by 0 and 1.
    #[must_use]
    pub const fn unit(self) -> Self {
        self.within(0.0, 1.0)
    }

    /// Sets its least and greatest possible value. Intervals then hold at any time.
    #[must_use]
    pub const fn within(mut self, least: f64, most: f64) -> Self {
        self.range = Some((least, most));
        self
    }

    /// Gives it a value between 0 and 1 in each round, so that one stream can judge it. Its scorer
    /// answers [`by_round`](super::Scorer::by_round).
    #[must_use]
    pub const fn of_rounds(mut self) -> Self {
        self.by_round = Some((0.0, 1.0));
        self
    }

    pub(super) const fn of_people(self) -> Self {
        let mut info = self.of_rounds();
        info.by_person = true;
        info
    }

    /// Makes it a description of the people selected, which is a fact of one stream.
    #[must_use]
    pub const fn of_selected(mut self) -> Self {
        self.of_selected = true;
        self
    }

    /// Applies it to a committee with empty places too.
    #[must_use]
    pub const fn unfilled(mut self) -> Self {
        self.of_unfilled = true;
        self
    }

    /// Sets a short predicate for the policy that is best on it.
    pub(super) const fn best(mut self, does: &'static str) -> Self {
        self.best = Some(does);
        self
    }

    pub(super) const fn own(mut self) -> Self {
        self.is_own = true;
        self
    }

    pub(super) const fn mean(mut self) -> Self {
        self.is_mean = true;
        self
    }

    /// Makes it add up over a run.
    #[must_use]
    pub const fn sum(mut self) -> Self {
        self.cumulative = true;
        self
    }
}
