//! Files that are followed, and rotated while the run is stopped.

use std::fs;
use std::time::{Duration, Instant};

use super::people::{config, lines, people};
use crate::support::process::{Live, PATIENCE, Place};

const FOLLOW: &str = "type = \"file\"\nfollow = true\npath = \"people.ndjson\"";

/// A run of a followed file that took 40 people, was killed, and did not see the next 100.
fn stopped_before_a_hundred(people: &[String]) -> Place {
    let place = Place::new();
    let rules = "until = { rounds = 1000 }";
    place.write("tail.toml", &config(FOLLOW, rules, ""));
    place.write("people.ndjson", &lines(&people[..40]));
    let run = place.start(&["live", "tail.toml", "--no-board", "--out", "run"]);
    until(&place, 40);
    run.kill();
    place.write("people.ndjson", &lines(&people[..140]));
    place
}

fn ids(place: &Place) -> Vec<String> {
    let store = rusqlite::Connection::open_with_flags(
        place.path("run/journal.sqlite"),
        rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY,
    );
    let read = store.and_then(|store| {
        let find = "SELECT id FROM entry WHERE kind = 'candidate' ORDER BY seq";
        let mut find = store.prepare(find)?;
        let ids = find.query_map([], |row| row.get(0))?;
        ids.collect()
    });
    // Where there is no table yet, no candidate has come.
    read.unwrap_or_default()
}

/// Waits until that many people are in the journal.
#[track_caller]
fn until(place: &Place, many: usize) {
    let begun = Instant::now();
    while ids(place).len() < many {
        assert!(begun.elapsed() < PATIENCE, "{} have come", ids(place).len());
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn renamed(place: &Place, from: &str, to: &str) {
    fs::rename(place.path(from), place.path(to)).expect("it is there");
}

#[track_caller]
fn whole(place: &Place, run: Live, many: usize) {
    until(place, many);
    assert_eq!(run.stop().0, Some(130));
    let wanted: Vec<_> = (0..many).map(|n| format!("p{n}")).collect();
    assert_eq!(ids(place), wanted);
}

#[test]
fn a_file_that_was_rotated_while_the_run_was_stopped_is_read_to_its_end_first() {
    let people = people(200);
    let place = stopped_before_a_hundred(&people);
    renamed(&place, "people.ndjson", "people.ndjson.1");
    place.write("people.ndjson", &lines(&people[140..170]));
    let run = place.start(&["resume", "run"]);
    until(&place, 170);
    run.kill();
    // Twice: those of the file that came and went in between are read as well.
    renamed(&place, "people.ndjson.1", "people.ndjson.3");
    renamed(&place, "people.ndjson", "people.ndjson.2");
    place.write("people.ndjson.1", &lines(&people[170..190]));
    place.write("people.ndjson", &lines(&people[190..]));
    let run = place.start(&["resume", "run"]);
    whole(&place, run, 200);
}

#[test]
fn a_followed_file_that_is_gone_is_said() {
    let people = people(200);
    let place = stopped_before_a_hundred(&people);
    renamed(&place, "people.ndjson", "kept");
    fs::create_dir(place.path("elsewhere")).expect("a folder");
    renamed(&place, "kept", "elsewhere/people.ndjson");
    place.write("people.ndjson", &lines(&people[140..]));
    let mut run = place.start(&["resume", "run"]);
    run.hears_of("no longer in its folder: records that were written to it after");
    until(&place, 100);
    run.kill();
    // Put there again, under any name, it is read.
    renamed(&place, "elsewhere/people.ndjson", "back");
    let run = place.start(&["resume", "run"]);
    until(&place, 200);
    assert_eq!(run.stop().0, Some(130));
}

#[test]
fn what_is_written_to_a_file_after_another_took_its_place_is_taken() {
    use std::io::Write;
    let people = people(200);
    let place = stopped_before_a_hundred(&people);
    let open = || {
        fs::OpenOptions::new()
            .append(true)
            .open(place.path("people.ndjson"))
    };
    let mut old = open().expect("it is there");
    let run = place.start(&["resume", "run"]);
    until(&place, 140);
    renamed(&place, "people.ndjson", "people.ndjson.1");
    place.write("people.ndjson", &lines(&people[140..150]));
    until(&place, 150);
    old.write_all(lines(&people[150..]).as_bytes())
        .expect("it is open");
    whole(&place, run, 200);
}
