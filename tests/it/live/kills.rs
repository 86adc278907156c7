//! Killed again and again while people come: none is lost, none comes twice, and the result is the
//! same.

mod odd;
mod senders;
mod settings;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use self::senders::{Acknowledged, Sending};
use self::settings::Setting;
use super::people::{HTTP, config, lines, people};
use crate::support::long;
use crate::support::process::{Live, Place, ask, live, post, same};

/// Programs in a course, of which one fails in each life but the last.
const FAULTS: usize = 4;
/// The lives of a run in a course.
const LIVES: usize = FAULTS + 1;
/// The people of a course.
const MANY: usize = 60;

#[test]
fn killed_at_any_moment_it_goes_on_with_all_that_was_acknowledged() {
    let place = Place::new();
    // One more than there are: no lane is ever over.
    let many = 1200;
    let until = format!("until = {{ rounds = {} }}", many + 1);
    place.write("http.toml", &config(HTTP, &until, ""));
    let people = people(many);
    let mut run = place.start(&live("whole"));
    post(run.feed(), "/v1/candidates", &lines(&people));
    assert_eq!(run.stop().0, Some(130));

    // Two kills each: 200, in the long form 2,400.
    let each = if long() > 1 { 1 } else { 12 };
    let mut run = place.start(&live("killed"));
    for (n, part) in people.chunks(each).enumerate() {
        let address = run.feed();
        // Sent without waiting for the answer: it may be taken or not, in part or whole.
        let body = lines(part);
        let sender = std::thread::spawn(move || {
            std::panic::catch_unwind(|| ask(address, "POST", "/v1/candidates", &body))
        });
        std::thread::sleep(Duration::from_micros((n as u64 * 977) % 6000));
        run.kill();
        drop(sender.join());
        run = place.start(&["resume", "killed"]);
        // Who did not hear sends once more.
        let address = run.feed();
        let answer = post(address, "/v1/candidates", &lines(part));
        let (new, old) = (&answer["accepted"], &answer["duplicates"]);
        let both = new.as_u64().zip(old.as_u64()).map(|(a, b)| a + b);
        assert_eq!(both, Some(part.len() as u64));
        run.kill();
        run = place.start(&["resume", "killed"]);
    }
    // Once it listens it hears an interrupt.
    run.feed();
    assert_eq!(run.stop().0, Some(130));
    same(&place, "whole", "killed");
}

#[test]
fn killed_with_an_acting_policy_and_programs_that_fail_behind_it() {
    courses(Setting::Native);
}

#[test]
fn killed_with_an_acting_program_that_fails_and_a_fallback() {
    courses(Setting::Fallback);
}

#[test]
fn killed_with_programs_that_fail_while_the_stream_waits_for_them() {
    courses(Setting::Shadows);
}

#[test]
fn killed_with_a_committee_whose_outcomes_are_reported_and_programs_that_fail() {
    courses(Setting::Committee);
}

#[test]
fn killed_with_slates_interviewers_and_programs_that_fail() {
    courses(Setting::Interviews);
}

/// Courses of a setting, of five kills each: one, in the long form eighty.
fn courses(setting: Setting) {
    let many = if long() > 1 { 80 } else { 1 };
    let (mut kills, mut shown, mut kept) = (0, 0, 0);
    for course in 0..many {
        let (killed, acknowledged) = self::course(setting, course * FAULTS);
        kills += killed;
        shown += acknowledged.events.len();
        kept += acknowledged.people.len() + acknowledged.outcomes.len() + acknowledged.looks.len();
    }
    println!(
        "{setting:?}: {kills} kills in {many} runs; {kept} people, outcomes and interviews were \
         acknowledged, {shown} decisions shown"
    );
    assert_eq!(kills, many * LIVES);
}

