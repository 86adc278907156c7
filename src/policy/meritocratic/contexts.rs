//! Which columns are the context and the group, and what is wrong with a policy's parameters.

use crate::protocol::{Schema, Shown};

/// Where a candidate's context and group stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contexts {
    attribute: usize,
    groups: usize,
    dimension: usize,
}

impl Contexts {
    /// The features as contexts, the values of `attribute` (its index in the schema) as groups.
    ///
    /// # Errors
    /// Where there are no features or no such attribute.
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

    /// How many groups there are.
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

/// A parameter that a policy can't work with.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{name} is {value}; it has to be {wants}")]
pub struct BadParameter {
    /// Which.
    pub name: &'static str,
    /// What it is.
    pub value: f64,
    /// What it has to be.
    pub wants: &'static str,
}

/// All the parameters that a policy can't work with; never empty when it is an error.
#[derive(Clone, Debug, Default, PartialEq, thiserror::Error)]
#[error("{}", self.0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
pub struct BadParameters(pub Vec<BadParameter>);

impl BadParameters {
    /// Notes a parameter that is not as it has to be.
    pub(super) fn demand(
        &mut self,
        name: &'static str,
        value: f64,
        right: bool,
        wants: &'static str,
    ) {
        if !right {
            self.0.push(BadParameter { name, value, wants });
        }
    }

    /// Notes a regularisation lambda that is not a finite number above 0 (with 0 the first rounds' estimate is undefined).
    pub(super) fn demand_lambda(&mut self, lambda: f64) {
        let right = lambda.is_finite() && lambda > 0.0;
        self.demand("lambda", lambda, right, "a finite number above 0");
    }

    /// `value` where nothing is wrong.
    pub(super) fn or<T>(self, value: T) -> Result<T, Self> {
        if self.0.is_empty() {
            Ok(value)
        } else {
            Err(self)
        }
    }
}
