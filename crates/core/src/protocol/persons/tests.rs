//! Persons pushed by hand, read back.

use super::super::schema::Attribute;
use super::*;

/// Makes one attribute with a number of values: up to 4,096 are looked up by the cell.
fn schema(levels: usize, scored: bool) -> Arc<Schema> {
    let attribute = Attribute {
        name: "a".into(),
        values: (0..levels).map(|value| value.to_string()).collect(),
    };
    Arc::new(Schema::new(vec![attribute], vec!["x".into()], scored).unwrap())
}

#[test]
fn candidates_are_what_was_pushed_and_one_is_kept_alone() {
    for levels in [3, 5_000] {
        let mut persons = Persons::new(schema(levels, true), 10);
        assert!(persons.is_empty());
        persons.push_named("ann".into(), 2, &[2], &[0.5], Some(1.5));
        persons.push_arrival(3.0);
        persons.push_named("bob".into(), 1, &[1], &[0.25], Some(2.5));
        persons.push_arrival(4.0);
        assert_eq!((persons.len(), persons.is_empty()), (2, false));
        assert_eq!(*persons.values(), [2, 1]);
        assert_eq!(persons.features(), [0.5, 0.25]);
        assert_eq!(persons.scores(), [1.5, 2.5]);
        let kept = persons.keep(1);
        for bob in [persons.shown(1), kept.shown(0)] {
            assert_eq!((bob.cell(), bob.values()), (1, &[1][..]));
            assert_eq!((bob.features(), bob.score()), (&[0.25][..], Some(2.5)));
            assert_eq!((bob.id(), bob.number()), (Id::Name("bob"), 11));
            assert_eq!((bob.arrival(), bob.respondent()), (Some(4.0), None));
            assert_eq!(bob.schema().levels(), [levels]);
        }
    }
}

#[test]
fn numbers_that_were_skipped_are_no_ones() {
    let mut persons = Persons::new(schema(3, false), 4);
    persons.push(0, &[0], &[0.0], None);
    persons.skip_to(5);
    persons.push(1, &[1], &[0.0], None);
    persons.skip_to(9);
    persons.push(2, &[2], &[0.0], None);
    persons.push(2, &[2], &[0.0], None);
    persons.skip_to(20);
    persons.push(2, &[2], &[0.0], None);
    let numbers: Vec<u64> = (0..5).map(|row| persons.number(row)).collect();
    assert_eq!(numbers, [4, 5, 9, 10, 20]);
    assert_eq!(persons.shown(4).id(), Id::Number(20));
}

/// Two values and three features take twice and three times the bytes of one.
#[test]
fn each_attribute_and_feature_takes_its_bytes() {
    let attribute = |name: &str| Attribute {
        name: name.into(),
        values: (0..100).map(|value| value.to_string()).collect(),
    };
    let features = ["x", "y", "z"].map(str::to_owned).to_vec();
    let schema = Schema::new(vec![attribute("a"), attribute("b")], features, false).unwrap();
    assert_eq!(Persons::bytes_each(&schema), 12 + 2 * 2 + 3 * 8);
}

/// Rows of a file keep their row as their number among the respondents.
#[test]
fn rows_of_a_file_are_named_by_it() {
    let names: Arc<[Box<str>]> = ["ann", "bob", "cid"].map(Into::into).into();
    for levels in [3, 5_000] {
        let mut persons = Persons::new(schema(levels, false), 0);
        for (row, cell) in [(2, 0), (0, 2), (1, 1)] {
            let values = [cell as u16];
            persons.push_named_row(&names, row, cell, &values, &[f64::from(row)], None);
        }
        let seen = |k| {
            let shown = persons.shown(k);
            (
                shown.respondent(),
                shown.id(),
                shown.cell(),
                shown.values().to_vec(),
            )
        };
        let kept = persons.shown(2).keep();
        let kept = kept.shown(0);
        assert_eq!((kept.respondent(), kept.id()), (Some(1), Id::Name("bob")));
        assert_eq!(seen(0), (Some(2), Id::Name("cid"), 0, vec![0]));
        assert_eq!(seen(1), (Some(0), Id::Name("ann"), 2, vec![2]));
        assert_eq!(seen(2), (Some(1), Id::Name("bob"), 1, vec![1]));
    }
}

#[test]
#[should_panic(expected = "persons come in their order")]
fn a_number_behind_is_refused() {
    let mut persons = Persons::new(schema(3, false), 4);
    persons.push(0, &[0], &[0.0], None);
    persons.skip_to(4);
}

/// 12 for the cell and the number; 2 a value that is not looked up, 8 a feature or a score.
#[test]
fn the_bytes_of_a_person_are_those_of_its_columns() {
    assert_eq!(Persons::bytes_each(&schema(3, false)), 20);
    assert_eq!(Persons::bytes_each(&schema(3, true)), 28);
    assert_eq!(Persons::bytes_each(&schema(5_000, true)), 30);
}

#[test]
fn a_person_is_called_by_name_or_number() {
    let texts = [Id::Name("ann").to_string(), Id::Number(7).to_string()];
    assert_eq!(texts, ["ann", "7"]);
}

/// Makes two attributes with a number of values each: with 65 their 4,225 cells are not looked up.
fn pairs(levels: usize) -> Arc<Schema> {
    let attribute = |name: &str| Attribute {
        name: name.into(),
        values: (0..levels).map(|value| value.to_string()).collect(),
    };
    Arc::new(Schema::new(vec![attribute("a"), attribute("b")], vec![], false).unwrap())
}

#[test]
fn candidates_of_attributes_alone_have_the_values_of_their_cells() {
    for levels in [3, 65] {
        let schema = pairs(levels);
        let cells = [schema.cell(&[2, 1]), schema.cell(&[0, 2])];
        let mut persons = Persons::new(schema, 10);
        persons.extend_cells(&cells);
        persons.extend_cells(&cells[..1]);
        let values = |row| persons.shown(row).values().to_vec();
        assert_eq!([0, 1, 2].map(values), [[2, 1], [0, 2], [2, 1]]);
        assert_eq!(
            (persons.cells(), persons.number(2)),
            (&[cells[0], cells[1], cells[0]][..], 12)
        );
    }
}

/// However the candidates before were added.
#[test]
fn numbers_are_skipped_after_candidates_of_attributes_alone_too() {
    let mut persons = Persons::new(pairs(3), 10);
    persons.extend_cells(&[0, 1, 2]);
    persons.push(0, &[0, 0], &[], None);
    persons.skip_to(20);
    persons.push(0, &[0, 0], &[], None);
    let numbers: Vec<u64> = (0..5).map(|row| persons.number(row)).collect();
    assert_eq!(numbers, [10, 11, 12, 13, 20]);
    persons.extend_cells(&[1, 2]);
    persons.skip_to(30);
    persons.push(0, &[0, 0], &[], None);
    let numbers: Vec<u64> = (4..8).map(|row| persons.number(row)).collect();
    assert_eq!(numbers, [20, 21, 22, 30]);
}

/// A column that was given room is not moved while candidates are added.
#[test]
fn there_is_room_for_as_many_as_was_said() {
    let attributes = pairs(65).attributes().to_vec();
    let features = ["x", "y", "z"].map(str::to_owned).to_vec();
    let schema = Schema::new(attributes, features, false).unwrap();
    let mut persons = Persons::new(Arc::new(schema), 0);
    persons.reserve(1_000);
    assert!(persons.cells.capacity() >= 1_000);
    assert!(persons.values.capacity() >= 2_000);
    assert!(persons.features.capacity() >= 3_000);
}
