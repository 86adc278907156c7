//! A file of past reviews, one review per row, as checked text.

use super::table::LoadError;
use super::table::sheet::Sheet;
use super::table::tally::{At, CellRole, ProblemKind};
use crate::record::cell::shown;
use crate::record::decimal::bounded;

/// A column: its name, and the part of the config or command that asks for it.
pub(crate) type Wanted<'a> = (&'a str, &'a str);

/// The columns of a file of reviews; only applicants and scores are required.
pub struct ReviewColumns<'a> {
    /// The column of the applicant who was reviewed.
    pub applicant: Wanted<'a>,
    /// The column of the kind of interview.
    pub kind: Option<Wanted<'a>>,
    /// The column of the score, a number.
    pub score: Wanted<'a>,
    /// The column of the review's cost, a number above 0.
    pub cost: Option<Wanted<'a>>,
}

/// A review; a column that was not asked for is blank.
#[derive(Clone, Debug, PartialEq)]
pub struct Review {
    /// The name of the applicant.
    pub applicant: String,
    /// The kind of interview.
    pub kind: String,
    /// The score.
    pub score: f64,
    /// The cost of the review; `None` if no column of costs was asked for.
    pub cost: Option<f64>,
}

/// Reads the reviews of a file, in the order of its rows; at least one.
///
/// # Errors
/// All that is wrong: columns that are missing or there twice; rows of too few or too many fields;
/// applicants and kinds without a name; scores that are no finite number; costs that are no
/// positive one; no row.
pub fn reviews(mut sheet: Sheet, wanted: &ReviewColumns<'_>) -> Result<Vec<Review>, LoadError> {
    let wanted = [
        Some(wanted.applicant),
        wanted.kind,
        Some(wanted.score),
        wanted.cost,
    ];
    let mut columns = Vec::new();
    let slots = wanted.map(|wanted| {
        let (name, user) = wanted?;
        columns.push(sheet.need(name, user)?);
        Some((columns.len() - 1, name))
    });
    let mut reviews = Vec::new();
    let rows = sheet.rows(&columns);
    for (slot, _) in slots[2..].iter().flatten() {
        sheet.note_marks(&rows, *slot, columns[*slot]);
    }
    let delimiter = sheet.delimiter();
    for row in rows {
        let mut cell =
            |which: usize, role: CellRole, read: &dyn Fn(&str) -> Result<f64, String>| {
                let (slot, name) = slots[which]?;
                let text = row.cells[slot].as_str();
                let at = At::cell(row.line, Some(columns[slot] as u64 + 1));
                let explain = |what: String| {
                    let what = match text {
                        "" => format!("the cell of `{name}` is blank"),
                        _ => format!("{} in `{name}` {what}", shown(text)),
                    };
                    (what, HELP[which].to_owned())
                };
                match read(text) {
                    Ok(number) => Some((text.to_owned(), number)),
                    Err(what) => {
                        sheet
                            .tally
                            .note(ProblemKind::Cell(slot, role), at, || explain(what));
                        None
                    }
                }
            };
        let applicant = cell(0, CellRole::Id, &named);
        let kind = cell(1, CellRole::Attribute(0), &named);
        let score = cell(2, CellRole::Number(0), &|cell| bounded(cell, delimiter));
        let cost = cell(3, CellRole::Number(1), &|cell| positive(cell, delimiter));
        if let (Some((applicant, _)), Some((_, score))) = (applicant, score) {
            reviews.push(Review {
                applicant,
                kind: kind.map(|(kind, _)| kind).unwrap_or_default(),
                score,
                cost: cost.map(|(_, cost)| cost),
            });
        }
    }
    match sheet.tally.is_empty() {
        true => Ok(reviews),
        false => Err(sheet.tally.finish().into()),
    }
}

/// The advice for an unreadable cell, column by column.
const HELP: [&str; 4] = [
    "name the applicant: reviews of one applicant have the same text",
    "name the kind, as in weak or strong",
    "write a number, or leave the row out",
    "write a number above 0, in minutes or money, or leave the column out",
];

fn named(cell: &str) -> Result<f64, String> {
    match cell {
        "" => Err("is blank".into()),
        _ => Ok(0.0),
    }
}

fn positive(cell: &str, delimiter: u8) -> Result<f64, String> {
    match bounded(cell, delimiter)? {
        number if number <= 0.0 => Err("is not above 0".into()),
        number => Ok(number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_any_text_and_a_cost_is_above_0() {
        assert!(named("").is_err());
        assert!(named("0").is_ok());
        assert_eq!(positive("2.5", b','), Ok(2.5));
        for wrong in ["", "0", "-1", "two", "inf"] {
            assert!(positive(wrong, b',').is_err(), "{wrong}");
        }
    }
}
