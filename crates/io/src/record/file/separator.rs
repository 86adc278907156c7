//! The mark between the fields of a file, recognised by its rows.

use crate::record::framing::Frames;
use crate::record::row::RowCells;

/// The marks that are looked for. Of marks that fit equally well the first is taken: commas are in
/// numbers and texts more often than the others.
const MARKS: [u8; 4] = [b'\t', b';', b'|', b','];

/// The rows that are looked at.
const ROWS: usize = 200;

/// The mark between the fields of some rows: the one by which most rows have as many fields as the
/// first and, of marks alike in this, by which they have most. None where rows have one field.
pub(super) fn separator(text: &[u8], is_whole: bool) -> Option<u8> {
    let mut best: Option<(Fit, u8)> = None;
    for mark in MARKS {
        let Some(fit) = Fit::of(text, is_whole, mark) else {
            continue;
        };
        if best.is_none_or(|(found, _)| fit.is_better(found)) {
            best = Some((fit, mark));
        }
    }
    best.map(|(_, mark)| mark)
}

/// Writes `sep=;` as spreadsheets do in a first line: the mark, and how long the line is.
pub(super) fn declared(text: &[u8]) -> Option<(u8, usize)> {
    let text_after_mark = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let skipped = text.len() - text_after_mark.len();
    let end = text_after_mark.iter().position(|byte| *byte == b'\n');
    let line = &text_after_mark[..end.unwrap_or(text_after_mark.len())];
    let bare = line.strip_suffix(b"\r").unwrap_or(line);
    let bare = bare
        .strip_prefix(b"\"")
        .and_then(|inner| inner.strip_suffix(b"\""))
        .unwrap_or(bare);
    let [s, e, p, b'=', mark] = bare else {
        return None;
    };
    let is_sep = [s, e, p].map(u8::to_ascii_lowercase) == *b"sep";
    (is_sep && mark.is_ascii()).then_some((*mark, skipped + end.map_or(line.len(), |end| end + 1)))
}

/// The fit of rows to a separator.
#[derive(Clone, Copy)]
struct Fit {
    rows: usize,
    /// Rows with as many fields as the first.
    alike: usize,
    fields: usize,
}

impl Fit {
    fn of(text: &[u8], is_whole: bool, mark: u8) -> Option<Self> {
        let mut cells = RowCells::new(mark);
        let mut widths = Vec::new();
        let mut frames = Frames::new(usize::MAX, Some(mark), 1);
        let mut take = |frame: crate::record::framing::Frame<'_>| {
            if widths.len() < ROWS && frame.fault.is_none() {
                cells.split(frame.bytes);
                widths.push(cells.len());
            }
        };
        frames.push(text, &mut take);
        if is_whole {
            frames.finish(&mut take);
        }
        let fields = *widths.first()?;
        let alike = widths.iter().filter(|width| **width == fields).count();
        (fields > 1).then_some(Self {
            rows: widths.len(),
            alike,
            fields,
        })
    }

    /// Returns true if a greater share of the rows is alike or, at equal shares, the rows have more
    /// fields.
    fn is_better(self, other: Self) -> bool {
        let (mine, theirs) = (self.alike * other.rows, other.alike * self.rows);
        mine > theirs || mine == theirs && self.fields > other.fields
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_is_that_by_which_rows_are_alike() {
        for (text, due) in [
            ("a,b\n1,2\n", Some(b',')),
            ("a;b\n1;2\n", Some(b';')),
            ("a\tb\n1\t2\n", Some(b'\t')),
            ("a|b\n1|2\n", Some(b'|')),
            ("id;E-mail, if any\n1;x\n2;y\n", Some(b';')),
            ("id,\"a;b\"\n1,2\n", Some(b',')),
            ("id;score\n1;0,5\n2;1,5\n", Some(b';')),
            ("1;0,5\n2;1,5\n", Some(b';')),
            ("name;age\nSmith, J;3\nDoe, K;4\n", Some(b';')),
            ("a,b\n1,2\n1,2,3\n3,4\n", Some(b',')),
            ("a,b,c\n1,x;y,2\n", Some(b',')),
            ("id\n1\n2\n", None),
            ("", None),
            ("id\nSmith, J\n", None),
        ] {
            assert_eq!(separator(text.as_bytes(), true), due, "{text:?}");
        }
    }

    #[test]
    fn the_last_row_of_a_piece_may_be_cut() {
        assert_eq!(separator(b"a;b,c\n1;2,3\n4", false), Some(b';'));
    }

    #[test]
    fn a_first_line_may_declare_the_mark() {
        for (text, due) in [
            ("sep=;\na;b", Some((b';', 6))),
            ("SEP=,\r\na", Some((b',', 7))),
            ("\u{feff}sep=\t\na", Some((b'\t', 9))),
            ("\"sep=;\"\na;b", Some((b';', 8))),
            ("sep=;", Some((b';', 5))),
            ("separate\na", None),
            ("sep=;;\n", None),
            ("a,b\n", None),
        ] {
            assert_eq!(declared(text.as_bytes()), due, "{text:?}");
        }
    }
}
