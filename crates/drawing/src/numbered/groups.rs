//! The chances of respondents by group: under a lottery, and by numbered panels.

use serde::{Deserialize, Serialize};

use crate::question::DrawQuestion;
use kleroterion_sortition::numbered::BILLION;

/// The chances of the respondents who have a value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ValueChances {
    /// The attribute.
    pub attribute: String,
    /// The value.
    pub value: String,
    /// The number of respondents who have it.
    pub respondents: usize,
    /// Their mean chance under the lottery.
    pub lottery: f64,
    /// Their mean chance by the numbered panels.
    pub mean: f64,
    /// The least of their chances by the numbered panels.
    pub least: f64,
    /// The largest of their chances by the numbered panels.
    pub largest: f64,
}

/// The chances of each value that anyone has; `aims`: of each respondent under the lottery, in
/// billionths, `counts`: on how many of `panels` panels each is.
pub(super) fn groups(
    question: &DrawQuestion,
    aims: &[u64],
    counts: &[u32],
    panels: u32,
) -> Vec<ValueChances> {
    let mut groups = Vec::new();
    let people = &question.panel.respondents;
    for (at, attribute) in question.plan.world.schema.attributes().iter().enumerate() {
        for value in question.public_values(at) {
            let has = |one: &u32| value.values.contains(&usize::from(people.values(*one)[at]));
            let who: Vec<usize> = (0..people.len() as u32)
                .filter(has)
                .map(|one| one as usize)
                .collect();
            if who.is_empty() {
                continue;
            }
            let n = who.len() as f64;
            let chance = |count: u32| f64::from(count) / f64::from(panels);
            let seats: u64 = who.iter().map(|one| u64::from(counts[*one])).sum();
            let aimed: u64 = who.iter().map(|one| aims[*one]).sum();
            let of = who.iter().map(|one| counts[*one]);
            groups.push(ValueChances {
                attribute: attribute.name.clone(),
                value: value.name,
                respondents: who.len(),
                lottery: aimed as f64 / BILLION as f64 / n,
                mean: seats as f64 / f64::from(panels) / n,
                least: chance(of.clone().min().unwrap_or(0)),
                largest: chance(of.max().unwrap_or(0)),
            });
        }
    }
    groups
}
