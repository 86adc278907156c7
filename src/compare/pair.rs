//! A comparison of two policies on a metric, as `summary.json` has it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::evidence::PairExtras;
use super::verdict::Verdict;
use crate::protocol::Ending;
use crate::score::Direction;

/// The quantity that the interval of a pair covers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Estimand {
    /// The mean of D over replications, which are i.i.d.
    #[default]
    #[serde(rename = "mean of a - b over replications")]
    Replications,
    /// The average of the conditional means of D over the rounds played, of one stream.
    #[serde(rename = "running average of a - b over rounds")]
    Rounds,
    /// The same over the people of a group whom both policies were shown.
    #[serde(rename = "running average of a - b over the people of the group")]
    People,
    /// The difference of the ratios of groups' selection rates, which are running averages over the
    /// people shown.
    #[serde(rename = "difference of the ratios of running averages")]
    Ratios,
    /// The difference of the mean outcomes of the selected, each a running average over those whose
    /// outcome has come.
    #[serde(rename = "difference of the running averages of outcomes")]
    Outcomes,
    /// The difference of the least chances of respondents, each exact or between limits.
    #[serde(rename = "difference of the least chances of respondents")]
    LeastChances,
    /// Nothing is estimated: what each policy has selected of this stream.
    #[serde(rename = "difference on this stream as played")]
    Facts,
}

impl Estimand {
    /// What there are several of, as one: `replication`, `round`, `person`.
    #[must_use]
    pub const fn unit(self) -> &'static str {
        match self {
            Self::Replications | Self::LeastChances => "replication",
            Self::Rounds => "round",
            Self::People | Self::Ratios | Self::Outcomes => "person",
            Self::Facts => "stream",
        }
    }

    /// The same as many.
    #[must_use]
    pub const fn units(self) -> &'static str {
        match self {
            Self::Replications | Self::LeastChances => "replications",
            Self::Rounds => "rounds",
            Self::People | Self::Ratios | Self::Outcomes => "people",
            Self::Facts => "streams",
        }
    }

    /// Whether it is of one stream, played once.
    #[must_use]
    pub const fn is_stream(self) -> bool {
        !matches!(self, Self::Replications | Self::LeastChances)
    }

    /// Whether it is what was seen, and no estimate.
    #[must_use]
    pub const fn is_fact(self) -> bool {
        matches!(self, Self::Facts)
    }
}

/// One comparison on one metric.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Pair {
    /// The metric.
    pub metric: String,
    /// Which way it is better.
    #[serde(skip)]
    pub direction: Direction,
    /// Label of the policy that the verdict speaks of.
    pub a: String,
    /// Label of the policy it is held against.
    pub b: String,
    /// What the interval covers.
    pub estimand: Estimand,
    /// Replications (or rounds) in which both have a value.
    pub n: u64,
    /// Replications in which one of the two left places empty, where the metric speaks of filled
    /// committees. They are left out of `n`, or count with the worst value of the range, as the
    /// config asks.
    pub unfilled: u64,
    /// Mean of D; none at n = 0.
    pub mean: Option<f64>,
    /// Standard error of that mean over replications; none below n = 2, nor over rounds, which hang
    /// together.
    pub se: Option<f64>,
    /// Lower end of the interval; none at n = 0, nor at n = 1 by t.
    pub lo: Option<f64>,
    /// Upper end of the interval; none where there is no lower.
    pub hi: Option<f64>,
    /// This comparison's own share of alpha; 0 of a fact, which takes none.
    pub alpha: f64,
    /// How the interval was made: [`Betting::METHOD`](super::sequence::Betting::METHOD),
    /// [`StreamSequence::METHOD`](super::sequence::StreamSequence::METHOD),
    /// [`Catoni::METHOD`](super::sequence::Catoni::METHOD) or [`t::METHOD`](super::t::METHOD);
    /// [`FACT`](super::FACT) where there is none to make.
    #[schemars(description = "How the interval was made; `fact` where there is none to make.")]
    pub method: &'static str,
    /// What may be said.
    pub verdict: Verdict,
    /// Its other statistics.
    #[serde(flatten)]
    pub extras: PairExtras,
    /// The margin stated for the metric.
    pub margin: Option<f64>,
    /// About how many more replications (or rounds) an undecided pair is likely to need by this
    /// method, if they are like those so far; none where it is decided, or where no number would
    /// do.
    pub needed: Option<u64>,
    /// The endings that forbid the comparison.
    #[serde(skip)]
    pub blocked: Vec<Blocked>,
}

/// Lanes that did not do what they were to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocked {
    /// Whose.
    pub label: String,
    /// How they ended.
    pub ending: Ending,
    /// How many.
    pub lanes: u64,
}

#[cfg(test)]
impl Pair {
    /// A comparison of ten replications made by hand: all lies between -1 and 1.
    pub(in crate::compare) fn by_hand(metric: &str, a: &str, b: &str, verdict: Verdict) -> Self {
        Self {
            metric: metric.into(),
            direction: Direction::Lower,
            a: a.into(),
            b: b.into(),
            estimand: Estimand::Replications,
            n: 10,
            unfilled: 0,
            mean: Some(0.0),
            se: None,
            lo: Some(-1.0),
            hi: Some(1.0),
            alpha: 0.05,
            method: "t",
            verdict,
            extras: PairExtras::default(),
            margin: None,
            needed: None,
            blocked: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimand_names_its_unit_and_whether_it_is_of_one_stream() {
        use Estimand::{Facts, LeastChances, Outcomes, People, Ratios, Replications, Rounds};
        for (estimand, unit, units, is_stream) in [
            (Replications, "replication", "replications", false),
            (LeastChances, "replication", "replications", false),
            (Rounds, "round", "rounds", true),
            (People, "person", "people", true),
            (Ratios, "person", "people", true),
            (Outcomes, "person", "people", true),
            (Facts, "stream", "streams", true),
        ] {
            assert_eq!((estimand.unit(), estimand.units()), (unit, units));
            assert_eq!(estimand.is_stream(), is_stream, "{estimand:?}");
            assert_eq!(estimand.is_fact(), estimand == Facts);
        }
    }
}
