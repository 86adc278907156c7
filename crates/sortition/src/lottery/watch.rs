//! Progress reports of a lottery's computation, and its interruption.

use std::sync::atomic::{AtomicBool, Ordering};

static NEVER: AtomicBool = AtomicBool::new(false);

/// An observer of a lottery's computation: it sees the progress and can stop it.
#[derive(Clone, Copy)]
pub struct LotteryWatch<'a> {
    interrupt: &'a AtomicBool,
    see: &'a (dyn Fn(LotteryProgress) + Sync),
}

/// The progress of a lottery's computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LotteryProgress {
    /// Panels were found. The total is an estimate, and may be unknown.
    Panels {
        /// The number of panels found.
        found: usize,
        /// The approximate number of panels it takes, if known.
        of: Option<usize>,
    },
    /// The chances of some kinds of respondents are settled.
    Settled {
        /// The number of kinds settled.
        kinds: usize,
        /// The number of kinds in all.
        of: usize,
    },
}

impl LotteryWatch<'_> {
    /// An observer who sees nothing and never stops the computation.
    #[must_use]
    pub fn patient() -> LotteryWatch<'static> {
        LotteryWatch {
            interrupt: &NEVER,
            see: &|_| (),
        }
    }
}

impl<'a> LotteryWatch<'a> {
    /// An observer who is shown the progress, and stops the computation by setting `interrupt`.
    #[must_use]
    pub fn new(interrupt: &'a AtomicBool, see: &'a (dyn Fn(LotteryProgress) + Sync)) -> Self {
        Self { interrupt, see }
    }

    pub(crate) fn interrupt(&self) -> &'a AtomicBool {
        self.interrupt
    }

    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }

    pub(crate) fn see(&self, progress: LotteryProgress) {
        (self.see)(progress);
    }
}
