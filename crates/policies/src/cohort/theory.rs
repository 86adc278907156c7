//! Theory of an instance: its hardness, and the most that its interviews can cost (Schumann et al.
//! 2019, Section 4).
//!
//! The bound is that of the linear model, w_top; Eq. 1's gaps can be had of w_div too, but the
//! bound is not made for their H (Section 6.2). Pure functions of the true utilities, for those who
//! have them.

use super::{CohortShape, Diverse, Objective, objective::root};

/// The width of the cohorts of K of n with 0 < K < n. Any two differ by at least one exchange, |A -
/// B| + |B - A| = 2.
pub const WIDTH: f64 = 2.0;

/// Returns the gaps of Eq. 1 by slot, in units of u. A gap is the loss of the best cohort that is
/// forced to have an arm it should lack, or to lack one it should have. For K of n it is the
/// distance of a member to the best outsider, or of an outsider to the last member. All are
/// infinite if K is 0 or n, because there is then only one cohort.
#[must_use]
pub fn gaps(utilities: &[f64], members: usize) -> Vec<f64> {
    let mut order: Vec<f64> = utilities.to_vec();
    order.sort_unstable_by(|x, y| y.total_cmp(x));
    let last = members.checked_sub(1).and_then(|last| order.get(last));
    let (Some(&last), Some(&next)) = (last, order.get(members)) else {
        return vec![f64::INFINITY; utilities.len()];
    };
    let gap = |&u: &f64| if u >= last { u - next } else { last - u };
    utilities.iter().map(gap).collect()
}

/// Returns the gaps of Eq. 1 by slot with w = w_div, in units of w. A gap is the worth of the best
/// cohort less that of the best one that differs in having or lacking the arm. Infinite if there is
/// no such cohort.
///
/// Exact for utilities of at least 0: among those that have an arm, and among those that lack it, a
/// group's worth is a concave function of how many it has, so that greed finds the best.
#[must_use]
pub fn diverse_gaps(shape: &CohortShape, utilities: &[f64]) -> Vec<f64> {
    // The index of the attribute does not matter: the groups are given.
    let diverse = Diverse::new(0);
    let mut best = Vec::new();
    let nobody = vec![false; utilities.len()];
    diverse.best(shape, utilities, &nobody, &mut best);
    let worth = |cohort: &[bool]| diverse.worth(shape, utilities, cohort);
    let gap = |(arm, member): (usize, &bool)| {
        let other = best_by_force(shape, utilities, arm, !member);
        // Of equals the sums may be rounded otherwise.
        other.map_or(f64::INFINITY, |other| {
            (worth(&best) - worth(&other)).max(0.0)
        })
    };
    best.iter().enumerate().map(gap).collect()
}

/// The cohort that is worth most by w_div of those that have an arm (`inside`) or lack it; none
/// where there is none.
fn best_by_force(
    shape: &CohortShape,
    utilities: &[f64],
    arm: usize,
    inside: bool,
) -> Option<Vec<bool>> {
    let group = |slot: usize| usize::from(shape.groups[slot]);
    let mut order: Vec<usize> = (0..utilities.len()).filter(|&slot| slot != arm).collect();
    order.sort_by(|&a, &b| utilities[b].total_cmp(&utilities[a]));
    let mut cohort = vec![false; utilities.len()];
    let mut sums = vec![0.0; shape.group_count()];
    if inside {
        cohort[arm] = true;
        sums[group(arm)] = utilities[arm];
    }
    for _ in 0..shape.members.checked_sub(usize::from(inside))? {
        let gain = |slot: usize| {
            let sum = sums[group(slot)];
            root(sum + utilities[slot]) - root(sum)
        };
        // The first of a group in `order` is its best.
        let free = order.iter().copied().filter(|&slot| !cohort[slot]);
        let next = free.max_by(|&a, &b| {
            let by_gain = gain(a).total_cmp(&gain(b));
            by_gain.then(utilities[a].total_cmp(&utilities[b]))
        })?;
        cohort[next] = true;
        sums[group(next)] += utilities[next];
    }
    Some(cohort)
}

