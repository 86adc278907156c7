//! The keys of a world of people, as data.

use super::arrivals::ARRIVALS;
use super::laws::{feature_entries, number_entries};
use crate::catalog::param::{Param, Shape, TEXTS};
use crate::config::keys::people::{LAW, NUMBER, VECTOR};
use crate::document::range::{NOT_NEGATIVE, POSITIVE, PROBABILITY};

const BY: Param = Param::new("by", Shape::Text, "the attribute that decides").needed();

const NUMBER_LAW: Shape = Shape::Kinds("law", number_entries);

/// A law, or one a value of an attribute.
const LAW_BY_VALUE: Shape = Shape::OneOf(&[
    NUMBER_LAW,
    Shape::Table(&[
        BY,
        Param::new("of", Shape::Map(&NUMBER_LAW), "a law a value").needed(),
    ]),
]);

const FEATURE_LAW: Shape = Shape::Kinds("law", feature_entries);

const FEATURES: Param = Param::new(
    "features",
    Shape::Map(&Shape::OneOf(&[
        FEATURE_LAW,
        Shape::Table(&[
            BY,
            Param::new("of", Shape::Map(&FEATURE_LAW), "a law a value").needed(),
        ]),
    ])),
    "numbers that policies see, each of its law or of one a value of an attribute",
)
.like("features = { experience = { law = \"gamma\", shape = 2.0, scale = 3.0 } }");

const MERIT: Param = Param::new(
    "merit",
    Shape::OneOf(&[
        NUMBER_LAW,
        Shape::Table(&[
            BY,
            Param::new("of", Shape::Map(&NUMBER_LAW), "a law a value").needed(),
        ]),
        Shape::Table(&[
            Param::new("weights", Shape::Map(&NUMBER), "a weight a feature").needed(),
            Param::new("constant", NUMBER, "what is added").or("0"),
        ]),
    ]),
    "what people are worth: a law, one a value of an attribute, or a weighted sum of features",
);

const SCORE: Param = Param::new(
    "score",
    Shape::OneOf(&[Shape::Word(&["merit"]), LAW_BY_VALUE]),
    "a score that policies see: what people are worth (\"merit\"), or a number of its own law",
);

const COPULA: Param = Param::new(
    "copula",
    Shape::Table(&[
        Param::new(
            "of",
            TEXTS,
            "attributes, features, \"merit\" and \"score\" that hang together",
        )
        .needed(),
        Param::new(
            "correlations",
            Shape::List(&VECTOR),
            "the correlations of their normals, a row each",
        )
        .needed(),
    ]),
    "a Gaussian copula",
);

const RATE: Shape = Shape::Number(PROBABILITY);

const MISREAD: Param = Param::new(
    "misread",
    Shape::Map(&Shape::OneOf(&[
        RATE,
        Shape::Table(&[
            BY,
            Param::new("of", Shape::Map(&RATE), "a probability a value").needed(),
        ]),
    ])),
    "how likely an attribute is shown with another value than the true one",
);

const ERROR: Shape = Shape::Table(&[
    Param::new("sd", Shape::Number(NOT_NEGATIVE), "").or("0"),
    Param::new("bias", NUMBER, "").or("0"),
]);

const ERRORS: Param = Param::new(
    "errors",
    Shape::Map(&Shape::OneOf(&[
        ERROR,
        Shape::Table(&[
            BY,
            Param::new("of", Shape::Map(&ERROR), "an error a value").needed(),
        ]),
    ])),
    "how features and the score are measured: bias, and sd of normal noise",
);

const DURATION: Shape = Shape::OneOf(&[Shape::Number(POSITIVE), Shape::Text]);

const CHANGE: Param = Param::new(
    "change",
    Shape::List(&Shape::Table(&[
        Param::new("round", Shape::Whole(2, u64::MAX), "from this round on"),
        Param::new("at", DURATION, "from this time on, such as \"2h\""),
        LAW[0],
        LAW[1],
        FEATURES,
        MERIT,
        SCORE,
        MISREAD,
        ERRORS,
    ])),
    "laws that take the place of earlier ones, from a round or a time on",
);

/// The keys of a source of this type.
pub(super) const KEYS: &[Param] = &[
    LAW[0],
    LAW[1],
    Param::new(
        "group",
        Shape::Text,
        "the attribute whose values are the groups; a single attribute is",
    ),
    FEATURES,
    MERIT,
    SCORE,
    COPULA,
    MISREAD,
    ERRORS,
    Param::new("arrivals", ARRIVALS, "when people come"),
    CHANGE,
];
