//! Ids and codes as spreadsheets change them.

/// Returns true if a cell is what a spreadsheet may make of a text: a number without its leading
/// zeros or its last digits, or a date.
pub(super) fn is_respelt(text: &str, cell: &str) -> bool {
    if let (Some(was), Some(is)) = (number(text), number(cell)) {
        // Fifteen digits are kept, of a number with an exponent three to six.
        let kept = match cell.contains(['e', 'E']) {
            true => 5e-3,
            false => 1e-14,
        };
        return (was - is).abs() <= kept * was.abs();
    }
    is_date(cell) && text.bytes().any(|byte| byte.is_ascii_digit())
}

/// The number that a text writes, with a point or a comma.
fn number(text: &str) -> Option<f64> {
    let is_numeric = |c: char| c.is_ascii_digit() || "eE.,+-".contains(c);
    if !text.chars().all(is_numeric) {
        return None;
    }
    let number = text.replacen(',', ".", 1).parse();
    number.ok().filter(|number: &f64| number.is_finite())
}

/// Returns true if a text is written as a date: two or three numbers, or a month in letters with
/// one or two numbers.
fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text
        .split(['.', '/', '-', ' '])
        .filter(|part| !part.is_empty())
        .collect();
    let is_number = |part: &&&str| part.len() <= 4 && part.bytes().all(|b| b.is_ascii_digit());
    let is_month = |part: &&&str| part.len() <= 9 && part.chars().all(char::is_alphabetic);
    let numbers = parts.iter().filter(is_number).count();
    let months = parts.iter().filter(is_month).count();
    numbers + months == parts.len() && (2..=3).contains(&parts.len()) && numbers >= 1 && months <= 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_spreadsheets_make_of_a_text_is_known() {
        for (text, cell, due) in [
            ("007", "7", true),
            ("0012", "12", true),
            ("1234567890123456", "1234567890123450", true),
            ("1234567890123456", "1,23457E+15", true),
            ("1234567890123456", "1.23E+15", true),
            ("12e4567890123456", "x", false),
            ("1-2", "01. Feb", true),
            ("3/4", "3.4.2026", true),
            ("MAR1", "01. Mrz", true),
            ("p07", "p08", false),
            ("007", "8", false),
            ("p07", "Mallory", false),
            ("Ann", "Bea", false),
            ("9ad6d5138ec4a802", "9ad6d5138ec4a803", false),
        ] {
            assert_eq!(is_respelt(text, cell), due, "{text} {cell}");
        }
    }
}
