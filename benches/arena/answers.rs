//! Answers drawn by the lane and by its feedback task: policies of configs that come with the
//! program, with either carrier.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use kleroterion::arena::{Arena, Carrier, LaneSpec};
use kleroterion::config::{Document, Plan, check};
use kleroterion::draw::Key;
use kleroterion::score::{MetricRow, Moments, OutcomeSum, Scoreboard, Scorer, Spending};
use tokio::runtime::{Builder, Runtime};

use crate::clock::{Clock, Times};

const BANDITS: &str = include_str!("../../configs/grazzi2022-fig1.toml");
const COHORTS: &str = include_str!("../../configs/schumann2019-t2.toml");

/// A policy of a config, or all, and how often they ask.
struct Case {
    name: &'static str,
    config: &'static str,
    /// All policies of the config where none is named.
    policy: Option<&'static str>,
    set: &'static [&'static str],
    quick: &'static [&'static str],
    /// The metric that counts its questions; an outcome a round where there is none.
    asks: Option<&'static str>,
    /// The most that the task may take, as a multiple of the lane's time.
    target: f64,
}

const OUTCOMES: f64 = 1.10;
const LOOKS: f64 = 1.15;

const CASES: [Case; 9] = [
    Case {
        name: "all eight policies, outcomes at once",
        config: BANDITS,
        policy: None,
        set: &["replications=1"],
        quick: &["rules.until.rounds=50", "report.at=[50]"],
        asks: None,
        target: OUTCOMES,
    },
    Case {
        name: "all eight policies, outcomes a round later",
        config: BANDITS,
        policy: None,
        set: &["replications=1", "feedback.outcome.delay=1"],
        quick: &["rules.until.rounds=50", "report.at=[50]"],
        asks: None,
        target: OUTCOMES,
    },
    Case {
        name: "fair_greedy, outcomes a round later",
        config: BANDITS,
        policy: Some("fair greedy"),
        set: &["replications=4", "feedback.outcome.delay=1"],
        quick: &["rules.until.rounds=50", "report.at=[50]"],
        asks: None,
        target: OUTCOMES,
    },
    Case {
        name: "fair_greedy, outcomes at once",
        config: BANDITS,
        policy: Some("fair greedy"),
        set: &["replications=4"],
        quick: &["rules.until.rounds=50", "report.at=[50]"],
        asks: None,
        target: OUTCOMES,
    },
    Case {
        name: "ridge_greedy, outcomes a round later",
        config: BANDITS,
        policy: Some("ridge greedy"),
        set: &["replications=20", "feedback.outcome.delay=1"],
        quick: &["rules.until.rounds=50", "report.at=[50]"],
        asks: None,
        target: OUTCOMES,
    },
    Case {
        name: "uniform_choice, outcomes a round later",
        config: BANDITS,
        policy: Some("uniform"),
        set: &["replications=20", "feedback.outcome.delay=1"],
        quick: &["rules.until.rounds=50", "report.at=[50]"],
        asks: None,
        target: OUTCOMES,
    },
    Case {
        name: "swap, an interview a move",
        config: COHORTS,
        policy: Some("SWAP"),
        set: &["replications=100"],
        quick: &["replications=2"],
        asks: Some("pulls"),
        target: LOOKS,
    },
    Case {
        name: "swap that buys strong looks alone",
        config: COHORTS,
        policy: Some("strong"),
        set: &["replications=100"],
        quick: &["replications=2"],
        asks: Some("pulls"),
        target: LOOKS,
    },
    Case {
        name: "swap in four ways, side by side",
        config: COHORTS,
        policy: None,
        set: &["replications=40"],
        quick: &["replications=2"],
        asks: Some("pulls"),
        target: LOOKS,
    },
];

impl Case {
    fn plan(&self, quick: bool) -> Plan {
        let mut document = Document::parse(self.config).expect("the config parses");
        let quick = if quick { self.quick } else { &[] };
        for assignment in self.set.iter().chain(quick) {
            document.set(assignment).expect("the key can be set");
        }
        let mut plan = check(&document, Path::new("")).expect("the config is sound");
        plan.keep_lanes(|lane| self.policy.is_none_or(|policy| lane.label == policy));
        plan
    }

    /// Plays it in this thread; how many questions were asked, and what was scored.
    fn play(&self, plan: &Plan, carrier: Carrier, runtime: &Runtime) -> (f64, Vec<MetricRow>) {
        let mut all = Vec::new();
        for replication in 0..plan.replications {
            let key = Key::new(plan.seed, replication);
            let lanes = plan.lanes.iter().map(|lane| {
                let scorers: Vec<Box<dyn Scorer>> =
                    vec![Box::<Spending>::default(), Box::<OutcomeSum>::default()];
                LaneSpec {
                    label: &lane.label,
                    rules: Arc::clone(&plan.rules),
                    prototype: &*lane.policy.prototype,
                    pool: None,
                    outside: None,
                    answerer: None,
                    scoreboard: Scoreboard::new(scorers, Moments::End),
                    traced: false,
                    itemised: false,
                }
            });
            let arena = Arena {
                key,
                source: (plan.world.source)(key),
                feedback: plan.feedback.clone(),
                carrier,
                lanes: lanes.collect(),
                persons: 1024,
                interrupt: Arc::new(AtomicBool::new(false)),
            };
            let played = runtime.block_on(arena.play()).expect("the arena plays");
            let scored = played.lanes.into_iter();
            all.extend(
                scored.flat_map(|(board, stop)| board.finish(stop).rows().collect::<Vec<_>>()),
            );
        }
        let asked = match self.asks {
            Some(metric) => {
                let rows = all.iter().filter(|row| *row.metric == *metric);
                rows.map(|row| row.value).sum()
            }
            None => (plan.rules.horizon() * plan.replications) as f64 * plan.lanes.len() as f64,
        };
        (asked, all)
    }
}

/// Prints the cost of a question by either carrier.
pub fn answers(clock: Clock, quick: bool) {
    println!("\nanswers by the lane and by its feedback task, batch 1,024, us a question");
    println!(
        "                                             questions     lane     task    ratio (target)  ns more"
    );
    let repetitions = if quick { 2 } else { 9 };
    let runtime = Builder::new_current_thread().build().expect("a runtime");
    for case in &CASES {
        let plan = case.plan(quick);
        let expected = case.play(&plan, Carrier::Lane, &runtime);
        let carriers = [Carrier::Lane, Carrier::Task];
        let times = Times::take::<2>(repetitions, |way| {
            let time =
                clock.time(|| assert!(case.play(&plan, carriers[way], &runtime) == expected));
            time / expected.0
        });
        let [lane, task] = [0, 1].map(|way| times.median(|t| t[way]));
        println!(
            "{:44} {:9} {:8.3} {:8.3} {:8.3}   ({:.2}) {:8.0}",
            case.name,
            expected.0,
            lane / 1e3,
            task / 1e3,
            times.median(|t| t[1] / t[0]),
            case.target,
            times.median(|t| t[1] - t[0]),
        );
    }
}
