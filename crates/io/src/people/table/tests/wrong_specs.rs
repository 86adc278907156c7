//! Files that do not give what the spec asks of them.

use std::io::ErrorKind;

use super::*;

#[test]
fn wrong_ids_and_weights() {
    let file = made("id,w\np,1\nq,-1\np,N\n,inf\n,1\np,0\n");
    let mut spec = spec(&file.path, csv(), vec![]);
    spec.id = Some("id".into());
    spec.weight = Some("w".into());
    assert_told(
        &spec,
        &[
            (":3:2: the weight '-1' in `w` is negative", "correct"),
            (":5:2: the weight 'inf'", ""),
            (":4:2: the weight 'N' in `w` is not a finite number", ""),
            (":5:1: the id in `id` is empty", "row's number"),
            (":6:1: the id", ""),
            (
                ":4:1: the id 'p' in `id` is that of line 2 too",
                "one row a person",
            ),
            (":7:1: the id 'p'", "line 2"),
        ],
    );
    spec.filters = filters(&["w == 0"]);
    assert_told(
        &spec,
        &[(": the weights of the rows kept sum to 0", "count heads")],
    );
    spec.id = Some("idd".into());
    spec.weight = Some("weight".into());
    assert_told(
        &spec,
        &[
            (":1: there is no column `idd`, wanted by `id`", "`id`?"),
            (":1: there is no column `weight`", "columns are id, w"),
        ],
    );
}

#[test]
fn a_filter_without_its_column_hides_what_depends_on_it_and_nothing_else() {
    let file = made("a,b\n1,z\n2\n3,x\n");
    let mut spec = spec(&file.path, csv(), ab());
    spec.filters = filters(&["AA != 2 and a < 9", "aa != 1"]);
    assert_told(
        &spec,
        &[
            (":3: the row has 1 field", ""),
            (
                ":1: there is no column `AA`, wanted by the filter `AA != 2 and a < 9`",
                "the columns are a, b",
            ),
            (
                ":1: there is no column `aa`, wanted by the filter `aa != 1`",
                "the columns are a, b",
            ),
        ],
    );
}

#[test]
fn no_row_kept_tells_what_each_filter_removes() {
    let file = made("a,b\n1,x\n2,y\n3,x\n");
    let mut spec = spec(&file.path, csv(), ab());
    spec.filters = filters(&["a > 2", "b == 'y'"]);
    let removes = "`a > 2` removes 2, `b == 'y'` removes 2";
    assert_told(&spec, &[(": no row is kept of 3", removes)]);
}

#[test]
fn wrong_specs() {
    let file = made("a,b\n1,x\n");
    assert_told(
        &spec(&file.path, headless(&["b", "a", "b"]), ab()),
        &[
            (": there is more than one column 'b'", "its own"),
            (":1: the row has 2 fields where `columns` names 3", ""),
            (":2: the row has 2 fields", ""),
        ],
    );
    let twice = vec![("a", "a", Levels::Distinct), ("a", "b", Levels::Distinct)];
    assert_told(
        &spec(&file.path, csv(), twice),
        &[(": there is more than one attribute `a`", "")],
    );
}

#[test]
fn too_many_cells() {
    let rows: String = (0..=1 << 16)
        .map(|n| format!("{},{}\n", n % 65_536, n))
        .collect();
    let file = made(format!("a,b\n{rows}"));
    let by = |c| (c, c, Levels::Distinct);
    assert_told(
        &spec(&file.path, csv(), vec![by("b")]),
        &[(":65538:2: '65536' in `b` would be value 65,537", "fewer")],
    );
    let halves = listed(&[("0", "x"), ("1", "y")]);
    let mut spec = spec(
        &file.path,
        csv(),
        vec![by("a"), ("b", "a", Levels::Distinct), ("c", "a", halves)],
    );
    spec.filters = filters(&["b < 2"]);
    assert_eq!(
        PeopleTable::load(&spec).unwrap().joint(false),
        [(0, 0.5), (7, 0.5)]
    );
    spec.attributes.pop();
    spec.filters.clear();
    spec.attributes.push(AttributeSpec {
        name: "c".into(),
        column: "a".into(),
        levels: banded(&[("x", 0.0, 9.0), ("y", 9.0, 1e9)]),
    });
    assert_told(
        &spec,
        &[(
            ": the attributes have 65536 x 65536 x 2 cells, more than 2^32",
            "leave out",
        )],
    );
}

#[test]
fn a_file_that_cannot_be_opened_says_why_to_the_caller() {
    let file = made("a\n1\n");
    let folder = file.path.parent().unwrap();
    let absent = folder.join("absent.csv");
    for (path, kind, what) in [
        (
            absent.as_path(),
            ErrorKind::NotFound,
            "the file cannot be found",
        ),
        (
            folder,
            ErrorKind::IsADirectory,
            "this is a folder and not a file",
        ),
    ] {
        let error = PeopleTable::load(&spec(path, csv(), vec![])).unwrap_err();
        assert_eq!(error.unopened, Some(kind));
        assert_eq!(error.problems.0.len(), 1);
        assert_eq!(error.problems.0[0].what, what);
        assert!(
            error
                .to_string()
                .starts_with(&format!("{}: ", path.display()))
        );
    }
    let wrong = PeopleTable::load(&spec(&file.path, csv(), ab())).unwrap_err();
    assert_eq!(wrong.unopened, None);
}

#[test]
fn worths_and_scores_that_are_no_numbers() {
    let file = made("g,u,one\na,,good\na,1e101,1\na,1,-1e200\na,2,\nx,y,z\n");
    let mut spec = spec(&file.path, csv(), vec![("g", "g", Levels::Distinct)]);
    spec.filters = filters(&["g == 'a'"]);
    spec.numbers.utility = Some("u".into());
    spec.numbers.reviews = vec!["one".into(), "none".into()];
    assert_told(
        &spec,
        &[
            (":2:2: the cell in `u` is empty", "u != ''"),
            (":3:2: '1e101' in `u` is beyond 1e100", "u != '1e101'"),
            (":2:3: 'good' in `one` is not a finite number", "blank"),
            (":4:3: '-1e200' in `one` is beyond 1e100", "blank"),
            (":1: there is no column `none`, wanted by `reviews`", "one"),
        ],
    );
    spec.numbers.reviews.clear();
    spec.numbers.utility = Some("w".into());
    assert_told(
        &spec,
        &[(":1: there is no column `w`, wanted by `utility`", "")],
    );
}
