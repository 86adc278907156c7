//! The same bytes, through the binary: whatever the batch, the threads, the runtime, the company and its order.

use serde_json::Value;

use super::terminal::Terminal;
use super::with;
use crate::config::errors::PEOPLE;
use crate::support::{config, data};

const FILES: [&str; 5] = [
    "summary.json",
    "replications.csv",
    "selected.csv",
    "series.csv",
    "decisions.ndjson",
];

/// Ways to carry a run out, none of which may show in its results.
const WAYS: [&[&str]; 8] = [
    &["--batch", "1"],
    &["--batch", "7"],
    &["--batch", "64"],
    &["--batch", "1024"],
    &["--threads", "1"],
    &["--threads", "2", "--batch", "7"],
    &["--runtime", "multi", "--threads", "2"],
    &["--runtime", "multi", "--threads", "1", "--batch", "1"],
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

/// Runs a config in every way and order, and holds all files against the first; every lane alone against its company.
pub fn same_bytes(terminal: &Terminal, text: &str, more: &[&str]) {
    terminal.put("my.toml", text);
    terminal.put("reversed.toml", reversed(text));
    let run = |config: &str, out: &str, way: &[&str]| {
        let args = [
            "run",
            config,
            "-q",
            "--trace",
            "decisions",
            "--trace-replications",
            "all",
            "--force",
            "--out",
            out,
        ];
        terminal.done(&with(&with(&args, more), way));
    };
    run("my.toml", "first", &[]);
    let first = FILES.map(|file| terminal.read(&format!("first/{file}")));
    let ways = WAYS.iter().map(|way| ("my.toml", *way));
    let ways = ways.chain([("reversed.toml", &[][..]), ("reversed.toml", WAYS[5])]);
    for (at, (config, way)) in ways.enumerate() {
        let out = format!("way{at}");
        run(config, &out, way);
        for (file, first) in FILES.iter().zip(&first) {
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

/// `accept_all` is done after 150 rounds, greedy after thousands.
#[test]
fn the_main_job() {
    let text = config("committee-brexit-like.toml");
    same_bytes(&Terminal::new(), &text, &["--replications", "3"]);
}

/// Lanes that end by a foul or stall in the middle of a batch end at the same round in all.
#[test]
fn lanes_that_break_off() {
    let text = config("committee-brexit-like.toml");
    let more = [
        "--replications",
        "2",
        "--set",
        "rules.max_rounds=333",
        "--set",
        "report.at={ rounds = [1, 7, 64, 150, 333] }",
    ];
    same_bytes(&Terminal::new(), &text, &more);
    let more = ["--replications", "2", "--set", "rules.choose=exactly_one"];
    same_bytes(&Terminal::new(), &text, &more);
}

/// Slates of several, of which a batch holds whole ones alone.
#[test]
fn slates_of_several() {
    let text = config("committee-syn6.toml");
    let more = [
        "--replications",
        "2",
        "--set",
        "rules.slate=5",
        "--set",
        "rules.choose=any",
        "--set",
        "rules.until.accepted=100",
        "--set",
        "report.at=[50, 100]",
    ];
    same_bytes(&Terminal::new(), &text, &more);
}

/// People of a small file, in every order, with slates that do not come out even.
#[test]
fn people_of_a_file_in_every_order() {
    let terminal = Terminal::new();
    let mut people = "SEX,AGE,w\n".to_owned();
    for i in 0..103_u32 {
        people += &format!("{},{},{}\n", 1 + i * i % 7 % 2, 18 + i * 37 % 71, 1 + i % 3);
    }
    terminal.put("people.csv", people);
    let policies = "[[policy]]\nlabel = \"greedy\"\nkind = \"greedy\"\ntolerance = 0.2\n\n[[policy]]\nlabel = \"lot\"\nkind = \"cmdp\"\n\n\
        [[policy]]\nlabel = \"all\"\nkind = \"accept_all\"\n\n[report]\nat = [5, 10]\nbaseline = \"all\"\n";
    let text = format!("{PEOPLE}\n{policies}").replace("accepted = 4", "accepted = 20");
    for (order, replications) in [("file", "1"), ("shuffled", "3"), ("resampled", "3")] {
        let text = text.replace("\"resampled\"", &format!("{order:?}"));
        for slate in ["1", "4"] {
            let slate = format!("rules.slate={slate}");
            same_bytes(
                &terminal,
                &text,
                &["--replications", replications, "--set", &slate],
            );
        }
    }
}

/// Bandits that learn from outcomes some rounds late, and oracles beside them.
#[test]
fn bandits() {
    for name in ["grazzi2022-fig1.toml", "grazzi2022-groups.toml"] {
        let more = [
            "--replications",
            "2",
            "--set",
            "rules.until.rounds=150",
            "--set",
            "report.at=[7, 64, 150]",
            "--set",
            "feedback.outcome.delay={ uniform = [0, 9] }",
        ];
        same_bytes(&Terminal::new(), &config(name), &more);
    }
}

/// One round of interviews, in which lanes buy other looks at the same people.
#[test]
fn cohorts() {
    let text = config("schumann2019-t2.toml");
    // A lane that plays alone is scored by what the config says, not by what it would seek itself.
    let objective = "report.objective=[\"top_k\", \"diverse\"]";
    let more = ["--replications", "3", "--set", objective];
    same_bytes(&Terminal::new(), &text, &more);
}

/// Real people, where they are at hand.
#[test]
fn real_people() {
    let Some(path) = data("acs-national2018.csv") else {
        return;
    };
    let text = config("committee-acs.toml");
    let path = format!("source.path={:?}", path.display().to_string());
    same_bytes(
        &Terminal::new(),
        &text,
        &["--replications", "2", "--set", &path],
    );
}
