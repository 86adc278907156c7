//! Good files: what is read is what is there.

use super::*;

#[test]
fn quotes_blanks_carriage_returns_and_a_byte_order_mark_read_as_the_plain_file() {
    let plain = "id,sex,note\na,1,x\nb,2,y\nc,1,z\n";
    let others = [
        "\u{feff}id,sex,note\na,1,x\nb,2,y\nc,1,z",
        "id,sex,note\r\na,1,x\r\nb,2,y\r\nc,1,z\r\n",
        " id ,\"sex\" ,note\na, 1,x\n\"b\" ,\"2\" ,y\nc,1, z",
        "\n\n id,sex,note\n\n a,1,x\n   \nb,2,y\n\t\nc,1,z\n\n\n",
        "\"id\",\"sex\",\"note\"\r\n\"a\",\"1\",\"x\"\r\n\"b\",\"2\",\"y\"\r\n\r\n\"c\",\"1\",\"z\"",
    ];
    let load = |text: &str| {
        let file = made(text);
        let sex = ("sex", "sex", listed(&[("1", "m"), ("2", "f")]));
        let mut spec = spec(
            &file.path,
            csv(),
            vec![sex, ("note", "note", Levels::Distinct)],
        );
        let unasked = PeopleTable::load(&spec).unwrap();
        assert_eq!(unasked.id(2), "c");
        spec.id = Some("id".into());
        let table = PeopleTable::load(&spec).unwrap();
        (0..3)
            .map(|row| format!("{} {:?}", table.id(row), table.values(row)))
            .collect::<Vec<_>>()
    };
    assert_eq!(load(plain), ["a [0, 0]", "b [1, 1]", "c [0, 2]"]);
    for other in others {
        assert_eq!(load(other), load(plain), "{other:?}");
    }
}

#[test]
fn lines_are_those_of_the_file_though_cells_run_over_several() {
    for end in ["\n", "\r\n"] {
        let text = [
            "a,b",
            "1,x",
            "",
            "2,\"one",
            "two\"",
            "3,y",
            "  ",
            "4,\"a \"\"q\"\", b\"",
            "5,z",
        ]
        .join(end);
        let file = made(text);
        let table = PeopleTable::load(&spec(&file.path, csv(), vec![("a", "a", Levels::Distinct)]))
            .unwrap();
        assert_eq!(
            told(&table),
            ["1 @2 1", "2 @4 2", "3 @6 3", "4 @8 4", "5 @9 5"]
        );
        let table = PeopleTable::load(&spec(&file.path, csv(), vec![("b", "b", Levels::Distinct)]))
            .unwrap();
        assert!(table.attributes()[0].1.contains(&"a \"q\", b".to_owned()));
    }
}

#[test]
fn a_delimiter_and_names_with_and_without_a_header() {
    let names = || Some(vec!["a".to_owned(), "b".into()]);
    for (text, columns, delimiter, first) in [
        ("1\tx\n2\ty\n", names(), b'\t', "1 @1 x"),
        ("a;b\n1;x\n2;y\n", None, b';', "1 @2 x"),
        ("a b\n1 x\n2 y\n", None, b' ', "1 @2 x"),
        ("a,b\n\"1\",x\n2,y\n", None, b',', "1 @2 x"),
    ] {
        let file = made(text);
        let codec = (How::separated(Some(delimiter)), columns);
        let table = PeopleTable::load(&spec(&file.path, codec, vec![("b", "b", Levels::Distinct)]))
            .unwrap();
        assert_eq!(
            (told(&table)[0].as_str(), table.len()),
            (first, 2),
            "{text}"
        );
    }
}

#[test]
fn a_file_of_one_column_may_have_empty_cells() {
    let file = made("a\n\"\"\n\nx\n");
    let any = listed(&[("", "none"), ("x", "some")]);
    let table = PeopleTable::load(&spec(&file.path, csv(), vec![("a", "a", any)])).unwrap();
    assert_eq!(told(&table), ["1 @2 none", "2 @4 some"]);
}

