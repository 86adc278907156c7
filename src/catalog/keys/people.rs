//! The keys of sources and of the target.

use crate::catalog::param::{COUNT, Entry, Param, Shape, TEXTS, WHOLE};
use crate::document::range::{
    AT_LEAST_1, BETWEEN_0_AND_1, FINITE, NOT_NEGATIVE, PART, POSITIVE, PROBABILITY, UP_TO_100,
};

const SHARES: Shape = Shape::Map(&Shape::Map(&Shape::Number(NOT_NEGATIVE)));
const NUMBER: Shape = Shape::Number(FINITE);
const VECTOR: Shape = Shape::List(&NUMBER);
const MOST: u64 = 1_000_000;

/// `[target]`.
pub(super) const TARGET: Shape = Shape::OneOf(&[
    Shape::Table(&[Param::new("categories", Shape::Text, "").needed()]),
    Shape::Table(&[Param::new("from", Shape::Word(&["weights"]), "").needed()]),
    SHARES,
]);

const RATE: Param = Param::new(
    "volunteering_rate",
    Shape::Number(PART),
    "of those contacted, who volunteer",
);
const PACE: Param = Param::new(
    "pace",
    Shape::OneOf(&[Shape::Number(POSITIVE), Shape::Text]),
    "persons a second, or a text such as \"30/min\"",
);
const PATH: Param = Param::new("path", Shape::Text, "the file").needed();
const ABOUT: Param = Param::new("about", Shape::Text, "what the file is");
const ORDER: Param = Param::new(
    "order",
    Shape::Word(&["file", "shuffled", "resampled"]),
    "in what order people come",
);
const WHERE: Param = Param::new("where", TEXTS, "filters that all must hold");
const ID: Param = Param::new("id", Shape::Text, "the column that names a person");
const DELIMITER: Param = Param::new("delimiter", Shape::Text, "between the columns").or(",");
const UTILITY: Param = Param::new(
    "utility",
    Shape::Text,
    "the column of what people are worth",
);
const SCORE: Param = Param::new(
    "score",
    Shape::Text,
    "the column of a score that policies see",
);
const ATTRIBUTES: Param = Param::new(
    "attributes",
    Shape::Map(&Shape::Table(&[
        Param::new("column", Shape::Text, "the column").needed(),
        Param::new("values", Shape::Map(&Shape::Text), "names of its values"),
        Param::new(
            "bands",
            Shape::Map(&Shape::Tuple(&Shape::Any, 2)),
            "names of ranges, [from, to)",
        ),
    ])),
    "how columns become attributes",
)
.needed();
const STANDARDISE: Param = Param::new(
    "standardise",
    Shape::OneOf(&[
        Shape::Flag,
        Shape::Table(&[Param::new("fit", Shape::Text, "").needed()]),
    ]),
    "to mean 0 and standard deviation 1",
);
const FEATURES: Param = Param::new(
    "features",
    Shape::Table(&[
        Param::new("constant", Shape::Flag, "a feature that is 1"),
        Param::new("numeric", TEXTS, "columns of numbers"),
        Param::new("one_hot", TEXTS, "columns of which each value is a feature"),
        STANDARDISE,
        Param::new("missing", NUMBER, "what stands in for a missing number"),
        Param::new("group", Shape::Text, "the attribute that makes the groups"),
    ]),
    "which columns are a person's context",
);
const P: Param = Param::new("p", Shape::Number(PROBABILITY), "the type's share").needed();
const LAW: [Param; 2] = [
    Param::new("shares", SHARES, "shares of each attribute's values"),
    Param::new(
        "joint",
        Shape::OneOf(&[Shape::Text, Shape::List(&Shape::Open(&[P], &Shape::Text))]),
        "shares of whole types, from a file or listed with p",
    ),
];

