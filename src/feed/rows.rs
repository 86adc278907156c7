//! Rows of separated text as records.

use csv_core::{ReadRecordResult, Reader, ReaderBuilder, Terminator};

/// The name of a column has at most so many bytes: each row's record repeats it, so that few bytes could else become very many.
pub(super) const LONGEST_NAME: usize = 1000;

/// The names of the columns of separated text.
#[derive(PartialEq)]
pub(super) enum Names {
    /// The next row has them.
    Awaited,
    /// They could not be read.
    Broken,
    Known(Vec<String>),
}

/// What else may part columns.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// Rows of separated text as objects of their cells, each a text.
pub(super) struct Rows {
    given: Option<Vec<String>>,
    delimiter: u8,
    pub(super) names: Names,
    /// Each name as JSON.
    quoted: Vec<String>,
    reader: Reader,
    cells: Vec<u8>,
    ends: Vec<usize>,
    text: String,
    /// How many bytes all objects had together.
    pub(super) made: usize,
}

impl Rows {
    pub(super) fn new(delimiter: u8, columns: &Option<Vec<String>>) -> Self {
        // As of a file: of a line's end only the line feed counts, and cells are trimmed.
        let mut builder = ReaderBuilder::new();
        builder.delimiter(delimiter);
        builder.terminator(Terminator::Any(b'\n'));
        let mut rows = Self {
            given: columns.clone(),
            delimiter,
            names: Names::Awaited,
            quoted: Vec::new(),
            reader: builder.build(),
            cells: Vec::new(),
            ends: Vec::new(),
            text: String::new(),
            made: 0,
        };
        rows.begin();
        rows
    }

    /// Begins another file.
    pub(super) fn begin(&mut self) {
        self.names = Names::Awaited;
        if let Some(names) = self.given.clone() {
            self.known(names);
        }
    }

    fn known(&mut self, names: Vec<String>) {
        let json = |name: &String| serde_json::to_string(name).expect("a text is JSON");
        self.quoted = names.iter().map(json).collect();
        self.names = Names::Known(names);
    }

    /// Names the columns by a row; `is_wanted`: whether a column is read at all. What is wrong is told without the row's words, which may
    /// be somebody's.
    pub(super) fn name(
        &mut self,
        text: &str,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Result<(), String> {
        let fields = self.part(text);
        let names = (0..fields).map(|field| self.cell(field).to_owned());
        let names: Vec<String> = names.collect();
        if !names.iter().any(|name| is_wanted(name))
            && let Some(other) = self.misparted(text, names.len() == 1, is_wanted)
        {
            let letter = |byte: u8| char::from(byte).escape_default();
            return Err(format!(
                "parted by `{}` the row of names has no column that is read; they seem to be parted by `{1}`: set decoding.delimiter = \"{1}\"",
                letter(self.delimiter),
                letter(other)
            ));
        }
        let before = |at: usize, name| names[..at].iter().position(|other| other == name);
        let twice = |(at, name)| Some((before(at, name)?, at));
        if let Some((one, other)) = names.iter().enumerate().find_map(twice) {
            return Err(format!(
                "columns {} and {} have one name; give each column a name of its own",
                one + 1,
                other + 1
            ));
        }
        let long = |(_, name): &(usize, &String)| name.len() > LONGEST_NAME;
        if let Some((at, name)) = names.iter().enumerate().find(long) {
            return Err(format!(
                "the name of column {} has {} bytes, of at most {LONGEST_NAME}",
                at + 1,
                name.len()
            ));
        }
        self.known(names);
        Ok(())
    }

    /// What seems to part a row of names instead: under which there is a column that is read or, where all is one name, several.
    fn misparted(&self, text: &str, is_one: bool, is_wanted: impl Fn(&str) -> bool) -> Option<u8> {
        let others = || {
            let others = DELIMITERS.into_iter();
            others.filter(|other| *other != self.delimiter && text.contains(char::from(*other)))
        };
        let wanted = |other: &u8| {
            let mut names = text.split(char::from(*other));
            names.any(|name| is_wanted(name.trim().trim_matches('"')))
        };
        let first = || others().next().filter(|_| is_one);
        others().find(wanted).or_else(first)
    }

    /// A row as an object.
    pub(super) fn json(&mut self, text: &str) -> Result<&str, String> {
        let fields = self.part(text);
        let Names::Known(names) = &self.names else {
            return Err("the columns have no names: the first line could not be read".into());
        };
        if fields != names.len() {
            let of = |n| format!("{n} {}", if n == 1 { "field" } else { "fields" });
            return Err(format!(
                "the row has {} where there are {} columns; a field that holds the delimiter stands in quotes",
                of(fields),
                names.len()
            ));
        }
        let mut object = std::mem::take(&mut self.text);
        object.clear();
        for (field, name) in self.quoted.iter().enumerate() {
            object.push(if field == 0 { '{' } else { ',' });
            object.push_str(name);
            object.push(':');
            let cell = serde_json::to_string(self.cell(field));
            object.push_str(&cell.expect("a text is JSON"));
        }
        object.push('}');
        self.made += object.len();
        self.text = object;
        Ok(&self.text)
    }

    /// Parts a row into its cells, and tells how many they are.
    fn part(&mut self, text: &str) -> usize {
        // No cell is longer than the row, and each but the last is followed by a delimiter.
        let most = text.len() + 2;
        if self.ends.len() < most {
            self.cells.resize(most, 0);
            self.ends.resize(most, 0);
        }
        self.reader.reset();
        let (mut from, mut written, mut fields) = (0, 0, 0);
        loop {
            let (result, read, wrote, ended) = self.reader.read_record(
                &text.as_bytes()[from..],
                &mut self.cells[written..],
                &mut self.ends[fields..],
            );
            from += read;
            written += wrote;
            fields += ended;
            match result {
                // All has been read: what is asked for now is told that it ends.
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::Record | ReadRecordResult::End => return fields,
                ReadRecordResult::OutputFull | ReadRecordResult::OutputEndsFull => {
                    unreachable!("there is room for every cell")
                }
            }
        }
    }

    fn cell(&self, field: usize) -> &str {
        let from = field.checked_sub(1).map_or(0, |before| self.ends[before]);
        let bytes = &self.cells[from..self.ends[field]];
        std::str::from_utf8(bytes).unwrap_or_default().trim()
    }
}
