//! Rows of separated text as records.

use crate::limits::LONGEST_COLUMN_NAME;
use crate::record::decimal::{either, pointed};
use crate::record::row::{DELIMITERS, RowCells, repeated};

/// The use that a run makes of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnUse {
    /// No use: the column is not read.
    None,
    /// Its cells are texts.
    Text,
    /// Its cells must state numbers, which may have a decimal comma.
    Number,
}

/// The names of the columns of separated text.
#[derive(PartialEq)]
pub(super) enum Names {
    /// The next row holds the names.
    Awaited,
    /// The names could not be read.
    Broken,
    Known(Vec<String>),
}

/// A converter of rows of separated text into JSON objects of their cells, each a text.
pub(super) struct RowRecords {
    given: Option<Vec<String>>,
    delimiter: u8,
    pub(super) names: Names,
    /// The name of each column as JSON, and the use of its cells.
    quoted: Vec<(String, ColumnUse)>,
    row: RowCells,
    text: String,
    /// The total bytes of all objects made so far.
    pub(super) made: usize,
}

impl RowRecords {
    /// Creates a converter. The columns are given, or named by the first row; `used` returns the
    /// use of a column.
    pub(super) fn new(
        delimiter: u8,
        columns: &Option<Vec<String>>,
        used: impl Fn(&str) -> ColumnUse,
    ) -> Self {
        let mut rows = Self {
            given: columns.clone(),
            delimiter,
            names: Names::Awaited,
            quoted: Vec::new(),
            row: RowCells::new(delimiter),
            text: String::new(),
            made: 0,
        };
        rows.begin(used);
        rows
    }

    /// Begins another file.
    pub(super) fn begin(&mut self, used: impl Fn(&str) -> ColumnUse) {
        self.names = Names::Awaited;
        if let Some(names) = self.given.clone() {
            self.known(names, used);
        }
    }

    fn known(&mut self, names: Vec<String>, used: impl Fn(&str) -> ColumnUse) {
        let json = |name: &String| serde_json::to_string(name).expect("a text is JSON");
        let quoted = names.iter().map(|name| (json(name), used(name)));
        self.quoted = quoted.collect();
        self.names = Names::Known(names);
    }

    /// Splits a row into its cells. Returns false if it is blank.
    pub(super) fn split(&mut self, row: &[u8]) -> bool {
        self.row.split(row);
        let columns = match &self.names {
            Names::Known(names) => names.len(),
            Names::Awaited | Names::Broken => 0,
        };
        !self.row.is_blank(columns)
    }

    /// Names the columns by the row that was split. An error has none of the row's words, which may
    /// be a person's.
    pub(super) fn name(&mut self, used: impl Fn(&str) -> ColumnUse) -> Result<(), String> {
        self.names = Names::Broken;
        let names = self.row.names().map_err(not_utf8)?;
        let is_wanted = |name: &str| used(name) != ColumnUse::None;
        if !names.iter().any(|name| is_wanted(name))
            && let Some(other) = self.misparted(&names, is_wanted)
        {
            let letter = |byte: u8| char::from(byte).escape_default();
            return Err(format!(
                "separated by `{}` the row of names has no column that is read; they seem to be \
                 separated by `{1}`: set decoding.delimiter = \"{1}\"",
                letter(self.delimiter),
                letter(other)
            ));
        }
        if let Some((one, other)) = repeated(&names).next() {
            return Err(format!(
                "columns {} and {} have one name; give each column a name of its own",
                one + 1,
                other + 1
            ));
        }
        let long = |(_, name): &(usize, &String)| name.len() > LONGEST_COLUMN_NAME;
        if let Some((at, name)) = names.iter().enumerate().find(long) {
            return Err(format!(
                "the name of column {} has {} bytes, of at most {LONGEST_COLUMN_NAME}",
                at + 1,
                name.len()
            ));
        }
        self.known(names, used);
        Ok(())
    }

    /// Returns the delimiter that a row of names seems to have instead. Under it there is a column
    /// that is read or, where all is one name, several columns.
    fn misparted(&self, names: &[String], is_wanted: impl Fn(&str) -> bool) -> Option<u8> {
        let text = names.join(&char::from(self.delimiter).to_string());
        let others = || {
            let others = DELIMITERS.into_iter();
            others.filter(|other| *other != self.delimiter && text.contains(char::from(*other)))
        };
        let wanted = |other: &u8| {
            let mut names = text.split(char::from(*other));
            names.any(|name| is_wanted(name.trim().trim_matches('"')))
        };
        let first = || others().next().filter(|_| names.len() == 1);
        others().find(wanted).or_else(first)
    }

