//! Lists of people by id or code: those who stay, those who left.

use std::collections::BTreeMap;

use super::code::Codes;
use super::inputs::Inputs;
use crate::problem::{Place, Problem, Problems};
use crate::protocol::Respondents;

/// The column of codes in the tables of a draw.
pub(super) const CODE: &str = "code";

/// Respondents by their ids and codes.
pub(super) struct Index<'a> {
    ids: BTreeMap<&'a str, u32>,
    codes: &'a Codes,
    /// The columns that name people, in small letters.
    columns: Vec<String>,
}

impl<'a> Index<'a> {
    /// The respondents of some inputs.
    pub(super) fn new(respondents: &'a Respondents, codes: &'a Codes, id: Option<&str>) -> Self {
        let names = respondents.names().iter().zip(0..);
        let id = id.map(|id| id.trim().to_lowercase());
        Self {
            ids: names.map(|(name, one)| (&**name, one)).collect(),
            codes,
            columns: [CODE.to_owned()].into_iter().chain(id).collect(),
        }
    }

    /// The respondent of an id or a code.
    pub(super) fn find(&self, name: &str) -> Option<u32> {
        let id = self.ids.get(name).copied();
        id.or_else(|| self.codes.find(name))
    }

    /// The people on a list among the inputs, each once, in its order; none where there is no
    /// list. Names that are no respondent's are noted by their lines.
    pub(super) fn list(&self, name: &str, inputs: &Inputs, problems: &mut Problems) -> Vec<u32> {
        let Some(bytes) = inputs.files.get(name) else {
            return Vec::new();
        };
        let wrong = |line: Option<u64>, what: &str, help: &str| {
            let (path, column) = (inputs.origin(name), None);
            Problem::new(Place::File { path, line, column }, what).help(help)
        };
        let Ok(text) = std::str::from_utf8(bytes) else {
            problems.push(wrong(None, "the list is not UTF-8", "save it as CSV UTF-8"));
            return Vec::new();
        };
        let mut listed: Vec<u32> = Vec::new();
        for (line, cell) in self.cells(text) {
            match self.find(&cell) {
                Some(one) if listed.contains(&one) => {}
                Some(one) => listed.push(one),
                None => problems.push(wrong(
                    Some(line),
                    "the line names no respondent",
                    "write an id or a code a line, or rows of panel.csv with their header",
                )),
            }
        }
        listed
    }

    /// The cells that name people, with their lines: of the column of codes or ids where a header
    /// has one, else the first of each row.
    fn cells(&self, text: &str) -> Vec<(u64, String)> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let first = text.lines().next().unwrap_or_default();
        let delimiter = [b',', b';', b'\t'].into_iter();
        let mut delimiter = delimiter.filter(|mark| first.as_bytes().contains(mark));
        let mut rows = csv::ReaderBuilder::new();
        rows.has_headers(false).flexible(true).trim(csv::Trim::All);
        rows.delimiter(delimiter.next().unwrap_or(b','));
        let mut rows = rows.from_reader(text.as_bytes());
        let mut at = None;
        let mut cells = Vec::new();
        for row in rows.records().map_while(Result::ok) {
            let line = row.position().map_or(0, csv::Position::line);
            if cells.is_empty() && at.is_none() {
                let is_named =
                    |name: &String| row.iter().position(|cell| cell.to_lowercase() == *name);
                at = self.columns.iter().find_map(is_named);
                if at.is_some() {
                    continue;
                }
            }
            let cell = row.get(at.unwrap_or(0)).unwrap_or_default();
            if !cell.is_empty() {
                cells.push((line, cell.to_owned()));
            }
        }
        cells
    }
}