const FILE: &[Param] = &[
    PATH,
    ABOUT,
    Param::new("follow", Shape::Flag, "read on as the file grows (live)").or("false"),
    Param::new(
        "header",
        Shape::Flag,
        "whether the first line names the columns",
    ),
    Param::new("columns", TEXTS, "the columns of a file without a header"),
    DELIMITER,
    WHERE,
    ORDER,
    Param::new(
        "resample_by",
        Shape::Text,
        "the column of weights to draw by",
    ),
    Param::new("weight", Shape::Text, "the column of weights of the shares"),
    ID,
    ATTRIBUTES,
    FEATURES,
    Param::new(
        "reward",
        Shape::Table(&[Param::new("column", Shape::Text, "").needed(), STANDARDISE]),
        "the column that merits are fitted to",
    ),
    UTILITY,
    SCORE,
    Param::new(
        "reviews",
        Shape::OneOf(&[
            TEXTS,
            Shape::Table(&[
                Param::new("path", Shape::Text, "").needed(),
                Param::new("applicant", Shape::Text, ""),
                Param::new("score", Shape::Text, ""),
            ]),
        ]),
        "what reviewers said: columns, or a file",
    ),
    Param::new("one_per_group", Shape::Flag, "one of each group a round"),
];

const RESPONDENTS: &[Param] = &[PATH, ABOUT, ORDER, ID, DELIMITER];

const SEASON: &[Param] = &[
    Param::new(
        "applicants",
        Shape::Table(&[
            Param::new("masters", WHOLE, "").needed(),
            Param::new("phd", WHOLE, "").needed(),
        ]),
        "how many apply",
    ),
    Param::new(
        "admitted",
        Shape::Table(&[
            Param::new("masters", Shape::Number(BETWEEN_0_AND_1), "").needed(),
            Param::new("phd", Shape::Number(BETWEEN_0_AND_1), "").needed(),
        ]),
        "which share is admitted",
    ),
    Param::new(
        "spread",
        Shape::Number(UP_TO_100),
        "how far utilities lie apart",
    ),
    Param::new("reviews", Shape::Number(AT_LEAST_1), "reviews an applicant"),
    Param::new(
        "review_sd",
        Shape::Number(NOT_NEGATIVE),
        "the noise of a review",
    ),
    Param::new(
        "chair_sd",
        Shape::Number(NOT_NEGATIVE),
        "the noise of the chair",
    ),
];

const N: Param = Param::new("n", Shape::Whole(1, MOST), "how many").needed();
const NORMAL: &[Param] = &[
    N,
    Param::new("mean", NUMBER, "their mean").needed(),
    Param::new(
        "sd",
        Shape::Number(NOT_NEGATIVE),
        "their standard deviation",
    )
    .needed(),
];

const ARMS: &[Param] = &[
    Param::new(
        "means",
        Shape::OneOf(&[
            Shape::Table(&[Param::new("list", VECTOR, "").needed()]),
            Shape::Table(&[Param::new(
                "linear",
                Shape::Table(&[
                    N,
                    Param::new("from", NUMBER, "").needed(),
                    Param::new("to", NUMBER, "").needed(),
                ]),
                "",
            )
            .needed()]),
            Shape::Table(&[Param::new("normal_quantiles", Shape::Table(NORMAL), "").needed()]),
            Shape::Table(&[Param::new("normal", Shape::Table(NORMAL), "").needed()]),
        ]),
        "what the applicants are worth",
    )
    .needed(),
    Param::new(
        "groups",
        Shape::OneOf(&[
            Shape::Table(&[Param::new("modulo", COUNT, "").needed()]),
            Shape::Table(&[Param::new("blocks", COUNT, "").needed()]),
            Shape::Table(&[Param::new("list", TEXTS, "").needed()]),
        ]),
        "the group of each",
    ),
];

const GAUSSIAN: &[Param] = &[
    Param::new(
        "groups",
        Shape::Map(&Shape::Table(&[
            Param::new("mean", NUMBER, "").needed(),
            Param::new("variance", Shape::Number(NOT_NEGATIVE), "").needed(),
            Param::new("score_bias", NUMBER, "").or("0"),
        ])),
        "the groups' scores",
    )
    .needed(),
    Param::new(
        "score_noise",
        Shape::Number(NOT_NEGATIVE),
        "noise of the score that is seen",
    )
    .or("0"),
];

const LINEAR_PRESET: &[Param] = &[Param::new(
    "preset",
    Shape::Word(&["grazzi2022-section6", "grazzi2022-released"]),
    "a paper's instance",
)
.needed()];

const LINEAR: &[Param] = &[
    Param::new("mu", VECTOR, "what a feature is worth").needed(),
    Param::new("one_per_group", Shape::Flag, "one of each group a round").or("false"),
    Param::new(
        "group",
        Shape::List(&Shape::Table(&[
            Param::new("name", Shape::Text, "").needed(),
            Param::new("probability", Shape::Number(PART), ""),
            Param::new("low", VECTOR, "").needed(),
            Param::new("width", Shape::List(&Shape::Number(NOT_NEGATIVE)), "").needed(),
        ])),
        "the groups",
    )
    .needed(),
];

