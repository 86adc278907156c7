//! The drawing of a person's traits, one person at a time.

use std::sync::Arc;

use super::by_value::ByValue;
use super::copula::{Copula, Coupled, uniform_of};
use crate::draw::{DirichletLaw, Draw, Key, NumberLaw, Purpose, normal, uniform};
use crate::protocol::{Law, Schema};
use crate::source::categorical::People;

/// The places of a person's draws, as nth: see [`Purpose::Trait`].
const COUPLED: u64 = 0;
const MISREAD: u64 = 1;
const ERRORS: u64 = 2;
const MERIT: u64 = 3;
const SCORE: u64 = 4;
const FEATURES: u64 = 16;

/// The law of a feature, or of several features that are drawn at once.
#[derive(Clone, Debug)]
pub enum FeatureLaw {
    /// One feature.
    Number(ByValue<NumberLaw>),
    /// As many features as each law has shares. All laws have the same number.
    Shares(ByValue<DirichletLaw>),
}

impl FeatureLaw {
    /// The number of features that this law gives.
    #[must_use]
    pub fn width(&self) -> usize {
        match self {
            Self::Number(_) => 1,
            Self::Shares(laws) => laws.iter().next().map_or(0, DirichletLaw::len),
        }
    }
}

/// The law of people's merits.
#[derive(Clone, Debug)]
pub enum MeritLaw {
    /// A law of its own.
    Law(ByValue<NumberLaw>),
    /// A weighted sum of the true features.
    Linear {
        /// The constant term.
        constant: f64,
        /// The weight of each feature of the schema.
        weights: Vec<f64>,
    },
}

/// The quantity that a score measures.
#[derive(Clone, Debug)]
pub enum ScoreOf {
    /// A number of its own law.
    Law(ByValue<NumberLaw>),
    /// The person's merit.
    Merit,
}

/// A number's measurement error: a bias plus normal noise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasurementError {
    /// The mean error.
    pub bias: f64,
    /// The standard deviation of the noise, 0 or more.
    pub sd: f64,
}

/// An attribute that is sometimes shown with a wrong value: one of the others, each equally likely.
#[derive(Clone, Debug, PartialEq)]
pub struct Misreading {
    /// The attribute's place.
    pub attribute: usize,
    /// The probability of a misreading, by the person's true values.
    pub rate: ByValue<f64>,
}

/// The laws of all traits of a person.
#[derive(Clone)]
pub struct Traits {
    /// The law of the attributes; where some are coupled, a product.
    pub law: Law,
    /// The copula of the coupled traits, if any.
    pub copula: Option<Arc<Copula>>,
    /// The laws of the features, in the schema's order.
    pub features: Vec<FeatureLaw>,
    /// The law of people's merits, if they have any.
    pub merit: Option<MeritLaw>,
    /// The quantity that a score measures, if there is a score.
    pub score: Option<ScoreOf>,
    /// The misread attributes.
    pub misread: Vec<Misreading>,
    /// The measurement error of each feature, and last that of the score.
    pub errors: Vec<Option<ByValue<MeasurementError>>>,
}

/// A person as drawn: the true values and numbers, and then what is shown of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Drawn {
    /// The true values of the attributes, and those that are shown.
    pub(super) truth: Vec<u16>,
    pub(super) values: Vec<u16>,
    pub(super) features: Vec<f64>,
    pub(super) merit: Option<f64>,
    pub(super) score: Option<f64>,
    normals: Vec<f64>,
}

/// Traits, ready to draw from.
pub(super) struct TraitSampler {
    schema: Arc<Schema>,
    traits: Traits,
    people: People,
    /// The running sums of the shares of each coupled attribute, by place among the normals.
    sums: Vec<Vec<f64>>,
}

impl TraitSampler {
    pub(super) fn new(schema: &Arc<Schema>, traits: Traits, people: People) -> Self {
        let marginals = traits.law.marginals(&schema.levels());
        let coupled = traits.copula.iter().flat_map(|copula| copula.coupled());
        let sums = coupled.map(|coupled| match coupled {
            Coupled::Attribute(at) => running(&marginals[*at]),
            _ => Vec::new(),
        });
        Self {
            schema: Arc::clone(schema),
            sums: sums.collect(),
            people,
            traits,
        }
    }

    /// The number of words of the stream of [`Purpose::Person`] that a person takes.
    pub(super) fn words(&self) -> usize {
        self.people.words()
    }

    pub(super) fn traits(&self) -> &Traits {
        &self.traits
    }

    /// Draws person `who`; `words`: its stretch of the stream; `given`: an attribute and the value
    /// that it has, where that is not drawn.
    pub(super) fn draw(
        &self,
        key: Key,
        who: u64,
        words: &[u64],
        given: Option<(usize, u16)>,
        drawn: &mut Drawn,
    ) {
        let cell = self.people.pick(words);
        drawn.truth = self.schema.values(cell);
        if let Some((attribute, value)) = given {
            drawn.truth[attribute] = value;
        }
        let mut draw = key.draw(Purpose::Trait, who, COUPLED);
        self.couple(&mut draw, given, drawn);
        self.numbers(&mut draw, who, drawn);
        self.misread(&mut draw, who, drawn);
        self.measure(&mut draw, who, drawn);
    }

