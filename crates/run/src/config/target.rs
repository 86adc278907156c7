//! The section `[target]`: the shares that a committee is to have.

use super::handed::HandedIn;
use super::layout::EXACT;
use super::memory;
use super::organiser::{
    self, CATEGORIES, FLEXIBLE, INTERSECTIONS, INTERSECTIONS_SHEET, OrganiserTarget, SHEET,
};
use super::others::{OTHERS, Others};
use super::shares::{Shares, shares};
use crate::document::param::Shape;
use crate::document::range::NOT_NEGATIVE;
use crate::document::{ConfigKey, Reader, Value};
use crate::keys;
use kleroterion_core::protocol::{Quota, Schema};
use kleroterion_io::people::organisers::Categories;
use kleroterion_io::record::alike::alike;

const FROM: ConfigKey<()> = ConfigKey::word("from", &[("weights", ())]).needed();

/// `[target]`.
pub(super) const TARGET: Shape = Shape::OneOf(&[
    Shape::Table(organiser::KEYS),
    Shape::Table(keys![FROM]),
    Shape::Open(keys![OTHERS], &Shape::Map(&Shape::Number(NOT_NEGATIVE))),
]);

/// A target as the config has it.
pub(super) enum Wanted {
    /// Written out, and what becomes of people whom they do not name.
    Shares(Vec<Shares>, Others),
    /// Quotas and shares from an organiser's files.
    Organiser(Box<OrganiserTarget>),
    /// The weighted shares of the source's file.
    FromWeights,
}

/// Reads the target; `inputs`: where files are, `members`: the committee's size,
/// where known.
pub(super) fn read(
    mut table: Reader<'_>,
    inputs: &HandedIn,
    members: Option<u64>,
) -> Option<Wanted> {
    // An attribute may have the name of a key: then it is a table.
    let is_word = |value: Option<&Value>| !matches!(value, None | Some(Value::Table(_)));
    let categories = CATEGORIES.param.peek(&table);
    if is_word(categories) || memory::name(categories).is_some() {
        let target = OrganiserTarget::read(table, inputs, members)?;
        return Some(Wanted::Organiser(Box::new(target)));
    }
    let keys = [
        INTERSECTIONS.param,
        FLEXIBLE.param,
        SHEET.param,
        INTERSECTIONS_SHEET.param,
        EXACT.param,
    ];
    if let Some(param) = keys.into_iter().find(|param| is_word(param.peek(&table))) {
        let key = param.key;
        let what = format!("`{key}` goes with quotas of a file, and [target] names none");
        let help = "for example: categories = \"categories.csv\"";
        return param.field(&mut table).refused(what, help);
    }
    if is_word(FROM.param.peek(&table)) {
        if CATEGORIES.param.peek(&table).is_none() {
            // The advice for an unknown key names it too.
            CATEGORIES.param.again(&mut table);
        }
        let wanted = FROM.value(&mut table);
        table.finish();
        return wanted.map(|()| Wanted::FromWeights);
    }
    let others = match is_word(OTHERS.param.peek(&table)) {
        true => OTHERS.read(&mut table).or(Others::Allow),
        false => Some(Others::Allow),
    };
    let shares = shares(table, "[target]")?;
    if shares.is_empty() {
        return None;
    }
    Some(Wanted::Shares(shares, others?))
}

impl Wanted {
    /// The shares that are written or follow from quotas.
    pub(super) fn written(&self) -> &[Shares] {
        match self {
            Self::Shares(all, _) => all,
            Self::Organiser(target) => &target.shares,
            Self::FromWeights => &[],
        }
    }

    /// The written shares of an attribute.
    pub(super) fn of(&self, attribute: &str) -> Option<&Shares> {
        let mut all = self.written().iter();
        all.find(|shares| alike(&shares.attribute, attribute))
    }

    /// Returns true if the shares are as written.
    pub(super) fn is_sound(&self) -> bool {
        match self {
            Self::Shares(all, _) => all.iter().all(|shares| shares.sound),
            Self::Organiser(_) | Self::FromWeights => true,
        }
    }

    /// The treatment of people with values that the target does not name.
    pub(super) fn others(&self) -> Others {
        match self {
            Self::Shares(_, others) => *others,
            Self::Organiser(target) => target.others(),
            Self::FromWeights => Others::Allow,
        }
    }

    /// An organiser's files, where the target is from them.
    pub(super) fn organiser(&self) -> Option<&OrganiserTarget> {
        match self {
            Self::Organiser(target) => Some(target),
            Self::Shares(..) | Self::FromWeights => None,
        }
    }

    /// The categories file, where the target is one.
    pub(super) fn categories(&self) -> Option<&Categories> {
        Some(&self.organiser()?.categories)
    }

    /// The quotas of the files, a row for each attribute of the schema.
    pub(super) fn quotas(&self, schema: &Schema) -> Option<Vec<Vec<Quota>>> {
        Some(self.organiser()?.quotas(schema, |listed| listed.quota))
    }
}
