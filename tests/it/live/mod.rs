//! Live runs as users meet them: the real binary, real sockets, signals, files.
#![cfg(target_os = "linux")]

mod acting;
mod actor;
mod alike;
mod backlog;
mod begun;
mod browsers;
mod clients;
mod clocks;
mod corrections;
mod doors;
mod endurance;
mod followed;
mod formats;
mod full;
mod hidden;
mod horizons;
mod interviews;
mod journals;
mod kills;
mod memory;
mod names;
mod outcomes;
mod outcomes_refused;
pub mod people;
mod privacy;
mod proxy;
mod questions;
mod readme;
mod refused;
mod replays;
mod replays_refused;
mod rest;
mod same;
mod seats;
mod service;
mod traced;
