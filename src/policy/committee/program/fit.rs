//! Capped proportional fitting: the canonical policy where the bound on the gain is attained.
//!
//! Ours, not the paper's. Of all the policies that meet the targets at gain g, the one nearest to "accept in proportion" (least
//! `sum p pi (ln pi - 1)`) has the form `pi(x) = min(1, prod_i a^i_{x^i})`. Its factors are found as in iterative proportional fitting,
//! one attribute after the other, each `a^i_j` so that `sum_x p(x) pi(x) 1[x^i = j] = g rho^i_j`, the others held. Nothing in this needs
//! independent attributes: any law will do. We fit at g = the bound. Where no policy attains the bound, the fit stalls.

use super::support::Support;

/// Converged: no value's accepted mass is further than this from its target, relative to the gain.
const CONVERGED: f64 = 1e-12;

/// A value is taken whole where its target mass is this near to its whole mass, relatively (ties of the bound differ by rounding).
const WHOLE: f64 = 1e-12;

/// Stalled: the error has not halved in so many sweeps. Fits that converge do so linearly, mostly in 5 to 100 sweeps, some in a thousand.
const PATIENCE: usize = 40;

/// Most sweeps in all.
const MOST_SWEEPS: usize = 2_000;

/// Most Newton steps for one attribute; piecewise-linear functions need few.
const MOST_STEPS: usize = 100;

/// A fit that met every target.
pub(super) struct Fitted {
    /// Per attribute and value, `a^i_j`: 0 where the target is 0, infinite where the value is taken whole.
    pub factors: Vec<Vec<f64>>,
    /// Sweeps over all the attributes.
    pub sweeps: usize,
}

/// A fit that did not: the bound is not attained, or hardly.
pub(super) struct Stalled {
    /// Sweeps over all the attributes.
    pub sweeps: usize,
}

/// The cells that the factors decide: those with no value that is taken whole.
struct Free {
    /// Per attribute, each cell's value.
    values: Vec<Vec<u16>>,
    /// p of each cell.
    mass: Vec<f64>,
    /// The product of each cell's factors.
    product: Vec<f64>,
    /// Per attribute and value, the mass to be accepted out of these cells.
    goals: Vec<Vec<f64>>,
}

/// Fits the factors at the bound.
pub(super) fn fit(support: &Support, rho: &[Vec<f64>]) -> Result<Fitted, Stalled> {
    let gain = support.bound(rho);
    let mut factors: Vec<Vec<f64>> = rho
        .iter()
        .zip(&support.shares)
        .map(|(targets, shares)| {
            let pairs = targets.iter().zip(shares);
            pairs
                .map(|(target, &share)| start(gain * target, share))
                .collect()
        })
        .collect();
    let mut free = Free::new(support, rho, gain, &factors);
    let mut errors: Vec<f64> = Vec::new();
    while let Some(error) = free.sweep(&mut factors) {
        errors.push(error);
        let sweeps = errors.len();
        if error <= CONVERGED * gain {
            return Ok(Fitted { factors, sweeps });
        }
        let stalled = sweeps > PATIENCE && error > 0.5 * errors[sweeps - 1 - PATIENCE];
        if stalled || sweeps == MOST_SWEEPS {
            break;
        }
    }
    let sweeps = errors.len();
    Err(Stalled { sweeps })
}

/// Where a factor starts; those that start at 0 or infinity stay.
fn start(goal: f64, share: f64) -> f64 {
    if goal == 0.0 {
        0.0
    } else if goal >= share * (1.0 - WHOLE) {
        f64::INFINITY
    } else {
        1.0
    }
}

