//! The files of a finished run, read and compared with each other.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::super::curves::{COURSE, read_courses};
use crate::report::curves::{CURVES, read_curves};
use crate::report::files::{KEPT, PLAYED, PROGRESS, SUMMARY, TIMING, leavings};
use crate::report::points::POINTS;
use crate::report::read::{InputFile, LanesByLabel, read_lanes};
use kleroterion_core::problem::{Place, Problem, Problems, in_words_of_json};
use kleroterion_core::protocol::Role;
use kleroterion_core::score::{Directions, Metrics};
use kleroterion_io::journal::{JOURNAL, is_in_use};
use kleroterion_run::config::Document;
use kleroterion_run::document::{Value, read_text};
use kleroterion_stats::{
    Answer, ChanceSummary, Curves, Pair, PairCourse, Parity, PolicySummary, SeriesPoint, Standing,
    Stats, StreamSummary, Verdict, lies_within,
};

/// The schema of `summary.json` that is read.
pub(super) const SCHEMA: u64 = 1;
/// The files of a run that are read.
pub(in crate::report) const CONFIG: &str = "config.toml";
pub(super) const REPLICATIONS: &str = "replications.csv";
pub(super) const ENDINGS: &str = "endings.csv";
/// The advice for runs without the file of endings.
const OLDER: &str = "; earlier versions wrote none, and can report their own runs";
/// The relative difference that two sums of the same values may have. Another version may sum in
/// another order.
pub(super) const ROUNDING: f64 = 1e-9;

/// The part of `summary.json` that is read whatever its schema.
#[derive(Deserialize)]
pub(super) struct SummaryHead {
    pub(super) schema: serde_json::Value,
}

/// The part of `summary.json` that is read.
#[derive(Deserialize)]
pub(super) struct Body {
    pub(super) name: String,
    pub(super) seed: u64,
    pub(super) replications: u64,
    #[serde(default)]
    pub(super) disclosures: Vec<String>,
    pub(super) policies: BTreeMap<String, FinishedPolicy>,
    pub(super) pairs: Vec<Pair>,
    /// Empty for runs written by older versions. The directions of the catalogue then apply.
    #[serde(default)]
    pub(super) directions: Directions,
    /// Empty where the program added none.
    #[serde(default)]
    pub(super) own_metrics: Metrics,
    pub(super) answer: Option<Answer>,
    pub(super) versions: BTreeMap<String, String>,
}

#[derive(Deserialize)]
pub(super) struct FinishedPolicy {
    pub(super) kind: String,
    #[serde(default)]
    pub(super) role: Role,
    pub(super) endings: BTreeMap<String, u64>,
    pub(super) metrics: BTreeMap<String, Stats>,
    /// Empty for runs written by older versions.
    #[serde(default)]
    pub(super) series: BTreeMap<String, Vec<SeriesPoint>>,
    #[serde(default)]
    pub(super) parity: Option<Parity>,
    /// `None` for runs written by older versions.
    #[serde(default)]
    pub(super) stream: Option<StreamSummary>,
    /// `None` for runs written by older versions.
    #[serde(default)]
    pub(super) chances: Option<ChanceSummary>,
}

/// Returns the problem of a folder that can't be reported.
pub(super) fn no_run(folder: &Path) -> Problem {
    let says = |what: &str| Problem::of_file(folder, what);
    if !folder.exists() {
        return says("there is no such folder").help("give the --out folder of a run");
    }
    if !folder.is_dir() {
        return says("this is a file, not a folder").help("give the --out folder of a run");
    }
    if folder.join(JOURNAL).exists() {
        return unfinished_live(folder);
    }
    if folder.join(PROGRESS).exists() {
        let (has_kept, folder) = (folder.join(KEPT).exists(), folder.display());
        let help = match has_kept {
            true => format!("wait for its end; where it was cut off: klero resume {folder}"),
            false => format!(
                "wait for its end; where it was cut off, run it again with --force: klero run \
                 {folder}/{CONFIG} --out {folder} --force"
            ),
        };
        return says("the folder holds a run that is under way or was cut off").help(help);
    }
    let help = format!("give the --out folder of a run: it has {SUMMARY}");
    says("the folder holds no run").help(help)
}

