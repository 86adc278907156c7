//! Every door by which JSON comes in, times every fault that it may have: members are there once,
//! ids are as they are written, nesting is bounded.

use std::net::SocketAddr;

use serde_json::{Map, Value};

use super::interviews::kit::{self, PEOPLE, TWO, entries, get};
use super::names::{answer_to, sends};
use super::outcomes::{REPORTED, metric};
use super::people::{HTTP, config};
use crate::support::process::{Place, ask_with, live, post};
use crate::support::says::Says as _;

/// Numbers that are ids, each with the one that a reader of floats takes it for.
const IDS: [(&str, &str); 9] = [
    ("9007199254740993", "9007199254740992"),
    ("18446744073709551617", "18446744073709551616"),
    ("1.10", "1.1"),
    ("1e2", "100"),
    ("1E+2", "100.0"),
    ("-0", "0"),
    ("1E400", "1e400"),
    ("0.30000000000000001", "0.3"),
    ("-7.0", "-7"),
];

/// An object with what no record may have, and the words in which it is refused.
fn faults(object: &str) -> Vec<(String, String)> {
    let with = |more: &str| format!("{},{more}}}", object.strip_suffix('}').expect("an object"));
    let (mut found, twice) = (Vec::new(), |name: &str| {
        format!("the member '{name}' is there twice")
    });
    let members: Map<String, Value> = serde_json::from_str(object).expect("an object");
    for (name, value) in members {
        let escaped = format!("\\u{:04x}{}", name.as_bytes()[0], &name[1..]);
        found.push((with(&format!("\"{name}\":{value}")), twice(&name)));
        found.push((with(&format!("\"{name}\":\"zoe\"")), twice(&name)));
        found.push((with(&format!("\"{escaped}\":17")), twice(&name)));
    }
    let many: Vec<String> = (0..70).map(|n| format!("\"m{}\":{n}", n % 69)).collect();
    let deep = "objects and lists are more than 32 deep in `x`";
    for (more, words) in [
        (
            r#""x":{"a":1,"a":1}"#,
            "the member 'a' is there twice in `x`",
        ),
        (
            r#""x":[{"y":{"a":1,"b":[],"a":2}}]"#,
            "the member 'a' is there twice in `y` in `x`",
        ),
        (&many.join(","), "the member 'm0' is there twice"),
        (&format!("\"x\":{}{}", "[".repeat(32), "]".repeat(32)), deep),
        (
            &format!("\"x\":{}1{}", "{\"a\":".repeat(999), "}".repeat(999)),
            "more than 32 deep in `a`",
        ),
        (r#""x":"\ud800""#, "no character in `x`"),
        (r#""x":["\udc00\ud800"]"#, "no character in `x`"),
        (r#""\ud800":1"#, "escape"),
    ] {
        found.push((with(more), words.into()));
    }
    found
}

/// The same in envelopes, and envelopes that are faulty themselves.
fn enveloped(object: &str) -> Vec<(String, String)> {
    let envelope = |data: &str| {
        format!("{{\"specversion\":\"1.0\",\"id\":\"e\",\"source\":\"/s\",\"data\":{data}}}")
    };
    let within = faults(object).into_iter();
    let mut found: Vec<_> = within
        .filter(|(_, words)| !words.contains("deep"))
        .map(|(text, words)| (envelope(&text), words))
        .collect();
    let whole = envelope(object);
    let twice = |more: &str| whole.replacen('{', &format!("{{{more},"), 1);
    for (more, name) in [
        ("\"data\":{}", "data"),
        ("\"id\":1", "id"),
        ("\"specversion\":\"1.0\"", "specversion"),
    ] {
        found.push((twice(more), format!("the member '{name}' is there twice")));
    }
    found
}

const JSON: &str = "content-type: application/json\r\n";
const LINES: &str = "content-type: application/x-ndjson\r\n";
const EVENT: &str = "content-type: application/cloudevents+json\r\n";
const EVENTS: &str = "content-type: application/cloudevents-batch+json\r\n";
const HEADERS: &str = "content-type: application/json\r\nce-specversion: 1.0\r\nce-id: 7\r\n\
                       ce-source: /s\r\n";

/// A door refuses each fault, in whatever form it comes.
#[track_caller]
fn refuses(address: SocketAddr, path: &str, object: &str) {
    let refused = |headers: &str, body: &str, words: &str| {
        let (status, answer) = ask_with(address, "POST", path, headers, body);
        assert!(
            status == 422 && answer.contains(words),
            "{path} {headers}{body:.300}: {status} {answer:.600}, wanted {words}"
        );
    };
    for (text, words) in faults(object) {
        refused(JSON, &text, &words);
        refused(JSON, &format!("[{text}]"), &words);
        refused(LINES, &text, &words);
    }
    for (text, words) in enveloped(object) {
        refused(EVENT, &text, &words);
        refused(EVENTS, &format!("[{text}]"), &words);
    }
    for (text, words) in faults(object) {
        // The headers are no nesting of the record.
        let words = words.replace(" in `x`", "");
        refused(HEADERS, &text, &words);
    }
}

#[test]
fn people_outcomes_and_questions_have_each_member_once_and_ids_as_they_are_written() {
    let place = Place::new();
    place.write(
        "http.toml",
        &config(HTTP, "until = { rounds = 40 }", REPORTED),
    );
    let mut run = place.start(&live("run"));
    let mut address = run.feed();
    let person = |id: &str| format!("{{\"id\":{id},\"AGEP\":40,\"SEX\":\"1\"}}");
    let outcome = |id: &str, value: u8| format!("{{\"candidate_id\":{id},\"outcome\":{value}}}");
    refuses(address, "/v1/candidates", &person("\"ann\""));
    refuses(address, "/v1/decisions", &person("\"ann\""));
    for (id, _) in IDS {
        assert_eq!(
            post(address, "/v1/candidates", &person(id))["accepted"],
            1,
            "{id}"
        );
        assert_eq!(
            post(address, "/v1/candidates", &person(id))["duplicates"],
            1,
            "{id}"
        );
    }
    // A text names the person whom the number names.
    post(address, "/v1/candidates", &person("\"5.0\""));
    refuses(address, "/v1/outcomes", &outcome("1.10", 1));
    assert_eq!(entries(&place, "run", "outcome").len(), 0);
    assert_eq!(entries(&place, "run", "candidate").len(), IDS.len() + 1);
    for (id, other) in IDS.into_iter().chain([("5.0", "5")]) {
        assert_eq!(
            post(address, "/v1/outcomes", &outcome(id, 1))["accepted"],
            1,
            "{id}"
        );
        let text = format!("\"{id}\"");
        assert_eq!(
            post(address, "/v1/outcomes", &outcome(&text, 1))["duplicates"],
            1,
            "{id}"
        );
        let (status, answer) = ask_with(address, "POST", "/v1/outcomes", JSON, &outcome(other, 1));
        assert_eq!(status, 422, "{other}: {answer}");
        answer.says("no candidate of this id has come");
    }
    run.kill();
    run = place.start(&["resume", "run"]);
    address = run.feed();
    for (id, _) in IDS {
        assert_eq!(
            post(address, "/v1/candidates", &person(id))["duplicates"],
            1,
            "{id}"
        );
        assert_eq!(
            post(address, "/v1/outcomes", &outcome(id, 1))["duplicates"],
            1,
            "{id}"
        );
        assert_eq!(
            post(address, "/v1/outcomes", &outcome(id, 2))["corrected"],
            1,
            "{id}"
        );
    }
    refuses(address, "/v1/outcomes", &outcome("1.10", 3));
    assert_eq!(entries(&place, "run", "correction").len(), IDS.len());
    assert_eq!(run.stop().0, Some(130));
    let decisions = place.read("run/decisions.ndjson");
    for (id, _) in IDS {
        decisions.says(&format!("[\"{id}\"]"));
    }
}

#[test]
fn marks_withdrawals_and_slates_have_each_member_once_and_ids_as_they_are_written() {
    let place = Place::new();
    place.write("http.toml", &kit::config(kit::HTTP, PEOPLE, TWO, ""));
    let mut run = place.start(&live("run"));
    let address = run.feed();
    let ids = IDS.iter().map(|(id, _)| (*id).to_owned());
    for id in ids.chain((1..9).map(|n| format!("\"p{n}\""))) {
        let person = format!("{{\"id\":{id},\"gender\":\"F\"}}");
        assert_eq!(
            post(address, "/v1/candidates", &person)["accepted"],
            1,
            "{id}"
        );
    }
    let object = |id: &str| format!("{{\"candidate\":{id}}}");
    refuses(address, "/v1/withdrawals", &object("1.10"));
    refuses(address, "/v1/slates", "{\"round\":1}");
    assert_eq!(entries(&place, "run", "withdrawal").len(), 0);
    assert_eq!(entries(&place, "run", "slate").len(), 0);
    let ((gone, _), (other, _)) = (IDS[0], IDS[2]);
    assert_eq!(
        post(address, "/v1/withdrawals", &object(gone))["accepted"],
        1
    );
    assert_eq!(
        post(address, "/v1/withdrawals", &object(&format!("\"{gone}\"")))["duplicates"],
        1
    );
    for (_, other) in IDS {
        let (status, answer) = ask_with(address, "POST", "/v1/withdrawals", JSON, &object(other));
        assert_eq!(status, 422, "{other}: {answer}");
    }
    assert_eq!(
        post(address, "/v1/slates", "{\"round\":1}")["candidates"],
        IDS.len() + 7
    );
    // The first interviews are of the first who came.
    let mark = |id: &str, kind: &Value, nth: &Value, value: u8| {
        format!("{{\"candidate\":{id},\"kind\":{kind},\"nth\":{nth},\"value\":{value}}}")
    };
    refuses(
        address,
        "/v1/looks",
        &mark(other, &"phone".into(), &1.into(), 3),
    );
    assert_eq!(entries(&place, "run", "answer").len(), 0);
    let mut numbers = 0;
    for _ in 0..9 {
        let listed = get(address, "/v1/looks");
        for look in listed["looks"].as_array().expect("a list") {
            let (id, kind, nth) = (
                look["candidate"].as_str().expect("an id"),
                &look["kind"],
                &look["nth"],
            );
            let is_number = IDS.iter().any(|(number, _)| *number == id);
            let text = format!("\"{id}\"");
            let named = if is_number { id } else { &text };
            numbers += u64::from(is_number);
            assert_eq!(
                post(address, "/v1/looks", &mark(named, kind, nth, 3))["accepted"],
                1,
                "{id}"
            );
            assert_eq!(
                post(address, "/v1/looks", &mark(&text, kind, nth, 3))["duplicates"],
                1,
                "{id}"
            );
        }
    }
    assert!(numbers > 0, "no one whose id is a number was interviewed");
    refuses(
        address,
        "/v1/looks",
        &mark(other, &"phone".into(), &1.into(), 3),
    );
    assert_eq!(run.stop().0, Some(130));
}

/// What comes through a pipe or a connection is noted, and the rest is taken.
#[test]
fn a_stream_of_people_and_outcomes_is_read_by_the_same_rule() {
    let place = Place::new();
    let rules = "until = { rounds = 40 }";
    let mut sent = Vec::new();
    let mut due = Vec::new();
    for (id, other) in IDS {
        sent.push(format!("{{\"id\":{id},\"AGEP\":40,\"SEX\":\"1\"}}"));
        sent.push(format!("{{\"candidate_id\":{id},\"outcome\":2}}"));
        sent.push(format!("{{\"candidate_id\":{other},\"outcome\":2}}"));
        due.push((sent.len(), "no candidate of this id has come".to_owned()));
        if id == "1.10" {
            let person = "{\"id\":\"ann\",\"AGEP\":40,\"SEX\":\"1\"}";
            for object in [person, "{\"candidate_id\":1.10,\"outcome\":3}"] {
                for (text, words) in faults(object).into_iter().chain(enveloped(object)) {
                    sent.push(text);
                    due.push((sent.len(), words));
                }
            }
            sent.push("{\"candidate_id\":1.10,\"outcome\":1e400}".into());
            due.push((sent.len(), "`outcome` is beyond 1e100".into()));
        }
    }
    let text = sent.join("\n") + "\n";
    let noted = |folder: &str| {
        let bad = place.read(&format!("{folder}/bad.ndjson"));
        let bad: Vec<Value> = bad
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        assert_eq!(bad.len(), due.len());
        for (bad, (line, words)) in bad.iter().zip(&due) {
            assert_eq!(bad["line"], *line, "{bad}");
            bad["error"].as_str().expect("a text").says(words);
        }
    };
    place.write("stdin.toml", &config("type = \"stdin\"", rules, REPORTED));
    let mut run = place.start(&["live", "stdin.toml", "--no-board", "--out", "stdin"]);
    sends(&mut run, &text);
    let (code, _, stderr) = run.end();
    assert_eq!(code, Some(0), "{stderr}");
    noted("stdin");
    let told = metric(&place, "stdin", "all", "outcomes_told");
    assert_eq!(told, Some(IDS.len() as f64));
    let tcp = "type = \"tcp\"\naddress = \"127.0.0.1:0\"";
    place.write("tcp.toml", &config(tcp, rules, REPORTED));
    let mut run = place.start(&["live", "tcp.toml", "--no-board", "--out", "tcp"]);
    assert_eq!(answer_to(run.feed(), &text)["accepted"], 2 * IDS.len());
    assert_eq!(run.stop().0, Some(130));
    noted("tcp");
}

#[test]
fn a_file_of_people_is_read_by_the_same_rule_in_lines_and_in_an_array() {
    let place = Place::new();
    let person = "{\"id\":\"ann\",\"AGEP\":40,\"SEX\":\"1\"}";
    for (name, open, close) in [("people.ndjson", "", ""), ("people.json", "[", "]")] {
        let source = format!("type = \"file\"\norder = \"file\"\npath = \"{name}\"");
        let text = config(&source, "until = { rounds = 1 }", "");
        place.write("file.toml", &format!("replications = 1\n{text}"));
        place.write(name, &format!("{open}{person}{close}\n"));
        place.good(&["run", "file.toml", "-q"]);
        for (text, words) in faults(person).into_iter().chain(enveloped(person)) {
            place.write(name, &format!("{open}{text}{close}\n"));
            let (code, _, stderr) = place.run(&["run", "file.toml", "-q"]);
            let flat = stderr.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(
                code == Some(2) && flat.contains(&words),
                "{name} {text:.300}: {code:?} {flat}"
            );
        }
    }
}
