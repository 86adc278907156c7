//! A finished run, read back from its folder: `config.toml`, `summary.json`, `replications.csv`.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::files::{PROGRESS, SUMMARY};
use super::read::{policies, read_replications};
use crate::compare::RunResult;
use crate::compare::{
    Answer, Beside, Estimand, GoalAnswer, Judge, Pair, PolicySummary, StreamSummary, Summary,
};
use crate::config::Document;
use crate::document::{Value, read_text};
use crate::journal::{JOURNAL, is_in_use};
use crate::problem::{Place, Problem, Problems};
use crate::protocol::Role;
use crate::score::PolicyRun;

/// The schema of `summary.json` that is read.
const SCHEMA: u64 = 1;
/// The files of a run that are read.
const CONFIG: &str = "config.toml";
const REPLICATIONS: &str = "replications.csv";
/// Two folds of the same values may differ by so much, relatively: another version may sum in
/// another order.
const ROUNDING: f64 = 1e-9;

/// A finished run.
#[derive(Clone, Debug)]
pub struct Finished {
    /// The config's name.
    pub name: String,
    /// The seed.
    pub seed: u64,
    /// Replications asked for.
    pub replications: u64,
    /// What a reader would assume otherwise of the people or the rules.
    pub disclosures: Vec<String>,
    /// The comparisons, as they were judged when the run ended.
    pub pairs: Vec<Comparison>,
    /// What they come to; none of a run of an older version.
    pub answer: Option<Answered>,
    /// What made it: version by name.
    pub versions: BTreeMap<String, String>,
    /// The config as resolved.
    pub config: Document,
    /// The policies by label, folded again from `replications.csv`.
    pub policies: BTreeMap<String, PolicySummary>,
    /// The same, replication by replication, in label order.
    pub lanes: Vec<PolicyRun>,
    /// Whether the journal of a live run lies in its folder.
    pub has_journal: bool,
}

/// A pair of `summary.json`; members that this version does not know are passed over.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Comparison {
    /// The metric.
    pub metric: String,
    /// Label of the policy that the verdict speaks of.
    pub a: String,
    /// Label of the policy it is held against.
    pub b: String,
    /// What the interval covers; of older runs always the mean over replications.
    #[serde(default)]
    pub estimand: Estimand,
    /// Replications (or rounds) in which both have a value.
    pub n: u64,
    /// Replications in which one of the two left places of its committee empty, of a metric that
    /// speaks of filled ones; of older runs none.
    #[serde(default)]
    pub unfilled: u64,
    /// Mean of a - b.
    pub mean: Option<f64>,
    /// Its standard error.
    pub se: Option<f64>,
    /// Lower end of the interval.
    pub lo: Option<f64>,
    /// Upper end of the interval.
    pub hi: Option<f64>,
    /// The comparison's own share of alpha.
    pub alpha: f64,
    /// How the interval was made.
    pub method: String,
    /// The verdict's word.
    pub verdict: String,
    /// The margin stated for the metric; of older runs that of the config counts.
    #[serde(default)]
    pub margin: Option<f64>,
    /// About how many more replications (or rounds) an undecided pair is likely to need, where that
    /// is told.
    #[serde(default)]
    pub needed: Option<u64>,
    /// What a summary adds to the interval; older runs have nothing.
    #[serde(flatten)]
    pub beside: Beside,
}

/// The answer of `summary.json`; members that this version does not know are passed over.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Answered {
    /// The answer in a sentence or two.
    pub headline: String,
    /// The policies that no other surely dominates.
    pub frontier: Vec<String>,
    /// Who surely dominates whom.
    pub dominates: Vec<[String; 2]>,
    /// How many pairs of the frontier are open.
    #[serde(default)]
    pub open: u64,
    /// What the goal comes to.
    pub goal: Option<GoalAnswer>,
    /// The comparisons that only the answer needs.
    #[serde(default)]
    pub between: Vec<Comparison>,
}

/// What of `summary.json` is read whatever its schema.
#[derive(Deserialize)]
struct Head {
    schema: serde_json::Value,
}

