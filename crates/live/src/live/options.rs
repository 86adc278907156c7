//! The options and the result of a live run.

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::error::RecorderError;
use crate::watch::Watched;
use crate::watch::refused::FirstRefused;
use crate::watch::served::ServedReport;
use kleroterion_core::problem::Problems;
use kleroterion_io::journal::JournalError;
use kleroterion_run::run::{RunError, Settings};
use kleroterion_stats::RunResult;

/// The origin of a live run's stream and journal.
#[derive(Clone, Copy, Debug)]
pub enum Origin<'a> {
    /// A new live run, whose journal is made in this folder.
    New(&'a Path),
    /// A stopped live run in this folder, which goes on.
    Resumed(&'a Path),
    /// A replay of the journal in this folder. It writes no journal.
    Again(&'a Path),
    /// A feed without a journal.
    Unkept,
}

impl<'a> Origin<'a> {
    /// The folder of the journal, if there is one.
    #[must_use]
    pub fn folder(self) -> Option<&'a Path> {
        match self {
            Self::New(folder) | Self::Resumed(folder) | Self::Again(folder) => Some(folder),
            Self::Unkept => None,
        }
    }

    /// Returns true if the run goes on and writes its journal in a folder.
    #[must_use]
    pub fn is_live(self) -> bool {
        matches!(self, Self::New(_) | Self::Resumed(_))
    }
}

/// The options of a live run.
pub struct Options<'a> {
    /// The settings, as for any run. `interrupt` stops the feed, and all people who have come are
    /// still played.
    pub settings: Settings,
    /// True to serve the board.
    pub board: bool,
    /// True to keep the servers after all lanes have ended, until the user stops them.
    pub stays: bool,
    /// Facts to store in a new journal, by name.
    pub facts: Vec<(&'static str, String)>,
    /// The resolved config, which lanes elsewhere get.
    pub config: String,
    /// The config sections of policies that join the run now. The plan includes them already.
    pub joins: Option<String>,
    /// The number of policies that are new to the journal: the last ones of the plan.
    pub joined: usize,
    /// The labels of policies whose lanes may end if their programs can't repeat what they had
    /// played.
    pub without: Vec<String>,
    /// The file of refused records, for a feed without a journal.
    pub bad: Option<PathBuf>,
    /// Receives the addresses of the servers, before any round is played.
    pub listening: Box<dyn FnOnce(&Listening) + 'a>,
    /// Receives the visible state of the run, before any round is played.
    pub watching: Box<dyn FnOnce(Arc<Watched>) + 'a>,
    /// Prepares the folder. It is called before a new journal is made, and after an existing one
    /// was found whole. It is never called if an address can't be used.
    pub prepare: Box<dyn FnOnce() -> Result<(), Problems> + 'a>,
    /// Receives the result once all lanes have ended, if the servers stay.
    pub over: Box<dyn FnOnce(&RunResult) + 'a>,
    /// The place in which the board finds the report, once it is written.
    pub report: Arc<ServedReport>,
}

impl Options<'_> {
    /// The options of a feed without a board and without a journal.
    #[must_use]
    pub fn unkept(settings: &Settings) -> Self {
        Self {
            settings: settings.clone(),
            board: false,
            stays: false,
            facts: Vec::new(),
            config: String::new(),
            joins: None,
            joined: 0,
            without: Vec::new(),
            bad: None,
            listening: Box::new(|_| {}),
            watching: Box::new(|_| {}),
            prepare: Box::new(|| Ok(())),
            over: Box::new(|_| {}),
            report: Arc::default(),
        }
    }
}

/// The addresses of a run's servers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listening {
    /// The address of the board.
    pub board: Option<SocketAddr>,
    /// The address of the feed.
    pub feed: Option<SocketAddr>,
    /// The number of persons in the journal of a resumed run, who are played first.
    pub persons: u64,
}

/// The result of a live run.
pub struct LiveResult {
    /// The result of its replication.
    pub result: RunResult,
    /// The number of refused records, including those before the last resume.
    pub refused: u64,
    /// The first refused records since the last resume, with their errors.
    pub first_refused: FirstRefused,
    /// The number of persons taken.
    pub accepted: u64,
    /// The number of repeats dropped since the last resume.
    pub duplicates: u64,
    /// The number of records left out by `where` since the last resume.
    pub left_out: u64,
    /// The record at which `on_error = "halt"` ended the stream, with its error.
    pub halted: Option<String>,
}

impl LiveResult {
    /// Returns true if records came and all of them were refused.
    #[must_use]
    pub fn read_nobody(&self) -> bool {
        self.refused > 0 && self.accepted == 0 && self.left_out == 0
    }
}

/// The error of a live run.
#[derive(Debug, thiserror::Error)]
pub enum LiveError {
    /// The replication failed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The journal failed.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The recorder failed.
    #[error(transparent)]
    Recorder(#[from] RecorderError),
    /// The folder or the request is unusable.
    #[error(transparent)]
    Folder(#[from] Problems),
    /// An address can't be listened on.
    #[error("can't listen on {0}: {1}")]
    Listen(SocketAddr, io::Error),
    /// The system refused a runtime, a thread or a file.
    #[error("can't start: {0}")]
    Start(#[from] io::Error),
}
