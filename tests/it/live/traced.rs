//! Decisions that are read while a run goes on, and what a kill leaves of them.

use std::time::{Duration, Instant};

use serde_json::Value;

use super::people::{HTTP, config, lines, people};
use crate::support::process::{PATIENCE, Place, post, same};

const MANY: usize = 300;

/// The command that begins a traced run in a folder.
fn traced(folder: &str) -> [&str; 7] {
    [
        "live",
        "http.toml",
        "--no-board",
        "--trace",
        "decisions",
        "--out",
        folder,
    ]
}

fn place() -> Place {
    let place = Place::new();
    // One more than there are: no lane is ever over.
    let until = format!("until = {{ rounds = {} }}", MANY + 1);
    place.write("http.toml", &config(HTTP, &until, ""));
    place
}

/// The decisions that can be read now: each line whole, numbered from 0 without a gap or a double.
#[track_caller]
fn readable(place: &Place, folder: &str) -> Vec<Value> {
    let text = place.read(&format!("{folder}/decisions.ndjson"));
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    let read = |line| serde_json::from_str(line).expect("a decision");
    let all: Vec<Value> = text[..whole].lines().map(read).collect();
    for (at, event) in all.iter().enumerate() {
        assert_eq!(event["seq"], at, "{event}");
    }
    all
}

/// Waits until the decisions about so many people can be read; how many policies decided.
#[track_caller]
fn until(place: &Place, folder: &str, people: usize) -> usize {
    let begun = Instant::now();
    loop {
        let all = readable(place, folder);
        let of_the_last = all.iter().filter(|event| event["round"] == people).count();
        let lanes = all.iter().filter(|event| event["round"] == 1).count();
        if of_the_last > 0 && of_the_last == lanes {
            assert_eq!(all.len(), people * lanes);
            return lanes;
        }
        assert!(begun.elapsed() < PATIENCE, "{} decisions", all.len());
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn decisions_are_read_from_the_first_on_and_once_each_however_often_a_run_is_killed() {
    let place = place();
    let people = people(MANY);
    let mut run = place.start(&traced("whole"));
    let feed = run.feed();
    post(feed, "/v1/candidates", &lines(&people[..1]));
    let lanes = until(&place, "whole", 1);
    assert!(lanes > 1);
    // What is told of them is told now, in the words of their kinds.
    let told = place.good(&["trace", "whole", "--round", "1"]);
    assert!(
        told.starts_with(&format!("round 1: {lanes} of {lanes} decisions\n")),
        "{told}"
    );
    assert!(told.contains("it accepts everyone"), "{told}");
    post(feed, "/v1/candidates", &lines(&people[1..]));
    until(&place, "whole", MANY);
    assert_eq!(run.stop().0, Some(130));

    let mut run = place.start(&traced("killed"));
    let mut came = 0;
    for (n, part) in people.chunks(MANY / 10).enumerate() {
        post(run.feed(), "/v1/candidates", &lines(part));
        came += part.len();
        if n % 2 == 0 {
            until(&place, "killed", came);
        }
        run.kill();
        let before = readable(&place, "killed");
        if n % 3 == 1 {
            // A power cut may leave a part of a line.
            let text = place.read("killed/decisions.ndjson");
            place.write("killed/decisions.ndjson", &text[..text.len() * 2 / 3]);
        }
        run = place.start(&["resume", "killed"]);
        // It never has fewer than it had, once it has come so far.
        until(&place, "killed", came);
        assert!(readable(&place, "killed").starts_with(&before));
    }
    assert_eq!(run.stop().0, Some(130));
    same(&place, "whole", "killed");
}

#[test]
fn a_policy_that_joins_has_its_decisions_among_the_others_from_the_first_on() {
    let place = place();
    let people = people(20);
    let mut run = place.start(&traced("run"));
    post(run.feed(), "/v1/candidates", &lines(&people));
    let lanes = until(&place, "run", 20);
    run.kill();
    place.write(
        "more.toml",
        "[[policy]]\nlabel = \"another\"\nkind = \"accept_all\"\n",
    );
    let run = place.start(&["resume", "run", "--policies", "more.toml"]);
    // The lines of before stay until all rounds are decided again.
    let begun = Instant::now();
    while until(&place, "run", 20) == lanes {
        assert!(begun.elapsed() < PATIENCE);
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(until(&place, "run", 20), lanes + 1);
    assert_eq!(run.stop().0, Some(130));
    assert_eq!(readable(&place, "run").len(), 20 * (lanes + 1));
}

#[test]
fn a_run_without_traces_has_no_decisions_and_says_how_to_have_them() {
    let place = place();
    let mut run = place.start(&["live", "http.toml", "--no-board", "--out", "run"]);
    post(run.feed(), "/v1/candidates", &lines(&people(3)));
    assert!(!place.path("run/decisions.ndjson").exists());
    let (code, _, said) = place.run(&["trace", "run"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(
        said.contains("is under way and keeps no decisions"),
        "{said}"
    );
    assert!(
        said.contains("klero replay run --trace decisions --out OTHER"),
        "{said}"
    );
    assert_eq!(run.stop().0, Some(130));
}
