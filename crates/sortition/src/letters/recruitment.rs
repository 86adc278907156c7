//! One recruitment: people answer letter by letter until the pool first has a committee.

use std::cell::Cell;

use crate::feasibility::{Supply, is_feasible};
use kleroterion_core::draw::{Categorical, Draw, geometric};
use kleroterion_core::protocol::Quota;

/// The last thing that a pool waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RecruitmentWait {
    /// Enough people for the committee's seats.
    Size,
    /// Enough people with a value for its minimum.
    Value {
        /// The index of the attribute.
        attribute: usize,
        /// The index of the value.
        value: usize,
    },
    /// Enough people in an attribute despite its maximums.
    Maximums {
        /// The index of the attribute.
        attribute: usize,
    },
    /// A committee that keeps all quotas at once, although each alone could be kept.
    Together,
}

/// A pool that has a committee.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reached {
    pub(super) letters: u64,
    pub(super) answers: u64,
    pub(super) wait: RecruitmentWait,
}

/// The people who answer, in the order of their letters.
pub(super) struct Answers<'a> {
    kinds: &'a [(Vec<u16>, f64)],
    law: Categorical,
    /// The probability that a letter is answered.
    rate: f64,
    draw: Draw,
    /// The number of the letter and the kind of each who has answered so far.
    come: Vec<(u64, u32)>,
}

impl<'a> Answers<'a> {
    /// The answers of kinds of people (values, share) who answer with these rates; nothing where
    /// no one ever does.
    pub(super) fn new(kinds: &'a [(Vec<u16>, f64)], rates: &[f64], draw: Draw) -> Option<Self> {
        let total: f64 = kinds.iter().map(|(_, share)| share).sum();
        let weights = kinds
            .iter()
            .zip(rates)
            .map(|((_, share), rate)| share / total * rate);
        let weights: Vec<f64> = weights.collect();
        Some(Self {
            kinds,
            law: Categorical::new(&weights).ok()?,
            rate: weights.iter().sum(),
            draw,
            come: Vec::new(),
        })
    }

    /// The values of the one who answers as number `at`, from 0.
    fn values(&mut self, at: usize) -> &'a [u16] {
        while self.come.len() <= at {
            let before = self.come.last().map_or(0, |(letter, _)| *letter);
            let letter = before.saturating_add(geometric(self.draw.word(), self.rate));
            let kind = self.law.pick(self.draw.word());
            self.come.push((letter, kind));
        }
        &self.kinds[self.come[at].1 as usize].0
    }
}

/// The requirements of a pool.
pub(super) struct Wanted<'a> {
    pub(super) quotas: &'a [Vec<Quota>],
    pub(super) members: u32,
    pub(super) nodes: u64,
    /// The most answers that are waited for.
    pub(super) most: usize,
    /// The number of pools for which it was not decided if they have a committee. They count as
    /// having none.
    pub(super) undecided: Cell<u64>,
}

impl Wanted<'_> {
    /// The first pool that has a committee; nothing where it takes more answers than are waited
    /// for. A pool that has one keeps it as it grows.
    pub(super) fn first(
        &self,
        answers: &mut Answers<'_>,
        without: Option<usize>,
    ) -> Option<Reached> {
        let (mut enough, mut wait) = self.each_alone(answers, without)?;
        if !self.has(answers, enough, without) {
            wait = RecruitmentWait::Together;
            let (mut fails, mut step) = (enough, 1);
            loop {
                enough = fails + step;
                if enough > self.most {
                    return None;
                }
                if self.has(answers, enough, without) {
                    break;
                }
                (fails, step) = (enough, 2 * step);
            }
            while enough - fails > 1 {
                let middle = fails.midpoint(enough);
                match self.has(answers, middle, without) {
                    true => enough = middle,
                    false => fails = middle,
                }
            }
        }
        Some(Reached {
            letters: answers.come[enough - 1].0,
            answers: enough as u64,
            wait,
        })
    }

    /// Returns the number of answers until each quota alone can be kept, and the last thing waited
    /// for.
    fn each_alone(
        &self,
        answers: &mut Answers<'_>,
        without: Option<usize>,
    ) -> Option<(usize, RecruitmentWait)> {
        let row = |attribute: usize| match without == Some(attribute) {
            true => &[][..],
            false => &self.quotas[attribute],
        };
        let attributes = (0..self.quotas.len()).filter(|&at| !row(at).is_empty());
        let attributes: Vec<usize> = attributes.collect();
        let mut counts: Vec<Vec<u32>> = self.quotas.iter().map(|row| vec![0; row.len()]).collect();
        let short = |attribute: usize| row(attribute).iter().map(|q| u64::from(q.min)).sum::<u64>();
        // Of each attribute the members that minimums still ask, and how many could sit.
        let mut open: Vec<u64> = attributes.iter().map(|&at| short(at)).collect();
        let mut could = vec![0_u64; attributes.len()];
        let members = u64::from(self.members);
        let (mut at, mut last) = (0, RecruitmentWait::Size);
        loop {
            let is_done = |at: usize| open[at] == 0 && could[at] >= members;
            if at as u64 >= members && (0..attributes.len()).all(is_done) {
                return Some((at, last));
            }
            if at >= self.most {
                return None;
            }
            let values = answers.values(at);
            at += 1;
            if at as u64 == members {
                last = RecruitmentWait::Size;
            }
            for (k, &attribute) in attributes.iter().enumerate() {
                let value = usize::from(values[attribute]);
                let Some(quota) = row(attribute).get(value) else {
                    continue;
                };
                let count = &mut counts[attribute][value];
                *count += 1;
                if *count <= quota.max {
                    could[k] += 1;
                    if could[k] == members && at as u64 > members {
                        last = RecruitmentWait::Maximums { attribute };
                    }
                }
                if *count <= quota.min {
                    open[k] -= 1;
                    if *count == quota.min {
                        last = RecruitmentWait::Value { attribute, value };
                    }
                }
            }
        }
    }

    /// Returns true if the pool of the first answers has a committee.
    fn has(&self, answers: &mut Answers<'_>, first: usize, without: Option<usize>) -> bool {
        if first > 0 {
            answers.values(first - 1);
        }
        let come = answers.come[..first].iter();
        let values = come.map(|(_, kind)| &answers.kinds[*kind as usize].0[..]);
        let supply = Supply::people(values, None);
        let mut quotas = self.quotas.to_vec();
        if let Some(attribute) = without {
            quotas[attribute].clear();
        }
        let found = is_feasible(&quotas, self.members, &supply, self.nodes);
        if found.is_none() {
            self.undecided.set(self.undecided.get() + 1);
        }
        found == Some(true)
    }
}
