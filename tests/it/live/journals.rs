//! `klero journal`, and journals of formats from before.

use std::fs;
use std::path::Path;

use rusqlite::Connection;

use super::people::{HTTP, config, lines, people};
use crate::support::process::{Place, live, post, same};

const JOURNAL: &str = "journal.sqlite";

fn changed(place: &Place, folder: &str, sql: &str) {
    let store = Connection::open(place.path(folder).join(JOURNAL)).expect("a journal");
    store.execute_batch(sql).expect("it is done");
}

/// A run of some people that was killed.
fn killed(place: &Place, many: usize) {
    place.write("http.toml", &config(HTTP, "until = { rounds = 40 }", ""));
    let mut run = place.start(&live("run"));
    post(run.feed(), "/v1/candidates", &lines(&people(many)));
    run.kill();
}

/// The folder of a run whose journal is of a format, from its dump.
fn of_format(place: &Place, folder: &str, sql: &str, head: &str) {
    fs::create_dir(place.path(folder)).expect("a folder");
    changed(place, folder, sql);
    fs::write(place.path(folder).join("journal.head"), head).expect("a file");
}

#[test]
fn a_journal_of_each_format_is_replayed_and_goes_on() {
    let formats = [
        (
            "1",
            include_str!("formats/journal-1.sql"),
            include_str!("formats/journal-1.head"),
        ),
        (
            "2",
            include_str!("formats/journal-2.sql"),
            include_str!("formats/journal-2.head"),
        ),
    ];
    for (format, sql, head) in formats {
        let place = Place::new();
        of_format(&place, "run", sql, head);
        let found = place.good(&["journal", "verify", "run"]);
        assert!(found.contains(&format!("format   {format}\n")), "{found}");
        assert!(found.contains("people   12\n"), "{found}");
        place.good(&[
            "replay",
            "run",
            "--out",
            "again",
            "--trace",
            "decisions",
            "-q",
        ]);
        let wrote = |name: &str| place.read(&format!("again/{name}"));
        for (name, wanted) in [
            ("decisions.ndjson", include_str!("formats/decisions.ndjson")),
            ("selected.csv", include_str!("formats/selected.csv")),
            ("replications.csv", include_str!("formats/replications.csv")),
        ] {
            assert_eq!(wrote(name), wanted, "{name} of format {format}");
        }
        let mut run = place.start(&["resume", "run"]);
        let people = [1, 12].map(|n| format!("{{\"id\":\"p{n}\",\"age\":55,\"sex\":\"2\"}}"));
        let answer = post(run.feed(), "/v1/candidates", &lines(&people));
        let counts = (&answer["accepted"], &answer["duplicates"]);
        assert_eq!(counts, (&1.into(), &1.into()), "{format}");
        assert_eq!(run.stop().0, Some(130));
        let found = place.good(&["journal", "verify", "run", "--format", "json"]);
        let found: serde_json::Value = serde_json::from_str(&found).expect("JSON");
        assert_eq!(
            (&found["people"], &found["format"]),
            (&13.into(), &format.into())
        );
    }
}

#[test]
fn a_journal_of_an_unknown_format_is_refused_with_what_to_do() {
    let place = Place::new();
    let head = include_str!("formats/journal-2.head");
    of_format(&place, "run", include_str!("formats/journal-2.sql"), head);
    changed(
        &place,
        "run",
        "UPDATE fact SET value = '9' WHERE key = 'format'",
    );
    for command in [
        &["resume", "run"][..],
        &["replay", "run"],
        &["journal", "verify", "run"],
    ] {
        let (code, _, stderr) = place.run(command);
        assert_eq!(code, Some(2), "{stderr}");
        assert!(
            stderr.contains("this journal is of format \"9\""),
            "{stderr}"
        );
        assert!(
            stderr.contains("the version of klero that wrote it"),
            "{stderr}"
        );
    }
}

