//! The key `report.at`: the moments during a run at which the scorers are read.

use crate::document::param::{COUNT, Shape};
use crate::document::{ConfigKey, Field, Later, Value};
use crate::keys;
use kleroterion_core::protocol::{Rules, Until};
use kleroterion_core::score::Moments;

const MOMENTS: Shape = Shape::List(&COUNT);
const ROUNDS: ConfigKey<Later> = ConfigKey::later("rounds", MOMENTS).needed();
const ACCEPTED: ConfigKey<Later> = ConfigKey::later("accepted", MOMENTS).needed();

pub(super) const AT: ConfigKey<Later> = ConfigKey::later(
    "at",
    Shape::OneOf(&[
        MOMENTS,
        Shape::Table(keys![ROUNDS]),
        Shape::Table(keys![ACCEPTED]),
    ]),
)
.about("when measures are taken on the way");

pub(super) fn moments(field: &Field<'_>, rules: Option<&Rules>) -> Option<Moments> {
    let until = rules.map(|rules| rules.until);
    let (list, by_accepted) = match field.value()? {
        Value::Table(_) => {
            let (key, list) = field.form(&[], &[ROUNDS.name(), ACCEPTED.name()])?;
            (list, key == ACCEPTED.name())
        }
        _ => (field.clone(), matches!(until, Some(Until::Accepted(_)))),
    };
    let values = list.each(|member| member.whole_in(1..))?;
    if values.windows(2).any(|pair| pair[0] >= pair[1]) {
        return list.refused(
            "the moments are not in increasing order",
            "sort them, each once",
        );
    }
    let last = match (by_accepted, until) {
        (true, Some(Until::Accepted(k))) => k,
        (false, Some(Until::Rounds(n))) => n,
        (false, _) => rules.map_or(u64::MAX, |rules| rules.max_rounds),
        _ => u64::MAX,
    };
    if let Some(beyond) = values.iter().find(|&&value| value > last) {
        return list.refused(
            format!("the moment {beyond} never comes: the run ends at {last}"),
            "leave it out, or let the run go on for longer (`until` and `max_rounds` in [rules])",
        );
    }
    Some(if by_accepted {
        Moments::Accepted(values)
    } else {
        Moments::Rounds(values)
    })
}
