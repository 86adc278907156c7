//! The expected cost of a committee, from closed forms and before anyone is drawn (Do et al. 2021,
//! Section 4).
//!
//! All of this is about the best stationary policy for a known law (`cmdp`): where it accepts a
//! candidate with probability g*, a committee of K screens K/g* people in expectation (Lemma 2: the
//! rejections are negative binomial).

mod loosening;
mod once;
mod slates;

pub use loosening::{Bottleneck, Loosening};
pub use slates::{Filling, Screened};

use super::Cmdp;
use super::program::{Method, ProgramError};
use crate::limits::MOST_VISITED_CELLS;
use kleroterion_core::protocol::{Law, Respondents, Schema, Target, Yields};
use slates::{expected_screened, sd_screened};

/// The expectations of the best stationary policy.
#[derive(Clone, Debug)]
pub struct Outlook {
    /// g*: the probability that it accepts a candidate.
    pub gain: f64,
    /// The method that found the gain.
    pub method: Method,
    /// The value that bounds the gain. `None` if no value is wanted.
    pub bottleneck: Option<Bottleneck>,
    policy: Cmdp,
}

impl Outlook {
    /// Solves the program for a target and the candidates' law.
    ///
    /// # Errors
    /// Returns an error if no policy meets the target, or the solver fails.
    pub fn new(schema: &Schema, target: &Target, law: &Law) -> Result<Self, ProgramError> {
        let policy = Cmdp::new(schema, target, law)?;
        let (p, rho) = rows(schema, target, law);
        Ok(Self {
            gain: policy.solution().gain,
            method: policy.solution().method,
            bottleneck: loosening::bottleneck(&p, &rho),
            policy,
        })
    }

    /// The probability that a candidate accepted by the policy takes the place. `None` if it is
    /// unknown: it depends on respondents who are not known, or there are too many cells.
    #[must_use]
    pub fn taken(
        &self,
        schema: &Schema,
        law: &Law,
        yields: &Yields,
        respondents: Option<&Respondents>,
    ) -> Option<f64> {
        if let Yields::ByRespondent(_) = yields {
            let people = respondents?;
            let accepted: f64 = self.joining(people, None).iter().sum();
            let taken: f64 = self.joining(people, Some(yields)).iter().sum();
            return Some(taken / accepted);
        }
        let weigh = |cell: u32, share: f64| {
            let values = schema.values(cell);
            Some(share * self.policy.accepts(&values) * yields.of_values(&values)?)
        };
        let taken: Option<f64> = match law {
            Law::Cells(cells) => cells.iter().map(|(cell, share)| weigh(*cell, *share)).sum(),
            Law::Product(_) if schema.cells() > MOST_VISITED_CELLS => None,
            Law::Product(marginals) => {
                let share = |cell: u32| -> f64 {
                    let values = schema.values(cell);
                    let shares = marginals.iter().zip(&*values);
                    shares
                        .map(|(row, value)| row[usize::from(*value)])
                        .product()
                };
                (0..schema.cells())
                    .map(|cell| weigh(cell, share(cell)))
                    .sum()
            }
        };
        Some(taken? / self.gain)
    }

    /// Returns the probability that each respondent becomes a member once they come: the policy
    /// accepts them and they take the place.
    fn joining(&self, people: &Respondents, yields: Option<&Yields>) -> Vec<f64> {
        let chance = |one: u32| {
            let values = people.values(one);
            let taken = match yields {
                None => 1.0,
                Some(Yields::ByRespondent(chances)) => chances[one as usize],
                Some(by_value) => by_value.of_values(values).unwrap_or(1.0),
            };
            self.policy.accepts(values) * taken
        };
        (0..people.len() as u32).map(chance).collect()
    }

    /// Returns the people screened for a committee of K, from respondents who come once and one by
    /// one, in a random order or their own. `None` if there are too many.
    #[must_use]
    pub fn screened_once(
        &self,
        people: &Respondents,
        yields: Option<&Yields>,
        members: u64,
        is_drawn: bool,
    ) -> Option<Screened> {
        let chances = self.joining(people, yields);
        let gain = chances.iter().sum::<f64>() / chances.len() as f64;
        let sd = sd_screened(members, gain);
        match is_drawn {
            true => once::shuffled(&chances, members, sd),
            false => once::in_order(&chances, members, sd),
        }
    }

    /// Returns true if the bottleneck alone determines the gain. No policy for any law with these
    /// shares then does better.
    #[must_use]
    pub fn is_bound(&self) -> bool {
        let bound = self.bottleneck.map_or(1.0, |found| found.bound);
        (self.gain - bound.min(1.0)).abs() <= 1e-6
    }

    /// E tau = K/g*: the expected number of people screened for a committee of K.
    #[must_use]
    pub fn screened(&self, members: u64) -> f64 {
        expected_screened(members, self.gain)
    }

    /// sd tau = sqrt(K (1 - g*)) / g*: the standard deviation of the people screened (Lemma 2).
    #[must_use]
    pub fn sd_screened(&self, members: u64) -> f64 {
        sd_screened(members, self.gain)
    }
}

