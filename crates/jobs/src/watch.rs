//! The watch over a job: its progress, its notes, and the flag that ends it.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use kleroterion_sortition::lottery::LotteryProgress;

/// The progress of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobProgress<'a> {
    /// The plan of the policy with this label is being worked out.
    LooksAhead(&'a str),
    /// The lottery of the policy with this label is being computed. It has come as far as is said.
    Lottery(&'a str, Option<LotteryProgress>),
    /// This is being computed. It has come as far as is said.
    Computes(&'a str, Option<LotteryProgress>),
    /// The end of what was last waited for.
    Ready,
    /// This many replications of a run are played, of at most so many.
    Replications(u64, u64),
}

impl fmt::Display for JobProgress<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, come) = match *self {
            Self::LooksAhead(label) => (format!("working out the plan of {label}"), None),
            Self::Lottery(label, come) => (format!("computing the lottery of {label}"), come),
            Self::Computes(what, come) => (what.to_owned(), come),
            Self::Ready => return Ok(()),
            Self::Replications(played, of) => (format!("{played}/{of} replications"), None),
        };
        match come {
            None => out.write_str(&what),
            Some(LotteryProgress::Panels { found, of: None }) => {
                write!(out, "{what}: {found} panels found")
            }
            Some(LotteryProgress::Panels {
                found,
                of: Some(of),
            }) => write!(out, "{what}: {found} of about {of} panels found"),
            Some(LotteryProgress::Settled { kinds, of }) => write!(
                out,
                "{what}: the chances of {kinds} of {of} kinds of respondents are settled"
            ),
        }
    }
}

/// Something that went wrong and stops nothing, by its weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobAlert<'a> {
    /// A result lacks something.
    Note(&'a str),
    /// A file is not as it should be.
    Warning(&'a str),
    /// Something could not be done.
    Error(&'a str),
}

impl fmt::Display for JobAlert<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, text) = match self {
            Self::Note(text) => ("note", text),
            Self::Warning(text) => ("warning", text),
            Self::Error(text) => ("error", text),
        };
        write!(out, "{word}: {text}")
    }
}

/// A receiver of progress.
type OnProgress<'a> = Box<dyn Fn(JobProgress<'_>) + 'a>;

/// A receiver of notes.
type OnNote<'a> = Box<dyn Fn(&str) + 'a>;

/// A receiver of alerts.
type OnAlert<'a> = Box<dyn Fn(JobAlert<'_>) + 'a>;

/// The receivers of a job's progress and sentences, and the flag that ends it. Each may be absent.
#[derive(Default)]
pub struct JobWatch<'a> {
    /// Receives the progress.
    pub progress: Option<OnProgress<'a>>,
    /// Receives what a reader of the results should know: assumptions, origins of plans, forecasts.
    /// Forecasts are made only if it is there.
    pub note: Option<OnNote<'a>>,
    /// Receives what went wrong and stops nothing.
    pub alert: Option<OnAlert<'a>>,
    /// Ends the job early once it is set.
    pub interrupt: Arc<AtomicBool>,
}

impl fmt::Debug for JobWatch<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = out.debug_struct("JobWatch");
        fields
            .field("interrupt", &self.interrupt)
            .finish_non_exhaustive()
    }
}

impl JobWatch<'_> {
    /// A watch that only sees this flag.
    #[must_use]
    pub fn interrupted_by(interrupt: &Arc<AtomicBool>) -> Self {
        Self {
            interrupt: Arc::clone(interrupt),
            ..Self::default()
        }
    }

    /// Returns true if the job is to end.
    pub fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }

    pub(crate) fn see(&self, progress: JobProgress<'_>) {
        if let Some(see) = &self.progress {
            see(progress);
        }
    }

    pub(crate) fn note(&self, text: &str) {
        if let Some(note) = &self.note {
            note(text);
        }
    }

    pub(crate) fn warn(&self, text: &str) {
        self.alert(JobAlert::Warning(text));
    }

    pub(crate) fn alert(&self, alert: JobAlert<'_>) {
        if let Some(take) = &self.alert {
            take(alert);
        }
    }
}
