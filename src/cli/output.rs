//! The files of a run.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read, Seek, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use serde::Serialize;
use tempfile::SpooledTempFile;
use tracing::warn;

use kleroterion::compare::{Judge, RunResult, Summary, courses};
use kleroterion::config::Plan;
use kleroterion::problem::{Problem, Problems};
use kleroterion::record::{SheetWriter, without_links};
use kleroterion::report::chances::{CHANCES, write_chances};
use kleroterion::report::csv::{
    has_long, write_endings, write_long, write_replications, write_series,
};
use kleroterion::report::curves::{COURSE, CURVES, write_courses, write_curves};
use kleroterion::report::files::{Folder, HeldFolder, KEPT, PROGRESS, SUMMARY, TIMING, VERDICTS};
use kleroterion::report::flat::{FlatRun, write_summaries, write_verdicts};
use kleroterion::report::json::summary_json;
use kleroterion::report::lotteries::{CERTIFICATES, LOTTERIES, LOTTERY_CHANCES, Lotteries};
use kleroterion::report::written::{hash_of, hashes};
use kleroterion::run::{
    Played, PlayedFile, PlayedHeader, PlayedWriter, Replication, Settings, Traces,
};
use kleroterion::score::MetricNames;
use kleroterion::trace::{DECISIONS, DecisionsFile, ListedPeople, Names, merge_decisions};
use kleroterion::watch::Watched;
use kleroterion::watch::decisions::LaneDecision;

use crate::cli::limits::MOST_TABLE_MEMORY;

/// The folder of a run in progress.
pub struct RunFiles {
    folder: HeldFolder,
    progress: File,
    /// The file of played replications; `None` if the run can't be resumed from it.
    played: Option<PlayedWriter>,
    /// True if each replication is kept in it.
    keeps: bool,
    lists: Vec<(ListedPeople, SpooledTempFile)>,
    decisions: Option<SpooledTempFile>,
    seq: u64,
    written: Written,
}

/// The tables of decisions and people that a run writes.
pub struct Written {
    /// The lists of people, with their columns.
    lists: Vec<(ListedPeople, Vec<String>)>,
    decisions: bool,
    metrics: MetricNames,
    judge: Judge,
    /// The names under which people are shown.
    names: Names,
    lotteries: Option<Lotteries>,
    /// True to write people and decisions of every replication, not only of the first.
    all_replications: bool,
    /// True to write tables of people for spreadsheets.
    pub for_spreadsheet: bool,
}

impl Written {
    /// Creates the tables for these traces of a plan's run.
    pub fn of(plan: &Plan, names: &Names, traces: Traces) -> Self {
        let schema = &plan.world.schema;
        let lists = traces.lists(plan);
        Self {
            lists: lists
                .map(|listed| (listed, listed.columns(schema, names)))
                .collect(),
            decisions: traces.decisions,
            metrics: plan.metric_names(),
            judge: plan.judge.clone(),
            names: names.clone(),
            lotteries: Lotteries::of(plan, names),
            all_replications: traces.all_replications,
            for_spreadsheet: false,
        }
    }
}

/// The part of a run's record that depends on the clock and the machine.
#[derive(Serialize)]
pub struct RunTiming {
    /// Seconds from start to end.
    pub seconds: f64,
    /// The number of threads requested.
    pub threads: usize,
    /// The number of persons per batch, if the user gave one.
    pub batch: Option<usize>,
}

/// The timing, with the hashes of the files that the run wrote.
#[derive(Serialize)]
struct Noted<'a> {
    #[serde(flatten)]
    timing: &'a RunTiming,
    files: BTreeMap<String, String>,
}

impl RunTiming {
    /// The timing of a run from its start until now.
    pub fn of(started: Instant, settings: &Settings) -> Self {
        Self {
            seconds: started.elapsed().as_secs_f64(),
            threads: settings.threads,
            batch: settings.batch,
        }
    }
}

impl RunFiles {
    /// Creates the folder and notes in it that a run is in progress.
    pub fn create(
        path: &Path,
        force: bool,
        config: &str,
        written: Written,
    ) -> Result<Self, Problems> {
        let folder = Folder::create(path, force)?;
        folder.write("config.toml", |out| out.write_all(config.as_bytes()))?;
        Self::within(folder, written)
    }

    /// Keeps the replications as they are played.
    pub fn keeping(mut self, header: &PlayedHeader) -> Result<Self, Problems> {
        let path = self.folder.file(KEPT);
        let played = PlayedWriter::create(&path, header);
        self.played = Some(played.map_err(|error| unwritten(&self.folder, KEPT, &error))?);
        Ok(self)
    }

    /// Notes the run without its replications, which are kept elsewhere.
    pub fn noting(self, header: &PlayedHeader) -> Result<Self, Problems> {
        let noted = self.keeping(header)?;
        Ok(Self {
            keeps: false,
            ..noted
        })
    }

    /// Opens the folder of a stopped live run. Its results are written anew at the end.
    pub fn resume(path: &Path, written: Written) -> Result<Self, Problems> {
        Self::within(Folder::hold(path)?, written)
    }

    /// Opens the folder of a stopped run, with its played replications.
    pub fn go_on(
        path: &Path,
        file: PlayedFile,
        written: Written,
    ) -> Result<(Self, Played), Problems> {
        let folder = Folder::hold(path)?;
        // Its lines are written again.
        folder.remove(PROGRESS)?;
        folder.remove_report()?;
        let mut files = Self::within(folder, written)?;
        let begun = file.go_on(&files.folder.file(KEPT));
        let (played, writer) = begun.map_err(|error| unwritten(&files.folder, KEPT, &error))?;
        files.played = Some(writer);
        Ok((files, played))
    }

