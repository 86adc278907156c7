//! The source `type = "arms"`: a given set of applicants with true utilities.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::kind::{SourceForm, SourceKind, SourceReader};
use crate::config::context::{Built, Context};
use crate::config::keys::people::VECTOR;
use crate::config::plan::{Merits, World};
use crate::document::param::{COUNT, Param, Shape};
use crate::document::range::{FINITE, NOT_NEGATIVE};
use crate::document::{ConfigKey, Field, Later, Reader};
use crate::keys;
use kleroterion_core::limits::MOST_SLATE;
use kleroterion_core::protocol::Known;
use kleroterion_core::score::Utilities;
use kleroterion_core::source::{ArmStream, Arms, Means, SourceMaker};

const N: ConfigKey<u64> = ConfigKey::whole("n", 1, MOST_SLATE as u64)
    .about("how many")
    .needed_like("n = 20");

const MEAN: ConfigKey<f64> = ConfigKey::number("mean", FINITE)
    .about("their mean")
    .needed_like("mean = 10.0");

const SD: ConfigKey<f64> = ConfigKey::number("sd", NOT_NEGATIVE)
    .about("their standard deviation")
    .needed_like("sd = 1.0");

const FROM: ConfigKey<f64> = ConfigKey::number("from", FINITE).needed_like("from = 0.0");

const TO: ConfigKey<f64> = ConfigKey::number("to", FINITE).needed_like("to = 1.0");

const NORMAL_KEYS: &[Param] = keys![N, MEAN, SD];

const LIST: ConfigKey<Later> = ConfigKey::later("list", VECTOR).needed();

const LINEAR: ConfigKey<Later> = ConfigKey::table("linear", keys![N, FROM, TO]).needed();

const NORMAL_QUANTILES: ConfigKey<Later> =
    ConfigKey::table("normal_quantiles", NORMAL_KEYS).needed();

const NORMAL: ConfigKey<Later> = ConfigKey::table("normal", NORMAL_KEYS).needed();

const MEANS: ConfigKey<Means> = ConfigKey::of(
    "means",
    Shape::OneOf(&[
        Shape::Table(keys![LIST]),
        Shape::Table(keys![LINEAR]),
        Shape::Table(keys![NORMAL_QUANTILES]),
        Shape::Table(keys![NORMAL]),
    ]),
    means,
)
.about("what the applicants are worth")
.needed_like("means = { linear = { n = 20, from = 0.0, to = 1.0 } }");

const MODULO: ConfigKey<Later> = ConfigKey::later("modulo", COUNT).needed();

const BLOCKS: ConfigKey<Later> = ConfigKey::later("blocks", COUNT).needed();

const NAMES: ConfigKey<Vec<String>> = ConfigKey::texts("list").needed();

const GROUPS: ConfigKey<Later> = ConfigKey::later(
    "groups",
    Shape::OneOf(&[
        Shape::Table(keys![MODULO]),
        Shape::Table(keys![BLOCKS]),
        Shape::Table(keys![NAMES]),
    ]),
)
.about("the group of each");

/// The kind of source.
pub(super) const KIND: SourceKind = SourceKind {
    name: "arms",
    about: "a given set of applicants with true utilities: by formula, listed, or drawn anew; \
         with groups",
    forms: &[SourceForm::Own(keys![MEANS, GROUPS])],
    can_be_pooled: false,
    read: SourceReader::BuiltIn(people),
};

