//! The playing of one run of a job, with its files and its notes.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::ahead::PlansAhead;
use crate::error::JobError;
use crate::files::{RunFiles, RunTables};
use crate::finished::FinishedRun;
use crate::job::{Before, Job};
use crate::live::{kept_in, left_out, refusals};
use crate::options::{RunOptions, was_played};
use crate::run::JobRun;
use crate::timing::RunTiming;
use crate::watch::{JobProgress, JobWatch};
use kleroterion_io::feed::FeedSpec;
use kleroterion_live::live::session::{self, LiveError, LiveResult, Options, Origin};
use kleroterion_report::report::cohort::CohortAccount;
use kleroterion_report::report::files::KEPT;
use kleroterion_report::report::forecast::StationaryForecast;
use kleroterion_run::config::Plan;
use kleroterion_run::run::{Played, PlayedFile, Replication, RunError, Settings, run_on};
use kleroterion_stats::{RunResult, Summary, Verdict};

/// The options with which all runs of a job start.
pub(crate) struct Start {
    options: RunOptions,
    settings: Settings,
    /// True to take folders in use.
    force: bool,
    /// The folder of all runs.
    out: Option<PathBuf>,
    /// True to keep the tables of a run without a folder.
    keeps_tables: bool,
    before: Before,
}

impl Start {
    /// The runs of a job, and the options with which they start.
    pub(crate) fn of(job: Job) -> (Vec<JobRun>, Self) {
        let start = Self {
            options: job.options,
            settings: job.settings,
            force: job.place.as_ref().is_some_and(|place| place.force),
            out: job.place.map(|place| place.path),
            keeps_tables: job.keeps_tables,
            before: job.before,
        };
        (job.runs, start)
    }
}

/// The player of a job's runs.
pub(crate) struct Player<'a> {
    start: Start,
    watch: &'a JobWatch<'a>,
    ahead: PlansAhead<'a>,
}

/// The places to which the replications of a run go.
enum Sink {
    Files(RunFiles),
    Tables(RunTables),
    Nowhere,
}

impl Sink {
    fn take(&mut self, replication: &mut Replication) -> io::Result<()> {
        match self {
            Self::Files(files) => files.record(replication),
            Self::Tables(tables) => tables.take(replication),
            Self::Nowhere => Ok(()),
        }
    }
}

/// A run as it was played, before it is summarised.
struct PlayedRun {
    result: RunResult,
    read_nobody: bool,
    halted: Option<String>,
}

impl From<RunResult> for PlayedRun {
    fn from(result: RunResult) -> Self {
        Self {
            result,
            read_nobody: false,
            halted: None,
        }
    }
}

impl<'a> Player<'a> {
    /// Creates the player.
    pub(crate) fn new(start: Start, watch: &'a JobWatch<'a>) -> Self {
        Self {
            ahead: PlansAhead::new(start.out.as_deref(), watch),
            start,
            watch,
        }
    }

    /// Plays a run and writes its files to the folder, if there is one. `point` is the place of the
    /// run in its sweep.
    pub(crate) fn play(
        &mut self,
        point: u32,
        run: JobRun,
        folder: Option<&Path>,
    ) -> Result<FinishedRun, JobError> {
        let plan = &run.plan;
        let started = Instant::now();
        plan.notes.iter().for_each(|note| self.watch.note(note));
        self.ahead.supply(plan)?;
        let kept = run.kept_lotteries();
        self.ahead.supply_lotteries(plan, &kept)?;
        let (mut sink, before) = self.sink(point, &run, folder)?;
        self.ahead.keep();
        self.note_forecast(&run);
        let of = plan.replications;
        self.watch.see(JobProgress::Replications(0, of));
        let (mut played, mut left_over) = (0, 0);
        let each = |replication: &mut Replication| {
            played += 1;
            self.watch.see(JobProgress::Replications(played, of));
            left_over += replication.left_over;
            sink.take(replication)
        };
        let played = match &plan.world.feed {
            None => run_on(plan, &self.start.settings, before, each)
                .map(PlayedRun::from)
                .map_err(LiveError::from),
            Some(feed) => self.play_feed(plan, feed, folder, each),
        };
        self.watch.see(JobProgress::Ready);
        let played = played.map_err(|error| unplayed(&error))?;
        let summary = Summary::of(&played.result, &plan.judge);
        let summary = summary.disclosing(&plan.world.disclosures);
        self.note_decided(plan, &played.result, &summary);
        self.note_left_over(left_over);
        let timing = RunTiming::of(started, &self.start.settings);
        let tables = match sink {
            Sink::Files(files) => {
                let is_whole = run.entry.is_none() && !self.watch.is_interrupted();
                let written = files.finish(&played.result, &summary, &timing, is_whole);
                written.map_err(JobError::failed)?;
                None
            }
            Sink::Tables(tables) => Some((tables, timing)),
            Sink::Nowhere => None,
        };
        let folder = folder.filter(|_| plan.replications == 1 && run.entry.is_none());
        Ok(FinishedRun {
            cohort: folder.and_then(CohortAccount::read),
            read_nobody: played.read_nobody,
            halted: played.halted,
            result: played.result,
            run,
            summary,
            tables,
        })
    }

