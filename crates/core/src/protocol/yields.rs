//! The probability that a person takes an offered place.

use std::sync::Arc;

use super::persons::Shown;

/// The probability that each person takes an offered place.
#[derive(Clone, Debug, PartialEq)]
pub enum Yields {
    /// By attribute: `rate` times a factor for the person's value of each of these attributes.
    ByValue {
        /// The probability before any factor is applied.
        rate: f64,
        /// The attributes, by index, with a factor for each value.
        factors: Vec<(usize, Vec<f64>)>,
    },
    /// By [respondent](super::Respondents). A person who is not a respondent takes the place.
    ByRespondent(Arc<[f64]>),
}

impl Yields {
    /// Returns the probability that a person takes a place.
    #[must_use]
    pub fn of(&self, person: Shown<'_>) -> f64 {
        match self {
            Self::ByValue { rate, factors } => by_value(*rate, factors, person.values()),
            Self::ByRespondent(chances) => {
                let respondent = person.respondent().map(|one| one as usize);
                let chance = respondent.and_then(|one| chances.get(one));
                chance.copied().unwrap_or(1.0)
            }
        }
    }

    /// Returns the probability for a person of these values. `None` unless it is by value.
    #[must_use]
    pub fn of_values(&self, values: &[u16]) -> Option<f64> {
        match self {
            Self::ByValue { rate, factors } => Some(by_value(*rate, factors, values)),
            Self::ByRespondent(_) => None,
        }
    }
}

fn by_value(rate: f64, factors: &[(usize, Vec<f64>)], values: &[u16]) -> f64 {
    let factor = |(attribute, row): &(usize, Vec<f64>)| row[usize::from(values[*attribute])];
    rate * factors.iter().map(factor).product::<f64>()
}
