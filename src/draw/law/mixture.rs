//! One of several laws, by weight.

use super::{BadLaw, LawSpec, NumberLaw};
use crate::draw::{Categorical, Draw};

/// A mixture: the address's first word says which law, the others are that law's.
#[derive(Clone, Debug)]
pub(super) struct Mixture {
    which: Categorical,
    laws: Vec<(f64, NumberLaw)>,
}

impl Mixture {
    /// Of laws with weights of any positive total.
    pub(super) fn new(laws: &[(f64, LawSpec)]) -> Result<Self, BadLaw> {
        let weights: Vec<f64> = laws.iter().map(|(weight, _)| *weight).collect();
        let which = Categorical::new(&weights).map_err(|error| BadLaw(error.to_string()))?;
        let total: f64 = weights.iter().sum();
        let laws = laws
            .iter()
            .map(|(weight, spec)| Ok((weight / total, spec.clone().law()?)));
        Ok(Self {
            which,
            laws: laws.collect::<Result<_, _>>()?,
        })
    }

    pub(super) fn draw(&self, draw: &mut Draw) -> f64 {
        let which = self.which.pick(draw.word()) as usize;
        self.laws[which].1.draw(draw)
    }

    pub(super) fn moments(&self) -> (f64, f64) {
        let mean = self.sum(NumberLaw::mean);
        let variance = self.sum(|law| {
            let off = law.mean() - mean;
            law.variance() + off * off
        });
        (mean, variance)
    }

    pub(super) fn range(&self) -> (f64, f64) {
        let ranges = self.laws.iter().map(|(_, law)| law.range());
        let none = (f64::INFINITY, f64::NEG_INFINITY);
        ranges.fold(none, |(low, high), (least, most)| {
            (low.min(least), high.max(most))
        })
    }

    pub(super) fn cdf(&self, x: f64) -> f64 {
        self.sum(|law| law.cdf(x))
    }

    /// The weighted sum of a number of each law, those of weight 0 left out.
    fn sum(&self, of: impl Fn(&NumberLaw) -> f64) -> f64 {
        let laws = self.laws.iter().filter(|(weight, _)| *weight > 0.0);
        laws.map(|(weight, law)| weight * of(law)).sum()
    }
}
