//! The keys and shapes that several kinds of sources share.

use crate::config::sources::feed::pace;
use crate::document::param::Shape;
use crate::document::range::{FINITE, NOT_NEGATIVE, PART, POSITIVE};
use crate::document::{Key, Later};

pub(in crate::config) const SHARES: Shape = Shape::Map(&Shape::Map(&Shape::Number(NOT_NEGATIVE)));

pub(in crate::config) const NUMBER: Shape = Shape::Number(FINITE);

pub(in crate::config) const VECTOR: Shape = Shape::List(&NUMBER);

/// The largest size of a slate.
pub(in crate::config) const MOST: u64 = 1_000_000;

/// The key that names the kind.
pub(in crate::config) const TYPE: Key<Later> =
    Key::later("type", Shape::Text).needed_like("type = \"categorical\"");

pub(in crate::config) const RATE: Key<Later> = Key::later(
    "volunteering_rate",
    Shape::OneOf(&[
        Shape::Number(PART),
        Shape::Map(&Shape::Map(&Shape::Number(PART))),
    ]),
)
.about("of those contacted, who volunteer: of all, or of each value of one attribute or several");

pub(in crate::config) const PACE: Key<f64> = Key::of(
    "pace",
    Shape::OneOf(&[Shape::Number(POSITIVE), Shape::Text]),
    pace,
)
.about("persons a second, or a text such as \"30/min\"");

pub(in crate::config) const PATH: Key<Later> =
    Key::later("path", Shape::Text).about("the file").needed();

pub(in crate::config) const ABOUT: Key<String> = Key::text("about").about("what the file is");

pub(in crate::config) const ID: Key<String> =
    Key::text("id").about("the column that names a person");
