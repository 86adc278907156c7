//! A live run, or the replay of its journal, with its files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::begun::config_of;
use super::files::{LiveFiles, LiveSink, SinkMaker};
use super::options::LiveOptions;
use super::said::{failure, kept_in, last_errors, left_out, refusals};
use crate::ahead::PlansAhead;
use crate::error::JobError;
use crate::files::{RunFiles, RunTables};
use crate::finished::{FinishedJob, FinishedRun};
use crate::load::JobRequest;
use crate::options::check_dropped;
use crate::question::{RunQuestion, keep_question};
use crate::report::write_own;
use crate::run::JobRun;
use crate::watch::{JobAlert, JobWatch};
use kleroterion_core::nearest::{listed, nearest};
use kleroterion_core::problem::{Problem, Problems};
use kleroterion_live::live::session::{self, Listening, LiveResult, Options, Origin};
use kleroterion_live::watch::Watched;
use kleroterion_live::watch::served::{ReportPage, ServedReport};
use kleroterion_report::report::files::Folder;
use kleroterion_report::report::kept_lotteries::KeptLotteries;
use kleroterion_run::config::{ConfigInputs, Plan};
use kleroterion_run::document::meant;
use kleroterion_run::run::{Runtime, Settings, Traces};
use kleroterion_stats::{RunResult, Summary};

/// A live run to make or to go on with, or a journal to replay.
pub struct LiveJob {
    /// The run, with one replication.
    pub run: JobRun,
    /// Threads, batches and the runtime. Results do not depend on them. Its traces, names and
    /// interrupt are set by [`LiveJob::play`].
    pub settings: Settings,
    /// The board and the files. A new run keeps them in its journal.
    pub options: LiveOptions,
    origin: LiveOrigin,
    /// The config sections of policies that join now.
    joins: Option<String>,
    /// The number of policies that are new to the journal: the last ones.
    joined: usize,
    /// The labels of policies whose lanes may end if their programs can't repeat what they had
    /// played.
    without: Vec<String>,
}

/// The origin of a live run's stream.
enum LiveOrigin {
    /// A new run in this folder, which overwrites a run that is not live if the flag is set.
    New(PathBuf, bool),
    /// The stopped run in this folder.
    Resumed(PathBuf),
    /// A new run in memory, without a journal that lasts.
    Unkept,
    /// The journal in this folder. Files go into another, which may be overwritten.
    Again(PathBuf, Option<(PathBuf, bool)>),
}

/// The changes of a live run when it is resumed or replayed.
#[derive(Clone, Debug, Default)]
pub struct LiveChanges {
    /// A file with more policies.
    pub policies: Option<PathBuf>,
    /// The question asked of the run.
    pub question: RunQuestion,
    /// The labels of policies whose lanes may end if their programs can't repeat what they had
    /// played.
    pub without: Vec<String>,
    /// All that the config refers to outside its text.
    pub inputs: ConfigInputs,
}

/// The receivers of what a live run shows while it goes on.
pub struct LiveHooks<'a> {
    /// Receives the addresses of the servers, before any round is played.
    pub listening: Box<dyn FnOnce(&Listening) + 'a>,
    /// Receives the visible state of the run, before any round is played.
    pub watching: Box<dyn FnOnce(Arc<Watched>) + 'a>,
    /// Is called once no lane plays any more, if the servers stay.
    pub over: Box<dyn FnOnce() + 'a>,
    /// Is called once the servers are gone, before results are written and errors returned.
    pub ended: Box<dyn FnOnce() + 'a>,
}

impl Default for LiveHooks<'_> {
    /// Receivers that show nothing.
    fn default() -> Self {
        Self {
            listening: Box::new(|_| {}),
            watching: Box::new(|_| {}),
            over: Box::new(|| {}),
            ended: Box::new(|| {}),
        }
    }
}

/// A live run or a replay that was played.
pub struct FinishedLive {
    /// The result, as of a job with one run.
    pub job: FinishedJob,
    /// The records that were not played, and the last error lines of programs, as sentences.
    pub notes: Vec<String>,
}

