//! The steps at which curves are read.

use serde::{Deserialize, Serialize};

use crate::config::Plan;
use kleroterion_core::protocol::Until;
use kleroterion_core::score::Moments;

/// Even steps over the course of a run, and its end if known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Steps {
    /// True if the steps count people accepted, false if they count rounds.
    pub(super) by_accepted: bool,
    /// The distance between two steps.
    pub(super) gap: u64,
    /// The last step, if known.
    pub(super) end: Option<u64>,
}

impl Steps {
    /// The fewest steps of a run that is long enough.
    const FEWEST: u64 = 30;
    /// The most steps.
    pub(super) const MOST: usize = 2 * Self::FEWEST as usize;

    /// The steps of a plan, in the unit of `report.at`.
    pub(super) fn of(plan: &Plan) -> Self {
        Self::over(&plan.moments, plan.rules.until)
    }

    pub(super) fn over(moments: &Moments, until: Until) -> Self {
        let by_accepted = match moments {
            Moments::Accepted(_) => true,
            Moments::Rounds(_) => false,
            Moments::End => matches!(until, Until::Accepted(_)),
        };
        let end = match (moments, until) {
            (_, Until::Accepted(places)) if by_accepted => Some(places),
            (_, Until::Rounds(rounds)) if !by_accepted => Some(rounds),
            (Moments::Rounds(at), _) => at.last().copied(),
            _ => None,
        };
        Self {
            by_accepted,
            gap: end.map_or(1, |end| (end / Self::FEWEST).max(1)),
            end,
        }
    }

    /// The first step after a point of the run.
    pub(super) fn after(&self, at: u64) -> Option<u64> {
        let next = (at / self.gap).checked_add(1)?.checked_mul(self.gap)?;
        match self.end {
            Some(end) if at >= end => None,
            Some(end) => Some(next.min(end)),
            None => Some(next),
        }
    }

    /// Returns true if there is a step at a point.
    pub(super) fn holds(&self, at: u64) -> bool {
        at.is_multiple_of(self.gap) || self.end == Some(at)
    }

    /// Takes steps twice as wide.
    pub(super) fn widen(&mut self) {
        self.gap *= 2;
    }
}
