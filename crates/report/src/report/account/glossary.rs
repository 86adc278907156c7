//! The meaning of a run's measures and policies, in the words of the catalogues.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::super::figure::{Cell, FigureTable};
use super::super::finished::Finished;
use super::super::notes::better;
use super::super::page::PagePart;
use kleroterion_core::score::Direction;
use kleroterion_run::catalog::kinds;

/// A table of the measures and one of the policies, folded; nothing of a run without policies.
pub(super) fn parts(run: &Finished) -> Vec<PagePart> {
    if run.policies.is_empty() {
        return Vec::new();
    }
    let mut parts = Vec::new();
    let measures = measures(run);
    if !measures.is_empty() {
        let table = FigureTable::of(["measure", "what it is", "better"], measures);
        parts.push(PagePart::table("Measures", table));
    }
    let table = FigureTable::of(["policy", "kind", "what it does"], policies(run));
    parts.push(PagePart::table("Policies", table));
    vec![PagePart::Fold {
        summary: "What the measures and policies are".into(),
        parts,
    }]
}

/// Each measure, those of groups once.
fn measures(run: &Finished) -> Vec<Vec<Cell>> {
    let mut families: BTreeMap<(&str, Cow<'static, str>, &str), Vec<&str>> = BTreeMap::new();
    for metric in run
        .policies
        .values()
        .flat_map(|policy| policy.metrics.keys())
    {
        let family = metric
            .split_once('.')
            .map_or(metric.as_str(), |(family, _)| family);
        let side = match run.directions.of(metric) {
            Direction::None => "\u{2013}",
            side => better(side),
        };
        let known = families
            .entry((family, run.catalogue.of(metric).about, side))
            .or_default();
        if !known.contains(&metric.as_str()) {
            known.push(metric);
        }
    }
    let row = |((family, about, side), names): (_, Vec<&str>)| {
        let name = match names.as_slice() {
            [only] => (*only).to_owned(),
            _ => format!("{family}.\u{2026}"),
        };
        let title = run.catalogue.words(&name).title;
        let name = match title == name {
            true => name,
            false => format!("{title} ({name})"),
        };
        vec![Cell::Text(name), Cell::text(about), Cell::text(side)]
    };
    families.into_iter().map(row).collect()
}

/// Each policy, its kind and what the catalogue says of it.
fn policies(run: &Finished) -> Vec<Vec<Cell>> {
    let about = |kind: &str| {
        let mut known = kinds();
        known
            .find(|known| known.name == kind)
            .map_or("", |known| known.about)
    };
    let row = |(label, policy): (&String, &kleroterion_stats::PolicySummary)| {
        vec![
            Cell::text(label),
            Cell::text(&policy.kind),
            Cell::text(about(&policy.kind)),
        ]
    };
    run.policies.iter().map(row).collect()
}
