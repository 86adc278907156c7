//! A table of words and counts, as text.

use super::figure::{Cell, FigureTable};
use super::grid::{GridColumn, render};
use super::medium::Medium;
use super::plain;

/// The table in the columns of a terminal, or as Markdown.
#[must_use]
pub fn words_table(table: &FigureTable, medium: &Medium) -> String {
    let columns = table.headers.iter().enumerate().map(|(at, head)| {
        let cells: Vec<&Cell> = table.rows.iter().filter_map(|row| row.get(at)).collect();
        let texts = cells.iter().map(|cell| plain(&cell.exact())).collect();
        match cells.iter().any(|cell| matches!(cell, Cell::Text(_))) {
            true => GridColumn::words(&plain(head), texts),
            false => GridColumn::numbers(&plain(head), texts),
        }
    });
    let mut lead: Vec<GridColumn> = columns.collect();
    let rest = lead.split_off(lead.len().min(1));
    render(&lead, &rest, medium)
}
