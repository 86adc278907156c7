//! `[source] type = "nats"`: nothing lost, nothing twice, whatever breaks.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::Value;

use super::server::{Client, Server, free_port, program};
use crate::live::people::{HTTP, config, lines, people};
use crate::support::process::{Live, Place, live, post, same};

const MANY: usize = 3000;

/// The source of these tests.
pub(super) fn source(server: &str) -> String {
    format!(
        "type = \"nats\"\nurl = \"{server}\"\nstream = \"PEOPLE\"\nsubject = \"people.>\"\n\
         durable = \"run1\"\nack_wait = \"2s\"\nmax_ack_pending = 500"
    )
}

/// No lane is ever over.
pub(super) const UNTIL: &str = "until = { rounds = 100000 }";

/// The arguments that play `nats.toml` live into a folder.
pub(super) fn from_nats(folder: &str) -> [&str; 7] {
    let mut args = live(folder);
    args[1] = "nats.toml";
    args
}

/// The ids of whom a run's first policy was shown, in order.
fn shown(place: &Place, folder: &str) -> Vec<String> {
    let text = place.read(&format!("{folder}/decisions.ndjson"));
    let read = text
        .lines()
        .map(|line| -> Value { serde_json::from_str(line).expect("JSON") });
    let of_all = read.filter(|one| one["policy"] == "all");
    let id = |one: Value| one["shown"][0].as_str().expect("an id").to_owned();
    of_all.map(id).collect()
}

/// How many people the journal of a run holds.
fn held(place: &Place, folder: &str) -> usize {
    let path = place.path(folder).join("journal.sqlite");
    let count = || -> Option<u32> {
        let store = rusqlite::Connection::open(&path).ok()?;
        let sql = "SELECT count(*) FROM entry WHERE kind = 'candidate'";
        store.query_row(sql, [], |row| row.get::<_, u32>(0)).ok()
    };
    match path.exists() {
        true => count().unwrap_or(0) as usize,
        false => 0,
    }
}

