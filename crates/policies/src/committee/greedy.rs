//! Greedy (Do et al. 2021, Section 3.2): accepts while no quota is exceeded.
//!
//! Where we differ from the print: a quota is a whole number, ceil(rho K - 1e-9) + floor(eps K /
//! (D_i - 1) + 1e-9), as Proposition 1 needs (and .14 * 50 is 7.000000000000001 in floating point);
//! and where the law of the candidates is known, a greedy that no one can satisfy any more says so
//! instead of waiting for ever (Example 1 with eps' = 0).

use std::sync::Arc;

use super::{ByValue, OneByOne, decide};
use crate::Policy;
use crate::limits::MOST_VISITED_CELLS;
use kleroterion_core::protocol::{Law, Move, Quota, Schema, Shown, Target, View};

/// Accepts every candidate who exceeds no quota.
#[derive(Clone, Debug)]
pub struct Greedy {
    /// Places left under each value's quota.
    left: ByValue<i64>,
    /// The quotas, in the places of `left`.
    most: Vec<i64>,
    support: PossibleValues,
    /// A quota has been reached since it was last asked whether anyone fits.
    unsure: bool,
    stuck: bool,
}

impl Greedy {
    /// Makes the policy with quotas for a committee of `members` under a tolerance eps >= 0. `law`
    /// is the candidates' law, if it is exact.
    #[must_use]
    pub fn new(
        schema: &Schema,
        target: &Target,
        members: u64,
        tolerance: f64,
        law: Option<&Law>,
    ) -> Self {
        let left = ByValue::new(target, |_, shares| {
            let values = shares.len();
            let quota = |share: &f64| quota(*share, members, tolerance, values);
            shares.iter().map(quota).collect()
        });
        Self::under(left, schema, law)
    }

    /// Makes the policy with given caps: the maximums of `quotas`, with a row per attribute of the
    /// schema. An empty row sets none.
    #[must_use]
    pub fn capped(schema: &Schema, quotas: &[Vec<Quota>], law: Option<&Law>) -> Self {
        let caps = |row: &Vec<Quota>| row.iter().map(|quota| quota.max.into()).collect();
        let rows = quotas.iter().enumerate().filter(|(_, row)| !row.is_empty());
        let left = ByValue::of_rows(rows.map(|(attribute, row)| (attribute, caps(row))));
        Self::under(left, schema, law)
    }

    fn under(left: ByValue<i64>, schema: &Schema, law: Option<&Law>) -> Self {
        Self {
            most: left.numbers.clone(),
            left,
            support: PossibleValues::new(schema, law),
            unsure: true,
            stuck: false,
        }
    }

    /// Returns true if a candidate of these values exceeds no quota.
    #[inline]
    #[must_use]
    pub fn fits(&self, values: &[u16]) -> bool {
        self.left.of(values).all(|left| left > 0)
    }

    /// Takes one place under each of these values' quotas.
    pub fn admit(&mut self, values: &[u16]) {
        self.take(values, 1);
    }

    fn take(&mut self, values: &[u16], places: i64) {
        let ByValue {
            attributes,
            numbers,
        } = &mut self.left;
        for &(attribute, start) in &*attributes {
            let left = &mut numbers[start + usize::from(values[attribute])];
            *left -= places;
            self.unsure |= *left == 0 || places < 0;
        }
    }
}

/// The most members of a committee of K with a value of target share rho, of D values.
fn quota(rho: f64, members: u64, tolerance: f64, values: usize) -> i64 {
    let k = members as f64;
    let slack = if values > 1 {
        (tolerance * k / (values - 1) as f64 + 1e-9).floor()
    } else {
        0.0
    };
    (rho * k - 1e-9).ceil().max(0.0) as i64 + slack as i64
}

impl OneByOne for Greedy {
    #[inline]
    fn judge(&mut self, person: Shown<'_>) -> f64 {
        f64::from(u8::from(self.fits(person.values())))
    }

    fn why(&self, person: Shown<'_>) -> Vec<(&'static str, f64)> {
        let fits = f64::from(u8::from(self.fits(person.values())));
        let attributes = self.left.attributes.iter().map(|(attribute, _)| *attribute);
        let places = attributes.zip(self.left.places(person.values()));
        let Some((attribute, tightest)) = places.min_by_key(|(_, place)| self.left.numbers[*place])
        else {
            return vec![("acceptance", fits)];
        };
        let (left, most) = (self.left.numbers[tightest], self.most[tightest]);
        vec![
            ("acceptance", fits),
            ("slack", left.max(0) as f64),
            ("attribute", attribute as f64 + 1.0),
            ("taken", (most - left) as f64),
            ("most", most as f64),
        ]
    }

    fn accept(&mut self, person: Shown<'_>) {
        self.admit(person.values());
    }
}

impl Policy for Greedy {
    #[inline]
    fn act(&mut self, view: &mut View<'_>) -> Move {
        if self.unsure {
            self.unsure = false;
            self.stuck = self.support.no_one(|values| self.fits(values));
        }
        if self.stuck {
            view.reason(|| [("acceptance", 0.0)]);
            return Move::Stall;
        }
        decide(self, view)
    }

    fn decline(&mut self, _: u64, person: Shown<'_>) {
        self.take(person.values(), -1);
    }

    fn corrects(&self) -> bool {
        // It learns from no outcome.
        true
    }
}

/// The values of all who may ever come, a row each; unknown where the law is, or where they are too
/// many to list.
#[derive(Clone, Debug)]
pub(super) struct PossibleValues(Option<Arc<[Vec<u16>]>>);

impl PossibleValues {
    /// The cells of positive probability under a law.
    pub(super) fn new(schema: &Schema, law: Option<&Law>) -> Self {
        Self(match law {
            Some(Law::Cells(cells)) => {
                let cells = cells.iter().filter(|(_, share)| *share > 0.0);
                Some(cells.map(|(cell, _)| schema.values(*cell)).collect())
            }
            Some(Law::Product(marginals)) if schema.cells() <= MOST_VISITED_CELLS => {
                let likely = |values: &Vec<u16>| {
                    let mut shares = marginals.iter().zip(values);
                    shares.all(|(marginal, &value)| marginal[usize::from(value)] > 0.0)
                };
                let all = (0..schema.cells()).map(|cell| schema.values(cell));
                Some(all.filter(likely).collect())
            }
            _ => None,
        })
    }

    /// Returns true if it is known that no one who may come fits.
    #[cold]
    pub(super) fn no_one(&self, fits: impl Fn(&[u16]) -> bool) -> bool {
        let Self(Some(rows)) = self else { return false };
        !rows.iter().any(|values| fits(values))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotas_are_whole_numbers_of_people() {
        assert_eq!(quota(0.14, 50, 0.0, 2), 7);
        assert_eq!(quota(0.55, 50, 0.0, 2), 28);
        assert_eq!(quota(0.55, 50, 0.05, 2), 30);
        assert_eq!(quota(0.24, 100, 0.05, 8), 24);
        assert_eq!(quota(0.24, 1000, 0.05, 8), 247);
        assert_eq!(quota(0.0, 50, 0.0, 3), 0);
        assert_eq!(quota(1.0, 50, 0.5, 1), 50);
    }
}
