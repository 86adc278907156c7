//! The files of a run.

use std::fs::{self, File};
use std::io::{self, Read, Seek, Write};
use std::path::Path;
use std::sync::Arc;

use tempfile::SpooledTempFile;
use tracing::warn;

use kleroterion_core::problem::{Problem, Problems};
use kleroterion_core::score::MetricNames;
use kleroterion_io::record::{SheetWriter, without_links};
use kleroterion_io::trace::{DECISIONS, DecisionsFile, ListedPeople, Names, merge_decisions};
use kleroterion_live::watch::Watched;
use kleroterion_live::watch::decisions::LaneDecision;
use kleroterion_report::report::chances::{CHANCES, write_chances};
use kleroterion_report::report::csv::{
    has_long, write_endings, write_long, write_replications, write_series,
};
use kleroterion_report::report::curves::{COURSE, CURVES, write_courses, write_curves};
use kleroterion_report::report::files::{
    Folder, HeldFolder, KEPT, PLAYED, PROGRESS, SUMMARY, VERDICTS,
};
use kleroterion_report::report::flat::{FlatRun, write_summaries, write_verdicts};
use kleroterion_report::report::json::summary_json;
use kleroterion_report::report::lotteries::{CERTIFICATES, LOTTERIES, LOTTERY_CHANCES, Lotteries};
use kleroterion_run::config::{Keep, Plan};
use kleroterion_run::run::{Played, PlayedFile, PlayedHeader, PlayedWriter, Replication, Traces};
use kleroterion_stats::{Judge, RunResult, Summary, courses};

use crate::limits::MOST_TABLE_MEMORY;
use crate::timing::RunTiming;

/// The tables of people and decisions of a run, gathered as its replications are played.
pub struct RunTables {
    /// The lists of people, each with its header.
    lists: Vec<(ListedPeople, SpooledTempFile)>,
    decisions: Option<SpooledTempFile>,
    seq: u64,
    metrics: MetricNames,
    judge: Judge,
    /// The names under which people are shown.
    names: Names,
    lotteries: Option<Lotteries>,
    /// True to write people and decisions of every replication, not only of the first.
    all_replications: bool,
    /// True if the folder of a whole run keeps its replications, so that more can be added. The key
    /// of hidden names is kept nowhere.
    stays_open: bool,
    /// The bytes with which tables of people begin: the byte order mark by which spreadsheets read
    /// them as UTF-8, or none.
    mark: &'static [u8],
}

/// The folder of a run in progress.
pub struct RunFiles {
    folder: HeldFolder,
    progress: File,
    /// The file of played replications; `None` if the run can't be resumed from it.
    played: Option<PlayedWriter>,
    /// True if each replication is kept in it.
    keeps: bool,
    tables: RunTables,
}

impl RunTables {
    /// Creates the tables for these traces of a plan's run. With `for_spreadsheet` tables of people
    /// are as spreadsheets read them.
    ///
    /// # Errors
    /// Fails if the system has no temporary file.
    pub fn new(
        plan: &Plan,
        names: &Names,
        traces: Traces,
        for_spreadsheet: bool,
    ) -> io::Result<Self> {
        let schema = &plan.world.schema;
        let lists = traces.lists(plan);
        let lists = lists.map(|listed| Ok((listed, begun(&listed.columns(schema, names))?)));
        Ok(Self {
            lists: lists.collect::<io::Result<_>>()?,
            decisions: traces
                .decisions
                .then(|| SpooledTempFile::new(MOST_TABLE_MEMORY)),
            seq: 0,
            metrics: plan.metric_names(),
            judge: plan.judge.clone(),
            names: names.clone(),
            lotteries: Lotteries::of(plan, names),
            all_replications: traces.all_replications,
            stays_open: plan.keep == Keep::All && !names.is_hidden(),
            mark: match for_spreadsheet {
                true => "\u{feff}".as_bytes(),
                false => b"",
            },
        })
    }

    /// Takes the people and the decisions of a replication.
    ///
    /// # Errors
    /// Fails if they can't be kept.
    pub fn take(&mut self, replication: &mut Replication) -> io::Result<()> {
        for log in replication.people.drain(..) {
            let mut lists = self.lists.iter_mut();
            if let Some((_, list)) = lists.find(|(listed, _)| *listed == log.listed()) {
                io::copy(&mut log.read()?, list)?;
            }
        }
        if let Some(decisions) = &mut self.decisions {
            let logs = std::mem::take(&mut replication.decisions);
            self.seq = merge_decisions(logs, self.seq, decisions)?;
        }
        Ok(())
    }

    /// The decisions as lines of `decisions.ndjson`; `None` if they are not traced.
    ///
    /// # Errors
    /// Fails if they can't be read back.
    pub fn decisions(&mut self) -> io::Result<Option<String>> {
        let Some(decisions) = &mut self.decisions else {
            return Ok(None);
        };
        let mut text = Vec::new();
        copy(decisions, &mut text)?;
        Ok(Some(String::from_utf8_lossy(&text).into_owned()))
    }

