//! The latest contexts of each group: the distance of a context from its group's mean, and the
//! share of the latest that are no farther.

use std::collections::VecDeque;

use super::Ridge;

/// The number of contexts remembered of each group.
const REMEMBERED: usize = 100;

/// The latest contexts of each group, and the sums of all.
#[derive(Clone, Debug)]
pub(super) struct Latest {
    groups: Vec<Group>,
}

#[derive(Clone, Debug)]
struct Group {
    latest: VecDeque<Box<[f64]>>,
    count: u64,
    sums: Vec<f64>,
}

impl Latest {
    /// Makes empty lists for contexts of length `dimension`.
    pub(super) fn new(dimension: usize, groups: usize) -> Self {
        let none = Group {
            latest: VecDeque::new(),
            count: 0,
            sums: vec![0.0; dimension],
        };
        Self {
            groups: vec![none; groups],
        }
    }

    /// Remembers a context of finite numbers.
    pub(super) fn insert(&mut self, group: usize, context: &[f64]) {
        let group = &mut self.groups[group];
        if group.latest.len() == REMEMBERED {
            group.latest.pop_front();
        }
        group.latest.push_back(context.into());
        group.count += 1;
        for (sum, x) in group.sums.iter_mut().zip(context) {
            *sum += x;
        }
    }

    /// The share of the group's latest contexts that lie no farther from the group's mean m than
    /// this one, by (x - m)'V^-1 (x - m); `None` where there are none.
    pub(super) fn rank(&self, design: &Ridge, group: usize, context: &[f64]) -> Option<f64> {
        let Group {
            latest,
            count,
            sums,
        } = &self.groups[group];
        let spread = |x: &[f64]| {
            let centred = x.iter().zip(sums).map(|(x, sum)| x - sum / *count as f64);
            design.spread(&centred.collect::<Vec<_>>())
        };
        let own = spread(context);
        let nearer = latest.iter().filter(|x| spread(x) <= own).count();
        (!latest.is_empty()).then(|| nearer as f64 / latest.len() as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_first_group(contexts: &[f64]) -> Latest {
        let mut latest = Latest::new(1, 2);
        for x in contexts {
            latest.insert(0, &[*x]);
        }
        latest
    }

    /// The mean of 0, 1, 2, 10 is 3.25, from which they lie 3.25, 2.25, 1.25 and 6.75 away.
    #[test]
    fn a_rank_is_the_share_of_the_latest_that_lie_no_farther_from_their_mean() {
        let (latest, design) = (of_first_group(&[0.0, 1.0, 2.0, 10.0]), Ridge::new(1, 0.5));
        let cases = [
            (3.25, 0.0),
            (2.0, 0.25),
            (5.0, 0.25),
            (1.0, 0.5),
            (0.0, 0.75),
            (10.0, 1.0),
        ];
        for (context, rank) in cases {
            assert_eq!(latest.rank(&design, 0, &[context]), Some(rank), "{context}");
        }
        assert_eq!(latest.rank(&design, 1, &[0.0]), None);
    }

    /// The mean is of all contexts, the rank among the latest hundred.
    #[test]
    fn contexts_beyond_a_hundred_count_for_the_mean_alone() {
        let mut contexts = vec![1000.0; 100];
        contexts.extend([0.0; 100]);
        let (latest, design) = (of_first_group(&contexts), Ridge::new(1, 0.5));
        assert_eq!(latest.rank(&design, 0, &[0.0]), Some(1.0));
        assert_eq!(latest.rank(&design, 0, &[1.0]), Some(0.0));
    }
}
