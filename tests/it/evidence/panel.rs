//! What a committee is judged by: whether it filled, whether it keeps its quotas, how many seats it
//! is off.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::support::terminal::Terminal;
use crate::support::{project, values};

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
type Members = BTreeMap<(String, String), Vec<BTreeMap<String, String>>>;

/// The committees of `selected.csv`.
fn committees(selected: &str) -> Members {
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
        "--out",
        "res",
    ]);
    let categories = std::fs::read_to_string(project().join("configs/organiser/categories.csv"));
    let categories = categories.expect("the example's quotas");
    let committees = committees(&terminal.read("res/selected.csv"));
    let mut said: BTreeMap<(String, String, String), f64> = BTreeMap::new();
    for row in rows(&terminal.read("res/replications.csv")) {
        if row["at"].is_empty() && row["metric"] != "ending" {
            let key = [&row["replication"], &row["policy"], &row["metric"]].map(String::clone);
            said.insert(key.into(), row["value"].parse().expect("a number"));
        }
    }
    assert_eq!(
        committees.len(),
        160,
        "four policies, forty committees each"
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
    assert!(
        kept["look-ahead"] > 15 && unfilled > 15,
        "{kept:?} {unfilled}"
    );
    let summary: Value = serde_json::from_str(&terminal.read("res/summary.json")).expect("JSON");
    let pairs = summary["pairs"].as_array().expect("pairs");
    assert!(pairs.iter().any(|pair| pair["metric"] == "filled"));
    for pair in pairs {
        assert_ne!(pair["verdict"], "not_comparable", "{pair}");
        let filled = |label: &Value| {
            &summary["policies"][label.as_str().expect("a label")]["endings"]["filled"]
        };
        // No policy but greedy and look-ahead leaves places empty, so those of a pair that filled
        // are those of `a`.
        match pair["metric"].as_str() {
            Some("filled" | "quotas_kept") => assert_eq!(pair["n"], 40),
            _ => assert_eq!(&pair["n"], filled(&pair["a"])),
        }
    }
}

/// Of what only look-ahead keeps as often, a goal names it and says of each other policy that it
/// surely fails.
#[test]
fn a_goal_on_the_quotas_names_the_one_policy_that_meets_it() {
    let terminal = Terminal::new();
    let goal = "report.goal={ best = \"selection_rate\", where = { quotas_kept = \">= 0.45\" } }";
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
    assert_eq!(goal["answer"], serde_json::json!(["look-ahead"]), "{goal}");
    let meets = goal["meets"].as_object().expect("labels");
    for (label, word) in meets {
        let known = if label == "look-ahead" {
            "surely"
        } else {
            "surely not"
        };
        assert_eq!(word, known, "{label}: {goal}");
    }
    assert_eq!((meets.len(), &goal["needed"]), (4, &Value::Null));
    // It stops with the first replication by which the goal is settled.
    assert!(summary["replications"].as_u64() < Some(400), "{summary}");
    let headline = summary["answer"]["headline"].as_str().expect("a headline");
    assert!(
        headline.starts_with(
            "\u{201c}look-ahead\u{201d} screens fewest of those that surely keep \
            quotas_kept >= 0.45"
        ),
        "{headline}"
    );
    // No policy keeps them nearly always, and that is said too.
    let never = "report.goal={ best = \"selection_rate\", where = { quotas_kept = \">= 0.95\" } }";
    let args = [
        "run",
        &organiser(),
        "-q",
        "--set",
        never,
        "--format",
        "json",
    ];
    let summary: Value = serde_json::from_str(&terminal.done(&args)).expect("JSON");
    let goal = &summary["answer"]["goal"];
    assert_eq!(goal["answer"], serde_json::json!([]));
    let meets = goal["meets"].as_object().expect("labels");
    assert!(meets.values().all(|word| word == "surely not"), "{goal}");
}

