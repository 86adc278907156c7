//! The checks of `[feedback]` against the people and the rules.

use super::parts::Parts;
use super::sections::Sections;
use crate::config::context::Built;
use crate::config::feedback::Replies;
use crate::config::outcomes::{OutcomeColumn, OutcomeKind, OutcomeSection};
use crate::config::plan::{Merits, RecordedOutcomes, World};
use crate::document::Field;

/// The people, and the answers that they give.
fn answered<'s, 'a>(sections: &'s Sections<'a>) -> Option<(&'s Built, &'s Replies<'a>)> {
    let Parts { world, answers, .. } = &sections.parts;
    world.as_ref().zip(answers.as_ref().is())
}

/// The people, and the outcomes that come of choosing them.
fn with_outcomes<'s, 'a>(
    sections: &'s Sections<'a>,
) -> Option<(&'s Built, &'s OutcomeSection<'a>)> {
    sections.parts.world.as_ref().zip(sections.parts.outcome())
}

/// Refuses answers drawn around merits that people do not have.
pub(super) fn have_merits(sections: &Sections<'_>) -> Option<String> {
    let (world, answers) = answered(sections)?;
    if answers.of_merit && !world.merits.exist() {
        sections.parts.fields.feedback.refuse(
            "looks and outcomes tell what people are worth, and those of this \
             source are worth nothing in particular",
            "leave out [feedback], take a source of type \"linear_groups\" or \
             \"arms\", or give a file utility = \"COLUMN\", or [source.features] \
             and [source.reward]",
        );
    }
    None
}

/// Refuses reports on people who come from no feed.
pub(super) fn are_reported(sections: &Sections<'_>) -> Option<String> {
    let (world, outcomes) = with_outcomes(sections)?;
    if outcomes.is_reported() && world.feed.is_none() {
        sections.parts.fields.feedback.refuse(
            "nothing reports what becomes of people who come from no feed",
            "leave out [feedback.outcome], or take a source of type \"http\", \
             \"stdin\", \"tcp\" or \"tape\"",
        );
    }
    None
}

/// Refuses a column of outcomes of people who come from no file, and notes what the column says.
pub(super) fn are_recorded(sections: &Sections<'_>) -> Option<String> {
    let (world, outcomes) = with_outcomes(sections)?;
    if let (Some(column), None) = (outcomes.column(), &world.outcomes) {
        column.unheld(world);
    }
    world.outcomes.map(|record| recorded(&record, outcomes))
}

/// Refuses tosses whose chances are none.
pub(super) fn are_chances(sections: &Sections<'_>) -> Option<String> {
    let (world, outcomes) = with_outcomes(sections)?;
    if let OutcomeKind::Bernoulli = outcomes.kind {
        chances(&world.merits, &outcomes.field);
    }
    None
}

/// Refuses a replay of reviews that the source does not have, and notes reviews that are not used.
pub(super) fn are_replayed(sections: &Sections<'_>) -> Option<String> {
    let Parts { world, answers, .. } = &sections.parts;
    let world = world.as_ref()?;
    let replays = answers.as_ref().is().is_some_and(|answers| answers.replays);
    if replays && !world.records {
        sections.parts.fields.feedback.refuse(
            "recorded_looks replays what reviewers said, and this source \
             has no record of it",
            "set type = \"gaussian_looks\", take a source of type \
             \"admissions\", or name the columns of a file: reviews = \
             [\"first_review\", \"second_review\"] in [source]",
        );
    }
    (world.records && !replays && !answers.is_bad()).then(|| {
        "the recorded reviews are not used: [feedback.interview] is not of type \
         \"recorded_looks\""
            .into()
    })
}

/// Refuses interviews that are answered and not sold, or sold and not answered.
pub(super) fn are_sold(sections: &Sections<'_>) -> Option<String> {
    let Parts {
        answers, fields, ..
    } = &sections.parts;
    let rules = &sections.parts.rules.as_ref()?.rules;
    let looks = answers.as_ref().is();
    let are_answered = looks.is_some_and(|answers| answers.looks.is_some());
    match (are_answered, !rules.interviews.is_empty()) {
        (true, false) => fields.feedback.refuse(
            "interviews are answered here, and the rules sell none",
            "set interviews = [{ name = \"weak\", cost = 1, gain = 1 }] in [rules], or \
             leave out [feedback.interview]",
        ),
        (false, true) if !answers.is_bad() => fields.rules.refuse(
            "the rules sell interviews, and nothing answers them",
            "for example: [feedback.interview] with type = \"gaussian_looks\" and sd = 0.1",
        ),
        _ => {}
    }
    None
}

impl OutcomeColumn<'_> {
    /// Refuses a column of people who come from no file.
    fn unheld(&self, world: &World) {
        let help = match world.feed {
            Some(_) => {
                "take the recording as a file: type = \"file\" in [source]; or have outcomes \
                 reported: [feedback.outcome] with type = \"reported\""
            }
            None => "take a source of type \"file\", or draw outcomes: type = \"linear\"",
        };
        let what = format!(
            "a column of recorded outcomes, `{}`, of people who come from no file",
            self.name
        );
        self.field.refuse(what, help);
    }
}

/// Refuses chances that are none.
fn chances(merits: &Merits, field: &Field<'_>) {
    let (what, help) = match merits {
        Merits::Known(utilities) if is_chance(utilities.range()) => return,
        &Merits::Within(least, most) if is_chance((least, most)) => return,
        Merits::Within(..) => (
            "what people are worth is the chance of a good outcome, and it need not lie between 0 \
             and 1",
            "take a law between 0 and 1, such as beta, or draw outcomes around it: type = \
             \"linear\" and noise = 0.2",
        ),
        Merits::Known(_) => (
            "what people are worth is the chance of a good outcome, and not all of it lies \
             between 0 and 1",
            "scale it in the file, or draw outcomes around it: type = \"linear\" and noise = 0.2",
        ),
        Merits::Drawn => (
            "what people are worth is the chance of a good outcome, and what this source draws \
             need not lie between 0 and 1",
            "take a file with utility = \"COLUMN\", arms with a list of means, or people with a merit \
             of law beta, or draw outcomes \
             around it: type = \"linear\" and noise = 0.2",
        ),
        // That it is missing is noted.
        Merits::None => return,
    };
    field.refuse(what, help);
}

fn is_chance((least, most): (f64, f64)) -> bool {
    0.0 <= least && most <= 1.0
}

/// Returns the note on recorded outcomes.
fn recorded(record: &RecordedOutcomes, outcomes: &OutcomeSection<'_>) -> String {
    let name = outcomes.column().map_or("", |column| &column.name);
    let people = record.people;
    let good = match (outcomes.good, record.good()) {
        (Some(_), _) => "",
        (None, Some(_)) => "; 1 is good, as the config does not say otherwise",
        (None, None) => "; which are good is not said, so error rates are not measured",
    };
    format!("recorded outcomes, of `{name}`: people who have one: {people}{good}")
}