    /// Writes a result that was played without a folder into one, whole or not at all.
    ///
    /// # Errors
    /// Fails if the folder is in use or can't be written.
    pub fn write_anew(
        &mut self,
        (path, force): (&Path, bool),
        config: &str,
        (run, summary): (&RunResult, &Summary),
        timing: &RunTiming,
    ) -> Result<(), Problems> {
        let folder = Folder::create(path, force)?;
        folder.write("config.toml", |out| out.write_all(config.as_bytes()))?;
        self.write(&folder, run, summary, timing)?;
        Ok(finish_played(&folder)?)
    }

    /// Writes all files of a result into a folder.
    fn write(
        &mut self,
        folder: &Folder,
        run: &RunResult,
        summary: &Summary,
        timing: &RunTiming,
    ) -> Result<(), Problem> {
        folder.write("replications.csv", |out| write_replications(run, out))?;
        folder.write("endings.csv", |out| write_endings(run, out))?;
        let metrics = &self.metrics;
        folder.write("series.csv", |out| write_series(summary, metrics, out))?;
        folder.write(CURVES, |out| write_curves(run, metrics, out))?;
        if has_long(run) {
            folder.write("long.csv", |out| write_long(run, metrics, out))?;
        }
        let alone = FlatRun::alone(summary, metrics);
        folder.write("summary.csv", |out| write_summaries(&[], &alone, out))?;
        folder.write(VERDICTS, |out| write_verdicts(&[], &alone, out))?;
        let courses = courses(run, &self.judge, &summary.pairs);
        folder.write(COURSE, |out| write_courses(&courses, out))?;
        self.write_people(folder, run)?;
        if let Some(decisions) = &mut self.decisions {
            folder.write(DECISIONS, |out| copy(decisions, out))?;
        }
        let text = summary_json(summary);
        timing.write(folder, &text)?;
        folder.write(SUMMARY, |out| out.write_all(text.as_bytes()))
    }

    /// Writes the tables of people.
    fn write_people(&mut self, folder: &Folder, run: &RunResult) -> Result<(), Problem> {
        let mark = self.mark;
        let people = |name: &str, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>| {
            folder.write(name, |out| {
                out.write_all(mark)?;
                write(out)
            })
        };
        if let Some(seats) = &run.seats {
            let names = &self.names;
            people(CHANCES, &mut |out| write_chances(run, seats, names, out))?;
        }
        if let Some(lotteries) = &self.lotteries {
            people(LOTTERIES, &mut |out| lotteries.write_panels(out))?;
            people(LOTTERY_CHANCES, &mut |out| lotteries.write_chances(out))?;
            let text = lotteries.certificates();
            folder.write(CERTIFICATES, |out| out.write_all(text.as_bytes()))?;
        }
        for (listed, list) in &mut self.lists {
            people(listed.file(), &mut |out| copy(list, out))?;
        }
        Ok(())
    }
}

impl RunFiles {
    /// Creates the folder and notes in it that a run is in progress. With `force` a run that is in
    /// the folder is overwritten.
    ///
    /// # Errors
    /// Fails if the folder is in use or can't be written.
    pub fn create(
        path: &Path,
        force: bool,
        config: &str,
        tables: RunTables,
    ) -> Result<Self, Problems> {
        let folder = Folder::create(path, force)?;
        folder.write("config.toml", |out| out.write_all(config.as_bytes()))?;
        Self::within(folder, tables)
    }

    /// Keeps the replications as they are played.
    ///
    /// # Errors
    /// Fails if their file can't be written.
    pub fn keeping(mut self, header: &PlayedHeader) -> Result<Self, Problems> {
        let path = self.folder.file(KEPT);
        let played = PlayedWriter::create(&path, header);
        self.played = Some(played.map_err(|error| unwritten(&self.folder, KEPT, &error))?);
        Ok(self)
    }

    /// Notes the run without its replications, which are kept elsewhere.
    ///
    /// # Errors
    /// As [`keeping`](Self::keeping).
    pub fn noting(self, header: &PlayedHeader) -> Result<Self, Problems> {
        let noted = self.keeping(header)?;
        Ok(Self {
            keeps: false,
            ..noted
        })
    }

    /// Opens the folder of a stopped live run. Its results are written anew at the end.
    ///
    /// # Errors
    /// Fails if the folder can't be held.
    pub fn resume(path: &Path, tables: RunTables) -> Result<Self, Problems> {
        Self::within(Folder::hold(path)?, tables)
    }

    /// Opens the folder of a run that goes on, with its played replications. With `under` it goes on
    /// as the run of that header, which has more replications.
    ///
    /// # Errors
    /// Fails if the folder can't be held, or its file can't be read.
    pub fn go_on(
        path: &Path,
        mut file: PlayedFile,
        under: Option<&PlayedHeader>,
        tables: RunTables,
    ) -> Result<(Self, Played), Problems> {
        let folder = Folder::hold(path)?;
        if let Some(header) = under {
            // Where it is killed in between, the same command again goes on.
            let config = header.configs.concat();
            folder.write("config.toml", |out| out.write_all(config.as_bytes()))?;
            folder.write(KEPT, |out| file.copy(header, out))?;
            let copied = PlayedFile::open(&folder.file(KEPT)).map_err(io::Error::other);
            file = copied.map_err(|error| unwritten(&folder, KEPT, &error))?;
        }
        // Its lines are written again.
        folder.remove(PROGRESS)?;
        folder.remove_report()?;
        let mut files = Self::within(folder, tables)?;
        let begun = file.go_on(&files.folder.file(KEPT));
        let (played, writer) = begun.map_err(|error| unwritten(&files.folder, KEPT, &error))?;
        files.played = Some(writer);
        Ok((files, played))
    }

