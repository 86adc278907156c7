//! The same in NumPy: a process of its own, which measures itself.

use std::process::Command;

use kleroterion::policy::meritocratic::FairGreedyParameters;
use serde_json::{Value, json};

use crate::world::{Sample, World};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/fair_greedy/naive.py");

/// NumPy's version, where `python3` is there and has it.
pub fn version() -> Option<String> {
    let ask = ["-c", "import numpy; print(numpy.__version__)"];
    let told = Command::new("python3").args(ask).output().ok()?;
    let version = String::from_utf8_lossy(&told.stdout).trim().to_owned();
    told.status.success().then_some(version)
}

/// CPU seconds of a run, and the mean true relative rank of the chosen.
pub fn play(world: &World, rounds: u64, sample: Sample) -> (f64, f64) {
    let FairGreedyParameters { lambda, rho, .. } = FairGreedyParameters::default();
    let of = |side: fn(&kleroterion::source::LinearGroup) -> Value| {
        world.groups.iter().map(side).collect::<Value>()
    };
    let argument = json!({
        "rounds": rounds, "slate": world.slate, "one_per_group": world.one_per_group,
        "tenth": sample.tenth, "middle": sample.middle,
        "mu": world.mu, "noise": world.noise, "lambda": lambda, "rho": rho,
        "low": of(|group| json!(group.low)), "width": of(|group| json!(group.width)),
        "probability": of(|group| json!(group.probability)),
    });
    let mut python = Command::new("python3");
    let told = python.arg(SCRIPT).arg(argument.to_string()).output();
    let told = told.expect("python3 can be started again");
    let said = String::from_utf8_lossy(&told.stderr);
    assert!(told.status.success(), "{SCRIPT}: {said}");
    let told: Value = serde_json::from_slice(&told.stdout).expect("the script prints JSON");
    let number = |name: &str| told[name].as_f64().expect("a number");
    (number("seconds"), number("rank"))
}
