//! Wrong respondents files and every problem that they give, apart from those of the integration
//! tests.

use super::*;

#[test]
fn all_that_is_wrong_is_told_at_once() {
    let text = b"ID,gender,age,name\n1,male,40+,Ren\xe9\n1,male,40+,\xc3\xa9\xc3\xa9\n,,90,x\n 1 ,x,18-29,x\n";
    assert_eq!(
        told(respondents(text, Some("id"), &["address", "name"])),
        ":1: there is no column `address`, wanted by `unique` (help: the columns are ID, gender, age, name)\n\
             :2:4: the field holds bytes that are not UTF-8 (help: save the file as UTF-8 (a spreadsheet calls it CSV UTF-8))\n\
             :4:2: the cell of `gender` is blank (help: the values are female, male; or leave those rows out with where = [\"gender != ''\"])\n\
             :5:2: `gender` has no value 'x' (help: the values are female, male)\n\
             :4:3: `age` has no value '90' (help: the values are 18-39, 40+)\n\
             :5:3: `age` has no value '18-29' (help: did you mean '18-39'? The values are 18-39, 40+)\n\
             :4:1: the id in `id` is empty (help: give each person an id, or leave out `id`: the row's number \
             then names them)\n\
             :5:1: the id '1' in `id` is that of line 3 too; the rows differ in `gender`, `age`, `name` (help: keep one row a person, or choose a column that \
             differs for each person)"
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
    let load = |path: &Path| {
        let spec = RespondentsSpec {
            how: &How::default(),
            filters: &[],
            bands: &[],
            keeps_others: false,
            path,
            categories: &categories,
            id: None,
            unique: &[],
        };
        spec.load()
    };
    assert_eq!(
        told(read("a0,a1,a2,a3\nv1,v2,v3,v4\n", load)),
        ": the attributes have 300 x 300 x 300 x 300 cells, more than 2^32 (help: leave out an attribute of the \
             categories, or join values)"
    );
}
