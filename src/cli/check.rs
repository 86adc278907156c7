//! `klero check CONFIG`.

use clap::Args;

use super::args::ConfigArgs;
use super::failure::{Failure, print_words};
use super::promise;
use kleroterion::jobs::description;
use kleroterion::report::plain;

/// Options of `klero check`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero check my.toml
  klero check my.toml --set rules.until.accepted=50")]
pub struct CheckArgs {
    #[command(flatten)]
    config: ConfigArgs,
}

/// Checks a config, and prints what a run would do and assume.
pub fn check(args: &CheckArgs) -> Result<(), Failure> {
    let runs = args.config.runs()?;
    // A sweep is never played live.
    let promised = match &runs[..] {
        [run] => promise::known(&run.plan)?,
        _ => Vec::new(),
    };
    let mut text = description(&runs);
    for note in promised {
        text += &format!("  note: {}\n", plain(&note));
    }
    print_words(&text)
}