#[test]
fn a_dropped_index_is_named_and_repaired() {
    let place = Place::new();
    killed(&place, 12);
    assert!(
        place
            .good(&["journal", "verify", "run"])
            .contains("people   12\n")
    );
    changed(&place, "run", "DROP INDEX person");
    for command in [&["resume", "run"][..], &["replay", "run"]] {
        let (code, _, stderr) = place.run(command);
        assert_eq!(code, Some(2), "{stderr}");
        assert!(
            stderr.contains("UNIQUE INDEX person is missing"),
            "{stderr}"
        );
        assert!(stderr.contains("klero journal repair run"), "{stderr}");
    }
    let (code, stdout, stderr) = place.run(&["journal", "verify", "run"]);
    assert_eq!(code, Some(1), "{stderr}");
    assert!(stdout.contains("people   12\n"), "{stdout}");
    let (code, stdout, stderr) = place.run(&["journal", "repair", "run"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(
        stdout.contains("12 people; `klero resume run` goes on"),
        "{stdout}"
    );
    assert!(stderr.contains("run/journal.before-repair-1"), "{stderr}");
    assert!(
        place
            .path("run/journal.before-repair-1")
            .join(JOURNAL)
            .is_file()
    );
    let mut run = place.start(&["resume", "run"]);
    let answer = post(run.feed(), "/v1/candidates", &lines(&people(20)));
    let counts = (&answer["accepted"], &answer["duplicates"]);
    assert_eq!(counts, (&8.into(), &12.into()));
}

#[test]
fn a_lost_head_is_accepted_where_that_is_asked_for_and_it_says_what_is_not_proved() {
    let place = Place::new();
    killed(&place, 12);
    fs::remove_file(place.path("run/journal.head")).expect("it was there");
    for command in [&["resume", "run"][..], &["journal", "repair", "run"]] {
        let (code, _, stderr) = place.run(command);
        assert_ne!(code, Some(0), "{stderr}");
        assert!(
            stderr.contains("the head of the journal is gone"),
            "{stderr}"
        );
        assert!(
            stderr.contains("klero journal repair run --accept-end"),
            "{stderr}"
        );
    }
    let (code, _, stderr) = place.run(&["journal", "repair", "run", "--accept-end"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(
        stderr.contains("nothing proves that no entry after"),
        "{stderr}"
    );
    let (_, _, again) = place.run(&["journal", "repair", "run"]);
    assert!(again.contains("there was nothing to repair"), "{again}");
    let mut run = place.start(&["resume", "run"]);
    run.feed();
}

#[test]
fn a_backup_of_a_run_under_way_is_replayed_and_resumed_to_the_same_bytes() {
    let place = Place::new();
    place.write("http.toml", &config(HTTP, "until = { rounds = 40 }", ""));
    let people = people(40);
    let mut run = place.start(&live("run"));
    let address = run.feed();
    post(address, "/v1/candidates", &lines(&people[..25]));
    let told = place.good(&["journal", "backup", "run", "copy"]);
    assert!(told.contains("25 people"), "{told}");
    post(address, "/v1/candidates", &lines(&people[25..]));
    run.hears("no lane plays any more");
    assert_eq!(run.stop().0, Some(0));
    let mut run = place.start(&["resume", "copy"]);
    post(run.feed(), "/v1/candidates", &lines(&people[25..]));
    run.hears("no lane plays any more");
    assert_eq!(run.stop().0, Some(0));
    same(&place, "run", "copy");
}

#[test]
fn wrong_requests_about_journals_say_what_to_do() {
    let place = Place::new();
    killed(&place, 3);
    place.write("file", "");
    fs::create_dir(place.path("none")).expect("a folder");
    let cases: [(&[&str], &str); 6] = [
        (&["journal", "verify", "none"], "none holds no journal"),
        (
            &["journal", "repair", "file"],
            "file is a file, not the folder of a run",
        ),
        (
            &["journal", "backup", "nowhere", "copy"],
            "nowhere holds no journal",
        ),
        (&["journal", "backup", "run", "run"], "run is not empty"),
        (
            &["journal", "backup", "run", "file"],
            "the folder file can't be made",
        ),
        (&["journal", "verify"], "<DIR>"),
    ];
    for (command, words) in cases {
        let (code, stdout, stderr) = place.run(command);
        assert_eq!((code, &*stdout), (Some(2), ""), "{command:?}: {stderr}");
        assert!(stderr.contains(words), "{command:?}: {stderr}");
    }
    assert!(!Path::new(&place.path("copy")).exists());
    let mut run = place.start(&["resume", "run"]);
    run.feed();
    let (code, _, stderr) = place.run(&["journal", "repair", "run"]);
    assert_eq!(code, Some(2), "{stderr}");
    assert!(stderr.contains("another run is under way"), "{stderr}");
}
