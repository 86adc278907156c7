//! The number of a file's people with each value.

use kleroterion_io::people::table::PeopleTable;

/// The counts of a file's people by their values.
pub(super) struct Heads {
    /// The file, as the config names it.
    pub(super) file: String,
    pub(super) people: u64,
    /// A row for each attribute.
    pub(super) counts: Vec<Vec<u64>>,
    /// The lines of the first of those who have it, in the same shape.
    pub(super) lines: Vec<Vec<Vec<u64>>>,
}

impl Heads {
    /// Counts the people of a table.
    pub(super) fn of(people: &PeopleTable, file: &str) -> Self {
        const LINES: usize = 20;
        let attributes = people.attributes().iter();
        let sizes: Vec<usize> = attributes.map(|(_, values)| values.len()).collect();
        let mut counts: Vec<Vec<u64>> = sizes.iter().map(|size| vec![0; *size]).collect();
        let mut lines: Vec<Vec<Vec<u64>>> = sizes.iter().map(|size| vec![vec![]; *size]).collect();
        for row in 0..people.len() {
            for (at, value) in people.values(row).iter().enumerate() {
                let value = usize::from(*value);
                counts[at][value] += 1;
                if lines[at][value].len() < LINES {
                    lines[at][value].push(people.line(row));
                }
            }
        }
        Self {
            file: file.to_owned(),
            people: people.len() as u64,
            counts,
            lines,
        }
    }
}
