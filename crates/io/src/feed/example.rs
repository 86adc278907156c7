//! An example of a record that a run takes.

use serde_json::{Map, Value, json};

use super::Reading;
use crate::record::Levels;

/// Returns a candidate's record as a JSON object with all members that the run reads. Filters may
/// still leave it out.
#[must_use]
pub fn example(reading: &Reading) -> Value {
    let spec = reading.spec();
    let mut record = Map::new();
    let name = spec.id.as_deref().unwrap_or("id");
    record.insert(name.to_owned(), "ann".into());
    for attribute in &spec.attributes {
        let cell = cell(&attribute.levels);
        record.entry(attribute.column.clone()).or_insert(cell);
    }
    for column in spec.numeric.iter().chain(&spec.score) {
        record.entry(column.clone()).or_insert(json!(0));
    }
    for column in &spec.unique {
        record
            .entry(column.clone())
            .or_insert("1 Main Street".into());
    }
    record.into()
}

/// Returns a cell that gives the first of the values.
fn cell(levels: &Levels) -> Value {
    if let Some(cell) = levels.cells().next() {
        return cell.into();
    }
    match levels.ends().next() {
        Some((from, _)) if from.is_finite() => whole(from),
        Some((_, to)) if to.is_finite() => whole(to - 1.0),
        _ => json!(0),
    }
}

/// Returns a number, without a decimal point if it is whole.
fn whole(number: f64) -> Value {
    match number.fract() == 0.0 && number.abs() < 1e15 {
        true => json!(number as i64),
        false => json!(number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feed::{Read, ReadingSpec};
    use crate::record::AttributeSpec;

    #[test]
    fn the_example_is_taken() {
        let attribute = |name: &str, levels| AttributeSpec {
            name: name.into(),
            column: name.to_uppercase(),
            levels,
        };
        let bands = |from| Levels::bands(vec![("old".into(), from, f64::INFINITY)]).unwrap();
        let spec = ReadingSpec {
            attributes: vec![
                attribute(
                    "sex",
                    Levels::values(vec![("2".into(), "f".into())]).unwrap(),
                ),
                attribute("age", bands(55.0)),
                attribute(
                    "height",
                    Levels::bands(vec![("low".into(), f64::NEG_INFINITY, 1.5)]).unwrap(),
                ),
            ],
            numeric: vec!["AGE".into(), "years".into()],
            score: Some("grade".into()),
            unique: vec!["street".into()],
            ..ReadingSpec::default()
        };
        let reading = Reading::new(spec).unwrap();
        let made = example(&reading);
        assert_eq!(
            (&made["SEX"], &made["AGE"], &made["HEIGHT"]),
            (&json!("2"), &json!(55), &json!(0.5))
        );
        let read = reading.json(&made.to_string(), 1);
        assert!(matches!(read, Ok(Read::Candidate(_))), "{made}");
    }

    #[test]
    fn a_cell_is_the_first_value_or_lies_in_the_first_band() {
        let bands = |from, to| cell(&Levels::bands(vec![("b".into(), from, to)]).expect("a band"));
        let (no_least, no_most) = (f64::NEG_INFINITY, f64::INFINITY);
        assert_eq!(bands(18.0, 30.0), json!(18));
        assert_eq!(bands(0.5, no_most), json!(0.5));
        assert_eq!(bands(no_least, 18.0), json!(17));
        assert_eq!(bands(no_least, no_most), json!(0));
        assert_eq!(cell(&Levels::Distinct), json!(0));
        // From 1e15 on a number is written as one, because not every whole one is exact.
        assert_eq!(whole(1e15 - 1.0).to_string(), "999999999999999");
        assert_eq!(whole(1e15).to_string(), "1000000000000000.0");
    }
}
