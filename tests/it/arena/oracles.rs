//! Oracles know the truth; others do not.

use kleroterion::protocol::{Choose, Move, Rules, Until};

use crate::doubles::{Event, Part, Seating, Show, Sight, Sway, World, merit, reflex};

/// The slot of the highest merit where it is known, else of the highest score; the first of
/// several.
fn best(sight: &Sight) -> Move {
    let mut best = (0, f64::NEG_INFINITY);
    for (seen, slot) in sight.seen.iter().zip(0..) {
        let worth = seen.merit.unwrap_or(seen.score);
        if worth > best.1 {
            best = (slot, worth);
        }
    }
    Move::take(best.0)
}

fn part(label: &str, seating: Seating) -> Part {
    let rules = Rules::new(Choose::Exactly(1), Until::Rounds(4));
    Part::new(label, rules, reflex(best)).seated(seating)
}

#[test]
fn an_oracle_is_given_the_truth_of_its_slate_by_slot() {
    let show = Show::new(
        World::of([4; 4]),
        vec![
            part("blind", Seating::Blind),
            part("oracle", Seating::Sighted),
            part("oracle in a pool", Seating::Sighted).with_pool(Sway::new(3)),
            part("outside", Seating::Outside),
        ],
    );
    let accounts = show.holds();
    // Merits 0 7 4 1 | 8 5 2 9 | 6 3 0 7 | 4 1 8 5; scores 0 3 6 1 | 4 7 2 5 | 0 3 6 1 | 4 7 2 5.
    let chosen = |k: usize| -> Vec<u64> {
        let rounds = accounts[k].rounds.iter();
        rounds.flat_map(|passed| passed.chosen.clone()).collect()
    };
    assert_eq!(chosen(0), [2, 5, 10, 13]);
    assert_eq!(chosen(1), [1, 7, 11, 14]);
    assert_eq!(chosen(3), chosen(0));
    for passed in &accounts[2].rounds {
        let most = passed
            .shown
            .iter()
            .map(|&number| merit(number))
            .fold(-1.0, f64::max);
        assert!(passed.chosen.iter().all(|&number| merit(number) == most));
    }
    for (account, sighted) in accounts.iter().zip([false, true, true, false]) {
        for event in &account.diary {
            if let Event::Saw(sight) = event {
                for seen in &sight.seen {
                    assert_eq!(seen.merit, sighted.then(|| merit(seen.number)));
                }
            }
        }
    }
}
