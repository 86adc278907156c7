//! `klero journal`: the journal of a live run, verified, repaired or copied.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueEnum};
use serde_json::json;

use super::failure::{Failure, failed, of_journal, wrong};
use super::show;
use kleroterion::journal::{
    Examined, HEAD, JOURNAL, JournalError, Reach, backup, examine, is_in_use, repair,
};
use kleroterion::problem::Problem;
use kleroterion::report::plain;

/// Options of `klero journal`.
#[derive(Args)]
pub struct JournalArgs {
    #[command(subcommand)]
    what: JournalTask,
}

#[derive(Subcommand)]
enum JournalTask {
    /// Say whether the journal is whole, what is in it, and where its first fault is
    Verify(VerifyJournalArgs),
    /// Make a journal usable again from its entries, all of which it keeps
    Repair(RepairArgs),
    /// Copy the journal, of a run under way too, so that the copy can be resumed and replayed
    Backup(BackupArgs),
}

/// Options of `klero journal verify`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero journal verify run1
  klero journal verify run1 --format json
Exit codes: 0 it is whole, 1 it is not, 2 there is none or it can't be read.")]
struct VerifyJournalArgs {
    /// The --out folder of a live run, which may be under way
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// What to print on stdout
    #[arg(long, value_enum, default_value = "text")]
    format: JournalForm,
}

#[derive(Clone, Copy, ValueEnum)]
enum JournalForm {
    /// For people
    Text,
    /// An object
    Json,
}

/// Options of `klero journal repair`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero journal repair run1
  klero journal repair run1 --accept-end       where journal.head is lost
It writes all entries into a new database, with its indexes. The files from before stay, in
DIR/journal.before-repair-1. Where an entry is missing or changed it refuses, and changes nothing.
Exit codes: 0 the journal is whole now, 1 it can't be repaired, 2 there is none or it is in use.")]
struct RepairArgs {
    /// The --out folder of a live run that is stopped
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Where journal.head is lost or of another journal, take the last entry as the last one.
    /// Nothing proves then that none after it is missing
    #[arg(long)]
    accept_end: bool,
}

/// Options of `klero journal backup`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero journal backup run1 run1-copy
  klero resume run1-copy                       goes on from the copy
Exit codes: 0 the copy is whole, 1 the journal is not whole or the disk failed, 2 the request is wrong.")]
struct BackupArgs {
    /// The --out folder of a live run, which may be under way
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// The folder of the copy: a new or empty one
    #[arg(value_name = "TO")]
    to: PathBuf,
}

/// Does with a journal what is asked.
///
/// # Errors
/// Where the journal is not whole, or the request is wrong; all words have been said.
pub fn journal(args: &JournalArgs) -> Result<(), Failure> {
    match &args.what {
        JournalTask::Verify(args) => verify(args),
        JournalTask::Repair(args) => repair_journal(args),
        JournalTask::Backup(args) => back_up(args),
    }
}

fn verify(args: &VerifyJournalArgs) -> Result<(), Failure> {
    there(&args.folder, "verify")?;
    let examined = examine(&args.folder).map_err(|error| faulty(&error, "nothing was changed"))?;
    let text = match args.format {
        JournalForm::Text => text(&args.folder, &examined),
        JournalForm::Json => json(&examined),
    };
    show::print(&text).map_err(|error| failed(&format!("can't print: {error}")))?;
    match &examined.fault {
        Some(fault) => Err(faulty(fault, "nothing was changed")),
        None => {
            show::say("the journal is whole");
            Ok(())
        }
    }
}

fn repair_journal(args: &RepairArgs) -> Result<(), Failure> {
    let folder = &args.folder;
    there(folder, "repair")?;
    if is_in_use(folder) {
        return Err(wrong(of_journal(&JournalError::InUse)));
    }
    let repaired = repair(folder, args.accept_end);
    let repaired = repaired.map_err(|error| faulty(&error, "the journal stays as it was"))?;
    let (Some(fault), Some(kept)) = (repaired.fault, repaired.kept) else {
        show::say("the journal is whole: there was nothing to repair");
        return Ok(());
    };
    let now = repaired.now;
    let (path, what) = (folder.display(), counted(&now));
    show::say(&plain(&format!("repaired: {fault}")));
    show::say(&plain(&format!(
        "the files from before are in {}",
        kept.display()
    )));
    if let JournalError::Headless(..) | JournalError::Strayed(..) = fault {
        show::say(&format!(
            "warning: nothing proves that no entry after {} was acknowledged. Senders may send \
             again what they sent last: repeats count once",
            now.end.seq
        ));
    }
    let words = format!("{path}: {what}; `klero resume {path}` goes on\n");
    show::print(&plain_line(&words)).map_err(|error| failed(&format!("can't print: {error}")))
}

