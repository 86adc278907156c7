//! The true relative ranks of a run's candidates, drawn anew from its source.

use crate::reproduce::prelude::*;
use crate::reproduce::redraw::Redraw;
use kleroterion_core::protocol::{Person, Until};

/// The number of equal parts of \[0, 1\] used where ranks are tested together.
pub(super) const PARTS: usize = 4;

/// The number of candidates of a round that are tested together.
const TOGETHER: usize = 4;

/// Counts of the ranks of the candidates, over all replications of a run.
pub(super) struct RankCounts {
    /// The ranks of each group.
    pub groups: Vec<Vec<f64>>,
    /// The counts of the parts in which the first four candidates of a round had their ranks; PARTS
    /// to the power of four cells.
    pub together: Vec<u64>,
    /// The number of times that each slot had the highest rank, by the slot that had it the round
    /// before.
    pub after: Vec<Vec<u64>>,
    /// The number of times that each slot had the highest rank.
    pub slots: Vec<u64>,
    /// The number of times that the highest rank was in each group.
    pub fair: Vec<u64>,
    /// The number of times that the highest merit was in each group.
    pub best: Vec<u64>,
    /// The number of rounds in which two candidates shared the highest rank.
    pub ties: u64,
    /// The number of rounds.
    pub rounds: u64,
}

/// Draws the candidates of a run's replications again, the same people as its policies saw.
pub(super) fn ranks(run: &StudyRun) -> Result<RankCounts> {
    let Until::Rounds(rounds) = run.plan.rules.until else {
        return Err(run.lacks("a number of rounds"));
    };
    let truth = run.plan.world.truth.as_ref();
    let truth = truth.ok_or_else(|| run.lacks("the groups' true CDFs"))?;
    let schema = &run.plan.world.schema;
    let groups = schema.attributes()[truth.attribute].values.len();
    let mut ranks = RankCounts::new(groups);
    for replication in 0..run.result.replications {
        let mut again = Redraw::of(run, replication)?;
        let (mut left, mut before) = (rounds, None);
        while left > 0 {
            let batch = again.next(4096)?;
            for round in 0..batch.rounds() {
                if left == 0 {
                    break;
                }
                left -= 1;
                let mut slate = Vec::new();
                for row in batch.roster(round) {
                    let person = Person::new(&batch, row);
                    let group = usize::from(person.shown().values()[truth.attribute]);
                    let merit = person.merit().ok_or_else(|| run.lacks("merits"))?;
                    slate.push((group, merit, truth.cdf.rank(group, merit)));
                }
                before = ranks.round(&slate, before);
            }
        }
    }
    Ok(ranks)
}

impl RankCounts {
    fn new(groups: usize) -> Self {
        Self {
            groups: vec![Vec::new(); groups],
            together: vec![0; PARTS.pow(TOGETHER as u32)],
            after: Vec::new(),
            slots: Vec::new(),
            fair: vec![0; groups],
            best: vec![0; groups],
            ties: 0,
            rounds: 0,
        }
    }

    /// Counts a round's candidates (group, merit, rank); gives the slot of the highest rank.
    fn round(&mut self, slate: &[(usize, f64, f64)], before: Option<usize>) -> Option<usize> {
        self.rounds += 1;
        self.slots.resize(slate.len(), 0);
        self.after.resize(slate.len(), vec![0; slate.len()]);
        for (group, _, rank) in slate {
            self.groups[*group].push(*rank);
        }
        if slate.len() >= TOGETHER {
            let part = |rank: f64| ((rank * PARTS as f64) as usize).min(PARTS - 1);
            let first = slate[..TOGETHER].iter();
            let cell = first.fold(0, |cell, (_, _, rank)| cell * PARTS + part(*rank));
            self.together[cell] += 1;
        }
        let top = |of: fn(&(usize, f64, f64)) -> f64| {
            let slots = (0..slate.len()).max_by(|a, b| of(&slate[*a]).total_cmp(&of(&slate[*b])));
            slots.map(|slot| (slot, of(&slate[slot])))
        };
        let (slot, rank) = top(|candidate| candidate.2)?;
        let (best, _) = top(|candidate| candidate.1)?;
        self.slots[slot] += 1;
        self.fair[slate[slot].0] += 1;
        self.best[slate[best].0] += 1;
        let same = slate.iter().filter(|candidate| candidate.2 == rank);
        self.ties += u64::from(same.count() > 1);
        if let Some(before) = before {
            self.after[before][slot] += 1;
        }
        Some(slot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_highest_is_counted_by_slot_and_by_group() {
        let mut ranks = RankCounts::new(2);
        // (group, merit, rank): the highest rank is slot 1's, of group 0; the highest merit slot
        // 2's, of group 1.
        let slate = [(0, 1.0, 0.1), (0, 2.0, 0.9), (1, 5.0, 0.6), (1, 4.0, 0.3)];
        let before = ranks.round(&slate, None);
        assert_eq!(before, Some(1));
        ranks.round(&slate, before);
        // Slots 0, 2 and 3 share the highest rank.
        let tied = [(0, 1.0, 0.5), (1, 0.0, 0.2), (1, 5.0, 0.5), (0, 4.0, 0.5)];
        ranks.round(&tied, Some(1));
        assert_eq!((ranks.rounds, ranks.ties), (3, 1));
        assert_eq!(ranks.slots[1], 2);
        assert_eq!(ranks.after[1][1], 1);
        assert_eq!(ranks.best, [0, 3]);
        assert_eq!((ranks.groups[0].len(), ranks.groups[1].len()), (6, 6));
        // Parts 0, 3, 2, 1 of four.
        assert_eq!(ranks.together[((3 * 4) + 2) * 4 + 1], 2);
        assert_eq!(ranks.together.iter().sum::<u64>(), 3);
    }
}
