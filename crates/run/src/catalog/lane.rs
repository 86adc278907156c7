//! The keys that every policy has.

use crate::config::Slow;
use crate::document::kind_list::KindList;
use crate::document::param::{Param, Shape};
use crate::document::{ConfigKey, Later};
use kleroterion_core::protocol::{Role, YARDSTICK};

/// The key that names the kind.
pub(crate) const KIND: ConfigKey<Later> =
    ConfigKey::later(KindList::Policies.tag(), Shape::Text).needed_like("kind = \"greedy\"");

pub(crate) const LABEL: ConfigKey<Later> = ConfigKey::later("label", Shape::Text)
    .about("the name of the lane; its luck follows it")
    .needed_like("label = \"greedy .05\"");

pub(crate) const ROLE: ConfigKey<Role> = ConfigKey::word(
    "role",
    &[("policy", Role::Policy), (YARDSTICK, Role::Yardstick)],
)
.about("whether it can be the answer, or is there to compare with");

pub(crate) const WHERE: ConfigKey<bool> =
    ConfigKey::word("where", &[("here", false), ("remote", true)])
        .about("where a live run plays it: at its recorder, or where `klero work` is")
        .or_word("here");

pub(crate) const SLOW: ConfigKey<Slow> =
    ConfigKey::word("slow", &[("block", Slow::Block), ("lag", Slow::Lag)])
        .about(
            "what the stream does where it is remote and slow: wait, or go on and leave it behind",
        )
        .or_word("lag");

/// All but the kind.
pub(super) const LANE: [Param; 4] = [LABEL.param, ROLE.param, WHERE.param, SLOW.param];

/// The keys of a policy: those of all policies, and its kind's.
pub(crate) fn keys(of_kind: &[Param]) -> Vec<Param> {
    [&[KIND.param], &LANE[..], of_kind].concat()
}
