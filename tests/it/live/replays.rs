//! A live run that was stopped goes on; one that is over can be played again, with further
//! policies.

use crate::support::terminal::typed;
use std::io::Write;
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::people::{HTTP, config, lines, people};
use crate::support::process::{Place, ask, live, post, same};
use crate::support::programs::{exec, python};
use crate::support::says::Says as _;

const MANY: usize = 900;

fn until() -> String {
    format!("until = {{ rounds = {MANY} }}")
}

pub fn http(place: &Place) {
    place.write("http.toml", &config(HTTP, &until(), ""));
}

#[test]
fn a_run_that_was_stopped_and_one_that_was_killed_go_on_as_if_nothing_had_been() {
    let place = Place::new();
    http(&place);
    let people = people(MANY);
    let mut whole = place.start(&live("whole"));
    let address = whole.feed();
    post(address, "/v1/candidates", &lines(&people));
    whole.hears("no lane plays any more");
    assert_eq!(whole.stop().0, Some(0));

    for (folder, kill) in [("stopped", false), ("killed", true)] {
        let mut parts = people.chunks(250);
        let mut run = place.start(&live(folder));
        post(
            run.feed(),
            "/v1/candidates",
            &lines(parts.next().expect("a part")),
        );
        // As a user does it, and as a service manager does.
        for (part, signal) in parts.zip(["-INT", "-TERM"].into_iter().cycle()) {
            if kill {
                run.kill();
            } else {
                run.signal(signal);
                let (code, _, stderr) = run.end();
                assert_eq!(code, Some(130), "{stderr}");
                stderr.says("klero resume");
                let summary = place.read(&format!("{folder}/summary.json"));
                summary.says("interrupted");
            }
            run = place.start(&["resume", folder]);
            let address = run.feed();
            // A sender who did not hear the answer sends once more.
            let again = post(address, "/v1/candidates", &lines(&people[..1]));
            let counts = (&again["accepted"], &again["duplicates"]);
            assert_eq!(counts, (&0.into(), &1.into()));
            let answer = post(address, "/v1/candidates", &lines(part));
            assert_eq!(answer["accepted"], part.len());
        }
        run.hears("no lane plays any more");
        assert_eq!(run.stop().0, Some(0));
        same(&place, "whole", folder);
        assert!(!place.path(folder).join("progress.ndjson").exists());
    }
}

#[test]
fn a_journal_is_played_again_with_other_policies_from_the_first_person_on() {
    let place = Place::new();
    http(&place);
    let mut run = place.start(&[&live("whole")[..], &["--people"]].concat());
    post(run.feed(), "/v1/candidates", &lines(&people(MANY)));
    run.hears("no lane plays any more");
    // Others may read while it is under way.
    let again = [
        "replay",
        "whole",
        "--out",
        "again",
        "--people",
        "--trace",
        "decisions",
    ];
    place.good(&again);
    assert_eq!(run.stop().0, Some(0));
    same(&place, "whole", "again");
    let shown = place.read("whole/people.csv");
    assert!(shown.lines().count() > MANY, "a row a person and policy");
    assert_eq!(shown, place.read("again/people.csv"));

    let more = "[[policy]]\nlabel = \"stricter\"\nkind = \"virtual_queue\"\nv = 0.5\n";
    place.write("more.toml", more);
    let replay = ["replay", "whole", "--policies", "more.toml"];
    place.good(&[&replay[..], &["--out", "more", "--trace", "decisions"]].concat());
    let all = config(HTTP, &until(), more);
    // All of them at once, from the start.
    place.write("http.toml", &all);
    let mut run = place.start(&live("together"));
    post(run.feed(), "/v1/candidates", &lines(&people(MANY)));
    run.hears("no lane plays any more");
    assert_eq!(run.stop().0, Some(0));
    same(&place, "more", "together");
}

