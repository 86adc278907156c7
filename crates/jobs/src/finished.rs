//! Finished jobs: results, and the forms in which they are printed and written.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use crate::error::JobError;
use crate::files::RunTables;
use crate::json::sweep_json;
use crate::report::written_report;
use crate::run::JobRun;
use crate::timing::RunTiming;
use kleroterion_core::problem::Problem;
use kleroterion_core::protocol::Ending;
use kleroterion_live::watch::served::ReportPage;
use kleroterion_report::report::cohort::CohortAccount;
use kleroterion_report::report::csv::write_sweep_replications;
use kleroterion_report::report::json::summary_json;
use kleroterion_report::report::medium::Medium;
use kleroterion_report::report::plain;
use kleroterion_report::report::sweep::{SweepPoint, sweep_table};
use kleroterion_report::report::table::table;
use kleroterion_stats::{Answer, RunResult, Summary};

/// The message if records came and none of them could be read.
pub const READ_NOBODY: &str = "no record could be read: the results are of no candidate";

/// A run that was played.
pub struct FinishedRun {
    /// The run.
    pub run: JobRun,
    /// All measurements, replication by replication.
    pub result: RunResult,
    /// The summary of the measurements, with the verdicts.
    pub summary: Summary,
    /// True if records came and none of them could be read.
    pub read_nobody: bool,
    /// The record at which a feed ended the stream, with its error.
    pub halted: Option<String>,
    /// The account of its cohort, if it is one stream of cohorts whose files were written.
    pub cohort: Option<CohortAccount>,
    /// The tables of people and decisions, if the run has no folder and keeps them.
    pub(crate) tables: Option<KeptTables>,
}

/// The tables of a run without a folder, and its timing.
pub(crate) type KeptTables = (RunTables, RunTiming);

impl FinishedRun {
    /// The answer over all comparisons.
    pub fn answer(&self) -> &Answer {
        &self.summary.answer
    }

    /// The table of the run. With `full` it has every measure. Whom a policy proposes comes last, as
    /// a person is to decide on it.
    pub fn table(&self, full: bool, medium: &Medium) -> String {
        let judge = &self.run.plan.judge;
        let table = table(&self.result, &self.summary, judge, full, medium);
        match &self.cohort {
            Some(cohort) if cohort.proposes => format!("{table}\n{}", cohort.text(medium)),
            Some(cohort) => cohort.text(medium) + &table,
            None => table,
        }
    }

    /// The decisions as lines of JSON; `None` if they were not traced, or are in the run's folder.
    ///
    /// # Errors
    /// Fails if they can't be read back.
    pub fn decisions(&mut self) -> io::Result<Option<String>> {
        match &mut self.tables {
            Some((tables, _)) => tables.decisions(),
            None => Ok(None),
        }
    }

    /// Writes the files of a run that was played in memory into a folder. With `force` it overwrites
    /// a run that is in the folder.
    ///
    /// # Errors
    /// Fails if the run did not keep its tables, or if the folder is in use or can't be written.
    pub fn write(&mut self, folder: &Path, force: bool) -> Result<(), JobError> {
        let Some((tables, timing)) = &mut self.tables else {
            let what = "the run has no tables that could be written";
            let help = "play the job in memory with keeps_tables, and write it once";
            return Err(Problem::of_request(what).help(help).into());
        };
        let config = self.run.config();
        let result = (&self.result, &self.summary);
        Ok(tables.write_anew((folder, force), &config, result, timing)?)
    }

    /// The report of a run that was played in memory: its page and its figures.
    ///
    /// # Errors
    /// Fails if the run did not keep its tables, or if no temporary folder can be written.
    pub fn report(&mut self) -> Result<ReportPage, JobError> {
        let folder = tempfile::tempdir()?;
        self.write(folder.path(), true)?;
        Ok(written_report(folder.path(), &self.run.inputs)?)
    }

    fn any(&self, ending: Ending) -> bool {
        let mut policies = self.summary.policies.values();
        policies.any(|policy| policy.endings.contains_key(&ending))
    }
}

/// A job that was played: the runs that were begun, in order.
pub struct FinishedJob {
    /// The runs. The last may be interrupted.
    pub runs: Vec<FinishedRun>,
    /// True if an interrupt ended the job.
    pub is_interrupted: bool,
    /// A sentence on what the interrupt left undone, if there is one.
    pub left_undone: Option<String>,
}

/// A failure of a job that was played: a sentence, and the advice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunFault {
    /// The sentence.
    pub what: String,
    /// The advice, if there is any.
    pub help: Option<String>,
}

