//! A column of probabilities in a respondents file.

use std::path::Path;

use super::lottery::{note, probability};
use crate::people::table::LoadError;
use crate::people::table::sheet::{Sheet, SheetRow};
use crate::record::cell::shown;
use crate::record::file::How;

/// Returns the probability in a column for each respondent, in the order of
/// [`RespondentsSpec::load`](super::RespondentsSpec::load). `section` is the section of the config
/// that names the column. `kept` are the numbers of the rows that are respondents, from 1, in
/// order.
///
/// # Errors
/// All that is wrong: a column that is missing or there twice, rows of too few or too many fields,
/// cells that are no number from 0 to 1, and whatever keeps the file from being read.
pub fn chances(
    path: &Path,
    how: &How,
    name: &str,
    section: &str,
    kept: &[u64],
) -> Result<Vec<f64>, LoadError> {
    let mut sheet = Sheet::open(path, "each person", how)?;
    let Some(column) = sheet.need(name, &format!("`column` of {section}")) else {
        return Err(sheet.tally.finish().into());
    };
    let rows = sheet.rows(&[column]);
    let mut chances = Vec::with_capacity(rows.len());
    sheet.note_marks(&rows, 0, column);
    let delimiter = sheet.delimiter();
    let is_kept = |row: &&SheetRow| kept.binary_search(&row.number).is_ok();
    for row in rows.iter().filter(is_kept) {
        let cell = row.cells[0].as_str();
        let chance = probability(cell, delimiter).ok();
        let chance = chance.filter(|chance| (0.0..=1.0).contains(chance));
        if chance.is_none() {
            let what = match cell {
                "" => format!("the cell of `{name}` is blank"),
                _ => format!("`{name}` is no probability: {}", shown(cell)),
            };
            note(row, column, what, "write a number from 0 to 1", &mut sheet);
        }
        chances.extend(chance);
    }
    sheet.tally.finish().or(chances).map_err(LoadError::from)
}
