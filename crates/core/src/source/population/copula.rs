//! A Gaussian copula, which correlates attributes and numbers.

use nalgebra::DMatrix;

use crate::draw::{Draw, inverse_normal_cdf, normal_cdf, open_uniform};

/// A quantity that a copula couples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coupled {
    /// An attribute: its values, in order, are stretches of the normal's range.
    Attribute(usize),
    /// A feature: its quantile.
    Feature(usize),
    /// The person's merit.
    Merit,
    /// The score.
    Score,
}

/// The reason why a matrix is no matrix of correlations.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BadCorrelations {
    /// The matrix has another size.
    #[error("{rows} rows of {columns} numbers, where there have to be {wanted} of {wanted}")]
    Size {
        /// The number of its rows.
        rows: usize,
        /// The length of the first row of another length.
        columns: usize,
        /// The number of coupled quantities.
        wanted: usize,
    },
    /// A number on the diagonal is not 1.
    #[error("row {0} has no 1 on the diagonal")]
    Diagonal(usize),
    /// Two numbers that must be the same differ.
    #[error("the number of row {0}, column {1} is not that of row {1}, column {0}")]
    Symmetry(usize, usize),
    /// The matrix is not positive definite, so no normals have these correlations.
    #[error("it is not positive definite: there are no people of these correlations")]
    Indefinite,
}

/// A Gaussian copula: normals of given correlations.
#[derive(Clone, Debug)]
pub struct Copula {
    coupled: Vec<Coupled>,
    /// L, lower triangular, with L L' the correlations: the rows one after the other.
    factor: Vec<f64>,
}

impl Copula {
    /// Makes the copula of these quantities, each named once, with the correlations of their
    /// normals in the same order. `first` is drawn first, if it is coupled, so that it can be given
    /// beforehand.
    ///
    /// # Errors
    /// Returns an error if the matrix is not one of correlations, or is not positive definite.
    pub fn new(
        coupled: &[Coupled],
        correlations: &[Vec<f64>],
        first: Option<Coupled>,
    ) -> Result<Self, BadCorrelations> {
        let n = coupled.len();
        check(n, correlations)?;
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by_key(|&at| Some(coupled[at]) != first);
        let matrix = DMatrix::from_fn(n, n, |i, j| correlations[order[i]][order[j]]);
        let factor = matrix.cholesky().ok_or(BadCorrelations::Indefinite)?.l();
        Ok(Self {
            coupled: order.iter().map(|&at| coupled[at]).collect(),
            factor: factor.transpose().as_slice().to_vec(),
        })
    }

    /// The coupled quantities, in the order of the normals.
    #[must_use]
    pub fn coupled(&self) -> &[Coupled] {
        &self.coupled
    }

    /// The rows of L, each as long as there are normals.
    pub(super) fn rows(&self) -> Vec<Vec<f64>> {
        let n = self.coupled.len();
        self.factor.chunks(n).map(<[f64]>::to_vec).collect()
    }

    /// The place of a thing among the normals, where it is coupled.
    pub(super) fn place(&self, of: Coupled) -> Option<usize> {
        self.coupled.iter().position(|&coupled| coupled == of)
    }

    /// Draws the normals, a word each; `first`: the stretch of uniforms that the first comes from,
    /// where it is given.
    pub(super) fn draw(&self, draw: &mut Draw, first: Option<(f64, f64)>, normals: &mut Vec<f64>) {
        let n = self.coupled.len();
        let free = (0..n).map(|at| match first.filter(|_| at == 0) {
            Some((low, high)) => {
                let u = low + open_uniform(draw.word()) * (high - low);
                inverse_normal_cdf(within(u))
            }
            None => draw.normal(),
        });
        let free: Vec<f64> = free.collect();
        normals.clear();
        normals.extend((0..n).map(|i| {
            let row = &self.factor[i * n..][..=i];
            row.iter().zip(&free).map(|(l, e)| l * e).sum::<f64>()
        }));
    }
}

/// The uniform of a normal, strictly between 0 and 1.
pub(super) fn uniform_of(normal: f64) -> f64 {
    within(normal_cdf(normal))
}

fn within(u: f64) -> f64 {
    u.clamp(f64::MIN_POSITIVE, 1.0 - f64::EPSILON / 2.0)
}

