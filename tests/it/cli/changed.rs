//! Files of a finished run that were changed afterwards are said to be.

use std::fs;

use super::draw::town;
use crate::support::says::Says as _;
use crate::support::terminal::{Terminal, typed};

const SAID: &str = "was changed after the run";

/// A run that writes all it can, and a sweep of two.
fn place() -> Terminal {
    let terminal = town();
    let run = "run my.toml -q --replications 3 --people --trace decisions --out r";
    terminal.done(&typed(run));
    terminal.done(&typed(
        "run my.toml -q --replications 2 --sweep seed=1,2 --out s",
    ));
    terminal
}

/// What a report of a folder says on stderr, and whether its page says that something was changed.
fn reported(terminal: &Terminal, folder: &str) -> (String, bool) {
    let said = terminal.klero(&["report", folder]);
    let page = fs::read_to_string(terminal.path(&format!("{folder}/report.html")));
    (said.stderr, page.is_ok_and(|page| page.contains(SAID)))
}

#[test]
fn a_report_says_which_file_was_changed() {
    let terminal = place();
    let (said, page) = reported(&terminal, "r");
    said.never_says(SAID);
    assert!(!page);
    let files = [
        "chances.csv",
        "config.toml",
        "course.csv",
        "curves.csv",
        "decisions.ndjson",
        "endings.csv",
        "people.csv",
        "replications.csv",
        "selected.csv",
        "series.csv",
        "summary.csv",
        "summary.json",
        "verdicts.csv",
    ];
    for name in files {
        let path = format!("r/{name}");
        let whole = terminal.read(&path);
        // One that is written in another way is another file: a report can be made, and says so.
        let end = if name.ends_with(".toml") {
            "# more\n"
        } else {
            "\n"
        };
        terminal.put(&path, whole.clone() + end);
        let (said, page) = reported(&terminal, "r");
        said.says(&format!("r/{name} {SAID}"));
        assert!(page, "{name}");
        terminal.put(&path, &whole);
    }
    // A cell that is another, and a file that is gone.
    let selected = terminal.read("r/selected.csv");
    terminal.put("r/selected.csv", selected.replacen("p0", "q0", 1));
    let (said, page) = reported(&terminal, "r");
    said.says(&format!("r/selected.csv {SAID}"));
    assert!(page);
    fs::remove_file(terminal.path("r/selected.csv")).expect("it is there");
    let (said, _) = reported(&terminal, "r");
    said.says(&format!("r/selected.csv {SAID}"));
    terminal.put("r/selected.csv", selected);
    let (said, page) = reported(&terminal, "r");
    said.never_says(SAID);
    assert!(!page);
    // A run of an earlier version noted nothing.
    terminal.put("r/timing.json", "{\"seconds\": 1.0}");
    terminal.put("r/people.csv", "id\n");
    let (said, _) = reported(&terminal, "r");
    said.never_says(SAID);
}

#[test]
fn so_do_reports_of_sweeps_and_traces() {
    let terminal = place();
    let (said, _) = reported(&terminal, "s");
    said.never_says(SAID);
    let points: Vec<String> = terminal.names("s");
    let point = points
        .iter()
        .find(|name| terminal.path(&format!("s/{name}/selected.csv")).is_file());
    let path = format!("s/{}/selected.csv", point.expect("a run of the sweep"));
    terminal.put(&path, terminal.read(&path) + "\n");
    let (said, _) = reported(&terminal, "s");
    said.says(&format!("{path} {SAID}"));

    let decisions = terminal.read("r/decisions.ndjson");
    terminal.klero(&["trace", "r"]).stderr.never_says(SAID);
    terminal.put("r/decisions.ndjson", decisions + "\n");
    let said = terminal.klero(&["trace", "r"]).stderr;
    said.says(&format!("r/decisions.ndjson {SAID}"));
}

/// A sweep that is finished is said to be, and how it is read.
#[test]
fn a_finished_sweep_is_not_taken_up() {
    let terminal = place();
    for (folder, due) in [("s", "the sweep"), ("r", "the run in r is finished")] {
        let said = terminal.exits(2, &["resume", folder]);
        said.stderr.says(due);
        said.stderr.says("is finished");
        said.stderr.says(&format!("klero report {folder}"));
        said.stderr.never_says("live run");
    }
}
