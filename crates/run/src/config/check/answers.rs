//! Checks of interviews and outcomes against the rules and the source.

use std::sync::Arc;

use super::parts::Parts;
use crate::config::by_value::by_value;
use crate::config::outcomes::{OutcomeColumn, OutcomeKind, OutcomeSection};
use crate::config::plan::{Merits, OutcomePlan, OutcomeReach, RecordedOutcomes, World};
use crate::config::rules::InterviewRead;
use crate::document::Field;
use kleroterion_core::feedback::{AnsweredBy, Flipped};
use kleroterion_core::problem::Given;
use kleroterion_core::protocol::{Fact, Gain, InterviewKind};
use kleroterion_core::score::GoodOutcome;
use kleroterion_core::source::population::ByValue;
use kleroterion_stats::sequence::Range;

impl Parts<'_> {
    /// Refuses outcomes that nothing reports or records, and looks at people who are worth nothing.
    pub(super) fn check_feedback(&self, notes: &mut Vec<String>) {
        let (Some(world), Some(answers)) = (&self.world, self.answers.as_ref().is()) else {
            return;
        };
        if answers.of_merit && !world.merits.exist() {
            self.feedback_field.refuse(
                "looks and outcomes tell what people are worth, and those of this \
                 source are worth nothing in particular",
                "leave out [feedback], take a source of type \"linear_groups\" or \
                 \"arms\", or give a file utility = \"COLUMN\", or [source.features] \
                 and [source.reward]",
            );
        }
        let Some(outcomes) = &answers.outcomes else {
            return;
        };
        match &outcomes.kind {
            OutcomeKind::Reported(..) if world.feed.is_none() => self.feedback_field.refuse(
                "nothing reports what becomes of people who come from no feed",
                "leave out [feedback.outcome], or take a source of type \"http\", \
                 \"stdin\", \"tcp\" or \"tape\"",
            ),
            OutcomeKind::Recorded(column) if world.outcomes.is_none() => column.unheld(world),
            OutcomeKind::Bernoulli => chances(&world.merits, &outcomes.field),
            _ => {}
        }
        notes.extend(world.outcomes.map(|record| recorded(&record, outcomes)));
    }

    /// Lets outcomes be reported wrong, where the config says how likely.
    pub(super) fn flip_outcomes(&mut self) {
        let attributes = self.world.as_ref().map(|world| world.schema.attributes());
        let answers = self.answers.as_ref().is();
        let flip = answers.and_then(|answers| answers.outcomes.as_ref()?.flip.clone());
        let Some(flip) = flip else {
            return;
        };
        let read = by_value(&flip, attributes, |rate| rate.probability());
        let (attribute, rates) = match read {
            Some(ByValue::All(rate)) => (None, vec![rate]),
            Some(ByValue::Each { attribute, of }) => (Some(attribute), of),
            None => return,
        };
        if let Given::Is(answers) = &mut self.answers
            && let Some(AnsweredBy::Drawn(inner)) = answers.feedback.outcomes.take()
        {
            answers.feedback.outcomes = Some(AnsweredBy::Drawn(Arc::new(Flipped {
                inner,
                attribute,
                rates,
            })));
        }
    }

    /// Returns the facts on outcomes that measures depend on, if the config has outcomes.
    pub(super) fn outcomes(&self) -> Option<OutcomePlan> {
        let outcomes = self.answers.as_ref().is()?.outcomes.as_ref()?;
        let world = self.world.as_ref()?;
        let unit = (0.0, 1.0);
        let (range, good) = match &outcomes.kind {
            OutcomeKind::Linear(_) => (None, None),
            OutcomeKind::Own(own) => (own.range.map(Range::ends), None),
            OutcomeKind::Bernoulli => (Some(unit), Some(GoodOutcome::AtLeast(1.0))),
            OutcomeKind::Recorded(column) => {
                let record = world.outcomes?;
                let declared = column.range.map(Range::ends);
                (Some(declared.unwrap_or(record.range)), record.good())
            }
            OutcomeKind::Reported(range, _) | OutcomeKind::Asked(_, range) => {
                (range.map(Range::ends), None)
            }
        };
        let is_unit = |range: (f64, f64)| unit.0 <= range.0 && range.1 <= unit.1;
        let reach = match outcomes.kind {
            OutcomeKind::Reported(..) => OutcomeReach::Reported,
            OutcomeKind::Asked(..) => OutcomeReach::Chosen,
            _ => OutcomeReach::All,
        };
        let scores = world.score_range.filter(|_| !outcomes.is_reported());
        Some(OutcomePlan {
            reach,
            is_scored: scores
                .zip(range)
                .is_some_and(|(a, b)| is_unit(a) && is_unit(b)),
            range,
            good: outcomes.good.or(good),
        })
    }

    /// Reads what interviews reveal, which may depend on the people.
    pub(super) fn set_gains(&mut self) {
        let attributes = self.world.as_ref().map(|world| world.schema.attributes());
        let Some(section) = &mut self.rules else {
            return;
        };
        let tosses = (self.answers.as_ref().is()).is_some_and(|answers| answers.tosses);
        let kind = |read: &InterviewRead<'_>| {
            let gain = |gain: &Field<'_>| match tosses {
                true => whole_tosses(gain),
                false => gain.positive(),
            };
            let gain = match by_value(&read.gain, attributes, gain)? {
                ByValue::All(gain) => Gain::Same(gain),
                ByValue::Each { attribute, of } => Gain::ByValue {
                    attribute,
                    of: of.into(),
                },
            };
            let name = read.name.to_owned();
            let cost = read.cost;
            Some(InterviewKind { name, cost, gain })
        };
        // Each is read, so that all that is wrong is noted.
        let kinds: Vec<Option<InterviewKind>> = section.interviews.iter().map(kind).collect();
        match kinds.into_iter().collect() {
            Some(kinds) => section.rules.interviews = kinds,
            None => self.rules = None,
        }
    }

    /// Writes the noise of looks and outcomes into what may be known of the world.
    pub(super) fn share_noise(&mut self, notes: &mut Vec<String>) {
        let answers = self.answers.as_ref().is();
        if let (Some(world), Some(answers)) = (&mut self.world, answers) {
            if let Some(noise) = answers.outcomes.as_ref().and_then(OutcomeSection::noise) {
                world.world.known.outcome_noise = Fact::Exact(noise);
            }
            if let Some(noise) = &answers.looks {
                world.world.known.look_noise = noise.clone();
                if answers.replays && !world.records {
                    self.feedback_field.refuse(
                        "recorded_looks replays what reviewers said, and this source \
                         has no record of it",
                        "set type = \"gaussian_looks\", take a source of type \
                         \"admissions\", or name the columns of a file: reviews = \
                         [\"first_review\", \"second_review\"] in [source]",
                    );
                }
            }
        }
        let are_replayed = answers.is_some_and(|answers| answers.replays);
        let are_recorded = self.world.as_ref().is_some_and(|world| world.records);
        if are_recorded && !are_replayed && !self.answers.is_bad() {
            notes.push(
                "the recorded reviews are not used: [feedback.interview] is not of type \
                 \"recorded_looks\""
                    .into(),
            );
        }
    }

    /// Joins the rules with what answers interviews and how late outcomes come.
    pub(super) fn settle_rules(&mut self, notes: &mut Vec<String>) {
        let Some(rules) = &mut self.rules else {
            return;
        };
        notes.append(&mut rules.notes);
        let answers = self.answers.as_ref().is();
        let are_answered = answers.is_some_and(|answers| answers.looks.is_some());
        let are_sold = !rules.rules.interviews.is_empty();
        if are_answered != are_sold && !self.answers.is_bad() {
            unanswered(are_answered, &self.feedback_field, &self.rules_field);
        }
        if let Some(answers) = answers {
            rules.rules.delay = answers.delay();
        }
    }
}

