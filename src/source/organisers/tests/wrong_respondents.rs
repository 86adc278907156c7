//! Wrong respondents files and all that is told of them.

use super::*;

/// Text, the id's column, and what is told.
type Case<'a> = (&'a str, Option<&'a str>, &'a str);

fn assert_told(cases: &[Case]) {
    let mut wrong = String::new();
    for (text, id, due) in cases {
        let told = told(respondents(text, *id, &[]));
        if told != *due {
            wrong += &format!("{text:?}\n{told}\n\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn columns() {
    assert_told(&[
        (
            "",
            None,
            ": the file is empty (help: it needs a header and a row for each person)",
        ),
        (
            "gender,age\n",
            None,
            ": the file has no row of data (help: it needs a header and a row for each person)",
        ),
        (
            "gendre,years\nmale,40+\n",
            Some("id"),
            ":1: there is no column `gender`, wanted by the attribute `gender` (help: did you mean `gendre`? The columns are \
             gendre, years)\n\
             :1: there is no column `age`, wanted by the attribute `age` (help: the columns are gendre, years)\n\
             :1: there is no column `id`, wanted by `id` (help: the columns are gendre, years)",
        ),
        (
            "gender,age,Gender\nmale,40+,male\n",
            None,
            ":1:3: there is more than one column `gender`, wanted by the attribute `gender` (help: keep one of them, or rename \
             the others)",
        ),
        (
            "id,gender,age,ID\n1,male,40+,2\n",
            Some("id"),
            ":1:4: there is more than one column `id`, wanted by `id` (help: keep one of them, or rename the others)",
        ),
        (
            "gender;age\nmale;40+\n",
            None,
            ":1: there is no column `gender`, wanted by the attribute `gender` (help: the fields seem to be separated by \
             another mark: save the file with commas)\n\
             :1: there is no column `age`, wanted by the attribute `age` (help: the fields seem to be separated \
             by another mark: save the file with commas)",
        ),
    ]);
    let told = told(respondents(
        "gender,age,adress\nmale,40+,x\n",
        None,
        &["address", "postcode"],
    ));
    assert_eq!(
        told,
        ":1: there is no column `address`, wanted by `unique` (help: did you mean `adress`? The columns are gender, age, \
             adress)\n\
             :1: there is no column `postcode`, wanted by `unique` (help: the columns are gender, age, adress)"
    );
}

#[test]
fn cells() {
    assert_told(&[
        (
            "gender,age\nmale,\n,40+\n ,18-39\n",
            None,
            ":2:2: the cell of `age` is blank (help: the values are 18-39, 40+)\n\
             :3:1: the cell of `gender` is blank (help: the values are female, male)\n\
             :4:1: the cell of `gender` is blank (help: the values are female, male)",
        ),
        (
            "gender,age\nmal,40+\nmale,18-29\nx,y\n",
            None,
            ":2:1: `gender` has no value 'mal' (help: did you mean 'male'? The values are female, male)\n\
             :4:1: `gender` has no value 'x' (help: the values are female, male)\n\
             :3:2: `age` has no value '18-29' (help: did you mean '18-39'? The values are 18-39, 40+)\n\
             :4:2: `age` has no value 'y' (help: the values are 18-39, 40+)",
        ),
        (
            "gender,age\nmale,40+,\nmale\n",
            None,
            ":2: the row has 3 fields where the header has 2 (help: mend the row; a field that holds the delimiter must stand \
             in quotes, with no blank before them)\n\
             :3: the row has 1 field where the header has 2 (help: mend the row, or say which `delimiter` the \
             file has)",
        ),
        (
            "gender,age\nmale,\"40+\nmale,18-39\n",
            None,
            ":2:2: the quoted field that begins here never ends (help: close the quote; perhaps the file was cut off)",
        ),
        (
            "id,gender,age\n1,male,40+\n,male,40+\n1,male,40+\n 1 ,x,40+\n",
            Some("ID"),
            ":5:2: `gender` has no value 'x' (help: the values are female, male)\n\
             :3:1: the id in `ID` is empty (help: give each person an id, or leave out `id`: the row's number \
             then names them)\n\
             :4:1: the id '1' in `ID` is that of line 2 too (help: keep one row a person, or choose a column that \
             tells people apart)\n\
             :5:1: the id '1' in `ID` is that of line 2 too (help: keep one row a person, or choose a column that \
             tells people apart)",
        ),
    ]);
    let told = told(respondents(
        b"gender,age,name\nmale,40+,Ren\xe9\nx,40+,Rene\n",
        None,
        &[],
    ));
    assert_eq!(
        told,
        ":2:3: the field holds bytes that are not UTF-8: 'Ren\u{fffd}' (help: save the file as UTF-8)\n\
             :3:1: `gender` has no value 'x' (help: the values are female, male)"
    );
}

#[test]
fn many_wrong_cells_are_counted_by_value() {
    let mut text = String::from("gender,age\n");
    for row in 0..25 {
        text += if row % 5 == 0 {
            "diverse,40+\n"
        } else {
            "male,90\n"
        };
    }
    let told = told(respondents(&text, None, &[]));
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines.len(), 5 + 20);
    assert_eq!(
        lines[4],
        ":22:1: `gender` has no value 'diverse' (help: the values are female, male)"
    );
    assert_eq!(
        lines[24],
        ":26:2: `age` has no value '90' (help: the values are 18-39, 40+)"
    );
}

#[test]
fn combinations_beyond_32_bits() {
    let mut text = String::from("feature,value,min,max\n");
    for attribute in 0..4 {
        for value in 0..300 {
            text += &format!("a{attribute},v{value},0,9\n");
        }
    }
    let categories = categories(text, None).expect("a categories file");
    let spec = RespondentsSpec {
        path: &made("a0,a1,a2,a3\nv1,v2,v3,v4\n").path,
        categories: &categories,
        id: None,
        unique: &[],
    };
    assert_eq!(
        told(spec.load()),
        ": the attributes have 300 x 300 x 300 x 300 cells, more than 2^32 (help: leave out an attribute of the \
             categories, or join values)"
    );
}
