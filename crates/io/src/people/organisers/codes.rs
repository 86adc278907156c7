//! The attribute values that the cells of respondents name.

use std::collections::BTreeMap;

use super::Category;
use crate::people::table::sheet::Sheet;
use crate::people::table::tally::{At, ProblemKind};
use crate::record::alike::alike;
use crate::record::cell::{number, shown, without};
use crate::record::coder::Coder;
use crate::record::decimal::marked;
use crate::record::interval::bands_text;
use crate::record::look::look_alike;
use crate::record::{Levels, fold, unseen};
use kleroterion_core::nearest::nearest_value;

/// The name of the value for people with a blank cell, if they are kept.
const BLANK: &str = "(blank)";

/// An attribute's values by the letters in which they are compared.
pub(super) struct Codes<'a> {
    attribute: &'a Category,
    is_exact: bool,
    codes: BTreeMap<String, u16>,
    /// The bands of an attribute whose cells are numbers, and the value of each band.
    bands: Option<(&'a Levels, Vec<Option<u16>>)>,
    /// The values that the categories do not list, if people who have them are kept.
    others: Option<Coder<'static>>,
}

impl<'a> Codes<'a> {
    /// `is_exact`: whether each letter of values matters; `bands`: of attributes whose cells are
    /// numbers; `keeps_others`: whether people with values that are not listed are kept.
    pub(super) fn new(
        attribute: &'a Category,
        is_exact: bool,
        bands: &'a [(String, Levels)],
        keeps_others: bool,
    ) -> Self {
        let key = |name: &str| {
            if is_exact {
                name.to_owned()
            } else {
                fold(name)
            }
        };
        let values = attribute.values.iter().zip(0..);
        let codes: BTreeMap<String, u16> = values.map(|(v, code)| (key(&v.name), code)).collect();
        let bands = bands.iter().find(|(name, _)| alike(name, &attribute.name));
        let bands = bands.map(|(_, levels)| {
            let names = levels.names().unwrap_or_default().iter();
            (
                levels,
                names.map(|name| codes.get(&key(name)).copied()).collect(),
            )
        });
        let levels = if is_exact {
            &Levels::Spelt
        } else {
            &Levels::Distinct
        };
        Self {
            attribute,
            is_exact,
            codes,
            bands,
            others: keeps_others.then(|| Coder::new(levels)),
        }
    }

    /// The value that a cell names; that it names none is noted, unless people with other values
    /// are kept.
    pub(super) fn read(
        &mut self,
        cell: &str,
        kind: ProblemKind,
        at: At,
        sheet: &mut Sheet,
    ) -> Option<u16> {
        if let Some(code) = self.code(cell) {
            return Some(code);
        }
        let listed = self.attribute.values.len() as u16;
        let name = if cell.is_empty() { BLANK } else { cell };
        let code = self.others.as_mut().map(|others| others.code(name));
        match code {
            Some(Ok(code)) => listed.checked_add(code),
            Some(Err(_)) | None => {
                sheet.tally.refuse(kind, at, cell, || self.explain(cell));
                None
            }
        }
    }

    fn code(&self, cell: &str) -> Option<u16> {
        if let Some((levels, codes)) = &self.bands {
            let number = marked(cell).map(|(number, _)| number);
            let band = number.and_then(|number| Coder::new(levels).band(number).ok());
            return codes[usize::from(band?)];
        }
        let spelt = if self.is_exact {
            None
        } else {
            Some(fold(cell))
        };
        self.codes.get(spelt.as_deref().unwrap_or(cell)).copied()
    }

    fn explain(&self, cell: &str) -> (String, String) {
        let Category { name, values } = self.attribute;
        let known = || values.iter().map(|value| value.name.as_str());
        let list = known().collect::<Vec<_>>().join(", ");
        if self.bands.is_some() && !cell.is_empty() {
            let what = match marked(cell) {
                Some(_) => format!("{} is in no band of `{name}`", shown(cell)),
                None => format!(
                    "{} is not a number, which the bands of `{name}` need",
                    shown(cell)
                ),
            };
            return (
                what,
                self.leave_out("correct it, or widen `bands` in [source]", cell),
            );
        }
        let help = match (look_alike(cell, known()), nearest_value(cell, known())) {
            (Some((_, why)), _) => format!("{why}; write both alike. The values are {list}"),
            (None, Some(near)) => format!("did you mean '{near}'? The values are {list}"),
            (None, None) => format!("the values are {list}"),
        };
        let mark = unseen(cell).filter(|_| self.is_exact);
        let mark = mark.map_or(String::new(), |mark| format!(", which holds {mark}"));
        match cell {
            "" => (
                format!("the cell of `{name}` is blank"),
                self.leave_out(&help, cell),
            ),
            _ => (format!("`{name}` has no value {}{mark}", shown(cell)), help),
        }
    }

    fn leave_out(&self, help: &str, cell: &str) -> String {
        let filter = without(&self.attribute.name, cell);
        format!("{help}; or leave those rows out with where = [{filter:?}]")
    }

    /// Notes once for the whole column that its cells are numbers where values are none: in place
    /// of what is wrong with each cell.
    pub(super) fn note_unbanded(&self, kind: ProblemKind, sheet: &mut Sheet) {
        let Category { name, values } = self.attribute;
        let known = || values.iter().map(|value| value.name.as_str());
        let (_, cells) = sheet.tally.refused(kind);
        let cells: Vec<&str> = cells.filter(|cell| !cell.is_empty()).collect();
        let all = cells.len();
        let is_number = |cell: &&str| marked(cell).is_some();
        let cells: Vec<String> = cells
            .into_iter()
            .filter(is_number)
            .map(str::to_owned)
            .collect();
        let are_numbers = cells.len() > 1 && cells.len() * 2 > all;
        if self.bands.is_some() || !are_numbers || known().any(|value| number(value).is_some()) {
            return;
        }
        sheet.tally.retain(|other| other != kind);
        let at = At {
            line: sheet.header_line(),
            column: None,
        };
        let (first, list) = (
            cells[..2].join(", "),
            known().collect::<Vec<_>>().join(", "),
        );
        let bands = bands_text(known()).unwrap_or_else(|| {
            let bands = known().map(|value| format!("{value:?} = [FROM, TO]"));
            format!("{{ {} }}", bands.collect::<Vec<_>>().join(", "))
        });
        sheet.tally.note(kind, at, || {
            let what = format!("`{name}` holds numbers ({first}, …), and the quotas name {list}");
            let help = format!(
                "say in [source] which numbers each has, its lower bound and not its upper: \
                 bands = {{ {} = {bands} }}",
                key(name)
            );
            (what, help)
        });
    }

    /// The attribute with its values; and what becomes of each number, where numbers change.
    pub(super) fn finish(self) -> ((String, Vec<String>), Vec<u16>) {
        let listed = self.attribute.values.iter().map(|value| value.name.clone());
        let mut names: Vec<String> = listed.collect();
        let mut renumbered: Vec<u16> = (0..names.len() as u16).collect();
        if let Some(others) = self.others {
            let first = names.len() as u16;
            let coded = others.finish();
            names.extend(coded.levels);
            let codes = coded.renumbered.unwrap_or_default();
            renumbered.extend(codes.into_iter().map(|code| first.saturating_add(code)));
        }
        ((self.attribute.name.clone(), names), renumbered)
    }
}

/// A name as a key of a config.
fn key(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
    match !name.is_empty() && name.chars().all(plain) {
        true => name.to_owned(),
        false => format!("{name:?}"),
    }
}
