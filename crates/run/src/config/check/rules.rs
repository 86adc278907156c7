//! The rules, joined with what other sections say of them.

use crate::config::by_value::by_value;
use crate::config::context::Built;
use crate::config::feedback::Replies;
use crate::config::offers::OffersSection;
use crate::config::quota;
use crate::config::rules::{InterviewRead, RulesSection};
use crate::document::Field;
use kleroterion_core::problem::Given;
use kleroterion_core::protocol::{Attribute, Delay, Gain, InterviewKind, Quota, Rules, Until};
use kleroterion_core::source::population::ByValue;

/// The rules of every lane, and the section that they are from.
pub(super) struct Ruled<'a> {
    pub(super) rules: Rules,
    pub(super) section: RulesSection<'a>,
    /// The quotas of the rules, with a row for each attribute of the schema.
    pub(super) quotas: Given<Vec<Vec<Quota>>>,
}

impl<'a> Ruled<'a> {
    /// Joins the section with the people, the answers that they give and the places that they may
    /// decline. `None` if an interview is wrong, which is noted.
    pub(super) fn of(
        section: RulesSection<'a>,
        world: Option<&Built>,
        answers: Option<&Replies<'_>>,
        offers: Option<&OffersSection>,
    ) -> Option<Self> {
        let schema = world.map(|world| &*world.schema);
        let attributes = schema.map(|schema| schema.attributes());
        let tosses = answers.is_some_and(|answers| answers.tosses);
        let kinds = section.interviews.iter();
        // Each is read, so that all that is wrong is noted.
        let kinds: Vec<_> = kinds.map(|kind| sold(kind, attributes, tosses)).collect();
        let quotas = quota::read(&section, schema);
        let enforced = quotas.clone().filter(|_| section.enforce);
        let rules = Rules {
            interviews: kinds.into_iter().collect::<Option<_>>()?,
            refill: offers.is_some_and(|offers| offers.refill),
            enforced: enforced.unwrap_or_default(),
            delay: answers.map_or(Delay::Fixed(0), Replies::delay),
            ..section.written.clone()
        };
        Some(Self {
            rules,
            quotas: Given::of(section.quota.is_given(), quotas),
            section,
        })
    }
}

/// The size of the committee, if the rules fill one.
pub(super) fn members(rules: &Rules) -> Option<u64> {
    match rules.until {
        Until::Accepted(members) => Some(members),
        Until::Rounds(_) | Until::SourceEnds => None,
    }
}

/// A kind of interview. What it reveals may depend on the people.
fn sold(
    read: &InterviewRead<'_>,
    attributes: Option<&[Attribute]>,
    tosses: bool,
) -> Option<InterviewKind> {
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
    Some(InterviewKind {
        name: read.name.to_owned(),
        cost: read.cost,
        gain,
    })
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
