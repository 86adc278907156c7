//! Tables of attributes, each a table of its values, checked against the people.

use super::meant;
use crate::document::{Field, all_read};
use kleroterion_core::nearest::nearest_value;
use kleroterion_core::protocol::Schema;

/// The entries for values of attributes: the index of an attribute, and a row with an entry for
/// each of its values.
pub(super) type ByValue<T> = Vec<(usize, Vec<Option<T>>)>;

/// Reads `{ age = { "18-29" = … } }`; attributes and values that the people don't have are noted,
/// and, where `each` is to be given, values that are not. Without a schema what is given of values
/// is checked alone.
pub(super) fn values_of<'a, T: Clone>(
    field: &Field<'a>,
    schema: Option<&Schema>,
    each: bool,
    read: impl Fn(&Field<'a>) -> Option<T>,
) -> Option<ByValue<T>> {
    let of_attribute = |of: &Field<'a>, name: &str| {
        let attribute = schema.map(|schema| (meant::attribute(schema, name), schema.attributes()));
        let known = match attribute {
            Some((Some(at), all)) => Some((at, &all[at])),
            Some((None, all)) => {
                let what = format!("there is no attribute `{name}`");
                of.refused(what, advice(name, all.iter().map(|a| a.name.as_str())))
            }
            None => None,
        };
        let mut row = vec![None; known.map_or(0, |(_, one)| one.values.len())];
        let mut is_whole = known.is_some();
        let mut missing: Vec<&str> = known.map_or_else(Vec::new, |(_, one)| {
            one.values.iter().map(String::as_str).collect()
        });
        for (key, value) in of.table()?.rest() {
            let read = read(&value);
            let Some((_, one)) = known else {
                continue;
            };
            match meant::value(one, &key.name) {
                Some(at) => {
                    missing.retain(|missing| *missing != one.values[at]);
                    row[at].clone_from(&read);
                }
                None => {
                    let what = format!("{name} has no value `{}`", key.name);
                    let known = one.values.iter().map(String::as_str);
                    value.refuse(what, advice(&key.name, known));
                    is_whole = false;
                }
            }
            is_whole &= read.is_some();
        }
        if each && !missing.is_empty() {
            let what = format!("nothing is given of {name} {}", missing.join(", "));
            of.refuse(what, "give a number for each value of the attribute");
            is_whole = false;
        }
        known.filter(|_| is_whole).map(|(at, _)| (at, row))
    };
    let attributes = field.table()?.rest();
    all_read(
        attributes
            .iter()
            .map(|(key, of)| of_attribute(of, &key.name)),
    )
}

/// The nearest of the known names, or all of them.
pub(super) fn advice<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    match nearest_value(name, known.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are: {}", known.collect::<Vec<_>>().join(", ")),
    }
}
