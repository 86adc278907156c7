//! What comes again: the same, something else, and outcomes that are corrected.

use super::people::{HTTP, config, lines, people};
use crate::support::process::{Place, ask, live, post};
use crate::support::programs::{exec, python};
use crate::support::says::Says as _;
use crate::support::terminal::typed;

const REPORTED: &str = "[feedback.outcome]\ntype = \"reported\"\n";

fn outcome(id: &str, value: f64) -> String {
    format!("{{\"candidate_id\":\"{id}\",\"outcome\":{value}}}")
}

fn read(text: &str) -> serde_json::Value {
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn another_outcome_takes_the_place_of_the_first_where_no_policy_learnt_it() {
    let place = Place::new();
    place.write(
        "http.toml",
        &config(HTTP, "until = { rounds = 40 }", REPORTED),
    );
    let mut run = place.start(&live("run"));
    let address = run.feed();
    let tell = |address, value| ask(address, "POST", "/v1/outcomes", &outcome("p0", value));
    post(address, "/v1/candidates", &lines(&people(3)));
    assert_eq!(tell(address, 1.0).0, 202);
    // Heard by all that chose the person: they learn from no outcome.
    post(address, "/v1/candidates", &lines(&people(6)[3..]));
    let (status, again) = tell(address, 1.0);
    assert_eq!((status, &read(&again)["duplicates"]), (200, &1.into()));
    let (status, other) = tell(address, 5.0);
    let other = read(&other);
    assert_eq!(
        (status, &other["accepted"], &other["corrected"]),
        (202, &1.into(), &1.into())
    );
    assert_eq!(tell(address, 5.0).0, 200);
    run.kill();
    let mut run = place.start(&["resume", "run"]);
    let address = run.feed();
    assert_eq!(tell(address, 5.0).0, 200);
    assert_eq!(tell(address, 7.0).0, 202);
    let metrics = ask(address, "GET", "/metrics", "").1;
    metrics.says("klero_corrections_total 2\n");
    post(address, "/v1/candidates", &lines(&people(40)[6..]));
    run.hears("no lane plays any more");
    // Long after the last was chosen.
    post(address, "/v1/outcomes", &outcome("p39", 1.0));
    assert_eq!(
        ask(address, "POST", "/v1/outcomes", &outcome("p39", 2.0)).0,
        202
    );
    assert_eq!(run.stop().0, Some(0));
    let rows = place.read("run/replications.csv");
    rows.says("0,all,outcome_mean,,4.5\n");
    rows.never_says("corrections_not_learnt");
    place.good(&[
        "replay",
        "run",
        "--out",
        "again",
        "--trace",
        "decisions",
        "-q",
    ]);
    crate::support::process::same(&place, "run", "again");
}

/// Accepts everybody, and writes down what it hears of them; reads corrections where it is called
/// with `corrects`.
const LISTENER: &str = r#"import json, sys
ready = {"type": "ready"}
if sys.argv[2:] == ["corrects"]:
    ready["corrects"] = True
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps(ready), flush=True)
    elif message["type"] == "slate":
        print(json.dumps({"type": "select", "round": message["round"], "chosen": [0]}), flush=True)
    elif message["type"] in ("outcome", "correction"):
        with open(sys.argv[1], "a") as heard:
            c = message["candidate"]
            before = [message["before"]] if message["type"] == "correction" else []
            who = [message["round"], c["id"], c["groups"]["sex"]]
            heard.write(json.dumps([message["type"]] + who + before + [message["value"]]) + "\n")
    elif message["type"] == "bye":
        break
"#;

fn seat(label: &str, more: &[&str]) -> String {
    let file = format!("{label}.txt");
    let command = [&["python3", "listener.py", &file][..], more].concat();
    exec(label, &command) + "deadline = \"60s\"\n"
}

