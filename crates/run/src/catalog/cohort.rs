//! The policies of the cohort setting: their keys, the readers of their tables, and their entries.

use std::sync::Arc;

use super::aim::{AIMS, Aim, AimKind, NO_GROUPS, NOT_SAID, aim};
use super::forecast::{self, FORECAST};
use super::kind::PolicyKind;
use super::ready::Ready;
use super::sound::sound;
use crate::document::param::{Shape, TEXTS};
use crate::document::range::{BETWEEN_0_AND_1, NOT_NEGATIVE, POSITIVE, PROBABILITY};
use crate::document::{ConfigKey, Field, Later, Reader, Value};
use crate::{case, keys};
use kleroterion_core::brief::Brief;
use kleroterion_core::protocol::{Choose, Rules, Yields};
use kleroterion_policies::Policy;
use kleroterion_policies::cohort::{
    BoundaryParameters, BoundaryReviews, CohortForecast, Diverse, Expected, Informed, Objective,
    Quotas, RandomInterviews, Scope, Shuffled, StopRule, Strong, Swap, SwapParameters, Tiers, TopK,
    UniformInterviews,
};

pub(super) const DELTA: ConfigKey<f64> = ConfigKey::number("delta", BETWEEN_0_AND_1)
    .about("the chance of a wrong statement")
    .or(0.05);

const OBJECTIVE: ConfigKey<AimKind> = ConfigKey::word("objective", &AIMS)
    .about("what a cohort is worth")
    .or_word("top_k");

const COHORT_BY: ConfigKey<Later> = ConfigKey::later("by", Shape::OneOf(&[Shape::Text, TEXTS])).about("the attribute that makes the groups; of `diverse` also a list, whose combined values make them");

const SIGMA: ConfigKey<f64> = ConfigKey::number("sigma", NOT_NEGATIVE)
    .about("the noise of a look of gain 1")
    .or_from("the looks' own noise");

const STRONG_WORDS: [(&str, Strong); 3] = [
    ("paper", Strong::Paper),
    ("never", Strong::Never),
    ("always", Strong::Always),
];

const STRONG: ConfigKey<Strong> = ConfigKey::of(
    "strong",
    Shape::OneOf(&[Shape::Word(&STRONG_WORDS), Shape::Number(PROBABILITY)]),
    |field| match field.value()? {
        Value::Text(_) => field.choice(&STRONG_WORDS),
        _ => field.probability().map(Strong::Probability),
    },
)
.about("when a dearer look is bought")
.or_word("paper");

const WITHIN: ConfigKey<f64> = ConfigKey::number("within", NOT_NEGATIVE).needed();

const STOP: ConfigKey<StopRule> = ConfigKey::form(
    "stop",
    &[("exact", StopRule::Exact), ("budget", StopRule::Budget)],
    &[case!(WITHIN, StopRule::Within)],
)
.about("when it stops")
.or_word("exact");

const SCOPE: ConfigKey<Scope> = ConfigKey::word(
    "scope",
    &[
        ("symmetric_difference", Scope::SymmetricDifference),
        ("hybrid", Scope::Hybrid),
    ],
)
.about("whom it interviews")
.or_word("symmetric_difference");

const BATCH: ConfigKey<u64> = ConfigKey::whole("batch", 1, 1_000_000)
    .about("looks a step")
    .or(1);

const BAND: ConfigKey<f64> = ConfigKey::number("band", POSITIVE)
    .about("how far the boundary reaches above and below the last place, as a share of the places")
    .or(0.25);

const REVIEWS: ConfigKey<u64> = ConfigKey::whole("reviews", 1, 1_000_000)
    .about("interviews of each on the boundary, the first included")
    .or(3);

const WEIGH_YIELD: ConfigKey<bool> = ConfigKey::flag("weigh_yield").about("whether an applicant counts as what they are worth times the probability of [yield] that they \
     accept (ours)")
.or(false);

/// The setting.
const SETTING: &str = "cohort";

