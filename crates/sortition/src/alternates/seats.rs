//! Seats by value: how many members have each value that has a quota, and by how many seats that is
//! off.

use crate::PanelQuestion;
use kleroterion_core::protocol::Quota;

/// The values that have quotas, as one list.
pub(super) struct SeatPlan {
    /// The attributes with quotas: (index, the place of its first value).
    attributes: Vec<(usize, usize)>,
    quotas: Vec<Quota>,
}

impl SeatPlan {
    pub(super) fn new(question: &PanelQuestion) -> Self {
        let mut plan = Self {
            attributes: Vec::new(),
            quotas: Vec::new(),
        };
        let rows = question.quotas.iter().enumerate();
        for (attribute, row) in rows.filter(|(_, row)| !row.is_empty()) {
            plan.attributes.push((attribute, plan.quotas.len()));
            plan.quotas.extend(row);
        }
        plan
    }

    pub(super) fn quotas(&self) -> &[Quota] {
        &self.quotas
    }

    /// The places of a person's values.
    pub(super) fn places(&self, values: &[u16]) -> Vec<usize> {
        let attributes = self.attributes.iter();
        attributes
            .map(|&(attribute, first)| first + usize::from(values[attribute]))
            .collect()
    }

    /// Returns the number of these people with each value.
    pub(super) fn counts(&self, question: &PanelQuestion, people: &[u32]) -> Vec<u32> {
        let mut counts = vec![0; self.quotas.len()];
        for one in people {
            for place in self.places(question.respondents.values(*one)) {
                counts[place] += 1;
            }
        }
        counts
    }

    /// Returns the fewest seats off for any panel with these counts and `free` more people, whoever
    /// they are. Each of them fills at most one gap of an attribute.
    pub(super) fn least_off(&self, counts: &[u32], free: u32) -> u32 {
        let ends = self.attributes.iter().skip(1).map(|(_, first)| *first);
        let ends = ends.chain([self.quotas.len()]);
        let of = |(&(_, first), end): (&(usize, usize), usize)| {
            let rows = || self.quotas[first..end].iter().zip(&counts[first..end]);
            let short: u32 = rows().map(|(quota, n)| quota.min.saturating_sub(*n)).sum();
            let over: u32 = rows().map(|(quota, n)| n.saturating_sub(quota.max)).sum();
            over + short.saturating_sub(free)
        };
        self.attributes.iter().zip(ends).map(of).sum()
    }
}

/// Seats short of the minimums and beyond the maximums.
pub(super) fn off(quotas: &[Quota], counts: &[u32]) -> u32 {
    let rows = quotas.iter().zip(counts);
    rows.map(|(quota, n)| quota.min.saturating_sub(*n) + n.saturating_sub(quota.max))
        .sum()
}

/// Returns the reduction of the seats off by one more person, who has these places.
pub(super) fn gain(quotas: &[Quota], counts: &[u32], places: &[usize]) -> i32 {
    let of = |place: &usize| {
        let (quota, n) = (quotas[*place], counts[*place]);
        i32::from(n < quota.min) - i32::from(n >= quota.max)
    };
    places.iter().map(of).sum()
}

/// Alternates as tools without a program take them: the members in the order of their chances to
/// leave, and for each the one of `left` who shares most of the values that have quotas; of those
/// alike the first. After the last member it starts again with the first.
pub(super) fn next_of_kind(
    plan: &SeatPlan,
    question: &PanelQuestion,
    panel: &[u32],
    chances: &[f64],
    left: &[u32],
    how_many: u32,
) -> Vec<u32> {
    let mut members = panel.to_vec();
    let chance = |one: &u32| chances[*one as usize];
    members.sort_by(|a, b| chance(b).total_cmp(&chance(a)).then(a.cmp(b)));
    let values = |one: u32| plan.places(question.respondents.values(one));
    let mut left: Vec<(u32, Vec<usize>)> = left.iter().map(|&one| (one, values(one))).collect();
    let mut taken = Vec::new();
    for member in members.iter().cycle().take(how_many as usize) {
        let wanted = values(*member);
        let alike = |of: &[usize]| of.iter().zip(&wanted).filter(|(a, b)| a == b).count();
        // Of the largest the first.
        let best = (0..left.len()).rev().max_by_key(|&at| alike(&left[at].1));
        let Some(best) = best else {
            break;
        };
        taken.push(left.remove(best).0);
    }
    taken
}
