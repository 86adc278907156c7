//! Numbers as people's tables write them: with a decimal point or comma, and perhaps with marks
//! between thousands.

use std::borrow::Cow;

use super::cell::{number, shown};
use super::span::Span;

/// The mark before the decimals of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecimalMark {
    /// No decimals, and no marks between thousands.
    None,
    /// A point, or commas between thousands.
    Point,
    /// A comma, or points between thousands.
    Comma,
    /// A comma that may as well be between thousands: `1,234`.
    Either,
}

/// Returns the number in a cell of separated text, written with a decimal point and without marks
/// between thousands. The cell is unchanged if it states no number, or is written so already.
///
/// # Errors
/// `1,234` in text that is separated by commas, which may be either: the two numbers.
pub fn pointed(cell: &str, delimiter: u8) -> Result<Cow<'_, str>, [String; 2]> {
    if !cell.contains([
        ',', '.', ' ', '\u{a0}', '\u{202f}', '\'', '\u{2019}', '\u{2212}',
    ]) || number(cell).is_some()
    {
        return Ok(Cow::Borrowed(cell));
    }
    match marked(cell) {
        Some((_, DecimalMark::Either)) if delimiter == b',' => {
            let whole = cell.replace(',', "");
            Err([cell.replace(',', "."), whole])
        }
        Some((number, _)) => Ok(Cow::Owned(number.to_string())),
        None => Ok(Cow::Borrowed(cell)),
    }
}

/// Returns the finite number that a cell of separated text states, with a decimal point or comma.
///
/// # Errors
/// Why it states none, as in "is not a number".
pub fn stated(cell: &str, delimiter: u8) -> Result<f64, String> {
    match pointed(cell, delimiter) {
        Err([parts, whole]) => Err(format!("may be {} or {}", shown(&parts), shown(&whole))),
        Ok(pointed) => number(&pointed).ok_or_else(|| "is not a number".into()),
    }
}

/// Returns the number of a cell like [`stated`], if it lies in [`Span::SAFE`].
///
/// # Errors
/// Why it states none of these.
pub fn bounded(cell: &str, delimiter: u8) -> Result<f64, String> {
    let number = stated(cell, delimiter)?;
    match Span::SAFE.holds(number) {
        true => Ok(number),
        false => Err(Span::SAFE.refusal()),
    }
}

/// The evidence that the marks in a column of numbers separate thousands, though the rule of
/// [`pointed`] takes them for decimal marks. It exists if three digits follow every mark, as in
/// `1.114`, and no number without a mark is above 999.
#[derive(Clone, Debug, Default)]
pub struct Thousands {
    first: Option<String>,
    is_told: bool,
}

impl Thousands {
    /// Examines a cell; a cell without a number changes nothing.
    pub fn meet(&mut self, cell: &str) {
        if self.is_told {
            return;
        }
        let Some((number, mark)) = marked(cell) else {
            return;
        };
        let with_comma = || marked(&cell.replace('.', ","));
        let may_be = match mark {
            DecimalMark::None if number.abs() < 1000.0 => return,
            DecimalMark::Either => true,
            DecimalMark::Point => with_comma().is_some_and(|(_, mark)| mark == DecimalMark::Either),
            DecimalMark::None | DecimalMark::Comma => false,
        };
        self.is_told = !may_be;
        if self.first.is_none() {
            self.first = Some(cell.to_owned());
        }
    }

    /// Returns a note on the first such cell, or `None` if some cell settles the question.
    pub fn said(&self) -> Option<String> {
        let cell = self.first.as_ref().filter(|_| !self.is_told)?;
        let digits: String = cell.chars().filter(char::is_ascii_digit).collect();
        let [read, cell] = [cell.replace(',', "."), shown(cell)];
        Some(format!("{cell} is read as {read} and not as {digits}"))
    }
}

/// The sentence on a cell that may be either of two numbers.
pub(crate) fn either(cell: &str, column: &str, [parts, whole]: &[String; 2]) -> String {
    let [cell, parts, whole] = [cell, parts.as_str(), whole.as_str()].map(shown);
    format!("{cell} in `{column}` may be {parts} or {whole}")
}

