//! The limit of the gain, and the one quota whose loosening saves most. The gain itself comes from
//! the caller, who has the program.

use super::slates::expected_screened;

/// The value that limits the gain: g <= p/rho for every value, under any joint law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bottleneck {
    /// The index of the attribute.
    pub attribute: usize,
    /// The index of the value.
    pub value: usize,
    /// The bound `p / rho` on the gain for this value. 0 if a wanted value never comes; it may
    /// exceed 1 by rounding only.
    pub bound: f64,
}

/// A loosening of one value's target by a seat, towards its share among the volunteers, and the
/// people it saves.
#[derive(Clone, Debug, PartialEq)]
pub struct Loosening {
    /// The index of the attribute.
    pub attribute: usize,
    /// The index of the value.
    pub value: usize,
    /// The attribute's targets after the loosening: the value moved, the others scaled to fill up
    /// to 1.
    pub target: Vec<f64>,
    /// The gain with these targets.
    pub gain: f64,
    /// The expected number of people screened with these targets.
    pub screened: f64,
    /// The reduction of `screened`; negative if more people are screened.
    pub saved: f64,
}

/// Returns the value with the least `p / rho`, the first of equals. `None` if no value is wanted.
/// `p` is each value's share among the volunteers and `rho` its target, with a row per attribute.
#[must_use]
pub fn bottleneck(p: &[Vec<f64>], rho: &[Vec<f64>]) -> Option<Bottleneck> {
    let mut least: Option<Bottleneck> = None;
    for (attribute, (shares, targets)) in p.iter().zip(rho).enumerate() {
        for (value, (share, target)) in shares.iter().zip(targets).enumerate() {
            let bound = share / target;
            if *target > 0.0 && least.is_none_or(|least| bound < least.bound) {
                least = Some(Bottleneck {
                    attribute,
                    value,
                    bound,
                });
            }
        }
    }
    least
}

/// Returns the saving of each single loosening for a committee of K, the largest saving first. Ties
/// keep the order of attributes and values.
///
/// `gain` returns the gain at given targets. It is called once for `rho` and once for each value
/// whose share among the volunteers `p` differs from its target.
///
/// A value's target moves by 1/K towards that share and not beyond; the others of its attribute
/// move in proportion. The quotas' own bounds are ignored. Values of target 0 are left alone. Of
/// two values only the scarcer is named, because the other's move is the same.
///
/// # Errors
/// The first error of `gain`.
pub fn loosenings<E>(
    p: &[Vec<f64>],
    rho: &[Vec<f64>],
    members: u64,
    mut gain: impl FnMut(&[Vec<f64>]) -> Result<f64, E>,
) -> Result<Vec<Loosening>, E> {
    let before = expected_screened(members, gain(rho)?);
    let mut targets = rho.to_vec();
    let mut found = Vec::new();
    for (attribute, (shares, row)) in p.iter().zip(rho).enumerate() {
        let scarcer = bottleneck(std::slice::from_ref(shares), std::slice::from_ref(row));
        for (value, share) in shares.iter().enumerate() {
            let same = row.len() == 2 && scarcer.is_some_and(|scarcer| scarcer.value != value);
            if same || row[value] <= 0.0 {
                continue;
            }
            let Some(target) = moved(row, value, *share, 1.0 / members as f64) else {
                continue;
            };
            targets[attribute].clone_from(&target);
            let gain = gain(&targets)?;
            let screened = expected_screened(members, gain);
            found.push(Loosening {
                attribute,
                value,
                target,
                gain,
                screened,
                saved: before - screened,
            });
        }
        targets[attribute].clone_from(row);
    }
    found.sort_by(|a, b| b.saved.total_cmp(&a.saved));
    Ok(found)
}

