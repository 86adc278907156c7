//! Separators in numbers that may be for thousands or for decimals.

use super::column::number;
use super::names::{UNKNOWN, plain};
use super::sheet::InitFile;
use kleroterion_io::record::cell::shown;
use kleroterion_io::record::decimal::{Thousands, pointed};

impl InitFile {
    /// The sentence on a column that would be of numbers if none of them could be two; none of
    /// other columns.
    pub(super) fn either(&self, at: usize) -> Option<String> {
        let mark = self.mark?;
        let column = &self.columns[at];
        let both = |cell: &str| pointed(cell, mark).err();
        let is_number = |cell: &String| {
            cell.is_empty()
                || number(cell, Some(mark)).is_some()
                || both(cell).is_some()
                || UNKNOWN.has(&plain(cell))
        };
        let mut cells = column.cells.iter().zip(&self.lines);
        let found = cells.find_map(|(cell, line)| Some((cell, line, both(cell)?)));
        let (cell, line, [parts, whole]) = found.filter(|_| column.cells.iter().all(is_number))?;
        let [cell, parts, whole] = [cell, &parts, &whole].map(|number| shown(number));
        Some(format!(
            "{cell} in line {line} may be {parts} or {whole}: write all of its cells as one of these"
        ))
    }

    /// The sentence on a column of numbers whose marks no cell tells apart from those between
    /// thousands; none of other columns.
    pub(super) fn unsure(&self, at: usize) -> Option<String> {
        self.mark.filter(|mark| *mark != b',')?;
        let column = &self.columns[at];
        column.numbers()?;
        let mut thousands = Thousands::default();
        column.cells.iter().for_each(|cell| thousands.meet(cell));
        thousands.said()
    }
}
