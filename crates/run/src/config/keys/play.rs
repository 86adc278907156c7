//! The keys of rules, feedback, pools and reports.

use crate::catalog::kind_list::KindList;
use crate::catalog::param::{COUNT, Param, Shape, TEXTS, WHOLE};
use crate::document::range::{
    ALPHA, FINITE, NOT_NEGATIVE, PART, POSITIVE, PROBABILITY, UP_TO_A_MILLION,
};

const NUMBERS: Shape = Shape::Map(&Shape::Number(NOT_NEGATIVE));
const PLACES: Shape = Shape::Whole(1, 1_000_000);

const GAIN: Shape = Shape::OneOf(&[
    Shape::Number(POSITIVE),
    Shape::Table(&[
        Param::new("by", Shape::Text, "the attribute that decides").needed(),
        Param::new("of", Shape::Map(&Shape::Number(POSITIVE)), "a gain a value").needed(),
    ]),
]);

/// `[rules]`.
pub(super) const RULES: &[Param] = &[
    Param::new(
        "slate",
        Shape::OneOf(&[
            PLACES,
            Shape::Word(&["all"]),
            Shape::List(&Shape::Whole(0, 1_000_000)),
            Shape::Table(&[Param::new("poisson", Shape::Number(UP_TO_A_MILLION), "").needed()]),
            Shape::Table(&[Param::new(
                "every",
                Shape::OneOf(&[Shape::Number(POSITIVE), Shape::Text]),
                "all who arrive within so long, such as \"1m\"",
            )
            .needed()]),
        ]),
        "how many candidates a round shows",
    )
    .or("1"),
    Param::new(
        "choose",
        Shape::OneOf(&[
            Shape::Word(&["at_most_one", "exactly_one", "any"]),
            Shape::Table(&[Param::new("at_most", PLACES, "").needed()]),
            Shape::Table(&[Param::new("exactly", PLACES, "").needed()]),
            Shape::Table(&[Param::new("share", Shape::Number(PROBABILITY), "").needed()]),
        ]),
        "how many a round chooses",
    )
    .needed(),
    Param::new(
        "until",
        Shape::OneOf(&[
            Shape::Word(&["source_ends"]),
            Shape::Table(&[Param::new("accepted", COUNT, "").needed()]),
            Shape::Table(&[Param::new("rounds", COUNT, "").needed()]),
        ]),
        "when a lane ends",
    )
    .needed(),
    Param::new(
        "max_rounds",
        COUNT,
        "after how many rounds a lane is stalled",
    ),
    Param::new(
        "interviews",
        Shape::List(&Shape::Table(&[
            Param::new("name", Shape::Text, "the kind's name").needed(),
            Param::new("cost", Shape::Number(NOT_NEGATIVE), "what one costs").needed(),
            Param::new(
                "gain",
                GAIN,
                "how much one reveals: at all, or by an attribute's value",
            )
            .needed(),
        ])),
        "the kinds of interviews that are sold",
    ),
    Param::new("interview_cap", WHOLE, "interviews in a round at most"),
    Param::new(
        "budget",
        Shape::Number(NOT_NEGATIVE),
        "what a round's interviews may cost",
    ),
    Param::new(
        "run_budget",
        Shape::Number(NOT_NEGATIVE),
        "what a run's interviews may cost",
    ),
    Param::new(
        "quota",
        Shape::Map(&Shape::Map(&Shape::Tuple(&WHOLE, 2))),
        "the fewest and the most of each value",
    ),
    Param::new(
        "enforce",
        Shape::Flag,
        "whether who breaks a quota is disqualified",
    )
    .or("false"),
    Param::new(
        "unique",
        TEXTS,
        "columns that name a household: at most one of each",
    ),
];

/// `[feedback]`.
pub(super) const FEEDBACK: &[Param] = &[
    Param::new(
        "interview",
        Shape::Registered(KindList::Interviews),
        "what interviews answer",
    ),
    Param::new(
        "outcome",
        Shape::Registered(KindList::Outcomes),
        "what comes of a choice",
    ),
];

const SD: Param = Param::new("sd", Shape::Number(NOT_NEGATIVE), "the noise of a look").needed();

