//! The single pass over a file: rows are read, filtered and coded, and all faults are collected.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::columns::NumberReader;
use super::decimals::Decimals;
use super::doubles::{DoubleFinder, KnownAs};
use super::ids::{Ids, Named};
use super::row::TableRow;
use super::rows::TableRows;
use super::tally::{CellRole, ProblemKind, ProblemTally};
use super::wanted::WantedColumns;
use super::{Homes, LoadError, PeopleTable, TableSpec};
use crate::record::cell::shown;
use crate::record::coder::{CellRefusal, Coded, Coder};
use crate::record::decimal;
use crate::record::file::TableFile;
use crate::record::{AttributeSpec, Levels};
use kleroterion_core::problem::Problem;

impl PeopleTable {
    /// Reads the table that a spec describes, in one pass and without holding the file.
    ///
    /// # Errors
    /// All that is wrong with the file or with what the spec asks of it: it cannot be opened, is
    /// empty or cut off; columns that it lacks or has twice; rows with too few or too many fields
    /// or bytes that are not UTF-8; in kept rows, cells without a value, ids that are empty or
    /// repeated, weights that are not non-negative numbers, numbers that are none; no row kept;
    /// more attribute cells than 2^32, more numbers than
    /// [`MOST_NUMBERS`](crate::limits::MOST_NUMBERS). Of each kind the first 20 are listed.
    pub fn load(spec: &TableSpec) -> Result<Self, LoadError> {
        let mut tally = ProblemTally::new(&spec.path);
        let mut loader = Loader::read_file(spec, true, &mut tally)?;
        // Ids that name no one make no one of two people.
        if loader.ids.counted_in_vain() {
            tally = ProblemTally::new(&spec.path);
            loader = Loader::read_file(spec, false, &mut tally)?;
        }
        let reversed = loader.reversed(&mut tally);
        let table = loader.finish(&mut tally);
        let mut problems = tally.finish();
        problems.0.extend(reversed.iter().map(|(_, p)| p.clone()));
        problems.or(table).map_err(|problems| LoadError {
            reversed,
            ..problems.into()
        })
    }
}

/// The state of the one pass over a file.
struct Loader<'a> {
    spec: &'a TableSpec,
    /// The slots of each filter's clauses.
    filters: Vec<Vec<usize>>,
    ids: Ids<'a>,
    attributes: Vec<(usize, Coder<'a>)>,
    weight: Option<usize>,
    unique: Vec<usize>,
    numbers: NumberReader<'a>,
    decimals: Decimals,
    /// The slots of the columns whose numbers filters compare.
    compared: Vec<usize>,
    /// The number of well-formed rows; below, the number of those that are kept.
    judged: u64,
    kept: u64,
    /// True if the file lacks a filter's column, so that it is unknown which rows are kept.
    blind: bool,
    table: PeopleTable,
    doubles: DoubleFinder,
    known: KnownAs,
}

impl<'a> Loader<'a> {
    /// Reads a file; `count_once`: whether rows of one id that are the same count once.
    fn read_file(
        spec: &'a TableSpec,
        count_once: bool,
        tally: &mut ProblemTally,
    ) -> Result<Self, LoadError> {
        let file = TableFile::open(&spec.path, &spec.how)?;
        let read_as = file.read_as.clone();
        let mut wanted = WantedColumns::default();
        let mut loader = Self::new(spec, count_once, &mut wanted, tally);
        loader.table.read_as = read_as;
        if let Some(rows) = TableRows::open(file, spec.columns.as_deref(), &wanted, tally) {
            loader.read(rows, &wanted, tally);
        } else if tally.is_empty() {
            note_empty(0, tally);
        }
        Ok(loader)
    }

