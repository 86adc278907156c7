//! The keys of every section of a config.

mod live;
mod named;
pub(super) mod people;
mod play;
pub(super) mod recruit;

pub use named::{NamedKey, NamedShape, keys_named};
pub(crate) use play::{DELAY, GOOD, LOOKS, OUTCOMES, POOL, POOLS};

use crate::catalog::kind_list::KindList;
use crate::catalog::param::{COUNT, Param, Shape, WHOLE};

/// The keys of a config.
pub const CONFIG: &[Param] = &[
    Param::new("name", Shape::Text, "what the run is called").or("the file's name"),
    Param::new("about", Shape::Text, "what the config is, in a line"),
    Param::new("seed", WHOLE, "the seed of every draw").or("1"),
    Param::new("replications", COUNT, "how often the run is played").or("1"),
    Param::new(
        "policy_noise_only",
        Shape::Flag,
        "whether replications repeat the policies' own randomness alone",
    )
    .or("false"),
    Param::new(
        "source",
        Shape::Registered(KindList::Sources),
        "where candidates come from",
    )
    .needed(),
    Param::new("target", people::TARGET, "the shares that are wanted"),
    Param::new("rules", Shape::Table(play::RULES), "what a round is").needed(),
    Param::new("pool", Shape::Registered(KindList::Pools), "who applies"),
    Param::new(
        "feedback",
        Shape::Table(play::FEEDBACK),
        "what interviews and outcomes answer",
    ),
    Param::new(
        "yield",
        Shape::Table(recruit::YIELD),
        "how likely those who are chosen are to take their places",
    ),
    Param::new(
        "policy",
        Shape::List(&Shape::Registered(KindList::Policies)),
        "the policies, a lane each",
    )
    .needed(),
    Param::new(
        "letters",
        Shape::Table(recruit::LETTERS),
        "who gets letters and how many answer, for `klero plan`",
    ),
    Param::new(
        "dropout",
        Shape::Table(recruit::DROPOUT),
        "how likely members are to leave, for alternates",
    ),
    Param::new(
        "report",
        Shape::Table(play::REPORT),
        "what is measured and judged",
    ),
    Param::new(
        "live",
        Shape::Table(live::LIVE),
        "what a live run does beyond a run",
    ),
    Param::new(
        "board",
        Shape::Table(live::BOARD),
        "where the board of a live run listens",
    ),
    Param::new(
        "sweep",
        Shape::Map(&Shape::Any),
        "values of keys, a run each",
    ),
];
