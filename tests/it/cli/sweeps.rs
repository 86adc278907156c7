//! `[sweep]` and `--sweep`: a run for each value, a folder for each run, one result over all.

use serde_json::Value;

use super::with;
use crate::support::configs::SOUND;
use crate::support::says::Says as _;
use crate::support::terminal::{Terminal, typed};

fn terminal(sweep: &str) -> Terminal {
    let terminal = Terminal::new();
    let config = SOUND.replace("at = [5, 10]\n", "");
    terminal.put("my.toml", format!("{config}\n[sweep]\n{sweep}\n"));
    terminal.put("plain.toml", config);
    terminal
}

#[test]
fn one_key_a_folder_and_a_run_a_value() {
    let terminal = terminal("\"rules.until.accepted\" = [5, 10]");
    terminal.done(&["run", "my.toml", "--out", "d"]);
    let files = [
        "point-001",
        "point-002",
        "points.csv",
        "sweep.csv",
        "verdicts.csv",
    ];
    assert_eq!(terminal.names("d"), files);
    let points = "point,rules.until.accepted\npoint-001,5\npoint-002,10\n";
    assert_eq!(terminal.read("d/points.csv"), points);
    // Every run is the run of the config with the key set.
    for (point, k) in [("point-001", "5"), ("point-002", "10")] {
        let set = format!("rules.until.accepted={k}");
        terminal.done(&[
            "run",
            "plain.toml",
            "--out",
            &format!("plain/{k}"),
            "--set",
            &set,
        ]);
        for file in [
            "summary.json",
            "replications.csv",
            "selected.csv",
            "config.toml",
        ] {
            let ours = terminal.read(&format!("d/{point}/{file}"));
            assert_eq!(
                ours,
                terminal.read(&format!("plain/{k}/{file}")),
                "{set} {file}"
            );
        }
    }
}

#[test]
fn two_keys_make_a_grid() {
    let terminal = terminal(
        "\"rules.until.accepted\" = [5, 10]\n\"policy.\\\"greedy .05\\\".tolerance\" = [0, 0.5]",
    );
    let table = terminal.done(&["run", "my.toml", "--out", "d"]);
    insta::assert_snapshot!(table);
    let points = terminal.read("d/points.csv");
    let known = "point,rules.until.accepted,\"policy.\"\"greedy .05\"\".tolerance\"\n\
        point-001,5,0\npoint-002,5,0.5\npoint-003,10,0\npoint-004,10,0.5\n";
    assert_eq!(points, known);

    let json: Value = serde_json::from_str(&terminal.done(&["run", "my.toml", "--format", "json"]))
        .expect("it is JSON");
    let runs = json["runs"].as_array().expect("a list");
    assert_eq!((&json["schema"], runs.len()), (&1.into(), 4));
    for run in runs {
        let set = run["set"].as_object().expect("an object");
        let point = run["point"].as_str().expect("a name");
        let keys = ["rules.until.accepted", "policy.\"greedy .05\".tolerance"];
        let row = keys
            .map(|key| set[key].as_str().expect("a value"))
            .join(",");
        assert!(
            points.contains(&format!("{point},{row}\n")),
            "{point} {row}"
        );
        let file: Value = serde_json::from_str(&terminal.read(&format!("d/{point}/summary.json")))
            .expect("it is JSON");
        assert_eq!(run["summary"], file);
    }

    let csv = terminal.done(&["run", "my.toml", "--format", "csv"]);
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let header: Vec<_> = reader
        .headers()
        .expect("a header")
        .iter()
        .map(str::to_owned)
        .collect();
    let known = [
        "rules.until.accepted",
        "policy.\"greedy .05\".tolerance",
        "replication",
        "policy",
        "metric",
        "at",
        "value",
    ];
    assert_eq!(header, known);
    let rows: Vec<_> = reader.records().map(|row| row.expect("a row")).collect();
    let of = |k: &str, tolerance: &str| -> String {
        let rows = rows
            .iter()
            .filter(|row| &row[0] == k && &row[1] == tolerance);
        let mut csv = csv::Writer::from_writer(Vec::new());
        csv.write_record(&known[2..]).expect("memory takes it");
        rows.for_each(|row| {
            csv.write_record(row.iter().skip(2))
                .expect("memory takes it")
        });
        String::from_utf8(csv.into_inner().expect("memory takes it")).expect("UTF-8")
    };
    let grid = [("5", "0"), ("5", "0.5"), ("10", "0"), ("10", "0.5")];
    for (place, (k, tolerance)) in grid.into_iter().enumerate() {
        let file = format!("d/point-{:03}/replications.csv", place + 1);
        assert_eq!(of(k, tolerance), terminal.read(&file));
    }
}

