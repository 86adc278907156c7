//! The next of their kind: for each likely leaver the most alike of those who are left.

use super::seats::SeatPlan;
use crate::PanelQuestion;

/// Alternates as tools without a program take them: the members in the order of their chances to
/// leave, and for each the one of `left` who shares most of the values that have quotas; of those
/// alike the first. After the last member it starts again with the first.
pub(super) fn next_of_kind(
    plan: &SeatPlan,
    question: &PanelQuestion,
    panel: &[u32],
    chances: &[f64],
    left: &[u32],
    how_many: u32,
) -> Vec<u32> {
    let mut members = panel.to_vec();
    let chance = |one: &u32| chances[*one as usize];
    members.sort_by(|a, b| chance(b).total_cmp(&chance(a)).then(a.cmp(b)));
    let values = |one: u32| plan.places(question.respondents.values(one));
    let mut left: Vec<(u32, Vec<usize>)> = left.iter().map(|&one| (one, values(one))).collect();
    let mut taken = Vec::new();
    for member in members.iter().cycle().take(how_many as usize) {
        let wanted = values(*member);
        let alike = |of: &[usize]| of.iter().zip(&wanted).filter(|(a, b)| a == b).count();
        // Of the largest the first.
        let best = (0..left.len()).rev().max_by_key(|&at| alike(&left[at].1));
        let Some(best) = best else {
            break;
        };
        taken.push(left.remove(best).0);
    }
    taken
}
