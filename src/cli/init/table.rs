//! The tables that `klero init` reads.

use std::path::{Path, PathBuf};

use kleroterion::init::{QuotaColumns, is_of_quotas};
use kleroterion::people::organisers::{Categories, MembersBy, QuotaSpec};
use kleroterion::problem::{Problem, Problems};
use kleroterion::record::file::{Grid, How};

use super::args::InitArgs;
use super::asked;
use super::named::Named;
use crate::cli::show;

/// A file of quotas.
pub(super) struct QuotaTable {
    pub(super) path: PathBuf,
    /// The sheet, if the file is a workbook.
    pub(super) sheet: Option<String>,
    pub(super) columns: QuotaColumns,
    pub(super) categories: Categories,
}

impl QuotaTable {
    /// Reads quotas. The role of each column is the user's, or else is guessed from its name, or
    /// else is asked for.
    pub(super) fn read(path: &Path, named: &Named, args: &InitArgs) -> Result<Self, Problems> {
        let (grid, how) = sheet_of(path, args.quotas_sheet.as_ref(), is_of_quotas)?;
        let mut columns = QuotaColumns::guess(path, &grid.rows[0], &named.quotas)?;
        if !columns.missing().is_empty() && asked::asks(args) {
            let answers = asked::quota_columns(&columns);
            let all: Vec<_> = named.quotas.iter().cloned().chain(answers).collect();
            columns = QuotaColumns::guess(path, &grid.rows[0], &all)?;
        }
        if !columns.missing().is_empty() {
            return Err(columns.unknown(path).into());
        }
        let spec = QuotaSpec {
            how: how.clone(),
            members: args.places,
            members_by: MembersBy::Places,
            columns: columns.names(),
            ..QuotaSpec::default()
        };
        let categories = Categories::read(path, &spec).map_err(Problems::from)?;
        for note in categories.notes() {
            show::say(&format!("quotas: {note}"));
        }
        if !columns.are_known() {
            columns.lines().iter().for_each(|line| show::say(line));
        }
        Ok(Self {
            path: path.to_owned(),
            sheet: how.sheet,
            columns,
            categories,
        })
    }
}

/// Reads people.
///
/// # Errors
/// Fails if the file can't be read, or holds quotas.
pub(super) fn people(path: &Path, args: &InitArgs) -> Result<Grid, Problems> {
    let (grid, _) = sheet_of(path, args.sheet.as_ref(), |grid| !is_of_quotas(grid))?;
    if !is_of_quotas(&grid) {
        return Ok(grid);
    }
    let what = "this file holds quotas and no people";
    let shown = path.display();
    let help = match &args.quotas {
        Some(other) if other != path => {
            format!("swap the two files: klero init {} {shown}", other.display())
        }
        _ => format!("name the people first, then the quotas: klero init people.csv {shown}"),
    };
    Err(Problem::of_file(path, what).help(help).into())
}

/// Reads a table and how it was read. Of a workbook it is the named sheet, or else the first one
/// that fits `is_it`, or else the first.
fn sheet_of(
    path: &Path,
    named: Option<&String>,
    is_it: impl Fn(&Grid) -> bool,
) -> Result<(Grid, How), Problems> {
    let read = |sheet: Option<&String>| {
        let how = How {
            sheet: sheet.cloned(),
            ..How::default()
        };
        let grid = Grid::read(path, &how).map_err(Problems::from)?;
        Ok::<_, Problems>((grid, how))
    };
    let mut first = read(named)?;
    // A config names the sheet of several, so that a new one before it changes nothing.
    if let Some((name, others)) = &first.0.read_as.sheet
        && !others.is_empty()
    {
        first.1.sheet = Some(name.clone());
    }
    let others = match &first.0.read_as.sheet {
        Some((_, others)) if named.is_none() && !is_it(&first.0) => others.clone(),
        _ => return Ok(first),
    };
    let mut others = others.iter().filter_map(|sheet| read(Some(sheet)).ok());
    Ok(others.find(|(grid, _)| is_it(grid)).unwrap_or(first))
}