    fn within(folder: HeldFolder, tables: RunTables) -> Result<Self, Problems> {
        let mut options = fs::OpenOptions::new();
        let progress = without_links(options.create(true).append(true))
            .open(folder.file(PROGRESS))
            .map_err(|error| unwritten(&folder, PROGRESS, &error))?;
        Ok(Self {
            folder,
            progress,
            played: None,
            keeps: !tables.all_replications,
            tables,
        })
    }

    /// Writes each decision as it is made, if decisions are written.
    ///
    /// # Errors
    /// Fails if their file can't be opened.
    pub fn follow(&self, watched: &Watched) -> io::Result<()> {
        if self.tables.decisions.is_none() {
            return Ok(());
        }
        let mut file = DecisionsFile::open(&self.folder.file(DECISIONS))?;
        let mut failed = false;
        let take = move |decisions: &[Arc<LaneDecision>], confirmed| {
            let events = decisions.iter().map(|one| &*one.event);
            // What can't be written now is, or fails, with all other files at the end.
            if !failed && let Err(error) = file.take(events, confirmed) {
                warn!(%error, "{DECISIONS} can't be written as the run goes on");
                failed = true;
            }
        };
        watched.decisions.have_taken(take);
        Ok(())
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Adds a replication.
    ///
    /// # Errors
    /// Fails if it can't be written.
    pub fn record(&mut self, replication: &mut Replication) -> io::Result<()> {
        // Where all are traced, all are played again: what is kept of one is not all of it.
        if let Some(played) = self.played.as_mut().filter(|_| self.keeps) {
            played.add(replication)?;
        }
        self.tables.take(replication)?;
        let words: Vec<&str> = replication
            .lanes
            .iter()
            .map(|lane| lane.ending.word())
            .collect();
        let line = serde_json::json!({ "replication": replication.number, "endings": words });
        writeln!(self.progress, "{line}")
    }

    /// Writes all files and removes the note of a run in progress. The played replications stay if
    /// the run is not whole or belongs to a sweep; they are removed once that is whole.
    ///
    /// # Errors
    /// Fails if a file can't be written.
    pub fn finish(
        mut self,
        run: &RunResult,
        summary: &Summary,
        timing: &RunTiming,
        is_whole: bool,
    ) -> Result<(), Problem> {
        self.write(run, summary, timing)?;
        if let Some(played) = &mut self.played {
            let kept = played.sync();
            kept.map_err(|error| unwritten(&self.folder, KEPT, &error))?;
        }
        if !is_whole {
            return self.folder.remove(PROGRESS);
        }
        if self.played.is_some() && self.keeps && self.tables.stays_open {
            self.keep_all()?;
        }
        finish_played(&self.folder)
    }

    /// Keeps the replications of the whole run.
    fn keep_all(&self) -> Result<(), Problem> {
        let file = PlayedFile::open(&self.folder.file(KEPT)).map_err(io::Error::other);
        let file = file.map_err(|error| unwritten(&self.folder, PLAYED, &error))?;
        let header = file.header().clone();
        self.folder.write(PLAYED, |out| file.copy(&header, out))
    }

    /// Leaves the folder as it was before the run.
    pub fn leave(self) {
        // What went wrong was said already.
        drop(self.folder.remove(PROGRESS));
    }

    /// Writes all files as they are now.
    ///
    /// # Errors
    /// Fails if a file can't be written.
    pub fn write(
        &mut self,
        run: &RunResult,
        summary: &Summary,
        timing: &RunTiming,
    ) -> Result<(), Problem> {
        self.tables.write(&self.folder, run, summary, timing)
    }
}

/// The problem if a file of a folder can't be written.
fn unwritten(folder: &HeldFolder, file: &str, error: &io::Error) -> Problem {
    Problem::of_file(folder.path(), format!("{file} can't be written: {error}"))
}

/// Notes that the run or the sweep in a folder is whole.
///
/// # Errors
/// Fails if the note can't be written.
pub(crate) fn finish_played(folder: &HeldFolder) -> Result<(), Problem> {
    folder.finish()?;
    folder.remove(KEPT)
}

/// A list with only its header.
fn begun(columns: &[String]) -> io::Result<SpooledTempFile> {
    let mut csv = SheetWriter::to(SpooledTempFile::new(MOST_TABLE_MEMORY));
    csv.row(columns)?;
    csv.into_inner()
}

fn copy(from: &mut (impl Read + Seek), to: &mut dyn Write) -> io::Result<()> {
    from.rewind()?;
    io::copy(from, to).map(drop)
}
