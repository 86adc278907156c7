//! The section `[source.attributes]`: the mapping from columns to attributes.

use super::layout;
use crate::document::param::{Param, Shape};
use crate::document::{ConfigKey, Field, Later, Reader, all_read};
use crate::keys;
use kleroterion_io::record::{AttributeSpec, LevelError, Levels};

const COLUMN: ConfigKey<String> = ConfigKey::text("column")
    .about("the column")
    .needed_like("column = \"SEX\"");

const VALUES: ConfigKey<Later> =
    ConfigKey::later("values", Shape::Map(&Shape::Text)).about("names of its values");

const BANDS: ConfigKey<Later> =
    ConfigKey::later("bands", Shape::Map(&Shape::Tuple(&Shape::Any, 2)))
        .about("names of ranges, [from, to)");

const EXACT: ConfigKey<bool> = layout::EXACT.or_from("that of the source");

/// `[source.attributes]`.
pub(super) const ATTRIBUTES: ConfigKey<Later> =
    ConfigKey::later("attributes", Shape::Map(&Shape::Table(ATTRIBUTE)))
        .about("how columns become attributes")
        .like(
            "[source.attributes] with sex = { column = \"SEX\", \
             values = { \"1\" = \"male\", \"2\" = \"female\" } }",
        )
        .needed();

const ATTRIBUTE: &[Param] = keys![COLUMN, VALUES, BANDS, EXACT];

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
        let mut table = field.table_of(ATTRIBUTE)?;
        let column = COLUMN.value(&mut table);
        let levels = levels(&mut table, is_exact);
        table.finish();
        Some(AttributeSpec {
            name: key.name.clone(),
            column: column?,
            levels: levels?,
        })
    }))
}

/// The names of an attribute's values, as the config gives them.
pub(super) fn values_of<'a>(attribute: &Field<'a>) -> Option<Field<'a>> {
    Some(VALUES.field(&mut attribute.table()?))
}

fn levels(table: &mut Reader<'_>, is_exact: bool) -> Option<Levels> {
    let (values, bands) = (VALUES.field(table), BANDS.field(table));
    let exact = EXACT.read(table).or(is_exact);
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
