//! The rows of a file that need attention before people are drawn. They have duplicates, blanks,
//! slips of the pen, or values that the quotas do not name. Each is listed with its lines and its
//! treatment.

mod cells;
mod doubles;
mod words;

use std::collections::BTreeSet;

use super::column::Column;
use super::names::same;
use super::role::AttributeColumn;
use super::roles::Roles;
use super::sheet::InitFile;
use kleroterion_io::people::organisers::{Categories, Category};
use kleroterion_io::record::cell::{can_be_quoted, quoted, spelt};

/// The faults of the rows of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowFaults {
    /// The findings, a sentence each.
    pub said: Vec<String>,
    /// The filters that leave rows out, as a config writes them.
    pub filters: Vec<String>,
    /// The rows that equal an earlier one and count once with it.
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
    /// Finds the faults of the rows of a sheet.
    #[must_use]
    pub fn find(sheet: &InitFile, roles: &Roles, quotas: Option<&Categories>) -> Self {
        let mut faults = Self::default();
        faults.extra(sheet);
        let clashes = faults.same_people(sheet, roles);
        let attributes: Vec<(AttributeColumn, Option<&Category>)> = roles
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
    fn extra(&mut self, sheet: &InitFile) {
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

    fn wrong(&mut self, sheet: &InitFile, rows: &[usize], what: String, help: String) {
        let lines = rows.iter().map(|row| sheet.lines[*row]).collect();
        self.wrong.push(RowProblem { what, help, lines });
    }

    /// Returns those of the rows that are not left out.
    fn staying(&self, mut rows: Vec<usize>) -> Vec<usize> {
        rows.retain(|row| !self.left.contains(row));
        rows
    }

    /// Leaves rows out, and all others with their cells.
    fn leave_out(&mut self, column: &Column, rows: &[usize]) {
        self.left.extend(rows);
        let parts = column.by_cell(rows.to_vec());
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