fn back_up(args: &BackupArgs) -> Result<(), Failure> {
    there(&args.folder, "backup")?;
    let to = &args.to;
    let is_new = empty(to)?;
    let copied = backup(&args.folder, to).and_then(|examined| {
        let config = to.join("config.toml");
        match fs::copy(args.folder.join("config.toml"), &config) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(JournalError::Io(config, error))
            }
            // Without it the journal's own is written there when the run is taken up.
            _ => Ok(examined),
        }
    });
    let copied = copied.map_err(|error| {
        for name in [JOURNAL, HEAD, "config.toml"] {
            drop(fs::remove_file(to.join(name)));
        }
        if is_new {
            drop(fs::remove_dir(to));
        }
        faulty(&error, "no copy was made")
    })?;
    let (path, what) = (to.display(), counted(&copied));
    let words = format!("{path}: {what}; `klero resume {path}` goes on from this copy\n");
    show::print(&plain_line(&words)).map_err(|error| failed(&format!("can't print: {error}")))
}

/// Makes the folder of a copy where there is none; whether there was none.
fn empty(to: &Path) -> Result<bool, Failure> {
    let wrong_to = |what: String, help: &str| wrong(Problem::of_request(what).help(help));
    let help = "name a new or empty folder for the copy";
    if let Ok(mut entries) = fs::read_dir(to) {
        return match entries.next() {
            None => Ok(false),
            Some(_) => Err(wrong_to(format!("{} is not empty", to.display()), help)),
        };
    }
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    match builder.create(to) {
        Ok(()) => Ok(true),
        Err(error) => Err(wrong_to(
            format!("the folder {} can't be made: {error}", to.display()),
            help,
        )),
    }
}

/// Refuses a folder that holds no journal.
fn there(folder: &Path, command: &str) -> Result<(), Failure> {
    if folder.is_file() {
        let command = format!("journal {command}");
        return Err(wrong(show::no_folder(folder, &command)));
    }
    if folder.join(JOURNAL).is_file() {
        return Ok(());
    }
    let what = format!("{} holds no journal", folder.display());
    let help = match folder.join(HEAD).is_file() {
        true => format!("there is a {HEAD}, but {JOURNAL} is gone: put it back from a backup"),
        false => format!("give the --out folder of `klero live`; there is a {JOURNAL} in it"),
    };
    Err(wrong(Problem::of_request(what).help(help)))
}

/// Says what is wrong with a journal that was to be read: exit 1, but for a wrong request.
fn faulty(error: &JournalError, done: &str) -> Failure {
    let (code, n) = match error {
        JournalError::InUse | JournalError::Format(..) | JournalError::ReadOnly(..) => {
            (Failure::Wrong, 1)
        }
        _ => (Failure::Failed, 1),
    };
    show::wrong(&of_journal(error).into(), None, n, done);
    code
}

fn counted(examined: &Examined) -> String {
    let (entries, people) = (examined.end.seq, examined.persons);
    format!("{entries} entries, {people} people")
}

fn plain_line(line: &str) -> String {
    format!("{}\n", plain(line.trim_end()))
}

fn text(folder: &Path, examined: &Examined) -> String {
    let reach = |reach: Reach| format!("entry {}, chain {}", reach.seq, reach.chain.hex());
    let kinds = examined.kinds.iter();
    let kinds: Vec<_> = kinds.map(|(kind, n)| format!("{n} {kind}")).collect();
    let rows = [
        ("journal", folder.join(JOURNAL).display().to_string()),
        ("format", examined.format.to_owned()),
        ("entries", format!("{} whole", examined.end.seq)),
        ("kinds", kinds.join(", ")),
        ("people", examined.persons.to_string()),
        ("end", reach(examined.end)),
        ("head", examined.head.map_or("none".into(), reach)),
    ];
    let line = |(name, value): (&str, String)| format!("{name:<8} {}\n", plain(&value));
    rows.map(line).concat()
}

fn json(examined: &Examined) -> String {
    let reach = |reach: Reach| json!({ "entry": reach.seq, "chain": reach.chain.hex() });
    let value = json!({
        "whole": examined.fault.is_none(),
        "format": examined.format,
        "entries": examined.end.seq,
        "kinds": examined.kinds,
        "people": examined.persons,
        "end": reach(examined.end),
        "head": examined.head.map(reach),
        "fault": examined.fault.as_ref().map(ToString::to_string),
    });
    format!("{value:#}\n")
}
