//! Journals as earlier versions wrote them: `formats/` has one of each format, as SQL.

use std::fs;

use rusqlite::Connection;

use super::people::lines;
use crate::support::process::{Place, post};
use crate::support::says::Says as _;

const SQL: &str = include_str!("formats/journal-1.sql");
const HEAD: &str = include_str!("formats/journal-1.head");

/// What a run of that version wrote.
const WROTE: [(&str, &str); 3] = [
    ("decisions.ndjson", include_str!("formats/decisions.ndjson")),
    ("selected.csv", include_str!("formats/selected.csv")),
    ("replications.csv", include_str!("formats/replications.csv")),
];

/// The folder `run` with the journal of format 1, changed.
fn place(changes: &str) -> Place {
    let place = Place::new();
    let folder = place.path("run");
    fs::create_dir(&folder).expect("a folder");
    let store = Connection::open(folder.join("journal.sqlite")).expect("a database");
    store.execute_batch(SQL).expect("SQL");
    store.execute_batch(changes).expect("SQL");
    fs::write(folder.join("journal.head"), HEAD).expect("a file");
    place
}

#[test]
fn a_journal_of_format_1_is_replayed_to_the_same_bytes_and_goes_on() {
    // Runs that began before there were corrections lack their index.
    for changes in ["", "DROP INDEX correction"] {
        let place = place(changes);
        place.good(&["journal", "verify", "run"]);
        place.good(&[
            "replay",
            "run",
            "--out",
            "again",
            "--trace",
            "decisions",
            "-q",
        ]);
        for (name, wrote) in WROTE {
            assert_eq!(place.read(&format!("again/{name}")), wrote, "{name}");
        }
        let mut run = place.start(&["resume", "run"]);
        let people = [1, 12].map(|n| format!("{{\"id\":\"p{n}\",\"age\":55,\"sex\":\"2\"}}"));
        let address = run.feed();
        let answer = post(address, "/v1/candidates", &lines(&people));
        assert_eq!(answer["accepted"], 1, "{answer}");
        let outcome = "{\"candidate_id\":\"p1\",\"outcome\":2}";
        assert_eq!(post(address, "/v1/outcomes", outcome)["duplicates"], 1);
        assert_eq!(run.stop().0, Some(130));
        let verified = place.good(&["journal", "verify", "run"]);
        verified.says("entries of 13 people");
        let decisions = place.read("run/decisions.ndjson");
        assert!(decisions.starts_with(WROTE[0].1), "{decisions}");
    }
}

#[test]
fn a_journal_of_an_unknown_format_is_refused_with_what_to_do() {
    let place = place("UPDATE fact SET value = '2' WHERE key = 'format'");
    for command in [
        &["resume", "run"][..],
        &["replay", "run"],
        &["journal", "verify", "run"],
        &["journal", "repair", "run"],
        &["journal", "backup", "run", "copy"],
    ] {
        let (code, _, stderr) = place.run(command);
        assert_eq!(code, Some(2), "{command:?}: {stderr}");
        for words in ["is of format \"2\"", "the version of klero that wrote it"] {
            assert!(stderr.contains(words), "{command:?}: {stderr}");
        }
    }
}
