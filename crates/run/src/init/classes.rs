//! The role of a column as guessed from its cells, if neither the user nor the quotas name one.

use super::column::Column;
use super::names::{
    AGES, AMOUNTS, CONTACT_WORDS, CONTACTS, COUNTERS, GROUPS, HOUSEHOLDS, SCORES, STREETS,
    ends_with, is_of_address, plain,
};
use super::role::{ColumnBands, ColumnRole, GuessedRole, Misfit};
use super::sheet::InitFile;

/// Codes of groups that a column of numbers has at most.
const CODES: usize = 6;

/// The fewest steps that make a scale.
const FEWEST_STEPS: usize = 4;

/// The role of a column by its name and its cells. `has_id`: whether another column names people.
pub(super) fn class(sheet: &InitFile, at: usize, has_id: bool) -> ColumnRole {
    let column = &sheet.columns[at];
    let name = plain(&column.name);
    let of = ColumnRole::new;
    let counts = sheet.counts_rows(at) && (has_id || COUNTERS.has(&name));
    match () {
        () if column.filled() == 0 => of(GuessedRole::Out, "no cell holds anything"),
        () if counts => of(GuessedRole::Counter, "it counts the rows"),
        () if column.name.is_empty() => of(GuessedRole::Out, "it has no name"),
        () => by_name(column, &name).unwrap_or_else(|| by_cells(sheet, at, &name)),
    }
}

/// The role that a name gives, where the cells fit it.
fn by_name(column: &Column, name: &str) -> Option<ColumnRole> {
    let of = |role, why| Some(ColumnRole::new(role, why));
    if column.is_of_mail() {
        return of(GuessedRole::Contact, "its cells are e-mail addresses");
    }
    let is_household = HOUSEHOLDS.has(name);
    let is_street = STREETS.has(name);
    let are_many = column.different > 1 && column.different * 3 > column.filled();
    if (is_household && are_many) || (is_street && column.has_house_numbers()) {
        return of(GuessedRole::Household, "by its name: those of one address");
    }
    if is_street && are_many {
        return of(
            GuessedRole::Contact,
            "by its name; without numbers of houses it is no household",
        );
    }
    if CONTACTS.has(name) || CONTACT_WORDS.are_in(name) {
        return of(GuessedRole::Contact, "by its name");
    }
    None
}

/// The role that cells give, by what they are and how many differ.
fn by_cells(sheet: &InitFile, at: usize, name: &str) -> ColumnRole {
    let column = &sheet.columns[at];
    let of = ColumnRole::new;
    if column.is_of_dates() {
        return of(GuessedRole::Out, "its cells are dates");
    }
    if column.different == 1 {
        let why = match column.blank {
            0 => "it is the same in every row".to_owned(),
            blank => format!("it has one value, and {blank} cells are blank"),
        };
        return of(GuessedRole::Out, &why);
    }
    if let Some(numbers) = column.numbers() {
        return of_numbers(column, name, numbers);
    }
    if let Some(why) = sheet.either(at) {
        return of(GuessedRole::Out, &why);
    }
    match column.categories() {
        Some(values) => of(
            GuessedRole::AttributeColumn,
            &format!("it has {} values", values.len()),
        ),
        None if column.different == column.filled() => {
            of(GuessedRole::Out, "its cells differ in each row")
        }
        None => {
            let why = format!(
                "text: {} different cells in {} rows",
                column.different, sheet.people
            );
            of(GuessedRole::Out, &why)
        }
    }
}

/// The role of a column of numbers: amounts and scales are measured, codes group people.
fn of_numbers(column: &Column, name: &str, numbers: &[f64]) -> ColumnRole {
    let of = |role, why: String| ColumnRole::new(role, why);
    let (steps, range) = (
        column.steps(),
        format!("{} to {}", numbers[0], numbers[numbers.len() - 1]),
    );
    if let Some(bands) = age_bands(name, numbers) {
        let mut role = of(
            GuessedRole::AttributeColumn,
            format!("its numbers are ages, from {range}"),
        );
        role.bands = bands;
        return role;
    }
    let few = column.categories().is_some();
    match steps.len() {
        _ if AMOUNTS.has(name) || SCORES.has(name) => of(
            GuessedRole::Number,
            format!("by its name: numbers from {range}"),
        ),
        n if few && GROUPS.has(name) => of(
            GuessedRole::AttributeColumn,
            format!("by its name: {n} codes"),
        ),
        n if few && n <= 2 => of(
            GuessedRole::AttributeColumn,
            format!("its numbers are {n} codes"),
        ),
        _ if column.is_scale(FEWEST_STEPS) => {
            of(GuessedRole::Number, format!("a scale from {range}"))
        }
        n if few && n <= CODES => of(
            GuessedRole::AttributeColumn,
            format!("its numbers are {n} codes"),
        ),
        _ => of(GuessedRole::Number, format!("numbers from {range}")),
    }
}

