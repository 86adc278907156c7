//! Who people are to the outside world: ids of their own, or their numbers, and never both.

use std::io::Write;
use std::net::{Shutdown, TcpStream};

use super::people::{HTTP, config, lines};
use crate::support::process::{Live, PATIENCE, Place, ask, post};
use crate::support::says::Says as _;

/// A config whose people need no id.
fn unnamed(source: &str, rounds: usize) -> String {
    let text = config(source, &format!("until = {{ rounds = {rounds} }}"), "");
    text.replace("id = \"id\"\n", "")
}

const NAMELESS: &str = "{\"AGEP\":40,\"SEX\":\"2\"}";

fn named(id: usize) -> String {
    format!("{{\"id\":\"{id}\",\"AGEP\":40,\"SEX\":\"2\"}}")
}

pub fn sends(run: &mut Live, text: &str) {
    let mut pipe = run.stdin.take().expect("piped");
    pipe.write_all(text.as_bytes()).expect("it reads");
}

/// The answer to a connection that sends this.
pub fn answer_to(address: std::net::SocketAddr, text: &str) -> serde_json::Value {
    let mut stream = TcpStream::connect(address).expect("it listens");
    stream.set_read_timeout(Some(PATIENCE)).expect("a socket");
    stream.write_all(text.as_bytes()).expect("it reads");
    stream.shutdown(Shutdown::Write).expect("a socket");
    serde_json::from_reader(stream).expect("JSON")
}

#[test]
fn who_has_an_id_among_those_who_have_none_is_refused_and_not_dropped_as_a_repeat() {
    let place = Place::new();
    place.write("stdin.toml", &unnamed("type = \"stdin\"", 100));
    let person = |n| match n % 2 {
        0 => named(n),
        _ => NAMELESS.to_owned(),
    };
    let mixed: Vec<String> = (1..=20).map(person).collect();
    let mut run = place.start(&["live", "stdin.toml", "--no-board", "--out", "run"]);
    sends(&mut run, &lines(&mixed));
    let (_, _, stderr) = run.end();
    stderr.never_says("repeats");
    let bad = place.read("run/bad.ndjson");
    assert_eq!(bad.lines().count(), 10, "{bad}");
    for (n, line) in (1..).zip(bad.lines()) {
        let rejected: serde_json::Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(
            (&rejected["line"], &rejected["record"]),
            (&(2 * n).into(), &named(2 * n).into())
        );
        let error = rejected["error"].as_str().expect("a text");
        assert_eq!(
            error,
            "it has an `id`, and those before it had none: give all an id, or none"
        );
    }
}

#[test]
fn who_sends_both_kinds_by_http_or_tcp_hears_the_line_also_after_a_crash() {
    let place = Place::new();
    let words = "it has no `id`, and those before it had one: give all an id, or none";
    place.write("http.toml", &unnamed(HTTP, 100));
    let mut run = place.start(&["live", "http.toml", "--no-board", "--out", "http"]);
    let mut address = run.feed();
    post(address, "/v1/candidates", &named(3));
    for again in [false, true] {
        if again {
            run.kill();
            run = place.start(&["resume", "http"]);
            address = run.feed();
        }
        let two = format!("{NAMELESS}\n{NAMELESS}\n");
        let (status, answer) = ask(address, "POST", "/v1/candidates", &two);
        assert_eq!(status, 422, "{answer}");
        let answer: serde_json::Value = serde_json::from_str(&answer).expect("JSON");
        assert_eq!(answer["places"][1]["line"], 2);
        assert_eq!(answer["places"][1]["error"], words);
        let mixed = format!("{}\n{NAMELESS}\n", named(4 + usize::from(again)));
        let answer = post(address, "/v1/candidates", &mixed);
        assert_eq!(
            (&answer["accepted"], &answer["rejected"][0]["line"]),
            (&1.into(), &2.into())
        );
        let (status, answer) = ask(address, "POST", "/v1/decisions", NAMELESS);
        assert!(
            status == 422 && answer.contains(words),
            "{status}: {answer}"
        );
    }
    run.stop();
    let bad = place.read("http/bad.ndjson");
    assert_eq!(bad.lines().count(), 8, "{bad}");
    bad.says(&NAMELESS.replace('"', "\\\""));

    let tcp = "type = \"tcp\"\naddress = \"127.0.0.1:0\"";
    place.write("tcp.toml", &unnamed(tcp, 100));
    let mut run = place.start(&["live", "tcp.toml", "--no-board", "--out", "tcp"]);
    let answer = answer_to(
        run.feed(),
        &format!("{}\n{NAMELESS}\n{}\n", named(3), named(3)),
    );
    assert_eq!(
        (&answer["accepted"], &answer["duplicates"]),
        (&1.into(), &1.into())
    );
    assert_eq!(
        answer["rejected"],
        serde_json::json!([{"line": 2, "error": words}])
    );
    run.stop();
}

