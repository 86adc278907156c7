//! One config, carried out in every way, with the same bytes each time.

use serde_json::Value;

use super::terminal::{Terminal, with};

const FILES: [&str; 10] = [
    "summary.json",
    "replications.csv",
    "endings.csv",
    "long.csv",
    "selected.csv",
    "people.csv",
    "series.csv",
    "curves.csv",
    "decisions.ndjson",
    "course.csv",
];

/// The tables of runs with interviews or offers.
const ITEMS: [&str; 3] = ["cohort.csv", "interviews.csv", "offers.csv"];

/// Ways to carry a run out, none of which may show in its results.
const WAYS: [&[&str]; 13] = [
    &["--batch", "1"],
    &["--batch", "7"],
    &["--batch", "64"],
    &["--batch", "1024"],
    &["--threads", "1"],
    &["--threads", "2", "--batch", "7"],
    &["--runtime", "multi", "--threads", "2"],
    &["--runtime", "multi", "--threads", "1", "--batch", "1"],
    &["--batch", "1", "--threads", "1"],
    &["--batch", "7", "--runtime", "multi", "--threads", "2"],
    &["--feedback", "lane"],
    &["--feedback", "lane", "--batch", "1", "--threads", "1"],
    &[
        "--feedback",
        "lane",
        "--batch",
        "7",
        "--runtime",
        "multi",
        "--threads",
        "2",
    ],
];

/// A config with its policies in the reverse order.
fn reversed(config: &str) -> String {
    let parts: Vec<_> = config.split("[[policy]]").collect();
    let (head, policies) = parts.split_first().expect("a head");
    let (last, others) = policies.split_last().expect("a policy");
    // What follows the last policy stays last.
    let (last, tail) = last.split_once("\n[").expect("[report] follows");
    let mut policies = others.to_vec();
    policies.push(last);
    policies.reverse();
    let policies: Vec<_> = policies
        .iter()
        .map(|policy| format!("[[policy]]{}\n", policy.trim_end()))
        .collect();
    let text = format!("{head}{}\n[{tail}", policies.join("\n"));
    assert_eq!(
        (text == config, text.matches("kind =").count()),
        (false, config.matches("kind =").count())
    );
    text
}

/// A summary without the order of the answer's lists; its headline names labels in that order.
fn unordered(summary: &str) -> Value {
    let mut summary: Value = serde_json::from_str(summary).expect("it is JSON");
    let answer = &mut summary["answer"];
    let mut words: Vec<String> = answer["headline"]
        .as_str()
        .expect("a headline")
        .split([' ', ',', ';', ':', '.'])
        .map(str::to_lowercase)
        .collect();
    words.sort();
    answer["headline"] = words.into();
    for list in ["frontier", "dominates"] {
        let list = answer[list].as_array_mut().expect("a list");
        list.sort_by_key(Value::to_string);
    }
    summary
}

/// Runs a config in every way and order, and holds all files against the first; every lane alone
/// against its company.
pub fn same_bytes(terminal: &Terminal, text: &str, more: &[&str]) {
    terminal.put("my.toml", text);
    terminal.put("reversed.toml", reversed(text));
    let run = |config: &str, out: &str, way: &[&str]| {
        let args = [
            "run",
            config,
            "-q",
            "--people",
            "--trace",
            "decisions",
            "--trace-replications",
            "all",
            "--keep",
            "all",
            "--force",
            "--out",
            out,
        ];
        terminal.done(&with(&with(&args, more), way));
    };
    run("my.toml", "first", &[]);
    let names = terminal.names("first");
    let items = ITEMS
        .into_iter()
        .filter(|name| names.contains(&(*name).to_owned()));
    let files: Vec<&str> = FILES.into_iter().chain(items).collect();
    let first: Vec<String> = files
        .iter()
        .map(|file| terminal.read(&format!("first/{file}")))
        .collect();
    let ways = WAYS.iter().map(|way| ("my.toml", *way));
    let ways = ways.chain([("reversed.toml", &[][..]), ("reversed.toml", WAYS[5])]);
    for (at, (config, way)) in ways.enumerate() {
        let out = format!("way{at}");
        run(config, &out, way);
        for (file, first) in files.iter().zip(&first) {
            let read = terminal.read(&format!("{out}/{file}"));
            // The answer's labels are in the order of the config.
            let same = match (config, *file) {
                ("reversed.toml", "summary.json") => unordered(&read) == unordered(first),
                _ => read == *first,
            };
            assert!(same, "{config} {way:?}: {file}");
        }
        std::fs::remove_dir_all(terminal.path(&out)).expect("it is there");
    }
    let summary: Value = serde_json::from_str(&first[0]).expect("it is JSON");
    for (label, policy) in summary["policies"].as_object().expect("policies") {
        run("my.toml", "alone", &["--only", label, "--batch", "7"]);
        let alone: Value =
            serde_json::from_str(&terminal.read("alone/summary.json")).expect("it is JSON");
        assert_eq!(alone["policies"][label], *policy, "{label}");
        assert_eq!(
            alone["policies"].as_object().map(serde_json::Map::len),
            Some(1)
        );
        let of_lane = |text: &str| -> Vec<String> {
            let mut csv = csv::Reader::from_reader(text.as_bytes());
            let rows = csv.records().map(|row| row.expect("a row"));
            let rows = rows.filter(|row| &row[1] == label);
            rows.map(|row| row.iter().collect::<Vec<_>>().join("|"))
                .collect()
        };
        for (file, first) in FILES.iter().zip(&first).skip(1).take(2) {
            let alone = terminal.read(&format!("alone/{file}"));
            assert!(of_lane(&alone) == of_lane(first), "{label} alone: {file}");
        }
    }
}
