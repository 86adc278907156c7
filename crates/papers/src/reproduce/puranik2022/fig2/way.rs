//! The lanes of the preset, and its starts.

use crate::reproduce::prelude::*;

/// A lane of the preset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Looks ahead from the applicants' share, as printed.
    Share,
    /// Looks ahead from theta.
    Theta,
    /// Does not look ahead.
    Greedy,
}

/// Those that look ahead.
pub(super) const AHEAD: [Way; 2] = [Way::Share, Way::Theta];

pub(super) const ALL: [Way; 3] = [Way::Share, Way::Theta, Way::Greedy];

impl Way {
    /// Its label in the preset.
    pub(super) const fn label(self) -> &'static str {
        match self {
            Self::Share => "optimal by s",
            Self::Theta => "optimal by theta",
            Self::Greedy => "fair-greedy",
        }
    }

    /// Its name in the report.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Share => "optimal by s",
            Self::Theta => "optimal by θ",
            Self::Greedy => "Fair-Greedy",
        }
    }
}

/// theta_0 of a run.
pub(super) fn start(run: &StudyRun) -> Result<f64> {
    run.swept("pool.start.u")
}
