//! A bound by counting on how closely a list of `m` panels can match a lottery's chances.
//!
//! With a largest difference d each respondent is on between `lo(i)` and `hi(i)` of the panels,
//! both whole numbers. Whatever the panels are, these numbers must suit all their seats, each
//! quota, each household, and the weights by which the lottery is proved to be fair. The least d
//! for which they do is a lower bound.

use super::aims::KindAims;
use crate::PanelKinds;
use crate::lottery::LotteryCertificate;

/// The reason why no list of panels matches a lottery's chances more closely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChanceHindrance {
    /// There is none: the chances can be the same.
    Nothing,
    /// A respondent's chance lies between two multiples of one panel's.
    Multiples,
    /// The panels have a fixed number of seats in all.
    Seats,
    /// A quota.
    Quota,
    /// A household, which has at most one member on each panel.
    Household,
    /// Fairness: the weights that prove the lottery fair do not allow more for those with small
    /// chances.
    Fairness,
}

impl ChanceHindrance {
    /// The word for the reason in files.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Multiples => "multiples",
            Self::Seats => "seats",
            Self::Quota => "quota",
            Self::Household => "household",
            Self::Fairness => "fairness",
        }
    }
}

/// The conditions that the numbers of panels of all respondents meet, whatever the panels are.
pub(super) struct Counting<'a> {
    aims: &'a KindAims,
    kinds: &'a PanelKinds,
    /// The weight of all of each kind, and the most that a panel weighs.
    weighed: Vec<(Vec<f64>, f64)>,
}

impl<'a> Counting<'a> {
    /// Makes the conditions that a lottery's panels must meet.
    pub fn of(aims: &'a KindAims, kinds: &'a PanelKinds, certificate: &LotteryCertificate) -> Self {
        let of_kinds = |weights: &[f64]| -> Vec<f64> {
            let people = kinds
                .kinds()
                .iter()
                .map(|kind| kind.people.iter().flatten());
            let weight = people.map(|people| people.map(|one| weights[*one as usize]).sum());
            weight.collect()
        };
        let weighed = match certificate {
            LotteryCertificate::Stages(stages) => stages
                .iter()
                .map(|stage| (of_kinds(&stage.weights), stage.bound))
                .collect(),
            LotteryCertificate::Nash { weights, bound, .. } => vec![(of_kinds(weights), *bound)],
        };
        Self {
            aims,
            kinds,
            weighed,
        }
    }

    /// Returns the least of these differences that meets all conditions, and the condition that the
    /// one before breaks. The last difference is assumed to meet them.
    pub fn least(&self, steps: &[u64]) -> (u64, ChanceHindrance) {
        let meets = |difference: &u64| self.hindrance(*difference).is_some();
        let at = steps.partition_point(meets).min(steps.len() - 1);
        let hindrance = match at {
            0 => ChanceHindrance::Nothing,
            at => self
                .hindrance(steps[at - 1])
                .unwrap_or(ChanceHindrance::Nothing),
        };
        (steps[at], hindrance)
    }

    /// A condition that no list of panels with this largest difference meets, where there is one.
    fn hindrance(&self, difference: u64) -> Option<ChanceHindrance> {
        let kinds = 0..self.aims.people.len();
        let windows: Vec<[u64; 2]> = kinds.map(|k| self.aims.window(k, difference)).collect();
        if windows.iter().any(|[least, most]| least > most) {
            return Some(ChanceHindrance::Multiples);
        }
        let seats = self.aims.windows(difference);
        if !self.suits_seats(&seats) {
            return Some(ChanceHindrance::Seats);
        }
        if !self.suits_quotas(&seats) {
            return Some(ChanceHindrance::Quota);
        }
        if !self.suits_homes(&windows) {
            return Some(ChanceHindrance::Household);
        }
        (!self.suits_weights(&windows)).then_some(ChanceHindrance::Fairness)
    }

    fn suits_seats(&self, seats: &[[u64; 2]]) -> bool {
        let all = self.aims.panels * u64::from(self.kinds.members());
        let [least, most] = sums(seats.iter());
        (least..=most).contains(&all)
    }

    /// Returns true if the seats suit the bounds of each value, both for those with it and for the
    /// others.
    fn suits_quotas(&self, seats: &[[u64; 2]]) -> bool {
        let all = self.aims.panels * u64::from(self.kinds.members());
        self.kinds.bounds().iter().enumerate().all(|(row, bound)| {
            let has = |kind: usize| self.kinds.kinds()[kind].bounds.contains(&row);
            let split = |wanted: bool| {
                let with = seats.iter().enumerate();
                let with = with.filter(move |(kind, _)| has(*kind) == wanted);
                sums(with.map(|(_, seats)| seats))
            };
            let [min, max] =
                [bound.min, bound.max].map(|seats| self.aims.panels * u64::from(seats));
            let ([least, most], [others, other_most]) = (split(true), split(false));
            least <= max && most >= min && others + min <= all && other_most + max >= all
        })
    }

    fn suits_homes(&self, windows: &[[u64; 2]]) -> bool {
        self.kinds.homes().iter().all(|homes| {
            let least = homes.kinds.clone().map(|kind| {
                let at_home = self.aims.people[kind] / u64::from(homes.count);
                windows[kind][0] * at_home
            });
            least.sum::<u64>() <= self.aims.panels
        })
    }

    /// Returns true if no set of weights needs more in all than the panels can give. The weights
    /// come from a solver, so a difference of a millionth of a panel counts as rounding.
    fn suits_weights(&self, windows: &[[u64; 2]]) -> bool {
        self.weighed.iter().all(|(weights, bound)| {
            let pairs = weights.iter().zip(windows);
            let least: f64 = pairs
                .map(|(weight, [least, _])| weight * *least as f64)
                .sum();
            let whole: f64 = weights.iter().sum();
            least <= self.aims.panels as f64 * bound + 1e-6 * whole
        })
    }
}

fn sums<'a>(windows: impl Iterator<Item = &'a [u64; 2]>) -> [u64; 2] {
    windows.fold([0, 0], |[least, most], window| {
        [least + window[0], most + window[1]]
    })
}
