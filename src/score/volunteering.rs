//! Who of those contacted volunteers.

/// The share of those contacted who volunteer.
#[derive(Clone, Debug, PartialEq)]
pub enum Volunteering {
    /// The same of all groups, in (0, 1].
    All(f64),
    /// A share in (0, 1] for each value of an attribute.
    By {
        /// Index of the attribute.
        attribute: usize,
        /// A share a value.
        rates: Vec<f64>,
    },
}

impl Volunteering {
    /// How many were contacted, in expectation, for `persons` volunteers, who number `by_value` of
    /// each value of each attribute.
    #[must_use]
    pub fn contacts(&self, persons: u64, by_value: &[Vec<u64>]) -> f64 {
        match self {
            Self::All(rate) => persons as f64 / rate,
            Self::By { attribute, rates } => {
                let groups = by_value[*attribute].iter().zip(rates);
                groups.map(|(&persons, rate)| persons as f64 / rate).sum()
            }
        }
    }

    /// The share of all who are contacted, where volunteers have these shares of each value of each
    /// attribute.
    #[must_use]
    pub fn mean(&self, marginals: &[Vec<f64>]) -> f64 {
        match self {
            Self::All(rate) => *rate,
            Self::By { attribute, rates } => {
                let groups = marginals[*attribute].iter().zip(rates);
                1.0 / groups.map(|(share, rate)| share / rate).sum::<f64>()
            }
        }
    }

    /// The share of the contacted who have these values and volunteer.
    #[must_use]
    pub fn of(&self, values: &[u16]) -> f64 {
        match self {
            Self::All(rate) => *rate,
            Self::By { attribute, rates } => rates[usize::from(values[*attribute])],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_volunteer_answers_for_those_of_their_group_who_do_not() {
        let by = Volunteering::By {
            attribute: 1,
            rates: vec![0.1, 0.5],
        };
        let counts = [vec![7, 3], vec![2, 8]];
        assert_eq!(by.contacts(10, &counts), 36.0);
        assert_eq!(Volunteering::All(0.1).contacts(10, &counts), 100.0);
        // 2 of 20 and 8 of 16: 10 of 36.
        let shares = [vec![0.7, 0.3], vec![0.2, 0.8]];
        assert!((by.mean(&shares) - 10.0 / 36.0).abs() < 1e-15);
        assert_eq!(by.of(&[0, 1]), 0.5);
    }
}
