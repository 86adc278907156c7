//! The comparisons and the answer of a run, as `summary.json` has them.

use serde::Deserialize;

use kleroterion_core::score::Directions;
use kleroterion_stats::sequence::{Betting, Catoni, StreamSequence};
use kleroterion_stats::{
    Answer, Blocked, Dated, Estimand, FACT, GoalAnswer, LeastChance, Pair, PairExtras, Standing,
    Verdict, lies_within, t, when,
};

/// A pair of `summary.json`. Members that this version does not know are ignored.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct SummaryPair {
    /// The metric.
    pub metric: String,
    /// The label of the policy that the verdict is about.
    pub a: String,
    /// The label of the policy it is compared with.
    pub b: String,
    /// The quantity that the interval covers. For runs of older versions, the mean over
    /// replications.
    #[serde(default)]
    pub estimand: Estimand,
    /// The number of replications (or rounds) in which both have a value.
    pub n: u64,
    /// The number of replications in which one of the two left places of its committee empty. It is
    /// counted only for metrics of filled committees, and 0 for runs of older versions.
    #[serde(default)]
    pub unfilled: u64,
    /// The mean of a - b.
    pub mean: Option<f64>,
    /// The standard error of the mean.
    pub se: Option<f64>,
    /// The lower end of the interval.
    pub lo: Option<f64>,
    /// The upper end of the interval.
    pub hi: Option<f64>,
    /// The comparison's own share of alpha.
    pub alpha: f64,
    /// The method of the interval.
    pub method: String,
    /// The word of the verdict.
    pub verdict: String,
    /// The time at which a running average was sure. `None` for runs of older versions.
    #[serde(default)]
    pub dated: Option<Dated>,
    /// True if the run ends before an open comparison is likely to be decided.
    #[serde(default)]
    pub ends_before: bool,
    /// The margin stated for the metric. If `None`, as in runs of older versions, the margin of the
    /// config applies.
    #[serde(default)]
    pub margin: Option<f64>,
    /// The estimated number of further replications (or rounds) that an undecided pair needs, if
    /// known.
    #[serde(default)]
    pub needed: Option<u64>,
    /// Statistics besides the interval. Empty for runs of older versions.
    #[serde(flatten)]
    pub extras: PairExtras,
}

/// The answer of `summary.json`. Members that this version does not know are ignored.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct SummaryAnswer {
    /// The answer in a sentence or two.
    pub headline: String,
    /// The policies that no other surely dominates.
    pub frontier: Vec<String>,
    /// The pairs in which the first policy surely dominates the second.
    pub dominates: Vec<[String; 2]>,
    /// The number of open pairs of the frontier.
    #[serde(default)]
    pub open: u64,
    /// The answer by the goal, if the run has a goal.
    pub goal: Option<GoalAnswer>,
    /// The comparisons that only the answer needs.
    #[serde(default)]
    pub between: Vec<SummaryPair>,
    /// The number of their further intervals that are not listed.
    #[serde(default)]
    pub unlisted: u64,
}

impl SummaryPair {
    /// Returns the standing, from the verdict, the estimand and the interval.
    #[must_use]
    pub fn standing(&self) -> Standing {
        let limits = self.lo.zip(self.hi);
        let is_within = limits.is_some_and(|limits| lies_within(limits, self.margin));
        Standing::of(self.known_verdict(), self.estimand, is_within)
    }

    /// Returns the time at which the comparison was sure, in words. `None` if there is nothing to
    /// say.
    #[must_use]
    pub fn when(&self, unit: &str) -> Option<String> {
        let says = (self.standing(), self.verdict.as_str());
        when(says, (self.estimand, self.n), self.dated.as_ref(), unit)
    }

    fn known_verdict(&self) -> Verdict {
        let verdict = serde_json::from_value(self.verdict.clone().into());
        verdict.unwrap_or(Verdict::Undecided)
    }

    /// The comparison in the words of this version: earlier ones called one side of a fact better.
    pub(super) fn in_our_words(&mut self) {
        let is_sided = matches!(self.verdict.as_str(), "better" | "worse" | "differs");
        if self.estimand.is_fact() && is_sided {
            self.verdict = Verdict::SoFar.word().into();
        }
    }

    /// Converts the comparison to that of a run, with the endings of lanes that forbid it.
    #[must_use]
    pub fn pair(&self, directions: &Directions, blocked: Vec<Blocked>) -> Pair {
        let method = METHODS.into_iter().find(|known| *known == self.method);
        Pair {
            metric: self.metric.clone(),
            direction: directions.of(&self.metric),
            a: self.a.clone(),
            b: self.b.clone(),
            estimand: self.estimand,
            n: self.n,
            unfilled: self.unfilled,
            mean: self.mean,
            se: self.se,
            lo: self.lo,
            hi: self.hi,
            alpha: self.alpha,
            method: method.unwrap_or("a method of another version"),
            verdict: self.known_verdict(),
            standing: self.standing(),
            dated: self.dated,
            ends_before: self.ends_before,
            margin: self.margin,
            needed: self.needed,
            extras: self.extras,
            blocked,
        }
    }
}

/// The methods of intervals, by which they are named in files.
const METHODS: [&str; 6] = [
    Betting::METHOD,
    StreamSequence::METHOD,
    Catoni::METHOD,
    t::METHOD,
    LeastChance::METHOD,
    FACT,
];

impl From<Pair> for SummaryPair {
    fn from(pair: Pair) -> Self {
        Self {
            metric: pair.metric,
            a: pair.a,
            b: pair.b,
            estimand: pair.estimand,
            n: pair.n,
            unfilled: pair.unfilled,
            mean: pair.mean,
            se: pair.se,
            lo: pair.lo,
            hi: pair.hi,
            alpha: pair.alpha,
            method: pair.method.to_owned(),
            verdict: pair.verdict.word().to_owned(),
            dated: pair.dated,
            ends_before: pair.ends_before,
            margin: pair.margin,
            needed: pair.needed,
            extras: pair.extras,
        }
    }
}

impl From<Answer> for SummaryAnswer {
    fn from(answer: Answer) -> Self {
        Self {
            headline: answer.headline,
            frontier: answer.frontier,
            dominates: answer.dominates,
            open: answer.open,
            goal: answer.goal,
            between: answer.between.into_iter().map(SummaryPair::from).collect(),
            unlisted: answer.unlisted,
        }
    }
}
