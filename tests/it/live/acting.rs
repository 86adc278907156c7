//! The policy that counts: answers that come too late, its end, and who decides then.

use super::people::{HTTP, config, people};
use crate::support::process::{Place, ask, live, post, same};
use crate::support::programs::{exec, python};
use crate::support::says::Says as _;

/// Chooses everybody; is too slow (deadline 4 s) in round 3 where there is a file `slow`, and ends
/// in round 5 where there is a file `die`.
const PROGRAM: &str = r#"import json, os, sys, time
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "name": "champion"}), flush=True)
    elif message["type"] == "slate":
        if message["round"] == 3 and os.path.exists("slow"):
            time.sleep(5)
        if message["round"] == 5 and os.path.exists("die"):
            sys.exit(7)
        print(json.dumps({"type": "select", "round": message["round"], "chosen": [0]}), flush=True)
    elif message["type"] == "bye":
        break
"#;

/// Chooses no candidate.
const SHY: &str = r#"import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready"}), flush=True)
    elif message["type"] == "slate":
        print(json.dumps({"type": "select", "round": message["round"], "chosen": []}), flush=True)
    elif message["type"] == "bye":
        break
"#;

/// Plays the journal again: what was decided is the same, whatever way the run ended.
#[track_caller]
fn again(place: &Place) {
    let args = ["replay", "run", "--trace", "decisions", "-q"];
    place.good(&[&args[..], &["--out", "again", "--force"]].concat());
    for name in ["decisions.ndjson", "selected.csv"] {
        let read = |folder: &str| place.read(&format!("{folder}/{name}"));
        assert!(read("run") == read("again"), "{name} differs");
    }
}

/// A place where `champion` acts; `more` goes into `[live]`.
fn place(file: &str, more: &str) -> Place {
    let place = Place::new();
    place.write("champion.py", PROGRAM);
    place.write(file, "");
    let seat = exec("champion", &["python3", "champion.py"]) + "deadline = \"4s\"\n";
    let board = "[board]\naddress = \"127.0.0.1:0\"\n";
    let text = format!("[live]\nacting = \"champion\"\n{more}{board}{seat}");
    place.write("http.toml", &config(HTTP, "until = { rounds = 60 }", &text));
    place
}

fn read(text: &str) -> serde_json::Value {
    serde_json::from_str(text).expect("JSON")
}

fn entries(place: &Place, kind: &str) -> Vec<String> {
    let store = rusqlite::Connection::open(place.path("run/journal.sqlite")).expect("a journal");
    let mut find = store
        .prepare("SELECT body FROM entry WHERE kind = ?1 ORDER BY seq")
        .expect("SQL");
    let found = find.query_map([kind], |row| row.get(0)).expect("rows");
    found.map(|body| body.expect("a body")).collect()
}

#[test]
fn a_forfeit_is_no_refusal() {
    if !python() {
        return;
    }
    let place = place("slow", "");
    let mut run = place.start(&live("run"));
    let address = run.feed();
    for (n, person) in people(5).iter().enumerate() {
        let answer = post(address, "/v1/decisions", person);
        let word = if n == 2 { "forfeit" } else { "selected" };
        assert_eq!(
            (
                &answer["decision"],
                &answer["policies"]["champion"]["decision"]
            ),
            (&word.into(), &word.into()),
            "{answer}"
        );
        assert_eq!(answer["policies"]["all"]["decision"], "selected");
        assert_eq!(answer["policies"]["champion"].get("forfeit"), None);
    }
    let metrics = ask(address, "GET", "/metrics", "").1;
    let counted = "klero_lane_forfeits_total{policy=\"champion\"} 1\n";
    metrics.says(counted);
    assert_eq!(run.stop().0, Some(130));
    let decisions = place.read("run/decisions.ndjson");
    let late: Vec<_> = decisions
        .lines()
        .filter(|line| line.contains("\"forfeit\":true"))
        .collect();
    assert_eq!(late.len(), 1, "{decisions}");
    assert!(late[0].contains("\"round\":3,\"policy\":\"champion\""));
    let table = place.good(&["trace", "run", "--round", "3", "--policy", "champion"]);
    table.says("forfeit");
    table.never_says("nobody");
    let table = place.good(&["trace", "run", "--candidate", "p2"]);
    table.says("forfeit");
    table.says("forfeits");
    let lines = place.good(&["trace", "run", "--round", "3", "--format", "ndjson"]);
    lines.says("\"forfeit\":true");
    again(&place);
}

