//! How a live run is asked for, and what comes of it.

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

/// Where the stream comes from.
#[derive(Clone, Copy, Debug)]
pub enum Origin<'a> {
    /// A new live run, whose journal is made in a folder.
    New(&'a Path),
    /// A live run that was stopped, from its folder: it goes on.
    Resumed(&'a Path),
    /// What a live run's journal holds, once more; nothing is written.
    Again(&'a Path),
    /// A feed whose journal is not kept.
    Unkept,
}

impl<'a> Origin<'a> {
    /// The folder of its journal, where it has one.
    #[must_use]
    pub fn folder(self) -> Option<&'a Path> {
        match self {
            Self::New(folder) | Self::Resumed(folder) | Self::Again(folder) => Some(folder),
            Self::Unkept => None,
        }
    }

    /// Whether it goes on, and writes its journal in a folder.
    #[must_use]
    pub fn is_live(self) -> bool {
        matches!(self, Self::New(_) | Self::Resumed(_))
    }
}

/// How a live run is carried out.
pub struct Options<'a> {
    /// As of any run; its `interrupt` stops the feed, and all that has come is played.
    pub settings: Settings,
    /// Whether there is a board.
    pub board: bool,
    /// Whether the servers stay when no lane plays any more, until the user stops them.
    pub stays: bool,
    /// What goes with a new journal.
    pub facts: Vec<(&'static str, String)>,
    /// The config, as resolved: what lanes elsewhere are played with.
    pub config: String,
    /// Policies that join the run now, as sections of its config; the plan has them already.
    pub joins: Option<String>,
    /// How many policies the journal knows nothing of: the last of the plan.
    pub joined: usize,
    /// Labels of policies whose lanes may end where their programs can't play again what they had
    /// played.
    pub without: Vec<String>,
    /// Where refused records are written of a feed whose journal is not kept.
    pub bad: Option<PathBuf>,
    /// Takes where the servers listen, before anything is played.
    pub listening: Box<dyn FnOnce(&Listening) + 'a>,
    /// Takes what can be seen of the run, before anything is played.
    pub watching: Box<dyn FnOnce(Arc<Watched>) + 'a>,
    /// Sees to the folder: before a new journal is made, once one that is there is known to be
    /// whole, and never where an address can't be had.
    pub prepare: Box<dyn FnOnce() -> Result<(), Problems> + 'a>,
    /// Takes the result once no lane plays any more, where the servers stay.
    pub over: Box<dyn FnOnce(&RunResult) + 'a>,
    /// Where the board finds the report, once it is written.
    pub report: Arc<ServedReport>,
}

impl Options<'_> {
    /// Options of a feed without a board whose journal is not kept.
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

/// Where the servers listen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listening {
    /// The board.
    pub board: Option<SocketAddr>,
    /// The feed.
    pub feed: Option<SocketAddr>,
    /// How many persons the journal of a run that goes on holds: they are played again first.
    pub persons: u64,
}

/// What came of a live run.
pub struct LiveResult {
    /// The result.
    pub result: RunResult,
    /// Records that were refused, also before it was last taken up.
    pub refused: u64,
    /// What was wrong with the first of them since it was last taken up.
    pub first_refused: FirstRefused,
    /// Persons who were taken.
    pub accepted: u64,
    /// Repeats that were dropped, since it was last taken up.
    pub duplicates: u64,
    /// Records that `where` left out, since then.
    pub left_out: u64,
    /// The record at which the stream ended, where `on_error = "halt"` ended it, and what is wrong
    /// with it.
    pub halted: Option<String>,
}

impl LiveResult {
    /// Whether there were records, and not one of them could be read.
    #[must_use]
    pub fn read_nobody(&self) -> bool {
        self.refused > 0 && self.accepted == 0 && self.left_out == 0
    }
}

/// Why a live run failed.
#[derive(Debug, thiserror::Error)]
pub enum LiveError {
    /// The run itself.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The journal.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// What came from outside could not be recorded.
    #[error(transparent)]
    Recorder(#[from] RecorderError),
    /// The folder can't be had.
    #[error(transparent)]
    Folder(#[from] Problems),
    /// An address can't be listened on.
    #[error("can't listen on {0}: {1}")]
    Listen(SocketAddr, io::Error),
    /// The system gave no runtime, thread or file.
    #[error("can't start: {0}")]
    Start(#[from] io::Error),
}
