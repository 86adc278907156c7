//! Files that a config names: people, and tables of types.

use super::{PEOPLE, Page, ROWS, SOUND, refusal, with};
use crate::support::says::Says as _;
use crate::support::terminal::Terminal;

/// The config of people with some lines replaced, and a file of some bytes.
fn people(page: &mut Page, name: &str, edits: &[(&str, &str)], bytes: &[u8]) {
    let terminal = Terminal::new();
    terminal.put("people.csv", bytes);
    terminal.put("my.toml", with(PEOPLE, edits));
    page.config(name, &terminal, "my.toml");
}

#[test]
fn files_that_are_no_table() {
    let mut page = Page::default();
    // Most letters are UTF-8: else the file would be read as Latin-1.
    let latin = b"id,SEX,AGE,w\na,1,20,1\nb,caf\xe9,30,1\n\xc3\xa9\xc3\xa9,1,30,1\n";
    for (name, bytes) in [
        ("an empty file", &b""[..]),
        ("a header alone", b"id,SEX,AGE,w\n"),
        ("a file cut off in a row", b"id,SEX,AGE,w\na,1,20,1\nb,2"),
        ("a file cut off in quotes", b"id,SEX,AGE,w\na,1,20,1\nb,\"2"),
        (
            "rows too short and too long",
            b"id,SEX,AGE,w\na,1,20\nb,1,20,1,1\nc,1,30,1\n",
        ),
        ("not UTF-8", latin),
        ("a column twice", b"id,SEX,SEX,AGE,w\na,1,2,20,1\n"),
        ("a binary file", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0"),
    ] {
        people(&mut page, name, &[], bytes);
    }
    let commas = [(
        "path = \"people.csv\"",
        "path = \"people.csv\"\ndelimiter = \",\"",
    )];
    let semicolons = b"id;SEX;AGE;w\na;1;20;1.5\n";
    people(&mut page, "another delimiter", &commas, semicolons);
    let terminal = Terminal::new();
    terminal.put("people.csv/inner.csv", ROWS);
    terminal.put("my.toml", PEOPLE);
    page.config("a folder", &terminal, "my.toml");
    insta::assert_snapshot!(page.text());
}

#[test]
fn a_missing_file() {
    let mut page = Page::default();
    let terminal = Terminal::new();
    terminal.put("my.toml", PEOPLE);
    page.config("without a word about it", &terminal, "my.toml");
    let about =
        "path = \"people.csv\"\nabout = \"the respondents of our survey, from the survey's page\"";
    terminal.put(
        "about.toml",
        with(PEOPLE, &[("path = \"people.csv\"", about)]),
    );
    page.config("with a word about it", &terminal, "about.toml");
    page.config("of a preset", &terminal, "committee-acs");
    insta::assert_snapshot!(page.text());
}

#[test]
fn files_that_lack_what_is_asked() {
    let mut page = Page::default();
    let rows = ROWS.as_bytes();
    let sex = "{ \"1\" = \"male\", \"2\" = \"female\" }";
    for (name, edits) in [
        ("a column that is not there", &[("\"SEX\"", "\"SEXE\"")][..]),
        ("a value outside its list", &[(sex, "{ \"1\" = \"male\" }")]),
        (
            "bands that overlap",
            &[("old = [40, inf]", "old = [35, inf]")],
        ),
        (
            "bands with a gap",
            &[("old = [40, inf]", "old = [55, inf]")],
        ),
        (
            "a band of one number, and one backwards",
            &[(
                "young = [0, 40], old = [40, inf]",
                "young = [0], old = [40, 20]",
            )],
        ),
        ("bands of words", &[("\"AGE\"", "\"id\"")]),
        (
            "values and bands",
            &[("bands =", "values = { \"1\" = \"one\" }, bands =")],
        ),
        (
            "no attribute",
            &[(
                "[source.attributes]\n\
                 sex = { column = \"SEX\", values = { \"1\" = \"male\", \"2\" = \"female\" } }\n\
                 age = { column = \"AGE\", bands = { young = [0, 40], old = [40, inf] } }\n",
                "[source.attributes]\n",
            )],
        ),
        ("weights in words", &[("weight = \"w\"", "weight = \"id\"")]),
        (
            "no column of weights",
            &[("weight = \"w\"", "weight = \"wt\"")],
        ),
        (
            "filters that are none",
            &[(
                "weight = \"w\"",
                "weight = \"w\"\nwhere = [\"AGE >\", \"AGE = 5\", \"= 5\", \"AGE in 5\"]",
            )],
        ),
        (
            "a filter of a column that is not there",
            &[("weight = \"w\"", "weight = \"w\"\nwhere = [\"AGEP >= 18\"]")],
        ),
        (
            "a filter that keeps nobody",
            &[("weight = \"w\"", "weight = \"w\"\nwhere = [\"AGE > 100\"]")],
        ),
        (
            "a long delimiter",
            &[("weight = \"w\"", "weight = \"w\"\ndelimiter = \"tab\"")],
        ),
        (
            "a delimiter that the file does not use",
            &[("weight = \"w\"", "weight = \"w\"\ndelimiter = \";\"")],
        ),
        (
            "columns beside a header",
            &[(
                "weight = \"w\"",
                "weight = \"w\"\nheader = true\ncolumns = [\"a\"]",
            )],
        ),
        (
            "no header and no columns",
            &[("weight = \"w\"", "weight = \"w\"\nheader = false")],
        ),
        (
            "fewer columns than the file has",
            &[(
                "weight = \"w\"",
                "weight = \"w\"\nheader = false\ncolumns = [\"SEX\", \"AGE\"]",
            )],
        ),
        (
            "replications of a file in its order",
            &[
                ("\"resampled\"", "\"file\""),
                ("seed = 1", "seed = 1\nreplications = 2"),
            ],
        ),
        (
            "resampling by a column, in the file's order",
            &[("order = \"resampled\"", "resample_by = \"w\"")],
        ),
        (
            "resampling by a column of words",
            &[(
                "order = \"resampled\"",
                "order = \"resampled\"\nresample_by = \"id\"",
            )],
        ),
        (
            "ids that are not there",
            &[("weight = \"w\"", "weight = \"w\"\nid = \"name\"")],
        ),
        (
            "ids that repeat",
            &[("weight = \"w\"", "weight = \"w\"\nid = \"SEX\"")],
        ),
    ] {
        people(&mut page, name, edits, rows);
    }
    insta::assert_snapshot!(page.text());
}

#[test]
fn records_that_are_wrong() {
    let mut page = Page::default();
    let config = with(
        PEOPLE,
        &[
            ("\"people.csv\"", "\"people.ndjson\""),
            ("weight = \"w\"\n", ""),
            ("from = \"weights\"", "sex = { male = 0.5, female = 0.5 }"),
            ("column = \"SEX\"", "column = \"sex\""),
            ("column = \"AGE\"", "column = \"age\""),
        ],
    );
    let terminal = Terminal::new();
    terminal.put("my.toml", &config);
    let people = r#"{"id":"a","groups":{"sex":"1"},"features":{"age":30}}
{"id":"b",
[1]
{"id":"c","groups":{"sex":"3"},"features":{"age":30}}
"#;
    terminal.put("people.ndjson", people);
    page.config("lines that are no records", &terminal, "my.toml");
    terminal.put(
        "header.toml",
        config.replace("order =", "header = true\ndelimiter = \",\"\norder ="),
    );
    page.config("a header and a delimiter", &terminal, "header.toml");
    insta::assert_snapshot!(page.text());
}

#[test]
fn tables_of_types() {
    let mut page = Page::default();
    let config = with(
        SOUND,
        &[(
            "shares = { gender = { M = 0.5, F = 0.5 } }",
            "joint = \"types.csv\"",
        )],
    );
    for (name, bytes) in [
        ("no column p", &b"gender,q\nM,0.5\nF,0.5\n"[..]),
        ("only p", b"p\n1\n"),
        ("p does not sum to 1", b"gender,p\nM,0.5\nF,0.4\n"),
        (
            "a type twice",
            b"gender,age,p\nM,old,0.5\nF,old,0.25\nM,old,0.25\n",
        ),
        ("p below 0 and p in words", b"gender,p\nM,-0.5\nF,half\n"),
        ("an empty table", b""),
        ("a header alone", b"gender,p\n"),
    ] {
        let terminal = Terminal::new();
        terminal.put("my.toml", &config);
        terminal.put("types.csv", bytes);
        page.config(name, &terminal, "my.toml");
    }
    let terminal = Terminal::new();
    terminal.put("my.toml", &config);
    page.config("no table", &terminal, "my.toml");
    terminal.put("types.csv/inner.csv", "");
    page.config("a folder", &terminal, "my.toml");
    insta::assert_snapshot!(page.text());
}

#[test]
fn lists_of_types() {
    let mut page = Page::default();
    let f = "{ gender = \"F\", p = 0.5 }";
    for (name, list) in [
        ("no type", "[]".to_owned()),
        ("neither path nor list", "0.5".to_owned()),
        ("types that are no tables", format!("[0.5, {f}]")),
        ("only p", "[{ p = 0.5 }, { p = 0.5 }]".to_owned()),
        ("no p", format!("[{{ gender = \"M\" }}, {f}]")),
        (
            "p below 0, in quotes, and above 1",
            "[{ gender = \"M\", p = -0.5 }, { gender = \"F\", p = \"0.5\" }, { gender = \"X\", \
             p = 2 }]"
                .to_owned(),
        ),
        (
            "p does not sum to 1",
            format!("[{{ gender = \"M\", p = 0.4 }}, {f}]"),
        ),
        ("a type twice", format!("[{f}, {f}]")),
        (
            "a value that is no text",
            format!("[{{ gender = 1, p = 0.5 }}, {f}]"),
        ),
        (
            "an empty value",
            format!("[{{ gender = \" \", p = 0.5 }}, {f}]"),
        ),
        (
            "an attribute too few and one too many",
            format!(
                "[{{ gender = \"M\", age = \"old\", p = 0.5 }}, {f}, {{ gender = \"F\", \
                age = \"old\", job = \"none\", p = 0 }}]"
            ),
        ),
    ] {
        let joint = format!("joint = {list}");
        page.edited(
            name,
            SOUND,
            &[("shares = { gender = { M = 0.5, F = 0.5 } }", &joint)],
        );
    }
    insta::assert_snapshot!(page.text());
}

/// The place is a path that can be opened from the user's folder.
#[test]
fn a_file_is_named_as_seen_from_here() {
    let terminal = Terminal::new();
    terminal.put("configs/my.toml", PEOPLE);
    terminal.put("configs/people.csv", "id,SEX,AGE,w\na,1,20,1\nb,3,30,1\n");
    let text = refusal(&terminal, &["check", "configs/my.toml"]);
    text.says("configs/people.csv:3:2: ");
}
