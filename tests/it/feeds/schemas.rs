//! `klero schema`.

use serde_json::{Value, json};

use crate::support::configs::FEED;
use crate::support::configs::SOUND;
use crate::support::refusals::refusal;
use crate::support::says::Says as _;
use crate::support::schema::{fits, strict};
use crate::support::terminal::Terminal;

/// A pool that answers to admissions.
const POOL: &str = r#"name = "pool"
seed = 1
replications = 3

[source]
type = "gaussian_groups"
groups = { u = { mean = 5.0, variance = 1.0 }, v = { mean = 5.0, variance = 1.0 } }

[rules]
slate = 20
choose = { share = 0.3 }
until = { rounds = 20 }

[pool]
type = "positive_reinforcement"
start = { u = 0.1 }
eta = 0.05

[[policy]]
label = "fair"
kind = "fair_greedy_pool"
target = { u = 0.4 }
lambda = 2.0

[[policy]]
label = "scores"
kind = "score_greedy"

[report]
baseline = "scores"
target = { u = 0.4 }
lambda = 2.0
direction = { utility = "none" }
"#;

#[test]
fn a_record_of_any_run_and_of_one() {
    let terminal = Terminal::new();
    let any: Value = serde_json::from_str(&terminal.done(&["schema", "candidate"])).unwrap();
    assert_eq!(
        any["$schema"],
        "https://json-schema.org/draft/2020-12/schema"
    );
    terminal.put("my.toml", FEED);
    insta::assert_snapshot!(terminal.done(&["schema", "candidate", "my.toml"]));
}

#[test]
fn a_config_without_a_feed_has_none() {
    let terminal = Terminal::new();
    terminal.put("my.toml", SOUND);
    let said = terminal.klero(&["schema", "candidate", "my.toml"]);
    assert_eq!((said.code, said.stdout.as_str()), (Some(2), ""));
    said.stderr.says("its [source] is no feed");
    terminal.put("wrong.toml", "seed = x");
    refusal(&terminal, &["schema", "candidate", "wrong.toml"]);
}

#[test]
fn what_runs_write_fits_its_schemas() {
    let terminal = Terminal::new();
    let schema = |subject: &str| strict(&terminal.done(&["schema", subject]));
    let (summary, decision) = (schema("summary"), schema("decision"));
    let goal =
        "goal = { best = \"selection_rate\", where = { representation_loss = \"<= 0.3\" } }\n";
    terminal.put(
        "goal.toml",
        SOUND.replace("[report]\n", &format!("[report]\n{goal}")),
    );
    terminal.put(
        "one.toml",
        SOUND.replace("replications = 4", "replications = 1"),
    );
    terminal.put("none.toml", SOUND.replace("baseline = \"all\"\n", ""));
    terminal.put("pool.toml", POOL);
    terminal.done(&["show", "organiser", "--files", "."]);
    terminal.done(&["show", "applicants", "--files", "."]);
    for (nth, config) in [
        "goal.toml",
        "one.toml",
        "none.toml",
        "organiser",
        "applicants",
        "schumann2019-fig1",
        "grazzi2022-fig1",
        "pool.toml",
    ]
    .iter()
    .enumerate()
    {
        let out = format!("out{nth}");
        let replications = if *config == "one.toml" { "1" } else { "3" };
        let mut args = vec!["run", config, "-q", "--trace", "decisions", "--out", &out];
        args.extend(["--replications", replications]);
        terminal.done(&args);
        fits(&summary, &terminal.read(&format!("{out}/summary.json")));
        let decisions = terminal.read(&format!("{out}/decisions.ndjson"));
        assert!(!decisions.is_empty(), "{config}");
        decisions
            .lines()
            .take(50)
            .for_each(|line| fits(&decision, line));
    }
    // They refuse what is none.
    let event = terminal.read("out0/decisions.ndjson");
    let event: Value = serde_json::from_str(event.lines().next().expect("one")).unwrap();
    for (member, value) in [("round", json!(-1)), ("p", json!("1")), ("more", json!(1))] {
        let mut wrong = event.clone();
        wrong[member] = value;
        assert!(!decision.is_valid(&wrong), "{member}");
    }
}

