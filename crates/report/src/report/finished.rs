//! A finished run, read back from its folder: `config.toml`, `summary.json`, `replications.csv` and
//! `endings.csv`.

mod folder;

pub(super) use folder::{CONFIG, value};

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use self::folder::{
    FinishedPolicy, body, data_files, in_config, lanes, mismatches, no_run, others, read_course,
    read_curve,
};
use super::cohort::CohortAccount;
use super::files::{PROGRESS, SUMMARY};
use super::points::{PointEntry, read_points};
use super::read::policies;
use super::strip::{Strip, StripLane};
use super::written::changed;
use kleroterion_core::problem::{Problem, Problems};
use kleroterion_core::protocol::Role;
use kleroterion_core::score::{Directions, Metrics, PolicyRun};
use kleroterion_io::journal::JOURNAL;
use kleroterion_io::trace::DECISIONS;
use kleroterion_run::config::Document;
use kleroterion_run::document::Value;
use kleroterion_run::document::read_text;
use kleroterion_stats::{
    Answer, Curves, Judge, Pair, PairCourse, PolicySummary, RunResult, Summary, courses,
};

/// A finished run.
#[derive(Clone, Debug)]
pub struct Finished {
    /// The name of the config.
    pub name: String,
    /// The seed.
    pub seed: u64,
    /// The number of replications asked for.
    pub replications: u64,
    /// Facts on the people or the rules that a reader would assume otherwise.
    pub disclosures: Vec<String>,
    /// The comparisons, as judged when the run ended.
    pub pairs: Vec<Pair>,
    /// The courses of the comparisons. Empty for runs written by older versions.
    pub courses: Vec<PairCourse>,
    /// The measures over the course of the run, by label. Empty for runs written by older versions.
    pub curves: BTreeMap<String, Curves>,
    /// True if people come one by one. A round is then one person.
    pub one_by_one: bool,
    /// The better direction of each metric.
    pub directions: Directions,
    /// The metrics that the program added to the catalogue.
    pub catalogue: Metrics,
    /// The answer over all comparisons. `None` for runs written by older versions.
    pub answer: Option<Answer>,
    /// The versions of the programs that made the run, by name.
    pub versions: BTreeMap<String, String>,
    /// The resolved config, with the current question.
    pub config: Document,
    /// The run's own config, if another question is asked of the run.
    pub own: Option<Document>,
    /// The policies by label. Their values are summarised again from `replications.csv`, and other
    /// statistics come from `summary.json`.
    pub policies: BTreeMap<String, PolicySummary>,
    /// The values of each replication, in label order.
    pub lanes: Vec<PolicyRun>,
    /// True if the folder of a live run holds its journal.
    pub has_journal: bool,
    /// The last round of a run of cohorts, if the run is one stream.
    pub cohort: Option<CohortAccount>,
    /// The decisions, if the run kept them.
    pub strip: Strip,
    /// The names of the files in its folder that hold its data.
    pub files: Vec<&'static str>,
    /// The names of its files that were changed after the run, by their hashes.
    pub changed: Vec<String>,
}

impl Finished {
    /// Makes a finished run from a run in progress, as if it ended now. Its config is unknown.
    #[must_use]
    pub fn so_far(run: RunResult, judge: &Judge) -> Self {
        let summary = Summary::of(&run, judge);
        let courses = courses(&run, judge, &summary.pairs);
        Self {
            name: run.name,
            seed: run.seed,
            replications: run.replications,
            disclosures: summary.disclosures,
            pairs: summary.pairs,
            courses,
            curves: BTreeMap::new(),
            one_by_one: false,
            directions: summary.directions,
            catalogue: summary.own_metrics,
            answer: Some(summary.answer),
            versions: BTreeMap::new(),
            config: Document::parse("").expect("no text has no errors"),
            own: None,
            policies: summary.policies,
            lanes: run.policies,
            has_journal: false,
            cohort: None,
            strip: Strip::default(),
            files: Vec::new(),
            changed: Vec::new(),
        }
    }

    /// Reads the run in a folder.
    ///
    /// # Errors
    /// All that is wrong: a folder without a run or with one that is not finished, a file that is
    /// missing, broken, of another schema, or that does not go with the others.
    pub fn read(folder: &Path) -> Result<Self, Problems> {
        if !folder.join(SUMMARY).exists() || folder.join(PROGRESS).exists() {
            return Err(no_run(folder).into());
        }
        Self::written(folder)
    }

