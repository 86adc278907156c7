//! Outcomes of people in a file: replayed, measured by group, compared; and which way is better.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::support::configs::{SOUND, with};
use crate::support::says::Says as _;
use crate::support::terminal::Terminal;

/// People of two groups with a score and what became of them; of every seventh that is not known.
fn people() -> Vec<Vec<String>> {
    let person = |at: usize| {
        let draw = at * 7919 + at / 7 * 104_729;
        let sex = ["F", "M"][draw / 3 % 2];
        let score = (draw % 101) as f64 / 100.0;
        let repaid = match at % 7 {
            3 => String::new(),
            _ => usize::from(draw / 5 % 97 < 10 + 80 * (draw % 101) / 100).to_string(),
        };
        vec![format!("p{at}"), sex.into(), score.to_string(), repaid]
    };
    (0..90).map(person).collect()
}

fn rows() -> String {
    let rows = people().into_iter().map(|person| person.join(",") + "\n");
    format!("id,sex,score,repaid\n{}", rows.collect::<String>())
}

const LENDER: &str = r#"name = "lender"
seed = 4
replications = 3

[source]
type = "file"
path = "people.csv"
id = "id"
order = "shuffled"
score = "score"

[source.attributes]
sex = { column = "sex" }

[rules]
slate = 3
choose = "exactly_one"
until = { rounds = 25 }

[feedback.outcome]
type = "recorded"
column = "repaid"
delay = { uniform = [0, 9] }

[[policy]]
label = "any"
kind = "uniform_choice"

[[policy]]
label = "again"
kind = "uniform_choice"

[report]
at = [10]
judge = ["outcome_mean", "true_positive_rate_gap", "calibration_gap"]
baseline = "any"
"#;

fn lender(edits: &[(&str, &str)]) -> Terminal {
    let terminal = Terminal::new();
    terminal.put("people.csv", rows());
    terminal.put("my.toml", with(LENDER, edits));
    terminal
}

fn summary(terminal: &Terminal, args: &[&str]) -> Value {
    let words = [&["run", "my.toml", "-q", "--format", "json"], args].concat();
    serde_json::from_str(&terminal.done(&words)).expect("JSON")
}

/// A metric's value at the end of the run, by label; of one replication.
fn value(summary: &Value, label: &str, metric: &str) -> Option<f64> {
    let found = &summary["policies"][label]["metrics"][metric];
    found
        .is_object()
        .then(|| found["mean"].as_f64().expect("a number"))
}

/// A person as the recount knows them.
#[derive(Clone)]
struct Record {
    sex: String,
    score: f64,
    repaid: Option<f64>,
}

fn records() -> BTreeMap<String, Record> {
    let record = |person: Vec<String>| {
        let record = Record {
            sex: person[1].clone(),
            score: person[2].parse().expect("a score"),
            repaid: person[3].parse().ok(),
        };
        (person[0].clone(), record)
    };
    people().into_iter().map(record).collect()
}

/// The people whom the decisions of a policy name, of the member `key`.
fn named(decisions: &str, label: &str, key: &str) -> Vec<Record> {
    let records = records();
    let mut named = Vec::new();
    for line in decisions.lines() {
        let event: Value = serde_json::from_str(line).expect("JSON");
        if event["policy"] == label {
            let ids = event[key].as_array().expect("a list");
            named.extend(
                ids.iter()
                    .map(|id| records[id.as_str().expect("an id")].clone()),
            );
        }
    }
    named
}

/// What the decisions and the file of people give without delay, of a group or of all.
fn recounted(decisions: &str, label: &str, sex: Option<&str>) -> [f64; 4] {
    let of = |key| {
        let mut people = named(decisions, label, key);
        people.retain(|person| sex.is_none_or(|sex| person.sex == sex));
        people
    };
    let (shown, chosen) = (of("shown"), of("chosen"));
    let known: Vec<&Record> = chosen.iter().filter(|one| one.repaid.is_some()).collect();
    let mean =
        |of: fn(&Record) -> f64| known.iter().map(|one| of(one)).sum::<f64>() / known.len() as f64;
    let rate = |outcome: f64| {
        let count = |people: &[Record]| {
            let with = people.iter().filter(|one| one.repaid == Some(outcome));
            with.count() as f64
        };
        count(&chosen) / count(&shown)
    };
    let (outcome, score) = (
        mean(|one| one.repaid.unwrap_or(f64::NAN)),
        mean(|one| one.score),
    );
    [outcome, score - outcome, rate(1.0), rate(0.0)]
}

