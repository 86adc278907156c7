//! A law of one number: its sampler and its known properties.

use rand_distr::{
    Beta, Distribution, Exp, Gamma, LogNormal, Normal, Poisson, StudentT, Triangular, Zipf,
};

use super::super::exact::Exact;
use super::super::{Categorical, Draw, inverse_normal_cdf, normal_cdf};
use super::counts::Ranks;
use super::spec::{BadLaw, LawSpec};
use super::special::{by_bisection, incomplete_beta, lower_gamma, student_cdf, triangular_cdf};
use crate::limits::MOST_COUNTED;

/// A law of one number.
#[derive(Clone, Debug)]
pub struct NumberLaw {
    spec: LawSpec,
    sampler: Sampler,
}

/// Moments are below this, so that sums and products of numbers stay finite.
const GREATEST: f64 = 1e150;

/// The algorithm that draws a number.
#[derive(Clone, Debug)]
enum Sampler {
    Normal(Normal<Exact>),
    LogNormal(LogNormal<Exact>),
    Beta(Beta<Exact>),
    Gamma(Gamma<Exact>),
    StudentT(StudentT<Exact>),
    Triangular(Triangular<Exact>),
    Uniform,
    Exponential(Exp<Exact>),
    Poisson(Poisson<Exact>),
    Zipf(Zipf<Exact>, Ranks),
    Mixture(Mixture),
}

impl LawSpec {
    /// The law of these parameters.
    ///
    /// # Errors
    /// Returns an error if there is no law of these parameters.
    pub fn law(self) -> Result<NumberLaw, BadLaw> {
        let sampler = Sampler::new(&self)?;
        let law = NumberLaw {
            spec: self,
            sampler,
        };
        match law.has_sound_moments() {
            true => Ok(law),
            false => Err(BadLaw("its numbers are too great".into())),
        }
    }
}

/// Converts an error to a [`BadLaw`].
fn bad(error: impl std::fmt::Display) -> BadLaw {
    BadLaw(error.to_string())
}

impl Sampler {
    fn new(spec: &LawSpec) -> Result<Self, BadLaw> {
        let most = MOST_COUNTED;
        Ok(match *spec {
            LawSpec::Normal { sd: spread, .. } | LawSpec::LogNormal { sigma: spread, .. }
                if spread < 0.0 =>
            {
                return Err(BadLaw("its standard deviation is below 0".into()));
            }
            LawSpec::Normal { mean, sd } => {
                let law = Normal::new(Exact(mean), Exact(sd));
                Self::Normal(law.map_err(bad)?)
            }
            LawSpec::LogNormal { mu, sigma } => {
                let law = LogNormal::new(Exact(mu), Exact(sigma));
                Self::LogNormal(law.map_err(bad)?)
            }
            LawSpec::Beta { a, b } => Self::Beta(Beta::new(Exact(a), Exact(b)).map_err(bad)?),
            LawSpec::Gamma { shape, scale } => {
                let law = Gamma::new(Exact(shape), Exact(scale));
                Self::Gamma(law.map_err(bad)?)
            }
            LawSpec::StudentT { scale, .. } if scale.is_nan() || scale <= 0.0 => {
                return Err(BadLaw("its scale is not above 0".into()));
            }
            LawSpec::StudentT { df, .. } => Self::StudentT(StudentT::new(Exact(df)).map_err(bad)?),
            LawSpec::Triangular { low, mode, high } => {
                // rand_distr divides by this difference.
                if !(low < high && (low..=high).contains(&mode)) {
                    return Err(BadLaw("low, mode and high have to increase".into()));
                }
                let law = Triangular::new(Exact(low), Exact(high), Exact(mode));
                Self::Triangular(law.map_err(bad)?)
            }
            LawSpec::Uniform { low, high } if low < high => Self::Uniform,
            LawSpec::Uniform { .. } => return Err(BadLaw("low has to be below high".into())),
            LawSpec::Exponential { mean } => {
                Self::Exponential(Exp::new(Exact(1.0 / mean)).map_err(bad)?)
            }
            LawSpec::Poisson { mean } if mean > most as f64 => {
                return Err(BadLaw(format!("its mean is above {most}")));
            }
            LawSpec::Poisson { mean } => Self::Poisson(Poisson::new(Exact(mean)).map_err(bad)?),
            LawSpec::Zipf { n, .. } if n > most => {
                return Err(BadLaw(format!("its last rank is above {most}")));
            }
            LawSpec::Zipf { n, s } => {
                let law = Zipf::new(Exact(n as f64), Exact(s));
                Self::Zipf(law.map_err(bad)?, Ranks::new(n, s))
            }
            LawSpec::Mixture(ref laws) => Self::Mixture(Mixture::new(laws)?),
        })
    }
}