    /// Draws the normals that couple traits, and the attributes among them.
    fn couple(&self, draw: &mut Draw, given: Option<(usize, u16)>, drawn: &mut Drawn) {
        let Some(copula) = &self.traits.copula else {
            return;
        };
        let first = given.filter(|given| copula.coupled()[0] == Coupled::Attribute(given.0));
        let stretch = first.map(|(_, value)| {
            let (sums, value) = (&self.sums[0], usize::from(value));
            let low = value.checked_sub(1).map_or(0.0, |before| sums[before]);
            (low, sums[value])
        });
        copula.draw(draw, stretch, &mut drawn.normals);
        let coupled = copula.coupled().iter().zip(&self.sums).zip(&drawn.normals);
        for ((coupled, sums), &normal) in coupled {
            if let Coupled::Attribute(at) = *coupled
                && first.is_none_or(|(given, _)| given != at)
            {
                let u = uniform_of(normal);
                let value = sums.iter().position(|sum| u < *sum);
                drawn.truth[at] = value.unwrap_or(sums.len() - 1) as u16;
            }
        }
    }

    /// Draws the true features, the merit and the score without error.
    fn numbers(&self, draw: &mut Draw, who: u64, drawn: &mut Drawn) {
        let mut features = std::mem::take(&mut drawn.features);
        features.clear();
        for law in &self.traits.features {
            let at = features.len();
            draw.readdress(who, FEATURES + at as u64);
            match law {
                FeatureLaw::Number(law) => {
                    features.push(self.number(law, Coupled::Feature(at), draw, drawn));
                }
                FeatureLaw::Shares(law) => {
                    features.resize(at + law.of(&drawn.truth).len(), 0.0);
                    law.of(&drawn.truth).draw(draw, &mut features[at..]);
                }
            }
        }
        drawn.features = features;
        draw.readdress(who, MERIT);
        drawn.merit = self.traits.merit.as_ref().map(|merit| match merit {
            MeritLaw::Law(law) => self.number(law, Coupled::Merit, draw, drawn),
            MeritLaw::Linear { constant, weights } => {
                let worth = weights.iter().zip(&drawn.features);
                worth.fold(*constant, |sum, (weight, x)| sum + weight * x)
            }
        });
        draw.readdress(who, SCORE);
        drawn.score = self.traits.score.as_ref().map(|score| match score {
            ScoreOf::Law(law) => self.number(law, Coupled::Score, draw, drawn),
            ScoreOf::Merit => drawn.merit.unwrap_or(f64::NAN),
        });
    }

    /// A number of its law: the quantile of its normal where it is coupled, else from its address.
    fn number(&self, law: &ByValue<NumberLaw>, of: Coupled, draw: &mut Draw, drawn: &Drawn) -> f64 {
        let law = law.of(&drawn.truth);
        let copula = self.traits.copula.as_ref();
        match copula.and_then(|copula| copula.place(of)) {
            Some(place) => law.quantile(uniform_of(drawn.normals[place])),
            None => law.draw(draw),
        }
    }

    /// Settles the values that are shown; a word an attribute.
    fn misread(&self, draw: &mut Draw, who: u64, drawn: &mut Drawn) {
        drawn.values.clone_from(&drawn.truth);
        if self.traits.misread.is_empty() {
            return;
        }
        draw.readdress(who, MISREAD);
        for (at, attribute) in self.schema.attributes().iter().enumerate() {
            let u = uniform(draw.word());
            let misread = self.traits.misread.iter().find(|one| one.attribute == at);
            let rate = misread.map_or(0.0, |one| *one.rate.of(&drawn.truth));
            let others = attribute.values.len() - 1;
            if u < rate && others > 0 {
                let other = ((u / rate * others as f64) as usize).min(others - 1) as u16;
                drawn.values[at] = other + u16::from(other >= drawn.truth[at]);
            }
        }
    }

    /// Adds the errors of measurement to what is shown; a word a number.
    fn measure(&self, draw: &mut Draw, who: u64, drawn: &mut Drawn) {
        if self.traits.errors.iter().all(Option::is_none) {
            return;
        }
        draw.readdress(who, ERRORS);
        let numbers = drawn.features.iter_mut().chain(drawn.score.as_mut());
        for (number, error) in numbers.zip(&self.traits.errors) {
            let word = draw.word();
            if let Some(error) = error {
                let error = error.of(&drawn.truth);
                *number += error.bias + error.sd * normal(word);
            }
        }
    }
}

/// Running sums of shares; 1 from the last share above 0 on.
fn running(shares: &[f64]) -> Vec<f64> {
    let last = shares.iter().rposition(|share| *share > 0.0);
    let sums = shares.iter().enumerate().scan(0.0, |sum, (at, share)| {
        *sum += share;
        Some(if Some(at) >= last { 1.0 } else { *sum })
    });
    sums.collect()
}