    /// Returns the row that was split, as a JSON object. In a cell that nothing reads, bytes that
    /// are not UTF-8 become U+FFFD. Numbers have a decimal point.
    pub(super) fn json(&mut self) -> Result<&str, String> {
        let (found, due) = (self.row.len(), self.quoted.len());
        if found != due {
            let fields = if found == 1 { "field" } else { "fields" };
            return Err(format!(
                "the row has {found} {fields} where there are {due} columns; a field that holds \
                 the delimiter must be in quotes"
            ));
        }
        self.text.clear();
        for (field, (name, used)) in self.quoted.iter().enumerate() {
            self.text.push(if field == 0 { '{' } else { ',' });
            self.text.push_str(name);
            self.text.push(':');
            let cell = match self.row.cell(field) {
                Some(cell) if *used == ColumnUse::Number => {
                    let pointed = pointed(&cell, self.delimiter);
                    let pointed = pointed.map_err(|both| ambiguous(&cell, name, &both));
                    serde_json::to_string(&pointed?)
                }
                Some(cell) => serde_json::to_string(&*cell),
                None if *used != ColumnUse::None => return Err(not_utf8(field)),
                None => serde_json::to_string(&String::from_utf8_lossy(self.row.bytes(field))),
            };
            self.text.push_str(&cell.expect("a text is JSON"));
        }
        self.text.push('}');
        self.made += self.text.len();
        Ok(&self.text)
    }
}

fn ambiguous(cell: &str, name: &str, both: &[String; 2]) -> String {
    let either = either(cell, name.trim_matches('"'), both);
    format!("{either}: write one of these")
}

fn not_utf8(field: usize) -> String {
    format!("field {} holds bytes that are not UTF-8", field + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(delimiter: u8, names: &str) -> Result<RowRecords, String> {
        let mut rows = RowRecords::new(delimiter, &None, used);
        assert!(rows.split(names.as_bytes()));
        rows.name(used).map(|()| rows)
    }

    fn used(name: &str) -> ColumnUse {
        match name {
            "id" => ColumnUse::Text,
            "age" => ColumnUse::Number,
            _ => ColumnUse::None,
        }
    }

    #[test]
    fn numbers_may_have_decimal_commas() {
        let mut rows = named(b';', "id;note;age").expect("names");
        for (row, object) in [
            ("1,5;1,5;1,5", r#"{"id":"1,5","note":"1,5","age":"1.5"}"#),
            ("a;;1.234,5", r#"{"id":"a","note":"","age":"1234.5"}"#),
            ("a;;1,234", r#"{"id":"a","note":"","age":"1.234"}"#),
            ("a;;N", r#"{"id":"a","note":"","age":"N"}"#),
        ] {
            assert!(rows.split(row.as_bytes()));
            assert_eq!(rows.json(), Ok(object));
        }
        let mut rows = named(b',', "id,note,age").expect("names");
        assert!(rows.split(b"a,,\"0,5\""));
        assert_eq!(rows.json(), Ok(r#"{"id":"a","note":"","age":"0.5"}"#));
        assert!(rows.split(b"a,,\"1,234\""));
        let error = rows.json().unwrap_err();
        assert_eq!(
            error,
            "'1,234' in `age` may be '1.234' or '1234': write one of these"
        );
    }

    /// Only what is read must be UTF-8; how many bytes all objects had is counted.
    #[test]
    fn a_row_is_an_object_of_its_columns() {
        let mut rows = named(b',', "id,note,age").expect("names");
        let mut made = 0;
        for (row, object) in [
            (
                &b"7,\"a, b\",30"[..],
                r#"{"id":"7","note":"a, b","age":"30"}"#,
            ),
            (
                b"8,\xff,",
                "{\"id\":\"8\",\"note\":\"\u{fffd}\",\"age\":\"\"}",
            ),
        ] {
            assert!(rows.split(row));
            assert_eq!(rows.json(), Ok(object));
            made += object.len();
            assert_eq!(rows.made, made);
        }
        assert!(rows.split(b"9,x,\xff"));
        let error = rows.json().unwrap_err();
        assert_eq!(error, "field 3 holds bytes that are not UTF-8");
        assert!(!rows.split(b" ") && !rows.split(b",,"));
        for (row, found) in [
            ("9", "1 field"),
            ("9,x", "2 fields"),
            ("9,x,1,2", "4 fields"),
        ] {
            assert!(rows.split(row.as_bytes()));
            let words = format!("the row has {found} where there are 3 columns;");
            assert!(rows.json().unwrap_err().starts_with(&words), "{row}");
        }
        assert_eq!(rows.made, made);
    }

    #[test]
    fn a_row_of_names_that_can_not_be_is_refused() {
        let error = |delimiter, names: &str| named(delimiter, names).err().expect("an error");
        for (delimiter, names, words) in [
            (b',', "id;age", "set decoding.delimiter = \";\""),
            (b';', "id,age", "set decoding.delimiter = \",\""),
            (b',', "name;sex", "set decoding.delimiter = \";\""),
            (b',', "id,note,note", "columns 2 and 3 have one name"),
        ] {
            assert!(error(delimiter, names).contains(words), "{names}");
        }
        let longest = "n".repeat(LONGEST_COLUMN_NAME);
        assert!(named(b',', &format!("id,{longest}")).is_ok());
        let words = format!(
            "the name of column 2 has {} bytes, of at most {LONGEST_COLUMN_NAME}",
            LONGEST_COLUMN_NAME + 1
        );
        assert_eq!(error(b',', &format!("id,{longest}n")), words);
        // Several columns of which none is read may still be meant, and so may a `;` in a name.
        assert!(named(b',', "name,sex;gender").is_ok() && named(b',', "id,a;b").is_ok());
    }
}
