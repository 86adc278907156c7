//! Tests of accepted and refused records, and of the answers to them.

use serde_json::{Value, json};

use super::*;
use kleroterion_stats::sequence::Range;

pub(super) fn rejected(reply: &TestReply) -> Vec<(u64, String)> {
    let json = reply.json();
    let list = json.get("rejected").or(json.get("places")).unwrap();
    let list = list.as_array().unwrap().iter();
    list.map(|r| {
        (
            r["line"].as_u64().unwrap(),
            r["error"].as_str().unwrap().into(),
        )
    })
    .collect()
}

#[test]
fn one_an_array_and_lines_are_taken() {
    let site = site(Set::default());
    let (json, lines) = ("application/json", "application/x-ndjson");
    let taken = |accepted: u64, duplicates: u64, last: u64| json!({"accepted": accepted, "duplicates": duplicates, "rejected": [], "last_seq": last});
    let single = |seq: u64| {
        let mut answer = taken(1, 0, seq);
        answer["seq"] = seq.into();
        answer
    };
    let two = format!("{}\r\n\n{}", person("h", 1), person("i", 2));
    for (kind, body, answer) in [
        (json, person("a", 1), single(1)),
        (lines, person("b", 1), single(2)),
        (
            json,
            format!("[{},\n{}]", person("c", 1), person("a", 2)),
            taken(1, 1, 3),
        ),
        (
            json,
            "{\n  \"id\": \"d\",\n  \"SEX\": 1\n}\n".into(),
            single(4),
        ),
        (lines, format!(" [{}]", person("e", 1)), single(5)),
        (
            "application/cloudevents+json; charset=utf-8",
            format!(
                "{{\"specversion\":\"1.0\",\"id\":\"f\",\"data\":{}}}",
                person("g", 2)
            ),
            single(6),
        ),
        (json, two.clone(), taken(2, 0, 8)),
        ("Application/JSON;charset=UTF-8", two, taken(0, 2, 8)),
        (json, person("a", 1), taken(0, 1, 8)),
        (
            lines,
            "{\"STATE\":\"off\"}".into(),
            json!({"accepted": 0, "duplicates": 0, "left_out": 1, "rejected": [], "last_seq": 8}),
        ),
    ] {
        let reply = site.post("/v1/candidates", kind, &body);
        assert_eq!((reply.status, reply.json()), (202, answer), "{body}");
    }
    assert_eq!(site.ids(), ["a", "b", "c", "d", "e", "g", "h", "i"]);
    let taken = site.taken.lock().unwrap();
    let Item::Candidate(pretty) = &taken[3] else {
        panic!()
    };
    assert_eq!(&*pretty.record, "{\"id\":\"d\",\"SEX\":1}");
}

#[test]
fn records_without_a_name_get_one_each() {
    let site = site(Set::default());
    for _ in 0..2 {
        assert_eq!(
            site.candidates("{\"SEX\":1}\n{\"SEX\":2}").json()["accepted"],
            2
        );
    }
    assert_eq!(site.ids(), ["1", "2", "3", "4"]);
}

#[test]
fn what_is_wrong_is_left_out_noted_and_told_with_its_line() {
    let site = site(Set::default());
    let long = format!("{{\"id\":\"long\",\"x\":\"{}\"}}", "y".repeat(2000));
    let body = format!(
        "{}\n\n{{\"id\":\"b\"}}\nrubbish\n{long}\n{}\n",
        person("a", 1),
        person("c", 2)
    );
    let mut body = body.into_bytes();
    body.extend(b"{\"id\":\"\xff\",\"SEX\":1}\n");
    let reply = site.candidates(&body);
    assert_eq!(reply.status, 202);
    let told = reply.json();
    assert_eq!(
        (&told["accepted"], &told["last_seq"]),
        (&json!(2), &json!(6))
    );
    let errors = rejected(&reply);
    for ((line, error), (at, part)) in errors.iter().zip([
        (3, "there is no `SEX`"),
        (4, "not a JSON object"),
        (5, "longer than 1000 bytes"),
        (7, "not UTF-8 from byte 8 on"),
    ]) {
        assert!(*line == at && error.contains(part), "{line}: {error}");
    }
    assert_eq!(errors.len(), 4);
    let refused = site.refused();
    assert_eq!(refused[1], (4, "rubbish".into()));
    assert_eq!((refused.len(), refused[2].1.len()), (4, 1000));

    let reply = site.post(
        "/v1/candidates",
        "application/json",
        format!("[{},\n7]", person("d", 1)),
    );
    assert_eq!(reply.json()["rejected"][0]["record"], 2);
    assert_eq!(rejected(&reply)[0].0, 2);
}

