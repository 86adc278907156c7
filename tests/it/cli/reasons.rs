//! Why: every kind of policy gives reasons for every decision.

use std::collections::BTreeSet;

use kleroterion::catalog::{ANY, kinds};
use kleroterion::report::why::{sentence, terms};
use kleroterion::trace::Event;
use serde_json::Value;

use crate::support::terminal::Terminal;
use crate::support::worlds::{COHORT, COMMITTEE, CONTEXTS, POOL};

/// Three kinds of people, sixteen of each.
pub const PEOPLE: &str = "a,1,1\na,2,2\nb,1,1\n";

/// Respondents who are known beforehand, most of whom sit, so only a few can be passed over.
pub const KNOWN: &str = r#"
name = "known"
[source]
type = "file"
path = "people.csv"
order = "shuffled"
[source.attributes]
g = { column = "g" }
x = { column = "x" }
[target]
g = { a = 0.66, b = 0.34 }
x = { 1 = 0.66, 2 = 0.34 }
[rules]
slate = 1
choose = "at_most_one"
until = { accepted = 46 }
"#;

/// A committee whose members are worth something.
pub const MERITED: &str = r#"
name = "merited"
[source]
type = "linear_groups"
mu = [1.0, 0.5]
[[source.group]]
name = "a"
probability = 0.6
low = [0, 0]
width = [1, 1]
[[source.group]]
name = "b"
probability = 0.4
low = [1, 0]
width = [1, 2]
[target]
group = { a = 0.5, b = 0.5 }
[rules]
slate = 1
choose = "at_most_one"
until = { accepted = 6 }
[feedback.outcome]
type = "linear"
noise = 0.1
"#;

/// The keys that a kind is played with: those that it cannot do without, as its entry has them.
pub fn parameters(kind: &str) -> String {
    match kind {
        "greedy" => "tolerance = 0.1".to_owned(),
        // A plan that is found in no time.
        "optimal" => "target = { u = 0.4 }\nlambda = 2.0\ngamma = 0.5\nstate = \"share\"\n\
            transitions = \"mean_field\""
            .to_owned(),
        _ => kinds()
            .find(|known| known.name == kind)
            .expect("it is a kind")
            .minimal(),
    }
}

/// What all policies of a setting decide in a world.
fn decisions(setting: &str, world: &str) -> Vec<Value> {
    let kinds = kinds().filter(|kind| kind.setting == setting);
    let policies = kinds.map(|kind| {
        let (name, parameters) = (kind.name, parameters(kind.name));
        format!("[[policy]]\nlabel = \"{name}\"\nkind = \"{name}\"\n{parameters}\n")
    });
    let terminal = Terminal::new();
    terminal.put(
        "my.toml",
        format!("{world}\n{}", policies.collect::<String>()),
    );
    terminal.put("people.csv", format!("g,x,y\n{}", PEOPLE.repeat(16)));
    let args = ["run", "my.toml", "-q", "--seed", "5", "--replications", "1"];
    terminal.done(&[&args[..], &["--trace", "decisions", "--out", "d"]].concat());
    let text = terminal.read("d/decisions.ndjson");
    let events = text.lines().map(serde_json::from_str);
    events.map(|event| event.expect("a line is JSON")).collect()
}

fn all() -> Vec<Value> {
    let several = COMMITTEE
        .replace("slate = 1", "slate = 3")
        .replace("\"at_most_one\"", "\"any\"");
    let worlds = [
        ("committee", COMMITTEE),
        ("committee", &several),
        ("meritocratic", CONTEXTS),
        ("cohort", COHORT),
        ("panel", KNOWN),
        ("pool", POOL),
        ("mixture", MERITED),
    ];
    let all: Vec<Value> = worlds
        .iter()
        .flat_map(|(setting, world)| decisions(setting, world))
        .collect();
    // A program of one's own says what it likes.
    let kinds = kinds().filter(|kind| kind.setting != ANY);
    let kinds: BTreeSet<&str> = kinds.map(|kind| kind.name).collect();
    let played = all.iter().filter_map(|event| event["policy"].as_str());
    assert_eq!(played.collect::<BTreeSet<_>>(), kinds, "each kind decides");
    all
}

