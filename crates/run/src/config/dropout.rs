//! The section `[dropout]`: the probability of each respondent to leave after becoming a member.

use super::handed::HandedIn;
use super::keys::people::{PATH, TYPE};
use super::layout::how;
use super::located::{find, loaded_or_note};
use super::values::{ByValue, values_of};
use crate::document::param::Shape;
use crate::document::range::PROBABILITY;
use crate::document::{ConfigKey, Field, Later, Reader};
use crate::keys;
use kleroterion_core::problem::Given;
use kleroterion_core::protocol::{Respondents, Schema};
use kleroterion_io::people::organisers::chances;

const RATE: ConfigKey<f64> =
    ConfigKey::number("rate", PROBABILITY).about("the probability that a member leaves");

const BY: ConfigKey<Later> =
    ConfigKey::later("by", Shape::Map(&Shape::Map(&Shape::Number(PROBABILITY))))
        .about("what each value adds: members stay with the product of all that they stay with");

/// The column of probabilities, of those who leave or of those who accept.
pub(super) const COLUMN: ConfigKey<Later> = ConfigKey::later("column", Shape::Text)
    .about("the column of the respondents file with each one's probability");

/// `[dropout]`.
pub(super) const DROPOUT: ConfigKey<Later> = ConfigKey::table("dropout", keys![RATE, BY, COLUMN])
    .about("how likely members are to leave, for alternates");

/// The respondents who may be members, and what they come from.
pub(super) struct Members<'a> {
    pub(super) schema: &'a Schema,
    /// The respondents, if they are known beforehand.
    pub(super) respondents: Option<&'a Respondents>,
    /// The number of each one's row in their file, from 1. Empty if they come from no file.
    pub(super) rows: &'a [u64],
    /// The section of the source.
    pub(super) source: Field<'a>,
    pub(super) inputs: &'a HandedIn,
}

/// Reads the probability of each respondent. Where the source can't be read, only what does
/// not need it is checked.
pub(super) fn read(mut table: Reader<'_>, members: Option<&Members<'_>>) -> Option<Vec<f64>> {
    let (rate, by) = (RATE.field(&mut table), BY.field(&mut table));
    let column = COLUMN.field(&mut table);
    let help = "for example: rate = 0.1, or by = { age = { \"18-29\" = 0.2 } }";
    let none = ("[dropout] does not say who leaves", help);
    let (base, rows) = rates(table, [&rate, &by, &column], members, Some(none))?;
    let members = members?;
    let Some(respondents) = members.respondents else {
        let place = [&rate, &by, &column]
            .into_iter()
            .find(|field| field.is_given());
        place?.refuse(
            "who may leave is not known beforehand",
            "take a source of type \"respondents\" or \"file\" in which each person comes once",
        );
        return None;
    };
    if column.is_given() {
        return of_column(&column, members, "[dropout]");
    }
    let (base, rows) = (base.or(0.0)?, rows.or(Vec::new())?);
    let chance = |respondent: u32| {
        let values = respondents.values(respondent);
        let stays = rows.iter().map(|(attribute, row)| {
            let leaves = row[usize::from(values[*attribute])];
            1.0 - leaves.unwrap_or(0.0)
        });
        1.0 - (1.0 - base) * stays.product::<f64>()
    };
    Some((0..respondents.len() as u32).map(chance).collect())
}

/// Reads `rate` and `by` and finishes the table. `none` says what is wrong if neither these nor
/// `column` are given, and the remedy.
pub(super) fn rates(
    table: Reader<'_>,
    [rate, by, column]: [&Field<'_>; 3],
    members: Option<&Members<'_>>,
    none: Option<(&str, &str)>,
) -> Option<(Given<f64>, Given<ByValue<f64>>)> {
    let base = RATE.given(rate);
    let is_given = [rate, by, column].iter().any(|key| key.is_given());
    // An unknown key is likely one of these.
    if let Some((what, help)) = none.filter(|_| !is_given && !table.has_others()) {
        table.refuse(what, help);
    }
    table.finish();
    let schema = members.map(|members| members.schema);
    let rows = by.optional(|by| values_of(by, schema, false, Field::probability));
    if column.is_given() && (rate.is_given() || by.is_given()) {
        let help = "keep one of them";
        return column.refused("`column` says all, so `rate` and `by` can't be given", help);
    }
    Some((base, rows))
}

/// The probabilities of a column of the respondents file, which a section of the config names.
pub(super) fn of_column(
    column: &Field<'_>,
    members: &Members<'_>,
    section: &'static str,
) -> Option<Vec<f64>> {
    let name = column.text()?;
    let mut source = members.source.table()?;
    if TYPE.param.again(&mut source).text() != Some("respondents") {
        let what = "`column` is one of a file of type \"respondents\"";
        return column.refused(
            what,
            "give rates by attribute: by = { age = { \"18-29\" = 0.2 } }",
        );
    }
    let path = PATH.param.again(&mut source);
    let found = find(&path, None, members.inputs)?;
    let how = found.how(how(&mut source, &path, members.inputs)?);
    let chances = chances(&found.path, &how, name, section, members.rows);
    loaded_or_note(chances, column)
}
