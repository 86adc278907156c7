//! Who was chosen: the groups' shares of the selected, with their targets.

use std::collections::BTreeMap;

use super::super::figure::{Axis, Figure, FigurePoint, Panel, Series, SeriesKind};
use super::super::files::FIGURE_FILES;
use super::super::finished::Finished;
use super::drawing::{PANELS, ReportFigure, drawn_means, interval, left_out};
use super::given::{number, value};

/// What measures of shares begin with.
const SHARE: &str = "share.";
/// The most groups of a panel.
const GROUPS: usize = 12;
/// The name of what was asked for.
const TARGET: &str = "target";

/// A panel an attribute, a bar a policy in each group; none where there are no groups.
pub(super) fn figure(run: &Finished, labels: &[&str]) -> Option<ReportFigure> {
    let attributes = groups(run);
    let mut has_target = false;
    let drawn = attributes.iter().take(PANELS).map(|(attribute, groups)| {
        let (panel, targeted) = panel(run, labels, attribute, groups);
        has_target |= targeted;
        panel
    });
    let panels: Vec<Panel> = drawn.collect();
    if panels.is_empty() {
        return None;
    }
    let mut caption = format!(
        "Share of each group among the selected. {}",
        drawn_means(run, "at the end of the run")
    );
    if has_target {
        caption += " The level marks are the targets.";
    }
    caption += &left_out(run, labels, 0);
    let count = attributes.len();
    if count > PANELS {
        caption += &format!(" Drawn are the first {PANELS} of {count} attributes.");
    }
    if attributes.values().any(|groups| groups.len() > GROUPS) {
        caption += &format!(
            " Of more than {GROUPS} groups the first are drawn; \
             the table of all measures holds the rest."
        );
    }
    Some(ReportFigure {
        file: FIGURE_FILES[4],
        figure: Figure {
            title: "Who was chosen".into(),
            caption,
            panels,
        },
        table: None,
    })
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

/// By its words and then by the number that ends it: r2 comes before r10.
fn natural(group: &str) -> (String, u64, String) {
    let words = group.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = group[words.len()..].parse().unwrap_or(0);
    (words.to_owned(), number, group.to_owned())
}

/// The panel of an attribute, and whether it shows targets.
fn panel(
    run: &Finished,
    labels: &[&str],
    attribute: &str,
    groups: &[(&str, &str)],
) -> (Panel, bool) {
    let groups = &groups[..groups.len().min(GROUPS)];
    let bars = labels.iter().map(|label| {
        let bar = |(place, (_, metric)): (usize, &(&str, &str))| {
            let stats = run.policies.get(*label)?.metrics.get(*metric)?;
            let point = FigurePoint::new(place as f64, stats.mean);
            Some(match interval(run, stats.mean, stats.se, stats.n) {
                Some((lo, hi)) => point.y_from(lo, hi),
                None => point,
            })
        };
        let points: Vec<FigurePoint> = groups.iter().enumerate().filter_map(bar).collect();
        Series::new(*label, SeriesKind::Bars, points)
    });
    let mut series: Vec<Series> = bars.collect();
    let wanted = |(place, (group, _)): (usize, &(&str, &str))| {
        let share = number(value(run, &["target", attribute, group])?)?;
        let place = place as f64;
        Some(FigurePoint::new(place, share).x_from(place - 0.42, place + 0.42))
    };
    let targets: Vec<FigurePoint> = groups.iter().enumerate().filter_map(wanted).collect();
    let has_target = !targets.is_empty();
    if has_target {
        series.push(Series::new(TARGET, SeriesKind::Scatter, targets));
    }
    let panel = Panel {
        title: attribute.to_owned(),
        x: Axis::names("", groups.iter().map(|(group, _)| *group)),
        y: Axis::linear("share of the selected"),
        series,
        marks: vec![],
    };
    (panel, has_target)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbered_groups_come_in_order() {
        let mut groups = ["a10", "b", "a2", "a", "10", "2", "18-34", "a1"];
        groups.sort_by_key(|group| natural(group));
        assert_eq!(groups, ["2", "10", "18-34", "a", "a1", "a2", "a10", "b"]);
    }
}
