//! The section `[yield]`: the probability that those chosen take their places, and the use of
//! declined places.

use std::sync::Arc;

use super::dropout::{COLUMN, Members, of_column, rates};
use crate::document::param::Shape;
use crate::document::range::PROBABILITY;
use crate::document::{ConfigKey, Field, Later, Reader};
use crate::keys;
use kleroterion_core::feedback::{Acceptance, AnsweredBy};
use kleroterion_core::protocol::Yields;

const WHO: ConfigKey<bool> = ConfigKey::word("type", &[("drawn", false), ("people", true)])
    .about("who says it: a draw, or people while the run goes on (live)")
    .or_word("drawn");

const RATE: ConfigKey<f64> = ConfigKey::number("rate", PROBABILITY)
    .about("the probability that a chosen person takes the place")
    .or(1.0);

const BY: ConfigKey<Later> =
    ConfigKey::later("by", Shape::Map(&Shape::Map(&Shape::Number(PROBABILITY))))
        .about("what the rate is multiplied by for each value of some attributes");

const REFILL: ConfigKey<bool> = ConfigKey::flag("refill")
    .about(
        "whether the policy chooses others of the slate for places that were declined; else \
         the places are empty, and those who come later may fill them",
    )
    .or(false);

/// `[yield]`.
pub(super) const YIELD: ConfigKey<Later> =
    ConfigKey::table("yield", keys![WHO, RATE, BY, COLUMN, REFILL])
        .about("how likely those who are chosen are to take their places");

/// The content of `[yield]`: the source of people's replies, and the use of declined places.
#[derive(Clone)]
pub(super) struct OffersSection {
    /// The probability of each person to take a place, if replies are drawn.
    pub(super) yields: Option<Arc<Yields>>,
    /// The source of the replies.
    pub(super) replies: AnsweredBy,
    /// True if the policy may choose others of the slate for declined places.
    pub(super) refill: bool,
}

impl OffersSection {
    /// Returns true if people are asked during the run.
    pub(super) fn are_people(&self) -> bool {
        matches!(self.replies, AnsweredBy::Outside)
    }
}

/// Reads `[yield]`. Where the source can't be read, only what does not need it is checked.
pub(super) fn read(mut table: Reader<'_>, members: Option<&Members<'_>>) -> Option<OffersSection> {
    let are_people = WHO.value(&mut table);
    let (rate, by) = (RATE.field(&mut table), BY.field(&mut table));
    let column = COLUMN.field(&mut table);
    let refill = REFILL.value(&mut table);
    if are_people == Some(true) {
        return by_people(table, [&rate, &by, &column], refill);
    }
    let help = "for example: rate = 0.8, or by = { age = { \"18-29\" = 0.5 } }";
    let none = ("[yield] does not say how likely people accept", help);
    let none = Some(none).filter(|_| are_people.is_some());
    let (base, rows) = rates(table, [&rate, &by, &column], members, none)?;
    are_people?;
    let members = members?;
    let yields = if column.is_given() {
        Yields::ByRespondent(of_column(&column, members, "[yield]")?.into())
    } else {
        let whole = |row: Vec<Option<f64>>| row.into_iter().map(|rate| rate.unwrap_or(1.0));
        let rows = rows.or(Vec::new())?.into_iter();
        Yields::ByValue {
            rate: base.or_else(|| RATE.assumed())?,
            factors: rows.map(|(at, row)| (at, whole(row).collect())).collect(),
        }
    };
    let yields = Arc::new(yields);
    Some(OffersSection {
        replies: AnsweredBy::Drawn(Arc::new(Acceptance(Arc::clone(&yields)))),
        yields: Some(yields),
        refill: refill?,
    })
}

/// People say it themselves, so no probability is given.
fn by_people(
    table: Reader<'_>,
    drawn: [&Field<'_>; 3],
    refill: Option<bool>,
) -> Option<OffersSection> {
    table.finish();
    for field in drawn.iter().filter(|field| field.is_given()) {
        field.refuse(
            format!(
                "people say whether they accept, so `{}` can't be given",
                field.path()
            ),
            "leave it out, or leave out `type`: it is drawn then",
        );
    }
    Some(OffersSection {
        yields: None,
        replies: AnsweredBy::Outside,
        refill: refill?,
    })
}
