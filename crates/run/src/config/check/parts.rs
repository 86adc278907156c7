//! The sections on the people and the rules, each read once.

use super::head::Head;
use super::rules::{Ruled, members};
use crate::config::by_value::by_value;
use crate::config::context::{Built, Context};
use crate::config::dropout::Members;
use crate::config::feedback::{self, FEEDBACK, Replies};
use crate::config::handed::HandedIn;
use crate::config::keys::{RULES, SOURCE, TARGET};
use crate::config::offers::{self, OffersSection, YIELD};
use crate::config::outcomes::OutcomeSection;
use crate::config::pool::{self, POOL};
use crate::config::rules::{self, Slate};
use crate::config::sources;
use crate::config::target::{self, Wanted};
use crate::document::{Field, Reader};
use crate::registry::Registry;
use kleroterion_core::feedback::{AnsweredBy, Answers, Flipped};
use kleroterion_core::pool::Dynamics;
use kleroterion_core::problem::Given;
use kleroterion_core::protocol::{Fact, Known};
use kleroterion_core::source::population::ByValue;
use std::sync::Arc;

/// The sections, as far as they could be read, and the fields they were read from.
pub(super) struct Parts<'a> {
    pub(super) head: Head<'a>,
    pub(super) rules: Option<Ruled<'a>>,
    pub(super) wanted: Given<Wanted>,
    pub(super) pool: Given<Dynamics>,
    pub(super) world: Option<Built>,
    /// True if the source could not be read and is relative to the target.
    pub(super) is_target_missed: bool,
    pub(super) answers: Given<Replies<'a>>,
    pub(super) offers: Given<OffersSection>,
    /// The sources of answers.
    pub(super) feedback: Answers,
    pub(super) fields: Fields<'a>,
}

/// The fields of the sections.
pub(super) struct Fields<'a> {
    pub(super) rules: Field<'a>,
    pub(super) target: Field<'a>,
    pub(super) source: Field<'a>,
    pub(super) feedback: Field<'a>,
    pub(super) offers: Field<'a>,
}

impl<'a> Parts<'a> {
    /// Reads the sections of the config in `file`. A problem within one is noted.
    pub(super) fn read(
        registry: &Registry,
        top: &mut Reader<'a>,
        file: &str,
        inputs: &HandedIn,
    ) -> Self {
        let head = Head::read(top, file);
        let fields = Fields {
            rules: RULES.field(top),
            target: TARGET.field(top),
            source: SOURCE.field(top),
            feedback: FEEDBACK.field(top),
            offers: YIELD.field(top),
        };
        let rules = RULES.reader(&fields.rules).and_then(rules::read);
        let members = rules.as_ref().and_then(|rules| members(&rules.written));
        let wanted = TARGET.section(top, |table| target::read(table, inputs, members));
        let wish = POOL.section(top, |table| pool::wish(table, registry.pools()));
        let answers = FEEDBACK.section(top, |table| {
            feedback::read(table, registry.interview_kinds(), registry.outcome_kinds())
        });
        let replies = answers.as_ref().is();
        let outcomes = replies.and_then(|all| all.outcomes.as_ref());
        let context = Context {
            inputs,
            outcome: outcomes.and_then(OutcomeSection::column),
            wanted: wanted.as_ref().is(),
            unread: wanted.is_bad(),
            slate: rules.as_ref().map_or(&Slate::Of(1), |rules| &rules.slate),
            ruled: rules.is_some(),
            pool: wish.as_ref().is(),
            unpooled: wish.is_bad(),
            unique: rules.as_ref().and_then(|rules| rules.unique.as_ref()),
        };
        let source = fields.source.table();
        let world = source.and_then(|table| sources::world(table, registry.sources(), &context));
        let world = world.map(|built| with_noise(built, replies));
        let is_target_missed =
            world.is_none() && fields.source.table().is_some_and(sources::needs_target);
        let known = world.as_ref().map(|world| (&*world.schema, &world.known));
        let pool = wish.and_then(|wish| wish.read(known));
        let people = people(world.as_ref(), &fields.source, inputs);
        let offers = YIELD.section(top, |table| offers::read(table, people.as_ref()));
        let taken = offers.as_ref().is();
        Self {
            head,
            rules: rules.and_then(|rules| Ruled::of(rules, world.as_ref(), replies, taken)),
            feedback: answered(world.as_ref(), replies, taken),
            wanted,
            pool,
            world,
            is_target_missed,
            answers,
            offers,
            fields,
        }
    }

    /// The people whom the source brings, as far as it could be read.
    pub(super) fn people<'s>(&'s self, inputs: &'s HandedIn) -> Option<Members<'s>> {
        people(self.world.as_ref(), &self.fields.source, inputs)
    }

    /// The content of `[feedback.outcome]`.
    pub(super) fn outcome(&self) -> Option<&OutcomeSection<'a>> {
        self.answers.as_ref().is()?.outcomes.as_ref()
    }

    /// Returns true if people take or decline their places while the run goes on.
    pub(super) fn asks_of_places(&self) -> bool {
        let offers = self.offers.as_ref().is();
        offers.is_some_and(OffersSection::are_people)
    }

    /// The size of the committee, if there is one.
    pub(super) fn members(&self) -> Option<u64> {
        members(&self.rules.as_ref()?.rules)
    }
}

fn people<'s>(
    world: Option<&'s Built>,
    source: &Field<'s>,
    inputs: &'s HandedIn,
) -> Option<Members<'s>> {
    let world = world?;
    Some(Members {
        schema: &world.schema,
        respondents: world.known.respondents.as_deref(),
        rows: world.file.as_ref().map_or(&[], |file| &file.rows),
        source: source.clone(),
        inputs,
    })
}

/// The world, of which policies may know the noise of answers too.
fn with_noise(built: Built, answers: Option<&Replies<'_>>) -> Built {
    let outcomes = answers.and_then(|answers| answers.outcomes.as_ref()?.noise());
    let looks = answers.and_then(|answers| answers.looks.clone());
    let Built { mut world, .. } = built;
    world.known = Known {
        outcome_noise: outcomes.map_or(world.known.outcome_noise, Fact::Exact),
        look_noise: looks.unwrap_or(world.known.look_noise),
        ..world.known
    };
    Built { world, ..built }
}

/// The sources of answers: those of `[feedback]`, whose outcomes may be reported wrong, and those of
/// `[yield]`.
fn answered(
    world: Option<&Built>,
    answers: Option<&Replies<'_>>,
    offers: Option<&OffersSection>,
) -> Answers {
    let answered = answers.map(|answers| answers.feedback.clone());
    let answered = answered.unwrap_or_default();
    let flip = answers.and_then(|answers| answers.outcomes.as_ref()?.flip.as_ref());
    let attributes = world.map(|world| world.schema.attributes());
    let flips = flip.and_then(|flip| by_value(flip, attributes, |rate| rate.probability()));
    Answers {
        outcomes: answered.outcomes.map(|who| match (who, flips) {
            (AnsweredBy::Drawn(inner), Some(flips)) => AnsweredBy::Drawn(Arc::new(match flips {
                ByValue::All(rate) => Flipped {
                    inner,
                    attribute: None,
                    rates: vec![rate],
                },
                ByValue::Each { attribute, of } => Flipped {
                    inner,
                    attribute: Some(attribute),
                    rates: of,
                },
            })),
            (who, _) => who,
        }),
        offers: offers.map(|offers| offers.replies.clone()),
        ..answered
    }
}