impl LiveJob {
    /// Loads the config of a new live run, whose journal and results go into a folder. With `force`
    /// a run in the folder is overwritten, but never the journal of a live run.
    ///
    /// # Errors
    /// Returns all that is wrong with the config, or what is in the folder already.
    pub fn load(
        request: impl Into<JobRequest>,
        folder: impl Into<PathBuf>,
        force: bool,
        options: LiveOptions,
    ) -> Result<Self, JobError> {
        let run = single(request.into())?;
        check_dropped(&run.plan, &options.dropped)?;
        let folder = folder.into();
        Folder::check(&folder, force)?;
        Ok(Self::of(run, LiveOrigin::New(folder, force), options))
    }

    /// Loads the config of a new live run in memory. Its journal is gone with it; the folder of its
    /// results can be written once it has ended.
    ///
    /// # Errors
    /// Returns all that is wrong with the config.
    pub fn in_memory(
        request: impl Into<JobRequest>,
        options: LiveOptions,
    ) -> Result<Self, JobError> {
        let run = single(request.into())?;
        check_dropped(&run.plan, &options.dropped)?;
        Ok(Self::of(run, LiveOrigin::Unkept, options))
    }

    /// Loads the stopped live run in a folder, with some changes. They are for good.
    ///
    /// # Errors
    /// Fails if the folder holds no live run, or if a change does not fit the run.
    pub fn resume(
        folder: &Path,
        changes: LiveChanges,
        watch: &JobWatch<'_>,
    ) -> Result<Self, JobError> {
        let mut request = config_of(folder, "resume", watch)?;
        let options = LiveOptions::read(folder)?;
        let joins = changes.join(&mut request)?;
        request.question = changes.question;
        let run = single(request.clone())?;
        keep_question(folder, &request.question)?;
        check_labels(&run, &changes.without)?;
        let (joins, joined) = joins.map_or((None, 0), |(text, many)| (Some(text), many));
        Ok(Self {
            joins,
            joined,
            without: changes.without,
            ..Self::of(run, LiveOrigin::Resumed(folder.to_owned()), options)
        })
    }

    /// Loads the journal in a folder to replay it, with some changes that the run does not keep. The
    /// files go into the folder `out`, where `force` overwrites a run.
    ///
    /// # Errors
    /// Fails if the folder holds no live run, or if a change does not fit the run.
    pub fn replay(
        folder: &Path,
        changes: LiveChanges,
        out: Option<(PathBuf, bool)>,
        watch: &JobWatch<'_>,
    ) -> Result<Self, JobError> {
        let mut request = config_of(folder, "replay", watch)?;
        let joins = changes.join(&mut request)?;
        request.question = changes.question;
        let run = single(request)?;
        let kept = LiveOptions::read(folder)?;
        let options = LiveOptions {
            key: kept.key,
            dropped: kept.dropped,
            ..LiveOptions::default()
        };
        Ok(Self {
            joined: joins.map_or(0, |(_, many)| many),
            ..Self::of(run, LiveOrigin::Again(folder.to_owned(), out), options)
        })
    }

    fn of(run: JobRun, origin: LiveOrigin, options: LiveOptions) -> Self {
        Self {
            run,
            settings: Settings {
                runtime: Runtime::Multi,
                ..Settings::default()
            },
            options,
            origin,
            joins: None,
            joined: 0,
            without: Vec::new(),
        }
    }

    /// Returns true if the run goes on and writes its journal, and is no replay.
    pub fn is_live(&self) -> bool {
        self.origin.origin().is_live()
    }

    /// The command that goes on with the run once it is stopped, if it is live.
    pub fn goes_on_by(&self) -> Option<String> {
        let folder = self.origin.origin().folder().filter(|_| self.is_live())?;
        Some(format!("klero resume {}", folder.display()))
    }

