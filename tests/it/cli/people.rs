//! Who came: `people.csv` has all who were shown, and any rate of a group follows from it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::support::configs::{PEOPLE, ROWS, SOUND};
use crate::support::says::Says as _;
use crate::support::terminal::Terminal;

/// A committee with two attributes whose lanes end at different rounds.
const COMMITTEE: &str = r#"seed = 3
replications = 5
[source]
type = "categorical"
shares = { gender = { M = 0.7, F = 0.3 }, age = { young = 0.2, middle = 0.5, old = 0.3 } }
[target]
gender = { M = 0.5, F = 0.5 }
age = { young = 0.3, middle = 0.4, old = 0.3 }
[rules]
choose = "at_most_one"
until = { accepted = 12 }
[[policy]]
label = "all"
kind = "accept_all"
[[policy]]
label = "a, \"greedy\""
kind = "greedy"
tolerance = 0.1
"#;

/// Several candidates a round, of whom any may be accepted.
const SLATES: &str = r#"seed = 4
replications = 3
[source]
type = "categorical"
shares = { gender = { M = 0.7, F = 0.3 } }
[target]
gender = { M = 0.5, F = 0.5 }
[rules]
slate = 5
choose = "any"
until = { rounds = 20 }
[[policy]]
label = "queue"
kind = "virtual_queue"
[[policy]]
label = "proportional"
kind = "proportional"
"#;

/// The numbers of a person's group and of all, as `people.csv` counts them.
#[derive(Default)]
struct Count {
    shown: f64,
    selected: f64,
}

type Table = (Vec<String>, Vec<Vec<String>>);

fn table(text: &str) -> Table {
    let mut csv = csv::Reader::from_reader(text.as_bytes());
    let fields = |record: &csv::StringRecord| record.iter().map(str::to_owned).collect::<Vec<_>>();
    let header = fields(csv.headers().expect("a header"));
    let rows = csv.records().map(|row| fields(&row.expect("a row")));
    (header, rows.collect())
}

/// The means over replications of `screened`, `accepted` and of each group's rates and shares, by
/// policy and the metric's name, counted from the rows of `people.csv`.
fn recounted(text: &str, attributes: &[&str]) -> BTreeMap<(String, String), f64> {
    let (header, rows) = table(text);
    let column = |name: &str| header.iter().position(|column| column == name);
    let selected = column("selected").expect("its column");
    let mut counts: BTreeMap<(String, String), BTreeMap<String, Count>> = BTreeMap::new();
    for row in &rows {
        let values = attributes.iter().map(|name| {
            let value = &row[column(name).expect("the attribute's column")];
            match attributes {
                [_] => format!(".{value}"),
                _ => format!(".{name}:{value}"),
            }
        });
        let lane = counts.entry((row[1].clone(), row[0].clone())).or_default();
        for group in values.chain([String::new()]) {
            let count = lane.entry(group).or_default();
            count.shown += 1.0;
            count.selected += row[selected].parse::<f64>().expect("0 or 1");
        }
    }
    let mut values: BTreeMap<(String, String), Vec<f64>> = BTreeMap::new();
    let groups: BTreeSet<String> = counts.values().flat_map(BTreeMap::keys).cloned().collect();
    for ((policy, _), counts) in counts {
        let all = counts[""].selected;
        let mut put = |metric: String, value: f64| {
            let all = values.entry((policy.clone(), metric)).or_default();
            all.push(value);
        };
        for group in &groups {
            // A group that a replication did not see has a share there, and no rate.
            let count = counts.get(group);
            put(
                format!("share{group}"),
                count.map_or(0.0, |count| count.selected) / all,
            );
            if let Some(count) = count {
                put(
                    format!("selection_rate{group}"),
                    count.selected / count.shown,
                );
            }
        }
        put("screened".into(), counts[""].shown);
        put("accepted".into(), all);
    }
    let mean = |all: Vec<f64>| all.iter().sum::<f64>() / all.len() as f64;
    values
        .into_iter()
        .map(|(name, all)| (name, mean(all)))
        .collect()
}

/// How many numbers of summary.json follow from people.csv.
fn follows(terminal: &Terminal, folder: &str, attributes: &[&str]) -> usize {
    let people = terminal.read(&format!("{folder}/people.csv"));
    let recounted = recounted(&people, attributes);
    let summary = terminal.read(&format!("{folder}/summary.json"));
    let summary: Value = serde_json::from_str(&summary).expect("it is JSON");
    let mut known = 0;
    for (policy, summary) in summary["policies"].as_object().expect("policies") {
        for (metric, stats) in summary["metrics"].as_object().expect("metrics") {
            let family = metric.split('.').next().expect("a first word");
            let counted = ["share", "selection_rate", "screened", "accepted"];
            if !counted.contains(&family) {
                continue;
            }
            let ours = recounted[&(policy.clone(), metric.clone())];
            let mean = stats["mean"].as_f64().expect("a number");
            assert!((ours - mean).abs() < 1e-12, "{folder}, {policy}: {metric}");
            known += 1;
        }
    }
    known
}