/// What of `summary.json` is read.
#[derive(Deserialize)]
struct Body {
    name: String,
    seed: u64,
    replications: u64,
    #[serde(default)]
    disclosures: Vec<String>,
    policies: BTreeMap<String, Policy>,
    pairs: Vec<Comparison>,
    answer: Option<Answered>,
    versions: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Policy {
    kind: String,
    #[serde(default)]
    role: Role,
    endings: BTreeMap<String, u64>,
    metrics: BTreeMap<String, Folded>,
    /// Of older runs nothing.
    #[serde(default)]
    stream: Option<StreamSummary>,
}

/// What of a metric's statistics must be met again.
#[derive(Deserialize)]
struct Folded {
    n: u64,
    mean: f64,
}

impl From<Pair> for Comparison {
    fn from(pair: Pair) -> Self {
        Self {
            metric: pair.metric,
            a: pair.a,
            b: pair.b,
            estimand: pair.estimand,
            n: pair.n,
            unfilled: pair.unfilled,
            mean: pair.mean,
            se: pair.se,
            lo: pair.lo,
            hi: pair.hi,
            alpha: pair.alpha,
            method: pair.method.to_owned(),
            verdict: pair.verdict.word().to_owned(),
            margin: pair.margin,
            needed: pair.needed,
            beside: pair.beside,
        }
    }
}

impl From<Answer> for Answered {
    fn from(answer: Answer) -> Self {
        Self {
            headline: answer.headline,
            frontier: answer.frontier,
            dominates: answer.dominates,
            open: answer.open,
            goal: answer.goal,
            between: answer.between.into_iter().map(Comparison::from).collect(),
        }
    }
}

impl Finished {
    /// A run that goes on, as if it ended now; nothing is known of its config.
    #[must_use]
    pub fn so_far(run: RunResult, judge: &Judge) -> Self {
        let summary = Summary::of(&run, judge);
        Self {
            name: run.name,
            seed: run.seed,
            replications: run.replications,
            disclosures: summary.disclosures,
            pairs: summary.pairs.into_iter().map(Comparison::from).collect(),
            answer: Some(summary.answer.into()),
            versions: BTreeMap::new(),
            config: Document::parse("").expect("no text has no errors"),
            policies: summary.policies,
            lanes: run.policies,
            has_journal: false,
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
        let mut problems = Problems::default();
        let body = kept(body(&folder.join(SUMMARY)), &mut problems);
        let config = read_text(&folder.join(CONFIG)).map_err(Problems::from);
        let sound = |document: Document| document.refused().or(document);
        let parsed = |text: String| Document::parse(&text).and_then(sound);
        let config = config.and_then(|text| parsed(text).map_err(|p| in_config(folder, p)));
        let config = kept(config, &mut problems);
        let lanes = kept(lanes(&folder.join(REPLICATIONS)), &mut problems);
        let (Some(body), Some(config), Some(lanes)) = (body, config, lanes) else {
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
            rounds: Default::default(),
            streams: Vec::new(),
        };
        let mut folded = Summary::of(&run, &Judge::default()).policies;
        for (label, policy) in &mut folded {
            policy.role = body
                .policies
                .get(label)
                .map_or(Role::Policy, |known| known.role);
        }
        mismatches(folder, &body, &folded)?;
        others(folder, &body, &config)?;
        for (label, policy) in &mut folded {
            policy.stream = body
                .policies
                .get(label)
                .and_then(|told| told.stream.clone());
        }
        Ok(Self {
            name: body.name,
            seed: body.seed,
            replications: body.replications,
            disclosures: body.disclosures,
            pairs: body.pairs,
            answer: body.answer,
            versions: body.versions,
            config,
            policies: folded,
            lanes: run.policies,
            has_journal: folder.join(JOURNAL).exists(),
        })
    }

    /// All comparisons whose intervals hold together: those asked for and those that only the
    /// answer needs.
    pub fn comparisons(&self) -> impl Iterator<Item = &Comparison> {
        let between = self.answer.iter().flat_map(|answer| &answer.between);
        self.pairs.iter().chain(between)
    }

    /// Whether a policy can be the answer.
    pub fn is_contender(&self, label: &str) -> bool {
        let policy = self.policies.get(label);
        policy.is_none_or(|policy| policy.role == Role::Policy)
    }
}

/// The value, or nothing after noting what is wrong.
fn kept<T>(read: Result<T, Problems>, problems: &mut Problems) -> Option<T> {
    read.map_err(|found| problems.0.extend(found.0)).ok()
}

fn of_file(path: PathBuf, what: impl Into<String>) -> Problem {
    let (line, column) = (None, None);
    Problem::new(Place::File { path, line, column }, what)
}

/// Why a folder can't be reported.
fn no_run(folder: &Path) -> Problem {
    let says = |what: &str| of_file(folder.to_owned(), what);
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
        let help = format!(
            "wait for its end; where it was cut off, run it again with --force: klero run {CONFIG} --out … --force"
        );
        return says("the folder holds a run that is under way or was cut off").help(help);
    }
    let help = format!("give the --out folder of a run: it has {SUMMARY}");
    says("the folder holds no run").help(help)
}

/// What there is to do about a live run that has no results.
fn unfinished_live(folder: &Path) -> Problem {
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
    of_file(folder.to_owned(), what).help(help)
}

fn body(path: &Path) -> Result<Body, Problems> {
    let broken = |error: &serde_json::Error, help: &str| {
        let place = Place::File {
            path: path.to_owned(),
            line: Some(error.line() as u64),
            column: Some(error.column() as u64),
        };
        Problems::from(
            Problem::new(place, format!("this is no {SUMMARY} of a run: {error}")).help(help),
        )
    };
    let again = "the file is cut short or was changed: run it again";
    let text = read_text(path)?;
    let head: Head = serde_json::from_str(&text).map_err(|error| broken(&error, again))?;
    if head.schema != SCHEMA {
        let what = format!(
            "its schema is {}, and this klero reads schema {SCHEMA}",
            head.schema
        );
        let help = "report it with the version that ran it, or run it again with this one";
        return Err(of_file(path.to_owned(), what).help(help).into());
    }
    serde_json::from_str(&text).map_err(|error| broken(&error, again))
}

/// Places in a config are places in its file.
fn in_config(folder: &Path, problems: Problems) -> Problems {
    let placed = problems.0.into_iter().map(|problem| match problem.place {
        Place::Config { line, column, .. } => Problem {
            place: Place::File {
                path: folder.join(CONFIG),
                line: Some(line as u64),
                column: Some(column as u64),
            },
            ..problem
        },
        _ => problem,
    });
    Problems(placed.collect())
}

fn lanes(path: &Path) -> Result<super::read::Lanes, Problems> {
    let file = File::open(path).map_err(|error| {
        let what = match error.kind() {
            std::io::ErrorKind::NotFound => "this file of the run is missing".to_owned(),
            _ => format!("cannot be read: {error}"),
        };
        Problems::from(of_file(path.to_owned(), what).help("put it back, or run it again"))
    })?;
    read_replications(path, std::io::BufReader::new(file))
}

/// The summary is a fold of the replications: where it is not, one of the two was cut short or
/// changed.
fn mismatches(
    folder: &Path,
    body: &Body,
    folded: &BTreeMap<String, PolicySummary>,
) -> Result<(), Problems> {
    let mut problems = Problems::default();
    let mut says = |what: String| {
        let help = format!("{REPLICATIONS} is cut short or was changed since: run it again");
        problems.push(of_file(folder.join(REPLICATIONS), what).help(help));
    };
    for (label, told) in &body.policies {
        let has: u64 = told.endings.values().sum();
        let Some(ours) = folded.get(label) else {
            if has > 0 {
                says(format!("policy `{label}` of {SUMMARY} is not in it"));
            }
            continue;
        };
        let lanes: u64 = ours.endings.values().sum();
        if lanes != has || lanes != body.replications {
            let has = if lanes == has { body.replications } else { has };
            says(format!(
                "it has {lanes} replications of `{label}`, {SUMMARY} has {has}"
            ));
            continue;
        }
        let is_met = |metric: &String, told: &Folded| {
            let ours = ours.metrics.get(metric);
            ours.is_some_and(|ours| {
                let room = ROUNDING * told.mean.abs().max(ours.mean.abs());
                ours.n == told.n && (ours.mean - told.mean).abs() <= room
            })
        };
        if let Some((metric, _)) = told.metrics.iter().find(|(name, told)| !is_met(name, told)) {
            says(format!(
                "the mean of {metric} of `{label}` is not that of {SUMMARY}"
            ));
        }
    }
    for label in folded
        .keys()
        .filter(|label| !body.policies.contains_key(*label))
    {
        says(format!("it has a policy `{label}` that {SUMMARY} has not"));
    }
    problems.or(())
}

/// The config and the comparisons are those of the run: where they are not, a file was changed or
/// is another's.
fn others(folder: &Path, body: &Body, config: &Document) -> Result<(), Problems> {
    let mut problems = Problems::default();
    let of = |key: &str| config.root().get(key).map(|node| &node.value);
    let is_named = of("name") == Some(&Value::Text(body.name.clone()));
    let is_seeded = match of("seed") {
        Some(Value::Whole(seed)) => u64::try_from(*seed) == Ok(body.seed),
        _ => false,
    };
    for (key, is_same) in [("name", is_named), ("seed", is_seeded)] {
        if !is_same {
            let what = format!("its {key} is not that of {SUMMARY}");
            let help =
                "it is the config of another run or was changed since: put the run's own back";
            problems.push(of_file(folder.join(CONFIG), what).help(help));
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
            let help = "the file was changed since: run it again";
            problems.push(of_file(folder.join(SUMMARY), what).help(help));
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
            let help = "the file was changed since: run it again";
            problems.push(of_file(folder.join(SUMMARY), what).help(help));
        }
    }
    problems.or(())
}

/// The runs of a sweep below a folder: each one's path from it, `KEY=VALUE` by `KEY=VALUE`, in
/// order of name; empty where the folder holds none.
pub fn runs_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    below(folder, Path::new(""), &mut found);
    found.sort();
    found
}

fn below(root: &Path, path: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(root.join(path)) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let is_point = name.to_str().is_some_and(|name| name.contains('='));
        let path = path.join(&name);
        let whole = root.join(&path);
        if !is_point || !whole.is_dir() {
            continue;
        }
        // One that was cut off is told of, not passed over.
        if whole.join(SUMMARY).exists() || whole.join(PROGRESS).exists() {
            found.push(path);
        } else {
            below(root, &path, found);
        }
    }
}
