//! Cohorts chosen through interviews (Schumann, Counts, Foster, Dickerson: The Diverse Cohort Selection Problem, AAMAS 2019).
//!
//! n applicants, the arms, are shown at once. Looks at them can be bought, cheap or thorough ([`Tiers`]); each answers a noisy
//! draw around the applicant's utility u. In the end K are chosen that make an [`Objective`] w as great as can be. [`Swap`]
//! picks whom to look at next, and how; [`UniformInterviews`] and [`RandomInterviews`] are its baselines.
//!
//! The lane keeps the file on each candidate: T, the gains of the looks added up, and u^, their weighted mean. The policies
//! read it and keep no such books of their own. [`Informed`] puts a [`Forecast`] on file before the first look. What depends
//! on the looks so far alone (M, M~, whom they contest) is a [`Contest`], which can be followed without the rest.
//!
//! Ties are broken without chance, the same everywhere: where values are equal M~ keeps the members of M, and then the
//! lower slot comes first; among equally wide radii the lower slot is looked at first.

mod baselines;
pub mod contest;
mod forecast;
mod informed;
mod menu;
pub mod objective;
mod swap;
pub mod theory;
mod tiers;
mod worth;

pub use baselines::{RandomInterviews, UniformInterviews};
pub use contest::{Contest, Scope};
pub use forecast::{Forecast, ForecastParameters};
pub use informed::Informed;
pub use objective::{Diverse, Field, Objective, Quotas, TopK};
pub use swap::{Stop, Stopped, Swap, SwapParameters, radius_scale};
pub use tiers::{Strong, Tiers};

use super::BadParameters;
use crate::protocol::{File, View};

/// The estimates u^ by slot; minus infinity for those of whom nothing is known or whose mean is beyond all numbers: they are
/// chosen last.
fn estimates(files: &[File]) -> Vec<f64> {
    let estimate = |file: &File| {
        if file.weight > 0.0 && file.mean.is_finite() {
            file.mean
        } else {
            f64::NEG_INFINITY
        }
    };
    files.iter().map(estimate).collect()
}

/// The looks of a round so far.
#[derive(Clone, Copy, Debug, Default)]
struct Looks {
    all: u64,
    strong: u64,
    /// In units of the cheapest.
    cost: f64,
}

impl Looks {
    /// Counts the last answers; every kind but `weak` is strong.
    fn count(&mut self, tiers: &Tiers, weak: usize, view: &View<'_>) {
        for answer in view.answers() {
            let kind = answer.pull.kind;
            self.all += 1;
            self.strong += u64::from(kind != weak);
            self.cost += tiers.cost(kind);
        }
    }

    /// The share of strong looks; 0 where there are none.
    fn strong_share(&self) -> f64 {
        self.strong as f64 / self.all.max(1) as f64
    }
}

/// Who can be chosen in a round: as many as there are places, with the groups that the objective asks for.
fn field(objective: &impl Objective, view: &View<'_>) -> Field {
    let group = |values: &[u16]| objective.attribute().map_or(0, |at| values[at]);
    let groups = view.slate().candidates().map(|shown| group(shown.values()));
    Field {
        members: view.places().max as usize,
        groups: groups.collect(),
    }
}

/// The slots of those in a cohort.
fn slots(cohort: &[bool]) -> Vec<u32> {
    let members = (0..).zip(cohort).filter(|(_, member)| **member);
    members.map(|(slot, _)| slot).collect()
}
