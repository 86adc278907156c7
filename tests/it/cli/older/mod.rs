//! Folders as earlier versions wrote them: `run-1` has a run of the first schema.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::project;
use crate::support::terminal::Terminal;

/// A folder with the run `old`, as it was written.
fn kept() -> Terminal {
    let terminal = Terminal::new();
    let folder = project().join("tests/it/cli/older/run-1");
    for file in fs::read_dir(&folder).expect("the run") {
        let path = file.expect("a file").path();
        let name = Path::new("old").join(path.file_name().expect("a name"));
        terminal.put(
            name.to_str().expect("UTF-8"),
            fs::read(&path).expect("a file"),
        );
    }
    terminal
}

#[test]
fn a_run_of_schema_1_is_read_asked_otherwise_and_run_again() {
    let terminal = kept();
    terminal.done(&["report", "old"]);
    let page = terminal.read("old/report.html");
    for words in ["greedy .05", "representation_loss"] {
        assert!(page.contains(words), "{words}");
    }
    let summary: Value = serde_json::from_str(&terminal.read("old/summary.json")).expect("JSON");
    let asked = terminal.done(&["report", "old", "--judge", "screened", "--format", "json"]);
    let asked: Value = serde_json::from_str(&asked).expect("JSON");
    let mean = |summary: &Value| {
        let policy = &summary["policies"]["greedy .05"];
        policy["metrics"]["screened"]["mean"].clone()
    };
    assert!(mean(&summary).is_number());
    assert_eq!(mean(&asked), mean(&summary));
    // Its config still gives its numbers.
    terminal.done(&["run", "old/config.toml", "--out", "again", "--quiet"]);
    let rows = |folder: &str| terminal.read(&format!("{folder}/replications.csv"));
    assert_eq!(rows("again"), rows("old"));
}