/// The row with one value moved towards a share by at most `step`; nothing where it is there or is
/// the only value.
fn moved(row: &[f64], value: usize, share: f64, step: f64) -> Option<Vec<f64>> {
    let old = row[value];
    let new = old + (share - old).clamp(-step, step);
    let others = 1.0 - old;
    if new == old || others <= 0.0 {
        return None;
    }
    let scale = (1.0 - new) / others;
    let scaled = row.iter().enumerate();
    Some(
        scaled
            .map(|(j, target)| if j == value { new } else { target * scale })
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    /// The "brexit-like" instance's ethnicity, age and gender: targets, and volunteers' shares by
    /// weight.
    fn instance() -> (Vec<Vec<f64>>, Vec<Vec<f64>>) {
        let rho = vec![vec![0.86, 0.14], vec![0.29, 0.34, 0.37], vec![0.49, 0.51]];
        let weights = [vec![1.0, 0.37], vec![0.65, 1.0, 1.0], vec![1.0, 0.75]];
        let row = |(rho, weights): (&Vec<f64>, &Vec<f64>)| {
            let sum: f64 = rho.iter().zip(weights).map(|(r, w)| r * w).sum();
            let shares = rho.iter().zip(weights).map(|(r, w)| r * w / sum);
            shares.collect()
        };
        (rho.iter().zip(&weights).map(row).collect(), rho)
    }

    /// The bound, which product laws often attain, in place of the program.
    fn bound(p: &[Vec<f64>]) -> impl FnMut(&[Vec<f64>]) -> Result<f64, Infallible> {
        move |rho| Ok(bottleneck(p, rho).expect("targets").bound.min(1.0))
    }

    #[test]
    fn the_bottleneck_is_the_scarcest_value() {
        let (p, rho) = instance();
        let found = bottleneck(&p, &rho).expect("targets");
        assert_eq!((found.attribute, found.value), (0, 1));
        assert!((found.bound - 0.405_790_743_58).abs() < 1e-10); // g* of BXS
        assert_eq!(bottleneck(&[vec![1.0]], &[vec![0.0]]), None);
    }

    #[test]
    fn the_scarcest_value_saves_most_and_one_beside_it_nothing() {
        let (p, rho) = instance();
        let Ok(found) = loosenings(&p, &rho, 50, bound(&p));
        assert_eq!(found.len(), 5);
        let best = &found[0];
        assert_eq!((best.attribute, best.value), (0, 1));
        assert!((best.target[1] - 0.12).abs() < 1e-12);
        let share = 0.14 * 0.37 / (0.86 + 0.14 * 0.37);
        assert!((best.saved - 50.0 * (0.14 - 0.12) / share).abs() < 1e-9);
        assert!(
            found[1..]
                .iter()
                .all(|l| l.attribute != 0 && l.saved.abs() < 1e-9)
        );
        for loosening in &found {
            assert!((loosening.target.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn a_value_of_target_0_is_left_alone() {
        let (p, rho) = (vec![vec![0.5, 0.25, 0.25]], vec![vec![0.0, 0.5, 0.5]]);
        let Ok(found) = loosenings(&p, &rho, 10, bound(&p));
        assert!(found.iter().all(|loosening| loosening.value != 0) && found.len() == 2);
    }

    #[test]
    fn a_target_moves_towards_the_share_and_not_beyond() {
        let near = |found: Option<Vec<f64>>, due: [f64; 3]| {
            let found = found.expect("a move");
            let mut pairs = found.iter().zip(due);
            assert!(pairs.all(|(f, d)| (f - d).abs() < 1e-12), "{found:?}");
        };
        let row = [0.5, 0.3, 0.2];
        near(moved(&row, 0, 0.2, 0.1), [0.4, 0.36, 0.24]);
        near(moved(&row, 0, 0.45, 0.1), [0.45, 0.33, 0.22]);
        near(moved(&row, 2, 0.9, 0.1), [0.4375, 0.2625, 0.3]);
        assert_eq!(moved(&row, 1, 0.3, 0.1), None);
        assert_eq!(moved(&[1.0], 0, 0.5, 0.1), None);
    }

    #[test]
    fn an_error_of_the_program_is_handed_on() {
        let (p, rho) = instance();
        assert_eq!(loosenings(&p, &rho, 50, |_| Err("no")), Err("no"));
    }
}
