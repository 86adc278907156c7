//! The section `[source.arrivals]`: the times at which people come.

use crate::catalog::param::{Param, Shape};
use crate::config::seconds::seconds;
use crate::config::sources::feed::pace;
use crate::document::range::{NOT_NEGATIVE, POSITIVE};
use crate::document::{Field, Reader};
use kleroterion_core::source::population::{ArrivalRate, Bursts};

const RATE: Shape = Shape::OneOf(&[Shape::Number(POSITIVE), Shape::Text]);

const DURATION: Shape = Shape::OneOf(&[Shape::Number(POSITIVE), Shape::Text]);

/// The keys.
pub(super) const ARRIVALS: Shape = Shape::Table(&[
    Param::new(
        "poisson",
        RATE,
        "persons a second, or a text such as \"25/s\", with exponential gaps",
    ),
    Param::new("even", RATE, "the same with equal gaps"),
    Param::new(
        "daily",
        Shape::List(&Shape::Number(NOT_NEGATIVE)),
        "factors of the rate, each for an equal stretch of the day, from midnight on",
    ),
    Param::new(
        "bursts",
        Shape::Table(&[
            Param::new("every", DURATION, "from the start of one to the next").needed(),
            Param::new("length", DURATION, "how long each lasts").needed(),
            Param::new("times", Shape::Number(POSITIVE), "the factor of the rate").needed(),
        ]),
        "when more people come for a while, from the start on",
    ),
    Param::new(
        "speed",
        Shape::Number(POSITIVE),
        "how many times as fast a live run lets people out",
    )
    .or("1"),
]);

/// Reads the arrivals.
pub(super) fn read(mut table: Reader<'_>) -> Option<ArrivalRate> {
    let rate = table.need_one(&["poisson", "even"], "poisson = \"25/s\"");
    let daily = table.get("daily");
    let bursts = table.get("bursts").optional(bursts);
    let speed = table.get("speed").optional(Field::positive);
    table.finish();
    let daily = daily.optional(|daily| {
        let factors = daily.each(Field::not_negative)?;
        if factors.iter().sum::<f64>() > 0.0 {
            return Some(factors);
        }
        let help = "give a factor an equal stretch of the day: daily = [0.2, 1.5, 2.0, 0.5]";
        daily.refused("with these factors no one ever comes", help)
    });
    let (key, rate) = rate?;
    Some(ArrivalRate {
        rate: pace(&rate)?,
        is_poisson: key == "poisson",
        daily: daily.or(Vec::new())?,
        bursts: bursts.unless_bad()?,
        speed: speed.or(1.0)?,
    })
}

fn bursts(field: &Field<'_>) -> Option<Bursts> {
    let mut table = field.table()?;
    let every = table.need("every", "every = \"1h\"");
    let length = table.need("length", "length = \"5m\"");
    let times = table.need("times", "times = 8.0").positive();
    table.finish();
    let bursts = Bursts {
        every: seconds(&every)?,
        length: seconds(&length)?,
        times: times?,
    };
    if bursts.length >= bursts.every {
        let help = "for example: bursts = { every = \"1h\", length = \"5m\", times = 8.0 }";
        return field.refused("a burst lasts until the next one, or longer", help);
    }
    Some(bursts)
}
