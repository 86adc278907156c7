//! The ends of a command: exit codes and error messages.

use std::io::ErrorKind;
use std::path::Path;
use std::process::ExitCode;

use kleroterion::journal::{HEAD, JOURNAL, JournalError};
use kleroterion::problem::{Problem, Problems};
use kleroterion::report::plain;

use super::text::ConfigText;
use super::{folder, show};

/// The message if records came and none of them could be read.
pub const READ_NOBODY: &str = "no record could be read: the results are of no candidate";

/// The failure of a command.
pub enum Failure {
    /// The request or the config is wrong: exit code 2. The message is already on stderr.
    Wrong,
    /// The run failed: exit code 1. The message is already on stderr.
    Failed,
    /// The user stopped the command: exit code 130.
    Interrupted,
}

impl From<Failure> for ExitCode {
    fn from(failure: Failure) -> Self {
        Self::from(match failure {
            Failure::Wrong => 2,
            Failure::Failed => 1,
            Failure::Interrupted => 130,
        })
    }
}

/// Reports why a run failed.
pub(super) fn failed(words: &str) -> Failure {
    show::say(&format!("error: {}", plain(words)));
    Failure::Failed
}

/// Reports a failure and its remedy.
pub(super) fn failed_with(words: &str, help: &str) -> Failure {
    show::say(&format!("error: {}\n  help: {}", plain(words), plain(help)));
    Failure::Failed
}

/// Prints the result on stdout.
///
/// # Errors
/// Fails if stdout can't take it. A reader that has gone away is no error.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    show::print(text).map_err(|error| failed(&format!("can't print: {error}")))
}

/// Reports all problems of a request.
pub(super) fn wrong(problems: impl Into<Problems>) -> Failure {
    wrong_in(problems, None)
}

/// Reports all problems of a config, of which `text` shows excerpts.
pub(super) fn wrong_in(problems: impl Into<Problems>, text: Option<&ConfigText>) -> Failure {
    show::problems(&problems.into(), text);
    Failure::Wrong
}

/// Reports all problems of a request to write. `left` says what was written of it.
pub(super) fn unwritten(problems: impl Into<Problems>, left: &str) -> Failure {
    let problems = problems.into();
    show::wrong(&problems, None, problems.0.len(), left);
    Failure::Wrong
}

/// Returns true if a folder has a journal.
///
/// # Errors
/// Fails if this user may not read the folder.
pub fn live_in(folder: &Path) -> Result<bool, Failure> {
    let path = folder.join(JOURNAL);
    match path.metadata() {
        Ok(found) => Ok(found.is_file()),
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            Err(journal_wrong(&JournalError::Io(path, error)))
        }
        Err(_) => Ok(false),
    }
}

/// Refuses a folder without a journal. `command` is the command as typed after `klero`.
pub fn journal_in(folder: &Path, command: &str) -> Result<(), Failure> {
    folder::there(folder, command, "`klero live … --out DIR`").map_err(wrong)?;
    if live_in(folder)? {
        return Ok(());
    }
    let what = format!("{} holds no live run", folder.display());
    let help = format!("give the --out folder of `klero live`; there is a {JOURNAL} in it");
    Err(wrong(Problem::of_request(what).help(help)))
}

/// Reports the problem of a journal.
pub fn journal_wrong(error: &JournalError) -> Failure {
    let help = match (remedy(error), lost_head(error)) {
        (Some(help), _) => help,
        (None, true) => {
            "what is in the journal stays: `klero journal repair DIR --without-head` makes the head \
             anew from it, and keeps the files as they are now; a copy of the folder may have it"
        }
        (None, false) => {
            "the journal stays as it is; `klero journal repair DIR` says what can be made whole of it"
        }
    };
    wrong(Problem::of_request(error.to_string()).help(help))
}

/// Returns true if the head of a journal is missing or can't be read.
pub fn lost_head(error: &JournalError) -> bool {
    match error {
        JournalError::Io(path, _) => path.ends_with(HEAD),
        JournalError::Broken(words) => words.contains("the head of the journal"),
        _ => false,
    }
}

/// The remedy for a journal that is not damaged, if one is known.
pub fn remedy(error: &JournalError) -> Option<&'static str> {
    const WRITABLE: &str = "no entry is lost: let this user write the folder and its files, or \
                            copy it to where they may";
    const ROOM: &str = "what was acknowledged is kept: make room on the disk, then try again";
    Some(match error {
        JournalError::InUse => "stop that run first, or look at what it has with `klero replay`",
        JournalError::Unbegun(_) => "begin again in a new folder; no candidate is in this one",
        JournalError::Format(..) => "use the version of klero that wrote it, or a later one",
        error if error.is_forbidden() => WRITABLE,
        error if error.is_full() => ROOM,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use std::io::Error;

    use super::*;

    #[test]
    fn a_journal_that_may_not_be_written_is_not_called_damaged() {
        let help = |kind: ErrorKind| remedy(&JournalError::Io("journal.head".into(), kind.into()));
        for kind in [ErrorKind::PermissionDenied, ErrorKind::ReadOnlyFilesystem] {
            assert!(help(kind).expect("words").starts_with("no entry is lost"));
        }
        let full = JournalError::Io("journal.head".into(), Error::from_raw_os_error(28));
        assert!(remedy(&full).expect("words").contains("make room"));
        assert_eq!(help(ErrorKind::InvalidData), None);
        assert_eq!(remedy(&JournalError::Broken("x".into())), None);
    }
}
