//! Integration tests, one binary. A test lives in the folder of what it drives:
//!
//! - `arena`: lanes, the referee, pools and slates of one replication, through the library.
//! - `config`: configs and the files that they name, sound and wrong.
//! - `feeds`: records from outside, from a transport to the recorder.
//! - `live`: live runs of the binary, with sockets, signals and kills.
//! - `nats`: people over NATS JetStream, with real servers.
//! - `seats`: policies in programs of their own.
//! - `cli`: the other commands, their options and outputs.
//! - `examples`: the programs of `examples/`, with what they print.
//! - `evidence`: intervals, verdicts, goals and answers.
//! - `papers`: the papers' numbers and `klero reproduce`.
//! - `pages`: reports, boards and studies as pages, and the recipes of the docs.
//!
//! `tidy` checks the text of the repository itself; `doubles` and `support` are helpers.

mod arena;
mod cli;
mod config;
mod doubles;
mod evidence;
mod examples;
mod feeds;
mod live;
mod nats;
mod pages;
mod papers;
mod seats;
mod support;
mod tidy;
