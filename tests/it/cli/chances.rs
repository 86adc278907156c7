//! `chances.csv` and the chances of respondents in summaries and reports, through the binary.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::support::configs::{ORGANISER, with};
use crate::support::says::Says as _;
use crate::support::terminal::{Terminal, typed};

/// Thirty people of two attributes, and quotas for four seats.
fn town() -> Terminal {
    let terminal = Terminal::new();
    let person = |k: usize| {
        let (gender, age) = (["F", "M"][k % 2], ["young", "old"][usize::from(k < 4)]);
        format!("p{k},{gender},{age}\n")
    };
    let people: String = (0..30).map(person).collect();
    terminal.put("respondents.csv", format!("id,gender,age\n{people}"));
    terminal.put(
        "categories.csv",
        "category,name,min,max\ngender,F,2,2\ngender,M,2,2\nage,young,1,3\nage,old,1,3\n",
    );
    let edits = [("seed = 1", "seed = 1\nreplications = 60")];
    terminal.put("my.toml", with(ORGANISER, &edits));
    terminal
}

type Row = BTreeMap<String, String>;

fn rows(text: &str) -> Vec<Row> {
    let mut csv = csv::Reader::from_reader(text.as_bytes());
    csv.deserialize().map(|row| row.expect("a row")).collect()
}

fn number(row: &Row, column: &str) -> f64 {
    row[column].parse().expect("a number")
}

/// How often each person is listed, by policy and id.
fn listed(rows: &[Row]) -> BTreeMap<(String, String), f64> {
    let mut counts = BTreeMap::new();
    for row in rows {
        let key = (row["policy"].clone(), row["id"].clone());
        *counts.entry(key).or_default() += 1.0;
    }
    counts
}

#[test]
fn they_are_counted_from_all_replications() {
    let terminal = town();
    let args = typed("run my.toml -q --out out --trace-replications all");
    let said = terminal.done(&args);
    let selected = listed(&rows(&terminal.read("out/selected.csv")));
    let chances = rows(&terminal.read("out/chances.csv"));
    assert_eq!(chances.len(), 60);
    for row in &chances {
        let key = (row["policy"].clone(), row["id"].clone());
        let times = selected.get(&key).copied().unwrap_or(0.0);
        assert_eq!(number(row, "selected"), times, "{row:?}");
        assert_eq!(number(row, "share"), times / 60.0);
        assert!(number(row, "low") <= number(row, "share"));
        assert!(number(row, "high") >= number(row, "share"));
        assert_eq!(row["replications"], "60");
    }
    let place = |row: &Row| row["id"].trim_start_matches('p').parse::<usize>();
    assert!(
        chances[..30].iter().map(place).eq((0..30).map(Ok)),
        "in the order of the file"
    );
    assert_eq!((&*chances[3]["age"], &*chances[3]["gender"]), ("old", "M"));

    let summary: Value = serde_json::from_str(&terminal.read("out/summary.json")).unwrap();
    for label in ["greedy", "look-ahead"] {
        let of_it: Vec<&Row> = chances
            .iter()
            .filter(|row| row["policy"] == label)
            .collect();
        let shares: Vec<f64> = of_it.iter().map(|row| number(row, "share")).collect();
        let all = &summary["policies"][label]["chances"];
        let near = |name: &str, value: f64| {
            let said = all[name].as_f64().expect(name);
            assert!(
                (said - value).abs() < 1e-12,
                "{label}: {name}: {said}, {value}"
            );
        };
        let n = shares.len() as f64;
        let mean = shares.iter().sum::<f64>() / n;
        near("mean", mean);
        near("least", shares.iter().copied().fold(1.0, f64::min));
        near("largest", shares.iter().copied().fold(0.0, f64::max));
        let differences = shares
            .iter()
            .flat_map(|a| shares.iter().map(move |b| (a - b).abs()));
        near("gini", differences.sum::<f64>() / (2.0 * n * n * mean));
        let product: f64 = shares
            .iter()
            .map(|share| libm::pow(*share, 1.0 / n))
            .product();
        near("geometric_mean", product);
        let old = &all["groups"]["age"]["old"];
        assert_eq!(old["people"], 4);
        let of_old = of_it.iter().filter(|row| row["age"] == "old");
        let old_mean = of_old.map(|row| number(row, "share")).sum::<f64>() / 4.0;
        assert!((old["mean"].as_f64().unwrap() - old_mean).abs() < 1e-12);
    }
    said.says("Chances of respondents\n");
    said.never_says("Chances of respondents by group");
    let full = terminal.done(&["run", "my.toml", "-q", "--full"]);
    full.says("Chances of respondents by group\n");
    full.says("age: old");

    terminal.done(&["report", "out"]);
    let page = terminal.read("out/report.html");
    assert!(page.contains("Chances of respondents"), "no section");
    assert!(
        terminal
            .names("out/figures")
            .contains(&"chances.svg".to_owned())
    );
}

#[test]
fn hidden_respondents_are_not_in_the_order_of_their_file() {
    let terminal = town();
    let hidden = ["--hide-identities", "--drop-attributes", "age"];
    let args = [&["run", "my.toml", "-q", "--out", "out"][..], &hidden].concat();
    terminal.done(&args);
    let text = terminal.read("out/chances.csv");
    let rows = rows(&text);
    let ids: Vec<&str> = rows[..30].iter().map(|row| &*row["id"]).collect();
    assert!(ids.is_sorted(), "{ids:?}");
    assert!(ids.iter().all(|id| id.len() == 16), "{ids:?}");
    assert!(
        text.starts_with("policy,id,selected,replications,share,low,high,gender\n"),
        "{text}"
    );
}

#[test]
fn runs_without_chances_have_no_file_of_them() {
    let terminal = town();
    let one = ["--set", "replications=1"];
    let drawn = ["--set", "source.order=resampled"];
    for more in [one, drawn] {
        let args = [
            &["run", "my.toml", "-q", "--force", "--out", "out"][..],
            &more,
        ]
        .concat();
        let said = terminal.done(&args);
        said.never_says("Chances");
        assert!(!terminal.path("out/chances.csv").exists());
        let summary: Value = serde_json::from_str(&terminal.read("out/summary.json")).unwrap();
        assert_eq!(summary["policies"]["greedy"].get("chances"), None);
    }
}

#[test]
fn they_are_the_same_on_every_number_of_threads() {
    let terminal = town();
    let run = |out: &str, way: &[&str]| {
        terminal.done(&[&["run", "my.toml", "-q", "--out", out][..], way].concat());
        let file = |name: &str| terminal.read(&format!("{out}/{name}"));
        (file("chances.csv"), file("summary.json"))
    };
    let first = run("a", &["--threads", "1"]);
    assert_eq!(run("b", &["--threads", "2", "--batch", "7"]), first);
    assert_eq!(run("c", &["--runtime", "multi", "--batch", "1"]), first);
}
