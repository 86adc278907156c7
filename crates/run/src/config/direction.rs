//! The key `[report] direction`: the better direction of a metric in this run.

use std::collections::BTreeMap;

use super::about::About;
use crate::document::param::Shape;
use crate::document::{ConfigKey, Field, Later, all_read};
use kleroterion_core::score::{Direction, Directions};

/// A side, as it is named for a metric.
const SIDE: ConfigKey<Direction> = ConfigKey::word(
    "",
    &[
        ("higher", Direction::Higher),
        ("lower", Direction::Lower),
        ("none", Direction::None),
    ],
);

pub(super) const DIRECTION: ConfigKey<Later> =
    ConfigKey::later("direction", Shape::Map(&SIDE.shape()))
        .about("which way is better, by metric, where not as in `klero list metrics`");

/// Reads the better sides; what follows from the outcomes holds where the config sets none.
pub(super) fn read(field: &Field<'_>, about: &About<'_>) -> Option<Directions> {
    let sides = field.optional(|field| {
        let each = field.table()?.rest().into_iter().map(|(key, field)| {
            let is_known = about.has(&field, &key.name);
            let side = SIDE.of_value(&field)?;
            is_known.then_some((key.name.clone(), side))
        });
        all_read(each)
    });
    let mut directions = Directions::set(sides.or(BTreeMap::new())?);
    for (metric, side) in &about.sides {
        directions.suggest(metric, *side);
    }
    Some(directions)
}

/// Returns an example that sets the better direction of a metric.
pub(super) fn example(metric: &str) -> String {
    let name = match metric.contains(['.', ':', ' ']) {
        true => format!("{metric:?}"),
        false => metric.to_owned(),
    };
    format!("direction = {{ {name} = \"higher\" }} in [report]")
}
