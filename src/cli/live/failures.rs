//! The failures of a live run, in words for its user.

use std::net::SocketAddr;
use std::path::Path;

use super::super::failure::{Failure, failed, journal_wrong, wrong};
use super::super::show;
use kleroterion::config::Plan;
use kleroterion::feed::Transport;
use kleroterion::journal::{JournalError, is_full};
use kleroterion::live::RecorderError;
use kleroterion::live::session::{LiveError, Origin};
use kleroterion::problem::{Problem, Problems};
use kleroterion::run::RunError;

/// Reports why a live run failed.
pub(super) fn failure(error: LiveError, plan: &Plan, origin: Origin<'_>) -> Failure {
    match error {
        LiveError::Listen(address, _) => wrong(taken_address(plan, address, &error, origin)),
        LiveError::Journal(error) => journal_wrong(&error),
        LiveError::Folder(problems) => wrong(problems),
        LiveError::Recorder(error @ RecorderError::Ended { .. }) => {
            let problems: Problems = ended_again(&error, origin.folder()).into();
            show::wrong(&problems, None, 1, "nothing is written");
            Failure::Failed
        }
        LiveError::Recorder(error @ RecorderError::Forgotten(_)) => {
            let problem = Problem::of_request(error.to_string()).help(
                "go on with the version of klero, the config and the programs that the run was \
                 begun with, or begin the round anew",
            );
            show::wrong(&problem.into(), None, 1, "the journal is as it was");
            Failure::Failed
        }
        LiveError::Recorder(
            error @ (RecorderError::Journal(JournalError::Store(..) | JournalError::Io(..))
            | RecorderError::Bad(..)),
        ) => {
            let is_full = match &error {
                RecorderError::Journal(error) => error.is_full(),
                RecorderError::Bad(_, error) => is_full(error),
                _ => false,
            };
            unwritten(error.to_string(), is_full, origin.folder())
        }
        LiveError::Run(RunError::Write(error)) => {
            let what = format!("the run's files can't be written: {error}");
            unwritten(what, is_full(&error), origin.folder())
        }
        error => failed(&error.to_string()),
    }
}

/// Reports that the disk took no more.
fn unwritten(what: String, is_full: bool, folder: Option<&Path>) -> Failure {
    let problem = Problem::of_request(what).help(remedy(is_full, folder));
    show::wrong(&problem.into(), None, 1, "what was acknowledged is kept");
    Failure::Failed
}

/// The remedy if the disk took no more.
fn remedy(is_full: bool, folder: Option<&Path>) -> String {
    let mut help = match is_full {
        true => "make room on the disk",
        false => "look in the system's log for what is wrong with the disk",
    }
    .to_owned();
    if let Some(folder) = folder {
        help += &format!(", then: klero resume {}", folder.display());
    }
    help
}

/// The problem if an address is taken.
fn taken_address(
    plan: &Plan,
    address: SocketAddr,
    error: &LiveError,
    origin: Origin<'_>,
) -> Problem {
    let is_board = address == plan.live.board;
    let feed = plan.world.feed.as_ref().map(|feed| &feed.transport);
    if is_board && feed == Some(&Transport::Tcp(address)) {
        // The board listens there already.
        let what = format!("the feed and the board can't both listen on {address}");
        let help = "give the board another address: --set 'board.address=\"127.0.0.1:7718\"', or \
                    --no-board";
        return Problem::of_request(what).help(help);
    }
    let (key, other) = match is_board {
        true => ("board.address", "127.0.0.1:7718"),
        false => ("source.address", "127.0.0.1:8091"),
    };
    let elsewhere = match origin {
        // It is taken up with its own config.
        Origin::Resumed(folder) => {
            let config = folder.join("config.toml");
            format!("change `{key}` in {}", config.display())
        }
        _ => format!("give another: --set '{key}=\"{other}\"'"),
    };
    let without = if is_board { ", or --no-board" } else { "" };
    let help = format!("stop what listens there, or {elsewhere}{without}");
    Problem::of_request(error.to_string()).help(help)
}

/// The problem if a program ended in rounds that it had played before.
fn ended_again(error: &RecorderError, folder: Option<&Path>) -> Problem {
    let mut help = "is the program there as it was, and is klero called from the folder where the \
                    run was begun?"
        .to_owned();
    if let (
        RecorderError::Ended {
            policy, may_leave, ..
        },
        Some(folder),
    ) = (error, folder)
    {
        help += &match may_leave {
            true => format!(
                " If it really can't go on, `klero resume {} --without {policy}` ends its lane \
                 there for good",
                folder.display()
            ),
            false => " Its decisions were given out, so it has to be played as it was".to_owned(),
        };
    }
    Problem::of_request(error.to_string()).help(help)
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[test]
    fn a_disk_that_is_broken_is_not_called_full() {
        let full = io::Error::from_raw_os_error(28);
        let broken = io::Error::from_raw_os_error(5);
        let help = |error| remedy(is_full(error), Some(Path::new("run")));
        assert_eq!(help(&full), "make room on the disk, then: klero resume run");
        assert!(help(&broken).starts_with("look in the system's log"));
    }
}
