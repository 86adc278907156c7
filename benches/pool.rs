//! The cost of a pool's round to its policy, and the cost of looking ahead, against NumPy.
//!
//! `cargo bench --bench pool`; `-- --quick` for a few seconds.
//!
//! A round: N applicants of two groups, as many of the first as the target has; 30 % are admitted
//! by Fair-Greedy (blom, lambda = 2). **lane** = the policy in a lane with its referee, view and
//! ledger; **sorted** = the same shares, each group sorted in full, without any of them; **numpy**
//! = `pool.py` beside this file, all shares at once and `argpartition`, scores there already. CPU
//! time, medians of interleaved repetitions (NumPy's of one). Looking ahead: Fig. 2 of Puranik et
//! al. 2022 without chance, 1001 states x 1001 shares, by plain value iteration in NumPy until no
//! value grows by 1e-6 (with `--quick` ten sweeps of 1,557, scaled up). NumPy is left out where it
//! is not.

#[path = "arena/clock.rs"]
mod clock;

use std::hint::black_box;
use std::process::Command;
use std::sync::Arc;

use clock::{Clock, Times};
use kleroterion::arena::{Blind, Lane, LaneState, Play};
use kleroterion::draw::{Key, Purpose};
use kleroterion::policy::pool::optimal::{AheadState, LookAhead};
use kleroterion::policy::pool::{
    AdmittedSeats, FairGreedyPool, GreedyTerm, Infeasible, ScoreLaw, Weighing,
};
use kleroterion::protocol::{Attribute, Batch, Choose, Ledger, Rules, Schema, Until};

const ADMITTED: f64 = 0.3;
const TARGET: f64 = 0.4;

fn laws() -> [ScoreLaw; 2] {
    [ScoreLaw::of_variance(5.0, 1.0); 2]
}

fn weighing() -> Weighing {
    Weighing {
        target: vec![TARGET, 1.0 - TARGET],
        lambda: 2.0,
        greedy_term: GreedyTerm::Blom,
        laws: laws().to_vec(),
        infeasible: Infeasible::Feasible,
    }
}

/// Rounds of `n` people.
fn batch(n: usize, rounds: usize) -> Arc<Batch> {
    let group = Attribute {
        name: "group".into(),
        values: ["u", "v"].map(String::from).into(),
    };
    let schema = Schema::new(vec![group], vec![], true).unwrap();
    let mut batch = Batch::new(Arc::new(schema), 1, 0);
    let mut draw = Key::new(2022, 0).draw(Purpose::World, 0, 0);
    for _ in 0..rounds {
        for _ in 0..n {
            let group = u16::from(draw.uniform() >= TARGET);
            let score = 5.0 + draw.normal();
            let persons = batch.persons_mut();
            persons.push(u32::from(group), &[group], &[], Some(score));
        }
        batch.close_round();
    }
    Arc::new(batch)
}

fn by_lane(batch: &Arc<Batch>) -> u64 {
    let rounds = Until::Rounds(batch.rounds() as u64);
    let rules = Arc::new(Rules::new(Choose::Share(ADMITTED), rounds));
    let policy = FairGreedyPool::new(0, weighing()).unwrap();
    let state = LaneState::new(rules, Key::new(2022, 0), "fair", false, false);
    let mut lane = Lane::new(Blind(policy), state);
    let mut ledger = Ledger::new(false);
    lane.play(batch, &mut ledger);
    let (rows, _) = ledger.chosen_in(0..batch.rounds());
    rows.iter().map(|&row| u64::from(row)).sum()
}

fn sorted(batch: &Arc<Batch>) -> u64 {
    let weighing = weighing();
    let mut seats = AdmittedSeats::default();
    let mut sum = 0;
    for round in 0..batch.rounds() {
        let mut groups: [Vec<(f64, u32)>; 2] = [Vec::new(), Vec::new()];
        let roster = batch.roster(round);
        for slot in roster.clone() {
            let person = batch.persons().shown(slot);
            let score = person.score().unwrap();
            groups[person.values()[0] as usize].push((score, slot));
        }
        let places = Choose::Share(ADMITTED)
            .places(roster.len() as u32, None)
            .max;
        let sizes = [0, 1].map(|g| groups[g].len() as u32);
        weighing.seats(places, &sizes, |_, _| unreachable!(), &mut seats);
        for (group, &count) in groups.iter_mut().zip(seats.counts()) {
            group.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            let best = &group[..count as usize];
            sum += best.iter().map(|&(_, slot)| u64::from(slot)).sum::<u64>();
        }
    }
    sum
}

