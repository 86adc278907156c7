//! The key `order` of a source: the order in which the people of a file come.

use crate::document::{ConfigKey, Field};
use kleroterion_io::people::RowOrder;
use kleroterion_io::people::table::PeopleTable;

/// `order`, before the file has been read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum OrderWord {
    File,
    Shuffled,
    Resampled,
}

/// The key, whose default depends on the source.
pub(super) const ORDER: ConfigKey<OrderWord> = ConfigKey::word(
    "order",
    &[
        ("file", OrderWord::File),
        ("shuffled", OrderWord::Shuffled),
        ("resampled", OrderWord::Resampled),
    ],
)
.about("in what order people come");

/// The order itself; `by`: the people with the weights that they are drawn by, where `field` names
/// a column of weights.
pub(super) fn of(word: OrderWord, by: Option<&PeopleTable>, field: &Field<'_>) -> Option<RowOrder> {
    match (word, by.and_then(PeopleTable::weights)) {
        (OrderWord::File, _) => Some(RowOrder::File),
        (OrderWord::Shuffled, _) => Some(RowOrder::Shuffled),
        (OrderWord::Resampled, None) => Some(RowOrder::Resampled),
        (OrderWord::Resampled, Some(weights)) => {
            let order = RowOrder::weighted(weights);
            let order = order.map_err(|error| format!("no row can be drawn: {error}"));
            field.sound(order, "choose a column of positive weights")
        }
    }
}
