//! What goes to stdout, what to stderr, and in which shape.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::process::Stdio;

use serde_json::Value;

use super::{FEW, with};
use crate::support::says::Says as _;
use crate::support::terminal::{Terminal, said, typed};

#[test]
fn stdout_has_the_result_and_stderr_the_rest() {
    let terminal = Terminal::new();
    let loud = ["run", "--replications", "2"];
    for format in ["table", "json", "csv"] {
        let said = terminal.exits(0, &with(&loud, &["--format", format]));
        said.stdout.never_says("note: ");
        assert!(
            said.stderr.lines().all(|line| line.starts_with("note: ")),
            "{}",
            said.stderr
        );
        said.stderr.says("gain of the program 0.405791");
        let quiet = terminal.klero(&with(&loud, &["--format", format, "--quiet"]));
        assert_eq!((quiet.code, quiet.stderr.as_str()), (Some(0), ""));
        assert_eq!(quiet.stdout, said.stdout);
    }
}

/// On a terminal both come to one place: the notes first, then the results, whose last line is the answer.
#[test]
fn notes_come_before_the_results() {
    let terminal = Terminal::new();
    terminal.put("my.toml", crate::support::configs::SOUND);
    let mut noted = 0;
    for args in [
        &["run", "--replications", "2"][..],
        &["run", "my.toml", "--sweep", "rules.until.accepted=10,20"],
    ] {
        let both = File::create(terminal.path("both")).expect("a file");
        let mut command = terminal.command(args);
        command.stdout(both.try_clone().expect("the file again"));
        command.stderr(both);
        assert_eq!(said(command).code, Some(0));
        let text = terminal.read("both");
        let mut lines = text.lines().skip_while(|line| line.starts_with("note: "));
        assert!(lines.all(|line| !line.starts_with("note: ")), "{text}");
        noted += usize::from(text.starts_with("note: "));
    }
    assert!(noted > 0);
}

/// What a reader sees without scrolling back.
#[test]
fn the_answer_is_the_last_thing_printed() {
    let terminal = Terminal::new();
    terminal.put("my.toml", crate::support::configs::SOUND);
    let last = |args: &[&str]| {
        let text = terminal.done(args);
        let last = text.trim_end().rsplit("\n\n").next();
        last.map(str::to_owned).unwrap_or_default()
    };
    let run = last(&["run", "my.toml", "-q"]);
    assert!(run.starts_with("Answer: "), "{run}");
    let full = last(&["run", "my.toml", "-q", "--full"]);
    assert_eq!(full, run);
    let sweep = ["--sweep", "rules.until.accepted=10,20"];
    let sweep = last(&[&["run", "my.toml", "-q"], &sweep[..]].concat());
    assert!(sweep.starts_with("Answers\n"), "{sweep}");
}

#[test]
fn json_is_the_summary_and_csv_the_replications() {
    let terminal = Terminal::new();
    let json = terminal.done(&with(FEW, &["--format", "json", "--out", "a"]));
    let csv = terminal.done(&with(FEW, &["--format", "csv", "--out", "b"]));
    assert_eq!(json, terminal.read("a/summary.json"));
    assert_eq!(csv, terminal.read("b/replications.csv"));
    assert_eq!(terminal.read("a/replications.csv"), csv);
    let summary: Value = serde_json::from_str(&json).expect("it is JSON");
    assert_eq!(summary["schema"], 1);
    assert_eq!(
        (&summary["seed"], &summary["replications"]),
        (&2021.into(), &6.into())
    );
}

