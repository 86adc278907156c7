//! The columns of quotas in an organiser's file: minimums and maximums, or one column with both,
//! and flexible bounds.

use super::quota_cell::{QuotaCell, Rounding, Unit, share_text};
use super::quota_header::{HeaderNames, MAX, MAX_FLEX, MIN, MIN_FLEX, QUOTA, SHARE};
use super::quota_said::Said;
use super::{FlexibleQuota, MembersBy, QuotaNames, QuotaSpec};
use crate::people::table::sheet::{Sheet, SheetRow};
use crate::people::table::tally::{At, CellRole, ProblemKind, ProblemTally};
use crate::record::cell::shown;
use kleroterion_core::protocol::Quota;

/// The fields of a file that are read, in the order in which a row's cells are taken.
#[derive(Default)]
pub(super) struct Fields(pub(super) Vec<usize>);

/// A column of a file.
#[derive(Clone)]
pub(super) struct Column {
    name: String,
    /// Its number in the file, from 1.
    number: u64,
    /// Its place in [`Fields`].
    slot: usize,
}

/// The columns of quotas; nothing for those that are missing or there twice.
#[derive(Default)]
pub(super) struct QuotaColumns {
    min: Option<Column>,
    max: Option<Column>,
    /// Both in a cell, and the meaning of a number without a mark.
    quota: Option<(Column, Unit)>,
    min_flex: Option<Column>,
    max_flex: Option<Column>,
    /// The committee's size, where it is known.
    members: Option<u64>,
    fields: Fields,
}

impl Fields {
    /// The column of a name; that it is missing or there twice is noted. `user`: who wants it.
    pub(super) fn need(&mut self, sheet: &mut Sheet, name: &str, user: &str) -> Option<Column> {
        let field = sheet.need(name, user)?;
        self.0.push(field);
        Some(Column {
            name: name.to_owned(),
            number: field as u64 + 1,
            slot: self.0.len() - 1,
        })
    }

    /// The column of a usual name, of which nothing else is read.
    fn free(&self, sheet: &Sheet, usual: HeaderNames) -> Option<String> {
        let columns = sheet.columns().iter().enumerate();
        let free = columns.filter(|(field, _)| !self.0.contains(field));
        usual.usual_of(free.map(|(_, name)| name)).cloned()
    }

    /// The column that is named, else one of the usual names that the file has, else the first of
    /// them, which it must have.
    fn usual(
        &mut self,
        sheet: &mut Sheet,
        named: &Option<String>,
        usual: HeaderNames,
        user: &str,
    ) -> Option<Column> {
        let found = named.clone().or_else(|| self.free(sheet, usual));
        let name = found.unwrap_or_else(|| usual.first().to_owned());
        self.need(sheet, &name, user)
    }
}

impl Column {
    /// Its name in the header.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// A row's cell in it.
    pub(super) fn cell<'r>(&self, row: &'r SheetRow) -> &'r str {
        &row.cells[self.slot]
    }

    /// Notes what is wrong with a row's cell in it.
    pub(super) fn note(&self, row: &SheetRow, tally: &mut ProblemTally, what: String, help: &str) {
        let at = At::cell(row.line, Some(self.number));
        tally.note(ProblemKind::Cell(self.slot, CellRole::Quota), at, || {
            (what, help.into())
        });
    }

    /// Returns what a row's cell states; nothing where it states none, which is noted.
    fn read<T>(
        &self,
        row: &SheetRow,
        members: Option<u64>,
        tally: &mut ProblemTally,
        stated: impl FnOnce(&QuotaCell<'_>) -> Result<T, (String, String)>,
    ) -> Option<T> {
        let cell = QuotaCell::new(&self.name, self.cell(row), members);
        let stated = stated(&cell);
        stated
            .map_err(|(what, help)| self.note(row, tally, what, &help))
            .ok()
    }

    /// Returns the bound that a row's cell states, the inner none where it is blank.
    fn bound(
        &self,
        row: &SheetRow,
        members: Option<u64>,
        rounding: Rounding,
        tally: &mut ProblemTally,
    ) -> Option<Option<u32>> {
        self.read(row, members, tally, |cell| cell.bound(rounding))
    }
}

