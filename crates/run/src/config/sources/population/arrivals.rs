//! The section `[source.arrivals]`: the times at which people come.

use crate::config::seconds::seconds;
use crate::config::sources::feed::pace;
use crate::document::param::Shape;
use crate::document::range::{NOT_NEGATIVE, POSITIVE};
use crate::document::{ConfigKey, Field, Later, Reader};
use crate::keys;
use kleroterion_core::source::population::{ArrivalRate, Bursts};

const RATE: Shape = Shape::OneOf(&[Shape::Number(POSITIVE), Shape::Text]);

const DURATION: Shape = Shape::OneOf(&[Shape::Number(POSITIVE), Shape::Text]);

const POISSON: ConfigKey<f64> = ConfigKey::of("poisson", RATE, pace)
    .about("persons a second, or a text such as \"25/s\", with exponential gaps");

const EVEN: ConfigKey<f64> = ConfigKey::of("even", RATE, pace).about("the same with equal gaps");

const DAILY: ConfigKey<Vec<f64>> =
    ConfigKey::of("daily", Shape::List(&Shape::Number(NOT_NEGATIVE)), daily)
        .about("factors of the rate, each for an equal stretch of the day, from midnight on");

const FROM_START: ConfigKey<f64> = ConfigKey::of("every", DURATION, seconds)
    .about("from the start of one to the next")
    .needed_like("every = \"1h\"");

const LENGTH: ConfigKey<f64> = ConfigKey::of("length", DURATION, seconds)
    .about("how long each lasts")
    .needed_like("length = \"5m\"");

const TIMES: ConfigKey<f64> = ConfigKey::number("times", POSITIVE)
    .about("the factor of the rate")
    .needed_like("times = 8.0");

const BURSTS: ConfigKey<Later> = ConfigKey::table("bursts", keys![FROM_START, LENGTH, TIMES])
    .about("when more people come for a while, from the start on");

const SPEED: ConfigKey<f64> = ConfigKey::number("speed", POSITIVE)
    .about("how many times as fast a live run lets people out")
    .or(1.0);

/// `[source.arrivals]`.
pub(super) const ARRIVALS: ConfigKey<Later> =
    ConfigKey::table("arrivals", keys![POISSON, EVEN, DAILY, BURSTS, SPEED])
        .about("when people come");

/// Reads the arrivals.
pub(super) fn read(mut table: Reader<'_>) -> Option<ArrivalRate> {
    let rate = table.need_one(keys![POISSON, EVEN], "poisson = \"25/s\"");
    let daily = DAILY.read(&mut table);
    let bursts = BURSTS.field(&mut table).optional(bursts);
    let speed = SPEED.value(&mut table);
    table.finish();
    let (key, rate) = rate?;
    let is_poisson = key == POISSON.name();
    let declared = if is_poisson { POISSON } else { EVEN };
    Some(ArrivalRate {
        rate: declared.of_value(&rate)?,
        is_poisson,
        daily: daily.or(Vec::new())?,
        bursts: bursts.unless_bad()?,
        speed: speed?,
    })
}

/// The factors of the stretches of a day.
fn daily(field: &Field<'_>) -> Option<Vec<f64>> {
    let factors = field.each(Field::not_negative)?;
    if factors.iter().sum::<f64>() > 0.0 {
        return Some(factors);
    }
    let help = "give a factor an equal stretch of the day: daily = [0.2, 1.5, 2.0, 0.5]";
    field.refused("with these factors no one ever comes", help)
}

fn bursts(field: &Field<'_>) -> Option<Bursts> {
    let mut table = BURSTS.reader(field)?;
    let (every, length) = (FROM_START.value(&mut table), LENGTH.value(&mut table));
    let times = TIMES.value(&mut table);
    table.finish();
    let bursts = Bursts {
        every: every?,
        length: length?,
        times: times?,
    };
    if bursts.length >= bursts.every {
        let help = "for example: bursts = { every = \"1h\", length = \"5m\", times = 8.0 }";
        return field.refused("a burst lasts until the next one, or longer", help);
    }
    Some(bursts)
}
