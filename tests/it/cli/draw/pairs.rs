//! Draws under quotas on pairs of values, and under quotas that may be relaxed.

use std::collections::BTreeMap;

use super::{CONFIG, column, draw, drawn, record, rows, town};
use crate::support::terminal::{Terminal, typed};

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
    terminal.done(&typed(
        "draw --after one --keep stay.csv --seed-from 'a second value' --out two",
    ));
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

/// Five young people are wanted of three who are left: the quota is relaxed, and the panel is held
/// against what it was relaxed to.
#[test]
fn quotas_that_are_relaxed_for_the_rest_are_those_of_the_whole() {
    let terminal = town();
    let quotas = "category,name,min,max,min_flex,max_flex\nsex,F,4,8,0,12\nsex,M,4,8,0,12\n\
                  age,young,5,6,3,9\nage,old,6,7,3,9\n";
    terminal.put("quotas.csv", quotas);
    let strict = CONFIG.replace("unique = [\"Home\"]\n", "");
    let flexible = "categories = \"quotas.csv\"\nflexible = true";
    let flexible = strict.replace("categories = \"quotas.csv\"", flexible);
    terminal.put("my.toml", flexible);
    drawn(&terminal, "the first value", "one");
    let young = |path: &str, are: bool| -> Vec<String> {
        let rows = rows(&terminal, path).into_iter();
        let rows = rows.filter(|row| (row["Age"] == "young") == are);
        rows.map(|row| row["id"].clone()).collect()
    };
    // The old stay, and all young people but three no longer take part.
    terminal.put("stay.csv", young("one/panel.csv", false).join("\n"));
    terminal.put("gone.txt", young("one/remaining.csv", true)[3..].join("\n"));
    let lists = [
        "--after",
        "one",
        "--keep",
        "stay.csv",
        "--without",
        "gone.txt",
    ];
    terminal.done(&[&draw("a second value", "two")[..], &lists].concat());
    let found = record(&terminal, "two");
    let row = found["quotas"].as_array().expect("quotas").iter();
    let young: Vec<_> = row.filter(|row| row["value"] == "young").collect();
    assert_eq!(
        (&young[0]["members"], &young[0]["min"]),
        (&3.into(), &3.into())
    );
    let disclosures = found["disclosures"].as_array().expect("sentences");
    assert_eq!(disclosures.len(), 1, "{disclosures:?}");
    assert_eq!(column(&terminal, "two/panel.csv", "id").len(), 12);
    terminal.done(&["draw", "verify", "two"]);
    // Where they may not be relaxed, no one is drawn.
    terminal.put("my.toml", strict);
    terminal.exits(2, &[&draw("a third value", "three")[..], &lists].concat());
    assert!(!terminal.path("three").exists());
}
