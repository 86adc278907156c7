//! Duplicate rows of one person: rows with one id, equal rows, and rows without an id.

use std::collections::BTreeMap;

use super::RowFaults;
use super::words::{are, have, option};
use crate::init::classes::is_id;
use crate::init::column::Column;
use crate::init::names::{is_of_address, plain, same};
use crate::init::role::GuessedRole;
use crate::init::roles::{Roles, called, option_of};
use crate::init::sheet::InitFile;
use kleroterion_io::people::table::doubles::{KnownAs, RowKey};
use kleroterion_io::people::table::identity::{Identities, NamedRow};
use kleroterion_io::record::cell::shown;

impl RowFaults {
    /// Rows that are one person's, as runs find them: those of one id and the same cells, which
    /// count once; and those that are alike in all cells but the id, where they name someone.
    /// Returns the rows that have one id and differ.
    pub(super) fn same_people(&mut self, sheet: &InitFile, roles: &Roles) -> Vec<[usize; 2]> {
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
    fn alike(&mut self, sheet: &InitFile, roles: &Roles, groups: &[Vec<usize>]) {
        let Some(id) = roles.id() else {
            return;
        };
        let column = &sheet.columns[id];
        let others: Vec<String> = roles
            .all(GuessedRole::Counter)
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
            let rows = column.rows(|other| same(other, cell));
            rows.iter().any(|row| !self.left.contains(row))
        };
        let (shared, own): (Vec<String>, Vec<String>) = again.into_iter().partition(is_another);
        for cell in shared {
            let rows = column.rows(|other| same(other, &cell));
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
    pub(super) fn ids(&mut self, sheet: &InitFile, roles: &Roles, clashes: &[[usize; 2]]) {
        let Some(id) = roles.id() else {
            return;
        };
        let column = &sheet.columns[id];
        let blank = self.staying(column.rows(str::is_empty));
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
        // Of many rows that share ids they may be those of something else.
        let otherwise = match is_id(sheet, id, true) {
            true => String::new(),
            false => format!(
                "; or, where `{}` names no one: --columns {}",
                column.name,
                option_of(&[&column.name], "out")
            ),
        };
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
                "keep one row a person in the file, or leave all of them out: {}{otherwise}",
                option(column, cell)
            );
            // Rows that count once with one of these are refused with them.
            let all = column.rows(|other| same(other, cell));
            self.wrong(sheet, &all, what, help);
        }
    }
}

/// The lines of people; their numbers, where several begin on one line.
fn distinct_lines(sheet: &InitFile) -> Vec<u64> {
    match sheet.lines.windows(2).all(|pair| pair[0] < pair[1]) {
        true => sheet.lines.clone(),
        false => (1..=sheet.people as u64).collect(),
    }
}

/// Returns the columns of a sheet by which equal people are recognised.
fn known(sheet: &InitFile, roles: &Roles) -> KnownAs {
    let is_read = |at: &usize| {
        let of = &roles.columns[*at];
        let is_unread = matches!(
            of.role,
            GuessedRole::Id | GuessedRole::Contact | GuessedRole::Counter | GuessedRole::Out
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
fn evidence(sheet: &InitFile, roles: &Roles) -> Vec<usize> {
    let is_address = |at: &usize| is_of_address(&plain(&sheet.columns[*at].name));
    roles
        .all(GuessedRole::Contact)
        .filter(|at| !is_address(at))
        .collect()
}

/// The names of the columns in which rows differ.
fn differing(sheet: &InitFile, rows: &[usize]) -> String {
    let differs = |column: &&Column| {
        let first = &column.cells[rows[0]];
        rows.iter().any(|row| !same(first, &column.cells[*row]))
    };
    let names = sheet.columns.iter().filter(differs).take(5);
    let names: Vec<String> = names.map(|column| format!("`{}`", column.name)).collect();
    names.join(", ")
}
