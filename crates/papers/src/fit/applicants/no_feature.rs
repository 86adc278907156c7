//! Columns that identify rows and do not describe people. A regression would learn the rows by
//! heart.

use std::collections::BTreeSet;

use kleroterion_io::record::decimal::{marked, stated};
use kleroterion_io::record::words::Words;

/// Rows from which on a column that differs in nearly all of them is taken for one.
const MANY: usize = 20;

/// Rows from which on texts that differ in all of them, or numbers that count them, are.
const SOME: usize = 5;

/// Names of columns of ids, in small letters, letters and digits alone.
const IDS: Words = Words(
    "id, ids, index, idx, row, rowid, rownames, rownumber, no, nr, nummer, number, numero, lfdnr, uuid,
     guid, key, code, personid, userid, ident, identifier",
);

/// Ends of names of columns of ids.
const ID_ENDS: [&str; 8] = ["_id", " id", "-id", "nr", "nr.", "nummer", "number", " no"];

/// Returns the reason why a column is no feature, or `None` if it may be one. `cells` are its
/// trimmed cells in the order of the file, and `delimiter` is the byte between fields.
pub(super) fn no_feature(name: &str, cells: &[&str], delimiter: u8) -> Option<&'static str> {
    let cells: Vec<&str> = cells
        .iter()
        .copied()
        .filter(|cell| !cell.is_empty())
        .collect();
    let (many, distinct) = (cells.len(), cells.iter().collect::<BTreeSet<_>>().len());
    let is_id = is_id(name) && many >= 2 && 2 * distinct >= many;
    if many >= 2 && cells.iter().all(|cell| is_date(cell)) {
        return Some("holds dates");
    }
    let is_number = |cell: &&&str| marked(cell).is_some();
    if 2 * cells.iter().filter(is_number).count() >= many {
        let numbers = cells.iter().map(|cell| stated(cell, delimiter).ok());
        let numbers: Vec<f64> = numbers.flatten().collect();
        // Cells that are no number are said to be wrong where the column is read.
        let is_whole = numbers.iter().all(|number| number.fract() == 0.0);
        if !is_whole || numbers.len() < many {
            return None;
        }
        if is_id {
            return Some("is an id by its name");
        }
        // An amount of money differs in most rows too: a number is left out where it does in all.
        return match counts(&numbers) {
            true if many >= SOME => Some("counts the rows"),
            _ => differs(distinct, many).filter(|_| distinct == many),
        };
    }
    if is_id {
        return Some("is an id by its name");
    }
    match distinct == many && many >= SOME {
        true => Some("differs in every row"),
        false => differs(distinct, many),
    }
}

/// Returns the reason that a column differs in all rows or nearly all, or `None`.
fn differs(distinct: usize, many: usize) -> Option<&'static str> {
    match (many >= MANY, distinct == many) {
        (true, true) => Some("differs in every row"),
        (true, false) if 20 * distinct >= 19 * many => Some("differs in nearly every row"),
        _ => None,
    }
}

/// Returns true if the numbers rise or fall by the same step from row to row.
fn counts(numbers: &[f64]) -> bool {
    let steps = || numbers.windows(2).map(|pair| pair[1] - pair[0]);
    let first = steps().next().unwrap_or(0.0);
    first != 0.0 && steps().all(|step| step == first)
}

/// Returns true if a column's name marks it as a column of ids. So do a missing name, and one that
/// a program made up for a missing name.
fn is_id(name: &str) -> bool {
    let name = name.trim().to_lowercase();
    let letters: String = name
        .chars()
        .filter(|letter| letter.is_alphanumeric())
        .collect();
    letters.is_empty()
        || name.starts_with("unnamed: ")
        || IDS.has(&letters)
        || ID_ENDS.iter().any(|end| name.ends_with(end))
}

