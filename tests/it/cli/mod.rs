//! The command line as users and scripts meet it: the real binary, in a folder of its own.

mod broken_runs;
mod changes;
mod explain;
mod fit;
mod folder;
mod formats;
mod households;
mod interrupts;
pub mod invariance;
mod lots;
mod observe;
mod plans;
mod reasons;
mod scale;
mod stories;
mod sweeps;
pub mod terminal;
mod traces;
mod whereabouts;
mod words;

/// The main job with few replications; greedy screens thousands, all others hundreds.
pub const FEW: &[&str] = &[
    "run",
    "committee-brexit-like",
    "--replications",
    "6",
    "--quiet",
];

/// Some arguments after others.
pub fn with<'a>(first: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [first, more].concat()
}