    /// The places to which the replications of a run go, and the part of it that was played before.
    fn sink(
        &self,
        point: u32,
        run: &JobRun,
        folder: Option<&Path>,
    ) -> Result<(Sink, Played), JobError> {
        let Settings { names, traces, .. } = &self.start.settings;
        let options = &self.start.options;
        let tables = || RunTables::new(&run.plan, names, *traces, options.for_spreadsheet);
        let Some(folder) = folder else {
            let sink = match self.start.keeps_tables {
                true => Sink::Tables(tables()?),
                false => Sink::Nowhere,
            };
            return Ok((sink, Played::default()));
        };
        let before = &self.start.before;
        let config = run.config();
        let header = options.header(vec![config.clone()])?;
        let goes_on = match before {
            Before::Kept if was_played(folder) => Some((KEPT, None)),
            Before::Fewer(file) => Some((*file, Some(&header))),
            _ => None,
        };
        if let Some((name, under)) = goes_on {
            let file = PlayedFile::open(&folder.join(name));
            let file = file.map_err(|error| JobError::Failed(format!("{name}: {error}")))?;
            let (files, played) = RunFiles::go_on(folder, file, under, tables()?)?;
            return Ok((Sink::Files(files), played));
        }
        let files = RunFiles::create(folder, self.start.force, &config, tables()?)?;
        if let Before::Units(played) = before {
            return Ok((Sink::Files(files.noting(&header)?), played(point)));
        }
        // People of a feed come once.
        let files = match run.plan.world.feed {
            Some(_) => files,
            None => files.keeping(&header)?,
        };
        Ok((Sink::Files(files), Played::default()))
    }

    /// Plays the people of a feed without a journal.
    fn play_feed(
        &self,
        plan: &Plan,
        feed: &FeedSpec,
        folder: Option<&Path>,
        each: impl FnOnce(&mut Replication) -> io::Result<()>,
    ) -> Result<PlayedRun, LiveError> {
        let mut options = Options::unkept(&self.start.settings);
        options.bad = folder.map(|folder| folder.join("bad.ndjson"));
        let played = session::play(plan, options, Origin::Unkept, each)?;
        self.note_unplayed(&played, feed, folder);
        Ok(PlayedRun {
            read_nobody: played.read_nobody(),
            halted: played.halted,
            result: played.result,
        })
    }

    /// Notes the records that were not played.
    fn note_unplayed(&self, played: &LiveResult, feed: &FeedSpec, folder: Option<&Path>) {
        let place = folder.map_or_else(
            || " (with --out DIR they are kept, in DIR/bad.ndjson)".to_owned(),
            kept_in,
        );
        let sentence = left_out(played, &place);
        let refusals = refusals(played, feed);
        for sentence in sentence.iter().chain(&refusals) {
            self.watch.note(sentence);
        }
    }

    /// Notes the forecast of the best stationary policy. A sweep's runs have no such note, since
    /// there are many; `klero explain` shows it for each.
    fn note_forecast(&self, run: &JobRun) {
        if run.entry.is_some() || self.watch.note.is_none() || run.plan.outlook.is_none() {
            return;
        }
        let found = StationaryForecast::of(&run.plan, true).ok().flatten();
        for sentence in found.iter().flat_map(StationaryForecast::sentences) {
            self.watch.note(&sentence);
        }
    }

    /// Notes whether all pairs are decided, for a run that goes on until they are.
    fn note_decided(&self, plan: &Plan, result: &RunResult, summary: &Summary) {
        if !plan.judge.until_decided || self.watch.is_interrupted() {
            return;
        }
        let (played, most) = (result.replications, plan.replications);
        if let Some(goal) = &summary.answer.goal {
            self.watch.note(&if goal.settled {
                format!("the goal is settled after {played} replications, of {most} at most")
            } else {
                format!(
                    "the goal is not settled after {played} replications, the most there were to be"
                )
            });
            return;
        }
        if summary.pairs.is_empty() {
            return;
        }
        let is_open = |verdict| verdict == Verdict::Undecided;
        let note = if summary.pairs.iter().any(|pair| is_open(pair.verdict)) {
            format!(
                "not every pair is decided after {played} replications, the most there were to be"
            )
        } else {
            format!("every pair is decided after {played} replications, of {most} at most")
        };
        self.watch.note(&note);
    }

    fn note_left_over(&self, left_over: u64) {
        match left_over {
            0 => {}
            1 => {
                let note = "1 person did not fill a last slate and was not shown";
                self.watch.note(note);
            }
            many => self.watch.note(&format!(
                "{many} persons did not fill a last slate and were not shown"
            )),
        }
    }
}

/// The error of a run that was not played to its end.
fn unplayed(error: &LiveError) -> JobError {
    match error {
        LiveError::Run(RunError::Interrupted) => JobError::Interrupted(Some(error.to_string())),
        _ => JobError::failed(error),
    }
}