impl QuotaColumns {
    /// The columns by the header; those that are missing or there twice are noted.
    pub(super) fn find(mut fields: Fields, sheet: &mut Sheet, spec: &QuotaSpec) -> Self {
        let QuotaNames {
            min,
            max,
            min_flex,
            max_flex,
            quota,
            ..
        } = &spec.columns;
        let has = |names: HeaderNames| fields.free(sheet, names).is_some();
        let are_apart = min.is_some() || max.is_some() || has(MIN) || has(MAX);
        let is_share = quota
            .as_ref()
            .map_or_else(|| !has(QUOTA), |name| SHARE.knows(name));
        let is_one = quota.is_some() || (!are_apart && (has(QUOTA) || has(SHARE)));
        let mut columns = Self {
            members: spec.members,
            ..Self::default()
        };
        if is_one {
            let (usual, unit) = match is_share {
                true => (SHARE, Unit::Percent),
                false => (QUOTA, Unit::Seats),
            };
            let column = fields.usual(sheet, quota, usual, "the quotas");
            columns.quota = column.map(|column| (column, unit));
        } else {
            columns.min = fields.usual(sheet, min, MIN, "the minimums");
            columns.max = fields.usual(sheet, max, MAX, "the maximums");
        }
        let mut flexible = |sheet: &mut Sheet, named: &Option<String>, usual, user| {
            let name = named.clone().or_else(|| fields.free(sheet, usual))?;
            fields.need(sheet, &name, user)
        };
        columns.min_flex = flexible(sheet, min_flex, MIN_FLEX, "the flexible minimums");
        columns.max_flex = flexible(sheet, max_flex, MAX_FLEX, "the flexible maximums");
        columns.fields = fields;
        columns
    }

    /// The numbers of the columns of minimums and maximums, from 1.
    pub(super) fn bounds(&self) -> [Option<u64>; 2] {
        let both = self.quota.as_ref().map(|(column, _)| column);
        [&self.min, &self.max].map(|column| column.as_ref().or(both).map(|column| column.number))
    }

    /// Returns true if there are flexible bounds.
    pub(super) fn are_flexible(&self) -> bool {
        self.min_flex.is_some() || self.max_flex.is_some()
    }

    /// Reads the rows of the file, and learns from them all whether shares are parts of 1. Returns
    /// `None` if quotas are shares of an unknown number of seats, which is noted.
    pub(super) fn rows(&mut self, sheet: &mut Sheet, by: MembersBy) -> Option<Vec<SheetRow>> {
        let rows = sheet.rows(&self.fields.0);
        if let Some((column, unit @ Unit::Percent)) = &mut self.quota
            && QuotaCell::are_parts(rows.iter().map(|row| column.cell(row)))
        {
            *unit = Unit::Part;
        }
        let are_unknown = self.note_shares(&rows, by, &mut sheet.tally);
        (!are_unknown).then_some(rows)
    }

    /// The columns in which quotas are stated, each with the meaning of a number in it.
    fn stated(&self) -> impl Iterator<Item = (&Column, Unit)> {
        let apart = [&self.min, &self.max, &self.min_flex, &self.max_flex];
        let apart = apart.into_iter().flatten();
        let both = self.quota.as_ref().map(|(column, unit)| (column, *unit));
        apart.map(|column| (column, Unit::Seats)).chain(both)
    }

    /// Returns true if a row states no quota.
    pub(super) fn are_blank(&self, row: &SheetRow) -> bool {
        self.stated().all(|(column, _)| column.cell(row).is_empty())
    }

    /// Notes once that quotas are shares of the seats, where their number is not known; whether
    /// they are.
    fn note_shares(&self, rows: &[SheetRow], by: MembersBy, tally: &mut ProblemTally) -> bool {
        let is_share = |(column, unit): &(&Column, Unit), row: &SheetRow| {
            let cell = column.cell(row);
            QuotaCell::is_share(cell) || (*unit != Unit::Seats && !cell.is_empty())
        };
        let cells = rows.iter().flat_map(|row| {
            let shares = self.stated().filter(|column| is_share(column, row));
            shares.map(move |(column, _)| (row, column))
        });
        let cells: Vec<_> = cells.collect();
        let Some((row, column)) = cells.first().filter(|_| self.members.is_none()) else {
            return false;
        };
        let what = match cells.len() {
            1 => "one quota is a share of the seats".to_owned(),
            many => format!("{many} quotas are shares of the seats"),
        };
        let what = format!(
            "{what}, as {} is, and the number of seats is not known",
            shown(column.cell(row))
        );
        let help = format!("{}, or write numbers of seats", by.advice());
        column.note(row, tally, what, &help);
        true
    }