const FAMILIES: [&str; 4] = [
    "outcome_mean",
    "calibration_error",
    "true_positive_rate",
    "false_positive_rate",
];
const GAPS: [(&str, usize); 3] = [
    ("calibration_gap", 1),
    ("true_positive_rate_gap", 2),
    ("false_positive_rate_gap", 3),
];

#[track_caller]
fn near(ours: Option<f64>, due: f64, what: &str) {
    let ours = ours.unwrap_or_else(|| panic!("{what} is missing"));
    assert!((ours - due).abs() < 1e-12, "{what}: {ours}, to be {due}");
}

#[test]
fn measures_of_outcomes_are_those_that_decisions_and_people_give() {
    let one = "policy_noise_only = true\nreplications = 1";
    let terminal = lender(&[
        ("replications = 3", one),
        ("order = \"shuffled\"", "order = \"file\""),
        ("delay = { uniform = [0, 9] }", "delay = 0"),
    ]);
    let traced = ["--out", "out", "--trace", "decisions"];
    let summary = summary(&terminal, &traced);
    let decisions = terminal.read("out/decisions.ndjson");
    for label in ["any", "again"] {
        let all = recounted(&decisions, label, None);
        let groups = ["F", "M"].map(|sex| recounted(&decisions, label, Some(sex)));
        for (at, family) in FAMILIES.into_iter().enumerate() {
            near(value(&summary, label, family), all[at], family);
            for (sex, group) in ["F", "M"].iter().zip(&groups) {
                let name = format!("{family}.{sex}");
                near(value(&summary, label, &name), group[at], &name);
            }
        }
        for (name, at) in GAPS {
            let gap = (groups[0][at] - groups[1][at]).abs();
            near(value(&summary, label, name), gap, name);
        }
        // An outcome that no cell states never comes.
        let missing = named(&decisions, label, "chosen");
        let missing = missing.iter().filter(|one| one.repaid.is_none()).count();
        assert!(missing > 0);
        assert_eq!(value(&summary, label, "pending"), Some(missing as f64));
    }
}

#[test]
fn outcomes_are_the_same_bytes_in_batches_of_every_size() {
    let terminal = lender(&[("at = [10]", "at = [10]\nkeep = \"all\"")]);
    let of = |batch: &str, threads: &str| {
        let args = [
            "run",
            "my.toml",
            "-q",
            "--format",
            "csv",
            "--batch",
            batch,
            "--threads",
            threads,
        ];
        terminal.done(&args)
    };
    let one = of("1", "1");
    assert!(one.contains("outcome_mean.F") && one.contains("calibration_gap"));
    assert_eq!(one, of("1024", "2"));
}

/// Late outcomes come to fewer than those chosen, and after the last round to no one.
#[test]
fn late_outcomes_count_once_they_have_come() {
    let delay = "delay = { uniform = [0, 9] }";
    let late = lender(&[(delay, "delay = 25")]);
    let summary_of = |terminal: &Terminal| summary(terminal, &["--replications", "1"]);
    let none = summary_of(&late);
    assert_eq!(value(&none, "any", "outcome_mean"), None);
    assert_eq!(value(&none, "any", "pending"), Some(25.0));
    assert!(value(&none, "any", "true_positive_rate").is_some());
    let soon = summary_of(&lender(&[(delay, "delay = 20")]));
    assert!(value(&soon, "any", "outcome_mean").is_some());
    assert!(value(&soon, "any", "pending") >= Some(20.0));
}