impl NumberLaw {
    /// The law's parameters.
    #[must_use]
    pub fn spec(&self) -> &LawSpec {
        &self.spec
    }

    /// Draws a number of the law. It takes as many words of the address as the law's algorithm
    /// needs.
    pub fn draw(&self, draw: &mut Draw) -> f64 {
        match (&self.sampler, &self.spec) {
            (Sampler::Normal(law), _) => law.sample(draw).0,
            (Sampler::LogNormal(law), _) => law.sample(draw).0,
            (Sampler::Beta(law), _) => law.sample(draw).0,
            (Sampler::Gamma(law), _) => law.sample(draw).0,
            (
                Sampler::StudentT(law),
                &LawSpec::StudentT {
                    location, scale, ..
                },
            ) => location + scale * law.sample(draw).0,
            (Sampler::StudentT(law), _) => law.sample(draw).0,
            (Sampler::Triangular(law), _) => law.sample(draw).0,
            (Sampler::Exponential(law), _) => law.sample(draw).0,
            (Sampler::Poisson(law), _) => law.sample(draw).0,
            (Sampler::Zipf(law, _), _) => law.sample(draw).0,
            (Sampler::Mixture(mixture), _) => mixture.draw(draw),
            (Sampler::Uniform, _) => self.quantile(draw.uniform()),
        }
    }

    /// The mean; NaN if there is none.
    #[must_use]
    pub fn mean(&self) -> f64 {
        match self.spec {
            LawSpec::Normal { mean, .. }
            | LawSpec::Exponential { mean }
            | LawSpec::Poisson { mean } => mean,
            LawSpec::LogNormal { mu, sigma } => libm::exp(mu + sigma * sigma / 2.0),
            LawSpec::Beta { a, b } => a / (a + b),
            LawSpec::Gamma { shape, scale } => shape * scale,
            LawSpec::StudentT { df, location, .. } if df > 1.0 => location,
            LawSpec::StudentT { .. } => f64::NAN,
            LawSpec::Triangular { low, mode, high } => (low + mode + high) / 3.0,
            LawSpec::Uniform { low, high } => low.midpoint(high),
            LawSpec::Zipf { .. } | LawSpec::Mixture(_) => self.moments().0,
        }
    }

    /// The variance; infinite or NaN if there is none.
    #[must_use]
    pub fn variance(&self) -> f64 {
        match self.spec {
            LawSpec::Normal { sd, .. } => sd * sd,
            LawSpec::LogNormal { mu, sigma } => {
                let square = sigma * sigma;
                libm::expm1(square) * libm::exp(2.0 * mu + square)
            }
            LawSpec::Beta { a, b } => a * b / ((a + b) * (a + b) * (a + b + 1.0)),
            LawSpec::Gamma { shape, scale } => shape * scale * scale,
            LawSpec::StudentT { df, scale, .. } if df > 2.0 => scale * scale * df / (df - 2.0),
            LawSpec::StudentT { .. } => f64::INFINITY,
            LawSpec::Triangular { low, mode, high } => {
                let (whole, left) = (high - low, mode - low);
                (whole * whole - whole * left + left * left) / 18.0
            }
            LawSpec::Uniform { low, high } => (high - low) * (high - low) / 12.0,
            LawSpec::Exponential { mean } => mean * mean,
            LawSpec::Poisson { mean } => mean,
            LawSpec::Zipf { .. } | LawSpec::Mixture(_) => self.moments().1,
        }
    }

    /// The mean and the variance of a law that holds others.
    fn moments(&self) -> (f64, f64) {
        match &self.sampler {
            Sampler::Zipf(_, ranks) => ranks.moments(),
            Sampler::Mixture(mixture) => mixture.moments(),
            _ => (f64::NAN, f64::NAN),
        }
    }

    /// Returns true if the moments are finite (for some laws the numbers instead), with room for
    /// sums of them.
    fn has_sound_moments(&self) -> bool {
        match &self.sampler {
            Sampler::StudentT(_) => {
                // No uniform is nearer to an end.
                self.quantile(1e-20).abs() < GREATEST
            }
            Sampler::Mixture(_) => true,
            _ => self.mean().abs() < GREATEST && self.variance() < GREATEST,
        }
    }

