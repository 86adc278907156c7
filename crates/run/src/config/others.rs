//! The treatment of people's values that the target does not name.

use super::heads::Heads;
use super::plan::World;
use crate::document::Field;
use kleroterion_core::protocol::Attribute;
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

impl Others {
    /// Reads the word.
    pub(super) fn read(field: &Field<'_>) -> Option<Self> {
        field.choice(&[("allow", Self::Allow), ("refuse", Self::Refuse)])
    }

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
                let list = unnamed.iter().map(|(_, value)| value.as_str());
                notes.push(format!(
                    "{name}: the target does not name {}; no rule will choose people for it",
                    listed(list.map(str::to_owned).collect())
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
        let known = || {
            values
                .iter()
                .map(String::as_str)
                .filter(|value| named(value))
        };
        let list = met.iter().map(|(count, _, value)| {
            let look = look_alike(value, known());
            let why = look.map_or_else(String::new, |(_, why)| format!(" ({why})"));
            format!("{value} {count}{why}")
        });
        let have = if count == 1 {
            "person has"
        } else {
            "people have"
        };
        let sentence = format!(
            "{name}: {count} of {} {have} a value that the target does not name: {}",
            heads.people,
            listed(list.collect())
        );
        match self {
            Self::Allow => notes.push(format!("{sentence}; no rule will choose them for it")),
            Self::Refuse => {
                let lines = met
                    .iter()
                    .flat_map(|(_, value, _)| &heads.lines[at][*value]);
                let mut lines: Vec<u64> = lines.copied().collect();
                lines.sort_unstable();
                let more = if count > lines.len().min(LISTED) as u64 {
                    ", …"
                } else {
                    ""
                };
                lines.truncate(LISTED);
                let lines: Vec<String> = lines.iter().map(u64::to_string).collect();
                target.refuse(
                    format!(
                        "{sentence} ({}, lines {}{more})",
                        heads.file,
                        lines.join(", ")
                    ),
                    "name the value in [target], leave these people out with `where` of [source], \
                     or set others = \"allow\"",
                );
            }
        }
    }
}

fn listed(mut texts: Vec<String>) -> String {
    if texts.len() > LISTED {
        let more = texts.len() - LISTED;
        texts.truncate(LISTED);
        texts.push(format!("and {more} more"));
    }
    texts.join(", ")
}
