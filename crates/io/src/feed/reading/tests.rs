mod random;

use std::hint::black_box;
use std::time::Instant;

use super::*;
use crate::record::Levels;

fn attribute(name: &str, column: &str, levels: Levels) -> AttributeSpec {
    AttributeSpec {
        name: name.into(),
        column: column.into(),
        levels,
    }
}

fn values(pairs: &[(&str, &str)]) -> Levels {
    let pairs = pairs.iter().map(|(a, b)| ((*a).into(), (*b).into()));
    Levels::values(pairs.collect()).unwrap()
}

fn spec() -> ReadingSpec {
    let bands = vec![
        ("young".into(), 18.0, 40.0),
        ("old".into(), 40.0, f64::INFINITY),
    ];
    ReadingSpec {
        attributes: vec![
            attribute("sex", "SEX", values(&[("1", "male"), ("2", "female")])),
            attribute("age", "AGEP", Levels::bands(bands).unwrap()),
        ],
        filters: vec![Filter::parse("STATE != 'off'").unwrap()],
        id: None,
        unique: vec!["street".into(), "town".into()],
        constant: true,
        numeric: vec!["EDU".into()],
        spans: Spans::default(),
        missing: None,
        one_hot: vec![0],
        score: Some("mark".into()),
    }
}

fn reading() -> Reading {
    Reading::new(spec()).unwrap()
}

fn candidate(text: &str) -> CandidateRecord {
    match reading().json(text, 7) {
        Ok(Read::Candidate(candidate)) => candidate,
        other => panic!("{text}: {other:?}"),
    }
}

const ANNA: &str =
    r#"{"id":"anna","SEX":2,"AGEP":41,"EDU":3,"mark":1.5,"street":" High St ","town":"X"}"#;

