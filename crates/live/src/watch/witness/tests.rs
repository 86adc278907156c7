use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::*;
use kleroterion_core::arena::{Arena, Carrier, LaneSpec};
use kleroterion_core::draw::Key;
use kleroterion_core::score::{Moments, Scoreboard};
use kleroterion_io::trace::{Names, merge_decisions};
use kleroterion_run::config::{Document, Plan, check};
use kleroterion_run::run::{self, Settings, Traces};

const POOL: &str = r#"
name = "a pool"
seed = 1
replications = 1
[source]
type = "gaussian_groups"
groups = { u = { mean = 5.0, variance = 1.0 }, v = { mean = 5.0, variance = 1.0 } }
[rules]
slate = 12
choose = { share = 0.3 }
until = { rounds = 300 }
[pool]
type = "positive_reinforcement"
start = { u = 0.1 }
eta = 0.05
[[policy]]
label = "b"
kind = "fair_greedy_pool"
target = { u = 0.4 }
lambda = 0.5
greedy_term = "realised"
[[policy]]
label = "a"
kind = "fair_greedy_pool"
target = { u = 0.4 }
lambda = 2.0
greedy_term = "realised"
[report]
target = { u = 0.4 }
lambda = 2.0
judge = ["utility", "fairness_loss"]
at = { rounds = [1, 7, 150, 300] }
"#;

fn plan() -> Plan {
    planned(POOL, &[])
}

fn planned(text: &str, set: &[&str]) -> Plan {
    let mut document = Document::parse(text).expect("it parses");
    for assignment in set {
        document.set(assignment).expect("the key can be set");
    }
    check(&document, Path::new(".")).unwrap_or_else(|problems| panic!("{problems}"))
}

/// Plays the plan in batches of this many persons with both witnesses on each lane.
fn watched(plan: &Plan, persons: usize, names: &Names) -> Arc<Watched> {
    stood_beside(plan, persons, names, [true, true])
}

/// The same with either witness, or none.
fn stood_beside(
    plan: &Plan,
    persons: usize,
    names: &Names,
    [tells, follows]: [bool; 2],
) -> Arc<Watched> {
    let labels: Vec<Arc<str>> = plan.lanes.iter().map(|l| l.label.as_str().into()).collect();
    let schema = Arc::clone(&plan.world.schema);
    let watched = Watched::new(
        plan.name.clone(),
        schema,
        labels,
        Some(1),
        plan.judge.clone(),
    );
    let watched = Arc::new(watched);
    let lanes = plan.lanes.iter().enumerate().map(|(place, lane)| {
        let scorers = kleroterion_run::config::scorers(plan, lane);
        let courses = CourseWitness::new(&watched, place, &scorers);
        let post = run::post(plan, 0, &lane.label, names.clone(), None);
        let mut scoreboard = Scoreboard::new(scorers, Moments::End);
        if tells {
            scoreboard.add_witness(Box::new(DecisionWitness::new(&watched, place, post)));
        }
        if follows {
            scoreboard.add_witness(Box::new(courses));
        }
        LaneSpec {
            label: &lane.label,
            rules: Arc::clone(&plan.rules),
            prototype: &*lane.policy.prototype,
            pool: plan.pool.clone().map(run::pool_maker),
            outside: None,
            answerer: None,
            scoreboard,
            traced: true,
            itemised: false,
        }
    });
    let key = Key::new(plan.seed, 0);
    let arena = Arena {
        key,
        source: (plan.world.source)(key),
        feedback: plan.feedback.clone(),
        carrier: Carrier::Lane,
        lanes: lanes.collect(),
        persons,
        interrupt: Arc::new(AtomicBool::new(false)),
    };
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    let played = runtime.expect("a runtime").block_on(arena.play());
    assert!(played.is_ok());
    watched
}

/// The lines of `decisions.ndjson` of a run of the plan.
fn written(plan: &Plan) -> Vec<String> {
    let settings = Settings {
        traces: Traces {
            decisions: true,
            ..Traces::default()
        },
        ..Settings::default()
    };
    let mut file = Vec::new();
    let played = run::run(plan, &settings, |replication| {
        let logs = std::mem::take(&mut replication.decisions);
        merge_decisions(logs, 0, &mut file).map(drop)
    });
    played.expect("it goes through");
    let text = String::from_utf8(file).expect("text");
    text.lines().map(str::to_owned).collect()
}

#[test]
fn what_is_told_are_the_very_lines_of_the_file() {
    let plan = plan();
    let written = written(&plan);
    assert_eq!(written.len(), 600);
    for persons in [1, 1024] {
        let watched = watched(&plan, persons, &Names::default());
        let told = watched.decisions.since(0, usize::MAX);
        assert!(
            told.iter()
                .map(|told| told.event.to_json())
                .eq(written.iter().cloned())
        );
        // Slots name the same people as the ids do.
        for event in &told {
            let decision = &event.event.decision;
            let slots = event.slots.iter();
            let slots = slots.map(|slot| &decision.shown[*slot as usize]);
            assert!(slots.eq(&decision.chosen) && !decision.chosen.is_empty());
        }
        let acted = told.iter().filter(|event| event.lane == 1);
        let acted: Vec<_> = acted.map(|e| (e.round(), e.slots.clone())).collect();
        let lane = &watched.gauges.lanes[1];
        let chosen: usize = acted.iter().map(|(_, chosen)| chosen.len()).sum();
        assert_eq!(
            (lane.rounds.get(), lane.accepted.get()),
            (300, chosen as u64)
        );
    }
}

