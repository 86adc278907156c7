//! What a run keeps of its values: the judged, all or none, with the same summary each time.

use std::collections::BTreeSet;

use crate::support::configs::SOUND;
use crate::support::says::Says as _;
use crate::support::terminal::{Terminal, with};

/// The files that do not depend on what is kept.
const SAME: [&str; 3] = ["summary.json", "series.csv", "selected.csv"];

/// The metrics of `replications.csv`, and whether any value is of a moment on the way.
fn kept(terminal: &Terminal, folder: &str) -> (BTreeSet<String>, bool) {
    let text = terminal.read(&format!("{folder}/replications.csv"));
    let mut csv = csv::Reader::from_reader(text.as_bytes());
    let rows: Vec<_> = csv.records().map(|row| row.expect("a row")).collect();
    let values = || rows.iter().filter(|row| &row[2] != "ending");
    let names = values().map(|row| row[2].to_owned()).collect();
    let on_the_way = values().any(|row| !row[3].is_empty());
    (names, on_the_way)
}

/// Over more than one leaf of 1,024 replications, with lanes that stall and groups that never come.
#[test]
fn the_summary_is_the_same_whatever_is_kept() {
    let terminal = Terminal::new();
    let config = SOUND.replace("replications = 4", "replications = 2100");
    terminal.put(
        "my.toml",
        config.replace("F = 0.5 }", "F = 0.49, X = 0.01 }"),
    );
    let run = |out: &str, more: &[&str]| {
        let args = [
            "run",
            "my.toml",
            "-q",
            "--out",
            out,
            "--set",
            "rules.max_rounds=14",
        ];
        let target = ["--set", "target.gender={ M = 0.4, F = 0.59, X = 0.01 }"];
        terminal.done(&with(&with(&args, &target), more))
    };
    let shown = run("all", &["--keep", "all"]);
    for (out, more) in [
        ("judged", &["--keep", "judged"][..]),
        ("default", &["--threads", "1", "--batch", "7"]),
        ("folds", &["--keep", "folds"]),
        ("set", &["--set", "report.keep=folds", "--threads", "2"]),
    ] {
        assert_eq!(run(out, more), shown, "{out}");
        for file in SAME {
            let same =
                terminal.read(&format!("{out}/{file}")) == terminal.read(&format!("all/{file}"));
            assert!(same, "{out}: {file}");
        }
    }
    let judged = [
        "filled",
        "representation_loss",
        "screened",
        "selection_rate",
    ];
    let judged: BTreeSet<String> = judged.map(str::to_owned).into();
    assert_eq!(kept(&terminal, "judged"), (judged.clone(), false));
    assert_eq!(kept(&terminal, "default"), (judged, false));
    assert_eq!(kept(&terminal, "folds"), (BTreeSet::new(), false));
    let (all, on_the_way) = kept(&terminal, "all");
    assert!(all.len() > 10 && on_the_way, "{all:?}");
    // What is kept is the same values.
    let of = |folder: &str| -> Vec<String> {
        let text = terminal.read(&format!("{folder}/replications.csv"));
        let ends = text
            .lines()
            .filter(|line| line.contains(",representation_loss,,"));
        ends.map(str::to_owned).collect()
    };
    assert!(of("judged") == of("all") && of("all").len() > 4000);
}

/// The page shows all that it showed of a run that kept every value.
#[test]
fn a_report_needs_no_more_than_the_judged_values() {
    let terminal = Terminal::new();
    terminal.put("my.toml", SOUND);
    let page = |keep: &str, set: &[&str]| {
        let args = [
            "run", "my.toml", "-q", "--force", "--keep", keep, "--out", "out",
        ];
        terminal.done(&with(&args, set));
        terminal.done(&["report", "out"]);
        let html = terminal.read("out/report.html");
        // Only the config, which the page quotes, says what was kept.
        html.replace(&format!("keep = \"{keep}\""), "keep = …")
            .replace(&format!("keep = &quot;{keep}&quot;"), "keep = …")
    };
    for set in [
        &[][..],
        &["--replications", "1"],
        &["--set", "report.goal={ best = \"screened\" }"],
    ] {
        assert!(page("judged", set) == page("all", set), "{set:?}");
    }
    let folded = page("folds", &[]);
    assert!(!folded.contains("distributions.svg") && folded.contains("Verdicts"));
}

/// What is kept asks nothing: a config without [report] has the same table.
#[test]
fn what_is_kept_is_no_question() {
    let terminal = Terminal::new();
    let (config, _) = SOUND.split_once("[report]").expect("its last section");
    terminal.put("my.toml", config);
    let table = terminal.done(&["run", "my.toml", "-q"]);
    for keep in ["judged", "all", "folds"] {
        assert_eq!(
            terminal.done(&["run", "my.toml", "-q", "--keep", keep]),
            table
        );
    }
    let said = terminal.exits(2, &["run", "my.toml", "--set", "report.keep=some"]);
    said.stderr.says("known words: judged, all, folds");
}

/// One replication is small, and its values are facts: all of them are kept.
#[test]
fn one_replication_keeps_all() {
    let terminal = Terminal::new();
    terminal.put("my.toml", SOUND);
    let csv = |keep: &str| {
        let args = [
            "run",
            "my.toml",
            "-q",
            "--replications",
            "1",
            "--keep",
            keep,
            "--format",
            "csv",
        ];
        terminal.done(&args)
    };
    assert_eq!(csv("judged"), csv("all"));
    assert!(csv("all").contains("accepted,5,"));
}
