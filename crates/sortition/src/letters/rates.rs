//! Response rates: the share of people with a letter who answer.

use kleroterion_core::draw::{Draw, beta};

/// A response rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rate {
    /// A known rate, in (0, 1].
    Known(f64),
    /// Numbers of people invited and answered: a beta law, from a uniform prior.
    Counted {
        /// The number of people who got a letter.
        invited: u64,
        /// The number of people who answered, at most `invited`.
        answered: u64,
    },
}

impl Rate {
    /// A rate as it may be.
    pub(super) fn drawn(self, draw: &mut Draw) -> f64 {
        match self {
            Self::Known(rate) => rate,
            Self::Counted { invited, answered } => {
                let left = invited.saturating_sub(answered);
                beta(draw, answered as f64 + 1.0, left as f64 + 1.0)
            }
        }
    }

    /// The mean rate.
    #[must_use]
    pub fn mean(self) -> f64 {
        match self {
            Self::Known(rate) => rate,
            Self::Counted { invited, answered } => (answered as f64 + 1.0) / (invited as f64 + 2.0),
        }
    }

    /// Returns true if the rate is uncertain.
    #[must_use]
    pub fn is_counted(self) -> bool {
        matches!(self, Self::Counted { .. })
    }
}

/// The rates of an attribute's values.
#[derive(Clone, Debug, PartialEq)]
pub struct RatesBy {
    /// The index of the attribute.
    pub attribute: usize,
    /// The rate of each value.
    pub rates: Vec<Rate>,
}

/// The response rates of a population.
///
/// A person answers with the overall rate times a factor for each attribute that has rates, at most
/// with certainty. The factor is the rate of their value over the mean rate of the attribute.
#[derive(Clone, Debug, PartialEq)]
pub struct Rates {
    /// The rate over all people. `None` means the mean rate of the first attribute that has rates.
    pub overall: Option<Rate>,
    /// The rates by value, for some attributes.
    pub by: Vec<RatesBy>,
}

impl Rates {
    /// Draws the response probability of each kind of people, from the uncertain rates.
    pub(super) fn of_kinds(
        &self,
        kinds: &[(Vec<u16>, f64)],
        draws: impl Fn(u64) -> Draw,
    ) -> Vec<f64> {
        let mut number = 0;
        let mut drawn = |rate: Rate| {
            number += 1;
            rate.drawn(&mut draws(number))
        };
        let overall = self.overall.map(&mut drawn);
        let by = self.by.iter().map(|by| {
            let rates: Vec<f64> = by.rates.iter().map(|rate| drawn(*rate)).collect();
            let rate = |values: &[u16]| rates[usize::from(values[by.attribute])];
            let total: f64 = kinds.iter().map(|(_, share)| share).sum();
            let mean: f64 = kinds
                .iter()
                .map(|(values, share)| share * rate(values))
                .sum();
            (by.attribute, rates, mean / total)
        });
        let by: Vec<(usize, Vec<f64>, f64)> = by.collect();
        let overall = overall.or_else(|| Some(by.first()?.2)).unwrap_or(1.0);
        let rate = |(values, _): &(Vec<u16>, f64)| {
            let factor = |(attribute, rates, mean): &(usize, Vec<f64>, f64)| {
                rates[usize::from(values[*attribute])] / mean
            };
            (overall * by.iter().map(factor).product::<f64>()).min(1.0)
        };
        kinds.iter().map(rate).collect()
    }

    /// Returns true if any rate is uncertain.
    #[must_use]
    pub fn are_counted(&self) -> bool {
        let mut by = self.by.iter().flat_map(|by| &by.rates);
        self.overall.is_some_and(Rate::is_counted) || by.any(|rate| rate.is_counted())
    }
}
