//! Respondents who are known beforehand: quotas are kept, and what it costs the policies.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::support::long;
use crate::support::same::same_bytes;
use crate::support::terminal::Terminal;
use crate::support::towns::{TOWNS, put};
use kleroterion_testkit::town::Town;

const CONFIG: &str = r#"name = "a town"
seed = 20
[source]
type = "respondents"
path = "respondents.csv"
id = "id"
[target]
categories = "categories.csv"
[rules]
slate = 1
choose = "at_most_one"
until = { accepted = 24 }
unique = ["home"]
"#;

/// The config of a town's committee with these lanes, each a label, a kind and a line of keys.
fn config(town: &Town, lanes: &[[&str; 3]]) -> String {
    let lane = |[label, kind, keys]: &[&str; 3]| {
        format!("\n[[policy]]\nlabel = \"{label}\"\nkind = \"{kind}\"\n{keys}\n")
    };
    let lanes: String = lanes.iter().map(lane).collect();
    let report = "\n[report]\njudge = [\"quotas_kept\", \"seats_off\"]\npairs = \"all\"\n";
    let size = format!("accepted = {}", town.members);
    CONFIG.replace("accepted = 24", &size) + &lanes + report
}

fn summary(terminal: &Terminal, replications: u64, more: &[&str]) -> Value {
    let replications = replications.to_string();
    let args = ["run", "my.toml", "-q", "--format", "json"];
    let args = [&args[..], &["--replications", &replications], more].concat();
    serde_json::from_str(&terminal.done(&args)).expect("JSON")
}

fn mean(summary: &Value, label: &str, metric: &str) -> f64 {
    let stats = &summary["policies"][label]["metrics"][metric];
    stats["mean"].as_f64().expect("a mean")
}

/// In the long form a thousand committees of each town; a debug build plays few.
#[test]
fn in_public_like_towns_all_quotas_are_kept_in_every_replication() {
    for (town, few) in TOWNS.iter().zip([100, 12, 2]) {
        let terminal = Terminal::new();
        put(town, &terminal);
        let lanes = [
            ["look-ahead", "quota_lookahead", ""],
            ["queue", "virtual_queue", ""],
            ["queue kept", "virtual_queue", "keep_feasible = true"],
        ];
        terminal.put("my.toml", config(town, &lanes));
        let replications = if long() > 1 { 1_000 } else { few };
        let summary = summary(&terminal, replications, &[]);
        for label in ["look-ahead", "queue kept"] {
            let kept = &summary["policies"][label]["metrics"]["quotas_kept"];
            assert_eq!(kept["n"], replications, "{label}");
            assert_eq!(kept["min"], 1.0, "{label}, {} people", town.people);
            let measures = &summary["policies"][label]["metrics"];
            assert!(measures["undecided_programs"].is_null(), "{measures}");
        }
        assert!(mean(&summary, "queue", "quotas_kept") < 0.5);
    }
}

#[test]
fn every_policy_can_keep_its_committee_feasible_and_accept_all_is_then_the_look_ahead() {
    let town = &TOWNS[0];
    let terminal = Terminal::new();
    put(town, &terminal);
    let kinds = [
        "accept_all",
        "greedy",
        "cmdp",
        "proportional",
        "rl_cmdp",
        "plugin_cmdp",
        "virtual_queue",
    ];
    let mut lanes = vec![["look-ahead", "quota_lookahead", ""]];
    lanes.extend(kinds.map(|kind| [kind, kind, "keep_feasible = true"]));
    terminal.put("my.toml", config(town, &lanes));
    for slates in [
        ["rules.slate=1", "rules.choose=at_most_one"],
        ["rules.slate=4", "rules.choose={ at_most = 3 }"],
        ["rules.slate=4", "rules.choose=any"],
    ] {
        let traced = ["--trace-replications", "all", "--out", "out", "--force"];
        let set = ["--set", slates[0], "--set", slates[1]];
        let summary = summary(&terminal, 4, &[&traced[..], &set].concat());
        // Where fewer of a slate may be chosen than are needed, no rule is certain.
        let patient = slates[1].contains("at_most =");
        for kind in kinds
            .iter()
            .filter(|kind| !patient || **kind != "proportional")
        {
            assert_eq!(
                mean(&summary, kind, "quotas_kept"),
                1.0,
                "{kind} {slates:?}"
            );
        }
        let selected = terminal.read("out/selected.csv");
        let of = |label: &str| -> BTreeSet<String> {
            let lines = selected
                .lines()
                .filter(|line| line.contains(&format!(",{label},")));
            lines.map(|line| line.replace(label, "")).collect()
        };
        assert_eq!(of("look-ahead").len(), 4 * town.members);
        assert_eq!(of("look-ahead"), of("accept_all"), "{slates:?}");
        assert_ne!(of("look-ahead"), of("virtual_queue"), "{slates:?}");
    }
}

#[test]
fn the_same_bytes_however_the_run_is_carried_out() {
    let town = &TOWNS[0];
    let terminal = Terminal::new();
    put(town, &terminal);
    let lanes = [
        ["look-ahead", "quota_lookahead", ""],
        ["lot", "cmdp", "keep_feasible = true"],
        ["queue", "virtual_queue", "keep_feasible = true"],
    ];
    let text = config(town, &lanes);
    let replications = ["--replications", "2"];
    same_bytes(&terminal, &text, &replications);
    let set = [
        "--set",
        "rules.slate=4",
        "--set",
        "rules.choose={ at_most = 2 }",
    ];
    same_bytes(&terminal, &text, &[&replications[..], &set].concat());
}