/// Returns H, the sum of the gaps' inverse squares (Eq. 2), in 1/u^2. Infinite if the last member
/// and the next have equal utility.
#[must_use]
pub fn hardness(utilities: &[f64], members: usize) -> f64 {
    hardness_of(&gaps(utilities, members))
}

/// Returns H of given gaps (Eq. 2), in the inverse square of their unit.
#[must_use]
pub fn hardness_of(gaps: &[f64]) -> f64 {
    gaps.iter().map(|gap| 1.0 / (gap * gap)).sum()
}

/// Returns H~ = max(1, width^2 sigma^2 H), without unit (Appendix C).
#[must_use]
pub fn scaled_hardness(sigma: f64, hardness: f64) -> f64 {
    (WIDTH * WIDTH * sigma * sigma * hardness).max(1.0)
}

/// Returns Xc = alpha j + 1 - alpha and Xg = alpha s + 1 - alpha: the mean price and gain of an
/// interview, in weak interviews.
#[must_use]
pub fn mean_look(alpha: f64, s: f64, j: f64) -> (f64, f64) {
    (alpha * j + 1.0 - alpha, alpha * s + 1.0 - alpha)
}

/// The most that the interviews cost by Theorem 4.4, in weak interviews: 499 H~ ln(4 n Xc^3 H~ /
/// delta) / Xg + 2 n (Eq. 32, without its epsilon_1 and epsilon_2). `look` is (Xc, Xg).
#[must_use]
pub fn cost_bound(n: usize, scaled_hardness: f64, delta: f64, look: (f64, f64)) -> f64 {
    let (n, (cost, gain)) = (n as f64, look);
    let log = libm::log(4.0 * n * (cost * cost * cost) * scaled_hardness / delta);
    499.0 * scaled_hardness * log / gain + 2.0 * n
}

/// Returns C = 4 n H~ / delta of Corollary 4.3.
#[must_use]
pub fn corollary_base(n: usize, scaled_hardness: f64, delta: f64) -> f64 {
    4.0 * n as f64 * scaled_hardness / delta
}

