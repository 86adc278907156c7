//! `until = "decided"`: a run that stops when every pair is decided.

use std::sync::LazyLock;

use serde_json::Value;

use crate::support::terminal::Terminal;
use crate::support::worlds::FEW_WOMEN;

/// Each measure is decided in the end.
static CONFIG: LazyLock<String> = LazyLock::new(|| {
    format!(
        r#"name = "until it is decided"
seed = 4
replications = 400
{FEW_WOMEN}[report]
judge = ["representation_loss", "selection_rate"]
baseline = "all"
until = "decided"
"#
    )
});

fn summary(terminal: &Terminal, set: &[&str]) -> Value {
    let mut args = vec!["run", "my.toml", "-q", "--format", "json"];
    args.extend(set.iter().flat_map(|set| ["--set", set]));
    serde_json::from_str(&terminal.done(&args)).expect("it is JSON")
}

fn open(summary: &Value) -> bool {
    let pairs = summary["pairs"].as_array().expect("a list");
    pairs.iter().any(|pair| pair["verdict"] == "undecided")
}

#[test]
fn a_run_until_decided_gives_the_same_bytes_in_every_way() {
    let terminal = Terminal::new();
    terminal.put("my.toml", CONFIG.as_str());
    let files = [
        "summary.json",
        "replications.csv",
        "selected.csv",
        "decisions.ndjson",
    ];
    let run = |out: &str, way: &[&str]| {
        let traced = [
            "--trace",
            "decisions",
            "--trace-replications",
            "all",
            "--out",
            out,
        ];
        terminal.done(&[&["run", "my.toml", "-q"], &traced[..], way].concat());
        files.map(|file| terminal.read(&format!("{out}/{file}")))
    };
    let first = run("first", &["--threads", "1"]);
    let ways: [&[&str]; 4] = [
        &["--threads", "2"],
        &["--threads", "7", "--batch", "1"],
        &["--batch", "7"],
        &["--runtime", "multi", "--threads", "2"],
    ];
    for (at, way) in ways.into_iter().enumerate() {
        assert!(run(&format!("way{at}"), way) == first, "{way:?}");
    }
}

/// Alone nothing is compared: all replications are played.
#[test]
fn a_lane_alone_is_played_to_the_end() {
    let terminal = Terminal::new();
    terminal.put("my.toml", CONFIG.as_str());
    for label in ["all", "greedy"] {
        let args = [
            "run",
            "my.toml",
            "-q",
            "--format",
            "json",
            "--only",
            label,
            "--replications",
            "50",
        ];
        let alone: Value = serde_json::from_str(&terminal.done(&args)).expect("it is JSON");
        assert_eq!(alone["replications"], 50);
    }
}

#[test]
fn it_stops_with_the_first_replication_that_decides_all() {
    let terminal = Terminal::new();
    terminal.put("my.toml", CONFIG.as_str());
    let stopped = summary(&terminal, &[]);
    let played = stopped["replications"].as_u64().expect("a number");
    assert!((2..400).contains(&played) && !open(&stopped), "{stopped}");
    let fixed = CONFIG.replace("until = \"decided\"\n", "");
    terminal.put("my.toml", &fixed);
    let few = summary(&terminal, &[&format!("replications={}", played - 1)]);
    assert!(open(&few), "{few}");
    let same = summary(&terminal, &[&format!("replications={played}")]);
    assert_eq!(same["policies"], stopped["policies"]);
    for (ours, fixed) in stopped["pairs"]
        .as_array()
        .into_iter()
        .flatten()
        .zip(same["pairs"].as_array().into_iter().flatten())
    {
        for member in [
            "lo",
            "hi",
            "verdict",
            "method",
            "e_value",
            "p_anytime",
            "beats_lo",
        ] {
            assert_eq!(ours[member], fixed[member], "{member}");
        }
        assert!(ours["t_lo"].is_null() && ours["median_hi"].is_null());
        assert!(!fixed["t_lo"].is_null());
    }
}

/// A run that ends because its goal is settled says so, whatever its pairs come to.
#[test]
fn it_says_that_the_goal_is_settled() {
    let terminal = Terminal::new();
    let goal = "goal = { best = \"representation_loss\", where = { filled = \">= 0.5\" } }\n";
    let report = CONFIG.find("[report]").expect("a report") + "[report]\n".len();
    let (head, tail) = CONFIG.split_at(report);
    terminal.put("my.toml", format!("{head}{goal}{tail}"));
    let said = terminal.klero(&["run", "my.toml"]).stderr;
    assert!(said.contains("note: the goal is settled after "), "{said}");
    assert!(said.contains(" replications, of 400 at most"), "{said}");
    assert!(!said.contains("the most there were to be"), "{said}");
    let few = terminal
        .klero(&["run", "my.toml", "--replications", "2"])
        .stderr;
    let open = "the goal is not settled after 2 replications, the most there were to be";
    assert!(few.contains(open), "{few}");
}

#[test]
fn it_says_how_many_were_played() {
    let terminal = Terminal::new();
    terminal.put("my.toml", CONFIG.as_str());
    let said = terminal.klero(&["run", "my.toml", "--out", "out"]);
    assert!(
        said.stderr.contains("note: every pair is decided after "),
        "{}",
        said.stderr
    );
    let rows = terminal.read("out/replications.csv");
    let last = rows.lines().last().and_then(|row| row.split(',').next());
    let played = last
        .and_then(|last| last.parse::<u64>().ok())
        .expect("a number")
        + 1;
    assert!(
        said.stderr
            .contains(&format!("after {played} replications, of 400 at most"))
    );
    let few = terminal.klero(&["run", "my.toml", "--replications", "3"]);
    assert!(
        few.stderr
            .contains("not every pair is decided after 3 replications"),
        "{}",
        few.stderr
    );
}

#[test]
fn it_is_refused_where_nothing_could_be_decided() {
    let terminal = Terminal::new();
    for (old, new, said) in [
        (
            "judge = [\"representation_loss\", \"selection_rate\"]",
            "judge = [\"screened\", \"selection_rate\"]",
            "screened has none",
        ),
        ("baseline = \"all\"\n", "", "no replications are compared"),
        (
            "replications = 400",
            "replications = 1",
            "no replications are compared",
        ),
        ("until = \"decided\"", "until = \"tired\"", "decided"),
    ] {
        terminal.put(
            "my.toml",
            crate::support::configs::with(&CONFIG, &[(old, new)]),
        );
        let text = crate::support::refusals::refusal(&terminal, &["run", "my.toml"]);
        assert!(text.contains(said), "{text}");
    }
}
