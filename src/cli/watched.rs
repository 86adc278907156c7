//! The watch over a job on the command line: progress as bars, alerts on stderr.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::ProgressBar;
use kleroterion::jobs::{JobError, JobProgress, JobWatch};
use kleroterion::report::plain;

use super::failure::Failure;
use super::interrupts::watch_for_interrupts;
use super::{log, show};

/// A watch that shows bars, unless `quiet`, and prints alerts. It takes no notes.
pub fn watched<'a>(quiet: bool, interrupt: &Arc<AtomicBool>) -> JobWatch<'a> {
    let shown: RefCell<Option<ProgressBar>> = RefCell::new(None);
    let progress = move |progress: JobProgress<'_>| {
        let mut shown = shown.borrow_mut();
        match progress {
            JobProgress::Ready => shown.take().iter().for_each(ProgressBar::finish_and_clear),
            JobProgress::Replications(played, of) => {
                let form = "{wide_bar} {pos}/{len} replications, {eta} left";
                let bar = shown.get_or_insert_with(|| log::bar(of, form, quiet));
                bar.set_position(played);
            }
            waits => {
                let what = waits.to_string();
                let bar = shown.get_or_insert_with(|| log::spinner(&what, quiet));
                bar.set_message(plain(&what));
            }
        }
    };
    JobWatch {
        progress: Some(Box::new(progress)),
        note: None,
        alert: Some(Box::new(|alert| show::say(&plain(&alert.to_string())))),
        interrupt: Arc::clone(interrupt),
    }
}

/// Computes what a command waits for while it plays no run. Ctrl-C ends the wait, and after it the
/// program.
pub fn awaiting<T>(
    compute: impl FnOnce(&JobWatch<'_>) -> Result<T, JobError>,
) -> Result<T, Failure> {
    let interrupt = Arc::default();
    watch_for_interrupts(Arc::clone(&interrupt));
    let computed = compute(&watched(false, &interrupt))?;
    interrupt.store(true, Ordering::Relaxed);
    Ok(computed)
}

/// The notes of a job, each once and in order. They are printed before its results.
#[derive(Default)]
pub struct Notes {
    known: RefCell<BTreeSet<String>>,
    waiting: RefCell<Vec<String>>,
}

impl Notes {
    /// Takes the notes of a watch, unless `quiet`.
    pub fn of<'a>(&'a self, watch: JobWatch<'a>, quiet: bool) -> JobWatch<'a> {
        let take = |note: &str| {
            if self.known.borrow_mut().insert(note.to_owned()) {
                self.waiting.borrow_mut().push(note.to_owned());
            }
        };
        JobWatch {
            note: (!quiet).then(|| Box::new(take) as Box<dyn Fn(&str)>),
            ..watch
        }
    }

    /// Prints the notes.
    pub fn say(&self) {
        for note in self.waiting.borrow_mut().drain(..) {
            show::say(&format!("note: {}", plain(&note)));
        }
    }
}
