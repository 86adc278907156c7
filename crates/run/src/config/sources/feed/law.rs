//! The assumed law of the people of a feed: `shares` or `joint`, as for generated people.

use std::sync::Arc;

use crate::config::context::Context;
use crate::config::joint::{JOINT, moved};
use crate::config::meant;
use crate::config::sources::categorical::{SHARES, read_law};
use crate::document::{Field, Reader};
use kleroterion_core::nearest::nearest;
use kleroterion_core::protocol::{Attribute, Law, Schema};
use kleroterion_io::record::alike::alike;

/// The law, where one is assumed, and a note that it is.
#[derive(Default)]
pub(super) struct Assumed {
    pub(super) law: Option<Arc<Law>>,
    pub(super) note: Option<String>,
}

/// Reads the assumed law. `schema` holds the columns of the people, if they could be read.
pub(super) fn assumed(
    table: &mut Reader<'_>,
    schema: Option<&Arc<Schema>>,
    context: &Context<'_>,
) -> Option<Assumed> {
    let (of_one, of_types) = (SHARES.field(table), JOINT.field(table));
    let (key, field) = match (of_one.is_given(), of_types.is_given()) {
        (false, false) => return Some(Assumed::default()),
        (true, true) => {
            return of_types.refused(
                "`joint` and `shares` can't both be given in [source]",
                "keep one of shares, joint",
            );
        }
        (true, false) => (SHARES.name(), of_one),
        (false, true) => (JOINT.name(), of_types),
    };
    if context.pool.is_some() {
        return field.refused(
            "a pool decides who applies, so nothing can be assumed of their shares",
            format!("leave out `{key}`, or [pool]"),
        );
    }
    let ((attributes, law), is_sound) = read_law(key, &field, context)?;
    if !is_sound {
        return None;
    }
    let schema = schema?;
    let places = places(&attributes, schema, &field)?;
    let law = moved(law, &attributes, schema.attributes(), &places)?;
    let note = format!(
        "the shares of those who come are assumed (`{key}`), and the policies that use \
         them are told so"
    );
    Some(Assumed {
        law: Some(Arc::new(law)),
        note: Some(note),
    })
}

/// Returns, for each attribute of the law, its place in the schema and those of its values. Notes
/// names that do not fit. A value that the law does not name has no share.
fn places(
    named: &[Attribute],
    schema: &Schema,
    field: &Field<'_>,
) -> Option<Vec<(usize, Vec<u16>)>> {
    let mut sound = true;
    let known = || schema.attributes().iter().map(|one| one.name.as_str());
    let mut unknown = |what: String, word: &str, names: Vec<&str>| {
        let list = names.join(", ");
        let help = match nearest(word, names) {
            Some(near) => format!("did you mean `{near}`? There are {list}"),
            None => format!("there are {list}"),
        };
        field.refuse(what, help);
        sound = false;
    };
    let mut places = Vec::new();
    for Attribute { name, values } in named {
        let Some(at) = meant::attribute(schema, name) else {
            let what = format!("[source.attributes] has no attribute `{name}`");
            unknown(what, name, known().collect());
            continue;
        };
        let attribute = &schema.attributes()[at];
        let mut found = Vec::new();
        for value in values {
            match meant::value(attribute, value) {
                Some(index) => found.push(index as u16),
                None => {
                    let what = format!("the attribute `{name}` has no value `{value}`");
                    unknown(
                        what,
                        value,
                        attribute.values.iter().map(String::as_str).collect(),
                    );
                }
            }
        }
        places.push((at, found));
    }
    for name in known().filter(|name| !named.iter().any(|one| alike(&one.name, name))) {
        field.refuse(
            format!("nothing is assumed of the attribute `{name}`"),
            "give the shares of every attribute, or of none",
        );
        sound = false;
    }
    sound.then_some(places)
}
