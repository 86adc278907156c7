//! Tests of roles and rows, as tables.

mod roles;
mod rows;

use std::path::Path;

use super::{HeaderRows, InitFile};
use kleroterion_io::record::file::{Form, Grid, GridRow, ReadAs};

/// A sheet of rows of cells separated by bars, the first with the names.
fn sheet(rows: &[String]) -> InitFile {
    let row = |(line, text): (u64, &String)| GridRow {
        line,
        cells: text.split('|').map(str::to_owned).collect(),
    };
    let grid = Grid {
        rows: (1..).zip(rows).map(row).collect(),
        read_as: ReadAs {
            form: Form::Separated { delimiter: b'|' },
            ..ReadAs::default()
        },
        ..Grid::default()
    };
    InitFile::of(Path::new("people.csv"), grid, Some(HeaderRows::First)).expect("a sheet")
}