/// The kinds of policies.
pub(super) const KINDS: &[PolicyKind] = &[
    PolicyKind::built_in(
        SETTING,
        "swap",
        "interviews whom the choice hangs on, cheaply or thoroughly, until the best cohort \
         is sure (Schumann 2019, Algorithm 1)",
        swap,
    )
    .with(keys! {
        OBJECTIVE, COHORT_BY, DELTA, SIGMA, STRONG, STOP, SCOPE, BATCH, FORECAST, WEIGH_YIELD,
    })
    .measuring(&["converged", "last_stop"]),
    PolicyKind::built_in(
        SETTING,
        "uniform_interviews",
        "interviews every candidate in turn, cheaply then thoroughly, while there is money",
        |table, brief| setting(table, brief, noise(brief))?.ready(table, brief, &How::Uniform),
    )
    .with(keys![OBJECTIVE, COHORT_BY, FORECAST, WEIGH_YIELD]),
    PolicyKind::built_in(
        SETTING,
        "random_interviews",
        "interviews every candidate once, then any candidate in any way, while there is money",
        |table, brief| setting(table, brief, noise(brief))?.ready(table, brief, &How::Random),
    )
    .with(keys![OBJECTIVE, COHORT_BY, FORECAST, WEIGH_YIELD]),
    PolicyKind::built_in(
        SETTING,
        "boundary_reviews",
        "interviews every candidate once, cheaply, and those about the last place several times \
         (Schumann 2019, Section 5.2: the actual process)",
        boundary_reviews,
    )
    .with(keys![
        OBJECTIVE,
        COHORT_BY,
        BAND,
        REVIEWS,
        FORECAST,
        WEIGH_YIELD
    ]),
];