/// Returns the j up to which strong interviews alone cost no more than weak ones alone, by
/// Corollary 4.3: C^((s - 1) / 3).
#[must_use]
pub fn corollary_line(base: f64, s: f64) -> f64 {
    libm::pow(base, (s - 1.0) / 3.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kleroterion_core::draw::inverse_normal_cdf;

    #[test]
    fn gaps_are_distances_to_the_boundary() {
        assert_eq!(
            gaps(&[0.0, 0.25, 0.5, 0.75, 1.0], 2),
            [0.75, 0.5, 0.25, 0.25, 0.5]
        );
        assert_eq!(gaps(&[0.5, 0.5, 0.1], 1), [0.0, 0.0, 0.4]);
        assert_eq!(gaps(&[1.0, 2.0], 2), [f64::INFINITY; 2]);
        assert_eq!(gaps(&[1.0, 2.0], 0), [f64::INFINITY; 2]);
        assert_eq!(hardness(&[1.0, 2.0], 2), 0.0);
        assert_eq!(hardness(&[1.0, 1.0], 1), f64::INFINITY);
    }

    #[test]
    fn a_gap_is_what_equation_1_says() {
        // Against all cohorts, listed.
        let u = [0.31, 0.9, 0.12, 0.55, 0.54, 0.77, 0.05];
        let members = 3;
        let cohorts = (0u32..1 << u.len()).filter(|set| set.count_ones() == members);
        let worth = |set: u32| -> f64 {
            (0..u.len())
                .filter(|i| set >> i & 1 == 1)
                .map(|i| u[i])
                .sum()
        };
        let best = cohorts
            .clone()
            .max_by(|a, b| worth(*a).total_cmp(&worth(*b)))
            .unwrap();
        for (arm, gap) in gaps(&u, members as usize).into_iter().enumerate() {
            let others = cohorts.clone().filter(|set| (set ^ best) >> arm & 1 == 1);
            let listed = worth(best) - others.map(worth).fold(f64::MIN, f64::max);
            assert!((gap - listed).abs() < 1e-12, "{arm}: {gap}, {listed}");
        }
    }

    /// The gaps of w_div by listing all cohorts.
    fn listed_gaps(shape: &CohortShape, u: &[f64]) -> Vec<f64> {
        let has = |set: u32, arm: usize| set >> arm & 1 == 1;
        let cohorts: Vec<(u32, f64)> = (0u32..1 << u.len())
            .filter(|set| set.count_ones() as usize == shape.members)
            .map(|set| {
                let mut sums = vec![0.0; shape.group_count()];
                for arm in (0..u.len()).filter(|&arm| has(set, arm)) {
                    sums[usize::from(shape.groups[arm])] += u[arm];
                }
                (set, sums.into_iter().map(f64::sqrt).sum())
            })
            .collect();
        let (best, worth) = cohorts
            .iter()
            .copied()
            .max_by(|a, b| a.1.total_cmp(&b.1))
            .unwrap();
        let gap = |arm| {
            let others = cohorts.iter().filter(|c| has(c.0, arm) != has(best, arm));
            worth - others.map(|c| c.1).fold(f64::NEG_INFINITY, f64::max)
        };
        (0..u.len()).map(gap).collect()
    }

    #[test]
    fn gaps_of_w_div_are_those_of_all_cohorts_listed() {
        use kleroterion_core::draw::{Key, Purpose};
        let mut compared = 0;
        for case in 0..300 {
            let mut draw = Key::new(5, case).draw(Purpose::Person, 0, 0);
            let n = 1 + (draw.uniform() * 8.0) as usize;
            let mut number = |below: f64| (draw.uniform() * below).floor();
            // Spread by powers of ten, so that a forced arm can turn the counts over; every tenth
            // is 0.
            let utility = |_| number(10.0) * libm::pow(10.0, number(5.0) - 3.0);
            let utilities: Vec<f64> = (0..n).map(utility).collect();
            let groups: Vec<u16> = (0..n).map(|_| number(3.0) as u16).collect();
            for members in 0..=n {
                let groups = groups.clone();
                let shape = CohortShape { members, groups };
                let listed = listed_gaps(&shape, &utilities);
                for (arm, gap) in diverse_gaps(&shape, &utilities).into_iter().enumerate() {
                    let same = (gap - listed[arm]).abs() < 1e-9 || gap == listed[arm];
                    assert!(same, "{utilities:?} {shape:?} {arm}: {gap}, {listed:?}");
                    compared += 1;
                }
            }
        }
        assert!(compared > 5000, "{compared}");
    }

    #[test]
    fn with_one_group_the_gaps_of_w_div_are_those_of_the_root() {
        let u = [0.25, 1.0, 4.0, 2.0];
        let shape = CohortShape {
            members: 1,
            groups: vec![0; 4],
        };
        let root = 2.0_f64.sqrt();
        assert_eq!(diverse_gaps(&shape, &u), [1.5, 1.0, 2.0 - root, 2.0 - root]);
        assert_eq!(hardness_of(&[0.5, 2.0, f64::INFINITY]), 4.25);
    }

    #[test]
    fn the_corollary_s_base_of_t7() {
        let u: Vec<f64> = (0..50)
            .map(|i| 200.0 + 50.0 * inverse_normal_cdf((f64::from(i) + 0.5) / 50.0))
            .collect();
        let scaled = scaled_hardness(5.0, hardness(&u, 7));
        let base = corollary_base(50, scaled, 0.5);
        assert!((base - 6348.0).abs() < 0.5, "{base}");
        assert_eq!(corollary_line(base, 1.0), 1.0);
        assert!((corollary_line(base, 4.0) - base).abs() < 1e-9 * base);
    }

    #[test]
    fn the_bound_is_the_formula() {
        assert_eq!(scaled_hardness(0.1, 3.0), 1.0);
        assert_eq!(mean_look(0.75, 5.0, 2.0), (1.75, 4.0));
        let bound = cost_bound(10, 2.0, 0.05, (1.75, 4.0));
        let by_hand = 499.0 * 2.0 * libm::log(4.0 * 10.0 * 5.359375 * 2.0 / 0.05) / 4.0 + 20.0;
        assert!((bound - by_hand).abs() < 1e-9);
    }
}
