//! The meaning of a run's measures and policies, in the words of the catalogues.

use std::collections::BTreeMap;

use super::super::figure::{Cell, FigureTable};
use super::super::finished::Finished;
use super::super::notes::better;
use super::super::page::PagePart;
use kleroterion_core::score::{Direction, MetricInfo};
use kleroterion_run::catalog::kinds;

/// A table of the measures and one of the policies, folded; nothing of a run without policies.
pub(super) fn parts(run: &Finished) -> Vec<PagePart> {
    if run.policies.is_empty() {
        return Vec::new();
    }
    let table = |caption: &str, headers: &[&str], rows: Vec<Vec<String>>| PagePart::Table {
        caption: caption.into(),
        table: FigureTable {
            headers: headers.iter().map(|head| (*head).to_owned()).collect(),
            rows: rows
                .into_iter()
                .map(|row| row.into_iter().map(Cell::Text).collect())
                .collect(),
        },
    };
    let mut parts = Vec::new();
    let measures = measures(run);
    if !measures.is_empty() {
        parts.push(table(
            "Measures",
            &["measure", "what it is", "better"],
            measures,
        ));
    }
    parts.push(table(
        "Policies",
        &["policy", "kind", "what it does"],
        policies(run),
    ));
    vec![PagePart::Fold {
        summary: "What the measures and policies are".into(),
        parts,
    }]
}

/// Each measure, those of groups once.
fn measures(run: &Finished) -> Vec<Vec<String>> {
    let mut families: BTreeMap<(&str, &str, &str), Vec<&str>> = BTreeMap::new();
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
            .entry((family, MetricInfo::of(metric).about, side))
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
        vec![name, str::to_owned(about), str::to_owned(side)]
    };
    families.into_iter().map(row).collect()
}

/// Each policy, its kind and what the catalogue says of it.
fn policies(run: &Finished) -> Vec<Vec<String>> {
    let about = |kind: &str| {
        let mut known = kinds();
        known
            .find(|known| known.name == kind)
            .map_or("", |known| known.about)
    };
    let row = |(label, policy): (&String, &kleroterion_stats::PolicySummary)| {
        vec![
            label.clone(),
            policy.kind.clone(),
            about(&policy.kind).to_owned(),
        ]
    };
    run.policies.iter().map(row).collect()
}