    /// Plays the run and writes its files. The watch hears what it assumes before it begins. An
    /// interrupt stops the feed; all people who have come are still played.
    ///
    /// # Errors
    /// Fails if the journal or an address can't be used, or later if the disk or a task fails.
    pub fn play(
        self,
        watch: &JobWatch<'_>,
        hooks: LiveHooks<'_>,
    ) -> Result<FinishedLive, JobError> {
        let plan = &self.run.plan;
        let origin = self.origin.origin();
        let mut settings = self.settings.clone();
        settings.names = self.options.names();
        settings.traces = self.traces();
        settings.interrupt.clone_from(&watch.interrupt);
        let files = LiveFiles::new(&settings, watch);
        plan.notes.iter().for_each(|note| watch.note(note));
        let mut ahead = PlansAhead::new(None, watch);
        ahead.supply(plan)?;
        ahead.supply_lotteries(plan, &KeptLotteries::default())?;
        let played = self.session(&files, settings, watch, hooks);
        if played.is_err() && matches!(origin, Origin::Resumed(_)) {
            files.leave();
        }
        let played = played?;
        let mut notes = unplayed(&played, plan, origin);
        notes.extend(last_errors(&played.result, plan));

        let is_new = matches!(origin, Origin::New(_) | Origin::Unkept);
        let read_nobody = is_new && played.read_nobody();
        let LiveResult { result, halted, .. } = played;
        let summary = summary_of(&result, plan);
        let (cohort, tables) = files.finish(&result, &summary)?;
        write_report(origin, &self.run.inputs, watch);
        let run = FinishedRun {
            run: self.run,
            result,
            summary,
            read_nobody,
            halted,
            cohort,
            tables,
        };
        Ok(FinishedLive {
            job: FinishedJob {
                runs: vec![run],
                is_interrupted: false,
                left_undone: None,
            },
            notes,
        })
    }

    /// Plays the session of the run.
    fn session(
        &self,
        files: &LiveFiles<'_>,
        settings: Settings,
        watch: &JobWatch<'_>,
        hooks: LiveHooks<'_>,
    ) -> Result<LiveResult, JobError> {
        let (plan, origin) = (&self.run.plan, self.origin.origin());
        let config = self.run.config();
        let facts = match origin {
            Origin::New(_) => self.options.facts(config.clone())?,
            _ => Vec::new(),
        };
        let make = self.sink_maker(&settings);
        let takes_people = plan.world.feed.as_ref().is_some_and(|feed| feed.is_http());
        let report = Arc::new(ServedReport::new());
        let options = Options {
            board: origin.is_live() && self.options.board,
            stays: origin.is_live() && (self.options.stay || takes_people),
            facts,
            config,
            joins: self.joins.clone(),
            joined: self.joined,
            without: self.without.clone(),
            bad: None,
            listening: hooks.listening,
            watching: Box::new(|watched| {
                files.follow(&watched);
                (hooks.watching)(watched);
            }),
            prepare: Box::new(|| files.make(make, &self.run)),
            report: Arc::clone(&report),
            over: Box::new(|result| {
                files.write(result, &summary_of(result, plan));
                if let Some(page) = write_report(origin, &self.run.inputs, watch) {
                    drop(report.set(page));
                }
                (hooks.over)();
            }),
            settings,
        };
        let played = session::play(plan, options, origin, |one| files.record(one));
        (hooks.ended)();
        played.map_err(|error| failure(error, plan, origin))
    }

    /// The function that creates the run's files, if it writes any.
    fn sink_maker(&self, settings: &Settings) -> Option<SinkMaker<'_>> {
        let (names, traces) = (settings.names.clone(), settings.traces);
        let tables = move |run: &JobRun| {
            let tables = RunTables::new(&run.plan, &names, traces, false);
            tables.map_err(|error| Problems::from(Problem::of_request(error.to_string())))
        };
        match &self.origin {
            LiveOrigin::New(folder, force) | LiveOrigin::Again(_, Some((folder, force))) => {
                Some(Box::new(move |run| {
                    let files = RunFiles::create(folder, *force, &run.config(), tables(run)?);
                    Ok(LiveSink::Files(Box::new(files?)))
                }))
            }
            LiveOrigin::Resumed(folder) => Some(Box::new(move |run| {
                let files = RunFiles::resume(folder, tables(run)?)?;
                Ok(LiveSink::Files(Box::new(files)))
            })),
            LiveOrigin::Unkept => Some(Box::new(move |run| {
                Ok(LiveSink::Tables(Box::new(tables(run)?)))
            })),
            LiveOrigin::Again(_, None) => None,
        }
    }

    /// The traces that are written besides the scores.
    fn traces(&self) -> Traces {
        Traces {
            selected: true,
            people: self.options.people,
            decisions: self.options.decisions,
            curves: true,
            all_replications: false,
        }
    }
}

