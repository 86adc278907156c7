//! The registry of policies by `kind`.

use super::kind::{Build, Kind};
use super::lane::LANE;
use super::ready::Ready;
use super::{cohort, committee, exec, merit_queue, meritocratic, optimal, panel, pool};
use crate::document::param::{Entry, Shape};
use crate::document::{Key, Later, Reader};
use kleroterion_core::brief::Brief;
use kleroterion_core::problem::Given;
use kleroterion_core::protocol::GroupTruth;
use kleroterion_core::score::catalogue;

/// The key that names the kind.
const KIND: Key<Later> = Key::later("kind", Shape::Text).needed_like("kind = \"greedy\"");

/// The files of policies, each with its kinds.
const FILES: [&[Kind]; 8] = [
    committee::KINDS,
    merit_queue::KINDS,
    panel::KINDS,
    meritocratic::KINDS,
    cohort::KINDS,
    pool::KINDS,
    optimal::KINDS,
    exec::KINDS,
];

/// All kinds of policies, by setting.
pub fn kinds() -> impl Iterator<Item = &'static Kind> {
    FILES.into_iter().flatten()
}

/// Returns the kinds of policies, each with all its keys.
#[must_use]
pub fn policy_entries() -> Vec<Entry> {
    let entry = |kind: &Kind| Entry {
        name: kind.name,
        about: kind.about,
        params: [&LANE, kind.params].concat(),
    };
    kinds().map(entry).collect()
}

/// Returns the measures that policies of `kind` report themselves. `None` means all kinds.
pub fn measures(kind: Option<&str>) -> impl Iterator<Item = &'static str> {
    let kinds = kinds().filter(move |known| kind.is_none_or(|kind| known.name == kind));
    kinds.flat_map(|kind| kind.measures).copied()
}

/// Returns true if a metric of this name is in the catalogue, or if a kind of policy reports it.
pub fn is_metric(name: &str) -> bool {
    let listed = |pattern: &str| match pattern.strip_suffix("GROUP") {
        Some(stem) => name.starts_with(stem),
        None => pattern == name,
    };
    catalogue().any(|(pattern, _)| listed(pattern)) || measures(None).any(|own| own == name)
}

/// Sets up the policy that a `[[policy]]` table describes, after its `label` has been read.
///
/// Returns its kind, if known, and the policy, if nothing is wrong. It reads all keys of the kind.
/// `truth` is for oracles only.
pub fn set_up(
    table: &mut Reader<'_>,
    brief: &Brief<'_>,
    truth: Given<&GroupTruth>,
) -> Option<(&'static Kind, Option<Ready>)> {
    let names: Vec<_> = kinds().map(|kind| (kind.name, kind)).collect();
    let kind = KIND.field(table).choice(&names)?;
    table.declare([&[KIND.param], &LANE[..], kind.params].concat());
    let ready = match &kind.build {
        Build::Blind(build) => build(table, brief),
        Build::Sighted(build) => {
            if truth.is_absent() {
                table.refuse(
                    "an oracle needs to know what every candidate is worth, which this source leaves open",
                    "take a source of type \"linear_groups\", or a file with \
                     [source.features] and [source.reward]",
                );
            }
            build(table, brief, truth.is())
        }
    };
    let refills = brief.rules.is_some_and(|rules| rules.refill);
    if refills && !kind.refills {
        table.refuse(
            format!(
                "`{}` chooses once a round, and places that are declined are to be refilled",
                kind.name
            ),
            "leave `refill` out of [yield]: the places are empty then",
        );
    }
    Some((kind, ready))
}
