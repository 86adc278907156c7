//! The respondents file of sortition tools: the people who volunteered, one per row.

use std::collections::BTreeMap;
use std::path::Path;

use super::Categories;
use super::codes::Codes;
use super::kept_rows::KeptRows;
use crate::people::table::doubles::KnownAs;
use crate::people::table::identity::{Identities, NamedRow};
use crate::people::table::ids::double;
use crate::people::table::sheet::{Sheet, SheetRow};
use crate::people::table::tally::{At, CellRole, ProblemKind};
use crate::people::table::{Doubles, Homes, LoadError, PeopleTable};
use crate::record::file::How;
use crate::record::{Filter, Levels, compared};

/// A file of respondents, and the options for reading it.
#[derive(Clone, Debug)]
pub struct RespondentsSpec<'a> {
    /// The file: a table with a header. A column is
    /// found by its name, trimmed and case-insensitively; columns that no one asks for are ignored.
    pub path: &'a Path,
    /// The options for opening the file.
    pub how: &'a How,
    /// The attributes, each a column of the file, and the values that its cells may name.
    pub categories: &'a Categories,
    /// The column of ids, all different. If it is `None`, the row's number is the id.
    pub id: Option<&'a str>,
    /// The columns that together name a household.
    pub unique: &'a [String],
    /// The filters; a row that fails one is left out before anything is counted.
    pub filters: &'a [Filter],
    /// The bands of attributes whose cells are numbers.
    pub bands: &'a [(String, Levels)],
    /// True if people with values outside the categories are kept. These values then follow the
    /// listed ones in the attribute.
    pub keeps_others: bool,
}

impl RespondentsSpec<'_> {
    /// Reads the respondents, with attributes and values in the order of the categories.
    ///
    /// # Errors
    /// All that is wrong with the file: columns that are missing or there twice; rows of too few or
    /// too many fields; cells that are blank or name no value of their attribute; ids that are
    /// empty or repeated; no row; more combinations of values than 2^32; and whatever keeps the
    /// file from being read. Of each kind and column the first 20 are listed one by one, then how
    /// many more there are of which cells.
    pub fn load(&self) -> Result<PeopleTable, LoadError> {
        let mut sheet = Sheet::open(self.path, "each person", self.how)?;
        let (slots, mut filters) = self.slots(&mut sheet);
        let is_exact = self.categories.is_exact();
        let rows = sheet.rows_as(&slots.columns, is_exact);
        let rows_read = rows.last().map_or(0, |row| row.number);
        let rows = filters.keep(rows, &slots.columns, &mut sheet);
        let read = People::of(rows, slots.id, &slots.known(), is_exact);
        let rows = &read.rows;
        let (values, attributes) = self.values(rows, &slots, &mut sheet);
        if let (Some(slot), Some(name)) = (slots.id, self.id) {
            let at = (slot, slots.columns[slot] as u64 + 1, name);
            check_ids(&read, at, &mut sheet);
        }
        let sizes = attributes.iter().map(|(_, values)| values.len());
        let help = "leave out an attribute of the categories, or join values";
        sheet.tally.check_cells(sizes, help);
        if !sheet.tally.is_empty() {
            return Err(sheet.tally.finish().into());
        }
        let ids = |slot: usize| rows.iter().map(|row| row.cells[slot].clone()).collect();
        Ok(PeopleTable {
            read_as: sheet.read_as().clone(),
            blank_rows: sheet.blank_rows(),
            ids: slots.id.map(ids),
            unnamed: slots.plain.and_then(|slot| one_id(rows, slot, is_exact)),
            attributes,
            values,
            households: (!self.unique.is_empty()).then(|| slots.homes(rows)),
            lines: rows.iter().map(|row| row.line).collect(),
            row_numbers: rows.iter().map(|row| row.number).collect(),
            rows_read,
            removed: filters.removed,
            doubles: read.doubles,
            ..PeopleTable::default()
        })
    }

    /// The columns that are read, and the filters.
    fn slots(&self, sheet: &mut Sheet) -> (Slots, KeptRows<'_>) {
        let mut columns = Vec::new();
        let mut slot = |name: &str, user: &str| {
            columns.push(sheet.need(name, user)?);
            Some(columns.len() - 1)
        };
        let attributes = self.categories.attributes().iter();
        let attributes = attributes
            .map(|a| slot(&a.name, &format!("the attribute `{}`", a.name)))
            .collect();
        let id = self.id.and_then(|name| slot(name, "`id`"));
        let unique = self.unique.iter();
        let unique = unique.map(|name| slot(name, "`unique`")).collect();
        let filters = KeptRows::new(self.filters, slot);
        // A column of this name is looked at though no key asks for it.
        let plain = self.id.is_none().then(|| sheet.find("id")).flatten();
        let plain = plain.map(|column| {
            columns.push(column);
            columns.len() - 1
        });
        let slots = Slots {
            columns,
            attributes,
            id,
            unique,
            plain,
        };
        (slots, filters)
    }

    /// The values of all rows, and the attributes with those that there are; cells that name none
    /// are noted.
    fn values(
        &self,
        rows: &[SheetRow],
        slots: &Slots,
        sheet: &mut Sheet,
    ) -> (Vec<u16>, Vec<(String, Vec<String>)>) {
        let is_exact = self.categories.is_exact();
        let attributes = self.categories.attributes().iter();
        let codes = attributes.map(|one| Codes::new(one, is_exact, self.bands, self.keeps_others));
        let mut codes: Vec<_> = codes.collect();
        let width = codes.len();
        let kind = |slot, at| ProblemKind::Cell(slot, CellRole::Attribute(at));
        let mut values = Vec::with_capacity(rows.len() * width);
        for row in rows {
            for (i, (slot, codes)) in slots.attributes.iter().zip(&mut codes).enumerate() {
                if let Some(slot) = *slot {
                    let at = At::cell(row.line, Some(slots.columns[slot] as u64 + 1));
                    values.extend(codes.read(&row.cells[slot], kind(slot, i), at, sheet));
                }
            }
        }
        let mut named = Vec::with_capacity(width);
        for (i, (slot, codes)) in slots.attributes.iter().zip(codes).enumerate() {
            if let Some(slot) = *slot {
                codes.note_unbanded(kind(slot, i), sheet);
            }
            let (attribute, renumbered) = codes.finish();
            for value in values.iter_mut().skip(i).step_by(width) {
                let number = renumbered.get(usize::from(*value));
                *value = number.copied().unwrap_or(*value);
            }
            named.push(attribute);
        }
        (values, named)
    }
}

