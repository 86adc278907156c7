//! Lists of panels against closed forms, against all lists by enumeration, and against the
//! question.

use std::sync::Arc;

use super::*;
use crate::lottery::{LotteryRule, NODES};
use kleroterion_core::draw::Key;
use kleroterion_core::protocol::{Quota, Respondents};
use kleroterion_testkit::town;

/// A question with one attribute, or none where there are no quotas.
fn question(
    values: &[u16],
    homes: Option<Vec<u32>>,
    quotas: &[[u32; 2]],
    members: u32,
) -> PanelQuestion {
    let names = (0..values.len()).map(|n| format!("r{n}").into()).collect();
    let quotas = quotas.iter().map(|[min, max]| Quota {
        min: *min,
        max: *max,
    });
    PanelQuestion {
        respondents: Arc::new(Respondents::new(1, values.to_vec(), homes, names)),
        quotas: vec![quotas.collect()],
        members,
    }
}

/// The list of so many panels by leximin, checked.
fn listed(question: &PanelQuestion, panels: u32) -> NumberedPanels {
    let lottery = LotteryRule::Leximin
        .lottery(question, NODES)
        .expect("a lottery");
    sound(question, &lottery, panels)
}

fn sound(question: &PanelQuestion, lottery: &PanelLottery, panels: u32) -> NumberedPanels {
    let numbered = NumberedPanels::of(question, lottery, panels, 7);
    assert_eq!(numbered, NumberedPanels::of(question, lottery, panels, 7));
    assert_eq!(numbered.panels.len(), panels as usize);
    for panel in &numbered.panels {
        assert_eq!(question.breaches(panel), []);
        assert!(panel.is_sorted());
    }
    for (aim, chance) in numbered.aims.iter().zip(&lottery.chances) {
        assert!((*aim as f64 / BILLION as f64 - chance).abs() < 1e-8);
    }
    assert!(numbered.least <= numbered.largest());
    numbered
}

#[test]
fn small_lists_are_what_they_must_be() {
    // Values, households, quotas, members, panels; the largest difference in panels, and why.
    type Case = (
        &'static [u16],
        Option<&'static [u32]>,
        &'static [[u32; 2]],
        u32,
        u32,
        f64,
        ChanceHindrance,
    );
    let cases: [Case; 10] = [
        // One of three: 333, 333, 334.
        (
            &[0; 3],
            None,
            &[[0, 1]],
            1,
            1_000,
            2.0 / 3.0,
            ChanceHindrance::Seats,
        ),
        (
            &[0; 3],
            None,
            &[[0, 1]],
            1,
            999,
            0.0,
            ChanceHindrance::Multiples,
        ),
        (
            &[0; 3],
            None,
            &[[0, 1]],
            1,
            1,
            2.0 / 3.0,
            ChanceHindrance::Seats,
        ),
        (
            &[0; 3],
            None,
            &[[0, 1]],
            1,
            2,
            2.0 / 3.0,
            ChanceHindrance::Seats,
        ),
        // Two of three: each on 666 or 667.
        (
            &[0; 3],
            None,
            &[[0, 2]],
            2,
            1_000,
            2.0 / 3.0,
            ChanceHindrance::Seats,
        ),
        // One of each of two halves.
        (
            &[0, 0, 1, 1],
            None,
            &[[1, 1], [1, 1]],
            2,
            1_000,
            0.0,
            ChanceHindrance::Nothing,
        ),
        (
            &[0, 0, 1, 1],
            None,
            &[[1, 1], [1, 1]],
            2,
            7,
            0.5,
            ChanceHindrance::Multiples,
        ),
        // One woman of three, one man of two.
        (
            &[0, 0, 0, 1, 1],
            None,
            &[[1, 1], [1, 1]],
            2,
            10,
            2.0 / 3.0,
            ChanceHindrance::Seats,
        ),
        // Two of four, of whom two live together: all have a half, or the household would have more.
        (
            &[0; 4],
            Some(&[1, 1, 2, 3]),
            &[[0, 2]],
            2,
            4,
            0.0,
            ChanceHindrance::Nothing,
        ),
        // Those who are always on a panel are on each.
        (
            &[0, 1, 1],
            None,
            &[[1, 1], [1, 1]],
            2,
            5,
            0.5,
            ChanceHindrance::Multiples,
        ),
    ];
    for (values, homes, quotas, members, panels, due, hindrance) in cases {
        let question = question(values, homes.map(<[u32]>::to_vec), quotas, members);
        let numbered = listed(&question, panels);
        let case = format!("{values:?} {homes:?} {members} {panels}: {numbered:?}");
        let largest = numbered.largest() as f64 / BILLION as f64;
        assert!((largest - due).abs() < 1e-5, "{largest} {case}");
        assert_eq!(numbered.least, numbered.largest(), "{case}");
        assert_eq!(numbered.hindrance, hindrance, "{case}");
    }
}

