//! The command line as users and scripts meet it: the real binary, in a folder of its own.

mod broken_runs;
mod browser;
mod changes;
mod explain;
mod first_config;
mod folder;
mod formats;
mod households;
mod interrupts;
pub mod invariance;
mod plans;
mod report;
mod scale;
mod stories;
mod sweeps;
pub mod terminal;
mod traces;
mod whereabouts;
mod words;

/// The main job with few replications; greedy screens thousands, all others hundreds.
const FEW: &[&str] = &[
    "run",
    "committee-brexit-like",
    "--replications",
    "6",
    "--quiet",
];

/// Some arguments after others.
fn with<'a>(first: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [first, more].concat()
}
