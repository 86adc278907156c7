//! The decisions in the folder of a run: where they are, under which names, and which were found.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufReader, ErrorKind};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::error::JobError;
use crate::folder::there;
use crate::live::LiveOptions;
use crate::report::changed_since;
use crate::watch::{JobAlert, JobWatch};
use kleroterion_core::nearest::{listed, nearest};
use kleroterion_core::problem::{Place, Problem, Problems};
use kleroterion_io::journal::{JOURNAL, is_in_use};
use kleroterion_io::record::{MOST_WHOLE, read_whole};
use kleroterion_io::trace::read::{DecisionFilter, Seen, Whereabouts, look_for};
use kleroterion_io::trace::{DECISIONS, Event, Names};
use kleroterion_report::report::files::{PROGRESS, SUMMARY};
use kleroterion_report::report::finished::sweep_runs;
use kleroterion_report::report::story::described;
use kleroterion_report::report::written::changed;
use kleroterion_run::document::{Document, meant};

/// The file of decisions in the folder of a run.
pub struct FolderDecisions {
    folder: PathBuf,
    /// The path of the file.
    pub path: PathBuf,
}

impl FolderDecisions {
    /// Finds the decisions in a folder. The watch hears if they were changed after the run.
    ///
    /// # Errors
    /// Fails if there are none, and says how to have some.
    pub fn of(folder: &Path, watch: &JobWatch<'_>) -> Result<Self, Problem> {
        let path = folder.join(DECISIONS);
        File::open(&path).map_err(|error| missing(folder, &path, &error))?;
        for name in changed(folder, |name| name == DECISIONS) {
            watch.warn(&changed_since(folder, &name));
        }
        let folder = folder.to_owned();
        Ok(Self { folder, path })
    }

    /// Opens the file.
    ///
    /// # Errors
    /// Fails if it can't be read.
    pub fn open(&self) -> io::Result<BufReader<File>> {
        File::open(&self.path).map(BufReader::new)
    }

    /// The names under which the decisions show these ids. A live run that hides ids shows hashes,
    /// whose key its journal has; the watch hears of each.
    ///
    /// # Errors
    /// Fails if the journal can't be read.
    pub fn called(&self, ids: Vec<String>, watch: &JobWatch<'_>) -> Result<Vec<String>, JobError> {
        if !self.folder.join(JOURNAL).is_file() {
            return Ok(ids);
        }
        let names = LiveOptions::read(&self.folder)?.names();
        let name = |id: String| {
            if !names.is_hidden() || Names::is_name(&id) {
                return id;
            }
            let name = names.called(&id);
            watch.alert(JobAlert::Note(&format!(
                "{id} is called {name} in this run"
            )));
            name
        };
        Ok(ids.into_iter().map(name).collect())
    }

    /// The kinds of the run's policies, by label; empty if neither its summary nor its config can be
    /// read.
    pub fn kinds(&self) -> BTreeMap<String, String> {
        kinds(&self.folder)
    }

    /// The sentences on what was not found: no decision, or no decision of some candidates.
    ///
    /// # Errors
    /// Fails if the file can't be read again.
    pub fn unfound(
        &self,
        filter: &DecisionFilter,
        seen: &Seen,
        found: &FilteredDecisions,
    ) -> io::Result<Vec<String>> {
        let mut said = match found.decisions {
            0 => nothing(filter, seen),
            _ => Vec::new(),
        };
        let missed = found.missed(filter);
        if !missed.is_empty() && seen.decisions() > 0 {
            let places = look_for(self.open()?, &missed)?;
            let places = missed.iter().zip(&places);
            said.extend(places.map(|(id, place)| whereabouts(id, place)));
        }
        Ok(said)
    }

    /// The problems of policies in a filter that have no decisions, and of broken lines, with their
    /// number. Of very many lines only the first have a problem each.
    pub fn refused(&self, filter: &DecisionFilter, seen: &Seen) -> (Problems, usize) {
        refused(&self.path, filter, seen)
    }
}

/// The decisions that passed a filter.
#[derive(Default)]
pub struct FilteredDecisions {
    /// The number of decisions.
    pub decisions: u64,
    /// The requested candidates that were found, by their place in the request.
    candidates: BTreeSet<usize>,
}

impl FilteredDecisions {
    /// Notes a decision that passed.
    pub fn note(&mut self, filter: &DecisionFilter, event: &Event) {
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
    let document = Document::read(&folder.join("config.toml")).ok();
    let policies = document.iter().flat_map(Document::policies);
    let kind = policies.filter_map(|policy| {
        let policy = policy.value.table()?;
        let text = |key| policy.value(key)?.text();
        let kind = text("kind")?;
        Some((text("label").unwrap_or(kind).to_owned(), kind.to_owned()))
    });
    kind.collect()
}

/// The command that writes decisions.
const WROTE: &str = "`klero run CONFIG --trace decisions --out DIR`";

/// The problem that there are no decisions to read, with the way to write some.
fn missing(folder: &Path, path: &Path, error: &io::Error) -> Problem {
    let has = |name: &str| folder.join(name).exists();
    let (place, what, help) = if error.kind() != ErrorKind::NotFound && !folder.is_file() {
        let what = format!("cannot be read: {error}");
        (path, what, "see that it is a file that you may read".into())
    } else if let Err(problem) = there(folder, "trace", WROTE) {
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

/// The problems of unknown policies and broken lines, and their number.
fn refused(path: &Path, filter: &DecisionFilter, seen: &Seen) -> (Problems, usize) {
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
    (problems, unknown + seen.broken_lines as usize)
}
