//! `klero explain CONFIG`.

use std::sync::Arc;

use clap::{Args, ValueEnum};

use super::args::ConfigArgs;
use super::failure::{Failure, print};
use super::watched::watched;
use super::{log, look};
use kleroterion::jobs::{PlansAhead, RunForecast, objects};
use kleroterion::report::medium::Medium;

/// Options of `klero explain`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero explain my.toml
  klero explain my.toml --set rules.until.accepted=50
  klero explain committee-brexit-like --format json")]
pub struct ExplainArgs {
    #[command(flatten)]
    config: ConfigArgs,
    /// What to print on stdout
    #[arg(long, value_enum, default_value = "text")]
    format: ExplainForm,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ExplainForm {
    /// For people
    Text,
    /// For papers and issues: the same as Markdown
    Markdown,
    /// An object a run; an array of them for a sweep
    Json,
}

/// Prints what can be expected of a config before any person is drawn.
///
/// # Errors
/// Fails if the config is wrong or no policy can meet its targets.
pub fn explain(args: &ExplainArgs) -> Result<(), Failure> {
    let runs = args.config.runs()?;
    // Drawn on a terminal alone. A program a value: seconds where there are hundreds of thousands
    // of types.
    let spinner = log::spinner("solving a program for each value", false);
    let found: Result<Vec<_>, _> = runs.iter().map(RunForecast::of).collect();
    spinner.finish_and_clear();
    let mut found = found?;
    let watch = watched(false, &Arc::default());
    let mut ahead = PlansAhead::new(None, &watch);
    for (run, found) in runs.iter().zip(&mut found) {
        found.look_ahead(run, &mut ahead)?;
    }
    let all = runs.iter().zip(&found);
    let medium = match args.format {
        ExplainForm::Markdown => Medium::markdown(),
        _ => look::of_stdout(),
    };
    let text = match args.format {
        ExplainForm::Json => objects(&runs, all.map(|(run, found)| found.object(run))),
        _ => {
            let words = all.map(|(run, found)| found.text(run, &medium));
            medium.finished(&words.collect::<String>())
        }
    };
    print(&text)
}
