//! Records of JSON, and the ids of records.

use super::*;

#[test]
fn records_of_json() {
    assert_alike(
        &[
            (
                "numbers as texts and in their own letters",
                JSON,
                b"{\"SEX\":1,\"AGE\":\"20\",\"EDU\":\"3.0\",\"mark\":1e-1}\n\
                  {\"SEX\":\"2\",\"AGE\":5e1,\"EDU\":4,\"mark\":\".5\"}",
                Ok(&["1", "2"]),
            ),
            (
                "members, groups and features",
                JSON,
                b"{\"groups\":{\"SEX\":\"1\",\"AGE\":20},\"features\":{\"EDU\":3,\"mark\":1},\"SEX\":null}\n",
                Ok(&["1"]),
            ),
            (
                "texts are trimmed where they are no numbers, truth values are texts",
                JSON,
                b"{\"SEX\":\" 1\",\"AGE\":20,\"EDU\":3,\"mark\":1}\n\
                  {\"SEX\":true,\"AGE\":20,\"EDU\":3,\"mark\":1}\n\
                  {\"SEX\":1,\"AGE\":\"20 \",\"EDU\":3,\"mark\":1}\n",
                Err(&[2, 3]),
            ),
            (
                "blank lines, a mark, carriage returns",
                JSON,
                b"\xef\xbb\xbf{\"SEX\":1,\"AGE\":20,\"EDU\":3,\"mark\":1}\r\n\n \t\r\n\
                  {\"SEX\":2,\"AGE\":20,\"mark\":1} \r\n",
                Ok(&["1", "2"]),
            ),
            (
                "an envelope, and one that holds none",
                JSON,
                b"{\"specversion\":\"1.0\",\"type\":\"person\",\"data\":{\"SEX\":1,\"AGE\":20,\"EDU\":3,\"mark\":1}}\n",
                Ok(&["1"]),
            ),
            (
                "an envelope without a record",
                JSON,
                b"{\"SEX\":1,\"AGE\":20,\"EDU\":3,\"mark\":1}\n\
                  {\"specversion\":\"1.0\",\"SEX\":1,\"AGE\":20,\"EDU\":3,\"mark\":1}\n",
                Err(&[2]),
            ),
            (
                "members that are there twice, read or not",
                JSON,
                b"{\"SEX\":1,\"SEX\":1,\"AGE\":20,\"EDU\":3,\"mark\":1}\n\
                  {\"SEX\":1,\"AGE\":20,\"EDU\":3,\"mark\":1,\"x\":1,\"x\":2}\n\
                  {\"SEX\":1,\"AGE\":20,\"EDU\":3,\"mark\":1,\"y\":{\"x\":1,\"x\":2}}\n",
                Err(&[1, 2, 3]),
            ),
            (
                "Latin-1, anywhere",
                JSON,
                b"{\"SEX\":1,\"AGE\":20,\"EDU\":3,\"mark\":1,\"name\":\"Jos\xe9\"}\n\
                  {\"SEX\":1,\"AGE\":20,\"EDU\":3,\"mark\":1,\"name\":\"\xc3\xa9\xc3\xa9\"}\n",
                Err(&[1]),
            ),
            (
                "no object, a list where a cell should be, half a character",
                JSON,
                b"[1]\n{\"SEX\":[1],\"AGE\":20,\"EDU\":3,\"mark\":1}\n\
                  {\"SEX\":1,\"AGE\":20,\"EDU\":3,\"mark\":1}\n\
                  {\"SEX\":1,\"AGE\":20,\"EDU\":3,\"mark\":1,\"x\":\"\\ud800\"}\n{\"SEX\":1",
                Err(&[1, 2, 4, 5]),
            ),
            (
                "members that are not there",
                JSON,
                b"{\"SEX\":1,\"AGE\":20,\"EDU\":3,\"mark\":1}\n{\"sx\":1,\"AGE\":20,\"mark\":1}\n\
                  {\"SEX\":1,\"mark\":null,\"AGE\":20}\n",
                Err(&[2, 3]),
            ),
            (
                "members and values as people spell them",
                JSON,
                "{\"sex\":\"1\",\"Age \":20,\"EDU\":3,\"mark\":1}\n\
                  {\"SEX\":\"E\u{301}\",\"AGE\":20,\"edu\":3,\"MARK\":1}\n\
                  {\"Sex\":\"1\",\"sEX\":\"2\",\"AGE\":20,\"EDU\":3,\"mark\":1}\n"
                    .as_bytes(),
                Err(&[3]),
            ),
        ],
        "",
    );
}

/// The members of a person in whom nothing is wrong.
const PERSON: &str = "\"SEX\":1,\"AGE\":20,\"EDU\":3,\"mark\":1";

#[test]
fn ids_of_records_that_have_one_and_the_numbers_of_those_that_have_none() {
    let line = |more: &str| format!("{{{more}{PERSON}}}\n");
    let members = line("\"id\":\"ann\",") + &line("\"id\":7.50,") + &line("\"id\":true,");
    let left_out = line("").replace("20", "99");
    let none = line("\"id\":null,") + "\n" + &left_out + &line("");
    let envelope = |source: &str| {
        format!("{{\"specversion\":\"1.0\",{source}\"id\":\"e\",\"data\":{{{PERSON}}}}}\n")
    };
    let envelopes = envelope("") + &envelope("\"source\":\"/f\",");
    let within = format!("{{\"groups\":{{\"id\":12}},{PERSON}}}\n");
    let rows = b"SEX,AGE,EDU,mark,STATE,id\n1,20,3,1,on, ann \n1,99,3,1,on,ben\n2,50,3,1,on,007\n";
    let cases: &[Case<'_>] = &[
        (
            "members",
            JSON,
            members.as_bytes(),
            Ok(&["ann", "7.50", "true"]),
        ),
        ("none", JSON, none.as_bytes(), Ok(&["1", "3"])),
        ("envelopes", JSON, envelopes.as_bytes(), Ok(&["e", "/f e"])),
        ("in groups", JSON, within.as_bytes(), Ok(&["12"])),
        ("a column", COMMAS, rows, Ok(&["ann", "007"])),
    ];
    assert_alike(cases, "");
    // Where the column is named it must be there; an envelope's own name replaces a member `id`.
    assert_alike(&[cases[0], cases[2], cases[3], cases[4]], "id = \"id\"");
    let blank = line("\"id\":\"ann\",") + &line("\"id\":\"\",") + &line("");
    assert_alike(
        &[("blank or not there", JSON, blank.as_bytes(), Err(&[2, 3]))],
        "id = \"id\"",
    );
    let named = b"{\"SERIAL\":12,\"id\":1,\"SEX\":1,\"AGE\":20,\"EDU\":3,\"mark\":1}\n\
        {\"id\":2,\"SEX\":1,\"AGE\":20,\"mark\":1}\n";
    assert_alike(
        &[("another column", JSON, named, Err(&[2]))],
        "id = \"SERIAL\"",
    );
    let named = named.split_inclusive(|byte| *byte == b'\n').next().unwrap();
    assert_alike(
        &[("another column", JSON, named, Ok(&["12"]))],
        "id = \"SERIAL\"",
    );
}