#[test]
fn an_acting_policy_that_ends_is_announced_and_its_decisions_are_refused_until_another_is_named() {
    if !python() {
        return;
    }
    let place = place("die", "");
    let args = ["live", "http.toml", "--trace", "decisions", "--out", "run"];
    let mut run = place.start(&args);
    let (address, board) = (run.feed(), run.board());
    let all = people(12);
    for person in &all[..4] {
        assert_eq!(
            post(address, "/v1/decisions", person)["decision"],
            "selected"
        );
    }
    assert_eq!(ask(address, "GET", "/readyz", "").0, 200);
    let (status, answer) = ask(address, "POST", "/v1/decisions", &all[4]);
    assert_eq!(status, 503, "{answer}");
    let refused = read(&answer);
    assert_eq!(
        refused["seq"].as_u64().map(|seq| seq > 4),
        Some(true),
        "{answer}"
    );
    for words in [
        "champion acts no more",
        "exit status: 7",
        "round 5",
        "fallback",
    ] {
        assert!(answer.contains(words), "{words}: {answer}");
    }
    run.hears_of("policy champion acts no more (left: its program ended (exit status: 7))");
    let (status, answer) = ask(address, "GET", "/readyz", "");
    assert_eq!(
        (status, &read(&answer)["status"]),
        (503, &"not ready".into())
    );
    assert_eq!(ask(address, "GET", "/healthz", "").0, 200);
    let metrics = ask(address, "GET", "/metrics", "").1;
    for counted in [
        "klero_acting_ended 1\n",
        "klero_acting{policy=\"champion\"} 0\n",
    ] {
        assert!(metrics.contains(counted), "{counted}: {metrics}");
    }
    let page = ask(board, "GET", "/", "").1;
    page.says("The acting policy has ended: no policy decides.");
    assert_eq!(ask(address, "POST", "/v1/decisions", &all[5]).0, 503);
    assert_eq!(run.stop().0, Some(130));

    // The remedy: another is named, and decides from the first on without a decision.
    let text = place.read("run/config.toml");
    let text = text.replace("[live]\n", "[live]\nfallback = \"all\"\n");
    place.write("run/config.toml", &text);
    let mut run = place.start(&["resume", "run", "--no-board"]);
    let address = run.feed();
    for (n, person) in all.iter().enumerate().skip(3) {
        let answer = post(address, "/v1/decisions", person);
        let who = if n < 4 { "champion" } else { "all" };
        assert_eq!(
            (&answer["acting"], &answer["decision"]),
            (&who.into(), &"selected".into())
        );
        assert_eq!(answer["duplicate"] == true, n < 6, "{answer}");
    }
    let (status, answer) = ask(address, "GET", "/readyz", "");
    assert_eq!(status, 200, "{answer}");
    answer.says("all decides from round 5 on");
    assert_eq!(run.stop().0, Some(130));
    assert_eq!(
        entries(&place, "takeover"),
        ["{\"policy\":\"all\",\"round\":5}"]
    );
    assert_eq!(entries(&place, "decision").len(), 12);
    again(&place);
    // Who took over is not to be forgotten.
    let text = place
        .read("run/config.toml")
        .replace("fallback = \"all\"", "fallback = \"queue\"");
    place.write("run/config.toml", &text);
    let (code, _, stderr) = place.run(&["replay", "run"]);
    assert_eq!(code, Some(1), "{stderr}");
    stderr.says("the decision of all counted once");
}

