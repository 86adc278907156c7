//! The key `report.keep`: the values that a run writes for each replication.

use std::collections::BTreeSet;

use crate::document::ConfigKey;
use kleroterion_core::score::{Committee, HEADLINES, Kept};
use kleroterion_stats::{Judge, PARITY_NEEDS};

/// The values that a run writes for each replication. Summaries always use all values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// The values of judged and headline metrics at the end of the run. A run of one replication
    /// keeps all values.
    #[default]
    Judged,
    /// All values.
    All,
    /// No values.
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

pub(super) const KEEP: ConfigKey<Keep> = ConfigKey::word("keep", &Keep::WORDS)
    .about(
        "which values replications.csv keeps: of the judged and headline metrics at the end of the \
         run, all, or none; every summary is of all",
    )
    .or_word("judged");

impl Keep {
    /// The values that are written down of a run of this many replications.
    pub(super) fn written(self, replications: u64, judge: &Judge) -> Kept {
        match self {
            Self::All => Kept::All,
            Self::Judged if replications == 1 => Kept::All,
            Self::Judged => Kept::Ends(judge.needs().chain(headlines()).collect()),
            Self::Folds => Kept::Ends(BTreeSet::new()),
        }
    }

    /// The values written down, and those that verdicts and tests are made from. `has_slates` is
    /// true if parity is tested.
    pub(super) fn held(self, replications: u64, judge: &Judge, has_slates: bool) -> Kept {
        let Kept::Ends(mut names) = self.written(replications, judge) else {
            return Kept::All;
        };
        names.extend(judge.needs());
        let parity = has_slates.then_some(PARITY_NEEDS).into_iter().flatten();
        names.extend(parity.map(str::to_owned));
        Kept::Ends(names)
    }

    /// The metrics that figures over the course of a run draw: the judged, those of the goal, the
    /// headline metrics, and what shows how groups fare.
    pub(super) fn drawn(judge: &Judge) -> Kept {
        let groups = ["impact_ratio", "pool_share."].map(str::to_owned);
        let names = judge.needs().chain(headlines()).chain(groups);
        // What is of the whole committee has no course.
        let is_drawn = |name: &String| !Committee::NAMES.contains(&name.as_str());
        Kept::Ends(names.filter(is_drawn).collect())
    }
}

/// The names of the headline metrics.
fn headlines() -> impl Iterator<Item = String> {
    HEADLINES.map(str::to_owned).into_iter()
}
