//! Shares that sum to 1.

use rand_distr::multi::{Dirichlet, MultiDistribution};

use super::super::Draw;
use super::super::exact::Exact;
use super::spec::BadLaw;

/// A Dirichlet law: several shares at once.
#[derive(Clone, Debug)]
pub struct DirichletLaw {
    alpha: Vec<f64>,
    sampler: Dirichlet<Exact>,
}

impl DirichletLaw {
    /// The law of these concentrations, at least two and each above 0.
    ///
    /// # Errors
    /// Returns an error if there are fewer than two, or one is not a finite number above 0.
    pub fn new(alpha: Vec<f64>) -> Result<Self, BadLaw> {
        let exact: Vec<Exact> = alpha.iter().map(|alpha| Exact(*alpha)).collect();
        let sampler = Dirichlet::new(&exact).map_err(|error| BadLaw(error.to_string()))?;
        Ok(Self { alpha, sampler })
    }

    /// The number of shares.
    #[must_use]
    pub fn len(&self) -> usize {
        self.alpha.len()
    }

    /// Returns false: a law has at least two shares.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.alpha.is_empty()
    }

    /// Draws all shares; takes as many words of the address as the algorithm needs.
    ///
    /// # Panics
    /// Panics if `shares` is not as long as the law.
    pub fn draw(&self, draw: &mut Draw, shares: &mut [f64]) {
        let mut exact = vec![Exact::default(); self.alpha.len()];
        self.sampler.sample_to_slice(draw, &mut exact);
        assert_eq!(shares.len(), exact.len(), "a number a share");
        for (share, exact) in shares.iter_mut().zip(exact) {
            *share = exact.0;
        }
    }

    /// The mean of the share at a place.
    #[must_use]
    pub fn mean(&self, at: usize) -> f64 {
        self.alpha[at] / self.alpha.iter().sum::<f64>()
    }
}