#[test]
fn every_groups_rate_and_share_follows_from_the_people() {
    let terminal = Terminal::new();
    terminal.put("committee.toml", COMMITTEE);
    terminal.put("slates.toml", SLATES);
    let pool = [
        "--set",
        "rules.until.rounds=6",
        "--set",
        "report.at=[5]",
        "--replications",
        "3",
    ];
    for (config, more, attributes, known) in [
        // Three numbers of all, and two of each of five groups.
        (
            "committee.toml",
            &[][..],
            &["gender", "age"][..],
            2 * (3 + 10),
        ),
        ("slates.toml", &[], &["gender"], 2 * (3 + 4)),
        // A cohort.
        (
            "schumann2019-t2",
            &["--replications", "2"],
            &["group"],
            4 * (3 + 6),
        ),
        // Pools that show each policy others.
        ("puranik2022-table1-law", &pool, &["group"], 3 * (3 + 4)),
    ] {
        let all = [
            "--people",
            "--trace-replications",
            "all",
            "-q",
            "--out",
            config,
        ];
        let out = format!("out/{config}");
        let mut args = vec!["run", config];
        args.extend_from_slice(more);
        args.extend_from_slice(&all[..4]);
        args.extend_from_slice(&["--out", &out]);
        terminal.done(&args);
        assert_eq!(follows(&terminal, &out, attributes), known, "{config}");
    }
    // A reacting pool did show others.
    let (_, rows) = table(&terminal.read("out/puranik2022-table1-law/people.csv"));
    let shown = |policy: &str| {
        let rows = rows.iter().filter(|row| row[0] == "0" && row[1] == policy);
        rows.map(|row| (row[2].clone(), row[3].clone()))
            .collect::<Vec<_>>()
    };
    let mut policies: Vec<_> = rows.iter().map(|row| &row[1]).collect();
    policies.dedup();
    policies.sort();
    policies.dedup();
    assert_ne!(shown(policies[0]), shown(policies[1]));
}

/// Whom `people.csv` calls selected are those of `selected.csv`, row for row, whatever the batch.
#[test]
fn the_selected_are_the_same_in_both_lists() {
    let terminal = Terminal::new();
    terminal.put("my.toml", COMMITTEE);
    for (out, batch) in [("a", "1"), ("b", "1024")] {
        terminal.done(&[
            "run", "my.toml", "--people", "-q", "--batch", batch, "--out", out,
        ]);
    }
    let people = terminal.read("a/people.csv");
    assert_eq!(people, terminal.read("b/people.csv"));
    let (header, rows) = table(&people);
    let first = ["replication", "policy", "round", "id"];
    assert_eq!(header[..4], first);
    assert_eq!(header[4..], ["selected", "gender", "age"]);
    let (_, selected) = table(&terminal.read("a/selected.csv"));
    let chosen = rows.iter().filter(|row| row[4] == "1");
    let chosen: Vec<_> = chosen.map(|row| [&row[..4], &row[5..]].concat()).collect();
    assert_eq!(chosen, selected);
    assert!(rows.iter().any(|row| row[4] == "0"), "someone was refused");
    assert!(rows.iter().all(|row| row[0] == "0"), "one replication");
}

#[test]
fn scores_and_features_are_shown_unless_people_are_to_be_hidden() {
    let terminal = Terminal::new();
    let config = format!("{PEOPLE}[source.features]\nnumeric = [\"AGE\"]\n");
    let config = config.replace("weight = \"w\"", "weight = \"w\"\nid = \"id\"");
    terminal.put("my.toml", config);
    terminal.put("people.csv", ROWS);
    let run = |out: &str, more: &[&str]| {
        let first = ["run", "my.toml", "--people", "-q", "--out", out];
        terminal.done(&[&first[..], more].concat());
        terminal.read(&format!("{out}/people.csv"))
    };
    let (header, rows) = table(&run("plain", &[]));
    assert_eq!(header[4..], ["selected", "sex", "age", "feature.AGE"]);
    let ages = BTreeMap::from([("a", "20"), ("b", "30"), ("c", "50"), ("d", "60")]);
    assert!(rows.iter().all(|row| row[7] == ages[row[3].as_str()]));

    let (header, rows) = table(&run("hidden", &["--hide-identities"]));
    assert_eq!(header[4..], ["selected", "sex", "age"]);
    assert!(rows.iter().all(|row| row[3].len() == 16));
    let (header, rows) = table(&run("dropped", &["--drop-attributes", "age"]));
    assert_eq!(header[4..], ["selected", "sex"]);
    assert!(rows.iter().all(|row| row.len() == 6));
}

/// A run without it removes the list of the run that it overwrites, as every file of that run.
#[test]
fn people_go_with_their_run() {
    let terminal = Terminal::new();
    terminal.put("my.toml", SOUND);
    terminal.done(&["run", "my.toml", "-q", "--people", "--out", "d"]);
    assert!(terminal.path("d/people.csv").exists());
    terminal.done(&["run", "my.toml", "-q", "--force", "--out", "d"]);
    assert!(!terminal.path("d/people.csv").exists());
    let said = terminal.exits(2, &["run", "my.toml", "--people"]);
    said.stderr.says("--out <DIR>");
}
