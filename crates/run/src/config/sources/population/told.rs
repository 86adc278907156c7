//! The fields of a table of people, before they are read.

use super::keys::{ERRORS, FEATURES, MERIT, MISREAD, SCORE};
use super::numbers::NamedFeature;
use crate::document::{Field, Reader};
use kleroterion_core::protocol::Attribute;

/// The fields on the laws, besides those of attributes.
pub(super) struct Told<'a> {
    pub(super) features: Field<'a>,
    pub(super) merit: Field<'a>,
    pub(super) score: Field<'a>,
    pub(super) misread: Field<'a>,
    pub(super) errors: Field<'a>,
}

impl<'a> Told<'a> {
    pub(super) fn of(table: &mut Reader<'a>) -> Self {
        Self {
            features: FEATURES.field(table),
            merit: MERIT.field(table),
            score: SCORE.field(table),
            misread: MISREAD.field(table),
            errors: ERRORS.field(table),
        }
    }

    /// Returns true if a field on numbers is given.
    pub(super) fn numbers(&self) -> bool {
        let fields = [&self.features, &self.merit, &self.score, &self.errors];
        fields.into_iter().any(Field::is_given)
    }
}

/// The columns of people.
pub(super) struct Columns {
    pub(super) attributes: Vec<Attribute>,
    pub(super) features: Vec<NamedFeature>,
}

impl Columns {
    /// The names of the features.
    pub(super) fn names(&self) -> Vec<String> {
        names(&self.features)
    }
}

pub(super) fn names(features: &[NamedFeature]) -> Vec<String> {
    let columns = features.iter().flat_map(|feature| &feature.columns);
    columns.cloned().collect()
}
