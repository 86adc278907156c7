use super::*;

/// The doubles of some rows, of which a column may be the id.
fn doubles(rows: &[&str], id: Option<usize>) -> Doubles {
    let mut finder = DoubleFinder::default();
    for (row, number) in rows.iter().zip(1..) {
        let mut key = RowKey::default();
        row.split(',').for_each(|cell| key.push(cell));
        let id = id.map(|at| key.of_column(at, row.split(',').nth(at).unwrap()));
        finder.take(number + 1, &key, id);
    }
    finder.finish(&KnownAs {
        id,
        ..KnownAs::default()
    })
}

#[test]
fn rows_that_are_the_same_are_found_with_their_lines() {
    let groups = |groups: &[&[u64]]| groups.iter().map(|lines| lines.to_vec()).collect();
    let same = |lines: &[&[u64]]| Doubles {
        same: groups(lines),
        ..Doubles::default()
    };
    let alike = |lines: &[&[u64]]| Doubles {
        alike: groups(lines),
        ..Doubles::default()
    };
    let none = Doubles::default();
    for (rows, id, due) in [
        (&["Ann,F", "Bea,F", "Ann,F"][..], None, same(&[&[2, 4]])),
        (&["Ann,F", "Bea,F", "F,Ann"], None, none.clone()),
        (
            &["a,x", "b,y", "a,x", "b,y", "a,x"],
            None,
            same(&[&[2, 4, 6], &[3, 5]]),
        ),
        (&["Jörg,Köln", "Jorg,Köln"], None, none.clone()),
        // A column of ids, and one that only numbers the rows, from 0, 1 or 2.
        (
            &["p7,Ann,F", "p3,Bea,F", "p1,Ann,F"],
            Some(0),
            alike(&[&[2, 4]]),
        ),
        (&["1,Ann,F", "2,Bea,F", "3,Ann,F"], None, alike(&[&[2, 4]])),
        (&["Ann,0", "Bea,1", "Ann,2"], None, alike(&[&[2, 4]])),
        (&["Ann,2,F", "Bea,3,M", "Ann,4,F"], None, alike(&[&[2, 4]])),
        // Rows were taken out between, one and more.
        (&["1,Ann", "3,Bea", "4,Ann"], None, alike(&[&[2, 4]])),
        (&["1,Ann", "9,Bea", "10,Ann"], None, alike(&[&[2, 4]])),
        (&["1,Ann", "3,Bea", "9,Ann"], None, none.clone()),
        (&["4,Ann", "2,Bea", "3,Ann"], None, none.clone()),
        // Case and blanks make no other.
        (&["Ann,F", "Bea,F", "ann , f"], None, same(&[&[2, 4]])),
        // Probabilities, ages and scores measure people; a telephone number names one.
        (
            &["p7,0.76,F", "p3,0.51,F", "p1,0.76,F"],
            Some(0),
            none.clone(),
        ),
        (&["p7,.760,", "p3,.512,", "p1,.760,"], Some(0), none.clone()),
        (
            &["p7,34;F", "p3,51;F", "p1,34;F"],
            Some(0),
            alike(&[&[2, 4]]),
        ),
        (
            &["p7,015112345,F", "p3,015154321,F", "p1,015112345,F"],
            Some(0),
            alike(&[&[2, 4]]),
        ),
        // Of people of whom little is known most are like another.
        (
            &["p1,F", "p2,M", "p3,F", "p4,M", "p5,F"],
            Some(0),
            none.clone(),
        ),
        (&["1,F", "2,M", "3,F", "4,M", "5,F"], None, none.clone()),
        (
            &[
                "1,F,x,p", "2,M,y,p", "3,F,y,q", "4,M,x,p", "5,F,x,p", "6,M,y,q", "7,M,x,q",
            ],
            None,
            none,
        ),
    ] {
        assert_eq!(doubles(rows, id), due, "{rows:?}");
    }
}

#[test]
fn many_are_counted_and_few_are_named() {
    let rows: Vec<String> = (0..100).map(|n| format!("{}", n % 50)).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let said = doubles(&rows, None).sentences("people.csv").join("\n");
    assert!(
        said.starts_with("people.csv: lines 2 and 52; 3 and 53; "),
        "{said}"
    );
    assert!(
        said.contains("21 and 71 (and 30 more) are the same"),
        "{said}"
    );
    assert!(said.contains("count as 100 people"), "{said}");
    let mut finder = DoubleFinder::default();
    for (first, again) in [(3, 7), (4, 9), (3, 11)] {
        finder.once(first, again, false);
    }
    let said = finder.finish(&KnownAs::default()).sentences("a.csv");
    let due = "a.csv: lines 3, 7 and 11; 4 and 9 are the same in every column, the id too: rows \
               of one id count once";
    assert_eq!(said, [due]);
}

#[test]
fn the_columns_in_which_rows_differ_are_known() {
    let key = |row: &str| {
        let mut key = RowKey::default();
        row.split(',').for_each(|cell| key.push(cell));
        key
    };
    assert_eq!(key("a,b,c").differing(&key("a,x,")), [1, 2]);
    assert_eq!(key("a,b").differing(&key("a,b")), [0; 0]);
}
