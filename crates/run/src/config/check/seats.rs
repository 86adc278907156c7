//! Checks of the target and the quotas, and the counter by which a committee is judged.

use std::sync::Arc;

use super::parts::Parts;
use crate::config::feasible::{self, Asked};
use crate::config::quota;
use crate::config::rules::UNTIL;
use kleroterion_core::problem::Given;
use kleroterion_core::protocol::{Quota, Schema, Target};
use kleroterion_core::score::{Bounds, Committee, QuotaSpan, QuotaViolation};

/// The wanted composition of the selected. Parts that could not be read are `None`.
pub(super) struct Seats {
    pub(super) target: Option<Arc<Target>>,
    /// The quotas of an organiser's file, with a row for each attribute of the schema.
    pub(super) quotas: Option<Vec<Vec<Quota>>>,
    /// The quotas of the rules, in the same shape.
    pub(super) round_quotas: Given<Vec<Vec<Quota>>>,
    /// The span over which the rules' quotas are counted.
    pub(super) span: Option<QuotaSpan>,
    pub(super) committee: Option<Committee>,
    /// The quotas that the committee is to keep, from the file and the rules, if there are any.
    pub(super) kept: Option<Vec<Vec<Quota>>>,
}

impl Seats {
    /// Resolves the target against the people there are, and holds the quotas against them.
    pub(super) fn read(parts: &mut Parts<'_>, notes: &mut Vec<String>) -> Self {
        let wanted = parts.wanted.as_ref().is().zip(parts.world.as_ref());
        let organiser = wanted.and_then(|(wanted, _)| wanted.organiser());
        notes.extend(organiser.iter().flat_map(|target| &target.notes).cloned());
        let target = wanted.and_then(|(wanted, world)| {
            let target = wanted.resolve(world, &parts.target_field, notes);
            target.map(Arc::new)
        });
        let quotas = target.as_ref().and(wanted);
        let quotas = quotas.and_then(|(wanted, world)| wanted.quotas(&world.schema));
        let quotas = quotas.map(|quotas| keepable(parts, quotas, notes));
        let round_quotas = round_quotas(parts);
        let span = parts.rules.as_ref().map(|rules| quota::span(rules, notes));
        let sized = parts.members().zip(parts.world.as_ref());
        let committee = sized.map(|(members, world)| {
            let of_rules = round_quotas.as_ref().is();
            let of_rules = of_rules.filter(|_| span == Some(QuotaSpan::Run));
            let all = [quotas.as_deref(), of_rules.map(Vec::as_slice)];
            committee(&world.schema, members, all, target.as_deref())
        });
        Self {
            kept: committee.as_ref().and_then(Committee::quotas),
            target,
            quotas,
            round_quotas,
            span,
            committee,
        }
    }

    /// The scorer of the rules' quotas, where there are some.
    pub(super) fn quota_violation(&self) -> Option<QuotaViolation> {
        let quotas = self.round_quotas.as_ref().is();
        let judged = quotas.zip(self.span);
        judged.map(|(quotas, span)| QuotaViolation::new(quotas, span))
    }

    /// Returns true if the target, the quotas and the pool are valid, so that other parts can be
    /// checked against them.
    pub(super) fn are_whole(&self, parts: &Parts<'_>) -> bool {
        let has_target = self.target.is_some() || parts.wanted.is_absent();
        has_target && !self.round_quotas.is_bad() && !parts.pool.is_bad()
    }
}

/// The quotas, relaxed where the config allows it and no committee keeps them; that none does is
/// noted.
fn keepable(
    parts: &mut Parts<'_>,
    quotas: Vec<Vec<Quota>>,
    notes: &mut Vec<String>,
) -> Vec<Vec<Quota>> {
    let wanted = parts.wanted.as_ref().is();
    let relaxed = parts.members().and_then(|members| {
        let size = UNTIL.param.again(&mut parts.rules_field.table()?);
        let asked = Asked {
            world: parts.world.as_ref()?,
            target: wanted?.organiser()?,
            quotas: &quotas,
            members,
        };
        feasible::check(asked, &size, notes)
    });
    let (Some(relaxed), Some(world)) = (relaxed, &mut parts.world) else {
        return quotas;
    };
    world.world.disclosures.push(relaxed.disclosure);
    relaxed.quotas
}

/// The quotas of the rules, which the referee enforces where the rules say so.
fn round_quotas(parts: &mut Parts<'_>) -> Given<Vec<Vec<Quota>>> {
    let schema = parts.world.as_ref().map(|world| &*world.schema);
    let Some(rules) = &mut parts.rules else {
        return Given::Absent;
    };
    let read = quota::read(rules, schema);
    if let Some(quotas) = read.as_ref().filter(|_| rules.enforce) {
        rules.rules.enforced.clone_from(quotas);
    }
    Given::of(rules.quota.is_given(), read)
}

/// Returns the counter by which a committee is judged. It counts by the quotas, or by the target if
/// there are none.
fn committee(
    schema: &Arc<Schema>,
    members: u64,
    quotas: [Option<&[Vec<Quota>]>; 2],
    target: Option<&Target>,
) -> Committee {
    let quotas: Vec<_> = quotas.into_iter().flatten().collect();
    let around = || Bounds::around(schema, target?, members);
    let bounds = Bounds::quotas(&quotas).or_else(around);
    Committee::new(schema, members, bounds)
}
