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
    (
        "decisions.ndjson",
        include_str!("formats/decisions-2.ndjson"),
    ),
    ("selected.csv", include_str!("formats/selected.csv")),
    ("replications.csv", include_str!("formats/replications.csv")),
];

/// Measures that came later.
const ADDED: [&str; 2] = [",impact_ratio.age,", ",impact_ratio.sex,"];

/// Its decisions, in the version of the lines of then.
const OLD_DECISIONS: &str = include_str!("formats/decisions.ndjson");

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
            // Measures may be added; none that was there changes.
            let again = place.read(&format!("again/{name}"));
            let known = again
                .lines()
                .filter(|line| !ADDED.iter().any(|new| line.contains(new)));
            let known: String = known.map(|line| format!("{line}\n")).collect();
            assert_eq!(known, wrote, "{name}");
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

/// Lines of version 2 have what those of version 1 had, unchanged; what is told of a folder of before
/// is what is told of one of now.
#[test]
fn decisions_of_version_1_are_read_and_those_of_version_2_have_all_that_they_had() {
    let read = |line: &str| -> serde_json::Value { serde_json::from_str(line).expect("JSON") };
    let added = [
        "version",
        "looks",
        "more_looks",
        "offers",
        "heard",
        "pool",
        "noted",
    ];
    let (old, new) = (OLD_DECISIONS.lines(), WROTE[0].1.lines());
    assert_eq!(old.clone().count(), new.clone().count());
    for (old, new) in old.zip(new) {
        let mut new = read(new);
        assert_eq!(new["version"], 2);
        let members = new.as_object_mut().expect("an object");
        members.retain(|name, _| !added.contains(&name.as_str()));
        assert_eq!(new, read(old));
    }
    let told = |text: &str| {
        let place = Place::new();
        fs::create_dir(place.path("old")).expect("a folder");
        place.write("old/decisions.ndjson", text);
        let of_one = place.good(&["trace", "old", "--candidate", "p3"]);
        (place.good(&["trace", "old", "--round", "4"]), of_one)
    };
    let (old, new) = (told(OLD_DECISIONS), told(WROTE[0].1));
    assert_eq!(old.0, new.0);
    assert!(
        old.1.starts_with("person p3: 2 of 24 decisions\n"),
        "{}",
        old.1
    );
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
