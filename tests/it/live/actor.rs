//! A policy that counts, the others in its shadow: each person is answered at once.

use super::people::{HTTP, config, people};
use crate::support::process::{Live, Place, files, live, post, untouched};
use crate::support::programs::{exec, python};
use crate::support::says::Says as _;

fn place() -> Place {
    let place = Place::new();
    let acting = "[live]\nacting = \"queue\"\n";
    place.write(
        "http.toml",
        &config(HTTP, "until = { rounds = 60 }", acting),
    );
    place
}

#[test]
fn whoever_asks_gets_the_decision_and_it_is_in_the_journal() {
    let place = place();
    let mut run = place.start(&live("run"));
    let mut address = run.feed();
    let mut answered = Vec::new();
    for (n, person) in people(60).iter().enumerate() {
        if n == 25 {
            run.kill();
            run = place.start(&["resume", "run"]);
            address = run.feed();
            // Who did not hear the answer asks once more.
            let again = post(address, "/v1/decisions", &people(60)[24]);
            assert_eq!(again["duplicate"], true);
            assert_eq!(again["decision"] == "selected", answered[24]);
        }
        let answer = post(address, "/v1/decisions", person);
        assert_eq!(
            (&answer["acting"], &answer["round"]),
            (&"queue".into(), &(n + 1).into())
        );
        assert_eq!(answer["decision"], answer["policies"]["queue"]["decision"]);
        assert_eq!(answer["policies"]["all"]["decision"], "selected");
        answered.push(answer["decision"] == "selected");
    }
    run.hears("no lane plays any more");
    assert_eq!(run.stop().0, Some(0));
    assert!(answered.contains(&true) && answered.contains(&false));
    let decisions = place.read("run/decisions.ndjson");
    let of_queue = decisions.lines().filter_map(|line| {
        let event: serde_json::Value = serde_json::from_str(line).expect("JSON");
        (event["policy"] == "queue")
            .then(|| !event["chosen"].as_array().expect("a list").is_empty())
    });
    assert_eq!(of_queue.collect::<Vec<_>>(), answered);
    let store = rusqlite::Connection::open(place.path("run/journal.sqlite")).expect("a journal");
    let count = "SELECT count(*) FROM entry WHERE kind = 'decision'";
    let count: i64 = store
        .query_row(count, [], |row| row.get(0))
        .expect("a count");
    assert_eq!(count, 60);
}

/// Chooses as its last version says.
const PROGRAM: &str = r#"import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "name": "fickle"}), flush=True)
    elif message["type"] == "slate":
        answer = {"type": "select", "round": message["round"], "chosen": CHOSEN}
        print(json.dumps(answer), flush=True)
    elif message["type"] == "bye":
        break
"#;

/// A run that was stopped after ten people, whom the program chose.
fn stopped() -> Place {
    let place = Place::new();
    let seat = exec("fickle", &["python3", "fickle.py"]);
    let seat = format!("[live]\nacting = \"fickle\"\n{seat}deadline = \"30s\"\n");
    place.write("http.toml", &config(HTTP, "until = { rounds = 60 }", &seat));
    place.write("fickle.py", &PROGRAM.replace("CHOSEN", "[0]"));
    let mut run = place.start(&live("run"));
    asked(&mut run, &people(10));
    assert_eq!(run.stop().0, Some(130));
    place
}

/// Asks for decisions, all of which are to be the same.
#[track_caller]
fn asked(run: &mut Live, people: &[String]) {
    let address = run.feed();
    for person in people {
        let answer = post(address, "/v1/decisions", person);
        assert_eq!(answer["decision"], "selected");
    }
}

/// Neither takes it up nor plays it again, for this reason, and leaves all as it was.
#[track_caller]
fn refuses(place: &Place, words: &str) {
    place.write(
        "more.toml",
        "[[policy]]\nlabel = \"none\"\nkind = \"accept_all\"\n",
    );
    let before = files(place, "run");
    for args in [
        &["resume", "run"][..],
        &["resume", "run", "--without", "fickle"],
        &["replay", "run"],
        &["replay", "run", "--policies", "more.toml"],
    ] {
        let (code, stdout, stderr) = place.run(args);
        assert_eq!(code, Some(1), "{args:?}: {stderr}");
        assert!(stderr.contains(words), "{args:?}: {stderr}");
        stderr.never_says("the servers stay");
        assert_eq!(stdout, "");
        untouched(place, "run", &before);
    }
}

#[test]
fn a_policy_that_decides_otherwise_than_was_answered_is_not_taken_up() {
    if !python() {
        return;
    }
    let place = stopped();
    place.write("fickle.py", &PROGRAM.replace("CHOSEN", "[]"));
    let words = "in round 1 the acting policy once chose the slots [0], and now []";
    refuses(&place, words);
    // After the last round no further candidate comes.
    let last = "[0] if message[\"round\"] < 10 else []";
    place.write("fickle.py", &PROGRAM.replace("CHOSEN", last));
    let words = "in round 10 the acting policy once chose the slots [0], and now []";
    refuses(&place, words);
    place.write("fickle.py", &PROGRAM.replace("CHOSEN", "[0]"));
    place.good(&["replay", "run"]);
}

#[test]
fn a_policy_whose_decision_was_answered_and_that_now_ends_is_not_taken_up() {
    if !python() {
        return;
    }
    let place = stopped();
    let decisions = place.read("run/decisions.ndjson");
    // As where klero is called from another folder.
    std::fs::rename(place.path("fickle.py"), place.path("gone.py")).expect("it is there");
    refuses(
        &place,
        "policy fickle ended in round 1, which it had played before",
    );
    std::fs::rename(place.path("gone.py"), place.path("fickle.py")).expect("it is there");
    let (code, ..) = {
        let mut run = place.start(&["resume", "run"]);
        asked(&mut run, &people(12)[10..]);
        run.stop()
    };
    assert_eq!(code, Some(130));
    assert!(place.read("run/decisions.ndjson").starts_with(&decisions));
    // One that breaks a rule was not the program of then either.
    let breaks = "[0] if message[\"round\"] < 12 else [7]";
    place.write("fickle.py", &PROGRAM.replace("CHOSEN", breaks));
    refuses(
        &place,
        "policy fickle ended in round 12, which it had played before: round 12: chose slot 7 of a \
         slate of 1",
    );
}
