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

/// The town with a lottery and a child whom no quota lets in. Old people are four, of whom a panel
/// has one at least: the 26 young ones share at most three of four seats.
fn town_of_lotteries() -> Terminal {
    let terminal = town();
    let respondents = terminal.read("respondents.csv") + "p30,F,child\n";
    terminal.put("respondents.csv", respondents);
    let categories = terminal.read("categories.csv") + "age,child,0,0\n";
    terminal.put("categories.csv", categories);
    let lottery = "\n[[policy]]\nlabel = \"lottery\"\nkind = \"leximin\"\n\n[report]\n\
                   judge = [\"quotas_kept\", \"least_chance\"]\nbaseline = \"look-ahead\"\n\
                   goal = { best = \"least_chance\", where = { quotas_kept = \">= 0.9\" } }\n";
    let config = terminal.read("my.toml") + lottery;
    terminal.put("my.toml", config);
    terminal
}

#[test]
fn the_least_chance_is_exact_of_a_lottery_and_a_limit_of_what_was_played() {
    let terminal = town_of_lotteries();
    let said = terminal.done(&["run", "my.toml", "-q", "--out", "out"]);
    let summary: Value = serde_json::from_str(&terminal.read("out/summary.json")).unwrap();
    let least = |label: &str| summary["policies"][label]["chances"]["least_chance"].clone();
    for label in ["greedy", "look-ahead", "lottery"] {
        assert_eq!(
            (&least(label)["people"], &least(label)["impossible"]),
            (&30.into(), &1.into())
        );
    }
    let lottery = least("lottery");
    assert!(
        (lottery["exact"].as_f64().unwrap() - 3.0 / 26.0).abs() < 1e-9,
        "{lottery}"
    );
    assert_eq!(lottery["exact"], lottery["at_most"]);
    let greedy = least("greedy");
    assert_eq!(greedy["exact"], Value::Null);
    let counts = rows(&terminal.read("out/chances.csv"));
    let counts = counts
        .iter()
        .filter(|row| row["policy"] == "greedy" && row["id"] != "p30");
    let fewest = counts.map(|row| number(row, "selected") as u64).min();
    assert_eq!(greedy["selected"].as_u64(), fewest);
    // The limit is that of one of thirty: at .05 / 30.
    let at_most = greedy["at_most"].as_f64().unwrap();
    let tail: f64 = (0..=fewest.unwrap())
        .map(|k| {
            let choose = (0..k).fold(1.0, |c, i| c * (60 - i) as f64 / (i + 1) as f64);
            choose * at_most.powi(k as i32) * (1.0 - at_most).powi(60 - k as i32)
        })
        .sum();
    assert!((tail - 0.05 / 30.0).abs() < 1e-9, "{at_most} {tail}");
    let sentence = "“lottery” 0.115 (exact)";
    let page = {
        terminal.done(&["report", "out"]);
        terminal.read("out/report.html")
    };
    for text in [&said, &page] {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(sentence), "{text}");
        assert!(text.contains("someone was chosen in"), "{text}");
        assert!(
            text.contains("1 of 31 respondents can be on no panel"),
            "{text}"
        );
    }
    // Without a lottery who is impossible is found all the same.
    let config = terminal.read("my.toml").replace("leximin", "legacy");
    terminal.put("other.toml", config);
    terminal.done(&["run", "other.toml", "-q", "--out", "other"]);
    let summary: Value = serde_json::from_str(&terminal.read("other/summary.json")).unwrap();
    let legacy = &summary["policies"]["lottery"]["chances"]["least_chance"];
    assert_eq!(
        (&legacy["exact"], &legacy["impossible"]),
        (&Value::Null, &1.into())
    );
}

/// The verdict is the same whether a run was asked at first or later, and is not given at once of a
/// run that stops when all is decided.
#[test]
fn the_least_chance_is_judged() {
    let terminal = town_of_lotteries();
    // One of these is never accepted by the rule that takes who comes first of the old.
    let more = ["--set", "replications=400"];
    let run = |out: &str, more: &[&str]| {
        terminal.done(&[&["run", "my.toml", "-q", "--out", out][..], more].concat());
        let text = terminal.read(&format!("{out}/summary.json"));
        serde_json::from_str::<Value>(&text).unwrap()
    };
    let first = run("a", &more);
    let pair = |summary: &Value, a: &str| {
        let pairs = summary["pairs"].as_array().unwrap().clone();
        let mut pairs = pairs.into_iter();
        let found = pairs.find(|pair| pair["metric"] == "least_chance" && pair["a"] == a);
        found.expect("a comparison")
    };
    let found = pair(&first, "lottery");
    let at = |name: &str| found[name].as_f64().expect(name);
    assert_eq!(found["method"], "exact limits of chances");
    assert!(at("lo") <= at("mean") && at("mean") <= at("hi"), "{found}");
    let decided = at("lo") > 0.0;
    assert_eq!(
        found["verdict"],
        if decided { "better" } else { "undecided" }
    );
    // Asked afterwards, the run answers what it would have answered.
    let plain = [
        "--set",
        "report.judge=[\"quotas_kept\"]",
        "--set",
        "report.goal.best=quotas_kept",
    ];
    run("b", &[&more[..], &plain].concat());
    let asked = terminal.done(&[
        "report",
        "b",
        "--judge",
        "quotas_kept,least_chance",
        "--goal",
        "least_chance where quotas_kept >= 0.9",
        "--format",
        "json",
    ]);
    let asked: Value = serde_json::from_str(&asked).expect("JSON");
    assert_eq!(pair(&asked, "lottery"), found);
    let args = ["run", "my.toml", "-q", "--set", "report.until=decided"];
    let refused = terminal.klero(&args);
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    assert!(
        refused
            .stderr
            .contains("least_chance is known of all replications"),
        "{}",
        refused.stderr
    );
    // One stream says nothing of it, and a lottery whose members may decline is not exact.
    terminal.done(&["run", "my.toml", "-q", "--set", "replications=1"]);
    let declining = run("c", &["--set", "yield.rate=0.9"]);
    let least = &declining["policies"]["lottery"]["chances"]["least_chance"];
    assert_eq!(least["exact"], Value::Null);
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
