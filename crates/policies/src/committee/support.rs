//! The people who may ever come, so that a policy can say when waiting is in vain.

use std::sync::Arc;

use kleroterion_core::protocol::{Law, Schema};

/// The values of all who may ever come, a row each; unknown where the law is, or where they are too
/// many to list.
#[derive(Clone, Debug)]
pub(super) struct PossibleValues(Option<Arc<[Vec<u16>]>>);

impl PossibleValues {
    /// The cells of positive probability under a law.
    pub(super) fn new(schema: &Schema, law: Option<&Law>) -> Self {
        const MOST: u32 = 1 << 20;
        Self(match law {
            Some(Law::Cells(cells)) => {
                let cells = cells.iter().filter(|(_, share)| *share > 0.0);
                Some(cells.map(|(cell, _)| schema.values(*cell)).collect())
            }
            Some(Law::Product(marginals)) if schema.cells() <= MOST => {
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
