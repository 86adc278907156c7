//! Knowledge that a policy has beforehand: the law of the candidates, and how well it is known.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::respondents::Respondents;
use crate::draw::inverse_normal_cdf;

/// A fact about the world: known exactly, estimated or unknown.
#[derive(Clone, Debug, Default)]
pub enum Fact<T> {
    /// Known exactly: the law by which the source draws.
    Exact(T),
    /// Estimated from data.
    Fitted(T),
    /// Unknown.
    #[default]
    Unknown,
}

impl<T> Fact<T> {
    /// Returns the fact if it is known, exactly or by estimate.
    pub fn get(&self) -> Option<&T> {
        match self {
            Self::Exact(fact) | Self::Fitted(fact) => Some(fact),
            Self::Unknown => None,
        }
    }

    /// Returns the fact if it is known exactly.
    pub fn exact(&self) -> Option<&T> {
        match self {
            Self::Exact(fact) => Some(fact),
            Self::Fitted(_) | Self::Unknown => None,
        }
    }
}

/// The law of the attributes of a candidate (p in Do et al. 2021, Section 3.1).
#[derive(Clone, Debug, PartialEq)]
pub enum Law {
    /// Independent attributes: the share of each value, with a row per attribute.
    Product(Vec<Vec<f64>>),
    /// The cells that occur (in increasing order, see [`Schema::cell`](super::Schema::cell)) and
    /// their shares.
    Cells(Vec<(u32, f64)>),
}

impl Law {
    /// Returns the law of some of the attributes (in increasing order). `levels` is the number of
    /// values of each attribute.
    #[must_use]
    pub fn project(&self, levels: &[usize], attributes: &[usize]) -> Self {
        match self {
            Self::Product(marginals) => {
                Self::Product(attributes.iter().map(|&a| marginals[a].clone()).collect())
            }
            Self::Cells(cells) => {
                let mut shares = BTreeMap::new();
                for &(cell, share) in cells {
                    let mut rest = cell as usize;
                    let (mut kept, mut radix) = (0, 1);
                    for (attribute, &n) in levels.iter().enumerate().rev() {
                        if attributes.contains(&attribute) {
                            kept += (rest % n * radix) as u32;
                            radix *= n;
                        }
                        rest /= n;
                    }
                    *shares.entry(kept).or_insert(0.0) += share;
                }
                Self::Cells(shares.into_iter().collect())
            }
        }
    }

    /// Returns the share of each value, with a row per attribute. `levels` is the number of values
    /// of each attribute.
    #[must_use]
    pub fn marginals(&self, levels: &[usize]) -> Vec<Vec<f64>> {
        match self {
            Self::Product(marginals) => marginals.clone(),
            Self::Cells(cells) => {
                let mut marginals: Vec<Vec<f64>> = levels.iter().map(|&n| vec![0.0; n]).collect();
                for &(cell, share) in cells {
                    let mut rest = cell as usize;
                    for (marginal, &n) in marginals.iter_mut().zip(levels).rev() {
                        marginal[rest % n] += share;
                        rest /= n;
                    }
                }
                marginals
            }
        }
    }
}

/// The normal law of a group's scores. The paper prints variances: see [`ScoreLaw::of_variance`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScoreLaw {
    /// mu, in the unit of the scores.
    pub mean: f64,
    /// sigma, in the same unit, 0 or more.
    pub sd: f64,
}

/// The facts that may be known about the world. A policy that needs an unknown fact is refused when
/// the config is checked.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// The law of the candidates' attributes.
    pub law: Fact<Arc<Law>>,
    /// The attribute whose values are the groups that a policy ranks within, if the source names
    /// one.
    pub group: Option<usize>,
    /// The noise of an interview of gain 1: its standard deviation or sub-Gaussian constant, if
    /// interviews are for sale.
    pub look_noise: Fact<f64>,
    /// The noise of an outcome: its standard deviation, if outcomes are reported.
    pub outcome_noise: Fact<f64>,
    /// The law of the scores in each group, if candidates have scores.
    pub scores: Fact<Vec<ScoreLaw>>,
    /// The people who may come, if each comes once and all are known beforehand.
    pub respondents: Option<Arc<Respondents>>,
}