#[test]
fn nothing_of_a_request_is_taken_where_any_of_it_is_wrong_and_that_is_asked_for() {
    let site = site(Set {
        on_error: OnError::Reject,
        ..Set::default()
    });
    let reply = site.candidates(format!("{}\n{{}}\n", person("a", 1)));
    assert_eq!(reply.error(422), "1 of 2 records can't be read");
    assert!(rejected(&reply)[0].1.contains("there is no `SEX`"));
    assert_eq!(
        (site.ids(), site.refused()),
        (vec![], vec![(2, "{}".into())])
    );
    assert_eq!(site.candidates(person("a", 1)).status, 202);
}

#[test]
fn a_request_of_which_nothing_can_be_read_is_refused() {
    let site = site(Set::default());
    for (kind, body, wrong) in [
        ("application/json", "{\"SEX\": 3, \"id\": \"a\"}", 1),
        ("application/x-ndjson", "x\ny\n\n", 2),
        ("application/json", "[1, {}]", 2),
    ] {
        let reply = site.post("/v1/candidates", kind, body);
        assert_eq!(
            reply.error(422),
            format!("{wrong} of {wrong} records can't be read")
        );
        assert_eq!(rejected(&reply).len(), wrong);
    }
    assert_eq!(site.refused().len(), 5);
}

#[test]
fn a_body_that_is_no_json_is_refused_with_its_place() {
    let site = site(Set::default());
    for (body, line, column) in [
        ("{\n \"id\": \"a\",\n \"SEX\": }\n", 3, 9),
        ("[{},\n{]", 2, 2),
        ("SEX=1", 1, 1),
        ("[\"ä\",\"\"", 1, 8),
    ] {
        let reply = site.post("/v1/candidates", "application/json", body);
        let error = reply.error(400);
        assert!(error.starts_with("the body is no JSON: "), "{error}");
        let place = &reply.json()["places"][0];
        assert_eq!(
            (&place["line"], &place["column"]),
            (&json!(line), &json!(column)),
            "{body}"
        );
    }
    for body in ["", " \n", "[]"] {
        let error = site
            .post("/v1/candidates", "application/json", body)
            .error(400);
        assert_eq!(error, "there is no record in the body");
    }
    assert!(site.taken.lock().unwrap().is_empty());
}

#[test]
fn other_kinds_of_bodies_are_refused() {
    let site = site(Set::default());
    for (header, part) in [
        ("Content-Type: text/xml", "type text/xml"),
        (
            "Content-Type: application/x-www-form-urlencoded",
            "type application/x-www-form",
        ),
        ("X-Nothing: 1", "no content type"),
        (
            "Content-Type: application/json\r\nContent-Encoding: br",
            "encoded as br",
        ),
    ] {
        let reply = site.ask(&format!("POST /v1/candidates\r\n{header}"), person("a", 1));
        assert!(reply.error(415).contains(part), "{reply:?}");
    }
    assert!(site.taken.lock().unwrap().is_empty());
}

