//! The treatment of people's values that the target does not name.

use super::plan::World;
use crate::document::{ConfigKey, Field};
use kleroterion_core::protocol::Attribute;
use kleroterion_io::people::table::PeopleTable;
use kleroterion_io::record::look::look_alike;

/// The most values, and the most lines, that a sentence lists.
const LISTED: usize = 12;

/// The treatment of people with values that the target does not name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Others {
    /// They stay, and that no rule will choose them is said.
    Allow,
    /// They are an error.
    Refuse,
}

pub(super) const OTHERS: ConfigKey<Others> = ConfigKey::word(
    "others",
    &[("allow", Others::Allow), ("refuse", Others::Refuse)],
)
.about("people with values that the target does not name");

impl Others {
    /// Says how many people have a value of an attribute that the target does not name, or refuses
    /// them; `named`: whether it names a value.
    pub(super) fn check(
        self,
        at: usize,
        named: impl Fn(&str) -> bool,
        (world, heads): (&World, Option<&Heads>),
        target: &Field<'_>,
        notes: &mut Vec<String>,
    ) {
        let Attribute { name, values } = &world.schema.attributes()[at];
        let unnamed = values.iter().enumerate();
        let unnamed: Vec<(usize, &String)> = unnamed.filter(|(_, value)| !named(value)).collect();
        let Some(heads) = heads else {
            if world.feed.is_some() && !unnamed.is_empty() {
                let list = unnamed.iter().map(|(_, value)| (*value).clone());
                notes.push(format!(
                    "{name}: the target does not name {}; no rule will choose people for it",
                    listed(list.collect())
                ));
            }
            return;
        };
        let mut met: Vec<(u64, usize, &String)> = unnamed
            .into_iter()
            .map(|(value, text)| (heads.counts[at][value], value, text))
            .filter(|(count, ..)| *count > 0)
            .collect();
        if met.is_empty() {
            return;
        }
        met.sort_by_key(|(count, value, _)| (std::cmp::Reverse(*count), *value));
        let count: u64 = met.iter().map(|(count, ..)| count).sum();
        let known: Vec<&str> = values.iter().map(String::as_str).collect();
        let list = met.iter().map(|(count, _, value)| {
            let look = look_alike(value, known.iter().copied().filter(|value| named(value)));
            let why = look.map_or_else(String::new, |(_, why)| format!(" ({why})"));
            format!("{value} {count}{why}")
        });
        let have = match count {
            1 => "person has",
            _ => "people have",
        };
        let sentence = format!(
            "{name}: {count} of {} {have} a value that the target does not name: {}",
            heads.people,
            listed(list.collect())
        );
        match self {
            Self::Allow => notes.push(format!("{sentence}; no rule will choose them for it")),
            Self::Refuse => {
                let of_value = |(_, value, _): &(_, usize, _)| heads.lines[at][*value].clone();
                let lines = first(met.iter().flat_map(of_value).collect(), count);
                target.refuse(
                    format!("{sentence} ({}, lines {lines})", heads.file),
                    "name the value in [target], leave these people out with `where` of [source], \
                     or set others = \"allow\"",
                );
            }
        }
    }
}

/// The first of the lines that people are on, in order, and a mark if there are more people.
fn first(mut lines: Vec<u64>, people: u64) -> String {
    lines.sort_unstable();
    lines.truncate(LISTED);
    let more = people > lines.len() as u64;
    let lines = lines.iter().map(u64::to_string);
    lines
        .chain(more.then(|| "…".into()))
        .collect::<Vec<_>>()
        .join(", ")
}

fn listed(mut texts: Vec<String>) -> String {
    if texts.len() > LISTED {
        let more = texts.len() - LISTED;
        texts.truncate(LISTED);
        texts.push(format!("and {more} more"));
    }
    texts.join(", ")
}

/// The counts of a file's people by their values.
pub(super) struct Heads {
    /// The file, as the config names it.
    pub(super) file: String,
    pub(super) people: u64,
    /// A row for each attribute.
    pub(super) counts: Vec<Vec<u64>>,
    /// The lines of the first of those who have it, in the same shape.
    pub(super) lines: Vec<Vec<Vec<u64>>>,
}

impl Heads {
    /// Counts the people of a table.
    pub(super) fn of(people: &PeopleTable, file: &str) -> Self {
        const LINES: usize = 20;
        let attributes = people.attributes().iter();
        let sizes: Vec<usize> = attributes.map(|(_, values)| values.len()).collect();
        let mut counts: Vec<Vec<u64>> = sizes.iter().map(|size| vec![0; *size]).collect();
        let mut lines: Vec<Vec<Vec<u64>>> = sizes.iter().map(|size| vec![vec![]; *size]).collect();
        for row in 0..people.len() {
            for (at, value) in people.values(row).iter().enumerate() {
                let value = usize::from(*value);
                counts[at][value] += 1;
                if lines[at][value].len() < LINES {
                    lines[at][value].push(people.line(row));
                }
            }
        }
        Self {
            file: file.to_owned(),
            people: people.len() as u64,
            counts,
            lines,
        }
    }
}
