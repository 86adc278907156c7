//! The built-in kinds of policies, and the setup of a policy by its `kind`.

use super::kind::PolicyKind;
use super::lane::{self, KIND, LANE};
use super::ready::Ready;
use super::{cohort, committee, exec, merit_queue, meritocratic, optimal, panel, pool};
use crate::document::Reader;
use crate::document::param::Entry;
use kleroterion_core::brief::Brief;
use kleroterion_core::problem::Given;
use kleroterion_core::protocol::GroupTruth;

/// The files of policies, each with its kinds.
const FILES: [&[PolicyKind]; 8] = [
    committee::KINDS,
    merit_queue::KINDS,
    panel::KINDS,
    meritocratic::KINDS,
    cohort::KINDS,
    pool::KINDS,
    optimal::KINDS,
    exec::KINDS,
];

/// The built-in kinds of policies, by setting.
pub fn kinds() -> impl Iterator<Item = &'static PolicyKind> {
    FILES.into_iter().flatten()
}

/// The entry of a kind, with all its keys.
pub(crate) fn entry(kind: &PolicyKind) -> Entry {
    Entry {
        name: kind.name,
        about: kind.about,
        params: [&LANE, kind.params].concat(),
    }
}

/// Returns the measures that policies of `kind` report themselves. `None` means all kinds.
pub(crate) fn measures<'a>(
    kinds: &'a [PolicyKind],
    kind: Option<&'a str>,
) -> impl Iterator<Item = &'static str> + 'a {
    let kinds = kinds.iter();
    let kinds = kinds.filter(move |known| kind.is_none_or(|kind| known.name == kind));
    kinds.flat_map(|kind| kind.measures).copied()
}

/// Sets up the policy that a `[[policy]]` table describes, after its `label` has been read.
///
/// Returns its kind, if known, and the policy, if nothing is wrong. It reads all keys of the kind.
/// `truth` is for oracles only.
pub fn set_up<'k>(
    kinds: &'k [PolicyKind],
    table: &mut Reader<'_>,
    brief: &Brief<'_>,
    truth: Given<&GroupTruth>,
) -> Option<(&'k PolicyKind, Option<Ready>)> {
    let names: Vec<_> = kinds.iter().map(|kind| (kind.name, kind)).collect();
    let kind = KIND.field(table).choice(&names)?;
    match kind.is_built_in() {
        true => table.declare(lane::keys(kind.params)),
        false => table.declare_own(lane::keys(kind.params)),
    }
    if kind.needs_truth() && truth.is_absent() {
        table.refuse(
            "an oracle needs to know what every candidate is worth, which this source leaves open",
            "take a source of type \"linear_groups\", or a file with \
             [source.features] and [source.reward]",
        );
    }
    let ready = kind.read(table, brief, truth.is());
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
