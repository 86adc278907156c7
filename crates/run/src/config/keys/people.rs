//! The keys of the target, and those that several kinds of sources share.

use crate::catalog::param::{Param, Shape, TEXTS, WHOLE};
use crate::document::range::{FINITE, NOT_NEGATIVE, PART, POSITIVE, PROBABILITY};

pub(in crate::config) const SHARES: Shape = Shape::Map(&Shape::Map(&Shape::Number(NOT_NEGATIVE)));

pub(in crate::config) const NUMBER: Shape = Shape::Number(FINITE);

pub(in crate::config) const VECTOR: Shape = Shape::List(&NUMBER);

/// `[target]`.
pub(in crate::config) const TARGET: Shape = Shape::OneOf(&[
    Shape::Table(&[
        Param::new(
            "categories",
            FILE,
            "an organiser's file of quotas on values",
        )
        .needed(),
        Param::new(
            "intersections",
            FILE,
            "an organiser's file of quotas on pairs of values",
        ),
        Param::new(
            "sheet",
            Shape::Text,
            "the sheet of a workbook of quotas; the first that is not hidden where left out",
        ),
        Param::new(
            "intersections_sheet",
            Shape::Text,
            "the sheet of a workbook of intersections, likewise",
        ),
        Param::new(
            "columns",
            Shape::Table(&[
                Param::new("category", Shape::Text, "of attributes"),
                Param::new("name", Shape::Text, "of their values"),
                Param::new("min", Shape::Text, "of minimums"),
                Param::new("max", Shape::Text, "of maximums"),
                Param::new("min_flex", Shape::Text, "of flexible minimums"),
                Param::new("max_flex", Shape::Text, "of flexible maximums"),
                Param::new("quota", Shape::Text, "of both bounds: 5, 4-6, 48 %"),
            ]),
            "the names of the columns of quotas, where they are not the usual ones",
        ),
        EXACT,
        OTHERS,
        Param::new(
            "flexible",
            Shape::Flag,
            "whether quotas that clash are relaxed within min_flex and max_flex",
        )
        .or("false"),
    ]),
    Shape::Table(&[Param::new("from", Shape::Word(&["weights"]), "").needed()]),
    Shape::Open(&[OTHERS], &Shape::Map(&Shape::Number(NOT_NEGATIVE))),
]);

pub(in crate::config) const EXACT: Param = Param::new(
    "exact",
    Shape::Flag,
    "whether case, blanks, Unicode form and kinds of dashes in values make a difference",
)
.or("false");

const OTHERS: Param = Param::new(
    "others",
    Shape::Word(&["allow", "refuse"]),
    "people with values that the target does not name",
);

pub(in crate::config) const RATE: Param = Param::new(
    "volunteering_rate",
    Shape::OneOf(&[
        Shape::Number(PART),
        Shape::Map(&Shape::Map(&Shape::Number(PART))),
    ]),
    "of those contacted, who volunteer: of all, or of each value of one attribute or several",
);

pub(in crate::config) const PACE: Param = Param::new(
    "pace",
    Shape::OneOf(&[Shape::Number(POSITIVE), Shape::Text]),
    "persons a second, or a text such as \"30/min\"",
);

/// A file, or a table from the memory of a program.
pub(in crate::config) const FILE: Shape = Shape::OneOf(&[
    Shape::Text,
    Shape::Table(&[
        Param::new(
            "memory",
            Shape::Text,
            "the name of a table that a program hands in",
        )
        .needed(),
        Param::new("sha256", Shape::Text, "the hash of the table"),
        Param::new("rows", WHOLE, "the number of its rows"),
    ]),
]);

pub(in crate::config) const PATH: Param = Param::new("path", FILE, "the file").needed();

/// The file of a feed, which grows or is played.
pub(in crate::config) const FEED: Param = Param::new("path", Shape::Text, "the file").needed();

pub(in crate::config) const ABOUT: Param = Param::new("about", Shape::Text, "what the file is");

pub(in crate::config) const ORDER: Param = Param::new(
    "order",
    Shape::Word(&["file", "shuffled", "resampled"]),
    "in what order people come",
);

