//! Streams of real lanes: policies that learn, pools that react.
//!
//! Neither has a mean of its own. What is covered is the running average of the conditional means,
//! which is known here to the last digit: what the choices are worth, given whom both lanes chose;
//! what share of the applicants a group is to have, given the pool's state, where all groups'
//! scores are of one law and the best are admitted.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use kleroterion::arena::{Arena, Carrier, LaneSpec};
use kleroterion::config::Plan;
use kleroterion::draw::{Draw, Key};
use kleroterion::feedback::Answers;
use kleroterion::pool::{PoolMaker, Reinforcement};
use kleroterion::protocol::{Batch, Feedback, Ledger, Person, Probe, RoundEntry, Shown, Truth};
use kleroterion::score::{Moments, Scoreboard, Witness};

use super::{Alarms, Count, ROUNDS, Round, Screen, look};
use crate::doubles::{Stage, number};
use crate::support::configs::with;
use crate::support::worlds::POOL;
use crate::support::{long, plan};

/// What is seen of a round: a value of [0, 1], and its mean given all that was settled before it.
type Seen = fn(&RoundEntry<'_>, &Truth<'_>) -> Round;

/// Writes down what it sees.
struct Observer(Seen, Vec<Round>);

impl Witness for Observer {
    fn record(&mut self, batch: &Batch, ledger: &Ledger) {
        for at in 0..ledger.rounds() {
            let entry = RoundEntry::new(batch, at, ledger, at);
            let truth = Truth::new(batch, entry.slate());
            self.1.push((self.0)(&entry, &truth));
        }
    }
}

/// What the lanes of one replication of a plan see, in the plan's order.
fn play(plan: &Plan, replication: u64, seen: Seen) -> Vec<Vec<Round>> {
    let key = Key::new(plan.seed, replication);
    let observer = || Arc::new(Mutex::new(Observer(seen, Vec::with_capacity(ROUNDS))));
    let observers: Vec<_> = plan.lanes.iter().map(|_| observer()).collect();
    let lanes = plan.lanes.iter().zip(&observers).map(|(lane, observer)| {
        let mut scoreboard = Scoreboard::new(vec![], Moments::End);
        scoreboard.add_witness(Box::new(Arc::clone(observer)));
        let pool = plan.pool.clone().map(|dynamics| -> PoolMaker {
            Arc::new(move |_| Box::new(Reinforcement::new(dynamics.clone())))
        });
        LaneSpec {
            label: &lane.label,
            rules: Arc::clone(&plan.rules),
            prototype: &*lane.policy.prototype,
            pool,
            outside: None,
            answerer: None,
            scoreboard,
            traced: false,
            itemised: false,
        }
    });
    let arena = Arena {
        key,
        source: (plan.world.source)(key),
        feedback: plan.feedback.clone(),
        carrier: Carrier::Lane,
        lanes: lanes.collect(),
        persons: 4096,
        interrupt: Arc::new(AtomicBool::new(false)),
    };
    Stage::Current.play(arena).expect("it goes through");
    let rounds = |observer: &Arc<Mutex<Observer>>| {
        std::mem::take(&mut observer.lock().expect("it is whole").1)
    };
    observers.iter().map(rounds).collect()
}

/// (D + 1)/2 of two streams, round by round.
fn paired(a: &[Round], b: &[Round]) -> Vec<Round> {
    assert_eq!((a.len(), b.len()), (ROUNDS, ROUNDS));
    let half = |a: f64, b: f64| 0.5 * (a - b + 1.0);
    let rounds = a.iter().zip(b);
    rounds
        .map(|(a, b)| (half(a.0, b.0), half(a.1, b.1)))
        .collect()
}

/// One of these for each stream, on two threads.
fn streams<T: Send>(count: u64, stream: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let part = |odd: u64| {
        (0..count)
            .filter(|n| n % 2 == odd)
            .map(&stream)
            .collect::<Vec<T>>()
    };
    std::thread::scope(|scope| {
        let odd = scope.spawn(|| part(1));
        let mut all = part(0);
        all.extend(odd.join().expect("it goes through"));
        all
    })
}

/// Where the boundary is tightest: as it is for paired differences, and for values as they come.
const V_OPT: [f64; 2] = [1.0, 10.0];

/// Looks at the same stream with each.
fn looks(rounds: &[Round], screens: &[Screen; 2]) -> [Alarms; 2] {
    [0, 1].map(|at| look(rounds.iter().copied(), V_OPT[at], &screens[at]))
}

