//! The keys of a world of people, as data.

use super::arrivals::ARRIVALS;
use super::laws::{LAW, feature_entries, number_entries};
use crate::config::by_value::{BY, of};
use crate::config::joint::JOINT;
use crate::config::keys::people::{NUMBER, VECTOR};
use crate::config::seconds::seconds;
use crate::config::sources::categorical::SHARES;
use crate::document::param::{Param, Shape, TEXTS};
use crate::document::range::{FINITE, NOT_NEGATIVE, POSITIVE, PROBABILITY};
use crate::document::{ConfigKey, Later};
use crate::keys;

const NUMBER_LAW: Shape = Shape::Kinds(LAW.name(), number_entries);

/// A law, or one a value of an attribute.
const LAW_BY_VALUE: Shape = Shape::OneOf(&[
    NUMBER_LAW,
    Shape::Table(&[BY.param, of(Shape::Map(&NUMBER_LAW), "a law a value").param]),
]);

const FEATURE_LAW: Shape = Shape::Kinds(LAW.name(), feature_entries);

pub(super) const FEATURES: ConfigKey<Later> = ConfigKey::later(
    "features",
    Shape::Map(&Shape::OneOf(&[
        FEATURE_LAW,
        Shape::Table(&[
            BY.param,
            of(Shape::Map(&FEATURE_LAW), "a law a value").param,
        ]),
    ])),
)
.about("numbers that policies see, each of its law or of one a value of an attribute")
.like("features = { experience = { law = \"gamma\", shape = 2.0, scale = 3.0 } }");

pub(super) const WEIGHTS: ConfigKey<Later> = ConfigKey::later("weights", Shape::Map(&NUMBER))
    .about("a weight a feature")
    .needed();

pub(super) const CONSTANT: ConfigKey<f64> = ConfigKey::number("constant", FINITE)
    .about("what is added")
    .or(0.0);

/// A merit of weighted features.
pub(super) const WEIGHTED: &[Param] = keys![WEIGHTS, CONSTANT];

pub(super) const MERIT: ConfigKey<Later> = ConfigKey::later(
    "merit",
    Shape::OneOf(&[
        NUMBER_LAW,
        Shape::Table(&[BY.param, of(Shape::Map(&NUMBER_LAW), "a law a value").param]),
        Shape::Table(WEIGHTED),
    ]),
)
.about("what people are worth: a law, one a value of an attribute, or a weighted sum of features");

/// A score that measures what people are worth.
pub(super) const MEASURED: [(&str, ()); 1] = [("merit", ())];

pub(super) const SCORE: ConfigKey<Later> = ConfigKey::later(
    "score",
    Shape::OneOf(&[Shape::Word(&MEASURED), LAW_BY_VALUE]),
)
.about("a score that policies see: what people are worth (\"merit\"), or a number of its own law");

pub(super) const COUPLED: ConfigKey<Later> = ConfigKey::later("of", TEXTS)
    .about("attributes, features, \"merit\" and \"score\" that hang together")
    .needed_like("of = [\"experience\", \"merit\"]");

pub(super) const CORRELATIONS: ConfigKey<Later> =
    ConfigKey::later("correlations", Shape::List(&VECTOR))
        .about("the correlations of their normals, a row each")
        .needed_like("correlations = [[1.0, 0.5], [0.5, 1.0]]");

pub(super) const COPULA: ConfigKey<Later> =
    ConfigKey::table("copula", keys![COUPLED, CORRELATIONS]).about("a Gaussian copula");

/// The probability of a misreading, where it is the same of all.
pub(super) const MISREAD_OF_ALL: ConfigKey<f64> = ConfigKey::number("", PROBABILITY);

const RATE: Shape = MISREAD_OF_ALL.shape();

pub(super) const MISREAD: ConfigKey<Later> = ConfigKey::later(
    "misread",
    Shape::Map(&Shape::OneOf(&[
        RATE,
        Shape::Table(&[
            BY.param,
            of(Shape::Map(&RATE), "a probability a value").param,
        ]),
    ])),
)
.about("how likely an attribute is shown with another value than the true one");

pub(super) const SD: ConfigKey<f64> = ConfigKey::number("sd", NOT_NEGATIVE).or(0.0);
pub(super) const BIAS: ConfigKey<f64> = ConfigKey::number("bias", FINITE).or(0.0);

/// An error of measurement.
pub(super) const ERROR_KEYS: &[Param] = keys![SD, BIAS];

const ERROR: Shape = Shape::Table(ERROR_KEYS);

pub(super) const ERRORS: ConfigKey<Later> = ConfigKey::later(
    "errors",
    Shape::Map(&Shape::OneOf(&[
        ERROR,
        Shape::Table(&[BY.param, of(Shape::Map(&ERROR), "an error a value").param]),
    ])),
)
.about("how features and the score are measured: bias, and sd of normal noise");

pub(super) const ROUND: ConfigKey<u64> =
    ConfigKey::whole("round", 2, u64::MAX).about("from this round on");

pub(super) const AT: ConfigKey<f64> = ConfigKey::of(
    "at",
    Shape::OneOf(&[Shape::Number(POSITIVE), Shape::Text]),
    seconds,
)
.about("from this time on, such as \"2h\"");

/// A change.
pub(super) const CHANGE_KEYS: &[Param] = keys! {
    ROUND, AT, SHARES, JOINT, FEATURES, MERIT, SCORE, MISREAD, ERRORS,
};

pub(super) const CHANGE: ConfigKey<Later> =
    ConfigKey::later("change", Shape::List(&Shape::Table(CHANGE_KEYS)))
        .about("laws that take the place of earlier ones, from a round or a time on");

pub(super) const GROUP: ConfigKey<Later> = ConfigKey::later("group", Shape::Text)
    .about("the attribute whose values are the groups; a single attribute is");

/// The keys of a source of this type.
pub(super) const KEYS: &[Param] = keys! {
    SHARES, JOINT, GROUP, FEATURES, MERIT, SCORE, COPULA, MISREAD, ERRORS, ARRIVALS, CHANGE,
};