/// Returns the problem of a live run that has no results yet, with advice.
pub(super) fn unfinished_live(folder: &Path) -> Problem {
    let dir = folder.display();
    let so_far = format!("klero replay {dir} --out OTHER; then klero report OTHER");
    let (what, help) = match is_in_use(folder) {
        true => (
            "the folder holds a live run that is under way",
            format!("wait for its end, or see what it has so far: {so_far}"),
        ),
        false => (
            "the folder holds a live run that was cut off",
            format!("klero resume {dir} takes it up again; to see what it has so far: {so_far}"),
        ),
    };
    Problem::of_file(folder, what).help(help)
}

/// The courses of the comparisons; a run of an older version has none.
pub(super) fn read_course(folder: &Path) -> Result<Vec<PairCourse>, Problems> {
    of_newer(folder.join(COURSE), read_courses)
}

/// The measures over the course of the run; a run of an older version has none.
pub(super) fn read_curve(folder: &Path) -> Result<BTreeMap<String, Curves>, Problems> {
    of_newer(folder.join(CURVES), read_curves)
}

/// Reads a file that runs of older versions have not.
fn of_newer<T: Default>(
    path: PathBuf,
    read: impl FnOnce(&Path, File) -> Result<T, Problem>,
) -> Result<T, Problems> {
    match File::open(&path) {
        Ok(file) => Ok(read(&path, file)?),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(T::default()),
        Err(error) => Err(Problem::of_file(path, format!("cannot be read: {error}")).into()),
    }
}

/// A value of a config, by the keys that lead to it.
pub(in crate::report) fn value<'a>(config: &'a Document, path: &[&str]) -> Option<&'a Value> {
    let (last, sections) = path.split_last()?;
    let mut table = config.root();
    for section in sections {
        match &table.get(section)?.value {
            Value::Table(inner) => table = inner,
            _ => return None,
        }
    }
    Some(&table.get(last)?.value)
}

pub(super) fn body(path: &Path) -> Result<Body, Problems> {
    let broken = |error: &serde_json::Error, help: &str| {
        let place = Place::field(path, Some(error.line() as u64), Some(error.column() as u64));
        Problems::from(
            Problem::new(
                place,
                format!(
                    "this is no {SUMMARY} of a run: {}",
                    in_words_of_json(&error.to_string())
                ),
            )
            .help(help),
        )
    };
    let again = "the file is cut short or was changed: run it again";
    let text = read_text(path)?;
    let head: SummaryHead = serde_json::from_str(&text).map_err(|error| broken(&error, again))?;
    if head.schema != SCHEMA {
        let what = format!(
            "its schema is {}, and this klero reads schema {SCHEMA}",
            head.schema
        );
        let help = "report it with the version that ran it, or run it again with this one";
        return Err(Problem::of_file(path, what).help(help).into());
    }
    let mut body: Body = serde_json::from_str(&text).map_err(|error| broken(&error, again))?;
    let between = body
        .answer
        .iter_mut()
        .flat_map(|answer| &mut answer.between);
    body.pairs
        .iter_mut()
        .chain(between)
        .for_each(|pair| complete(pair, &body.directions));
    Ok(body)
}

/// Adds what a file does not have of a comparison. A fact has no side, though older versions gave
/// it one.
fn complete(pair: &mut Pair, directions: &Directions) {
    let is_sided = matches!(
        pair.verdict,
        Verdict::Better | Verdict::Worse | Verdict::Differs
    );
    if pair.estimand.is_fact() && is_sided {
        pair.verdict = Verdict::SoFar;
    }
    let limits = pair.lo.zip(pair.hi);
    let is_within = limits.is_some_and(|limits| lies_within(limits, pair.margin));
    pair.standing = Standing::of(pair.verdict, pair.estimand, is_within);
    pair.direction = directions.of(&pair.metric);
}

