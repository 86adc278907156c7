//! The keys and shapes that several kinds of sources share.

use crate::config::memory::FILE;
use crate::document::kind_list::KindList;
use crate::document::param::Shape;
use crate::document::range::{FINITE, NOT_NEGATIVE, PART};
use crate::document::{ConfigKey, Later};

pub(in crate::config) const SHARES: Shape = Shape::Map(&Shape::Map(&Shape::Number(NOT_NEGATIVE)));

pub(in crate::config) const NUMBER: Shape = Shape::Number(FINITE);

pub(in crate::config) const VECTOR: Shape = Shape::List(&NUMBER);

/// The key that names the kind.
pub(in crate::config) const TYPE: ConfigKey<Later> =
    ConfigKey::later(KindList::Sources.tag(), Shape::Text).needed_like("type = \"categorical\"");

pub(in crate::config) const RATE: ConfigKey<Later> = ConfigKey::later(
    "volunteering_rate",
    Shape::OneOf(&[
        Shape::Number(PART),
        Shape::Map(&Shape::Map(&Shape::Number(PART))),
    ]),
)
.about("of those contacted, who volunteer: of all, or of each value of one attribute or several");

pub(in crate::config) const PATH: ConfigKey<Later> =
    ConfigKey::later("path", FILE).about("the file").needed();

pub(in crate::config) const ABOUT: ConfigKey<String> =
    ConfigKey::text("about").about("what the file is");

pub(in crate::config) const ID: ConfigKey<String> =
    ConfigKey::text("id").about("the column that names a person");
