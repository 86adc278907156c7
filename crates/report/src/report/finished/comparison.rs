//! The comparisons and the answer of a run, as `summary.json` has them.

use serde::Deserialize;

use kleroterion_core::score::Directions;
use kleroterion_stats::sequence::{Betting, Catoni, StreamSequence};
use kleroterion_stats::{
    Answer, Blocked, Dated, Estimand, FACT, GoalAnswer, LeastChance, Pair, PairExtras, Standing,
    Verdict, lies_within, t, when,
};

/// A pair of `summary.json`; members that this version does not know are passed over.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct SummaryPair {
    /// The metric.
    pub metric: String,
    /// Label of the policy that the verdict speaks of.
    pub a: String,
    /// Label of the policy it is held against.
    pub b: String,
    /// What the interval covers; of older runs always the mean over replications.
    #[serde(default)]
    pub estimand: Estimand,
    /// Replications (or rounds) in which both have a value.
    pub n: u64,
    /// Replications in which one of the two left places of its committee empty, of a metric that
    /// speaks of filled ones; of older runs none.
    #[serde(default)]
    pub unfilled: u64,
    /// Mean of a - b.
    pub mean: Option<f64>,
    /// Its standard error.
    pub se: Option<f64>,
    /// Lower end of the interval.
    pub lo: Option<f64>,
    /// Upper end of the interval.
    pub hi: Option<f64>,
    /// The comparison's own share of alpha.
    pub alpha: f64,
    /// How the interval was made.
    pub method: String,
    /// The verdict's word.
    pub verdict: String,
    /// When a running average was sure; older runs do not say it.
    #[serde(default)]
    pub dated: Option<Dated>,
    /// Whether the run ends before an open comparison is likely to be decided.
    #[serde(default)]
    pub ends_before: bool,
    /// The margin stated for the metric; of older runs that of the config counts.
    #[serde(default)]
    pub margin: Option<f64>,
    /// About how many more replications (or rounds) an undecided pair is likely to need, where that
    /// is known.
    #[serde(default)]
    pub needed: Option<u64>,
    /// What a summary adds to the interval; older runs have nothing.
    #[serde(flatten)]
    pub extras: PairExtras,
}

/// The answer of `summary.json`; members that this version does not know are passed over.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct SummaryAnswer {
    /// The answer in a sentence or two.
    pub headline: String,
    /// The policies that no other surely dominates.
    pub frontier: Vec<String>,
    /// Who surely dominates whom.
    pub dominates: Vec<[String; 2]>,
    /// How many pairs of the frontier are open.
    #[serde(default)]
    pub open: u64,
    /// What the goal comes to.
    pub goal: Option<GoalAnswer>,
    /// The comparisons that only the answer needs.
    #[serde(default)]
    pub between: Vec<SummaryPair>,
    /// How many further intervals of them there are.
    #[serde(default)]
    pub unlisted: u64,
}

impl SummaryPair {
    /// How it stands: by its verdict, what it is of, and its interval.
    #[must_use]
    pub fn standing(&self) -> Standing {
        let limits = self.lo.zip(self.hi);
        let is_within = limits.is_some_and(|limits| lies_within(limits, self.margin));
        Standing::of(self.known_verdict(), self.estimand, is_within)
    }

    /// When it was sure, in words, where that is to be said.
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

    /// The comparison as a run has it, with the endings of lanes that forbid it.
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