/// Returns true if a column whose name is the surest of all names people, however many rows have
/// one id.
pub(super) fn may_be_id(sheet: &InitFile, at: usize) -> bool {
    let (_, different) = sheet.distinct(at);
    different > 1 && sheet.columns[at].blank * 2 <= sheet.people
}

/// Returns true if a column names people. `by_name` is true if its name says so. Some rows may then
/// share an id or lack one, which is found later.
pub(super) fn is_id(sheet: &InitFile, at: usize, by_name: bool) -> bool {
    let column = &sheet.columns[at];
    let (filled, different) = sheet.distinct(at);
    let surplus = filled - different;
    if by_name {
        return may_be_id(sheet, at) && surplus <= (filled / 4).max(1);
    }
    let name = plain(&column.name);
    let is_other = CONTACT_WORDS.are_in(&name)
        || CONTACTS.has(&name)
        || is_of_address(&name)
        || column.is_of_mail();
    let is_nearly = surplus <= if filled < 20 { 0 } else { (filled / 20).max(1) };
    let names = match column.numbers() {
        None => column.is_of_names() && !column.is_of_dates(),
        Some(numbers) => are_in_a_row(numbers),
    };
    // A row may be there twice; where many are, they are people who are alike.
    let are_people = sheet.repeats() <= (sheet.people / 10).max(1);
    are_people
        && !name.is_empty()
        && !is_other
        && different > 2
        && column.blank == 0
        && is_nearly
        && names
}

/// Returns true if the numbers count rows: whole numbers without gaps, from 0, 1 or a thousand.
fn are_in_a_row(numbers: &[f64]) -> bool {
    let mut steps = numbers.to_vec();
    steps.dedup();
    let least = steps[0];
    (least <= 1.0 || least >= 1_000.0)
        && least.fract() == 0.0
        && steps.windows(2).all(|pair| pair[1] - pair[0] == 1.0)
}

/// The bands of an attribute that the user names: of ages, of other numbers that are many in
/// thirds; none where its values are names.
///
/// # Errors
/// Where its cells make no groups: what is wrong, and what to do.
pub(super) fn attribute_bands(column: &Column) -> Result<ColumnBands, Misfit> {
    let ages = column
        .numbers()
        .and_then(|numbers| age_bands(&plain(&column.name), numbers));
    if let Some(bands) = ages {
        return Ok(bands);
    }
    if column.categories().is_some_and(|values| values.len() > 1) {
        return Ok(Vec::new());
    }
    thirds(column).ok_or_else(|| {
        let (name, different, filled) = (&column.name, column.different, column.filled());
        let what = format!(
            "`{name}` makes no groups: it has {different} different cells in {filled} rows"
        );
        let help = "name a column with 2 to 16 values that several rows have, or one of numbers";
        (what, help.into())
    })
}

/// The bands of ages, those with people.
fn age_bands(name: &str, ages: &[f64]) -> Option<ColumnBands> {
    let is_age = AGES.has(name) || ends_with(name, "age") && name.split(' ').count() == 2;
    let (least, greatest) = (*ages.first()?, *ages.last()?);
    if !is_age || least < 0.0 || greatest > 120.0 {
        return None;
    }
    let bounds = [0.0, 18.0, 35.0, 60.0, f64::INFINITY];
    let names = ["under 18", "18-34", "35-59", "60+"];
    let bands = names.into_iter().zip(bounds.windows(2));
    let inhabited =
        bands.filter(|(_, band)| ages.iter().any(|age| (band[0]..band[1]).contains(age)));
    let bands: ColumnBands = inhabited
        .map(|(name, band)| (name.to_owned(), band[0], band[1]))
        .collect();
    (bands.len() > 1).then_some(bands)
}

/// Numbers in three bands that hold about as many people each.
pub(super) fn thirds(column: &Column) -> Option<ColumnBands> {
    let numbers = column.numbers()?;
    let quantile = |third: usize| numbers[numbers.len() * third / 3];
    let (first, second) = (quantile(1), quantile(2));
    (numbers[0] < first && first < second).then(|| {
        vec![
            ("low".into(), f64::NEG_INFINITY, first),
            ("middle".into(), first, second),
            ("high".into(), second, f64::INFINITY),
        ]
    })
}
