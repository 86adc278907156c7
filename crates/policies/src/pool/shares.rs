//! Policies of a fixed share: the applicants' own, or the target.

use super::allocation::{Allotted, allot, split};
use super::applicants::Applicants;
use super::weighing::demand_shares;
use crate::{BadParameters, Policy, no_place};
use kleroterion_core::protocol::{Move, View};

/// Admits the best of each group in proportion to its applicants: a = s, or the nearest shares that
/// places can make (in squares). Ties go to fewer of the first group.
#[derive(Clone, Debug)]
pub struct ProportionalPool(Apportioned);

/// Admits the best of each group in the proportions of the target: a = sbar, or the nearest shares
/// that places and applicants can make, as [`ProportionalPool`].
#[derive(Clone, Debug)]
pub struct TargetShare {
    target: Vec<f64>,
    apportioned: Apportioned,
}

impl ProportionalPool {
    /// Makes the policy for the groups that are the values of an attribute (its index in the
    /// schema).
    ///
    /// # Errors
    /// Returns an error if there are fewer than two groups.
    pub fn new(attribute: usize, groups: usize) -> Result<Self, BadParameters> {
        let mut wrong = BadParameters::default();
        let enough = groups >= 2;
        wrong.demand("the number of groups", groups as f64, enough, "2 or more");
        wrong.or(Self(Apportioned::new(attribute, groups)))
    }
}

impl TargetShare {
    /// Makes the policy for the groups that are the values of an attribute (its index in the
    /// schema), in the order of the target.
    ///
    /// # Errors
    /// Returns an error if the target is not at least two shares that add up to 1.
    pub fn new(attribute: usize, target: Vec<f64>) -> Result<Self, BadParameters> {
        let mut wrong = BadParameters::default();
        demand_shares(&target, &mut wrong);
        let apportioned = Apportioned::new(attribute, target.len());
        wrong.or(Self {
            target,
            apportioned,
        })
    }
}

impl Policy for ProportionalPool {
    fn act(&mut self, view: &mut View<'_>) -> Move {
        let applicants = f64::from(view.slate().len());
        // The product first: it is exact, and so are ties.
        self.0
            .admit(view, |places, size, _| places * size / applicants)
    }

    fn corrects(&self) -> bool {
        // It learns from no outcome.
        true
    }
}

impl Policy for TargetShare {
    fn act(&mut self, view: &mut View<'_>) -> Move {
        self.apportioned
            .admit(view, |places, _, group| places * self.target[group])
    }

    fn corrects(&self) -> bool {
        // It learns from no outcome.
        true
    }
}

/// The best of each group, in given shares.
#[derive(Clone, Debug)]
struct Apportioned {
    applicants: Applicants,
    sizes: Vec<u32>,
    allotted: Allotted,
}

impl Apportioned {
    fn new(attribute: usize, groups: usize) -> Self {
        Self {
            applicants: Applicants::new(attribute, groups.max(1)),
            sizes: Vec::new(),
            allotted: Allotted::default(),
        }
    }

    /// Admits the best of each group. `quota(places, size, group)` gives the exact number of places
    /// for a group of this size.
    fn admit(&mut self, view: &mut View<'_>, quota: impl Fn(f64, f64, usize) -> f64) -> Move {
        let places = view.places().max;
        if places == 0 {
            return no_place(view);
        }
        let Self {
            applicants,
            sizes,
            allotted,
        } = self;
        applicants.read(view.slate(), sizes);
        let of = f64::from(places);
        apportion(places, sizes, allotted, |group| {
            quota(of, f64::from(sizes[group]), group)
        });
        let chosen = applicants.best(&allotted.counts);
        view.reason(|| applicants.terms(&chosen));
        Move::take_all(chosen)
    }
}

/// The counts that make sum_g (count_g - quota_g)^2 the least.
fn apportion(places: u32, sizes: &[u32], allotted: &mut Allotted, quota: impl Fn(usize) -> f64) {
    let wants = |group: usize, place: u32| quota(group) - (f64::from(place) - 0.5);
    if let &[first, second] = sizes {
        let admitted = split(places, [first, second], wants);
        allotted.counts.clear();
        allotted.counts.extend([admitted, places - admitted]);
    } else {
        allot(places, sizes, allotted, wants);
    }
}
