//! The strip of the latest decisions, and the newest in words.

use super::*;
use crate::watch::{Acts, SlateStatus};
use crate::web::board::decisions as strip;

/// The people, the letters and the reasons of each column of the strip.
fn columns(watched: &Watched) -> Vec<(String, String, Vec<String>)> {
    let now = board(watched, None);
    let words = |round| {
        let words = strip::words(watched, round).expect("it is kept");
        let words = serde_json::to_value(words).expect("JSON");
        let lanes: Vec<String> = serde_json::from_value(words["lanes"].clone()).expect("words");
        (words["who"].as_str().expect("a text").to_owned(), lanes)
    };
    let column = |column: &strip::BoardColumn| {
        let (who, lanes) = words(column.round);
        (who, column.letters.clone(), lanes)
    };
    now.columns.iter().map(column).collect()
}

#[test]
fn whom_only_a_shadow_would_have_taken_is_unobserved() {
    for acting in [true, false] {
        let watched = watched(acting);
        let decide = |round: u64, of: [&[u32]; 2]| {
            for (lane, chosen) in of.into_iter().enumerate() {
                play(&watched, lane, round..round + 1, 3, chosen);
            }
        };
        decide(1, [&[0, 2], &[2]]);
        decide(2, [&[0], &[0, 1]]);
        decide(3, [&[], &[]]);
        decide(4, [&[1], &[1]]);
        // The last is not committed yet, and not shown where a policy acts.
        watched.note_acted(if acting { 3 } else { 0 });
        assert_eq!(strip::words(&watched, 4).is_none(), acting);
        let mut columns = columns(&watched);
        if !acting {
            assert_eq!(columns.pop().unwrap().0, "Round 4, 3 people");
        }
        let all: Vec<&str> = columns.iter().map(|(who, ..)| who.as_str()).collect();
        assert_eq!(
            all,
            [
                "Round 1, 3 people",
                "Round 2, 3 people",
                "Round 3, 3 people"
            ]
        );
        // In label order: the shadow, then the one that acts.
        let letters: Vec<&str> = columns.iter().map(|(_, letters, _)| &**letters).collect();
        assert_eq!(letters, ["11", if acting { "u1" } else { "11" }, "00"]);
        assert_eq!(columns[0].2[1], "2 of 3 (p0, p2): x<y \u{2212}1.5");
        assert_eq!(columns[2].2[0], "not chosen: x<y \u{2212}1.5");
        assert_eq!(columns[1].2[0].contains("unobserved"), acting);
    }
}

#[test]
fn the_latest_decisions_go_on_when_the_acting_policy_has_ended() {
    let watched = watched(true);
    for lane in 0..2 {
        play(&watched, lane, 1..34, 1, &[0]);
    }
    watched.note_acted(32);
    watched.decisions.end(0);
    watched.note_acts(Acts::Done(0, Ending::Filled.into()));
    watched.end(0, Ending::Filled.into());
    play(&watched, 1, 34..61, 1, &[0]);
    let newest = || columns(&watched).pop().expect("a column");
    assert_eq!(
        newest().0,
        "Round 32, person p0",
        "round 33 is not committed yet"
    );
    watched.note_acted(33);
    assert_eq!((&*newest().0, &*newest().1), ("Round 60, person p0", "ue"));
    let now = board(&watched, None);
    let acts = text(&now, "acts");
    assert!(acts.contains("has ended"), "{acts}");
    assert!(!words(&now, "lanes").contains("acting"));
}

#[test]
fn only_the_latest_rounds_are_shown_and_the_newest_is_said() {
    let watched = watched(false);
    for lane in 0..2 {
        play(&watched, lane, 1..201, 1, &[0][lane..]);
    }
    let now = board(&watched, None);
    let all = columns(&watched);
    assert_eq!((all.len(), &*all[0].0), (52, "Round 149, person p0"));
    assert_eq!(
        text(&now, "newest"),
        "Round 200, person p0: chosen by \u{201c}b <i>\u{201d}."
    );
    // What was there before is not sent again.
    for lane in 0..2 {
        play(&watched, lane, 201..204, 1, &[0][lane..]);
    }
    let next = board(&watched, Some(&now));
    let event = sent(&next, now.number).expect("news");
    let expected = [201, 202, 203].map(|n| format!("{n}|person p0||01|1"));
    assert_eq!(event["columns"], serde_json::json!(expected));
    assert!(event.get("whole").is_none());
    // Who asks for what is not there is told so.
    assert!(strip::words(&watched, 204).is_none());
}

/// Checks that yardsticks light no column, since "accept all" would light nearly every one.
#[test]
fn columns_are_lit_where_policies_disagree_that_are_no_yardsticks() {
    use super::many::{four, play_four};
    let lit = |watched: &Watched| -> Vec<u64> {
        let now = board(watched, None);
        let lit = now.columns.iter().filter(|column| column.is_lit);
        lit.map(|column| column.round).collect()
    };
    let mut watched = four();
    play_four(&watched, 1..60);
    let all = lit(&watched);
    watched.judge.yardsticks = vec!["first come".into()];
    let of_policies = lit(&watched);
    assert!(
        !of_policies.is_empty() && of_policies.len() < all.len(),
        "{of_policies:?}"
    );
    assert!(text(&board(&watched, None), "strip-about").contains("yardsticks do not count"));
}

#[test]
fn an_empty_board_says_how_to_send_the_first_person() {
    let watched = watched(false);
    let latest = || {
        let now = board(&watched, None);
        (text(&now, "newest"), text(&now, "step"))
    };
    let (newest, step) = latest();
    assert!(newest.contains("No round has been decided yet") && step.is_empty());
    let first = "curl --json '{\"id\":\"ann\"}' http://127.0.0.1:8090/v1/decisions";
    drop(watched.first_step.set(first.into()));
    assert_eq!(latest().1, first);
    // Once the last slate is closed, a first person would be refused.
    for (closed, known) in [(0, first), (1, "")] {
        let slate = SlateStatus {
            closed,
            last: 1,
            people: 0,
        };
        watched.note_slate(slate);
        assert_eq!(latest().1, known, "{closed} slates closed");
    }
    watched.note_slate(SlateStatus {
        closed: 0,
        last: 1,
        people: 1,
    });
    watched.came(1);
    assert_eq!(latest().1, "", "the first has come");
    play(&watched, 0, 1..2, 1, &[0]);
    play(&watched, 1, 1..2, 1, &[0]);
    assert!(latest().1.is_empty());
}
