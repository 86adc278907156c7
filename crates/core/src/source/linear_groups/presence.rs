//! The groups that come in a round.

use crate::draw::{Categorical, NotALaw};
use crate::source::Sizes;

/// The periods of a world of groups: in each the same groups come.
pub(super) struct Presence(Vec<Period>);

/// The rounds from one on, until a further group comes.
pub(super) struct Period {
    from: u64,
    /// The groups that come, in order.
    present: Vec<usize>,
    /// The law of the group: that of all groups, given that it is one of these. `None` where a
    /// round has one of each.
    law: Option<Categorical>,
}

impl Presence {
    /// Group k comes from round `starts[k]` on; from round 1 some group does. `probabilities`:
    /// those of all groups, where they are drawn.
    pub(super) fn new(starts: &[u64], probabilities: Option<&[f64]>) -> Result<Self, NotALaw> {
        let mut rounds = starts.to_vec();
        rounds.sort_unstable();
        rounds.dedup();
        let period = |from: u64| {
            let comes = |group: &usize| starts[*group] <= from;
            let law = probabilities.map(|all| {
                let all = all.iter().enumerate();
                let given = all.map(|(group, p)| if comes(&group) { *p } else { 0.0 });
                Categorical::new(&given.collect::<Vec<_>>())
            });
            Ok(Period {
                from,
                present: (0..starts.len()).filter(comes).collect(),
                law: law.transpose()?,
            })
        };
        let periods: Result<_, _> = rounds.into_iter().map(period).collect();
        periods.map(Self)
    }

    /// The period of a round.
    pub(super) fn at(&self, round: u64) -> &Period {
        let begun = self.0.partition_point(|period| period.from <= round);
        &self.0[begun.saturating_sub(1)]
    }

    /// Returns true if all groups come in every round.
    pub(super) fn is_steady(&self) -> bool {
        self.0.len() == 1
    }

    /// Returns true if a round has one of each group that comes.
    pub(super) fn is_one_each(&self) -> bool {
        self.0.iter().all(|period| period.law.is_none())
    }

    /// The number of groups that come in each round.
    pub(super) fn sizes(&self) -> Sizes {
        let step = |period: &Period| (period.from, period.present.len() as u32);
        match &self.0[..] {
            [only] => Sizes::Constant(only.present.len() as u32),
            periods => Sizes::Stepped(periods.iter().map(step).collect()),
        }
    }
}

impl Period {
    /// The group of a round's person at a place, where groups are one a place, in turns.
    pub(super) fn in_turn(&self, place: usize) -> usize {
        self.present[place % self.present.len()]
    }

    /// The group of a word, where groups are drawn.
    pub(super) fn drawn(&self, word: impl FnOnce() -> u64) -> Option<usize> {
        self.law.as_ref().map(|law| law.pick(word()) as usize)
    }
}
