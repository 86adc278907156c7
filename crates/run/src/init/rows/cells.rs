//! Cells that need attention: blanks, slips of the pen, and values and numbers that the quotas do
//! not name.

use super::RowFaults;
use super::words::{have, option};
use crate::init::column::Column;
use crate::init::names::{UNKNOWN, plain, same};
use crate::init::role::AttributeColumn;
use crate::init::sheet::InitFile;
use kleroterion_core::nearest::nearest_value;
use kleroterion_io::people::organisers::Category;
use kleroterion_io::record::cell::{shown, spelt};
use kleroterion_io::record::fold;
use kleroterion_io::record::interval::{Interval, bands};
use kleroterion_io::record::look::{has_look_alike, look_alike};

/// Rows that a slip of the pen has at most.
const SLIPS: usize = 2;

impl RowFaults {
    /// Cells of an attribute that are blank, or that stand for an unknown number.
    pub(super) fn blanks(&mut self, sheet: &InitFile, attribute: &AttributeColumn) {
        let column = &sheet.columns[attribute.column];
        let is_unknown = |cell: &str| !attribute.bands.is_empty() && UNKNOWN.has(&plain(cell));
        let blank = column.rows(|cell| cell.is_empty() || is_unknown(cell));
        if blank.is_empty() {
            return;
        }
        self.said.push(format!(
            "{} no `{}`: left out",
            have(sheet, &blank),
            column.name
        ));
        self.leave_out(column, &blank);
    }

    /// Cells that are near a value of the quotas, or else one that many rows have, and are there
    /// once or twice.
    pub(super) fn slips(&mut self, sheet: &InitFile, at: usize, category: Option<&Category>) {
        let column = &sheet.columns[at];
        if let Some(category) = category {
            let names = names(category);
            for rows in self.others(column, category) {
                let near = slip_of(&column.cells[rows[0]], &names);
                if let Some(near) = near.filter(|_| rows.len() <= SLIPS) {
                    self.slip(sheet, column, &rows, near);
                }
            }
            return;
        }
        let values = column.categories().unwrap_or_default();
        for (value, count) in values.iter().filter(|(_, count)| *count <= SLIPS) {
            let often = values.iter().filter(|(_, n)| *n >= 8 && *n >= count * 5);
            let often: Vec<&str> = often.map(|(value, _)| &**value).collect();
            if let Some(near) = slip_of(value, &often) {
                self.slip(sheet, column, &column.rows(|cell| same(cell, value)), near);
            }
        }
        for (value, _) in values.iter().filter(|(value, _)| has_look_alike(value)) {
            let look = look_alike(value, values.iter().map(|(other, _)| &**other));
            if let Some((_, why)) = look.filter(|_| !self.is_left(column, value)) {
                let (value, name) = (shown(value), &column.name);
                self.said.push(format!(
                    "{value} in `{name}`: {why}, so these are two values; write both alike if they are one"
                ));
            }
        }
    }

    /// Returns true if all rows with this cell are left out.
    fn is_left(&self, column: &Column, cell: &str) -> bool {
        let rows = column.rows(|other| same(other, cell));
        self.staying(rows).is_empty()
    }

    fn slip(&mut self, sheet: &InitFile, column: &Column, rows: &[usize], near: &str) {
        let have = have(sheet, rows);
        let (cell, name) = (&column.cells[rows[0]], &column.name);
        let why = look_alike(cell, [near]).map_or_else(String::new, |(_, why)| format!(" ({why})"));
        self.said.push(format!(
            "{have} {} in `{name}`, a slip for {}{why}: left out; correct the file and run `klero init` again to keep them",
            shown(cell),
            shown(near)
        ));
        self.leave_out(column, rows);
    }

    /// The rows of each value of a column that the quotas do not name.
    fn others(&self, column: &Column, category: &Category) -> Vec<Vec<usize>> {
        let names = names(category);
        let is_named = |cell: &str| names.iter().any(|name| same(name, cell));
        let others = column.rows(|cell| !cell.is_empty() && !is_named(cell));
        column.by_cell(self.staying(others))
    }