#[test]
fn a_program_that_takes_corrections_gets_them_and_one_that_does_not_has_them_refused() {
    if !python() {
        return;
    }
    let place = Place::new();
    place.write("listener.py", LISTENER);
    let seats = seat("quick", &["corrects"]) + &seat("slow", &[]);
    let text = config(
        HTTP,
        "until = { rounds = 40 }",
        &format!("{REPORTED}{seats}"),
    );
    place.write("http.toml", &text);
    let mut run = place.start(&live("run"));
    let address = run.feed();
    let all: Vec<String> = people(40);
    let tell = |body: &str| ask(address, "POST", "/v1/outcomes", body);
    let of_one = |value: f64| {
        format!("{{\"candidate_id\":\"p1\",\"policy\":\"quick\",\"outcome\":{value}}}")
    };
    post(address, "/v1/decisions", &all[0]);
    post(address, "/v1/decisions", &all[1]);
    assert_eq!(tell(&outcome("p0", 1.0)).0, 202);
    // No candidate has come since: no policy has heard of it.
    assert_eq!(tell(&outcome("p0", 2.0)).0, 202);
    assert_eq!(tell(&of_one(1.0)).0, 202);
    post(address, "/v1/decisions", &all[2]);
    let (status, answer) = tell(&outcome("p0", 3.5));
    assert_eq!(status, 409, "{answer}");
    for words in [
        "the outcome 2 was reported before, and now 3.5",
        "slow may have learnt",
    ] {
        assert!(answer.contains(words), "{words}: {answer}");
    }
    answer.never_says("quick");
    // What holds is still the one before.
    assert_eq!(tell(&outcome("p0", 2.0)).0, 200);
    assert_eq!(tell(&of_one(4.0)).0, 202);
    let mixed = format!(
        "{}\n{}\n{}\n",
        outcome("p0", 9.0),
        outcome("nobody", 1.0),
        outcome("p2", 1.0)
    );
    let answer = read(&tell(&mixed).1);
    assert_eq!(
        (
            &answer["accepted"],
            &answer["rejected"][0]["line"],
            &answer["rejected"][1]["line"]
        ),
        (&1.into(), &1.into(), &2.into())
    );
    let both = format!("{}\n{}\n", outcome("p0", 9.0), outcome("p0", 8.0));
    assert_eq!(tell(&both).0, 409);
    let either = format!("{}\n{}\n", outcome("p0", 9.0), outcome("nobody", 8.0));
    assert_eq!(tell(&either).0, 422);
    post(address, "/v1/decisions", &all[3]);
    assert_eq!(run.stop().0, Some(130));
    let sex = |n: usize| match all[n].contains("\"SEX\":\"1\"") {
        true => "male",
        false => "female",
    };
    let heard =
        |file: &str| -> Vec<serde_json::Value> { place.read(file).lines().map(read).collect() };
    let first = serde_json::json!(["outcome", 1, "p0", sex(0), 2.0]);
    let third = serde_json::json!(["outcome", 3, "p2", sex(2), 1.0]);
    assert_eq!(heard("slow.txt"), [first.clone(), third.clone()]);
    let (second, corrected) = (
        serde_json::json!(["outcome", 2, "p1", sex(1), 1.0]),
        serde_json::json!(["correction", 2, "p1", sex(1), 1.0, 4.0]),
    );
    assert_eq!(heard("quick.txt"), [first, second, corrected, third]);
    let bad = place.read("run/bad.ndjson");
    assert_eq!(bad.lines().count(), 7, "{bad}");
    // Played again they hear the same; and one that joins and can't learn a correction says so.
    let before = place.read("quick.txt");
    place.write("quick.txt", "");
    place.write("more.toml", &seat("late", &[]));
    let args = [
        "replay",
        "run",
        "--out",
        "again",
        "--trace",
        "decisions",
        "-q",
    ];
    place.good(&args);
    let decisions = |folder: &str| place.read(&format!("{folder}/decisions.ndjson"));
    assert_eq!(decisions("run"), decisions("again"));
    assert_eq!(place.read("quick.txt"), before);
    let args = typed("replay run --policies more.toml --out more -q");
    place.good(&args);
    let rows = place.read("more/replications.csv");
    rows.never_says("not_learnt");
}

