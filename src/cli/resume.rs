//! `klero resume`: a live run that was stopped goes on from its journal.

use std::path::PathBuf;

use clap::Args;

use super::live::{
    FilesMaker, HowArgs, Kept, Opening, attributes, job, journal_wrong, play, wrong,
};
use super::output::RunFiles;
use super::replay::join;
use super::{ConfigArgs, Failure};
use kleroterion::journal::{JOURNAL, Reader};
use kleroterion::live::session::Origin;
use kleroterion::problem::Problem;

/// Options of `klero resume`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero resume run1            listens again, and goes on where it was stopped, or cut off
  klero resume run1 --policies more.toml   other policies join, from the first person on
  klero resume run1 --no-board")]
pub struct ResumeArgs {
    /// The --out folder of a live run
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// A file with more `[[policy]]` sections: they join the run for good, and play from the first person on
    #[arg(long, value_name = "FILE")]
    policies: Option<PathBuf>,
    #[command(flatten)]
    how: HowArgs,
}

/// Takes a live run up again.
pub fn resume(mut args: ResumeArgs) -> Result<(), Failure> {
    let mut config = config_of(&args.folder)?;
    let kept = Kept::read(&args.folder)?;
    let joins = match &args.policies {
        Some(path) => Some(join(&mut config, path)?),
        None => None,
    };
    let job = job(&mut config)?;
    kept.again(&mut args.how);
    let names = kept.names();
    let traced = args.how.trace.is_some();
    let (folder, told) = (args.folder.clone(), attributes(&job, &names));
    let files: FilesMaker<'_> = Box::new(move |_| RunFiles::resume(&folder, &told, traced));
    let origin = Origin::Resumed(&args.folder);
    let opening = Opening {
        joins,
        ..Opening::of(origin, names)
    };
    play(job, Some(files), &args.how, opening)
}

/// The config of a live run.
pub fn config_of(folder: &std::path::Path) -> Result<ConfigArgs, Failure> {
    let config = folder.join("config.toml");
    if !folder.join(JOURNAL).is_file() || !config.is_file() {
        let what = format!("{} holds no live run", folder.display());
        let help =
            format!("give the --out folder of `klero live`; it has config.toml and {JOURNAL}");
        return Err(wrong(Problem::of_request(what).help(help).into()));
    }
    let mut config = ConfigArgs::of(config.display().to_string());
    let joins = Reader::open(folder).and_then(|journal| journal.joins());
    let joins = joins.map_err(|error| journal_wrong(&error))?;
    if !joins.is_empty() {
        config.more = Some(("those who joined".into(), joins.join("\n")));
    }
    Ok(config)
}