/// The people and quotas of a town of a shape.
fn question_of(shape: &town::Town, seed: u64, homes: bool) -> PanelQuestion {
    let mut draw = Key::new(seed, 0).draw(Purpose::World, 0, 0);
    let drawn = shape.draw(&mut |n| draw.below(n));
    let quota = |[min, max]: [u32; 2]| Quota { min, max };
    let rows = drawn.quotas.into_iter();
    let quotas = rows.map(|row| row.into_iter().map(quota).collect());
    let names = (0..shape.people).map(|n| format!("r{n}").into()).collect();
    let homes = homes.then_some(drawn.homes);
    let values = drawn.values.concat();
    PanelQuestion {
        respondents: Arc::new(Respondents::new(shape.values.len(), values, homes, names)),
        quotas: quotas.collect(),
        members: shape.members as u32,
    }
}

#[test]
fn towns_are_as_near_as_can_be() {
    // A seed, respondents, members, whether households matter, and how wide quotas are.
    let towns = [
        (1, 60, 10, false, 1, LotteryRule::Leximin),
        (2, 60, 10, true, 2, LotteryRule::Maximin),
        (3, 120, 16, true, 0, LotteryRule::Leximin),
        (4, 120, 16, false, 1, LotteryRule::Nash),
        (9, 200, 24, true, 0, LotteryRule::Leximin),
    ];
    for (seed, people, members, homes, slack, rule) in towns {
        let shape = town::Town {
            people,
            members,
            slack,
            ..town::TOWNS[0]
        };
        let question = question_of(&shape, seed, homes);
        let lottery = rule.lottery(&question, NODES).expect("a lottery");
        for panels in [100, 1_000] {
            let numbered = sound(&question, &lottery, panels);
            let [least, largest] = [numbered.least, numbered.largest()];
            assert!(largest < BILLION, "{seed} {panels}: {largest}");
            assert!(
                largest - least < BILLION / 50,
                "{seed} {panels}: {least} {largest}"
            );
        }
    }
}

/// Whole panels are replaced by others that keep all quotas and households if hardly any single
/// exchange is possible.
#[test]
fn panels_of_many_kinds_are_replaced_until_all_are_next_to_their_due() {
    for (seed, people, members) in [(5, 120, 24), (6, 160, 30)] {
        let shape = town::Town {
            people,
            values: &[3, 5, 9, 4, 3, 5, 3],
            members,
            slack: 0,
        };
        let question = question_of(&shape, seed, true);
        let lottery = LotteryRule::Leximin.lottery(&question, NODES);
        let lottery = lottery.expect("a lottery");
        let kinds = PanelKinds::new(&question);
        assert!(
            kinds.kinds().len() * 10 > people * 8,
            "{}",
            kinds.kinds().len()
        );
        let aims = KindAims::of(&kinds, &lottery, 500);
        let first = start::start(&kinds, &lottery, &aims);
        let list = replace::replaced(first.clone(), &kinds, &aims);
        let [before, after] = [&first, &list].map(|list| aims.largest(list.seats()));
        assert!(before > BILLION + BILLION / 2, "{seed}: {before}");
        assert!(after < BILLION + BILLION / 5, "{seed}: {after}");
        let mut seats = vec![0; kinds.kinds().len()];
        let mut times = 0;
        for panel in list.panels().iter().filter(|panel| panel.times > 0) {
            assert!(kinds.is_panel(&panel.counts));
            times += panel.times;
            for (seats, count) in seats.iter_mut().zip(&panel.counts) {
                *seats += u64::from(panel.times * count);
            }
        }
        assert_eq!((times, &*seats), (500, list.seats()));
    }
}