const COMMAND: Param = Param::new("command", TEXTS, "the program and its arguments").needed();
const PATIENCE: Param = Param::new(
    "patience",
    Shape::Text,
    "how long the program may be silent",
)
.or("60s");
const RANGE: Param = Param::new(
    "range",
    Shape::Tuple(&Shape::Number(FINITE), 2),
    "the least and the greatest outcome",
);

/// The kinds of interviews' answers.
pub(crate) const LOOKS: [(&str, &str, &[Param]); 5] = [
    ("gaussian_looks", "the utility and normal noise", &[SD]),
    ("recorded_looks", "what reviewers said, then draws", &[SD]),
    ("bernoulli_looks", "a toss whose chance is the utility", &[]),
    (
        "people",
        "what interviewers say while the run goes on (live)",
        &[
            SD,
            Param::new(
                "range",
                Shape::Tuple(&Shape::Number(FINITE), 2),
                "the least and the greatest answer",
            ),
        ],
    ),
    (
        "exec",
        "what a program of your own says",
        &[COMMAND, SD, PATIENCE],
    ),
];

/// The kinds of outcomes.
pub(crate) const OUTCOMES: [(&str, &str, &[Param]); 5] = [
    (
        "linear",
        "the merit and normal noise",
        &[
            Param::new(
                "noise",
                Shape::Number(NOT_NEGATIVE),
                "its standard deviation",
            )
            .needed(),
            DELAY,
            GOOD,
        ],
    ),
    (
        "bernoulli",
        "1, which is good, with the merit as its chance, else 0",
        &[DELAY, FLIP],
    ),
    (
        "recorded",
        "what a column of the people's file says; where its cell is blank none ever comes",
        &[
            Param::new("column", Shape::Text, "the column").needed(),
            Param::new(
                "values",
                Shape::Map(&Shape::Number(FINITE)),
                "of a column of words or codes, the file's cell = the outcome: { yes = 1, no = 0 }",
            ),
            Param::new(
                "missing",
                TEXTS,
                "cells that say nothing, as blank ones do: [\"NA\"]",
            ),
            RANGE,
            DELAY,
            GOOD,
        ],
    ),
    (
        "reported",
        "what is reported from outside",
        &[
            RANGE,
            Param::new(
                "horizon",
                Shape::OneOf(&[Shape::Whole(1, 1_000_000_000_000), Shape::Text]),
                "how long an outcome is waited for: people who come meanwhile, or a time such as \
                 \"90d\"; without it, for ever, some 250 bytes a person and policy",
            ),
            GOOD,
        ],
    ),
    (
        "exec",
        "what a program of your own says once someone is chosen",
        &[COMMAND, RANGE, PATIENCE, DELAY, GOOD],
    ),
];

const FLIP: Param = Param::new(
    "flip",
    Shape::OneOf(&[
        Shape::Number(PROBABILITY),
        Shape::Table(&[
            Param::new("by", Shape::Text, "the attribute that decides").needed(),
            Param::new(
                "of",
                Shape::Map(&Shape::Number(PROBABILITY)),
                "a probability a value",
            )
            .needed(),
        ]),
    ]),
    "label noise: how likely the other outcome is reported",
);

pub(crate) const DELAY: Param = Param::new(
    "delay",
    Shape::OneOf(&[
        WHOLE,
        Shape::Table(&[Param::new("uniform", Shape::Tuple(&WHOLE, 2), "").needed()]),
    ]),
    "rounds until it is heard",
)
.or("0");

pub(crate) const GOOD: Param = Param::new(
    "good",
    Shape::Text,
    "which outcomes are good: \">= 1\", which is assumed of recorded zeros and ones, or \"<= 0\"",
);

const BY: Param = Param::new(
    "by",
    Shape::Text,
    "the attribute whose values are the groups",
);
const START: Param = Param::new("start", NUMBERS, "the groups' shares at first").needed();
const ETA: Param = Param::new(
    "eta",
    Shape::OneOf(&[
        Shape::Number(NOT_NEGATIVE),
        Shape::Table(&[
            Param::new("start", Shape::Number(NOT_NEGATIVE), "").needed(),
            Param::new(
                "decay",
                Shape::OneOf(&[Shape::Word(&["harmonic"]), Shape::Number(POSITIVE)]),
                "",
            )
            .needed(),
        ]),
    ]),
    "how far a share moves after round t: a number, or `start` / t (harmonic), or `start` / t^a \
     (decay = a, for example 0.75)",
)
.needed();
const RHO: Param = Param::new("rho", Shape::Number(PART), "the part that is looked up to").needed();
const BETA: Param = Param::new("beta", Shape::Number(POSITIVE), "the power").needed();
const WEIGHTS: Param = Param::new("weights", NUMBERS, "a weight of each group").needed();

