//! The columns of the context and of the group.

use crate::BadParameters;
use kleroterion_core::protocol::{Schema, Shown};

/// The attribute of a candidate's group and the size of its context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contexts {
    attribute: usize,
    groups: usize,
    dimension: usize,
}

impl Contexts {
    /// Makes contexts of the features, with the values of `attribute` (its index in the schema) as
    /// groups.
    ///
    /// # Errors
    /// Returns an error if there are no features or no attribute of that index.
    pub fn of(schema: &Schema, attribute: usize) -> Result<Self, BadParameters> {
        let values = schema.attributes().get(attribute);
        let groups = values.map_or(0, |attribute| attribute.values.len());
        let dimension = schema.features().len();
        let mut wrong = BadParameters::default();
        wrong.demand(
            "the group's attribute",
            attribute as f64,
            groups > 0,
            "an attribute of the candidates",
        );
        wrong.demand(
            "the number of features",
            dimension as f64,
            dimension > 0,
            "1 or more: contexts are the features",
        );
        wrong.or(Self {
            attribute,
            groups,
            dimension,
        })
    }

    /// The number of groups.
    #[must_use]
    pub fn groups(&self) -> usize {
        self.groups
    }

    /// The length d of a context.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The group of a candidate, from 0.
    #[inline]
    pub(super) fn group(&self, person: Shown<'_>) -> usize {
        usize::from(person.values()[self.attribute])
    }

    /// The context of a candidate, where all of it is finite.
    #[inline]
    pub(super) fn context<'a>(&self, person: Shown<'a>) -> Option<&'a [f64]> {
        let context = person.features();
        context.iter().all(|x| x.is_finite()).then_some(context)
    }
}
