//! The program `klero`: the command line with the built-in kinds.

use std::process::ExitCode;

fn main() -> ExitCode {
    kleroterion::cli::run_with(kleroterion::Registry::default())
}
