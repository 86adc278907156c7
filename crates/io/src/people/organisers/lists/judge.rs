//! The columns of a list that name people, by what their cells are.

use std::collections::BTreeSet;

use super::roster::Roster;
use crate::record::file::{Form, Grid, GridRow};
use crate::record::fold;
use crate::record::words::Words;

/// The name of the column of codes in the tables of a draw.
pub const CODE: &str = "code";

/// Columns that our tables have, none of which names people.
const OURS: Words = Words(
    "order, drawn, like, why, came, household_of, p, reason, selected, replications, share, chance",
);

/// Words that head a column of people in lists that others write.
const WORDS: Words = Words(
    "id, ids, codes, name, names, nr, nr., no., number, member, members, person, people, participant,
     panel, nummer, kennung, kürzel, mitglied, mitglieder, teilnehmer, numéro, identifiant, membre,
     membres, número, identificador, código, miembro",
);

/// The columns that name people, and the row with which people begin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Naming {
    /// The column of codes, where some of its cells are codes.
    pub(super) code: Option<usize>,
    /// The column of ids.
    pub(super) id: Option<usize>,
    /// The number of rows that are a header: one or none.
    pub(super) skipped: usize,
}

/// Two columns that name different people equally well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ambiguous(pub(super) [usize; 2]);

impl Naming {
    /// The columns of a table, of which the first row may be a header; `due`: the people of whom a
    /// list is expected to be, where they are known.
    pub(super) fn of(
        grid: &Grid,
        roster: &Roster,
        due: Option<&BTreeSet<u32>>,
    ) -> Result<Self, Ambiguous> {
        let rows = &grid.rows[..];
        let mut list = List { rows, roster, due };
        let Some(first) = rows.first() else {
            return Ok(Self::default());
        };
        let header = match grid.read_as.form {
            // Members of records have names.
            Form::Records => Some(list.names(first)),
            Form::Separated { .. } => list.header(first),
        };
        let skipped = usize::from(header.is_some());
        list.rows = &rows[skipped..];
        let (code, id) = list.columns(&header.unwrap_or_default())?;
        Ok(Self { code, id, skipped })
    }
}

/// The rows of a list of people.
#[derive(Clone, Copy)]
struct List<'a> {
    rows: &'a [GridRow],
    roster: &'a Roster,
    due: Option<&'a BTreeSet<u32>>,
}

