//! Organisers' files: categories and respondents.

use super::{ORGANISER, Page, with};
use crate::support::terminal::Terminal;

pub(super) const CATEGORIES: &str = "feature,value,min,max
gender,female,1,3
gender,male,1,3
age,18-39,1,3
age,40+,1,3
";

pub(super) const RESPONDENTS: &str = "id,gender,age
a,female,18-39
b,male,18-39
c,female,40+
d,male,40+
e,female,40+
f,male,18-39
";

/// A config and an organiser's two files.
fn files(
    page: &mut Page,
    name: &str,
    config: &str,
    categories: impl AsRef<[u8]>,
    respondents: impl AsRef<[u8]>,
) {
    let terminal = Terminal::new();
    terminal.put("my.toml", config);
    terminal.put("categories.csv", categories);
    terminal.put("respondents.csv", respondents);
    page.config(name, &terminal, "my.toml");
}

#[test]
fn wrong_categories() {
    let mut page = Page::default();
    let edits = |edits| with(CATEGORIES, edits).into_bytes();
    for (name, bytes) in [
        ("an empty file", Vec::new()),
        ("a header alone", b"feature,value,min,max\n".to_vec()),
        (
            "no row with a feature",
            b"feature,value,min,max\n,a,1,2\n,,,\n".to_vec(),
        ),
        (
            "a header of no dialect",
            edits(&[("feature,value", "attribute,option")]),
        ),
        (
            "a column missing",
            edits(&[("value,min,max", "value,min,most")]),
        ),
        ("a column twice", edits(&[("value,min,max", "min,min,max")])),
        (
            "a minimum over its maximum",
            edits(&[("male,1,3\nage", "male,3,1\nage")]),
        ),
        (
            "numbers that are none",
            edits(&[
                ("gender,female,1,3", "gender,female,1.5,3"),
                ("gender,male,1,3", "gender,male,-1,"),
                ("18-39,1,3", "18-39,one,5000000000"),
            ]),
        ),
        (
            "a value twice",
            edits(&[("gender,male", "Gender, FEMALE ")]),
        ),
        ("a value blank", edits(&[("gender,male", "gender,")])),
        (
            "a mistyped feature",
            edits(&[("gender,male", "gendre,male")]),
        ),
        (
            "all maximums 0",
            edits(&[
                ("female,1,3", "female,0,0"),
                ("gender,male,1,3", "gender,male,0,0"),
            ]),
        ),
        (
            "minimums over the committee",
            edits(&[("18-39,1,3", "18-39,3,3"), ("40+,1,3", "40+,2,3")]),
        ),
        (
            "maximums under the committee",
            edits(&[("18-39,1,3", "18-39,1,1"), ("40+,1,3", "40+,1,2")]),
        ),
        (
            "flexible bounds inside the bounds",
            b"feature,value,min,max,min_flex,max_flex\ngender,female,1,3,2,2\ngender,male,1,3,,\n"
                .to_vec(),
        ),
        (
            "rows too short and too long",
            edits(&[("female,1,3", "female,1"), ("40+,1,3", "40+,1,3,4")]),
        ),
        (
            "a header of another language",
            edits(&[("feature,value,min,max", "Merkmal,Wert,von,bis")]),
        ),
        (
            "shares, ranges and dates",
            edits(&[
                ("female,1,3", "female,120 %,3"),
                ("male,1,3\nage", "male,1-3,04. Jun\nage"),
            ]),
        ),
        (
            "a quote left open",
            edits(&[("gender,male", "gender,\"male")]),
        ),
    ] {
        files(&mut page, name, ORGANISER, bytes, RESPONDENTS);
    }
    insta::assert_snapshot!(page.text());
}

