//! A season of graduate admissions, generated: in place of the private data of Schumann et al. 2019
//! (Section 5.2).
//!
//! **All parameters are ours.** The defaults are calibrated so that what the paper prints of its
//! season comes out: its sizes, 3 % and 20 % admitted, 1.21 reviews an applicant, Table 1's w =
//! 80.1 and 73.96, and w_div of the actual cohort by gender (11.8), by region (20.47) and by
//! research area (27.4). That a run agrees with those is therefore no evidence.
//!
//! | what | law |
//! |---|---|
//! | utility, "the probabilistic result from the classifier" | logistic(a + `spread` z) at the quantiles z of N(0, 1) in each programme, in random order; a such that the mean is the programme's share of admitted (a calibrated classifier) |
//! | gender, region, area | independent of programme and each other, and of utility unless a group has an [advantage](Admissions::with_advantages); the shares are [`shares`] |
//! | reviews | one; those whose rank in their programme is from 1/2 to 2 times its number of places share what `reviews` asks for beyond, as evenly as whole numbers go |
//! | scores | N(utility, `review_sd`^2), not cut to \[0, 1\] |
//! | the chair | admits in each programme the best by mean score + N(0, `chair_sd`^2) |
//!
//! Utilities are quantiles, not draws, so that all seasons are equally hard by top K: the cost of
//! an exact stop goes with the inverse square of the gap at the boundary, which of drawn utilities
//! has no mean.

mod season;

use std::sync::Arc;

pub use season::{Actual, INTERVIEW_COST, PLACES_AN_INTERVIEW, Season, SeasonStream};

use crate::bisect::bisect;
use crate::draw::{Categorical, inverse_normal_cdf};
use crate::protocol::{Attribute, Schema};

/// The programmes, in the order of the slots.
pub const PROGRAMMES: [&str; 2] = ["masters", "phd"];

/// The share of applicants who are women.
const WOMEN: f64 = 0.265;
/// Regions, and the share of each against that of the one before.
const REGIONS: (usize, f64) = (9, 0.56);
/// Main research areas, and the share of each against that of the one before.
const AREAS: (usize, f64) = (16, 0.745);

/// The applicants and places of a programme.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Programme {
    /// The number of applicants; not 0 for both programmes.
    pub applicants: u32,
    /// The share of applicants who are admitted, in (0, 1); also the mean of their utilities.
    pub admitted: f64,
}

impl Programme {
    /// The number of places: the admitted share of the applicants, rounded.
    #[must_use]
    pub fn places(self) -> u32 {
        (f64::from(self.applicants) * self.admitted).round() as u32
    }

    /// The range of ranks in the programme (end excluded) that are near the boundary.
    fn boundary(self) -> std::ops::Range<u32> {
        let places = self.places();
        places / 2..(2 * places).min(self.applicants)
    }
}

/// The parameters by which a season is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeasonParameters {
    /// The Master's and the Ph.D. programme.
    pub programmes: [Programme; 2],
    /// The standard deviation of the log-odds of the utilities in a programme, above 0.
    pub spread: f64,
    /// The mean number of reviews of an applicant; at least 1.
    pub reviews: f64,
    /// The standard deviation of a review's score about the utility, at least 0.
    pub review_sd: f64,
    /// The standard deviation of the chair's own judgement, at least 0.
    pub chair_sd: f64,
}

impl Default for SeasonParameters {
    /// The calibrated season.
    fn default() -> Self {
        Self::CALIBRATED
    }
}

impl SeasonParameters {
    /// The calibrated season.
    pub const CALIBRATED: Self = Self {
        programmes: [
            Programme {
                applicants: 1000,
                admitted: 0.03,
            },
            Programme {
                applicants: 600,
                admitted: 0.2,
            },
        ],
        spread: 1.734,
        reviews: 1.21,
        review_sd: 0.0016,
        chair_sd: 0.1,
    };

    /// The number of applicants to both programmes.
    #[must_use]
    pub fn applicants(&self) -> u32 {
        self.programmes.iter().map(|one| one.applicants).sum()
    }

    /// The number of places in both programmes.
    #[must_use]
    pub fn places(&self) -> u32 {
        self.programmes.iter().map(|one| one.places()).sum()
    }

    /// The mean number of reviews beyond the first for each applicant near the boundary. `None` if
    /// no applicant is near it.
    #[must_use]
    pub fn further_reviews(&self) -> Option<f64> {
        let near: usize = self.programmes.iter().map(|one| one.boundary().len()).sum();
        let beyond = (self.reviews - 1.0) * f64::from(self.applicants());
        (near > 0).then(|| beyond / near as f64)
    }
}