#[test]
fn a_committee_that_is_full_takes_no_more_people_and_says_so() {
    let place = Place::new();
    place.write("http.toml", &config(HTTP, "until = { accepted = 5 }", ""));
    let mut run = place.start(&live("whole"));
    let address = run.feed();
    post(address, "/v1/candidates", &lines(&people(MANY)));
    run.hears("no lane plays any more");
    let (status, answer) = ask(address, "POST", "/v1/candidates", "{\"id\":\"x\"}");
    assert_eq!(status, 410, "{answer}");
    assert_eq!(run.stop().0, Some(0));
    // It is over for good, and says so at once.
    let mut run = place.start(&["resume", "whole"]);
    run.hears("note: the journal has 900 people");
    run.hears("no lane plays any more");
    assert_eq!(run.stop().0, Some(0));
}

#[test]
fn a_generated_stream_goes_on_where_it_was() {
    let place = Place::new();
    let set = [
        "--set",
        "rules.until.accepted=40",
        "--set",
        "report.at=[40]",
        "--no-board",
        "-q",
    ];
    let live = |out| [&["live", "--out", out, "--trace", "decisions"], &set[..]].concat();
    place.good(&live("whole"));
    let slow = ["--set", "source.pace=\"60/s\""];
    let run = place.start(&[&live("cut")[..], &slow].concat());
    sleep(Duration::from_millis(2500));
    run.kill();
    let mut run = place.start(&["resume", "cut", "-q"]);
    sleep(Duration::from_millis(1200));
    drop(run.stdin.take().map(|mut pipe| pipe.flush()));
    assert_eq!(run.stop().0, Some(130));
    let rounds = |folder: &str| {
        place
            .read(&format!("{folder}/decisions.ndjson"))
            .lines()
            .count()
    };
    // It did not begin anew at its pace.
    assert!(rounds("cut") > 2 * 60, "{}", rounds("cut"));
    let config = place.read("cut/config.toml");
    let pace = "pace = \"60/s\"\n";
    assert!(config.contains(pace));
    place.write("cut/config.toml", &config.replace(pace, ""));
    place.good(&["resume", "cut", "-q"]);
    same(&place, "whole", "cut");
}

#[test]
fn a_policy_may_join_and_stays_from_the_first_person_on() {
    let place = Place::new();
    http(&place);
    let more = "[[policy]]\nlabel = \"stricter\"\nkind = \"virtual_queue\"\nv = 0.5\n";
    place.write("more.toml", more);
    let people = people(MANY);
    let mut run = place.start(&live("whole"));
    post(run.feed(), "/v1/candidates", &lines(&people[..400]));
    run.kill();
    let mut run = place.start(&["resume", "whole", "--policies", "more.toml"]);
    post(run.feed(), "/v1/candidates", &lines(&people[400..600]));
    run.kill();
    let mut run = place.start(&["resume", "whole"]);
    post(run.feed(), "/v1/candidates", &lines(&people[600..]));
    run.hears("no lane plays any more");
    assert_eq!(run.stop().0, Some(0));
    place.write("http.toml", &config(HTTP, &until(), more));
    let mut run = place.start(&live("together"));
    post(run.feed(), "/v1/candidates", &lines(&people));
    run.hears("no lane plays any more");
    assert_eq!(run.stop().0, Some(0));
    same(&place, "whole", "together");
    // Twice the same label is refused.
    let (code, _, stderr) = place.run(&["resume", "whole", "--policies", "more.toml"]);
    assert_eq!(code, Some(2));
    stderr.says("stricter");
}

#[test]
fn lanes_that_were_over_long_before_the_journals_end_are_over_again() {
    let place = Place::new();
    place.write("http.toml", &config(HTTP, "until = { accepted = 3 }", ""));
    let mut run = place.start(&live("whole"));
    let address = run.feed();
    // More than the source takes at once, most of them when no lane plays any more.
    post(address, "/v1/candidates", &lines(&people(9_000)));
    run.kill();
    let mut run = place.start(&["resume", "whole"]);
    run.hears("no lane plays any more");
    assert!(place.read("whole/summary.json").contains("filled"));
    assert_eq!(run.stop().0, Some(0));
}