impl Free {
    fn new(support: &Support, rho: &[Vec<f64>], gain: f64, factors: &[Vec<f64>]) -> Self {
        let mut whole = vec![false; support.len()];
        for (column, factors) in support.values.iter().zip(factors) {
            for (whole, &j) in whole.iter_mut().zip(column) {
                *whole |= factors[usize::from(j)] == f64::INFINITY;
            }
        }
        let kept: Vec<usize> = (0..support.len()).filter(|&x| !whole[x]).collect();
        let mut goals: Vec<Vec<f64>> = rho
            .iter()
            .map(|row| row.iter().map(|target| gain * target).collect())
            .collect();
        for (column, goals) in support.values.iter().zip(&mut goals) {
            let cells = column.iter().zip(&support.mass).zip(&whole);
            for ((&j, p), _) in cells.filter(|(_, whole)| **whole) {
                goals[usize::from(j)] -= p;
            }
        }
        Self {
            values: support
                .values
                .iter()
                .map(|column| kept.iter().map(|&x| column[x]).collect())
                .collect(),
            mass: kept.iter().map(|&x| support.mass[x]).collect(),
            product: vec![1.0; kept.len()],
            goals,
        }
    }

    /// Refits every attribute once. Returns the worst error met on the way, or none where some goal is out of reach whatever the factors.
    fn sweep(&mut self, factors: &mut [Vec<f64>]) -> Option<f64> {
        // Anew every time, so that rounding does not add up.
        self.product.fill(1.0);
        for (column, factors) in self.values.iter().zip(&*factors) {
            for (product, &j) in self.product.iter_mut().zip(column) {
                *product *= factors[usize::from(j)];
            }
        }
        let mut worst = 0.0f64;
        for (i, factors) in factors.iter_mut().enumerate() {
            let (ratios, error) = self.refit(i, factors)?;
            worst = worst.max(error);
            for (factor, ratio) in factors.iter_mut().zip(&ratios) {
                *factor *= ratio;
            }
            for (product, &j) in self.product.iter_mut().zip(&self.values[i]) {
                *product *= ratios[usize::from(j)];
            }
        }
        Some(worst)
    }

    /// Solves `sum_{x: x^i = j} p(x) min(1, r_j product(x)) = goal_j` for the ratios of attribute i's new factors to the old. Returns them
    /// (1 for the factors that are 0 or infinite) and the worst error at the old factors.
    ///
    /// In `r_j` the sum is increasing, concave and piecewise linear, so Newton's steps land at or below the root and then climb to it, and
    /// end after finitely many: when the same cells are capped as before.
    fn refit(&self, i: usize, factors: &[f64]) -> Option<(Vec<f64>, f64)> {
        let goals = &self.goals[i];
        let mut ratios = vec![1.0; goals.len()];
        let mut worst = 0.0f64;
        for step in 0..MOST_STEPS {
            let (capped, slope) = self.tally(i, &ratios);
            let mut moved = false;
            for (j, ratio) in ratios.iter_mut().enumerate() {
                if factors[j] == 0.0 || factors[j] == f64::INFINITY {
                    continue;
                }
                let room = goals[j] - capped[j];
                if step == 0 {
                    worst = worst.max((slope[j] - room).abs());
                }
                let next = if room > 0.0 && slope[j] > 0.0 {
                    room / slope[j]
                } else {
                    // Too far up to see the root: begin below it, where no cell is capped.
                    self.lowest(i, j)?
                };
                moved |= (next - *ratio).abs() > 1e-15 * *ratio;
                *ratio = next;
            }
            if !moved {
                break;
            }
        }
        Some((ratios, worst))
    }

    /// Per value of attribute i: the mass of its capped cells, and the sum of `p product` over the rest.
    fn tally(&self, i: usize, ratios: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let mut capped = vec![0.0; ratios.len()];
        let mut slope = vec![0.0; ratios.len()];
        let cells = self.values[i].iter().zip(&self.mass).zip(&self.product);
        for ((&j, &p), &product) in cells {
            let j = usize::from(j);
            if ratios[j] * product >= 1.0 {
                capped[j] += p;
            } else {
                slope[j] += p * product;
            }
        }
        (capped, slope)
    }

    /// The first Newton step from ratio 0 for value `j` of attribute i; none where there is nothing left to accept or nobody to accept it from.
    fn lowest(&self, i: usize, j: usize) -> Option<f64> {
        let cells = self.values[i].iter().zip(&self.mass).zip(&self.product);
        let slope: f64 = cells
            .filter(|((value, _), _)| usize::from(**value) == j)
            .map(|((_, p), product)| p * product)
            .sum();
        let goal = self.goals[i][j];
        (goal > 0.0 && slope > 0.0).then(|| goal / slope)
    }
}
