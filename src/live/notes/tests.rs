use super::*;
use crate::compare::Judge;

/// The seat of a lane whose first ten rounds were played before; decisions of the acting policy
/// were shown up to round 5.
fn seat(known: Option<Forfeit>) -> LaneForfeits {
    let mut past = Past::default();
    let decision = |round| {
        JournalEntry::Decision(Decided {
            round,
            chosen: vec![0],
        })
    };
    let known = known.map(JournalEntry::Forfeit);
    for (seq, entry) in (1..).zip((1..=5).map(decision).chain(known)) {
        past.add(&Numbered { seq, entry });
    }
    LaneForfeits {
        policy: "odd".into(),
        notes: Arc::new(LiveNotes::after(past)),
        before: 10,
        joins: false,
        may_end: false,
        acts: false,
        lane: 0,
        watched: Arc::new(Watched::new(
            "r".into(),
            Arc::default(),
            vec!["odd".into()],
            None,
            Judge::default(),
        )),
    }
}

/// Whether an end is noted, or the run can't go on.
fn is_noted(seat: &LaneForfeits, round: u64) -> bool {
    seat.note_end(round, 0, "it fell over");
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
    let begun = LaneForfeits {
        joins: false,
        before: 0,
        ..new
    };
    assert!(is_noted(&begun, 0) && is_noted(&begun, 1));
}

#[test]
fn an_end_that_follows_from_a_late_answer_is_noted_where_that_was() {
    let late = Forfeit {
        policy: "odd".into(),
        round: 7,
        step: 0,
        ended: None,
    };
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
fn the_first_reason_counts() {
    let seat = seat(None);
    seat.note_end(3, 0, "the first");
    seat.note_end(2, 0, "the second");
    let failed = seat.notes.pending().failed.take();
    let failed = failed.expect("it can't go on").to_string();
    assert!(
        failed.contains("round 3") && failed.ends_with("the first"),
        "{failed}"
    );
}
