//! Algorithm 1 as printed, without any cleverness: the judge of SWAP. It keeps its own books, sorts
//! all arms at each step, and takes nothing from the library but the protocol.

use kleroterion::policy::Policy;
use kleroterion::protocol::{Gain, InterviewKind, Move, Pull, Pulls, View};

/// What the cohort is for.
#[derive(Clone, Copy, PartialEq)]
pub enum Aim {
    TopK,
    /// By the groups of attribute 0.
    Diverse,
}

/// Algorithm 1.
#[derive(Clone)]
pub struct PlainSwap {
    pub aim: Aim,
    pub kinds: Vec<InterviewKind>,
    pub delta: f64,
    pub sigma: f64,
    pub alpha: f64,
    /// Exact = 0.
    pub epsilon: f64,
    pub hybrid: bool,
    pub batch: usize,
    /// T inside the logarithm, as in line 8.
    pub as_printed: bool,
    /// The weight of a mean of 0 that is on file of each at first (ours).
    pub prior: f64,
    means: Vec<f64>,
    weights: Vec<f64>,
    cost: f64,
}

impl PlainSwap {
    pub fn new(aim: Aim, kinds: Vec<InterviewKind>, [delta, sigma, alpha]: [f64; 3]) -> Self {
        Self {
            aim,
            kinds,
            delta,
            sigma,
            alpha,
            epsilon: 0.0,
            hybrid: false,
            batch: 1,
            as_printed: false,
            prior: 0.0,
            means: vec![],
            weights: vec![],
            cost: 0.0,
        }
    }

    fn gain(&self, kind: usize, group: u16) -> f64 {
        match &self.kinds[kind].gain {
            Gain::Same(gain) => *gain,
            Gain::ByValue { of, .. } => of[usize::from(group)],
        }
    }

    /// Equation 3 where s depends on the group.
    fn alpha_at(&self, group: u16) -> f64 {
        let strong = self.kinds.len() - 1;
        if matches!(self.kinds[strong].gain, Gain::Same(_)) {
            return self.alpha;
        }
        let (s, j) = (self.gain(strong, group), self.kinds[strong].cost);
        ((s - j) / (s - 1.0)).clamp(0.0, 1.0)
    }

    fn radius(&self, arm: usize) -> f64 {
        let n = self.means.len() as f64;
        let inside = 4.0 * n * self.cost.max(1.0).powi(3) / self.delta;
        let weight = self.weights[arm];
        if self.as_printed {
            self.sigma * (2.0 * libm::log(inside / weight)).sqrt()
        } else {
            // sigma sqrt(2 ln(...) / T), rounded as the library rounds it: means of coins that are
            // equal but for their last digit make u~ that are equal or not by the radius' last
            // digit.
            self.sigma * (2.0 * libm::log(inside)).sqrt() * (1.0 / weight.sqrt())
        }
    }

    /// The best K at these values; of equals those of `first` before others, then the lower number.
    fn oracle(&self, values: &[f64], first: &[usize], groups: &[u16], k: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_by_key(|arm| (!first.contains(arm), *arm));
        // Stable: equals stay as they are.
        order.sort_by(|a, b| values[*b].partial_cmp(&values[*a]).unwrap());
        let mut chosen: Vec<usize> = match self.aim {
            Aim::TopK => order[..k].to_vec(),
            Aim::Diverse => diverse(&order, values, first, groups, k),
        };
        chosen.sort();
        chosen
    }

    /// The means of a cohort's members of each group, added up from the highest down.
    fn sums(&self, cohort: &[usize], groups: &[u16]) -> Vec<f64> {
        let sum = |group: u16| {
            let members = cohort.iter().filter(|other| groups[**other] == group);
            let mut values: Vec<f64> = members.map(|&other| self.means[other]).collect();
            values.sort_by(|a, b| b.total_cmp(a));
            values.iter().sum()
        };
        (0..8).map(sum).collect()
    }

    /// What the cohort loses by the cheapest exchange that moves an arm to the other side, rounded as
    /// the library rounds it.
    fn gap(&self, arm: usize, cohort: &[usize], groups: &[u16], sums: &[f64]) -> f64 {
        let sum = |group: u16| sums[usize::from(group)];
        let root = |sum: f64| sum.max(0.0).sqrt();
        let loss = |member: usize, other: usize| {
            let [out, into] = [member, other].map(|arm| self.means[arm]);
            let [from, to] = [member, other].map(|arm| groups[arm]);
            match self.aim {
                Aim::TopK => out - into,
                Aim::Diverse if from == to => root(sum(from)) - root(sum(from) - out + into),
                Aim::Diverse => {
                    let before = root(sum(from)) + root(sum(to));
                    before - (root(sum(from) - out) + root(sum(to) + into))
                }
            }
        };
        let is_in = |arm: &usize| cohort.contains(arm);
        let others = (0..groups.len()).filter(|other| is_in(other) != is_in(&arm));
        let losses = others.map(|other| match is_in(&arm) {
            true => loss(arm, other),
            false => loss(other, arm),
        });
        losses.fold(f64::INFINITY, f64::min)
    }

    fn worth(&self, values: &[f64], cohort: &[usize], groups: &[u16]) -> f64 {
        match self.aim {
            Aim::TopK => cohort.iter().map(|&arm| values[arm]).sum(),
            Aim::Diverse => (0..8)
                .map(|group| {
                    let members = cohort.iter().filter(|arm| groups[**arm] == group);
                    let mut values: Vec<f64> = members.map(|&arm| values[arm]).collect();
                    values.sort_by(|a, b| b.total_cmp(a));
                    values.iter().sum::<f64>().max(0.0).sqrt()
                })
                .sum(),
        }
    }
}