#[test]
fn wrong_respondents() {
    let mut page = Page::default();
    let edits = |edits| with(RESPONDENTS, edits).into_bytes();
    for (name, bytes) in [
        ("an empty file", Vec::new()),
        ("a header alone", b"id,gender,age\n".to_vec()),
        (
            "a column missing",
            edits(&[("id,gender,age", "id,gendre,born")]),
        ),
        (
            "a column twice",
            edits(&[("id,gender,age", "id,gender,Gender")]),
        ),
        (
            "no column of ids",
            edits(&[("id,gender,age", "name,gender,age")]),
        ),
        (
            "ids blank and repeated",
            edits(&[("b,male", ",male"), ("e,female", " a ,female")]),
        ),
        (
            "cells blank",
            edits(&[("a,female", "a,"), ("d,male,40+", "d,male,  ")]),
        ),
        (
            "values unknown",
            edits(&[("a,female", "a,femal"), ("d,male,40+", "d,other,30+")]),
        ),
        (
            "rows too short and too long",
            edits(&[("b,male,18-39", "b,male"), ("c,female", "c,,female")]),
        ),
        (
            "ages against ranges",
            b"id,gender,age\na,male,40\nb,male,41\nc,male,29\n".to_vec(),
        ),
        ("a quote left open", edits(&[("c,female", "c,\"female")])),
        (
            "a binary file",
            b"PK\x03\x04\x14\0\x06\0\x08\0\0\0!\0".to_vec(),
        ),
    ] {
        files(&mut page, name, ORGANISER, CATEGORIES, bytes);
    }
    insta::assert_snapshot!(page.text());
}

#[test]
fn wrong_pairs_of_files() {
    let mut page = Page::default();
    let edited = |edits| with(ORGANISER, edits);
    files(
        &mut page,
        "both files wrong",
        ORGANISER,
        with(CATEGORIES, &[("18-39,1,3", "18-39,3,1")]),
        with(
            RESPONDENTS,
            &[("a,female", "b,female"), ("c,female,40+", "c,female")],
        ),
    );
    let numbers = [("female,1,3", "female,1,x"), ("18-39,1,3", "18-39,9,9")];
    files(
        &mut page,
        "a wrong file and a wrong config",
        &edited(&[
            ("kind = \"greedy\"", "kind = \"greedy\"\ntolerance = -1"),
            ("id = \"id\"", "id = 5"),
        ]),
        with(CATEGORIES, &numbers),
        RESPONDENTS,
    );
    for (name, edits) in [
        (
            "a target without categories",
            &[(
                "categories = \"categories.csv\"",
                "gender = { female = 0.5, male = 0.5 }",
            )][..],
        ),
        (
            "no target",
            &[("[target]\ncategories = \"categories.csv\"\n", "")],
        ),
        (
            "categories that are no text",
            &[("categories = \"categories.csv\"", "categories = 4")],
        ),
        (
            "shares beside categories",
            &[(
                "categories = \"categories.csv\"",
                "categories = \"categories.csv\"\ngender = { female = 1.0 }",
            )],
        ),
        (
            "an unknown key",
            &[("id = \"id\"", "id = \"id\"\nattributes = {}")],
        ),
        ("no path", &[("path = \"respondents.csv\"\n", "")]),
        (
            "files that are not there",
            &[
                (
                    "\"respondents.csv\"",
                    "\"people.csv\"\nabout = \"our volunteers\"",
                ),
                ("\"categories.csv\"", "\"quotas.csv\""),
            ],
        ),
        (
            "a file in its order, replicated",
            &[
                ("id = \"id\"", "id = \"id\"\norder = \"file\""),
                ("seed = 1", "replications = 2"),
            ],
        ),
        (
            "no committee's size",
            &[("until = { accepted = 4 }", "until = { rounds = 4 }")],
        ),
        (
            "categories that a source of another type does not have",
            &[(
                "type = \"respondents\"\npath = \"respondents.csv\"\nid = \"id\"",
                "type = \"categorical\"\nshares = { gender = { female = 0.5, other = 0.5 } }",
            )],
        ),
    ] {
        files(&mut page, name, &edited(edits), CATEGORIES, RESPONDENTS);
    }
    insta::assert_snapshot!(page.text());
}

