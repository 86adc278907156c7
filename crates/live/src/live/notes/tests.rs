use super::*;
use crate::acting::Actors;
use crate::watch::Watched;
use kleroterion_core::protocol::Stop;
use kleroterion_io::journal::{Forfeit, Numbered};
use kleroterion_io::seat::Forfeits;
use kleroterion_stats::Judge;

/// The seat of a lane whose first ten rounds are known to have been played before; decisions of the
/// acting policy were shown up to round 5.
fn seat(known: Option<Forfeit>) -> LaneForfeits {
    seat_shown(known, 10)
}

/// The same, of whose rounds so many are known to have been played.
fn seat_shown(known: Option<Forfeit>, shown: u64) -> LaneForfeits {
    let mut past = Past::default();
    let decision = |round| {
        JournalEntry::Decision(Decided {
            round,
            chosen: vec![0],
        })
    };
    let known = known.map(JournalEntry::Forfeit);
    let shown = [JournalEntry::Shown(shown)];
    for (seq, entry) in (1..).zip((1..=5).map(decision).chain(shown).chain(known)) {
        past.add(&Numbered { seq, entry });
    }
    let watched = Arc::new(Watched::new(
        "r".into(),
        Arc::default(),
        vec!["odd".into()],
        None,
        Judge::default(),
    ));
    let outcomes = Arc::clone(&watched.outcomes);
    let acting = Acting::new(Actors::default(), Arc::clone(&watched), outcomes, 0);
    LaneForfeits {
        policy: "odd".into(),
        notes: Arc::new(LiveNotes::after(past, Arc::new(acting))),
        before: 10,
        joins: false,
        may_end: false,
        acts: false,
        lane: 0,
        watched,
    }
}

fn left(why: &str) -> Stop {
    Stop::because(Ending::Left, why)
}

/// Returns true if an ending is noted, and false if the run can't go on.
fn is_noted(seat: &LaneForfeits, round: u64) -> bool {
    seat.note_end(round, 0, &left("it fell over"));
    let mut pending = seat.notes.pending();
    let failed = pending.failed.take();
    let noted = !pending.entries.is_empty();
    pending.entries.clear();
    assert!(noted == failed.is_none());
    noted
}

#[test]
fn a_program_may_end_where_it_had_not_played() {
    let seat = seat(None);
    assert!([1, 10].iter().all(|round| !is_noted(&seat, *round)));
    // It never came to its first round.
    assert!(!is_noted(&seat, 0));
    assert!(is_noted(&seat, 11));
    let new = LaneForfeits {
        joins: true,
        ..seat
    };
    assert!([0, 1, 10, 11].iter().all(|round| is_noted(&new, *round)));
    // Rounds whose people had come need not have been played.
    let begun = seat_shown(None, 0);
    assert!([0, 1, 5, 10].iter().all(|round| is_noted(&begun, *round)));
    let acting = LaneForfeits {
        acts: true,
        ..seat_shown(None, 0)
    };
    assert!([0, 1, 5].iter().all(|round| !is_noted(&acting, *round)));
    assert!([6, 10].iter().all(|round| is_noted(&acting, *round)));
}

#[test]
fn an_end_that_follows_from_a_late_answer_is_noted_where_that_was() {
    let late = Forfeit::late("odd", 7, 0);
    let seat = seat(Some(late));
    assert!(is_noted(&seat, 7));
    assert!(!is_noted(&seat, 6) && !is_noted(&seat, 8));
}

#[test]
fn who_is_let_go_may_end_but_not_before_what_was_told_of_it() {
    let shadow = LaneForfeits {
        may_end: true,
        ..seat(None)
    };
    assert!(
        [0, 1, 5, 6, 10]
            .iter()
            .all(|round| is_noted(&shadow, *round))
    );
    let acting = LaneForfeits {
        acts: true,
        ..shadow
    };
    assert!([0, 1, 5].iter().all(|round| !is_noted(&acting, *round)));
    assert!([6, 10].iter().all(|round| is_noted(&acting, *round)));
}

#[test]
fn an_end_comes_again_as_it_was() {
    for ending in [Ending::Left, Ending::Disqualified] {
        let stop = Stop::because(ending, "it fell over");
        let seat = seat(Some(Forfeit::end("odd", 11, 1, &stop)));
        assert_eq!(seat.ended(11, 1), Some(stop));
        assert_eq!((seat.ended(11, 0), seat.ended(12, 1)), (None, None));
        assert_eq!(seat.imposed(11, 1), None);
    }
}

#[test]
fn the_first_reason_counts() {
    let seat = seat(None);
    seat.note_end(3, 0, &left("the first"));
    seat.note_end(2, 0, &left("the second"));
    let failed = seat.notes.pending().failed.take();
    let failed = failed.expect("it can't go on").to_string();
    assert!(
        failed.contains("round 3") && failed.ends_with("the first"),
        "{failed}"
    );
}