/// One run, killed and taken up again, with a program that fails in each of its lives; how often it
/// was killed, and what was acknowledged to senders. `number`: that of the first of these kills.
fn course(setting: Setting, number: usize) -> (usize, Acknowledged) {
    let place = Place::new();
    place.write("http.toml", &setting.config(number));
    let people = setting.people();
    let acknowledged = Mutex::new(Acknowledged::default());
    let mut kills = 0;
    let what = |life: usize| format!("{setting:?}, course {number}, life {life}");
    for life in 0..LIVES {
        place.write("life", &format!("{life}\n"));
        if life == 1 + number / FAULTS % FAULTS {
            // Killed while it is taken up again, too.
            let run = place.start(&["resume", "run"]);
            thread::sleep(Duration::from_millis((number * 7 % 61) as u64));
            run.kill();
            kills += 1;
        }
        let mut run = match life {
            0 => place.start(&live("run")),
            _ => place.start(&["resume", "run"]),
        };
        let Some(address) = run.feed_or_end() else {
            panic!("{}: not taken up again: {}", what(life), run.end().2);
        };
        let sending = Sending {
            setting,
            address,
            people: &people[..people.len() * (life + 1) / LIVES],
            acknowledged: &acknowledged,
            is_over: &AtomicBool::new(false),
        };
        thread::scope(|scope| {
            let followed = scope.spawn(|| sending.follow());
            let interviews = scope.spawn(|| sending.interview());
            if life == FAULTS {
                sending.send().expect("no one kills it");
                whole(run, &sending, &what(life));
                interviews
                    .join()
                    .expect("no panic")
                    .expect("no one kills it");
            } else {
                let sent = scope.spawn(|| sending.send());
                thread::sleep(Duration::from_millis(((number + life) * 53 % 127) as u64));
                run.kill();
                kills += 1;
                // It may have been done before.
                drop(sent.join().expect("no panic"));
                drop(interviews.join().expect("no panic"));
            }
            drop(followed.join().expect("no panic"));
        });
    }
    for life in 0..FAULTS {
        let broke = place.path(&format!("odd{life}.broke"));
        assert!(broke.exists(), "{}: odd{life} never failed", what(LIVES));
    }
    let acknowledged = acknowledged.into_inner().expect("no panic");
    // A committee may be full before all have come.
    let is_whole = setting == Setting::Committee || acknowledged.people.len() == MANY;
    assert!(is_whole, "{}: not all were taken", what(LIVES));
    holds(&place, &acknowledged, &what(LIVES));
    (kills, acknowledged)
}

/// Waits until no lane plays any more, and ends the run.
fn whole(mut run: Live, sending: &Sending<'_>, what: &str) {
    run.hears("no lane plays any more");
    sending.is_over.store(true, Ordering::Relaxed);
    let (code, _, stderr) = run.stop();
    assert_eq!(code, Some(0), "{what}: {stderr}");
}

/// Whether a run's folder holds once what was acknowledged, as it was shown; and the same when it
/// is played again.
#[track_caller]
fn holds(place: &Place, acknowledged: &Acknowledged, what: &str) {
    let written = place.read("run/decisions.ndjson");
    let written: BTreeSet<&str> = written.lines().collect();
    for event in &acknowledged.events {
        assert!(
            written.contains(&**event),
            "{what}: other than shown: {event}"
        );
    }
    let mut decided = BTreeMap::new();
    for line in &written {
        let decision: Value = serde_json::from_str(line).expect("JSON");
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        for id in decision["shown"].as_array().expect("a slate") {
            let chosen = decision["chosen"].as_array().expect("a list");
            let word = match (decision["forfeit"] == true, chosen.contains(id)) {
                (true, _) => "forfeit",
                (false, true) => "selected",
                (false, false) => "not_selected",
            };
            let before = decided.insert((text(id), text(&decision["policy"])), word);
            assert_eq!(before, None, "{what}: decided twice: {line}");
        }
    }
    for (at, word) in &acknowledged.answers {
        assert_eq!(decided.get(at), Some(&&**word), "{what}: {at:?}");
    }
    // Once each: a repeat would be listed twice.
    let entries = |kind: &str, columns: &str| {
        let store = place.path("run/journal.sqlite");
        let store = rusqlite::Connection::open(store).expect("a journal");
        let find = format!("SELECT {columns} FROM entry WHERE kind = '{kind}'");
        let mut find = store.prepare(&find).expect("SQL");
        let found = find.query_map([], |row| row.get(0)).expect("rows");
        let found: Vec<String> = found.map(|text| text.expect("a text")).collect();
        let once: BTreeSet<String> = found.iter().cloned().collect();
        assert_eq!(once.len(), found.len(), "{what}: {kind} twice");
        once
    };
    let holds = |kind: &str, columns: &str, acknowledged: BTreeSet<String>| {
        let entries = entries(kind, columns);
        let lost: Vec<_> = acknowledged.difference(&entries).collect();
        assert!(lost.is_empty(), "{what}: lost of {kind}: {lost:?}");
    };
    holds("candidate", "id", acknowledged.people.clone());
    holds("outcome", "id", acknowledged.outcomes.clone());
    let looks = acknowledged.looks.iter();
    let looks = looks.map(|(id, kind, nth)| format!("{id} {kind} {nth}"));
    let look = "id || ' ' || (body ->> 'kind') || ' ' || ((body ->> 'nth') + 1)";
    holds("answer", look, looks.collect());
    let args = [
        "replay",
        "run",
        "--trace",
        "decisions",
        "-q",
        "--out",
        "again",
    ];
    let (code, _, stderr) = place.run(&args);
    assert_eq!(code, Some(0), "{what}: {stderr}");
    for name in [
        "decisions.ndjson",
        "endings.csv",
        "replications.csv",
        "selected.csv",
    ] {
        let [one, other] = ["run", "again"].map(|folder| place.read(&format!("{folder}/{name}")));
        assert!(
            one == other,
            "{what}: {name} differs when it is played again"
        );
    }
}
