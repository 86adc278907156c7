//! Outcomes that come later.

use super::people::{HTTP, config, lines, people};
use crate::support::process::{Place, ask, post, same};
use crate::support::programs::{exec, python};
use crate::support::says::Says as _;

pub const REPORTED: &str = "[feedback.outcome]\ntype = \"reported\"\n";

pub fn metric(place: &Place, folder: &str, policy: &str, metric: &str) -> Option<f64> {
    let text = place.read(&format!("{folder}/replications.csv"));
    let row = format!("0,{policy},{metric},,");
    let value = text.lines().find_map(|line| line.strip_prefix(&*row))?;
    Some(value.parse().expect("a number"))
}

fn run(more: &str) -> Place {
    let place = Place::new();
    let more = format!("{REPORTED}{more}");
    place.write("http.toml", &config(HTTP, "until = { rounds = 40 }", &more));
    let mut run = place.start(&["live", "http.toml", "--no-board", "--out", "run"]);
    let address = run.feed();
    post(address, "/v1/candidates", &lines(&people(30)));
    let tell = |id: usize, value: f64| {
        let outcome = format!("{{\"candidate_id\":\"p{id}\",\"outcome\":{value}}}");
        post(address, "/v1/outcomes", &outcome)
    };
    assert_eq!(tell(0, 1.0)["accepted"], 1);
    assert_eq!(tell(0, 1.0)["duplicates"], 1);
    let of_one = "{\"candidate_id\":\"p1\",\"outcome\":3,\"policy\":\"queue\"}";
    post(address, "/v1/outcomes", of_one);
    let nobody = "{\"candidate_id\":\"nobody\",\"outcome\":3}";
    let (status, answer) = ask(address, "POST", "/v1/outcomes", nobody);
    assert_eq!(status, 422, "{answer}");
    answer.says("no candidate of this id has come");
    let rest = &people(40)[30..];
    post(address, "/v1/candidates", &lines(rest));
    run.hears("no lane plays any more");
    // Long after the last was chosen.
    assert_eq!(tell(39, 2.0)["accepted"], 1);
    assert_eq!(run.stop().0, Some(0));
    place
}

#[test]
fn they_count_for_those_who_chose_the_person_whenever_they_come() {
    let place = run("");
    let all = |name| metric(&place, "run", "all", name);
    assert_eq!(all("outcome_mean"), Some(1.5));
    assert_eq!(
        (all("outcomes_told"), all("pending")),
        (Some(2.0), Some(38.0))
    );
    place.good(&["replay", "run", "--out", "again", "-q"]);
    let read = |folder: &str| place.read(&format!("{folder}/replications.csv"));
    assert_eq!(read("run"), read("again"));
}

#[test]
fn where_one_policy_acts_the_outcomes_of_the_others_are_unobserved() {
    let place = run("[live]\nacting = \"queue\"\n");
    assert!(metric(&place, "run", "queue", "outcome_mean").is_some());
    for shadow in ["all", "learner"] {
        assert_eq!(metric(&place, "run", shadow, "outcome_mean"), None);
        assert!(metric(&place, "run", shadow, "pending").is_some());
    }
}

/// What a summary says of the outcomes of a policy's selected.
fn stream(place: &Place, folder: &str, policy: &str) -> serde_json::Value {
    let summary = place.read(&format!("{folder}/summary.json"));
    let summary: serde_json::Value = serde_json::from_str(&summary).expect("JSON");
    summary["policies"][policy]["stream"]["outcomes"].clone()
}

