//! Draws under quotas on pairs of values, and under quotas that may be relaxed.

use std::collections::BTreeMap;

use super::{CONFIG, column, draw, drawn, record, rows, town};
use crate::support::terminal::Terminal;

/// A town whose panel has two or three young women.
fn place() -> Terminal {
    let terminal = town();
    let pairs = "category 1,feature 1,category 2,feature 2,min,max,min_flex,max_flex\n\
                 sex,F,age,young,2,3,1,4\n";
    terminal.put("pairs.csv", pairs);
    let files = "categories = \"quotas.csv\"\nintersections = \"pairs.csv\"";
    terminal.put(
        "my.toml",
        CONFIG.replace("categories = \"quotas.csv\"", files),
    );
    terminal
}

fn is_young_woman(row: &BTreeMap<String, String>) -> bool {
    row["Sex"] == "F" && row["Age"] == "young"
}

#[test]
fn pairs_are_committed_to_and_left_to_a_second_draw() {
    let terminal = place();
    drawn(&terminal, "the first value", "one");
    let found = record(&terminal, "one");
    assert!(found["committed"]["files"]["intersections.csv"].is_string());
    let panel = rows(&terminal, "one/panel.csv");
    let young_women: Vec<_> = panel.iter().filter(|row| is_young_woman(row)).collect();
    assert!((2..=3).contains(&young_women.len()));
    let pair = found["quotas"].as_array().expect("quotas").iter();
    let pair: Vec<_> = pair.filter(|row| row["value"] == "F x young").collect();
    assert_eq!(pair.len(), 1);
    assert_eq!(pair[0]["members"], young_women.len());

    // One of them leaves, and two others.
    let gone = &young_women[0]["id"];
    let stay = panel.iter().map(|row| &row["id"]).filter(|id| *id != gone);
    let stay: Vec<&str> = stay.map(String::as_str).take(9).collect();
    terminal.put("stay.csv", stay.join("\n"));
    terminal.done(&[
        "draw",
        "--after",
        "one",
        "--keep",
        "stay.csv",
        "--seed-from",
        "a second value",
        "--out",
        "two",
    ]);
    let kept = panel.iter().filter(|row| stay.contains(&&*row["id"]));
    let kept = kept.filter(|row| is_young_woman(row)).count() as i64;
    let left = rows(&terminal, "two/reduced/inputs/intersections.csv");
    let number = |name: &str| left[0][name].parse::<i64>().expect("a number");
    assert_eq!(
        (number("min"), number("max")),
        ((2 - kept).max(0), 3 - kept)
    );
    assert_eq!(number("max_flex"), 4 - kept);
    let panel = rows(&terminal, "two/panel.csv");
    let young_women = panel.iter().filter(|row| is_young_woman(row)).count();
    assert!((2..=3).contains(&young_women), "{young_women}");
    assert_eq!(record(&terminal, "two")["quotas_kept"], true);
    terminal.done(&["draw", "verify", "two"]);
}

/// Nine young people are wanted of eight who are left: the quota is relaxed, and the panel is held
/// against what it was relaxed to.
#[test]
fn quotas_that_are_relaxed_for_the_rest_are_those_of_the_whole() {
    let terminal = town();
    let quotas = "category,name,min,max,min_flex,max_flex\nsex,F,4,8,0,12\nsex,M,4,8,0,12\n\
                  age,young,5,6,3,9\nage,old,6,7,3,9\n";
    terminal.put("quotas.csv", quotas);
    let flexible = "categories = \"quotas.csv\"\nflexible = true";
    terminal.put(
        "my.toml",
        CONFIG.replace("categories = \"quotas.csv\"", flexible),
    );
    drawn(&terminal, "the first value", "one");
    let panel = rows(&terminal, "one/panel.csv");
    let old = panel.iter().filter(|row| row["Age"] != "young");
    let stay: Vec<&str> = old.map(|row| &*row["id"]).collect();
    terminal.put("stay.csv", stay.join("\n"));
    // All young people but three no longer take part.
    let passed = rows(&terminal, "one/passed-over.csv");
    let homes: Vec<&String> = panel.iter().map(|row| &row["Home"]).collect();
    let young = passed.iter().filter(|row| row["Age"] == "young");
    let free = young.clone().filter(|row| !homes.contains(&&row["Home"]));
    let mut named = Vec::new();
    for row in free {
        if named.len() < 3
            && !named
                .iter()
                .any(|other: &&BTreeMap<_, _>| other["Home"] == row["Home"])
        {
            named.push(row);
        }
    }
    let gone = young.filter(|row| !named.iter().any(|other| other["id"] == row["id"]));
    let gone: Vec<&str> = gone.map(|row| &*row["id"]).collect();
    terminal.put("gone.txt", gone.join("\n"));
    let second = [
        "draw",
        "--after",
        "one",
        "--keep",
        "stay.csv",
        "--without",
        "gone.txt",
        "--seed-from",
        "a second value",
        "--out",
        "two",
    ];
    let said = terminal.klero(&second);
    assert_eq!(said.code, Some(0), "{}{}", said.stdout, said.stderr);
    let found = record(&terminal, "two");
    let row = found["quotas"].as_array().expect("quotas").iter();
    let young: Vec<_> = row.filter(|row| row["value"] == "young").collect();
    assert_eq!(young[0]["members"], 3);
    assert!(young[0]["min"].as_u64() <= Some(3), "{}", young[0]);
    let disclosures = found["disclosures"].as_array().expect("sentences");
    assert_eq!(disclosures.len(), 1, "{disclosures:?}");
    assert_eq!(column(&terminal, "two/panel.csv", "id").len(), 12);
    terminal.done(&["draw", "verify", "two"]);
    // Where they may not be relaxed, no one is drawn.
    terminal.put("my.toml", CONFIG);
    let refused = [
        &draw("a third value", "three")[..],
        &[
            "--after",
            "one",
            "--keep",
            "stay.csv",
            "--without",
            "gone.txt",
        ],
    ];
    let refused = terminal.klero(&refused.concat());
    assert_eq!(refused.code, Some(2), "{}", refused.stdout);
    assert!(!terminal.path("three").exists());
}
