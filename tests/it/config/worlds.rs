//! Worlds that a config spells out, through the binary.

use crate::support::configs::with;
use crate::support::same::same_bytes;
use crate::support::says::Says as _;
use crate::support::terminal::Terminal;
use crate::support::{config, near, plan, play, project, stats};

#[allow(dead_code)] // Its `main` prints.
#[path = "../../../examples/streams.rs"]
mod streams;

/// A copula, errors, misread values, arrivals and a change.
pub const WORLD: &str = r#"name = "a world"
seed = 3
replications = 2

[source]
type = "people"
shares = { group = { a = 0.6, b = 0.4, c = 0.0 }, degree = { yes = 0.3, no = 0.7 } }
group = "group"
merit = { by = "group", of = { a = { law = "beta", a = 2, b = 3 }, b = { law = "beta", a = 3, b = 2 }, c = { law = "uniform", low = 0.0, high = 1.0 } } }
score = "merit"
misread = { degree = 0.1 }
errors = { score = { by = "group", of = { a = {}, b = { bias = -0.2, sd = 0.1 }, c = { sd = 0.3 } } } }
copula = { of = ["degree", "merit"], correlations = [[1.0, 0.4], [0.4, 1.0]] }
arrivals = { poisson = "30/min", daily = [1.0, 3.0], bursts = { every = "5m", length = "1m", times = 4 } }

[source.features]
age = { law = "mixture", laws = [{ weight = 0.4, law = "normal", mean = 25, sd = 3 }, { weight = 0.6, law = "gamma", shape = 20, scale = 2 }] }
time = { law = "dirichlet", alpha = { work = 2.0, care = 1.0 } }

[[source.change]]
at = "5m"
shares = { group = { a = 0.4, b = 0.4, c = 0.2 }, degree = { yes = 0.3, no = 0.7 } }

[rules]
slate = 5
choose = "exactly_one"
until = { rounds = 150 }

[feedback.outcome]
type = "bernoulli"
flip = { by = "group", of = { a = 0.0, b = 0.1, c = 0.2 } }

[[policy]]
label = "uniform"
kind = "uniform_choice"

[[policy]]
label = "fair oracle"
kind = "gmf_oracle"

[report]
at = [50, 150]
judge = ["fair_regret", "outcome_mean"]
"#;

#[test]
fn a_world_is_the_same_bytes_whatever_carries_it() {
    same_bytes(&Terminal::new(), WORLD, &[]);
    let timed = with(WORLD, &[("slate = 5", "slate = { every = \"10s\" }")]);
    let timed = with(&timed, &[("exactly_one", "at_most_one")]);
    same_bytes(
        &Terminal::new(),
        &timed,
        &["--set", "report.judge=[\"outcome_mean\"]"],
    );
}

/// A decision has the arrivals of its slate, which are those of `people.csv`; not where numbers are
/// hidden, and not where there are none.
#[test]
fn decisions_say_when_people_came() {
    let terminal = Terminal::new();
    terminal.put("world.toml", WORLD);
    let untimed = WORLD.lines().filter(|line| !line.starts_with("arrivals"));
    let untimed: Vec<_> = untimed.collect();
    let untimed = untimed.join("\n").replace("at = \"5m\"", "round = 40");
    terminal.put("untimed.toml", untimed);
    let run = |file: &str, out: &str, more: &[&str]| {
        let args = [
            "run",
            file,
            "--trace",
            "decisions",
            "--people",
            "--out",
            out,
        ];
        terminal.done(&[&args[..], more].concat());
        terminal.read(&format!("{out}/decisions.ndjson"))
    };
    let decisions = run("world.toml", "timed", &[]);
    let people = terminal.read("timed/people.csv");
    let mut csv = csv::Reader::from_reader(people.as_bytes());
    let header = csv.headers().unwrap().clone();
    let place = |name: &str| header.iter().position(|column| column == name).unwrap();
    let key = ["policy", "round", "id", "at"].map(place);
    let rows = csv.records().map(|row| {
        let [policy, round, id, at] = key.map(|place| row.as_ref().unwrap()[place].to_owned());
        ((policy, round, id), at.parse::<f64>().unwrap())
    });
    let mut rows: std::collections::BTreeMap<_, _> = rows.collect();
    assert_eq!(decisions.lines().count(), 300);
    for line in decisions.lines() {
        let one: serde_json::Value = serde_json::from_str(line).unwrap();
        let (policy, round) = (one["policy"].as_str().unwrap(), one["round"].to_string());
        let (shown, at) = (
            one["shown"].as_array().unwrap(),
            one["at"].as_array().unwrap(),
        );
        assert_eq!((shown.len(), at.len()), (5, 5));
        for (id, at) in shown.iter().zip(at) {
            let id = id.as_str().unwrap().to_owned();
            let due = rows.remove(&(policy.to_owned(), round.clone(), id));
            assert_eq!(due, at.as_f64());
        }
    }
    assert!(rows.is_empty());
    for (file, out, more) in [
        ("untimed.toml", "none", &[][..]),
        ("world.toml", "hidden", &["--hide-identities"][..]),
        (
            "world.toml",
            "dropped",
            &["--drop-attributes", "degree"][..],
        ),
    ] {
        assert!(!run(file, out, more).contains("\"at\":"), "{out}");
    }
}

