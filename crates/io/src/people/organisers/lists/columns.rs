//! The columns of a table with a header that name people: ids, codes or both.

use super::Unnamed;
use super::judge::CODE;
use super::roster::Roster;
use crate::people::table::sheet::{Sheet, SheetRow};
use crate::people::table::tally::{At, CellRole, ProblemKind};

/// The columns of ids and of codes, at least one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::people::organisers) struct NamingColumns {
    id: Option<usize>,
    code: Option<usize>,
}

impl NamingColumns {
    /// A column that names people one way or the other.
    pub(in crate::people::organisers) fn alone(column: usize) -> Self {
        Self {
            id: Some(column),
            code: None,
        }
    }

    /// The columns by their names, where a table has one of them.
    pub(in crate::people::organisers) fn of(sheet: &Sheet, roster: &Roster) -> Option<Self> {
        let named = roster.id_column().and_then(|name| sheet.find(name));
        let code = sheet
            .find(&format!("draw_{CODE}"))
            .or_else(|| sheet.find(CODE));
        let code = code.filter(|code| Some(*code) != named);
        // Next to codes it may be a column of the file of people that names no one.
        let plain = sheet
            .find("id")
            .filter(|_| code.is_none() || !roster.has_column("id"));
        let id = named.or(plain);
        (id.is_some() || code.is_some()).then_some(Self { id, code })
    }

    /// The same for some rows: codes of which none is a respondent's do not count next to ids.
    pub(in crate::people::organisers) fn of_rows(
        mut self,
        rows: &[SheetRow],
        roster: &Roster,
    ) -> Self {
        let is_known = |code: usize| {
            rows.iter()
                .any(|row| roster.by_code(&row.cells[code]).is_some())
        };
        if self.id.is_some() {
            self.code = self.code.filter(|code| is_known(*code));
        }
        self
    }

    /// The name of a row's person, as the roster has it where it does; none where it is blank. That
    /// code and id are two people's is noted.
    pub(in crate::people::organisers) fn name(
        self,
        row: &SheetRow,
        roster: &Roster,
        sheet: &mut Sheet,
    ) -> Option<String> {
        let cell = |at: Option<usize>| at.map_or("", |at| row.cells[at].as_str());
        let (id, code) = (cell(self.id), cell(self.code));
        match roster.agree(code, id) {
            Ok(one) => Some(roster.id(one).to_owned()),
            Err(Unnamed::Blank) => None,
            Err(Unnamed::Stranger) if id.is_empty() => Some(code.to_owned()),
            Err(Unnamed::Stranger) if roster.without_zeros(id).is_none() => Some(id.to_owned()),
            Err(why) => {
                let column = self.id.map(|at| at as u64 + 1);
                let kind = ProblemKind::Cell(why.group(), CellRole::Id);
                let at = At::cell(row.line, column);
                sheet.tally.note(kind, at, || why.explain(id, roster));
                None
            }
        }
    }
}
