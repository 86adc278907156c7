//! Playing of one job of `klero run`, with its files and its notes.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use super::super::ahead::Ahead;
use super::super::failure::{Failure, failed, wrong};
use super::super::load::Job;
use super::super::output::{RunFiles, RunTiming, Written};
use super::super::result::Done;
use super::super::{live, log, show};
use super::kept::{RunOptions, was_played};
use kleroterion::compare::{RunResult, Summary, Verdict};
use kleroterion::config::Plan;
use kleroterion::feed::FeedSpec;
use kleroterion::live::session::{self, LiveError, LiveResult, Options, Origin};
use kleroterion::report::cohort::CohortAccount;
use kleroterion::report::files::KEPT;
use kleroterion::report::forecast::StationaryForecast;
use kleroterion::report::plain;
use kleroterion::run::{Played, PlayedFile, Replication, RunError, Settings, run_on as play};

/// The player of one command's jobs. It prints each note once for all of them.
pub(super) struct Player {
    beginning: Beginning,
    settings: Settings,
    ahead: Ahead,
    notes: NotePrinter,
}

/// The start of runs.
pub(super) struct Beginning {
    /// The options kept for a resume.
    pub(super) options: RunOptions,
    /// True to take folders in use.
    pub(super) force: bool,
    /// The part of the runs that was played before.
    pub(super) before: Before,
}

/// The part of runs that was played before.
pub(super) enum Before {
    /// None: the runs are new.
    Nothing,
    /// The replications that each folder kept of an interrupted run.
    Kept,
    /// All of it, in units.
    Units(Box<dyn Fn(u32) -> Played>),
}

/// The notes, each once and in order. They are printed after the results.
#[derive(Default)]
struct NotePrinter {
    known: BTreeSet<String>,
    waiting: Vec<String>,
    is_quiet: bool,
}

impl NotePrinter {
    fn take(&mut self, note: &str) {
        if !self.is_quiet && self.known.insert(note.to_owned()) {
            self.waiting.push(plain(note));
        }
    }

    fn say(&mut self) {
        for note in self.waiting.drain(..) {
            show::say(&format!("note: {note}"));
        }
    }
}

impl Player {
    /// Creates the player. `out` is the folder of all runs, if there is one.
    pub(super) fn new(
        out: Option<&Path>,
        beginning: Beginning,
        settings: Settings,
        is_quiet: bool,
    ) -> Self {
        let interrupt = Arc::clone(&settings.interrupt);
        Self {
            beginning,
            settings,
            ahead: Ahead::new(out, is_quiet, interrupt),
            notes: NotePrinter {
                is_quiet,
                ..NotePrinter::default()
            },
        }
    }

    /// Prints the notes since the last call.
    pub(super) fn say_notes(&mut self) {
        self.notes.say();
    }

    /// Returns true if the user wants to stop.
    pub(super) fn is_interrupted(&self) -> bool {
        self.settings.interrupt.load(Ordering::Relaxed)
    }

    /// Plays a job and writes its files to the folder, if there is one. `point` is the place of the
    /// job in its sweep.
    pub(super) fn play(
        &mut self,
        point: u32,
        job: Job,
        folder: Option<&Path>,
    ) -> Result<Done, Failure> {
        let plan = &job.plan;
        let started = Instant::now();
        let notes = &mut self.notes;
        plan.notes.iter().for_each(|note| notes.take(note));
        self.ahead.supply(plan, |note| notes.take(note))?;
        let kept = job.kept_lotteries();
        self.ahead
            .supply_lotteries(plan, &kept, |note| notes.take(note))?;
        let files = folder.map(|folder| self.files(point, &job, folder));
        let (mut files, before) = files.transpose()?.unzip();
        self.ahead.keep();
        self.note_forecast(&job);
        let form = "{bar:32} {pos}/{len} replications, {eta} left";
        let bar = log::bar(plan.replications, form, self.notes.is_quiet);
        let mut left_over = 0;
        let each = |replication: &mut Replication| {
            bar.inc(1);
            left_over += replication.left_over;
            files
                .as_mut()
                .map_or(Ok(()), |files| files.record(replication))
        };
        let played = match &plan.world.feed {
            None => play(plan, &self.settings, before.unwrap_or_default(), each)
                .map(|result| (result, false))
                .map_err(LiveError::from),
            Some(feed) => self.play_feed(plan, feed, folder, each),
        };
        bar.finish_and_clear();
        let (result, read_nobody) = played.map_err(|error| unplayed(&error))?;
        let summary = Summary::of(&result, &plan.judge).disclosing(&plan.world.disclosures);
        self.note_decided(plan, &result, &summary);
        self.note_left_over(left_over);
        if let Some(files) = files {
            let timing = RunTiming::of(started, &self.settings);
            let is_whole = job.entry.is_none() && !self.is_interrupted();
            let written = files.finish(&result, &summary, &timing, is_whole);
            written.map_err(|problem| failed(&problem.to_string()))?;
        }
        let folder = folder.filter(|_| plan.replications == 1 && job.entry.is_none());
        let cohort = folder.and_then(|folder| CohortAccount::read(folder, None));
        Ok(Done {
            job,
            result,
            summary,
            read_nobody,
            cohort,
        })
    }

