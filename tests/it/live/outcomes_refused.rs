//! Outcomes that are refused: of unknown people, after the end of all lanes, behind the last line.

use super::outcomes::REPORTED;
use super::people::{HTTP, config, lines, people};
use crate::support::process::{Place, ask, post};
use crate::support::says::Says as _;

/// A feed's outcome beyond the range that is declared is refused with its line, and the measure keeps
/// its interval.
#[test]
fn one_beyond_its_range_is_noted_whatever_way_it_comes() {
    let place = Place::new();
    let reported = REPORTED.replace("type = \"reported\"", "type = \"reported\"\nrange = [0, 1]");
    let feed = |kind: &str| config(kind, "until = { rounds = 40 }", &reported);
    let beyond = "{\"candidate_id\":\"p0\",\"outcome\":5}";
    let mut sent = people(3);
    sent.insert(1, beyond.into());
    sent.insert(2, "{\"candidate_id\":\"p0\",\"outcome\":0.5}".into());
    place.write("stdin.toml", &feed("type = \"stdin\""));
    let mut live = place.start(&["live", "stdin.toml", "--no-board", "--out", "stdin"]);
    super::names::sends(&mut live, &lines(&sent));
    let (code, _, stderr) = live.end();
    assert_eq!(code, Some(0), "{stderr}");
    let bad = place.read("stdin/bad.ndjson");
    bad.says("`outcome` is '5', and must be from 0 to 1");
    assert_eq!(bad.lines().count(), 1, "{bad}");
    place.write("http.toml", &feed(HTTP));
    let mut live = place.start(&["live", "http.toml", "--no-board", "--out", "http"]);
    let address = live.feed();
    post(address, "/v1/candidates", &people(1)[0]);
    let answer = ask(address, "POST", "/v1/outcomes", beyond);
    assert_eq!(answer.0, 422, "{}", answer.1);
    live.stop();
    let bad = place.read("http/bad.ndjson");
    bad.says("must be from 0 to 1");
}

#[test]
fn one_of_an_unknown_person_is_refused_with_its_line_and_noted_whatever_way_it_comes() {
    let place = Place::new();
    let nobody = "{\"candidate_id\":\"nobody\",\"outcome\":3}";
    let feed = |kind: &str| config(kind, "until = { rounds = 40 }", REPORTED);
    let noted = |folder: &str, line: u64| {
        let bad = place.read(&format!("{folder}/bad.ndjson"));
        let refused: Vec<serde_json::Value> = bad
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        assert_eq!(refused.len(), 1, "{bad}");
        assert_eq!(
            (&refused[0]["line"], &refused[0]["record"]),
            (&line.into(), &nobody.into())
        );
        assert!(
            refused[0]["error"]
                .to_string()
                .contains("no candidate of this id has come")
        );
    };
    let mut sent = people(3);
    sent.insert(1, nobody.into());
    // It is no reason to end.
    place.write("stdin.toml", &feed("type = \"stdin\"\non_error = \"halt\""));
    let mut live = place.start(&["live", "stdin.toml", "--no-board", "--out", "stdin"]);
    super::names::sends(&mut live, &lines(&sent));
    let (code, _, stderr) = live.end();
    assert_eq!(code, Some(0), "{stderr}");
    stderr.says("1 record");
    noted("stdin", 2);

    place.write(
        "tcp.toml",
        &feed("type = \"tcp\"\naddress = \"127.0.0.1:0\""),
    );
    let mut live = place.start(&["live", "tcp.toml", "--no-board", "--out", "tcp"]);
    let answer = super::names::answer_to(live.feed(), &lines(&sent));
    assert_eq!(
        (&answer["accepted"], &answer["rejected"][0]["line"]),
        (&3.into(), &2.into())
    );
    assert!(
        answer["rejected"][0]["error"]
            .to_string()
            .contains("no candidate of this id has come")
    );
    live.stop();
    noted("tcp", 2);

    place.write("http.toml", &feed(HTTP));
    let mut live = place.start(&["live", "http.toml", "--no-board", "--out", "http"]);
    let address = live.feed();
    post(address, "/v1/candidates", &lines(&people(3)));
    let of = |id: usize| format!("{{\"candidate_id\":\"p{id}\",\"outcome\":3}}\n");
    let sent = format!("{}{nobody}\n{}", of(0), of(0));
    let answer = post(address, "/v1/outcomes", &sent);
    assert_eq!(
        (&answer["duplicates"], &answer["rejected"][0]["line"]),
        (&1.into(), &2.into())
    );
    let metrics = ask(address, "GET", "/metrics", "").1;
    for counted in ["refused_total 1\n", "duplicates_total 1\n"] {
        assert!(metrics.contains(counted), "{counted}: {metrics}");
    }
    live.stop();
    noted("http", 2);
}

