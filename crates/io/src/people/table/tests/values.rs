//! One value, one column, one number, however a file spells them.

use super::*;

/// The values of the one attribute, and of each row which it has.
fn coded(table: &PeopleTable) -> (Vec<String>, Vec<u16>) {
    let values = (0..table.len()).map(|row| table.values(row)[0]);
    (table.attributes()[0].1.clone(), values.collect())
}

#[test]
fn case_blanks_and_unicode_form_make_no_group() {
    let text = "g\nFemale\nfemale\nFEMALE\nMale\nfemale \nmale\n";
    let nfd = "Region\nQue\u{301}bec\nQuébec\nONTARIO\nQuébec\u{a0}\nOnta\u{200b}rio\nQUÉBEC\n";
    for (text, levels, names, values) in [
        (
            text,
            Levels::Distinct,
            &["Male", "female"][..],
            [1, 1, 1, 0, 1, 0],
        ),
        (
            text,
            Levels::Spelt,
            &["FEMALE", "Female", "Male", "female", "male"],
            [1, 3, 0, 2, 3, 4],
        ),
        (
            nfd,
            Levels::Distinct,
            &["ONTARIO", "Québec"],
            [1, 1, 0, 1, 0, 1],
        ),
        (
            text,
            listed(&[("female", "women"), ("MALE", "men")]),
            &["women", "men"],
            [0, 0, 0, 1, 0, 1],
        ),
    ] {
        let file = made(text);
        let column = text.lines().next().unwrap();
        let table =
            PeopleTable::load(&spec(&file.path, csv(), vec![("g", column, levels)])).unwrap();
        assert_eq!(
            coded(&table),
            (
                names.iter().map(|n| (*n).to_owned()).collect(),
                values.to_vec()
            )
        );
    }
}

#[test]
fn columns_are_found_as_people_spell_them() {
    for (header, column) in [
        ("Gender,x", "gender"),
        ("gender ,x", "Gender"),
        ("HOURS  PER week,x", "hours per week"),
        ("Qualite\u{301},x", "qualité"),
        ("\u{feff}Gender,x", "gender"),
        // The spelling itself comes first.
        ("gender,GENDER", "gender"),
    ] {
        let file = made(format!("{header}\na,b\nb,a\n"));
        let spec = spec(&file.path, csv(), vec![("g", column, Levels::Distinct)]);
        let table = PeopleTable::load(&spec).unwrap_or_else(|e| panic!("{header}: {e}"));
        assert_eq!(coded(&table).1, [0, 1], "{header}");
    }
    let file = made("Gender,GENDER\na,b\n");
    assert_told(
        &spec(&file.path, csv(), vec![("g", "gender", Levels::Distinct)]),
        &[(
            ":1:2: 'Gender' and 'GENDER' are both `gender`, wanted by the attribute `g`",
            "spelt",
        )],
    );
    let file = made("{\"Gender\":\"a\"}\n{\"gender\":\"b\"}\n{\"GENDER\":\"A\"}\n");
    let table = PeopleTable::load(&spec(
        &file.path,
        json(),
        vec![("g", "gender", Levels::Distinct)],
    ));
    assert_eq!(coded(&table.unwrap()).1, [0, 1, 0]);
    let file = made("{\"gender\":\"a\"}\n{\"Gender\":\"a\",\"GENDER\":\"b\"}\n");
    assert_told(
        &spec(&file.path, json(), vec![("g", "gender", Levels::Distinct)]),
        &[(
            ":2: the members 'Gender' and 'GENDER' are one name",
            "spell one of them",
        )],
    );
}

/// The scores of a file, and the attribute in bands.
fn scored(path: &Path, mark: u8) -> TableSpec {
    let bands = vec![
        ("low".into(), f64::NEG_INFINITY, 1.0),
        ("high".into(), 1.0, f64::INFINITY),
    ];
    let bands = Levels::bands(bands).unwrap();
    let mut spec = spec(
        path,
        (How::separated(Some(mark)), None),
        vec![("b", "score", bands)],
    );
    spec.numbers.score = Some("score".into());
    spec
}

