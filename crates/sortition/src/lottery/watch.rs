//! The progress of a lottery's computation.

use std::fmt;

use kleroterion_core::watch::Watch;

/// A watcher of a lottery's computation.
pub type LotteryWatch<'a> = Watch<'a, LotteryProgress>;

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

impl fmt::Display for LotteryProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Panels { found, of: None } => write!(f, "{found} panels found"),
            Self::Panels {
                found,
                of: Some(of),
            } => write!(f, "{found} of about {of} panels found"),
            Self::Settled { kinds, of } => write!(
                f,
                "the chances of {kinds} of {of} kinds of respondents are settled"
            ),
        }
    }
}
