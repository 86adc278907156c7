//! Tests of rows that need attention, and of their treatment.

use super::sheet;
use crate::init::{InitFile, Roles, RowFaults};
use kleroterion_io::record::Filter;

/// 40 people with an id, a group, an area and a name, some of whose rows are others.
fn people(rows: &[(usize, &str)]) -> InitFile {
    let mut text = vec!["id|gender|area|E-Mail".to_owned()];
    for at in 0..40 {
        let (gender, area) = (["Female", "Male"][at % 2], ["North", "South"][at / 2 % 2]);
        let row = format!("P{at}|{gender}|{area}|p{at}@example.org");
        let other = rows.iter().find(|(row, _)| *row == at);
        text.push(other.map_or(row, |(_, other)| (*other).to_owned()));
    }
    sheet(&text)
}

/// Returns the findings, the problems and the number of people kept.
fn found(rows: &[(usize, &str)]) -> (String, String, usize) {
    let sheet = people(rows);
    let roles = Roles::guess(&sheet, &[], None).unwrap();
    let faults = RowFaults::find(&sheet, &roles, None);
    let filters = faults
        .filters
        .iter()
        .map(|text| Filter::parse(text).expect(text));
    let kept = sheet.kept(&filters.collect::<Vec<_>>(), &faults.twins);
    let wrong = faults
        .wrong
        .iter()
        .map(|wrong| format!("{}; {}", wrong.what, wrong.help));
    (
        faults.said.join("\n"),
        wrong.collect::<Vec<_>>().join("\n"),
        kept.people,
    )
}

#[test]
fn rows_are_listed_with_their_lines_and_what_becomes_of_them() {
    let alike = "P3|Male|South|p3@example.org";
    for (rows, said, wrong, kept) in [
        (&[][..], "", "", 40),
        (
            &[(7, alike)],
            "lines 5 and 9 are one person, alike in all cells: they count once",
            "",
            39,
        ),
        (
            &[(7, alike), (9, "p3 |male|SOUTH|P3@example.org")],
            "lines 5, 9 and 11 are one person",
            "",
            38,
        ),
        (
            &[(7, "P3|Female|South|x@example.org")],
            "",
            "lines 5 and 9 have the id 'P3' in `id`, and differ in `gender`, `E-Mail`; keep one row a person in the file, or leave all of them out: --where \"id != 'P3'\"",
            40,
        ),
        (
            &[(7, "P7|Male|South|p3@example.org")],
            "lines 5 and 9 are alike in all cells but `id`: one person, of whom the first row is kept",
            "",
            39,
        ),
        (
            &[(7, "P7||South|x@example.org")],
            "line 9 has no `gender`: left out",
            "",
            39,
        ),
        (
            &[
                (7, "P7||South|x@example.org"),
                (8, "P8|Female||y@example.org"),
            ],
            "line 10 has no `area`",
            "",
            38,
        ),
        (
            &[(7, "P7|Femal|South|x@example.org")],
            "line 9 has 'Femal' in `gender`, a slip for 'Female': left out",
            "",
            39,
        ),
        (
            &[
                (7, "P7|femlae|South|x@x.org"),
                (8, "P8|FEMLAE|North|y@x.org"),
            ],
            "lines 9 and 10 have 'femlae' in `gender`",
            "",
            38,
        ),
        (&[(7, "P7|FEMALE|South|x@example.org")], "", "", 40),
        (&[(7, "P7|Divers|South|x@example.org")], "", "", 40),
        (
            &[(7, "|Male|South|x@example.org")],
            "",
            "line 9 has no id in `id`; give each person an id",
            40,
        ),
        (&[(7, "P7|'Fe\"male|South|x@example.org")], "", "", 40),
        (
            &[(39, "Total|40||")],
            "line 41 is a row of sums, and no person: left out",
            "",
            39,
        ),
    ] {
        let (is_said, is_wrong, people) = found(rows);
        let fits = |found: &str, due: &str| {
            if due.is_empty() {
                found.is_empty()
            } else {
                found.contains(due)
            }
        };
        assert!(fits(&is_said, said), "{rows:?}: {is_said}");
        assert!(fits(&is_wrong, wrong), "{rows:?}: {is_wrong}");
        assert_eq!(people, kept, "{rows:?}");
    }
}

#[test]
fn numbers_and_short_words_are_no_slips_of_others() {
    for (often, once) in [
        ("18-34", "18-35"),
        ("Region 1", "Region 2"),
        ("Ost", "Ast"),
        ("Nordost", "Südost"),
        ("man", "woman"),
    ] {
        let mut text = vec!["id|grp|x".to_owned()];
        text.extend((0..40).map(|at| {
            let grp = if at == 7 { once } else { often };
            format!("P{}|{grp}|{}", at * 3, ["a", "b"][at % 2])
        }));
        let sheet = sheet(&text);
        let roles = Roles::guess(&sheet, &[], None).unwrap();
        let faults = RowFaults::find(&sheet, &roles, None);
        assert_eq!(faults, RowFaults::default(), "{often} {once}");
    }
}