/// At 1 the boundary is so wide where these streams lead that half of it would pass, too; at 10 it
/// would not.
fn both_hold(what: [&'static str; 2], all: &[[Alarms; 2]]) {
    let counts = [0, 1].map(|at| Count::of(what[at], all.iter().map(|looks| looks[at]).collect()));
    counts.iter().for_each(Count::holds);
    counts[1].would_show();
}

/// Someone of merit m succeeds (1) with probability m, else not (0).
struct Success;

impl Feedback for Success {
    fn answer(&self, person: Person<'_>, _: Probe, draw: &mut Draw) -> f64 {
        let merit = person.merit().expect("this world has a truth");
        f64::from(u8::from(draw.uniform() < merit))
    }
}

/// Merits within [.1, .9], of groups on other scales.
const LEARNING: &str = r#"
name = "one learner under two labels"
seed = 11
[source]
type = "linear_groups"
mu = [0.6, -0.2, 0.3]
[[source.group]]
name = "a"
probability = 0.5
low = [0.4, 0.0, 0.2]
width = [0.6, 0.7, 0.8]
[[source.group]]
name = "b"
probability = 0.5
low = [0.5, 0.5, 0.1]
width = [0.7, 0.5, 0.5]
[rules]
slate = 3
choose = "exactly_one"
until = { rounds = 1000 }
[feedback.outcome]
type = "linear"
noise = 0.5
[[policy]]
label = "one"
kind = "fair_greedy"
[[policy]]
label = "the other"
kind = "fair_greedy"
"#;

/// What the chosen one turned out to be, and what this is in expectation.
fn success(entry: &RoundEntry<'_>, truth: &Truth<'_>) -> Round {
    let chosen = number(entry.chosen().next().expect("one is chosen"));
    let mut slots = (0..).zip(entry.slate().candidates());
    let slot = slots.find(|(_, person)| number(*person) == chosen);
    let merit = truth.merit(slot.expect("one of the slate").0);
    (
        entry.outcomes()[0].expect("all come"),
        merit.expect("this world has a truth"),
    )
}

/// The same learner under two labels: their first choices are drawn, so each learns from others.
/// Neither is better, but in a round one often is, and the other then falls behind until it has
/// learned as much.
#[test]
fn false_alarms_of_policies_that_learn() {
    let mut plan = plan(LEARNING, Path::new(""), &[]);
    plan.set_feedback(Answers::drawn(Arc::new(Success)));
    let screens = V_OPT.map(Screen::new);
    let count = if long() > 1 { 2_000 } else { 200 };
    let differ = std::sync::atomic::AtomicUsize::new(0);
    let all = streams(count, |replication| {
        let lanes = play(&plan, replication, success);
        let rounds = paired(&lanes[0], &lanes[1]);
        let apart = rounds.iter().filter(|round| round.1 != 0.5).count();
        differ.fetch_add(apart, std::sync::atomic::Ordering::Relaxed);
        looks(&rounds, &screens)
    });
    let differ = differ.into_inner() as f64 / (count * ROUNDS as u64) as f64;
    println!(
        "learning policies: the lanes choose persons of other merit in {differ:.4} of the rounds"
    );
    assert!(differ > 0.005, "{differ}");
    both_hold(
        [
            "learning policies, v_opt = 1",
            "learning policies, v_opt = 10",
        ],
        &all,
    );
}

/// How many could apply of all groups together, in a round.
const MOST: u64 = 20;

/// The share of the first group among the admitted, and what it is in expectation, given the pool's
/// state: scores say nothing of groups, so of all who applied each is as likely to be among the
/// best, and min(20, Poisson(20 theta)) of 20 apply.
fn share(entry: &RoundEntry<'_>, _: &Truth<'_>) -> Round {
    let rate = entry.pool_state()[0] * MOST as f64;
    let (mut term, mut below, mut sum) = (libm::exp(-rate), 0.0, 0.0);
    for count in 0..MOST {
        sum += count as f64 * term;
        below += term;
        term *= rate / (count + 1) as f64;
    }
    sum += MOST as f64 * (1.0 - below);
    (of_first(entry.chosen()), sum / MOST as f64)
}

/// The share of the first group.
fn of_first<'a>(people: impl Iterator<Item = Shown<'a>>) -> f64 {
    let (mut first, mut all) = (0.0, 0.0);
    for person in people {
        first += f64::from(u8::from(person.values()[0] == 0));
        all += 1.0;
    }
    first / all
}

/// Two worlds of the same law, each with a pool that answers: shares come to lie far apart, by luck
/// alone.
#[test]
fn false_alarms_of_pools_that_react() {
    let config = with(
        POOL,
        &[
            ("slate = 100", "slate = 20"),
            ("rounds = 50", "rounds = 1000"),
            ("start = { u = 0.1 }", "start = { u = 0.5 }"),
            ("eta = 0.05", "eta = 0.02"),
        ],
    ) + "[[policy]]\nlabel = \"best\"\nkind = \"score_greedy\"\ngreedy_term = \"realised\"\n";
    let plan = plan(&config, Path::new(""), &[]);
    let screens = V_OPT.map(Screen::new);
    let count = if long() > 1 { 2_000 } else { 200 };
    let all = streams(count, |stream| {
        let one = play(&plan, 2 * stream, share).swap_remove(0);
        let other = play(&plan, 2 * stream + 1, share).swap_remove(0);
        let rounds = paired(&one, &other);
        let apart = (rounds[ROUNDS - 1].1 - 0.5).abs();
        (looks(&rounds, &screens), apart)
    });
    let (all, apart): (Vec<[Alarms; 2]>, Vec<f64>) = all.into_iter().unzip();
    let apart = 2.0 * apart.iter().sum::<f64>() / count as f64;
    println!("reacting pools: at the end the applicants' shares are {apart:.3} apart on average");
    assert!(apart > 0.05, "{apart}");
    both_hold(
        ["reacting pools, v_opt = 1", "reacting pools, v_opt = 10"],
        &all,
    );
}
