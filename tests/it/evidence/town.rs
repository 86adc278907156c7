//! Committees of a small town and of rounds that end early: who comes twice, and empty places.

use std::collections::BTreeSet;

use serde_json::Value;

use super::panel::committees;
use crate::support::terminal::Terminal;
use crate::support::{project, values};

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
