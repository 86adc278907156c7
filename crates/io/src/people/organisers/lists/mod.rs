//! Lists of people: those who stay, those who left, those on a panel.
//!
//! A list has an id or a code a row, or rows of a table that has either, with a header or without.
//! Which column names people is judged by their cells.

mod columns;
mod judge;
mod respelt;
mod roster;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use self::judge::{Ambiguous, Naming};
use self::respelt::is_respelt;
use crate::people::table::tally::{At, CellRole, ProblemKind, ProblemTally};
use crate::record::cell::shown;
use crate::record::fault::FaultKind;
use crate::record::file::{Grid, GridRow, How, LoadError};
use kleroterion_core::problem::Problems;

pub(super) use self::columns::NamingColumns;
pub use self::judge::CODE;
pub use self::roster::Roster;

/// A person on a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The line of the file, from 1.
    pub line: u64,
    /// The respondent, as an index in the roster.
    pub one: u32,
}

/// The kind of a list, which decides the words of problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListKind {
    /// A list of people by id or code.
    People,
    /// A list of the members of a panel.
    Panel,
}

/// The people on a list, and the problems of the list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PeopleList {
    /// Each person once, in the order of the list.
    pub people: Vec<Listed>,
    /// The column that names them, from 1; the column of ids if there are ids and codes.
    pub column: Option<u64>,
    /// Repeated people: the line on which a person came first, and that of the repeat.
    pub again: Vec<[u64; 2]>,
    /// The problems of rows that name no respondent, or two. A problem gives the place of the name,
    /// and not the name itself.
    pub problems: Problems,
}

impl PeopleList {
    /// Reads a list. `due` are the people who are expected on it, if known; they help to recognise
    /// the column that names people. Others are on the list all the same.
    #[must_use]
    pub fn of(
        kind: ListKind,
        path: &Path,
        grid: &Grid,
        roster: &Roster,
        due: Option<&BTreeSet<u32>>,
    ) -> Self {
        let mut tally = ProblemTally::new(path);
        let mut list = Self::default();
        let naming = match Naming::of(grid, roster, due) {
            Ok(naming) => naming,
            Err(Ambiguous([one, other])) => {
                let line = grid.rows.first().map(|row| row.line);
                let at = At { line, column: None };
                tally.note(ProblemKind::Whole, at, || {
                    let (one, other) = (one + 1, other + 1);
                    let what = format!(
                        "columns {one} and {other} both name respondents, and not the same ones"
                    );
                    let help = "give the list a header: `id` or `code` over the column that counts";
                    (what, help.into())
                });
                list.problems = tally.finish();
                return list;
            }
        };
        list.column = naming.id.or(naming.code).map(|at| at as u64 + 1);
        let mut lines: BTreeMap<u32, u64> = BTreeMap::new();
        let (header, rows) = grid.rows.split_at(naming.skipped);
        let due = header.first().map_or(0, |header| header.cells.len());
        let is_short = |row: &&GridRow| {
            let naming = [naming.code, naming.id].into_iter().flatten();
            row.cells.len() < due && naming.min().is_some_and(|at| at >= row.cells.len())
        };
        for row in rows.iter().filter(is_short) {
            let fields = row.cells.len();
            let kind = ProblemKind::Shape(FaultKind::Fields);
            tally.note(kind, At::line(row.line), || {
                let word = if fields == 1 { "field" } else { "fields" };
                let what = format!("the row has {fields} {word} where the header has {due}");
                let help = "correct the row: its fields are to be separated as those of the header \
                            are";
                (what, help.into())
            });
        }
        for row in rows.iter().filter(|row| !is_short(row)) {
            let Some(one) = person(kind, row, naming, roster, &mut tally) else {
                continue;
            };
            match lines.get(&one) {
                Some(first) => list.again.push([*first, row.line]),
                None => {
                    lines.insert(one, row.line);
                    list.people.push(Listed {
                        line: row.line,
                        one,
                    });
                }
            }
        }
        list.problems = tally.finish();
        list
    }
}

