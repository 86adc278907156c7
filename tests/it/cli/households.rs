//! `rules.unique` and `volunteering_rate`, through the binary.

use std::collections::BTreeMap;

use serde_json::Value;

use super::stories::events;
use crate::support::configs::{FEED, PEOPLE, with};
use crate::support::same::same_bytes;
use crate::support::says::Says as _;
use crate::support::terminal::{Terminal, typed};

/// Sixty people in twenty homes, three a home, their addresses spelt in three ways; two of no
/// address.
fn people() -> String {
    let mut text = "id,SEX,AGE,w,address,postcode\n".to_owned();
    for k in 0..60 {
        let home = k % 20;
        let (address, postcode) = match k / 20 {
            0 => (format!("{home} High St"), "AB1".to_owned()),
            1 => (format!(" {home} HIGH ST"), "ab1 ".to_owned()),
            _ => (format!("{home} high st"), "Ab1".to_owned()),
        };
        text += &format!("p{k},{},{},1,{address},{postcode}\n", k % 2 + 1, 20 + k);
    }
    text + "q0,1,20,1,,\nq1,2,60,1, , \n"
}

fn config(slate: &str) -> String {
    with(
        PEOPLE,
        &[
            ("seed = 1", "seed = 1\nreplications = 5"),
            (
                "type = \"file\"",
                "type = \"file\"\nid = \"id\"\nvolunteering_rate = 0.04",
            ),
            ("slate = 1\nchoose = \"at_most_one\"", slate),
            (
                "until = { accepted = 4 }",
                "unique = [\"Address\", \"postcode\"]\nuntil = { accepted = 12 }",
            ),
            (
                "kind = \"virtual_queue\"\n",
                "kind = \"virtual_queue\"\n[[policy]]\nlabel = \"all\"\nkind = \"accept_all\"\n\
                 [report]\nat = [6, 12]\n",
            ),
        ],
    )
}

const ONE: &str = "slate = 1\nchoose = \"at_most_one\"";
const FIVE: &str = "slate = 5\nchoose = \"any\"";

#[test]
fn no_home_sends_two() {
    for slate in [ONE, FIVE] {
        let terminal = Terminal::new();
        terminal.put("people.csv", people().replace("address", "Address"));
        terminal.put("my.toml", config(slate));
        terminal.done(&typed("run my.toml -q --out out --trace-replications all"));
        let rows = terminal.read("out/selected.csv");
        let mut homes: BTreeMap<(String, String, String), u32> = BTreeMap::new();
        let mut reader = csv::Reader::from_reader(rows.as_bytes());
        let header = reader.headers().unwrap().clone();
        let column = |name: &str| header.iter().position(|h| h == name).expect(name);
        let (replication, policy, id) = (column("replication"), column("policy"), column("id"));
        let mut accepted = 0;
        for row in reader.records() {
            let row = row.unwrap();
            accepted += 1;
            let home = match row[id].strip_prefix('p') {
                Some(number) => (number.parse::<u32>().unwrap() % 20).to_string(),
                None => row[id].to_owned(),
            };
            let home = (row[replication].to_owned(), row[policy].to_owned(), home);
            *homes.entry(home).or_default() += 1;
        }
        assert_eq!(accepted, 5 * 2 * 12);
        let two: Vec<_> = homes.iter().filter(|(_, members)| **members > 1).collect();
        assert!(two.is_empty(), "{slate}: {two:?}");
    }
}

#[test]
fn a_repeat_is_screened_and_counts_among_the_contacts() {
    let terminal = Terminal::new();
    terminal.put("people.csv", people().replace("address", "Address"));
    terminal.put("my.toml", config(ONE));
    let json = terminal.done(&["run", "my.toml", "-q", "--format", "json"]);
    let summary: Value = serde_json::from_str(&json).unwrap();
    let all = &summary["policies"]["all"];
    let mean = |metric: &str| all["metrics"][metric]["mean"].as_f64().unwrap();
    // Whoever is offered is accepted, so all others are repeats.
    assert!(mean("screened") > 12.0, "{}", mean("screened"));
    assert!((mean("contacts") - mean("screened") / 0.04).abs() < 1e-9);
}

#[test]
fn households_do_not_depend_on_the_batch() {
    for slate in [ONE, FIVE] {
        let terminal = Terminal::new();
        terminal.put("people.csv", people().replace("address", "Address"));
        same_bytes(&terminal, &config(slate), &[]);
    }
}

#[test]
fn a_run_says_how_many_households_there_are() {
    let terminal = Terminal::new();
    terminal.put("people.csv", people().replace("address", "Address"));
    terminal.put("my.toml", config(ONE));
    let said = terminal.done(&["check", "my.toml"]);
    let expected = "at most one of each of 22 households is accepted";
    said.says(expected);
    said.says("2 rows that name no household count as one each");
}

