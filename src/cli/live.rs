//! `klero live`: policies on a stream as it comes, with a journal in a folder.

mod how;
mod play;

use std::path::PathBuf;

use clap::Args;

use super::args::ConfigArgs;
use super::failure::Failure;
use super::privacy::{PrivacyArgs, keep_to_user};
use super::promise;
use kleroterion::jobs::{LiveJob, LiveOptions};

pub use how::HowArgs;
pub use play::play;

/// Options of `klero live`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero live live-show --out show --stay          a paced stream; look at http://127.0.0.1:7717
  klero live live-http --out run1                 people by HTTP; then, from another terminal:
  curl --json '{\"id\":\"ann\",\"groups\":{\"gender\":\"F\",\"age\":\"55+\"}}' http://127.0.0.1:8090/v1/decisions
  klero live live-stdin --out run2 < people.ndjson
  klero resume run1                               it goes on where it was stopped
  klero replay run1 --policies more.toml          what others would have done")]
// One stream has one replication; another number is an error.
#[command(mut_arg("replications", |arg| arg.hide(true)))]
pub struct LiveArgs {
    #[command(flatten)]
    config: ConfigArgs,
    /// The folder of the run: its journal, and its results
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Overwrite a run that is in the folder; the journal of a live run is never overwritten
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    privacy: PrivacyArgs,
    #[command(flatten)]
    how: HowArgs,
}

/// Runs a config live.
pub fn live(args: LiveArgs) -> Result<(), Failure> {
    keep_to_user();
    let mut options = LiveOptions {
        key: args.privacy.key(),
        dropped: args.privacy.drop_attributes,
        board: true,
        ..LiveOptions::default()
    };
    args.how.add_to(&mut options);
    let mut job = LiveJob::load(args.config.request(), args.out, args.force, options)?;
    let promised = promise::demanded(&job.run.plan)?;
    promised.iter().for_each(|note| args.how.note(note));
    job.settings = args.how.settings();
    play(job, &args.how)
}
