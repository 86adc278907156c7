//! The command line as users and scripts meet it: the real binary, in a folder of its own.

mod alike;
mod broken_runs;
mod chances;
mod changed;
mod changes;
mod compare;
mod doings;
mod draw;
#[cfg(target_os = "linux")]
mod engines;
mod explain;
mod first_config;
mod fit;
mod folder;
mod formats;
mod formulas;
mod households;
mod init;
mod interrupts;
mod invariance;
mod jobs;
mod kept;
mod known_pool;
mod large;
mod lots;
mod lotteries;
mod observe;
mod offers;
mod older;
mod outcomes;
mod peers;
mod people;
mod plan;
mod plans;
mod questions;
mod reasons;
mod resumed;
mod scale;
#[cfg(target_os = "linux")]
mod screen;
mod stories;
mod sweeps;
mod tables;
mod traces;
mod values;
mod verify;
mod walk;
mod ways_in;
mod whereabouts;
mod widths;
mod words;

use crate::support::terminal::{FEW, with};
