//! A disk that takes no more.

use std::fs::File;
use std::process::{Command, Stdio};

use super::people::{config, lines, people};
use crate::support::process::Place;
use crate::support::says::Says as _;
use crate::support::terminal::said;

/// A journal that can't grow ends the run with a remedy, and the remedy works.
#[test]
fn a_run_whose_disk_is_full_is_taken_up_once_there_is_room() {
    let place = Place::new();
    let until = "until = { rounds = 5000 }";
    place.write("stdin.toml", &config("type = \"stdin\"", until, ""));
    place.write("people.ndjson", &lines(&people(5000)));
    let program = env!("CARGO_BIN_EXE_klero");
    // Files may have 200 blocks; beyond that a write fails.
    let live = "live stdin.toml --out run --no-board < people.ndjson";
    let line = format!("ulimit -f 200; exec '{program}' {live}");
    let mut full = Command::new("sh");
    full.args(["-c", &line]).current_dir(place.path(""));
    let ended = said(full);
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    let help = "help: make room on the disk, then: klero resume run\n";
    ended.stderr.says(help);
    assert!(
        ended
            .stderr
            .ends_with("1 problem; what was acknowledged is kept\n")
    );

    let mut resumed = Command::new(program);
    resumed.args(["resume", "run"]).current_dir(place.path(""));
    let people = File::open(place.path("people.ndjson")).expect("the people");
    resumed.stdin(Stdio::from(people));
    let ended = said(resumed);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(
        place
            .read("run/replications.csv")
            .contains(",screened,,5000")
    );
}
