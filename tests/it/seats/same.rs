//! The model policy in Python decides as the built-in one does, bit for bit, however the run is carried out.

use std::path::Path;

use serde_json::Value;

use super::{COMMITTEE, exec, model, python};
use crate::cli::invariance::same_bytes;
use crate::cli::terminal::Terminal;

const BUILT_IN: &str = "[[policy]]\nlabel = \"built in\"\nkind = \"virtual_queue\"\nv = 1.3\n";

const REPORT: &str = "[report]\njudge = [\"representation_loss\"]\nbaseline = \"built in\"\n";

fn company() -> String {
    let model = model();
    let outside = exec("outside", &["python3", &model, "virtual_queue", "1.3"]);
    let lots = exec("lots", &["python3", &model, "lottery"]);
    format!("{BUILT_IN}{outside}{lots}")
}

/// What each lane decided, but for who decided it.
fn decisions(terminal: &Terminal, world: &str) -> [Vec<Value>; 2] {
    terminal.put("my.toml", format!("{world}{}{REPORT}", company()));
    let args = [
        "run",
        "my.toml",
        "-q",
        "--trace",
        "decisions",
        "--trace-replications",
        "all",
    ];
    terminal.done(&[&args[..], &["--out", "d", "--force"]].concat());
    let text = terminal.read("d/decisions.ndjson");
    ["built in", "outside"].map(|label| {
        let events = text
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        let events = events.filter(|event| event["policy"] == *label);
        let events = events.map(|mut event| {
            let members = event.as_object_mut().expect("an object");
            members.remove("seq");
            members.remove("policy");
            event
        });
        events.collect()
    })
}

#[test]
fn the_same_decisions_with_the_same_reasons() {
    if !python() {
        return;
    }
    let terminal = Terminal::new();
    let several = COMMITTEE.replace(
        "choose = \"at_most_one\"",
        "slate = 7\nchoose = { at_most = 3 }",
    );
    for world in [COMMITTEE, &several] {
        let [built_in, outside] = decisions(&terminal, world);
        assert!(built_in.len() > 20, "{}", built_in.len());
        assert_eq!(built_in, outside);
        let score = |event: &Value| event["reason"]["score"].as_f64().expect("a score");
        assert!(built_in.iter().any(|event| score(event).fract() != 0.0));
    }
    let summary: Value = serde_json::from_str(&terminal.read("d/summary.json")).expect("JSON");
    let pairs = summary["pairs"].as_array().expect("a list");
    let verdict = pairs.iter().find(|pair| pair["a"] == "outside");
    assert_eq!(verdict.expect("a pair")["verdict"], "identical");
}

#[test]
fn the_same_bytes_whatever_the_batch_the_threads_and_the_runtime() {
    if !python() {
        return;
    }
    let text = format!("{COMMITTEE}{}{REPORT}", company());
    same_bytes(&Terminal::new(), &text, &[]);
}

/// Its propensities are those of its lots: over a run the accepted are as many as was said.
#[test]
fn the_lottery_says_how_likely_it_was() {
    if !python() {
        return;
    }
    let terminal = Terminal::new();
    let world = COMMITTEE.replace("until = { accepted = 25 }", "until = { rounds = 400 }");
    terminal.put(
        "my.toml",
        format!("{world}{}", exec("lots", &["python3", &model(), "lottery"])),
    );
    terminal.done(&["run", "my.toml", "-q", "--trace", "decisions", "--out", "d"]);
    let (mut excess, mut variance) = (0.0, 0.0);
    for line in terminal.read("d/decisions.ndjson").lines() {
        let event: Value = serde_json::from_str(line).expect("JSON");
        let taken = event["chosen"].as_array().expect("a list").len() == 1;
        let (p, odds) = (
            event["p"].as_f64().expect("p"),
            event["reason"]["odds"].as_f64().expect("odds"),
        );
        assert_eq!(p, if taken { odds } else { 1.0 - odds });
        excess += f64::from(u8::from(taken)) - odds;
        variance += odds * (1.0 - odds);
    }
    assert!(
        variance > 50.0 && excess.abs() < 4.0 * variance.sqrt(),
        "{excess} {variance}"
    );
}

/// Looks and outcomes reach a program, and what it says of itself reaches the report.
#[test]
fn a_program_buys_looks_and_learns_outcomes() {
    let terminal = Terminal::new();
    let log = terminal.path("log").display().to_string();
    let script = format!(
        r#"read -r hello; echo '{{"type":"ready"}}'; n=0
        while read -r message; do
            echo "$message" >> '{log}'
            case $message in
            *'"bye"'*) exit 0;;
            *'"outcome"'*) ;;
            *'"slate"'*) n=$((n+1)); echo '{{"type":"interview","looks":[{{"slot":2,"kind":"strong"}},{{"slot":0,"kind":"weak"}}]}}';;
            *'"answers"'*) echo "{{\"type\":\"select\",\"round\":$n,\"chosen\":[2],\"measures\":{{\"rounds_seen\":$n}},\"reason\":{{\"n\":$n}}}}";;
            esac
        done"#
    );
    let world = r#"
seed = 4
[source]
type = "arms"
means = { linear = { n = 4, from = 0.0, to = 1.0 } }
[rules]
slate = "all"
choose = { exactly = 1 }
until = { rounds = 3 }
interviews = [{ name = "weak", cost = 1, gain = 1 }, { name = "strong", cost = 2, gain = 5 }]
budget = 4
[feedback.interview]
type = "gaussian_looks"
sd = 0.1
[feedback.outcome]
type = "linear"
noise = 0.5
"#;
    terminal.put(
        "my.toml",
        format!("{world}{}", exec("buyer", &["sh", "-c", &script])),
    );
    assert!(Path::new(&terminal.path("my.toml")).exists());
    let rows = terminal.done(&["run", "my.toml", "-q", "--format", "csv"]);
    for row in [
        "0,buyer,ending,,horizon",
        "0,buyer,pulls,,6",
        "0,buyer,cost,,9",
        "0,buyer,rounds_seen,,3",
    ] {
        assert!(rows.contains(row), "{row}: {rows}");
    }
    let log = terminal.read("log");
    let told: Vec<Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let types: Vec<_> = told
        .iter()
        .map(|message| message["type"].as_str().expect("a type"))
        .collect();
    let round = ["slate", "answers", "outcome"];
    assert_eq!(types, [&round[..], &round, &round, &["bye"]].concat());
    let slate = &told[0];
    assert_eq!(slate["candidates"].as_array().expect("a list").len(), 4);
    assert_eq!(
        (&slate["money_left"], &slate["places_left"]),
        (&Value::from(4.0), &Value::Null)
    );
    let answers = &told[1];
    assert_eq!(
        (&answers["looks"][0]["kind"], &answers["looks"][1]["slot"]),
        (&"strong".into(), &0.into())
    );
    assert_eq!(answers["money_left"], 1.0);
    assert_eq!(
        (&told[2]["round"], &told[2]["candidate"]["id"]),
        (&1.into(), &slate["candidates"][2]["id"])
    );
}