#[test]
fn a_record_is_read_by_members_groups_and_features() {
    let anna = candidate(ANNA);
    assert_eq!(&*anna.id, "anna");
    assert_eq!(anna.values, [1, 1]);
    assert_eq!(anna.features, [1.0, 3.0, 0.0, 1.0]);
    assert_eq!(anna.score, Some(1.5));
    assert_eq!(anna.household.as_deref(), Some(r#"["high st","x"]"#));
    assert_eq!(&*anna.record, ANNA);
    let names = ["constant", "EDU", "sex=male", "sex=female"];
    assert_eq!(reading().schema().features(), names);

    let nested = r#"{"groups": {"SEX": "2", "AGEP": "41"}, "features": {"EDU": 3, "mark": 1.5},
        "id": "anna", "street": "HIGH ST", "town": "x", "SEX": null}"#;
    let nested = candidate(&nested.replace('\n', " "));
    assert_eq!(
        CandidateRecord {
            record: anna.record.clone(),
            ..nested
        },
        anna
    );
}

#[test]
fn ids_come_from_the_column_the_member_the_envelope_or_the_count() {
    let rest = r#""SEX":1,"AGEP":20,"EDU":1,"mark":1"#;
    for (text, id, record) in [
        (
            format!("{{{rest}}}"),
            "7",
            format!("{{\"id\":\"7\",{rest}}}"),
        ),
        (
            format!("{{\"id\":null,{rest}}}"),
            "7",
            format!("{{\"id\":\"7\",{rest}}}"),
        ),
        (
            format!("{{\"id\":007.50e1,{rest}}}").replace("007", "7"),
            "7.50e1",
            format!("{{\"id\":7.50e1,{rest}}}"),
        ),
        (
            format!("{{\"specversion\":\"1.0\",\"id\":\"e\\u0041\",\"data\":{{{rest}}}}}"),
            "eA",
            format!("{{\"id\":\"eA\",{rest}}}"),
        ),
        (
            format!(
                "{{\"specversion\":\"1.0\",\"source\":\"/form#a\",\"id\":12,\"data\":{{{rest}}}}}"
            ),
            "/form#a 12",
            format!("{{\"id\":\"/form#a 12\",{rest}}}"),
        ),
        (
            format!("{{\"specversion\":\"1.0\",\"source\":\"/form\",\"data\":{{{rest}}}}}"),
            "7",
            format!("{{\"id\":\"7\",{rest}}}"),
        ),
        (
            format!(
                "{{\"specversion\":\"1.0\",\"source\":\"a b\",\"id\":\"e\",\"data\":{{\"id\":\"d\", {rest}}}}}"
            ),
            "d",
            format!("{{\"id\":\"d\",{rest}}}"),
        ),
    ] {
        let read = candidate(&text);
        assert_eq!((&*read.id, &*read.record), (id, &*record), "{text}");
        let own = read.id.as_ref() != "7";
        assert_eq!(read.naming == Naming::Own, own, "{text}");
        // Its number is written into a record that has nothing else.
        let again = CandidateRecord {
            naming: Naming::Own,
            record: record.as_str().into(),
            ..read
        };
        assert_eq!(candidate(&record), again);
    }
    let reading = Reading::new(ReadingSpec {
        id: Some("SERIALNO".into()),
        ..ReadingSpec::default()
    });
    let reading = reading.unwrap();
    let Ok(Read::Candidate(read)) =
        reading.json(r#"{"SERIALNO": 012}"#.replace("012", "12").as_str(), 1)
    else {
        panic!()
    };
    assert_eq!((&*read.id, &*read.record), ("12", r#"{"SERIALNO":12}"#));
    for source in ["/a", "/b", "a b"] {
        let text = format!(
            "{{\"specversion\":\"1.0\",\"source\":\"{source}\",\"id\":\"{source}\",\"data\":{{\"SERIALNO\":12}}}}"
        );
        let Ok(Read::Candidate(read)) = reading.json(&text, 1) else {
            panic!("{text}")
        };
        assert_eq!(&*read.id, "12");
    }
    let error = reading.json(r#"{"SerialN": 12}"#, 1).unwrap_err();
    assert_eq!(
        error,
        "there is no `SERIALNO`, which names the person; did you mean `SerialN`?"
    );
}

#[test]
fn a_source_that_can_be_no_part_of_a_name_is_told() {
    let reading = Reading::new(ReadingSpec::default()).unwrap();
    let envelope = |source: &str, id: &str| {
        format!("{{\"specversion\":\"1.0\",\"source\":{source},\"id\":{id},\"data\":{{}}}}")
    };
    let long = format!("\"{}\"", "x".repeat(200));
    for (source, id, error) in [
        (
            "\"\"",
            "1",
            "'' in `source` of the CloudEvents envelope is no URI",
        ),
        ("\"a b\"", "1", "'a b' in `source` of the CloudEvents"),
        (
            "\"a\\u00a0b\"",
            "1",
            "is no URI reference; write it without blanks",
        ),
        ("[1]", "1", "the member 'source' is an object or a list"),
        ("\"a\"", "[1]", "the member 'id' is an object or a list"),
        ("\"a\"", "\"\"", "the id in `id` is empty"),
        (
            &long,
            &long,
            "make a name of 401 characters, of at most 256",
        ),
    ] {
        let text = envelope(source, id);
        let said = reading.json(&text, 1).expect_err(&text);
        assert!(said.contains(error), "{text}: {said}");
    }
    let fits = envelope(&long, &format!("\"{}\"", "y".repeat(55)));
    assert!(reading.json(&fits, 1).is_ok());
}

#[test]
fn a_column_called_id_must_be_there_where_something_is_read_of_it() {
    let reading = Reading::new(ReadingSpec {
        numeric: vec!["id".into()],
        missing: Some(0.0),
        ..ReadingSpec::default()
    });
    let error = reading.unwrap().json("{}", 3).unwrap_err();
    assert_eq!(error, "there is no `id`, which names the person");
}

#[test]
fn all_that_is_wrong_is_told_at_once() {
    let long = format!(
        r#"{{"id":"{}","SEX":1,"AGEP":20,"EDU":1,"mark":1}}"#,
        "é".repeat(257)
    );
    let deep = format!(r#"{{"x":{}1{}}}"#, "[".repeat(60_000), "]".repeat(60_000));
    for (text, errors) in [
        (
            r#"{"sx":1,"AGEP":"N","EDU":"","mark":1e101,"id":""}"#,
            &[
                "there is no `SEX`, which gives the attribute `sex`; did you mean `sx`?",
                "'N' in `AGEP` is not a number, which the bands of `age` need",
                "'' in `EDU` is not a finite number",
                "'1e101' in `mark` is beyond 1e100",
                "the id in `id` is empty",
            ][..],
        ),
        (
            r#"{"SEX":3,"AGEP":17,"EDU":1e999,"mark":true,"id":["a"]}"#,
            &[
                "the member 'id' is an object or a list",
                "'3' in `SEX` is not among the values of `sex`: '1', '2'",
                "'17' in `AGEP` is in no band of `age`",
                "'1e999' in `EDU` is not a finite number",
                "'true' in `mark` is not a finite number",
            ],
        ),
        (
            long.as_str(),
            &["the id in `id` has 257 characters, of at most 256"],
        ),
        (
            deep.as_str(),
            &["objects and lists are more than 32 deep in `x`"],
        ),
        (
            r#"{"SEX":1,"a":2,"SEX":1}"#,
            &["the member 'SEX' is there twice"],
        ),
        (
            r#"{"groups":{"x":1,"x":2}}"#,
            &["the member 'x' is there twice in `groups`"],
        ),
        (
            r#"{"a":[{"b":{"c":1,"c":2}}]}"#,
            &["the member 'c' is there twice in `b` in `a`"],
        ),
        (
            r#"{"a":"\ud800"}"#,
            &["a text with an escape that is no character in `a`"],
        ),
        (
            r#"{"a":1,}"#,
            &["character 8: the line is not a JSON object: trailing comma"],
        ),
        (
            r#"{"é":1"#,
            &["character 6: the line is not a JSON object: EOF while parsing"],
        ),
        (
            "[1]",
            &["the line is not a JSON object: invalid type: sequence"],
        ),
        (
            "{}{}",
            &["character 3: the line is not a JSON object: trailing characters"],
        ),
        (
            r#"{"specversion":"1.0","data_base64":"e30="}"#,
            &["`data_base64` is not read"],
        ),
        (
            r#"{"specversion":"1.0","Data":{}}"#,
            &["without `data`; did you mean `Data`?"],
        ),
        (
            r#"{"specversion":"1.0","data":"{}"}"#,
            &["is not a JSON object"],
        ),
        (
            r#"{"specversion":"1.0","data":{"specversion":"1.0","data":{}}}"#,
            &["is an envelope again"],
        ),
        (
            r#"{"specversion":"1.0","data":{"a":1,"a":1}}"#,
            &["the member 'a' is there twice in `data`"],
        ),
    ] {
        let said = reading().json(text, 7).expect_err(text);
        for error in errors {
            assert!(said.contains(error), "{text}: {error}\n{said}");
        }
    }
}

#[test]
fn filters_leave_out_whatever_else_is_wrong() {
    assert_eq!(reading().json(r#"{"STATE":"off"}"#, 1), Ok(Read::LeftOut));
    assert!(reading().json(r#"{"STATE":["off"]}"#, 1).is_err());
}

#[test]
fn blank_households_are_told_apart_from_none() {
    let text = r#"{"SEX":1,"AGEP":20,"EDU":1,"mark":1,"street":" ","town":null}"#;
    assert_eq!(candidate(text).household.as_deref(), Some(""));
}

#[test]
fn values_must_be_known_beforehand() {
    let distinct = ReadingSpec {
        attributes: vec![attribute("sex", "SEX", Levels::Distinct)],
        ..ReadingSpec::default()
    };
    let error = Reading::new(distinct).unwrap_err();
    assert!(error.contains("give it `values` or `bands`"), "{error}");
}

#[test]
fn missing_numbers_are_filled_where_that_is_asked_for() {
    let reading = Reading::new(ReadingSpec {
        numeric: vec!["a".into(), "b".into()],
        missing: Some(-1.0),
        ..ReadingSpec::default()
    });
    let Ok(Read::Candidate(read)) = reading.unwrap().json(r#"{"a":"N"}"#, 1) else {
        panic!()
    };
    assert_eq!(read.features, [-1.0, -1.0]);
}

/// Not a test: what a record of ten members costs (`cargo test --release --lib -- --ignored
/// --nocapture what_a_record_costs`).
#[test]
fn numbers_out_of_their_range_are_refused_and_never_filled() {
    let span = Span {
        least: 0.0,
        most: 25.0,
    };
    let refused = |spans: Spans, missing, cell: &str| {
        let spec = ReadingSpec {
            spans,
            missing,
            ..spec()
        };
        let text = ANNA.replace("\"EDU\":3", &format!("\"EDU\":{cell}"));
        Reading::new(spec).unwrap().json(&text, 0).err()
    };
    for missing in [None, Some(0.0)] {
        let declared = || [("EDU".to_owned(), span)].into_iter().collect();
        for cell in ["0", "25", "12.5"] {
            assert_eq!(refused(declared(), missing, cell), None, "{cell}");
        }
        let what = refused(declared(), missing, "26").unwrap();
        assert_eq!(what, "'26' in `EDU` is not in its range, 0 to 25");
        let what = refused(Spans::default(), missing, "1e101").unwrap();
        assert_eq!(what, "'1e101' in `EDU` is beyond 1e100");
    }
}

#[test]
fn what_a_record_costs() {
    // A measurement: of the long form.
    if std::env::var_os("KLERO_LONG").is_none() {
        return;
    }
    let reading = reading();
    let text = r#"{"id":"2019HU0000123","SEX":2,"AGEP":41,"EDU":3,"mark":1.5,"street":"High Street 17","town":"Xanten","PINCP":23000,"RAC1P":1,"COW":"3"}"#;
    for _ in 0..5 {
        let start = Instant::now();
        for number in 0..500_000 {
            black_box(reading.json(black_box(text), number)).unwrap();
        }
        println!("{:.2} us", start.elapsed().as_secs_f64() * 2.0);
    }
}

/// An unlisted cell names those that are listed, the first twelve of many.
#[test]
fn an_unlisted_cell_is_refused_with_those_that_are() {
    for many in [1, 11, 12, 13] {
        let cells: Vec<String> = (10..10 + many).map(|n| format!("c{n}")).collect();
        let pairs = cells.iter().map(|cell| (cell.clone(), cell.clone()));
        let spec = ReadingSpec {
            attributes: vec![attribute(
                "a",
                "A",
                Levels::values(pairs.collect()).unwrap(),
            )],
            ..ReadingSpec::default()
        };
        let reading = Reading::new(spec).unwrap();
        let error = reading.json(r#"{"id":"x","A":"none"}"#, 1).unwrap_err();
        let listed = &cells[..many.min(12)];
        let listed: Vec<String> = listed.iter().map(|cell| format!("'{cell}'")).collect();
        let more = if many > 12 { ", \u{2026}" } else { "" };
        let end = format!(": {}{more}", listed.join(", "));
        assert!(error.ends_with(&end), "{many}: {error}");
    }
}