/// Waits until the journal of a run holds this many people.
#[track_caller]
pub(super) fn holds(place: &Place, folder: &str, many: usize) {
    let deadline = std::time::Instant::now() + crate::support::process::PATIENCE;
    while held(place, folder) < many {
        let held = held(place, folder);
        assert!(std::time::Instant::now() < deadline, "{held} of {many}");
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(held(place, folder), many);
}

/// Killed again and again while people come over NATS: none is lost, none comes twice, and the
/// result is that of the same people over HTTP.
#[test]
fn killed_at_any_moment_it_loses_no_message_and_takes_none_twice() {
    let Some(program) = program() else { return };
    let server = Server::start(program, "");
    let client = Client::of(&server.url());
    client.stream("PEOPLE", "people.>");
    let place = Place::new();
    place.write("nats.toml", &config(&source(&server.url()), UNTIL, ""));
    place.write("http.toml", &config(HTTP, UNTIL, ""));
    let people = people(MANY);
    let mut run = place.start(&from_nats("killed"));
    let kills = 6;
    // The last come once the run was taken up for the last time.
    let (early, last) = people.split_at(MANY - 10);
    for (n, part) in early.chunks(MANY.div_ceil(kills)).enumerate() {
        std::thread::scope(|scope| {
            let before = held(&place, "killed");
            scope.spawn(|| client.publish("people.a", part));
            while held(&place, "killed") == before {
                std::thread::sleep(Duration::from_millis(1));
            }
            std::thread::sleep(Duration::from_micros((n as u64 * 9_377) % 40_000));
            run.kill();
        });
        run = place.start(&["resume", "killed", "--no-board", "--trace", "decisions"]);
    }
    client.publish("people.a", last);
    holds(&place, "killed", MANY);
    client.drained("PEOPLE", "run1");
    assert_eq!(run.stop().0, Some(130));

    // A redelivered message comes later than it was sent: the journal has the one order.
    let order = shown(&place, "killed");
    let distinct: BTreeSet<&String> = order.iter().collect();
    assert_eq!((order.len(), distinct.len()), (MANY, MANY));
    let record = |id: &String| people[id[1..].parse::<usize>().expect("a number")].clone();
    let again: Vec<String> = order.iter().map(record).collect();
    let mut run = place.start(&live("whole"));
    post(run.feed(), "/v1/candidates", &lines(&again));
    assert_eq!(run.stop().0, Some(130));
    same(&place, "whole", "killed");
}

/// A message is a record: those that can't be read are acknowledged and noted, CloudEvents are
/// unwrapped, a message without an id is called by its number, and the server's end is seen.
#[test]
fn messages_are_records_and_a_lost_connection_is_made_again() {
    let Some(program) = program() else { return };
    let mut server = Server::start(program, "");
    let client = Client::of(&server.url());
    client.stream("PEOPLE", "people.>");
    let place = Place::new();
    place.write("nats.toml", &config(&source(&server.url()), UNTIL, ""));
    let person = |id: &str| format!("{{\"id\":\"{id}\",\"AGEP\":40,\"SEX\":\"1\"}}");
    let plain = "{\"AGEP\":40,\"SEX\":\"1\"}";
    client.publish(
        "people.a",
        &[person("a"), "no JSON".to_owned(), person("a")],
    );
    let wrapped = format!(
        "{{\"specversion\":\"1.0\",\"type\":\"t\",\"source\":\"/s\",\"id\":\"7\",\"data\":{}}}",
        person("b")
    );
    client.publish("people.a", &[wrapped]);
    let headers = [
        ("ce-specversion", "1.0"),
        ("ce-source", "/s"),
        ("ce-id", "8"),
    ];
    client.publish_with("people.b", &headers, &person("c"));
    client.publish_with("people.b", &headers[1..], &person("d"));
    client.publish("people.a", &["x".repeat(200_000), String::new()]);

    let mut run = place.start_with(&from_nats("run")[..], &[("RUST_LOG", "warn")]);
    holds(&place, "run", 3);
    client.drained("PEOPLE", "run1");
    server.kill();
    run.hears_of("the connection to NATS is lost");
    server.go();
    let client = Client::of(&server.url());
    client.publish("people.a", &[person("e"), plain.to_owned()]);
    holds(&place, "run", 4);
    client.drained("PEOPLE", "run1");
    assert_eq!(run.stop().0, Some(130));
    assert_eq!(shown(&place, "run"), ["a", "b", "c", "e"]);
    let bad = place.read("run/bad.ndjson");
    let bad: Vec<Value> = bad
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let lines: Vec<u64> = bad.iter().filter_map(|one| one["line"].as_u64()).collect();
    assert_eq!(lines, [2, 6, 7, 8, 10], "{bad:?}");
    let error = |at: usize| bad[at]["error"].as_str().expect("a text");
    assert!(error(1).contains("`ce-specversion` is missing"), "{bad:?}");
    assert!(error(2).contains("longer than one may be"), "{bad:?}");
}

/// People without ids are called by the number of their message, so that a message which comes
/// once more is known.
#[test]
fn a_message_without_an_id_is_known_by_its_number() {
    let Some(program) = program() else { return };
    let server = Server::start(program, "");
    let client = Client::of(&server.url());
    client.stream("PEOPLE", "people.>");
    let place = Place::new();
    let text = config(&source(&server.url()), UNTIL, "");
    place.write("nats.toml", &text.replace("id = \"id\"\n", ""));
    let plain: Vec<String> = (0..200)
        .map(|n| format!("{{\"AGEP\":{},\"SEX\":\"1\"}}", 20 + n % 60))
        .collect();
    client.publish("people.a", &plain);
    let run = place.start(&from_nats("run"));
    holds(&place, "run", 200);
    run.kill();
    // What the server has not heard of it sends again, and more.
    client.publish("people.a", &plain[..50]);
    let run: Live = place.start(&["resume", "run", "--no-board", "--trace", "decisions"]);
    holds(&place, "run", 250);
    client.drained("PEOPLE", "run1");
    assert_eq!(run.stop().0, Some(130));
    let mut shown = shown(&place, "run");
    shown.sort_by_key(|id| id.parse::<u64>().expect("a number"));
    let all: Vec<String> = (1..=250).map(|n: u64| n.to_string()).collect();
    assert_eq!(shown, all);
}

/// What can't be is said before anything is played.
#[test]
fn what_is_not_there_is_named_with_its_remedy() {
    let Some(program) = program() else { return };
    let server = Server::start(program, "");
    let client = Client::of(&server.url());
    let place = Place::new();
    let refused = |source: &str, words: &[&str]| {
        place.write("nats.toml", &config(source, UNTIL, ""));
        let (code, _, stderr) = place.run(&from_nats("run"));
        assert_eq!(code, Some(2), "{stderr}");
        for word in words {
            assert!(stderr.contains(word), "{word:?}: {stderr}");
        }
        assert!(!place.path("run/journal.sqlite").exists());
    };
    let nowhere = format!("nats://127.0.0.1:{}", free_port());
    refused(
        &source(&nowhere),
        &["no NATS server answers at", "nats-server -js"],
    );
    refused(
        &source(&server.url()),
        &["the stream \"PEOPLE\"", "nats stream add PEOPLE"],
    );
    client.stream("PEOPLE", "people.>");
    let other = source(&server.url()).replace("people.>", "animals.>");
    refused(
        &other,
        &["has the subject animals.>", "its subjects are people.>"],
    );
    // A consumer that is another's.
    client.runtime.block_on(async {
        let stream = client.context.get_stream("PEOPLE").await.expect("a stream");
        let config = async_nats::jetstream::consumer::pull::Config {
            durable_name: Some("run1".to_owned()),
            ack_policy: async_nats::jetstream::consumer::AckPolicy::None,
            ..Default::default()
        };
        stream.create_consumer(config).await.expect("a consumer");
    });
    refused(
        &source(&server.url()),
        &[
            "does not acknowledge each message",
            "nats consumer rm PEOPLE run1",
        ],
    );
    for (key, words) in [
        ("url = \"http://x\"", "is no address of a NATS server"),
        ("url = \"nats://me:word@x\"", "KLERO_NATS_TOKEN"),
        ("stream = \"A B\"", "is no name of a stream"),
        ("durable = \"a.b\"", "is no name of a consumer"),
        ("subject = \"a..b\"", "is no subject"),
        ("ack_wait = \"1ms\"", "a time from a second on"),
        ("max_ack_pending = 0", "max_ack_pending"),
        ("deliver = \"last\"", "deliver"),
        ("sync = \"never\"", "sync"),
        ("monitor = \"127.0.0.1:8222\"", "is no monitoring address"),
        ("monitor = \"http://a, http://a:8222\"", "comes twice"),
        ("monitor = \"http://me:word@a\"", "a secret in an address"),
        ("decoding.codec = \"csv\"", "JSON alone"),
    ] {
        let name = key.split([' ', '.']).next().expect("a key");
        let all = source(&server.url());
        let others = all.lines().filter(|line| !line.starts_with(name));
        let text = others.collect::<Vec<_>>().join("\n") + "\n" + key;
        refused(&text, &[words]);
    }
}