/// A town of four and a committee of two women and two men.
const TOWN: &str = r#"name = "town"
seed = 1
replications = 20
[source]
type = "respondents"
path = "respondents.csv"
id = "id"
[target]
categories = "categories.csv"
[rules]
choose = "at_most_one"
until = { accepted = 4 }
[[policy]]
label = "all"
kind = "accept_all"
[[policy]]
label = "cmdp"
kind = "cmdp"
[report]
judge = ["representation_loss"]
baseline = "cmdp"
"#;

fn town() -> Terminal {
    let terminal = Terminal::new();
    terminal.put("town.toml", TOWN);
    terminal.put(
        "categories.csv",
        "feature,value,min,max\nGender,F,2,2\nGender,M,2,2\n",
    );
    terminal.put(
        "respondents.csv",
        "id,Gender\na,F\nb,F\nc,F\nd,M\ne,M\nf,M\n",
    );
    terminal
}

#[test]
fn respondents_come_once_unless_the_config_asks_otherwise_and_then_every_output_says_so() {
    let terminal = town();
    let selected = |order: &str| {
        let set = format!("source.order={order}");
        let traced = ["--trace-replications", "all", "--out", "out", "--force"];
        let args = [&["run", "town.toml", "-q"][..], &traced, &["--set", &set]].concat();
        terminal.done(
            &args[..if order.is_empty() {
                args.len() - 2
            } else {
                args.len()
            }],
        );
        let committees = committees(&terminal.read("out/selected.csv"));
        let twice = committees.values().filter(|members| {
            let ids: BTreeSet<&str> = members.iter().map(|member| &*member["id"]).collect();
            ids.len() < members.len()
        });
        twice.count()
    };
    assert_eq!(selected(""), 0);
    let outputs = |set: &str| {
        let run = ["run", "town.toml", "--set", set, "--out", "out", "--force"];
        let [check, explain] = ["check", "explain"].map(|c| [c, "town.toml", "--set", set]);
        let outputs = [
            terminal.done(&check),
            terminal.done(&explain),
            terminal.done(&run),
        ];
        terminal.done(&["report", "out"]);
        let page = terminal.read("out/report.html");
        [
            outputs.to_vec(),
            vec![page, terminal.read("out/summary.json")],
        ]
        .concat()
    };
    let says = |text: &String| text.contains("one person can sit on a committee twice");
    assert!(!outputs("source.order=\"shuffled\"").iter().any(says));
    for (at, text) in outputs("source.order=\"resampled\"").iter().enumerate() {
        assert!(says(text), "output {at}: {text}");
    }
    assert!(selected("\"resampled\"") > 0);
}

#[test]
fn explain_expects_no_more_people_than_there_are() {
    let terminal = town();
    // One woman in 60 respondents and two wanted in a committee of forty: 1/60 of those who come,
    // .05 wanted.
    let people: String = (0..60)
        .map(|n| format!("{n},{}\n", if n == 0 { "F" } else { "M" }))
        .collect();
    terminal.put("respondents.csv", format!("id,Gender\n{people}"));
    terminal.put(
        "categories.csv",
        "feature,value,min,max\nGender,F,0,4\nGender,M,36,40\n",
    );
    let args = [
        "explain",
        "town.toml",
        "--set",
        "rules.until.accepted=40",
        "--format",
        "json",
    ];
    let said: Value = serde_json::from_str(&terminal.done(&args)).expect("JSON");
    let screened = said["expected_screened"].as_f64().expect("a number");
    assert!(screened <= 60.0, "{said}");
    assert!(screened > 59.0, "{said}");
    let text = terminal.done(&args[..4]);
    assert!(text.contains("of the 60 there are"), "{text}");
}

/// A world of coin tosses, one by one, with quotas in the rules.
const TOSSED: &str = r#"seed = 3
replications = 50
[source]
type = "categorical"
shares = { gender = { M = 0.5, F = 0.5 } }
[rules]
choose = "at_most_one"
until = { accepted = 10 }
quota = { gender = { F = [6, 7] } }
[[policy]]
label = "all"
kind = "accept_all"
[report]
judge = ["quota_violation"]
"#;

