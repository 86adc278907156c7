//! Panics under a screen, in a pseudo-terminal that Python opens.

use std::process::Command;

use kleroterion::compare::Judge;
use kleroterion::protocol::Schema;

use super::*;

const TYPIST: &str = include_str!("../../../tests/it/cli/typist.py");

/// Puts a screen up on the terminal of this process.
fn screen() -> Screen {
    let labels = ["a", "b"].map(Arc::from).into();
    let schema = Arc::new(Schema::default());
    let watched = Watched::new("a run".into(), schema, labels, None, Judge::default());
    Screen::start(Arc::new(watched), Arc::default()).expect("there is a terminal")
}

#[test]
#[ignore = "run in a terminal by the test below"]
fn a_lane_panics() {
    let screen = screen();
    let lane = thread::spawn(|| panic!("the lane has broken"));
    assert!(lane.join().is_err());
    drop(screen);
}

#[test]
#[ignore = "run in a terminal by the test below"]
fn the_program_panics() {
    let _screen = screen();
    panic!("the lane has broken");
}

#[test]
fn panics_leave_the_terminal_as_it_was_and_are_said_after_the_screen() {
    if Command::new("python3").arg("--version").output().is_err() {
        return;
    }
    for (inner, code) in [("a_lane_panics", 0), ("the_program_panics", 101)] {
        let mut typist = Command::new("python3");
        let program = std::env::current_exe().expect("it runs");
        typist.args(["-c", TYPIST, ""]).arg(program);
        typist.args(["--ignored", "--exact", "--nocapture"]);
        typist.arg(format!("cli::screen::tests::{inner}"));
        typist.env("TERM", "xterm-256color");
        let output = typist.output().expect("python3 runs");
        let errors = String::from_utf8_lossy(&output.stderr);
        let seen: serde_json::Value = serde_json::from_slice(&output.stdout).expect(&errors);
        let shown = seen["shown"].as_str().expect("a text");
        let (_, rest) = shown.split_once("\u{1b}[?1049h").expect("a screen");
        let (screen, after) = rest.split_once("\u{1b}[?1049l").expect("its end");
        assert!(after.contains("the lane has broken"), "{inner}: {after}");
        assert!(!screen.contains("thread '"), "{inner}: {screen}");
        assert_eq!(seen["restored"], true, "{inner}");
        assert_eq!(seen["code"], code, "{inner}: {after}");
    }
}
