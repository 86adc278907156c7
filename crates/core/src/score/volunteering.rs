//! The share of contacted people who volunteer.

use super::head_count::HeadCount;
use crate::protocol::{Law, Schema};

/// The share of those contacted who volunteer, by their values.
///
/// Rates by several attributes are combined by Bayes' rule, as if the attributes said nothing of
/// each other among those who volunteer: the share of all, times for each attribute the rate of the
/// value over the mean rate of the attribute. The share of all is the mean rate of the first
/// attribute.
#[derive(Clone, Debug, PartialEq)]
pub struct Volunteering {
    /// The factor of all rates: the overall rate if there are none by attribute, 1 for one
    /// attribute.
    scale: f64,
    /// The rate of each value, in (0, 1], with the index of the attribute.
    by: Vec<(usize, Vec<f64>)>,
}

/// The share of each kind of people that a law has; `schema` has no more than `most` kinds.
fn kinds(law: &Law, schema: &Schema) -> Vec<(Vec<u16>, f64)> {
    let product = |marginals: &[Vec<f64>], values: &[u16]| -> f64 {
        let shares = marginals.iter().zip(values);
        shares
            .map(|(row, value)| row[usize::from(*value)])
            .product()
    };
    match law {
        Law::Cells(cells) => {
            let kinds = cells.iter();
            kinds
                .map(|(cell, p)| (schema.values(*cell).to_vec(), *p))
                .collect()
        }
        Law::Product(marginals) => {
            let all = (0..schema.cells()).map(|cell| schema.values(cell).to_vec());
            all.map(|values| (values.clone(), product(marginals, &values)))
                .collect()
        }
    }
}

impl Volunteering {
    /// Makes one rate for all people, in (0, 1].
    #[must_use]
    pub fn of_all(rate: f64) -> Self {
        Self {
            scale: rate,
            by: Vec::new(),
        }
    }

    /// Makes rates by one attribute or several. `law` is the law of those who volunteer. Several
    /// attributes need the law and few kinds of people; otherwise the result is `None`.
    #[must_use]
    pub fn by(by: Vec<(usize, Vec<f64>)>, schema: &Schema, law: Option<&Law>) -> Option<Self> {
        if by.len() < 2 {
            return Some(Self { scale: 1.0, by });
        }
        if !HeadCount::counts_kinds(schema) {
            return None;
        }
        let plain = Self { scale: 1.0, by };
        let kinds = kinds(law?, schema);
        let contacted: Vec<f64> = kinds
            .iter()
            .map(|(values, share)| share / plain.product(values))
            .collect();
        let total: f64 = contacted.iter().sum();
        let mean = |(attribute, rates): &(usize, Vec<f64>)| {
            let rate = |values: &[u16]| rates[usize::from(values[*attribute])];
            let sum = kinds.iter().zip(&contacted);
            sum.map(|((values, _), weight)| weight * rate(values))
                .sum::<f64>()
                / total
        };
        let means: Vec<f64> = plain.by.iter().map(mean).collect();
        let scale = means[0] / means.iter().product::<f64>();
        Some(Self { scale, ..plain })
    }

    /// The rates by attribute; empty if there is one rate for all.
    #[must_use]
    pub fn rates(&self) -> &[(usize, Vec<f64>)] {
        &self.by
    }

    /// The rate of all people, if it is the same for all.
    #[must_use]
    pub fn overall(&self) -> Option<f64> {
        self.by.is_empty().then_some(self.scale)
    }

    fn product(&self, values: &[u16]) -> f64 {
        let rates = self.by.iter();
        rates
            .map(|(attribute, rates)| rates[usize::from(values[*attribute])])
            .product()
    }

    /// The share of the contacted who have these values and volunteer.
    #[must_use]
    pub fn of(&self, values: &[u16]) -> f64 {
        (self.scale * self.product(values)).min(1.0)
    }

    /// Returns the expected number of people contacted to get these volunteers.
    #[must_use]
    pub fn contacts(&self, came: &HeadCount) -> f64 {
        match &self.by[..] {
            [] => came.persons() as f64 / self.scale,
            [(attribute, rates)] => {
                let counts = &came.by_value()[*attribute];
                let groups = counts.iter().zip(rates);
                groups.map(|(&persons, rate)| persons as f64 / rate).sum()
            }
            _ => {
                let kinds = came.kinds();
                kinds
                    .map(|(values, persons)| persons as f64 / self.of(&values))
                    .sum()
            }
        }
    }

    /// The share of all contacted people who volunteer, if volunteers have this law.
    #[must_use]
    pub fn mean(&self, law: &Law, schema: &Schema) -> f64 {
        match &self.by[..] {
            [] => self.scale,
            [(attribute, rates)] => {
                let shares = &law.marginals(&schema.levels())[*attribute];
                let groups = shares.iter().zip(rates);
                1.0 / groups.map(|(share, rate)| share / rate).sum::<f64>()
            }
            _ => {
                let kinds = kinds(law, schema);
                let contacts = kinds.iter().map(|(values, share)| share / self.of(values));
                1.0 / contacts.sum::<f64>()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::protocol::Attribute;

    fn schema() -> Arc<Schema> {
        let attribute = |name: &str| Attribute {
            name: name.into(),
            values: vec!["a".into(), "b".into()],
        };
        Arc::new(Schema::new(vec![attribute("x"), attribute("y")], vec![], false).unwrap())
    }

    #[test]
    fn each_volunteer_answers_for_those_of_their_group_who_do_not() {
        let schema = schema();
        let by = Volunteering::by(vec![(1, vec![0.1, 0.5])], &schema, None).unwrap();
        // 2 of 20 and 8 of 16: 10 of 36.
        let law = Law::Product(vec![vec![0.7, 0.3], vec![0.2, 0.8]]);
        assert!((by.mean(&law, &schema) - 10.0 / 36.0).abs() < 1e-15);
        assert_eq!(by.of(&[0, 1]), 0.5);
        let all = Volunteering::of_all(0.1);
        assert_eq!((all.of(&[0, 0]), all.mean(&law, &schema)), (0.1, 0.1));
        assert_eq!((all.overall(), by.overall()), (Some(0.1), None));
    }

    /// A population of which each kind volunteers at its own rate; attributes say nothing of each
    /// other in it. From the rates by each attribute alone the rates of the kinds come back.
    #[test]
    fn rates_by_several_attributes_are_those_of_bayes() {
        let schema = schema();
        let (of_x, of_y, all) = ([0.4, 0.6], [0.7, 0.3], 0.05);
        let factors = ([0.5, 4.0 / 3.0], [0.8, 22.0 / 15.0]);
        let mut cells = Vec::new();
        for (x, y) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let rate = all * factors.0[x] * factors.1[y];
            cells.push(((2 * x + y) as u32, of_x[x] * of_y[y] * rate / all));
        }
        let law = Law::Cells(cells);
        let rates = |factors: [f64; 2]| factors.map(|factor| all * factor).to_vec();
        let by = vec![(0, rates(factors.0)), (1, rates(factors.1))];
        let found = Volunteering::by(by.clone(), &schema, Some(&law)).unwrap();
        for (x, y) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let right = all * factors.0[x] * factors.1[y];
            assert!((found.of(&[x as u16, y as u16]) - right).abs() < 1e-15);
        }
        assert!((found.mean(&law, &schema) - all).abs() < 1e-15);
        assert_eq!(Volunteering::by(by, &schema, None), None);
    }
}