/// Returns the finite number that a cell states in any of these ways, and its mark. `1,234` is read
/// with decimals.
pub fn marked(cell: &str) -> Option<(f64, DecimalMark)> {
    if let Some(plain) = number(cell) {
        let mark = if cell.contains('.') {
            DecimalMark::Point
        } else {
            DecimalMark::None
        };
        return Some((plain, mark));
    }
    let text = cell.trim();
    let digits = text.strip_prefix(['-', '\u{2212}']);
    let is_negative = digits.is_some();
    let digits = digits.or_else(|| text.strip_prefix('+')).unwrap_or(text);
    let known = |c: char| c.is_ascii_digit() || ".,' \u{a0}\u{202f}\u{2019}".contains(c);
    if !digits.starts_with(|c: char| c.is_ascii_digit() || c == ',') || !digits.chars().all(known) {
        return None;
    }
    let (whole, part, mark) = split(digits)?;
    let sign = if is_negative { "-" } else { "" };
    Some((number(&format!("{sign}{whole}.{part}"))?, mark))
}

/// The digits before and after the decimal mark.
fn split(digits: &str) -> Option<(String, &str, DecimalMark)> {
    let count = |mark| digits.matches(mark).count();
    let (points, commas) = (count('.'), count(','));
    let (decimal, between, mark) = match (points, commas) {
        // Commas before a point, and points before a comma.
        (1, 1..) if digits.rfind('.') > digits.rfind(',') => (Some('.'), ',', DecimalMark::Point),
        (1.., 1) if digits.rfind(',') > digits.rfind('.') => (Some(','), '.', DecimalMark::Comma),
        (0, 1) => (Some(','), ' ', DecimalMark::Comma),
        (1, 0) => (Some('.'), ' ', DecimalMark::Point),
        (0, 2..) => (None, ',', DecimalMark::Point),
        (2.., 0) => (None, '.', DecimalMark::Comma),
        (0, 0) => (None, ' ', DecimalMark::None),
        _ => return None,
    };
    let (whole, part) = match decimal {
        Some(decimal) => digits.rsplit_once(decimal)?,
        None => (digits, "0"),
    };
    let is_number = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let grouped = grouped(whole, between).filter(|_| is_number)?;
    let is_plain = whole.len() <= 3 && !whole.starts_with('0') && !whole.is_empty();
    let mark = match mark {
        DecimalMark::Comma if decimal.is_some() && points == 0 && is_plain && part.len() == 3 => {
            DecimalMark::Either
        }
        mark => mark,
    };
    Some((grouped, part, mark))
}

