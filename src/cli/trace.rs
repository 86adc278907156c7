//! `klero trace DIR`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

#[cfg(feature = "parquet")]
use std::io::IsTerminal;

use clap::{Args, ValueEnum};
use serde::Deserialize;

use super::args::at_least;
use super::failure::{Failure, failed, unwritten};
use super::live::KeptOptions;
use super::{folder, look, show};
use kleroterion::document::meant;
use kleroterion::journal::{JOURNAL, is_in_use};
use kleroterion::nearest::{listed, nearest};
use kleroterion::problem::{Place, Problem, Problems};
use kleroterion::record::{MOST_WHOLE, read_whole};
use kleroterion::report::files::{PROGRESS, SUMMARY};
use kleroterion::report::finished::sweep_runs;
use kleroterion::report::plain;
use kleroterion::report::story::{Story, described};
use kleroterion::report::written::changed;
#[cfg(feature = "parquet")]
use kleroterion::trace::parquet::ParquetWriter;
use kleroterion::trace::read::{DecisionFilter, Seen, Whereabouts, look_for, read_decisions};
use kleroterion::trace::{DECISIONS, Event, Names};

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
    let path = args.folder.join(DECISIONS);
    let open = || File::open(&path).map(BufReader::new);
    let file = open().map_err(|error| unread(missing(&args.folder, &path, &error)))?;
    let other = changed(&args.folder, |name| name == DECISIONS);
    other
        .iter()
        .for_each(|name| show::changed(&args.folder, name));
    let filter = DecisionFilter {
        policies: args.policy,
        candidates: called(&args.folder, args.candidate)?,
        rounds: args.round,
        replications: args.replication,
    };
    let failed = |error: io::Error| failed(&format!("{}: {error}", path.display()));
    let kinds = kinds(&args.folder);
    let printed = print_decisions(file, &filter, args.format, kinds);
    let (seen, found) = printed.map_err(failed)?;
    if found.decisions == 0 {
        for line in nothing(&filter, &seen) {
            show::say(&plain(&line));
        }
    }
    let missed = found.missed(&filter);
    if !missed.is_empty() && seen.decisions() > 0 {
        let places = open().and_then(|file| look_for(file, &missed));
        for (id, place) in missed.iter().zip(&places.map_err(failed)?) {
            show::say(&plain(&whereabouts(id, place)));
        }
    }
    refuse(&path, &filter, &seen)
}

/// Reports that no decision can be read.
fn unread(problem: Problem) -> Failure {
    unwritten(problem, "nothing was read")
}

/// The decisions that passed a filter.
#[derive(Default)]
struct FilteredDecisions {
    decisions: u64,
    /// The requested candidates that were found, by their place in the request.
    candidates: BTreeSet<usize>,
}

impl FilteredDecisions {
    fn note(&mut self, filter: &DecisionFilter, event: &Event) {
        self.decisions += 1;
        for (at, id) in filter.candidates.iter().enumerate() {
            if !self.candidates.contains(&at) && event.decision.shown.contains(id) {
                self.candidates.insert(at);
            }
        }
    }

    /// The requested candidates that were not found.
    fn missed<'a>(&self, filter: &'a DecisionFilter) -> Vec<&'a str> {
        let ids = filter.candidates.iter().enumerate();
        let missed = ids.filter(|(at, _)| !self.candidates.contains(at));
        missed.map(|(_, id)| id.as_str()).collect()
    }
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

/// The kinds of a run's policies, by label; empty if its summary can't be read.
fn kinds(folder: &Path) -> BTreeMap<String, String> {
    #[derive(Deserialize)]
    struct PolicyKind {
        kind: String,
    }
    #[derive(Deserialize)]
    struct Policies {
        policies: BTreeMap<String, PolicyKind>,
    }
    let read = read_whole(&folder.join(SUMMARY), MOST_WHOLE).ok();
    let read = read.and_then(|text| serde_json::from_slice(&text).ok());
    let Some(read): Option<Policies> = read else {
        return configured(folder);
    };
    let policies = read.policies.into_iter();
    policies
        .map(|(label, policy)| (label, policy.kind))
        .collect()
}

/// The kinds of the policies of a run in progress, read from its config.
fn configured(folder: &Path) -> BTreeMap<String, String> {
    #[derive(Deserialize)]
    struct ConfiguredPolicy {
        kind: String,
        label: Option<String>,
    }
    #[derive(Deserialize)]
    struct Config {
        policy: Vec<ConfiguredPolicy>,
    }
    let text = read_whole(&folder.join("config.toml"), MOST_WHOLE).ok();
    let read = text.and_then(|text| toml::from_slice::<Config>(&text).ok());
    let policies = read.map_or_else(Vec::new, |read| read.policy).into_iter();
    let kind = |one: ConfiguredPolicy| (one.label.unwrap_or_else(|| one.kind.clone()), one.kind);
    policies.map(kind).collect()
}

/// The command that writes decisions.
const WROTE: &str = "`klero run CONFIG --trace decisions --out DIR`";