#[test]
fn means_of_outcomes_by_group_have_intervals_where_their_range_is_declared() {
    let place = Place::new();
    let ranged = format!("{REPORTED}range = [0, 1]\n[live]\nacting = \"queue\"\n");
    place.write(
        "ranged.toml",
        &config("type = \"stdin\"", "until = { rounds = 60 }", &ranged),
    );
    let bare = format!("{REPORTED}[live]\nacting = \"queue\"\n");
    place.write(
        "bare.toml",
        &config("type = \"stdin\"", "until = { rounds = 60 }", &bare),
    );
    let mut people = people(60);
    // All of them, whoever was selected.
    let outcome_of = |id: usize| format!("{{\"candidate_id\":\"p{id}\",\"outcome\":{}}}", id % 2);
    people.extend((0..60).map(outcome_of));
    for name in ["ranged", "bare"] {
        let config = format!("{name}.toml");
        let mut live = place.start(&["live", &config, "--no-board", "--out", name]);
        let mut pipe = live.stdin.take().expect("piped");
        std::io::Write::write_all(&mut pipe, lines(&people).as_bytes()).expect("it reads");
        drop(pipe);
        let (code, stdout, stderr) = live.end();
        assert_eq!(code, Some(0), "{stderr}");
        stdout.says("Mean outcome of the selected");
        assert_eq!(
            stdout.contains("No range of outcomes is known"),
            name == "bare",
            "{stdout}"
        );
        for shadow in ["all", "learner"] {
            assert!(stream(&place, name, shadow).is_null());
        }
    }
    let (ranged, bare) = (
        stream(&place, "ranged", "queue"),
        stream(&place, "bare", "queue"),
    );
    let known = metric(&place, "ranged", "queue", "outcomes_told").expect("some");
    assert_eq!(ranged["n"].as_f64(), Some(known));
    assert_eq!((&bare["n"], &bare["mean"]), (&ranged["n"], &ranged["mean"]));
    assert!(bare["lo"].is_null() && bare["range"].is_null());
    let [lo, mean, hi] = ["lo", "mean", "hi"].map(|end| ranged[end].as_f64().expect("a number"));
    assert!(0.0 <= lo && lo < mean && mean < hi && hi <= 1.0, "{ranged}");
    let groups = ranged["groups"].as_array().expect("a list");
    let all: f64 = groups
        .iter()
        .filter(|group| group["attribute"] == groups[0]["attribute"])
        .map(|group| group["n"].as_f64().expect("a number"))
        .sum();
    assert_eq!(all, known);
    for group in groups.iter().filter(|group| !group["mean"].is_null()) {
        let attributes = groups
            .iter()
            .any(|other| other["attribute"] != group["attribute"]);
        let [attribute, group_name] =
            ["attribute", "group"].map(|name| group[name].as_str().expect("a name"));
        let name = match attributes {
            true => format!("outcome_mean.{attribute}:{group_name}"),
            false => format!("outcome_mean.{group_name}"),
        };
        assert_eq!(
            metric(&place, "ranged", "queue", &name),
            group["mean"].as_f64(),
            "{name}"
        );
    }
    place.good(&["replay", "ranged", "--out", "again", "-q"]);
    assert_eq!(stream(&place, "again", "queue"), ranged);
}

#[test]
fn a_feed_may_tell_them_among_its_people() {
    let place = Place::new();
    place.write(
        "pipe.toml",
        &config("type = \"stdin\"", "until = { rounds = 40 }", REPORTED),
    );
    let mut live = place.start(&["live", "pipe.toml", "--no-board", "--out", "pipe"]);
    let mut people = people(40);
    let outcome_of =
        |id: usize, value: f64| format!("{{\"candidate_id\":\"p{id}\",\"outcome\":{value}}}");
    people.insert(10, outcome_of(3, 4.0));
    people.insert(12, outcome_of(3, 4.0));
    people.insert(14, "{\"candidate_id\":\"p3\",\"outcome\":\"good\"}".into());
    people.push(outcome_of(39, 2.0));
    let mut pipe = live.stdin.take().expect("piped");
    std::io::Write::write_all(&mut pipe, lines(&people).as_bytes()).expect("it reads");
    drop(pipe);
    let (code, _, stderr) = live.end();
    assert_eq!(code, Some(0), "{stderr}");
    let all = |name| metric(&place, "pipe", "all", name);
    assert_eq!(
        (all("outcome_mean"), all("outcomes_told")),
        (Some(3.0), Some(2.0))
    );
    assert!(
        place
            .read("pipe/bad.ndjson")
            .contains("`outcome` must be a number")
    );
}

