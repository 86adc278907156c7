//! The rows of a file that need a look before people are drawn: doubles, blanks, slips of the pen,
//! values that the quotas do not name. Each is listed with its lines, and with what becomes of it.

use std::collections::BTreeMap;

use super::column::Column;
use super::names::{UNKNOWN, plain, same};
use super::role::{Attribute, Role};
use super::roles::Roles;
use super::sheet::Sheet;
use crate::nearest::{joined, nearest};
use crate::record::cell::{can_be_quoted, quoted, shown, spelt, without};
use crate::record::fold;
use crate::source::organisers::{Categories, Category};

/// Lines that are listed one by one.
const LISTED: usize = 20;

/// Rows that a slip of the pen has at most.
const SLIPS: usize = 2;

/// The faults of the rows of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowFaults {
    /// The findings, a sentence each.
    pub said: Vec<String>,
    /// The filters that leave rows out, in the words of a config.
    pub filters: Vec<String>,
    /// Rows that are alike an earlier one, and count once with it.
    pub twins: Vec<usize>,
    /// The problems that have to be corrected in the file.
    pub wrong: Vec<RowProblem>,
}

/// A problem of some rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowProblem {
    /// The fault, with the lines.
    pub what: String,
    /// The remedy.
    pub help: String,
    /// The lines.
    pub lines: Vec<u64>,
}

impl RowFaults {
    /// The faults of the rows of a sheet.
    #[must_use]
    pub fn find(sheet: &Sheet, roles: &Roles, quotas: Option<&Categories>) -> Self {
        let mut faults = Self::default();
        faults.extra(sheet);
        faults.doubles(sheet, roles);
        faults.same_people(sheet, roles);
        for attribute in roles.attributes() {
            faults.blanks(sheet, &attribute);
            let column = &sheet.columns[attribute.column];
            let categories = quotas.map_or(&[][..], Categories::attributes);
            match categories
                .iter()
                .find(|category| same(&category.name, &column.name))
            {
                Some(category) if attribute.bands.is_empty() => {
                    faults.unnamed(sheet, attribute.column, category);
                }
                Some(_) => faults.beyond(sheet, &attribute),
                None if attribute.bands.is_empty() => faults.slips(sheet, attribute.column),
                None => {}
            }
        }
        faults
    }

    /// Rows that are no people.
    fn extra(&mut self, sheet: &Sheet) {
        for row in &sheet.extra {
            let (line, what) = (row.line, row.what);
            match &row.filter {
                Some(filter) => {
                    let otherwise = row.otherwise.as_ref();
                    let otherwise = otherwise
                        .map_or_else(String::new, |option| format!(" (otherwise: {option})"));
                    self.said.push(format!(
                        "line {line} is {what}, and no person: left out{otherwise}"
                    ));
                    self.filters.push(filter.clone());
                }
                None => {
                    let help = format!("delete line {line}: no cell tells it apart from people");
                    self.wrong.push(RowProblem {
                        what: format!("line {line} is {what}, and no person"),
                        help,
                        lines: vec![line],
                    });
                }
            }
        }
    }

    /// Rows with one id.
    fn doubles(&mut self, sheet: &Sheet, roles: &Roles) {
        let Some(id) = roles.id() else {
            return;
        };
        let column = &sheet.columns[id];
        let mut rows: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (row, cell) in column.cells.iter().enumerate() {
            rows.entry(fold(cell)).or_default().push(row);
        }
        if let Some(blank) = rows.remove("") {
            let what = format!("{} no id in `{}`", have(sheet, &blank), column.name);
            let help = format!(
                "give each person an id, or leave these out: {}",
                option(column, "")
            );
            self.wrong(sheet, &blank, what, help);
        }
        for rows in rows.values().filter(|rows| rows.len() > 1) {
            let (once, others): (Vec<usize>, Vec<usize>) =
                rows.iter().partition(|row| sheet.first[**row] != **row);
            self.twins.extend(&once);
            if let [_] = others[..] {
                self.said.push(format!(
                    "{} one person, alike in all cells: they count once",
                    are(sheet, rows)
                ));
                continue;
            }
            let id = &column.cells[rows[0]];
            let what = format!(
                "{} the id {} in `{}`, and differ in {}",
                have(sheet, rows),
                shown(id),
                column.name,
                differing(sheet, &others)
            );
            let help = format!(
                "keep one row a person in the file, or leave them out: {}",
                option(column, id)
            );
            self.wrong(sheet, rows, what, help);
        }
    }

