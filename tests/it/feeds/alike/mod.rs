//! One reading of people as text: the same bytes give the same people as a file and as a feed.

mod json;
mod separated;

use std::io::{self, Write};
use std::sync::Arc;

use kleroterion::config::{Document, Plan, check};
use kleroterion::draw::Key;
use kleroterion::feed::{CandidateRecord, Item, Pipe};
use kleroterion::problem::{Place, Problems};
use kleroterion::protocol::Schema;
use tempfile::TempDir;

use crate::feeds::recorder::Running;

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
    let spec = plan.world.feed.clone().unwrap();
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
            _ => unreachable!("a feed of records brings records"),
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
