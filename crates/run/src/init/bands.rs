//! The conversion of ranges in quotas, "18-34" or "60 und älter", to bands of numbers.

use super::column::Column;
use super::names::same;
use super::role::ColumnBands;
use kleroterion_io::people::organisers::Category;
use kleroterion_io::record::interval;

/// Returns the bands of a column of numbers for a category whose values are all ranges. `None` if a
/// value is not a range, ranges overlap, or the cells are the values themselves.
pub(super) fn of_quotas(column: &Column, category: &Category) -> Option<ColumnBands> {
    if !column.is_mostly_of_numbers() {
        return None;
    }
    let is_value = |cell: &String| category.values.iter().any(|value| same(&value.name, cell));
    let mut cells = column.cells.iter();
    if cells.all(|cell| cell.is_empty() || is_value(cell)) {
        return None;
    }
    interval::bands(category.values.iter().map(|value| &*value.name))
}
