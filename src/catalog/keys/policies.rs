//! The keys of policies.

use crate::catalog::param::{Param, Shape, TEXTS};
use crate::document::range::{
    ABOVE_1, BETWEEN_0_AND_1, DISCOUNT, NOT_NEGATIVE, PART, POSITIVE, PROBABILITY,
};

const SHARES: Shape = Shape::Map(&Shape::Number(NOT_NEGATIVE));
const DELTA_RANGE: Shape = Shape::Number(BETWEEN_0_AND_1);

pub(in crate::catalog) const TOLERANCE: Param = Param::new(
    "tolerance",
    Shape::Number(NOT_NEGATIVE),
    "by how much a share may exceed its target; with a categories file and none given, its maximums are the caps",
)
.or("0");
pub(in crate::catalog) const DELTA: Param =
    Param::new("delta", DELTA_RANGE, "the chance of a wrong statement").or("0.05");
pub(in crate::catalog) const CONFIDENCE_SCALE: Param = Param::new(
    "confidence_scale",
    Shape::Number(NOT_NEGATIVE),
    "what the confidence radius is multiplied by; 1 is as printed",
)
.or("1");
pub(in crate::catalog) const PROGRAM: Param = Param::new(
    "program",
    Shape::Word(&["full", "small"]),
    "which form of the program",
)
.or("full");
pub(in crate::catalog) const ZERO_RULE: Param = Param::new(
    "zero_rule",
    Shape::Word(&["half", "accept", "reject", "plugin"]),
    "what becomes of a type that the program gives no chance",
)
.or("half");
pub(in crate::catalog) const V: Param = Param::new(
    "v",
    Shape::OneOf(&[Shape::Number(NOT_NEGATIVE), Shape::Word(&["pilot"])]),
    "by how much a queue may grow; \"pilot\" is the smallest that screens no more than cmdp, found by simulation, and needs p",
)
.or("2");
pub(in crate::catalog) const RIDGE: Param = Param::new(
    "lambda",
    Shape::Number(POSITIVE),
    "the ridge of the regression",
)
.or("0.1");
pub(in crate::catalog) const RHO: Param =
    Param::new("rho", Shape::Number(PART), "the noise added to features").or("1e-8");
pub(in crate::catalog) const REFRESH: Param = Param::new(
    "refresh",
    Shape::Number(ABOVE_1),
    "another algorithm: estimates anew only when t has grown by this factor",
);
pub(in crate::catalog) const RANKED_BY: Param = Param::new(
    "by",
    Shape::Text,
    "the groups' attribute, where the source doesn't say",
);
pub(in crate::catalog) const FORM: Param = Param::new(
    "form",
    Shape::Word(&["authors", "abbasi_yadkori"]),
    "which upper bound: with ec, or with R, S and delta",
)
.or("authors");
pub(in crate::catalog) const EC: Param = Param::new(
    "ec",
    Shape::Number(NOT_NEGATIVE),
    "the authors' exploration constant",
)
.or("1");
pub(in crate::catalog) const NOISE: Param = Param::new(
    "R",
    Shape::Number(NOT_NEGATIVE),
    "the scale of the rewards' noise",
);
pub(in crate::catalog) const NORM: Param = Param::new(
    "S",
    Shape::Number(NOT_NEGATIVE),
    "a bound on the length of mu",
);
pub(in crate::catalog) const OFUL_DELTA: Param =
    Param::new("delta", DELTA_RANGE, "the chance that the bound is wrong").or("0.01");
pub(in crate::catalog) const OBJECTIVE: Param = Param::new(
    "objective",
    Shape::Word(&["top_k", "diverse", "quota"]),
    "what a cohort is worth",
)
.or("top_k");
pub(in crate::catalog) const COHORT_BY: Param =
    Param::new("by", Shape::Text, "the attribute that makes the groups");
pub(in crate::catalog) const SIGMA: Param = Param::new(
    "sigma",
    Shape::Number(NOT_NEGATIVE),
    "the noise of a look of gain 1",
)
.or("the looks' own noise");
pub(in crate::catalog) const STRONG: Param = Param::new(
    "strong",
    Shape::OneOf(&[
        Shape::Word(&["paper", "never", "always"]),
        Shape::Number(PROBABILITY),
    ]),
    "when a dearer look is bought",
)
.or("paper");
pub(in crate::catalog) const STOP: Param = Param::new(
    "stop",
    Shape::OneOf(&[
        Shape::Word(&["exact", "budget"]),
        Shape::Table(&[Param::new("within", Shape::Number(NOT_NEGATIVE), "").needed()]),
    ]),
    "when it stops",
)
.or("exact");
pub(in crate::catalog) const SCOPE: Param = Param::new(
    "scope",
    Shape::Word(&["symmetric_difference", "hybrid"]),
    "whom it interviews",
)
.or("symmetric_difference");
pub(in crate::catalog) const BATCH: Param =
    Param::new("batch", Shape::Whole(1, 1_000_000), "looks a step").or("1");
pub(in crate::catalog) const FORECAST: Param = Param::new(
    "forecast",
    Shape::Table(&[
        Param::new(
            "spread",
            Shape::Number(POSITIVE),
            "the spread about the forecast",
        )
        .needed(),
        Param::new(
            "doubt",
            Shape::Number(NOT_NEGATIVE),
            "how far off it may be at first",
        )
        .needed(),
        Param::new(
            "by",
            Shape::Text,
            "the attribute whose groups have forecasts of their own",
        ),
    ]),
    "starts from the score and from what was heard in earlier rounds; ours",
);
pub(in crate::catalog) const TARGET: Param =
    Param::new("target", SHARES, "shares by group; one may be left out");
pub(in crate::catalog) const LAMBDA: Param = Param::new(
    "lambda",
    Shape::Number(NOT_NEGATIVE),
    "the weight of unfairness",
);
pub(in crate::catalog) const GREEDY_TERM: Param = Param::new(
    "greedy_term",
    Shape::Word(&["blom", "exact", "mean_field", "realised"]),
    "how the scores of the admitted are foreseen",
)
.or("blom");
pub(in crate::catalog) const INFEASIBLE: Param = Param::new(
    "infeasible",
    Shape::Word(&["feasible", "authors"]),
    "what becomes of a share that can't be met",
)
.or("feasible");
pub(in crate::catalog) const GAMMA: Param = Param::new(
    "gamma",
    Shape::Number(DISCOUNT),
    "what a round is worth against the one before",
);
pub(in crate::catalog) const STATE: Param = Param::new(
    "state",
    Shape::Word(&["theta", "share"]),
    "what is looked ahead by",
);
pub(in crate::catalog) const TRANSITIONS: Param = Param::new(
    "transitions",
    Shape::Word(&["poisson", "mean_field"]),
    "how the pool moves",
)
.or("poisson");
pub(in crate::catalog) const COMMAND: Param =
    Param::new("command", TEXTS, "the program and its arguments");
pub(in crate::catalog) const DEADLINE: Param =
    Param::new("deadline", Shape::Text, "of an answer in live runs").or("250ms");
pub(in crate::catalog) const ON_TIMEOUT: Param = Param::new(
    "on_timeout",
    Shape::Word(&["forfeit", "leave"]),
    "what a late answer does",
)
.or("forfeit");