fn people(mut table: Reader<'_>, context: &Context<'_>) -> Option<Built> {
    let field = MEANS.field(&mut table);
    let means = MEANS.value_of(&field);
    let grouped = GROUPS.field(&mut table);
    table.finish();
    let means = means?;
    let groups = grouped.optional(|field| groups(field, means.len()));
    let groups = groups.unless_bad()?;
    let slate = slate(means.len(), &field, context)?;
    let known = match &means {
        Means::Fixed(means) => Utilities::new(means.clone(), false),
        Means::Normal { .. } => None,
    };
    let merits = Merits::known(known.map(|known| known.in_slates(Some(slate))));
    let arms = Arms::new(means, groups).map_err(|error| {
        grouped.refuse(error.to_string(), "give fewer groups");
    });
    let arms = Arc::new(arms.ok()?);
    let schema = Arc::clone(arms.schema());
    let group = (!schema.attributes().is_empty()).then_some(0);
    let source: SourceMaker =
        Arc::new(move |key| Box::new(ArmStream::new(Arc::clone(&arms), key, slate)));
    let known = Known {
        group,
        ..Known::default()
    };
    Some(Built::of(World {
        merits,
        ..World::new(schema, known, source)
    }))
}

/// Returns the size of a slate: all applicants, or an equal part of them.
fn slate(n: u32, field: &Field<'_>, context: &Context<'_>) -> Option<u32> {
    let slate = context.slate.of(Some(n))?;
    if context.ruled && !n.is_multiple_of(slate) {
        return field.refused(
            format!("{n} applicants don't make slates of {slate}"),
            "set slate = \"all\" in [rules], or a number that divides theirs",
        );
    }
    Some(slate)
}

fn means(field: &Field<'_>) -> Option<Means> {
    let keys = [LINEAR, LIST, NORMAL_QUANTILES, NORMAL].map(|key| key.name());
    let (key, inner) = field.form(&[], &keys)?;
    if key == LIST.name() {
        let list = inner.each(Field::finite)?;
        if list.is_empty() || list.len() > MOST_SLATE as usize {
            return inner.refused(
                format!("{} applicants", list.len()),
                format!("give 1 to {MOST_SLATE}"),
            );
        }
        return Some(Means::Fixed(list));
    }
    let mut table = inner.table()?;
    let n = N.value(&mut table);
    let means = if key == LINEAR.name() {
        let (from, to) = (FROM.value(&mut table), TO.value(&mut table));
        table.finish();
        Means::linear(n? as u32, from?, to?)
    } else {
        let (mean, sd) = (MEAN.value(&mut table), SD.value(&mut table));
        table.finish();
        let (n, mean, sd) = (n? as u32, mean?, sd?);
        match key == NORMAL.name() {
            true => Means::Normal { n, mean, sd },
            false => Means::normal_quantiles(n, mean, sd),
        }
    };
    if let Means::Fixed(means) = &means
        && means.iter().any(|mean| !mean.is_finite())
    {
        return inner.refused("a utility beyond all numbers", "give smaller ones");
    }
    Some(means)
}

/// The names of the groups, and the group of each of `n` applicants.
fn groups(field: &Field<'_>, n: u32) -> Option<(Vec<String>, Vec<u16>)> {
    let keys = [MODULO.name(), NAMES.name(), BLOCKS.name()];
    let (key, inner) = field.form(&[], &keys)?;
    if key == NAMES.name() {
        let names = NAMES.of_value(&inner)?;
        if names.len() != n as usize {
            return inner.refused(
                format!("{} groups for {n} applicants", names.len()),
                "name the group of each",
            );
        }
        let mut values: BTreeMap<&String, usize> = BTreeMap::new();
        let mut order = Vec::new();
        let groups = names.iter().map(|name| {
            *values.entry(name).or_insert_with(|| {
                order.push(name.clone());
                order.len() - 1
            })
        });
        let groups: Vec<usize> = groups.collect();
        if order.len() > 1 << 16 {
            return inner.refused("more than 65,536 groups", "give fewer");
        }
        return Some((order, groups.into_iter().map(|g| g as u16).collect()));
    }
    let most = u64::from(n).min(1 << 16);
    let many = inner.whole_in(1..=most)? as u32;
    let group = |i: u32| match key == MODULO.name() {
        true => i % many,
        false => (u64::from(many) * u64::from(i) / u64::from(n)) as u32,
    };
    let values = (0..many).map(|g| g.to_string()).collect();
    Some((values, (0..n).map(|i| group(i) as u16).collect()))
}
