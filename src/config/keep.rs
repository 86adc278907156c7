//! `report.keep`: the values that a run writes down replication by replication.

use std::collections::BTreeSet;

use super::plan::Plan;
use crate::compare::PARITY_NEEDS;
use crate::score::{Fairness, HEADLINES, Kept};

/// The values of a run that are written down replication by replication. Every summary is of all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// Those of the judged and the headline metrics at the end of the run; of a run of one
    /// replication all.
    #[default]
    Judged,
    /// All.
    All,
    /// None.
    Folds,
}

impl Keep {
    /// The words of `report.keep`.
    pub const WORDS: [(&str, Self); 3] = [
        ("judged", Self::Judged),
        ("all", Self::All),
        ("folds", Self::Folds),
    ];
}

impl Plan {
    /// The values that are written down.
    #[must_use]
    pub fn written(&self) -> Kept {
        match self.keep {
            Keep::All => Kept::All,
            Keep::Judged if self.replications == 1 => Kept::All,
            Keep::Judged => Kept::Ends(self.judge.needs().chain(headlines()).collect()),
            Keep::Folds => Kept::Ends(BTreeSet::new()),
        }
    }

    /// The values that verdicts and tests are made from, and those that are written down.
    #[must_use]
    pub fn held(&self) -> Kept {
        let Kept::Ends(mut names) = self.written() else {
            return Kept::All;
        };
        names.extend(self.judge.needs());
        let has_slates = self.world.truth.is_some() && Fairness::applies(&self.rules);
        names.extend(
            has_slates
                .then_some(PARITY_NEEDS)
                .into_iter()
                .flatten()
                .map(str::to_owned),
        );
        Kept::Ends(names)
    }
}

/// The names of the headline metrics.
fn headlines() -> impl Iterator<Item = String> {
    HEADLINES.map(str::to_owned).into_iter()
}
