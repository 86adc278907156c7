//! Programs at the seats of a live run: what became of them is in the journal and comes again.

use super::people::{HTTP, config, lines, people};
use crate::support::process::{Live, PATIENCE, Place, ask, files, live, post, untouched};
use crate::support::programs::{exec, python};
use crate::support::says::Says as _;
use crate::support::worlds::SEATED;

/// Accepts everybody; files make it too slow in round 5, hang in round 3 or end in round 12.
const PROGRAM: &str = r#"import json, os, sys, time
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "name": "odd"}), flush=True)
    elif message["type"] == "slate":
        if message["round"] == 5 and os.path.exists("slow"):
            time.sleep(1.5)
        if message["round"] == 3 and os.path.exists("hang"):
            open("id", "w").write(str(os.getpid()))
            time.sleep(100)
        if message["round"] == 12 and os.path.exists("die"):
            sys.exit(3)
        print(json.dumps({"type": "select", "round": message["round"], "chosen": [0]}), flush=True)
    elif message["type"] == "bye":
        break
"#;

/// Starts the program among others, for thirty rounds.
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
    summary.says("\"left\": 1");
    // From now on the program would do better; what it did counts.
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

/// A run that was stopped after twenty people, and whose program now ends in round 12.
fn broken() -> Place {
    let place = Place::new();
    let mut run = start(&place);
    post(run.feed(), "/v1/candidates", &lines(&people(20)));
    assert_eq!(run.stop().0, Some(130));
    place.write("die", "");
    place
}

#[track_caller]
fn resume_and_stop(place: &Place, args: &[&str]) {
    let mut run = place.start(args);
    run.feed();
    assert_eq!(run.stop().0, Some(130));
}

#[test]
fn a_program_that_ends_where_it_went_on_stops_the_run_and_nothing_is_written() {
    if !python() {
        return;
    }
    let place = broken();
    let before = files(&place, "run");
    for args in [&["resume", "run"][..], &["replay", "run"]] {
        let (code, stdout, stderr) = place.run(args);
        assert_eq!(code, Some(1), "{args:?}: {stderr}");
        for words in [
            "policy odd ended in round 12, which it had played before: its program ended (exit \
             status: 3)",
            "is klero called from the folder where the run was begun?",
            "`klero resume run --without odd` ends its lane there for good",
        ] {
            assert!(stderr.contains(words), "{args:?}: {stderr}");
        }
        assert_eq!(stdout, "");
        untouched(&place, "run", &before);
    }
    let (code, _, stderr) = place.run(&["resume", "run", "--without", "od"]);
    assert_eq!(code, Some(2), "{stderr}");
    stderr.says("did you mean \"odd\"?");
    std::fs::remove_file(place.path("die")).expect("it is there");
    resume_and_stop(&place, &["resume", "run"]);
    assert_eq!(files(&place, "run")["entries"], before["entries"]);
    assert_eq!(of_odd(&place, "run").len(), 20);
}

#[test]
fn a_program_that_can_not_go_on_is_let_go_for_good() {
    if !python() {
        return;
    }
    let place = broken();
    let first = of_odd(&place, "run");
    let mut run = place.start(&["resume", "run", "--without", "odd"]);
    post(run.feed(), "/v1/candidates", &lines(&people(22)[20..]));
    assert_eq!(run.stop().0, Some(130));
    assert_eq!(of_odd(&place, "run"), first[..11]);
    let summary = place.read("run/summary.json");
    summary.says("\"left\": 1");
    // It is in the journal, whatever the program would do now.
    std::fs::remove_file(place.path("die")).expect("it is there");
    resume_and_stop(&place, &["resume", "run"]);
    assert_eq!(of_odd(&place, "run"), first[..11]);
}

#[test]
fn a_policy_that_joins_may_end_in_what_others_had_played_before() {
    if !python() {
        return;
    }
    let place = broken();
    std::fs::remove_file(place.path("die")).expect("it is there");
    let dies = PROGRAM.replace("os.path.exists(\"die\")", "True");
    place.write("new.py", &dies);
    place.write("more.toml", &exec("new", &["python3", "new.py"]));
    let stdout = place.good(&["replay", "run", "--policies", "more.toml"]);
    stdout.says("left");
    resume_and_stop(&place, &["resume", "run", "--policies", "more.toml"]);
    let of_new = |text: String| text.lines().filter(|line| line.contains("\"new\"")).count();
    assert_eq!(of_new(place.read("run/decisions.ndjson")), 11);
    resume_and_stop(&place, &["resume", "run"]);
    assert_eq!(of_new(place.read("run/decisions.ndjson")), 11);
}