#[test]
fn every_kind_says_why() {
    for event in all() {
        let reason = event["reason"].as_object().expect("an object");
        assert!(!reason.is_empty(), "no reason: {event}");
        assert!(reason.values().all(Value::is_number), "{event}");
        let is_one = event["shown"]
            .as_array()
            .is_some_and(|shown| shown.len() == 1);
        let likely = event["reason"]["acceptance"].as_f64();
        if let (true, Some(p), Some(likely)) = (is_one, event["p"].as_f64(), likely) {
            // The only one on the slate was taken, or was not.
            let taken = event["chosen"].as_array().is_some_and(|ids| ids.len() == 1);
            assert_eq!(p, if taken { likely } else { 1.0 - likely }, "{event}");
            assert!(likely > 0.0 && likely < 1.0, "{event}");
        }
    }
}

#[test]
fn every_kind_says_why_in_a_sentence() {
    for event in all() {
        let event: Event = event.to_string().parse().expect("a decision");
        let decision = &event.decision;
        let said = sentence(&decision.policy, decision);
        assert!(
            said.len() > 8 && said != terms(decision),
            "{said}: {decision:?}"
        );
        assert!(!said.contains("NaN") && !said.contains("inf"), "{said}");
    }
}

/// What a setting's reasons must tell, by kind.
const TERMS: [(&str, &[&str]); 14] = [
    (
        "merit_queue",
        &["score", "pace", "estimated_merit", "width"],
    ),
    ("best_stationary", &["merit", "bar"]),
    ("greedy", &["acceptance", "slack"]),
    ("quota_lookahead", &["acceptance", "slack", "spare"]),
    ("virtual_queue", &["score", "v"]),
    ("cmdp", &["acceptance"]),
    ("fair_greedy", &["relative_rank", "highest_passed", "ties"]),
    ("oful", &["upper_bound", "estimated_reward", "radius"]),
    ("swap", &["cost", "gap", "radius", "lowest_taken"]),
    (
        "uniform_interviews",
        &["cost", "lowest_taken", "highest_passed"],
    ),
    (
        "fair_greedy_pool",
        &["share", "applying", "lowest_of_others"],
    ),
    ("score_greedy", &["share", "applying", "lowest_of_others"]),
    ("target_share", &["share", "applying", "lowest_of_others"]),
    ("optimal", &["planned_share", "share", "applying"]),
];

#[test]
fn reasons_name_what_the_choice_hung_on() {
    for event in all() {
        let policy = event["policy"].as_str().expect("a label");
        let terms = TERMS.iter().find(|(kind, _)| *kind == policy);
        for term in terms.iter().flat_map(|(_, terms)| *terms) {
            assert!(event["reason"][term].is_number(), "no {term}: {event}");
        }
        let reason = |name: &str| event["reason"][name].as_f64().expect("a number");
        let taken = event["chosen"]
            .as_array()
            .is_some_and(|ids| !ids.is_empty());
        match policy {
            "greedy" => assert_eq!(reason("slack") > 0.0, taken, "{event}"),
            "quota_lookahead" => {
                let fits = reason("slack") > 0.0 && reason("spare") >= 0.0;
                assert_eq!(fits, taken, "{event}");
            }
            "virtual_queue" => assert_eq!(reason("score") <= reason("v"), taken, "{event}"),
            "fair_greedy" => assert!(reason("relative_rank") >= reason("highest_passed")),
            "swap" | "uniform_interviews" => {
                assert!(
                    reason("lowest_taken") >= reason("highest_passed"),
                    "{event}"
                );
            }
            _ => {}
        }
    }
}
