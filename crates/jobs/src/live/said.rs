//! Sentences on a live run: its failures, and the records that it did not play.

use std::net::SocketAddr;
use std::path::Path;

use crate::error::JobError;
use crate::journal::journal_wrong;
use kleroterion_core::problem::Problem;
use kleroterion_io::feed::{FeedSpec, Transport};
use kleroterion_io::journal::{JournalError, is_full};
use kleroterion_live::live::RecorderError;
use kleroterion_live::live::session::{LiveError, LiveResult, Origin};
use kleroterion_run::config::Plan;
use kleroterion_run::run::RunError;
use kleroterion_stats::RunResult;

/// The error of a live run, with its remedy.
pub(super) fn failure(error: LiveError, plan: &Plan, origin: Origin<'_>) -> JobError {
    match error {
        LiveError::Listen(address, _) => taken_address(plan, address, &error, origin).into(),
        LiveError::Journal(error) => journal_wrong(&error).into(),
        LiveError::Folder(problems) => problems.into(),
        LiveError::Recorder(error @ RecorderError::Ended { .. }) => JobError::Left(
            Box::new(ended_again(&error, origin.folder())),
            "nothing is written",
        ),
        LiveError::Recorder(error @ RecorderError::Forgotten(_)) => {
            let problem = Problem::of_request(error.to_string()).help(
                "go on with the version of klero, the config and the programs that the run was \
                 begun with, or begin the round anew",
            );
            JobError::Left(Box::new(problem), "the journal is as it was")
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
        error => JobError::failed(error),
    }
}

/// The error if the disk took no more.
fn unwritten(what: String, is_full: bool, folder: Option<&Path>) -> JobError {
    let problem = Problem::of_request(what).help(remedy(is_full, folder));
    JobError::Left(Box::new(problem), "what was acknowledged is kept")
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

/// The reasons of the first refusals, without the records' words, and the remedy if all records
/// look like another codec's.
pub(crate) fn refusals(played: &LiveResult, feed: &FeedSpec) -> Vec<String> {
    let reasons = played.first_refused.reasons.iter();
    let reason = |(line, why): &(u64, String)| format!("line {line} was refused: {why}");
    let mut told: Vec<String> = reasons.map(reason).collect();
    let other = played.first_refused.other_codec(feed.reading.codec());
    if let Some(other) = other.filter(|_| played.read_nobody()) {
        let looks = match other {
            "csv" => "rows of separated text: read them with",
            _ => "JSON objects: read them with",
        };
        told.push(format!(
            "all records look like {looks} --set 'source.decoding.codec=\"{other}\"'"
        ));
    }
    told
}

/// The place where the refused records of a run are kept, as text.
pub(crate) fn kept_in(folder: &Path) -> String {
    format!(" (see {})", folder.join("bad.ndjson").display())
}

/// The numbers of records that came and were not played, as a sentence; `None` without any. `place`
/// says where refused records are kept.
pub(crate) fn left_out(played: &LiveResult, place: &str) -> Option<String> {
    let all = [
        (
            played.refused,
            ["record", "records"],
            format!("refused{place}"),
        ),
        (
            played.left_out,
            ["record", "records"],
            "left out by `where`".into(),
        ),
        (played.duplicates, ["repeat", "repeats"], "dropped".into()),
    ];
    let some = all.into_iter().filter(|(n, ..)| *n > 0);
    let told = some.map(|(n, words, what)| format!("{n} {} {what}", words[usize::from(n != 1)]));
    let told: Vec<String> = told.collect();
    (!told.is_empty()).then(|| told.join("; "))
}

/// The last error lines of programs whose lanes broke off, as sentences.
pub(super) fn last_errors(result: &RunResult, plan: &Plan) -> Vec<String> {
    let lanes = plan.lanes.iter().zip(&result.policies);
    let errors = lanes.filter_map(|(lane, policy)| {
        let line = lane.policy.outside.as_ref()?.last_error().line()?;
        let mut endings = policy.endings().iter();
        let has_failed = endings.any(|ending| ending.breaks_off());
        has_failed.then(|| format!("the last error line of policy {}: {line}", lane.label))
    });
    errors.collect()
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
