//! Sets up the cohort policies from their tables in a config.

use std::sync::Arc;

use super::keys::policies as keys;
use super::ready::Ready;
use super::set_up::{Assumed, sound};
use crate::document::{Field, Reader, Value};
use crate::policy::Brief;
use crate::policy::Policy;
use crate::policy::cohort::{
    CohortForecast, Diverse, ForecastParameters, Informed, Objective, Quotas, RandomInterviews,
    Scope, StopRule, Strong, Swap, SwapParameters, Tiers, TopK, UniformInterviews,
};
use crate::protocol::{Choose, CohortObjective, Quota, Schema};

pub(super) fn swap(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<Ready> {
    let mut assumed = Assumed::default();
    let delta = assumed.number(table, &keys::DELTA);
    let sigma = sigma(table, brief);
    let strong = or(&table.get("strong"), Strong::Paper, strong);
    let stop = or(&table.get("stop"), StopRule::Exact, stop);
    let scope = or(&table.get("scope"), Scope::SymmetricDifference, |field| {
        field.choice(&[
            ("symmetric_difference", Scope::SymmetricDifference),
            ("hybrid", Scope::Hybrid),
        ])
    });
    let batch = or(&table.get("batch"), 1, |field| {
        field.whole_in(1..=1_000_000).map(|looks| looks as u32)
    });
    let setting = setting(table, brief, sigma);
    let parameters = SwapParameters {
        delta: delta?,
        sigma: sigma?,
        strong: strong?,
        stop: stop?,
        scope: scope?,
        batch: batch?,
    };
    assumed.say(setting?.ready(table, brief, &How::Swap(parameters)))
}

pub(super) fn uniform_interviews(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<Ready> {
    setting(table, brief, noise(brief))?.ready(table, brief, &How::Uniform)
}

pub(super) fn random_interviews(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<Ready> {
    setting(table, brief, noise(brief))?.ready(table, brief, &How::Random)
}

/// Whom to look at.
enum How {
    Swap(SwapParameters),
    Uniform,
    Random,
}

/// What a cohort is to be best at; groups are the values of an attribute of the schema.
pub(crate) enum Aim {
    TopK,
    Diverse(usize),
    Quota(usize, Vec<Quota>),
}

impl Aim {
    /// The objective for scorers. With several attributes its name names the one that makes the groups.
    pub(crate) fn objective(&self, schema: &Schema) -> CohortObjective {
        let attributes = schema.attributes();
        let by = |word: &str, at: usize| match attributes.len() {
            1 => word.to_owned(),
            _ => format!("{word}:{}", attributes[at].name),
        };
        match self {
            Self::TopK => CohortObjective {
                name: "top_k".into(),
                worth: Arc::new(TopK),
            },
            Self::Diverse(at) => CohortObjective {
                name: by("diverse", *at).into(),
                worth: Arc::new(Diverse::new(*at)),
            },
            Self::Quota(at, quotas) => CohortObjective {
                name: by("quota", *at).into(),
                worth: Arc::new(Quotas::new(*at, quotas.clone())),
            },
        }
    }
}

/// What all cohort policies need.
struct Setting {
    tiers: Tiers,
    aim: Aim,
    forecast: Option<CohortForecast>,
}

impl Setting {
    fn ready(self, table: &Reader<'_>, brief: &Brief<'_>, how: &How) -> Option<Ready> {
        let objective = self.aim.objective(brief.schema?);
        let Self {
            tiers,
            aim,
            forecast,
        } = self;
        let mut ready = match aim {
            Aim::TopK => ready(table, how, TopK, tiers, forecast),
            Aim::Diverse(by) => ready(table, how, Diverse::new(by), tiers, forecast),
            Aim::Quota(by, quotas) => ready(table, how, Quotas::new(by, quotas), tiers, forecast),
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
    forecast: Option<CohortForecast>,
) -> Option<Ready> {
    let note = forecast.as_ref().map(assumed_by);
    let ready = match how {
        How::Swap(parameters) => {
            let swap = sound(table, Swap::new(objective, tiers, *parameters))?;
            informed(swap, forecast)
        }
        How::Uniform => informed(UniformInterviews::new(objective, tiers), forecast),
        How::Random => informed(RandomInterviews::new(objective, tiers), forecast),
    };
    let mut ready = ready?;
    ready.notes.extend(note);
    Some(ready)
}

/// What forecasts take as known.
fn assumed_by(forecast: &CohortForecast) -> String {
    let ForecastParameters {
        doubt,
        look_noise,
        outcome_noise,
        ..
    } = forecast.parameters();
    let learnt = match (*doubt > 0.0, outcome_noise) {
        (false, _) => "; they learn nothing".to_owned(),
        (true, Some(noise)) => format!(", and of an outcome ({noise})"),
        (true, None) => "; they learn from looks alone: no outcome is told".to_owned(),
    };
    format!("forecasts take the noise of a look ({look_noise}) as known{learnt}")
}

/// A policy, with a forecast where there is one.
fn informed<P: Policy + Clone + Sync + 'static>(
    policy: P,
    forecast: Option<CohortForecast>,
) -> Option<Ready> {
    match forecast {
        Some(forecast) => Ready::blind(Informed::new(policy, forecast)),
        None => Ready::blind(policy),
    }
}

/// An optional key's value, or its default.
fn or<'a, T>(field: &Field<'a>, default: T, read: impl Fn(&Field<'a>) -> Option<T>) -> Option<T> {
    if field.is_given() {
        read(field)
    } else {
        Some(default)
    }
}

fn strong(field: &Field<'_>) -> Option<Strong> {
    match field.value()? {
        Value::Text(_) => field.choice(&[
            ("paper", Strong::Paper),
            ("never", Strong::Never),
            ("always", Strong::Always),
        ]),
        _ => field.probability().map(Strong::Probability),
    }
}

fn stop(field: &Field<'_>) -> Option<StopRule> {
    match field.form(&["exact", "budget"], &["within"])? {
        ("exact", _) => Some(StopRule::Exact),
        ("budget", _) => Some(StopRule::Budget),
        (_, within) => within.not_negative().map(StopRule::Within),
    }
}

/// The noise of a look of gain 1: `sigma`, or what is known of it.
fn sigma(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<f64> {
    let field = table.get("sigma");
    if field.is_given() {
        return field.not_negative();
    }
    noise(brief)
}

/// What is known of it; without looks that is said of the setting.
fn noise(brief: &Brief<'_>) -> Option<f64> {
    Some(brief.known?.look_noise.get().copied().unwrap_or(0.0))
}

/// `sigma`: the noise of a look of gain 1, where it could be read.
fn setting(table: &mut Reader<'_>, brief: &Brief<'_>, sigma: Option<f64>) -> Option<Setting> {
    let forecast = table.get("forecast");
    let foretold = forecast.is_given();
    let forecast = self::forecast(&forecast, brief, sigma);
    let objective = table.get("objective");
    let by = table.get("by");
    let aim = or(&objective, "top_k", |field| {
        field.choice(&[
            ("top_k", "top_k"),
            ("diverse", "diverse"),
            ("quota", "quota"),
        ])
    });
    let rules = brief.rules?;
    if !matches!(rules.choose, Choose::Exactly(_)) {
        table.refuse(
            "this policy chooses a cohort of a given size, and the rules ask for none",
            "for example: choose = { exactly = 5 } in [rules]",
        );
        return None;
    }
    if rules.interviews.is_empty() {
        table.refuse(
            "this policy decides by interviews, and the rules sell none",
            "for example: interviews = [{ name = \"weak\", cost = 1, gain = 1 }, { name = \"strong\", cost = 2, gain = 5 }] in [rules]",
        );
        return None;
    }
    let aim = aim?;
    if aim == "top_k" && by.is_given() {
        by.refuse(
            "the objective top_k knows no groups",
            "leave `by` out, or set objective = \"diverse\"",
        );
        return None;
    }
    let aim = self::aim(aim, &objective, brief, &by, |names| {
        let (what, help) = match names {
            [] => (
                NO_GROUPS,
                "give them groups, or set objective = \"top_k\"".to_owned(),
            ),
            _ => (NOT_SAID, format!("set `by` to one of {}", names.join(", "))),
        };
        table.refuse(what, help);
    })?;
    let tiers = sound(table, Tiers::of(&rules.interviews))?;
    if foretold && forecast.is_none() {
        return None;
    }
    Some(Setting {
        tiers,
        aim,
        forecast,
    })
}

/// `forecast = { spread, doubt, by }`, where it is given.
fn forecast(field: &Field<'_>, brief: &Brief<'_>, sigma: Option<f64>) -> Option<CohortForecast> {
    let mut table = field.table()?;
    let spread = table.need(
        "spread",
        "spread = 0.6, the standard deviation of what people are worth around the forecast",
    );
    let spread = spread.positive();
    let doubted = table.need(
        "doubt",
        "doubt = 0.5, how far off the forecast may be at first; 0 takes the score as it stands",
    );
    let doubt = doubted.not_negative();
    let by = table.get("by");
    table.finish();
    let (schema, rules, known) = (brief.schema?, brief.rules?, brief.known?);
    let attributes = schema.attributes().iter().map(|a| a.name.as_str());
    let names: Vec<_> = attributes.zip(0..).collect();
    let (split, by) = (by.is_given(), by.choice(&names));
    let columns = schema.features().len() + usize::from(schema.scored());
    let sigma = sigma?;
    if !schema.scored() && doubt == Some(0.0) {
        doubted.refuse(
            "a forecast that is not doubted is the score, and the applicants have none",
            "give a doubt above 0, or leave out `forecast`",
        );
        return None;
    }
    if sigma == 0.0 && !rules.interviews.is_empty() {
        // That nobody answers the looks is said of the setting.
        if known.look_noise.get().is_some() {
            field.refuse(
                "looks without noise leave nothing to forecast",
                "leave out `forecast`, or give the looks a noise",
            );
        }
        return None;
    }
    if split && by.is_none() {
        return None;
    }
    let groups = by.map_or(1, |by: usize| schema.attributes()[by].values.len());
    let parameters = ForecastParameters {
        spread: spread?,
        doubt: doubt?,
        look_noise: sigma,
        outcome_noise: known.outcome_noise.get().copied(),
        delay: rules.delay.longest(),
        by,
    };
    let forecast = CohortForecast::new(parameters, columns, groups);
    forecast
        .map_err(|wrong| field.refuse(wrong.to_string(), "mend [policy.forecast]"))
        .ok()
}

pub(crate) const NO_GROUPS: &str = "the objective is about groups, and the applicants have none";
pub(crate) const NOT_SAID: &str =
    "the objective is about groups, and it is not said which attribute makes them";

/// The objective of a word (`top_k`, `diverse`, `quota`); `by`: the attribute that makes the groups, where it is given.
/// `lacks` notes that no attribute follows, of those named (in quotes).
pub(crate) fn aim(
    word: &str,
    objective: &Field<'_>,
    brief: &Brief<'_>,
    by: &Field<'_>,
    lacks: impl FnOnce(&[String]),
) -> Option<Aim> {
    match word {
        "top_k" => Some(Aim::TopK),
        "diverse" => attribute(by, brief, None, lacks).map(Aim::Diverse),
        _ => {
            if brief.round_quotas.is_absent() {
                objective.refuse(
                    "the objective quota needs quotas, and the rules set none",
                    "for example: quota = { gender = { F = [2, 3] } } in [rules]",
                );
            }
            let quotas = brief.round_quotas.is()?;
            let attribute = attribute(by, brief, Some(quotas), lacks)?;
            Some(Aim::Quota(attribute, quotas[attribute].clone()))
        }
    }
}

/// The attribute whose values are the groups: `by`, what the source says, the only one that has quotas, or the only one.
fn attribute(
    by: &Field<'_>,
    brief: &Brief<'_>,
    quotas: Option<&[Vec<Quota>]>,
    lacks: impl FnOnce(&[String]),
) -> Option<usize> {
    let attributes = brief.schema?.attributes();
    let quoted = |at: &usize| quotas.is_none_or(|quotas| !quotas[*at].is_empty());
    let able: Vec<usize> = (0..attributes.len()).filter(quoted).collect();
    let names: Vec<_> = able
        .iter()
        .map(|&at| (attributes[at].name.as_str(), at))
        .collect();
    if by.is_given() {
        return by.choice(&names);
    }
    let said = brief.known?.group.filter(|group| able.contains(group));
    match (said, &able[..]) {
        (Some(group), _) => Some(group),
        (None, [only]) => Some(*only),
        (None, _) => {
            let names = names.iter().map(|(name, _)| format!("{name:?}"));
            lacks(&names.collect::<Vec<_>>());
            None
        }
    }
}
