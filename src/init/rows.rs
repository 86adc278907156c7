//! The rows of a file that need a look before people are drawn: doubles, blanks, slips of the pen,
//! values that the quotas do not name. Each is listed with its lines, and with what becomes of it.

use std::collections::{BTreeMap, BTreeSet};

use super::column::Column;
use super::names::{HOUSEHOLDS, PLACES, STREETS, UNKNOWN, plain, same};
use super::role::{Attribute, Role};
use super::roles::{Roles, called, option_of};
use super::sheet::Sheet;
use crate::nearest::{joined, nearest_value};
use crate::record::cell::{can_be_quoted, quoted, shown, spelt, without};
use crate::record::fold;
use crate::source::organisers::{Categories, Category};
use crate::source::table::doubles::{KnownAs, RowKey};
use crate::source::table::identity::{Identities, NamedRow};

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
    /// The rows that are left out, or count once with others.
    left: BTreeSet<usize>,
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
        let clashes = faults.same_people(sheet, roles);
        let attributes: Vec<(Attribute, Option<&Category>)> = roles
            .attributes()
            .into_iter()
            .map(|attribute| {
                let name = &sheet.columns[attribute.column].name;
                let categories = quotas.map_or(&[][..], Categories::attributes);
                let category = categories.iter().find(|one| same(&one.name, name));
                (attribute, category)
            })
            .collect();
        for (attribute, category) in &attributes {
            faults.blanks(sheet, attribute);
            if attribute.bands.is_empty() {
                faults.slips(sheet, attribute.column, *category);
            }
        }
        // Of rows that are left out nothing else needs a look.
        faults.ids(sheet, roles, &clashes);
        for (attribute, category) in &attributes {
            match category {
                Some(category) if attribute.bands.is_empty() => {
                    faults.unnamed(sheet, attribute.column, category);
                }
                Some(_) => {
                    faults.no_numbers(sheet, attribute.column);
                    faults.beyond(sheet, attribute);
                }
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

    /// Rows that are one person's, as runs find them: those of one id and the same cells, which
    /// count once; and those that are alike in all cells but the id, where they name someone.
    /// Returns the rows that have one id and differ.
    fn same_people(&mut self, sheet: &Sheet, roles: &Roles) -> Vec<[usize; 2]> {
        let Some(id) = roles.id() else {
            return Vec::new();
        };
        let column = &sheet.columns[id];
        let keys: Vec<RowKey> = (0..sheet.people).map(|row| sheet.key(row)).collect();
        let lines = distinct_lines(sheet);
        let rows = keys.iter().zip(&lines).zip(&column.cells);
        let rows = rows.map(|((key, line), cell)| NamedRow {
            line: *line,
            id: Some(cell.as_str()).filter(|id| !id.is_empty()),
            key,
        });
        let rows: Vec<NamedRow<'_>> = rows.collect();
        let found = Identities::of(&rows, &known(sheet, roles), false);
        let mut once: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (row, first) in found.first.iter().enumerate() {
            if row != *first {
                once.entry(*first).or_insert_with(|| vec![*first]).push(row);
                self.twins.push(row);
                self.left.insert(row);
            }
        }
        for rows in once.values() {
            let but = differing(sheet, rows);
            let but = match but.is_empty() {
                true => String::new(),
                false => format!(" but {but}"),
            };
            self.said.push(format!(
                "{} one person, alike in all cells{but}: they count once",
                are(sheet, rows)
            ));
        }
        let row = |line: &u64| lines.iter().position(|other| other == line);
        let rows = |lines: &Vec<u64>| lines.iter().filter_map(row).collect();
        let groups: Vec<Vec<usize>> = found.doubles.alike.iter().map(rows).collect();
        self.alike(sheet, roles, &groups);
        found.clashes
    }

    /// Rows that are alike in all cells but the id: of each group all but the first are left out,
    /// where their ids are no one else's.
    fn alike(&mut self, sheet: &Sheet, roles: &Roles, groups: &[Vec<usize>]) {
        let Some(id) = roles.id() else {
            return;
        };
        let column = &sheet.columns[id];
        let others: Vec<String> = roles
            .all(Role::Counter)
            .map(|at| called(&sheet.columns[at].name, at))
            .collect();
        let but = [vec![called(&column.name, id)], others].concat().join(", ");
        let mut again = Vec::new();
        for rows in groups {
            // Rows without an id are listed as such.
            if column.cells[rows[0]].is_empty() {
                continue;
            }
            self.said.push(format!(
                "{} alike in all cells but {but}: one person, of whom the first row is kept",
                are(sheet, rows)
            ));
            for row in &rows[1..] {
                self.left.insert(*row);
                again.push(column.cells[*row].clone());
            }
        }
        let names = evidence(sheet, roles).into_iter();
        let names: Vec<&str> = names.map(|at| &*sheet.columns[at].name).collect();
        if !again.is_empty() {
            self.said.push(format!(
                "where such rows are two people, say that no column names them: --columns {}",
                option_of(&names, "out")
            ));
        }
        // A filter names an id, and may not reach the row of anyone who is kept.
        let is_another = |cell: &String| {
            let rows = rows(column, |other| same(other, cell));
            rows.iter().any(|row| !self.left.contains(row))
        };
        let (shared, own): (Vec<String>, Vec<String>) = again.into_iter().partition(is_another);
        for cell in shared {
            let rows = rows(column, |other| same(other, &cell));
            let what = format!("{} one id in `{}`", have(sheet, &rows), column.name);
            self.wrong(
                sheet,
                &rows,
                what,
                "keep one row a person in the file".into(),
            );
        }
        self.filter_out(column, &own);
    }

    /// Rows without an id, and rows that have one id and differ.
    fn ids(&mut self, sheet: &Sheet, roles: &Roles, clashes: &[[usize; 2]]) {
        let Some(id) = roles.id() else {
            return;
        };
        let column = &sheet.columns[id];
        let blank = self.staying(rows(column, str::is_empty));
        if !blank.is_empty() {
            let what = format!("{} no id in `{}`", have(sheet, &blank), column.name);
            let help = format!(
                "give each person an id, or leave these out: {}",
                option(column, "")
            );
            self.wrong(sheet, &blank, what, help);
        }
        let mut of_id: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for [first, again] in clashes {
            of_id
                .entry(*first)
                .or_insert_with(|| vec![*first])
                .push(*again);
        }
        for rows in of_id.into_values() {
            let rows = self.staying(rows);
            if rows.len() < 2 {
                continue;
            }
            let cell = &column.cells[rows[0]];
            let what = format!(
                "{} the id {} in `{}`, and differ in {}",
                have(sheet, &rows),
                shown(cell),
                column.name,
                differing(sheet, &rows)
            );
            let help = format!(
                "keep one row a person in the file, or leave all of them out: {}",
                option(column, cell)
            );
            self.wrong(sheet, &rows, what, help);
        }
    }

    /// Cells of an attribute that are blank, or that stand for an unknown number.
    fn blanks(&mut self, sheet: &Sheet, attribute: &Attribute) {
        let column = &sheet.columns[attribute.column];
        let is_unknown = |cell: &str| !attribute.bands.is_empty() && UNKNOWN.has(&plain(cell));
        let blank = rows(column, |cell| cell.is_empty() || is_unknown(cell));
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
    fn slips(&mut self, sheet: &Sheet, at: usize, category: Option<&Category>) {
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
                self.slip(sheet, column, &rows(column, |cell| same(cell, value)), near);
            }
        }
    }

    fn slip(&mut self, sheet: &Sheet, column: &Column, rows: &[usize], near: &str) {
        let have = have(sheet, rows);
        let (value, name) = (shown(&column.cells[rows[0]]), &column.name);
        self.said.push(format!(
            "{have} {value} in `{name}`, a slip for {}: left out; correct the file and run `klero init` again to keep them",
            shown(near)
        ));
        self.leave_out(column, rows);
    }

    /// The rows of each value of a column that the quotas do not name.
    fn others(&self, column: &Column, category: &Category) -> Vec<Vec<usize>> {
        let names = names(category);
        let is_named = |cell: &str| names.iter().any(|name| same(name, cell));
        let others = rows(column, |cell| !cell.is_empty() && !is_named(cell));
        by_cell(column, self.staying(others))
    }

    /// Values of an attribute that the quotas do not name, and that are no slips.
    fn unnamed(&mut self, sheet: &Sheet, at: usize, category: &Category) {
        let column = &sheet.columns[at];
        for rows in self.others(column, category) {
            let value = &column.cells[rows[0]];
            let what = format!(
                "{} {} in `{}`, which the quotas do not name",
                have(sheet, &rows),
                shown(value),
                column.name
            );
            let near = nearest_value(value, names(category));
            let near = near.map_or_else(String::new, |near| {
                format!("correct it ({}?), ", shown(near))
            });
            let help = format!(
                "{near}give it a row in the quotas, or leave these people out: {}",
                option(column, value)
            );
            self.wrong(sheet, &rows, what, help);
        }
    }

    /// Cells that are no numbers, in a column of numbers of which the quotas name ranges.
    fn no_numbers(&mut self, sheet: &Sheet, at: usize) {
        let column = &sheet.columns[at];
        let is_no_number = |cell: &str| !cell.is_empty() && sheet.number(cell).is_none();
        let others = self.staying(rows(column, is_no_number));
        for rows in by_cell(column, others) {
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
    fn beyond(&mut self, sheet: &Sheet, attribute: &Attribute) {
        let column = &sheet.columns[attribute.column];
        let inside = |number: f64| {
            attribute
                .bands
                .iter()
                .any(|(_, from, below)| (*from..*below).contains(&number))
        };
        let outside = self.staying(rows(column, |cell| {
            sheet.number(cell).is_some_and(|number| !inside(number))
        }));
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

    /// Those of some rows that are not left out.
    fn staying(&self, mut rows: Vec<usize>) -> Vec<usize> {
        rows.retain(|row| !self.left.contains(row));
        rows
    }

    /// Leaves rows out, and all others with their cells.
    fn leave_out(&mut self, column: &Column, rows: &[usize]) {
        self.left.extend(rows);
        let parts = by_cell(column, rows.to_vec());
        let cells = parts.iter().map(|rows| column.cells[rows[0]].clone());
        self.filter_out(column, &cells.collect::<Vec<_>>());
    }

    /// Adds the filter that leaves out rows with these cells.
    fn filter_out(&mut self, column: &Column, cells: &[String]) {
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

/// The lines of people; their numbers, where several begin on one line.
fn distinct_lines(sheet: &Sheet) -> Vec<u64> {
    match sheet.lines.windows(2).all(|pair| pair[0] < pair[1]) {
        true => sheet.lines.clone(),
        false => (1..=sheet.people as u64).collect(),
    }
}

/// What is known of the columns of a sheet.
fn known(sheet: &Sheet, roles: &Roles) -> KnownAs {
    let is_read = |at: &usize| {
        let of = &roles.columns[*at];
        let is_unread = matches!(
            of.role,
            Role::Id | Role::Contact | Role::Counter | Role::Out
        );
        !is_unread || !of.bands.is_empty()
    };
    KnownAs {
        id: roles.id(),
        read: (0..sheet.columns.len()).filter(is_read).collect(),
        evidence: Some(evidence(sheet, roles)),
    }
}

/// The columns by which a person is known: contacts that are no addresses, where several may live.
fn evidence(sheet: &Sheet, roles: &Roles) -> Vec<usize> {
    let is_address = |at: &usize| {
        let name = plain(&sheet.columns[*at].name);
        [STREETS, HOUSEHOLDS, PLACES]
            .iter()
            .any(|list| list.has(&name))
    };
    roles
        .all(Role::Contact)
        .filter(|at| !is_address(at))
        .collect()
}

/// The values of a category.
fn names(category: &Category) -> Vec<&str> {
    let values = category.values.iter();
    values.map(|value| &*value.name).collect()
}

/// Rows by their cells, compared as values are.
fn by_cell(column: &Column, rows: Vec<usize>) -> Vec<Vec<usize>> {
    let mut parts: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for row in rows {
        parts.entry(fold(&column.cells[row])).or_default().push(row);
    }
    parts.into_values().collect()
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
    let near = nearest_value(&fold(text), near)?;
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
