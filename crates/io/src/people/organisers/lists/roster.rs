//! The people whom a list can name, by id and, if they have codes, by code.

use std::collections::{BTreeMap, BTreeSet};

use crate::people::table::RawRows;
use crate::record::{fold, read_cell};
use kleroterion_core::protocol::Respondents;

/// The respondents whom lists can name, with their ids and codes.
#[derive(Clone, Debug, Default)]
pub struct Roster {
    names: Vec<Box<str>>,
    ids: BTreeMap<String, u32>,
    /// By folded id, where no other is the same when folded.
    folded: BTreeMap<String, Option<u32>>,
    codes: BTreeMap<String, u32>,
    of: Vec<String>,
    /// The columns of the file of people, folded.
    columns: Vec<String>,
    /// The folded cells of each person's row in that file.
    cells: Vec<Vec<String>>,
    /// The column of that file which holds the ids.
    id: Option<usize>,
}

impl Roster {
    /// Makes a roster of the respondents of a file, by their ids alone.
    #[must_use]
    pub fn new(respondents: &Respondents) -> Self {
        let names: Vec<Box<str>> = respondents.names().to_vec();
        let mut folded: BTreeMap<String, Option<u32>> = BTreeMap::new();
        for (name, one) in names.iter().zip(0..) {
            let entry = folded.entry(fold(name)).or_insert(Some(one));
            *entry = entry.filter(|known| *known == one);
        }
        let ids = names.iter().zip(0..);
        Self {
            ids: ids.map(|(name, one)| (name.to_string(), one)).collect(),
            folded,
            names,
            ..Self::default()
        }
    }

    /// Returns the roster with the codes of all respondents, in their order.
    #[must_use]
    pub fn with_codes(mut self, codes: impl IntoIterator<Item = String>) -> Self {
        self.of = codes.into_iter().collect();
        let codes = self.of.iter().zip(0..);
        self.codes = codes.map(|(code, one)| (fold(code), one)).collect();
        self
    }

    /// Returns the roster with the rows of the respondents' file, which help to recognise a list's
    /// columns. `rows` is the number of each respondent's row, from 1.
    #[must_use]
    pub fn with_file(mut self, file: &RawRows, rows: &[u64]) -> Self {
        self.columns = file.names.iter().map(|name| fold(name)).collect();
        let cells = rows.iter().map(|number| {
            let row = file.rows.get((*number as usize).wrapping_sub(1));
            let cells = row.map(|row| file.cells(row)).unwrap_or_default();
            cells.iter().map(|cell| fold(cell)).collect()
        });
        self.cells = cells.collect();
        let holds_ids = |column: &usize| {
            let names = self.names.iter().zip(&self.cells);
            let mut names = names.map(|(name, cells)| cells.get(*column) == Some(&fold(name)));
            names.all(|is_same| is_same)
        };
        self.id = (0..self.columns.len()).find(holds_ids);
        self
    }

    /// Returns the roster with the names of further columns of the file, whose cells are unknown.
    #[must_use]
    pub fn with_columns(mut self, names: &[String]) -> Self {
        self.columns.extend(names.iter().map(|name| fold(name)));
        self
    }

    /// Finds the respondent of an id, else of a code.
    #[must_use]
    pub fn find(&self, cell: &str) -> Option<u32> {
        let exact = self.ids.get(cell).copied();
        let code = || self.by_code(cell);
        // As a table of ours wrote it.
        let own = || self.ids.get(&*read_cell(cell)).copied();
        let folded = || self.folded.get(&fold(&read_cell(cell))).copied().flatten();
        exact.or_else(code).or_else(own).or_else(folded)
    }

    /// Finds the respondent of a code.
    #[must_use]
    pub fn by_code(&self, cell: &str) -> Option<u32> {
        self.codes.get(&fold(cell)).copied()
    }

    /// The id of the respondent whom a text names; else the text.
    pub(in crate::people::organisers) fn called(&self, name: String) -> String {
        match self.find(&name) {
            Some(one) => self.id(one).to_owned(),
            None => name,
        }
    }

    /// Returns the id of a respondent.
    #[must_use]
    pub fn id(&self, one: u32) -> &str {
        &self.names[one as usize]
    }

    /// Returns the code of a respondent, or `None` if there are no codes.
    #[must_use]
    pub fn code(&self, one: u32) -> Option<&str> {
        self.of.get(one as usize).map(String::as_str)
    }

    /// The name of the column of ids, folded: as the file of people calls it, or `id`. None where
    /// people are named by the numbers of their rows.
    pub(super) fn id_column(&self) -> Option<&str> {
        match (self.id, self.columns.is_empty()) {
            (Some(at), _) => Some(&self.columns[at]),
            (None, true) => Some("id"),
            (None, false) => None,
        }
    }

    /// Returns true if the file of people has a column of this folded name.
    pub(super) fn has_column(&self, name: &str) -> bool {
        self.columns.iter().any(|column| column == name)
    }

    /// Returns the number of folded cells that occur in a respondent's row.
    pub(super) fn alike<'a>(&self, one: u32, cells: impl Iterator<Item = &'a String>) -> usize {
        let Some(own) = self.cells.get(one as usize) else {
            return 0;
        };
        let own: BTreeSet<&String> = own.iter().filter(|cell| !cell.is_empty()).collect();
        cells.filter(|cell| own.contains(cell)).count()
    }

    /// The id that a cell would be with the zeros that a spreadsheet drops at its front, where just
    /// one is.
    pub(in crate::people::organisers) fn without_zeros(&self, cell: &str) -> Option<&str> {
        if cell.is_empty() || !cell.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let bare = cell.trim_start_matches('0');
        let is_longer =
            |name: &&str| name.len() > cell.len() && name.trim_start_matches('0') == bare;
        let names = self.names.iter().map(|name| &**name);
        let mut same = names.filter(is_longer);
        let found = same.next()?;
        same.next().is_none().then_some(found)
    }
}
