//! The rows of a table's text as cells.

use std::collections::BTreeMap;
use std::path::Path;

use super::load_error::LoadError;
use crate::record::fault::Fault;
use crate::record::framing::{Frame, FrameFault, Frames};
use crate::record::json::Record;
use crate::record::object;
use crate::record::row::RowCells;
use crate::record::tidy;
use kleroterion_core::problem::{Place, Problem, Problems};

/// A row of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GridRow {
    /// The line of the file on which the row begins, or the row of the sheet, from 1.
    pub line: u64,
    /// The cells, [tidied](crate::record::tidy). Rows may differ in length.
    pub cells: Vec<String>,
}

/// The rows of separated text, and how many hold nothing.
pub(super) fn separated(
    path: &Path,
    text: &[u8],
    delimiter: u8,
    first_line: u64,
) -> Result<(Vec<GridRow>, u64), LoadError> {
    let mut problems = Problems::default();
    let (mut rows, mut blank) = (Vec::new(), 0);
    let mut cells = RowCells::new(delimiter);
    let mut take = |frame: Frame<'_>| {
        if let Some(FrameFault::Misquoted(quotes)) = frame.fault {
            let place = Place::field(path, Some(quotes.line), Some(quotes.field));
            let what = "the quotes of this field are wrong";
            let help = "close the quotation mark; one within quotes is written twice";
            problems.push(Problem::new(place, what).help(help));
            return;
        }
        cells.split(frame.bytes);
        let is_blank = cells.is_blank(usize::MAX);
        let cells = (0..cells.len()).map(|at| cells.text(at).into_owned());
        let cells: Vec<String> = cells.collect();
        match is_blank {
            true => blank += 1,
            false => rows.push(GridRow {
                line: frame.line,
                cells,
            }),
        }
    };
    let mut frames = Frames::new(usize::MAX, Some(delimiter), first_line);
    frames.push(text, &mut take);
    frames.finish(&mut take);
    match problems.0.is_empty() {
        true => Ok((rows, blank)),
        false => Err(problems.into()),
    }
}

/// The rows of records, after a row of the names of their members. `unread` takes the members that
/// are lists or objects.
pub(super) fn records(
    path: &Path,
    text: &[u8],
    unread: &mut Vec<String>,
) -> Result<Vec<GridRow>, LoadError> {
    let mut problems = Problems::default();
    let mut names: Vec<String> = Vec::new();
    let mut found: Vec<(u64, BTreeMap<String, String>)> = Vec::new();
    let mut take = |frame: Frame<'_>| match cells_of(frame.bytes) {
        Ok((cells, others)) => {
            for name in others {
                if !unread.contains(&name) {
                    unread.push(name);
                }
            }
            for name in cells.iter().map(|(name, _)| name) {
                if !names.contains(name) {
                    names.push(name.clone());
                }
            }
            found.push((frame.line, cells.into_iter().collect()));
        }
        Err(fault) => {
            let place = Place::field(path, Some(frame.line), fault.column);
            problems.push(Problem::new(place, fault.what).help(fault.help));
        }
    };
    let mut frames = Frames::new(usize::MAX, None, 1);
    frames.push(text, &mut take);
    frames.finish(&mut take);
    if !problems.0.is_empty() {
        return Err(problems.into());
    }
    if names.is_empty() && !found.is_empty() {
        return Err(Problems::from(wrapped(path, text)).into());
    }
    let row = |(line, mut cells): (u64, BTreeMap<String, String>)| GridRow {
        line,
        cells: names
            .iter()
            .map(|name| cells.remove(name).unwrap_or_default())
            .collect(),
    };
    let people: Vec<GridRow> = found.into_iter().map(row).collect();
    let header = GridRow {
        line: 0,
        cells: names,
    };
    Ok(match people.is_empty() {
        true => Vec::new(),
        false => std::iter::once(header).chain(people).collect(),
    })
}

/// The problem of records of which no member is a text or a number: perhaps one holds the list.
fn wrapped(path: &Path, text: &[u8]) -> Problem {
    let record = object::text(text.trim_ascii()).ok();
    let record = record.and_then(|text| Record::parse(text).ok());
    let name = record.and_then(|record| record.names().next().map(|name| name.to_string()));
    let what = match name {
        Some(name) => {
            format!("this is one record, and its member `{name}` is no text and no number")
        }
        None => "no member of the records is a text or a number".to_owned(),
    };
    let help =
        "save the list of people alone: [{\"id\": \"ann\"}, {\"id\": \"bob\"}], or a record a line";
    Problem::of_file(path, what).help(help)
}

/// The name and the text of a member of a record.
type NamedCell = (String, String);

/// The cells of a record in their order, each under the name by which a config finds it; and the
/// members that are lists or objects, which are no cells.
fn cells_of(bytes: &[u8]) -> Result<(Vec<NamedCell>, Vec<String>), Fault> {
    let record = Record::parse(object::text(bytes)?)?;
    let (mut cells, mut others) = (Vec::<NamedCell>::new(), Vec::new());
    for name in record.names() {
        match record.cell(name) {
            Ok(Some(cell)) if !cells.iter().any(|(known, _)| known == name) => {
                cells.push((name.clone().into_owned(), tidy(&cell).into_owned()));
            }
            // Their members are columns.
            Err(_) if !["groups", "features"].contains(&&**name) => {
                others.push(name.clone().into_owned());
            }
            _ => {}
        }
    }
    Ok((cells, others))
}
