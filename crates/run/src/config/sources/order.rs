//! The key `order` of a source: the order in which the people of a file come.

use crate::config::keys::people::ORDER;
use crate::document::{Field, Reader};
use kleroterion_io::people::RowOrder;
use kleroterion_io::people::table::PeopleTable;

/// `order`, before the file has been read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum OrderWord {
    File,
    Shuffled,
    Resampled,
}

/// Reads `order`, or takes a default.
pub(super) fn read(table: &mut Reader<'_>, default: OrderWord) -> Option<OrderWord> {
    let words = [OrderWord::File, OrderWord::Shuffled, OrderWord::Resampled];
    ORDER.given_word(table, words).or(default)
}

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
