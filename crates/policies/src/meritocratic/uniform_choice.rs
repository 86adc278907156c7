//! Uniform choice (Grazzi et al. 2022, Section 6, "Uniform Random"): its fair regret is
//! K/(K+1) - 1/2 a round.

use super::choice::take_any;
use crate::Policy;
use kleroterion_core::protocol::{Move, View};

/// Chooses any candidate with equal probability.
#[derive(Clone, Copy, Debug)]
pub struct UniformChoice;

impl Policy for UniformChoice {
    fn act(&mut self, view: &mut View<'_>) -> Move {
        take_any(view)
    }

    fn corrects(&self) -> bool {
        // It learns from no outcome.
        true
    }
}
