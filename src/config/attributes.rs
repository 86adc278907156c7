//! `[source.attributes]`: how columns become attributes.

use crate::document::{Field, Reader};
use crate::record::{AttributeSpec, Levels};

/// The attributes, each with its column and levels.
pub(super) fn attributes_of(mut table: Reader<'_>) -> Option<Vec<AttributeSpec>> {
    let rest = table.rest();
    if rest.is_empty() {
        table.refuse(
            "no attribute is named",
            "for example: sex = { column = \"SEX\" }",
        );
        return None;
    }
    let read: Vec<_> = rest
        .iter()
        .map(|(key, field)| {
            let mut table = field.table()?;
            let column = table.need("column", "column = \"SEX\"").text();
            let levels = levels(&mut table);
            table.finish();
            Some(AttributeSpec {
                name: key.name.clone(),
                column: column?.to_owned(),
                levels: levels?,
            })
        })
        .collect();
    read.into_iter().collect()
}

fn levels(table: &mut Reader<'_>) -> Option<Levels> {
    let (values, bands) = (table.get("values"), table.get("bands"));
    let made = match (values.is_given(), bands.is_given()) {
        (false, false) => return Some(Levels::Distinct),
        (true, true) => {
            bands.refuse("values and bands can't both be given", "keep one of them");
            return None;
        }
        (true, false) => {
            let pairs = values.pairs(|value| value.text().map(str::to_owned))?;
            Levels::values(pairs)
        }
        (false, true) => {
            let pairs = bands.pairs(|band| {
                let ends = band.each(Field::number)?;
                let [from, to] = ends[..] else {
                    return band.expected("two numbers, [from, to)");
                };
                Some((from, to))
            })?;
            Levels::bands(
                pairs
                    .into_iter()
                    .map(|(name, (from, to))| (name, from, to))
                    .collect(),
            )
        }
    };
    match made {
        Ok(levels) => Some(levels),
        Err(errors) => {
            let field = if values.is_given() { values } else { bands };
            for error in errors {
                field.refuse(error.what, error.help);
            }
            None
        }
    }
}