/// Greedy, or all ways to share K among the groups where too few values are at least 0.
fn diverse(
    order: &[usize],
    values: &[f64],
    first: &[usize],
    groups: &[u16],
    k: usize,
) -> Vec<usize> {
    let of = |group: u16| -> Vec<usize> {
        let members = order.iter().copied().filter(|&arm| groups[arm] == group);
        members.collect()
    };
    let root = |arms: &[usize]| -> f64 {
        let sum = arms.iter().fold(0.0, |sum, &arm| sum + values[arm]);
        f64::max(sum, 0.0).sqrt()
    };
    let lists: Vec<Vec<usize>> = (0..8).map(of).filter(|list| !list.is_empty()).collect();
    let mut counts = vec![0; lists.len()];
    if values.iter().filter(|value| **value >= 0.0).count() >= k {
        for _ in 0..k {
            let heads = (0..lists.len()).filter(|&g| counts[g] < lists[g].len());
            let key = |g: usize| {
                let arm = lists[g][counts[g]];
                let gain = root(&lists[g][..=counts[g]]) - root(&lists[g][..counts[g]]);
                (gain, first.contains(&arm), arm)
            };
            let best = heads.reduce(|a, b| {
                let ((x, m, i), (y, l, j)) = (key(a), key(b));
                let b_first = y > x || (y == x && (l && !m || l == m && j < i));
                if b_first { b } else { a }
            });
            counts[best.unwrap()] += 1;
        }
    } else {
        let mut best = f64::NEG_INFINITY;
        let mut shares = vec![vec![]];
        for list in &lists {
            let longer = |share: &Vec<usize>| -> Vec<Vec<usize>> {
                let left = k - share.iter().sum::<usize>();
                let more = 0..=left.min(list.len());
                more.map(|n| [&share[..], &[n]].concat()).collect()
            };
            shares = shares.iter().flat_map(longer).collect();
        }
        for share in shares
            .iter()
            .filter(|share| share.iter().sum::<usize>() == k)
        {
            let roots = lists.iter().zip(share).map(|(list, &n)| root(&list[..n]));
            let worth: f64 = roots.sum();
            if worth > best {
                best = worth;
                counts.clone_from(share);
            }
        }
    }
    let taken = lists
        .iter()
        .zip(counts)
        .flat_map(|(list, n)| list[..n].to_vec());
    taken.collect()
}

impl Policy for PlainSwap {
    fn act(&mut self, view: &mut View<'_>) -> Move {
        let n = view.slate().len() as usize;
        let k = view.places().max as usize;
        if self.means.is_empty() {
            self.means = vec![0.0; n];
            self.weights = vec![self.prior; n];
            if self.prior == 0.0 {
                let pulls = (0..n as u32).map(|slot| Pull { slot, kind: 0 });
                return Move::Interview(Pulls::Many(pulls.collect()));
            }
        }
        for answer in view.answers() {
            let arm = answer.pull.slot as usize;
            let cost = self.kinds[answer.pull.kind].cost;
            let group = view.candidate(answer.pull.slot).values()[0];
            let gain = self.gain(answer.pull.kind, group);
            let (mean, weight) = (self.means[arm], self.weights[arm]);
            self.means[arm] = (mean * weight + gain * answer.value) / (weight + gain);
            self.weights[arm] += gain;
            self.cost += cost;
        }
        let groups: Vec<u16> = view.slate().candidates().map(|c| c.values()[0]).collect();
        let m = self.oracle(&self.means, &[], &groups, k);
        let radii: Vec<f64> = (0..n).map(|arm| self.radius(arm)).collect();
        let worst = |arm: usize| {
            let sign = if m.contains(&arm) { -1.0 } else { 1.0 };
            self.means[arm] + sign * radii[arm]
        };
        let values: Vec<f64> = (0..n).map(worst).collect();
        let other = self.oracle(&values, &m, &groups, k);
        let gap = self.worth(&values, &other, &groups) - self.worth(&values, &m, &groups);
        if other == m || gap <= self.epsilon || view.looks_left() == 0 {
            view.measure("converged", f64::from(other == m || gap <= self.epsilon));
            return Move::take_all(m.iter().map(|&arm| arm as u32).collect());
        }
        let is_in = |set: &[usize], arm: usize| set.contains(&arm);
        let contested = |arm: &usize| is_in(&m, *arm) != is_in(&other, *arm);
        let mut pool: Vec<usize> = (0..n).filter(contested).collect();
        if self.hybrid {
            let least = pool.iter().map(|&arm| self.weights[arm]);
            let least = least.fold(f64::INFINITY, f64::min);
            let common = m.iter().filter(|arm| is_in(&other, **arm));
            let wide: Vec<usize> = common
                .copied()
                .filter(|&arm| 9.0 * self.weights[arm] < least)
                .collect();
            pool.extend(wide);
        }
        let sums = self.sums(&m, &groups);
        let gaps: Vec<f64> = (0..n)
            .map(|arm| match pool.contains(&arm) {
                true => self.gap(arm, &m, &groups, &sums),
                false => f64::INFINITY,
            })
            .collect();
        pool.sort_by(|a, b| {
            let by_width = self.weights[*a].total_cmp(&self.weights[*b]);
            by_width.then(gaps[*a].total_cmp(&gaps[*b])).then(a.cmp(b))
        });
        pool.truncate(self.batch);
        let strong = self.kinds.len() - 1;
        let pulls = pool.iter().map(|&arm| {
            let is_strong = match self.alpha_at(groups[arm]) {
                0.0 => false,
                1.0 => true,
                alpha => alpha > view.draw().uniform(),
            };
            let kind = if is_strong { strong } else { 0 };
            Pull {
                slot: arm as u32,
                kind,
            }
        });
        Move::Interview(Pulls::Many(pulls.collect()))
    }
}
