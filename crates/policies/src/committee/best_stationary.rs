//! The best stationary rule for candidates worth something: it accepts a share of all who come,
//! keeps to a target in expectation, and its members are worth as much as can be.
//!
//! With q_g the share of group g among candidates, rho_g its target, alpha the pace and F_g the CDF
//! of its merits, the program over all rules is: maximise E[a m] with E[a] = alpha and E[a 1[g]] =
//! rho_g alpha. It falls apart by groups: of group g the best rho_g alpha / q_g are accepted, those
//! worth more than t_g with F_g(t_g) = 1 - rho_g alpha / q_g. No rule can where that share is above
//! 1. An oracle: it sees merits, and learns nothing.

use crate::{Oracle, no_place};
use kleroterion_core::protocol::{Chosen, GroupCdf, GroupTruth, Move, Selection, Truth, View};

/// Accepts every candidate with a merit above the bar of their own group.
#[derive(Clone)]
pub struct BestStationary {
    attribute: usize,
    /// The bars t_g, by group.
    bars: Vec<f64>,
    /// The expected worth of a member.
    mean: f64,
}

/// The error that a group comes more rarely than is wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TooFew {
    /// The group, as a value of its attribute.
    pub group: usize,
    /// The highest pace that the group allows.
    pub rate: f64,
}

impl BestStationary {
    /// Makes the rule for groups of these shares among candidates and targets, at a pace in (0, 1].
    ///
    /// # Errors
    /// Returns an error if a group comes too rarely for its target at that pace.
    pub fn new(
        truth: &GroupTruth,
        come: &[f64],
        target: &[f64],
        rate: f64,
    ) -> Result<Self, TooFew> {
        // Rounding must not refuse a pace that takes all of a group.
        const SLACK: f64 = 1e-9;
        let groups = come.iter().zip(target).enumerate();
        let most = groups.clone().filter(|(_, (_, wanted))| **wanted > 0.0);
        let most = most.map(|(group, (come, wanted))| TooFew {
            group,
            rate: come / wanted,
        });
        let scarce = most.min_by(|a, b| a.rate.total_cmp(&b.rate));
        if let Some(scarce) = scarce.filter(|scarce| rate > scarce.rate + SLACK) {
            return Err(scarce);
        }
        let mut mean = 0.0;
        let bars = groups.map(|(group, (come, wanted))| {
            if *wanted == 0.0 {
                return f64::INFINITY;
            }
            let merits = Merits {
                cdf: &*truth.cdf,
                group,
            };
            let bar = merits.quantile(1.0 - (wanted * rate / come).min(1.0));
            mean += wanted * merits.mean_above(bar);
            bar
        });
        Ok(Self {
            bars: bars.collect(),
            attribute: truth.attribute,
            mean,
        })
    }

    /// The expected worth of a member.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.mean
    }
}

/// The merits of a group.
struct Merits<'a> {
    cdf: &'a dyn GroupCdf,
    group: usize,
}

impl Merits<'_> {
    fn at(&self, merit: f64) -> f64 {
        self.cdf.rank(self.group, merit)
    }

    /// The least merit with F(merit) >= `share`, within about 1e-15 of where merits end.
    fn quantile(&self, share: f64) -> f64 {
        let far = |sign: f64, ends: &dyn Fn(f64) -> bool| {
            let mut end = sign;
            while !ends(end) && end.abs() < 1e150 {
                end *= 2.0;
            }
            end
        };
        let mut low = far(-1.0, &|merit| self.at(merit) <= 0.0);
        let mut high = far(1.0, &|merit| self.at(merit) >= 1.0);
        for _ in 0..200 {
            let middle = low + (high - low) / 2.0;
            let is_enough = self.at(middle) >= share && self.at(middle) > 0.0;
            if is_enough {
                high = middle;
            } else {
                low = middle;
            }
        }
        high
    }

    /// E[m | m > bar] = bar + integral from bar of 1 - F over 1 - F(bar), by the trapezoid rule.
    fn mean_above(&self, bar: f64) -> f64 {
        const STEPS: u32 = 4_000;
        let top = self.quantile(1.0);
        let left = 1.0 - self.at(bar);
        if left <= 0.0 || top <= bar {
            return bar;
        }
        let step = (top - bar) / f64::from(STEPS);
        let inner = (1..STEPS).map(|n| 1.0 - self.at(bar + f64::from(n) * step));
        bar + step * (left / 2.0 + inner.sum::<f64>()) / left
    }
}

