//! The leader in the headline, the findings and the drawn pair.

use super::*;

#[test]
fn who_leads_is_said_once_it_is_sure_and_before_that_how_many_rounds_it_may_take() {
    let watched = watched(false);
    let answer = || {
        let now = board(&watched, None);
        let finding = rows(&now, "findings").first().cloned().unwrap_or_default();
        (text(&now, "headline"), finding.join(" "))
    };
    assert_eq!(answer().0, "Nothing has been compared so far.");
    for lane in 0..2 {
        play(&watched, lane, 1..4, 1, &[]);
    }
    let (head, finding) = answer();
    let open = "On this stream, open between \u{201c}b <i>\u{201d} and \u{201c}a\u{201d}.";
    assert_eq!(head, open);
    assert!(finding.contains("): No difference seen"), "{finding}");
    for lane in 0..2 {
        play(&watched, lane, 4..9, 1, &[0][lane..]);
    }
    let (head, finding) = answer();
    assert_eq!(head, open);
    assert!(
        finding.starts_with("open Chosen of 100 screened (more is better): Open"),
        "{finding}"
    );
    assert!(finding.contains("more may decide it"), "{finding}");
    for lane in 0..2 {
        play(&watched, lane, 9..200, 1, &[0][lane..]);
    }
    let (head, finding) = answer();
    assert!(
        head.starts_with("On this stream, \u{201c}b <i>\u{201d} leads \u{201c}a\u{201d}"),
        "{head}"
    );
    assert!(
        finding.starts_with("\u{2713} sure Chosen of 100 screened"),
        "{finding}"
    );
    let now = board(&watched, None);
    assert!(text(&now, "pairs-about").contains("with 95 % confidence"));
    assert!(words(&now, "answer-lines").contains("screened"));
}

/// The number of a pair is one text wherever it is shown: in the answer, next to the course, in the
/// table.
#[test]
fn a_pair_has_one_number() {
    let watched = watched(false);
    for lane in 0..2 {
        play(&watched, lane, 1..40, 3, &[0, 1][lane..]);
    }
    let now = board(&watched, None);
    let number = text(&now, "funnel-number");
    assert!(number.starts_with('+'), "{number}");
    assert_eq!(rows(&now, "pairs-0")[1][1], number);
    let finding = rows(&now, "findings")[0][1].clone();
    assert!(
        finding.contains(&format!(" {} ", number.trim_start_matches('+')))
            || finding.contains(&number),
        "{finding} of {number}"
    );
    assert_eq!(rows(&now, "pairs-0")[1][0], "b <i> against a");
    assert_eq!(
        text(&now, "funnel-title"),
        "\u{201c}b <i>\u{201d} against \u{201c}a\u{201d}"
    );
    assert_eq!(text(&now, "n"), "round 39");
}

/// A headline stays for 5 s at least; numbers never wait, and the end does not.
#[test]
fn headlines_are_held_for_five_seconds_and_numbers_never() {
    let watched = watched(false);
    let mut history = History::default();
    let begun = Instant::now();
    let mut before: Option<Board> = None;
    let mut see = |half: u64| {
        watched.leave_all();
        let at = begun + Duration::from_millis(500 * half);
        let now = Board::of(&Moment::of(&watched, &mut history, at), before.as_ref());
        let shown = (text(&now, "headline"), text(&now, "n"));
        before = Some(now);
        shown
    };
    let nothing = see(0).0;
    for half in 1..=12 {
        for lane in 0..2 {
            play(
                &watched,
                lane,
                half * 30 - 29..half * 30 + 1,
                1,
                &[0][lane..],
            );
        }
        let (headline, n) = see(half);
        assert_eq!(headline == nothing, half < 10, "after {half} half seconds");
        assert_eq!(n, format!("round {}", half * 30));
    }
    watched.end(0, Ending::Filled.into());
    watched.end(1, Ending::Disqualified.into());
    watched.enter(Stage::Over);
    assert!(
        !see(13).0.contains("screens fewest"),
        "the end waits for nothing"
    );
}
