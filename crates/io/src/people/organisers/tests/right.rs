//! Tests of correct files.

use super::*;
use kleroterion_core::protocol::{Quota, Side};
use kleroterion_sortition::feasibility::{Bound, Feasibility, NODES, Supply, feasibility};

/// Each attribute as `name: value min-max, …`.
fn shown(categories: &Categories) -> Vec<String> {
    let of = |category: &crate::people::organisers::Category| {
        let values = category.values.iter();
        let values: Vec<_> = values
            .map(|v| format!("{} {}-{}", v.name, v.quota.min, v.quota.max))
            .collect();
        format!("{}: {}", category.name, values.join(", "))
    };
    categories.attributes().iter().map(of).collect()
}

const DUE: [&str; 2] = [
    "Gender: Female 14-16, Male 14-16, Other 0-0",
    "Age: 18-39 10-12, 40+ 17-20",
];

#[test]
fn all_dialects_say_the_same() {
    for text in [
        "feature,value,min,max\nGender,Female,14,16\nGender,Male,14,16\nGender,Other,0,0\nAge,18-39,10,12\n\
         Age,40+,17,20\n",
        "feature,value,min,max,min_flex,max_flex\nGender,Female,14,16,12,18\nGender,Male,14,16,14,16\n\
         Gender,Other,0,0,0,\nAge,18-39,10,12,,\nAge,40+,17,20,0,30\n",
        "\u{feff}category,name,min,max\r\nGender,Female,14,16\r\nGender,Male,14,16\r\nGender,Other,0,0\r\n\
         Age,18-39,10,12\r\nAge,40+,17,20\r\n",
        "category,feature,min,max\nGender,Female,14,16\nGender,Male,14,16\nGender,Other,0,0\nAge,18-39,10,12\n\
         Age,40+,17,20",
        // Columns in any order, others among them (two without a name), blanks, capitals, rows
        // without a feature, attributes whose rows do not stand together.
        "note,MAX , Min,,\"FEATURE\",Value,\n,16,14,,Gender,Female,x\n,12,10,,Age,18-39,\n,x,y,,,total,\n\
         ,16,14,x, gender , Male,\n,0,0,,GENDER,Other,\n\n,,,,,,\n,20,17,,age,\"40+\",\n",
    ] {
        for members in [None, Some(30)] {
            let read = categories(text, members);
            let read = read.unwrap_or_else(|e| panic!("{text}\n{e}"));
            assert_eq!(shown(&read), DUE, "{text}");
        }
    }
}

#[test]
fn where_a_header_fits_two_dialects_the_first_is_taken() {
    let text = "category,feature,value,min,max\nx,Gender,Female,1,2\nx,Gender,Male,1,2\n";
    let read = categories(text, None).expect("a categories file");
    assert_eq!(shown(&read), ["Gender: Female 1-2, Male 1-2"]);
}

#[test]
fn targets_are_shares_of_midpoints() {
    let text = "feature,value,min,max\ng,a,14,16\ng,b,14,16\ng,c,0,0\nh,x,10,11\nh,y,17,22\n";
    let read = categories(text, Some(30)).expect("a categories file");
    assert_eq!(
        read.targets(),
        [vec![0.5, 0.5, 0.0], vec![10.5 / 30.0, 19.5 / 30.0]]
    );
    assert_eq!(read.quotas()[1][0], Quota { min: 10, max: 11 });
    let x = read.value("h", "x").expect("a value");
    let place = |side| read.place(x, side).to_string();
    assert!(place(Side::Min).ends_with("file.csv:5:3: ") && place(Side::Max).ends_with(":5:4: "));
    assert_eq!(read.value("h", "a"), None);
}

#[test]
fn an_attribute_of_one_value_is_no_error() {
    let text = "feature,value,min,max\ntown,here,4,4\ng,a,2,2\ng,b,2,2\n";
    assert_eq!(told(categories(text, Some(4))), "");
}

#[test]
fn respondents_are_matched_trimmed_and_case_insensitively() {
    let text = "\u{feff}Nationbuilder_ID, AGE ,name,name,Gender,address,Postcode\r\n\
                17, 18-39 ,a,b,FEMALE,1 High St,AB1\r\n\
                x1,40+,,,male, 1 high st ,ab1 \r\n\
                \r\n\
                003,\"40+\",\"x\ny\",,Male,2 High St,AB1\r\n\
                4,18-39,,,female,,\r\n\
                5,18-39,,,female,,\r\n";
    let read = respondents(text, Some("nationbuilder_id"), &["address", "postcode"]);
    let table = read.expect("a respondents file");
    let rows = (0..table.len()).map(|row| {
        let [g, a] = table.values(row) else { panic!() };
        format!(
            "{} @{} {g}{a} cell {}",
            table.id(row),
            table.line(row),
            table.cell(row)
        )
    });
    assert_eq!(
        rows.collect::<Vec<_>>(),
        [
            "17 @2 00 cell 0",
            "x1 @3 11 cell 3",
            "003 @5 11 cell 3",
            "4 @7 00 cell 0",
            "5 @8 00 cell 0"
        ]
    );
    assert_eq!(
        table.attributes()[0],
        ("gender".into(), vec!["female".into(), "male".into()])
    );
    assert_eq!(table.households(), Some(&[0, 0, 1, 2, 3][..]));
    assert_eq!(table.household_counts(), Some((4, 2)));
    assert_eq!(table.shares(false), [vec![0.6, 0.4], vec![0.6, 0.4]]);
}

#[test]
fn without_an_id_the_rows_number_names_people() {
    let read = respondents("gender,age\nmale,40+\n\nfemale,40+\n", None, &[]).expect("respondents");
    assert_eq!((read.id(1).as_ref(), read.line(1)), ("2", 4));
    assert_eq!(read.households(), None);
}

#[test]
fn from_two_files_to_a_verdict() {
    let text =
        "gender,age,home\nfemale,40+,1\nfemale,40+,1\nfemale,18-39,2\nmale,40+,2\nmale,40+,3\n";
    let table = respondents(text, None, &["home"]).expect("respondents");
    let verdict = |households: Option<&[u32]>, members| {
        let values = (0..table.len()).map(|row| table.values(row));
        let supply = Supply::people(values, households);
        let categories = two();
        let found = feasibility(&categories.quotas(), members, &supply, NODES);
        let label = |bound: &Bound| {
            let category = &categories.attributes()[bound.attribute];
            format!("{} {}", category.name, category.values[bound.value].name)
        };
        found
            .problem(members, label)
            .map(|problem| problem.to_string())
    };
    assert_eq!(verdict(None, 4), None);
    let told = verdict(table.households(), 4);
    assert_eq!(
        told.as_deref(),
        Some(
            "there are people for a committee of 3 only, not 4 (help: make the committee smaller)"
        )
    );
    let told = verdict(table.households(), 3);
    assert_eq!(
        told.as_deref(),
        Some(
            "no committee of 3 among these people has at least 2 gender male and at least 1 age \
             18-39 (help: the smallest change that would do, 1 seat in all: lower the minimum of gender male \
             from 2 to 1)"
        )
    );
    assert!(matches!(
        feasibility(
            &two().quotas(),
            4,
            &Supply::independent(&vec![vec![true; 2]; 2]),
            NODES
        ),
        Feasibility::Feasible
    ));
}
