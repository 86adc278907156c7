//! Programs at the seats of a live run: what became of them is in the journal and comes again.

use super::people::{HTTP, config, lines, people};
use super::process::{Live, Place, live, post};
use crate::seats::{exec, python};

/// Accepts everybody, is too slow in round 5, and ends in round `argv[1]` when it is told to by a file.
const PROGRAM: &str = r#"import json, os, sys, time
for line in sys.stdin:
    told = json.loads(line)
    if told["type"] == "hello":
        print(json.dumps({"type": "ready", "name": "odd"}), flush=True)
    elif told["type"] == "slate":
        if told["round"] == 5 and os.path.exists("slow"):
            time.sleep(1.5)
        if told["round"] == 12 and os.path.exists("die"):
            sys.exit(3)
        print(json.dumps({"type": "select", "round": told["round"], "chosen": [0]}), flush=True)
    elif told["type"] == "bye":
        break
"#;

/// Starts the program beside others, for thirty rounds.
fn start(place: &Place) -> Live {
    place.write("odd.py", PROGRAM);
    let seat = exec("odd", &["python3", "odd.py"]) + "deadline = \"1s\"\n";
    let text = config(HTTP, "until = { rounds = 30 }", &seat);
    place.write("http.toml", &text);
    place.start(&live("run"))
}

/// What the program did, round by round.
fn of_odd(place: &Place, folder: &str) -> Vec<String> {
    let text = place.read(&format!("{folder}/decisions.ndjson"));
    let mine = text
        .lines()
        .filter(|line| line.contains("\"policy\":\"odd\""));
    mine.map(|line| line[line.find("\"round\"").expect("a round")..].to_owned())
        .collect()
}

#[test]
fn an_answer_that_came_in_time_may_be_late_when_the_run_is_played_again() {
    if !python() {
        return;
    }
    let place = Place::new();
    let mut run = start(&place);
    post(run.feed(), "/v1/candidates", &lines(&people(10)));
    assert_eq!(run.stop().0, Some(130));
    let first = of_odd(&place, "run");
    assert_eq!(first.len(), 10);
    place.write("slow", "");
    let mut run = place.start(&["resume", "run"]);
    post(run.feed(), "/v1/candidates", &lines(&people(12)[10..]));
    assert_eq!(run.stop().0, Some(130));
    let then = of_odd(&place, "run");
    assert_eq!(then[..10], first);
    assert!(then[4].contains("\"chosen\":[\"p4\"]"), "{}", then[4]);
}

#[test]
fn a_late_answer_and_a_programs_end_come_again_when_the_run_is_played_again() {
    if !python() {
        return;
    }
    let place = Place::new();
    place.write("slow", "");
    place.write("die", "");
    let mut run = start(&place);
    post(run.feed(), "/v1/candidates", &lines(&people(20)));
    std::thread::sleep(std::time::Duration::from_secs(4));
    assert_eq!(run.stop().0, Some(130));
    let of_odd = |folder| of_odd(&place, folder);
    let first = of_odd("run");
    assert_eq!(first.len(), 11, "{first:?}");
    assert!(first[4].contains("\"chosen\":[]"), "{}", first[4]);
    let summary = place.read("run/summary.json");
    assert!(summary.contains("\"left\": 1"), "{summary}");
    // From now on the program would do better; what it did stands.
    for name in ["slow", "die"] {
        std::fs::remove_file(place.path(name)).expect("it is there");
    }
    place.good(&["replay", "run", "--out", "again", "--trace", "decisions"]);
    assert_eq!(of_odd("again"), first);
    let mut run = place.start(&["resume", "run"]);
    post(run.feed(), "/v1/candidates", &lines(&people(30)[20..]));
    run.hears("no lane plays any more");
    assert_eq!(run.stop().0, Some(0));
    assert_eq!(of_odd("run"), first);
}
