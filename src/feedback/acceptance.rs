//! Whether those who are chosen take their places.

use std::sync::Arc;

use crate::draw::Draw;
use crate::protocol::{Feedback, Person, Probe};

/// Answers 1 to an offer with the person's probability, else 0. The draw belongs to the person, so
/// that lanes which offer the same person a place get the same reply.
#[derive(Clone, Debug, PartialEq)]
pub enum Acceptance {
    /// By attribute: `rate` times the factor of each of these attributes' value.
    ByValue {
        /// The probability where no attribute says otherwise.
        rate: f64,
        /// The attributes, by index, with a factor for each value.
        factors: Vec<(usize, Vec<f64>)>,
    },
    /// By [respondent](crate::protocol::Respondents): who is none of them takes the place.
    ByRespondent(Arc<[f64]>),
}

impl Acceptance {
    /// How likely a person is to take a place.
    #[must_use]
    pub fn probability(&self, person: Person<'_>) -> f64 {
        let shown = person.shown();
        match self {
            Self::ByValue { rate, factors } => {
                let values = shown.values();
                let factor =
                    |(attribute, row): &(usize, Vec<f64>)| row[usize::from(values[*attribute])];
                rate * factors.iter().map(factor).product::<f64>()
            }
            Self::ByRespondent(chances) => {
                let respondent = shown.respondent().map(|one| one as usize);
                let chance = respondent.and_then(|one| chances.get(one));
                chance.copied().unwrap_or(1.0)
            }
        }
    }
}

impl Feedback for Acceptance {
    fn answer(&self, person: Person<'_>, probe: Probe, draw: &mut Draw) -> f64 {
        match probe {
            Probe::Offer => f64::from(u8::from(draw.uniform() < self.probability(person))),
            Probe::Interview { .. } | Probe::Outcome => f64::NAN,
        }
    }
}