/// Returns all panels of a question, person by person.
fn all_panels(question: &PanelQuestion) -> Vec<Vec<u32>> {
    let people = question.respondents.len() as u32;
    let sets = (0_u32..1 << people).filter(|set| set.count_ones() == question.members);
    let panels = sets.map(|set| (0..people).filter(|p| set >> p & 1 == 1).collect());
    panels
        .filter(|panel: &Vec<u32>| question.breaches(panel).is_empty())
        .collect()
}

/// The least largest difference of all lists that go on with panels from the `first`.
fn least_of_all(
    panels: &[Vec<u32>],
    first: usize,
    left: u32,
    list: &mut Vec<Vec<u32>>,
    aims: &[u64],
) -> u64 {
    if left == 0 {
        return largest(&counts(list, aims.len()), aims, list.len() as u64);
    }
    let mut least = u64::MAX;
    for next in first..panels.len() {
        list.push(panels[next].clone());
        least = least.min(least_of_all(panels, next, left - 1, list, aims));
        list.pop();
    }
    least
}

#[test]
fn no_list_at_all_is_nearer() {
    let (mut tried, mut proved) = (0, 0);
    for seed in 0..24 {
        let shape = town::Town {
            people: 7,
            values: &[2, 3],
            members: 3,
            slack: seed % 2,
        };
        let question = question_of(&shape, seed, seed % 3 == 0);
        let panels = all_panels(&question);
        if panels.len() > 16 {
            continue;
        }
        for count in 1..=4 {
            let numbered = listed(&question, count);
            let due = least_of_all(&panels, 0, count, &mut Vec::new(), &numbered.aims);
            assert_eq!(numbered.largest(), due, "{seed} {count}");
            assert!(numbered.least <= due, "{seed} {count}");
            proved += u32::from(numbered.least == due);
            tried += 1;
        }
    }
    assert!(tried >= 40, "{tried}");
    assert!(proved * 4 >= tried * 3, "{proved} of {tried}");
}

#[test]
fn a_colouring_gives_each_household_its_seats() {
    // Two households of a woman and a man each, one of each sex: W M of different households.
    let homes = Some(vec![1, 1, 2, 2]);
    let question = question(&[0, 1, 0, 1], homes, &[[1, 1], [1, 1]], 2);
    for panels in [1, 2, 5, 8] {
        let numbered = listed(&question, panels);
        let counts = numbered.counts();
        for count in &counts {
            assert!(
                [panels / 2, panels.div_ceil(2)].contains(count),
                "{counts:?}"
            );
        }
        assert_eq!(numbered.least, numbered.largest());
    }
    // Colours never meet twice, and each of them is there as often as can be.
    let edges = (0..60).map(|edge| [edge % 12, edge * 7 % 5 * 3 + edge / 20]);
    let edges: Vec<[usize; 2]> = edges.collect();
    let colours = colouring::coloured(&edges, [12, 15], 5);
    for (at, colour) in colours.iter().enumerate() {
        assert!(*colour < 5);
        for (other, same) in colours.iter().enumerate().take(at) {
            let meets = edges[at][0] == edges[other][0] || edges[at][1] == edges[other][1];
            assert!(!(meets && colour == same), "{at} {other}");
        }
    }
}
