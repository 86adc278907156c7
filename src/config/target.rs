//! `[target]`: the shares that a committee is to have.

use std::path::Path;

use super::located::{find, loaded_or_note};
use crate::catalog::short;
use crate::document::{Reader, Value};
use crate::problem::Place;
use crate::protocol::{Attribute, Quota, Schema, Side};
use crate::source::organisers::Categories;

/// Shares may miss 1 by so much: they are often rounded to six digits.
pub(super) const SLACK: f64 = 1e-6;

/// A share (or weight) of each value of an attribute, as written.
pub(super) struct Shares {
    pub(super) attribute: String,
    pub(super) place: Place,
    pub(super) values: Vec<(String, f64)>,
    /// Whether the shares are as written. Where they can't be read or don't sum to 1, which is
    /// noted, they stand in for what is meant: names can be held against them, numbers can't.
    pub(super) sound: bool,
}

/// A target as the config has it.
pub(super) enum Wanted {
    /// Written out.
    Shares(Vec<Shares>),
    /// From a categories file, with the shares that follow from its quotas.
    Categories(Categories, Vec<Shares>),
    /// The weighted shares of the source's file.
    FromWeights,
}

/// Reads the target; `folder`: where files are looked for first, `members`: the committee's size,
/// where known.
pub(super) fn read(mut table: Reader<'_>, folder: &Path, members: Option<u64>) -> Option<Wanted> {
    let file = table.get("categories");
    if matches!(file.value(), Some(value) if !matches!(value, Value::Table(_))) {
        table.finish();
        let path = find(&file, None, folder)?;
        let categories = loaded_or_note(Categories::load(&path, members), &file)?;
        let shares = shares_of(&categories);
        return Some(Wanted::Categories(categories, shares));
    }
    if table.get("from").is_given() {
        let wanted = table.get("from").choice(&[("weights", ())]);
        table.finish();
        return wanted.map(|()| Wanted::FromWeights);
    }
    let shares = shares(table, "[target]")?;
    if shares.is_empty() {
        return None;
    }
    Some(Wanted::Shares(shares))
}

/// The shares of a categories file.
fn shares_of(categories: &Categories) -> Vec<Shares> {
    let rows = categories.attributes().iter().zip(categories.targets());
    rows.map(|(category, row)| Shares {
        attribute: category.name.clone(),
        place: categories.place(&category.values[0], Side::Min),
        values: category
            .values
            .iter()
            .zip(row)
            .map(|(value, share)| (value.name.clone(), share))
            .collect(),
        sound: true,
    })
    .collect()
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
            field.refuse(format!("{} has no values", key.name), "name at least one");
            return None;
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
    let read: Vec<_> = read.collect();
    read.into_iter().collect()
}

impl Wanted {
    /// The written shares of an attribute.
    pub(super) fn of(&self, attribute: &str) -> Option<&Shares> {
        match self {
            Self::Shares(all) | Self::Categories(_, all) => {
                all.iter().find(|shares| shares.attribute == attribute)
            }
            Self::FromWeights => None,
        }
    }

    /// Whether its shares are as written.
    pub(super) fn is_sound(&self) -> bool {
        match self {
            Self::Shares(all) => all.iter().all(|shares| shares.sound),
            Self::Categories(..) | Self::FromWeights => true,
        }
    }

    /// The categories file, where the target is one.
    pub(super) fn categories(&self) -> Option<&Categories> {
        match self {
            Self::Categories(categories, _) => Some(categories),
            Self::Shares(_) | Self::FromWeights => None,
        }
    }

    /// The quotas of the file, a row an attribute of the schema; no person may have a value that the
    /// file does not list, and an attribute that it does not list has no quotas.
    pub(super) fn quotas(&self, schema: &Schema) -> Option<Vec<Vec<Quota>>> {
        let categories = self.categories()?;
        let row = |attribute: &Attribute| match self.of(&attribute.name) {
            None => Vec::new(),
            Some(_) => {
                let quota = |value: &String| {
                    let listed = categories.value(&attribute.name, value);
                    listed.map_or(Quota { min: 0, max: 0 }, |listed| listed.quota)
                };
                attribute.values.iter().map(quota).collect()
            }
        };
        Some(schema.attributes().iter().map(row).collect())
    }
}
