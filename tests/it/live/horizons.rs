//! Outcomes that are waited for until a horizon.

use std::net::SocketAddr;
use std::time::Duration;

use super::outcomes::{REPORTED, metric};
use super::people::{HTTP, config, lines, people};
use crate::support::process::{Live, Place, ask, post, same};
use crate::support::says::Says as _;

fn begun(horizon: &str, rounds: u64) -> (Place, Live) {
    let place = Place::new();
    let more = format!("{REPORTED}horizon = {horizon}\n");
    let until = format!("until = {{ rounds = {rounds} }}");
    place.write("http.toml", &config(HTTP, &until, &more));
    let run = place.start(&[
        "live",
        "http.toml",
        "--no-board",
        "--trace",
        "decisions",
        "--out",
        "run",
    ]);
    (place, run)
}

fn outcome(id: usize, value: f64) -> String {
    format!("{{\"candidate_id\":\"p{id}\",\"outcome\":{value}}}")
}

/// An outcome is refused, with the reason.
fn comes_too_late(feed: SocketAddr, id: usize) {
    let (status, answer) = ask(feed, "POST", "/v1/outcomes", &outcome(id, 9.0));
    assert_eq!(status, 409, "{answer}");
    answer.says("after the horizon of");
}

fn accepted(feed: SocketAddr, id: usize) {
    let answer = post(feed, "/v1/outcomes", &outcome(id, 1.0));
    assert_eq!(answer["accepted"], 1, "{answer}");
}

/// The same people are settled at the same places when the run is killed and its journal is played
/// again.
#[test]
fn after_as_many_people_an_outcome_is_refused_and_its_person_unheard() {
    let (place, mut run) = begun("10", 60);
    let feed = run.feed();
    post(feed, "/v1/candidates", &lines(&people(30)));
    comes_too_late(feed, 0);
    comes_too_late(feed, 19);
    accepted(feed, 20);
    run.kill();
    let mut run = place.start(&["resume", "run", "--no-board"]);
    let feed = run.feed();
    comes_too_late(feed, 19);
    accepted(feed, 29);
    post(feed, "/v1/candidates", &lines(&people(60)[30..]));
    // What was taken in time is a repeat for ever.
    let again = post(feed, "/v1/outcomes", &outcome(20, 1.0));
    assert_eq!(again["duplicates"], 1, "{again}");
    comes_too_late(feed, 20);
    run.hears("no lane plays any more");
    accepted(feed, 59);
    assert_eq!(run.stop().0, Some(0));
    let all = |name| metric(&place, "run", "all", name);
    let of_people = ["outcomes_told", "unheard", "pending"].map(all);
    // 50 of 60 are settled, and two of them told in time.
    assert_eq!(of_people, [Some(3.0), Some(48.0), Some(9.0)]);
    assert_eq!(all("outcome_mean"), Some(1.0));
    place.good(&[
        "replay",
        "run",
        "--trace",
        "decisions",
        "--out",
        "again",
        "-q",
    ]);
    same(&place, "run", "again");
}

/// The clock is written down, so that a journal that is played again waits for no one.
#[test]
fn after_a_time_an_outcome_is_refused_and_stays_so() {
    let (place, mut run) = begun("\"4s\"", 40);
    let feed = run.feed();
    post(feed, "/v1/candidates", &lines(&people(20)));
    accepted(feed, 0);
    // A mark is made each second, and counts once it is as old as the horizon.
    std::thread::sleep(Duration::from_secs(7));
    comes_too_late(feed, 1);
    comes_too_late(feed, 0);
    run.kill();
    let mut run = place.start(&["resume", "run", "--no-board"]);
    let feed = run.feed();
    comes_too_late(feed, 1);
    post(feed, "/v1/candidates", &lines(&people(40)[20..]));
    accepted(feed, 30);
    run.hears("no lane plays any more");
    assert_eq!(run.stop().0, Some(0));
    let all = |name| metric(&place, "run", "all", name);
    let of_people = ["outcomes_told", "unheard", "pending"].map(all);
    assert_eq!(of_people, [Some(2.0), Some(19.0), Some(19.0)]);
    place.good(&[
        "replay",
        "run",
        "--trace",
        "decisions",
        "--out",
        "again",
        "-q",
    ]);
    same(&place, "run", "again");
}

#[test]
fn a_horizon_is_people_or_a_time() {
    for wrong in ["0", "-1", "\"soon\"", "\"0s\"", "1.5", "true"] {
        let place = Place::new();
        let more = format!("{REPORTED}horizon = {wrong}\n");
        place.write("http.toml", &config(HTTP, "until = { rounds = 40 }", &more));
        let (code, _, stderr) = place.run(&["check", "http.toml"]);
        assert_eq!(code, Some(2), "{wrong}: {stderr}");
        stderr.says("feedback.outcome.horizon");
    }
}
