//! The rows of a table of people as a stream.

use std::sync::Arc;

use async_trait::async_trait;

use super::Design;
use super::row_order::{RowOrder, RowPicker};
use super::table::PeopleTable;
use kleroterion_core::draw::Key;
use kleroterion_core::protocol::{Batch, Schema, SealedOutcomes};
use kleroterion_core::source::{FeedError, Sizes, Source};

/// The rows of a table as the people of a stream, with their names.
pub struct PeopleRows {
    schema: Arc<Schema>,
    table: PeopleTable,
    names: Arc<[Box<str>]>,
    /// The design that turns the rows' numbers into contexts, where the schema has features.
    pub design: Option<Design>,
    /// The merit of each row; empty where merits are unknown.
    pub merits: Vec<f64>,
    /// The recorded review scores of each row; empty where nothing was recorded.
    pub records: Vec<Vec<f64>>,
}

impl PeopleRows {
    /// Makes the stream's people from the rows of a table, whose attributes are those of the
    /// schema.
    #[must_use]
    pub fn new(schema: Arc<Schema>, table: PeopleTable) -> Self {
        let names = (0..table.len()).map(|row| table.id(row).into());
        let names = names.collect();
        Self {
            schema,
            table,
            names,
            design: None,
            merits: Vec::new(),
            records: Vec::new(),
        }
    }

    /// Adds the sealed outcomes of these rows to a batch, if the table has outcomes.
    fn seal(&self, rows: &[u32], batch: &mut Batch) {
        let outcomes = &self.table.numbers.outcomes;
        if !outcomes.is_empty() {
            let of_rows = rows.iter().map(|row| outcomes[*row as usize]);
            batch.seal_outcomes(SealedOutcomes::Recorded(of_rows.collect()));
        }
    }

    /// Returns the table.
    #[must_use]
    pub fn table(&self) -> &PeopleTable {
        &self.table
    }

    /// Adds the person of a row to a batch; `context` is room for the row's context.
    fn push(&self, row: u32, context: &mut [f64], batch: &mut Batch) {
        let (table, at) = (&self.table, row as usize);
        if let Some(design) = &self.design {
            design.write(table, at, context);
        }
        let (cell, values) = (table.cell(at), table.values(at));
        let persons = batch.persons_mut();
        let score = table.numbers.scores.get(at).copied();
        persons.push_named_row(&self.names, row, cell, values, context, score);
        if let Some(households) = table.households() {
            persons.push_household(households[at]);
        }
        if let Some(merit) = self.merits.get(at) {
            batch.push_merit(*merit);
        }
        if let Some(record) = self.records.get(at) {
            batch.push_record(record);
        }
    }
}

/// A stream of rows, round by round.
pub struct RowStream {
    rows: Arc<PeopleRows>,
    order: RowPicker,
    key: Key,
    sizes: Sizes,
    /// The number of people that come for each unit of the roster's size.
    each: usize,
    rounds: u64,
    persons: usize,
    left_over: u64,
}

impl RowStream {
    /// Starts the stream of a replication. A roster has `each` times as many people as its size
    /// says. `each` is 1 if the roster is the slate, and the number of groups if a pool chooses
    /// from it.
    #[must_use]
    pub fn new(
        rows: Arc<PeopleRows>,
        order: RowOrder,
        key: Key,
        sizes: Sizes,
        each: usize,
    ) -> Self {
        Self {
            order: order.start(rows.table.len(), key),
            rows,
            key,
            sizes,
            each,
            rounds: 0,
            persons: 0,
            left_over: 0,
        }
    }

