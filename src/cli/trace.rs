//! `klero trace DIR`.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::PathBuf;
use std::sync::Arc;

#[cfg(feature = "parquet")]
use std::io::IsTerminal;

use clap::{Args, ValueEnum};

use super::args::at_least;
use super::failure::{Failure, failed, unwritten};
use super::watched::watched;
use super::{look, show};
use kleroterion::jobs::{FilteredDecisions, FolderDecisions};
use kleroterion::problem::{Place, Problem};
use kleroterion::report::plain;
use kleroterion::report::story::Story;
#[cfg(feature = "parquet")]
use kleroterion::trace::parquet::ParquetWriter;
use kleroterion::trace::read::{DecisionFilter, Seen, read_decisions};

/// Options of `klero trace`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero run --trace decisions --out d            a run that keeps its decisions
  klero trace d --candidate 17                   who 17 is, which lanes chose them, and why
  klero trace d --round 17                       what every lane decided in round 17, and why
  klero trace d --policy queue --policy cmdp --round 1 --round 2
  klero trace d --candidate 17 --format ndjson   the events as they are in the file

A decision is shown where it passes all filters; of a filter given twice, either.
A run keeps its first replication alone unless it has --trace-replications all.
Where nothing is found, that is said, and the exit code is 0.")]
pub struct TraceArgs {
    /// The folder of a run with --trace decisions
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Decisions of this lane only; may be repeated
    #[arg(long, value_name = "LABEL", allow_hyphen_values = true)]
    policy: Vec<String>,
    /// Only of rounds in which this candidate was shown, or an outcome of theirs was heard; may be
    /// repeated
    #[arg(long, value_name = "ID", allow_hyphen_values = true)]
    candidate: Vec<String>,
    /// Decisions of this round only; may be repeated
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = at_least(1))]
    round: Vec<u64>,
    /// Decisions of this replication only, from 0; may be repeated
    #[arg(long, value_name = "R", allow_negative_numbers = true, value_parser = at_least(0))]
    replication: Vec<u64>,
    /// What to print on stdout
    #[arg(long, value_enum, default_value = "table")]
    format: TraceFormat,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TraceFormat {
    /// For people
    Table,
    /// The events as they are in the file, one a line
    Ndjson,
    /// The events as Apache Parquet, a row each; not to a terminal
    #[cfg_attr(not(feature = "parquet"), value(hide = true))]
    Parquet,
}

/// Prints the traced decisions.
///
/// # Errors
/// Fails if there are no decisions, a line of them is broken, or a requested policy has none.
pub fn trace(args: TraceArgs) -> Result<(), Failure> {
    #[cfg(not(feature = "parquet"))]
    if args.format == TraceFormat::Parquet {
        let place = Place::Option("--format parquet".into());
        let problem = Problem::new(place, "this klero was built without Parquet");
        let help = "take --format ndjson, or build klero with it: cargo build --release --features \
                    parquet";
        return Err(unread(problem.help(help)));
    }
    #[cfg(feature = "parquet")]
    if args.format == TraceFormat::Parquet && io::stdout().is_terminal() {
        let place = Place::Option("--format parquet".into());
        let problem = Problem::new(place, "a terminal can't show what this writes");
        let help = "send it to a file: klero trace DIR --format parquet > decisions.parquet";
        return Err(unread(problem.help(help)));
    }
    let watch = watched(false, &Arc::default());
    let decisions = FolderDecisions::of(&args.folder, &watch).map_err(unread)?;
    let filter = DecisionFilter {
        policies: args.policy,
        candidates: decisions.called(args.candidate, &watch)?,
        rounds: args.round,
        replications: args.replication,
    };
    let failed = |error: io::Error| failed(&format!("{}: {error}", decisions.path.display()));
    let file = decisions.open().map_err(failed)?;
    let printed = print_decisions(file, &filter, args.format, decisions.kinds());
    let (seen, found) = printed.map_err(failed)?;
    let unfound = decisions.unfound(&filter, &seen, &found).map_err(failed)?;
    unfound.iter().for_each(|line| show::say(&plain(line)));
    let (problems, all) = decisions.refused(&filter, &seen);
    if all == 0 {
        return Ok(());
    }
    let read = format!("{} decisions were read", seen.decisions());
    show::wrong(&problems, None, all, &read);
    Err(Failure::Wrong)
}

/// Reports that no decision can be read.
fn unread(problem: Problem) -> Failure {
    unwritten(problem, "nothing was read")
}

/// Prints the decisions found. Returns what the file holds and what was found.
fn print_decisions(
    input: impl io::BufRead,
    filter: &DecisionFilter,
    form: TraceFormat,
    kinds: BTreeMap<String, String>,
) -> io::Result<(Seen, FilteredDecisions)> {
    let mut found = FilteredDecisions::default();
    #[cfg(feature = "parquet")]
    if form == TraceFormat::Parquet {
        let mut out = ParquetWriter::new(io::stdout()).map_err(io::Error::other)?;
        let seen = read_decisions(input, filter, |_, event| {
            found.note(filter, &event);
            out.write(event).map_err(io::Error::other)
        })?;
        out.finish().map_err(io::Error::other)?;
        return Ok((seen, found));
    }
    if form == TraceFormat::Table {
        let mut story = Story::new(filter, kinds);
        let seen = read_decisions(input, filter, |_, event| {
            found.note(filter, &event);
            story.take(&event);
            Ok(())
        })?;
        if found.decisions > 0 {
            show::print(&story.text(&seen, &look::of_stdout()))?;
        }
        return Ok((seen, found));
    }
    let mut out = BufWriter::new(io::stdout().lock());
    let mut gone = false;
    let read = read_decisions(input, filter, |line, event| {
        found.note(filter, &event);
        writeln!(out, "{line}").inspect_err(|error| gone = error.kind() == ErrorKind::BrokenPipe)
    });
    match read.and_then(|seen| out.flush().map(|()| seen)) {
        Ok(seen) => Ok((seen, found)),
        // A reader that has gone away has what it wanted.
        Err(error) if gone || error.kind() == ErrorKind::BrokenPipe => Ok((Seen::default(), found)),
        Err(error) => Err(error),
    }
}
