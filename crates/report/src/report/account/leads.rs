//! The leaders of a run: the short form of its verdicts, for pages over many runs.

use super::super::finished::Finished;
use super::super::notes::bounds;
use super::super::page::MapMood;
use super::standing::MeasureStanding;
use kleroterion_core::score::Direction;
use kleroterion_stats::Verdict;

/// The leaders on a question, as far as the intervals show.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct LeadAnswer {
    /// The degree to which it is sure that they lead.
    pub(crate) mood: MapMood,
    /// The policies that are or may be best; the first is ahead by the mean. Empty if no policies
    /// can be compared.
    pub(crate) labels: Vec<String>,
    /// The distance of the first from the next by the mean. `None` for goals.
    pub(crate) by: Option<f64>,
}

/// A question that a run answers, with the leaders.
#[derive(Clone, Debug, PartialEq)]
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
        words: super::titled(standing.metric, run),
        lead: LeadAnswer {
            by: ahead_by(standing, run),
            ..lead(standing)
        },
    });
    goal(run).into_iter().chain(measures).collect()
}

fn goal(run: &Finished) -> Option<LeadQuestion> {
    let goal = run.answer.as_ref()?.goal.as_ref()?;
    let best = run.catalogue.words(&goal.best).short;
    let bounds = bounds(goal, &run.catalogue);
    let labels = goal.answer.clone();
    Some(LeadQuestion {
        name: "goal".into(),
        words: match bounds.is_empty() {
            true => format!("the goal: best {best}"),
            false => format!("the goal: best {best} where {bounds}"),
        },
        lead: LeadAnswer {
            mood: match (labels.len(), goal.settled) {
                (0, _) => MapMood::Nothing,
                (1, true) => MapMood::Sure,
                (_, true) => MapMood::Even,
                (_, false) => MapMood::Open,
            },
            labels,
            by: None,
        },
    })
}

/// The distance of the best from the next by the mean, among those that can be the answer.
fn ahead_by(standing: &MeasureStanding<'_>, run: &Finished) -> Option<f64> {
    let first = standing.leaders.first()?;
    let mut others = standing.contenders.iter().filter(|label| *label != first);
    let mean = |label: &str| {
        let policy = run.policies.get(label)?;
        Some(policy.metrics.get(standing.metric)?.mean)
    };
    Some((mean(first)? - mean(others.next()?)?).abs())
}

fn lead(standing: &MeasureStanding<'_>) -> LeadAnswer {
    let leaders = standing.leaders.as_slice();
    let mood = match leaders {
        // One policy among yardsticks leads no other.
        [_] if standing.contenders.len() < 2 => return LeadAnswer::default(),
        [] => MapMood::Nothing,
        [_] => MapMood::Sure,
        // What was seen of one stream puts no policy first.
        _ if standing.is_fact() => MapMood::Open,
        [first, others @ ..] => {
            let is_even = |other: &&str| {
                let pair = standing.pair(first, other);
                pair.is_some_and(|pair| {
                    matches!(pair.verdict, Verdict::Identical | Verdict::Equivalent)
                })
            };
            match others.iter().all(is_even) {
                true => MapMood::Even,
                false => MapMood::Open,
            }
        }
    };
    let labels = leaders.iter().map(|label| (*label).to_owned()).collect();
    LeadAnswer {
        mood,
        labels,
        by: None,
    }
}
