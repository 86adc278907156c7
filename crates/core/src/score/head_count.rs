//! Head-counts: the number of people of each kind, or of each value.

use std::ops::Range;
use std::sync::Arc;

use crate::limits::MOST_COUNTED_CELLS;
use crate::protocol::{Persons, Schema, Shown};

/// Persons by the value of each attribute.
#[derive(Clone, Debug)]
pub struct HeadCount {
    schema: Arc<Schema>,
    persons: u64,
    counts: Counts,
}

#[derive(Clone, Debug)]
enum Counts {
    /// Counts by cell: one addition a person, whatever the number of attributes.
    Cells(Vec<u64>),
    Values(Vec<Vec<u64>>),
}

impl HeadCount {
    /// Makes an empty count.
    #[must_use]
    pub fn new(schema: Arc<Schema>) -> Self {
        let counts = if Self::counts_kinds(&schema) {
            Counts::Cells(vec![0; schema.cells() as usize])
        } else {
            Counts::Values(schema.levels().iter().map(|&n| vec![0; n]).collect())
        };
        Self {
            schema,
            persons: 0,
            counts,
        }
    }

    /// Returns true if the kinds of people are counted, and not only the values of each attribute.
    #[must_use]
    pub fn counts_kinds(schema: &Schema) -> bool {
        schema.cells() <= MOST_COUNTED_CELLS
    }

    /// The kinds of people counted, with their numbers. Empty if only values are counted.
    pub fn kinds(&self) -> impl Iterator<Item = (Vec<u16>, u64)> + '_ {
        let cells = match &self.counts {
            Counts::Cells(cells) => &cells[..],
            Counts::Values(_) => &[],
        };
        let counted = (0..).zip(cells).filter(|(_, count)| **count > 0);
        counted.map(|(cell, count)| (self.schema.values(cell).to_vec(), *count))
    }

    /// Counts a person.
    #[inline]
    pub fn add(&mut self, person: Shown<'_>) {
        self.persons += 1;
        match &mut self.counts {
            Counts::Cells(cells) => cells[person.cell() as usize] += 1,
            Counts::Values(values) => {
                for (counts, &value) in values.iter_mut().zip(person.values()) {
                    counts[usize::from(value)] += 1;
                }
            }
        }
    }

    /// Counts the persons in some rows of a batch.
    pub fn add_rows(&mut self, persons: &Persons, rows: &[u32]) {
        match &mut self.counts {
            Counts::Cells(counts) => {
                self.persons += rows.len() as u64;
                let cells = persons.cells();
                for &row in rows {
                    counts[cells[row as usize] as usize] += 1;
                }
            }
            Counts::Values(_) => rows.iter().for_each(|&row| self.add(persons.shown(row))),
        }
    }

    /// Counts the persons in a stretch of rows of a batch.
    pub(super) fn add_stretch(&mut self, persons: &Persons, rows: Range<u32>) {
        match &mut self.counts {
            Counts::Cells(counts) => {
                self.persons += rows.len() as u64;
                for &cell in &persons.cells()[rows.start as usize..rows.end as usize] {
                    counts[cell as usize] += 1;
                }
            }
            Counts::Values(_) => rows.for_each(|row| self.add(persons.shown(row))),
        }
    }

    /// The number of people counted.
    #[must_use]
    pub fn persons(&self) -> u64 {
        self.persons
    }

    /// The number of people with each value of each attribute.
    #[must_use]
    pub fn by_value(&self) -> Vec<Vec<u64>> {
        match &self.counts {
            Counts::Values(values) => values.clone(),
            Counts::Cells(cells) => {
                // One attribute after the other is summed out, the last first: a cell is divided
                // into its values nowhere. Plain loops, because it is done at every reading.
                let mut values = Vec::new();
                let mut rest = cells.clone();
                for &levels in self.schema.levels().iter().rev() {
                    let mut counts = vec![0; levels];
                    let mut cell = 0;
                    for at in 0..rest.len() / levels {
                        let mut sum = 0;
                        for count in &mut counts {
                            *count += rest[cell];
                            sum += rest[cell];
                            cell += 1;
                        }
                        rest[at] = sum;
                    }
                    rest.truncate(rest.len() / levels);
                    values.push(counts);
                }
                values.reverse();
                values
            }
        }
    }
}