const CATEGORICAL: &[Param] = &[
    LAW[0],
    Param::new(
        "weights",
        SHARES,
        "how readily each value volunteers, against the target",
    ),
    LAW[1],
];

const ADDRESS: Param = Param::new("address", Shape::Text, "where it listens").needed();
const READ: [Param; 9] = [
    Param::new(
        "decoding",
        Shape::Table(&[
            Param::new("codec", Shape::Word(&["json", "csv"]), ""),
            DELIMITER,
            Param::new("columns", TEXTS, "the columns of rows without a header"),
        ]),
        "how lines become records",
    ),
    Param::new(
        "framing",
        Shape::Table(&[Param::new(
            "max_length",
            Shape::OneOf(&[WHOLE, Shape::Text]),
            "the longest line",
        )
        .needed()]),
        "how long a record may be",
    ),
    Param::new(
        "on_error",
        Shape::Word(&["skip", "reject", "halt"]),
        "what becomes of a record that can't be read",
    )
    .or("skip"),
    WHERE,
    ID,
    SCORE,
    ATTRIBUTES,
    FEATURES,
    LAW[0],
];
const TAPE: Param = Param::new(
    "replay",
    Shape::Table(&[Param::new("speed", Shape::Number(POSITIVE), "").needed()]),
    "at which multiple of its pace it is played",
);

/// A kind of source: its name, what it is, its own keys, and whether records come from outside.
type Source = (&'static str, &'static str, &'static [Param], bool);

/// The kinds of sources.
pub const SOURCES: [Source; 13] = [
    (
        "admissions",
        "a generated season of graduate admissions: applicants, admitted, spread, reviews, review_sd, chair_sd (all ours, calibrated)",
        SEASON,
        false,
    ),
    (
        "arms",
        "a given set of applicants with true utilities: by formula, listed, or drawn anew; with groups",
        ARMS,
        false,
    ),
    (
        "categorical",
        "generated people: shares (product of marginals), weights relative to the target, or a joint table",
        CATEGORICAL,
        false,
    ),
    (
        "file",
        "people from a CSV or NDJSON file: in its order, shuffled, or resampled; with utility, score and reviews where they have such; with follow = true, as it grows (live)",
        FILE,
        false,
    ),
    (
        "file",
        "",
        &[
            Param::new("follow", Shape::True, "read on as the file grows").needed(),
            PATH,
        ],
        true,
    ),
    (
        "gaussian_groups",
        "people of groups whose scores are normal, of whom a pool lets some apply: groups (mean, variance, score_bias), score_noise",
        GAUSSIAN,
        false,
    ),
    (
        "http",
        "people posted as JSON to an address, as they come (live)",
        &[ADDRESS],
        true,
    ),
    (
        "linear_groups",
        "contexts of several groups, worth mu.x each: a preset, or mu and [[source.group]]",
        LINEAR_PRESET,
        false,
    ),
    ("linear_groups", "", LINEAR, false),
    (
        "respondents",
        "an organiser's volunteers, with the attributes of [target] categories = \"categories.csv\": resampled, shuffled, or in their order",
        RESPONDENTS,
        false,
    ),
    (
        "stdin",
        "people on the standard input, a JSON record or a row of CSV a line (live)",
        &[],
        true,
    ),
    (
        "tape",
        "a recorded stream of records, at once or at a multiple of its pace: path, replay.speed (live)",
        &[PATH, TAPE],
        true,
    ),
    (
        "tcp",
        "people over connections to an address, as on the standard input (live)",
        &[ADDRESS],
        true,
    ),
];

/// The kinds of sources, each with all its keys.
pub fn entries() -> Vec<Entry> {
    let entry = |(name, about, own, is_feed): &Source| {
        let read: &[Param] = if *is_feed { &READ } else { &[] };
        let law = &LAW[1..];
        let law: &[Param] = if *is_feed { law } else { &[] };
        Entry {
            name,
            about,
            params: [&[RATE, PACE], *own, read, law].concat(),
        }
    };
    SOURCES.iter().map(entry).collect()
}
