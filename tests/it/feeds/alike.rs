//! One reading of people as text: the same bytes give the same people as a file and as a feed.

use std::io::{self, Write};
use std::sync::Arc;

use kleroterion::config::{Document, Plan, check};
use kleroterion::draw::Key;
use kleroterion::feed::{CandidateRecord, Item, Pipe};
use kleroterion::problem::{Place, Problems};
use kleroterion::protocol::Schema;
use tempfile::TempDir;

use super::recorder::Running;

/// A config of people who come as `SOURCE` says.
const CONFIG: &str = r#"name = "alike"
seed = 1
[source]
SOURCE
where = ["AGE != 99"]
score = "mark"
[source.attributes]
sex = { column = "SEX", values = { "1" = "male", "2" = "female", "é" = "other" } }
age = { column = "AGE", bands = { young = [18, 40], old = [40, inf] } }
[source.features]
constant = true
numeric = ["EDU"]
missing = -1
[target]
sex = { male = 0.4, female = 0.4, other = 0.2 }
[rules]
slate = 1
choose = "at_most_one"
until = { accepted = 10 }
[[policy]]
label = "all"
kind = "accept_all"
"#;

/// How the same bytes are described as a file, its name and keys, and as a feed.
#[derive(Clone, Copy)]
struct Described {
    file: &'static str,
    file_keys: &'static str,
    feed_keys: &'static str,
}

const COMMAS: Described = Described {
    file: "people.csv",
    file_keys: "",
    feed_keys: "decoding.codec = \"csv\"",
};

const JSON: Described = Described {
    file: "people.ndjson",
    file_keys: "",
    feed_keys: "",
};

fn delimited(file_keys: &'static str, feed_keys: &'static str) -> Described {
    Described {
        file_keys,
        feed_keys,
        ..COMMAS
    }
}

/// What a reader makes of some bytes.
#[derive(Debug, PartialEq)]
enum Read {
    /// Each person: id, values, features, score.
    People(Vec<String>),
    /// The lines of the records that are refused; 0 for what is wrong with a file as a whole.
    Refused(Vec<u64>),
}

fn plan(source: &str, folder: &TempDir) -> Result<Plan, Problems> {
    let text = CONFIG.replace("SOURCE", source);
    check(&Document::parse(&text)?, folder.path())
}

fn person(
    id: &str,
    schema: &Schema,
    values: &[u16],
    features: &[f64],
    score: Option<f64>,
) -> String {
    let values = schema.attributes().iter().zip(values);
    let values: Vec<_> = values.map(|(a, v)| &a.values[usize::from(*v)]).collect();
    format!("{id} {values:?} {features:?} {score:?}")
}

fn as_file(bytes: &[u8], described: Described, more: &str) -> Read {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(described.file), bytes).unwrap();
    let Described {
        file, file_keys, ..
    } = described;
    let source = format!("type = \"file\"\npath = \"{file}\"\n{file_keys}\n{more}");
    let plan = match plan(&source, &folder) {
        Ok(plan) => plan,
        Err(problems) => {
            let lines = problems.0.iter().map(|problem| match problem.place {
                Place::File { line, .. } => line.unwrap_or(0),
                _ => panic!("{problems}"),
            });
            let mut lines: Vec<u64> = lines.collect();
            lines.sort_unstable();
            lines.dedup();
            return Read::Refused(lines);
        }
    };
    let mut source = (plan.world.source)(Key::new(plan.seed, 0));
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    let runtime = runtime.unwrap();
    let mut people = Vec::new();
    while let Some(batch) = runtime.block_on(source.next(1000)).unwrap() {
        let persons = batch.persons();
        people.extend((0..persons.len() as u32).map(|index| {
            let shown = persons.shown(index);
            let (values, features) = (shown.values(), shown.features());
            let id = shown.id().to_string();
            person(&id, shown.schema(), values, features, shown.score())
        }));
    }
    Read::People(people)
}

fn as_feed(bytes: &[u8], described: Described, more: &str) -> Read {
    let folder = tempfile::tempdir().unwrap();
    let source = format!("type = \"stdin\"\n{}\n{more}", described.feed_keys);
    let plan = plan(&source, &folder).unwrap_or_else(|problems| panic!("{problems}"));
    let spec = plan.world.feed.unwrap();
    let (reader, mut writer) = io::pipe().unwrap();
    writer.write_all(bytes).unwrap();
    drop(writer);
    let feed = Pipe::new(Box::new(reader), &spec, Arc::default());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let items = runtime.unwrap().block_on(async {
        let mut running = Running::start(Box::new(feed));
        running.ended().await;
        running.deliveries().concat()
    });
    let (mut people, mut refused) = (Vec::new(), Vec::new());
    for item in items {
        match item {
            Item::Candidate(CandidateRecord {
                id,
                values,
                features,
                score,
                ..
            }) => people.push(person(
                &id,
                spec.reading.schema(),
                &values,
                &features,
                score,
            )),
            Item::Refused(record) => refused.push(record.line),
            Item::Outcome(_) => unreachable!(),
        }
    }
    match refused.is_empty() {
        true => Read::People(people),
        false => Read::Refused(refused),
    }
}

