//! `klero resume`: a live run that was stopped goes on from its journal.

use std::path::{Path, PathBuf};

use clap::Args;

use super::args::ConfigArgs;
use super::failure::{Failure, wrong};
use super::live::{
    CONFIG, FilesMaker, HowArgs, Kept, Opening, attributes, job, journal_wrong, play,
};
use super::load::Job;
use super::output::RunFiles;
use super::replay::join;
use super::show;
use kleroterion::config::Document;
use kleroterion::document::{Value, read_text};
use kleroterion::journal::{JOURNAL, JournalError, Reader, is_in_use};
use kleroterion::live::session::Origin;
use kleroterion::nearest::nearest;
use kleroterion::problem::{Place, Problem, Problems};

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
    /// Where the program of this policy can't play again what it had played, its lane ends there for good (repeatable)
    #[arg(long, value_name = "LABEL")]
    without: Vec<String>,
    #[command(flatten)]
    how: HowArgs,
}

/// Takes a live run up again.
pub fn resume(mut args: ResumeArgs) -> Result<(), Failure> {
    // Told before its own addresses are found to be taken, as they would be.
    if is_in_use(&args.folder) {
        return Err(journal_wrong(&JournalError::InUse));
    }
    let mut config = config_of(&args.folder, "resume")?;
    let kept = Kept::read(&args.folder)?;
    let (joins, joined) = match &args.policies {
        Some(path) => join(&mut config, path).map(|(text, many)| (Some(text), many))?,
        None => (None, 0),
    };
    let job = job(&mut config)?;
    check_labels(&job, &args.without).map_err(wrong)?;
    kept.again(&mut args.how);
    let names = kept.names();
    let traced = args.how.trace.is_some();
    let (folder, told) = (args.folder.clone(), attributes(&job, &names));
    let files: FilesMaker<'_> = Box::new(move |_| RunFiles::resume(&folder, &told, traced));
    let origin = Origin::Resumed(&args.folder);
    let opening = Opening {
        joins,
        joined,
        without: args.without,
        ..Opening::of(origin, names)
    };
    play(job, Some(files), &args.how, opening)
}

/// Refuses labels that no policy of the run has.
fn check_labels(job: &Job, labels: &[String]) -> Result<(), Problems> {
    let lanes = || job.plan.lanes.iter().map(|lane| &*lane.label);
    let mut problems = Problems::default();
    for label in labels {
        if lanes().any(|known| known == label) {
            continue;
        }
        let all = lanes().collect::<Vec<_>>().join(", ");
        let help = match nearest(label, lanes()) {
            Some(near) => format!("did you mean {near:?}? policies: {all}"),
            None => format!("policies: {all}"),
        };
        let place = Place::Option(format!("--without {label}"));
        let what = format!("there is no policy {label:?}");
        problems.push(Problem::new(place, what).help(help));
    }
    problems.or(())
}

/// The config of a live run; the one that its journal keeps where the file is gone.
pub fn config_of(folder: &Path, command: &str) -> Result<ConfigArgs, Failure> {
    if folder.is_file() {
        return Err(wrong(show::no_folder(folder, command)));
    }
    let path = folder.join("config.toml");
    if !folder.join(JOURNAL).is_file() {
        let what = format!("{} holds no live run", folder.display());
        let help = format!("give the --out folder of `klero live`; there is a {JOURNAL} in it");
        return Err(wrong(Problem::of_request(what).help(help)));
    }
    let read = || -> Result<_, JournalError> {
        let journal = Reader::open(folder)?;
        Ok((journal.fact(CONFIG)?, journal.joins()?))
    };
    let (begun, joins) = read().map_err(|error| journal_wrong(&error))?;
    let begun = begun.unwrap_or_default();
    let at = |what: String, help: &str| {
        let place = Place::File {
            path: path.clone(),
            line: None,
            column: None,
        };
        wrong(Problem::new(place, what).help(help))
    };
    if !path.exists() {
        std::fs::write(&path, &begun).map_err(|error| {
            at(
                format!("cannot be written: {error}"),
                "the journal has it: make room for it",
            )
        })?;
        show::say("note: config.toml was gone, and is written again from the journal");
    }
    let now = read_text(&path).map_err(wrong)?;
    if !same(&now, &begun) {
        let what = "this is not the config that the run was begun with".into();
        let help = "only where it listens ([board], source.address) and its pace may change: put the rest back, or delete the file to have it written again \
                    from the journal. To see what other policies would have done with its people, use `klero replay DIR --policies FILE`";
        return Err(at(what, help));
    }
    let mut config = ConfigArgs::of(path.display().to_string());
    let joined = |text| ("a policy that joined".to_owned(), text);
    config.more = joins.into_iter().map(joined).collect();
    Ok(config)
}

/// Whether two configs ask for the same run, wherever it listens and however fast it goes.
fn same(one: &str, other: &str) -> bool {
    // What can't be read is told with its places later.
    let (Some(one), Some(other)) = (timeless(one), timeless(other)) else {
        return true;
    };
    one.says_as(&other)
}

/// A config without what changes no result.
fn timeless(text: &str) -> Option<Value> {
    let mut document = Document::parse(text).ok()?;
    document.take("board");
    let mut live = document.take("live");
    if let Some((_, node)) = &mut live
        && let Value::Table(live) = &mut node.value
    {
        // Who decided is in the journal; a policy may be named to take over where none was.
        live.remove("fallback");
    }
    let mut source = document.take("source");
    if let Some((_, node)) = &mut source
        && let Value::Table(source) = &mut node.value
    {
        source.remove("address");
        source.remove("pace");
        // How fast a tape is played, and no more.
        source.remove("replay");
    }
    let mut rest = document.root().clone();
    if let Some((key, node)) = live {
        rest.insert(key, node);
    }
    if let Some((key, node)) = source {
        rest.insert(key, node);
    }
    Some(Value::Table(rest))
}