    /// Reads the run whose files have just been written, even while its servers still run.
    ///
    /// # Errors
    /// As [`Finished::read`].
    pub fn written(folder: &Path) -> Result<Self, Problems> {
        let mut problems = Problems::default();
        let body = kept(body(&folder.join(SUMMARY)), &mut problems);
        let config = read_text(&folder.join(CONFIG)).map_err(Problems::from);
        let sound = |document: Document| document.refused().or(document);
        let parsed = |text: String| Document::parse(&text).and_then(sound);
        let config = config.and_then(|text| parsed(text).map_err(|p| in_config(folder, p)));
        let config = kept(config, &mut problems);
        let lanes = kept(lanes(folder), &mut problems);
        let courses = kept(read_course(folder), &mut problems);
        let curves = kept(read_curve(folder), &mut problems);
        let all = (body, config, lanes, courses, curves);
        let (Some(body), Some(config), Some(lanes), Some(courses), Some(curves)) = all else {
            return Err(problems);
        };
        let kind = |label: &str| {
            let policy = body.policies.get(label);
            policy.map_or_else(String::new, |policy| policy.kind.clone())
        };
        let run = RunResult {
            name: body.name.clone(),
            seed: body.seed,
            replications: body.replications,
            policies: policies(lanes, kind)?,
            ..RunResult::default()
        };
        let mut folded = Summary::of(&run, &Judge::default()).policies;
        mismatches(folder, &body, &config, &folded)?;
        others(folder, &body, &config)?;
        for (label, policy) in &mut folded {
            if let Some(told) = body.policies.get(label) {
                take_folded(policy, told);
            }
        }
        let slate = value(&config, &["rules", "slate"]);
        let changed = changed(folder, |_| true);
        let said = changed.iter();
        let said = said.map(|name| format!("`{name}` was changed after the run."));
        let said: Vec<String> = said.collect();
        Ok(Self {
            cohort: (body.replications == 1)
                .then(|| CohortAccount::read(folder))
                .flatten(),
            strip: strip(folder, &folded),
            name: body.name,
            seed: body.seed,
            replications: body.replications,
            disclosures: [body.disclosures, said].concat(),
            pairs: body.pairs,
            courses,
            curves,
            one_by_one: slate.is_none_or(|slate| *slate == Value::Whole(1)),
            directions: body.directions,
            catalogue: body.own_metrics,
            answer: body.answer,
            versions: body.versions,
            config,
            own: None,
            policies: folded,
            lanes: run.policies,
            has_journal: folder.join(JOURNAL).exists(),
            files: data_files(folder),
            changed,
        })
    }

    /// All comparisons whose intervals hold jointly: those asked for, and those that only the
    /// answer needs.
    pub fn comparisons(&self) -> impl Iterator<Item = &Pair> {
        let between = self.answer.iter().flat_map(|answer| &answer.between);
        self.pairs.iter().chain(between)
    }

    /// The run with some of its policies alone; what the answer says is still of all.
    pub(crate) fn only(&self, is_kept: impl Fn(&str) -> bool) -> Self {
        let both = |a: &str, b: &str| is_kept(a) && is_kept(b);
        let mut some = self.clone();
        some.pairs.retain(|one| both(&one.a, &one.b));
        some.courses.retain(|one| both(&one.a, &one.b));
        some.curves.retain(|label, _| is_kept(label));
        some.policies.retain(|label, _| is_kept(label));
        some.lanes.retain(|one| is_kept(&one.label));
        some.strip = self.strip.only(is_kept);
        some
    }

    /// Returns true if the policy can be the answer.
    pub fn is_contender(&self, label: &str) -> bool {
        let policy = self.policies.get(label);
        policy.is_none_or(|policy| policy.role == Role::Policy)
    }
}

/// The decisions of a run that kept them; none where they can't be read.
fn strip(folder: &Path, policies: &BTreeMap<String, PolicySummary>) -> Strip {
    let lanes = policies.iter().map(|(label, policy)| {
        let is_contender = policy.role == Role::Policy;
        (label.as_str(), policy.kind.as_str(), is_contender)
    });
    let lanes = StripLane::all(lanes);
    let file = File::open(folder.join(DECISIONS)).map(BufReader::new);
    file.map_or_else(|_| Strip::default(), |file| Strip::read(file, &lanes))
}

/// Takes from the summary what the values that were kept do not give.
fn take_folded(policy: &mut PolicySummary, finished: &FinishedPolicy) {
    policy.role = finished.role;
    let metrics = finished.metrics.iter();
    for (metric, stats) in metrics {
        policy.metrics.entry(metric.clone()).or_insert(*stats);
    }
    for (metric, points) in &finished.series {
        let series = policy.series.entry(metric.clone());
        series.or_insert_with(|| points.clone());
    }
    policy.parity = policy.parity.take().or_else(|| finished.parity.clone());
    policy.stream.clone_from(&finished.stream);
    policy.chances.clone_from(&finished.chances);
}

/// The value, or nothing after noting what is wrong.
fn kept<T>(read: Result<T, Problems>, problems: &mut Problems) -> Option<T> {
    read.map_err(|found| problems.0.extend(found.0)).ok()
}

/// The runs of a sweep.
pub struct SweepRuns {
    /// The runs that were begun, in the sweep's order. Interrupted runs are included.
    pub begun: Vec<PointEntry>,
    /// The number of runs that were not begun.
    pub missing: usize,
}

/// Reads the runs of the sweep in a folder. `None` if the folder holds no sweep.
///
/// # Errors
/// A list of runs that can't be read, or a sweep of which no run was begun.
pub fn sweep_runs(folder: &Path) -> Option<Result<SweepRuns, Problem>> {
    let points = read_points(folder)?;
    let is_begun = |point: &PointEntry| {
        let run = folder.join(&point.name);
        run.join(SUMMARY).exists() || run.join(PROGRESS).exists()
    };
    Some(points.and_then(|points| {
        let (begun, missing): (Vec<_>, Vec<_>) = points.into_iter().partition(is_begun);
        let missing = missing.len();
        if begun.is_empty() {
            let problem = Problem::of_file(folder, "no run of this sweep was begun");
            return Err(problem.help("run it again with --force"));
        }
        Ok(SweepRuns { begun, missing })
    }))
}
