//! The known-p program by every method at every size: time and memory, next to each other.
//!
//! `cargo bench --bench program`; `-- --quick` for a few seconds.
//!
//! Two worlds a size. *product*: independent attributes, and targets by which the bound on the gain
//! is attained, so that the capped fit answers. *joint*: people of two kinds, so that attributes go
//! together, and targets within a factor of 1 +- .7 of their shares, by which the bound is not
//! attained. Every line is a process of its own. Its time is the median over repetitions of the
//! whole call of `solve_by`, wall clock, one thread. Its memory is what the system says of the
//! process (Linux): resident before the first call, the instance included, and at most during it
//! (`VmHWM`, which is reset in between). A method that does not answer says so in place of a gain.

#[path = "fair_greedy/memory.rs"]
mod memory;

use std::process::Command;
use std::time::{Duration, Instant};

use kleroterion::policy::committee::program::{Method, ProgramError, solve_by};
use kleroterion::protocol::Law;
use kleroterion_testkit::programs::{Rows, SIZES, Uniform, cells, product};
use memory::{forget_most, memory};

const WORLDS: [&str; 2] = ["product", "joint"];

/// The methods, each with the most cells in a full run and in a quick one.
const METHODS: &[(Method, [usize; 2])] = &[
    (Method::CappedFit, [usize::MAX; 2]),
    (Method::ClippedFit, [usize::MAX; 2]),
    (Method::InteriorPoint, [500_000, 5_000]),
    (Method::Simplex, [5_000, 500]),
];

/// No more repetitions are begun after this.
const LONG_ENOUGH: Duration = Duration::from_secs(20);

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let Some(at) = args.iter().position(|arg| arg == "--case") {
        let numbers: Vec<usize> = args[at + 1..].iter().flat_map(|arg| arg.parse()).collect();
        let [size, world, method, repetitions] = numbers[..] else {
            panic!("--case SIZE WORLD METHOD REPETITIONS");
        };
        return case(SIZES[size], world, METHODS[method].0, repetitions);
    }
    // Only `cargo bench` passes --bench: a test run of all targets is to be short.
    let quick = args.iter().any(|arg| arg == "--quick" || arg == "--test")
        || args.iter().all(|arg| arg != "--bench");
    let repetitions = if quick { 1 } else { 9 };
    println!("medians of up to {repetitions} repetitions; memory of a process a line");
    println!(
        "  cells  law      method           time ms  MB before  MB at most             gain      gap  violation  steps"
    );
    for (size, levels) in SIZES.iter().enumerate() {
        for world in 0..WORLDS.len() {
            let cells: usize = levels.iter().product();
            for (method, (_, most)) in METHODS.iter().enumerate() {
                if cells <= most[usize::from(quick)] {
                    in_a_process([size, world, method, repetitions]);
                }
            }
        }
    }
}

/// A line by a process of its own.
fn in_a_process(numbers: [usize; 4]) {
    let program = std::env::current_exe().expect("this program has a path");
    let line = Command::new(program)
        .arg("--case")
        .args(numbers.map(|n| n.to_string()))
        .output()
        .expect("this program can be started again");
    let said = String::from_utf8_lossy(&line.stderr);
    assert!(line.status.success(), "{numbers:?}: {said}");
    print!("{}", String::from_utf8_lossy(&line.stdout));
}

/// Solves one instance by one method, and says how that went.
fn case(levels: &[usize], world: usize, method: Method, repetitions: usize) {
    let (law, rho) = instance(levels, world);
    forget_most();
    let before = memory("VmRSS:");
    let begun = Instant::now();
    let mut times = Vec::new();
    let found = loop {
        let start = Instant::now();
        let found = solve_by(method, levels, &law, &rho);
        times.push(start.elapsed().as_secs_f64() * 1e3);
        if times.len() >= repetitions || begun.elapsed() > LONG_ENOUGH {
            break found;
        }
    };
    let most = memory("VmHWM:");
    times.sort_by(f64::total_cmp);
    let (cells, world, name) = (
        levels.iter().product::<usize>(),
        WORLDS[world],
        method.to_string(),
    );
    let time = times[times.len() / 2];
    print!("{cells:>7}  {world:<8} {name:<15} {time:>8.2}  {before:>9}  {most:>10}  ");
    match found {
        Ok(found) => println!(
            "{:>15.12} {:>8.1e}   {:>8.1e} {:>6}",
            found.gain, found.gap, found.violation, found.steps
        ),
        Err(ProgramError::Unsolved(why)) => println!("{}", why.join("; ")),
        Err(error) => println!("{error}"),
    }
}

fn instance(levels: &[usize], world: usize) -> (Law, Rows) {
    let mut uniform = Uniform(2021);
    if WORLDS[world] == "product" {
        let marginals = uniform.marginals(levels, 0.5);
        let rho = uniform.attained(levels, &product(&marginals)).rho;
        (Law::Product(marginals), rho)
    } else {
        let p = uniform.mixture(levels, 0.9);
        let rho = uniform.targets(levels, &p, 0.9);
        (Law::Cells(cells(&p)), rho)
    }
}
