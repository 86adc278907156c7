//! Places to groups, where each further place of a group is worth less than the one before.
//!
//! `marginal(g, r)` is what the r-th place (from 1) of group g adds. As it falls in r, the best
//! allocation gives each place in turn to the group to which it adds most. Ties go to the later
//! group: with two groups, to the lowest share of the first.

/// Returns the number of `places` that go to the first of two groups. It bisects, with about 2 log2
/// `places` evaluations of `marginal`. Any two queries of a group are nested: the later one is
/// inside the ranks that the earlier one left open.
pub fn split(places: u32, sizes: [u32; 2], mut marginal: impl FnMut(usize, u32) -> f64) -> u32 {
    let (mut low, mut high) = feasible(places, sizes);
    while low < high {
        let middle = low + (high - low) / 2;
        if marginal(0, middle + 1) > marginal(1, places - middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// Returns the fewest and the most places that the first of two groups can get.
#[must_use]
pub fn feasible(places: u32, sizes: [u32; 2]) -> (u32, u32) {
    (places.saturating_sub(sizes[1]), places.min(sizes[0]))
}

/// The allocation of places, given one after the other. It reuses its memory.
#[derive(Clone, Debug, Default)]
pub struct Allotted {
    /// The number of places of each group.
    pub counts: Vec<u32>,
    /// The gain by each group's next place.
    next: Vec<f64>,
}

/// Gives `places` to groups of these sizes; at most one per person.
pub fn allot(
    places: u32,
    sizes: &[u32],
    allotted: &mut Allotted,
    mut marginal: impl FnMut(usize, u32) -> f64,
) {
    let Allotted { counts, next } = allotted;
    counts.clear();
    counts.resize(sizes.len(), 0);
    next.clear();
    next.extend(sizes.iter().enumerate().map(|(group, &size)| match size {
        0 => f64::NAN,
        _ => marginal(group, 1),
    }));
    for _ in 0..places {
        let mut best: Option<usize> = None;
        for g in 0..sizes.len() {
            let open = counts[g] < sizes[g];
            if open && best.is_none_or(|best| next[g] >= next[best]) {
                best = Some(g);
            }
        }
        let Some(g) = best else { return };
        counts[g] += 1;
        if counts[g] < sizes[g] {
            next[g] = marginal(g, counts[g] + 1);
        }
    }
}

/// Returns the released code's choice for two groups. Every nominal k of 0 ..= `places` is
/// admissible: [`clipped`] gives the number admitted, and the loss is that of the nominal k. The
/// objective is not concave in k, so all k are tried; ties go to the lowest.
///
/// `score(g, r)` is the worth of the r-th best of group g. `fair(k)` is the additional cost of the
/// (k+1)-th nominal place of the first group.
pub fn nominal(
    places: u32,
    sizes: [u32; 2],
    mut score: impl FnMut(usize, u32) -> f64,
    fair: impl Fn(u32) -> f64,
) -> u32 {
    let (low, high) = feasible(places, sizes);
    let (mut best, mut height, mut highest) = (0, 0.0, 0.0);
    for k in 0..places {
        let swapped = if k >= low && k < high {
            score(0, k + 1) - score(1, places - k)
        } else {
            0.0
        };
        height += swapped - fair(k);
        if height > highest {
            (best, highest) = (k + 1, height);
        }
    }
    best
}

/// Returns the number of the first group who are admitted if k are intended: min(k, its size), or
/// more if the other group is too small.
#[must_use]
pub fn clipped(k: u32, places: u32, sizes: [u32; 2]) -> u32 {
    let (low, high) = feasible(places, sizes);
    k.clamp(low, high)
}