/// The columns that are read, each once; the place in the list is the column's slot. None is
/// a column that is missing or there twice, which is noted: its cells can't be read.
struct Slots {
    columns: Vec<usize>,
    attributes: Vec<Option<usize>>,
    id: Option<usize>,
    unique: Vec<Option<usize>>,
    /// A column called "id" that no key asks for.
    plain: Option<usize>,
}

impl Slots {
    /// Returns the use of the columns, for finding doubles.
    fn known(&self) -> KnownAs {
        let column = |slot: &usize| self.columns[*slot];
        let read = self.attributes.iter().chain(&self.unique).flatten();
        KnownAs {
            id: self.id.as_ref().map(column),
            read: read.map(column).collect(),
            evidence: None,
        }
    }

    /// The households, and which is each row's.
    fn homes(&self, rows: &[SheetRow]) -> Homes {
        let mut homes = Homes::default();
        for row in rows {
            let cells = self.unique.iter().flatten();
            let cells = cells.map(|slot| row.cells[*slot].as_str());
            homes.of.push(homes.numbers.number(cells));
        }
        homes
    }
}

/// The rows of a file of people, each person's once.
pub(super) struct People {
    pub(super) rows: Vec<SheetRow>,
    /// Pairs of rows that have one id and differ.
    clashes: Vec<[usize; 2]>,
    doubles: Doubles,
}

impl People {
    /// People of rows, of which a slot may be the `id`: rows of one id that are the same in every
    /// cell of the file are one person's.
    pub(super) fn of(
        mut rows: Vec<SheetRow>,
        id: Option<usize>,
        known: &KnownAs,
        is_exact: bool,
    ) -> Self {
        let named: Vec<NamedRow<'_>> = rows
            .iter()
            .map(|row| NamedRow {
                line: row.line,
                id: id
                    .map(|slot| row.cells[slot].as_str())
                    .filter(|id| !id.is_empty()),
                key: &row.key,
            })
            .collect();
        let found = Identities::of(&named, known, is_exact);
        // The place of each row among those that stay.
        let mut stays = 0;
        let places = found.first.iter().enumerate().map(|(at, first)| {
            let place = stays;
            stays += usize::from(at == *first);
            place
        });
        let places: Vec<usize> = places.collect();
        let mut first = found.first.iter().enumerate();
        rows.retain(|_| first.next().is_some_and(|(at, first)| at == *first));
        Self {
            rows,
            clashes: found
                .clashes
                .iter()
                .map(|pair| pair.map(|at| places[at]))
                .collect(),
            doubles: found.doubles,
        }
    }
}

/// Returns the reason why a column can't name people, or `None` if it can. The reason is that two
/// rows share a cell.
fn one_id(rows: &[SheetRow], slot: usize, is_exact: bool) -> Option<String> {
    let mut first = BTreeMap::new();
    let named = rows.iter().filter(|row| !row.cells[slot].is_empty());
    let mut twice = named.filter_map(|row| {
        let id = compared(&row.cells[slot], is_exact);
        let line = *first.entry(id).or_insert(row.line);
        (line != row.line).then_some((line, row.line))
    });
    let (line, again) = twice.next()?;
    Some(format!("lines {line} and {again} have one `id`"))
}

/// Notes rows without an id, and rows that have one id and differ. `at`: the slot of the id, its
/// field and its name.
fn check_ids(people: &People, (slot, field, name): (usize, u64, &str), sheet: &mut Sheet) {
    let kind = ProblemKind::Cell(slot, CellRole::Id);
    let names = sheet.columns().to_vec();
    let at = |row: &SheetRow| At::cell(row.line, Some(field));
    for row in people.rows.iter().filter(|row| row.cells[slot].is_empty()) {
        sheet.tally.note(kind, at(row), || {
            let help =
                "give each person an id, or leave out `id`: the row's number then names them";
            (format!("the id in `{name}` is empty"), help.into())
        });
    }
    for [first, again] in &people.clashes {
        let (first, row) = (&people.rows[*first], &people.rows[*again]);
        sheet.tally.note(kind, at(row), || {
            let differ = first.key.differing(&row.key).into_iter();
            let differ: Vec<String> = differ.filter_map(|at| names.get(at).cloned()).collect();
            let ids = [&*first.cells[slot], &*row.cells[slot]];
            double(ids, name, first.line, &differ)
        });
    }
}