    /// Returns the next rounds with about `persons` people, or `None` at the end.
    pub fn next_batch(&mut self, persons: usize) -> Option<Batch> {
        let sizes = self.next_sizes(persons)?;
        let from = self.persons;
        let persons = sizes.iter().sum();
        let schema = Arc::clone(&self.rows.schema);
        let mut batch = Batch::new(schema, self.rounds + 1, from as u64);
        batch.persons_mut().reserve(persons);
        let mut context = vec![0.0; self.rows.schema.features().len()];
        let mut ends = sizes.iter().scan(0, |end, size| {
            *end += size;
            Some(*end)
        });
        let mut end = close_empty(&mut batch, &mut ends, 0);
        let rows = self.order.pick(from, persons);
        self.rows.seal(&rows, &mut batch);
        for (k, row) in rows.into_iter().enumerate() {
            self.rows.push(row, &mut context, &mut batch);
            if Some(k + 1) == end {
                batch.close_round();
                end = close_empty(&mut batch, &mut ends, k + 1);
            }
        }
        self.rounds += sizes.len() as u64;
        self.persons += persons;
        Some(batch)
    }

    /// The sizes of the next rosters, about `persons` persons in all; `None` where no round
    /// follows.
    fn next_sizes(&mut self, persons: usize) -> Option<Vec<usize>> {
        let left = self.order.left(self.persons);
        // There is no end to the rounds, but there may be to the people.
        let persons = left.map_or(persons, |left| persons.min(left));
        let next = self.rounds + 1;
        let mut sizes = self.sizes.stretch(self.key, next, self.each, persons);
        if let Some(left) = left.filter(|_| !sizes.is_empty()) {
            let mut sum = 0;
            let fits = sizes.iter().take_while(|&&size| {
                sum += size;
                sum <= left
            });
            let fit = fits.count();
            sizes.truncate(fit);
            if sizes.is_empty() || left == 0 {
                self.left_over = left as u64;
                return None;
            }
        }
        (!sizes.is_empty()).then_some(sizes)
    }
}

/// Closes the rounds that end where `at` persons have come; returns where the next one ends.
fn close_empty(
    batch: &mut Batch,
    ends: &mut impl Iterator<Item = usize>,
    at: usize,
) -> Option<usize> {
    ends.find(|&end| {
        if end == at {
            batch.close_round();
        }
        end != at
    })
}

#[async_trait]
impl Source for RowStream {
    async fn next(&mut self, persons: usize) -> Result<Option<Batch>, FeedError> {
        Ok(self.next_batch(persons))
    }

    fn left_over(&self) -> u64 {
        self.left_over
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::people::table::TableSpec;
    use crate::record::{AttributeSpec, Levels};
    use kleroterion_core::protocol::{Attribute, Person};

    fn rows(n: usize) -> Arc<PeopleRows> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("people.csv");
        let text: String = (0..n).map(|k| format!("p{k},{}\n", k % 3)).collect();
        std::fs::write(&path, format!("id,g\n{text}")).unwrap();
        let table = PeopleTable::load(&TableSpec {
            path,
            how: Default::default(),
            columns: None,
            filters: vec![],
            id: Some("id".into()),
            attributes: vec![AttributeSpec {
                name: "g".into(),
                column: "g".into(),
                levels: Levels::Distinct,
            }],
            weight: None,
            unique: vec![],
            numbers: Default::default(),
        })
        .unwrap();
        let (name, values) = table.attributes()[0].clone();
        let schema = Schema::new(vec![Attribute { name, values }], vec![], false).unwrap();
        Arc::new(PeopleRows::new(Arc::new(schema), table))
    }

    fn ids(order: RowOrder, slate: u32, persons: usize, most: usize) -> (Vec<String>, u64) {
        let sizes = Sizes::Constant(slate);
        let mut stream = RowStream::new(rows(10), order, Key::new(5, 1), sizes, 1);
        let mut ids = vec![];
        while let Some(batch) = stream.next_batch(persons) {
            assert_eq!(batch.rounds() * slate as usize, batch.persons().len());
            for row in 0..batch.persons().len() as u32 {
                let shown = batch.persons().shown(row);
                let id = shown.id().to_string();
                let number: usize = id[1..].parse().unwrap();
                assert_eq!(usize::from(shown.values()[0]), number % 3);
                ids.push(id);
            }
            if ids.len() >= most {
                break;
            }
        }
        (ids, stream.left_over())
    }

    #[test]
    fn the_file_as_it_is_and_an_incomplete_last_slate_is_counted() {
        let (whole, left) = ids(RowOrder::File, 3, 4, 100);
        let expected: Vec<String> = (0..9).map(|k| format!("p{k}")).collect();
        assert_eq!((whole, left), (expected, 1));
    }

