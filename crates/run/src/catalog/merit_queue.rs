//! The policies of a mixture, which choose committees whose members have merits: their keys, the
//! readers of their tables, and their entries.

use super::kind::PolicyKind;
use super::known_pool::{KEEP_FEASIBLE, Keeps};
use super::meritocratic::RIDGE;
use super::ready::Ready;
use super::sound::{learns, sound, target};
use crate::document::range::{NOT_NEGATIVE, PART};
use crate::document::{ConfigKey, Reader};
use crate::keys;
use kleroterion_core::brief::Brief;
use kleroterion_core::protocol::GroupTruth;
use kleroterion_policies::committee::{BestStationary, MeritQueue, MeritQueueParameters, TooFew};

const RATE: ConfigKey<f64> = ConfigKey::number("rate", PART)
    .about("the share of those shown that is to be accepted")
    .needed_like("rate = 0.1");

const V: ConfigKey<f64> = ConfigKey::number("v", NOT_NEGATIVE)
    .about(
        "how many places of the queues a unit of merit outweighs: more selects better and misses \
         target and rate by more",
    )
    .or(2.0);

const BONUS: ConfigKey<f64> = ConfigKey::number("bonus", NOT_NEGATIVE)
    .about("by how many of its widths an estimated merit is raised, so that it learns of all")
    .or(1.0);

/// The setting.
const SETTING: &str = "mixture";

/// The kinds of policies.
pub(super) const KINDS: &[PolicyKind] = &[
    PolicyKind::built_in(
        SETTING,
        "merit_queue",
        "accepts whose estimated merit outweighs the queues of over-represented values and of \
         the rate; learns merits from features and outcomes, knows nothing of p",
        merit_queue,
    )
    .with(keys![RATE, V, RIDGE, BONUS, KEEP_FEASIBLE]),
    PolicyKind::built_in_oracle(
        SETTING,
        "best_stationary",
        "oracle: of the rules that keep target and rate in expectation the one whose members \
         are worth most",
        best_stationary,
    )
    .with(keys![RATE]),
];

fn merit_queue(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<Ready> {
    let mut notes = Vec::new();
    let rate = RATE.value(table);
    let v = V.or_note(table, &mut notes);
    let lambda = RIDGE.or_note(table, &mut notes);
    let bonus = BONUS.or_note(table, &mut notes);
    let keeps = Keeps::read(table, brief);
    let target = target(table, brief);
    learns(table, brief);
    let schema = brief.schema?;
    if schema.features().is_empty() {
        return table.refused(
            "this policy learns merits from features, and the candidates of this source have none",
            "take a source of type \"linear_groups\", or a file with [source.features]; or kind = \
             \"virtual_queue\"",
        );
    }
    let parameters = MeritQueueParameters {
        rate: rate?,
        v: v?,
        lambda: lambda?,
        bonus: bonus?,
    };
    let policy = sound(table, MeritQueue::new(schema, target?, parameters))?;
    let ready = keeps?.ready(policy).noted(notes);
    brief.outcomes.then_some(ready)
}

fn best_stationary(
    table: &mut Reader<'_>,
    brief: &Brief<'_>,
    truth: Option<&GroupTruth>,
) -> Option<Ready> {
    let rate = RATE.value(table);
    let target = target(table, brief);
    let law = brief.known?.law.get();
    if law.is_none() {
        table.refuse(
            "this yardstick needs the groups' shares among candidates, which are unknown here",
            "take a source whose law is known: linear_groups without from_round, or a file",
        );
    }
    let (truth, schema) = (truth?, brief.schema?);
    let attribute = &schema.attributes()[truth.attribute];
    let [(aimed, shares)] = target?.rows() else {
        return refuse_target(table, &attribute.name);
    };
    if *aimed != truth.attribute {
        return refuse_target(table, &attribute.name);
    }
    let come = law?.marginals(&schema.levels()).swap_remove(*aimed);
    match BestStationary::new(truth, &come, shares, rate?) {
        Ok(oracle) => {
            let note = format!(
                "its members are worth {:.4} each, in expectation",
                oracle.mean()
            );
            Some(Ready::sighted(oracle).noted([note]))
        }
        Err(TooFew { group, rate }) => {
            let value = &attribute.values[group];
            table.refused(
                format!(
                    "no rule keeps this rate: {} = {value} comes too rarely for its target",
                    attribute.name
                ),
                format!("set rate to {rate:.4} or less, or lower the target of {value}"),
            )
        }
    }
}

fn refuse_target(table: &Reader<'_>, group: &str) -> Option<Ready> {
    table.refused(
        format!(
            "this yardstick knows the merits of the groups of {group}, and the target is not on \
             {group} alone"
        ),
        format!("set a target of {group} and of nothing else, or leave the yardstick out"),
    )
}
