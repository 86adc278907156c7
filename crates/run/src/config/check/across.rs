//! The checks of what holds across the sections of a config.

use std::collections::BTreeMap;

use super::parts::Parts;
use super::replies;
use super::sections::Sections;
use crate::config::feedback::Replies;

/// A check of what holds across sections, once each is read.
pub(crate) struct Check {
    /// The sentence that says what holds, for the page of keys.
    pub(crate) holds: &'static str,
    /// Notes problems at their places, and returns a note for readers of the run.
    pub(super) run: fn(&Sections<'_>) -> Option<String>,
}

/// The checks, in the order of their notes. None depends on another.
pub(crate) const CHECKS: [Check; 14] = [
    check(
        "Replications differ: in the people, in what is drawn, or in the policies' own randomness.",
        replications_differ,
    ),
    check(
        "Interviews and outcomes that are drawn around merits need people who have merits.",
        replies::have_merits,
    ),
    check(
        "Outcomes of type `reported` need a feed.",
        replies::are_reported,
    ),
    check(
        "Outcomes of type `recorded` need a file of people.",
        replies::are_recorded,
    ),
    check(
        "Outcomes of type `bernoulli` need merits between 0 and 1.",
        replies::are_chances,
    ),
    check(
        "Interviews of type `recorded_looks` need a source with reviews.",
        replies::are_replayed,
    ),
    check(
        "Interviews that [rules] sells are answered in [feedback.interview], and the reverse.",
        replies::are_sold,
    ),
    check(
        "Where people take or decline their places, no program answers the rest.",
        people_or_a_program,
    ),
    check(
        "Quotas are enforced only where all take their places.",
        are_kept,
    ),
    check(
        "No two values of attributes have one name in results.",
        values_differ,
    ),
    check("No two features have one name.", features_differ),
    check("Letters need a target.", letters_seek_quotas),
    check("Letters need a committee.", letters_seek_a_committee),
    check("A run has no [sweep].", is_one_run),
];

const fn check(holds: &'static str, run: fn(&Sections<'_>) -> Option<String>) -> Check {
    Check { holds, run }
}

/// Refuses replications that would all be the same.
fn replications_differ(sections: &Sections<'_>) -> Option<String> {
    let Parts {
        head,
        world,
        answers,
        offers,
        ..
    } = &sections.parts;
    let world = world.as_ref().filter(|_| head.is_repeated())?;
    if world.feed.is_some() {
        head.place.refuse(
            "people come from outside once, so there is one replication",
            "set replications = 1; to repeat a run over the same people, record \
             them and take the file",
        );
        return None;
    }
    if !world.fixed || head.is_noise_only || answers.is_bad() {
        return None;
    }
    if answers.as_ref().is().is_some_and(Replies::is_random) || !offers.is_absent() {
        return Some(
            "the people come in the file's own order, so replications differ by \
             what is drawn of looks, offers and outcomes, and by the policies' luck"
                .into(),
        );
    }
    head.place.refused(
        "the people come in the file's own order, so every replication \
         would be the same",
        "set replications = 1, order = \"shuffled\" or \"resampled\", or \
         policy_noise_only = true to repeat the policies' own randomness \
         alone",
    )
}

/// Refuses people who accept places where a program gives the other answers.
fn people_or_a_program(sections: &Sections<'_>) -> Option<String> {
    let Parts {
        answers, fields, ..
    } = &sections.parts;
    let answers = answers.as_ref().is()?;
    if sections.parts.asks_of_places() && answers.asks_programs() {
        fields.offers.refuse(
            "people say whether they take their places, and a program answers the rest",
            "have people or a draw do both, or leave `type` out of [yield]",
        );
    }
    None
}

/// Refuses enforced quotas of people who may decline.
fn are_kept(sections: &Sections<'_>) -> Option<String> {
    let Parts { rules, fields, .. } = &sections.parts;
    if rules.as_ref()?.section.enforce && fields.offers.is_given() {
        fields.offers.refuse(
            "who is chosen may decline, so no choice is sure to keep the quotas",
            "leave `enforce` out of [rules]; `quotas_kept` and `seats_off` count what is missed",
        );
    }
    None
}

/// Refuses attributes and values that results would call by one name.
fn values_differ(sections: &Sections<'_>) -> Option<String> {
    let source = &sections.parts.fields.source;
    let schema = &sections.parts.world.as_ref()?.schema;
    let mut met: BTreeMap<String, (&str, &str)> = BTreeMap::new();
    for attribute in schema.attributes() {
        for value in &attribute.values {
            let own = (attribute.name.as_str(), value.as_str());
            let name = format!("{}:{}", own.0, own.1);
            let Some(other) = met.insert(name.clone(), own) else {
                continue;
            };
            let (what, help) = if other == own {
                (
                    format!("the attribute {} has the value {} twice", own.0, own.1),
                    format!("rename one value of {}", own.0),
                )
            } else {
                (
                    format!(
                        "results would call two things `{name}`: the value {} of the attribute {}, and the value {} of the attribute {}",
                        other.1, other.0, own.1, own.0
                    ),
                    format!(
                        "rename one of them: write {:?} or {:?} without the colon",
                        if other.1.contains(':') {
                            other.1
                        } else {
                            other.0
                        },
                        if own.0.contains(':') { own.0 } else { own.1 },
                    ),
                )
            };
            source.refuse(what, help);
        }
    }
    None
}

/// Refuses features that results would call by one name.
fn features_differ(sections: &Sections<'_>) -> Option<String> {
    let source = &sections.parts.fields.source;
    let schema = &sections.parts.world.as_ref()?.schema;
    let mut features: BTreeMap<&str, ()> = BTreeMap::new();
    for feature in schema.features() {
        if features.insert(feature, ()).is_some() {
            source.refuse(
                format!("two features have the name `{feature}`"),
                "rename the column of one, or leave it out of [source.features]",
            );
        }
    }
    None
}

/// Refuses letters without quotas or shares to fill.
fn letters_seek_quotas(sections: &Sections<'_>) -> Option<String> {
    let section = &sections.recruits.letters;
    if is_without_aim(sections) && sections.parts.wanted.is_absent() {
        let help = "for example: [target] with categories = \"categories.csv\"";
        section.refuse(
            "letters are planned for quotas or shares: there are none",
            help,
        );
    }
    None
}

/// Refuses letters without a committee to fill.
fn letters_seek_a_committee(sections: &Sections<'_>) -> Option<String> {
    let section = &sections.recruits.letters;
    // The reason why a target could not be resolved has been noted.
    if is_without_aim(sections) && sections.seats.target.is_some() {
        let help = "for example: until = { accepted = 40 } in [rules]";
        section.refuse(
            "letters are planned for a committee: none is to be filled",
            help,
        );
    }
    None
}

/// Returns true if there are letters, and nothing that they could be planned for.
fn is_without_aim(sections: &Sections<'_>) -> bool {
    let Parts {
        world,
        wanted,
        rules,
        ..
    } = &sections.parts;
    let is_open = world.is_none() || wanted.is_bad() || rules.is_none();
    let recruits = &sections.recruits;
    recruits.letters.is_given() && !recruits.are_sought && !is_open
}

/// Refuses a sweep, which is of many runs.
fn is_one_run(sections: &Sections<'_>) -> Option<String> {
    if sections.sweep.is_given() {
        sections.sweep.refuse(
            "a sweep asks for many runs, and this is one of them",
            "sweep over other keys",
        );
    }
    None
}

#[cfg(test)]
mod tests;