/// The gain of a look that is a number of tosses; that it is no whole number is noted.
fn whole_tosses(field: &Field<'_>) -> Option<f64> {
    let gain = field.positive()?;
    if gain.fract() == 0.0 {
        return Some(gain);
    }
    let (below, above) = (gain.floor(), gain.ceil());
    let nearest = match below > 0.0 {
        true => format!("{below} or {above}"),
        false => above.to_string(),
    };
    field.refused(
        format!(
            "a look of type \"bernoulli_looks\" is as many tosses as its gain says, and {gain} is \
             no whole number of them"
        ),
        format!(
            "set {nearest}, or type = \"gaussian_looks\" with sd = 0.5 in [feedback.interview]"
        ),
    )
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

/// Notes that interviews are answered but not for sale, or for sale but not answered.
fn unanswered(looks: bool, feedback: &Field<'_>, rules: &Field<'_>) {
    if looks {
        feedback.refuse(
            "interviews are answered here, and the rules sell none",
            "set interviews = [{ name = \"weak\", cost = 1, gain = 1 }] in [rules], or \
             leave out [feedback.interview]",
        );
    } else {
        rules.refuse(
            "the rules sell interviews, and nothing answers them",
            "for example: [feedback.interview] with type = \"gaussian_looks\" and sd = 0.1",
        );
    }
}
