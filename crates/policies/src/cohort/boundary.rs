//! The process that the paper's SWAP is held against (Section 5.2, "Actual"): "applicants at the
//! top … and applicants at the bottom … only need one review. Applicants on the boundary, however,
//! may go through multiple reviews".

use super::baselines::choose;
use super::round::{Looks, estimates};
use super::{Objective, Tiers};
use crate::{BadParameters, Policy, no_place};
use kleroterion_core::protocol::{Move, Pull, Pulls, View};

/// The width of the boundary and the number of reviews on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundaryParameters {
    /// The width of the boundary above and below the last place, as a share of the places; above 0.
    pub band: f64,
    /// The number of interviews of each candidate on the boundary, including the first; at least 1.
    pub reviews: u32,
}

impl Default for BoundaryParameters {
    fn default() -> Self {
        Self {
            band: 0.25,
            reviews: 3,
        }
    }
}

/// A policy that gives a weak interview to each, then further weak interviews to those around the
/// last place, in turns. The first interview decides who is on the boundary. The interviews end at
/// the latest when the money runs out.
#[derive(Clone, Debug)]
pub struct BoundaryReviews<O> {
    objective: O,
    tiers: Tiers,
    parameters: BoundaryParameters,
    round: u64,
    /// The number of interviews of those on the boundary.
    turns: u32,
    looks: Looks,
    /// The slots of those on the boundary.
    boundary: Vec<u32>,
}

impl<O: Objective> BoundaryReviews<O> {
    /// Makes the policy before the first round.
    ///
    /// # Errors
    /// Returns all parameters that are out of range.
    pub fn new(
        objective: O,
        tiers: Tiers,
        parameters: BoundaryParameters,
    ) -> Result<Self, BadParameters> {
        let BoundaryParameters { band, reviews } = parameters;
        let mut wrong = BadParameters::default();
        let is_band = band.is_finite() && band > 0.0;
        wrong.demand("band", band, is_band, "a finite number above 0");
        wrong.demand("reviews", f64::from(reviews), reviews > 0, "1 or more");
        wrong.or(Self {
            objective,
            tiers,
            parameters,
            round: 0,
            turns: 0,
            looks: Looks::default(),
            boundary: Vec::new(),
        })
    }
}

/// The slots of those whose estimates are among the `reach` next to the last place, above and below
/// it; whoever is tied with one of them is on the boundary too, so that no slot decides.
fn boundary(estimates: &[f64], places: usize, reach: usize) -> Vec<u32> {
    if places >= estimates.len() {
        return Vec::new();
    }
    let mut order: Vec<f64> = estimates.to_vec();
    order.sort_by(|a, b| b.total_cmp(a));
    let highest = order[places.saturating_sub(reach)];
    let lowest = order[(places + reach).min(order.len()) - 1];
    let slots = (0..).zip(estimates);
    slots
        .filter(|(_, estimate)| (lowest..=highest).contains(*estimate))
        .map(|(slot, _)| slot)
        .collect()
}

impl<O: Objective> Policy for BoundaryReviews<O> {
    fn act(&mut self, view: &mut View<'_>) -> Move {
        let places = view.places().max as usize;
        if places == 0 {
            return no_place(view);
        }
        if view.round() != self.round {
            self.round = view.round();
            self.turns = 0;
            self.looks = Looks::default();
            self.boundary = (0..view.slate().len()).collect();
        }
        let kind = self.tiers.weak();
        self.looks.count(&self.tiers, view);
        if self.turns == 1 {
            let reach = (self.parameters.band * places as f64).ceil() as usize;
            self.boundary = boundary(&estimates(view.files()), places, reach);
        }
        let is_done = self.turns == self.parameters.reviews || self.boundary.is_empty();
        if is_done || view.looks_left() == 0 {
            return choose(&self.objective, self.looks, view);
        }
        self.turns += 1;
        let pulls = self.boundary.iter().map(|&slot| Pull { slot, kind });
        Move::Interview(Pulls::Many(pulls.collect()))
    }

    fn corrects(&self) -> bool {
        // It learns from no outcome.
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::TopK;
    use super::*;
    use kleroterion_core::protocol::InterviewKind;

    #[test]
    fn the_boundary_lies_about_the_last_place() {
        let by_slot = [9.0, 1.0, 5.0, 6.0, 4.0, 8.0, 2.0, 7.0];
        for (places, reach, slots) in [
            (3, 1, vec![3, 7]),
            (3, 2, vec![2, 3, 5, 7]),
            (1, 1, vec![0, 5]),
            (1, 3, vec![0, 3, 5, 7]),
            (7, 2, vec![1, 4, 6]),
            (3, 100, (0..8).collect()),
            (8, 2, vec![]),
            (9, 2, vec![]),
        ] {
            assert_eq!(boundary(&by_slot, places, reach), slots, "{places} {reach}");
        }
        // Ties with the boundary belong to it, wherever they are; of whom nothing is known is last.
        let tied = [5.0, 7.0, 5.0, 5.0, f64::NEG_INFINITY];
        assert_eq!(boundary(&tied, 2, 1), [0, 2, 3]);
        assert_eq!(boundary(&tied, 1, 1), [0, 1, 2, 3]);
    }

    #[test]
    fn parameters_out_of_range_are_named() {
        let kinds = [InterviewKind {
            name: "review".into(),
            cost: 1.0,
            gain: 1.0.into(),
        }];
        for (band, reviews) in [
            (0.0, 1),
            (-1.0, 1),
            (f64::NAN, 1),
            (f64::INFINITY, 2),
            (0.5, 0),
        ] {
            let tiers = Tiers::of(&kinds).expect("a kind");
            let parameters = BoundaryParameters { band, reviews };
            let made = BoundaryReviews::new(TopK, tiers, parameters);
            assert!(made.is_err(), "{band} {reviews}");
        }
    }
}