#[test]
fn what_a_comparison_prints_fits_its_schema() {
    let terminal = Terminal::new();
    let schema = strict(&terminal.done(&["schema", "comparison"]));
    let rows = (0..20).map(|case| format!("{case},a,{}\n{case},b,{}\n", case % 3, case % 2));
    let rows: String = rows.collect();
    terminal.put("t.csv", format!("case,policy,score\n{rows}20,a,1\n"));
    let words = [
        "compare", "t.csv", "--metric", "score", "--pair", "case", "--format", "json",
    ];
    for more in [
        &[][..],
        &["--range", "0..2", "--baseline", "a", "--margin", "0.5"],
    ] {
        let said = terminal.done(&[&words, more].concat());
        fits(&schema, &said);
        let mut wrong: Value = serde_json::from_str(&said).unwrap();
        wrong["cases"] = json!(-1);
        assert!(!schema.is_valid(&wrong));
    }
}

/// A schema takes what the server's reader takes, and refuses what that refuses.
#[test]
fn answers_withdrawals_and_closings_fit_what_their_readers_take() {
    use kleroterion::feed::{closing, look, withdrawal};

    let terminal = Terminal::new();
    let kinds = ["phone".into()];
    let reads = |subject: &str, text: &str| match subject {
        "look" => look(text, &kinds, None, 1).is_ok(),
        "withdrawal" => withdrawal(text, 1).is_ok(),
        _ => closing(text).is_ok(),
    };
    let long = "x".repeat(201);
    let cases = [
        ("look", json!({"candidate": "ann", "value": 9}), true),
        (
            "look",
            json!({"candidate": 7, "kind": "phone", "value": 0.5, "nth": 2, "by": "Jo"}),
            true,
        ),
        (
            "look",
            json!({"candidate": "ann", "value": 9, "nth": null, "by": null}),
            true,
        ),
        ("look", json!({"candidate": "ann"}), false),
        ("look", json!({"candidate": "", "value": 9}), false),
        ("look", json!({"candidate": "ann", "value": "9"}), false),
        (
            "look",
            json!({"candidate": "ann", "value": 9, "kind": null}),
            false,
        ),
        (
            "look",
            json!({"candidate": "ann", "value": 9, "nth": 0}),
            false,
        ),
        (
            "look",
            json!({"candidate": "ann", "value": 9, "by": long}),
            false,
        ),
        (
            "look",
            json!({"candidate": "ann", "value": 9, "mark": 9}),
            false,
        ),
        ("withdrawal", json!({"candidate": "ann"}), true),
        ("withdrawal", json!({}), false),
        (
            "withdrawal",
            json!({"candidate": "ann", "why": "moved"}),
            false,
        ),
        ("slate", json!({}), true),
        ("slate", json!({"round": 2}), true),
        ("slate", json!({"round": 0}), false),
        ("slate", json!({"slate": 2}), false),
        ("slate", json!([]), false),
    ];
    for (subject, record, sound) in cases {
        let schema = serde_json::from_str(&terminal.done(&["schema", subject])).unwrap();
        let schema = jsonschema::validator_for(&schema).unwrap();
        assert_eq!(schema.is_valid(&record), sound, "{subject}: {record}");
        assert_eq!(
            reads(subject, &record.to_string()),
            sound,
            "{subject}: {record}"
        );
    }
}

#[test]
fn an_id_is_as_long_as_the_schema_says() {
    let terminal = Terminal::new();
    let schema: Value = serde_json::from_str(&terminal.done(&["schema", "candidate"])).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    let feed = crate::feeds::recorder::spec(&[]);
    // A character of 1, 2 and 4 bytes, of 1 and 2 units of UTF-16.
    for letter in ["x", "\u{e9}", "\u{1d4b3}"] {
        for (length, fits) in [(1, true), (256, true), (257, false)] {
            let id = letter.repeat(length);
            let record = json!({"id": id, "SEX": 1, "AGE": 30, "EDU": 1, "mark": 0});
            assert_eq!(schema.is_valid(&record), fits, "{letter} {length}");
            let read = feed.reading.json(&record.to_string(), 1);
            assert_eq!(read.is_ok(), fits, "{letter} {length}");
        }
    }
}