    fn new(
        spec: &'a TableSpec,
        count_once: bool,
        wanted: &mut WantedColumns,
        tally: &mut ProblemTally,
    ) -> Self {
        let mut names = BTreeSet::new();
        for AttributeSpec { name, .. } in &spec.attributes {
            if !names.insert(name) {
                let what = format!("there is more than one attribute `{name}`");
                tally.note_whole(what, "give each attribute a name of its own");
            }
        }
        let attributes = spec.attributes.iter().map(|attribute| {
            let user = format!("the attribute `{}`", attribute.name);
            let slot = wanted.slot(&attribute.column, user);
            (slot, Coder::new(&attribute.levels))
        });
        let attributes = attributes.collect();
        let filters = spec.filters.iter().map(|filter| {
            let user = format!("the filter `{}`", filter.text());
            let clauses = filter.clauses().iter();
            let slots = clauses.map(|clause| wanted.slot(clause.column(), user.clone()));
            slots.collect()
        });
        let filters: Vec<Vec<usize>> = filters.collect();
        let clauses = spec.filters.iter().flat_map(|filter| filter.clauses());
        let clauses = clauses.zip(filters.iter().flatten());
        let compared = clauses.filter(|(clause, _)| clause.is_of_numbers());
        let compared = compared.map(|(_, slot)| *slot).collect();
        let ids = Ids::new(spec.id.as_deref(), count_once, wanted);
        let weight = spec.weight.as_ref();
        let weight = weight.map(|column| wanted.slot(column, "`weight`".into()));
        let unique = spec.unique.iter();
        let unique = unique.map(|column| wanted.slot(column, "`unique`".into()));
        Self {
            spec,
            filters,
            ids,
            attributes,
            weight,
            unique: unique.collect(),
            numbers: NumberReader::new(&spec.numbers, wanted),
            decimals: Decimals::default(),
            compared,
            judged: 0,
            kept: 0,
            blind: false,
            table: PeopleTable {
                weights: spec.weight.as_ref().map(|_| Vec::new()),
                households: (!spec.unique.is_empty()).then(Homes::default),
                removed: vec![0; spec.filters.len()],
                ..PeopleTable::default()
            },
            doubles: DoubleFinder::default(),
            known: KnownAs::default(),
        }
    }

    /// Takes note of which columns say what.
    fn know(&mut self, rows: &TableRows) {
        let attributes = self.attributes.iter().map(|(slot, _)| slot);
        let more = self.weight.iter().chain(&self.unique);
        let numbers = self.numbers.slots();
        let read = attributes.chain(more).copied().chain(numbers);
        self.known = KnownAs {
            id: rows.column(self.ids.slot()),
            read: read.filter_map(|slot| rows.column(slot)).collect(),
            evidence: None,
        };
    }

    /// An empty row.
    fn row(&self, wanted: &WantedColumns) -> TableRow {
        TableRow::new(wanted.names().len(), self.spec.numbers.is_exact)
    }

    fn read(&mut self, mut rows: TableRows, wanted: &WantedColumns, tally: &mut ProblemTally) {
        let mut row = self.row(wanted);
        self.know(&rows);
        self.decimals.delimiter = rows.delimiter();
        while rows.read(&mut row, tally) {
            self.judged += 1;
            if self.keeps(&row, wanted, tally) {
                match self.ids.named(&row, &rows) {
                    Named::Again(first) => self.doubles.once(first, row.line, false),
                    // That is looked at when it is known which columns count rows.
                    Named::Unlike => {}
                    Named::Person(id) => {
                        self.kept += 1;
                        self.doubles.take(row.line, &row.key, id);
                        self.take(&row, tally);
                    }
                }
            }
        }
        self.table.rows_read = rows.count();
        self.table.blank_rows = rows.blank();
        self.ids.check();
        self.judge_twice(wanted, &rows, tally);
        let names: Vec<&str> = wanted.names().collect();
        let column = |slot: usize| (names[slot], rows.field(slot));
        self.decimals.note(column, tally);
        self.table.unsure = self.decimals.unsure(&names);
        let (missing, known) = rows.missing();
        self.blind = self
            .filters
            .iter()
            .flatten()
            .any(|slot| missing.contains(slot));
        tally.retain(|kind| match kind {
            ProblemKind::Cell(slot, _) => !self.blind && !missing.contains(&slot),
            _ => true,
        });
        wanted.note_missing(&missing, &known, tally);
        if !self.blind {
            self.check_weights(tally);
        }
        if rows.count() == 0 {
            note_empty(known.names.len(), tally);
        } else if self.judged > 0 && self.kept == 0 && !self.blind {
            tally.note_none_kept(self.judged, &self.spec.filters, &self.table.removed);
        }
    }

