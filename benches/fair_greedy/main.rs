//! Exact Fair-Greedy (Grazzi et al. 2022) against the naive kernel and NumPy, rounds a second,
//! ratios measured in one run: CPU time, one thread, medians of interleaved repetitions.
//!
//! **exact** = the library's policy; **naive** = Algorithm 1 with every mu~.x of the window
//! computed anew in each round, the same ridge, the same inner product, contiguous rows; **numpy**
//! = the same in NumPy (`naive.py`, a process of its own with a stream of its own of the same law,
//! where `python3` has it). All are whole runs to T. Those of the naive ones to 100,000 are
//! *integrated*: of each tenth of the run only the middle rounds are played in earnest and timed,
//! the tenth's time is in proportion (a naive round costs about so much a round of the window, so
//! the middle is the mean); in the others they store and learn, and do what is known to be right.
//! Exact is never integrated. Exact and naive must choose the same wherever naive chooses, and
//! NumPy's chosen must be as good, or the benchmark panics.
//!
//! `cargo bench --bench fair_greedy`; `-- --quick` for a few seconds.

#[path = "../arena/clock.rs"]
mod clock;
mod memory;
mod naive;
mod numpy;
mod world;

use std::process::Command;
use std::sync::Arc;

use clock::{Clock, Times};
use kleroterion::policy::meritocratic::{FairGreedy, FairGreedyParameters};
use memory::{forget_most, memory};
use naive::Naive;
use world::{Run, Sample, World};

/// (T, how many rounds of a tenth the naive ones play in earnest, repetitions).
type Row = (u64, u64, usize);
const FULL: [Row; 4] = [
    (1_000, 100, 15),
    (10_000, 1_000, 5),
    // Says how far to trust the integration.
    (10_000, 40, 5),
    (100_000, 40, 5),
];
const QUICK: [Row; 2] = [(1_000, 100, 1), (10_000, 40, 1)];

/// So many rounds are compared first, one by one.
const COMPARED: u64 = 2_000;

fn worlds() -> [World; 2] {
    [World::section6(), World::ten()]
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let Some(at) = args.iter().position(|arg| arg == "--case") {
        let numbers: Vec<u64> = args[at + 1..].iter().flat_map(|arg| arg.parse()).collect();
        let [world, rounds] = numbers[..] else {
            panic!("--case WORLD ROUNDS");
        };
        return case(&worlds()[world as usize], rounds);
    }
    // Only `cargo bench` passes --bench: a test run of all targets is to be short.
    let quick = args.iter().any(|arg| arg == "--quick" || arg == "--test")
        || args.iter().all(|arg| arg != "--bench");
    let rows = if quick { &QUICK[..] } else { &FULL };
    let clock = Clock::new();
    let what = if clock.cpu { "CPU time" } else { "wall time" };
    let numpy = numpy::version();
    let with = numpy.as_ref().map_or_else(
        || "no NumPy: python3 is not there or has none".to_owned(),
        |version| format!("NumPy {version}"),
    );
    println!("{what}, one thread, medians of interleaved repetitions; {with}");
    println!("\nwhole runs to T, rounds/s; target (stretch):          (20)         5");
    println!("                                              exact/naive exact/numpy");
    println!("world        T      exact     naive     numpy                          naive ones");
    for world in worlds() {
        compare(&world, clock);
        for row in rows {
            measure(&world, *row, numpy.is_some(), clock);
        }
    }
    println!("\nmemory of exact, a process a line, MB: the process before and at most, and");
    println!("the numbers of the window's contexts alone (computed: (T - t~) K d 8 bytes)");
    println!("world        T     before   at most    window");
    let mut horizons: Vec<u64> = rows.iter().map(|(rounds, ..)| *rounds).collect();
    horizons.dedup();
    for (number, world) in worlds().iter().enumerate() {
        for &rounds in &horizons {
            let window = (rounds - (rounds - 1) / 2) as usize * world.slate * world.mu.len() * 8;
            let told = in_a_process(number, rounds);
            let window = window as f64 / f64::from(1 << 20);
            println!("{:5} {rounds:8} {told} {window:9.1}", world.name);
        }
    }
}

fn exact(world: &World, rounds: u64, clock: Clock) -> Run {
    let parameters = FairGreedyParameters::default();
    let policy = FairGreedy::new(world.contexts(), parameters).unwrap();
    world.play(policy, rounds, Sample::all(rounds), clock)
}

fn naive(world: &World, rounds: u64, sample: Sample, known: &Arc<[u32]>, clock: Clock) -> Run {
    let policy = Naive::new(world, sample, Arc::clone(known));
    let run = world.play(policy, rounds, sample, clock);
    let parts = (0..).zip(&*run.actions).zip(&**known);
    let parts = parts.filter(|((_, naive), exact)| naive != exact);
    let round: Option<u64> = parts.map(|((round, _), _)| round + 1).next();
    assert_eq!(round, None, "{}: exact and naive part", world.name);
    run
}

/// The first rounds, naive on its own.
fn compare(world: &World, clock: Clock) {
    let known = exact(world, COMPARED, clock).actions.into();
    naive(world, COMPARED, Sample::all(COMPARED), &known, clock);
}

/// A line of the table.
fn measure(world: &World, (rounds, middle, repetitions): Row, numpy: bool, clock: Clock) {
    let tenth = rounds / 10;
    let sample = Sample { tenth, middle };
    let known = exact(world, rounds, clock);
    let actions: Arc<[u32]> = known.actions.into();
    let times = Times::take::<3>(repetitions, |way| match way {
        0 => exact(world, rounds, clock).seconds,
        1 => naive(world, rounds, sample, &actions, clock).seconds,
        _ if numpy => {
            let (seconds, rank) = numpy::play(world, rounds, sample);
            let as_good = (rank - known.rank).abs() < 0.05;
            assert!(as_good, "ranks: NumPy {rank}, exact {}", known.rank);
            seconds
        }
        _ => f64::NAN,
    });
    let [exact, naive, numpy] =
        [0, 1, 2].map(|way| times.median(|seconds| rounds as f64 / seconds[way]));
    let how = if middle == tenth {
        "measured".to_owned()
    } else {
        format!("integrated: {middle} rounds of each {tenth}")
    };
    let over = |way: usize| times.median(|seconds| seconds[way] / seconds[0]);
    let [numpy, over_numpy] = [(numpy, 0), (over(2), 1)].map(|(number, digits)| {
        let none = "-".to_owned();
        let told = format!("{number:.digits$}");
        if number.is_nan() { none } else { told }
    });
    println!(
        "{:5} {rounds:8} {exact:10.0} {naive:9.0} {numpy:>9} {:11.1} {over_numpy:>11}     {how}",
        world.name,
        over(1),
    );
}

/// The memory of a run by a process of its own.
fn in_a_process(world: usize, rounds: u64) -> String {
    let program = std::env::current_exe().expect("this program has a path");
    let numbers = [world.to_string(), rounds.to_string()];
    let told = Command::new(program).arg("--case").args(numbers).output();
    let told = told.expect("this program can be started again");
    let said = String::from_utf8_lossy(&told.stderr);
    assert!(told.status.success(), "{said}");
    String::from_utf8_lossy(&told.stdout).trim_end().to_owned()
}

fn case(world: &World, rounds: u64) {
    forget_most();
    let before = memory("VmRSS:");
    exact(world, rounds, Clock::new());
    println!("{before:>9} {:>9}", memory("VmHWM:"));
}