#[test]
fn quotas_that_no_committee_keeps() {
    let mut page = Page::default();
    let categories = |edits| with(CATEGORIES, edits);
    for (name, quotas) in [
        (
            "more than there are people for",
            categories(&[("18-39,1,3", "18-39,4,4"), ("40+,1,3", "40+,0,0")]),
        ),
        // Of six people one is a woman under 40.
        (
            "two that clash",
            categories(&[("female,1,3", "female,3,3"), ("18-39,1,3", "18-39,3,3")]),
        ),
    ] {
        files(&mut page, name, ORGANISER, quotas, RESPONDENTS);
    }
    let size = with(ORGANISER, &[("accepted = 4", "accepted = 7")]);
    let wide = CATEGORIES.replace(",3\n", ",7\n");
    files(
        &mut page,
        "a committee larger than the people",
        &size,
        &wide,
        RESPONDENTS,
    );
    files(
        &mut page,
        "a committee larger than the people, and a wrong policy",
        &with(&size, &[("kind = \"greedy\"", "kind = \"greedier\"")]),
        &wide,
        RESPONDENTS,
    );
    // Three homes.
    let homes = RESPONDENTS
        .lines()
        .zip(["home", "1", "1", "2", "2", "3", "3"]);
    let homes: String = homes.map(|(row, home)| format!("{row},{home}\n")).collect();
    let unique = |column: &str| {
        let rule = format!("until = {{ accepted = 4 }}\nunique = [{column:?}]");
        with(ORGANISER, &[("until = { accepted = 4 }", &rule)])
    };
    files(
        &mut page,
        "a committee larger than the households",
        &unique("home"),
        CATEGORIES,
        &homes,
    );
    files(
        &mut page,
        "a column of households that is not there",
        &unique("house"),
        CATEGORIES,
        &homes,
    );
    // A stream that never ends, in which some never come.
    let source = "type = \"respondents\"\npath = \"respondents.csv\"\nid = \"id\"";
    let shares = "type = \"categorical\"\n\
        shares = { gender = { female = 1.0, male = 0.0 }, age = { 18-39 = 0.5, 40+ = 0.5 } }";
    let shares = shares
        .replace("18-39", "\"18-39\"")
        .replace("40+", "\"40+\"");
    files(
        &mut page,
        "a law under which some never come",
        &with(ORGANISER, &[(source, &shares)]),
        CATEGORIES,
        RESPONDENTS,
    );
    let file = "type = \"file\"\npath = \"respondents.csv\"\norder = \"resampled\"\n\
        attributes = { gender = { column = \"gender\" } }";
    let gender = "feature,value,min,max\ngender,female,0,2\ngender,male,0,1\n";
    files(
        &mut page,
        "a value of the source that the file does not list",
        &with(
            ORGANISER,
            &[(source, file), ("accepted = 4", "accepted = 3")],
        ),
        gender,
        "gender\nfemale\nother\n",
    );
    insta::assert_snapshot!(page.text());
}

#[test]
fn committees_that_can_not_be_kept_feasible() {
    let mut page = Page::default();
    let kept = with(
        ORGANISER,
        &[(
            "kind = \"greedy\"\n",
            "kind = \"greedy\"\nkeep_feasible = true\n",
        )],
    );
    let order = |order: &str| format!("id = \"id\"\norder = \"{order}\"");
    let resampled = order("resampled");
    let exactly = "choose = { exactly = 2 }\nslate = 3";
    for (name, edits) in [
        (
            "a word",
            &[("keep_feasible = true", "keep_feasible = \"yes\"")][..],
        ),
        ("a key near it", &[("keep_feasible", "keep_feasable")]),
        (
            "a kind that has no such key",
            &[("kind = \"greedy\"", "kind = \"quota_lookahead\"")],
        ),
        (
            "respondents drawn with replacement",
            &[("id = \"id\"", resampled.as_str())],
        ),
        (
            "no size",
            &[("until = { accepted = 4 }", "until = { rounds = 4 }")],
        ),
        (
            "a number of each slate, and no size",
            &[
                ("choose = \"at_most_one\"", exactly),
                ("until = { accepted = 4 }", "until = \"source_ends\""),
            ],
        ),
    ] {
        files(
            &mut page,
            name,
            &with(&kept, edits),
            CATEGORIES,
            RESPONDENTS,
        );
    }
    let people = |target: &str, members: &str| {
        format!(
            "name = \"few women\"\n[source]\ntype = \"file\"\npath = \"people.csv\"\n\
             order = \"shuffled\"\n[source.attributes]\ngender = {{ column = \"gender\" }}\n\
             {target}[rules]\nchoose = \"at_most_one\"\nuntil = {{ accepted = {members} }}\n\
             [[policy]]\nlabel = \"all\"\nkind = \"accept_all\"\nkeep_feasible = true\n"
        )
    };
    let halves = "[target]\ngender = { female = 0.5, male = 0.5 }\n";
    let women = "gender\nfemale\nfemale\nmale\nmale\nmale\nmale\nmale\n";
    for (name, config) in [
        ("no target", people("", "4")),
        ("a target that the people can't meet", people(halves, "6")),
    ] {
        page.of_people(name, &config, women);
    }
    insta::assert_snapshot!(page.text());
}
