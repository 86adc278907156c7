//! The distribution of merits in each group: by a formula where there is one, else counted over
//! points or people, once someone asks.

use std::sync::{Arc, OnceLock};

use super::copula::uniform_of;
use super::traits::{FeatureLaw, MeritLaw};
use super::{Coupled, Population};
use crate::draw::{LawSpec, NumberLaw, inverse_normal_cdf};
use crate::source::uniform_sum::{self, EmpiricalCdf, UniformSum};

/// The distribution of merits in each group.
pub struct MeritRanks {
    how: How,
}

enum How {
    /// By formulas.
    Exact(Vec<GroupCdf>),
    /// Counted over the points of each group's sum.
    Points(Vec<FeatureSum>, OnceLock<Vec<EmpiricalCdf>>),
    /// Counted over people of the world.
    People(Arc<Population>, OnceLock<Vec<EmpiricalCdf>>),
}

/// A distribution by a formula.
enum GroupCdf {
    Law(NumberLaw),
    /// The law of `constant + weight * x`.
    Scaled {
        law: NumberLaw,
        constant: f64,
        weight: f64,
    },
    Uniforms(UniformSum),
}

/// The number of people that ranks are counted over, where they follow neither from a formula nor
/// from points.
pub(super) const PEOPLE: usize = 1 << 20;

impl MeritRanks {
    /// Returns F_group(merit).
    #[must_use]
    pub fn rank(&self, group: usize, merit: f64) -> f64 {
        let counted = |cdfs: &Vec<EmpiricalCdf>| cdfs[group].cdf(merit);
        match &self.how {
            How::Exact(cdfs) => cdfs[group].cdf(merit),
            How::Points(sums, cdfs) => {
                counted(cdfs.get_or_init(|| sums.iter().map(FeatureSum::cdf).collect()))
            }
            How::People(population, cdfs) => counted(cdfs.get_or_init(|| {
                let merits = population.sample(PEOPLE).merits;
                merits.into_iter().map(EmpiricalCdf::new).collect()
            })),
        }
    }

    /// A note on the sample that ranks are counted over and their error. `None` if they come from a
    /// formula.
    #[must_use]
    pub fn note(&self) -> Option<String> {
        match &self.how {
            How::Exact(_) => None,
            How::Points(..) => Some(format!(
                "ranks of merits in a group are counted over {} points of its laws: off by about .0002 at \
                 most",
                uniform_sum::POINTS
            )),
            How::People(..) => Some(format!(
                "ranks of merits in a group are counted over a held-out sample of {PEOPLE} people: \
                 off by .0005 (one standard error)"
            )),
        }
    }
}

impl GroupCdf {
    fn cdf(&self, merit: f64) -> f64 {
        match self {
            Self::Law(law) => law.cdf(merit),
            Self::Scaled {
                law,
                constant,
                weight,
            } => {
                let below = law.cdf((merit - constant) / weight);
                if *weight < 0.0 { 1.0 - below } else { below }
            }
            Self::Uniforms(sum) => sum.cdf(merit),
        }
    }
}

/// A weighted sum of numbers of laws without atoms, in one group.
struct FeatureSum {
    constant: f64,
    terms: Vec<Term>,
    /// The rows of the normals that couple traits.
    normals: Vec<Vec<f64>>,
}

struct Term {
    weight: f64,
    law: NumberLaw,
    /// The place of its normal, where it is coupled.
    coupled: Option<usize>,
}

impl Population {
    /// The distribution of merits in each group, in all periods as in the first.
    pub(super) fn merit_ranks(self: &Arc<Self>) -> MeritRanks {
        if let Some(laws) = self.merit_laws() {
            let cdfs = laws.into_iter().map(GroupCdf::Law).collect();
            return MeritRanks {
                how: How::Exact(cdfs),
            };
        }
        let people = || How::People(Arc::clone(self), OnceLock::new());
        let how = match self.feature_sums() {
            None => people(),
            Some(sums) => match sums.iter().map(FeatureSum::formula).collect() {
                Some(formulas) => How::Exact(formulas),
                None if sums.iter().all(FeatureSum::has_points) => {
                    How::Points(sums, OnceLock::new())
                }
                None => people(),
            },
        };
        MeritRanks { how }
    }

    /// Returns the sums that make up the merits of each group. `None` unless the group alone
    /// decides the laws of the summands.
    fn feature_sums(&self) -> Option<Vec<FeatureSum>> {
        let traits = self.first();
        let Some(MeritLaw::Linear { constant, weights }) = &traits.merit else {
            return None;
        };
        let copula = traits.copula.as_ref();
        let groups = self.schema.attributes()[self.group?].values.len();
        let sum = || FeatureSum {
            constant: *constant,
            terms: Vec::new(),
            normals: copula.map_or_else(Vec::new, |copula| copula.rows()),
        };
        let mut sums: Vec<FeatureSum> = (0..groups).map(|_| sum()).collect();
        let mut at = 0;
        for feature in &traits.features {
            let weights = &weights[at..at + feature.width()];
            let of = Coupled::Feature(at);
            at += feature.width();
            if weights.iter().all(|weight| *weight == 0.0) {
                continue;
            }
            let FeatureLaw::Number(laws) = feature else {
                return None;
            };
            let laws = self.by_group(laws, of)?;
            for (sum, law) in sums.iter_mut().zip(laws) {
                sum.terms.push(Term {
                    weight: weights[0],
                    law: law.clone(),
                    coupled: copula.and_then(|copula| copula.place(of)),
                });
            }
        }
        Some(sums)
    }
}

