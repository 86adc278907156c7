//! The keys of letters, of offers and of drop-out.

use super::people::FILE;
use crate::catalog::param::{COUNT, Param, Shape, WHOLE};
use crate::document::range::{BETWEEN_0_AND_1, PART, PROBABILITY};

const RATE: Shape = Shape::OneOf(&[
    Shape::Number(PART),
    Shape::Table(&[
        Param::new("invited", COUNT, "who got a letter").needed(),
        Param::new("answered", WHOLE, "who of them answered").needed(),
    ]),
]);

const P: Param = Param::new("p", Shape::Number(PROBABILITY), "the type's share").needed();

/// The probability with which the pool is to have a committee.
pub(in crate::config) const SURE: Param = Param::new(
    "sure",
    Shape::Number(BETWEEN_0_AND_1),
    "with which probability the pool is to have a committee",
)
.or("0.95");

/// `[letters]`.
pub(super) const LETTERS: &[Param] = &[
    Param::new(
        "rate",
        RATE,
        "of those who get a letter, who answer: a number, or counts of an earlier recruitment",
    ),
    Param::new(
        "by",
        Shape::Map(&Shape::Map(&RATE)),
        "the same for each value of some attributes",
    ),
    Param::new(
        "population",
        Shape::OneOf(&[FILE, Shape::List(&Shape::Open(&[P], &Shape::Text))]),
        "the shares of types among those who get letters, from a file or listed with p",
    ),
    SURE,
];

/// `[dropout]`.
pub(super) const DROPOUT: &[Param] = &[
    Param::new(
        "rate",
        Shape::Number(PROBABILITY),
        "the probability that a member leaves",
    ),
    Param::new(
        "by",
        Shape::Map(&Shape::Map(&Shape::Number(PROBABILITY))),
        "what each value adds: members stay with the product of all that they stay with",
    ),
    Param::new(
        "column",
        Shape::Text,
        "the column of the respondents file with each one's probability",
    ),
];

/// `[yield]`.
pub(super) const YIELD: &[Param] = &[
    Param::new(
        "type",
        Shape::Word(&["drawn", "people"]),
        "who says it: a draw, or people while the run goes on (live)",
    )
    .or("drawn"),
    Param::new(
        "rate",
        Shape::Number(PROBABILITY),
        "the probability that a chosen person takes the place",
    )
    .or("1"),
    Param::new(
        "by",
        Shape::Map(&Shape::Map(&Shape::Number(PROBABILITY))),
        "what the rate is multiplied by for each value of some attributes",
    ),
    Param::new(
        "column",
        Shape::Text,
        "the column of the respondents file with each one's probability",
    ),
    Param::new(
        "refill",
        Shape::Flag,
        "whether the policy chooses others of the slate for places that were declined; else \
         the places are empty, and those who come later may fill them",
    )
    .or("false"),
];
