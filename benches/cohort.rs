//! The cost of a look: SWAP through the protocol, as a bare loop, and in plain Python, on the same
//! kind of instance.
//!
//! `cargo bench --bench cohort`; `-- --quick` for a few seconds.
//!
//! The instances: u = i/(n-1), K = n/20, sigma = 5/(n-1), delta = .05, s = 5, j = 2 (T10 of the
//! reference at n = 1,000); top_k to the exact stop, and diverse, group i mod 3, to within .01.
//! Three ways, which must come to the same looks and cohorts: **protocol** = a lane with its
//! referee, view and ledger; **bare** = a hand-written loop with the same contest, files and draws;
//! **policy** = the same loop with the answers given, which is the policy's own work. What a look
//! costs all in is protocol less policy, a look. CPU time, medians of interleaved repetitions,
//! everything counted that a run does after its people are there, the first look at each included.
//! The Python is `cohort.py` beside this file, top_k, looks after the first at each, wall clock; it
//! is left out where there is no python3.

#[path = "arena/clock.rs"]
mod clock;

use std::hint::black_box;
use std::process::Command;
use std::sync::Arc;

use clock::{Clock, Times};
use kleroterion::arena::{Blind, Lane, LaneState, Need, Play};
use kleroterion::draw::{Key, Purpose, label_key};
use kleroterion::feedback::Gaussian;
use kleroterion::policy::cohort::{
    CohortShape, Contest, Diverse, Objective, Scope, StopRule, Swap, SwapParameters, Tiers, TopK,
    radius_scale,
};
use kleroterion::protocol::{
    Attribute, Batch, Choose, Drawn, InterviewKind, Ledger, LookStats, RoundEntry, Rules, Schema,
    SealedAnswers, Until,
};

const DELTA: f64 = 0.05;
const LABEL: &str = "swap";

/// The arms and their prices, and what the cohort is for.
struct Instance<O> {
    objective: O,
    /// The exact stop is within 0.
    epsilon: f64,
    groups: Vec<u16>,
    utilities: Vec<f64>,
    members: usize,
    sigma: f64,
    kinds: Vec<InterviewKind>,
}

/// The results on which the ways must agree: the number of looks and the cohort of each
/// replication.
type Played = Vec<(u64, Vec<u32>)>;

/// The looks of a run: after the first at each, whom, how strong and what was seen.
type Script = Vec<(u32, usize, f64)>;

impl<O: Objective> Instance<O> {
    fn new(n: usize, objective: O, epsilon: f64) -> Self {
        let last = (n - 1) as f64;
        let kind = |(name, cost, gain): (&str, f64, f64)| InterviewKind {
            name: name.into(),
            cost,
            gain: gain.into(),
        };
        Self {
            objective,
            epsilon,
            groups: (0..n).map(|i| (i % 3) as u16).collect(),
            utilities: (0..n).map(|i| i as f64 / last).collect(),
            members: n.div_ceil(20),
            sigma: 5.0 / last,
            kinds: [("weak", 1.0, 1.0), ("strong", 2.0, 5.0)].map(kind).into(),
        }
    }

    fn tiers(&self) -> Tiers {
        Tiers::of(&self.kinds).unwrap()
    }

    fn batch(&self, key: Key) -> Arc<Batch> {
        let group = Attribute {
            name: "group".into(),
            values: ["0", "1", "2"].map(String::from).into(),
        };
        let schema = Schema::new(vec![group], vec![], false).unwrap();
        let mut batch = Batch::new(Arc::new(schema), 1, 0);
        for (utility, &group) in self.utilities.iter().zip(&self.groups) {
            let persons = batch.persons_mut();
            persons.push(u32::from(group), &[group], &[], None);
            batch.push_merit(*utility);
        }
        batch.close_round();
        let feedback = Arc::new(Gaussian::new(self.sigma));
        batch.seal_looks(SealedAnswers::Drawn(Drawn { feedback, key }));
        Arc::new(batch)
    }

    /// Through lane, referee, view and ledger.
    fn by_protocol(&self, batches: &[(Key, Arc<Batch>)]) -> Played {
        let mut rules = Rules::new(Choose::Exactly(self.members as u32), Until::Rounds(1));
        rules.interviews.clone_from(&self.kinds);
        let rules = Arc::new(rules);
        let parameters = SwapParameters {
            delta: DELTA,
            sigma: self.sigma,
            stop: StopRule::Within(self.epsilon),
            ..SwapParameters::default()
        };
        let swap = Swap::new(self.objective.clone(), self.tiers(), parameters).unwrap();
        let play = |(key, batch): &(Key, Arc<Batch>)| {
            let state = LaneState::new(Arc::clone(&rules), *key, LABEL, false, false);
            let mut lane = Lane::new(Blind(swap.clone()), state);
            let mut ledger = Ledger::new(false);
            assert!(matches!(lane.play(batch, &mut ledger), Need::End(_)));
            let looks = RoundEntry::new(batch, 0, &ledger, 0).looks();
            (looks, ledger.chosen_in(0..1).0.to_vec())
        };
        batches.iter().map(play).collect()
    }