#[test]
fn a_fallback_takes_over_at_once_and_does_so_whenever_the_run_is_played() {
    if !python() {
        return;
    }
    let place = place("die", "fallback = \"all\"\n");
    let mut run = place.start(&live("run"));
    let address = run.feed();
    let all = people(60);
    let decide = |address, people: &[String]| -> Vec<serde_json::Value> {
        let answers = people
            .iter()
            .map(|person| post(address, "/v1/decisions", person));
        answers.collect()
    };
    let mut answers = decide(address, &all[..10]);
    run.hears_of("all decides from round 5 on");
    let metrics = ask(address, "GET", "/metrics", "").1;
    for counted in [
        "klero_acting_ended 1\n",
        "klero_acting_nobody 0\n",
        "klero_acting{policy=\"all\"} 1\n",
    ] {
        assert!(metrics.contains(counted), "{counted}: {metrics}");
    }
    run.kill();
    // The program would go on now; what it did holds.
    std::fs::remove_file(place.path("die")).expect("it is there");
    let mut run = place.start(&["resume", "run"]);
    let address = run.feed();
    for (person, before) in all[..10].iter().zip(&answers) {
        let again = post(address, "/v1/decisions", person);
        assert_eq!(again["acting"], before["acting"]);
        assert_eq!(again["decision"], before["decision"]);
    }
    answers.extend(decide(address, &all[10..]));
    for (n, answer) in answers.iter().enumerate() {
        let who = if n < 4 { "champion" } else { "all" };
        assert_eq!(
            (&answer["acting"], &answer["decision"]),
            (&who.into(), &"selected".into())
        );
    }
    run.hears("no lane plays any more");
    assert_eq!(run.stop().0, Some(0));
    assert_eq!(
        entries(&place, "takeover"),
        ["{\"policy\":\"all\",\"round\":5}"]
    );
    assert_eq!(entries(&place, "decision").len(), 60);
    let rows = place.read("run/replications.csv");
    for row in [
        "0,all,acts_from_round,,5",
        "0,champion,acted_until_round,,4",
    ] {
        assert!(rows.contains(row), "{row}: {rows}");
    }
    again(&place);
    same(&place, "run", "again");
}

#[test]
fn a_committee_that_is_full_is_no_fault() {
    if !python() {
        return;
    }
    let place = Place::new();
    place.write("shy.py", SHY);
    let seat = exec("shy", &["python3", "shy.py"]) + "deadline = \"60s\"\n";
    let more = format!("[live]\nacting = \"all\"\nfallback = \"queue\"\n{seat}");
    let text = config(HTTP, "until = { accepted = 2 }\nmax_rounds = 1000", &more);
    place.write("http.toml", &text);
    let mut run = place.start(&live("run"));
    let address = run.feed();
    let all = people(3);
    for person in &all[..2] {
        assert_eq!(
            post(address, "/v1/decisions", person)["decision"],
            "selected"
        );
    }
    let answer = post(address, "/v1/decisions", &all[2]);
    assert_eq!(
        (&answer["decision"], &answer["ended"], &answer["acting"]),
        (&serde_json::Value::Null, &"filled".into(), &"all".into())
    );
    assert!(
        answer["note"].to_string().contains("filled all places"),
        "{answer}"
    );
    assert_eq!(answer["policies"]["shy"]["decision"], "not_selected");
    assert_eq!(ask(address, "GET", "/readyz", "").0, 200);
    let metrics = ask(address, "GET", "/metrics", "").1;
    metrics.says("klero_acting_ended 0\n");
    assert_eq!(run.stop().0, Some(130));
}

#[test]
fn a_fallback_is_another_policy_than_the_acting_one() {
    for (live, words) in [
        (
            "acting = \"all\"\nfallback = \"al\"",
            "there is no policy \"al\"",
        ),
        (
            "acting = \"all\"\nfallback = \"all\"",
            "this is the acting policy itself",
        ),
        (
            "fallback = \"all\"",
            "there is no `acting` policy to take over from",
        ),
    ] {
        let place = Place::new();
        let more = format!("[live]\n{live}\n");
        place.write(
            "wrong.toml",
            &config(HTTP, "until = { rounds = 60 }", &more),
        );
        let (code, _, stderr) = place.run(&["check", "wrong.toml"]);
        assert_eq!(code, Some(2), "{stderr}");
        stderr.says(words);
        stderr.says("help:");
    }
}
