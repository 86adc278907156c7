//! What became of people, told later.

use super::people::{HTTP, config, lines, people};
use super::process::{Place, ask, post, same};
use crate::seats::{exec, python};

const REPORTED: &str = "[feedback.outcome]\ntype = \"reported\"\n";

fn metric(place: &Place, folder: &str, policy: &str, metric: &str) -> Option<f64> {
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
        let told = format!("{{\"candidate_id\":\"p{id}\",\"outcome\":{value}}}");
        post(address, "/v1/outcomes", &told)
    };
    assert_eq!(tell(0, 1.0)["accepted"], 1);
    assert_eq!(tell(0, 1.0)["duplicates"], 1);
    let of_one = "{\"candidate_id\":\"p1\",\"outcome\":3,\"policy\":\"queue\"}";
    post(address, "/v1/outcomes", of_one);
    let nobody = "{\"candidate_id\":\"nobody\",\"outcome\":3}";
    let (status, answer) = ask(address, "POST", "/v1/outcomes", nobody);
    assert_eq!(status, 422, "{answer}");
    assert!(
        answer.contains("no candidate of this id has come"),
        "{answer}"
    );
    let rest = &people(40)[30..];
    post(address, "/v1/candidates", &lines(rest));
    run.hears("no lane plays any more");
    // Long after the last was chosen.
    assert_eq!(tell(39, 2.0)["accepted"], 1);
    assert_eq!(run.stop().0, Some(0));
    place
}

#[test]
fn they_count_for_those_who_chose_the_person_whenever_they_are_told() {
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
    let told = |id: usize| format!("{{\"candidate_id\":\"p{id}\",\"outcome\":{}}}", id % 2);
    people.extend((0..60).map(told));
    for name in ["ranged", "bare"] {
        let config = format!("{name}.toml");
        let mut live = place.start(&["live", &config, "--no-board", "--out", name]);
        let mut pipe = live.stdin.take().expect("piped");
        std::io::Write::write_all(&mut pipe, lines(&people).as_bytes()).expect("it reads");
        drop(pipe);
        let (code, stdout, stderr) = live.end();
        assert_eq!(code, Some(0), "{stderr}");
        assert!(stdout.contains("Mean outcome of the selected"), "{stdout}");
        assert_eq!(
            stdout.contains("declares no range"),
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
    let told =
        |id: usize, value: f64| format!("{{\"candidate_id\":\"p{id}\",\"outcome\":{value}}}");
    people.insert(10, told(3, 4.0));
    people.insert(12, told(3, 4.0));
    people.insert(14, "{\"candidate_id\":\"p3\",\"outcome\":\"good\"}".into());
    people.push(told(39, 2.0));
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
    let told = |id: &str, value: f64| format!("{{\"candidate_id\":\"{id}\",\"outcome\":{value}}}");
    for (outcome, taken) in [
        (told("/south 1", 5.0), "accepted"),
        // What an envelope of an outcome is called says nothing of the person.
        (event("/south", &told("/north 1", 3.0)), "accepted"),
        (event("/other", &told("/south 1", 5.0)), "duplicates"),
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
    assert!(trace.contains("/south 1"), "{trace}");
    let args = ["replay", "run", "--trace", "decisions", "-q"];
    place.good(&[&args[..], &["--out", "again"]].concat());
    same(&place, "run", "again");
}

/// Accepts everybody, and writes down what it hears of them.
const LISTENER: &str = r#"import json, sys
for line in sys.stdin:
    told = json.loads(line)
    if told["type"] == "hello":
        print(json.dumps({"type": "ready", "name": "listener"}), flush=True)
    elif told["type"] == "slate":
        chosen = [c["slot"] for c in told["candidates"]]
        print(json.dumps({"type": "select", "round": told["round"], "chosen": chosen}), flush=True)
    elif told["type"] == "outcome":
        with open("heard.txt", "a") as heard:
            heard.write(f"{told['candidate']['id']} {told['value']}\n")
    elif told["type"] == "bye":
        break
"#;

#[test]
fn one_told_before_its_persons_slate_is_full_is_heard_once_it_is() {
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

#[test]
fn one_of_somebody_who_never_came_is_told_with_its_line_and_noted_whatever_way_it_comes() {
    let place = Place::new();
    let nobody = "{\"candidate_id\":\"nobody\",\"outcome\":3}";
    let feed = |kind: &str| config(kind, "until = { rounds = 40 }", REPORTED);
    let noted = |folder: &str, line: u64| {
        let bad = place.read(&format!("{folder}/bad.ndjson"));
        let told: Vec<serde_json::Value> = bad
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        assert_eq!(told.len(), 1, "{bad}");
        assert_eq!(
            (&told[0]["line"], &told[0]["record"]),
            (&line.into(), &nobody.into())
        );
        assert!(
            told[0]["error"]
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
    assert!(stderr.contains("1 record"), "{stderr}");
    noted("stdin", 2);

    place.write(
        "tcp.toml",
        &feed("type = \"tcp\"\naddress = \"127.0.0.1:0\""),
    );
    let mut live = place.start(&["live", "tcp.toml", "--no-board", "--out", "tcp"]);
    let answer = super::names::tells(live.feed(), &lines(&sent));
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
    let told = format!("{}{nobody}\n{}", of(0), of(0));
    let answer = post(address, "/v1/outcomes", &told);
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
fn a_connection_is_told_that_no_lane_plays_any_more() {
    let place = Place::new();
    let tcp = "type = \"tcp\"\naddress = \"127.0.0.1:0\"";
    place.write("tcp.toml", &config(tcp, "until = { rounds = 4 }", ""));
    let mut run = place.start(&["live", "tcp.toml", "--no-board", "--stay", "--out", "run"]);
    let address = run.feed();
    let people = people(6);
    let answer = super::names::tells(address, &lines(&people[..4]));
    assert_eq!(
        (&answer["accepted"], &answer["error"]),
        (&4.into(), &serde_json::Value::Null)
    );
    run.hears("no lane plays any more");
    let answer = super::names::tells(address, &lines(&people[3..]));
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
fn who_stands_behind_the_line_that_ends_a_stream_is_told_so() {
    let place = Place::new();
    let source = format!("{HTTP}\non_error = \"halt\"");
    place.write("http.toml", &config(&source, "until = { rounds = 40 }", ""));
    let mut run = place.start(&["live", "http.toml", "--no-board", "--out", "run"]);
    let people = people(3);
    let body = format!("{}\nrubbish\n{}\n{}\n", people[0], people[1], people[2]);
    let answer = post(run.feed(), "/v1/candidates", &body);
    assert_eq!(answer["accepted"], 1);
    let told = &answer["rejected"];
    assert_eq!((&told[0]["line"], &told[2]["line"]), (&2.into(), &4.into()));
    assert_eq!(told[2]["error"], "the stream ended with line 2");
    run.end();
}