/// The command line says the same as the config's own section; labels need no quotes of their own.
#[test]
fn a_sweep_on_the_command_line_is_that_of_the_config() {
    let terminal = terminal(
        "\"rules.until.accepted\" = [5, 10]\n\"policy.\\\"greedy .05\\\".tolerance\" = [0.0, 0.25, 0.5]",
    );
    let options = [
        "--sweep",
        "rules.until.accepted=5..10/5",
        "--sweep",
        "policy.greedy .05.tolerance=0..0.5/0.25",
    ];
    for format in ["table", "json", "csv"] {
        let format = ["--format", format];
        let ours = terminal.done(&with(&with(&["run", "plain.toml"], &options), &format));
        let known = terminal.done(&with(&["run", "my.toml"], &format));
        assert_eq!(ours, known, "{format:?}");
    }
    // A key of the config's own sweep takes the values of the option.
    let both = typed("run my.toml --sweep rules.until.accepted=7 --format json");
    let json: Value = serde_json::from_str(&terminal.done(&both)).expect("it is JSON");
    let runs = json["runs"].as_array().expect("a list");
    assert_eq!(runs.len(), 3);
    assert!(
        runs.iter()
            .all(|run| run["set"]["rules.until.accepted"] == "7")
    );
    // `--set` takes the same paths.
    let set = ["run", "plain.toml", "--format", "json", "--set"];
    assert_eq!(
        terminal.done(&with(&set, &["policy.greedy .05.tolerance=0.25"])),
        terminal.done(&with(&set, &["policy.\"greedy .05\".tolerance=0.25"])),
    );
}

/// A value that a key can't have is refused with how the option is written.
#[test]
fn a_wrong_value_of_the_option_comes_with_how_to_write_it() {
    let terminal = terminal("seed = [1, 2]");
    for (option, what) in [
        (
            "seed=a,b",
            "expected a whole number of at least 0 for `seed`",
        ),
        ("replications=1.5,2", "expected a whole number"),
        ("rules.until.accepted=x", "expected a whole number"),
    ] {
        let said = terminal.exits(2, &["run", "plain.toml", "--sweep", option]);
        said.stderr.says(what);
        said.stderr
            .says("write --sweep KEY=a,b,c or --sweep KEY=from..to/step");
    }
}

/// One table over all runs: each run's own, led by its name and values.
#[test]
fn tables_of_a_sweep_are_those_of_its_runs() {
    let terminal = terminal("seed = [3, 1]");
    terminal.done(&["run", "my.toml", "--out", "d", "-q"]);
    for (of_sweep, of_run) in [
        ("sweep.csv", "summary.csv"),
        ("verdicts.csv", "verdicts.csv"),
    ] {
        let table = terminal.read(&format!("d/{of_sweep}"));
        let mut expected = String::new();
        for (point, seed) in [("point-001", "3"), ("point-002", "1")] {
            let own = terminal.read(&format!("d/{point}/{of_run}"));
            let mut lines = own.lines();
            let header = lines.next().expect("a header");
            if expected.is_empty() {
                expected = format!("point,seed,{header}\n");
            }
            for line in lines {
                expected += &format!("{point},{seed},{line}\n");
            }
        }
        assert_eq!(table, expected);
        assert!(table.lines().count() > 3, "{table}");
    }
}

