//! CloudEvents: one in structured or binary mode, and batches.

use serde_json::json;

use super::records::rejected;
use super::*;

const BATCH: &str = "application/cloudevents-batch+json";

/// A request with the attributes of an event.
fn binary(path: &str, kind: &str, id: &str, source: &str) -> String {
    let kind = match kind {
        "" => String::new(),
        kind => format!("\r\nContent-Type: {kind}"),
    };
    format!(
        "POST {path}{kind}\r\nCe-Specversion: 1.0\r\nce-type: t\r\nce-id: {id}\r\nce-source: {source}"
    )
}

fn structured(id: &str, source: &str, data: &str) -> String {
    let text = |text: &str| serde_json::to_string(text).unwrap();
    let (id, source) = (text(id), text(source));
    format!("{{\"specversion\":\"1.0\",\"id\":{id},\"source\":{source},\"data\":{data}}}")
}

#[test]
fn an_event_is_one_person_in_whatever_mode_it_comes() {
    let site = site(Set::default());
    let event = structured("a 1", "/b", "{\"SEX\":1}");
    let (path, kind) = ("/v1/candidates", "application/cloudevents+json");
    for (nth, reply) in [
        site.ask(&binary(path, "", "a%201", "/b"), "{\"SEX\":1}"),
        site.ask(
            &binary(path, "application/json", "a 1", "/b"),
            "{\"SEX\":1}\n",
        ),
        site.ask(
            &binary(path, "application/vnd.x+json", "a%201", "\"/b\""),
            "{\"SEX\":1}",
        ),
        site.post(path, kind, &event),
        site.post(path, BATCH, format!("[{event},{event}]")),
        site.ask(&binary(path, kind, "other", "/c"), &event),
    ]
    .iter()
    .enumerate()
    {
        assert_eq!(reply.status, 202, "{reply:?}");
        assert_eq!(reply.json()["accepted"], u64::from(nth == 0), "{nth}");
    }
    assert_eq!(site.ids(), ["/b a 1"]);
    // One that has an id of its own is called by it.
    site.ask(&binary(path, "", "1", "/b"), person("own", 2));
    assert_eq!(site.ids(), ["/b a 1", "own"]);
}

#[test]
fn decisions_and_outcomes_take_events_too() {
    let site = site(Set::default());
    let reply = site.ask(&binary("/v1/decisions", "", "1", "/b"), "{\"SEX\":2}");
    assert_eq!(reply.json()["policies"]["greedy"]["decision"], "selected");
    let outcome = r#"{"candidate_id":"/b 1","outcome":1}"#;
    let reply = site.ask(&binary("/v1/outcomes", "", "7", "/other"), outcome);
    assert_eq!((reply.status, &reply.json()["accepted"]), (202, &json!(1)));
    let batch = format!("[{}]", structured("8", "/other", outcome));
    let reply = site.post("/v1/outcomes", BATCH, batch);
    assert_eq!((reply.status, &reply.json()["accepted"]), (202, &json!(1)));
    let taken = site.taken.lock().unwrap();
    let of = |item: &Item| match item {
        Item::Outcome(outcome) => Some(outcome.id.to_string()),
        _ => None,
    };
    let of: Vec<String> = taken.iter().filter_map(of).collect();
    assert_eq!(of, ["/b 1", "/b 1"]);
}

#[test]
fn what_is_no_event_is_refused() {
    let site = site(Set::default());
    let path = "/v1/candidates";
    for (head, body, status, part) in [
        (
            binary(path, "text/csv", "1", "/b"),
            "SEX\n1\n",
            415,
            "data of type text/csv",
        ),
        (
            binary(path, "application/x-ndjson", "1", "/b"),
            "{}",
            415,
            "x-ndjson is not read",
        ),
        (
            binary(path, "", "%ff", "/b"),
            "{\"SEX\":1}",
            400,
            "`ce-id` is not UTF-8",
        ),
        (binary(path, "", "1", "/b"), "{\"SEX\":1}{}", 400, "no JSON"),
        (binary(path, "", "1", "/b"), "", 400, "no record"),
        (binary(path, "", "1", "/b"), "[]", 422, "1 of 1"),
        (
            binary(path, "", "1", "/a%20b"),
            "{\"SEX\":1}",
            422,
            "1 of 1",
        ),
        (
            format!("POST {path}\r\nContent-Type: application/json\r\nce-id: 1"),
            "{\"SEX\":1}",
            400,
            "`ce-specversion` is missing",
        ),
        (
            format!("POST {path}\r\nContent-Type: application/cloudevents+avro"),
            "x",
            415,
            "cloudevents+avro",
        ),
        (
            format!("POST {path}\r\nContent-Type: application/cloudevents+json"),
            "{\"id\":\"a\",\"SEX\":1}",
            422,
            "1 of 1",
        ),
    ] {
        let error = site.ask(&head, body).error(status);
        assert!(error.contains(part), "{head}: {error}");
    }
    assert!(site.ids().is_empty());
    let refused = site.refused();
    assert!(refused[0].1.starts_with("{\"specversion\""), "{refused:?}");
}

#[test]
fn a_batch_is_an_array_of_envelopes_that_may_be_empty() {
    let site = site(Set::default());
    let mixed = format!(
        "[{},\n{},\n{}]",
        structured("1", "/b", "{\"SEX\":1}"),
        person("bare", 1),
        structured("2", "/b", "{\"SEX\":2}"),
    );
    let reply = site.post("/v1/candidates", BATCH, mixed);
    assert_eq!((reply.status, &reply.json()["accepted"]), (202, &json!(2)));
    let told = rejected(&reply);
    assert_eq!((told.len(), told[0].0), (1, 2));
    assert!(told[0].1.contains("`specversion` is missing"), "{told:?}");
    assert_eq!(site.ids(), ["/b 1", "/b 2"]);

    let reply = site.post("/v1/candidates", BATCH, "[]");
    let none = json!({"accepted": 0, "duplicates": 0, "rejected": [], "last_seq": 3});
    assert_eq!((reply.status, reply.json()), (202, none));
    assert_eq!(site.post("/v1/outcomes", BATCH, "[]").status, 200);
    let error = site.post("/v1/decisions", BATCH, "[]").error(422);
    assert_eq!(error, "there is no candidate in the body");
}