#[test]
fn the_servers_stay_where_that_is_asked_for() {
    let place = Place::new();
    place.write(
        "pipe.toml",
        &config("type = \"stdin\"", "until = { rounds = 5 }", ""),
    );
    let board = ["--set", "board.address=\"127.0.0.1:0\""];
    let mut run =
        place.start(&[&["live", "pipe.toml", "--stay", "--out", "x"][..], &board].concat());
    let address = run.board();
    let mut pipe = run.stdin.take().expect("piped");
    pipe.write_all(lines(&people(5)).as_bytes())
        .expect("it reads");
    drop(pipe);
    run.hears("no lane plays any more");
    assert_eq!(ask(address, "GET", "/healthz", "").0, 200);
    assert_eq!(run.stop().0, Some(0));
}

#[test]
fn an_address_that_is_taken_and_a_broken_journal_leave_the_folder_as_it_was() {
    let place = Place::new();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("it is bound");
    let source = format!("type = \"http\"\naddress = \"{address}\"");
    place.write("http.toml", &config(&source, &until(), ""));
    let (code, _, stderr) = place.run(&live("whole"));
    assert_eq!(code, Some(2), "{stderr}");
    stderr.says("source.address");
    assert!(!place.path("whole").exists());
    drop(taken);
    let mut run = place.start(&live("whole"));
    run.feed();
    post(address, "/v1/candidates", &lines(&people(20)));
    assert_eq!(run.stop().0, Some(130));
    let store = rusqlite::Connection::open(place.path("whole/journal.sqlite")).expect("a journal");
    store
        .execute_batch("DELETE FROM entry WHERE seq = 20")
        .expect("it can be cut");
    drop(store);
    assert_eq!(place.run(&["resume", "whole"]).0, Some(2));
    assert!(!place.path("whole/progress.ndjson").exists());
    place.good(&["report", "whole"]);
}

#[test]
fn an_interrupt_is_heard_from_the_moment_it_says_where_it_listens() {
    let place = Place::new();
    http(&place);
    for run in 0..20 {
        let mut run = place.start(&live(&format!("run{run}")));
        run.feed();
        let (code, _, stderr) = run.stop();
        assert_eq!(code, Some(130), "{stderr}");
    }
}

/// Takes its time.
const SLOW: &str = r#"import json, sys, time
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "name": "slow"}), flush=True)
    elif message["type"] == "slate":
        time.sleep(0.2)
        print(json.dumps({"type": "select", "round": message["round"], "chosen": []}), flush=True)
    elif message["type"] == "bye":
        break
"#;

#[test]
fn a_replay_that_is_interrupted_ends_with_what_it_has() {
    if !python() {
        return;
    }
    let place = Place::new();
    http(&place);
    let mut run = place.start(&live("whole"));
    post(run.feed(), "/v1/candidates", &lines(&people(MANY)));
    run.hears("no lane plays any more");
    assert_eq!(run.stop().0, Some(0));
    place.write("slow.py", SLOW);
    place.write("more.toml", &exec("slow", &["python3", "slow.py"]));
    let begun = Instant::now();
    let replay = typed("replay whole --policies more.toml --out again");
    let run = place.start(&replay);
    while !place.path("again/config.toml").exists() {
        sleep(Duration::from_millis(10));
    }
    let (code, stdout, stderr) = run.stop();
    assert_eq!(code, Some(130), "{stderr}");
    stderr.says("as far as it was played");
    stdout.says("slow");
    assert!(place.read("again/summary.json").contains("interrupted"));
    // All of it would take the program three minutes.
    assert!(begun.elapsed() < Duration::from_secs(120));
}
