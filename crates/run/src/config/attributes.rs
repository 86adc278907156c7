//! The section `[source.attributes]`: the mapping from columns to attributes.

use crate::document::{Field, Reader, all_read};
use kleroterion_io::record::{AttributeSpec, LevelError, Levels};

/// The attributes, each with its column and levels; `is_exact`: whether case, blanks and Unicode
/// form make a difference where an attribute does not say so.
pub(super) fn attributes_of(mut table: Reader<'_>, is_exact: bool) -> Option<Vec<AttributeSpec>> {
    let rest = table.rest();
    if rest.is_empty() {
        return table.refused(
            "no attribute is named",
            "for example: sex = { column = \"SEX\" }",
        );
    }
    all_read(rest.iter().map(|(key, field)| {
        let mut table = field.table()?;
        let column = table.need("column", "column = \"SEX\"").text();
        let levels = levels(&mut table, is_exact);
        table.finish();
        Some(AttributeSpec {
            name: key.name.clone(),
            column: column?.to_owned(),
            levels: levels?,
        })
    }))
}

fn levels(table: &mut Reader<'_>, is_exact: bool) -> Option<Levels> {
    let (values, bands) = (table.get("values"), table.get("bands"));
    let exact = table.get("exact").optional(Field::flag).or(is_exact);
    let made = match (values.is_given(), bands.is_given()) {
        (false, false) if exact? => return Some(Levels::Spelt),
        (false, false) => return Some(Levels::Distinct),
        (true, true) => {
            return bands.refused("values and bands can't both be given", "keep one of them");
        }
        (true, false) => {
            let pairs = values.pairs(|value| value.text().map(str::to_owned))?;
            match exact? {
                true => Levels::exact_values(pairs),
                false => Levels::values(pairs),
            }
        }
        (false, true) => return bands_of(&bands),
    };
    checked(made, &values)
}

/// The bands of an attribute: `{ "18-34" = [18, 35], "35+" = [35, inf] }`.
pub(super) fn bands_of(field: &Field<'_>) -> Option<Levels> {
    let pairs = field.pairs(|band| {
        let ends = band.each(Field::number)?;
        let [from, to] = ends[..] else {
            return band.expected("two numbers, [from, to)");
        };
        Some((from, to))
    })?;
    let bands = pairs.into_iter().map(|(name, (from, to))| (name, from, to));
    checked(Levels::bands(bands.collect()), field)
}

fn checked(made: Result<Levels, Vec<LevelError>>, field: &Field<'_>) -> Option<Levels> {
    made.map_err(|errors| {
        for error in errors {
            field.refuse(error.what, error.help);
        }
    })
    .ok()
}
