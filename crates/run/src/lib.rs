//! From a config to the results of a run.
//!
//! [`document`] parses TOML and records where each value was written. [`config`] checks a document
//! and turns it into a [`Plan`](config::Plan). [`catalog`] declares every kind of policy and its
//! keys. [`run`] plays the replications of a plan.
//!
//! [`registry`] lists the kinds that a config may name, and takes those of a program's own.
//! [`presets`] holds the configs that come with the program. [`init`] drafts a config from a file
//! of people. [`examine`] plays an outside program in several settings and reports its faults.
//!
//! Nothing in this crate formats reports, draws charts or serves a network. Those are the tasks of
//! the crates `kleroterion-report` and `kleroterion-live`, which depend on this one.

pub mod catalog;
pub mod config;
pub mod document;
pub mod examine;
pub mod init;
pub mod limits;
pub mod presets;
pub mod registry;
pub mod run;

pub use registry::Registry;