impl LiveOrigin {
    fn origin(&self) -> Origin<'_> {
        match self {
            Self::New(folder, _) => Origin::New(folder),
            Self::Resumed(folder) => Origin::Resumed(folder),
            Self::Unkept => Origin::Unkept,
            Self::Again(folder, _) => Origin::Again(folder),
        }
    }
}

impl LiveChanges {
    /// Adds the policies that join to a config. Returns their text and number.
    fn join(&self, request: &mut JobRequest) -> Result<Option<(String, usize)>, JobError> {
        request.inputs.clone_from(&self.inputs);
        let policies = self.policies.as_ref();
        policies.map(|path| request.join(path)).transpose()
    }
}

/// The single run of a config, with one replication.
fn single(mut request: JobRequest) -> Result<JobRun, JobError> {
    if request.replications.is_some_and(|n| n != 1) {
        let what = "a live run plays one replication: what comes, comes once";
        let help = "leave --replications out, or use `klero run`";
        return Err(Problem::of_request(what).help(help).into());
    }
    request.replications = Some(1);
    let mut runs = request.runs()?;
    match (runs.pop(), runs.is_empty()) {
        (Some(run), true) => Ok(run),
        _ => {
            let what = "a live run plays one config, and a sweep is many";
            let help = "leave [sweep] and --sweep out";
            Err(Problem::of_request(what).help(help).into())
        }
    }
}

/// Writes the report of a run in its own folder. A report that can't be made does not fail the run.
fn write_report(
    origin: Origin<'_>,
    inputs: &ConfigInputs,
    watch: &JobWatch<'_>,
) -> Option<ReportPage> {
    let folder = origin.folder().filter(|_| origin.is_live())?;
    let made = write_own(folder, inputs);
    made.inspect_err(|problems| {
        for problem in &problems.0 {
            let what = format!("there is no report: {problem}");
            watch.alert(JobAlert::Note(&what));
        }
    })
    .ok()
}

/// The summary of a result, with the disclosures that each output must show.
fn summary_of(result: &RunResult, plan: &Plan) -> Summary {
    Summary::of(result, &plan.judge).disclosing(&plan.world.disclosures)
}

/// The records that were not played, as sentences.
fn unplayed(played: &LiveResult, plan: &Plan, origin: Origin<'_>) -> Vec<String> {
    let place = origin.folder().filter(|_| origin.is_live()).map(kept_in);
    let mut said: Vec<String> = left_out(played, &place.unwrap_or_default())
        .into_iter()
        .collect();
    // Senders who hear what became of their records know already.
    let silent = plan.world.feed.as_ref().filter(|feed| !feed.acknowledges());
    if let Some(feed) = silent.filter(|_| origin.is_live()) {
        said.extend(refusals(played, feed));
    }
    said
}

/// Refuses labels that no policy of the run has.
fn check_labels(run: &JobRun, labels: &[String]) -> Result<(), Problems> {
    let lanes = || run.plan.lanes.iter().map(|lane| &*lane.label);
    let mut problems = Problems::default();
    for label in labels {
        if lanes().any(|known| known == label) {
            continue;
        }
        let near = nearest(label, lanes()).map(|near| format!("{near:?}"));
        let help = meant(near, format!("policies: {}", listed(lanes())));
        let what = format!("there is no policy {label:?}");
        problems.push(Problem::of_option(format!("--without {label}"), what).help(help));
    }
    problems.or(())
}
