//! The leaders of a run: the short form of its verdicts, for pages over many runs.

use super::super::finished::Finished;
use super::super::notes::bounds;
use super::standing::MeasureStanding;
use kleroterion_core::score::Direction;
use kleroterion_stats::Verdict;

/// The leaders on a question, as far as the intervals show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LeadAnswer {
    /// One policy is surely best.
    Sole(String),
    /// These policies are best, and at most the margin apart.
    Even(Vec<String>),
    /// Each of these policies may be best. The first is ahead by the mean.
    Open(Vec<String>),
    /// No policies can be compared.
    Nothing,
}

/// A question that a run answers, with the leaders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LeadQuestion {
    /// The measure, or `goal`.
    pub(crate) name: String,
    /// The question in a few words: `screened (less is better)`.
    pub(crate) words: String,
    /// The answer.
    pub(crate) lead: LeadAnswer,
}

/// The goal's answer where the config states one, then who leads on each judged measure that has a
/// better side.
pub(crate) fn leads(run: &Finished) -> Vec<LeadQuestion> {
    let standings = MeasureStanding::all(run);
    let sided = standings.iter();
    let sided = sided.filter(|standing| standing.direction != Direction::None);
    let measures = sided.map(|standing| LeadQuestion {
        name: standing.metric.to_owned(),
        words: super::titled(standing.metric, &run.directions),
        lead: lead(standing),
    });
    goal(run).into_iter().chain(measures).collect()
}

/// The measures that pages show of a run: those judged, else what is there.
pub(crate) fn shown_measures(run: &Finished) -> Vec<String> {
    super::measures(run)
}

fn goal(run: &Finished) -> Option<LeadQuestion> {
    let goal = run.answer.as_ref()?.goal.as_ref()?;
    let (best, bounds) = (&goal.best, bounds(goal));
    let labels = goal.answer.clone();
    Some(LeadQuestion {
        name: "goal".into(),
        words: match bounds.is_empty() {
            true => format!("the goal: best {best}"),
            false => format!("the goal: best {best} where {bounds}"),
        },
        lead: match (labels.len(), goal.settled) {
            (0, _) => LeadAnswer::Nothing,
            (1, true) => LeadAnswer::Sole(labels.concat()),
            (_, true) => LeadAnswer::Even(labels),
            (_, false) => LeadAnswer::Open(labels),
        },
    })
}

fn lead(standing: &MeasureStanding<'_>) -> LeadAnswer {
    let labels = || standing.leaders.iter().map(|label| (*label).to_owned());
    match standing.leaders.as_slice() {
        [] => LeadAnswer::Nothing,
        // One policy among yardsticks leads no other.
        [_] if standing.contenders.len() < 2 => LeadAnswer::Nothing,
        [only] => LeadAnswer::Sole((*only).to_owned()),
        // What was seen of one stream puts no policy first.
        _ if standing.is_fact() => LeadAnswer::Open(labels().collect()),
        [first, others @ ..] => {
            let is_even = |other: &&str| {
                let pair = standing.pair(first, other);
                pair.is_some_and(|pair| {
                    matches!(pair.verdict, Verdict::Identical | Verdict::Equivalent)
                })
            };
            match others.iter().all(is_even) {
                true => LeadAnswer::Even(labels().collect()),
                false => LeadAnswer::Open(labels().collect()),
            }
        }
    }
}

impl LeadAnswer {
    /// The policy that is best, or ahead by the mean.
    pub(crate) fn first(&self) -> Option<&str> {
        match self {
            Self::Sole(label) => Some(label),
            Self::Even(labels) | Self::Open(labels) => labels.first().map(String::as_str),
            Self::Nothing => None,
        }
    }
}