#[test]
fn decimal_commas_are_numbers() {
    for (text, mark, due) in [
        ("score\n0,808\n-1,5\n1\n", b';', [0.808, -1.5, 1.0]),
        ("score\n1,523\n2,50\n1.234,5\n", b';', [1.523, 2.5, 1234.5]),
        ("score\n\"0,808\"\n\"12,5\"\n7\n", b',', [0.808, 12.5, 7.0]),
        (
            "score\n0.5\n\"1,234.5\"\n\"1,234,567\"\n",
            b',',
            [0.5, 1234.5, 1_234_567.0],
        ),
        ("score\n1.5\n2\n1e3\n", b';', [1.5, 2.0, 1000.0]),
    ] {
        let file = made(text);
        let table =
            PeopleTable::load(&scored(&file.path, mark)).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(table.numbers.scores, due, "{text}");
        let high = due.map(|score| u16::from(score >= 1.0));
        assert_eq!(coded(&table).1, high, "{text}");
    }
}

#[test]
fn numbers_that_may_be_either_are_refused_with_their_line() {
    let file = made("score\n0,808\n1.234\n2,5\n");
    assert_told(
        &scored(&file.path, b';'),
        &[(
            ":3:1: `score` has decimal points ('1.234' on line 3) and decimal commas ('0,808' on line 2)",
            "one of them",
        )],
    );
    let file = made("score\n0.5\n\"1,234\"\n");
    let told = problems(&scored(&file.path, b','));
    let said = told
        .iter()
        .filter(|t| t.contains(":3:1: '1,234' in `score` may be '1.234' or '1234'"));
    assert_eq!(said.count(), 1, "{told:?}");
    // No remedy makes all scores 0.
    let file = made("x\n0,5 kg\nNA\n\n");
    let mut spec = spec(&file.path, (How::separated(Some(b';')), None), vec![]);
    spec.numbers.numeric = vec!["x".into()];
    let told = problems(&spec);
    assert!(
        told[0].contains("'0,5 kg' in `x` is not a finite number"),
        "{told:?}"
    );
    assert!(
        !told[0].contains("missing = 0") && told[1].contains("missing = 0"),
        "{told:?}"
    );
}

#[test]
fn filters_compare_numbers_with_decimal_commas() {
    let text = "age;x\n17,5;a\n18,5;b\n18;c\nNA;d\n";
    for (filter, kept) in [
        ("age >= 18", &["b", "c"][..]),
        ("age < 18.2", &["a", "c"]),
        ("age == 18.5", &["b"]),
        ("age != 17.5", &["b", "c", "d"]),
        ("age == '17,5'", &["a"]),
    ] {
        let file = made(text);
        let mut spec = spec(&file.path, (How::separated(Some(b';')), None), vec![]);
        spec.filters = vec![Filter::parse(filter).unwrap()];
        spec.id = Some("X".into());
        let table = PeopleTable::load(&spec).unwrap_or_else(|e| panic!("{filter}: {e}"));
        let ids: Vec<_> = (0..table.len())
            .map(|row| table.id(row).into_owned())
            .collect();
        assert_eq!(ids, kept, "{filter}");
    }
    // The numbers of JSON and of filters themselves have points alone.
    assert!(Filter::parse("age >= 17,5").is_err());
    let file = made("{\"age\":\"17,5\"}\n{\"age\":18}\n");
    let mut spec = spec(&file.path, json(), vec![]);
    spec.filters = vec![Filter::parse("age > 0").unwrap()];
    assert_eq!(PeopleTable::load(&spec).unwrap().removed, [1]);
}

#[test]
fn outcomes_beyond_their_range_are_told_with_their_line() {
    let file = made("y\n1\n\n5\n-0.5\n0\n");
    let mut spec = spec(&file.path, csv(), vec![]);
    spec.numbers.outcome = Some("y".into());
    assert!(PeopleTable::load(&spec).is_ok());
    let range = crate::record::Span {
        least: 0.0,
        most: 1.0,
    };
    spec.numbers.spans.declare("y", range);
    assert_told(
        &spec,
        &[
            (
                ":4:1: '5' in `y` is not in its range, 0 to 1",
                "widen `range` in [feedback.outcome]",
            ),
            (":5:1: '-0.5' in `y` is not in its range, 0 to 1", "where"),
        ],
    );
}
