//! Decisions as Apache Parquet files. Each member of an event is a column; `shown`, `chosen` and
//! `at` are lists, and `reason` is a map. `groups` has no column.

use std::io::Write;
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::Result;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;

use super::Event;
use crate::limits::MOST_ROW_GROUP_CELLS;

/// The schema of the columns. Counts are limited by the file's size, so they fit 63 bits.
const SCHEMA: &str = "message decision {
    REQUIRED INT64 seq;
    REQUIRED INT64 replication;
    REQUIRED INT64 round;
    REQUIRED BYTE_ARRAY policy (STRING);
    REQUIRED GROUP shown (LIST) { REPEATED GROUP list { REQUIRED BYTE_ARRAY element (STRING); } }
    REQUIRED GROUP chosen (LIST) { REPEATED GROUP list { REQUIRED BYTE_ARRAY element (STRING); } }
    OPTIONAL DOUBLE p;
    REQUIRED GROUP reason (MAP) {
        REPEATED GROUP key_value { REQUIRED BYTE_ARRAY key (STRING); OPTIONAL DOUBLE value; }
    }
    REQUIRED DOUBLE cost;
    REQUIRED BOOLEAN forfeit;
    REQUIRED GROUP at (LIST) { REPEATED GROUP list { REQUIRED DOUBLE element; } }
    REQUIRED GROUP declined (LIST) { REPEATED GROUP list { REQUIRED BYTE_ARRAY element (STRING); } }
}";

/// Writes decisions to a Parquet file, one row per decision, one row group at a time.
pub struct ParquetWriter<W: Write + Send> {
    file: SerializedFileWriter<W>,
    events: Vec<Event>,
    cells: usize,
}

impl<W: Write + Send> ParquetWriter<W> {
    /// Begins a file.
    ///
    /// # Errors
    /// Where `out` cannot be written.
    pub fn new(out: W) -> Result<Self> {
        let schema = Arc::new(parse_message_type(SCHEMA)?);
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(concat!("kleroterion ", env!("CARGO_PKG_VERSION")).into())
            .build();
        Ok(Self {
            file: SerializedFileWriter::new(out, schema, Arc::new(properties))?,
            events: Vec::new(),
            cells: 0,
        })
    }

    /// Writes a decision.
    ///
    /// # Errors
    /// Where the file cannot be written.
    pub fn write(&mut self, event: Event) -> Result<()> {
        self.cells += 1
            + event.decision.shown.len()
            + event.decision.chosen.len()
            + event.decision.reason.len()
            + event.decision.at.len()
            + event.decision.declined.len();
        self.events.push(event);
        if self.cells >= MOST_ROW_GROUP_CELLS {
            self.group()
        } else {
            Ok(())
        }
    }

    /// Ends the file.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn finish(mut self) -> Result<()> {
        self.group()?;
        self.file.close().map(drop)
    }

    /// Writes the events in memory as a row group.
    fn group(&mut self) -> Result<()> {
        if self.events.is_empty() {
            return Ok(());
        }
        let events = std::mem::take(&mut self.events);
        self.cells = 0;
        let mut row_group = self.file.next_row_group()?;
        let group = &mut row_group;
        let whole = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        each::<Int64Type>(group, &events, |event| whole(event.seq))?;
        each::<Int64Type>(group, &events, |event| whole(event.decision.replication))?;
        each::<Int64Type>(group, &events, |event| whole(event.decision.round))?;
        each::<ByteArrayType>(group, &events, |event| text(&event.decision.policy))?;
        lists::<ByteArrayType, _>(group, &events, |event| &event.decision.shown, |id| text(id))?;
        lists::<ByteArrayType, _>(
            group,
            &events,
            |event| &event.decision.chosen,
            |id| text(id),
        )?;
        let known: Vec<f64> = events.iter().filter_map(|event| event.decision.p).collect();
        let given = events.iter().map(|event| event.decision.p.is_some().into());
        column::<DoubleType>(group, &known, Some(&given.collect::<Vec<i16>>()), None)?;
        let reason: fn(&Event) -> &Vec<(String, Option<f64>)> = |event| &event.decision.reason;
        lists::<ByteArrayType, _>(group, &events, reason, |(name, _)| text(name))?;
        let (definition, repetition) = levels(events.iter().map(|event| reason(event).len()));
        let terms = || events.iter().flat_map(reason);
        let numbers: Vec<f64> = terms().filter_map(|(_, number)| *number).collect();
        // A term without a number is there, its number is not.
        let mut all = terms();
        let there = definition.iter().map(|&level| match level {
            0 => 0,
            _ => 1 + i16::from(all.next().is_some_and(|(_, number)| number.is_some())),
        });
        let there: Vec<i16> = there.collect();
        column::<DoubleType>(group, &numbers, Some(&there), Some(&repetition))?;
        each::<DoubleType>(group, &events, |event| event.decision.cost)?;
        each::<BoolType>(group, &events, |event| event.decision.forfeit)?;
        lists::<DoubleType, _>(group, &events, |event| &event.decision.at, |at| *at)?;
        lists::<ByteArrayType, _>(
            group,
            &events,
            |event| &event.decision.declined,
            |id| text(id),
        )?;
        row_group.close().map(drop)
    }
}

