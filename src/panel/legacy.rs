//! The greedy of the tools that most organisers use (Sortition Foundation's `legacy`): seat by seat
//! it takes the value whose minimum is nearest to being missed, and one at random who has it.
//!
//! Of all values the one of the largest ratio of seats that its minimum lacks to people left is
//! next. After each draw those leave who live with the person drawn or have a value that is now
//! full. Where a minimum can no longer be met, it begins anew. We differ where no minimum lacks
//! anyone: then one of all who are left is drawn, as the tools do in their last step.

use crate::draw::Draw;
use crate::panel::PanelQuestion;

/// How often it begins anew before it gives up.
pub const TRIES: u32 = 1_000;

/// A panel by the greedy, and the tries that it took; none where all tries failed.
pub fn legacy(question: &PanelQuestion, draw: &mut Draw) -> Option<(Vec<u32>, u32)> {
    let found = (1..=TRIES).find_map(|tries| Some((attempt(question, draw)?, tries)));
    found.map(|(mut panel, tries)| {
        panel.sort_unstable();
        (panel, tries)
    })
}

fn attempt(question: &PanelQuestion, draw: &mut Draw) -> Option<Vec<u32>> {
    let people = &question.respondents;
    let mut left: Vec<u32> = (0..people.len() as u32).collect();
    let mut seated: Vec<Vec<u32>> = question
        .quotas
        .iter()
        .map(|row| vec![0; row.len()])
        .collect();
    let mut panel = Vec::new();
    retain_open(question, &seated, &mut left);
    while panel.len() < question.members as usize {
        let urgent = most_urgent(question, &seated, &left)?;
        let has = |one: &u32| urgent.is_none_or(|(i, j)| usize::from(people.values(*one)[i]) == j);
        let with: Vec<u32> = left.iter().copied().filter(has).collect();
        let drawn = *with.get(draw.below(with.len() as u64) as usize)?;
        panel.push(drawn);
        for (row, value) in seated.iter_mut().zip(people.values(drawn)) {
            if let Some(count) = row.get_mut(usize::from(*value)) {
                *count += 1;
            }
        }
        let homes = people.households();
        let at_home = |one: u32| homes.map(|homes| homes[one as usize]);
        left.retain(|&one| one != drawn && (homes.is_none() || at_home(one) != at_home(drawn)));
        retain_open(question, &seated, &mut left);
    }
    question.breaches(&panel).is_empty().then_some(panel)
}

/// Leaves those all of whose values have room.
fn retain_open(question: &PanelQuestion, seated: &[Vec<u32>], left: &mut Vec<u32>) {
    left.retain(|&one| {
        let values = question.respondents.values(one).iter().enumerate();
        values
            .map(|(i, value)| (i, usize::from(*value)))
            .all(|(i, j)| {
                let quota = question.quotas[i].get(j);
                quota.is_none_or(|quota| seated[i][j] < quota.max)
            })
    });
}

/// The value of the largest ratio of what its minimum lacks to the people left, if any lacks
/// someone. None where too few are left.
fn most_urgent(
    question: &PanelQuestion,
    seated: &[Vec<u32>],
    left: &[u32],
) -> Option<Option<(usize, usize)>> {
    let mut urgent: Option<(f64, (usize, usize))> = None;
    for (i, row) in question.quotas.iter().enumerate() {
        for (j, quota) in row.iter().enumerate() {
            let lacks = quota.min.saturating_sub(seated[i][j]);
            let has = |one: &&u32| usize::from(question.respondents.values(**one)[i]) == j;
            let there = left.iter().filter(has).count() as u32;
            if lacks > there {
                return None;
            }
            let ratio = f64::from(lacks) / f64::from(there.max(1));
            if lacks > 0 && urgent.is_none_or(|(most, _)| ratio > most) {
                urgent = Some((ratio, (i, j)));
            }
        }
    }
    Some(urgent.map(|(_, value)| value))
}
