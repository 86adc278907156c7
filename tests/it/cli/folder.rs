//! The folder of a run: which files, what is in them, and that one is the fold of another.

use std::path::Path;

use kleroterion::compare::RunResult;
use kleroterion::compare::Summary;
use kleroterion::config::{Document, check};
use kleroterion::report::json::summary_json;
use kleroterion::report::read::{InputFile, policies, read_lanes};
use serde_json::Value;

use super::{FEW, with};
use crate::support::configs::{PEOPLE, ROWS, SOUND};
use crate::support::says::Says as _;
use crate::support::terminal::Terminal;

const FILES: [&str; 12] = [
    "config.toml",
    "course.csv",
    "curves.csv",
    "endings.csv",
    "long.csv",
    "replications.csv",
    "selected.csv",
    "series.csv",
    "summary.csv",
    "summary.json",
    "timing.json",
    "verdicts.csv",
];

#[test]
fn the_files_of_a_run_are_those_and_no_others() {
    let terminal = Terminal::new();
    terminal.done(&with(FEW, &["--out", "runs/a"]));
    assert_eq!(terminal.names("runs"), ["a"]);
    assert_eq!(terminal.names("runs/a"), FILES);
    terminal.done(&with(FEW, &["--out", "b", "--trace", "decisions"]));
    let mut files = FILES.to_vec();
    files.insert(3, "decisions.ndjson");
    assert_eq!(terminal.names("b"), files);
    for file in [
        "course.csv",
        "curves.csv",
        "summary.csv",
        "summary.json",
        "verdicts.csv",
        "replications.csv",
        "endings.csv",
        "long.csv",
        "selected.csv",
        "series.csv",
        "config.toml",
    ] {
        assert_eq!(
            terminal.read(&format!("b/{file}")),
            terminal.read(&format!("runs/a/{file}")),
            "{file}"
        );
    }
    let timing: Value = serde_json::from_str(&terminal.read("b/timing.json")).expect("it is JSON");
    assert!(timing["seconds"].as_f64() > Some(0.0));
}

/// The summary is a fold of the replications and the config alone.
#[test]
fn the_summary_is_a_refold_of_the_replications() {
    let terminal = Terminal::new();
    terminal.put("my.toml", SOUND);
    terminal.done(&["run", "my.toml", "--keep", "all", "--out", "small"]);
    terminal.done(&with(FEW, &["--keep", "all", "--out", "main"]));
    for folder in ["small", "main"] {
        let document =
            Document::parse(&terminal.read(&format!("{folder}/config.toml"))).expect("a config");
        let plan = check(&document, Path::new("")).expect("it is sound");
        let path = |file: &str| terminal.path(&format!("{folder}/{file}.csv"));
        let (values, endings) = (path("replications"), path("endings"));
        let file = |path| InputFile {
            path,
            text: std::fs::File::open(path).expect("the file"),
        };
        let lanes = read_lanes(file(&values), file(&endings)).expect("they read back");
        let kind = |label: &str| {
            let lane = plan.lanes.iter().find(|lane| lane.label == label);
            lane.expect("a lane of the config").kind.to_owned()
        };
        let mut policies = policies(lanes, kind).expect("whole");
        // The file has them by label; the answer names them as the config does.
        let place = |label: &str| plan.lanes.iter().position(|lane| lane.label == label);
        policies.sort_by_key(|policy| place(&policy.label));
        let run = RunResult {
            name: plan.name.clone(),
            seed: plan.seed,
            replications: plan.replications,
            policies,
            ..RunResult::default()
        };
        let again = summary_json(&Summary::of(&run, &plan.judge));
        assert_eq!(again, terminal.read(&format!("{folder}/summary.json")));
    }
}

/// `config.toml` gives the run again from anywhere, whatever the command line and the config left
/// unsaid.
#[test]
fn the_config_of_a_run_gives_it_again() {
    let terminal = Terminal::new();
    // Without a name, seed or replications, with a file in its folder and a joint table in another.
    terminal.put(
        "configs/people/sheet.toml",
        PEOPLE.replace("name = \"people\"\nseed = 1\n", ""),
    );
    terminal.put("configs/people/people.csv", ROWS);
    let joint = SOUND.replace(
        "shares = { gender = { M = 0.5, F = 0.5 } }",
        "joint = \"../types.csv\"",
    );
    terminal.put("configs/joint/sheet.toml", joint);
    terminal.put("configs/types.csv", "gender,p\nM,0.25\nF,0.75\n");
    for (config, more) in [
        ("configs/people/sheet.toml", &["--set", "rules.slate=2"][..]),
        (
            "configs/joint/sheet.toml",
            &["--seed", "9", "--only", "greedy .05"],
        ),
        (
            "committee-syn6",
            &[
                "--replications",
                "2",
                "--set",
                "policy.\"greedy .05\".tolerance=0.5",
            ],
        ),
    ] {
        let first = with(&["run", config, "--out", "first", "--force"], more);
        terminal.done(&first);
        terminal.done(&["run", "first/config.toml", "--out", "second", "--force"]);
        for file in [
            "summary.json",
            "replications.csv",
            "selected.csv",
            "config.toml",
        ] {
            let text = |folder: &str| terminal.read(&format!("{folder}/{file}"));
            assert_eq!(text("second"), text("first"), "{config}: {file}");
        }
    }
    // The folder may be moved, and the config run where it lies.
    std::fs::rename(terminal.path("first"), terminal.path("moved")).expect("it can be moved");
    let mut command = terminal.command(&["run", "config.toml", "-q", "--format", "json"]);
    command.current_dir(terminal.path("moved"));
    assert_eq!(
        crate::support::terminal::said(command).stdout,
        terminal.read("second/summary.json")
    );
}

#[test]
fn a_run_is_overwritten_by_force_alone_and_whole() {
    let terminal = Terminal::new();
    terminal.done(&with(FEW, &["--out", "d", "--trace", "decisions"]));
    let old = terminal.read("d/summary.json");
    let refused = terminal.klero(&with(FEW, &["--out", "d", "--seed", "5"]));
    assert_eq!((refused.code, refused.stdout.as_str()), (Some(2), ""));
    assert_eq!(terminal.read("d/summary.json"), old);
    terminal.put("d/mine.txt", "mine");
    terminal.done(&with(FEW, &["--out", "d", "--seed", "5", "--force"]));
    assert_ne!(terminal.read("d/summary.json"), old);
    // The decisions were the old run's; what is not a run's stays.
    let names = terminal.names("d");
    assert!(!names.contains(&"decisions.ndjson".to_owned()), "{names:?}");
    assert!(names.contains(&"mine.txt".to_owned()), "{names:?}");
}

/// A file system that takes no folder leaves nothing behind.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_cannot_be_made_is_refused_before_the_run() {
    let terminal = Terminal::new();
    terminal.put("my.toml", SOUND);
    for out in ["/proc/klero", "/sys/klero/run", "my.toml/run", "/dev/null"] {
        let said = terminal.klero(&["run", "my.toml", "--out", out]);
        assert_eq!((said.code, said.stdout.as_str()), (Some(2), ""), "{out}");
        said.stderr.says(&format!("option --out {out}: "));
        said.stderr.says("help: ");
    }
    assert_eq!(terminal.names(""), ["my.toml"]);
}