#[test]
fn a_program_that_hangs_is_reported_and_does_not_outlive_the_run() {
    if !python() {
        return;
    }
    let place = broken();
    place.write("hang", "");
    let mut run = place.start(&["resume", "run"]);
    run.feed();
    run.hears_of("the program of policy odd has been silent for 5 s after round 3");
    // One that is heard while the other is dealt with counts as one.
    for _ in 0..5 {
        run.signal("-INT");
        std::thread::sleep(std::time::Duration::from_millis(200));
    }
    let id = place.read("id");
    // What is killed may wait until it is noticed: then it has no words.
    let lives =
        || std::fs::read(format!("/proc/{id}/cmdline")).is_ok_and(|words| !words.is_empty());
    let start = std::time::Instant::now();
    while lives() {
        // Far less than what it would be given up after.
        assert!(start.elapsed().as_secs() < 20, "it lives on");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    assert_eq!(run.end().0, Some(130));
}

#[test]
fn a_generated_stream_is_ended_where_a_program_does_not_go_on() {
    if !python() {
        return;
    }
    let place = Place::new();
    place.write("odd.py", PROGRAM);
    let seat = exec("odd", &["python3", "odd.py"]) + "deadline = \"30s\"\n";
    let paced = SEATED.replace("type =", "pace = \"20/s\"\ntype =");
    let paced = paced.replace("replications = 2", "");
    let paced = paced.replace("accepted = 25", "accepted = 30000");
    let paced = paced.replace("max_rounds = 400", "max_rounds = 40000");
    let other = "[[policy]]\nlabel = \"all\"\nkind = \"accept_all\"\n";
    place.write("paced.toml", &format!("{paced}{other}{seat}"));
    let set = ["--no-board", "--trace", "decisions", "--out", "run"];
    let run = place.start(&[&["live", "paced.toml"], &set[..]].concat());
    std::thread::sleep(std::time::Duration::from_secs(3));
    assert_eq!(run.stop().0, Some(130));
    let rounds = of_odd(&place, "run").len();
    assert!(rounds > 15, "{rounds}");
    let before = files(&place, "run");
    place.write("die", "");
    for args in [&["resume", "run"][..], &["replay", "run"]] {
        let (code, _, stderr) = place.run(args);
        assert_eq!(code, Some(1), "{args:?}: {stderr}");
        stderr.says("policy odd ended in round 12");
        untouched(&place, "run", &before);
    }
}

/// A program that fails says why on its standard error: that is handed on, and its last line is at
/// the failing lane on the board and after the result.
#[test]
fn the_last_error_line_of_a_failing_program_is_on_the_board() {
    if !python() {
        return;
    }
    let place = Place::new();
    let program = PROGRAM.replace("sys.exit(3)", "[][message[\"round\"]]");
    place.write("odd.py", &program);
    place.write("die", "");
    let seat = exec("odd", &["python3", "odd.py"]) + "deadline = \"5s\"\n";
    let board = "[board]\naddress = \"127.0.0.1:0\"\n";
    let text = config(HTTP, "until = { rounds = 30 }", &seat) + board;
    place.write("http.toml", &text);
    let mut run = place.start(&["live", "http.toml", "--out", "run"]);
    let (feed, board) = (run.feed(), run.board());
    post(feed, "/v1/candidates", &lines(&people(20)));
    let wanted = "IndexError: list index out of range";
    run.hears(&format!("odd: {wanted}"));
    let until = std::time::Instant::now() + PATIENCE;
    let page = loop {
        let (_, page) = ask(board, "GET", "/", "");
        if page.contains("plays no more") || std::time::Instant::now() > until {
            break page;
        }
    };
    page.says(&format!("last error line of its program: {wanted}"));
    let (_, _, stderr) = run.stop();
    stderr.says(&format!(
        "note: the last error line of policy odd: {wanted}"
    ));
}

/// A shadow that never gets ready, one that hangs and one that writes blank lines without end: each
/// post is answered once the acting policy has decided, before any of them has.
#[test]
fn no_shadow_delays_the_policy_that_counts() {
    if !python() {
        return;
    }
    let ready = "sys.stdin.readline(); print('{\"type\":\"ready\"}', flush=True)";
    let faults = [
        "import time; time.sleep(1000)".to_owned(),
        format!("import sys, time; {ready}; time.sleep(1000)"),
        format!("import sys; {ready}\nwhile True: sys.stdout.write('\\n' * 65536)"),
    ];
    for fault in faults {
        let place = Place::new();
        place.write("odd.py", &fault);
        let acting = "[live]\nacting = \"queue\"\n";
        let seat = acting.to_owned() + &exec("odd", &["python3", "odd.py"]);
        let seat = seat + "deadline = \"60s\"\n";
        place.write("http.toml", &config(HTTP, "until = { rounds = 60 }", &seat));
        let mut run = place.start(&live("run"));
        let address = run.feed();
        for person in people(40) {
            let (code, answer) = ask(address, "POST", "/v1/decisions", &person);
            assert_eq!(code, 200, "{fault}: {answer}");
            let answer: serde_json::Value = serde_json::from_str(&answer).expect("JSON");
            assert!(answer["decision"].is_string(), "{fault}: {answer}");
            assert_eq!(answer["policies"].get("odd"), None, "{fault}: {answer}");
        }
    }
}

/// The results, which have it too, may be months away.
#[test]
fn a_lane_that_breaks_off_is_said_at_once() {
    if !python() {
        return;
    }
    for (chosen, why) in [
        (
            r#"{"type": "select", "chosen": [0]}"#,
            "line 4 of its output has no `round`, which an answer names",
        ),
        (
            r#"{"type": "stall"}"#,
            "line 4 of its output has no `round`, which an answer names",
        ),
        (
            "1",
            "line 4 of its output is no message (invalid type: integer `1`, expected an object)",
        ),
        (
            r#"{"type": "select", "round": 2, "chosen": [0]}"#,
            "answered round 2 twice",
        ),
    ] {
        let place = Place::new();
        let answer = format!("print('{chosen}' if message[\"round\"] == 3 else ");
        let program = PROGRAM.replace("        print(json.dumps({\"type\": \"select\"", &{
            format!("        {answer}json.dumps({{\"type\": \"select\"")
        });
        assert_ne!(program, PROGRAM);
        place.write("odd.py", &program);
        let seat = exec("odd", &["python3", "odd.py"]) + "deadline = \"5s\"\n";
        let text = config(HTTP, "until = { rounds = 30 }", &seat);
        place.write("http.toml", &text);
        let mut run = place.start(&live("run"));
        post(run.feed(), "/v1/candidates", &lines(&people(4)));
        run.hears_of("the policy odd plays no more, disqualified: round 3: ");
        let (_, _, stderr) = run.stop();
        assert!(stderr.contains(why), "{why}: {stderr}");
    }
}