#[test]
fn a_policy_that_joins_and_can_not_learn_a_correction_says_so() {
    if !python() {
        return;
    }
    let place = Place::new();
    place.write("listener.py", LISTENER);
    place.write(
        "http.toml",
        &config(HTTP, "until = { rounds = 40 }", REPORTED),
    );
    let mut run = place.start(&["live", "http.toml", "--no-board", "--out", "run"]);
    let address = run.feed();
    let all = people(40);
    post(address, "/v1/candidates", &lines(&all[..2]));
    post(address, "/v1/outcomes", &outcome("p0", 1.0));
    post(address, "/v1/candidates", &lines(&all[2..4]));
    assert_eq!(
        ask(address, "POST", "/v1/outcomes", &outcome("p0", 6.0)).0,
        202
    );
    post(address, "/v1/candidates", &lines(&all[4..6]));
    assert_eq!(run.stop().0, Some(130));
    place.write(
        "more.toml",
        &(seat("late", &[]) + &seat("able", &["corrects"])),
    );
    place.good(&[
        "replay",
        "run",
        "--policies",
        "more.toml",
        "--out",
        "more",
        "-q",
    ]);
    let rows = place.read("more/replications.csv");
    rows.says("0,late,corrections_not_learnt,,1\n");
    rows.never_says("0,able,corrections_not_learnt");
    rows.says("0,late,outcome_mean,,6\n");
    assert_eq!(place.read("late.txt").lines().count(), 1);
    assert_eq!(place.read("able.txt").lines().count(), 2);
}

const OTHER: &str = "{\"id\":\"p0\",\"AGEP\":99,\"SEX\":\"2\",\"note\":\"secret\"}";

/// Says which members differ, and nothing of what is in them.
#[track_caller]
fn names_members(text: &str) {
    for words in ["a candidate of this id came before", "'AGEP'", "'note'"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    text.never_says("secret");
    text.never_says("99");
}

#[test]
fn an_id_that_comes_again_with_another_record_is_refused_whatever_way_it_comes() {
    let feed = |kind: &str| config(kind, "until = { rounds = 4 }", REPORTED);
    let place = Place::new();
    place.write("http.toml", &feed(HTTP));
    let mut run = place.start(&["live", "http.toml", "--no-board", "--out", "http"]);
    let address = run.feed();
    let all = people(4);
    post(address, "/v1/decisions", &all[0]);
    for path in ["/v1/decisions", "/v1/candidates"] {
        let (status, answer) = ask(address, "POST", path, OTHER);
        assert_eq!(status, 409, "{path}: {answer}");
        names_members(&answer);
        assert_eq!(ask(address, "POST", path, &all[0]).0 / 100, 2);
    }
    let mixed = format!("{OTHER}\n{}\n{}\n", all[0], all[1]);
    let answer = post(address, "/v1/candidates", &mixed);
    assert_eq!(
        (
            &answer["accepted"],
            &answer["duplicates"],
            &answer["rejected"][0]["line"]
        ),
        (&1.into(), &1.into(), &1.into())
    );
    names_members(&answer["rejected"][0]["error"].to_string());
    let (status, answer) = ask(
        address,
        "POST",
        "/v1/candidates",
        &format!("[{OTHER},{OTHER}]"),
    );
    assert_eq!(
        (status, &read(&answer)["places"][1]["record"]),
        (409, &2.into())
    );
    let metrics = ask(address, "GET", "/metrics", "").1;
    metrics.says("refused_total 5\n");
    // Also once no lane plays.
    post(address, "/v1/candidates", &lines(&all[2..]));
    run.hears("no lane plays any more");
    assert_eq!(ask(address, "POST", "/v1/candidates", OTHER).0, 409);
    assert_eq!(run.stop().0, Some(0));
    assert_eq!(place.read("http/bad.ndjson").lines().count(), 6);

    let sent = lines(&[&all[..2], &[OTHER.to_owned()], &all[..1], &all[2..]].concat());
    let noted = |folder: &str| {
        let bad = place.read(&format!("{folder}/bad.ndjson"));
        let noted = read(&bad);
        assert_eq!(noted["line"], 3);
        names_members(&noted["error"].to_string());
    };
    place.write("stdin.toml", &feed("type = \"stdin\""));
    let mut live = place.start(&["live", "stdin.toml", "--no-board", "--out", "stdin"]);
    super::names::sends(&mut live, &sent);
    let (code, _, stderr) = live.end();
    assert_eq!(code, Some(0), "{stderr}");
    stderr.says("1 record refused");
    stderr.says("1 repeat dropped");
    noted("stdin");
    place.write(
        "tcp.toml",
        &feed("type = \"tcp\"\naddress = \"127.0.0.1:0\""),
    );
    let mut live = place.start(&["live", "tcp.toml", "--no-board", "--out", "tcp"]);
    let answer = super::names::answer_to(live.feed(), &sent);
    assert_eq!(
        (&answer["accepted"], &answer["duplicates"]),
        (&4.into(), &1.into())
    );
    names_members(&answer["rejected"][0]["error"].to_string());
    live.stop();
    noted("tcp");
}