/// The keys of every kind of pool but the fixed one.
pub(crate) const POOL: [Param; 3] = [BY, START, ETA];

/// The kinds of pools.
pub(crate) const POOLS: [(&str, &str, &[Param]); 5] = [
    ("fixed", "groups' shares stay: start", &[BY, START]),
    (
        "positive_reinforcement",
        "a share moves by eta (admitted share - applicant share): start, eta",
        &[BY, START, ETA],
    ),
    (
        "role_model",
        "the same, by the best-scored part rho of the admitted: start, eta, rho",
        &[BY, START, ETA, RHO],
    ),
    (
        "order",
        "by sign(x) |x|^beta of that difference x: start, eta, beta",
        &[BY, START, ETA, BETA],
    ),
    (
        "weighted",
        "by a weight of each group times that difference: start, eta, weights",
        &[BY, START, ETA, WEIGHTS],
    ),
];

const MOMENTS: Shape = Shape::List(&COUNT);
const OBJECTIVE: Shape = Shape::OneOf(&[
    Shape::Word(&["top_k", "diverse", "quota"]),
    Shape::Table(&[Param::new("diverse", Shape::OneOf(&[Shape::Text, TEXTS]), "").needed()]),
    Shape::Table(&[Param::new("quota", Shape::Text, "").needed()]),
]);

/// `[report]`.
pub(super) const REPORT: &[Param] = &[
    Param::new(
        "at",
        Shape::OneOf(&[
            MOMENTS,
            Shape::Table(&[Param::new("rounds", MOMENTS, "").needed()]),
            Shape::Table(&[Param::new("accepted", MOMENTS, "").needed()]),
        ]),
        "when measures are taken on the way",
    ),
    Param::new("judge", TEXTS, "the metrics that are judged"),
    Param::new(
        "margin",
        Shape::Map(&Shape::Number(POSITIVE)),
        "up to which difference two policies are equivalent, by metric",
    ),
    Param::new(
        "direction",
        Shape::Map(&Shape::Word(&["higher", "lower", "none"])),
        "which way is better, by metric, where not as in `klero list metrics`",
    ),
    Param::new(
        "difference_variance",
        Shape::Map(&Shape::Number(POSITIVE)),
        "what the variance of a difference is at most, by metric",
    ),
    Param::new(
        "pairs",
        Shape::Word(&["all"]),
        "compare every policy with every other",
    ),
    Param::new(
        "baseline",
        Shape::Text,
        "the policy that the others are compared with",
    ),
    Param::new(
        "goal",
        Shape::Table(&[
            Param::new("best", Shape::Text, "the metric whose best value is sought").needed(),
            Param::new("where", Shape::Map(&Shape::Text), "bounds, by metric"),
        ]),
        "what is wanted of a policy",
    ),
    Param::new(
        "alpha",
        Shape::Number(ALPHA),
        "the chance of any wrong verdict",
    )
    .or("0.05"),
    Param::new(
        "objective",
        Shape::OneOf(&[OBJECTIVE, Shape::List(&OBJECTIVE)]),
        "by what the cohorts of all lanes are scored",
    ),
    Param::new(
        "target",
        Shape::Map(&Shape::Number(NOT_NEGATIVE)),
        "of a pool, the shares by which fairness_loss, utility and rounds_to_target of all lanes are \
         measured",
    ),
    Param::new(
        "lambda",
        Shape::Number(NOT_NEGATIVE),
        "the weight of unfairness in the utility of all lanes",
    ),
    Param::new(
        "until",
        Shape::Word(&["decided"]),
        "stop when all is decided",
    ),
    Param::new(
        "unfilled",
        Shape::Word(&["left_out", "worst"]),
        "how a replication counts in which a committee was not filled",
    )
    .or("left_out"),
    Param::new(
        "keep",
        Shape::Word(&["judged", "all", "folds"]),
        "which values replications.csv keeps: of the judged and headline metrics at the end of the \
         run, all, or none; every summary is of all",
    )
    .or("judged"),
];