#[test]
fn quotas_of_the_rules_are_held_against_all_who_are_chosen_one_by_one() {
    let plan = crate::support::plan(TOSSED, &project(), &[]);
    assert!(
        plan.notes
            .iter()
            .any(|note| note.contains("quota") && note.contains("whole run"))
    );
    let result = crate::support::play(&plan);
    let of = |metric: &str| values(&result, "all", metric, None);
    let (women, violation, kept) = (of("share.F"), of("quota_violation"), of("quotas_kept"));
    assert_eq!((women.len(), violation.len(), kept.len()), (50, 50, 50));
    for ((share, violation), kept) in women.iter().zip(&violation).zip(&kept) {
        let women = (10.0 * share).round();
        let off = (6.0 - women).max(0.0) + (women - 7.0).max(0.0);
        assert_eq!(*violation, off);
        assert_eq!(*kept, f64::from(u8::from(off == 0.0)));
    }
    assert!(violation.iter().any(|off| *off > 0.0) && kept.contains(&1.0));
    assert_eq!(of("seats_off"), violation);
}

#[test]
fn empty_places_may_count_as_the_worst_value_where_there_is_one() {
    let terminal = town();
    let check = |set: &[&str]| {
        let set = set.iter().flat_map(|set| ["--set", set]);
        let args = ["check", "town.toml"].into_iter().chain(set);
        terminal.klero(&args.collect::<Vec<_>>())
    };
    let worst = "report.unfilled=\"worst\"";
    assert_eq!(
        check(&[worst, "report.margin={ filled = 0.1 }"]).code,
        Some(0)
    );
    let screened = "report.judge=[\"screened\", \"share.F\", \"seats_off\"]";
    let refused = check(&[worst, screened]);
    assert_eq!(refused.code, Some(2));
    for said in [
        // At most as many are screened as there are people.
        "no worst value of share.F",
        "help: judge measures such as filled",
    ] {
        assert!(refused.stderr.contains(said), "{}", refused.stderr);
    }
    let refused = check(&[worst, "rules.until={ rounds = 4 }"]);
    assert_eq!(refused.code, Some(2));
    assert!(
        refused
            .stderr
            .contains("no lane of this run is to fill a committee"),
        "{}",
        refused.stderr
    );
    // Six people for a committee of five women: every lane runs out, and still is compared.
    terminal.put(
        "categories.csv",
        "feature,value,min,max\nGender,F,3,4\nGender,M,1,1\n",
    );
    let judged = |unfilled: &str| {
        let quotas = "report.judge=[\"quotas_kept\", \"representation_loss\"]";
        let args = [
            "run",
            "town.toml",
            "-q",
            "--format",
            "json",
            "--set",
            quotas,
        ];
        let args = [
            &args[..],
            &[
                "--set",
                unfilled,
                "--set",
                "policy.all.kind=\"quota_lookahead\"",
            ],
        ]
        .concat();
        let summary: Value = serde_json::from_str(&terminal.done(&args)).expect("JSON");
        let pairs = summary["pairs"].as_array().expect("pairs").clone();
        let of = |metric: &str| pairs.iter().find(|pair| pair["metric"] == metric).cloned();
        (of("representation_loss").expect("a pair"), of("filled"))
    };
    let (left_out, filled) = judged("report.unfilled=\"left_out\"");
    let unfilled = left_out["unfilled"].as_u64().expect("a count");
    assert!(unfilled > 0 && left_out["n"] == 20 - unfilled, "{left_out}");
    assert_eq!(filled.expect("a pair")["n"], 20);
    let (as_worst, _) = judged(worst);
    assert_eq!(
        (&as_worst["n"], &as_worst["unfilled"]),
        (&Value::from(20), &Value::from(unfilled))
    );
    assert_ne!(as_worst["mean"], left_out["mean"]);
}