pub(in crate::config) const WHERE: Param = Param::new("where", TEXTS, "filters that all must hold");

pub(in crate::config) const ID: Param =
    Param::new("id", Shape::Text, "the column that names a person");

pub(in crate::config) const DELIMITER: Param = Param::new(
    "delimiter",
    Shape::Text,
    "between the columns; recognised where left out",
);

pub(in crate::config) const SHEET: Param = Param::new(
    "sheet",
    Shape::Text,
    "the sheet of a workbook; the first that is not hidden where left out",
);

pub(in crate::config) const UTILITY: Param = Param::new(
    "utility",
    Shape::Text,
    "the column of what people are worth",
);

pub(in crate::config) const SCORE: Param = Param::new(
    "score",
    Shape::Text,
    "the column of a score that policies see",
);

pub(in crate::config) const ATTRIBUTES: Param = Param::new(
    "attributes",
    Shape::Map(&Shape::Table(&[
        Param::new("column", Shape::Text, "the column").needed(),
        Param::new("values", Shape::Map(&Shape::Text), "names of its values"),
        Param::new(
            "bands",
            Shape::Map(&Shape::Tuple(&Shape::Any, 2)),
            "names of ranges, [from, to)",
        ),
        EXACT,
    ])),
    "how columns become attributes",
)
.like(
    "[source.attributes] with sex = { column = \"SEX\", \
     values = { \"1\" = \"male\", \"2\" = \"female\" } }",
)
.needed();

pub(in crate::config) const STANDARDISE: Param = Param::new(
    "standardise",
    Shape::OneOf(&[
        Shape::Flag,
        Shape::Table(&[Param::new("fit", FILE, "").needed()]),
    ]),
    "to mean 0 and standard deviation 1",
);

pub(in crate::config) const FEATURES: Param = Param::new(
    "features",
    Shape::Table(&[
        Param::new("constant", Shape::Flag, "a feature that is 1"),
        Param::new("numeric", TEXTS, "columns of numbers"),
        Param::new("one_hot", TEXTS, "columns of which each value is a feature"),
        STANDARDISE,
        Param::new("missing", NUMBER, "the number that replaces a missing one"),
        Param::new(
            "range",
            Shape::Map(&Shape::Tuple(&NUMBER, 2)),
            "of numeric columns the smallest and the largest number; others are refused",
        ),
        Param::new("group", Shape::Text, "the attribute that makes the groups"),
    ]),
    "which columns are a person's context",
);

const P: Param = Param::new("p", Shape::Number(PROBABILITY), "the type's share").needed();

pub(in crate::config) const LAW: [Param; 2] = [
    Param::new("shares", SHARES, "shares of each attribute's values"),
    Param::new(
        "joint",
        Shape::OneOf(&[FILE, Shape::List(&Shape::Open(&[P], &Shape::Text))]),
        "shares of whole types, from a file or listed with p",
    ),
];

pub(in crate::config) const READ: [Param; 10] = [
    Param::new(
        "decoding",
        Shape::Table(&[
            Param::new("codec", Shape::Word(&["json", "csv"]), ""),
            Param::new("delimiter", Shape::Text, "between the columns").or(","),
            Param::new("columns", TEXTS, "the columns of rows without a header"),
        ]),
        "how lines become records",
    ),
    Param::new(
        "framing",
        Shape::Table(&[
            Param::new(
                "method",
                Shape::Word(&["newline_delimited", "octet_counting"]),
                "a record a line, or each after its length in bytes",
            )
            .or("newline_delimited"),
            Param::new(
                "max_length",
                Shape::OneOf(&[WHOLE, Shape::Text]),
                "the longest line or message",
            )
            .or("100KiB"),
        ]),
        "how bytes become records, and how long one may be",
    ),
    Param::new(
        "on_error",
        Shape::Word(&["skip", "reject", "halt"]),
        "what becomes of a record that can't be read",
    )
    .or("skip"),
    WHERE,
    EXACT,
    ID,
    SCORE,
    ATTRIBUTES,
    FEATURES,
    LAW[0],
];