#[test]
fn filters_come_before_all_else_and_each_counts_what_it_removes() {
    let file = made("age,sex\n17,1\nN,1\n18,7\n30,1\n40,2\n");
    let mut spec = spec(
        &file.path,
        csv(),
        vec![("sex", "sex", listed(&[("1", "m"), ("2", "f")]))],
    );
    spec.filters = filters(&["age >= 18 and age < 99", "sex in [1, 2]"]);
    let table = PeopleTable::load(&spec).unwrap();
    assert_eq!(told(&table), ["4 @5 m", "5 @6 f"]);
    assert_eq!((table.rows_read, &table.removed[..]), (5, &[2, 1][..]));
}

#[test]
fn shares_and_joint_are_those_counted_by_hand() {
    let file = made("a,b,w\nx,1,1\ny,2,2\nx,2,3\nx,1,4\nz,3,0\n");
    let ab = vec![
        ("a", "a", Levels::Distinct),
        (
            "b",
            "b",
            listed(&[("3", "q"), ("2", "q"), ("1", "p"), ("9", "no")]),
        ),
    ];
    let mut spec = spec(&file.path, csv(), ab);
    let unweighted = PeopleTable::load(&spec).unwrap();
    assert_eq!(unweighted.shares(true), unweighted.shares(false));
    spec.weight = Some("w".into());
    let table = PeopleTable::load(&spec).unwrap();
    assert_eq!(table.weights(), Some(&[1.0, 2.0, 3.0, 4.0, 0.0][..]));
    assert_eq!(table.attributes()[1].1, ["q", "p", "no"]);
    assert_eq!(
        table.shares(false),
        [vec![0.6, 0.2, 0.2], vec![0.6, 0.4, 0.0]]
    );
    assert_eq!(
        table.shares(true),
        [vec![0.8, 0.2, 0.0], vec![0.5, 0.5, 0.0]]
    );
    // Cell = 3 a + b: x q = 0, x p = 1, y q = 3, z q = 6.
    assert_eq!(
        (0..5).map(|row| table.cell(row)).collect::<Vec<_>>(),
        [1, 3, 0, 1, 6]
    );
    assert_eq!(table.joint(false), [(0, 0.2), (1, 0.4), (3, 0.2), (6, 0.2)]);
    assert_eq!(table.joint(true), [(0, 0.3), (1, 0.5), (3, 0.2), (6, 0.0)]);
}

#[test]
fn candidate_records_and_flat_objects_read_alike() {
    let file = made(concat!(
        "\u{feff}{\"id\":\"p1\",\"at\":3,\"groups\":{\"sex\":\"f\",\"w\":\"no\"},\"features\":{\"age\":41,\"w\":9,\"sex\":0},\"w\":2.50}\n",
        "\n",
        "{\"id\":7,\"sex\":\"m\",\"age\":1.8e1,\"groups\":3,\"w\":1,\"extra\":[{\"sex\":\"f\"}]}\r\n",
        "{\"id\":true,\"sex\":null,\"groups\":{\"sex\":\"caf\\u00e9\"},\"features\":{\"age\":17},\"w\":1}"
    ));
    let age = banded(&[
        ("young", f64::NEG_INFINITY, 18.0),
        ("old", 18.0, f64::INFINITY),
    ]);
    let attributes = vec![("sex", "sex", Levels::Distinct), ("age", "age", age)];
    let mut spec = spec(&file.path, json(), attributes);
    spec.weight = Some("w".into());
    assert_eq!(PeopleTable::load(&spec).unwrap().id(1), "7");
    spec.id = Some("id".into());
    let table = PeopleTable::load(&spec).unwrap();
    assert_eq!(
        told(&table),
        ["p1 @1 f old", "7 @3 m old", "true @4 café young"]
    );
    assert_eq!(table.weights(), Some(&[2.5, 1.0, 1.0][..]));
}