fn swap(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<Ready> {
    let mut notes = Vec::new();
    let delta = DELTA.or_note(table, &mut notes);
    let sigma = SIGMA.read(table).or_else(|| noise(brief));
    let (strong, stop) = (STRONG.value(table), STOP.value(table));
    let (scope, batch) = (SCOPE.value(table), BATCH.value(table));
    let setting = setting(table, brief, sigma);
    let parameters = SwapParameters {
        delta: delta?,
        sigma: sigma?,
        strong: strong?,
        stop: stop?,
        scope: scope?,
        batch: batch? as u32,
    };
    let ready = setting?.ready(table, brief, &How::Swap(parameters))?;
    let SwapParameters { stop, delta, .. } = parameters;
    Some(Ready {
        rule: Some(format!("stop {stop:?}, delta {delta}")),
        ..ready.noted(notes)
    })
}

fn boundary_reviews(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<Ready> {
    let mut notes = Vec::new();
    let band = BAND.or_note(table, &mut notes);
    let reviews = REVIEWS.value(table);
    let setting = setting(table, brief, noise(brief));
    let parameters = BoundaryParameters {
        band: band?,
        reviews: reviews? as u32,
    };
    let ready = setting?.ready(table, brief, &How::Boundary(parameters))?;
    Some(ready.noted(notes))
}

/// The rule that chooses the next interview.
enum How {
    Boundary(BoundaryParameters),
    Swap(SwapParameters),
    Uniform,
    Random,
}

/// The settings that all cohort policies need.
struct Setting {
    tiers: Tiers,
    aim: Aim,
    beforehand: Beforehand,
}

/// The information on applicants before their first interview.
enum Beforehand {
    Nothing,
    Forecast(CohortForecast),
    Yields(Arc<Yields>),
}

impl Setting {
    fn ready(self, table: &Reader<'_>, brief: &Brief<'_>, how: &How) -> Option<Ready> {
        let schema = brief.schema?;
        let objective = self.aim.objective(schema);
        let Self {
            tiers,
            aim,
            beforehand: known,
        } = self;
        let mut ready = match aim {
            Aim::TopK => ready(table, how, TopK, tiers, known),
            Aim::Diverse(by) => ready(table, how, Diverse::crossed(schema, &by), tiers, known),
            Aim::Quota(by, quotas) => ready(table, how, Quotas::new(by, quotas), tiers, known),
        }?;
        ready.objective = Some(objective);
        Some(ready)
    }
}

fn ready<O: Objective>(
    table: &Reader<'_>,
    how: &How,
    objective: O,
    tiers: Tiers,
    known: Beforehand,
) -> Option<Ready> {
    Some(match how {
        How::Swap(parameters) => {
            let swap = sound(table, Swap::new(objective, tiers, *parameters))?;
            informed(swap, known)
        }
        How::Boundary(parameters) => {
            let reviews = BoundaryReviews::new(objective, tiers, *parameters);
            informed(sound(table, reviews)?, known)
        }
        How::Uniform => informed(UniformInterviews::new(objective, tiers), known),
        How::Random => informed(RandomInterviews::new(objective, tiers), known),
    })
}

/// A policy ready to play, with what is known beforehand; who applied first is nothing to it.
fn informed<P: Policy + Clone + Sync + 'static>(policy: P, known: Beforehand) -> Ready {
    match known {
        Beforehand::Nothing => Ready::blind(Shuffled::new(policy)),
        Beforehand::Forecast(forecast) => {
            let note = forecast::note(&forecast);
            Ready::blind(Shuffled::new(Informed::new(policy, forecast))).noted([note])
        }
        Beforehand::Yields(yields) => Ready::blind(Shuffled::new(Expected::new(policy, yields))),
    }
}

/// Returns the noise of interviews as far as it is known, and 0 if there are none.
fn noise(brief: &Brief<'_>) -> Option<f64> {
    Some(brief.known?.look_noise.get().copied().unwrap_or(0.0))
}

/// Reads the keys that all cohort policies have. `sigma`: the noise of a look of gain 1, where it
/// could be read.
fn setting(table: &mut Reader<'_>, brief: &Brief<'_>, sigma: Option<f64>) -> Option<Setting> {
    let read = |field: &Field<'_>| forecast::read(field, brief, sigma);
    let forecast = FORECAST.field(table).optional(read);
    let weighs = WEIGH_YIELD.field(table);
    let objective = OBJECTIVE.field(table);
    let by = COHORT_BY.field(table);
    let kind = OBJECTIVE.value_of(&objective);
    let rules = rules_of_cohorts(table, brief)?;
    let kind = kind?;
    let is_sum = kind == AimKind::TopK && forecast.is_absent();
    if kind == AimKind::TopK && by.is_given() {
        return by.refused(
            "the objective top_k knows no groups",
            "leave `by` out, or set objective = \"diverse\"",
        );
    }
    let yields = yields(&weighs, brief, is_sum);
    if rules.refill && !is_sum {
        table.refuse(
            "places that are declined are refilled of top_k without forecasts alone: other cohorts \
             are worth what they are as a whole",
            "leave `refill` out of [yield], or set objective = \"top_k\" and no `forecast`",
        );
    }
    let aim = aim(kind, &objective, brief, &by, |names| {
        let (what, help) = match names {
            [] => (
                NO_GROUPS,
                "give them groups, or set objective = \"top_k\"".to_owned(),
            ),
            _ => (NOT_SAID, format!("set `by` to one of {}", names.join(", "))),
        };
        table.refuse(what, help);
    })?;
    Some(Setting {
        tiers: sound(table, Tiers::of(&rules.interviews))?,
        aim,
        beforehand: match (forecast.unless_bad()?, yields?) {
            (Some(forecast), _) => Beforehand::Forecast(forecast),
            (None, Some(yields)) => Beforehand::Yields(yields),
            (None, None) => Beforehand::Nothing,
        },
    })
}

/// Reads `weigh_yield`: the probabilities of acceptance, if the policy is to weigh them. `is_sum`
/// is true if the cohort's worth is a sum and nothing is forecast.
fn yields(field: &Field<'_>, brief: &Brief<'_>, is_sum: bool) -> Option<Option<Arc<Yields>>> {
    if !WEIGH_YIELD.value_of(field)? {
        return Some(None);
    }
    let refills = brief.rules.is_some_and(|rules| rules.refill);
    let (what, help) = match brief.yields {
        Some(yields) if is_sum && !refills => return Some(Some(Arc::clone(yields))),
        None => (
            "how likely applicants are to accept is not known",
            "say it in [yield], for example: rate = 0.8; or leave `weigh_yield` out",
        ),
        Some(_) if refills => (
            "where places are refilled it costs nothing to ask who may decline",
            "leave `weigh_yield` out, or leave `refill` out of [yield]",
        ),
        Some(_) => (
            "only the worth of a cohort that is a sum can be weighed so",
            "set objective = \"top_k\" and no `forecast`, or leave `weigh_yield` out",
        ),
    };
    field.refused(what, help)
}

/// The rules, where they ask for a cohort and sell interviews; that they don't is noted.
fn rules_of_cohorts<'a>(table: &Reader<'_>, brief: &Brief<'a>) -> Option<&'a Rules> {
    let rules = brief.rules?;
    if !matches!(rules.choose, Choose::Exactly(_)) {
        return table.refused(
            "this policy chooses a cohort of a given size, and the rules ask for none",
            "for example: choose = { exactly = 5 } in [rules]",
        );
    }
    if rules.interviews.is_empty() {
        return table.refused(
            "this policy decides by interviews, and the rules sell none",
            "for example: interviews = [{ name = \"weak\", cost = 1, gain = 1 }, { name \
             = \"strong\", cost = 2, gain = 5 }] in [rules]",
        );
    }
    Some(rules)
}
