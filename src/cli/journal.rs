//! `klero journal`: the journal of a live run held against what was committed, repaired, copied.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use kleroterion::feed::FOLLOWED;
use kleroterion::jobs::{journal_in, journal_wrong, lost_head, remedy};
use kleroterion::journal::{BEFORE, GiveUp, JournalError, JournalReader, back_up, repair};
use kleroterion::problem::Problem;

use super::failure::{Failure, failed, failed_with};
use super::privacy::keep_to_user;
use super::show;

/// Options of `klero journal`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero journal verify run1            whether run1 has all that was acknowledged, unchanged
  klero journal backup run1 copy       a copy, also while the run goes on
  klero journal backup run1 run1-$(date +%F-%H%M%S)   each time under a new name
  klero journal repair run1            broken indexes made anew; nothing is given up

Exit codes: 0 whole, repaired or copied, 1 something is wrong, 2 the request is.")]
pub struct JournalArgs {
    #[command(subcommand)]
    what: JournalWhat,
}

#[derive(Subcommand)]
enum JournalWhat {
    /// Hold a journal against its hashes, its head and its indexes; nothing is changed
    Verify(FolderArgs),
    /// Make a damaged journal anew from what is as it was committed, and keep the damaged one
    Repair(RepairArgs),
    /// Copy a journal and its config into a new folder, also while the run goes on
    Backup(BackupArgs),
}

#[derive(Args)]
struct FolderArgs {
    /// The --out folder of a live run
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

#[derive(Args)]
struct RepairArgs {
    #[command(flatten)]
    folder: FolderArgs,
    /// Go on without the head, where it is lost or can't be read: whether entries are missing at
    /// the end can then not be known
    #[arg(long)]
    without_head: bool,
    /// Give up all entries from the first one on that is not as it was committed
    #[arg(long)]
    cut: bool,
}

#[derive(Args)]
struct BackupArgs {
    #[command(flatten)]
    folder: FolderArgs,
    /// The folder of the copy; there must be none
    #[arg(value_name = "TO")]
    to: PathBuf,
}

/// Verifies, repairs or copies a journal.
pub fn journal(args: &JournalArgs) -> Result<(), Failure> {
    keep_to_user();
    match &args.what {
        JournalWhat::Verify(args) => verify(&args.folder),
        JournalWhat::Repair(args) => mend(args),
        JournalWhat::Backup(args) => copy(&args.folder.folder, &args.to),
    }
}

/// The failure of a damaged journal, with the way out.
fn damaged(folder: &Path, error: &JournalError) -> Failure {
    if remedy(error).is_some() {
        return journal_wrong(error).into();
    }
    let folder = folder.display();
    let head = match lost_head(error) {
        true => " --without-head",
        false => "",
    };
    failed_with(
        &error.to_string(),
        &format!(
            "`klero journal repair {folder}{head}` makes it anew from what is whole, and keeps \
             this one"
        ),
    )
}

fn verify(folder: &Path) -> Result<(), Failure> {
    journal_in(folder, "journal verify")?;
    let read = || {
        let mut reader = JournalReader::open(folder)?;
        reader.examine()?;
        reader.read_all(|_| {})?;
        Ok(reader)
    };
    let reader = read().map_err(|error| damaged(folder, &error))?;
    let (entries, persons) = (reader.reach().seq, reader.persons());
    let link = reader.reach().chain.hex();
    print(&format!(
        "{}: whole: {entries} entries of {persons} people, chain {link}\n",
        folder.display()
    ))
}

fn mend(args: &RepairArgs) -> Result<(), Failure> {
    let folder = &args.folder.folder;
    journal_in(folder, "journal repair")?;
    let give_up = GiveUp {
        head: args.without_head,
        rest: args.cut,
    };
    let done = repair(folder, give_up).map_err(|error| match error {
        JournalError::Broken(words) if !args.cut && words.contains("not what was committed") => {
            failed_with(
                &words,
                "--cut gives up this entry and all that follow; a copy of the folder from before \
                 may have them",
            )
        }
        error => damaged(folder, &error),
    })?;
    let shown = folder.display();
    let Some(done) = done else {
        return print(&format!("{shown}: whole: there is nothing to repair\n"));
    };
    let (entries, persons) = (done.reach.seq, done.persons);
    let lost = match done.lost {
        Some(0) => "nothing that was acknowledged is lost".to_owned(),
        Some(lost) => format!("{lost} entries that were acknowledged are lost"),
        None => "whether entries are missing at the end can't be known without the head".to_owned(),
    };
    print(&format!(
        "{shown}: repaired: {entries} entries of {persons} people; {lost}\nthe damaged files are \
         in {shown}/{BEFORE}; `klero resume {shown}` goes on\n"
    ))
}

fn copy(folder: &Path, to: &Path) -> Result<(), Failure> {
    journal_in(folder, "journal backup")?;
    let at = |error: io::Error| Failure::from(not_made(to, &error));
    fs::create_dir(to).map_err(at)?;
    let copied = back_up(folder, to).map_err(|error| damaged(folder, &error));
    let (reach, persons) = copied.inspect_err(|_| drop(fs::remove_dir_all(to)))?;
    for name in ["config.toml", FOLLOWED] {
        if folder.join(name).is_file() {
            fs::copy(folder.join(name), to.join(name)).map_err(at)?;
        }
    }
    let (from, to, entries) = (folder.display(), to.display(), reach.seq);
    print(&format!(
        "{to}: a copy of {from}: {entries} entries of {persons} people; `klero replay {to}` plays \
         it, `klero resume {to}` goes on from it \
         where {from} does not\n"
    ))
}

/// The problem if the folder of a copy can't be made.
fn not_made(to: &Path, error: &io::Error) -> Problem {
    let shown = to.display();
    let parent = to.parent().filter(|parent| !parent.as_os_str().is_empty());
    match (error.kind(), parent) {
        (ErrorKind::AlreadyExists, _) => {
            let what = "is there already, and a copy replaces none";
            Problem::of_file(to, what).help(format!(
                "name a folder that is not there yet; a shell makes a new name each time of \
                 \"{shown}-$(date +%F-%H%M%S)\""
            ))
        }
        (ErrorKind::NotFound, Some(parent)) => {
            let what = format!("can't be made: there is no folder {}", parent.display());
            Problem::of_file(to, what).help(format!("make it first: mkdir -p {}", parent.display()))
        }
        _ => Problem::of_file(to, format!("can't be made: {error}"))
            .help("name a folder that is not there yet, where you may write"),
    }
}

fn print(text: &str) -> Result<(), Failure> {
    show::print_words(text).map_err(|error| failed(&format!("can't write the result: {error}")))
}