/// Seconds that NumPy takes, where it is.
fn numpy(arguments: &[&str]) -> Option<f64> {
    let output = Command::new("python3")
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/benches/pool.py"))
        .args(arguments)
        .output()
        .ok()?;
    String::from_utf8(output.stdout).ok()?.trim().parse().ok()
}

fn or_none(time: Option<f64>) -> String {
    time.map_or("no numpy".into(), |time| format!("{time:.1}"))
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    // Only `cargo bench` passes --bench: a test run of all targets is to be short.
    let quick = args.iter().any(|arg| arg == "--quick" || arg == "--test")
        || args.iter().all(|arg| arg != "--bench");
    let clock = Clock::new();
    let what = if clock.cpu { "CPU time" } else { "wall time" };
    choosing(&clock, quick, what);
    looking_ahead(&clock, quick);
}

/// Times a round of Fair-Greedy.
fn choosing(clock: &Clock, quick: bool, what: &str) {
    println!("Fair-Greedy on a slate of N, microseconds a round; {what}, medians");
    println!("       N       lane     sorted      numpy");
    for (n, rounds) in [(1_000, 200), (100_000, 4)] {
        let batch = batch(n, rounds);
        assert_eq!(by_lane(&batch), sorted(&batch));
        let ways = [by_lane, sorted];
        let times = Times::take::<2>(if quick { 3 } else { 15 }, |way| {
            let time = clock.time(|| {
                black_box(ways[way](&batch));
            });
            time / 1e3 / rounds as f64
        });
        let [lane, sorted] = [0, 1].map(|way| times.median(|t| t[way]));
        let python = numpy(&["round", &n.to_string(), &rounds.to_string()]);
        let python = or_none(python.map(|seconds| 1e6 * seconds / rounds as f64));
        println!("{n:8} {lane:10.1} {sorted:10.1} {python:>10}");
    }
}

/// Times the plans of the optimal policy.
fn looking_ahead(clock: &Clock, quick: bool) {
    let ahead = LookAhead {
        laws: laws(),
        admitted: ADMITTED,
        target: TARGET,
        lambda: 1.5,
        eta: 0.05,
        gamma: 0.99,
        horizon: None,
        greedy_term: GreedyTerm::MeanField,
        infeasible: Infeasible::Feasible,
        state: AheadState::MeanField { cells: 1000 },
        tolerance: 1e-7,
    };
    let drawn = |state| LookAhead {
        state,
        greedy_term: GreedyTerm::Blom,
        ..ahead
    };
    let sweeps = if quick { "10" } else { "all" };
    println!("\nLooking ahead, milliseconds to within 1e-7 (numpy: 1e-4)");
    println!("state                             time  sweeps      numpy");
    let applicants = 100;
    for (name, ahead) in [
        ("mean field, 1001 x 1001", ahead),
        ("share, N = 100", drawn(AheadState::Share { applicants })),
        (
            "theta, N = 100, 1001 states",
            drawn(AheadState::Theta {
                applicants,
                cells: 1000,
            }),
        ),
    ] {
        let plan = ahead.solve().unwrap();
        let times = Times::take::<1>(if quick { 1 } else { 5 }, |_| {
            let solve = || assert!(black_box(ahead.solve()).is_ok());
            clock.time(solve) / 1e6
        });
        let time = times.median(|t| t[0]);
        let python = match ahead.state {
            AheadState::MeanField { .. } => or_none(numpy(&["ahead", sweeps]).map(|s| 1e3 * s)),
            _ => String::new(),
        };
        println!("{name:28} {time:9.1} {:7} {python:>10}", plan.sweeps);
    }
}
