//! The model policy in Python decides as the built-in one does, bit for bit, however the run is
//! carried out.

use std::path::Path;

use serde_json::Value;

use super::{SEATED, exec, model, python};
use crate::support::same::same_bytes;
use crate::support::terminal::{Terminal, typed};

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
    let args = typed("run my.toml -q --trace decisions --trace-replications all");
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
    let several = SEATED.replace(
        "choose = \"at_most_one\"",
        "slate = 7\nchoose = { at_most = 3 }",
    );
    let several = several.replace("accepted = 25", "accepted = 90");
    // The places of those who decline are open again, in this round or later.
    let declining = |world: &str, refill: bool| {
        let section = format!("[yield]\nrate = 0.6\nrefill = {refill}\n\n[rules]");
        world.replacen("[rules]", &section, 1)
    };
    let later = declining(SEATED, false);
    let refilled = declining(&several, true);
    for world in [SEATED, &several, &later, &refilled] {
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
    let text = format!("{SEATED}{}{REPORT}", company());
    same_bytes(&Terminal::new(), &text, &[]);
    let text = text.replacen("[rules]", "[yield]\nrate = 0.6\n\n[rules]", 1);
    same_bytes(&Terminal::new(), &text, &[]);
}

/// Its propensities are those of its lots: over a run the accepted are as many as was said.
#[test]
fn the_lottery_says_how_likely_it_was() {
    if !python() {
        return;
    }
    let terminal = Terminal::new();
    let world = SEATED.replace("until = { accepted = 25 }", "until = { rounds = 400 }");
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
        "0,buyer,pulls,,6",
        "0,buyer,cost,,9",
        "0,buyer,rounds_seen,,3",
    ] {
        assert!(rows.contains(row), "{row}: {rows}");
    }
    let log = terminal.read("log");
    let messages: Vec<Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let types: Vec<_> = messages
        .iter()
        .map(|message| message["type"].as_str().expect("a type"))
        .collect();
    let round = ["slate", "answers", "outcome"];
    assert_eq!(types, [&round[..], &round, &round, &["bye"]].concat());
    let slate = &messages[0];
    assert_eq!(slate["candidates"].as_array().expect("a list").len(), 4);
    assert_eq!(
        (&slate["money_left"], &slate["places_left"]),
        (&Value::from(4.0), &Value::Null)
    );
    let answers = &messages[1];
    assert_eq!(
        (&answers["looks"][0]["kind"], &answers["looks"][1]["slot"]),
        (&"strong".into(), &0.into())
    );
    assert_eq!(answers["money_left"], 1.0);
    assert_eq!(
        (&messages[2]["round"], &messages[2]["candidate"]["id"]),
        (&1.into(), &slate["candidates"][2]["id"])
    );
}

/// Everything that a policy in process may know of rules and target is in `hello`.
#[test]
fn hello_has_the_quotas_of_the_rules_and_of_an_organisers_file() {
    let terminal = Terminal::new();
    let log = terminal.path("hello").display().to_string();
    let script = format!("read -r hello; echo \"$hello\" > '{log}'; echo '{{\"type\":\"ready\"}}'");
    let mine = exec("mine", &["sh", "-c", &script]);
    let hello = |config: &str| -> Value {
        terminal.put("my.toml", config);
        terminal.done(&["run", "my.toml", "-q", "--replications", "1"]);
        serde_json::from_str(&terminal.read("hello")).expect("JSON")
    };
    let rules = "[rules]\nquota = { gender = { F = [1, 1] } }\nenforce = true\nslate = 4";
    let first = hello(&format!("{}{mine}", SEATED.replace("[rules]", rules)));
    let open = serde_json::json!({ "min": 0, "max": null });
    let quota = serde_json::json!({ "gender": { "M": open, "F": { "min": 1, "max": 1 } } });
    assert_eq!(
        (&first["rules"]["quota"], &first["rules"]["enforce"]),
        (&quota, &true.into())
    );
    assert_eq!(first["target_quota"], Value::Null);
    assert_eq!(
        first["rules"]["choose"],
        serde_json::json!({ "at_most": 1 })
    );
    assert_eq!(
        first["known"]["law"]["shares"]["vote"],
        serde_json::json!({ "L": 0.3, "R": 0.7 })
    );
    let folder = crate::support::project().join("configs/organiser");
    for name in ["categories.csv", "respondents.csv"] {
        terminal.put(
            &format!("organiser/{name}"),
            std::fs::read(folder.join(name)).expect("it is there"),
        );
    }
    let organiser = crate::support::config("organiser.toml");
    let head = organiser.split("[[policy]]").next().expect("a head");
    let first = hello(&format!("{head}{mine}"));
    let rows = first["target_quota"].as_object().expect("an object");
    assert_eq!(
        rows.len(),
        first["attributes"].as_object().expect("an object").len()
    );
    let quotas = rows
        .values()
        .flat_map(|row| row.as_object().expect("an object").values());
    assert!(
        quotas
            .clone()
            .any(|quota| quota["min"].as_u64().is_some_and(|min| min > 0))
    );
    assert!(
        quotas
            .clone()
            .all(|quota| quota["max"].as_u64() >= quota["min"].as_u64())
    );
}

/// Seeds of a run's lanes and replications differ, and are the same again.
#[test]
fn each_lane_of_each_replication_has_a_seed_of_its_own() {
    let terminal = Terminal::new();
    let log = terminal.path("seeds").display().to_string();
    let script =
        format!("read -r hello; echo \"$hello\" >> '{log}'; echo '{{\"type\":\"ready\"}}'");
    let lanes = ["one", "two"]
        .map(|label| exec(label, &["sh", "-c", &script]))
        .concat();
    terminal.put("my.toml", format!("{SEATED}{lanes}"));
    let seeds = |more: &[&str]| {
        terminal.put("seeds", "");
        terminal.done(&[&["run", "my.toml", "-q", "--replications", "3"], more].concat());
        let text = terminal.read("seeds");
        let hello = text
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        let seed = |hello: Value| hello["seed"].as_u64().expect("a seed");
        hello.map(seed).collect::<std::collections::BTreeSet<u64>>()
    };
    let first = seeds(&[]);
    assert_eq!(first.len(), 6);
    assert!(first.iter().all(|&seed| seed != 8 && seed < 1 << 53));
    assert_eq!(seeds(&["--threads", "1", "--batch", "1"]), first);
    assert!(seeds(&["--seed", "9"]).is_disjoint(&first));
}
