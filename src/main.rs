//! `klero`: parse, run, exit code.

mod cli;

use std::process::ExitCode;

use clap::Parser;
use tracing_subscriber::EnvFilter;

fn main() -> ExitCode {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("warn"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .init();
    match cli::Cli::parse().execute() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.into(),
    }
}
