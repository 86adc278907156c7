//! The decision whether the first row of a table names its columns. Each column may count for it or
//! against it.

use super::column::{is_date, number};
use super::names::{
    AGES, AMOUNTS, CONTACT_WORDS, CONTACTS, GROUPS, HOUSE_NUMBERS, HOUSEHOLDS, IDS, OUTCOMES,
    PLACES, SCORES, STREETS, ends_with, plain,
};
use kleroterion_io::record::fold;

/// The rows that name the columns, as set by a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeaderRows {
    /// No row: the first row is a person.
    None,
    /// The first row, and those below it that seem to name columns too.
    First,
    /// This many rows at the top, at least one.
    Just(usize),
}

/// Rows below the first that are looked at.
const LOOKED_AT: usize = 1_000;

/// The reasons for and against a header, each with how much it weighs.
#[derive(Debug, Default)]
struct Evidence {
    weight: i64,
    /// The columns that speak for it most, and against it.
    for_it: Option<String>,
    against: Option<String>,
}

/// Returns true if the first row names the columns, and the reason.
pub(super) fn judge(first: &[String], rows: &[&[String]], mark: Option<u8>) -> (bool, String) {
    let rows = &rows[..rows.len().min(LOOKED_AT)];
    let numbered = is_numbered(first);
    let mut evidence = Evidence::default();
    for (at, cell) in first.iter().enumerate() {
        let below = rows
            .iter()
            .filter_map(|row| row.get(at))
            .map(String::as_str);
        let below: Vec<&str> = below.filter(|cell| !cell.is_empty()).collect();
        evidence.weigh(cell, &below, numbered, mark);
    }
    let is_named = |cell: &String| !cell.is_empty() && number(cell, mark).is_none();
    let is_open = evidence.weight == 0 && evidence.against.is_none();
    let is_header = evidence.weight > 0 || (is_open && first.iter().any(is_named));
    let why = match is_header {
        true => evidence.for_it,
        false => evidence.against,
    };
    let why = why.unwrap_or_else(|| match is_header {
        true => "no row below repeats it".into(),
        false => "it holds nothing but numbers".into(),
    });
    (is_header, why)
}

impl Evidence {
    fn weigh(&mut self, cell: &str, below: &[&str], numbered: bool, mark: Option<u8>) {
        let (weight, why) = match cell {
            "" => (0, None),
            _ if is_known(&plain(cell)) => (3, Some(format!("`{cell}` is the name of a column"))),
            _ if is_value(cell) => (-3, Some(format!("'{cell}' is no name of a column"))),
            _ => weight(cell, below, numbered, mark),
        };
        self.weight += weight;
        if weight > 0 && self.for_it.is_none() {
            self.for_it = why;
        } else if weight < 0 && self.against.is_none() {
            self.against = why;
        }
    }
}

/// Returns the weight of a cell as evidence for a header, compared with the cells below it.
fn weight(cell: &str, below: &[&str], numbered: bool, mark: Option<u8>) -> (i64, Option<String>) {
    let are_numbers = !below.is_empty() && below.iter().all(|cell| number(cell, mark).is_some());
    if let Some(found) = number(cell, mark) {
        let is_year = found.fract() == 0.0 && (1800.0..2200.0).contains(&found);
        let range = |n: f64| (1800.0..2200.0).contains(&n);
        let below_are = below
            .iter()
            .filter_map(|cell| number(cell, mark))
            .any(range);
        return match are_numbers {
            _ if numbered || (is_year && !below_are) => (0, None),
            true => (-2, Some(format!("'{cell}' is a number as those below it"))),
            false => (-1, Some(format!("'{cell}' is a number"))),
        };
    }
    if are_numbers {
        return (2, Some(format!("below `{cell}` are numbers")));
    }
    let folded = fold(cell);
    let is_repeated = below.iter().any(|cell| fold(cell) == folded);
    let is_alone = below.iter().all(|cell| fold(cell) == folded);
    match (is_repeated, is_alone) {
        // A box that was ticked holds its own name.
        (true, true) => (0, None),
        (true, false) => (-2, Some(format!("'{cell}' is a value of rows below it"))),
        (false, _) => (1, Some(format!("no row below repeats `{cell}`"))),
    }
}

/// Returns true if a plain name is a known name of a column.
pub(super) fn is_known(plain: &str) -> bool {
    let lists = [
        OUTCOMES,
        SCORES,
        AMOUNTS,
        GROUPS,
        AGES,
        CONTACTS,
        HOUSEHOLDS,
        STREETS,
        HOUSE_NUMBERS,
        PLACES,
    ];
    lists.into_iter().chain(IDS).any(|list| list.has(plain))
        || CONTACT_WORDS.are_in(plain)
        || ends_with(plain, "id")
        || ends_with(plain, "nr")
}

/// Returns true if a cell can't be a name: a date or an e-mail address.
fn is_value(cell: &str) -> bool {
    is_date(cell) || (cell.contains('@') && cell.contains('.') && !cell.contains(' '))
}

/// Returns true if the numbers among the cells increase by one, as numbers of questions do.
fn is_numbered(first: &[String]) -> bool {
    let numbers: Vec<i64> = first.iter().filter_map(|cell| cell.parse().ok()).collect();
    numbers.len() > 2 && numbers.windows(2).all(|pair| pair[1] - pair[0] == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns true if the first line of a table is a header. Cells are separated by blanks, and
    /// `_` is a blank cell.
    fn judged(text: &str) -> bool {
        let cell = |cell: &str| cell.replace('_', "");
        let row = |line: &str| line.split(' ').map(cell).collect::<Vec<String>>();
        let rows: Vec<Vec<String>> = text.split('/').map(row).collect();
        let below: Vec<&[String]> = rows[1..].iter().map(|row| &row[..]).collect();
        judge(&rows[0], &below, Some(b',')).0
    }

    #[test]
    fn a_header_is_judged_by_its_columns() {
        for (table, due) in [
            ("id gender age/a F 30/b M 40", true),
            ("id gender 2023 2024/a F 44 52/b M 47 23", true),
            (
                "id gender Vegetarian/a F Vegetarian/b M _/c F Vegetarian",
                true,
            ),
            ("Nr Geschlecht 1 2 3 4 5/1 w 4 4 4 4 4/2 m 1 2 3 4 5", true),
            ("Kennung Frage/x1 ja/x2 nein", true),
            ("_ gender region/P1 F N/P2 M S", true),
            ("q0 q1 q2/1 2 3/2 2 2", true),
            ("Ja Rieth/Ja Bonn/Nein Köln/Ja Rieth", false),
            ("P0 Woman North 18/P1 Man South 19/P2 Woman North 20", false),
            (
                "39 State-gov 77516/50 Self 83311/38 State-gov 215646",
                false,
            ),
            ("1 2 3/2 2 2/3 1 1", false),
            (
                "ann@example.org F/bob@example.org M/cem@example.org F",
                false,
            ),
            ("2020-01-01 F/2020-01-02 M/2020-01-03 F", false),
            ("F M/M F/F F", false),
            ("Wert Merkmal/a b/c d", true),
        ] {
            assert_eq!(judged(table), due, "{table}");
        }
    }
}