#[test]
fn an_id_names_people_unless_one_of_those_kept_has_none_of_their_own() {
    for (text, ids, why) in [
        ("id,x\na,1\nb,2\n", ["a", "b"], None),
        ("id,x\na,1\na,0\n,0\nb,2\n", ["a", "b"], None),
        ("ID,x\na,1\nb,2\n", ["a", "b"], None),
        ("idd,x\na,1\nb,2\n", ["1", "2"], None),
        ("id,x\n,1\n,2\n", ["1", "2"], None),
        ("id,x\na,1\n,2\n", ["1", "2"], Some("line 3 has no `id`")),
        ("id,x\n,1\na,2\n", ["1", "2"], Some("line 2 has no `id`")),
        (
            "id,x\na,1\na,2\n",
            ["1", "2"],
            Some("lines 2 and 3 have one `id`"),
        ),
    ] {
        let file = made(text);
        let mut spec = spec(&file.path, csv(), vec![]);
        spec.filters = filters(&["x > 0"]);
        let table = PeopleTable::load(&spec).unwrap();
        assert_eq!([table.id(0), table.id(1)], ids, "{text}");
        assert_eq!(table.unnamed.as_deref(), why, "{text}");
    }
}

/// Rows that are there twice: those of one id and the same cells count once.
#[test]
fn doubles_are_found_as_rows_are_read() {
    let once = |lines: &[u64]| Doubles {
        once: vec![lines.to_vec()],
        ..Doubles::default()
    };
    let same = |lines: &[u64]| Doubles {
        same: vec![lines.to_vec()],
        ..Doubles::default()
    };
    let alike = |lines: &[u64]| Doubles {
        alike: vec![lines.to_vec()],
        ..Doubles::default()
    };
    for (text, layout, id, people, due) in [
        (
            "id,x,y\na,1,p\nb,2,q\na,1,p\n",
            csv(),
            Some("id"),
            "a b",
            once(&[2, 4]),
        ),
        (
            "id,x,y\na,1,p\nb,2,q\n a ,\"1\",p\n",
            csv(),
            Some("id"),
            "a b",
            once(&[2, 4]),
        ),
        (
            "id,x,y\na,1,Que\u{301}\nb,2,q\na,1,Qué\n",
            csv(),
            None,
            "a b",
            once(&[2, 4]),
        ),
        // Filtered rows are no one's.
        (
            "id,x,y\na,0,p\na,1,p\nb,2,q\na,0,p\n",
            csv(),
            Some("id"),
            "a b",
            Doubles::default(),
        ),
        (
            "n,x,y\na,1,p\nb,2,q\na,1,p\n",
            csv(),
            None,
            "1 2 3",
            same(&[2, 4]),
        ),
        // Ids that name no one make no one of two people.
        (
            "id,x,y\na,1,p\nb,2,q\na,1,p\na,3,p\n",
            csv(),
            None,
            "1 2 3 4",
            same(&[2, 4]),
        ),
        (
            "id,x,y\na,1,p\n,2,q\na,1,p\n",
            csv(),
            None,
            "1 2 3",
            same(&[2, 4]),
        ),
        (
            "{\"id\":\"a\",\"x\":1}\n{\"x\":1,\"id\":\"A\"}\n{\"id\":\"a\",\"x\":2}\n",
            json(),
            None,
            "1 2 3",
            same(&[1, 2]),
        ),
        (
            "n,x,y\n1,1,p\n2,2,q\n3,1,p\n",
            csv(),
            None,
            "1 2 3",
            alike(&[2, 4]),
        ),
        (
            "id,x,y\nu,1,p\nv,2,q\nw,1,p\n",
            csv(),
            None,
            "u v w",
            alike(&[2, 4]),
        ),
        (
            "{\"id\":\"a\",\"x\":1}\n{\"id\":\"b\",\"x\":1}\n{\"x\":1,\"id\":\"a\"}\n",
            json(),
            None,
            "a b",
            once(&[1, 3]),
        ),
    ] {
        let file = made(text);
        let mut spec = spec(&file.path, layout, vec![]);
        spec.filters = filters(&["x > 0"]);
        spec.id = id.map(str::to_owned);
        let table = PeopleTable::load(&spec).unwrap();
        let ids: Vec<String> = (0..table.len()).map(|row| table.id(row).into()).collect();
        assert_eq!(
            (ids.join(" ").as_str(), &table.doubles),
            (people, &due),
            "{text}"
        );
    }
}

