//! A first config of a live run: people from outside, as they come.

use std::collections::BTreeMap;

use super::draft::{Draft, key, table, text};
use super::roles::Roles;
use super::sheet::Sheet;

/// The way by which people come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doorway {
    /// Posted to an address.
    Http,
    /// A line each on the standard input.
    Stdin,
    /// A line each over a TCP connection.
    Tcp,
}

/// Attributes and their values where no sample of people shows them.
const PLACEHOLDERS: [(&str, &[&str]); 2] = [
    ("gender", &["F", "M", "X"]),
    ("age", &["18-34", "35-59", "60+"]),
];

/// The config of a live run; its attributes are those of a sample of people where there is one.
#[must_use]
pub fn live(doorway: Doorway, sample: Option<(&Sheet, &Roles)>) -> Draft {
    let mut draft = Draft::default();
    draft.key(
        "name",
        &text("a first live run"),
        "the title of the board and of pages",
    );
    draft.key("seed", "1", "the seed of every draw");
    draft.section("[source]");
    source(&mut draft, doorway);
    let attributes = attributes(sample);
    draft.section("[source.attributes]");
    draft
        .comment("What records say of people: {\"id\": \"ann\", \"groups\": {\"gender\": \"F\"}}.");
    for (name, values) in &attributes {
        let names = values.iter().map(|value| (value.clone(), text(value)));
        let column = [
            ("column".to_owned(), text(name)),
            ("values".into(), table(names)),
        ];
        draft.key(
            &key(name),
            &table(column),
            "the member, and the values that it may have",
        );
    }
    draft.section("[target]");
    for (name, values) in &attributes {
        draft.key(
            &key(name),
            &table(even(values)),
            "the share of the selected",
        );
    }
    draft.assume("the target gives each value of an attribute the same share");
    draft.assume("there are 30 places");
    draft.rest(include_str!("template/live.toml"), &[]);
    draft
}

/// Writes where people come from.
fn source(draft: &mut Draft, doorway: Doorway) {
    match doorway {
        Doorway::Http => {
            draft.key(
                "type",
                &text("http"),
                "people are posted to /v1/candidates or /v1/decisions",
            );
            draft.key("address", &text("127.0.0.1:8090"), "where klero listens");
        }
        Doorway::Stdin => draft.key(
            "type",
            &text("stdin"),
            "a JSON record or a row of CSV a line",
        ),
        Doorway::Tcp => {
            draft.key(
                "type",
                &text("tcp"),
                "a JSON record a line, answered line by line",
            );
            draft.key("address", &text("127.0.0.1:8091"), "where klero listens");
        }
    }
}

/// Attributes and their values: of a sample, else placeholders.
fn attributes(sample: Option<(&Sheet, &Roles)>) -> BTreeMap<String, Vec<String>> {
    let of_sample = sample.into_iter().flat_map(|(sheet, roles)| {
        roles.attributes.iter().filter_map(|attribute| {
            let column = &sheet.columns[attribute.column];
            let values = column.categories()?.iter().map(|(value, _)| value.clone());
            Some((column.name.clone(), values.collect()))
        })
    });
    let of_sample: BTreeMap<String, Vec<String>> = of_sample.collect();
    if !of_sample.is_empty() {
        return of_sample;
    }
    let placeholder = |(name, values): (&str, &[&str])| {
        (
            name.to_owned(),
            values.iter().map(|value| (*value).to_owned()).collect(),
        )
    };
    PLACEHOLDERS.into_iter().map(placeholder).collect()
}

/// The same share for each value, to three digits; the first takes what rounding leaves.
fn even(values: &[String]) -> Vec<(String, String)> {
    let each = 1000 / values.len();
    let share = |at: usize| match at {
        0 => 1000 - each * (values.len() - 1),
        _ => each,
    };
    let written =
        |(at, value): (usize, &String)| (value.clone(), format!("{}", share(at) as f64 / 1000.0));
    values.iter().enumerate().map(written).collect()
}
