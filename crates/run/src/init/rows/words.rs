//! Descriptions of rows in words.

use crate::init::column::Column;
use crate::init::sheet::InitFile;
use kleroterion_core::nearest::joined;
use kleroterion_io::record::cell::without;

/// Lines that are listed one by one.
const LISTED: usize = 20;

/// The option of `klero init` that leaves out rows with a cell.
pub(super) fn option(column: &Column, cell: &str) -> String {
    let filter = without(&column.name, cell);
    format!("--where \"{}\"", filter.replace('"', "\\\""))
}

/// "line 3 is", "lines 3, 5 and 9 are".
pub(super) fn are(sheet: &InitFile, rows: &[usize]) -> String {
    lines(sheet, rows, ["is", "are"])
}

/// "line 3 has", "lines 3, 5 and 9 have".
pub(super) fn have(sheet: &InitFile, rows: &[usize]) -> String {
    lines(sheet, rows, ["has", "have"])
}

fn lines(sheet: &InitFile, rows: &[usize], [one, several]: [&str; 2]) -> String {
    let lines = rows.iter().take(LISTED).map(|row| sheet.lines[*row]);
    let mut listed: Vec<String> = lines.map(|line| line.to_string()).collect();
    let more = rows.len() - listed.len();
    listed.extend((more > 0).then(|| format!("{more} more")));
    match rows.len() {
        1 => format!("line {} {one}", listed[0]),
        _ => format!("lines {} {several}", joined(&listed)),
    }
}