/// Places in a config are places in its file.
pub(super) fn in_config(folder: &Path, problems: Problems) -> Problems {
    let placed = problems.0.into_iter().map(|problem| match problem.place {
        Place::Config { line, column, .. } => Problem {
            place: Place::field(folder.join(CONFIG), Some(line as u64), Some(column as u64)),
            ..problem
        },
        _ => problem,
    });
    Problems(placed.collect())
}

/// Reads the lanes of the run in a folder back.
pub(super) fn lanes(folder: &Path) -> Result<LanesByLabel, Problems> {
    let (values, endings) = (folder.join(REPLICATIONS), folder.join(ENDINGS));
    let mut problems = Problems::default();
    let opened = [(&values, ""), (&endings, OLDER)].map(|(path, older)| {
        let file = File::open(path).map_err(|error| missing(path, &error, older));
        file.map_err(|problem| problems.push(problem)).ok()
    });
    let [Some(of_values), Some(of_endings)] = opened else {
        return Err(problems);
    };
    let input = |path, file| InputFile {
        path,
        text: std::io::BufReader::new(file),
    };
    read_lanes(input(&values, of_values), input(&endings, of_endings))
}

fn missing(path: &Path, error: &std::io::Error, older: &str) -> Problem {
    let what = match error.kind() {
        std::io::ErrorKind::NotFound => "this file of the run is missing".to_owned(),
        _ => format!("cannot be read: {error}"),
    };
    Problem::of_file(path, what).help(format!("put it back, or run it again{older}"))
}

/// The summary is a fold of the replications: where it is not, one of the two was cut short or
/// changed. Of a metric that the run did not keep the file has no value.
pub(super) fn mismatches(
    folder: &Path,
    body: &Body,
    config: &Document,
    folded: &BTreeMap<String, PolicySummary>,
) -> Result<(), Problems> {
    let is_kept = kept(body, config, folded);
    let mut problems = Problems::default();
    let mut says = |file: &str, what: String| {
        let help = format!("{file} is cut short or was changed since: run it again");
        problems.push(Problem::of_file(folder.join(file), what).help(help));
    };
    for (label, finished) in &body.policies {
        let has: u64 = finished.endings.values().sum();
        let Some(ours) = folded.get(label) else {
            if has > 0 {
                let what = format!("policy `{label}` of {SUMMARY} is not in it");
                says(ENDINGS, what);
            }
            continue;
        };
        let lanes: u64 = ours.endings.values().sum();
        if lanes != has || lanes != body.replications {
            let has = if lanes == has { body.replications } else { has };
            let what = format!("it has {lanes} replications of `{label}`, {SUMMARY} has {has}");
            says(ENDINGS, what);
            continue;
        }
        let mut metrics = finished.metrics.iter();
        let differs = |(metric, stats): &(&String, &Stats)| {
            is_kept(metric) && !is_met(stats, ours.metrics.get(*metric))
        };
        if let Some((metric, _)) = metrics.find(differs) {
            let what = format!("the mean of {metric} of `{label}` is not that of {SUMMARY}");
            says(REPLICATIONS, what);
        }
    }
    let is_known = |label: &&String| body.policies.contains_key(*label);
    for label in folded.keys().filter(|label| !is_known(label)) {
        let what = format!("it has a policy `{label}` that {SUMMARY} has not");
        says(ENDINGS, what);
    }
    problems.or(())
}

