//! Generated replies to offers.

use std::sync::Arc;

use crate::draw::Draw;
use crate::protocol::{Feedback, Person, Probe, Yields};

/// Answers 1 to an offer with the person's probability, else 0. The random number belongs to the
/// person, so lanes that offer the same person a place get the same reply.
#[derive(Clone, Debug, PartialEq)]
pub struct Acceptance(pub Arc<Yields>);

impl Feedback for Acceptance {
    fn answer(&self, person: Person<'_>, probe: Probe, draw: &mut Draw) -> f64 {
        match probe {
            Probe::Offer => f64::from(u8::from(draw.uniform() < self.0.of(person.shown()))),
            Probe::Interview { .. } | Probe::Outcome => f64::NAN,
        }
    }
}