/// Contexts under a pool, and rounds of varying size.
#[test]
fn linear_groups_under_a_pool() {
    let groups = config("grazzi2022-groups.toml");
    let pool = "[pool]\ntype = \"positive_reinforcement\"\nstart = { a = 0.3, b = 0.5 }\neta = 0.1\n\n[rules]";
    let text = with(
        &groups,
        &[("[rules]", pool), ("slate = 10", "slate = { poisson = 6 }")],
    );
    let text = with(
        &text,
        &[("choose = \"exactly_one\"", "choose = \"at_most_one\"")],
    );
    let text = with(
        &text,
        &[("judge = [\"fair_regret\"]", "judge = [\"mean_merit\"]")],
    );
    let fewer = [
        "--replications",
        "2",
        "--set",
        "rules.until.rounds=60",
        "--set",
        "report.at=[60]",
    ];
    same_bytes(&Terminal::new(), &text, &fewer);
}

/// Of tosses with the merit as their chance, flipped with a probability, the mean is known.
#[test]
fn flipped_outcomes_have_the_mean_of_label_noise() {
    let text = with(
        WORLD,
        &[
            ("\"uniform_choice\"", "\"accept_all\""),
            ("exactly_one", "any"),
            ("replications = 2", "replications = 40"),
            (
                "judge = [\"fair_regret\", \"outcome_mean\"]",
                "judge = [\"outcome_mean.group:a\", \"outcome_mean.group:b\"]",
            ),
            (
                "\n[[policy]]\nlabel = \"fair oracle\"\nkind = \"gmf_oracle\"\n",
                "",
            ),
            ("at = \"5m\"", "at = \"100d\""),
        ],
    );
    let run = play(&plan(&text, &project(), &[]));
    // Of a: mean 2/5, never flipped; of b: mean 3/5, flipped with .1.
    for (group, due) in [("a", 0.4), ("b", 0.6 * 0.9 + 0.4 * 0.1)] {
        let seen = stats(
            &run,
            "uniform",
            &format!("outcome_mean.group:{group}"),
            None,
        );
        near(group, &seen, due, 0.0);
    }
}

#[test]
fn what_is_known_of_a_world_is_said() {
    let terminal = Terminal::new();
    terminal.put("world.toml", WORLD);
    let said = terminal.done(&["check", "world.toml"]);
    said.never_says("held-out");
    let coupled = with(
        WORLD,
        &[("[\"degree\", \"merit\"]", "[\"group\", \"merit\"]")],
    );
    let coupled = with(
        &coupled,
        &[(
            "at = \"5m\"\nshares = { group = { a = 0.4, b = 0.4, c = 0.2 }, degree = { yes = 0.3, no = 0.7 } }",
            "at = \"5m\"\nmisread = { degree = 0.2 }",
        )],
    );
    terminal.put(
        "coupled.toml",
        with(
            &coupled,
            &[
                (
                    "judge = [\"fair_regret\", \"outcome_mean\"]",
                    "judge = [\"outcome_mean\"]",
                ),
                ("gmf_oracle", "uniform_choice"),
            ],
        ),
    );
    terminal.done(&["check", "coupled.toml"]);
    let steady = with(
        WORLD,
        &[("[\"degree\", \"merit\"]", "[\"group\", \"merit\"]")],
    );
    let start = steady.find("[[source.change]]").unwrap();
    let end = steady.find("[rules]").unwrap();
    terminal.put(
        "steady.toml",
        format!("{}{}", &steady[..start], &steady[end..]),
    );
    let said = terminal.done(&["check", "steady.toml"]);
    said.says("held-out");
}

#[tokio::test]
async fn the_example_of_streams_waits_as_long_as_expected() {
    let (rounds, seconds) = streams::waits(100).await.unwrap();
    // 100 / .3 people are expected, with a standard deviation of 28; ten a minute.
    assert!(
        (333.3 - 10.0 * rounds as f64).abs() < 4.0 * 28.0,
        "{rounds}"
    );
    let due = 6.0 * 10.0 * rounds as f64;
    assert!(
        (seconds - due).abs() < 4.0 * 6.0 * (10.0 * rounds as f64).sqrt(),
        "{seconds}"
    );
}
