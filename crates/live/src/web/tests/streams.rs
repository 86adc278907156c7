//! Following the decisions.

use super::*;
use crate::limits::MOST_KEPT_DECISIONS;

fn follow(site: &Site, path: &str, headers: &str) -> TestConnection {
    let mut connection = site.connect();
    connection.request(&format!("GET {path}{headers}"), b"");
    let head = connection.head();
    assert!(head.status == 200 && head.is("content-type", "text/event-stream"));
    assert_eq!(connection.event(), "retry: 1000");
    connection
}

#[track_caller]
fn is_decision(event: &str, seq: u64) {
    let start = format!("id: {seq} event: decision data: {{\"version\":2,\"seq\":{seq},");
    assert!(event.starts_with(&start), "{event}");
}

#[test]
fn decisions_are_told_as_they_are_made_and_again_from_any_number() {
    let site = site(Set::default());
    let mut early = follow(&site, "/v1/decisions", "");
    site.candidates(format!("{}\n{}", person("a", 1), person("b", 2)));
    for seq in 0..4 {
        is_decision(&early.event(), seq);
    }
    let mut late = follow(&site, "/v1/decisions?from=3", "");
    is_decision(&late.event(), 3);
    let mut again = follow(&site, "/v1/decisions?from=0", "\r\nLast-Event-ID: 1");
    is_decision(&again.event(), 2);
    is_decision(&again.event(), 3);
    site.candidates(person("c", 1));
    for follower in [&mut early, &mut late, &mut again] {
        is_decision(&follower.event(), 4);
    }
}

#[test]
fn what_is_kept_no_more_is_a_gap() {
    let site = site(Set::default());
    let many: String = (0..3000)
        .map(|n| person(&n.to_string(), 1) + "\n")
        .collect();
    site.candidates(many);
    let oldest = 6000 - MOST_KEPT_DECISIONS as u64;
    let mut follower = follow(&site, "/v1/decisions?from=0", "\r\nLast-Event-ID: 9");
    let gap = format!(
        "id: {} event: gap data: {{\"from\":10,\"to\":{}}}",
        oldest - 1,
        oldest - 1
    );
    assert_eq!(follower.event(), gap);
    for seq in oldest..6000 {
        is_decision(&follower.event(), seq);
    }
    let mut all = follow(&site, "/v1/decisions", "");
    is_decision(&all.event(), oldest);
}

#[test]
fn the_acting_policy_s_decisions_are_told_once_they_are_committed() {
    const NOTHING: &str = ": still here";
    let site = site(Set {
        acting: Some(1),
        limits: Limits {
            heartbeat: Duration::from_millis(50),
            ..Limits::default()
        },
        ..Set::default()
    });
    let mut follower = follow(&site, "/v1/decisions", "");
    site.candidates(format!("{}\n{}", person("a", 1), person("b", 1)));
    // Of each round the shadow comes first.
    for (committed, sent) in [(0, vec![0]), (1, vec![1, 2]), (2, vec![3])] {
        site.watched.note_acted(committed);
        for seq in sent {
            let mut event = follower.event();
            while event == NOTHING {
                event = follower.event();
            }
            is_decision(&event, seq);
        }
        assert_eq!(follower.event(), NOTHING);
    }
}

#[test]
fn a_silent_stream_says_that_it_lives() {
    let site = site(Set {
        limits: Limits {
            heartbeat: Duration::from_millis(50),
            ..Limits::default()
        },
        ..Set::default()
    });
    let mut follower = follow(&site, "/v1/decisions", "");
    assert_eq!(follower.event(), ": still here");
    assert_eq!(follower.event(), ": still here");
    site.candidates(person("a", 1));
    while !follower.event().contains("decision") {}
}

#[test]
fn a_reader_that_takes_nothing_is_cut_off_and_may_come_again() {
    let site = site(Set {
        limits: Limits {
            stalled: Duration::from_millis(300),
            followers: 1,
            ..Limits::default()
        },
        ..Set::default()
    });
    let mut slow = follow(&site, "/v1/decisions", "");
    let refused = site.get("/v1/decisions");
    assert!(refused.error(503).contains("follow") && refused.is("retry-after", "1"));
    // Until its place is free again: nothing of what it doesn't read is kept for it.
    let mut round = 0;
    loop {
        let many = (0..2000).map(|n| person(&format!("{round} {n}"), 1) + "\n");
        let many: String = many.collect();
        assert_eq!(site.candidates(many).json()["accepted"], 2000);
        round += 1;
        let mut next = site.connect();
        next.request("GET /v1/decisions", b"");
        if next.head().status == 200 {
            break;
        }
        assert!(round < 1000, "it is never cut off");
    }
    is_decision(&slow.event(), 0);
}

#[test]
fn numbers_that_are_none_are_refused() {
    let site = site(Set::default());
    for head in [
        "GET /v1/decisions?from=x",
        "GET /v1/decisions?from=-1",
        "GET /v1/decisions\r\nLast-Event-ID: x",
    ] {
        assert!(site.ask(head, "").error(400).contains("is no number"));
    }
}

#[test]
fn followers_are_let_go_when_the_server_stops() {
    let mut site = site(Set::default());
    let mut follower = follow(&site, "/v1/decisions", "");
    site.close();
    assert!(follower.ends());
}
