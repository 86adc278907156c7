//! The walk of docs/interviews.md, and the board of a hiring round in a browser.

use std::net::SocketAddr;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use super::kit::{HTTP, PEOPLE, TWO, config, get};
use crate::support::process::{PATIENCE, Place, ask, post};
use crate::support::programs::{browser, curl, looks};
use crate::support::project;
use crate::support::walk::{Step, shows, steps};

/// Runs a line as a user would.
fn shell(place: &Place, line: &str) -> String {
    let mut command = Command::new("sh");
    command.args(["-c", line]).current_dir(place.path(""));
    let output = command.output().expect("a shell");
    assert!(output.status.success(), "{line}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn every_command_of_the_page_prints_what_it_shows() {
    if !curl() {
        return;
    }
    let page = std::fs::read_to_string(project().join("docs/interviews.md")).expect("the page");
    let mut steps = steps(&page).into_iter();
    let first = steps.next().expect("a command");
    let words: Vec<&str> = first.command.split(' ').collect();
    assert_eq!(words[0], "klero");
    assert_eq!(
        first.shown,
        ["feed: 127.0.0.1:8090", "board: http://127.0.0.1:7717"]
    );
    // But for the ports, which other tests may have.
    let ports = [
        "--set",
        "source.address=\"127.0.0.1:0\"",
        "--set",
        "board.address=\"127.0.0.1:0\"",
    ];
    let place = Place::new();
    let mut run = place.start(&[&words[1..], &ports].concat());
    let feed = run.feed().to_string();
    run.board();
    let mut count = 0;
    let mut is_over = false;
    for Step { command, shown } in steps {
        if command.starts_with("cat") && !std::mem::replace(&mut is_over, true) {
            run.hears("no lane plays any more");
        }
        let command = command.replace("127.0.0.1:8090", &feed);
        let due = Instant::now() + PATIENCE;
        // What policies want next is there once they have thought.
        loop {
            let said = shell(&place, &command);
            if shows(&said, &shown) {
                break;
            }
            let asks = command.ends_with("/v1/looks")
                && !command.contains("-H")
                && !command.contains("--json");
            assert!(asks && Instant::now() < due, "{command}: {said}");
            thread::sleep(Duration::from_millis(20));
        }
        count += 1;
    }
    assert!(count > 10, "{count}");
    assert_eq!(run.stop().0, Some(0));
}

/// Marks are given by the keyboard alone in a browser, which sees what to do next, to the end.
#[test]
fn the_board_takes_marks_and_shows_what_to_do_next() {
    let Some(modules) = browser() else {
        return;
    };
    let place = Place::new();
    let board = "[live]\nacting = \"SWAP\"\n[board]\naddress = \"127.0.0.1:0\"";
    place.write(
        "http.toml",
        &config(HTTP, PEOPLE, TWO, board)
            .replace("exactly = 8", "exactly = 1")
            .replace("budget = 200", "budget = 12"),
    );
    let mut run = place.start(&["live", "http.toml", "--out", "run"]);
    let (feed, board) = (run.feed(), run.board());
    for who in ["ann", "bob", "cem"] {
        post(
            feed,
            "/v1/candidates",
            &format!("{{\"id\":\"{who}\",\"gender\":\"F\"}}"),
        );
    }
    let address = format!("http://{board}/");
    looks("interviews.mjs", &modules, &[&address], |what| match what {
        "close" => drop(post(feed, "/v1/slates", "{}")),
        "answer cem 9" => {
            let answer = "{\"candidate\":\"cem\",\"kind\":\"phone\",\"value\":9}";
            drop(post(feed, "/v1/looks", answer));
        }
        "finish" => finish(feed),
        _ => panic!("can't do {what}"),
    });
    run.hears("no lane plays any more");
    let (code, stdout, _) = run.stop();
    assert_eq!(code, Some(0));
    // The last words are whom the policy proposes, with the marks.
    let (_, last) = stdout
        .split_once("Proposed by SWAP, round 1: cem\n")
        .expect(&stdout);
    for due in [
        "cem",
        "phone",
        "visit",
        "9",
        "7.5",
        "not proposed",
        "\u{b1}",
    ] {
        assert!(last.contains(due), "{due}: {last}");
    }
    assert!(
        last.trim_end().ends_with("nothing here hires anyone."),
        "{last}"
    );
    let report = place.read("run/report.html");
    let answer = report.find("Proposed: cem").expect("the report says it");
    let table = report.find("Who is proposed").expect("a first section");
    let rest = report.find("What was found").expect("another section");
    assert!(answer < table && table < rest);
}

/// Answers whatever is asked, cem best, until no lane plays any more.
fn finish(feed: SocketAddr) {
    while !ask(feed, "GET", "/readyz", "")
        .1
        .contains("no lane runs any more")
    {
        for look in get(feed, "/v1/looks")["looks"].as_array().expect("a list") {
            let value = if look["candidate"] == "cem" { 9 } else { 5 };
            let answer = serde_json::json!({
                "candidate": look["candidate"], "kind": look["kind"], "nth": look["nth"],
                "value": value,
            });
            post(feed, "/v1/looks", &answer.to_string());
        }
    }
}
