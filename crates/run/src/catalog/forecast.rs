//! The key `forecast` of a cohort policy: its own keys, and the reader of its table.

use crate::document::param::Shape;
use crate::document::range::{NOT_NEGATIVE, POSITIVE};
use crate::document::{ConfigKey, Field, Later};
use crate::keys;
use kleroterion_core::brief::Brief;
use kleroterion_core::protocol::Schema;
use kleroterion_policies::cohort::{CohortForecast, ForecastParameters};

const SPREAD: ConfigKey<f64> = ConfigKey::number("spread", POSITIVE)
    .about("the spread about the forecast")
    .like("spread = 0.6, the standard deviation of what people are worth around the forecast")
    .needed();
const DOUBT: ConfigKey<f64> = ConfigKey::number("doubt", NOT_NEGATIVE)
    .about("how far off it may be at first")
    .like("doubt = 0.5, how far off the forecast may be at first; 0 takes the score as it is")
    .needed();
const BY: ConfigKey<Later> = ConfigKey::later("by", Shape::Text)
    .about("the attribute whose groups have forecasts of their own");
pub(super) const FORECAST: ConfigKey<Later> =
    ConfigKey::table("forecast", keys![SPREAD, DOUBT, BY])
        .about("starts from the score and from what was heard in earlier rounds; ours");

/// A note on what a forecast takes as known.
pub(super) fn note(forecast: &CohortForecast) -> String {
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

/// Reads `forecast = { spread, doubt, by }`. `sigma`: the noise of a look of gain 1, where it could
/// be read.
pub(super) fn read(
    field: &Field<'_>,
    brief: &Brief<'_>,
    sigma: Option<f64>,
) -> Option<CohortForecast> {
    let mut table = FORECAST.reader(field)?;
    let spread = SPREAD.value(&mut table);
    let doubted = DOUBT.field(&mut table);
    let doubt = DOUBT.value_of(&doubted);
    let by = BY.field(&mut table);
    table.finish();
    let (schema, rules, known) = (brief.schema?, brief.rules?, brief.known?);
    let attributes = schema.attributes().iter().map(|a| a.name.as_str());
    let names: Vec<_> = attributes.zip(0..).collect();
    let by = by.optional(|by| by.choice(&names));
    let sigma = sigma?;
    if !schema.scored() && doubt == Some(0.0) {
        return doubted.refused(
            "a forecast that is not doubted is the score, and the applicants have none",
            "give a doubt above 0, or leave out `forecast`",
        );
    }
    if sigma == 0.0 && !rules.interviews.is_empty() {
        // That nothing answers the interviews is noted elsewhere.
        if known.look_noise.get().is_some() {
            field.refuse(
                "looks without noise leave nothing to forecast",
                "leave out `forecast`, or give the looks a noise",
            );
        }
        return None;
    }
    let parameters = ForecastParameters {
        by: by.unless_bad()?,
        spread: spread?,
        doubt: doubt?,
        look_noise: sigma,
        outcome_noise: known.outcome_noise.get().copied(),
        delay: rules.delay.longest(),
    };
    forecast(schema, parameters, field)
}

/// The forecast of these parameters; why there can be none is noted.
fn forecast(
    schema: &Schema,
    parameters: ForecastParameters,
    field: &Field<'_>,
) -> Option<CohortForecast> {
    let columns = schema.features().len() + usize::from(schema.scored());
    let values = |by: usize| schema.attributes()[by].values.len();
    let groups = parameters.by.map_or(1, values);
    let forecast = CohortForecast::new(parameters, columns, groups);
    field.sound(forecast, "correct [policy.forecast]")
}
