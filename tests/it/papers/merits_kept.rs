//! Committees whose members are worth something and that keep quotas for sure; committees that are
//! chosen at once.

use serde_json::Value;

use crate::support::refusals::refusal;
use crate::support::terminal::Terminal;

/// People whose worth lies on the features, with quotas that merits alone would miss.
const KEPT: &str = r#"
name = "merits with quotas"
seed = 3
replications = 40
[source]
type = "file"
path = "merits.csv"
order = "shuffled"
attributes = { gender = { column = "gender" }, age = { column = "age" } }
[source.features]
constant = true
numeric = ["f"]
group = "gender"
[source.reward]
column = "worth"
[target]
categories = "categories.csv"
[rules]
slate = 1
choose = "at_most_one"
until = { accepted = 20 }
[feedback.outcome]
type = "linear"
noise = 0.5
delay = 5
[[policy]]
label = "merits"
kind = "merit_queue"
rate = 0.3
v = 3
[[policy]]
label = "kept"
kind = "merit_queue"
rate = 0.3
v = 3
keep_feasible = true
[report]
judge = ["quotas_kept", "mean_merit"]
baseline = "merits"
"#;

fn people_of_worth() -> Terminal {
    let terminal = Terminal::new();
    let mut people = "gender,age,f,worth\n".to_owned();
    for k in 0..120 {
        let gender = if k % 3 == 0 { "F" } else { "M" };
        let age = ["young", "old", "oldest"][k / 3 % 3];
        let f = k * 37 % 101;
        let worth = f + if gender == "M" { 40 } else { 0 };
        people += &format!("{gender},{age},{f},{worth}\n");
    }
    terminal.put("merits.csv", people);
    let quotas = "gender,F,9,11\ngender,M,9,11\nage,young,6,8\nage,old,6,8\nage,oldest,4,8\n";
    terminal.put("categories.csv", format!("feature,value,min,max\n{quotas}"));
    terminal
}

/// The mean of a measure of a policy.
fn mean_of(terminal: &Terminal, policy: &str, metric: &str, set: &[&str]) -> f64 {
    let args = [&["run", "my.toml", "-q", "--format", "json"][..], set].concat();
    let summary: Value = serde_json::from_str(&terminal.done(&args)).expect("JSON");
    let found = &summary["policies"][policy]["metrics"][metric]["mean"];
    found
        .as_f64()
        .unwrap_or_else(|| panic!("{metric} of {policy}: {summary}"))
}

#[test]
fn a_queue_of_merits_keeps_its_quotas_where_asked() {
    let terminal = people_of_worth();
    terminal.put("my.toml", KEPT);
    let mean = |policy: &str, metric: &str| mean_of(&terminal, policy, metric, &[]);
    assert_eq!(mean("kept", "quotas_kept"), 1.0);
    assert!(mean("merits", "quotas_kept") < 0.9);
    // It still seeks merit: more than who is taken as they come.
    let all = KEPT.replace(
        "kind = \"merit_queue\"\nrate = 0.3\nv = 3\nkeep_feasible = true",
        "kind = \"virtual_queue\"\nkeep_feasible = true",
    );
    let kept = mean("kept", "mean_merit");
    terminal.put("my.toml", all);
    assert_eq!(mean("kept", "quotas_kept"), 1.0);
    assert!(kept > mean("kept", "mean_merit") + 2.0, "{kept}");
}

/// A committee that is chosen at once has the size that the rules fix.
#[test]
fn look_ahead_chooses_a_whole_committee_at_once() {
    let terminal = people_of_worth();
    let (head, _) = KEPT.split_once("[[policy]]").expect("policies");
    let lane = "[[policy]]\nlabel = \"look\"\nkind = \"quota_lookahead\"\n[report]\njudge = [\"accepted\"]\n";
    let head = head.replace(
        "slate = 1\nchoose = \"at_most_one\"\nuntil = { accepted = 20 }",
        "slate = \"all\"\nchoose = { exactly = 20 }\nuntil = { rounds = 1 }",
    );
    terminal.put("my.toml", format!("{head}{lane}"));
    let args = ["run", "my.toml", "-q", "--out", "d", "--replications", "5"];
    terminal.done(&[&args[..], &["--trace-replications", "all"]].concat());
    let rows = terminal.read("d/selected.csv");
    for replication in 0..5 {
        let of = |value: &str| {
            let lines = rows
                .lines()
                .filter(|line| line.starts_with(&format!("{replication},")));
            lines
                .filter(|line| line.split(',').any(|cell| cell == value))
                .count()
        };
        assert!(
            (9..=11).contains(&of("F")) && (9..=11).contains(&of("M")),
            "{rows}"
        );
        assert_eq!(of("F") + of("M"), 20);
        assert!(
            (6..=8).contains(&of("young"))
                && (6..=8).contains(&of("old"))
                && (4..=8).contains(&of("oldest"))
        );
    }
    let open = head
        .replace("until = { rounds = 1 }", "until = { rounds = 2 }")
        .replace("\"all\"", "60");
    terminal.put("my.toml", format!("{open}{lane}"));
    let said = refusal(&terminal, &["check", "my.toml"]);
    assert!(said.contains("committee's size"), "{said}");
}