#[test]
fn a_reason_says_where_a_policy_was_overruled() {
    let town = &TOWNS[0];
    let terminal = Terminal::new();
    put(town, &terminal);
    let lanes = [
        ["look-ahead", "quota_lookahead", ""],
        ["greedy", "greedy", "keep_feasible = true"],
        ["all", "accept_all", "keep_feasible = true"],
        ["proportional", "proportional", "keep_feasible = true"],
    ];
    terminal.put("my.toml", config(town, &lanes));
    summary(&terminal, 3, &["--trace", "decisions", "--out", "out"]);
    let (mut overruled, mut barred) = (BTreeSet::new(), 0);
    for line in terminal.read("out/decisions.ndjson").lines() {
        let event: Value = serde_json::from_str(line).expect("JSON");
        let label = event["policy"].as_str().expect("a label");
        if event["reason"] == Value::Object(serde_json::Map::new()) {
            // The household has a member: no policy is asked.
            continue;
        }
        let taken = event["chosen"].as_array().expect("a list").len() == 1;
        let likely = event["reason"]["acceptance"].as_f64().expect("a number");
        if label == "look-ahead" {
            assert_eq!(event["reason"]["completes"], f64::from(u8::from(taken)));
            assert_eq!(likely == 1.0, taken);
            // Each attribute by itself would have allowed some of those who are refused.
            let reason = |term: &str| event["reason"][term].as_f64().expect("a number");
            let fits = reason("slack") > 0.0 && reason("spare") >= 0.0;
            assert!(fits || !taken, "{event}");
            barred += u32::from(fits && !taken);
            continue;
        }
        if event["reason"]["overruled"].is_null() {
            let p = event["p"].as_f64().unwrap_or(1.0);
            assert_eq!(if taken { likely } else { 1.0 - likely }, p, "{event}");
        } else {
            // Only one way was left, whatever the policy's own chance of the other.
            assert!(event["p"].is_null(), "{event}");
            assert!(likely < 1.0 || !taken, "{event}");
            overruled.insert((label.to_owned(), taken));
        }
    }
    assert!(barred > 0);
    let expected = [
        ("all", false),
        ("greedy", false),
        ("proportional", false),
        ("proportional", true),
    ];
    for (label, taken) in expected {
        assert!(
            overruled.contains(&(label.to_owned(), taken)),
            "{label} {taken}: {overruled:?}"
        );
    }
}

/// Sixty people of a file; quotas are the rules' or, without them, those around the target.
#[test]
fn a_file_of_people_keeps_the_quotas_of_the_rules_or_those_around_the_target() {
    let terminal = Terminal::new();
    let row = |k: u32| format!("p{k},{},{}\n", ["F", "M"][(k % 3 / 2) as usize], k % 7 % 3);
    let rows: String = (0..60).map(row).collect();
    terminal.put("people.csv", format!("id,gender,area\n{rows}"));
    let lane = |kind: &str, keys: &str| {
        format!("[[policy]]\nlabel = \"{kind}\"\nkind = \"{kind}\"\n{keys}\n")
    };
    let config = |quota: &str| {
        format!(
            "name = \"sixty\"\nseed = 2\n[source]\ntype = \"file\"\npath = \"people.csv\"\n\
             id = \"id\"\norder = \"shuffled\"\n[source.attributes]\n\
             gender = {{ column = \"gender\" }}\narea = {{ column = \"area\" }}\n\
             [target]\ngender = {{ F = 0.5, M = 0.5 }}\n[rules]\nslate = 1\n\
             choose = \"at_most_one\"\nuntil = {{ accepted = 20 }}\n{quota}\n{}{}[report]\n\
             judge = [\"seats_off\"]\n",
            lane("quota_lookahead", ""),
            lane("virtual_queue", "keep_feasible = true"),
        )
    };
    let quota = "quota = { gender = { M = [12, 13] }, area = { 2 = [6, 6] } }";
    for (quota, men) in [("", 10.0..=10.0), (quota, 12.0..=13.0)] {
        terminal.put("my.toml", config(quota));
        let summary = summary(&terminal, 30, &["--keep", "all"]);
        for label in ["quota_lookahead", "virtual_queue"] {
            let metrics = &summary["policies"][label]["metrics"];
            assert_eq!(metrics["seats_off"]["max"], 0.0, "{label}: {quota}");
            let share = |end: &str| metrics["share.gender:M"][end].as_f64().expect("a share");
            for end in ["min", "max"] {
                assert!(
                    men.contains(&(20.0 * share(end)).round()),
                    "{label}: {metrics}"
                );
            }
        }
    }
    // Twenty of an area where fewer live.
    terminal.put(
        "my.toml",
        config(&quota.replace("2 = [6, 6]", "2 = [20, 20]")),
    );
    let refused = terminal.exits(2, &["check", "my.toml"]);
    assert!(
        refused
            .stderr
            .contains("no committee of these respondents keeps all quotas"),
        "{}",
        refused.stderr
    );
}