/// The members of the contract, in its order, and nothing that is no number.
#[test]
fn the_summary_has_the_members_of_the_contract() {
    let terminal = Terminal::new();
    let json = terminal.done(&with(FEW, &["--format", "json"]));
    let summary: Value = serde_json::from_str(&json).expect("it is JSON");
    let members = |value: &Value| -> Vec<String> {
        value
            .as_object()
            .expect("an object")
            .keys()
            .cloned()
            .collect()
    };
    let sorted = |names: &str| -> Vec<String> {
        let mut names: Vec<_> = names.split(' ').map(str::to_owned).collect();
        names.sort();
        names
    };
    let same = |value: &Value, names: &str| {
        let mut found = members(value);
        found.sort();
        assert_eq!(found, sorted(names));
    };
    same(
        &summary,
        "schema name seed replications policies pairs answer versions",
    );
    let policies = members(&summary["policies"]);
    assert_eq!(
        policies,
        ["accept all", "cmdp", "greedy .05", "proportional", "queue"]
    );
    for label in &policies {
        let policy = &summary["policies"][label];
        same(policy, "kind role endings metrics series");
        for name in [
            "screened",
            "accepted",
            "selection_rate",
            "representation_loss",
            "impact_ratio",
        ] {
            same(&policy["metrics"][name], "n mean sd se median min max");
        }
        for point in policy["series"]["screened"].as_array().expect("a list") {
            same(point, "at n mean sd median");
        }
        assert_eq!(policy["endings"]["filled"], 6);
    }
    let pairs = summary["pairs"].as_array().expect("a list");
    assert_eq!(pairs.len(), 8);
    for pair in pairs {
        same(
            pair,
            "metric a b standing ends_before estimand n unfilled mean se lo hi alpha method verdict t_lo t_hi e_value \
             e_above e_below p_anytime median median_lo \
             median_hi beats beats_lo beats_hi margin needed",
        );
        // Four comparisons with the baseline and three among the others, on two measures and
        // `filled`.
        let alpha = 0.05 / 21.0;
        assert_eq!(
            (&pair["b"], &pair["alpha"]),
            (&"cmdp".into(), &alpha.into())
        );
    }
    let places: Vec<_> = [
        "schema",
        "name",
        "seed",
        "replications",
        "policies",
        "pairs",
        "versions",
    ]
    .map(|name| {
        json.find(&format!("\n  \"{name}\": "))
            .expect("it is there")
    })
    .into();
    assert!(places.is_sorted(), "{places:?}");
    assert!(!json.contains("NaN") && !json.contains("inf"));
}

/// The numbers of the CSV files are those of the summary to the last bit, in no more digits than
/// that takes.
#[test]
fn numbers_in_csv_files_are_short_and_whole() {
    let terminal = Terminal::new();
    terminal.done(&with(FEW, &["--keep", "all", "--out", "d"]));
    let summary: Value = serde_json::from_str(&terminal.read("d/summary.json")).expect("JSON");
    let rows = |name: &str| -> Vec<csv::StringRecord> {
        let text = terminal.read(&format!("d/{name}"));
        let mut rows = csv::Reader::from_reader(text.as_bytes());
        rows.records().map(|row| row.expect("a row")).collect()
    };
    let number = |text: &str| {
        let number: f64 = text.parse().expect("a number");
        assert_eq!(number.to_string(), text);
        number
    };
    let series = rows("series.csv");
    for row in &series {
        let points = &summary["policies"][&row[0]]["series"][&row[9]];
        let at = number(&row[4]);
        let mut points = points.as_array().expect("a list").iter();
        let point = points.find(|point| point["at"].as_f64() == Some(at));
        let point = point.expect("the summary has it too");
        for (name, text) in ["n", "mean", "sd", "median"]
            .into_iter()
            .zip(row.iter().skip(5))
        {
            let known = point[name].as_f64().expect("a number");
            assert_eq!(number(text).to_bits(), known.to_bits(), "{row:?}");
        }
    }
    let mut sums = BTreeMap::<(String, String), Vec<f64>>::new();
    for row in rows("replications.csv") {
        if row[3].is_empty() {
            let key = (row[1].to_owned(), row[2].to_owned());
            sums.entry(key).or_default().push(number(&row[4]));
        }
    }
    for ((policy, metric), values) in sums {
        let known = &summary["policies"][&policy]["metrics"][&metric];
        let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        assert_eq!(known["n"].as_u64(), Some(values.len() as u64));
        assert_eq!(known["max"].as_f64(), Some(most), "{policy} {metric}");
    }
    assert!(series.len() > 100);
}