/// By force a sweep replaces another whole: no run of the old one stays, and nothing else goes.
#[test]
fn a_forced_sweep_leaves_no_run_of_the_one_before() {
    let terminal = terminal("seed = [1, 2, 3]");
    terminal.done(&["run", "my.toml", "--out", "d", "-q"]);
    terminal.put("d/point-003/notes.txt", "mine");
    terminal.put("d/point-009/summary.json", "mine");
    let again = typed("run plain.toml --sweep seed=4 --out d -q --force");
    terminal.done(&again);
    let names = [
        "point-001",
        "point-003",
        "point-009",
        "points.csv",
        "sweep.csv",
        "verdicts.csv",
    ];
    assert_eq!(terminal.names("d"), names);
    assert_eq!(terminal.names("d/point-003"), ["notes.txt"]);
    terminal.done(&["run", "plain.toml", "--out", "d", "-q", "--force"]);
    assert!(!terminal.names("d").contains(&"points.csv".to_owned()));
    assert!(terminal.names("d").contains(&"summary.json".to_owned()));
}

/// A sweep of one value is a sweep: what reads its result need not count.
#[test]
fn a_sweep_of_one_value_has_the_shape_of_a_sweep() {
    let terminal = terminal("seed = [3]");
    let json: Value = serde_json::from_str(&terminal.done(&["run", "my.toml", "--format", "json"]))
        .expect("it is JSON");
    assert_eq!(json["runs"].as_array().map(Vec::len), Some(1));
    assert_eq!(json["runs"][0]["set"]["seed"], "3");
    assert!(
        terminal
            .done(&["run", "my.toml", "--format", "csv"])
            .starts_with("seed,replication,")
    );
    terminal.done(&["run", "my.toml", "--out", "d"]);
    assert_eq!(
        terminal.names("d"),
        ["point-001", "points.csv", "sweep.csv", "verdicts.csv"]
    );
    // An empty sweep sweeps over nothing.
    let empty = with(
        &["run", "my.toml", "--format", "json"],
        &["--set", "sweep={}"],
    );
    assert_eq!(
        terminal.done(&empty),
        terminal.done(&["run", "plain.toml", "--format", "json"])
    );
}

/// Values of every kind, among them what no folder can be called.
#[test]
fn values_of_every_kind() {
    let terminal = terminal(
        "name = [\"a/b\", \"a%2Fb\", \"..\", \"a b\"]\n\
         \"rules.until\" = [{ accepted = 5 }, { accepted = 6 }]",
    );
    terminal.exits(0, &["run", "my.toml", "--out", "d", "--quiet"]);
    let points = terminal.read("d/points.csv");
    points.says("point-006,..,{ accepted = 6 }\n");
    let json = terminal.read("d/point-006/summary.json");
    let summary: Value = serde_json::from_str(&json).expect("it is JSON");
    assert_eq!(
        (
            &summary["name"],
            &summary["policies"]["all"]["metrics"]["accepted"]["max"]
        ),
        (&"..".into(), &6.0.into())
    );
}

#[test]
fn notes_are_said_once_and_check_names_every_run() {
    let terminal = terminal("seed = [1, 2, 3]");
    let said = terminal.klero(&["run", "my.toml", "--set", "replications=1"]);
    assert_eq!(
        said.stderr,
        "note: one replication: policies are compared round by round, \
         on selection_rate; as this stream was played, on representation_loss\n"
    );
    let check = terminal.done(&["check", "my.toml"]);
    insta::assert_snapshot!(check);
    let full = terminal.done(&["run", "my.toml", "--full"]);
    assert_eq!(full.matches("Share of GROUP among the selected").count(), 3);
    full.says("\nseed = 2\nsmall: 4 replications, seed 2\n");
}