#[test]
fn outcomes_are_taken_and_policies_must_be_known() {
    let site = site(Set::default());
    let body = "{\"candidate_id\":\"a\",\"outcome\":1}\n{\"candidate_id\":\"b\",\"policy\":\"greedi\",\"outcome\":0}\n{\"candidate_id\":\"nobody\",\"outcome\":0}";
    let reply = site.post("/v1/outcomes", "application/x-ndjson", body);
    assert_eq!(
        (reply.status, &reply.json()["accepted"]),
        (202, &Value::from(1))
    );
    let told = rejected(&reply);
    assert!(told[0].1.contains("did you mean `greedy`?"), "{told:?}");
    assert_eq!((told[0].0, told[1].0), (2, 3));
    let unknown = &told[1].1;
    assert!(
        unknown.contains("no candidate of this id") && unknown.contains("\"SOURCE ID\""),
        "{unknown}"
    );
    let reply = site.post(
        "/v1/outcomes",
        "application/json",
        "{\"candidate_id\":\"a\",\"policy\":\"queue\",\"outcome\":1}",
    );
    assert_eq!(reply.json()["seq"], 3);
    let Item::Outcome(outcome) = &site.taken.lock().unwrap()[3] else {
        panic!()
    };
    assert_eq!(
        (&*outcome.id, outcome.policy.as_deref()),
        ("a", Some("queue"))
    );
}

#[test]
fn an_outcome_beyond_its_range_is_refused_and_nothing_of_it_is_taken() {
    let site = site(Set::default());
    site.watched.outcomes.expect(Range::new(0.0, 1.0), false);
    let outcome = |value: &str| format!("{{\"candidate_id\":\"a\",\"outcome\":{value}}}");
    for (value, said) in [
        ("5", "`outcome` is '5', and must be from 0 to 1"),
        ("-0.25", "`outcome` is '-0.25', and must be from 0 to 1"),
        ("1e3", "`outcome` is '1000', and must be from 0 to 1"),
    ] {
        let reply = site.post("/v1/outcomes", "application/json", outcome(value));
        assert_eq!(reply.error(422), "1 of 1 records can't be read");
        let told = rejected(&reply);
        assert!(told[0].1.contains(said), "{told:?}");
    }
    assert_eq!(site.refused().len(), 3);
    for value in ["0", "1", "0.5"] {
        let reply = site.post("/v1/outcomes", "application/json", outcome(value));
        assert_eq!(reply.status, 202, "{value}");
    }
    let both = [outcome("5"), outcome("1")].join("\n");
    let reply = site.post("/v1/outcomes", "application/x-ndjson", both);
    assert_eq!((reply.status, rejected(&reply)[0].0), (202, 1));
}

#[test]
fn what_is_rejected_is_told_in_the_order_of_the_records() {
    let site = site(Set::default());
    let body =
        "{\"candidate_id\":\"nobody\",\"outcome\":0}\n{}\n{\"candidate_id\":\"a\",\"outcome\":1}";
    let told = rejected(&site.post("/v1/outcomes", "application/x-ndjson", body));
    assert_eq!((told[0].0, told[1].0), (1, 2));
}

#[test]
fn once_no_lane_runs_nobody_is_taken() {
    let site = site(Set::default());
    site.watched.stage.send_replace(Stage::Over);
    for path in ["/v1/candidates", "/v1/decisions"] {
        let error = site
            .post(path, "application/json", person("a", 1))
            .error(410);
        assert_eq!(error, "no lane runs any more");
    }
    let outcome = "{\"candidate_id\":\"a\",\"outcome\":1}";
    let reply = site.post("/v1/outcomes", "application/json", outcome);
    assert_eq!((reply.status, site.taken.lock().unwrap().len()), (202, 1));
    assert_eq!(site.get("/healthz").json()["stage"], "over");
}

#[test]
fn what_a_recorder_that_ends_did_not_take_is_told_so() {
    let site = site(Set::default());
    assert_eq!(
        site.candidates(person("halt", 1)).error(410),
        "no lane runs any more"
    );
    assert_eq!(
        site.candidates(person("a", 1)).error(410),
        "no lane runs any more"
    );
    assert!(site.taken.lock().unwrap().is_empty());
}

#[test]
fn a_run_that_takes_no_records_says_where_its_people_come_from() {
    let site = site(Set {
        intake: false,
        ..Set::default()
    });
    for path in ["/v1/candidates", "/v1/outcomes", "/v1/decisions"] {
        let reply = site.post(path, "application/json", person("a", 1));
        assert_eq!(reply.error(404), "this run takes no records by HTTP");
    }
}
