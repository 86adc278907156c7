//! The journal in the folder of a live run: problems with it, and their remedies.

use std::io::ErrorKind;
use std::path::Path;

use crate::folder;
use kleroterion_core::problem::Problem;
use kleroterion_io::journal::{HEAD, JOURNAL, JournalError};

/// Returns true if a folder has a journal.
///
/// # Errors
/// Fails if this user may not read the folder.
pub fn live_in(folder: &Path) -> Result<bool, Problem> {
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
///
/// # Errors
/// Fails if there is no journal, or this user may not read the folder.
pub fn journal_in(folder: &Path, command: &str) -> Result<(), Problem> {
    folder::there(folder, command, "`klero live … --out DIR`")?;
    if live_in(folder)? {
        return Ok(());
    }
    let what = format!("{} holds no live run", folder.display());
    let help = format!("give the --out folder of `klero live`; there is a {JOURNAL} in it");
    Err(Problem::of_request(what).help(help))
}

/// The problem of a journal that can't be used, with its remedy.
pub fn journal_wrong(error: &JournalError) -> Problem {
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
    Problem::of_request(error.to_string()).help(help)
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
