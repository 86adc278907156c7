//! The information of an interview.

use super::persons::Shown;

/// The gain of a kind of interview: an interview of gain s is worth s interviews of gain 1
/// (Schumann et al. 2019, Section 3).
///
/// "The information gain from expending the same resource may vary over applicants" (their Section
/// 8): it may depend on a candidate's values as shown, which policies see too.
#[derive(Clone, Debug, PartialEq)]
pub enum Gain {
    /// The same gain for every candidate.
    Same(f64),
    /// A gain for each value of an attribute as shown.
    ByValue {
        /// The attribute's place in the schema.
        attribute: usize,
        /// The gain for each of its values.
        of: Box<[f64]>,
    },
}

impl Gain {
    /// Returns the gain of an interview of a candidate.
    ///
    /// # Panics
    /// Panics if the candidate is of another schema.
    #[inline]
    #[must_use]
    pub fn at(&self, shown: Shown<'_>) -> f64 {
        match self {
            Self::Same(gain) => *gain,
            Self::ByValue { attribute, of } => of[usize::from(shown.values()[*attribute])],
        }
    }

    /// Returns true if the gain is the same for every candidate.
    #[inline]
    #[must_use]
    pub fn is_same(&self) -> bool {
        matches!(self, Self::Same(_))
    }

    /// All possible gains.
    #[must_use]
    pub fn all(&self) -> &[f64] {
        match self {
            Self::Same(gain) => std::slice::from_ref(gain),
            Self::ByValue { of, .. } => of,
        }
    }

    /// The greatest possible gain.
    #[must_use]
    pub fn greatest(&self) -> f64 {
        self.all().iter().copied().fold(f64::MIN, f64::max)
    }

    /// The least possible gain.
    #[must_use]
    pub fn least(&self) -> f64 {
        self.all().iter().copied().fold(f64::MAX, f64::min)
    }
}

impl From<f64> for Gain {
    fn from(gain: f64) -> Self {
        Self::Same(gain)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::persons::Persons;
    use super::super::schema::{Attribute, Schema};
    use super::*;

    #[test]
    fn a_gain_is_one_number_or_one_of_each_value() {
        let attribute = |name: &str| Attribute {
            name: name.into(),
            values: vec!["x".into(), "y".into(), "z".into()],
        };
        let attributes = vec![attribute("a"), attribute("b")];
        let schema = Arc::new(Schema::new(attributes, vec![], false).unwrap());
        let mut persons = Persons::new(Arc::clone(&schema), 0);
        for values in [[0, 1], [1, 2], [2, 0]] {
            persons.push(schema.cell(&values), &values, &[], None);
        }
        let at = |gain: &Gain| [0, 1, 2].map(|row| gain.at(persons.shown(row)));
        let same = Gain::from(2.0);
        assert_eq!((at(&same), same.all()), ([2.0; 3], &[2.0][..]));
        assert_eq!(
            (same.is_same(), same.least(), same.greatest()),
            (true, 2.0, 2.0)
        );
        let each = Gain::ByValue {
            attribute: 1,
            of: [3.0, 0.5, 4.0].into(),
        };
        assert_eq!(
            (at(&each), each.all()),
            ([0.5, 4.0, 3.0], &[3.0, 0.5, 4.0][..])
        );
        assert_eq!(
            (each.is_same(), each.least(), each.greatest()),
            (false, 0.5, 4.0)
        );
    }
}
