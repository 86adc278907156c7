//! The greedy of the tools that most organisers use (Sortition Foundation's `legacy`): seat by seat
//! it takes the value whose minimum is nearest to being missed, and one at random who has it.
//!
//! Of all values the one of the largest ratio of seats that its minimum lacks to people left is
//! next. After each draw those leave who live with the person drawn or have a value that is now
//! full. Where a minimum can no longer be met, it begins anew. We differ where no minimum lacks
//! anyone: then one of all who are left is drawn, as the tools do in their last step.

use crate::PanelQuestion;
use kleroterion_core::draw::Draw;

/// The number of attempts before it gives up.
pub const TRIES: u32 = 1_000;

/// Draws a panel by the greedy method. Returns the panel and the number of tries, or `None` if all
/// tries failed.
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use kleroterion_core::draw::{Key, Purpose};
    use kleroterion_core::protocol::{Quota, Respondents};

    /// People of two attributes and a panel of two with one of each value of the first.
    fn question(values: Vec<u16>, homes: Option<Vec<u32>>) -> PanelQuestion {
        let names = (0..values.len() / 2)
            .map(|n| n.to_string().into())
            .collect();
        let one = Quota { min: 1, max: 1 };
        PanelQuestion {
            respondents: Arc::new(Respondents::new(2, values, homes, names)),
            quotas: vec![vec![one, one], Vec::new()],
            members: 2,
        }
    }

    fn panels(question: &PanelQuestion, draws: u64) -> Vec<Vec<u32>> {
        let panel = |seed| {
            let mut draw = Key::new(seed, 0).draw(Purpose::World, 0, 0);
            legacy(question, &mut draw).map(|(panel, _)| panel)
        };
        (0..draws).filter_map(panel).collect()
    }

    /// The only man always sits; each of three women as often as another, within 4 s.e.
    #[test]
    fn the_scarce_sit_and_the_others_have_equal_chances() {
        let question = question(vec![0, 0, 0, 0, 0, 0, 1, 0], None);
        let drawn = panels(&question, 3_000);
        assert_eq!(drawn.len(), 3_000);
        assert!(drawn.iter().all(|panel| panel.contains(&3)));
        for woman in 0..3 {
            let sits = drawn.iter().filter(|panel| panel.contains(&woman)).count() as f64;
            let sd = (3_000.0_f64 * 2.0 / 9.0).sqrt();
            assert!((sits - 1_000.0).abs() < 4.0 * sd, "{woman}: {sits}");
        }
    }

    /// A person who lives with the only man is sometimes drawn first; the draw then begins anew.
    #[test]
    fn it_begins_anew_where_a_draw_leads_nowhere() {
        let question = question(vec![0, 0, 0, 0, 1, 0, 1, 0], Some(vec![0, 1, 0, 0]));
        let drawn = panels(&question, 200);
        assert_eq!(drawn.len(), 200);
        assert!(drawn.iter().all(|panel| panel.contains(&1)), "{drawn:?}");
        let mut draw = Key::new(1, 0).draw(Purpose::World, 0, 0);
        let all_at_home = self::question(vec![0, 0, 1, 0], Some(vec![5, 5]));
        assert_eq!(legacy(&all_at_home, &mut draw), None);
    }
}