/// Returns the saving of each single loosening for a committee of K, the largest saving first.
///
/// A value's target moves by one seat towards its share among the candidates and not beyond; the
/// others of its attribute move in proportion. `attribute` of a [`Loosening`] is the place of a row
/// of the target. Each value needs one program.
///
/// # Errors
/// The first error of a program.
pub fn loosenings(
    schema: &Schema,
    target: &Target,
    law: &Law,
    members: u64,
) -> Result<Vec<Loosening>, ProgramError> {
    let (p, rho) = rows(schema, target, law);
    let attributes = || target.rows().iter().map(|(attribute, _)| *attribute);
    loosening::loosenings(&p, &rho, members, |rho| {
        let target = Target::new(schema, attributes().zip(rho.iter().cloned()).collect());
        Ok(Cmdp::new(schema, &target, law)?.solution().gain)
    })
}

/// The shares among the candidates and the targets, a row of the target each.
fn rows(schema: &Schema, target: &Target, law: &Law) -> (Vec<Vec<f64>>, Vec<Vec<f64>>) {
    let marginals = law.marginals(&schema.levels());
    let rows = target.rows().iter();
    rows.map(|(attribute, shares)| (marginals[*attribute].clone(), shares.clone()))
        .unzip()
}

#[cfg(test)]
mod tests {
    use super::*;
    use kleroterion_core::protocol::Attribute;

    fn schema(names: [&str; 2]) -> Schema {
        let attribute = |name: &str| Attribute {
            name: name.into(),
            values: ["a", "b"].map(String::from).into(),
        };
        Schema::new(names.map(attribute).into(), vec![], false).unwrap()
    }

    #[test]
    fn a_committee_of_fifty_at_gain_two_fifths() {
        // b is wanted five times as often as it comes.
        let schema = schema(["x", "y"]);
        let target = Target::new(&schema, vec![(1, vec![0.5, 0.5])]);
        let law = Law::Product(vec![vec![0.3, 0.7], vec![0.8, 0.2]]);
        let outlook = Outlook::new(&schema, &target, &law).unwrap();
        assert!((outlook.gain - 0.4).abs() < 1e-9);
        let bottleneck = outlook.bottleneck.unwrap();
        assert_eq!((bottleneck.attribute, bottleneck.value), (0, 1));
        assert!(outlook.is_bound());
        assert!((outlook.screened(50) - 125.0).abs() < 1e-6);
        assert!((outlook.sd_screened(50) - (50.0_f64 * 0.6).sqrt() / 0.4).abs() < 1e-6);
        let saved = loosenings(&schema, &target, &law, 50).unwrap();
        // .48 in place of .5: 50 * .48 / .2 = 120 screened.
        assert_eq!((saved.len(), saved[0].value), (1, 1));
        assert!((saved[0].screened - 120.0).abs() < 1e-6 && (saved[0].saved - 5.0).abs() < 1e-6);
    }

    /// Half of those accepted are of b, who take a fifth of the places offered to them.
    #[test]
    fn places_are_taken_as_those_accepted_take_them() {
        let schema = schema(["x", "y"]);
        let target = Target::new(&schema, vec![(1, vec![0.5, 0.5])]);
        let product = Law::Product(vec![vec![0.3, 0.7], vec![0.8, 0.2]]);
        let cells = Law::Cells(vec![(0, 0.24), (1, 0.06), (2, 0.56), (3, 0.14)]);
        let yields = Yields::ByValue {
            rate: 0.5,
            factors: vec![(0, vec![1.0, 0.5]), (1, vec![1.0, 0.2])],
        };
        let due = 0.5 * (0.3 + 0.7 * 0.5) * (0.5 + 0.5 * 0.2);
        for law in [product, cells] {
            let outlook = Outlook::new(&schema, &target, &law).unwrap();
            let taken = outlook.taken(&schema, &law, &yields, None).unwrap();
            assert!((taken - due).abs() < 1e-9, "{taken}");
            let unknown = Yields::ByRespondent([].into());
            assert_eq!(outlook.taken(&schema, &law, &unknown, None), None);
        }
    }

    #[test]
    fn a_joint_law_may_keep_the_gain_below_every_bound() {
        // Half are to be a in x and .3 in y, so .2 must be a in x alone, where only .1 are: g = .5.
        let schema = schema(["x", "y"]);
        let target = Target::new(&schema, vec![(0, vec![0.5, 0.5]), (1, vec![0.3, 0.7])]);
        let law = Law::Cells(vec![(0, 0.3), (1, 0.1), (2, 0.1), (3, 0.5)]);
        let outlook = Outlook::new(&schema, &target, &law).unwrap();
        assert!((outlook.gain - 0.5).abs() < 1e-6);
        assert!((outlook.bottleneck.unwrap().bound - 0.8).abs() < 1e-12);
        assert!(!outlook.is_bound());
    }
}
