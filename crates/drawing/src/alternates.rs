//! Alternates: the respondents who are asked next if a member leaves.

use std::cmp::Reverse;

use kleroterion_core::draw::Draw;
use kleroterion_sortition::PanelQuestion;

/// Returns at most `how_many` respondents to step in. For each member in turn it takes the most
/// similar respondent left. No two are from one household, and none is from a member's. Ties are
/// decided by the draw.
#[must_use]
pub fn alternates(
    question: &PanelQuestion,
    panel: &[u32],
    how_many: u32,
    draw: &mut Draw,
) -> Vec<u32> {
    let people = &*question.respondents;
    let home = |one: u32| people.households().map(|homes| homes[one as usize]);
    let is_kin = |a: u32, b: u32| home(a).is_some() && home(a) == home(b);
    let mut left: Vec<u32> = (0..people.len() as u32).collect();
    left.retain(|one| {
        !panel
            .iter()
            .any(|member| one == member || is_kin(*one, *member))
    });
    // A lot for each, so that ties do not follow the order of the file.
    let lots: Vec<u64> = (0..people.len()).map(|_| draw.word()).collect();
    let mut alternates = Vec::new();
    for member in panel.iter().cycle() {
        let nearest = |one: &u32| {
            (
                Reverse(alike(question, *one, *member)),
                lots[*one as usize],
                *one,
            )
        };
        let Some(next) = left.iter().copied().min_by_key(nearest) else {
            break;
        };
        if alternates.len() >= how_many as usize {
            break;
        }
        alternates.push(next);
        left.retain(|one| *one != next && !is_kin(*one, next));
    }
    alternates
}

/// The members whom an alternate is most like, as places on the panel from 0.
#[must_use]
pub(super) fn likest(question: &PanelQuestion, panel: &[u32], alternate: u32) -> Vec<usize> {
    let alike = |member: &u32| alike(question, alternate, *member);
    let most = panel.iter().map(alike).max();
    let places = panel.iter().enumerate();
    let places = places.filter(|(_, member)| Some(alike(member)) == most);
    places.map(|(place, _)| place).collect()
}

/// The number of values that two respondents share.
pub(super) fn alike(question: &PanelQuestion, a: u32, b: u32) -> usize {
    let values = |one| question.respondents.values(one).iter();
    values(a).zip(values(b)).filter(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use kleroterion_core::draw::{Key, Purpose};
    use kleroterion_core::protocol::Respondents;

    /// Eight people of two attributes; 2 and 3 live with each other, 0 with 7.
    fn question() -> PanelQuestion {
        let names = (0..8).map(|n: u32| n.to_string().into()).collect();
        let values = vec![0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 1, 1, 0, 1, 0, 0];
        let homes = vec![1, 2, 3, 3, 4, 5, 6, 1];
        PanelQuestion {
            respondents: Arc::new(Respondents::new(2, values, Some(homes), names)),
            quotas: vec![vec![], vec![]],
            members: 2,
        }
    }

    #[test]
    fn each_is_the_next_of_a_members_kind() {
        let (question, panel) = (question(), [0, 1]);
        for seed in 0..20 {
            let mut draw = Key::new(seed, 0).draw(Purpose::Alternates, 0, 0);
            let found = alternates(&question, &panel, 9, &mut draw);
            // 7 lives with a member, and of 2 and 3 one is taken: both like the first member.
            assert!([2, 3].contains(&found[0]), "{found:?}");
            assert_eq!(found[1], 5, "5 is all that 1 is");
            let mut rest = found[2..].to_vec();
            rest.sort_unstable();
            assert_eq!(rest, [4, 6]);
            assert_eq!(likest(&question, &panel, 5), [1]);
            assert_eq!(likest(&question, &panel, 4), [0, 1]);
        }
    }

    /// Whatever the people: no one left was more alike than the one who was taken, and where the list
    /// is short no one is left.
    #[test]
    fn no_one_else_is_more_alike() {
        for seed in 0..200 {
            let mut words = Key::new(seed, 1).draw(Purpose::World, 0, 0);
            let people = 3 + words.below(12) as usize;
            let values = (0..3 * people).map(|_| words.below(2) as u16).collect();
            let homes: Vec<u32> = (0..people).map(|_| words.below(9) as u32).collect();
            let names = (0..people).map(|n| n.to_string().into()).collect();
            let question = PanelQuestion {
                respondents: Arc::new(Respondents::new(3, values, Some(homes.clone()), names)),
                quotas: vec![vec![]; 3],
                members: 2,
            };
            let (panel, most) = ([0, 1], words.below(9) as u32);
            let mut draw = Key::new(seed, 0).draw(Purpose::Alternates, 0, 0);
            let found = alternates(&question, &panel, most, &mut draw);
            let taken = |so_far: usize| panel.iter().chain(&found[..so_far]);
            let is_free = |one: u32, so_far: usize| {
                let homes = |other: &u32| homes[*other as usize];
                !taken(so_far).any(|other| homes(other) == homes(&one))
            };
            for (at, one) in found.iter().enumerate() {
                let member = panel[at % panel.len()];
                let others = (0..people as u32).filter(|other| is_free(*other, at));
                let best = others.map(|other| alike(&question, other, member)).max();
                assert!(is_free(*one, at));
                assert_eq!(Some(alike(&question, *one, member)), best);
            }
            let is_over = !(0..people as u32).any(|other| is_free(other, found.len()));
            assert!(
                found.len() == most as usize || is_over,
                "{found:?} of {most}"
            );
        }
    }

    #[test]
    fn ties_follow_the_draw_and_no_more_come_than_are_asked_for() {
        let (question, panel) = (question(), [0, 1]);
        let first = |seed| {
            let mut draw = Key::new(seed, 0).draw(Purpose::Alternates, 0, 0);
            let found = alternates(&question, &panel, 1, &mut draw);
            assert_eq!(found.len(), 1);
            found[0]
        };
        let twos = (0..200).filter(|seed| first(*seed) == 2).count();
        assert!((70..130).contains(&twos), "{twos}");
        let mut draw = Key::new(1, 0).draw(Purpose::Alternates, 0, 0);
        assert!(alternates(&question, &[], 3, &mut draw).is_empty());
    }
}