/// A woman stands for 1/.02 contacted, a man for 1/.05.
#[test]
fn volunteers_of_a_group_stand_for_those_of_their_group() {
    let terminal = Terminal::new();
    terminal.put("people.csv", people().replace("address", "Address"));
    let by = "volunteering_rate = { sex = { male = 0.05, female = 0.02 } }";
    let text = config(ONE).replace("volunteering_rate = 0.04", by);
    terminal.put(
        "my.toml",
        text.replace("unique = [\"Address\", \"postcode\"]\n", ""),
    );
    let json = terminal.done(&["run", "my.toml", "-q", "--format", "json"]);
    let summary: Value = serde_json::from_str(&json).unwrap();
    let mean = |policy: &str, metric: &str| {
        let metrics = &summary["policies"][policy]["metrics"];
        metrics[metric]["mean"].as_f64().unwrap()
    };
    // Who accepts everybody has screened whom it selected.
    let (women, men) = (
        mean("all", "share.sex:female"),
        mean("all", "share.sex:male"),
    );
    let contacts = 12.0 * (women / 0.02 + men / 0.05);
    assert!((mean("all", "contacts") - contacts).abs() < 1e-9);
    assert!(women > 0.0 && men > 0.0);
    same_bytes(&terminal, &text, &[]);
    // The same rate of both groups is the number.
    let [equal, number] = ["{ sex = { male = 0.04, female = 0.04 } }", "0.04"].map(|rate| {
        let text = config(ONE).replace(
            "volunteering_rate = 0.04",
            &format!("volunteering_rate = {rate}"),
        );
        terminal.put("my.toml", text);
        terminal.done(&["run", "my.toml", "-q", "--format", "csv"])
    });
    assert_eq!(equal, number);
}

/// Rates by two attributes: each kind of people at its own, by Bayes' rule.
#[test]
fn rates_by_two_attributes_are_combined_by_the_law_of_those_who_come() {
    let terminal = Terminal::new();
    terminal.put("people.csv", people().replace("address", "Address"));
    let by = "volunteering_rate = { sex = { male = 0.05, female = 0.02 }, \
              age = { young = 0.04, old = 0.02 } }";
    let text = config(ONE)
        .replace("volunteering_rate = 0.04", by)
        .replace("unique = [\"Address\", \"postcode\"]\n", "");
    terminal.put("my.toml", &text);
    let trace = ["--trace", "decisions", "--trace-replications", "all"];
    let args = ["run", "my.toml", "-q", "--keep", "all", "--out", "d"];
    terminal.done(&[&args[..], &trace].concat());
    // Of the 62 in the file: the share of each kind over its rates, which is that of the contacted.
    let rate = |sex: &str, age: &str| {
        let of_sex = if sex == "male" { 0.05 } else { 0.02 };
        (of_sex, if age == "young" { 0.04 } else { 0.02 })
    };
    let events = events(&terminal.read("d/decisions.ndjson"));
    let word = |value: &Value| value.as_str().expect("a value").to_owned();
    let kinds = |label: &str| -> Vec<(String, String)> {
        let of = |event: &&Value| event["policy"] == label && event["replication"] == 0;
        let kind = |event: &Value| {
            let groups = &event["groups"];
            (word(&groups["sex"][0]), word(&groups["age"][0]))
        };
        events.iter().filter(of).map(kind).collect()
    };
    let mut counts: BTreeMap<(String, String), f64> = BTreeMap::new();
    for line in terminal.read("people.csv").lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let sex = if cells[1] == "1" { "male" } else { "female" };
        let age: u32 = cells[2].parse().expect("an age");
        let age = if age < 40 { "young" } else { "old" };
        *counts.entry((sex.into(), age.into())).or_default() += 1.0;
    }
    let contacted = counts.iter().map(|((sex, age), count)| {
        let (a, b) = rate(sex, age);
        (a, b, count / (a * b))
    });
    let contacted: Vec<_> = contacted.collect();
    let total: f64 = contacted.iter().map(|(.., weight)| weight).sum();
    let mean_of_ages: f64 = contacted
        .iter()
        .map(|(_, b, weight)| weight * b / total)
        .sum();
    let screened = kinds("all");
    let contacts: f64 = screened
        .iter()
        .map(|(sex, age)| {
            let (a, b) = rate(sex, age);
            mean_of_ages / (a * b)
        })
        .sum();
    let rows = terminal.read("d/replications.csv");
    let row = rows
        .lines()
        .find_map(|row| row.strip_prefix("0,all,contacts,,"));
    let found: f64 = row.expect("contacts").parse().expect("a number");
    assert!(
        (found - contacts).abs() < 1e-9 * contacts,
        "{found}, {contacts}"
    );
    same_bytes(&terminal, &text, &[]);
    // Where the law of those who come is not known they can't be combined.
    let shares = FEED.lines().find(|line| line.starts_with("shares = "));
    terminal.put("feed.toml", FEED.replace(shares.expect("shares"), by));
    let said = terminal.klero(&["check", "feed.toml"]);
    assert_eq!(said.code, Some(2));
    said.stderr.says("combined by the law of those who come");
}
