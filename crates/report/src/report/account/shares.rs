//! The groups' shares of the selected, with their targets.

use std::collections::BTreeMap;

use super::super::figure::{
    Axis, Cell, Figure, FigurePoint, FigureTable, Mark, MarkAt, Panel, PolicyLooks, Series,
    SeriesKind,
};
use super::super::files::FIGURE_FILES;
use super::super::finished::Finished;
use super::super::natural::natural;
use super::super::number::brief;
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
        let scale = run.catalogue.words(metric).scale();
        let interval = interval(run, metric, stats.mean, stats.se, stats.n);
        Some(GroupShare {
            policy: label.clone(),
            share: stats.mean / scale,
            interval: interval.map(|(lo, hi)| (lo / scale, hi / scale)),
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

/// The groups of an attribute.
#[derive(Clone, Debug, Default, PartialEq)]
struct CompositionAttribute {
    /// The attribute. May be empty if there is only one.
    name: String,
    /// The groups, from top to bottom.
    groups: Vec<CompositionGroup>,
}

/// A group, and its share of the selected under each policy.
#[derive(Clone, Debug, Default, PartialEq)]
struct CompositionGroup {
    /// The name of the group.
    name: String,
    /// The target share, from 0 to 1. `None` if the group has no target.
    target: Option<f64>,
    /// The group's share under each policy.
    shares: Vec<GroupShare>,
}

/// A group's share of the selected under a policy.
#[derive(Clone, Debug, Default, PartialEq)]
struct GroupShare {
    /// The label of the policy.
    policy: String,
    /// The share, from 0 to 1.
    share: f64,
    /// The interval of the share, if there is one.
    interval: Option<(f64, f64)>,
}

/// Makes a figure with a panel for each attribute, a row for each group, and a dot with its
/// interval for each policy. Shares are in points from the target, or plain if no group has a
/// target. All panels have one scale. The title and the caption are left to the caller.
fn composition(attributes: &[CompositionAttribute], looks: &PolicyLooks) -> Figure {
    let groups = || attributes.iter().flat_map(|attribute| &attribute.groups);
    let is_targeted = groups().any(|group| group.target.is_some());
    let ends = groups().flat_map(|group| {
        let shares = group.shares.iter();
        shares.flat_map(move |share| {
            let at = |value| points(group, value, is_targeted);
            let (lo, hi) = share.interval.unwrap_or((share.share, share.share));
            [at(lo), at(hi), at(share.share)].into_iter().flatten()
        })
    });
    let (lo, hi) = ends.fold((0.0_f64, 0.0_f64), |(lo, hi), end| {
        (lo.min(end), hi.max(end))
    });
    let panels = attributes.iter().map(|attribute| {
        let mut panel = panel(attribute, looks, is_targeted);
        panel.x = panel.x.spanning(lo, hi);
        panel
    });
    let mut figure = Figure {
        panels: panels.collect(),
        ..Figure::default()
    };
    looks.dress(&mut figure);
    figure
}

/// Returns the shares as numbers, with a row for each group and policy.
fn composition_table(attributes: &[CompositionAttribute]) -> FigureTable {
    let headers = [
        "attribute",
        "group",
        "target",
        "policy",
        "share",
        "share, low",
        "share, high",
    ];
    let rows = attributes.iter().flat_map(|attribute| {
        attribute.groups.iter().flat_map(|group| {
            group.shares.iter().map(|share| {
                vec![
                    Cell::text(&attribute.name),
                    Cell::text(&group.name),
                    Cell::known(group.target),
                    Cell::text(&share.policy),
                    Cell::number(share.share),
                    Cell::known(share.interval.map(|(lo, _)| lo)),
                    Cell::known(share.interval.map(|(_, hi)| hi)),
                ]
            })
        })
    });
    FigureTable::of(headers, rows)
}

/// Returns the position of a share on the axis: percentage points from the target, or per cent.
/// `None` for a group without a target if others have one.
fn points(group: &CompositionGroup, share: f64, is_targeted: bool) -> Option<f64> {
    match (group.target, is_targeted) {
        (Some(target), _) => Some(100.0 * (share - target)),
        (None, true) => None,
        (None, false) => Some(100.0 * share),
    }
}

fn panel(attribute: &CompositionAttribute, looks: &PolicyLooks, is_targeted: bool) -> Panel {
    let rows = attribute.groups.len();
    let series = looks.labels().map(|label| {
        let dots = attribute
            .groups
            .iter()
            .enumerate()
            .filter_map(|(place, group)| {
                let share = group.shares.iter().find(|share| share.policy == label)?;
                let at = |value| points(group, value, is_targeted);
                // The first group is the uppermost row.
                let dot = FigurePoint::new(at(share.share)?, (rows - 1 - place) as f64);
                Some(match share.interval {
                    Some((lo, hi)) => dot.x_from(at(lo)?, at(hi)?),
                    None => dot,
                })
            });
        Series::new(label, SeriesKind::Lanes, dots)
    });
    let names = attribute
        .groups
        .iter()
        .rev()
        .map(|group| match group.target {
            Some(target) => format!("{} {} %", group.name, brief(100.0 * target, 3)),
            None => group.name.clone(),
        });
    let (across, unit, marks) = if is_targeted {
        let target = Mark {
            at: MarkAt::X(0.0),
            label: String::new(),
        };
        ("share less target", "points", vec![target])
    } else {
        ("share of the selected", "%", vec![])
    };
    Panel {
        title: attribute.name.clone(),
        x: Axis::linear(across).unit(unit),
        y: Axis::names("", names),
        series: series.filter(|series| !series.points.is_empty()).collect(),
        marks,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attribute(target: Option<f64>) -> CompositionAttribute {
        let share = |policy: &str, share| GroupShare {
            policy: policy.into(),
            share,
            interval: Some((share - 0.01, share + 0.01)),
        };
        let group = |name: &str, target, shares: [f64; 2]| CompositionGroup {
            name: name.into(),
            target,
            shares: vec![share("a", shares[0]), share("b", shares[1])],
        };
        CompositionAttribute {
            name: "gender".into(),
            groups: vec![
                group("F", target, [0.5, 0.6]),
                group("M", target.map(|target| 1.0 - target), [0.5, 0.4]),
            ],
        }
    }

    #[test]
    fn shares_are_in_points_from_the_target() {
        let looks = PolicyLooks::of(["a", "b"]);
        let figure = composition(&[attribute(Some(0.55))], &looks);
        let panel = &figure.panels[0];
        let places: Vec<(f64, f64)> = panel
            .series
            .iter()
            .map(|s| (s.points[0].x, s.points[0].y))
            .collect();
        assert!((places[0].0 + 5.0).abs() < 1e-9 && (places[1].0 - 5.0).abs() < 1e-9);
        assert_eq!(
            (places[0].1, places[1].1),
            (1.0, 1.0),
            "the first group is the uppermost"
        );
        assert_eq!(panel.y, Axis::names("", ["M 45 %", "F 55 %"]));
        assert_eq!(panel.marks.len(), 1);
        assert!(figure.svg().contains("share less target (points)"));
        assert_eq!(composition_table(&[attribute(Some(0.55))]).rows.len(), 4);
    }

    #[test]
    fn without_a_target_the_shares_themselves_are_drawn() {
        let figure = composition(&[attribute(None)], &PolicyLooks::of(["a", "b"]));
        assert_eq!(figure.panels[0].series[1].points[0].x, 60.0);
        assert!(figure.panels[0].marks.is_empty());
    }

    /// Each dot of a row has a place of its own.
    #[test]
    fn twelve_groups_of_seven_policies_do_not_cover_each_other() {
        let policies = ["a", "b", "c", "d", "e", "f", "g"];
        let share = |policy: &str| GroupShare {
            policy: policy.into(),
            share: 0.1,
            interval: None,
        };
        let group = |n: usize| CompositionGroup {
            name: format!("region {n}"),
            target: Some(1.0 / 12.0),
            shares: policies.map(share).to_vec(),
        };
        let attribute = CompositionAttribute {
            name: "region".into(),
            groups: (0..12).map(group).collect(),
        };
        let html = composition(&[attribute], &PolicyLooks::of(policies)).live("f", 60);
        let stops = html
            .split("data-stops='")
            .nth(1)
            .and_then(|rest| rest.split('\'').next());
        let stops: serde_json::Value = serde_json::from_str(stops.unwrap()).unwrap();
        let points = stops.as_array().unwrap().iter();
        let points = points.flat_map(|stop| stop[2].as_array().unwrap());
        let mut places: Vec<f64> = points.map(|point| point[2].as_f64().unwrap()).collect();
        places.sort_by(f64::total_cmp);
        assert_eq!(places.len(), 84);
        assert!(
            places.windows(2).all(|pair| pair[1] - pair[0] > 5.0),
            "{places:?}"
        );
    }
}
