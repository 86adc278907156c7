//! Who was selected and every decision: `selected.csv`, `decisions.ndjson`.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{FEW, with};
use crate::support::configs::{PEOPLE, ROWS};
use crate::support::terminal::Terminal;

type Selected = Vec<Vec<String>>;

/// The header and the rows of a CSV.
fn rows(text: &str) -> (Vec<String>, Selected) {
    let mut csv = csv::Reader::from_reader(text.as_bytes());
    let fields = |record: &csv::StringRecord| record.iter().map(str::to_owned).collect::<Vec<_>>();
    let header = fields(csv.headers().expect("a header"));
    let rows = csv
        .records()
        .map(|record| fields(&record.expect("a row")))
        .collect();
    (header, rows)
}

/// What was accepted by (replication, policy), from the rows of `replications.csv`.
fn accepted(terminal: &Terminal, folder: &str) -> BTreeMap<(String, String), usize> {
    let (_, rows) = rows(&terminal.read(&format!("{folder}/replications.csv")));
    let ends = rows
        .into_iter()
        .filter(|row| row[2] == "accepted" && row[3].is_empty());
    ends.map(|row| {
        (
            (row[0].clone(), row[1].clone()),
            row[4].parse().expect("a count"),
        )
    })
    .collect()
}

fn count(selected: &Selected) -> BTreeMap<(String, String), usize> {
    let mut counts = BTreeMap::new();
    for row in selected {
        *counts.entry((row[0].clone(), row[1].clone())).or_insert(0) += 1;
    }
    counts
}

#[test]
fn selected_has_a_row_for_everybody_accepted() {
    let terminal = Terminal::new();
    let known = [
        "replication",
        "policy",
        "round",
        "id",
        "ethnicity",
        "class",
        "age",
        "region",
        "gender",
        "vote",
    ];
    for (out, more, replications) in [
        ("first", &[][..], 1),
        ("all", &["--trace-replications", "all"], 6),
    ] {
        terminal.done(&with(&with(FEW, &["--keep", "all", "--out", out]), more));
        let (header, selected) = rows(&terminal.read(&format!("{out}/selected.csv")));
        assert_eq!(header, known);
        let mut accepted = accepted(&terminal, out);
        assert_eq!(accepted.len(), 5 * 6);
        accepted.retain(|(replication, _), _| {
            replication.parse::<u64>().expect("a number") < replications
        });
        assert_eq!(count(&selected), accepted, "{out}");
        // By replication, label and round.
        let key = |row: &Vec<String>| {
            let number = |at: usize| row[at].parse::<u64>().expect("a number");
            (number(0), row[1].clone(), number(2))
        };
        assert!(selected.is_sorted_by_key(key));
        assert!(
            selected
                .iter()
                .all(|row| row.iter().all(|field| !field.is_empty()))
        );
    }
    let first = terminal.read("first/selected.csv");
    assert!(terminal.read("all/selected.csv").starts_with(&first));
}

#[test]
fn people_of_a_file_keep_their_ids_and_values() {
    let terminal = Terminal::new();
    terminal.put(
        "my.toml",
        PEOPLE.replace("weight = \"w\"", "weight = \"w\"\nid = \"id\""),
    );
    terminal.put("people.csv", ROWS.replace("\na,", "\n\"a, \"\"A\"\"\","));
    terminal.done(&["run", "my.toml", "--out", "d"]);
    let (header, selected) = rows(&terminal.read("d/selected.csv"));
    assert_eq!(
        header,
        ["replication", "policy", "round", "id", "sex", "age"]
    );
    assert_eq!(selected.len(), 4);
    for row in &selected {
        let known = match row[3].as_str() {
            "a, \"A\"" => ["male", "young"],
            "b" => ["female", "young"],
            "c" => ["male", "old"],
            "d" => ["female", "old"],
            other => panic!("nobody is called {other}"),
        };
        assert_eq!(row[4..], known);
    }
}

fn decisions(terminal: &Terminal, folder: &str) -> Vec<Value> {
    let text = terminal.read(&format!("{folder}/decisions.ndjson"));
    let event = |line| serde_json::from_str(line).expect("a line is JSON");
    text.lines().map(event).collect()
}

#[test]
fn decisions_are_ordered_numbered_and_whole() {
    let terminal = Terminal::new();
    let trace = ["--trace", "decisions", "--out"];
    terminal.done(&with(&with(FEW, &trace), &["first"]));
    terminal.done(&with(
        &with(FEW, &trace),
        &["all", "--trace-replications", "all", "--only", "queue,cmdp"],
    ));
    for folder in ["first", "all"] {
        let events = decisions(&terminal, folder);
        let members = [
            "version",
            "seq",
            "replication",
            "round",
            "policy",
            "shown",
            "groups",
            "chosen",
            "p",
            "reason",
            "cost",
        ];
        for (place, event) in events.iter().enumerate() {
            let object = event.as_object().expect("an object");
            assert!(
                members.iter().all(|member| object.contains_key(*member)),
                "{event}"
            );
            assert_eq!(object.len(), members.len(), "{event}");
            assert_eq!(event["seq"], place);
        }
        let key = |event: &Value| {
            let number = |member: &str| event[member].as_u64().expect("a number");
            (
                number("replication"),
                number("round"),
                event["policy"].to_string(),
            )
        };
        assert!(
            events.is_sorted_by(|a, b| key(a) < key(b)),
            "by replication, round and label"
        );
        // As many as were shown and chosen, and the same people as in selected.csv.
        let chosen = events.iter().flat_map(|event| {
            let of = |event: &Value, member: &str| {
                event[member].to_string().trim_matches('"').to_owned()
            };
            let post = ["replication", "policy", "round"].map(|member| of(event, member));
            let ids = event["chosen"].as_array().expect("a list").clone();
            ids.into_iter()
                .map(move |id| [&post[..], &[id.as_str().expect("an id").to_owned()]].concat())
        });
        let mut chosen: Selected = chosen.collect();
        let (_, selected) = rows(&terminal.read(&format!("{folder}/selected.csv")));
        let mut selected: Selected = selected.into_iter().map(|row| row[..4].to_vec()).collect();
        chosen.sort();
        selected.sort();
        assert_eq!(chosen, selected);
        let (_, values) = rows(&terminal.read(&format!("{folder}/replications.csv")));
        let screened = values
            .iter()
            .filter(|row| row[2] == "screened" && row[3].is_empty());
        let screened = screened.filter(|row| folder == "all" || row[0] == "0");
        let screened: usize = screened
            .map(|row| row[4].parse::<usize>().expect("a count"))
            .sum();
        assert_eq!(events.len(), screened, "one candidate a round");
    }
    // Whoever chose by lot says with which probability, and everybody why.
    let events = decisions(&terminal, "first");
    let of = |label: &str| {
        events
            .iter()
            .filter(move |event| event["policy"] == label)
            .cloned()
            .collect::<Vec<_>>()
    };
    assert!(
        of("cmdp")
            .iter()
            .any(|event| event["p"].as_f64().is_some_and(|p| p < 1.0))
    );
    assert!(of("queue").iter().all(|event| {
        event["reason"]
            .as_object()
            .is_some_and(|reason| !reason.is_empty())
    }));
}
