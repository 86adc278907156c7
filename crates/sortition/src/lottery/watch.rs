//! Who waits for a lottery: what they see of it, and how they stop it.

use std::sync::atomic::{AtomicBool, Ordering};

static NEVER: AtomicBool = AtomicBool::new(false);

/// The one who waits for a lottery.
#[derive(Clone, Copy)]
pub struct LotteryWatch<'a> {
    interrupt: &'a AtomicBool,
    see: &'a (dyn Fn(LotteryProgress) + Sync),
}

/// The progress of a lottery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LotteryProgress {
    /// Panels were found, of about as many as it takes; or of a number that is not known.
    Panels {
        /// How many.
        found: usize,
        /// About how many it takes.
        of: Option<usize>,
    },
    /// The chances of some kinds of respondents are settled.
    Settled {
        /// How many kinds.
        kinds: usize,
        /// How many there are.
        of: usize,
    },
}

impl LotteryWatch<'_> {
    /// One who sees nothing and never stops it.
    #[must_use]
    pub fn patient() -> LotteryWatch<'static> {
        LotteryWatch {
            interrupt: &NEVER,
            see: &|_| (),
        }
    }
}

impl<'a> LotteryWatch<'a> {
    /// One who is shown how far it has come, and stops it by setting `interrupt`.
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
