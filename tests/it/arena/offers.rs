//! Offers that are declined: the place is empty, or the policy chooses another of the slate.

use std::collections::BTreeSet;

use kleroterion::draw::{Draw, Key, Purpose};
use kleroterion::protocol::{Choose, Chosen, Ending, Move, Rules, Selection, Until};

use crate::doubles::{Account, Event, Part, Seating, Show, Sight, Sway, World, reflex};

/// Chooses as many as it may from the first slot on, with probability 1/2.
fn first(sight: &Sight) -> Move {
    let slots = (0..sight.places.1).collect();
    Move::Select(Selection::of(Chosen::Many(slots)).with_probability(0.5))
}

fn show(rosters: &[u32], choose: Choose, until: Until) -> Show {
    let part = |label: &str| Part::new(label, Rules::new(choose, until), reflex(first));
    let parts = vec![
        part("left empty"),
        part("refilled").ruled(|rules| rules.refill = true),
        part("outside")
            .ruled(|rules| rules.refill = true)
            .seated(Seating::Outside),
    ];
    let mut show = Show::new(World::of(rosters), parts);
    show.world.declines = 4;
    show
}

/// Whether a person takes a place, by the address that the design gives: (offer, person).
fn takes(key: Key, number: u64) -> bool {
    let mut draw: Draw = key.draw(Purpose::Offer, number, 0);
    draw.below(8) >= 4
}

/// The numbers of the people seen, at each act of a round.
fn seen(account: &Account, round: u64) -> Vec<Vec<u64>> {
    let acts = account.diary.iter().filter_map(|event| match event {
        Event::Saw(sight) if sight.round == round => Some(sight),
        _ => None,
    });
    acts.map(|sight| sight.seen.iter().map(|one| one.number).collect())
        .collect()
}

#[test]
fn a_place_that_is_declined_stays_empty_or_goes_to_the_next_of_the_slate() {
    let show = show(&[6; 5], Choose::Exactly(2), Until::Rounds(5));
    let accounts = show.holds();
    for (round, at) in (1..=5).zip(0..) {
        let roster: Vec<u64> = (6 * at as u64..6 * at as u64 + 6).collect();
        let came = |one: &&u64| takes(show.key(), **one);
        let [empty, refilled, outside] = &accounts[..] else {
            panic!("three parts");
        };
        let asked = &empty.rounds[at];
        let left: Vec<u64> = roster[..2].iter().filter(came).copied().collect();
        assert_eq!((&asked.chosen, asked.p), (&left, Some(0.5)));
        assert_eq!(asked.chosen.len() + asked.declined.len(), 2);
        assert_eq!(seen(empty, round), std::slice::from_ref(&roster));
        // One after another until two have come.
        let taken: Vec<u64> = roster.iter().filter(came).take(2).copied().collect();
        assert_eq!(refilled.rounds[at].chosen, taken);
        let acts = seen(refilled, round);
        assert_eq!(acts[0], roster);
        for pair in acts.windows(2) {
            assert!(pair[1].len() < pair[0].len() && pair[0].ends_with(&pair[1]));
        }
        assert_eq!(refilled.rounds[at].p, Some(0.5f64.powi(acts.len() as i32)));
        assert_eq!(outside.rounds[at].chosen, taken);
    }
    let declined = |account: &Account| account.scores["declined"];
    assert!(accounts.iter().all(|account| declined(account) > 0.0));
    let filled = |account: &Account| account.scores["seats_filled"];
    assert!(filled(&accounts[0]) < filled(&accounts[1]));
}

#[test]
fn a_place_in_the_run_is_open_until_someone_takes_it() {
    let show = show(&[1; 60], Choose::AtMost(1), Until::Accepted(9));
    for account in show.holds() {
        assert_eq!(account.stop.ending, Ending::Filled);
        let taken: usize = account
            .rounds
            .iter()
            .map(|passed| passed.chosen.len())
            .sum();
        let asked = account.rounds.len();
        assert_eq!((taken, account.scores["seats_filled"]), (9, 1.0));
        assert_eq!(account.scores["accepted_offers"], 9.0 / asked as f64);
    }
}

/// A household is closed by a member and not by an offer; shown is who was on a slate.
#[test]
fn who_declines_leaves_the_place_to_the_next_of_the_household() {
    let mut show = show(&[40, 0, 40, 7], Choose::Exactly(20), Until::SourceEnds);
    show.world.households = Some(25);
    let accounts = show.holds();
    for account in &accounts {
        let mut seated = BTreeSet::new();
        for passed in &account.rounds {
            let homes = passed
                .chosen
                .iter()
                .filter_map(|one| show.world.household(*one));
            assert!(homes.into_iter().all(|home| seated.insert(home)));
            let acts = seen(account, passed.round);
            let seen: BTreeSet<u64> = acts.into_iter().flatten().collect();
            assert_eq!(passed.shown.iter().copied().collect::<BTreeSet<_>>(), seen);
        }
    }
    let followed = |account: &Account| {
        let passed = &account.rounds[0];
        let homes = passed
            .declined
            .iter()
            .filter_map(|one| show.world.household(*one));
        let homes: BTreeSet<u32> = homes.collect();
        let mut chosen = passed
            .chosen
            .iter()
            .filter_map(|one| show.world.household(*one));
        chosen.any(|home| homes.contains(&home))
    };
    assert!(!followed(&accounts[0]) && followed(&accounts[1]) && followed(&accounts[2]));
}

#[test]
fn who_applied_in_any_order_is_chosen_in_the_order_of_the_slate() {
    let mut show = show(&[9; 30], Choose::Share(0.5), Until::SourceEnds);
    for part in &mut show.parts {
        part.pool = Some(Sway::new(5));
    }
    for account in show.holds() {
        for passed in &account.rounds {
            let slot = |one: &u64| passed.shown.iter().position(|shown| shown == one);
            assert!(passed.chosen.is_sorted_by_key(slot));
            assert!(passed.declined.is_sorted_by_key(slot));
        }
    }
}
