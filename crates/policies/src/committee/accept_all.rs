//! Accepts every candidate: the baseline that costs least and represents the volunteers.

use super::{OneByOne, decide};
use crate::Policy;
use kleroterion_core::protocol::{Move, Shown, View};

/// Accepts every candidate while there are places.
#[derive(Clone, Debug, Default)]
pub struct AcceptAll;

impl OneByOne for AcceptAll {
    fn judge(&mut self, _: Shown<'_>) -> f64 {
        1.0
    }

    fn why(&self, _: Shown<'_>) -> Vec<(&'static str, f64)> {
        vec![("acceptance", 1.0)]
    }
}

impl Policy for AcceptAll {
    #[inline]
    fn act(&mut self, view: &mut View<'_>) -> Move {
        decide(self, view)
    }

    fn corrects(&self) -> bool {
        // It learns from no outcome.
        true
    }
}