    /// A row's quota; nothing where it makes no sense, which is noted. A flexible bound that is
    /// blank, or whose column is not there, is the bound proper; a bound that is blank is none.
    /// `of`: what the row is of, for notes.
    pub(super) fn read(
        &self,
        row: &SheetRow,
        of: &str,
        tally: &mut ProblemTally,
        said: &mut Said,
    ) -> Option<FlexibleQuota> {
        let both = match &self.quota {
            Some((column, unit)) => {
                let both = column.read(row, self.members, tally, |cell| cell.both(*unit));
                both?.map(Some)
            }
            None => self.apart(row, tally),
        };
        let [lowest, highest] = self.flexible(row, both, tally);
        let [min, max] = [both[0]?, both[1]?];
        for (lines, bound) in said.blank.iter_mut().zip([min, max]) {
            if bound.is_none() {
                lines.push(row.line);
            }
        }
        let quota = Quota {
            min: min.unwrap_or(0),
            max: max.unwrap_or_else(|| self.all()),
        };
        if quota.min > quota.max {
            let what = format!("`min` {} is over `max` {}", quota.min, quota.max);
            let column = self
                .min
                .as_ref()
                .or(self.quota.as_ref().map(|(column, _)| column))?;
            column.note(row, tally, what, "lower the one or raise the other");
            return None;
        }
        self.say_share(row, of, quota, said);
        Some(FlexibleQuota {
            quota,
            is_unbounded: max.is_none(),
            flexible: Quota {
                min: lowest.unwrap_or(quota.min),
                max: highest.unwrap_or(quota.max),
            },
        })
    }

    /// The seats that a maximum without a bound allows.
    fn all(&self) -> u32 {
        let members = self.members.map(u32::try_from);
        members.and_then(Result::ok).unwrap_or(u32::MAX)
    }

    /// The bounds of two columns, each as [`Column::bound`] gives it.
    fn apart(&self, row: &SheetRow, tally: &mut ProblemTally) -> [Option<Option<u32>>; 2] {
        let mut bound = |column: &Option<Column>, rounding| {
            column.as_ref()?.bound(row, self.members, rounding, tally)
        };
        [
            bound(&self.min, Rounding::Down),
            bound(&self.max, Rounding::Up),
        ]
    }

    /// The flexible bounds of a row, held against the bounds proper.
    fn flexible(
        &self,
        row: &SheetRow,
        both: [Option<Option<u32>>; 2],
        tally: &mut ProblemTally,
    ) -> [Option<u32>; 2] {
        let mut bound = |column: &Option<Column>, rounding| {
            column.as_ref()?.bound(row, self.members, rounding, tally)?
        };
        let lowest = bound(&self.min_flex, Rounding::Down);
        let highest = bound(&self.max_flex, Rounding::Up);
        let [min, max] = both.map(|bound| bound.map(Option::unwrap_or_default));
        if let (Some(column), Some(flex), Some(min)) = (&self.min_flex, lowest, min)
            && flex > min
        {
            let what = format!("`min_flex` {flex} is over `min` {min}");
            let help = "a flexible minimum is the minimum or less";
            column.note(row, tally, what, help);
        }
        let is_blank = both[1] == Some(None);
        if let (Some(column), Some(flex), Some(max)) = (&self.max_flex, highest, max)
            && flex < max
            && !is_blank
        {
            let what = format!("`max_flex` {flex} is under `max` {max}");
            let help = "a flexible maximum is the maximum or more";
            column.note(row, tally, what, help);
        }
        [lowest, highest.filter(|_| !is_blank)]
    }

    /// Notes for the reader that a share of the seats became seats.
    fn say_share(&self, row: &SheetRow, of: &str, quota: Quota, said: &mut Said) {
        let both = self.quota.as_ref().map(|(column, _)| column);
        let cells = [self.min.as_ref(), self.max.as_ref(), both];
        let cells = cells.into_iter().flatten().map(|column| column.cell(row));
        let is_share = self
            .quota
            .as_ref()
            .is_some_and(|(_, unit)| *unit != Unit::Seats);
        let mut shares =
            cells.filter(|cell| QuotaCell::is_share(cell) || (is_share && !cell.is_empty()));
        if let Some(first) = shares.next() {
            let cell = shares
                .next()
                .map_or(first.to_owned(), |second| format!("{first} to {second}"));
            said.shares.push(share_text(&cell, of, quota));
        }
    }
}
