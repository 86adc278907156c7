//! The interviews that policies wait for.

use super::*;
use crate::looks::{Audience, DeskView, LookDesk, LookKey, OfferedKind};
use crate::watch::SlateStatus;

#[test]
fn it_says_whom_to_interview_for_whom_and_how() {
    let mut watched = watched(true);
    assert!(rows(&board(&watched, None), "interviews").is_empty());
    let kind = OfferedKind {
        name: "a <call>".into(),
        cost: 1.5,
    };
    let desk = Arc::new(LookDesk::new([kind].into(), 2, Audience::All));
    watched.desk = Some(DeskView::new(&desk, Names::default()));
    let slate = |closed, people| {
        watched.note_slate(SlateStatus {
            closed,
            last: 2,
            people,
        });
        board(&watched, None)
    };
    assert!(text(&slate(0, 1), "slate").contains("round 1 is open, with 1 candidate so far"));
    let wanted: Vec<LookKey> = (0..60)
        .map(|n| LookKey {
            candidate: format!("p{n:02}").into(),
            kind: 0,
            nth: n / 59,
        })
        .collect();
    // Later in a later call.
    desk.consult(1, 1, &wanted, 120_000);
    desk.consult(0, 1, &wanted[..1], 240_000);
    let now = slate(1, 0);
    let listed = rows(&now, "interviews");
    assert_eq!(listed.len(), 51);
    let first = ["p00", "a <call>", "1.5", "b <i>, a", "1970-01-01 00:02 UTC"];
    assert_eq!(listed[1], first);
    assert_eq!(listed[2][3], "a");
    assert!(
        text(&now, "looks").contains("60 open, of which the oldest 50 are listed, 0 answered.")
    );
    for n in 0..59 {
        desk.book().receive(&format!("p{n:02}"), 0, None, 3.0);
    }
    desk.commit();
    let before = now;
    let now = board(&watched, Some(&before));
    assert_eq!(
        rows(&now, "interviews")[1][..2],
        ["p59", "a <call> (no. 2)"]
    );
    assert!(text(&now, "looks").contains("1 open, 59 answered."));
    // Who knew 50 is told that there are fewer.
    let event = sent(&now, before.number).expect("news");
    assert_eq!(event["tables"]["interviews"][0], 2);
    let now = slate(2, 0);
    assert_eq!(text(&now, "slate"), "The last slate is closed.");
    desk.change(|book| book.miss(&wanted[59]));
    let now = slate(2, 0);
    assert!(text(&now, "waits").contains("No policy waits"));
    assert!(text(&now, "looks").contains("1 not answered in time"));
}