/// Checks that a matrix may hold the correlations of `n` things.
fn check(n: usize, correlations: &[Vec<f64>]) -> Result<(), BadCorrelations> {
    let odd = correlations.iter().find(|row| row.len() != n);
    if correlations.len() != n || odd.is_some() {
        return Err(BadCorrelations::Size {
            rows: correlations.len(),
            columns: odd.map_or(n, Vec::len),
            wanted: n,
        });
    }
    for (i, row) in correlations.iter().enumerate() {
        if row[i] != 1.0 {
            return Err(BadCorrelations::Diagonal(i + 1));
        }
        if let Some(j) = (0..i).find(|&j| row[j] != correlations[j][i]) {
            return Err(BadCorrelations::Symmetry(i + 1, j + 1));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::{Key, Purpose};

    fn matrix(rows: &[&[f64]]) -> Vec<Vec<f64>> {
        rows.iter().map(|row| row.to_vec()).collect()
    }

    #[test]
    fn normals_have_their_correlations() {
        let coupled = [Coupled::Merit, Coupled::Attribute(0), Coupled::Score];
        let correlations = matrix(&[&[1.0, 0.3, 0.8], &[0.3, 1.0, -0.2], &[0.8, -0.2, 1.0]]);
        let first = Coupled::Attribute(0);
        let copula = Copula::new(&coupled, &correlations, Some(first)).unwrap();
        assert_eq!(copula.coupled()[0], first);
        let (key, n, mut normals) = (Key::new(3, 0), 40_000, Vec::new());
        let mut sums = [[0.0; 3]; 3];
        for who in 0..n {
            let mut draw = key.draw(Purpose::Trait, who, 0);
            copula.draw(&mut draw, None, &mut normals);
            let normal = |of: Coupled| normals[copula.place(of).unwrap()];
            for i in 0..3 {
                for j in 0..3 {
                    sums[i][j] += normal(coupled[i]) * normal(coupled[j]) / n as f64;
                }
            }
        }
        for i in 0..3 {
            for j in 0..3 {
                let due = correlations[i][j];
                let se = ((1.0 + due * due) / n as f64).sqrt();
                assert!(
                    (sums[i][j] - due).abs() < 4.0 * se,
                    "{i} {j}: {}",
                    sums[i][j]
                );
            }
        }
    }

    /// Drawing the first within its stretch gives the normals that have it there.
    #[test]
    fn a_given_first_one_is_a_condition() {
        let coupled = [Coupled::Attribute(0), Coupled::Merit];
        let correlations = matrix(&[&[1.0, 0.6], &[0.6, 1.0]]);
        let copula = Copula::new(&coupled, &correlations, None).unwrap();
        let key = Key::new(4, 0);
        let mut mean = [0.0, 0.0];
        let (mut count, mut normals) = (0.0, Vec::new());
        for who in 0..60_000 {
            let mut draw = key.draw(Purpose::Trait, who, 0);
            copula.draw(&mut draw, None, &mut normals);
            if uniform_of(normals[0]) < 0.3 {
                mean[0] += normals[1];
                count += 1.0;
            }
            let mut draw = key.draw(Purpose::Trait, who, 1);
            copula.draw(&mut draw, Some((0.0, 0.3)), &mut normals);
            assert!(uniform_of(normals[0]) < 0.3);
            mean[1] += normals[1] / 60_000.0;
        }
        mean[0] /= count;
        assert!((mean[0] - mean[1]).abs() < 4.0 * (1.0 / count + 1.0 / 60_000.0).sqrt());
    }

    #[test]
    fn matrices_that_are_none() {
        let two = [Coupled::Merit, Coupled::Score];
        let error = |rows: &[&[f64]]| Copula::new(&two, &matrix(rows), None).unwrap_err();
        assert!(matches!(
            error(&[&[1.0, 0.5]]),
            BadCorrelations::Size { .. }
        ));
        assert!(matches!(
            error(&[&[1.0], &[0.5, 1.0]]),
            BadCorrelations::Size { .. }
        ));
        assert_eq!(
            error(&[&[1.0, 0.5], &[0.5, 2.0]]),
            BadCorrelations::Diagonal(2)
        );
        assert_eq!(
            error(&[&[1.0, 0.5], &[0.4, 1.0]]),
            BadCorrelations::Symmetry(2, 1)
        );
        assert_eq!(
            error(&[&[1.0, 1.5], &[1.5, 1.0]]),
            BadCorrelations::Indefinite
        );
        assert_eq!(
            error(&[&[1.0, f64::NAN], &[f64::NAN, 1.0]]),
            BadCorrelations::Symmetry(2, 1)
        );
    }
}
