//! Answers of runs made by hand.

mod alarms;
mod words;

use super::*;
use crate::goal::{Goal, Meets};
use crate::{Constraint, GoalBound, Summary, Versus};
use kleroterion_core::protocol::Ending;
use kleroterion_core::score::{LaneResult, MetricRow, PolicyRun};

/// A policy by label, with its loss and its rate about which replications vary a little.
type Made = (&'static str, f64, f64);

fn run(policies: &[Made], replications: u64) -> RunResult {
    let lane = |loss: f64, rate: f64, at: u64| {
        let shake = |mean: f64, by: f64| mean + 0.01 * libm::sin(at as f64 + by);
        let values = [
            ("representation_loss", shake(loss, loss)),
            ("selection_rate", shake(rate, rate)),
        ];
        LaneResult::new(
            Ending::Filled,
            None,
            values.map(|(metric, value)| MetricRow {
                metric: metric.into(),
                at: None,
                value,
            }),
        )
    };
    let policy = |(label, loss, rate): &Made| {
        PolicyRun::new(*label, "k").with((0..replications).map(|at| lane(*loss, *rate, at)))
    };
    RunResult {
        name: "t".into(),
        seed: 1,
        replications,
        policies: policies.iter().map(policy).collect(),
        ..RunResult::default()
    }
}

fn judge() -> Judge {
    Judge {
        metrics: vec!["representation_loss".into(), "selection_rate".into()],
        versus: Versus::Baseline("cmdp".into()),
        yardsticks: vec!["everybody".into()],
        alpha: 0.05,
        ..Judge::default()
    }
}

fn answer(policies: &[Made], replications: u64, judge: &Judge) -> Answer {
    Summary::of(&run(policies, replications), judge).answer
}

const FOUR: [Made; 5] = [
    ("queue", 0.1, 0.6),
    ("cmdp", 0.2, 0.4),
    ("slow", 0.2, 0.2),
    ("quotas", 0.02, 0.1),
    ("everybody", 0.5, 1.0),
];

#[test]
fn who_is_better_on_all_dominates_and_the_rest_is_the_frontier() {
    let found = answer(&FOUR, 300, &judge());
    let strings = |labels: &[&str]| labels.iter().map(|l| (*l).to_owned()).collect::<Vec<_>>();
    assert_eq!(found.frontier, strings(&["queue", "quotas"]));
    let known = [["queue", "cmdp"], ["queue", "slow"]].map(|pair| pair.map(str::to_owned));
    assert_eq!(found.dominates, known);
    assert_eq!(found.open, 0);
    assert_eq!(
        found.headline,
        "No policy leads on both measures, as \u{201c}quotas\u{201d} represents best and \
         \u{201c}queue\u{201d} screens fewest"
    );
}

/// Equal losses are no dominance without a margin, and one with it.
#[test]
fn equal_is_as_good_only_within_a_margin() {
    let two: [Made; 2] = [("cmdp", 0.2, 0.4), ("queue", 0.2, 0.6)];
    let mut judge = judge();
    assert!(answer(&two, 300, &judge).dominates.is_empty());
    assert_eq!(answer(&two, 300, &judge).open, 1);
    judge.margins.insert("representation_loss".into(), 0.2);
    let found = answer(&two, 300, &judge);
    assert_eq!(found.dominates, [["queue", "cmdp"].map(str::to_owned)]);
    // On the rate alone, in people.
    let is_lead = |headline: &str| {
        headline.starts_with("\u{201c}queue\u{201d} leads \u{201c}cmdp\u{201d}: ")
            && headline.ends_with(" more chosen of 100 screened")
    };
    assert!(is_lead(&found.headline), "{}", found.headline);
    let mut one = judge.clone();
    one.metrics = vec!["selection_rate".into()];
    let alone = answer(&two, 300, &one).headline;
    assert!(is_lead(&alone), "{alone}");
}

#[test]
fn a_yardstick_is_in_none_of_the_lists() {
    let goal = Goal {
        best: "selection_rate".into(),
        constraints: Vec::new(),
    };
    for (versus, goal) in [
        (Versus::Baseline("everybody".into()), None),
        (Versus::Everyone, None),
        (Versus::Everyone, Some(goal)),
    ] {
        let judge = Judge {
            versus,
            goal,
            ..judge()
        };
        let found = answer(&FOUR, 300, &judge);
        let text = serde_json::to_value(&found).unwrap();
        for member in ["headline", "frontier", "dominates", "goal"] {
            let shown = text[member].to_string();
            assert!(!shown.contains("everybody"), "{member}: {shown}");
        }
        assert_eq!(found.dominates.len(), 2);
    }
}

#[test]
fn nothing_is_sure_of_few_replications() {
    let found = answer(&FOUR, 2, &judge());
    assert!(found.dominates.is_empty());
    assert_eq!((found.frontier.len(), found.open), (4, 6));
    assert!(
        found.headline.starts_with("Open among all 4 policies"),
        "{}",
        found.headline
    );
}

fn goal(loss: f64) -> Judge {
    Judge {
        goal: Some(Goal {
            best: "selection_rate".into(),
            constraints: vec![Constraint {
                metric: "representation_loss".into(),
                bound: GoalBound::AtMost(loss),
            }],
        }),
        ..judge()
    }
}

#[test]
fn a_goal_names_the_best_that_surely_meets_it_and_says_who_fails() {
    let judge = goal(0.15);
    let found = answer(&FOUR, 300, &judge);
    let goal = found.goal.unwrap();
    assert_eq!(goal.answer, ["queue"]);
    assert!(goal.settled && goal.needed.is_none());
    let words: Vec<_> = goal
        .meets
        .iter()
        .map(|(label, meets)| (label.as_str(), meets.word()))
        .collect();
    assert_eq!(
        words,
        [
            ("queue", "surely"),
            ("cmdp", "surely not"),
            ("slow", "surely not"),
            ("quotas", "surely")
        ]
    );
    // Half of alpha for the constraints of four contenders, half for two metrics times seven pairs.
    assert!(
        goal.tests
            .iter()
            .all(|test| (test.alpha - 0.025 / 4.0).abs() < 1e-15)
    );
    let text = serde_json::to_string(&goal).unwrap();
    assert!(
        text.starts_with(
            r#"{"best":"selection_rate","where":{"representation_loss":"<= 0.15"},"meets":{"queue":"surely","cmdp":"surely not","slow":"surely not","quotas":"surely"},"answer":["queue"],"needed":null"#
        ),
        "{text}"
    );
    assert_eq!(serde_json::from_str::<GoalAnswer>(&text).unwrap(), goal);
    assert_eq!(
        found.headline,
        "\u{201c}queue\u{201d} screens fewest of those that surely keep gap to a target at most 15 points; \
         \u{201c}cmdp\u{201d} and \u{201c}slow\u{201d} surely fail"
    );
    let summary = Summary::of(&run(&FOUR, 300), &judge);
    assert!(summary.pairs.iter().all(|pair| pair.b == "cmdp"));
    assert!((summary.pairs[0].alpha - 0.025 / 14.0).abs() < 1e-15);
    assert_eq!(summary.answer.between.len(), 6);
}

#[test]
fn a_goal_is_open_while_there_are_few() {
    let few = answer(&FOUR, 12, &goal(0.15)).goal.unwrap();
    assert!(!few.settled && few.answer.is_empty());
    assert!(few.meets.iter().all(|(_, meets)| *meets == Meets::Open));
    assert!(few.needed.unwrap() > 10, "{:?}", few.needed);
    let never = answer(&FOUR, 300, &goal(0.001));
    assert_eq!(never.goal.unwrap().answer, Vec::<String>::new());
    assert!(
        never
            .headline
            .starts_with("No policy meets the goal gap to a target at most 0.1 points")
    );
}

/// The selection of one stream is a fact once the stream has ended.
#[test]
fn on_one_stream_a_constraint_on_the_selected_is_met_or_not() {
    let judge = goal(0.15);
    let words = |run: &RunResult| {
        let goal = Summary::of(run, &judge).answer.goal.expect("a goal");
        assert!(
            goal.tests
                .iter()
                .all(|test| test.alpha == 0.0 && test.n == 1)
        );
        goal.meets
            .iter()
            .map(|(_, meets)| meets.word())
            .collect::<Vec<_>>()
    };
    let mut one = run(&FOUR, 1);
    assert_eq!(
        words(&one),
        ["surely", "surely not", "surely not", "surely"]
    );
    one.policies[0].change(|lanes| lanes[0].ending = Ending::Interrupted);
    assert_eq!(words(&one)[0], "open");
}

#[test]
fn who_broke_off_is_not_compared() {
    let mut broken = run(&FOUR, 300);
    broken.policies[0].change(|lanes| lanes[3].ending = Ending::Panicked);
    let found = Summary::of(&broken, &judge()).answer;
    // Without a margin equal losses leave it open which of the two is better.
    assert_eq!(found.frontier, ["cmdp", "slow", "quotas"]);
    assert!(
        found
            .headline
            .ends_with("; \u{201c}queue\u{201d} broke off"),
        "{}",
        found.headline
    );
}

#[test]
fn one_policy_and_none_say_so() {
    let one = answer(&FOUR[..1], 300, &judge());
    assert_eq!(
        one.headline,
        "\u{201c}queue\u{201d} is the only policy to choose"
    );
    let none = answer(&FOUR[4..], 300, &judge());
    assert_eq!(
        none.headline,
        "Every policy is a yardstick: there is none to choose"
    );
    let open = Judge {
        versus: Versus::Nobody,
        ..judge()
    };
    let found = answer(&FOUR, 300, &open);
    assert!(
        found.headline.starts_with("No policies are compared"),
        "{}",
        found.headline
    );
    assert!(found.frontier.is_empty() && found.goal.is_none());
}
