//! `klero report` of folders that hold no finished run, or one that was cut short or changed since.

use crate::support::configs::SOUND;
use crate::support::terminal::Terminal;

/// A file of a run's folder and its new text, or none where the file is missing.
type Change = (&'static str, Option<String>);

const CONFIG: &str = "config.toml";
const SUMMARY: &str = "summary.json";
const ROWS: &str = "replications.csv";
const ENDINGS: &str = "endings.csv";

/// Broken copies of the run in `sound`, by name.
fn broken(terminal: &Terminal) -> Vec<(&'static str, Vec<Change>)> {
    let config = terminal.read("sound/config.toml");
    let summary = terminal.read("sound/summary.json");
    let rows = terminal.read("sound/replications.csv");
    let changed = |text: &str, from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        Some(text.replacen(from, to, 1))
    };
    let of_config = |from, to| vec![(CONFIG, changed(&config, from, to))];
    let of_summary = |from, to| vec![(SUMMARY, changed(&summary, from, to))];
    let endings = terminal.read("sound/endings.csv");
    let last_ending = endings.find("\n3,greedy .05,").expect("the last lane");
    let without_last = vec![(ENDINGS, Some(endings[..=last_ending].to_owned()))];
    let half = summary[..summary.len() / 2].to_owned();
    let last_lane = rows.find("\n3,greedy .05,").expect("the last lane");
    vec![
        ("unfinished", vec![]),
        ("schema", of_summary("\"schema\": 1", "\"schema\": 2")),
        ("half", vec![(SUMMARY, Some(half))]),
        ("members", vec![(SUMMARY, Some("{\"schema\": 1}".into()))]),
        ("other-config", of_config("seed = 1", "seed = 2")),
        (
            "nobody",
            of_summary("\"a\": \"greedy .05\"", "\"a\": \"nobody\""),
        ),
        ("sure", of_summary("\"alpha\": 0.", "\"alpha\": 7.")),
        (
            "more",
            of_summary("\"replications\": 4", "\"replications\": 5"),
        ),
        ("no-ending", without_last),
        (
            "words",
            vec![(ENDINGS, changed(&endings, ",filled,", ",finished,"))],
        ),
        ("older", vec![(ENDINGS, None)]),
        ("no-lane", vec![(ROWS, Some(rows[..=last_lane].to_owned()))]),
        (
            "changed",
            vec![(ROWS, changed(&rows, "screened,,", "screened,,1"))],
        ),
        (
            "three",
            vec![
                (CONFIG, Some("name = \n".into())),
                (ROWS, None),
                (SUMMARY, Some("[]".into())),
            ],
        ),
    ]
}

/// Copies the run in `sound` with some files changed, and puts an old report with it.
fn copy(terminal: &Terminal, name: &str, changes: &[Change]) {
    for file in [CONFIG, SUMMARY, ROWS, ENDINGS] {
        let text = match changes.iter().find(|(changed, _)| *changed == file) {
            Some((_, text)) => text.clone(),
            None => Some(terminal.read(&format!("sound/{file}"))),
        };
        if let Some(text) = text {
            terminal.put(&format!("{name}/{file}"), text);
        }
    }
    terminal.put(&format!("{name}/report.html"), "old");
}

/// All that is wrong is said at once, nothing is written, the exit code is 2.
#[test]
fn folders_that_hold_no_finished_run_are_refused() {
    let terminal = Terminal::new();
    terminal.put("my.toml", SOUND);
    terminal.done(&["run", "my.toml", "--out", "sound", "--quiet"]);
    let copies = broken(&terminal);
    for (name, changes) in &copies {
        copy(&terminal, name, changes);
    }
    terminal.put("unfinished/progress.ndjson", "{}\n");
    std::fs::create_dir(terminal.path("empty")).expect("a folder");
    let mut errors = String::new();
    let names = copies.iter().map(|(name, _)| *name);
    for name in ["nowhere", "my.toml", "empty"].into_iter().chain(names) {
        let said = terminal.klero(&["report", name]);
        assert_eq!(
            (said.code, said.stdout.as_str()),
            (Some(2), ""),
            "{name}: {}",
            said.stderr
        );
        errors += &format!("{}\n", said.stderr);
        if terminal.path(name).is_dir() && name != "empty" {
            assert_eq!(terminal.read(&format!("{name}/report.html")), "old");
            assert!(!terminal.path(&format!("{name}/figures")).exists());
        }
    }
    insta::assert_snapshot!(terminal.plain(&errors));
    assert_eq!(terminal.names("empty"), [""; 0]);
}