/// Returns a test that is true for metrics whose values the run must have kept, by its config and
/// its files.
fn kept<'a>(
    body: &'a Body,
    config: &'a Document,
    folded: &'a BTreeMap<String, PolicySummary>,
) -> impl Fn(&str) -> bool + 'a {
    let keep = value(config, &["report", "keep"]);
    let is_word = move |word: &str| keep == Some(&Value::Text(word.to_owned()));
    let is_judged = |metric: &str| body.pairs.iter().any(|pair| pair.metric == metric);
    let is_there = |metric: &str| {
        let mut policies = folded.values();
        policies.any(|policy| policy.metrics.contains_key(metric))
    };
    move |metric| match () {
        () if is_word("all") => true,
        () if is_word("folds") => false,
        () => is_there(metric) || is_judged(metric) || body.replications == 1,
    }
}

/// Returns true if the statistics of a summary equal those of the values, up to rounding.
fn is_met(stats: &Stats, ours: Option<&Stats>) -> bool {
    ours.is_some_and(|ours| {
        let room = ROUNDING * stats.mean.abs().max(ours.mean.abs());
        ours.n == stats.n && (ours.mean - stats.mean).abs() <= room
    })
}

/// The config and the comparisons are those of the run: where they are not, a file was changed or
/// is another's.
pub(super) fn others(folder: &Path, body: &Body, config: &Document) -> Result<(), Problems> {
    let mut problems = Problems::default();
    let changed = |what: String| {
        let problem = Problem::of_file(folder.join(SUMMARY), what);
        problem.help("the file was changed since: run it again")
    };
    let of = |key: &str| value(config, &[key]);
    let is_named = of("name") == Some(&Value::Text(body.name.clone()));
    let is_seeded = match of("seed") {
        Some(Value::Whole(seed)) => u64::try_from(*seed) == Ok(body.seed),
        _ => false,
    };
    for (key, is_same) in [("name", is_named), ("seed", is_seeded)] {
        if !is_same {
            let what = format!("its {key} is not that of {SUMMARY}");
            let problem = Problem::of_file(folder.join(CONFIG), what);
            problems.push(problem.help(
                "it is the config of another run or was changed since: put the run's own back",
            ));
        }
    }
    let between = body.answer.iter().flat_map(|answer| &answer.between);
    for pair in body.pairs.iter().chain(between) {
        let is_run = |label: &String| body.policies.contains_key(label);
        let is_alpha = match pair.estimand.is_fact() {
            true => pair.alpha == 0.0,
            false => pair.alpha > 0.0 && pair.alpha < 1.0,
        };
        let is_interval = pair.lo.zip(pair.hi).is_none_or(|(lo, hi)| lo <= hi);
        let is_count = pair.estimand.is_stream() || pair.n <= body.replications;
        if !(is_run(&pair.a) && is_run(&pair.b) && is_alpha && is_interval && is_count) {
            let (metric, a, b) = (&pair.metric, &pair.a, &pair.b);
            let what = format!(
                "the comparison of `{a}` with `{b}` on {metric} can't be one of this run's"
            );
            problems.push(changed(what));
        }
    }
    for (label, policy) in &body.policies {
        let composition = policy.stream.as_ref().map(|stream| &stream.composition);
        let attributes = composition.into_iter().flat_map(|all| &all.attributes);
        let groups = attributes.clone().flat_map(|attribute| &attribute.groups);
        let ratios = attributes.map(|attribute| (attribute.ratio.lo, attribute.ratio.hi));
        let mut ends = groups.map(|group| (group.lo, group.hi)).chain(ratios);
        if !ends.all(|(lo, hi)| 0.0 <= lo && lo <= hi && hi <= 1.0) {
            let what = format!("the rates of `{label}` on its stream can't be those of this run");
            problems.push(changed(what));
        }
    }
    problems.or(())
}

/// Files that a report does not link to: what is for programs of ours, and the report itself.
const UNLINKED: [&str; 6] = [PROGRESS, KEPT, PLAYED, POINTS, TIMING, "report.html"];

/// The files of a finished run that are in its folder, for links to them.
pub(super) fn data_files(folder: &Path) -> Vec<&'static str> {
    let all = std::iter::once(CONFIG).chain(leavings());
    all.filter(|name| !UNLINKED.contains(name) && folder.join(name).is_file())
        .collect()
}
