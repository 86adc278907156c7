//! `[rules]`.

use super::{Field, Reader};
use crate::protocol::{Choose, Rules, Until};

/// The rules, and what the source must know of them.
pub(super) struct Setting<'a> {
    pub(super) rules: Rules,
    /// How many persons make a slate.
    pub(super) slate: u32,
    pub(super) unique: Option<Unique<'a>>,
}

/// The columns that together name a household, of which at most one is accepted.
pub(super) struct Unique<'a> {
    pub(super) columns: Vec<String>,
    field: Field<'a>,
}

impl Unique<'_> {
    /// Notes that a source has no such columns.
    pub(super) fn refuse(&self, source: &str) {
        self.field.refuse(
            format!("`unique` names columns of a file, and a {source} source has none"),
            "leave it out, or take the people from a file",
        );
    }
}

/// A lane that is not done after so many rounds is stalled, where the config sets no other number.
const MAX_ROUNDS: u64 = 10_000_000;

pub(super) fn read(mut table: Reader<'_>) -> Option<Setting<'_>> {
    let slate = table.get("slate").whole_in(1..=1_000_000);
    let slate_given = table.get("slate").is_given();
    let choose = choose(&table.need("choose", "choose = \"at_most_one\""));
    let until = until(&table.need("until", "until = { accepted = 150 }"));
    let max_rounds = table.get("max_rounds").whole_in(1..);
    if let (Some(Until::Rounds(rounds)), Some(most)) = (until, max_rounds)
        && most < rounds
    {
        table.get("max_rounds").refuse(
            format!("max_rounds = {most} comes before the end, until = {{ rounds = {rounds} }}"),
            "raise max_rounds or leave it out",
        );
    }
    let unique = table.get("unique");
    let (unique_given, unique) = (unique.is_given(), households(unique));
    table.finish();
    if unique_given && unique.is_none() {
        return None;
    }
    if slate_given && slate.is_none() {
        return None;
    }
    let mut rules = Rules::new(choose?, until?);
    rules.max_rounds = match rules.until {
        Until::Rounds(rounds) => max_rounds.unwrap_or(rounds),
        Until::Accepted(_) => max_rounds.unwrap_or(MAX_ROUNDS),
        Until::SourceEnds => max_rounds.unwrap_or(u64::MAX),
    };
    Some(Setting {
        rules,
        slate: slate.unwrap_or(1) as u32,
        unique,
    })
}

fn households(field: Field<'_>) -> Option<Unique<'_>> {
    let columns = field.texts()?;
    let repeated = |(at, column): (usize, &String)| columns[..at].contains(column);
    if columns.is_empty() {
        field.refuse(
            "`unique` names no column",
            "for example: unique = [\"address\", \"postcode\"]",
        );
    } else if columns.iter().enumerate().any(repeated) {
        field.refuse("`unique` names a column twice", "name each column once");
    } else {
        return Some(Unique { columns, field });
    }
    None
}

fn choose(field: &Field<'_>) -> Option<Choose> {
    let words = ["at_most_one", "exactly_one", "any"];
    let count = |field: &Field<'_>| field.whole_in(1..=1_000_000).map(|k| k as u32);
    match field.form(&words, &["at_most", "exactly", "share"])? {
        ("at_most_one", _) => Some(Choose::AtMost(1)),
        ("exactly_one", _) => Some(Choose::Exactly(1)),
        ("any", _) => Some(Choose::Any),
        ("at_most", field) => count(&field).map(Choose::AtMost),
        ("exactly", field) => count(&field).map(Choose::Exactly),
        (_, field) => field.probability().map(Choose::Share),
    }
}

fn until(field: &Field<'_>) -> Option<Until> {
    match field.form(&["source_ends"], &["accepted", "rounds"])? {
        ("accepted", field) => field.whole_in(1..).map(Until::Accepted),
        ("rounds", field) => field.whole_in(1..).map(Until::Rounds),
        _ => Some(Until::SourceEnds),
    }
}
