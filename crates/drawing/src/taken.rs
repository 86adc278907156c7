//! The columns that a draw takes from the organiser's file of people: those that decide. Names,
//! addresses and telephone numbers are not copied.

use std::collections::BTreeSet;
use std::path::Path;

use serde::{Deserialize, Serialize};

use kleroterion_core::problem::{Problem, Problems};
use kleroterion_io::people::table::{LoadError, RawRows};
use kleroterion_io::record::file::{How, MemoryTable};
use kleroterion_io::record::{SheetWriter, fold};

/// The name of the column of a table of which no column decides: the number of the row.
const ROW: &str = "row";

/// The columns that a draw takes from the organiser's file of people, and the format of that file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommittedPeople {
    /// The columns that decide, in the order of the file. No other column is among the inputs.
    pub columns: Vec<String>,
    /// The delimiter between fields, if the config sets it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delimiter: Option<char>,
    /// The sheet of a workbook, if the config names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
    /// The names of all columns, if the file has no header.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub names: Option<Vec<String>>,
    /// The columns that name households, if they matter. The inputs replace their cells by numbers,
    /// from 1 in the order of first mention.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub households: Vec<String>,
    /// The number of rows left out by conditions on data that could identify a person. The inputs
    /// have a column of yes and no in place of these conditions. `None` if there is no column of
    /// this kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<usize>,
}

impl CommittedPeople {
    /// The rows of the organiser's file, or of the table that is `held` in its place.
    ///
    /// # Errors
    /// Where it can't be read so.
    pub(super) fn rows(
        &self,
        path: &Path,
        held: Option<&MemoryTable>,
    ) -> Result<RawRows, LoadError> {
        let how = How {
            delimiter: self.delimiter.and_then(|mark| u8::try_from(mark).ok()),
            sheet: self.sheet.clone(),
            held: held.cloned(),
            ..How::default()
        };
        RawRows::read(path, &how, self.names.as_deref())
    }

    /// Adds the columns of a file that a config asks for by `names`.
    pub(super) fn taking(mut self, rows: &RawRows, names: &[String]) -> Self {
        let wanted: BTreeSet<String> = names.iter().map(|name| fold(name)).collect();
        let taken = rows
            .names
            .iter()
            .filter(|name| wanted.contains(&fold(name)));
        self.columns = taken.cloned().collect();
        self
    }

    /// The columns that decide of some rows, as CSV in UTF-8 with a header, and those of the draw's own;
    /// `left_out`: which rows are.
    ///
    /// # Errors
    /// The rows that have not a cell for each column, by their numbers from 1.
    pub(super) fn reduced(&self, rows: &RawRows, left_out: &[bool]) -> Result<Vec<u8>, Vec<usize>> {
        let mut places: Vec<usize> = Vec::new();
        for column in &self.columns {
            let named = (0..rows.names.len()).filter(|at| rows.names[*at] == *column);
            let new: Vec<usize> = named.filter(|at| !places.contains(at)).collect();
            places.extend(new);
        }
        let mut sheet = SheetWriter::to(Vec::new());
        let mut write = |cells: Vec<String>, one: String, own: Vec<String>| {
            let cells = if cells.is_empty() { vec![one] } else { cells };
            let cells = cells.into_iter().chain(own);
            sheet.row(cells).expect("memory takes every row");
        };
        let header = places.iter().map(|at| rows.names[*at].clone());
        write(header.collect(), ROW.to_owned(), self.own_columns(rows));
        let mut ragged = Vec::new();
        let own = self.own_cells(rows, left_out);
        for ((number, row), own) in (1..).zip(&rows.rows).zip(own) {
            let cells = rows.cells(row);
            if cells.len() != rows.names.len() {
                ragged.push(number);
                continue;
            }
            let taken = places.iter().map(|at| cells[*at].clone());
            write(taken.collect(), number.to_string(), own);
        }
        match ragged.is_empty() {
            true => Ok(sheet.into_inner().expect("memory takes every row")),
            false => Err(ragged),
        }
    }

    /// The rows of a file, where the columns that decide are as they are in `inputs`.
    ///
    /// # Errors
    /// Where it can't be read, or differs, why.
    pub(super) fn held(&self, path: &Path, inputs: &[u8]) -> Result<RawRows, String> {
        let rows = self.rows(path, None).map_err(|error| {
            let first = error.problems.0.first();
            first.map_or_else(
                || "it can't be read".to_owned(),
                |problem| problem.what.clone(),
            )
        })?;
        let decide: Vec<&str> = self
            .columns
            .iter()
            .chain(&self.households)
            .map(|name| &**name)
            .collect();
        let of_homes = match &*self.households {
            [] => String::new(),
            homes => format!(" or the households ({})", homes.join(", ")),
        };
        let columns = format!("({}){of_homes}", self.columns.join(", "));
        let has = |name: &str| rows.names.iter().any(|known| fold(known) == fold(name));
        if let Some(missing) = decide.iter().find(|name| !has(name)) {
            return Err(format!("it has no column `{missing}`"));
        }
        match self.reduced(&rows, &self.marked(inputs)) {
            Ok(reduced) if reduced == inputs => Ok(rows),
            Ok(reduced) => {
                let mut lines = reduced
                    .split(|b| *b == b'\n')
                    .zip(inputs.split(|b| *b == b'\n'));
                let row = lines.position(|(found, due)| found != due);
                let at = match row {
                    Some(row) => format!(", first in row {row}"),
                    None => String::new(),
                };
                Err(format!("the columns that decide {columns} differ{at}"))
            }
            Err(ragged) => Err(format!("row {} has not a cell for each column", ragged[0])),
        }
    }
}

/// Returns the problems of rows whose length differs from that of the header.
pub(super) fn ragged(path: &Path, rows: &[usize]) -> Problems {
    let few: Vec<String> = rows.iter().take(5).map(usize::to_string).collect();
    let more = rows.len().saturating_sub(few.len());
    let others = match more {
        0 => String::new(),
        more => format!(" and {more} others"),
    };
    let what = format!(
        "these rows have not a cell for each column: {}{others}",
        few.join(", ")
    );
    let help = "give each row as many cells as the header has";
    Problem::of_file(path, what).help(help).into()
}
