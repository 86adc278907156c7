//! `unique` and `volunteering_rate`.

use super::{PEOPLE, Page, SOUND};

const RULES: &str = "choose = \"at_most_one\"";

#[test]
fn households_and_volunteers() {
    let mut page = Page::default();
    for (name, config, edits) in [
        (
            "households of a source without columns",
            SOUND,
            [(RULES, "choose = \"at_most_one\"\nunique = [\"address\"]")],
        ),
        (
            "columns that the file lacks",
            PEOPLE,
            [(
                RULES,
                "choose = \"at_most_one\"\nunique = [\"adress\", \"sex\"]",
            )],
        ),
        (
            "no column",
            PEOPLE,
            [(RULES, "choose = \"at_most_one\"\nunique = []")],
        ),
        (
            "a column twice",
            PEOPLE,
            [(
                RULES,
                "choose = \"at_most_one\"\nunique = [\"SEX\", \"SEX\"]",
            )],
        ),
        (
            "one column in place of a list",
            PEOPLE,
            [(RULES, "choose = \"at_most_one\"\nunique = \"SEX\"")],
        ),
        (
            "more volunteers than people",
            SOUND,
            [(
                "type = \"categorical\"",
                "type = \"categorical\"\nvolunteering_rate = 1.5",
            )],
        ),
        (
            "no volunteers",
            PEOPLE,
            [(
                "type = \"file\"",
                "type = \"file\"\nvolunteering_rate = 0.0",
            )],
        ),
        (
            "volunteers in words, and another mistake",
            SOUND,
            [(
                "type = \"categorical\"",
                "type = \"categorical\"\nvolunteering_rate = \"2 %\"\nspeed = 3",
            )],
        ),
        (
            "rates of groups that are not there, of a part of a group, and out of range",
            PEOPLE,
            [(
                "type = \"file\"",
                "type = \"file\"\nvolunteering_rate = { gender = { F = 0.1 }, sex = { male = 1.5 } }",
            )],
        ),
        (
            "rates of no attribute",
            PEOPLE,
            [("type = \"file\"", "type = \"file\"\nvolunteering_rate = {}")],
        ),
        (
            "contacts where nobody knows how many volunteer",
            SOUND,
            [("\"selection_rate\"", "\"contacts\"")],
        ),
    ] {
        page.edited(name, config, &edits);
    }
    insta::assert_snapshot!(page.text());
}