    #[test]
    fn sizes_may_vary_and_rounds_may_be_empty() {
        let met = |persons: usize| {
            let sizes = Sizes::Listed(vec![0, 2, 0, 0, 1, 4]);
            let mut stream = RowStream::new(rows(10), RowOrder::Shuffled, Key::new(5, 1), sizes, 2);
            let mut met = Vec::new();
            while let Some(batch) = stream.next_batch(persons) {
                for at in 0..batch.rounds() {
                    let name = |row| batch.persons().shown(row).id().to_string();
                    let round: Vec<String> = batch.roster(at).map(name).collect();
                    met.push((batch.round_number(at), round));
                }
            }
            (met, stream.left_over())
        };
        let (all, left) = met(1);
        // The last round lacks people: 8 of the 4 that are left.
        assert_eq!(left, 4);
        let sizes: Vec<(u64, usize)> = all.iter().map(|(at, who)| (*at, who.len())).collect();
        assert_eq!(sizes, [(1, 0), (2, 4), (3, 0), (4, 0), (5, 2)]);
        for persons in [3, 7, 64, 1024] {
            assert_eq!(met(persons), (all.clone(), left));
        }
    }

    #[test]
    fn shuffled_is_a_permutation_whatever_the_batch() {
        let (one, left) = ids(RowOrder::Shuffled, 1, 1, 100);
        assert_eq!(left, 0);
        assert_eq!(one, ids(RowOrder::Shuffled, 1, 64, 100).0);
        assert_eq!(one, ids(RowOrder::Shuffled, 1, 3, 100).0);
        let mut sorted = one.clone();
        sorted.sort();
        let (file, _) = ids(RowOrder::File, 1, 64, 100);
        assert_eq!(sorted, file);
        assert_ne!(one, file);
    }

    #[test]
    fn everybody_keeps_their_worth_and_their_record_in_every_order() {
        let record = |row: usize| vec![row as f64; row % 3];
        let mut rows = Arc::into_inner(rows(10)).unwrap();
        rows.merits = (0..10).map(|row| row as f64 / 8.0).collect();
        rows.records = (0..10).map(record).collect();
        let rows = Arc::new(rows);
        let groups = vec![vec![7, 4], vec![2, 9]];
        for order in [
            RowOrder::File,
            RowOrder::Shuffled,
            RowOrder::Resampled,
            RowOrder::weighted(&[1.0; 10]).unwrap(),
            RowOrder::OnePerGroup(Arc::new(groups)),
        ] {
            for persons in [1, 4, 64] {
                let mut stream = RowStream::new(
                    Arc::clone(&rows),
                    order.clone(),
                    Key::new(5, 1),
                    Sizes::Constant(2),
                    1,
                );
                for _ in 0..2 {
                    let batch = stream.next_batch(persons);
                    let people = batch.iter().flat_map(|batch| {
                        (0..batch.persons().len() as u32).map(|row| Person::new(batch, row))
                    });
                    for person in people {
                        let row: usize = person.shown().id().to_string()[1..].parse().unwrap();
                        assert_eq!(person.merit(), Some(row as f64 / 8.0));
                        assert_eq!(person.record(), record(row));
                    }
                }
            }
        }
    }

    #[test]
    fn resampling_follows_the_weights() {
        let weights: Vec<f64> = (0..10).map(f64::from).collect();
        let (drawn, _) = ids(RowOrder::weighted(&weights).unwrap(), 1, 1000, 45_000);
        for (k, weight) in weights.iter().enumerate() {
            let count = drawn.iter().filter(|id| **id == format!("p{k}")).count();
            let mean = weight * 1000.0;
            assert!(
                (count as f64 - mean).abs() <= 4.0 * mean.sqrt(),
                "{k}: {count}"
            );
        }
        let (alike, _) = ids(RowOrder::Resampled, 1, 1000, 10_000);
        assert!((850..1150).contains(&alike.iter().filter(|id| *id == "p0").count()));
    }
}
