//! Selection rates by group of one lane of one stream, and their ratio: inferred, valid at any
//! time.
//!
//! A group's values are 1 where a person of the group was selected and 0 where shown alone, person
//! by person in the order of the stream and, within a slate, of the slots. What is covered is the
//! running average of their conditional means: [`StreamSequence`]. An attribute's alpha is split
//! equally over its groups, so that all of its intervals hold together, and with them their
//! ratio's.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::sequence::{Boundary, StreamSequence};
use kleroterion_core::protocol::{RoundEntry, Schema, Target};
use kleroterion_core::score::impact_of;

/// Intervals are tightest about this variance in all: values come as they are, not as differences.
pub(super) const V_OPT: f64 = 10.0;

/// Four fifths: of a group's rate against another's, below which a rule of thumb suspects adverse
/// impact.
const FOUR_FIFTHS: f64 = 0.8;

/// The people shown and selected by a lane, group by group, as its rounds come. It depends on the
/// rounds alone.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupRates {
    schema: Arc<Schema>,
    target: Option<Arc<Target>>,
    shown: u64,
    selected: u64,
    /// A row an attribute, a group each.
    groups: Vec<Vec<Group>>,
    /// The chance that any interval of this lane is ever wrong.
    alpha: f64,
}

#[derive(Clone, Debug, PartialEq)]
struct Group {
    selected: u64,
    rate: StreamSequence,
    alpha: f64,
}

/// The lowest rate of an attribute's groups over the highest.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Ratio {
    /// The ratio of the observed rates. Null if no one was selected or shown.
    pub value: Option<f64>,
    /// The lower end of the interval.
    pub lo: f64,
    /// The upper end of the interval.
    pub hi: f64,
    /// The verdict of the interval on the four-fifths rule.
    pub four_fifths: FourFifths,
}

/// The result of the four-fifths rule: the lowest rate is at least four fifths of the highest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum FourFifths {
    /// The interval's lower end is at least .8.
    #[serde(rename = "surely met")]
    Met,
    /// The interval's upper end is below .8.
    #[serde(rename = "surely missed")]
    Missed,
    /// Neither is sure yet.
    #[serde(rename = "open")]
    Open,
}

impl FourFifths {
    /// The word for the result.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Met => "surely met",
            Self::Missed => "surely missed",
            Self::Open => "open",
        }
    }
}

impl Ratio {
    /// Joins the rates of groups, each with an interval that holds together with the others. An
    /// empty group has the interval 0 to 1.
    #[must_use]
    pub fn of(groups: impl IntoIterator<Item = (f64, (f64, f64))>) -> Self {
        let [mut rates, mut los, mut his] = [[f64::INFINITY, 0.0_f64]; 3];
        for (rate, (lo, hi)) in groups {
            for (ends, value) in [(&mut rates, rate), (&mut los, lo), (&mut his, hi)] {
                *ends = [ends[0].min(value), ends[1].max(value)];
            }
        }
        let over = |lowest: f64, highest: f64| lowest / highest;
        // Of empty groups the lowest is infinite and the highest 0.
        let is_known = rates[0].is_finite();
        let lo = if is_known { over(los[0], his[1]) } else { 0.0 };
        let hi = if is_known && los[1] > 0.0 {
            over(his[0], los[1]).min(1.0)
        } else {
            1.0
        };
        Self {
            value: (is_known && rates[1] > 0.0).then(|| over(rates[0], rates[1])),
            lo,
            hi,
            four_fifths: match () {
                () if lo >= FOUR_FIFTHS => FourFifths::Met,
                () if hi < FOUR_FIFTHS => FourFifths::Missed,
                () => FourFifths::Open,
            },
        }
    }
}

impl GroupRates {
    /// Makes rates before anyone is shown. `alpha` is split over the attributes and then over each
    /// one's groups.
    #[must_use]
    pub fn new(schema: &Arc<Schema>, target: Option<&Arc<Target>>, alpha: f64) -> Self {
        let levels = schema.levels();
        let groups = levels.iter().map(|&many| {
            let alpha = alpha / (levels.len() * many) as f64;
            let group = Group {
                selected: 0,
                rate: StreamSequence::new(alpha, V_OPT),
                alpha,
            };
            vec![group; many]
        });
        Self {
            groups: groups.collect(),
            schema: Arc::clone(schema),
            target: target.cloned(),
            shown: 0,
            selected: 0,
            alpha,
        }
    }

    /// Takes in a round.
    pub fn record(&mut self, entry: &RoundEntry<'_>) {
        for (person, selected) in entry.decided() {
            self.add(person.values(), selected);
        }
    }

    /// Takes in a person who was shown, by the value of each attribute.
    pub fn add(&mut self, values: &[u16], selected: bool) {
        self.shown += 1;
        self.selected += u64::from(selected);
        for (groups, &value) in self.groups.iter_mut().zip(values) {
            let group = &mut groups[usize::from(value)];
            group.selected += u64::from(selected);
            group.rate.add(f64::from(u8::from(selected)));
        }
    }