#[test]
fn one_replication_has_no_spread_and_no_verdict_on_what_is_of_a_whole_run() {
    let terminal = Terminal::new();
    let args = typed(
        "run committee-syn6 --replications 1 --set report.judge=[\"representation_loss\"] --format json",
    );
    let said = terminal.klero(&args);
    said.stderr.says("note: one replication");
    let summary: Value = serde_json::from_str(&said.stdout).expect("it is JSON");
    // What one stream has selected is a fact: it is compared without an interval.
    let pairs = summary["pairs"].as_array().expect("pairs");
    assert_eq!(pairs.len(), 4);
    for pair in pairs {
        assert_eq!(
            (&pair["method"], &pair["lo"]),
            (&"fact".into(), &Value::Null)
        );
        assert_eq!((&pair["alpha"], &pair["n"]), (&0.0.into(), &1.into()));
    }
    let screened = &summary["policies"]["queue"]["metrics"]["screened"];
    assert_eq!(
        (&screened["sd"], &screened["se"]),
        (&Value::Null, &Value::Null)
    );
    assert!(screened["mean"].is_number());
}

/// `klero run | head -1`: the reader goes, and no error is printed.
#[test]
fn a_reader_that_goes_away_is_no_fault() {
    let terminal = Terminal::new();
    // More than a pipe holds, so that the binary is still writing.
    let args = with(
        &["run", "--replications", "100", "--quiet", "--format", "csv"],
        &[],
    );
    for args in [&args[..], &["list"], &["check"], &["--help"]] {
        let mut command = terminal.command(args);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the binary runs");
        let mut first = [0];
        let mut stdout = child.stdout.take().expect("a pipe");
        stdout.read_exact(&mut first).expect("a byte");
        drop(stdout);
        let output = child.wait_with_output().expect("it ends");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(
            (output.status.code(), stderr.as_str()),
            (Some(0), ""),
            "{args:?}"
        );
    }
}

/// A stdout that takes nothing is a failed run, with an error in words; the files are there all the
/// same.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_on_stdout_is_reported() {
    let terminal = Terminal::new();
    for args in [
        &with(FEW, &["--out", "d"])[..],
        &["list"],
        &["check", "-q"],
        &["check"],
    ] {
        let mut command = terminal.command(args);
        command.stdout(File::create("/dev/full").expect("the device"));
        let said = said(command);
        if args.contains(&"-q") {
            assert_eq!(said.code, Some(2), "check has no --quiet");
            continue;
        }
        assert_eq!(said.code, Some(1), "{args:?}");
        said.stderr.says("error: can't print: ");
    }
    assert!(terminal.read("d/summary.json").ends_with("}\n"));
}

/// Who leads, by how much, how sure: all on the first screen.
#[test]
fn the_table_begins_with_what_matters() {
    let terminal = Terminal::new();
    let table = terminal.done(&["run", "-q", "--replications", "20"]);
    insta::assert_snapshot!(table);
    let full = terminal.done(&["run", "-q", "--replications", "20", "--full"]);
    for part in [
        "Share of GROUP among the selected (%)",
        "Chosen of 100 screened of GROUP",
        "Impact ratio (%) over the run",
        "People screened over the run",
    ] {
        assert!(full.contains(part) && !table.contains(part), "{part}");
    }
    let verdicts = |text: &str| {
        let from = text.find("Verdicts").expect("verdicts");
        text[from..]
            .split("\n\n")
            .take(3)
            .collect::<Vec<_>>()
            .join("\n\n")
    };
    assert_eq!(verdicts(&full), verdicts(&table));
}
