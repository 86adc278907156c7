//! The program `klero`: it parses the command line, runs the command and sets the exit code.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = match cli::Cli::typed() {
        Ok(cli) => cli,
        Err(error) => return cli::unparsed(error),
    };
    // Dropped after the last span.
    let _exporting = cli.start_log();
    match cli.execute() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.into(),
    }
}
