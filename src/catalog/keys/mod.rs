//! The keys of every section of a config.

mod people;
mod play;
pub(super) mod policies;

pub use people::SOURCES;
pub use play::{LOOKS, OUTCOMES, POOLS};

use super::param::{COUNT, Entry, Param, Shape, WHOLE};
use super::registry::KINDS;

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
        Shape::Kinds("type", people::entries),
        "where candidates come from",
    )
    .needed(),
    Param::new("target", people::TARGET, "the shares that are wanted"),
    Param::new("rules", Shape::Table(play::RULES), "what a round is").needed(),
    Param::new("pool", Shape::Kinds("type", play::pools), "who applies"),
    Param::new(
        "feedback",
        Shape::Table(play::FEEDBACK),
        "what looks and outcomes tell",
    ),
    Param::new(
        "policy",
        Shape::List(&Shape::Kinds("kind", policy_entries)),
        "the policies, a lane each",
    )
    .needed(),
    Param::new(
        "report",
        Shape::Table(play::REPORT),
        "what is measured and judged",
    ),
    Param::new(
        "live",
        Shape::Table(play::LIVE),
        "what a live run does beyond a run",
    ),
    Param::new(
        "board",
        Shape::Table(play::BOARD),
        "where the board of a live run listens",
    ),
    Param::new(
        "sweep",
        Shape::Map(&Shape::Any),
        "values of keys, a run each",
    ),
];

/// The keys that every policy has.
const LANE: [Param; 2] = [
    Param::new(
        "label",
        Shape::Text,
        "the name of the lane; its luck follows it",
    )
    .needed(),
    Param::new(
        "role",
        Shape::Word(&["policy", "yardstick"]),
        "whether it can be the answer, or is there to compare with",
    ),
];

/// The kinds of policies, each with all its keys.
pub fn policy_entries() -> Vec<Entry> {
    let entry = |kind: &super::Kind| Entry {
        name: kind.name,
        about: kind.about,
        params: [&LANE, kind.params].concat(),
    };
    KINDS.iter().map(entry).collect()
}