#[test]
fn an_id_is_its_sources_own_and_outcomes_reach_the_right_person() {
    let place = Place::new();
    let until = "until = { rounds = 3 }";
    place.write("http.toml", &config(HTTP, until, REPORTED));
    let args = ["live", "http.toml", "--no-board", "--trace", "decisions"];
    let mut run = place.start(&[&args[..], &["--out", "run"]].concat());
    let address = run.feed();
    let event = |source: &str, data: &str| {
        let kind = "\"type\":\"t\"";
        format!(
            "{{\"specversion\":\"1.0\",{kind},\"source\":\"{source}\",\"id\":\"1\",\"data\":{data}}}\n"
        )
    };
    let person = "{\"AGEP\":40,\"SEX\":\"2\"}";
    let (north, south) = (event("/north", person), event("/south", person));
    let answer = post(address, "/v1/candidates", &format!("{north}{south}{north}"));
    assert_eq!(
        (&answer["accepted"], &answer["duplicates"]),
        (&2.into(), &1.into())
    );
    // Named by the record, whatever message brings it.
    let named = "{\"id\":\"1\",\"AGEP\":40,\"SEX\":\"2\"}";
    let again = format!("{}{}", event("/north", named), event("/south", named));
    let answer = post(address, "/v1/candidates", &again);
    assert_eq!(
        (&answer["accepted"], &answer["duplicates"]),
        (&1.into(), &1.into())
    );
    run.hears("no lane plays any more");
    let outcome_of =
        |id: &str, value: f64| format!("{{\"candidate_id\":\"{id}\",\"outcome\":{value}}}");
    for (outcome, taken) in [
        (outcome_of("/south 1", 5.0), "accepted"),
        // What an envelope of an outcome is called says nothing of the person.
        (event("/south", &outcome_of("/north 1", 3.0)), "accepted"),
        (event("/other", &outcome_of("/south 1", 5.0)), "duplicates"),
    ] {
        assert_eq!(
            post(address, "/v1/outcomes", &outcome)[taken],
            1,
            "{outcome}"
        );
    }
    assert_eq!(run.stop().0, Some(0));
    let decisions = place.read("run/decisions.ndjson");
    for name in ["[\"/north 1\"]", "[\"/south 1\"]", "[\"1\"]"] {
        assert!(decisions.contains(name), "{name}: {decisions}");
    }
    assert_eq!(metric(&place, "run", "all", "outcome_mean"), Some(4.0));
    assert_eq!(metric(&place, "run", "all", "pending"), Some(1.0));
    let trace = place.good(&["trace", "run", "--candidate", "/south 1"]);
    trace.says("/south 1");
    let args = ["replay", "run", "--trace", "decisions", "-q"];
    place.good(&[&args[..], &["--out", "again"]].concat());
    same(&place, "run", "again");
}

/// Accepts everybody, and writes down what it hears of them.
const LISTENER: &str = r#"import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "name": "listener"}), flush=True)
    elif message["type"] == "slate":
        chosen = [c["slot"] for c in message["candidates"]]
        answer = {"type": "select", "round": message["round"], "chosen": chosen}
        print(json.dumps(answer), flush=True)
    elif message["type"] == "outcome":
        with open("heard.txt", "a") as heard:
            heard.write(f"{message['candidate']['id']} {message['value']}\n")
    elif message["type"] == "bye":
        break
"#;

#[test]
fn one_that_comes_before_its_persons_slate_is_full_is_heard_once_it_is() {
    if !python() {
        return;
    }
    let place = Place::new();
    place.write("listener.py", LISTENER);
    let seat = exec("seat", &["python3", "listener.py"]) + "deadline = \"60s\"\n";
    let rules = "slate = 3\nuntil = { rounds = 3 }";
    let text = config(HTTP, rules, &format!("{REPORTED}{seat}"));
    let text = text.replace("choose = \"at_most_one\"", "choose = \"any\"");
    let text = text.replace(
        "[[policy]]\nlabel = \"learner\"\nkind = \"plugin_cmdp\"\n",
        "",
    );
    place.write("http.toml", &text);
    let mut run = place.start(&["live", "http.toml", "--no-board", "--out", "run"]);
    let address = run.feed();
    let people = people(9);
    post(address, "/v1/candidates", &people[0]);
    post(
        address,
        "/v1/outcomes",
        "{\"candidate_id\":\"p0\",\"outcome\":7}",
    );
    post(address, "/v1/candidates", &lines(&people[1..]));
    run.hears("no lane plays any more");
    let (code, _, stderr) = run.stop();
    assert_eq!(code, Some(0), "{stderr}");
    assert_eq!(place.read("heard.txt"), "p0 7.0\n");
}
