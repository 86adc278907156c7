//! Entries by value, `{ by = "gender", of = { F = …, M = … } }`: one for each value of an
//! attribute.

use super::meant;
use crate::document::param::Shape;
use crate::document::{ConfigKey, Field, Later, Value};
use kleroterion_core::nearest::advice;
use kleroterion_core::protocol::Attribute;
use kleroterion_core::source::population::ByValue;

pub(super) const BY: ConfigKey<Later> = ConfigKey::later("by", Shape::Text)
    .about("the attribute that decides")
    .needed();

/// The key of the entries, which have this shape.
pub(super) const fn of(entries: Shape, about: &'static str) -> ConfigKey<Later> {
    ConfigKey::later("of", entries)
        .about(about)
        .needed_like("of = { F = …, M = … }")
}

/// Reads one entry for all people, or one for each value of an attribute if the attributes are
/// known. Notes problems with entries in either case.
pub(super) fn by_value<T>(
    field: &Field<'_>,
    attributes: Option<&[Attribute]>,
    mut read: impl FnMut(&Field<'_>) -> Option<T>,
) -> Option<ByValue<T>> {
    match field.value()? {
        Value::Table(table) if table.get(BY.name()).is_some() => {}
        _ => return read(field).map(ByValue::All),
    }
    let mut table = field.table()?;
    let by = BY.field(&mut table);
    let of = self::of(Shape::Any, "").field(&mut table);
    table.finish();
    let things = of.table().map(|mut things| {
        let things = things.rest();
        let read = things.iter().map(|(key, field)| (&*key.name, read(field)));
        read.collect::<Vec<_>>()
    });
    let attributes = attributes?;
    let places: Vec<usize> = (0..attributes.len()).collect();
    let words = attributes.iter().map(|one| one.name.as_str()).zip(places);
    let attribute = by.choice(&words.collect::<Vec<_>>())?;
    let values = &attributes[attribute].values;
    let mut things = things?;
    let mut is_sound = true;
    let known: Vec<&str> = values.iter().map(String::as_str).collect();
    let of_value = |name: &str| meant::value(&attributes[attribute], name);
    for (name, _) in things.iter().filter(|(name, _)| of_value(name).is_none()) {
        let what = format!("{} has no value {name}", attributes[attribute].name);
        of.refuse(what, advice(name, &known, "values"));
        is_sound = false;
    }
    let in_order = values.iter().enumerate().map(|(nth, value)| {
        let at = things
            .iter()
            .position(|(name, _)| of_value(name) == Some(nth));
        if at.is_none() {
            let what = format!("`{}` says nothing of {value}", of.path());
            of.refuse(what, format!("give each value one: {}", known.join(", ")));
        }
        things.swap_remove(at?).1
    });
    let in_order: Vec<Option<T>> = in_order.collect();
    let of = in_order.into_iter().collect::<Option<Vec<T>>>()?;
    is_sound.then_some(ByValue::Each { attribute, of })
}