#[test]
fn numbers_of_records_keep_their_letters() {
    let file = made("{\"a\":1.0}\n{\"a\":1}\n{\"a\":1e0}\n{\"a\":12345678901234567890123}\n");
    let table = PeopleTable::load(&spec(
        &file.path,
        json(),
        vec![("a", "a", Levels::Distinct)],
    ))
    .unwrap();
    assert_eq!(
        table.attributes()[0].1,
        ["1", "1.0", "1e0", "12345678901234567890123"]
    );
}

#[test]
fn a_member_that_some_records_lack_is_an_empty_cell_to_a_filter() {
    let file = made("{\"a\":1,\"s\":5}\n{\"a\":2}\n{\"a\":3,\"s\":1}\n");
    for (filter, kept) in [
        ("s > 2", vec!["1"]),
        ("s != ''", vec!["1", "3"]),
        ("s == ''", vec!["2"]),
    ] {
        let mut spec = spec(&file.path, json(), vec![]);
        spec.filters = filters(&[filter]);
        let table = PeopleTable::load(&spec).unwrap();
        assert_eq!(
            (0..table.len())
                .map(|row| table.id(row))
                .collect::<Vec<_>>(),
            kept
        );
        assert_eq!(table.joint(false), [(0, 1.0)]);
    }
}

#[test]
fn the_largest_product_of_values_that_fits() {
    let rows: String = (0..1 << 16)
        .map(|n| format!("{n},{}\n", 65_535 - n))
        .collect();
    let file = made(format!("a,b\n{rows}"));
    let both = vec![("a", "a", Levels::Distinct), ("b", "b", Levels::Distinct)];
    let table = PeopleTable::load(&spec(&file.path, csv(), both)).unwrap();
    assert_eq!(table.cell(0), 65_535);
    assert_eq!(table.cell(65_535), 65_535 * 65_536);
    assert_eq!(table.joint(false).len(), 65_536);
}

#[test]
fn what_people_are_worth_and_what_reviewers_said_of_them() {
    let csv_file = made("g,u,one,two,three\na,.5,1,,3\nb, -1e2 ,,,\na,0,,2,\n");
    let records = made(
        "{\"g\":\"a\",\"u\":0.5,\"one\":1,\"three\":3}\n{\"g\":\"b\",\"features\":{\"u\":-100}}\n{\"g\":\"a\",\"u\":0,\"one\":null,\"two\":\"2\",\"three\":\"\"}\n",
    );
    for (file, codec) in [(&csv_file, csv()), (&records, json())] {
        let mut spec = spec(&file.path, codec, vec![("g", "g", Levels::Distinct)]);
        let plain = PeopleTable::load(&spec).unwrap();
        assert_eq!(plain.numbers.records, Vec::<Vec<f64>>::new());
        assert_eq!(plain.numbers.utilities, [0.0; 0]);
        spec.numbers.utility = Some("u".into());
        spec.numbers.reviews = ["one", "two", "three"].map(String::from).into();
        let table = PeopleTable::load(&spec).unwrap();
        assert_eq!(table.numbers.utilities, [0.5, -100.0, 0.0]);
        assert_eq!(table.numbers.records, [vec![1.0, 3.0], vec![], vec![2.0]]);
        // The order is that of the columns as asked for, and rows left out have no record.
        spec.numbers.reviews.reverse();
        spec.filters = filters(&["g == 'a'"]);
        let table = PeopleTable::load(&spec).unwrap();
        assert_eq!(table.numbers.records, [vec![3.0, 1.0], vec![2.0]]);
    }
}
