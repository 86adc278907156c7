//! `klero merge`: runs whose replications were all played, in units.

use std::path::Path;

use super::super::failure::{Failure, wrong};
use super::super::load::Job;
use super::super::privacy::random_key;
use super::kept::RunOptions;
use super::merging::Merging;
use super::player::Before;
use super::runs::Runs;
use super::{PlayArgs, folders};
use kleroterion::report::files::{Folder, KEPT};
use kleroterion::run::PlayedFile;

/// Checks that the results of these jobs may go into a folder. Returns true if files there may be
/// overwritten: by `--force`, or because a merge of these jobs was cut off.
///
/// # Errors
/// Fails if the folder holds something else.
pub fn may_write(jobs: &[Job], args: &PlayArgs, out: &Path) -> Result<bool, Failure> {
    let cut_off = PlayedFile::open(&out.join(KEPT)).ok().filter(|file| {
        let configs = jobs.iter().map(Job::config);
        let header = file.header();
        file.replications() == 0
            && header.version == env!("CARGO_PKG_VERSION")
            && configs.eq(header.configs.iter().cloned())
    });
    let force = args.out.force || cut_off.is_some();
    drop(cut_off);
    Folder::check(out, force).map_err(wrong)?;
    Ok(force)
}

/// Folds the replications of jobs that were played, writes their files and prints the results.
pub fn merged(
    jobs: Vec<Job>,
    merging: Merging,
    args: &PlayArgs,
    out: &Path,
) -> Result<(), Failure> {
    let force = may_write(&jobs, args, out)?;
    let key = args.privacy.hide_identities.then(random_key);
    let options = RunOptions::of(&args.out, &args.privacy, key);
    let (folders, sweep) = folders(&jobs, Some(out), force, &options)?;
    let mut settings = args.settings();
    settings.traces = options.traces(true);
    if let Some(first) = jobs.first() {
        settings.names = args.privacy.names(&first.plan, key)?;
    }
    let runs = Runs {
        jobs,
        folders,
        out: Some(out.to_owned()),
        sweep,
        options,
        force,
        before: Before::Units(merging),
    };
    runs.play(&args.how(settings))
}