impl List<'_> {
    /// The folded names of the columns, where a first row has some: at least half of its cells are
    /// names that columns of ours, of the file of people or of a list have, and none names a
    /// person.
    fn header(&self, first: &GridRow) -> Option<Vec<String>> {
        let names = self.names(first);
        let plain = |name: &str| name.strip_prefix("draw_").unwrap_or(name).to_owned();
        let is_ours = |name: &str| name == CODE || OURS.has(name);
        let is_name = |name: &&String| {
            is_ours(&plain(name)) || WORDS.has(name) || self.roster.has_column(name)
        };
        let id = self.roster.id_column();
        let is_column = |name: &String| *name == CODE || Some(&**name) == id;
        let names_one = |name: &String| !is_column(name) && self.roster.find(name).is_some();
        let written = names.iter().filter(|name| !name.is_empty());
        let (known, all) = (
            written.clone().filter(|name| is_name(name)).count(),
            written.count(),
        );
        (known > 0 && 2 * known >= all && !names.iter().any(names_one)).then_some(names)
    }

    /// The folded cells of a row.
    fn names(&self, row: &GridRow) -> Vec<String> {
        row.cells.iter().map(|cell| fold(cell)).collect()
    }

    /// The columns of codes and of ids.
    fn columns(&self, header: &[String]) -> Result<(Option<usize>, Option<usize>), Ambiguous> {
        let width = self.rows.iter().map(|row| row.cells.len()).max();
        let all = || 0..width.unwrap_or(0);
        let coded = |at: &usize| self.count(*at, |cell| self.roster.by_code(cell).is_some());
        let code = first_most(all().filter(|at| coded(at) > 0), coded);
        let id = self.roster.id_column();
        let named = header.iter().position(|name| Some(&**name) == id);
        let id = named.filter(|at| Some(*at) != code);
        let is_ours = |at: &usize| {
            header
                .get(*at)
                .is_some_and(|name| is_bookkeeping(name, self.roster))
        };
        match (code, id) {
            (Some(code), None) => Ok((Some(code), self.agreeing(code, all()))),
            (code, Some(id)) => Ok((code, Some(id))),
            (None, None) => {
                let others: Vec<usize> = all().filter(|at| !is_ours(at)).collect();
                Ok((None, self.naming(&others)?))
            }
        }
    }

    /// Returns the number of cells in a column for which `is` holds.
    fn count(&self, at: usize, is: impl Fn(&str) -> bool) -> usize {
        let cells = self.rows.iter().filter_map(|row| row.cells.get(at));
        cells.filter(|cell| is(cell)).count()
    }

    /// The column that names the people of a column of codes in at least half of the rows.
    fn agreeing(&self, code: usize, all: impl Iterator<Item = usize>) -> Option<usize> {
        let agrees = |at: &usize| {
            let is_same = |row: &&GridRow| {
                let by_code = self.person(row, code);
                by_code.is_some() && by_code == self.person(row, *at)
            };
            self.rows.iter().filter(is_same).count()
        };
        let others = all.filter(|at| *at != code);
        first_most(
            others.filter(|at| 2 * agrees(at) >= self.rows.len()),
            agrees,
        )
    }

    fn person(&self, row: &GridRow, at: usize) -> Option<u32> {
        self.roster.find(row.cells.get(at)?)
    }

    /// Returns the column that best names people. Columns whose people are due rank first, then
    /// those whose rows resemble the people's other cells, then those that do not count from 1. For
    /// a list that names no one it is the first column.
    fn naming(&self, columns: &[usize]) -> Result<Option<usize>, Ambiguous> {
        let known = |at: &usize| self.count(*at, |cell| self.roster.find(cell).is_some());
        let most = columns.iter().map(known).max().unwrap_or(0);
        let due = |cell: &str| {
            let one = self.roster.find(cell);
            one.is_some_and(|one| self.due.is_some_and(|due| due.contains(&one)))
        };
        let ranked: Vec<_> = columns
            .iter()
            .copied()
            .filter(|at| 2 * known(at) >= most.max(1))
            .map(|at| {
                let (due, counts) = (self.count(at, due), self.counts(at));
                (at, (due, self.alike(at), !counts, known(&at)))
            })
            .collect();
        let rank = |at: &usize| {
            ranked
                .iter()
                .find(|(of, _)| of == at)
                .map(|(_, rank)| *rank)
        };
        let Some(best) = first_most(ranked.iter().map(|(at, _)| *at), rank) else {
            return Ok(columns.first().copied());
        };
        let people = |at: usize| self.rows.iter().map(move |row| self.person(row, at));
        let is_rival = |at: &usize| rank(at) == rank(&best) && !people(*at).eq(people(best));
        match ranked.iter().map(|(at, _)| *at).find(is_rival) {
            Some(rival) => Err(Ambiguous([best, rival])),
            None => Ok(Some(best)),
        }
    }

    /// Returns the number of cells beside a column that also occur in the rows of the people whom
    /// the column names.
    fn alike(&self, at: usize) -> usize {
        let rows = self.rows.iter().filter_map(|row| {
            let one = self.person(row, at)?;
            let others = row.cells.iter().enumerate();
            let others = others.filter(|(other, _)| *other != at);
            let others: Vec<String> = others.map(|(_, cell)| fold(cell)).collect();
            Some(self.roster.alike(one, others.iter()))
        });
        rows.sum()
    }

    /// Returns true if a column only numbers the rows.
    fn counts(&self, at: usize) -> bool {
        let rows = self.rows.iter().zip(1..);
        let mut rows = rows.map(|(row, n): (&GridRow, usize)| row.cells.get(at).map(|c| (c, n)));
        self.rows.len() > 1 && rows.all(|cell| cell.is_some_and(|(cell, n)| *cell == n.to_string()))
    }
}

/// Returns true if a column with this folded name was written by klero, and is not a column of the
/// file of people.
fn is_bookkeeping(name: &str, roster: &Roster) -> bool {
    let plain = name.strip_prefix("draw_").unwrap_or(name);
    OURS.has(plain) && !roster.has_column(name)
}

/// The first item of the greatest rank.
fn first_most<R: Ord>(
    items: impl Iterator<Item = usize>,
    rank: impl Fn(&usize) -> R,
) -> Option<usize> {
    let mut best: Option<(R, usize)> = None;
    for item in items {
        let rank = rank(&item);
        if best.as_ref().is_none_or(|(most, _)| rank > *most) {
            best = Some((rank, item));
        }
    }
    best.map(|(_, item)| item)
}