/// The problem that there are no decisions to read, with the way to write some.
fn missing(folder: &Path, path: &Path, error: &io::Error) -> Problem {
    let has = |name: &str| folder.join(name).exists();
    let (place, what, help) = if error.kind() != ErrorKind::NotFound && !folder.is_file() {
        let what = format!("cannot be read: {error}");
        (path, what, "see that it is a file that you may read".into())
    } else if let Err(problem) = folder::there(folder, "trace", WROTE) {
        return problem;
    } else if has(JOURNAL) {
        let replay = format!(
            "play what its journal holds with them: klero replay {} --trace decisions --out OTHER; \
             then klero trace OTHER",
            folder.display()
        );
        if is_in_use(folder) {
            let what = "this live run is under way and keeps no decisions";
            (folder, what.into(), format!("once it has ended, {replay}"))
        } else {
            let what = format!("this live run has written no decisions: there is no {DECISIONS}");
            (folder, what, replay)
        }
    } else if has(PROGRESS) {
        let what = "the run is under way or was cut off: decisions are written when it ends";
        let help = "wait for its end, or run it again with --trace decisions and --force";
        (folder, what.into(), help.into())
    } else if has(SUMMARY) {
        let what = format!("the run kept no decisions: there is no {DECISIONS}");
        let config = folder.join("config.toml");
        let help = format!(
            "run it again with them: klero run {} --trace decisions --out DIR",
            config.display()
        );
        (folder, what, help)
    } else if let Some(run) = within(folder) {
        let what = "this folder holds the runs of a sweep".into();
        let help = format!("give the folder of one of them: {}", run.display());
        (folder, what, help)
    } else {
        let help = "give the folder that klero run CONFIG --trace decisions --out DIR wrote";
        (folder, format!("there is no {DECISIONS}"), help.into())
    };
    let path = place.to_owned();
    let (line, column) = (None, None);
    Problem::new(Place::File { path, line, column }, what).help(help)
}

/// The names under which the traces show these ids. A live run that hides ids shows hashes, whose
/// key its journal has.
fn called(folder: &Path, ids: Vec<String>) -> Result<Vec<String>, Failure> {
    if !folder.join(JOURNAL).is_file() {
        return Ok(ids);
    }
    let names = KeptOptions::read(folder)?.names();
    let name = |id: String| {
        if names.is_hidden() && !Names::is_name(&id) {
            let name = names.called(&id);
            show::say(&plain(&format!("note: {id} is called {name} in this run")));
            name
        } else {
            id
        }
    };
    Ok(ids.into_iter().map(name).collect())
}

/// The first run of the sweep in a folder.
fn within(folder: &Path) -> Option<PathBuf> {
    let runs = sweep_runs(folder)?.ok()?;
    let first = runs.begun.first()?;
    Some(folder.join(&first.name))
}

/// The lines that say that no decision was found, and what the file holds.
fn nothing(filter: &DecisionFilter, seen: &Seen) -> Vec<String> {
    let (Some(replications), Some(rounds)) = (&seen.replications, &seen.rounds) else {
        return vec![format!("note: there is no decision in {DECISIONS}")];
    };
    let labels = seen.policies.keys().map(String::as_str);
    let mut said = vec![format!(
        "note: nothing found of {}; there are {} decisions: replications {} to {}, rounds {} to \
         {}, policies {}",
        described(filter),
        seen.decisions(),
        replications.start(),
        replications.end(),
        rounds.start(),
        rounds.end(),
        listed(labels)
    )];
    if *replications.end() == 0 && filter.replications.iter().any(|asked| *asked > 0) {
        said.push(
            "note: a run keeps its first replication alone unless it has --trace-replications all"
                .into(),
        );
    }
    said
}

/// A note on the place of a candidate for whom no decision was found.
fn whereabouts(id: &str, place: &Whereabouts) -> String {
    match (place.first, &place.nearest) {
        (Some((replication, round)), _) => format!(
            "note: person {id} is in {} decisions that the other filters leave out, first in \
             round {round} of replication {replication}",
            place.shown
        ),
        (None, Some(near)) => {
            format!("note: person {id} was never shown; did you mean `{near}`?")
        }
        (None, None) => format!("note: person {id} was never shown"),
    }
}

/// Reports broken lines and unknown policies.
fn refuse(path: &Path, filter: &DecisionFilter, seen: &Seen) -> Result<(), Failure> {
    let mut problems = Problems::default();
    let labels = || seen.policies.keys().map(String::as_str);
    let known = |label: &String| seen.policies.contains_key(label) || seen.policies.is_empty();
    for label in filter.policies.iter().filter(|label| !known(label)) {
        let near = nearest(label, labels()).map(|near| format!("`{near}`"));
        let help = meant(near, format!("there are {}", listed(labels())));
        let place = Place::Option(format!("--policy {label}"));
        let what = "there is no decision of a policy of this name";
        problems.push(Problem::new(place, what).help(help));
    }
    let unknown = problems.0.len();
    for broken in &seen.broken {
        let place = Place::File {
            path: path.to_owned(),
            line: Some(broken.line),
            column: broken.column,
        };
        let help = "correct or delete the line, or run again; all other lines were read";
        problems.push(Problem::new(place, &*broken.what).help(help));
    }
    let all = unknown + seen.broken_lines as usize;
    if all == 0 {
        return Ok(());
    }
    let read = format!("{} decisions were read", seen.decisions());
    show::wrong(&problems, None, all, &read);
    Err(Failure::Wrong)
}
