//! Runs that are killed in their first moments: what never began begins anew, and nothing else does.

use std::time::Duration;

use super::people::{HTTP, config};
use crate::support::process::{Place, ask, live, post};
use crate::support::says::Says as _;

/// A run killed after any moment of its beginning is taken up again, or begun anew, as a service does
/// it: whatever a restart finds.
#[test]
fn a_run_that_was_killed_while_it_began_begins_again() {
    let place = Place::new();
    place.write("http.toml", &config(HTTP, "until = { rounds = 9 }", ""));
    let mut anew = 0;
    for micros in (0..60_000).step_by(1_000) {
        let run = format!("run-{micros}");
        let begun = place.start(&live(&run));
        std::thread::sleep(Duration::from_micros(micros));
        begun.kill();
        // A service resumes where there is a journal; where that says that nothing began, it is
        // started again.
        if place.path(&format!("{run}/journal.sqlite")).exists() {
            let mut resumed = place.start(&["resume", &run]);
            if let Some(feed) = resumed.feed_or_end() {
                post(
                    feed,
                    "/v1/candidates",
                    "{\"id\":\"a\",\"AGEP\":30,\"SEX\":\"1\"}",
                );
                assert_eq!(resumed.stop().0, Some(130), "{micros}");
                continue;
            }
            let (code, _, stderr) = resumed.end();
            assert_eq!(code, Some(1), "{micros}: {stderr}");
            stderr.says("was killed before it began");
        }
        anew += 1;
        let mut begun = place.start(&live(&run));
        let feed = begun.feed();
        post(
            feed,
            "/v1/candidates",
            "{\"id\":\"a\",\"AGEP\":30,\"SEX\":\"1\"}",
        );
        let (status, _) = ask(feed, "GET", "/metrics", "");
        assert_eq!(status, 200);
        assert_eq!(begun.stop().0, Some(130), "{micros}");
    }
    assert!(anew > 0, "all had begun");
}

/// What holds an entry, or a file of another kind, is never begun anew.
#[test]
fn what_was_begun_or_is_the_users_stays() {
    let place = Place::new();
    place.write("http.toml", &config(HTTP, "until = { rounds = 9 }", ""));
    let mut run = place.start(&live("run"));
    post(
        run.feed(),
        "/v1/candidates",
        "{\"id\":\"a\",\"AGEP\":30,\"SEX\":\"1\"}",
    );
    run.kill();
    let (code, _, stderr) = place.run(&live("run"));
    assert_eq!(code, Some(2), "{stderr}");
    stderr.says("holds the journal of a live run");
    // Its head is lost: what it had to reach is not known, and it is not taken for none.
    std::fs::write(place.path("run/journal.head"), "").expect("it is there");
    let before = std::fs::read(place.path("run/journal.sqlite")).expect("a journal");
    for args in [&live("run")[..], &["resume", "run"]] {
        let (code, _, stderr) = place.run(args);
        assert_eq!(code, Some(2), "{stderr}");
        let now = std::fs::read(place.path("run/journal.sqlite")).expect("a journal");
        assert_eq!(now, before);
    }
    std::fs::create_dir(place.path("mine")).expect("a folder");
    place.write("mine/journal.head", "");
    place.write("mine/notes.txt", "mine");
    let (code, _, stderr) = place.run(&live("mine"));
    assert_eq!(code, Some(2), "{stderr}");
    assert_eq!(place.read("mine/notes.txt"), "mine");
}
