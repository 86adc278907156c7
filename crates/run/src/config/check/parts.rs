//! The sections on the people and the rules, and the checks across them.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::head::Head;
use crate::config::context::{Built, Context};
use crate::config::dropout::Members;
use crate::config::feedback::{self, FEEDBACK, Replies};
use crate::config::inputs::ConfigInputs;
use crate::config::keys::{RULES, SOURCE, TARGET};
use crate::config::offers::{self, OffersSection, YIELD};
use crate::config::outcomes::OutcomeSection;
use crate::config::pool::{self, POOL};
use crate::config::rules::{self, RulesSection, Slate};
use crate::config::sources;
use crate::config::target::{self, Wanted};
use crate::document::{Field, Reader};
use crate::registry::Registry;
use kleroterion_core::pool::Dynamics;
use kleroterion_core::problem::Given;
use kleroterion_core::protocol::{Schema, Until};
use kleroterion_stats::sequence::Range;

/// The sections, as far as they could be read, and the fields they were read from.
pub(super) struct Parts<'a> {
    pub(super) rules: Option<RulesSection<'a>>,
    pub(super) rules_field: Field<'a>,
    pub(super) wanted: Given<Wanted>,
    pub(super) target_field: Field<'a>,
    pub(super) pool: Given<Dynamics>,
    pub(super) world: Option<Built>,
    /// True if the source could not be read and is relative to the target.
    pub(super) is_target_missed: bool,
    pub(super) answers: Given<Replies<'a>>,
    pub(super) offers: Given<OffersSection>,
    pub(super) feedback_field: Field<'a>,
}

impl<'a> Parts<'a> {
    /// Reads the sections; what is wrong within one is noted.
    pub(super) fn read(registry: &Registry, top: &mut Reader<'a>, inputs: &ConfigInputs) -> Self {
        let rules_field = RULES.field(top);
        let rules = RULES.reader(&rules_field).and_then(rules::read);
        let target_field = TARGET.field(top);
        let members = members(rules.as_ref());
        let wanted = TARGET.section(top, |table| target::read(table, inputs, members));
        let wish = POOL.section(top, |table| pool::wish(table, registry.pools()));
        let source = SOURCE.field(top);
        let feedback_field = FEEDBACK.field(top);
        let answers = FEEDBACK.section(top, |table| {
            feedback::read(table, registry.interview_kinds(), registry.outcome_kinds())
        });
        let outcomes = answers.as_ref().is().and_then(|all| all.outcomes.as_ref());
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
        let world = source
            .table()
            .and_then(|table| sources::world(table, registry.sources(), &context));
        if let Some(world) = &world {
            check_names(&world.schema, &source);
        }
        // A source that is relative to the target has said that there is none.
        let is_target_missed = world.is_none() && source.table().is_some_and(sources::needs_target);
        let known = world.as_ref().map(|world| (&*world.schema, &world.known));
        let pool = wish.and_then(|wish| wish.read(known));
        Self {
            rules,
            rules_field,
            wanted,
            target_field,
            pool,
            world,
            is_target_missed,
            answers,
            offers: Given::Absent,
            feedback_field,
        }
    }

    /// Returns true if outcomes are reported from outside.
    pub(super) fn is_reported(&self) -> bool {
        let answers = self.answers.as_ref().is();
        let outcomes = answers.and_then(|answers| answers.outcomes.as_ref());
        outcomes.is_some_and(OutcomeSection::is_reported)
    }

    /// The people whom the source brings, as far as it could be read.
    pub(super) fn people<'s>(
        &'s self,
        source: Field<'s>,
        inputs: &'s ConfigInputs,
    ) -> Option<Members<'s>> {
        let world = self.world.as_ref()?;
        Some(Members {
            schema: &world.schema,
            respondents: world.known.respondents.as_deref(),
            rows: world.file.as_ref().map_or(&[], |file| &file.rows),
            source,
            inputs,
        })
    }

    /// Reads `[yield]`, and gives the rules what it says of places that are declined.
    pub(super) fn settle_offers(&mut self, top: &mut Reader<'_>, inputs: &ConfigInputs) {
        let field = YIELD.field(top);
        let people = self.people(SOURCE.param.again(top), inputs);
        self.offers = YIELD.section(top, |table| offers::read(table, people.as_ref()));
        let offers = self.offers.as_ref().is();
        let refill = offers.is_some_and(|offers| offers.refill);
        let answers = self.answers.as_ref().is();
        if offers.is_some_and(OffersSection::are_people)
            && answers.is_some_and(Replies::asks_programs)
        {
            field.refuse(
                "people say whether they take their places, and a program answers the rest",
                "have people or a draw do both, or leave `type` out of [yield]",
            );
        }
        let Some(rules) = &mut self.rules else {
            return;
        };
        rules.rules.refill = refill;
        if rules.enforce && field.is_given() {
            field.refuse(
                "who is chosen may decline, so no choice is sure to keep the quotas",
                "leave `enforce` out of [rules]; `quotas_kept` and `seats_off` count what is missed",
            );
        }
    }

    /// The size of the committee, if there is one.
    pub(super) fn members(&self) -> Option<u64> {
        members(self.rules.as_ref())
    }

    /// Refuses replications that would all be the same.
    pub(super) fn check_replications(&self, head: &Head<'_>, notes: &mut Vec<String>) {
        let Some(world) = self.world.as_ref().filter(|_| head.is_repeated()) else {
            return;
        };
        if world.feed.is_some() {
            head.place.refuse(
                "people come from outside once, so there is one replication",
                "set replications = 1; to repeat a run over the same people, record \
                 them and take the file",
            );
        } else if world.fixed && !head.is_noise_only && !self.answers.is_bad() {
            let answers = self.answers.as_ref().is();
            if answers.is_some_and(Replies::is_random) || !self.offers.is_absent() {
                notes.push(
                    "the people come in the file's own order, so replications differ by \
                     what is drawn of looks, offers and outcomes, and by the policies' luck"
                        .into(),
                );
            } else {
                head.place.refuse(
                    "the people come in the file's own order, so every replication \
                     would be the same",
                    "set replications = 1, order = \"shuffled\" or \"resampled\", or \
                     policy_noise_only = true to repeat the policies' own randomness \
                     alone",
                );
            }
        }
    }

    /// Gives the names of the lanes to a feed whose records report outcomes.
    pub(super) fn ask_for_outcomes(&mut self, labels: Option<&[String]>) {
        let is_reported = self.is_reported();
        let answers = self.answers.as_ref().is();
        if is_reported
            && let (Some(world), Some(labels)) = (&mut self.world, labels)
            && let Some(feed) = &mut world.world.feed
        {
            let declared = answers.and_then(|answers| answers.outcomes.as_ref()?.declared());
            feed.outcome_range = declared.map(Range::ends);
            feed.horizon = answers.and_then(|answers| answers.outcomes.as_ref()?.horizon());
            feed.outcomes = Some(labels.iter().map(|label| Arc::from(&**label)).collect());
        }
    }
}

fn members(rules: Option<&RulesSection<'_>>) -> Option<u64> {
    match rules?.rules.until {
        Until::Accepted(members) => Some(members),
        Until::Rounds(_) | Until::SourceEnds => None,
    }
}

/// Notes attributes and values, or features, that results would call by one name.
fn check_names(schema: &Schema, source: &Field<'_>) {
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
    let mut features: BTreeMap<&str, ()> = BTreeMap::new();
    for feature in schema.features() {
        if features.insert(feature, ()).is_some() {
            source.refuse(
                format!("two features have the name `{feature}`"),
                "rename the column of one, or leave it out of [source.features]",
            );
        }
    }
}