#[test]
fn a_request_that_is_taken_whole_or_not_at_all_is_of_one_kind() {
    let place = Place::new();
    let source = format!("{HTTP}\non_error = \"reject\"");
    place.write("http.toml", &unnamed(&source, 100));
    let mut run = place.start(&["live", "http.toml", "--no-board", "--out", "run"]);
    let address = run.feed();
    let mixed = format!("{}\n{NAMELESS}\n", named(1));
    let (status, answer) = ask(address, "POST", "/v1/candidates", &mixed);
    assert_eq!(status, 422, "{answer}");
    // No record was taken: either kind may begin.
    assert_eq!(post(address, "/v1/candidates", NAMELESS)["accepted"], 1);
    run.stop();
}

#[test]
fn a_stream_ends_with_a_person_of_the_other_kind_where_that_is_asked_for() {
    let place = Place::new();
    let source = "type = \"stdin\"\non_error = \"halt\"";
    place.write("stdin.toml", &unnamed(source, 100));
    let mut run = place.start(&["live", "stdin.toml", "--no-board", "--out", "run"]);
    sends(&mut run, &format!("{NAMELESS}\n{}\n{NAMELESS}\n", named(2)));
    let (code, _, stderr) = run.end();
    assert_eq!(code, Some(1), "{stderr}");
    stderr.says("line 2 of the feed: it has an `id`");
}

#[test]
fn those_without_an_id_are_known_again_when_their_file_is_read_again() {
    let place = Place::new();
    place.write(
        "tail.toml",
        &unnamed(
            "type = \"file\"\nfollow = true\npath = \"people.ndjson\"",
            100,
        ),
    );
    let write = |many: usize| place.write("people.ndjson", &format!("{NAMELESS}\n").repeat(many));
    let persons = || {
        let store = rusqlite::Connection::open_with_flags(
            place.path("run/journal.sqlite"),
            rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY,
        );
        let count = "SELECT count(*) FROM entry WHERE kind = 'candidate'";
        let count = store.and_then(|store| store.query_row(count, [], |row| row.get::<_, i64>(0)));
        // Where there is no table yet, no candidate has come.
        count.unwrap_or(0)
    };
    let until = |many: i64| {
        let begun = std::time::Instant::now();
        while persons() < many {
            assert!(begun.elapsed() < PATIENCE, "{} have come", persons());
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    };
    write(5);
    let run = place.start(&["live", "tail.toml", "--no-board", "--out", "run"]);
    until(5);
    run.kill();
    write(8);
    let run = place.start(&["resume", "run"]);
    until(8);
    run.stop();
    assert_eq!(persons(), 8);
    assert!(!place.path("run/bad.ndjson").exists());
}

#[test]
fn rows_under_another_delimiter_are_refused_once_with_the_one_they_seem_to_have() {
    let place = Place::new();
    let rows = format!("id;SEX;AGEP\n{}", "a;1;40\n".repeat(50));
    let help = "they seem to be separated by `;`: set decoding.delimiter = \";\"";
    let source = |kind: &str| {
        let text = format!("{kind}\ndecoding.codec = \"csv\"");
        config(&text, "until = { rounds = 60 }", "")
    };
    place.write("stdin.toml", &source("type = \"stdin\""));
    let mut run = place.start(&["live", "stdin.toml", "--no-board", "--out", "run"]);
    sends(&mut run, &rows);
    let (code, _, stderr) = run.end();
    assert_eq!(code, Some(1), "{stderr}");
    stderr.says(help);
    let bad = place.read("run/bad.ndjson");
    assert_eq!(bad.lines().count(), 1, "{bad}");

    place.write(
        "tcp.toml",
        &source("type = \"tcp\"\naddress = \"127.0.0.1:0\""),
    );
    let mut run = place.start(&["live", "tcp.toml", "--no-board", "--out", "tcp"]);
    let address = run.feed();
    let answer = answer_to(address, &rows);
    assert_eq!(answer["rejected"].as_array().map(Vec::len), Some(1));
    assert!(
        answer["error"].to_string().contains("separated by `;`"),
        "{answer}"
    );
    // The others are heard on.
    assert_eq!(answer_to(address, "id,SEX,AGEP\nb,1,40\n")["accepted"], 1);
    run.stop();

    place.write("http.toml", &config(HTTP, "until = { rounds = 60 }", ""));
    let mut run = place.start(&["live", "http.toml", "--no-board", "--out", "http"]);
    let address = run.feed();
    let head = "content-type: text/csv\r\n";
    let (status, answer) =
        crate::support::process::ask_with(address, "POST", "/v1/candidates", head, &rows);
    let answer: serde_json::Value = serde_json::from_str(&answer).expect("JSON");
    assert_eq!(status, 400, "{answer}");
    assert!(
        answer["error"].as_str().expect("a text").contains(help),
        "{answer}"
    );
    run.stop();
}