    /// Judges rows that have the id of an earlier one and differ from it: where only columns that
    /// count rows differ, they count once, and else they are noted. The file is read again.
    fn judge_twice(&mut self, wanted: &WantedColumns, rows: &TableRows, tally: &mut ProblemTally) {
        let twice = self.ids.twice().to_vec();
        if twice.is_empty() {
            return;
        }
        let again = self.rows_of(twice.iter().flatten().copied().collect(), wanted);
        let counters = self.doubles.counters(&self.known);
        let names = rows.missing().1.names;
        for [first, line] in twice {
            let Some((one, other)) = again.get(&first).zip(again.get(&line)) else {
                continue;
            };
            let differing = one.key.differing(&other.key);
            if !differing.is_empty() && differing.iter().all(|at| counters.contains(at)) {
                self.doubles.once(first, line, true);
                continue;
            }
            let differ = differing.iter().filter_map(|at| names.get(*at).cloned());
            self.ids
                .note_twice([one, other], &differ.collect::<Vec<_>>(), tally);
            // Whatever else is wrong with it is noted too.
            self.kept += 1;
            self.take(other, tally);
        }
    }

    /// Some rows, by their lines.
    fn rows_of(&self, lines: BTreeSet<u64>, wanted: &WantedColumns) -> BTreeMap<u64, TableRow> {
        let mut found = BTreeMap::new();
        let mut tally = ProblemTally::new(&self.spec.path);
        let file = TableFile::open(&self.spec.path, &self.spec.how).ok();
        let columns = self.spec.columns.as_deref();
        let rows = file.and_then(|file| TableRows::open(file, columns, wanted, &mut tally));
        let Some(mut rows) = rows else {
            return found;
        };
        let mut row = self.row(wanted);
        while found.len() < lines.len() && rows.read(&mut row, &mut tally) {
            if lines.contains(&row.line) {
                found.insert(row.line, row.clone());
            }
        }
        found
    }

    /// The attributes whose `values` are written the wrong way round: no cell is listed, and cells
    /// are the names of values. One problem then replaces those of all rows.
    fn reversed(&self, tally: &mut ProblemTally) -> Vec<(String, Problem)> {
        let mut reversed = Vec::new();
        let attributes = self.attributes.iter().zip(&self.spec.attributes);
        for (i, ((slot, _), spec)) in attributes.enumerate() {
            let Levels::Values(values) = &spec.levels else {
                continue;
            };
            let kind = ProblemKind::Cell(*slot, CellRole::Attribute(i));
            let (refused, named) = {
                let (refused, mut cells) = tally.refused(kind);
                (refused, cells.any(|cell| values.names(cell)))
            };
            if refused == self.kept && named {
                let (what, help) = values.reversed(&spec.name, &spec.column);
                let problem = Problem::new(tally.file(), what).help(help);
                reversed.push((spec.name.clone(), problem));
                tally.retain(|other| other != kind);
            }
        }
        reversed
    }

    /// Returns true if all filters hold. Each filter counts the rows that it removes, independently
    /// of the others.
    fn keeps(&mut self, row: &TableRow, wanted: &WantedColumns, tally: &mut ProblemTally) -> bool {
        let pointed = self.pointed(row, wanted, tally);
        let cell = |slot: usize| {
            let pointed = pointed.iter().find(|(at, _)| *at == slot);
            let pointed = pointed.map(|(_, cell)| cell.as_str());
            pointed.or(row.cell(slot)).unwrap_or_default()
        };
        let mut kept = true;
        let filters = self.spec.filters.iter().zip(&self.filters);
        for ((filter, slots), removed) in filters.zip(&mut self.table.removed) {
            if !filter.holds(|clause| cell(slots[clause])) {
                *removed += 1;
                kept = false;
            }
        }
        kept
    }

    /// The cells with decimal commas that filters compare, with points.
    fn pointed(
        &self,
        row: &TableRow,
        wanted: &WantedColumns,
        tally: &mut ProblemTally,
    ) -> Vec<(usize, String)> {
        let Some(delimiter) = self.decimals.delimiter else {
            return Vec::new();
        };
        let mut pointed = Vec::new();
        for slot in &self.compared {
            let cell = row.cell(*slot).unwrap_or_default();
            match decimal::pointed(cell, delimiter) {
                Ok(Cow::Owned(cell)) => pointed.push((*slot, cell)),
                Ok(Cow::Borrowed(_)) => {}
                Err(both) => {
                    let name = wanted.names().nth(*slot).unwrap_or_default();
                    let kind = ProblemKind::Cell(*slot, CellRole::Compared);
                    tally.refuse(kind, row.at(*slot), cell, || {
                        let what = decimal::either(cell, name, &both);
                        (what, "write one of these".into())
                    });
                }
            }
        }
        pointed
    }

