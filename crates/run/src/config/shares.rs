//! Shares of the values of attributes, as a config writes them.

use crate::catalog::short;
use crate::document::{Reader, all_read};
use kleroterion_core::problem::Place;

/// Shares may miss 1 by so much: they are often rounded to six digits.
pub(super) const SLACK: f64 = 1e-6;

/// A share (or weight) of each value of an attribute, as written.
pub(super) struct Shares {
    pub(super) attribute: String,
    pub(super) place: Place,
    pub(super) values: Vec<(String, f64)>,
    /// True if the shares are as written. Otherwise they could not be read or do not sum to 1, and
    /// a problem is noted. The names can still be checked then, but not the numbers.
    pub(super) sound: bool,
}

/// A table of attributes, each a table of shares that sum to 1; what is wrong with a share is
/// noted, and the names are given.
pub(super) fn shares(mut table: Reader<'_>, what: &str) -> Option<Vec<Shares>> {
    let attributes = table.rest();
    if attributes.is_empty() {
        table.refuse(
            format!("{what} names no attribute"),
            "for example: gender = { M = 0.49, F = 0.51 }",
        );
    }
    let read = attributes.iter().map(|(key, field)| {
        let values = field.pairs(|share| Some(share.not_negative()))?;
        if values.is_empty() {
            return field.refused(format!("{} has no values", key.name), "name at least one");
        }
        let shares: Option<Vec<f64>> = values.iter().map(|(_, share)| *share).collect();
        let sum = shares.as_ref().map(|shares| shares.iter().sum::<f64>());
        let sound = sum.is_some_and(|sum| (sum - 1.0).abs() <= SLACK);
        if let Some(sum) = sum.filter(|_| !sound) {
            field.refuse(
                format!("the shares of {} sum to {}, not to 1", key.name, short(sum)),
                "make them sum to 1",
            );
        }
        let equal = 1.0 / values.len() as f64;
        let share = |share: Option<f64>| match (share, sum) {
            (Some(share), Some(sum)) if sound => share / sum,
            _ => equal,
        };
        Some(Shares {
            attribute: key.name.clone(),
            place: field.place().clone(),
            values: values.into_iter().map(|(v, x)| (v, share(x))).collect(),
            sound,
        })
    });
    all_read(read)
}
