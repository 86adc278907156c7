//! The groups' shares of the selected, with their targets.

use std::collections::BTreeMap;

use super::super::figure::{
    CompositionAttribute, CompositionGroup, Figure, GroupShare, PolicyLooks, composition,
    composition_table,
};
use super::super::files::FIGURE_FILES;
use super::super::finished::Finished;
use super::super::natural::natural;
use super::drawing::{PANELS, ReportFigure, drawn_means, interval};
use super::words::{number, value};
use kleroterion_run::document::Value;

/// The prefix of measures of shares.
const SHARE: &str = "share.";
/// The most groups of a panel.
const GROUPS: usize = 12;

/// Makes the figure of shares, with a panel for each attribute and a row for each group. `None` if
/// there are no groups.
pub(super) fn figure(run: &Finished, looks: &PolicyLooks) -> Option<ReportFigure> {
    let attributes = groups(run);
    let read = attributes
        .iter()
        .map(|(attribute, groups)| CompositionAttribute {
            name: (*attribute).to_owned(),
            groups: groups
                .iter()
                .map(|group| shares(run, attribute, *group, groups.len()))
                .collect(),
        });
    let all: Vec<CompositionAttribute> = read.collect();
    let drawn = all.iter().take(PANELS).cloned().map(|mut attribute| {
        attribute.groups.truncate(GROUPS);
        attribute
    });
    let drawn: Vec<CompositionAttribute> = drawn.collect();
    if drawn.is_empty() {
        return None;
    }
    let mut caption = format!(
        "Share of each group among the selected. {}",
        drawn_means(run, "at the end of the run", true)
    );
    let mut groups = drawn.iter().flat_map(|attribute| &attribute.groups);
    if groups.any(|group| group.target.is_some()) {
        caption += " The line at 0 is the target, whose share is next to the group's name.";
    }
    if is_numbered(run) {
        caption += " The config numbers its groups: group 1 is `share.0`.";
    }
    let count = all.len();
    if count > PANELS {
        caption += &format!(" Drawn are the first {PANELS} of {count} attributes.");
    }
    if all.iter().any(|attribute| attribute.groups.len() > GROUPS) {
        caption +=
            &format!(" Of more than {GROUPS} groups the first are drawn; the table holds all.");
    }
    Some(ReportFigure {
        file: FIGURE_FILES[4],
        figure: Figure {
            title: "Who was chosen".into(),
            caption,
            ..composition(&drawn, looks)
        },
        table: Some(composition_table(&all)),
    })
}

/// A group's target, and its share under each policy.
fn shares(
    run: &Finished,
    attribute: &str,
    (group, metric): (&str, &str),
    all: usize,
) -> CompositionGroup {
    let shares = run.policies.iter().filter_map(|(label, policy)| {
        let stats = policy.metrics.get(metric)?;
        Some(GroupShare {
            policy: label.clone(),
            share: stats.mean,
            interval: interval(run, metric, stats.mean, stats.se, stats.n),
        })
    });
    CompositionGroup {
        name: shown_name(run, group, all),
        target: target(run, attribute, group),
        shares: shares.collect(),
    }
}

/// Returns true if the config numbers the groups of applicants and gives them no names.
fn is_numbered(run: &Finished) -> bool {
    value(run, &["source", "groups", "modulo"]).is_some()
}

/// A group as the figure names it: numbered groups count from 1.
fn shown_name(run: &Finished, group: &str, all: usize) -> String {
    let number = group.parse::<usize>().ok().filter(|_| is_numbered(run));
    number.map_or(group.to_owned(), |from_0| {
        format!("group {} of {all}", from_0 + 1)
    })
}

/// The share of a group that is wanted; of a lone attribute, which measures do not name, too.
fn target(run: &Finished, attribute: &str, group: &str) -> Option<f64> {
    let lone = || match value(run, &["target"]) {
        Some(Value::Table(table)) => table.iter().next().map(|(key, _)| key.name.as_str()),
        _ => None,
    };
    let attribute = match attribute {
        "" => lone()?,
        named => named,
    };
    value(run, &["target", attribute, group]).and_then(number)
}

/// The groups of each attribute, each with its measure; of a single attribute the measures bear no
/// name of it.
fn groups(run: &Finished) -> BTreeMap<&str, Vec<(&str, &str)>> {
    let mut attributes: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
    let policies = run.policies.values();
    for metric in policies.flat_map(|policy| policy.metrics.keys()) {
        let Some(group) = metric.strip_prefix(SHARE) else {
            continue;
        };
        let (attribute, group) = group.split_once(':').unwrap_or(("", group));
        let groups = attributes.entry(attribute).or_default();
        if !groups.iter().any(|(known, _)| *known == group) {
            groups.push((group, metric));
        }
    }
    for groups in attributes.values_mut() {
        groups.sort_by_key(|(group, _)| natural(group));
    }
    attributes
}
