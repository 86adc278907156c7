//! At most one of each household.

use std::collections::BTreeSet;

use kleroterion::protocol::{Choose, Rules, Until};

use crate::doubles::{Event, Learner, Part, Seating, Show, Sway, Temper, Whim, World};

fn show(slates: [u32; 4], households: u32) -> Show {
    let rules = || Rules::new(Choose::Any, Until::SourceEnds);
    let whim = || Whim::maker(5, Temper::default(), 0);
    let mut world = World::of(slates.repeat(30));
    world.households = Some(households);
    Show::new(
        world,
        vec![
            Part::new("whim", rules(), whim()),
            Part::new("outside", rules(), Learner::default().maker()).seated(Seating::Outside),
            Part::new("oracle", rules(), Learner::default().maker()).seated(Seating::Sighted),
            Part::new("pool", rules(), whim()).with_pool(Sway::new(3)),
        ],
    )
}

#[test]
fn no_candidate_is_accepted_whose_household_has_a_member() {
    for slates in [[1; 4], [3, 0, 7, 2]] {
        let show = show(slates, 40);
        for account in show.holds() {
            let mut seated = BTreeSet::new();
            for round in &account.rounds {
                for &number in &round.chosen {
                    let household = show.world.household(number).unwrap();
                    assert!(seated.insert(household), "{household} has two members");
                }
            }
            assert!(seated.len() > 20);
        }
    }
}

#[test]
fn a_repeat_is_screened_and_not_offered() {
    let show = show([3, 0, 7, 2], 40);
    let accounts = show.holds();
    let rounds = accounts[0].rounds.iter();
    let came: usize = rounds.clone().map(|round| round.came.len()).sum();
    assert_eq!((came, accounts[0].scores["screened"]), (360, 360.0));
    let shown: usize = rounds.map(|round| round.shown.len()).sum();
    let offered = |event: &Event| match event {
        Event::Saw(sight) => sight.seen.len(),
        _ => 0,
    };
    let offered: usize = accounts[0].diary.iter().map(offered).sum();
    assert!(
        offered < 250 && shown == offered,
        "{offered} were offered, {shown} shown"
    );
}
