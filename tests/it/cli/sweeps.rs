//! `[sweep]`: a run for each value, a folder for each run, one result over all.

use serde_json::Value;

use super::with;
use crate::support::configs::SOUND;
use crate::support::terminal::Terminal;

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
    assert_eq!(
        terminal.names("d"),
        ["rules.until.accepted=10", "rules.until.accepted=5"]
    );
    // Every run is the run of the config with the key set.
    for k in ["5", "10"] {
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
            let ours = terminal.read(&format!("d/{set}/{file}"));
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
    assert_eq!(
        terminal.names("d"),
        ["rules.until.accepted=10", "rules.until.accepted=5"]
    );
    for k in ["5", "10"] {
        let folder = format!("d/rules.until.accepted={k}");
        let keys = [
            "policy.\"greedy .05\".tolerance=0",
            "policy.\"greedy .05\".tolerance=0.5",
        ];
        assert_eq!(terminal.names(&folder), keys);
    }

    let json: Value = serde_json::from_str(&terminal.done(&["run", "my.toml", "--format", "json"]))
        .expect("it is JSON");
    let runs = json["runs"].as_array().expect("a list");
    assert_eq!((&json["schema"], runs.len()), (&1.into(), 4));
    for run in runs {
        let set = run["set"].as_object().expect("an object");
        let path: Vec<_> = ["rules.until.accepted", "policy.\"greedy .05\".tolerance"]
            .map(|key| format!("{key}={}", set[key].as_str().expect("a value")))
            .into();
        let file: Value =
            serde_json::from_str(&terminal.read(&format!("d/{}/summary.json", path.join("/"))))
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
    for (k, tolerance) in [("5", "0"), ("5", "0.5"), ("10", "0"), ("10", "0.5")] {
        let folder =
            format!("d/rules.until.accepted={k}/policy.\"greedy .05\".tolerance={tolerance}");
        assert_eq!(
            of(k, tolerance),
            terminal.read(&format!("{folder}/replications.csv"))
        );
    }
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
    assert_eq!(terminal.names("d"), ["seed=3"]);
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
fn every_value_has_a_folder_of_its_own() {
    let terminal = terminal(
        "name = [\"a/b\", \"a%2Fb\", \"..\", \"a b\"]\n\
         \"rules.until\" = [{ accepted = 5 }, { accepted = 6 }]",
    );
    let said = terminal.klero(&["run", "my.toml", "--out", "d", "--quiet"]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert_eq!(
        terminal.names("d"),
        ["name=..", "name=a b", "name=a%252Fb", "name=a%2Fb"]
    );
    for folder in terminal.names("d") {
        let until = [
            "rules.until={ accepted = 5 }",
            "rules.until={ accepted = 6 }",
        ];
        assert_eq!(terminal.names(&format!("d/{folder}")), until);
    }
    let json = terminal.read("d/name=../rules.until={ accepted = 6 }/summary.json");
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
    assert_eq!(full.matches("share.GROUP").count(), 3);
    assert!(
        full.contains("\nseed = 2\nsmall: 4 replications, seed 2\n"),
        "{full}"
    );
}