impl ScoreLaw {
    /// Makes a law from a variance, as Puranik et al. 2022 print it.
    #[must_use]
    pub fn of_variance(mean: f64, variance: f64) -> Self {
        let sd = variance.sqrt();
        Self { mean, sd }
    }

    /// Returns the score that a share q of the group reaches: t = mu + sigma z(q). Infinite at 0
    /// and 1, unless all score the same.
    #[must_use]
    pub fn threshold(self, q: f64) -> f64 {
        if self.sd == 0.0 {
            return self.mean;
        }
        self.mean + self.sd * upper_quantile(q)
    }

    /// Returns the sum of the scores of the best share q, per head of the group: q mu + sigma
    /// phi(z(q)) (A.3's conditional expectation times q). It is concave in q, with the threshold as
    /// its derivative.
    #[must_use]
    pub fn best(self, q: f64) -> f64 {
        q * self.mean + self.sd * density_at(q)
    }
}

/// Returns z(q) = Phi^-1(1 - q).
#[must_use]
pub fn upper_quantile(q: f64) -> f64 {
    -inverse_normal_cdf(q)
}

/// Returns phi(z(q)), which is 0 at both ends.
#[must_use]
pub fn density_at(q: f64) -> f64 {
    if q <= 0.0 || q >= 1.0 {
        return 0.0;
    }
    density(upper_quantile(q))
}

/// Returns phi, the standard normal density.
#[must_use]
pub fn density(x: f64) -> f64 {
    /// 1 / sqrt(2 pi).
    const PEAK: f64 = 0.398_942_280_401_432_7;
    PEAK * libm::exp(-0.5 * x * x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marginals_of_cells() {
        // Table 1 of Do et al. 2021 with eps' = 1/6: gender (M, F) x age (S, J).
        let cells = vec![(0, 1.0 / 3.0), (1, 0.25), (2, 0.25), (3, 1.0 / 6.0)];
        let marginals = Law::Cells(cells).marginals(&[2, 2]);
        assert!((marginals[0][0] - 7.0 / 12.0).abs() < 1e-15);
        assert!((marginals[1][1] - 5.0 / 12.0).abs() < 1e-15);
    }

    #[test]
    fn a_projection_has_the_marginals_of_the_whole() {
        let levels = [2, 3, 4];
        let cells: Vec<(u32, f64)> = (0..24).map(|c| (c, f64::from(c + 1) / 300.0)).collect();
        let law = Law::Cells(cells);
        let whole = law.marginals(&levels);
        let part = law.project(&levels, &[0, 2]).marginals(&[2, 4]);
        for (a, b) in [(&whole[0], &part[0]), (&whole[2], &part[1])] {
            assert!(a.iter().zip(b).all(|(x, y)| (x - y).abs() < 1e-15));
        }
        assert_eq!(law.project(&levels, &[0, 1, 2]), law);
    }

    /// An estimate from data is not an exact fact.
    #[test]
    fn a_fact_is_exact_fitted_or_unknown() {
        let facts = [Fact::Exact(2.0), Fact::Fitted(3.0), Fact::default()];
        let got = facts.each_ref().map(|fact| fact.get().copied());
        assert_eq!(got, [Some(2.0), Some(3.0), None]);
        let exact = facts.each_ref().map(|fact| fact.exact().copied());
        assert_eq!(exact, [Some(2.0), None, None]);
    }
}

#[cfg(test)]
mod score_law_tests {
    use super::*;

    #[test]
    fn the_second_number_is_a_variance() {
        let law = ScoreLaw::of_variance(4.9, 2.25);
        assert_eq!((law.mean, law.sd), (4.9, 1.5));
        assert_eq!(law.threshold(0.5), 4.9);
        assert!((law.threshold(0.025) - (4.9 + 1.5 * 1.959_963_984_540_054)).abs() < 1e-13);
    }

    #[test]
    fn the_best_are_worth_the_integral_of_the_thresholds() {
        let law = ScoreLaw::of_variance(-1.46, 2.73);
        assert_eq!(law.best(0.0), 0.0);
        assert_eq!(law.best(1.0), -1.46);
        for q in [0.01, 0.2, 0.5, 0.9] {
            let h = 1e-5;
            let slope = (law.best(q + h) - law.best(q - h)) / (2.0 * h);
            assert!((slope - law.threshold(q)).abs() < 1e-6, "{q}");
        }
    }
}
