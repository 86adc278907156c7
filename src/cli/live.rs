//! `klero live`: policies on a stream as it comes, with a journal in a folder.

mod begun;
mod files;
mod how;
mod play;
mod said;

use std::path::PathBuf;

use clap::Args;

use super::args::ConfigArgs;
use super::failure::{Failure, failed, wrong};
use super::load::{self, Job};
use super::output::{RunFiles, Written};
use super::privacy::{PrivacyArgs, keep_to_user, random_key};
use super::promise;
use how::KEPT;
use kleroterion::live::session::Origin;
use kleroterion::problem::Problem;
use kleroterion::report::files::Folder;

pub use begun::config_of;
pub use files::FilesMaker;
pub use how::{CONFIG, HowArgs, KeptOptions};
pub use play::{Opening, play};
pub use said::{kept_in, left_out, refusals};

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
pub fn live(mut args: LiveArgs) -> Result<(), Failure> {
    keep_to_user();
    let job = job(&mut args.config)?;
    let key = args.privacy.hide_identities.then(random_key);
    let names = args.privacy.names(&job.plan, key)?;
    let kept = KeptOptions::of(&args.how, &args.privacy, key);
    Folder::check(&args.out, args.force).map_err(wrong)?;
    let promised = promise::demanded(&job.plan)?;
    promised.iter().for_each(|note| args.how.note(note));
    let written = Written::of(&job.plan, &names, args.how.traces());
    let (out, force) = (args.out.clone(), args.force);
    let files: FilesMaker<'_> =
        Box::new(move |job| RunFiles::create(&out, force, &job.config(), written));
    let kept = serde_json::to_string(&kept).map_err(|error| failed(&error.to_string()))?;
    let origin = Origin::New(&args.out);
    let opening = Opening {
        facts: vec![(KEPT, kept), (CONFIG, job.config())],
        ..Opening::of(origin, names)
    };
    play(job, Some(files), &args.how, opening)
}

/// The single run of a config, with one replication.
pub fn job(config: &mut ConfigArgs) -> Result<Job, Failure> {
    if config.replications.is_some_and(|n| n != 1) {
        return Err(wrong(
            Problem::of_request("a live run plays one replication: what comes, comes once")
                .help("leave --replications out, or use `klero run`"),
        ));
    }
    config.replications = Some(1);
    let mut jobs = load::jobs(config)?;
    match (jobs.pop(), jobs.is_empty()) {
        (Some(job), true) => Ok(job),
        _ => Err(wrong(
            Problem::of_request("a live run plays one config, and a sweep is many")
                .help("leave [sweep] and --sweep out"),
        )),
    }
}