/// Whoever takes everybody has every rate 1 and, of tossed outcomes, about the mean chance.
#[test]
fn a_policy_that_takes_everybody_has_every_rate_one() {
    let terminal = lender(&[
        ("slate = 3", "slate = 1"),
        ("choose = \"exactly_one\"", "choose = \"at_most_one\""),
        ("until = { rounds = 25 }", "until = { rounds = 2000 }"),
        (
            "order = \"shuffled\"",
            "order = \"resampled\"\nutility = \"score\"",
        ),
        (
            "type = \"recorded\"\ncolumn = \"repaid\"\n",
            "type = \"bernoulli\"\n",
        ),
        (
            "label = \"any\"\nkind = \"uniform_choice\"",
            "label = \"any\"\nkind = \"accept_all\"",
        ),
        (
            "label = \"again\"\nkind = \"uniform_choice\"",
            "label = \"again\"\nkind = \"accept_all\"",
        ),
    ]);
    let summary = summary(&terminal, &["--replications", "4"]);
    for metric in [
        "true_positive_rate",
        "false_positive_rate",
        "true_positive_rate.F",
    ] {
        assert_eq!(value(&summary, "any", metric), Some(1.0), "{metric}");
    }
    for metric in ["true_positive_rate_gap", "false_positive_rate_gap"] {
        assert_eq!(value(&summary, "any", metric), Some(0.0), "{metric}");
    }
    let scores: Vec<f64> = records().into_values().map(|one| one.score).collect();
    let mean = scores.iter().sum::<f64>() / scores.len() as f64;
    // The chances are the scores: 8,000 tosses, a standard error of .0056.
    let tossed = value(&summary, "any", "outcome_mean").expect("outcomes");
    assert!((tossed - mean).abs() < 0.025, "{tossed}, {mean}");
    let error = value(&summary, "any", "calibration_error").expect("scores and outcomes");
    assert!(error.abs() < 0.025, "{error}");
    assert_eq!(summary["directions"]["outcome_mean"], "higher");
}

/// Defaults are better the fewer: `good` says so to rates, verdicts and the answer alike.
#[test]
fn which_outcomes_are_good_turns_rates_and_verdicts() {
    let plain = summary(&lender(&[]), &[]);
    let column = "column = \"repaid\"";
    let turned = lender(&[(column, "column = \"repaid\"\ngood = \"<= 0\"")]);
    let turned = summary(&turned, &[]);
    assert_eq!(plain["directions"]["outcome_mean"], "higher");
    assert_eq!(turned["directions"]["outcome_mean"], "lower");
    for (a, b) in [("true_positive_rate", "false_positive_rate")] {
        for suffix in ["", ".F", ".M", "_gap"] {
            let (a, b) = (format!("{a}{suffix}"), format!("{b}{suffix}"));
            assert_eq!(value(&plain, "any", &a), value(&turned, "any", &b));
            assert_eq!(value(&plain, "any", &b), value(&turned, "any", &a));
        }
    }
}

/// A margin of verdicts by direction: word in `pairs`, and the answer.
fn judged(direction: &str) -> (Terminal, Value) {
    let terminal = Terminal::new();
    let judge = "judge = [\"selection_rate\", \"representation_loss\"]";
    let new = format!("judge = [\"selection_rate\"]\n{direction}");
    terminal.put(
        "my.toml",
        with(
            SOUND,
            &[
                (judge, &new),
                ("replications = 4", "replications = 80"),
                (
                    "kind = \"accept_all\"",
                    "kind = \"accept_all\"\nrole = \"policy\"",
                ),
            ],
        ),
    );
    let words = ["run", "my.toml", "-q", "--format", "json", "--out", "out"];
    let summary = serde_json::from_str(&terminal.done(&words)).expect("JSON");
    (terminal, summary)
}

/// The head of a measure's column on a page, from its head in the terminal.
fn captioned(head: &str) -> String {
    head.replace(
        "Chosen of 100 screened (selection_rate)",
        "title=\"selection_rate",
    )
}

