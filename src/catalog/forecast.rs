//! `forecast` of a cohort policy: its keys, and how its table is read.

use super::param::{Param, Shape};
use crate::document::Field;
use crate::document::range::{NOT_NEGATIVE, POSITIVE};
use crate::policy::Brief;
use crate::policy::cohort::{CohortForecast, ForecastParameters};

pub(super) const FORECAST: Param = Param::new(
    "forecast",
    Shape::Table(&[
        Param::new(
            "spread",
            Shape::Number(POSITIVE),
            "the spread about the forecast",
        )
        .needed(),
        Param::new(
            "doubt",
            Shape::Number(NOT_NEGATIVE),
            "how far off it may be at first",
        )
        .needed(),
        Param::new(
            "by",
            Shape::Text,
            "the attribute whose groups have forecasts of their own",
        ),
    ]),
    "starts from the score and from what was heard in earlier rounds; ours",
);

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

/// `forecast = { spread, doubt, by }`, where it is given.
pub(super) fn read(field: &Field<'_>, brief: &Brief<'_>, sigma: Option<f64>) -> Option<CohortForecast> {
    let mut table = field.table()?;
    let spread = table.need(
        "spread",
        "spread = 0.6, the standard deviation of what people are worth around the forecast",
    );
    let spread = spread.positive();
    let doubted = table.need(
        "doubt",
        "doubt = 0.5, how far off the forecast may be at first; 0 takes the score as it is",
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
        // That nothing answers the interviews is noted elsewhere.
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
        .map_err(|wrong| field.refuse(wrong.to_string(), "correct [policy.forecast]"))
        .ok()
}