    /// Without any of them. `ask`: what the look of a replication answers, by (slot, kind, how many
    /// that arm had).
    fn run(&self, key: Key, mut ask: impl FnMut(u32, usize, u64) -> f64) -> (u64, Vec<u32>) {
        let n = self.utilities.len();
        let tiers = self.tiers();
        let alpha = (5.0 - 2.0) / (5.0 - 1.0);
        let shape = CohortShape {
            members: self.members,
            groups: self.groups.clone(),
        };
        let mut contest = self.objective.contest(shape);
        let mut coins = key.draw(Purpose::Policy, label_key(LABEL), 1);
        let mut files = vec![LookStats::default(); n];
        for (slot, file) in (0..).zip(&mut files) {
            file.add(ask(slot, tiers.weak(), 0), 1.0);
        }
        let (mut cost, mut looks) = (n as f64, n as u64);
        let (mut seen, mut picks) = (Vec::new(), Vec::new());
        loop {
            let scale = radius_scale(self.sigma, DELTA, n, cost);
            if contest.settle(&files, &seen, scale) <= self.epsilon {
                let mut cohort = contest.cohort();
                cohort.sort_unstable();
                return (looks, cohort);
            }
            contest.widest(&files, Scope::SymmetricDifference, 1, &mut picks);
            let kind = match coins.uniform() < alpha {
                true => tiers.strong(),
                false => tiers.weak(),
            };
            let file = &mut files[picks[0] as usize];
            let value = ask(picks[0], kind, u64::from(file.looks));
            file.add(value, self.kinds[kind].gain.greatest());
            cost += self.kinds[kind].cost;
            looks += 1;
            seen.clear();
            seen.push(picks[0]);
        }
    }

    fn bare(&self, key: Key) -> (u64, Vec<u32>) {
        self.run(key, |slot, kind, nth| {
            let mut draw = key.draw(Purpose::Interview, u64::from(slot), nth);
            let sd = self.sigma / self.kinds[kind].gain.greatest().sqrt();
            self.utilities[slot as usize] + sd * draw.normal()
        })
    }

    /// The answers of a run, to be given again.
    fn script(&self, key: Key) -> Script {
        let mut script = Vec::new();
        self.run(key, |slot, kind, nth| {
            let mut draw = key.draw(Purpose::Interview, u64::from(slot), nth);
            let sd = self.sigma / self.kinds[kind].gain.greatest().sqrt();
            let value = self.utilities[slot as usize] + sd * draw.normal();
            script.push((slot, kind, value));
            value
        });
        script
    }

    fn policy(&self, key: Key, script: &Script) -> (u64, Vec<u32>) {
        let mut answers = script.iter();
        self.run(key, |slot, kind, _| {
            let &(whom, how, value) = answers.next().expect("as many looks");
            assert!((whom, how) == (slot, kind), "the same looks");
            value
        })
    }
}

/// Looks a second of the plain Python, where there is one.
fn in_python(instance: &Instance<TopK>, steps: usize) -> Option<f64> {
    let numbers = [instance.sigma, DELTA, 5.0, 2.0].map(|number| number.to_string());
    let counts = [instance.utilities.len(), instance.members, steps].map(|n| n.to_string());
    let output = Command::new("python3")
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/benches/cohort.py"))
        .args(&counts[..2])
        .args(numbers)
        .arg(&counts[2])
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let mut words = text.split_whitespace();
    let mut next = || words.next()?.parse::<f64>().ok();
    Some(next()? / next()?)
}

/// The options of a measurement.
struct Bench {
    clock: Clock,
    quick: bool,
}

impl Bench {
    /// Prints the line of an instance, played `runs` times.
    fn line<O: Objective>(&self, name: &str, instance: &Instance<O>, runs: u64, python: &str) {
        let runs = if self.quick { runs.min(4) } else { runs };
        let keys: Vec<Key> = (0..runs).map(|r| Key::new(2019, r)).collect();
        let batches: Vec<_> = keys.iter().map(|&key| (key, instance.batch(key))).collect();
        let scripts: Vec<Script> = keys.iter().map(|&key| instance.script(key)).collect();
        let expected = instance.by_protocol(&batches);
        let looks: u64 = expected.iter().map(|(looks, _)| looks).sum();
        let ways: [&dyn Fn() -> Played; 3] = [
            &|| instance.by_protocol(&batches),
            &|| keys.iter().map(|&key| instance.bare(key)).collect(),
            &|| {
                let given = keys.iter().zip(&scripts);
                given
                    .map(|(&key, script)| instance.policy(key, script))
                    .collect()
            },
        ];
        let repetitions = if self.quick { 2 } else { 15 };
        let times = Times::take::<3>(repetitions, |way| {
            let time = self
                .clock
                .time(|| assert!(black_box(ways[way]()) == expected));
            time / looks as f64
        });
        let [protocol, bare, policy] = [0, 1, 2].map(|way| 1e3 / times.median(|t| t[way]));
        println!(
            "{name:8} {:6} {:10} {protocol:10.2} {bare:10.2} {policy:10.2} {:15.1} {python:>15}",
            instance.utilities.len(),
            looks / runs,
            times.median(|t| t[0] - t[2]),
        );
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    // Only `cargo bench` passes --bench: a test run of all targets is to be short.
    let quick = args.iter().any(|arg| arg == "--quick" || arg == "--test")
        || args.iter().all(|arg| arg != "--bench");
    let clock = Clock::new();
    let what = if clock.cpu { "CPU time" } else { "wall time" };
    println!("SWAP on u = i/(n-1), K = n/20; {what}, medians of interleaved repetitions");
    println!(
        "              n  looks/run   protocol       bare     policy   a look all in    plain Python"
    );
    println!(
        "                           million looks a second               ns          looks a second"
    );
    let bench = Bench { clock, quick };
    for (n, runs, steps) in [(50, 200, 2000), (1000, 20, 200), (5000, 4, 20)] {
        let instance = Instance::new(n, TopK, 0.0);
        let python = in_python(&instance, if quick { steps / 10 } else { steps });
        let python = python.map_or("no python3".into(), |rate| format!("{rate:.0}"));
        bench.line("top_k", &instance, runs, &python);
    }
    for (n, runs) in [(50, 200), (1000, 20)] {
        bench.line(
            "diverse",
            &Instance::new(n, Diverse::new(0), 0.01),
            runs,
            "",
        );
    }
}