/// Writes the next column of a row group: a value of each decision.
fn each<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, impl Write + Send>,
    events: &[Event],
    value: impl Fn(&Event) -> T::T,
) -> Result<()> {
    let values: Vec<T::T> = events.iter().map(value).collect();
    column::<T>(group, &values, None, None)
}

/// Writes the next column of a row group: a list of values of each decision.
fn lists<T: DataType, V>(
    group: &mut SerializedRowGroupWriter<'_, impl Write + Send>,
    events: &[Event],
    list: fn(&Event) -> &Vec<V>,
    value: impl Fn(&V) -> T::T,
) -> Result<()> {
    let (definition, repetition) = levels(events.iter().map(|event| list(event).len()));
    let values: Vec<T::T> = events.iter().flat_map(list).map(value).collect();
    column::<T>(group, &values, Some(&definition), Some(&repetition))
}

fn text(words: &str) -> ByteArray {
    words.into()
}

/// The next column of a row group.
fn column<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, impl Write + Send>,
    values: &[T::T],
    definition: Option<&[i16]>,
    repetition: Option<&[i16]>,
) -> Result<()> {
    let Some(mut column) = group.next_column()? else {
        unreachable!("the schema has as many columns as are written");
    };
    column
        .typed::<T>()
        .write_batch(values, definition, repetition)?;
    column.close()
}

/// Definition and repetition levels of lists of these lengths: (0, 0) of an empty one; else 1 of
/// each element, and 0 of the first and 1 of the others.
fn levels(lengths: impl Iterator<Item = usize>) -> (Vec<i16>, Vec<i16>) {
    let (mut definition, mut repetition) = (Vec::new(), Vec::new());
    for length in lengths {
        definition.push(i16::from(length > 0));
        repetition.push(0);
        for _ in 1..length {
            definition.push(1);
            repetition.push(1);
        }
    }
    (definition, repetition)
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::{ListAccessor, Row, RowAccessor};
    use serde_json::{Value, json};

    use super::*;

    fn event(seq: u64, shown: &[&str], chosen: &[&str], p: Value, reason: Value) -> Event {
        let event = json!({
            "seq": seq, "replication": 3, "round": seq + 1, "policy": "a, b", "shown": shown, "chosen": chosen,
            "p": p, "reason": reason, "cost": 0.5 + seq as f64,
            "at": vec![1.5; shown.len() / 2], "declined": &shown[..shown.len() / 2],
        });
        event.to_string().parse().unwrap()
    }

    fn written(events: &[Event]) -> SerializedFileReader<File> {
        let file = tempfile::tempfile().unwrap();
        let mut writer = ParquetWriter::new(file.try_clone().unwrap()).unwrap();
        for event in events {
            writer.write(event.clone()).unwrap();
        }
        writer.finish().unwrap();
        SerializedFileReader::new(file).unwrap()
    }

    fn rows(file: &SerializedFileReader<File>) -> Vec<Row> {
        let rows = file.get_row_iter(None).unwrap();
        rows.map(|row| row.unwrap()).collect()
    }

    #[test]
    fn rows_are_the_events() {
        let reason = json!({"score": 1.5, "ties": 2.0});
        let file = written(&[
            event(0, &["x", "y"], &["y"], json!(0.25), reason),
            event(1, &[], &[], json!(null), json!({})),
            event(2, &["z"], &[], json!(1.0), json!({"gap": null, "v": 3.0})),
        ]);
        let rows: Vec<String> = rows(&file).iter().map(Row::to_string).collect();
        let known = [
            r#"{seq: 0, replication: 3, round: 1, policy: "a, b", shown: ["x", "y"], chosen: ["y"], p: 0.25, reason: {"score" -> 1.5, "ties" -> 2.0}, cost: 0.5, forfeit: false, at: [1.5], declined: ["x"]}"#,
            r#"{seq: 1, replication: 3, round: 2, policy: "a, b", shown: [], chosen: [], p: null, reason: {}, cost: 1.5, forfeit: false, at: [], declined: []}"#,
            r#"{seq: 2, replication: 3, round: 3, policy: "a, b", shown: ["z"], chosen: [], p: 1.0, reason: {"gap" -> null, "v" -> 3.0}, cost: 2.5, forfeit: false, at: [], declined: []}"#,
        ];
        assert_eq!(rows, known);
    }

    #[test]
    fn what_is_long_is_written_in_groups() {
        let ids: Vec<String> = (0..MOST_ROW_GROUP_CELLS / 2)
            .map(|id| id.to_string())
            .collect();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let none = || json!({});
        let events = [0, 1, 2].map(|seq| event(seq, &ids, &ids[..3], json!(null), none()));
        let file = written(&events);
        assert_eq!(file.num_row_groups(), 2);
        for (row, event) in rows(&file).iter().zip(&events) {
            let shown = row.get_list(4).unwrap();
            assert_eq!(shown.len(), event.decision.shown.len());
            assert_eq!(shown.get_string(ids.len() - 1).unwrap(), ids[ids.len() - 1]);
            assert_eq!(row.get_list(5).unwrap().len(), 3);
        }
    }

    #[test]
    fn no_events_are_a_file_without_rows() {
        let file = written(&[]);
        let metadata = file.metadata().file_metadata();
        assert_eq!(metadata.num_rows(), 0);
        assert_eq!(metadata.schema_descr().num_columns(), 12);
    }
}