    /// The files of a job, and the part of it that was played before.
    fn files(&self, point: u32, job: &Job, folder: &Path) -> Result<(RunFiles, Played), Failure> {
        let Settings { names, traces, .. } = &self.settings;
        let mut written = Written::of(&job.plan, names, *traces);
        written.for_spreadsheet = self.beginning.options.for_spreadsheet;
        let before = &self.beginning.before;
        if matches!(before, Before::Kept) && was_played(folder) {
            let file = PlayedFile::open(&folder.join(KEPT));
            let file = file.map_err(|error| failed(&format!("{KEPT}: {error}")))?;
            return RunFiles::go_on(folder, file, written).map_err(wrong);
        }
        let config = job.config();
        let files = RunFiles::create(folder, self.beginning.force, &config, written);
        let files = files.map_err(wrong)?;
        let header = self.beginning.options.header(vec![config])?;
        if let Before::Units(played) = before {
            let files = files.noting(&header).map_err(wrong)?;
            return Ok((files, played(point)));
        }
        // People of a feed come once.
        let files = match job.plan.world.feed {
            Some(_) => files,
            None => files.keeping(&header).map_err(wrong)?,
        };
        Ok((files, Played::default()))
    }

    /// Plays the people of a feed without a journal. Returns the result, and true if records came
    /// and none of them could be read.
    fn play_feed(
        &mut self,
        plan: &Plan,
        feed: &FeedSpec,
        folder: Option<&Path>,
        each: impl FnOnce(&mut Replication) -> io::Result<()>,
    ) -> Result<(RunResult, bool), LiveError> {
        let mut options = Options::unkept(&self.settings);
        options.bad = folder.map(|folder| folder.join("bad.ndjson"));
        let played = session::play(plan, options, Origin::Unkept, each)?;
        self.note_unplayed(&played, feed, folder);
        let read_nobody = played.read_nobody();
        if let Some(halted) = &played.halted {
            show::say(&format!("error: {}", plain(halted)));
        }
        Ok((played.result, read_nobody))
    }

    /// Notes the records that were not played.
    fn note_unplayed(&mut self, played: &LiveResult, feed: &FeedSpec, folder: Option<&Path>) {
        let place = folder.map_or_else(
            || " (with --out DIR they are kept, in DIR/bad.ndjson)".to_owned(),
            live::kept_in,
        );
        let sentence = live::left_out(played, &place);
        let refusals = live::refusals(played, feed);
        for sentence in sentence.iter().chain(&refusals) {
            self.notes.take(sentence);
        }
    }

    /// Notes the forecast of the best stationary policy. A sweep's runs have no such note, since
    /// there are many; `klero explain` shows it for each.
    fn note_forecast(&mut self, job: &Job) {
        if job.entry.is_some() || self.notes.is_quiet || job.plan.outlook.is_none() {
            return;
        }
        let found = StationaryForecast::of(&job.plan, true).ok().flatten();
        for sentence in found.iter().flat_map(StationaryForecast::sentences) {
            self.notes.take(&sentence);
        }
    }

    /// Notes whether all pairs are decided, for a run that goes on until they are.
    fn note_decided(&mut self, plan: &Plan, result: &RunResult, summary: &Summary) {
        if !plan.judge.until_decided || self.is_interrupted() {
            return;
        }
        let (played, most) = (result.replications, plan.replications);
        if let Some(goal) = &summary.answer.goal {
            self.notes.take(&if goal.settled {
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
        self.notes.take(&note);
    }

    fn note_left_over(&mut self, left_over: u64) {
        match left_over {
            0 => {}
            1 => self
                .notes
                .take("1 person did not fill a last slate and was not shown"),
            many => self.notes.take(&format!(
                "{many} persons did not fill a last slate and were not shown"
            )),
        }
    }
}

/// The failure of a run that was not played to its end.
fn unplayed(error: &LiveError) -> Failure {
    match error {
        LiveError::Run(RunError::Interrupted) => {
            show::say(&error.to_string());
            Failure::Interrupted
        }
        _ => failed(&error.to_string()),
    }
}
