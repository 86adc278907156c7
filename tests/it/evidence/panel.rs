//! What a committee is judged by: whether it filled, whether it keeps its quotas, how many seats it
//! is off.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::support::project;
use crate::support::terminal::Terminal;

/// The shipped example, as a path.
fn organiser() -> String {
    let path = project().join("configs/organiser.toml");
    path.to_str().expect("a path of text").to_owned()
}

/// Rows of a CSV file as text, by the name of the column.
fn rows(text: &str) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let heads = reader.headers().expect("a header").clone();
    let row = |row: csv::StringRecord| {
        let cells = heads.iter().zip(row.iter());
        let cells = cells.map(|(head, cell)| (head.to_owned(), cell.to_owned()));
        cells.collect()
    };
    let rows = reader.records().map(|record| record.expect("a row"));
    rows.map(row).collect()
}

/// Who sat, by replication and policy: the id and the values of each member.
pub type Members = BTreeMap<(String, String), Vec<BTreeMap<String, String>>>;

/// The committees of `selected.csv`.
pub fn committees(selected: &str) -> Members {
    let mut all = Members::new();
    for row in rows(selected) {
        let key = (row["replication"].clone(), row["policy"].clone());
        all.entry(key).or_default().push(row);
    }
    all
}

/// Seats short of the minimums plus seats beyond the maximums, counted from the two files alone.
fn off(members: &[BTreeMap<String, String>], categories: &str) -> u32 {
    let mut off = 0;
    for quota in rows(categories) {
        let has = |member: &&BTreeMap<String, String>| member[&quota["feature"]] == quota["value"];
        let count = members.iter().filter(has).count() as u32;
        let bound = |name: &str| quota[name].parse::<u32>().expect("a whole number");
        off += bound("min").saturating_sub(count) + count.saturating_sub(bound("max"));
    }
    off
}

#[test]
fn the_organisers_example_is_judged_as_counted_by_hand_and_each_member_sits_once() {
    let terminal = Terminal::new();
    terminal.done(&[
        "run",
        &organiser(),
        "-q",
        "--set",
        "replications=40",
        "--trace-replications",
        "all",
        "--keep",
        "all",
        "--out",
        "res",
    ]);
    let categories = std::fs::read_to_string(project().join("configs/organiser/categories.csv"));
    let categories = categories.expect("the example's quotas");
    let committees = committees(&terminal.read("res/selected.csv"));
    let mut said: BTreeMap<(String, String, String), f64> = BTreeMap::new();
    for row in rows(&terminal.read("res/replications.csv")) {
        if row["at"].is_empty() {
            let key = [&row["replication"], &row["policy"], &row["metric"]].map(String::clone);
            said.insert(key.into(), row["value"].parse().expect("a number"));
        }
    }
    assert_eq!(
        committees.len(),
        200,
        "five policies, forty committees each"
    );
    let (mut kept, mut unfilled) = (BTreeMap::new(), 0);
    for ((replication, policy), members) in &committees {
        let ids: BTreeSet<&str> = members.iter().map(|member| &*member["id"]).collect();
        assert_eq!(
            ids.len(),
            members.len(),
            "{policy} {replication}: somebody sits twice"
        );
        let off = off(members, &categories);
        let filled = members.len() == 40;
        let metric = |name: &str| said[&(replication.clone(), policy.clone(), name.to_owned())];
        assert_eq!(
            metric("seats_off"),
            f64::from(off),
            "{policy} {replication}"
        );
        assert_eq!(metric("filled"), f64::from(u8::from(filled)));
        let keeps = filled && off == 0;
        assert_eq!(
            metric("quotas_kept"),
            f64::from(u8::from(keeps)),
            "{policy} {replication}"
        );
        *kept.entry(policy.clone()).or_insert(0) += u32::from(keeps);
        unfilled += u32::from(!filled);
    }
    // The numbers tell policies apart, and some committees do not fill.
    assert_eq!(kept["cmdp"], 0);
    assert_eq!((kept["look-ahead"], kept["queue, kept"]), (40, 40));
    assert!(unfilled > 3, "{unfilled}");
    let summary: Value = serde_json::from_str(&terminal.read("res/summary.json")).expect("JSON");
    let pairs = summary["pairs"].as_array().expect("pairs");
    assert!(pairs.iter().any(|pair| pair["metric"] == "filled"));
    for pair in pairs {
        assert_ne!(pair["verdict"], "not_comparable", "{pair}");
        let filled = |label: &Value| {
            &summary["policies"][label.as_str().expect("a label")]["endings"]["filled"]
        };
        // No policy but greedy leaves places empty, so those of a pair that filled
        // are those of `a`.
        match pair["metric"].as_str() {
            Some("filled" | "quotas_kept") => assert_eq!(pair["n"], 40),
            _ => assert_eq!(&pair["n"], filled(&pair["a"])),
        }
    }
}

/// Of the two policies that keep the quotas a goal names the one that screens fewer, and says of
/// each other policy that it surely fails.
#[test]
fn a_goal_on_the_quotas_names_the_best_policy_that_meets_it() {
    let terminal = Terminal::new();
    let goal = "report.goal={ best = \"selection_rate\", where = { quotas_kept = \">= 0.8\" } }";
    let args = [
        "run",
        &organiser(),
        "-q",
        "--set",
        goal,
        "--set",
        "report.until=decided",
    ];
    let summary = terminal.done(&[&args[..], &["--format", "json"]].concat());
    let summary: Value = serde_json::from_str(&summary).expect("JSON");
    let goal = &summary["answer"]["goal"];
    assert_eq!(goal["answer"], serde_json::json!(["queue, kept"]), "{goal}");
    let meets = goal["meets"].as_object().expect("labels");
    for (label, word) in meets {
        let keeps = ["look-ahead", "queue, kept"].contains(&label.as_str());
        let known = if keeps { "surely" } else { "surely not" };
        assert_eq!(word, known, "{label}: {goal}");
    }
    assert_eq!((meets.len(), &goal["needed"]), (5, &Value::Null));
    // It stops with the first replication by which the goal is settled.
    assert!(summary["replications"].as_u64() < Some(400), "{summary}");
    let headline = summary["answer"]["headline"].as_str().expect("a headline");
    assert!(
        headline.starts_with(
            "\u{201c}queue, kept\u{201d} screens fewest of those that surely keep \
            quotas kept of 100 at least 80"
        ),
        "{headline}"
    );
    // Of the others no policy keeps them nearly always, and that is said too.
    let never = "report.goal={ best = \"selection_rate\", where = { quotas_kept = \">= 0.95\" } }";
    let args = [
        "run",
        &organiser(),
        "-q",
        "--set",
        never,
        "--only",
        "cmdp,greedy,queue",
        "--format",
        "json",
    ];
    let summary: Value = serde_json::from_str(&terminal.done(&args)).expect("JSON");
    let goal = &summary["answer"]["goal"];
    assert_eq!(goal["answer"], serde_json::json!([]));
    let meets = goal["meets"].as_object().expect("labels");
    assert!(meets.values().all(|word| word == "surely not"), "{goal}");
}
