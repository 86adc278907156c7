//! Rows below the header that name the columns again, as survey tools write them. They are texts of
//! questions below codes of variables, or codes below texts.

use std::collections::BTreeMap;

use super::column::{is_date, number};
use super::header::is_known;
use super::names::{UNKNOWN, plain};
use kleroterion_io::record::file::GridRow;
use kleroterion_io::record::fold;

/// Rows below that are looked at.
const LOOKED_AT: usize = 1_000;

/// The verdict on a row below the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It is a person.
    Person,
    /// It shares no value with the rows below it, and may name the columns.
    Open,
    /// It names the columns.
    Labels,
}

/// A cell by the cells below it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A cell as a person has it.
    Personal,
    /// A text above numbers or dates.
    Above,
    /// The name of a column.
    Name,
    /// A value that no row below has, above values that several rows have each.
    New,
    /// A cell that says neither.
    Idle,
}

/// The verdict on a row, by the rows below it. `mark`: the byte between fields.
pub(super) fn verdict(row: &GridRow, below: &[GridRow], mark: Option<u8>) -> Verdict {
    let below = &below[..below.len().min(LOOKED_AT)];
    let kinds = row.cells.iter().enumerate().map(|(at, cell)| {
        let cells = below.iter().filter_map(|row| row.cells.get(at));
        let cells: Vec<&str> = cells
            .map(String::as_str)
            .filter(|cell| !cell.is_empty())
            .collect();
        kind(cell, &cells, mark)
    });
    let kinds: Vec<Kind> = kinds.collect();
    let count = |kind| kinds.iter().filter(|of| **of == kind).count();
    let (above, names, new) = (count(Kind::Above), count(Kind::Name), count(Kind::New));
    match above + names + new {
        _ if count(Kind::Personal) > 0 => Verdict::Person,
        2.. if above > 0 || names > 1 => Verdict::Labels,
        2.. => Verdict::Open,
        1 if above > 0 => Verdict::Open,
        _ => Verdict::Person,
    }
}

fn kind(cell: &str, below: &[&str], mark: Option<u8>) -> Kind {
    let is_value = |cell: &str| number(cell, mark).is_some() || is_date(cell);
    let name = plain(cell);
    if cell.is_empty() {
        return Kind::Idle;
    }
    if UNKNOWN.has(&name) || cell.contains('@') {
        return Kind::Personal;
    }
    let most = |many: usize| many > 1 && many * 10 >= below.len() * 9;
    let are_values = most(below.iter().filter(|cell| is_value(cell)).count());
    if is_value(cell) {
        return if are_values {
            Kind::Personal
        } else {
            Kind::Idle
        };
    }
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for cell in below {
        *counts.entry(fold(cell)).or_default() += 1;
    }
    if counts.contains_key(&fold(cell)) {
        // A box that was ticked holds its own name.
        return if counts.len() == 1 {
            Kind::Idle
        } else {
            Kind::Personal
        };
    }
    let shared = counts.values().filter(|count| **count > 1).sum::<usize>();
    match () {
        () if are_values && has_word(cell) => Kind::Above,
        () if is_known(&name) => Kind::Name,
        () if !are_values && shared > 2 && most(shared) => Kind::New,
        () => Kind::Idle,
    }
}

/// Returns true if a cell has a word of at least three letters. "Nr. (lfd.)" has one, the id "A1"
/// has none.
fn has_word(cell: &str) -> bool {
    let mut words = cell.split(|c: char| !c.is_alphabetic());
    words.any(|word| word.chars().count() > 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The verdict on the first of some rows; cells are separated by bars.
    fn of(text: &str) -> Verdict {
        let row = |line: &str| GridRow {
            line: 1,
            cells: line.split('|').map(str::to_owned).collect(),
        };
        let rows: Vec<GridRow> = text.split('/').map(row).collect();
        verdict(&rows[0], &rows[1..], Some(b';'))
    }

    #[test]
    fn a_row_of_labels_is_told_from_a_person() {
        use Verdict::{Labels, Open, Person};
        for (table, due) in [
            // LimeSurvey in German and in French, codes below texts, SoSci Survey, two header rows.
            (
                "Antwort-ID|Datum Abgeschickt|Ihr Geschlecht?/1|2026-05-01|w/2|2026-05-01|m/3|2026-05-02|w",
                Labels,
            ),
            (
                "ID de la réponse|Dernière page|Votre sexe/1|3|F/2|3|F/3|2|H/4|3|H",
                Labels,
            ),
            ("id|lastpage|G01Q01/1|3|Man/2|3|Man/3|3|Woman", Labels),
            (
                "Interview-Nummer|Fragebogen|Alter: ... Jahre/101|base|45/102|base|57/103|base|28",
                Labels,
            ),
            ("laufende Nummer|Geschlecht/1|m/2|m/3|w/4|w", Labels),
            (
                "Kennung|Geschlecht|Alter/A-1|w|alt/A-2|m|jung/A-3|w|alt",
                Labels,
            ),
            // A box that was ticked holds its own name.
            (
                "Nummer|Klima|Verkehr/1|Klima|/2||/3|Klima|Verkehr/4||Verkehr",
                Open,
            ),
            ("1|w|30/2|m|40/3|w|35", Person),
            ("A1|w|30/2|m|40/3|m|35/4|m|20", Person),
            ("A1|w/2|m/3|m/4|m", Person),
            ("Test|w|30/2|m|40/3|w|35", Person),
            (
                "x1|divers|k.A./x2|w|jung/x3|w|jung/x4|m|alt/x5|m|alt",
                Person,
            ),
            ("ann@x.org|divers|Nord/b@x.org|w|Süd/c@x.org|w|Süd", Person),
            ("x1|divers|Nord/x2|w|Süd/x3|w|Süd/x4|m|Ost/x5|m|Ost", Open),
            ("Neu|Kim/2|Ann/3|Bob", Open),
            ("Ann|Ulm/Bob|Bonn", Person),
            ("a", Person),
        ] {
            assert_eq!(of(table), due, "{table}");
        }
    }
}
