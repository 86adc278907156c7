//! Tables of people: columns of ours, then those of the people's file. Cells that a spreadsheet
//! would take for formulas are written as text.

use super::question::DrawQuestion;
use kleroterion_io::people::table::RawRows;
use kleroterion_io::record::written_cell;

/// The bytes of a table under way.
pub(super) struct Rows<'a> {
    question: &'a DrawQuestion,
    /// The file whose rows are written.
    people: &'a RawRows,
    own: Vec<String>,
    bytes: Vec<u8>,
}

impl<'a> Rows<'a> {
    /// A table with these columns of its own before those of the organiser's file. One that the file
    /// has too is called `draw_NAME`.
    pub(super) fn new(question: &'a DrawQuestion, own: &[&str]) -> Self {
        Self::of(question, question.table(), own)
    }

    /// A table of the columns that are among the inputs, and no others.
    pub(super) fn of_inputs(question: &'a DrawQuestion) -> Self {
        Self::of(question, &question.people, &[])
    }

    fn of(question: &'a DrawQuestion, people: &'a RawRows, own: &[&str]) -> Self {
        let has = |name: &str| {
            let mut names = people.names.iter();
            names.any(|column| column.trim().to_lowercase() == name)
        };
        let own = own.iter().map(|name| match has(name) {
            true => format!("draw_{name}"),
            false => (*name).to_owned(),
        });
        let mut table = Self {
            question,
            people,
            own: own.collect(),
            bytes: Vec::new(),
        };
        // Columns of our own need names, and a file without a header stays one.
        let header = match (&people.header, table.own.is_empty()) {
            (Some(header), _) => Some(header.clone()),
            (None, true) => None,
            (None, false) => Some(table.line(&people.names)),
        };
        if let Some(header) = header {
            let own = table.own.clone();
            table.push(&own, &header);
        }
        table
    }

    /// Adds the row of a respondent, with the cells of our columns.
    pub(super) fn add(&mut self, own: &[String], respondent: u32) {
        let row = self.question.row(self.people, respondent);
        self.push(own, row);
    }

    fn push(&mut self, own: &[String], row: &[u8]) {
        debug_assert_eq!(own.len(), self.own.len());
        if !own.is_empty() {
            self.bytes.extend(self.line(own));
            self.bytes.push(self.people.delimiter);
        }
        match self.question.is_whole {
            true => self.bytes.extend(row),
            false => self.bytes.extend(self.safe(row)),
        }
        self.bytes.push(b'\n');
    }

    /// A row of the file as it is or, where a cell would be a formula, with its cells as text.
    fn safe(&self, row: &[u8]) -> Vec<u8> {
        let cells = self.people.cells(row);
        let written: Vec<String> = cells.iter().map(|cell| written_cell(cell).into()).collect();
        match written == cells {
            true => row.to_vec(),
            false => self.line(&written),
        }
    }

    /// Some cells as separated text, without the end of the line.
    fn line(&self, cells: &[String]) -> Vec<u8> {
        let mut line = csv::WriterBuilder::new();
        let mut line = line
            .delimiter(self.people.delimiter)
            .from_writer(Vec::new());
        line.write_record(cells).expect("memory takes every row");
        let mut line = line.into_inner().expect("memory takes every row");
        line.pop();
        line
    }

    /// The table.
    pub(super) fn finish(self) -> Vec<u8> {
        self.bytes
    }
}