/// The respondent of a row; that it names none, or two, is noted.
fn person(
    kind: ListKind,
    row: &GridRow,
    naming: Naming,
    roster: &Roster,
    tally: &mut ProblemTally,
) -> Option<u32> {
    let cell = |at: Option<usize>| {
        at.and_then(|at| row.cells.get(at))
            .map_or("", String::as_str)
    };
    let (code, id) = (cell(naming.code), cell(naming.id));
    let why = match roster.agree(code, id) {
        Ok(one) => return Some(one),
        Err(why) => why,
    };
    let column = match (naming.code, naming.id) {
        (_, Some(at)) if !id.is_empty() || code.is_empty() => Some(at),
        (at, _) => at,
    };
    // A line that names no one has perhaps nothing else.
    let column = column.filter(|_| (kind, why) != (ListKind::People, Unnamed::Stranger));
    let at = At::cell(row.line, column.map(|at| at as u64 + 1));
    tally.note(
        ProblemKind::Cell(why.group(), CellRole::Id),
        at,
        || match (kind, why) {
            (ListKind::Panel, Unnamed::Stranger) if roster.without_zeros(id).is_none() => {
                let help = "name members as `id` of [source] does, under a header";
                ("no respondent has this name".to_owned(), help.into())
            }
            _ => why.explain(id, roster),
        },
    );
    None
}

/// The reason why the code and the id of a row name no respondent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::people::organisers) enum Unnamed {
    /// Both are blank.
    Blank,
    /// They are no respondent's.
    Stranger,
    /// They are two respondents'.
    Two,
    /// The code is a respondent's, the id no one's.
    OtherId,
    /// The id is a respondent's, the code no one's.
    OtherCode,
}

impl Roster {
    /// The respondent whom a code and an id name; either may be blank, and one that a spreadsheet
    /// changed is known by the other.
    pub(super) fn agree(&self, code: &str, id: &str) -> Result<u32, Unnamed> {
        match (self.find(code), self.find(id)) {
            (Some(one), Some(other)) if one == other => Ok(one),
            (Some(_), Some(_)) => Err(Unnamed::Two),
            (Some(one), None) if id.is_empty() || is_respelt(self.id(one), id) => Ok(one),
            (Some(_), None) => Err(Unnamed::OtherId),
            (None, Some(one)) => {
                let known = self.code(one).is_none_or(|known| is_respelt(known, code));
                match code.is_empty() || known {
                    true => Ok(one),
                    false => Err(Unnamed::OtherCode),
                }
            }
            (None, None) if code.is_empty() && id.is_empty() => Err(Unnamed::Blank),
            (None, None) => Err(Unnamed::Stranger),
        }
    }
}

impl Unnamed {
    /// The number of the group in which problems are listed.
    pub(super) fn group(self) -> usize {
        match self {
            Self::Blank => 0,
            Self::Stranger => 1,
            Self::Two | Self::OtherId | Self::OtherCode => 2,
        }
    }

    /// Returns the fault of a row and the advice; `id` is the cell of the id.
    pub(in crate::people::organisers) fn explain(
        self,
        id: &str,
        roster: &Roster,
    ) -> (String, String) {
        let anew = "take the row from the table of the draw anew, or delete the line";
        match self {
            Self::Blank => (
                "the cell that is to name a respondent is blank".to_owned(),
                "write the id or the code of the person, or delete the line".to_owned(),
            ),
            Self::Stranger => (
                "the line names no respondent".to_owned(),
                match roster.without_zeros(id) {
                    Some(full) => format!(
                        "did you mean {}? A spreadsheet drops zeros at the front: save the column \
                         as text",
                        shown(full)
                    ),
                    None => "write an id or a code a line, or rows of panel.csv with their header"
                        .to_owned(),
                },
            ),
            Self::Two => {
                let id = shown(id);
                let what =
                    format!("the code of this row is one respondent's and the id {id} another's");
                (what, anew.to_owned())
            }
            Self::OtherId => {
                let what = "the code of this row is a respondent's, and the id is not theirs";
                (what.to_owned(), anew.to_owned())
            }
            Self::OtherCode => {
                let what = "the id of this row is a respondent's, and the code is not theirs";
                (what.to_owned(), anew.to_owned())
            }
        }
    }
}

/// Reads the members that a file of a panel lists, as indexes of respondents.
///
/// # Errors
/// All that is wrong: rows that name no respondent, or one of another row, and whatever keeps the
/// file from being read. Problems say where a name is, and not the name.
pub fn panel_members(path: &Path, roster: &Roster) -> Result<Vec<u32>, LoadError> {
    let grid = Grid::read(path, &How::default())?;
    let mut list = PeopleList::of(ListKind::Panel, path, &grid, roster, None);
    let mut tally = ProblemTally::new(path);
    for [first, again] in &list.again {
        let at = At::cell(*again, list.column);
        tally.note(ProblemKind::Whole, at, || {
            let what = format!("the member of line {first} comes again");
            (what, "keep one row a member".into())
        });
    }
    list.problems.0.extend(tally.finish().0);
    let people = list.people.iter().map(|listed| listed.one).collect();
    list.problems.or(people).map_err(LoadError::from)
}