impl FeatureSum {
    /// The formula of its distribution, where there is one: of one number, of normals, of
    /// independent uniforms.
    fn formula(&self) -> Option<GroupCdf> {
        if let [term] = &self.terms[..] {
            return term.has_no_atoms().then(|| GroupCdf::Scaled {
                law: term.law.clone(),
                constant: self.constant,
                weight: term.weight,
            });
        }
        self.normal().map(GroupCdf::Law).or_else(|| self.uniforms())
    }

    /// The law of a sum of normals, whatever their correlations.
    fn normal(&self) -> Option<NumberLaw> {
        let mut mean = self.constant;
        let (mut coupled, mut variance) = (vec![0.0; self.normals.len()], 0.0);
        for term in &self.terms {
            let LawSpec::Normal { mean: its, sd } = *term.law.spec() else {
                return None;
            };
            mean += term.weight * its;
            let weight = term.weight * sd;
            match term.coupled {
                None => variance += weight * weight,
                // Normals are the rows times independent ones.
                Some(place) => {
                    let row = coupled.iter_mut().zip(&self.normals[place]);
                    row.for_each(|(sum, l)| *sum += weight * l);
                }
            }
        }
        variance += coupled.iter().map(|x| x * x).sum::<f64>();
        let sd = variance.sqrt();
        (sd > 0.0).then(|| LawSpec::Normal { mean, sd }.law().ok())?
    }

    fn uniforms(&self) -> Option<GroupCdf> {
        let (mut bias, mut weights) = (self.constant, Vec::new());
        for term in &self.terms {
            match *term.law.spec() {
                LawSpec::Uniform { low, high } if term.coupled.is_none() => {
                    bias += term.weight * low;
                    weights.push(term.weight * (high - low));
                }
                _ => return None,
            }
        }
        UniformSum::new(bias, &weights).map(GroupCdf::Uniforms)
    }

    fn has_points(&self) -> bool {
        self.terms.iter().all(Term::has_no_atoms)
            && self.dimensions() <= uniform_sum::EVEN_DIMENSIONS
            && !self.terms.is_empty()
    }

    /// The number of dimensions: one for each normal that couples traits, and one for each number
    /// that is not coupled.
    fn dimensions(&self) -> usize {
        let alone = self.terms.iter().filter(|term| term.coupled.is_none());
        self.normals.len() + alone.count()
    }

    fn cdf(&self) -> EmpiricalCdf {
        let quantiles: Vec<QuantileTable> = self.terms.iter().map(QuantileTable::new).collect();
        let mut sums = Vec::with_capacity(uniform_sum::POINTS);
        let (mut free, mut normals) = (Vec::new(), Vec::new());
        uniform_sum::points(self.dimensions(), |point| {
            let (coupled, mut alone) = point.split_at(self.normals.len());
            free.clear();
            free.extend(coupled.iter().map(|u| inverse_normal_cdf(*u)));
            normals.clear();
            normals.extend(self.normals.iter().map(|row| {
                let row = row.iter().zip(&free);
                row.map(|(l, e)| l * e).sum::<f64>()
            }));
            let sum = self.terms.iter().zip(&quantiles);
            sums.push(sum.fold(self.constant, |sum, (term, quantiles)| {
                let u = match (term.coupled, alone) {
                    (Some(place), _) => uniform_of(normals[place]),
                    (None, [first, rest @ ..]) => {
                        alone = rest;
                        *first
                    }
                    (None, []) => f64::NAN,
                };
                sum + term.weight * quantiles.at(u)
            }));
        });
        EmpiricalCdf::new(sums)
    }
}

impl Term {
    fn has_no_atoms(&self) -> bool {
        match *self.law.spec() {
            LawSpec::Poisson { .. } | LawSpec::Zipf { .. } | LawSpec::Mixture(_) => false,
            LawSpec::Normal { sd: spread, .. } | LawSpec::LogNormal { sigma: spread, .. } => {
                spread > 0.0
            }
            _ => true,
        }
    }
}

/// A law's quantiles, a straight line between each two but for the ends, where they are asked for.
struct QuantileTable<'a> {
    law: &'a NumberLaw,
    quantiles: Vec<f64>,
}

impl<'a> QuantileTable<'a> {
    const CELLS: usize = 4096;

    fn new(term: &'a Term) -> Self {
        let inner = 1..Self::CELLS;
        let at = |cell: usize| term.law.quantile(cell as f64 / Self::CELLS as f64);
        Self {
            law: &term.law,
            quantiles: inner.map(at).collect(),
        }
    }

    fn at(&self, u: f64) -> f64 {
        let place = u * Self::CELLS as f64;
        let cell = place as usize;
        let ends = cell
            .checked_sub(1)
            .and_then(|before| self.quantiles.get(before).zip(self.quantiles.get(cell)));
        match ends {
            Some((low, high)) => low + (place - cell as f64) * (high - low),
            None => self.law.quantile(u),
        }
    }
}