/// Bytes with a name, how they are described, and who is read of them or which lines are refused.
type Case<'a> = (
    &'a str,
    Described,
    &'a [u8],
    Result<&'a [&'a str], &'a [u64]>,
);

fn assert_alike(cases: &[Case<'_>], more: &str) {
    let mut wrong = Vec::new();
    for (name, described, bytes, due) in cases {
        let file = as_file(bytes, *described, more);
        let feed = as_feed(bytes, *described, more);
        if file != feed {
            wrong.push(format!(
                "{name}: a file gives {file:?}\n  and a feed {feed:?}"
            ));
            continue;
        }
        let as_due = match (&feed, due) {
            (Read::People(people), Ok(due)) => {
                let begins = |(person, due): (&String, &&str)| {
                    person.starts_with(&format!("{due} ")) && !due.is_empty()
                };
                people.len() == due.len() && people.iter().zip(*due).all(begins)
            }
            (Read::Refused(lines), Err(due)) => lines == due,
            _ => false,
        };
        if !as_due {
            wrong.push(format!("{name}: {feed:?} instead of {due:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn rows_of_separated_text() {
    let semicolons = delimited(
        "delimiter = \";\"",
        "decoding = { codec = \"csv\", delimiter = \";\" }",
    );
    let tabs = delimited(
        "delimiter = \"\\t\"",
        "decoding = { codec = \"csv\", delimiter = \"\\t\" }",
    );
    let headless = delimited(
        "header = false\ncolumns = [\"SEX\", \"AGE\", \"EDU\", \"mark\", \"STATE\"]",
        "decoding = { codec = \"csv\", columns = [\"SEX\", \"AGE\", \"EDU\", \"mark\", \"STATE\"] }",
    );
    assert_alike(
        &[
            (
                "commas",
                COMMAS,
                b"SEX,AGE,EDU,mark,STATE\n1,20,3,0.5,on\n2,50,4,1,on\n",
                Ok(&["1", "2"]),
            ),
            (
                "semicolons, the last line without an end",
                semicolons,
                b"SEX;AGE;EDU;mark;STATE\n1;20;3;0,5;on\n2;50;4;1;a,b",
                Err(&[2]),
            ),
            (
                "no header",
                headless,
                b"\xef\xbb\xbf1,20,3,0.5,on\n2,99,4,1,on\n1,30,1,1,on\n",
                Ok(&["1", "3"]),
            ),
            (
                "quotes, line breaks within them, a quote within quotes",
                COMMAS,
                b"SEX,AGE,EDU,mark,\"STATE\"\n\"1\",20,3,.5,\"a\nb\r\n\"\"c\"\"\"\n2,\"50\" ,4,1,5\" pipe\n",
                Ok(&["1", "2"]),
            ),
            (
                "a mark at the beginning, line feeds after carriage returns",
                COMMAS,
                b"\xef\xbb\xbfSEX,AGE,EDU,mark,STATE\r\n1,20,3,.5,on\r\n\r\n2,50,4,1,on\r\n",
                Ok(&["1", "2"]),
            ),
            (
                "a mark at the beginning of a later row",
                COMMAS,
                b"SEX,AGE,EDU,mark,STATE\n1,20,3,.5,on\n\xef\xbb\xbf2,50,4,1,on\n",
                Err(&[3]),
            ),
            (
                "blanks round headers and cells, in quotes or not",
                COMMAS,
                b" SEX , AGE,\" EDU \",mark\t,STATE\n 1, 20 ,\" 3 \",\t.5,on \n2,\xc2\xa050,4,1,on\n",
                Ok(&["1", "2"]),
            ),
            (
                "blank lines, one of which is a quoted nothing",
                COMMAS,
                b"\n  \nSEX,AGE,EDU,mark,STATE\n\n1,20,3,.5,on\n\t\r\n\"\"\n\" \"\n2,50,4,1,on\n\n",
                Ok(&["1", "2"]),
            ),
            (
                "empty cells at the end of rows of tabs",
                tabs,
                b"SEX\tAGE\tEDU\tmark\tSTATE\n1\t20\t3\t.5\t\n2\t50\t4\t1\t\r\n",
                Ok(&["1", "2"]),
            ),
            (
                "a row of tabs alone",
                tabs,
                b"SEX\tAGE\tEDU\tmark\tSTATE\n\t\t\t\t\n1\t20\t3\t.5\ton\n",
                Err(&[2]),
            ),
            (
                "Latin-1 in a cell that is read",
                COMMAS,
                b"SEX,AGE,EDU,mark,STATE\n\xe9,20,3,.5,on\n",
                Err(&[2]),
            ),
            (
                "Latin-1 in a cell that nothing reads",
                COMMAS,
                b"SEX,AGE,EDU,mark,STATE,NAME\n\xc3\xa9,20,3,.5,on,Jos\xe9\n",
                Ok(&["1"]),
            ),
            (
                "cells that are no numbers, an empty feature, one left out",
                COMMAS,
                b"SEX,AGE,EDU,mark,STATE\n1,N,3,.5,on\n1,20,,.5,on\n3,99,1,.5,on\n1,20,1,,on\n1,20,1,inf,on\n",
                Err(&[2, 5, 6]),
            ),
            (
                "too few and too many fields, wrong quotes",
                COMMAS,
                b"SEX,AGE,EDU,mark,STATE\n1,20\n1,20,3,.5,on,\n1,20,3,.5,\"on\"x\n1,20,3,.5,\"on\n",
                Err(&[2, 3, 4, 5]),
            ),
        ],
        "",
    );
}

#[test]
fn records_of_json() {
    assert_alike(
        &[
            (
                "numbers as texts and in their own letters",
                JSON,
                b"{\"SEX\":1,\"AGE\":\"20\",\"EDU\":\"3.0\",\"mark\":1e-1}\n{\"SEX\":\"2\",\"AGE\":5e1,\"EDU\":4,\"mark\":\".5\"}",
                Ok(&["1", "2"]),
            ),
            (
                "members, groups and features",
                JSON,
                b"{\"groups\":{\"SEX\":\"1\",\"AGE\":20},\"features\":{\"EDU\":3,\"mark\":1},\"SEX\":null}\n",
                Ok(&["1"]),
            ),
            (
                "texts are not trimmed, truth values are texts",
                JSON,
                b"{\"SEX\":\" 1\",\"AGE\":20,\"EDU\":3,\"mark\":1}\n{\"SEX\":true,\"AGE\":20,\"EDU\":3,\"mark\":1}\n{\"SEX\":1,\"AGE\":\"20 \",\"EDU\":3,\"mark\":1}\n",
                Err(&[1, 2, 3]),
            ),
            (
                "blank lines, a mark, carriage returns",
                JSON,
                b"\xef\xbb\xbf{\"SEX\":1,\"AGE\":20,\"EDU\":3,\"mark\":1}\r\n\n \t\r\n{\"SEX\":2,\"AGE\":20,\"mark\":1} \r\n",
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
                b"{\"SEX\":1,\"AGE\":20,\"EDU\":3,\"mark\":1}\n{\"specversion\":\"1.0\",\"SEX\":1,\"AGE\":20,\"EDU\":3,\"mark\":1}\n",
                Err(&[2]),
            ),
            (
                "members that are there twice, read or not",
                JSON,
                b"{\"SEX\":1,\"SEX\":1,\"AGE\":20,\"EDU\":3,\"mark\":1}\n{\"SEX\":1,\"AGE\":20,\"EDU\":3,\"mark\":1,\"x\":1,\"x\":2}\n{\"SEX\":1,\"AGE\":20,\"EDU\":3,\"mark\":1,\"y\":{\"x\":1,\"x\":2}}\n",
                Err(&[1, 2, 3]),
            ),
            (
                "Latin-1, anywhere",
                JSON,
                b"{\"SEX\":1,\"AGE\":20,\"EDU\":3,\"mark\":1,\"name\":\"Jos\xe9\"}\n",
                Err(&[1]),
            ),
            (
                "no object, a list where a cell should be, half a character",
                JSON,
                b"[1]\n{\"SEX\":[1],\"AGE\":20,\"EDU\":3,\"mark\":1}\n{\"SEX\":1,\"AGE\":20,\"EDU\":3,\"mark\":1}\n{\"SEX\":1,\"AGE\":20,\"EDU\":3,\"mark\":1,\"x\":\"\\ud800\"}\n{\"SEX\":1",
                Err(&[1, 2, 4, 5]),
            ),
            (
                "members that are not there",
                JSON,
                b"{\"SEX\":1,\"AGE\":20,\"EDU\":3,\"mark\":1}\n{\"sex\":1,\"AGE\":20,\"mark\":1}\n{\"SEX\":1,\"mark\":null,\"AGE\":20}\n",
                Err(&[2, 3]),
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
    // Where the column is named it must be there; an envelope's own name stands for a member `id`.
    assert_alike(&[cases[0], cases[2], cases[3], cases[4]], "id = \"id\"");
    let blank = line("\"id\":\"ann\",") + &line("\"id\":\"\",") + &line("");
    assert_alike(
        &[("blank or not there", JSON, blank.as_bytes(), Err(&[2, 3]))],
        "id = \"id\"",
    );
    let named = b"{\"SERIAL\":12,\"id\":1,\"SEX\":1,\"AGE\":20,\"EDU\":3,\"mark\":1}\n{\"id\":2,\"SEX\":1,\"AGE\":20,\"mark\":1}\n";
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
