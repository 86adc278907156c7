//! A file of a panel: its members, one a row.

use std::collections::BTreeMap;
use std::path::Path;

use crate::record::file::How;
use crate::source::table::LoadError;
use crate::source::table::sheet::{Sheet, SheetRow};
use crate::source::table::tally::{At, CellRole, ProblemKind};

/// The members that a file of separated text names, as numbers of respondents: by its column `id`
/// or, without one, by the column that names most. `names`: of all respondents.
///
/// # Errors
/// All that is wrong: rows that name no respondent, or one of another row, and whatever keeps the
/// file from being read. Problems say where a name is, and not the name.
pub fn panel_members(path: &Path, names: &[Box<str>]) -> Result<Vec<u32>, LoadError> {
    let mut sheet = Sheet::open(path, "each member", &How::default())?;
    let numbers: BTreeMap<&str, u32> = names.iter().map(|name| &**name).zip(0..).collect();
    let columns: Vec<usize> = (0..sheet.columns().len()).collect();
    let rows = sheet.rows(&columns);
    let known = |column: usize| {
        let cells = rows.iter().map(|row| row.cells[column].as_str());
        cells.filter(|cell| numbers.contains_key(cell)).count()
    };
    // Of columns alike the first.
    let best = || {
        columns
            .iter()
            .copied()
            .rev()
            .max_by_key(|&column| known(column))
    };
    let column = sheet.find("id").or_else(best).unwrap_or(0);
    let mut lines: BTreeMap<u32, u64> = BTreeMap::new();
    let mut members = Vec::with_capacity(rows.len());
    for row in &rows {
        let mut note = |row: &SheetRow, what: String, help: &str| {
            let at = At::cell(row.line, Some(column as u64 + 1));
            let kind = ProblemKind::Cell(column, CellRole::Id);
            sheet.tally.note(kind, at, || (what, help.into()));
        };
        let Some(&member) = numbers.get(row.cells[column].as_str()) else {
            let help = "name members as `id` of [source] does, under a header";
            note(row, "no respondent has this name".into(), help);
            continue;
        };
        if let Some(line) = lines.insert(member, row.line) {
            let what = format!("the member of line {line} comes again");
            note(row, what, "keep one row a member");
        }
        members.push(member);
    }
    sheet.tally.finish().or(members).map_err(LoadError::from)
}