    /// Values of an attribute that the quotas do not name, and that are no slips.
    pub(super) fn unnamed(&mut self, sheet: &InitFile, at: usize, category: &Category) {
        let column = &sheet.columns[at];
        let groups = self.others(column, category);
        if column.is_of_dates() && bands(names(category).into_iter()).is_some() {
            let mut rows = groups.concat();
            rows.sort_unstable();
            self.dates(sheet, column, &rows, category);
            return;
        }
        for rows in groups {
            let value = &column.cells[rows[0]];
            let what = format!(
                "{} {} in `{}`, which the quotas do not name",
                have(sheet, &rows),
                shown(value),
                column.name
            );
            let look = look_alike(value, names(category));
            let near = of_range(value, category).or_else(|| nearest_value(value, names(category)));
            let near = match (look, near) {
                (Some((_, why)), _) => format!("{why}: correct it, "),
                (None, Some(near)) => format!("correct it ({}?), ", shown(near)),
                (None, None) => String::new(),
            };
            let help = format!(
                "{near}give it a row in the quotas, or leave these people out: {}",
                option(column, value)
            );
            self.wrong(sheet, &rows, what, help);
        }
    }

    /// Dates where the quotas name ranges: one problem for them all.
    fn dates(&mut self, sheet: &InitFile, column: &Column, rows: &[usize], category: &Category) {
        let Some(first) = rows.first() else {
            return;
        };
        let (name, cell) = (&column.name, shown(&column.cells[*first]));
        let what = format!(
            "`{name}` holds dates ({cell} in line {}), and the quotas name {}",
            sheet.lines[*first],
            names(category).join(", ")
        );
        let help = format!("write ages in a column `{name}`, in years, in place of dates");
        self.wrong(sheet, rows, what, help);
    }

    /// Cells that are no numbers, in a column of numbers of which the quotas name ranges.
    pub(super) fn no_numbers(&mut self, sheet: &InitFile, at: usize) {
        let column = &sheet.columns[at];
        let is_no_number = |cell: &str| !cell.is_empty() && sheet.number(cell).is_none();
        let others = self.staying(column.rows(is_no_number));
        for rows in column.by_cell(others) {
            let cell = &column.cells[rows[0]];
            let what = format!(
                "{} {} in `{}`, which is no number",
                have(sheet, &rows),
                shown(cell),
                column.name
            );
            let help = format!(
                "write a number, or leave these people out: {}",
                option(column, cell)
            );
            self.wrong(sheet, &rows, what, help);
        }
    }

    /// Numbers that are in no range of the quotas.
    pub(super) fn beyond(&mut self, sheet: &InitFile, attribute: &AttributeColumn) {
        let column = &sheet.columns[attribute.column];
        let inside = |number: f64| {
            attribute
                .bands
                .iter()
                .any(|(_, from, below)| (*from..*below).contains(&number))
        };
        let outside = self
            .staying(column.rows(|cell| sheet.number(cell).is_some_and(|number| !inside(number))));
        if outside.is_empty() {
            return;
        }
        let name = &column.name;
        let what = format!(
            "{} a number in `{name}` that is in no range of the quotas",
            have(sheet, &outside)
        );
        let least = attribute
            .bands
            .iter()
            .map(|band| band.1)
            .fold(f64::INFINITY, f64::min);
        let help = format!(
            "correct it, give its range a row in the quotas, or leave these people out: --where \"{} >= {least}\"",
            spelt(name)
        );
        self.wrong(sheet, &outside, what, help);
    }
}

/// The values of a category.
fn names(category: &Category) -> Vec<&str> {
    let values = category.values.iter();
    values.map(|value| &*value.name).collect()
}

/// The value that is the range which a text states in other words.
fn of_range<'c>(text: &str, category: &'c Category) -> Option<&'c str> {
    let range = |text: &str| Interval::read(text).and_then(Interval::band);
    let stated = range(text)?;
    let mut names = names(category).into_iter();
    names.find(|name| range(name) == Some(stated))
}

/// The value that a text was meant to be; numbers are never slips of others.
fn slip_of<'v>(text: &str, values: &[&'v str]) -> Option<&'v str> {
    let letters = text.chars().count();
    let digits = |text: &str| {
        text.chars()
            .filter(char::is_ascii_digit)
            .collect::<String>()
    };
    let near = values
        .iter()
        .copied()
        .filter(|value| digits(value) == digits(text));
    let near = nearest_value(&fold(text), near)?;
    let distance = strsim::damerau_levenshtein(&fold(text), &fold(near));
    let most = if letters >= 10 { 2 } else { 1 };
    (letters > 3 && distance <= most && !UNKNOWN.has(&plain(text))).then_some(near)
}
