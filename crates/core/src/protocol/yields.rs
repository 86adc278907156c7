//! How likely people are to take a place that they are offered.

use std::sync::Arc;

use super::persons::Shown;

/// How likely each person is to take a place.
#[derive(Clone, Debug, PartialEq)]
pub enum Yields {
    /// By attribute: `rate` times the factor of each of these attributes' value.
    ByValue {
        /// The probability where no attribute says otherwise.
        rate: f64,
        /// The attributes, by index, with a factor for each value.
        factors: Vec<(usize, Vec<f64>)>,
    },
    /// By [respondent](super::Respondents): who is none of them takes the place.
    ByRespondent(Arc<[f64]>),
}

impl Yields {
    /// How likely a person is to take a place.
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

    /// The same of a person of these values; none where it is not by value.
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
