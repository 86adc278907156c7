//! A referee asked by hand: the places that are left, and who counts.

use std::sync::Arc;

use super::super::by_hand::{batch, draw};
use super::*;
use crate::protocol::{Choose, Chosen, Selection, Until};

fn referee(choose: Choose, until: Until) -> Referee {
    Referee::new(Arc::new(Rules::new(choose, until)), draw(), "me", false)
}

fn two() -> Selection {
    Selection::of(Chosen::Many(vec![0, 1]))
}

/// A person who declined may be followed by another; the run ends once its places are taken.
#[test]
fn who_has_declined_is_not_counted_among_the_accepted() {
    let batch = batch(&[3]);
    let scene = Scene {
        batch: &batch,
        at: 0,
        who: None,
    };
    let mut referee = referee(Choose::AtMost(2), Until::Accepted(3));
    let mut ledger = Ledger::new(false);
    let mut left = Vec::new();
    for declined in [1, 2, 0] {
        let offer = referee.offer(3);
        let chosen = referee.choose(two(), scene.slate(), offer, scene, &mut ledger);
        assert_eq!(chosen, Ok(()));
        referee.note_declined(declined);
        ledger.commit();
        left.push((offer.left, referee.close()));
    }
    assert_eq!(left, [(3, None), (2, None), (2, Some(Ending::Filled))]);
}

/// The last places of a run bound those of a round.
#[test]
fn a_policy_sees_the_places_that_are_left_where_their_number_is_set() {
    let batch = batch(&[4]);
    let slate = Slate::new(&batch, 0, None);
    let seen = |until, accepted| {
        let mut referee = referee(Choose::AtMost(2), until);
        referee.accepted = accepted;
        let offer = referee.offer(4);
        let view = referee.view(1, slate, offer);
        (view.places_left(), view.places().max)
    };
    assert_eq!(seen(Until::Accepted(3), 0), (Some(3), 2));
    assert_eq!(seen(Until::Accepted(3), 2), (Some(1), 1));
    assert_eq!(seen(Until::Rounds(3), 2), (None, 2));
    assert_eq!(seen(Until::SourceEnds, 2), (None, 2));
}

/// Places left over from a slate that was offered again do not pass on to the next slate.
#[test]
fn each_slate_has_the_places_of_its_rules() {
    let mut referee = referee(Choose::Exactly(2), Until::SourceEnds);
    let of = |offer: Offer| (offer.places.min, offer.places.max);
    assert_eq!(of(referee.offer(4)), (2, 2));
    referee.reopen(3, Places { min: 0, max: 1 });
    assert_eq!(of(referee.offer(3)), (0, 1));
    referee.forget_places();
    assert_eq!(of(referee.offer(3)), (2, 2));
    assert_eq!(of(referee.offer(1)), (1, 1));
}

/// The referee looks at the rules only where they may end the lane; that changes no ending.
#[test]
fn a_round_ends_the_lane_where_the_rules_say_so() {
    for until in [Until::Accepted(2), Until::Rounds(3), Until::SourceEnds] {
        for max_rounds in [1, 4, u64::MAX] {
            let rules = Arc::new(Rules {
                max_rounds,
                ..Rules::new(Choose::Any, until)
            });
            for accepted in 0..4 {
                let mut referee = Referee::new(Arc::clone(&rules), draw(), "me", false);
                referee.accepted = accepted;
                let ends = (1..7).map(|_| referee.close());
                let known = (1..7).map(|rounds| rules.ending(rounds, accepted, false));
                assert!(ends.eq(known), "{until:?}, {max_rounds}, {accepted}");
            }
        }
    }
}

/// Whoever is left of a slate keeps the interviews that were bought of him or her.
#[test]
fn files_go_with_those_who_leave() {
    let rules = crate::arena::by_hand::selling(9, 9.0);
    let mut referee = Referee::new(Arc::new(rules), draw(), "me", false);
    referee.open_files(4);
    for (slot, file) in referee.files.iter_mut().enumerate() {
        file.looks = slot as u32;
    }
    let looks = |referee: &Referee| -> Vec<u32> {
        let files = referee.files.iter();
        files.map(|file| file.looks).collect()
    };
    referee.refile([0, 2, 3].map(Some).into_iter());
    assert_eq!(looks(&referee), [0, 2, 3]);
    // Someone joins.
    referee.refile([None, Some(1)].into_iter());
    assert_eq!(looks(&referee), [0, 2]);
}