impl From<&str> for RunFault {
    fn from(what: &str) -> Self {
        Self {
            what: what.to_owned(),
            help: None,
        }
    }
}

impl FinishedJob {
    /// The only run of a job that is no sweep.
    pub fn alone(&self) -> Option<&FinishedRun> {
        match &self.runs[..] {
            [run] if run.run.entry.is_none() => Some(run),
            _ => None,
        }
    }

    /// The answer of the first run.
    pub fn answer(&self) -> Option<&Answer> {
        self.runs.first().map(FinishedRun::answer)
    }

    /// The summary of the first run.
    pub fn summary(&self) -> Option<&Summary> {
        self.runs.first().map(|run| &run.summary)
    }

    /// The summary as JSON, as in `summary.json`; of a sweep those of all runs.
    pub fn json(&self) -> String {
        match self.alone() {
            Some(run) => summary_json(&run.summary),
            None => sweep_json(self.points()),
        }
    }

    /// The replications as CSV, as in `replications.csv`. For a sweep it starts with a column for
    /// each of its keys.
    ///
    /// # Errors
    /// Fails if folded values can't be read back.
    pub fn csv(&self) -> io::Result<String> {
        let set = |run: &FinishedRun| run.run.entry.clone().map(|entry| entry.set);
        let runs = self.runs.iter();
        let runs = runs.map(|run| (set(run).unwrap_or_default(), &run.result));
        let mut bytes = Vec::new();
        write_sweep_replications(runs, &mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The table of the run, or that over all runs of a sweep. With `full` it has every measure, and
    /// the table of each run of a sweep follows.
    pub fn table(&self, full: bool, medium: &Medium) -> String {
        if let Some(run) = self.alone() {
            return run.table(full, medium);
        }
        let points = self.points();
        let mut text = self.runs.first().map_or_else(String::new, |first| {
            sweep_table(&points, &first.run.plan.judge, full, medium)
        });
        for (run, point) in self.runs.iter().zip(&points).filter(|_| full) {
            let title = medium.finished(&medium.title(&point.entry.settings()));
            text += &format!("\n{title}{}", run.table(full, medium));
        }
        text
    }

    /// The faults of the runs, the gravest alone. With `strict`, a lane that broke off is a fault.
    pub fn faults(&self, strict: bool) -> Vec<RunFault> {
        if self.has_ended(Ending::SourceFailed) {
            let what = "the stream broke off; the results are of what came before";
            return vec![what.into()];
        }
        if self.runs.iter().any(|run| run.read_nobody) {
            return vec![READ_NOBODY.into()];
        }
        let unstarted = self.unstarted();
        if !unstarted.is_empty() || !strict {
            return unstarted;
        }
        let bad = [Ending::Disqualified, Ending::Panicked, Ending::Left];
        let mut broken = BTreeSet::new();
        for (label, policy) in self.runs.iter().flat_map(|run| &run.summary.policies) {
            let endings = policy.endings.keys().filter(|ending| bad.contains(ending));
            broken.extend(endings.map(|ending| format!("{label} {ending}")));
        }
        let broken: Vec<String> = broken.into_iter().collect();
        match broken.is_empty() {
            true => Vec::new(),
            false => vec![format!("--strict: {}", broken.join(", ")).as_str().into()],
        }
    }

    /// Returns true if the lane of a policy ended like this.
    pub fn has_ended(&self, ending: Ending) -> bool {
        self.runs.iter().any(|run| run.any(ending))
    }

    /// The policies whose programs could not be started, since their lanes measured nothing.
    fn unstarted(&self) -> Vec<RunFault> {
        let mut said = BTreeSet::new();
        let lanes = self.runs.iter().flat_map(|run| &run.run.plan.lanes);
        let faults = lanes.filter_map(|lane| {
            let spec = lane.policy.outside.as_ref()?;
            let why = spec.unstarted()?;
            let command = plain(&spec.command.join(" "));
            said.insert(&lane.label).then(|| RunFault {
                what: format!("policy {} could not be started: {why}", lane.label),
                help: Some(format!(
                    "`klero seat check {command}` shows what it reads and writes"
                )),
            })
        });
        faults.collect()
    }

    /// The runs of a sweep, in the form of its outputs.
    fn points(&self) -> Vec<SweepPoint> {
        let point = |run: &FinishedRun| {
            Some(SweepPoint {
                entry: run.run.entry.clone()?,
                summary: run.summary.clone(),
            })
        };
        self.runs.iter().filter_map(point).collect()
    }
}
