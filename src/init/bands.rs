//! Ranges as quotas name them, "18-34" or "60 und älter", as bands of numbers.

use super::column::Column;
use super::names::{has_word, plain, same};
use super::role::Bands;
use crate::source::organisers::Category;

/// Words after or before the least number of a range without an end.
const AND_OVER: &[&str] = &[
    "ab",
    "und alter",
    "und mehr",
    "u alter",
    "plus",
    "and over",
    "and older",
    "or older",
    "or over",
    "et plus",
    "o mas",
    "y mas",
    "y mayores",
    "e oltre",
    "e piu",
    "en ouder",
    "from",
    "a partir de",
    "older",
];

/// Words before a number that is below a range.
const OVER: &[&str] = &[
    "uber", "over", "above", "plus de", "mas de", "oltre", "boven",
];

/// Words before the number that ends a range without a start, which holds it or not.
const UP_TO: &[&str] = &["bis", "up to", "jusqu a", "hasta", "fino a", "tot"];
const UNDER: &[&str] = &[
    "unter", "under", "below", "moins de", "menos de", "meno di", "onder",
];

/// The bands of a column of numbers for a category of which every value is a range; none where a
/// value is no range, ranges overlap, or the cells are the values themselves.
pub(super) fn of_quotas(column: &Column, category: &Category) -> Option<Bands> {
    column.numbers()?;
    let is_value = |cell: &String| category.values.iter().any(|value| same(&value.name, cell));
    if column
        .cells
        .iter()
        .all(|cell| cell.is_empty() || is_value(cell))
    {
        return None;
    }
    let band = |name: &String| range(name).map(|(from, below)| (name.clone(), from, below));
    let bands: Option<Bands> = category
        .values
        .iter()
        .map(|value| band(&value.name))
        .collect();
    let bands = bands?;
    let mut sorted: Vec<(f64, f64)> = bands
        .iter()
        .map(|(_, from, below)| (*from, *below))
        .collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    sorted
        .windows(2)
        .all(|pair| pair[0].1 <= pair[1].0)
        .then_some(bands)
}

/// The whole numbers that a text names, from and below.
fn range(text: &str) -> Option<(f64, f64)> {
    let name = plain(text);
    let numbers = name
        .split(|c: char| !c.is_ascii_digit())
        .filter(|part| !part.is_empty());
    let numbers: Vec<f64> = numbers.map_while(|part| part.parse().ok()).collect();
    let marked = |mark: char| text.contains(mark);
    match numbers[..] {
        [from, to] if from < to && !text.contains('.') => Some((from, to + 1.0)),
        [at] if marked('≥') || text.contains(">=") => Some((at, f64::INFINITY)),
        [at] if marked('≤') || text.contains("<=") => Some((f64::NEG_INFINITY, at + 1.0)),
        [at] if marked('>') || has_word(&name, OVER) => Some((at + 1.0, f64::INFINITY)),
        [at] if marked('<') || has_word(&name, UNDER) => Some((f64::NEG_INFINITY, at)),
        [at] if marked('+') || has_word(&name, AND_OVER) => Some((at, f64::INFINITY)),
        [at] if has_word(&name, UP_TO) => Some((f64::NEG_INFINITY, at + 1.0)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_as_people_write_them() {
        let inf = f64::INFINITY;
        for (text, due) in [
            ("18-34", Some((18.0, 35.0))),
            ("18 – 34", Some((18.0, 35.0))),
            ("18 bis 34 Jahre", Some((18.0, 35.0))),
            ("de 18 à 34 ans", Some((18.0, 35.0))),
            ("60+", Some((60.0, inf))),
            ("60 und älter", Some((60.0, inf))),
            ("ab 60", Some((60.0, inf))),
            ("60 ans et plus", Some((60.0, inf))),
            ("65 o más", Some((65.0, inf))),
            (">= 60", Some((60.0, inf))),
            ("über 60", Some((61.0, inf))),
            ("plus de 60 ans", Some((61.0, inf))),
            ("unter 18", Some((-inf, 18.0))),
            ("moins de 18 ans", Some((-inf, 18.0))),
            ("bis 17", Some((-inf, 18.0))),
            ("old", None),
            ("34-18", None),
            ("1-2-3", None),
            ("7", None),
        ] {
            assert_eq!(range(text), due, "{text}");
        }
    }
}