    /// Takes a kept row. What is refused leaves the columns uneven, which does not matter: there is
    /// no table then.
    fn take(&mut self, row: &TableRow, tally: &mut ProblemTally) {
        let table = &mut self.table;
        table.lines.push(row.line);
        table.row_numbers.push(row.number);
        let attributes = self.attributes.iter_mut().zip(&self.spec.attributes);
        for (i, ((slot, coder), spec)) in attributes.enumerate() {
            let kind = ProblemKind::Cell(*slot, CellRole::Attribute(i));
            let Some(cell) = row.required(*slot, &spec.column, kind, tally) else {
                continue;
            };
            let coded = match coder.is_of_numbers() {
                true => match self.decimals.number(cell, *slot, row.line) {
                    Some(number) => coder.band(number),
                    None => Err(CellRefusal::NotANumber),
                },
                false => coder.code(cell),
            };
            match coded {
                Ok(value) => table.values.push(value),
                Err(refusal) => {
                    tally.refuse(kind, row.at(*slot), cell, || {
                        coder.explain(spec, cell, refusal)
                    });
                }
            }
        }
        self.numbers.take(row, &mut self.decimals, tally);
        self.ids.take(row, tally);
        if let Some(homes) = &mut table.households {
            // A record that lacks a member has a blank there.
            let cells = self.unique.iter();
            let cells = cells.map(|slot| row.cell(*slot).unwrap_or_default());
            homes.of.push(homes.numbers.number(cells));
        }
        self.take_weight(row, tally);
    }

    fn take_weight(&mut self, row: &TableRow, tally: &mut ProblemTally) {
        let (Some(slot), Some(column), Some(weights)) =
            (self.weight, &self.spec.weight, &mut self.table.weights)
        else {
            return;
        };
        let kind = ProblemKind::Cell(slot, CellRole::Weight);
        let Some(cell) = row.required(slot, column, kind, tally) else {
            return;
        };
        match self.decimals.number(cell, slot, row.line) {
            Some(weight) if weight >= 0.0 => weights.push(weight),
            found => {
                let why = found.map_or("not a finite number", |_| "negative");
                tally.refuse(kind, row.at(slot), cell, || {
                    let what = format!("the weight {} in `{column}` is {why}", shown(cell));
                    (what, "correct it, or leave the row out with `where`".into())
                });
            }
        }
    }

    fn check_weights(&self, tally: &mut ProblemTally) {
        let weights = self.table.weights.as_deref().unwrap_or_default();
        let sum: f64 = weights.iter().sum();
        let all_good = weights.len() == self.table.lines.len();
        if !weights.is_empty() && all_good && !(sum > 0.0 && sum.is_finite()) {
            let what = format!("the weights of the rows kept sum to {sum}");
            let help = "the sum must be positive and finite; leave out `weight` to count heads";
            tally.note_whole(what, help);
        }
    }

    /// The table, which is one only where nothing was noted.
    fn finish(self, tally: &mut ProblemTally) -> PeopleTable {
        let mut table = self.table;
        let names = self.spec.attributes.iter().map(|one| one.name.clone());
        let coded = self.attributes.into_iter().map(|(_, coder)| coder.finish());
        let coded: Vec<_> = coded.collect();
        if !self.blind {
            let sizes = coded.iter().map(|coded| coded.levels.len());
            tally.check_cells(
                sizes,
                "leave out an attribute, or map several values to one",
            );
        }
        table.numbers = self.numbers.finish(self.blind, tally);
        (table.ids, table.unnamed) = self.ids.finish();
        table.doubles = self.doubles.finish(&self.known);
        if tally.is_empty() {
            Coded::renumber(&coded, &mut table.values);
        }
        table.attributes = names
            .zip(coded.into_iter().map(|coded| coded.levels))
            .collect();
        table
    }
}

fn note_empty(columns: usize, tally: &mut ProblemTally) {
    let what = match columns {
        0 => "the file is empty",
        _ => "the file has no row of data",
    };
    tally.note_whole(what, "it needs one row or record a person");
}
