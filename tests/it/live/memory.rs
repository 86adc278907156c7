//! People from the memory of a program: the run is that of the standard input.

use std::io::Write;
use std::sync::Arc;
use std::thread;

use kleroterion::config::{ConfigInputs, Document, check};
use kleroterion::feed::{Fate, MemorySender, Taken, memory_feed};
use kleroterion::live::session::{Options, Origin, play};
use kleroterion::report::csv::write_replications;
use kleroterion::run::Settings;
use kleroterion::watch::served::ServedReport;

use super::people::{config, lines, people};
use crate::support::process::{Place, SAME};
use crate::support::says::Says as _;

const MANY: usize = 3_000;

/// The people, one after another; the last fates are awaited together.
fn send(sender: &MemorySender, people: Vec<String>) -> Vec<Option<Fate>> {
    let sent: Vec<_> = people
        .into_iter()
        .map(|person| sender.send_blocking(person).expect("the feed is open"))
        .collect();
    sent.into_iter().map(|one| one.fate_blocking()).collect()
}

fn options() -> Options<'static> {
    Options {
        settings: Settings::default(),
        board: false,
        stays: false,
        facts: Vec::new(),
        config: String::new(),
        joins: None,
        joined: 0,
        without: Vec::new(),
        bad: None,
        listening: Box::new(|_| {}),
        watching: Box::new(|_| {}),
        prepare: Box::new(|| Ok(())),
        over: Box::new(|_| {}),
        report: Arc::new(ServedReport::new()),
    }
}

#[test]
fn people_from_memory_are_decided_as_those_of_the_standard_input() {
    let place = Place::new();
    let people = people(MANY);
    let until = format!("until = {{ rounds = {MANY} }}");
    place.write("stdin.toml", &config("type = \"stdin\"", &until, ""));
    let mut run = place.start(&["live", "stdin.toml", "--out", "stdin", "--no-board"]);
    let mut pipe = run.stdin.take().expect("piped");
    pipe.write_all(lines(&people).as_bytes()).expect("it reads");
    drop(pipe);
    let (code, _, stderr) = run.end();
    assert_eq!(code, Some(0), "{stderr}");

    let (sender, feed) = memory_feed(64);
    let sending = thread::spawn(move || send(&sender, people));
    let text = config("type = \"memory\"", &until, "");
    let document = Document::parse(&text).expect("it is TOML");
    let plan = check(&document, ConfigInputs::default().with_feed(feed));
    let plan = plan.unwrap_or_else(|wrong| panic!("{wrong}"));
    let folder = place.path("memory");
    std::fs::create_dir(&folder).expect("it can be made");
    let played = play(&plan, options(), Origin::New(&folder), |_| Ok(()));
    let result = played.unwrap_or_else(|error| panic!("{error}")).result;

    let mut written = Vec::new();
    write_replications(&result, &mut written).expect("memory");
    assert!(SAME.contains(&"replications.csv"));
    assert_eq!(
        String::from_utf8(written).expect("text"),
        place.read("stdin/replications.csv")
    );
    let fates = sending.join().expect("it ends");
    for (at, fate) in fates.iter().enumerate() {
        let taken = match fate {
            Some(Fate::Answered(Taken::Accepted { person, .. })) => *person,
            other => panic!("{at}: {other:?}"),
        };
        assert_eq!(taken, Some(at as u64));
    }
}

#[test]
fn the_program_klero_says_that_it_has_no_such_people() {
    let place = Place::new();
    let until = "until = { rounds = 5 }";
    place.write("memory.toml", &config("type = \"memory\"", until, ""));
    place.good(&["check", "memory.toml"]);
    let (code, _, refused) = place.run(&["live", "memory.toml", "--out", "out", "--no-board"]);
    assert_eq!(code, Some(2), "{refused}");
    refused.says("people come from the memory of a program, and none hands them in");
    refused.says("take a source of type \"stdin\"");
}
