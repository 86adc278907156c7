//! Groups that come from a round on, through the binary.

use crate::support::configs::with;
use crate::support::refusals::refusal;
use crate::support::same::same_bytes;
use crate::support::says::Says as _;
use crate::support::terminal::Terminal;
use crate::support::{config, many, near, plan, play, project, stats, values};

/// Group c comes from round 61 on, b from round 11; all policies of the setting play.
const DRAWN: &str = r#"name = "late groups"
seed = 4
replications = 2

[source]
type = "linear_groups"
mu = [1.0, -0.5, 2.0]

[[source.group]]
name = "a"
probability = 0.5
low = [0, 0, 0]
width = [1, 1, 0]

[[source.group]]
name = "b"
probability = 0.3
low = [1, 0, 0]
width = [2, 1, 0]
from_round = 11

[[source.group]]
name = "c"
probability = 0.2
low = [0, 0, 1]
width = [0, 1, 1]
from_round = 61

[rules]
slate = 6
choose = "exactly_one"
until = { rounds = 120 }

[feedback.outcome]
type = "linear"
noise = 0.5
delay = 3

[[policy]]
label = "fair greedy"
kind = "fair_greedy"

[[policy]]
label = "all rounds"
kind = "fair_greedy_all"

[[policy]]
label = "oful"
kind = "oful"

[[policy]]
label = "ridge"
kind = "ridge_greedy"

[[policy]]
label = "uniform"
kind = "uniform_choice"

[[policy]]
label = "fair oracle"
kind = "gmf_oracle"

[[policy]]
label = "oracle of mu"
kind = "oracle_mu"

[[policy]]
label = "oracle of ranks"
kind = "oracle_cdf"

[[policy]]
label = "best"
kind = "best_reward"

[report]
at = [10, 11, 60, 61, 120]
judge = ["fair_regret", "share.c"]
"#;

const LABELS: [&str; 9] = [
    "fair greedy",
    "all rounds",
    "oful",
    "ridge",
    "uniform",
    "fair oracle",
    "oracle of mu",
    "oracle of ranks",
    "best",
];

/// Policies that go by the estimated merits alone. The feature that makes c worth most was 0
/// before c came, so its estimated worth is 0, and whoever never tries it never learns more.
const UNKNOWING: [&str; 2] = ["ridge", "oracle of ranks"];

/// The same, each round one of each group that comes.
fn one_each() -> String {
    let edits = [
        ("mu = [", "one_per_group = true\nmu = ["),
        ("probability = 0.5\n", ""),
        ("probability = 0.3\n", ""),
        ("probability = 0.2\n", ""),
        ("slate = 6", "slate = 3"),
    ];
    with(DRAWN, &edits)
}

#[test]
fn late_groups_are_the_same_bytes_whatever_carries_them() {
    for text in [DRAWN.to_owned(), one_each()] {
        same_bytes(&Terminal::new(), &text, &[]);
    }
}

#[test]
fn no_policy_chooses_a_group_before_it_comes_and_all_that_explore_do_afterwards() {
    for text in [DRAWN.to_owned(), one_each()] {
        let run = play(&plan(&text, &project(), &[&many(12)]));
        for label in LABELS {
            for (group, first) in [("b", 11), ("c", 61)] {
                let share = format!("share.{group}");
                let before = values(&run, label, &share, Some(first - 1));
                assert_eq!(before, [0.0; 12], "{label}, {group}");
                let mean = stats(&run, label, &share, Some(120)).mean;
                let chooses = group != "c" || !UNKNOWING.contains(&label);
                assert_eq!(mean > 0.0, chooses, "{label}, {group}");
            }
        }
        // Whoever knows the ranks loses nothing, right before a group comes and right after.
        for at in [10, 11, 60, 61, 120] {
            let lost = values(&run, "fair oracle", "fair_regret", Some(at));
            assert_eq!(lost, [0.0; 12], "{at}");
        }
    }
}

/// The best of K independent ranks is K / (K + 1) on average, and one at random 1/2.
#[test]
fn regret_counts_the_groups_that_have_come() {
    let run = play(&plan(&one_each(), &project(), &[&many(150)]));
    let due = |rounds: f64, k: f64| rounds * (k / (k + 1.0) - 0.5);
    let (one, two) = (due(10.0, 1.0), due(50.0, 2.0));
    for (at, due) in [
        (10, one),
        (60, one + two),
        (120, one + two + due(60.0, 3.0)),
    ] {
        let seen = stats(&run, "uniform", "fair_regret", Some(at));
        near(&format!("after {at} rounds"), &seen, due, 0.0);
    }
    // Where there is no choice there is no regret, whoever chooses.
    assert!(LABELS.iter().all(|label| {
        let first = values(&run, label, "fair_regret", Some(10));
        first.iter().all(|lost| *lost == 0.0)
    }));
}

/// Fair-Greedy learns of a group that comes in round t in round 2 t; the rule of all rounds at once.
#[test]
fn what_all_rounds_teach_serves_a_late_group_sooner() {
    let short = [
        "source.group.0.from_round=301",
        "rules.until.rounds=600",
        "report.at=[300,600]",
    ];
    let run = play(&plan(
        &config("late-group.toml"),
        &project(),
        &[&short[..], &[&many(12)]].concat(),
    ));
    let lost = |label| {
        let [before, after] = [300, 600].map(|at| stats(&run, label, "fair_regret", Some(at)).mean);
        after - before
    };
    let (half, all) = (lost("fair greedy"), lost("all rounds"));
    assert!(half > 15.0 && all < 8.0, "{half} {all}");
    let never = values(&run, "ridge greedy", "share.g1", None);
    assert_eq!(never, [0.0; 12]);
}

/// The law of the groups changes, so what needs to know it is refused; what learns plays.
#[test]
fn a_committee_from_late_groups() {
    let text = with(
        DRAWN,
        &[
            ("slate = 6", "slate = 1"),
            ("\"exactly_one\"", "\"at_most_one\""),
            ("{ rounds = 120 }", "{ accepted = 24 }"),
            (
                "[rules]",
                "[target]\ngroup = { a = 0.4, b = 0.3, c = 0.3 }\n\n[rules]",
            ),
            (&DRAWN[DRAWN.find("[[policy]]").unwrap()..], ""),
        ],
    );
    let queue = "[[policy]]\nlabel = \"queue\"\nkind = \"merit_queue\"\nrate = 0.2\nv = 1.0\n";
    let report = "\n[report]\njudge = [\"representation_loss\"]\n";
    let run = play(&plan(&format!("{text}{queue}{report}"), &project(), &[]));
    let loss = stats(&run, "queue", "representation_loss", None).mean;
    assert!(loss < 0.2, "{loss}");
    let stationary = "[[policy]]\nlabel = \"known\"\nkind = \"best_stationary\"\nrate = 0.2\n";
    let terminal = Terminal::new();
    terminal.put("late.toml", format!("{text}{stationary}{queue}{report}"));
    let said = refusal(&terminal, &["check", "late.toml"]);
    said.says("shares among candidates, which are unknown here");
}
