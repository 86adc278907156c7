//! Lanes that choose no candidate: what is absent, and what is said.

use super::{SEATED, exec};
use crate::support::terminal::Terminal;

/// The metrics that say how good a selection is.
const OF_A_SELECTION: [&str; 6] = [
    "representation_loss",
    "constraint_violation",
    "seats_off",
    "impact_ratio",
    "share.gender:M",
    "quota_violation",
];

/// The metrics that a policy has, by the rows of a run.
fn metrics(csv: &str, label: &str) -> Vec<String> {
    let cells = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let of = cells.filter(|cells| cells.get(1) == Some(&label));
    of.map(|cells| cells[2].to_owned()).collect()
}

fn nothing_is_measured(csv: &str, label: &str) {
    let has = metrics(csv, label);
    assert!(has.iter().any(|name| name == "screened"), "{has:?}");
    for name in OF_A_SELECTION {
        assert!(!has.iter().any(|has| has == name), "{name}: {has:?}");
        assert!(
            metrics(csv, "queue").iter().any(|has| has == name),
            "{name}"
        );
    }
}

fn world() -> String {
    let quota = "[rules]\nquota = { gender = { M = [5, 20] } }";
    let world = SEATED.replace("[rules]", quota);
    format!("{world}[[policy]]\nlabel = \"queue\"\nkind = \"virtual_queue\"\n")
}

#[test]
fn a_program_that_can_not_be_started_fails_the_run_and_measures_nothing() {
    let terminal = Terminal::new();
    let silent = exec("mine", &["sh", "-c", "echo no such policy >&2; exit 3"]);
    terminal.put("my.toml", format!("{}{silent}", world()));
    let said = terminal.klero(&[
        "run", "my.toml", "-q", "--format", "csv", "--keep", "all", "--out", "out",
    ]);
    assert_eq!(said.code, Some(1), "{}", said.stderr);
    let why = "error: policy mine could not be started: its program ended (exit status: 3)";
    assert!(said.stderr.contains(why), "{}", said.stderr);
    assert!(said.stderr.contains("no such policy"), "{}", said.stderr);
    assert!(
        said.stderr.contains("klero seat check sh -c"),
        "{}",
        said.stderr
    );
    nothing_is_measured(&said.stdout, "mine");
    let has = metrics(&said.stdout, "mine");
    assert!(!has.iter().any(|name| name == "gain_regret"), "{has:?}");
    // What the other policy did is kept, and the page of the run can be made.
    assert_eq!(terminal.read("out/replications.csv"), said.stdout);
    terminal.done(&["report", "out"]);
}

#[test]
fn a_lane_that_ends_before_anybody_is_chosen_has_no_measures_of_a_selection() {
    let terminal = Terminal::new();
    let script = "read -r hello; echo '{\"type\":\"ready\"}'; read -r slate; echo \
        '{\"type\":\"stall\"}'; cat";
    let stalls = exec("mine", &["sh", "-c", script]);
    terminal.put("my.toml", format!("{}{stalls}", world()));
    let said = terminal.klero(&[
        "run", "my.toml", "-q", "--format", "csv", "--keep", "all", "--out", "out",
    ]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    nothing_is_measured(&said.stdout, "mine");
    terminal.done(&["report", "out"]);
}

#[test]
fn a_lane_that_runs_out_of_rounds_says_so() {
    let terminal = Terminal::new();
    terminal.put(
        "my.toml",
        world().replace("max_rounds = 400", "max_rounds = 10"),
    );
    let table = terminal.done(&["run", "my.toml", "-q"]);
    let why = "stalled: max_rounds = 10 passed before `until` was met: raise max_rounds in [rules]";
    assert!(table.contains(why), "{table}");
}
