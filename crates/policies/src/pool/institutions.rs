//! Several institutions that choose from one pool of applicants: Multi-agent Fair-Greedy, of the
//! authors' follow-up (Puranik, Guldogan, Madhow, Pedarsani 2024, arXiv 2407.07350).
//!
//! Institutions are in the order of how much they are wanted. Whoever is admitted by several goes
//! to the first of them, so each chooses among those whom the ones before left. In turn (MFG), each
//! makes its own utility the greatest: the mean score of its admitted, less its lambda times (a_i -
//! sbar)^2. Together (CMFG), all make the sum of their utilities the greatest, each times its
//! places.
//!
//! We know the follow-up by its abstract, and its rules as far as that says them. The greedy term
//! is that of the slate's own scores; the pool moves by the share of all who are admitted.

use super::applicants::Applicants;
use super::weighing::{AdmittedSeats, GreedyTerm, Infeasible, Weighing};
use crate::{BadParameters, Policy, no_place};
use kleroterion_core::protocol::{Move, View};

/// The way in which institutions decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coordination {
    /// One institution after the other, each for itself.
    InTurn,
    /// All institutions at once, for the sum of their utilities.
    Together,
}

/// Admits the best of each group to several institutions. Reports `first_share` and `last_share`:
/// the first group's share of those whom the most and the least wanted institution admits.
#[derive(Clone, Debug)]
pub struct Institutions {
    /// The part of the places and the weighing of each institution.
    all: Vec<(f64, Weighing)>,
    coordination: Coordination,
    applicants: Applicants,
    sizes: Vec<u32>,
    seats: AdmittedSeats,
}

impl Institutions {
    /// Makes the policy for two groups, the values of an attribute (its index in the schema). It
    /// takes each institution's part of the places and its lambda, the most wanted first, and the
    /// target of all.
    ///
    /// # Errors
    /// Returns all parameters that are out of range.
    pub fn new(
        attribute: usize,
        target: &[f64],
        institutions: &[(f64, f64)],
        coordination: Coordination,
    ) -> Result<Self, BadParameters> {
        let mut wrong = BadParameters::default();
        let groups = target.len() as f64;
        wrong.demand("the number of groups", groups, groups == 2.0, "2");
        let many = institutions.len();
        wrong.demand(
            "the number of institutions",
            many as f64,
            many > 0,
            "1 or more",
        );
        let weighing = |lambda| Weighing {
            target: target.to_vec(),
            lambda,
            greedy_term: GreedyTerm::Realised,
            laws: Vec::new(),
            infeasible: Infeasible::Feasible,
        };
        for (part, _) in institutions {
            let right = *part > 0.0 && *part <= 1.0;
            wrong.demand("a part of the places", *part, right, "above 0, at most 1");
        }
        let total: f64 = institutions.iter().map(|(part, _)| part).sum();
        let whole = (total - 1.0).abs() <= 1e-9;
        wrong.demand("the sum of the parts", total, whole, "1");
        let all: Vec<(f64, Weighing)> = institutions
            .iter()
            .map(|(part, lambda)| (*part, weighing(*lambda)))
            .collect();
        all.iter()
            .for_each(|(_, weighing)| weighing.check(&mut wrong));
        wrong.or(Self {
            all,
            coordination,
            applicants: Applicants::new(attribute, target.len().max(1)),
            sizes: Vec::new(),
            seats: AdmittedSeats::default(),
        })
    }

    /// Returns the number of places of each institution: those up to its end less those up to the
    /// one before.
    fn places(&self, places: u32) -> Vec<u32> {
        let (mut sum, mut before) = (0.0, 0);
        let ends = self.all.iter().map(|(part, _)| {
            sum += part;
            (sum * f64::from(places) + 1e-9).floor() as u32
        });
        let mut ends: Vec<u32> = ends.collect();
        if let Some(last) = ends.last_mut() {
            *last = places;
        }
        for end in &mut ends {
            let size = end.saturating_sub(before);
            before = *end;
            *end = size;
        }
        ends
    }

    /// Returns the number of the first group that each admits, one after the other.
    fn in_turn(&mut self, places: &[u32]) -> Vec<u32> {
        let (mut taken, mut firsts) = ([0, 0], Vec::new());
        for ((_, weighing), &places) in self.all.iter().zip(places) {
            let left = [0, 1].map(|group| self.sizes[group] - taken[group]);
            let applicants = &mut self.applicants;
            let score = |group: usize, rank| applicants.score(group, taken[group] + rank);
            weighing.seats(places, &left, score, &mut self.seats);
            let counts = self.seats.counts();
            firsts.push(counts[0]);
            taken = [taken[0] + counts[0], taken[1] + counts[1]];
        }
        firsts
    }

    /// Returns the number of the first group that each admits, together. The scores depend on the
    /// total number. Each further place therefore goes where it costs least, while it brings more
    /// than it costs: the sum is concave in both.
    fn together(&mut self, places: &[u32]) -> Vec<u32> {
        let all: u32 = places.iter().sum();
        let mut firsts = vec![0; places.len()];
        let fewest = all.saturating_sub(self.sizes[1]);
        for placed in 0..all.min(self.sizes[0]) {
            let cost = |(at, (_, weighing)): (usize, &(f64, Weighing))| {
                let open = firsts[at] < places[at];
                // A place more of the first group and one less of the second.
                let share = (f64::from(firsts[at]) + 0.5) / f64::from(places[at]);
                open.then(|| (2.0 * weighing.lambda * (share - weighing.target[0]), at))
            };
            let each = self.all.iter().enumerate().filter_map(cost);
            let Some((cost, at)) = each.min_by(|a, b| a.0.total_cmp(&b.0)) else {
                break;
            };
            if placed >= fewest {
                let first = self.applicants.score(0, placed + 1);
                let second = self.applicants.score(1, all - placed);
                if first - second <= cost {
                    break;
                }
            }
            firsts[at] += 1;
        }
        firsts
    }
}

impl Policy for Institutions {
    fn act(&mut self, view: &mut View<'_>) -> Move {
        let all = view.places().max;
        if all == 0 {
            return no_place(view);
        }
        self.applicants.read(view.slate(), &mut self.sizes);
        self.applicants.sort(all);
        let places = self.places(all);
        let firsts = match self.coordination {
            Coordination::InTurn => self.in_turn(&places),
            Coordination::Together => self.together(&places),
        };
        let shares = firsts
            .iter()
            .zip(&places)
            .map(|(k, of)| f64::from(*k) / f64::from(*of));
        let shares: Vec<f64> = shares.collect();
        for (name, share) in [
            ("first_share", shares.first()),
            ("last_share", shares.last()),
        ] {
            if let Some(share) = share.filter(|share| share.is_finite()) {
                view.measure(name, *share);
            }
        }
        let first: u32 = firsts.iter().sum();
        let chosen = self.applicants.best(&[first, all - first]);
        view.reason(|| self.applicants.terms(&chosen));
        Move::take_all(chosen)
    }

    fn corrects(&self) -> bool {
        // It learns from no outcome.
        true
    }
}