    /// Rows that are alike in all cells but the id, where they name someone.
    fn same_people(&mut self, sheet: &Sheet, roles: &Roles) {
        let Some(id) = roles.id() else {
            return;
        };
        let contacts: Vec<usize> = roles.all(Role::Contact).collect();
        let counters: Vec<usize> = roles.all(Role::Counter).collect();
        let mut met: BTreeMap<Vec<String>, Vec<usize>> = BTreeMap::new();
        for row in (0..sheet.people).filter(|row| sheet.first[*row] == *row) {
            if contacts
                .iter()
                .all(|at| sheet.columns[*at].cells[row].is_empty())
            {
                continue;
            }
            let columns = sheet.columns.iter().enumerate();
            let columns = columns.filter(|(at, _)| *at != id && !counters.contains(at));
            let cells = columns
                .map(|(_, column)| fold(&column.cells[row]))
                .collect();
            met.entry(cells).or_default().push(row);
        }
        let mut again = Vec::new();
        for rows in met.values().filter(|rows| rows.len() > 1) {
            let name = &sheet.columns[id].name;
            self.said.push(format!(
                "{} alike in all cells but `{name}`: one person, of whom the first row is kept",
                are(sheet, rows)
            ));
            again.extend(
                rows[1..]
                    .iter()
                    .map(|row| sheet.columns[id].cells[*row].clone()),
            );
        }
        self.leave_out(&sheet.columns[id], &again);
    }

    /// Cells of an attribute that are blank, or that stand for an unknown number.
    fn blanks(&mut self, sheet: &Sheet, attribute: &Attribute) {
        let column = &sheet.columns[attribute.column];
        let is_unknown = |cell: &str| !attribute.bands.is_empty() && column.unknown.contains(cell);
        let blank = rows(column, |cell| cell.is_empty() || is_unknown(cell));
        if blank.is_empty() {
            return;
        }
        self.said.push(format!(
            "{} no `{}`: left out",
            have(sheet, &blank),
            column.name
        ));
        let mut cells: Vec<String> = blank.iter().map(|row| column.cells[*row].clone()).collect();
        cells.sort();
        cells.dedup();
        self.leave_out(column, &cells);
    }

    /// Cells that are near a value that many rows have, and are there once or twice.
    fn slips(&mut self, sheet: &Sheet, at: usize) {
        let column = &sheet.columns[at];
        let values = column.categories().unwrap_or_default();
        for (value, count) in values.iter().filter(|(_, count)| *count <= SLIPS) {
            let often = values.iter().filter(|(_, n)| *n >= 8 && *n >= count * 5);
            let often: Vec<&str> = often.map(|(value, _)| &**value).collect();
            if let Some(near) = slip_of(value, &often) {
                self.slip(sheet, column, value, near);
            }
        }
    }

    fn slip(&mut self, sheet: &Sheet, column: &Column, value: &str, near: &str) {
        let rows = rows(column, |cell| same(cell, value));
        let have = have(sheet, &rows);
        let (value_shown, name) = (shown(value), &column.name);
        self.said.push(format!(
            "{have} {value_shown} in `{name}`, a slip for {}: left out; correct the file and run `klero init` again to keep them",
            shown(near)
        ));
        self.leave_out(column, &[value.to_owned()]);
    }

    /// Values of an attribute that the quotas do not name: slips are left out, others are wrong.
    fn unnamed(&mut self, sheet: &Sheet, at: usize, category: &Category) {
        let column = &sheet.columns[at];
        let names: Vec<&str> = category.values.iter().map(|value| &*value.name).collect();
        let is_named = |cell: &str| names.iter().any(|name| same(name, cell));
        let mut others: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for row in rows(column, |cell| !cell.is_empty() && !is_named(cell)) {
            others
                .entry(fold(&column.cells[row]))
                .or_default()
                .push(row);
        }
        for rows in others.values() {
            let value = &column.cells[rows[0]];
            if let Some(near) = slip_of(value, &names).filter(|_| rows.len() <= SLIPS) {
                self.slip(sheet, column, value, near);
                continue;
            }
            let what = format!(
                "{} {} in `{}`, which the quotas do not name",
                have(sheet, rows),
                shown(value),
                column.name
            );
            let near = nearest(value, names.iter().copied());
            let near = near.map_or_else(String::new, |near| {
                format!("correct it ({}?), ", shown(near))
            });
            let help = format!(
                "{near}give it a row in the quotas, or leave these people out: {}",
                option(column, value)
            );
            self.wrong(sheet, rows, what, help);
        }
    }