    fn within(folder: HeldFolder, written: Written) -> Result<Self, Problems> {
        let mut options = fs::OpenOptions::new();
        let progress = without_links(options.create(true).append(true))
            .open(folder.file(PROGRESS))
            .map_err(|error| unwritten(&folder, PROGRESS, &error))?;
        let lists = written.lists.iter();
        let lists = lists.map(|(listed, columns)| Ok((*listed, begun(columns)?)));
        let lists: io::Result<_> = lists.collect();
        let lists = lists.map_err(|error| Problem::of_file(folder.path(), error.to_string()))?;
        Ok(Self {
            folder,
            progress,
            played: None,
            keeps: !written.all_replications,
            lists,
            decisions: written
                .decisions
                .then(|| SpooledTempFile::new(MOST_TABLE_MEMORY)),
            seq: 0,
            written,
        })
    }

    /// Writes each decision as it is made, if decisions are written.
    pub fn follow(&self, watched: &Watched) -> io::Result<()> {
        if self.decisions.is_none() {
            return Ok(());
        }
        let mut file = DecisionsFile::open(&self.folder.file(DECISIONS))?;
        let mut failed = false;
        let take = move |decisions: &[Arc<LaneDecision>], confirmed| {
            let events = decisions.iter().map(|one| &one.event);
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
    pub fn record(&mut self, replication: &mut Replication) -> io::Result<()> {
        // Where all are traced, all are played again: what is kept of one is not all of it.
        if let Some(played) = self.played.as_mut().filter(|_| self.keeps) {
            played.add(replication)?;
        }
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
        let words: Vec<&str> = replication
            .lanes
            .iter()
            .map(|lane| lane.ending.word())
            .collect();
        let line = serde_json::json!({ "replication": replication.number, "endings": words });
        writeln!(self.progress, "{line}")
    }

    /// Writes all files and removes the note of a run in progress. The played replications stay if
    /// the run is not whole or belongs to a sweep; [`finish_played`] removes them.
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
        match is_whole {
            true => finish_played(&self.folder),
            false => self.folder.remove(PROGRESS),
        }
    }

    /// Leaves the folder as it was before the run.
    pub fn leave(self) {
        // What went wrong was said already.
        drop(self.folder.remove(PROGRESS));
    }

    /// Writes a table of people.
    fn people(
        &self,
        name: &str,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Problem> {
        self.folder.write(name, |out| {
            out.write_all(begin_table(self.written.for_spreadsheet))?;
            write(out)
        })
    }

    /// Writes all files as they are now.
    pub fn write(
        &mut self,
        run: &RunResult,
        summary: &Summary,
        timing: &RunTiming,
    ) -> Result<(), Problem> {
        let folder = &self.folder;
        folder.write("replications.csv", |out| write_replications(run, out))?;
        folder.write("endings.csv", |out| write_endings(run, out))?;
        let metrics = &self.written.metrics;
        folder.write("series.csv", |out| write_series(summary, metrics, out))?;
        folder.write(CURVES, |out| write_curves(run, metrics, out))?;
        if has_long(run) {
            folder.write("long.csv", |out| write_long(run, metrics, out))?;
        }
        let alone = FlatRun::alone(summary, metrics);
        folder.write("summary.csv", |out| write_summaries(&[], &alone, out))?;
        folder.write(VERDICTS, |out| write_verdicts(&[], &alone, out))?;
        let courses = courses(run, &self.written.judge, &summary.pairs);
        folder.write(COURSE, |out| write_courses(&courses, out))?;
        if let Some(seats) = &run.seats {
            let names = &self.written.names;
            self.people(CHANCES, |out| write_chances(run, seats, names, out))?;
        }
        if let Some(lotteries) = &self.written.lotteries {
            self.people(LOTTERIES, |out| lotteries.write_panels(out))?;
            self.people(LOTTERY_CHANCES, |out| lotteries.write_chances(out))?;
            let text = lotteries.certificates();
            folder.write(CERTIFICATES, |out| out.write_all(text.as_bytes()))?;
        }
        for (listed, list) in &mut self.lists {
            let mark = begin_table(self.written.for_spreadsheet);
            folder.write(listed.file(), |out| {
                out.write_all(mark)?;
                copy(list, out)
            })?;
        }
        if let Some(decisions) = &mut self.decisions {
            folder.write(DECISIONS, |out| copy(decisions, out))?;
        }
        let text = summary_json(summary);
        let mut files = hashes(folder.path());
        files.insert(SUMMARY.to_owned(), hash_of(text.as_bytes()));
        folder.write(TIMING, |out| {
            serde_json::to_writer_pretty(&mut *out, &Noted { timing, files })?;
            writeln!(out)
        })?;
        folder.write(SUMMARY, |out| out.write_all(text.as_bytes()))
    }
}

/// The problem if a file of a folder can't be written.
fn unwritten(folder: &HeldFolder, file: &str, error: &io::Error) -> Problem {
    Problem::of_file(folder.path(), format!("{file} can't be written: {error}"))
}

/// Notes that the run or the sweep in a folder is whole.
pub fn finish_played(folder: &HeldFolder) -> Result<(), Problem> {
    folder.finish()?;
    folder.remove(KEPT)
}

/// The byte order mark by which spreadsheets read a table as UTF-8; empty if the table is not for
/// them.
fn begin_table(for_spreadsheet: bool) -> &'static [u8] {
    match for_spreadsheet {
        true => "\u{feff}".as_bytes(),
        false => b"",
    }
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