/// Digits without the marks between thousands, which are all this one, or blanks, or apostrophes.
fn grouped(whole: &str, between: char) -> Option<String> {
    let is_mark = |c: char| c == between || (between == ' ' && !c.is_ascii_digit());
    let mut groups = whole.split(is_mark);
    let first = groups.next()?;
    let mut digits = first.to_owned();
    let mut is_alone = true;
    for group in groups {
        is_alone = false;
        if group.len() != 3 {
            return None;
        }
        digits += group;
    }
    let is_first = is_alone || (1..=3).contains(&first.len());
    let all_digits = digits.bytes().all(|byte| byte.is_ascii_digit());
    if digits.is_empty() {
        digits.push('0');
    }
    (is_first && all_digits).then_some(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_separated_text_are_written_with_a_point() {
        for (cell, delimiter, due) in [
            ("0,808", b';', Ok("0.808")),
            ("0,808", b',', Ok("0.808")),
            ("1,523", b';', Ok("1.523")),
            ("1,523", b'\t', Ok("1.523")),
            (
                "1,523",
                b',',
                Err("'1,523' in `x` may be '1.523' or '1523'"),
            ),
            ("1.234,5", b';', Ok("1234.5")),
            ("1,234.5", b',', Ok("1234.5")),
            ("1,234,567", b',', Ok("1234567")),
            ("1.5", b';', Ok("1.5")),
            ("1e3", b';', Ok("1e3")),
            ("NA", b';', Ok("NA")),
            ("a, b", b';', Ok("a, b")),
            ("", b';', Ok("")),
        ] {
            let found = pointed(cell, delimiter).map_err(|both| either(cell, "x", &both));
            assert_eq!(
                found.as_deref(),
                due.map_err(str::to_owned).as_deref(),
                "{cell}"
            );
        }
    }

    #[test]
    fn marks_that_no_cell_tells_apart_are_said() {
        for (cells, due) in [
            (
                "1.966 4.277 9.469",
                Some("'1.966' is read as 1.966 and not as 1966"),
            ),
            (
                "980 12.500 1.114",
                Some("'12.500' is read as 12.500 and not as 12500"),
            ),
            (
                "1,523 2,250 NA",
                Some("'1,523' is read as 1.523 and not as 1523"),
            ),
            ("1.966 4.27", None),
            ("1.966 0.808", None),
            ("1.966 1200", None),
            ("1.966 1.234,5", None),
            ("1,523 -0,808", None),
            ("12 13", None),
            ("a b", None),
        ] {
            let mut thousands = Thousands::default();
            cells.split(' ').for_each(|cell| thousands.meet(cell));
            assert_eq!(thousands.said().as_deref(), due, "{cells}");
        }
    }

    #[test]
    fn numbers_of_small_tables_are_safe_ones() {
        for (cell, delimiter, due) in [
            ("0,5", b',', Ok(0.5)),
            ("0.5", b';', Ok(0.5)),
            ("1.234,5", b';', Ok(1234.5)),
            ("1,523", b';', Ok(1.523)),
            ("-1,523", b'\t', Ok(-1.523)),
            ("1,523", b',', Err("may be '1.523' or '1523'")),
            ("x", b';', Err("is not a number")),
            ("", b',', Err("is not a number")),
            ("1e101", b',', Err("is beyond 1e100")),
        ] {
            let found = bounded(cell, delimiter);
            assert_eq!(found, due.map_err(str::to_owned), "{cell}");
        }
    }

    #[test]
    fn numbers_are_read_as_people_write_them() {
        use DecimalMark::{Comma, Either, Point};
        for (cell, due) in [
            ("12", Some((12.0, DecimalMark::None))),
            ("-1.5e3", Some((-1500.0, Point))),
            ("0.808", Some((0.808, Point))),
            ("1.234", Some((1.234, Point))),
            ("0,808", Some((0.808, Comma))),
            ("-0,808", Some((-0.808, Comma))),
            ("\u{2212}2,5", Some((-2.5, Comma))),
            ("+2,5", Some((2.5, Comma))),
            (",5", Some((0.5, Comma))),
            ("12,50", Some((12.5, Comma))),
            ("1234,567", Some((1234.567, Comma))),
            ("1,523", Some((1.523, Either))),
            ("999,000", Some((999.0, Either))),
            ("1.234,5", Some((1234.5, Comma))),
            ("1.234.567", Some((1_234_567.0, Comma))),
            ("1.234.567,25", Some((1_234_567.25, Comma))),
            ("1,234.5", Some((1234.5, Point))),
            ("1,234,567", Some((1_234_567.0, Point))),
            ("1 234,5", Some((1234.5, Comma))),
            (
                "1\u{a0}234\u{202f}567",
                Some((1_234_567.0, DecimalMark::None)),
            ),
            ("1'234.50", Some((1234.5, Point))),
            ("12 34", None),
            ("1,23,4", None),
            ("1.23.4", None),
            ("1.234.5,6", None),
            ("1,5,", None),
            ("0,", None),
            (",", None),
            ("", None),
            ("1,5 kg", None),
            ("a", None),
            ("1,2.3,4", None),
            ("--1,5", None),
            ("inf", None),
        ] {
            assert_eq!(marked(cell), due, "{cell:?}");
        }
    }
}