    /// The number of people shown.
    #[must_use]
    pub fn shown(&self) -> u64 {
        self.shown
    }

    /// Returns the ratio that a metric stands for, by intervals that hold together at another
    /// level: that of an attribute, or the least of all attributes. `None` for other metrics, and
    /// without attributes.
    #[must_use]
    pub fn ratio_of(&self, metric: &str, alpha: f64) -> Option<Ratio> {
        let Some(attribute) = impact_of(metric)? else {
            return self.impact_ratio(alpha);
        };
        let mut attributes = self.schema.attributes().iter();
        let at = attributes.position(|one| one.name == attribute)?;
        Some(ratio(&self.groups[at], alpha))
    }

    /// Returns the least of the attributes' ratios, by intervals that hold together at another
    /// level. `None` without attributes.
    #[must_use]
    pub fn impact_ratio(&self, alpha: f64) -> Option<Ratio> {
        let share = alpha / self.groups.len() as f64;
        let ratios = self.groups.iter().map(|groups| ratio(groups, share));
        ratios.reduce(|a, b| {
            let value = match (a.value, b.value) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
            Ratio {
                value,
                lo: a.lo.min(b.lo),
                hi: a.hi.min(b.hi),
                ..a
            }
        })
    }

    /// Returns the summary so far.
    #[must_use]
    pub fn read(&self) -> Composition {
        let attributes = self.schema.attributes().iter().zip(&self.groups);
        let attributes = attributes.enumerate().map(|(at, (attribute, groups))| {
            let targets = self.target.as_ref().and_then(|target| {
                let mut rows = target.rows().iter();
                rows.find(|(row, _)| *row == at).map(|(_, shares)| shares)
            });
            let group = |(value, group): (usize, &Group)| {
                let seen = group.rate.count();
                let (lo, hi) = group.rate.interval();
                GroupRate {
                    group: attribute.values[value].clone(),
                    shown: seen,
                    selected: group.selected,
                    share: (self.selected > 0)
                        .then(|| group.selected as f64 / self.selected as f64),
                    target: targets.map(|shares| shares[value]),
                    rate: (seen > 0).then(|| group.rate()),
                    lo,
                    hi,
                    alpha: group.alpha,
                }
            };
            let groups: Vec<GroupRate> = groups.iter().enumerate().map(group).collect();
            let seen = groups
                .iter()
                .filter_map(|group| Some((group.rate?, (group.lo, group.hi))));
            AttributeRates {
                attribute: attribute.name.clone(),
                ratio: Ratio::of(seen),
                groups,
            }
        });
        Composition {
            shown: self.shown,
            selected: self.selected,
            alpha: self.alpha,
            attributes: attributes.collect(),
        }
    }
}

/// The ratio of an attribute's groups, by intervals that hold together.
fn ratio(groups: &[Group], alpha: f64) -> Ratio {
    let boundary = Boundary::new(alpha / groups.len() as f64 / 2.0, V_OPT);
    let seen = groups.iter().filter(|group| group.rate.count() > 0);
    Ratio::of(seen.map(|group| (group.rate(), group.rate.interval_by(&boundary))))
}

impl Group {
    /// Returns the rate, computed from whole numbers so that it equals the metric of this name.
    fn rate(&self) -> f64 {
        self.selected as f64 / self.rate.count() as f64
    }
}

/// The people a lane has selected so far, which is a fact, and their rates, which are inferred.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Composition {
    /// The number of people shown.
    pub shown: u64,
    /// The number of people selected.
    pub selected: u64,
    /// The probability that any of the intervals here is ever wrong.
    pub alpha: f64,
    /// The rates of each attribute, in the order of the config.
    pub attributes: Vec<AttributeRates>,
}

/// The rates of the groups of an attribute.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AttributeRates {
    /// The name of the attribute.
    pub attribute: String,
    /// The groups, in the order of the config.
    pub groups: Vec<GroupRate>,
    /// The lowest of the groups' rates over the highest.
    pub ratio: Ratio,
}

/// The numbers of a group among the shown and the selected.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GroupRate {
    /// The group's name.
    pub group: String,
    /// The number of people of the group who were shown.
    pub shown: u64,
    /// The number of people of the group who were selected.
    pub selected: u64,
    /// The group's share of the selected: a fact. Null while no one is selected.
    pub share: Option<f64>,
    /// The target share, if there is one.
    pub target: Option<f64>,
    /// The selected over the shown. Null while no one of the group was shown.
    pub rate: Option<f64>,
    /// The lower end of the interval for the running average of the conditional selection rates.
    pub lo: f64,
    /// The upper end of the interval.
    pub hi: f64,
    /// The share of alpha of this interval.
    pub alpha: f64,
}

#[cfg(test)]
mod tests;