#[test]
fn people_are_called_as_the_names_say() {
    let plan = plan();
    let told = |names: &Names| {
        let first = watched(&plan, 64, names).decisions.since(0, 1).remove(0);
        first.event.decision.shown.clone()
    };
    let (plain, hidden) = (told(&Names::default()), told(&Names::hidden([7; 32])));
    assert_eq!(plain.len(), hidden.len());
    assert!(!plain.is_empty() && plain.iter().all(|name| !hidden.contains(name)));
}

/// Checks that a line has the values of the scorers and of a stream over the rounds.
#[test]
fn courses_are_those_of_the_rounds() {
    let mut plan = plan();
    plan.set_moments(Moments::Rounds((1..=300).collect()));
    let settings = Settings::default();
    let result = run::run(&plan, &settings, |_| Ok(())).expect("it goes through");
    let watched = watched(&plan, 1, &Names::default());
    for (lane, policy) in result.policies.iter().enumerate() {
        let lanes = policy.lanes();
        let values = lanes[0].values();
        let course = watched.courses.of(lane);
        assert_eq!(course.rounds, 300);
        let points = &course.lines[1].points;
        assert!(points.len() > 60 && points[0].round <= 2);
        let mut stream = StreamSequence::new(ALPHA, V_OPT);
        let mut sums = vec![0.0];
        for round in 1..=300_u64 {
            // A mean over the rounds so far.
            let sum = round as f64 * values[&("fairness_loss", Some(round))];
            stream.add((sum - sums[sums.len() - 1]).clamp(0.0, 1.0));
            sums.push(sum);
            let Some(point) = points.iter().find(|point| point.round == round) else {
                continue;
            };
            assert_eq!(point.value, Some(values[&("fairness_loss", Some(round))]));
            let mean = point.mean.expect("each round has a value");
            let ((lo, hi), known) = (mean.interval.unwrap(), stream.interval());
            assert!((mean.value - stream.mean()).abs() < 1e-9, "{round}");
            assert!((lo - known.0).abs() < 1e-9 && (hi - known.1).abs() < 1e-9);
        }
        let utility = course.lines[0].points.last().unwrap();
        assert_eq!(utility.value, lanes[0].at_end("utility"));
        assert_eq!(utility.mean, None);
    }
}

/// A journal is played again in other batches than its people came in: the lines are the same.
#[test]
fn courses_do_not_depend_on_batches() {
    let set = [
        "rules.until.rounds=1500",
        "report.at={ rounds = [7, 1100] }",
    ];
    let plan = planned(POOL, &set);
    let courses = |persons: usize| -> Vec<_> {
        let watched = watched(&plan, persons, &Names::default());
        (0..2).map(|lane| watched.courses.of(lane)).collect()
    };
    let one_by_one = courses(1);
    let points = &one_by_one[0].lines[1].points;
    assert!(points.len() > 100, "{}", points.len());
    for persons in [64, 1000, 1 << 20] {
        assert!(courses(persons) == one_by_one, "batches of {persons}");
    }
}

/// One person a round, on whom no policy spends much time: what the witnesses cost shows.
const COMMITTEE: &str = r#"
name = "a committee"
seed = 1
replications = 1
[source]
type = "categorical"
shares = { gender = { M = 0.7, F = 0.3 }, age = { young = 0.4, old = 0.6 } }
[target]
gender = { M = 0.5, F = 0.5 }
age = { young = 0.5, old = 0.5 }
[rules]
choose = "at_most_one"
until = { rounds = 300000 }
[[policy]]
label = "all"
kind = "accept_all"
[[policy]]
label = "queue"
kind = "virtual_queue"
[report]
judge = ["selection_rate", "representation_loss"]
pairs = "all"
"#;

/// Measures, and asserts nothing: cargo test --release --lib what_watching_costs -- --ignored
/// --nocapture
#[test]
fn what_watching_costs() {
    // A measurement: of the long form.
    if std::env::var_os("KLERO_LONG").is_none() {
        return;
    }
    let pool = ["rules.until.rounds=100000", "report.at={ rounds = [1] }"];
    for (name, plan, rounds) in [
        ("committee", planned(COMMITTEE, &[]), 300_000),
        ("pool of 12", planned(POOL, &pool), 100_000),
    ] {
        for persons in [1, 1024] {
            let mut costs = Vec::new();
            for witnesses in [[false, false], [true, false], [false, true]] {
                let mut times: Vec<f64> = (0..5)
                    .map(|_| {
                        let begun = Instant::now();
                        stood_beside(&plan, persons, &Names::default(), witnesses);
                        begun.elapsed().as_secs_f64() / f64::from(rounds) / 2.0 * 1e9
                    })
                    .collect();
                times.sort_by(f64::total_cmp);
                costs.push(times[2]);
            }
            println!(
                "{name}, batches of {persons}: {:.0} ns a round and lane; to tell decisions {:.0} \
                 more, to follow courses {:.0} more",
                costs[0],
                costs[1] - costs[0],
                costs[2] - costs[0]
            );
        }
    }
}
