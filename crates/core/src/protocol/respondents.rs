//! Respondents: people known before the first of them arrives.

use std::sync::Arc;

use super::schema::row;

/// The people who may come, each once, if all of them are known beforehand.
///
/// A respondent is named by a number from 0, the row in the file of people;
/// [`Shown::respondent`](super::Shown::respondent) gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Respondents {
    width: usize,
    values: Vec<u16>,
    households: Option<Vec<u32>>,
    names: Arc<[Box<str>]>,
}

impl Respondents {
    /// Makes respondents from the values of each (one per attribute, in one row after another), the
    /// household of each, and the name of each. Households are given if at most one person of each
    /// may be chosen.
    ///
    /// # Panics
    /// Panics if these have different numbers of people.
    #[must_use]
    pub fn new(
        width: usize,
        values: Vec<u16>,
        households: Option<Vec<u32>>,
        names: Arc<[Box<str>]>,
    ) -> Self {
        assert_eq!(values.len(), width * names.len(), "a value an attribute");
        if let Some(households) = &households {
            assert_eq!(households.len(), names.len(), "a household each");
        }
        Self {
            width,
            values,
            households,
            names,
        }
    }

    /// The number of respondents.
    #[must_use]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Returns true if there are no respondents.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The values of a respondent, one per attribute.
    #[must_use]
    pub fn values(&self, respondent: u32) -> &[u16] {
        row(&self.values, self.width, respondent as usize)
    }

    /// The household of each, if at most one person of each may be chosen.
    #[must_use]
    pub fn households(&self) -> Option<&[u32]> {
        self.households.as_deref()
    }

    /// The name of each respondent.
    #[must_use]
    pub fn names(&self) -> &Arc<[Box<str>]> {
        &self.names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_has_its_values_household_and_name() {
        let names: Arc<[Box<str>]> = ["a", "b"].map(Into::into).into();
        let two = Respondents::new(2, vec![0, 1, 2, 3], Some(vec![7, 8]), Arc::clone(&names));
        assert_eq!((two.len(), two.is_empty()), (2, false));
        assert_eq!((two.values(0), two.values(1)), (&[0, 1][..], &[2, 3][..]));
        assert_eq!((two.households(), two.names()), (Some(&[7, 8][..]), &names));
        let none = Respondents::new(2, vec![], None, [].into());
        assert_eq!((none.len(), none.is_empty()), (0, true));
        assert_eq!(none.households(), None);
    }
}