    /// The least and the greatest possible number.
    #[must_use]
    pub fn range(&self) -> (f64, f64) {
        match self.spec {
            LawSpec::Normal { mean, sd: 0.0 } => (mean, mean),
            LawSpec::Normal { .. } | LawSpec::StudentT { .. } => (f64::NEG_INFINITY, f64::INFINITY),
            LawSpec::LogNormal { .. }
            | LawSpec::Gamma { .. }
            | LawSpec::Exponential { .. }
            | LawSpec::Poisson { .. } => (0.0, f64::INFINITY),
            LawSpec::Beta { .. } => (0.0, 1.0),
            LawSpec::Triangular { low, high, .. } | LawSpec::Uniform { low, high } => (low, high),
            LawSpec::Zipf { n, .. } => (1.0, n as f64),
            LawSpec::Mixture(_) => match &self.sampler {
                Sampler::Mixture(mixture) => mixture.range(),
                _ => (f64::NEG_INFINITY, f64::INFINITY),
            },
        }
    }

    /// F(x), the probability of a number of at most x.
    #[must_use]
    pub fn cdf(&self, x: f64) -> f64 {
        match self.spec {
            LawSpec::Normal { mean, sd: 0.0 } => f64::from(u8::from(x >= mean)),
            LawSpec::Normal { mean, sd } => normal_cdf((x - mean) / sd),
            LawSpec::LogNormal { .. } if x <= 0.0 => 0.0,
            LawSpec::LogNormal { mu, sigma: 0.0 } => f64::from(u8::from(x >= libm::exp(mu))),
            LawSpec::LogNormal { mu, sigma } => normal_cdf((libm::log(x) - mu) / sigma),
            LawSpec::Beta { a, b } => incomplete_beta(a, b, x),
            LawSpec::Gamma { shape, scale } => lower_gamma(shape, x / scale),
            LawSpec::StudentT {
                df,
                location,
                scale,
            } => student_cdf(df, (x - location) / scale),
            LawSpec::Triangular { low, mode, high } => triangular_cdf(low, mode, high, x),
            LawSpec::Uniform { low, high } => ((x - low) / (high - low)).clamp(0.0, 1.0),
            LawSpec::Exponential { mean } => -libm::expm1(-x.max(0.0) / mean),
            LawSpec::Poisson { .. } if x < 0.0 => 0.0,
            LawSpec::Poisson { mean } => 1.0 - lower_gamma(x.floor() + 1.0, mean),
            LawSpec::Zipf { .. } | LawSpec::Mixture(_) => match &self.sampler {
                Sampler::Zipf(_, ranks) => ranks.cdf(x),
                Sampler::Mixture(mixture) => mixture.cdf(x),
                _ => f64::NAN,
            },
        }
    }

    /// The quantile of u: the least number x with F(x) >= u, up to rounding.
    #[must_use]
    pub fn quantile(&self, u: f64) -> f64 {
        match self.spec {
            LawSpec::Normal { mean, sd } => mean + sd * inverse_normal_cdf(u),
            LawSpec::LogNormal { mu, sigma } => libm::exp(mu + sigma * inverse_normal_cdf(u)),
            LawSpec::Triangular { low, mode, high } => {
                let (whole, left) = (high - low, mode - low);
                match u * whole < left {
                    true => low + (u * whole * left).sqrt(),
                    false => high - ((1.0 - u) * whole * (high - mode)).sqrt(),
                }
            }
            LawSpec::Uniform { low, high } => low + u * (high - low),
            LawSpec::Exponential { mean } => -mean * libm::log1p(-u),
            _ => by_bisection(|x| self.cdf(x), self.range(), u),
        }
    }
}

/// A mixture: the address's first word says which law, the others are that law's.
#[derive(Clone, Debug)]
struct Mixture {
    which: Categorical,
    laws: Vec<(f64, NumberLaw)>,
}

impl Mixture {
    /// Makes a mixture of laws with weights of any positive total.
    fn new(laws: &[(f64, LawSpec)]) -> Result<Self, BadLaw> {
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

    fn draw(&self, draw: &mut Draw) -> f64 {
        let which = self.which.pick(draw.word()) as usize;
        self.laws[which].1.draw(draw)
    }

    fn moments(&self) -> (f64, f64) {
        let mean = self.sum(NumberLaw::mean);
        let variance = self.sum(|law| {
            let off = law.mean() - mean;
            law.variance() + off * off
        });
        (mean, variance)
    }

    fn range(&self) -> (f64, f64) {
        let ranges = self.laws.iter().map(|(_, law)| law.range());
        let none = (f64::INFINITY, f64::NEG_INFINITY);
        ranges.fold(none, |(low, high), (least, most)| {
            (low.min(least), high.max(most))
        })
    }

    fn cdf(&self, x: f64) -> f64 {
        self.sum(|law| law.cdf(x))
    }

    /// The weighted sum of a number of each law, those of weight 0 left out.
    fn sum(&self, of: impl Fn(&NumberLaw) -> f64) -> f64 {
        let laws = self.laws.iter().filter(|(weight, _)| *weight > 0.0);
        laws.map(|(weight, law)| weight * of(law)).sum()
    }
}
