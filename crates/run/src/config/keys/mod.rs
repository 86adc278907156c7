//! The keys of a config: its sections, each declared in the file that reads it.

mod named;
pub(super) mod people;
#[cfg(test)]
mod written;

pub use named::{NamedKey, NamedShape, keys_named};

use super::dropout::DROPOUT;
use super::feedback::FEEDBACK;
use super::letters::LETTERS;
use super::live::{BOARD, LIVE};
use super::offers::YIELD;
use super::pool::POOL;
use super::{report, rules, target};
use crate::document::kind_list::KindList;
use crate::document::param::{Param, Shape};
use crate::document::{ConfigKey, Later};
use crate::keys;

pub(super) const NAME: ConfigKey<String> = ConfigKey::text("name")
    .about("what the run is called")
    .or_from("the file's name");

pub(super) const ABOUT: ConfigKey<String> =
    ConfigKey::text("about").about("what the config is, in a line");

pub(super) const SEED: ConfigKey<u64> = ConfigKey::whole("seed", 0, u64::MAX)
    .about("the seed of every draw")
    .or(1);

pub(super) const REPLICATIONS: ConfigKey<u64> = ConfigKey::whole("replications", 1, u64::MAX)
    .about("how often the run is played")
    .or(1);

pub(super) const POLICY_NOISE_ONLY: ConfigKey<bool> = ConfigKey::flag("policy_noise_only")
    .about("whether replications repeat the policies' own randomness alone")
    .or(false);

pub(super) const SOURCE: ConfigKey<Later> =
    ConfigKey::later("source", Shape::Registered(KindList::Sources))
        .about("where candidates come from")
        .needed_like(
            "[source] with type = \"categorical\" and shares = { gender = { M = 0.5, F = 0.5 } }",
        );

pub(super) const TARGET: ConfigKey<Later> =
    ConfigKey::later("target", target::TARGET).about("the shares that are wanted");

pub(super) const RULES: ConfigKey<Later> = ConfigKey::table("rules", rules::KEYS)
    .about("what a round is")
    .needed_like("[rules] with choose = \"at_most_one\" and until = { accepted = 150 }");

pub(super) const POLICY: ConfigKey<Later> = ConfigKey::later(
    "policy",
    Shape::List(&Shape::Registered(KindList::Policies)),
)
.about("the policies, a lane each")
.needed_like("[[policy]] with label = \"queue\" and kind = \"virtual_queue\"");

pub(super) const REPORT: ConfigKey<Later> =
    ConfigKey::table("report", report::KEYS).about("what is measured and judged");

pub(super) const SWEEP: ConfigKey<Later> =
    ConfigKey::later("sweep", Shape::Map(&Shape::Any)).about("values of keys, a run each");

/// The keys of a config.
pub const CONFIG: &[Param] = keys! {
    NAME, ABOUT, SEED, REPLICATIONS, POLICY_NOISE_ONLY, SOURCE, TARGET, RULES, POOL, FEEDBACK,
    YIELD, POLICY, LETTERS, DROPOUT, REPORT, LIVE, BOARD, SWEEP,
};
