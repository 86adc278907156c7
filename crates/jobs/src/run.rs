//! A run of a job: a checked config, and its place in a sweep.

use std::path::{Path, PathBuf};

use serde_json::{Map, json};

use crate::checked::checked;
use crate::error::JobError;
use crate::parsed::parse;
use crate::text::ConfigText;
use kleroterion_core::problem::Problems;
use kleroterion_core::protocol::{Respondents, Until};
use kleroterion_drawing::{Codes, Inputs};
use kleroterion_io::people::organisers::Roster;
use kleroterion_io::people::table::{LoadError, RawRows};
use kleroterion_report::report::kept_lotteries::KeptLotteries;
use kleroterion_report::report::plain;
use kleroterion_report::report::points::PointEntry;
use kleroterion_run::config::{ConfigInputs, Document, NamedFile, Plan, alike};
use kleroterion_stats::Versus;

/// A run to make: a checked config.
pub struct JobRun {
    /// Its name in the sweep and the sweep's settings; `None` for a single run.
    pub entry: Option<PointEntry>,
    /// The config.
    pub(crate) document: Document,
    /// The config's plan.
    pub plan: Plan,
    /// What the config refers to outside its text.
    pub(crate) inputs: ConfigInputs,
    /// The folder of the config, if it is a file.
    pub(crate) config_folder: Option<PathBuf>,
}

impl JobRun {
    /// The run of a config that a run wrote, whatever it says about a sweep.
    ///
    /// # Errors
    /// Fails if the config is wrong.
    pub fn again(
        text: &str,
        entry: Option<PointEntry>,
        inputs: &ConfigInputs,
    ) -> Result<Self, JobError> {
        let text = ConfigText::of("config.toml", text);
        let document = parse(&text)?;
        let inputs = inputs.in_folder(".");
        let plan = checked(&document, &inputs);
        Ok(Self {
            entry,
            plan: plan.map_err(|found| JobError::in_text(found, &text))?,
            document,
            inputs,
            config_folder: None,
        })
    }

    /// The config that reproduces this run from any folder.
    pub fn config(&self) -> String {
        self.document.resolved(&self.plan, &self.inputs).to_toml()
    }

    /// The run's name in texts: the settings of a sweep's run, else the config's name.
    pub fn title(&self) -> String {
        let settings = self.entry.as_ref().map(PointEntry::settings);
        settings.unwrap_or_else(|| self.plan.name.clone())
    }

    /// The beginning of an object of the run: its name, its settings, and what is disclosed.
    pub fn object(&self, disclosures: &[String]) -> Map<String, serde_json::Value> {
        let mut object = Map::new();
        object.insert("name".into(), json!(self.plan.name));
        if let Some(entry) = &self.entry {
            object.insert("set".into(), settings(entry).into());
        }
        if !disclosures.is_empty() {
            object.insert("disclosures".into(), json!(disclosures));
        }
        object
    }

    /// The store of its lotteries, next to the config if that is a file.
    pub fn kept_lotteries(&self) -> KeptLotteries {
        KeptLotteries::of_folders(self.config_folder.as_deref())
    }

    /// The files that the config names.
    pub fn files(&self) -> Vec<NamedFile> {
        let (_, mut named) = self.document.with_files(&self.inputs, |_| String::new());
        named.retain(|file| file.held.is_none());
        named
    }

    /// The people of the config by the names that lists may use: their ids, and the codes of a draw
    /// of this config.
    pub fn roster(&self, respondents: &Respondents) -> Roster {
        let roster = Roster::new(respondents);
        let inputs = Inputs::of(&self.document, &self.inputs).ok();
        let codes = inputs.map(|inputs| Codes::of(&inputs, respondents));
        let roster = match &codes {
            Some(codes) => roster.with_codes(codes.all().to_vec()),
            None => roster,
        };
        let read = self.plan.world.file.as_ref().and_then(|file| {
            let rows = RawRows::read(&file.path, &file.how, file.columns.as_deref());
            Some((rows.ok()?, &file.rows))
        });
        match read {
            Some((rows, numbers)) => roster.with_file(&rows, numbers),
            None => roster,
        }
    }
}

/// The problems of a file of people or panels. `help` is the advice if it can't be opened and no
/// other file has a name like it.
pub fn unloaded(error: LoadError, path: &Path, help: &str) -> Problems {
    let mut problems = error.problems;
    if error.unopened.is_some() {
        let near = alike(path).map(|near| format!("did you mean {near}?"));
        let help = near.unwrap_or_else(|| help.to_owned());
        for problem in &mut problems.0 {
            problem.help = Some(help.clone());
        }
    }
    problems
}

/// The settings of a sweep's run as an object.
pub fn settings(entry: &PointEntry) -> Map<String, serde_json::Value> {
    let set = entry.set.iter().cloned();
    set.map(|(key, value)| (key, value.into())).collect()
}

/// Objects of runs as JSON: the object of a single run, an array of those of a sweep.
pub fn objects(jobs: &[JobRun], all: impl Iterator<Item = serde_json::Value>) -> String {
    let mut all: Vec<_> = all.collect();
    let is_swept = jobs.iter().any(|job| job.entry.is_some());
    let alone = if is_swept { None } else { all.pop() };
    format!("{:#}\n", alone.unwrap_or(all.into()))
}

/// The runs of a config in words: what they would do and assume. What the runs of a sweep have in
/// common is said once.
pub fn description(runs: &[JobRun]) -> String {
    let mut text = match runs {
        [first, _, ..] => {
            let name = plain(&first.plan.name);
            format!("{name}: a sweep of {} runs\n", runs.len())
        }
        _ => String::new(),
    };
    let mut before = String::new();
    for run in runs {
        text += &headline(run);
        let details = details(&run.plan);
        if details != before {
            text += &details;
        }
        before = details;
    }
    text
}

/// The run in a line: its policies, its replications and its end.
fn headline(run: &JobRun) -> String {
    let plan = &run.plan;
    let until = match plan.rules.until {
        Until::Accepted(1) => "until 1 is accepted".to_owned(),
        Until::Accepted(k) => format!("until {k} are accepted"),
        Until::Rounds(n) => format!("for {}", count(n, "round", "rounds")),
        Until::SourceEnds => "until the source ends".to_owned(),
    };
    let policies = count(plan.lanes.len() as u64, "policy", "policies");
    let replications = count(plan.replications, "replication", "replications");
    let name = plain(&run.title());
    format!("{name}: {policies}, {replications}, {until}\n")
}

/// What a run plays and assumes, as lines of text.
fn details(plan: &Plan) -> String {
    let mut text = String::new();
    for lane in &plan.lanes {
        text += &format!("  {} ({})\n", plain(&lane.label), lane.kind);
    }
    let judged = plain(&plan.judge.metrics.join(", "));
    let filled = match plan.judge.adds_filled() && plan.replications > 1 {
        true => "; and filled, where a lane leaves places of its committee empty",
        false => "",
    };
    match &plan.judge.versus {
        // A note says why.
        Versus::Nobody => {}
        Versus::Baseline(label) => {
            let label = plain(label);
            text += &format!("  judged against {label}: {judged}{filled}\n");
        }
        Versus::Everyone => {
            text += &format!("  judged, every policy against every other: {judged}{filled}\n");
        }
    }
    for note in plan.world.disclosures.iter().chain(&plan.notes) {
        text += &format!("  note: {}\n", plain(note));
    }
    text
}

fn count(n: u64, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}