    /// Numbers that are in no range of the quotas.
    fn beyond(&mut self, sheet: &Sheet, attribute: &Attribute) {
        let column = &sheet.columns[attribute.column];
        let inside = |number: f64| {
            attribute
                .bands
                .iter()
                .any(|(_, from, below)| (*from..*below).contains(&number))
        };
        let outside = rows(column, |cell| {
            sheet.number(cell).is_some_and(|number| !inside(number))
        });
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

    fn wrong(&mut self, sheet: &Sheet, rows: &[usize], what: String, help: String) {
        let lines = rows.iter().map(|row| sheet.lines[*row]).collect();
        self.wrong.push(RowProblem { what, help, lines });
    }

    /// Adds the filter that leaves out rows with these cells.
    fn leave_out(&mut self, column: &Column, cells: &[String]) {
        let mut texts = cells.iter().chain([&column.name]);
        if !texts.all(|text| can_be_quoted(text)) {
            self.wrong.push(RowProblem {
                what: format!(
                    "cells of `{}` that no filter can name hold both kinds of quotation marks",
                    column.name
                ),
                help: "correct them in the file".into(),
                lines: Vec::new(),
            });
            return;
        }
        let name = spelt(&column.name);
        let cells: Vec<String> = cells.iter().map(|cell| quoted(cell)).collect();
        self.filters.extend(match &cells[..] {
            [] => None,
            [cell] => Some(format!("{name} != {cell}")),
            cells => Some(format!("{name} not in [{}]", cells.join(", "))),
        });
    }
}

/// The rows of a column whose cells are so.
fn rows(column: &Column, is_so: impl Fn(&str) -> bool) -> Vec<usize> {
    let cells = column.cells.iter().enumerate();
    cells
        .filter(|(_, cell)| is_so(cell))
        .map(|(row, _)| row)
        .collect()
}

/// The option of `klero init` that leaves out rows with a cell.
fn option(column: &Column, cell: &str) -> String {
    let filter = without(&column.name, cell);
    format!("--where \"{}\"", filter.replace('"', "\\\""))
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
    let near = nearest(&fold(text), near)?;
    let distance = strsim::damerau_levenshtein(&fold(text), &fold(near));
    let most = if letters >= 10 { 2 } else { 1 };
    (letters > 3 && distance <= most && !UNKNOWN.has(&plain(text))).then_some(near)
}

/// "line 3 is", "lines 3, 5 and 9 are".
fn are(sheet: &Sheet, rows: &[usize]) -> String {
    lines(sheet, rows, ["is", "are"])
}

/// "line 3 has", "lines 3, 5 and 9 have".
fn have(sheet: &Sheet, rows: &[usize]) -> String {
    lines(sheet, rows, ["has", "have"])
}

fn lines(sheet: &Sheet, rows: &[usize], [one, several]: [&str; 2]) -> String {
    let lines = rows.iter().take(LISTED).map(|row| sheet.lines[*row]);
    let mut listed: Vec<String> = lines.map(|line| line.to_string()).collect();
    let more = rows.len() - listed.len();
    listed.extend((more > 0).then(|| format!("{more} more")));
    match rows.len() {
        1 => format!("line {} {one}", listed[0]),
        _ => format!("lines {} {several}", joined(&listed)),
    }
}

/// The names of the columns in which rows differ.
fn differing(sheet: &Sheet, rows: &[usize]) -> String {
    let differs = |column: &&Column| {
        let first = &column.cells[rows[0]];
        rows.iter().any(|row| !same(first, &column.cells[*row]))
    };
    let names = sheet.columns.iter().filter(differs).take(5);
    let names: Vec<String> = names.map(|column| format!("`{}`", column.name)).collect();
    names.join(", ")
}