/// Returns true if a cell is a day: 2024-01-31, 31.1.2024, 1/31/2024 or 20240131, perhaps with a
/// time.
fn is_date(cell: &str) -> bool {
    let day = cell.split([' ', 'T']).next().unwrap_or_default();
    let compact = day.len() == 8 && day.bytes().all(|byte| byte.is_ascii_digit());
    let parts: Vec<&str> = match compact {
        true => vec![&day[..4], &day[4..6], &day[6..]],
        false => day.split(['-', '.', '/']).collect(),
    };
    let [first, middle, last] = parts[..] else {
        return false;
    };
    let within = |text: &str, least: u32, most: u32| {
        let digits =
            !text.is_empty() && text.len() <= 4 && text.bytes().all(|b| b.is_ascii_digit());
        digits
            && text
                .parse()
                .is_ok_and(|number: u32| (least..=most).contains(&number))
    };
    let year = |text: &str| text.len() == 4 && within(text, 1900, 2100);
    let days = |one: &str, other: &str| {
        within(one, 1, 31) && within(other, 1, 31) && (within(one, 1, 12) || within(other, 1, 12))
    };
    year(first) && days(middle, last) || year(last) && days(first, middle)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str, cells: impl IntoIterator<Item = String>) -> Option<&'static str> {
        let cells: Vec<String> = cells.into_iter().collect();
        let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
        no_feature(name, &cells, b';')
    }

    #[test]
    fn what_names_a_row_is_no_feature() {
        let rows = || 0..40_u32;
        let every = Some("differs in every row");
        for (name, cells, why) in [
            (
                "",
                rows().map(|n| n.to_string()).collect(),
                Some("is an id by its name"),
            ),
            (
                "Unnamed: 0",
                rows().map(|n| n.to_string()).collect(),
                Some("is an id by its name"),
            ),
            (
                "X",
                rows().map(|n| (n + 1).to_string()).collect(),
                Some("counts the rows"),
            ),
            (
                "step",
                rows().map(|n| format!("{}.0", 10 * n)).collect(),
                Some("counts the rows"),
            ),
            (
                "person_id",
                rows().map(|n| (n / 2 * 977).to_string()).collect(),
                Some("is an id by its name"),
            ),
            (
                "Kundennr",
                rows().map(|n| (n / 2 * 7919 % 10007).to_string()).collect(),
                Some("is an id by its name"),
            ),
            (
                "member",
                rows().map(|n| (n * 7919 % 10007).to_string()).collect(),
                every,
            ),
            (
                "Telefon",
                rows()
                    .map(|n| format!("49170{}", n * 7919 % 10007 + 1_000_000))
                    .collect(),
                every,
            ),
            (
                "tel",
                rows().map(|n| format!("+49 170 {}", n * 7919)).collect(),
                every,
            ),
            (
                "e-mail",
                rows().map(|n| format!("p{n}@example.org")).collect(),
                every,
            ),
            (
                "phone",
                rows().map(|n| format!("0170-{}", n.max(1) * 31)).collect(),
                Some("differs in nearly every row"),
            ),
            (
                "applied",
                rows()
                    .map(|n| format!("2024-03-{:02}", n % 28 + 1))
                    .collect(),
                Some("holds dates"),
            ),
            (
                "Datum",
                rows().map(|n| format!("{}.3.2024", n % 28 + 1)).collect(),
                Some("holds dates"),
            ),
            (
                "when",
                rows().map(|n| format!("2024-03-01T10:{:02}", n)).collect(),
                Some("holds dates"),
            ),
            (
                "day",
                rows().map(|n| (20_240_301 + n % 28).to_string()).collect(),
                Some("holds dates"),
            ),
        ] {
            let cells: Vec<String> = cells;
            assert_eq!(of(name, cells), why, "{name}");
        }
    }

    #[test]
    fn what_says_something_of_a_person_is_one() {
        let rows = || 0..40_u32;
        for (name, cells) in [
            // A measure that differs in every row.
            (
                "lsat",
                rows()
                    .map(|n| format!("{}.5", n * 7919 % 10007))
                    .collect::<Vec<_>>(),
            ),
            ("x", rows().map(|n| format!("-0.{n:03}")).collect()),
            ("x", rows().map(|n| format!("-0,{n:03}")).collect()),
            ("Punkte", rows().map(|n| format!("{n},523")).collect()),
            (
                "Einkommen",
                rows().map(|n| format!("{}.510,{n:02}", n + 1)).collect(),
            ),
            (
                "age",
                rows().map(|n| (18 + n * 7 % 31).to_string()).collect(),
            ),
            (
                "born",
                rows().map(|n| (1960 + n % 30).to_string()).collect(),
            ),
            (
                "sex",
                rows()
                    .map(|n| ["F", "M"][n as usize % 2].to_owned())
                    .collect(),
            ),
            (
                "amount",
                rows()
                    .map(|n| (n.max(1) * 7919 % 10007).to_string())
                    .collect(),
            ),
            ("city", rows().map(|n| format!("town {}", n % 17)).collect()),
            ("hired", rows().map(|n| (n % 2).to_string()).collect()),
            (
                "version",
                rows().map(|n| format!("1.{}.3", n % 5)).collect(),
            ),
            // Few rows: that they differ says little.
            ("age", ["30", "41", "22"].map(str::to_owned).to_vec()),
            ("city", ["Ulm", "Bern", "Graz"].map(str::to_owned).to_vec()),
            // Cells that are no numbers are said to be wrong, not left out.
            (
                "score",
                rows()
                    .map(|n| if n == 3 { "x".into() } else { n.to_string() })
                    .collect(),
            ),
        ] {
            assert_eq!(of(name, cells), None, "{name}");
        }
    }
}