/// Returns the attributes other than the programme, with the share of each value. Each region's
/// share is the same fraction of the one before; so is each area's.
#[must_use]
pub fn shares() -> [(&'static str, Vec<(String, f64)>); 3] {
    let geometric = |prefix: &str, (many, ratio): (usize, f64)| {
        let mut masses = vec![1.0];
        for at in 1..many {
            masses.push(masses[at - 1] * ratio);
        }
        let total: f64 = masses.iter().sum();
        let named = masses.iter().zip(1..);
        named
            .map(|(mass, number)| (format!("{prefix}{number}"), mass / total))
            .collect()
    };
    let women = ("F".to_owned(), WOMEN);
    [
        ("gender", vec![women, ("M".to_owned(), 1.0 - WOMEN)]),
        ("region", geometric("r", REGIONS)),
        ("area", geometric("a", AREAS)),
    ]
}

/// Returns the schema of every season: programme, gender, region, area.
///
/// # Panics
/// Never panics: the cells are few.
#[must_use]
pub fn schema() -> Schema {
    let named = |name: &str, values: Vec<String>| Attribute {
        name: name.to_owned(),
        values,
    };
    let mut attributes = vec![named("programme", PROGRAMMES.map(str::to_owned).into())];
    for (name, shares) in &shares() {
        let values = shares.iter().map(|(value, _)| value.clone());
        attributes.push(named(name, values.collect()));
    }
    Schema::new(attributes, vec![], false).expect("cells of 32 bits")
}

/// The common part of all seasons of a run.
pub struct Admissions {
    parameters: SeasonParameters,
    schema: Arc<Schema>,
    /// The utilities of each programme's applicants, best first.
    utilities: [Vec<f64>; 2],
    /// The laws of gender, region and area.
    laws: [Categorical; 3],
    /// Reviews beyond the first of who is near the boundary.
    further: f64,
    /// The shift of quality for each value's applicants, for some attributes.
    advantages: Vec<(usize, Vec<f64>)>,
}

impl Admissions {
    /// The utilities of the applicants of every season.
    pub fn utilities(&self) -> impl Iterator<Item = f64> {
        self.utilities.iter().flatten().copied()
    }

    /// Makes seasons of these parameters, which must be in range.
    ///
    /// # Panics
    /// Panics if they are out of range.
    #[must_use]
    pub fn new(parameters: SeasonParameters) -> Self {
        let laws = shares().map(|(_, shares)| {
            let masses: Vec<f64> = shares.into_iter().map(|(_, share)| share).collect();
            Categorical::new(&masses).expect("shares are a law")
        });
        Self {
            schema: Arc::new(schema()),
            utilities: parameters
                .programmes
                .map(|programme| utilities(programme, parameters.spread)),
            laws,
            further: parameters.further_reviews().unwrap_or(0.0).max(0.0),
            advantages: Vec::new(),
            parameters,
        }
    }

    /// Makes the utilities depend on groups. It takes an attribute's index and, for each value, the
    /// number of standard deviations by which its applicants' quality is raised. The utilities of a
    /// programme stay the same numbers, assigned by quality.
    #[must_use]
    pub fn with_advantages(mut self, advantages: Vec<(usize, Vec<f64>)>) -> Self {
        self.advantages = advantages;
        self
    }

    /// The schema: programme, gender, region, area.
    #[must_use]
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// The parameters by which seasons are drawn.
    #[must_use]
    pub fn parameters(&self) -> &SeasonParameters {
        &self.parameters
    }
}

/// Returns logistic(a + spread z) at the quantiles of N(0, 1), best first. The number a gives them
/// the admitted share as their mean.
fn utilities(programme: Programme, spread: f64) -> Vec<f64> {
    let n = programme.applicants;
    let quantile = |rank| inverse_normal_cdf((f64::from(n - rank) - 0.5) / f64::from(n));
    let quantiles: Vec<f64> = (0..n).map(quantile).collect();
    let at = |a: f64| quantiles.iter().map(move |z| logistic(a + spread * z));
    // Wide enough for any share: the most extreme quantile has |z| < 5.
    let reach = 40.0 + 6.0 * spread;
    let admitted = programme.admitted * f64::from(n);
    let (low, _) = bisect((-reach, reach), 100, |a| at(a).sum::<f64>() < admitted);
    at(low).collect()
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-x))
}

#[cfg(test)]
mod tests;