impl Oracle for BestStationary {
    fn act(&mut self, view: &mut View<'_>, truth: &Truth<'_>) -> Move {
        let most = view.places().max;
        if most == 0 {
            return no_place(view);
        }
        let slate = view.slate();
        let bar = |slot: u32| {
            let values = slate.candidate(slot).values();
            self.bars[usize::from(values[self.attribute])]
        };
        let passes = |slot: &u32| truth.merit(*slot).is_some_and(|merit| merit > bar(*slot));
        let chosen: Vec<u32> = (0..slate.len())
            .filter(passes)
            .take(most as usize)
            .collect();
        if !slate.is_empty() {
            let first = chosen.first().copied().unwrap_or(0);
            let merit = truth.merit(first).unwrap_or(f64::NAN);
            view.reason(|| [("merit", merit), ("bar", bar(first))]);
        }
        Move::Select(Selection::of(match chosen[..] {
            [] => Chosen::None,
            [one] => Chosen::One(one),
            _ => Chosen::Many(chosen),
        }))
    }

    fn corrects(&self) -> bool {
        // It learns from no outcome.
        true
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    /// Merits uniform from g to g + 1.
    fn truth() -> GroupTruth {
        GroupTruth {
            attribute: 0,
            cdf: Arc::new(|group: usize, merit: f64| (merit - group as f64).clamp(0.0, 1.0)),
        }
    }

    #[test]
    fn bars_and_worth_of_uniform_merits() {
        // Of group 0 the best .5 .2 / .8 = 1/8 are accepted, of group 1 the best half.
        let rule = BestStationary::new(&truth(), &[0.8, 0.2], &[0.5, 0.5], 0.2).unwrap();
        let due = [7.0 / 8.0, 1.5];
        assert!(
            rule.bars
                .iter()
                .zip(due)
                .all(|(bar, due)| (bar - due).abs() < 1e-12)
        );
        let mean = 0.5 * (15.0 / 16.0) + 0.5 * 1.75;
        assert!((rule.mean() - mean).abs() < 1e-9, "{}", rule.mean());
    }

    #[test]
    fn a_group_that_is_not_wanted_has_no_bar_to_pass() {
        let rule = BestStationary::new(&truth(), &[0.8, 0.2], &[1.0, 0.0], 0.8).unwrap();
        assert!(rule.bars[0].abs() < 1e-12 && rule.bars[1] == f64::INFINITY);
        assert!((rule.mean() - 0.5).abs() < 1e-9);
    }

    #[test]
    fn a_group_that_comes_too_rarely_is_named() {
        let refused = BestStationary::new(&truth(), &[0.8, 0.2], &[0.5, 0.5], 0.41);
        let TooFew { group, rate } = refused.err().unwrap();
        assert_eq!((group, rate), (1, 0.4));
    }

    /// Merits that only a few values have: the bar is one of them.
    #[test]
    fn merits_with_atoms() {
        let cdf = |_: usize, merit: f64| {
            [(1.0, 0.5), (3.0, 1.0)]
                .iter()
                .filter(|(at, _)| merit >= *at)
                .map(|(_, f)| *f)
                .fold(0.0, f64::max)
        };
        let truth = GroupTruth {
            attribute: 0,
            cdf: Arc::new(cdf),
        };
        let rule = BestStationary::new(&truth, &[1.0], &[1.0], 0.5).unwrap();
        assert!((rule.bars[0] - 1.0).abs() < 1e-9);
        assert!((rule.mean() - 3.0).abs() < 1e-2);
    }
}
