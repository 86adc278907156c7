//! Tables of people in the columns of their file: columns of ours, then the file's row as it is.

use super::question::Question;

/// The bytes of a table under way.
pub(super) struct Rows<'a> {
    question: &'a Question,
    own: Vec<String>,
    bytes: Vec<u8>,
}

impl<'a> Rows<'a> {
    /// A table with these columns of its own before those of the file. One that the file has too is
    /// called `draw_NAME`.
    pub(super) fn new(question: &'a Question, own: &[&str]) -> Self {
        let names = &question.people.names;
        let has = |name: &str| {
            names
                .iter()
                .any(|column| column.trim().to_lowercase() == name)
        };
        let own = own.iter().map(|name| match has(name) {
            true => format!("draw_{name}"),
            false => (*name).to_owned(),
        });
        let mut table = Self {
            question,
            own: own.collect(),
            bytes: Vec::new(),
        };
        let people = &question.people;
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
        let row = self.question.row(respondent);
        self.push(own, row);
    }

    fn push(&mut self, own: &[String], row: &[u8]) {
        debug_assert_eq!(own.len(), self.own.len());
        if !own.is_empty() {
            self.bytes.extend(self.line(own));
            self.bytes.push(self.question.people.delimiter);
        }
        self.bytes.extend(row);
        self.bytes.push(b'\n');
    }

    /// Some cells as separated text, without the end of the line.
    fn line(&self, cells: &[String]) -> Vec<u8> {
        let mut line = csv::WriterBuilder::new();
        let mut line = line
            .delimiter(self.question.people.delimiter)
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
