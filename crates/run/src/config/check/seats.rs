//! Checks of the target and the quotas, and the counter by which a committee is judged.

use std::sync::Arc;

use super::parts::Parts;
use super::rules::Ruled;
use crate::config::feasible::{self, Asked, Relaxed};
use crate::config::quota;
use crate::config::rules::UNTIL;
use kleroterion_core::protocol::{Quota, Schema, Target};
use kleroterion_core::score::{Bounds, Committee, QuotaSpan, QuotaViolation};

/// The wanted composition of the selected. Parts that could not be read are `None`.
pub(super) struct Seats {
    pub(super) target: Option<Arc<Target>>,
    /// The quotas of an organiser's file, with a row for each attribute of the schema.
    pub(super) quotas: Option<Vec<Vec<Quota>>>,
    /// The span over which the rules' quotas are counted.
    pub(super) span: Option<QuotaSpan>,
    pub(super) committee: Option<Committee>,
    /// The quotas that the committee is to keep, from the file and the rules, if there are any.
    pub(super) kept: Option<Vec<Vec<Quota>>>,
    /// The sentence that says which quotas were relaxed, if some were.
    pub(super) disclosure: Option<String>,
    pub(super) notes: Vec<String>,
}

impl Seats {
    /// Resolves the target against the people there are, and holds the quotas against them.
    pub(super) fn of(parts: &Parts<'_>) -> Self {
        let mut notes = Vec::new();
        let wanted = parts.wanted.as_ref().is().zip(parts.world.as_ref());
        let organiser = wanted.and_then(|(wanted, _)| wanted.organiser());
        notes.extend(organiser.iter().flat_map(|target| &target.notes).cloned());
        let target = wanted.and_then(|(wanted, world)| {
            let target = wanted.resolve(world, &parts.fields.target, &mut notes);
            target.map(Arc::new)
        });
        let quotas = target.as_ref().and(wanted);
        let quotas = quotas.and_then(|(wanted, world)| wanted.quotas(&world.schema));
        let relaxed = quotas.as_ref();
        let relaxed = relaxed.and_then(|quotas| keepable(parts, quotas, &mut notes));
        let (relaxed, disclosure) = relaxed
            .map(|relaxed| (relaxed.quotas, relaxed.disclosure))
            .unzip();
        let quotas = relaxed.or(quotas);
        let rules = parts.rules.as_ref();
        let span = rules.map(|rules| quota::span(&rules.section, &mut notes));
        let sized = parts.members().zip(parts.world.as_ref());
        let committee = sized.map(|(members, world)| {
            let of_rules = rules.and_then(|rules| rules.quotas.as_ref().is());
            let of_rules = of_rules.filter(|_| span == Some(QuotaSpan::Run));
            let all = [quotas.as_deref(), of_rules.map(Vec::as_slice)];
            committee(&world.schema, members, all, target.as_deref())
        });
        Self {
            kept: committee.as_ref().and_then(Committee::quotas),
            target,
            quotas,
            span,
            committee,
            disclosure,
            notes,
        }
    }

    /// The scorer of the rules' quotas, where there are some.
    pub(super) fn quota_violation(&self, rules: &Ruled<'_>) -> Option<QuotaViolation> {
        let judged = rules.quotas.as_ref().is().zip(self.span);
        judged.map(|(quotas, span)| QuotaViolation::new(quotas, span))
    }

    /// Returns true if the target, the quotas and the pool are valid, so that other parts can be
    /// checked against them.
    pub(super) fn are_whole(&self, parts: &Parts<'_>) -> bool {
        let has_target = self.target.is_some() || parts.wanted.is_absent();
        let rules = parts.rules.as_ref();
        let are_wrong = rules.is_some_and(|rules| rules.quotas.is_bad());
        has_target && !are_wrong && !parts.pool.is_bad()
    }
}

/// The quotas as they are relaxed, where the config allows it and no committee keeps them. That none
/// does is noted.
fn keepable(parts: &Parts<'_>, quotas: &[Vec<Quota>], notes: &mut Vec<String>) -> Option<Relaxed> {
    let size = UNTIL.param.again(&mut parts.fields.rules.table()?);
    let asked = Asked {
        world: parts.world.as_ref()?,
        target: parts.wanted.as_ref().is()?.organiser()?,
        quotas,
        members: parts.members()?,
    };
    feasible::check(asked, &size, notes)
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