#[test]
fn once_no_lane_plays_those_who_came_are_known_and_only_new_ones_refused() {
    let place = Place::new();
    place.write("http.toml", &config(HTTP, "until = { rounds = 4 }", ""));
    let mut run = place.start(&["live", "http.toml", "--no-board", "--out", "run"]);
    let address = run.feed();
    let people = people(7);
    let first = post(address, "/v1/decisions", &people[0]);
    post(address, "/v1/candidates", &lines(&people[1..4]));
    run.hears("no lane plays any more");
    let again = post(address, "/v1/decisions", &people[0]);
    assert_eq!(
        (&again["duplicate"], &again["policies"]),
        (&true.into(), &first["policies"])
    );
    let answer = post(address, "/v1/candidates", &lines(&people[..3]));
    assert_eq!(answer["duplicates"], 3);
    let answer = post(address, "/v1/candidates", &lines(&people[3..5]));
    assert_eq!(
        (&answer["duplicates"], &answer["rejected"][0]["line"]),
        (&1.into(), &2.into())
    );
    assert_eq!(answer["rejected"][0]["error"], "no lane runs any more");
    for path in ["/v1/decisions", "/v1/candidates"] {
        assert_eq!(ask(address, "POST", path, &people[5]).0, 410);
    }
    // What can't be read is not even noted any more.
    assert_eq!(
        ask(address, "POST", "/v1/candidates", "{\"id\":\"x\"}").0,
        410
    );
    assert_eq!(run.stop().0, Some(0));
    assert!(!place.path("run/bad.ndjson").exists());
}

#[test]
fn a_connection_hears_that_no_lane_plays_any_more() {
    let place = Place::new();
    let tcp = "type = \"tcp\"\naddress = \"127.0.0.1:0\"";
    place.write("tcp.toml", &config(tcp, "until = { rounds = 4 }", ""));
    let mut run = place.start(&["live", "tcp.toml", "--no-board", "--stay", "--out", "run"]);
    let address = run.feed();
    let people = people(6);
    let answer = super::names::answer_to(address, &lines(&people[..4]));
    assert_eq!(
        (&answer["accepted"], &answer["error"]),
        (&4.into(), &serde_json::Value::Null)
    );
    run.hears("no lane plays any more");
    let answer = super::names::answer_to(address, &lines(&people[3..]));
    assert_eq!(
        (&answer["accepted"], &answer["duplicates"]),
        (&0.into(), &1.into())
    );
    assert_eq!(
        answer["error"],
        "no lane runs any more: nothing more is taken"
    );
    assert_eq!(answer["rejected"][1]["line"], 3);
    assert_eq!(run.stop().0, Some(0));
}

#[test]
fn records_after_the_line_that_ends_a_stream_are_refused() {
    let place = Place::new();
    let source = format!("{HTTP}\non_error = \"halt\"");
    place.write("http.toml", &config(&source, "until = { rounds = 40 }", ""));
    let mut run = place.start(&["live", "http.toml", "--no-board", "--out", "run"]);
    let people = people(3);
    let body = format!("{}\nrubbish\n{}\n{}\n", people[0], people[1], people[2]);
    let answer = post(run.feed(), "/v1/candidates", &body);
    assert_eq!(answer["accepted"], 1);
    let rejected = &answer["rejected"];
    assert_eq!(
        (&rejected[0]["line"], &rejected[2]["line"]),
        (&2.into(), &4.into())
    );
    assert_eq!(rejected[2]["error"], "the stream ended with line 2");
    run.end();
}