#[test]
fn verdicts_answer_and_page_go_by_the_direction_that_the_config_sets() {
    // The greedy policy selects fewer than the one that takes everybody.
    for (direction, verdict, headline, page) in [
        (
            "",
            "worse",
            "“all” leads “greedy .05”: ",
            "Chosen of 100 screened (selection_rate): more is better",
        ),
        (
            "direction = { selection_rate = \"lower\" }",
            "better",
            "“greedy .05” leads “all”: ",
            "Chosen of 100 screened (selection_rate): less is better",
        ),
        (
            "direction = { selection_rate = \"none\" }",
            "differs",
            "There is no better or worse in what is judged: selection_rate",
            "Chosen of 100 screened (selection_rate): neither way is better",
        ),
    ] {
        let (terminal, summary) = judged(direction);
        assert_eq!(summary["pairs"][0]["verdict"], verdict, "{direction}");
        let answer = summary["answer"]["headline"].as_str().expect("a text");
        assert!(answer.contains(headline), "{direction}: {answer}");
        let frontier = summary["answer"]["frontier"].as_array().expect("a list");
        assert_eq!(
            frontier.len(),
            usize::from(verdict != "differs"),
            "{frontier:?}"
        );
        assert_eq!(summary["directions"].is_null(), direction.is_empty());
        terminal.done(&["report", "out"]);
        let html = terminal.read("out/report.html");
        assert!(html.contains(&captioned(page)), "{direction}");
        let table = terminal.done(&["run", "my.toml", "-q"]);
        table.says(page);
        // Asked otherwise, the finished run answers otherwise, on its page too.
        let set = "report.direction={ selection_rate = \"lower\" }";
        let table = terminal.done(&["report", "out", "--set", set]);
        let less = "Chosen of 100 screened (selection_rate): less is better";
        table.says(less);
        assert!(terminal.read("out/report.html").contains(&captioned(less)));
    }
}

/// One stream: each policy's mean has an interval, and two are compared by both.
#[test]
fn one_stream_compares_mean_outcomes_by_the_intervals_of_both() {
    let judge = "judge = [\"outcome_mean\", \"true_positive_rate_gap\", \"calibration_gap\"]";
    let terminal = lender(&[
        ("replications = 3", "replications = 1"),
        ("order = \"shuffled\"", "order = \"resampled\""),
        ("until = { rounds = 25 }", "until = { rounds = 3000 }"),
        (
            "label = \"again\"\nkind = \"uniform_choice\"",
            "label = \"again\"\nkind = \"ridge_greedy\"",
        ),
        ("score = \"score\"\n", ""),
        (
            "[rules]",
            "[source.features]\nconstant = true\nnumeric = [\"score\"]\n\n[rules]",
        ),
        (
            judge,
            "judge = [\"outcome_mean\", \"outcome_mean.F\", \"true_positive_rate\"]",
        ),
    ]);
    let summary = summary(&terminal, &[]);
    let pairs = summary["pairs"].as_array().expect("pairs");
    let words = |at: usize| {
        let pair = &pairs[at];
        ["metric", "verdict", "estimand"].map(|key| pair[key].as_str().expect("a word"))
    };
    let means = "difference of the running averages of outcomes";
    let people = "running average of a - b over the people of the group";
    assert_eq!(words(0), ["outcome_mean", "better", means]);
    assert_eq!(words(1), ["outcome_mean.F", "differs", means]);
    assert_eq!(words(2), ["true_positive_rate", "better", people]);
    let number = |value: &Value| value.as_f64().expect("a number");
    let of = |label: &str| summary["policies"][label]["stream"]["outcomes"].clone();
    let (a, b) = (of("again"), of("any"));
    let difference = number(&a["mean"]) - number(&b["mean"]);
    near(
        Some(number(&pairs[0]["mean"])),
        difference,
        "the difference",
    );
    near(
        value(&summary, "any", "outcome_mean"),
        number(&b["mean"]),
        "the mean",
    );
    let (lo, hi) = (number(&pairs[0]["lo"]), number(&pairs[0]["hi"]));
    assert!(lo > 0.0 && lo < difference && difference < hi);
    let table = terminal.done(&["run", "my.toml", "-q"]);
    table.says("Mean outcome of the selected");
}
