//! The result for a person at a terminal.

use std::collections::{BTreeMap, BTreeSet};

use super::grid::{Column, Figure, render};
use super::plain;
use super::sentence::sentence;
use crate::compare::{Judge, PolicySummary, Summary};
use crate::score::{RunResult, catalogue};

/// Points of a series shown at most, spread evenly; the last is always one.
const POINTS: usize = 12;

/// Details of lanes that failed shown at most, per policy.
const DETAILS: usize = 3;

/// The table: a row per policy with its endings, the judged metrics first as mean, standard error and median,
/// the others after; shares by group; the series; what failed and why; the verdicts as sentences.
/// Plain text, in columns of characters, about 120 wide where labels allow.
pub fn table(run: &RunResult, summary: &Summary, judge: &Judge, full: bool) -> String {
    let mut sections = vec![heading(summary)];
    if !summary.policies.is_empty() {
        sections.push(overview(summary, judge));
        sections.extend(families(summary));
        sections.extend(series(summary, judge));
        sections.extend(failures(run));
        sections.extend(verdicts(summary));
    }
    sections.join("\n")
}

fn heading(summary: &Summary) -> String {
    let many = if summary.replications == 1 { "" } else { "s" };
    format!(
        "{}: {} replication{many}, seed {}\n",
        plain(&summary.name),
        summary.replications,
        summary.seed
    )
}

fn overview(summary: &Summary, judge: &Judge) -> String {
    let endings = summary.policies.values().map(|policy| {
        let endings = policy.endings.iter();
        let words = endings.map(|(ending, count)| format!("{ending} {count}"));
        words.collect::<Vec<_>>().join(", ")
    });
    let mut columns = vec![Column::words("ended", endings.collect())];
    let names = summary.policies.values().flat_map(|p| p.metrics.keys());
    for metric in in_order(names, judge) {
        let figure = |policy: &PolicySummary| policy.metrics.get(metric).map(Figure::from);
        columns.push(column(summary, metric, true, figure));
    }
    render(&labels(summary), &columns)
}

/// A table per family of metrics (`share.GROUP`): a row per group, a column per policy.
fn families(summary: &Summary) -> Vec<String> {
    let mut families: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let names = summary.policies.values().flat_map(|p| p.metrics.keys());
    for (family, group) in names.filter_map(|name| name.split_once('.')) {
        families.entry(family).or_default().insert(group);
    }
    let table = |(family, groups): (&str, BTreeSet<&str>)| {
        let columns = summary.policies.iter().map(|(label, policy)| {
            let figures = groups.iter().map(|group| {
                let stats = policy.metrics.get(&format!("{family}.{group}"));
                stats.map(Figure::from)
            });
            let full = vec![lanes(policy); groups.len()];
            Column::figures(&plain(label), &figures.collect::<Vec<_>>(), false, &full)
        });
        let head = format!("{}.GROUP", plain(family));
        let first = Column::words(&head, groups.iter().map(|group| plain(group)).collect());
        render(&first, &columns.collect::<Vec<_>>())
    };
    families.into_iter().map(table).collect()
}

/// A table per metric that has a series: a row per policy, a column per point. Families are left to the files.
fn series(summary: &Summary, judge: &Judge) -> Vec<String> {
    let policies = || summary.policies.values();
    let names = policies().flat_map(|policy| policy.series.keys());
    let table = |metric: &str| {
        let points = policies().filter_map(|policy| policy.series.get(metric));
        let places: BTreeSet<_> = points.flatten().map(|point| point.at).collect();
        let places: Vec<_> = places.into_iter().collect();
        let columns = spread(&places).into_iter().map(|at| {
            column(summary, &format!("at {at}"), false, |policy| {
                let mut points = policy.series.get(metric)?.iter();
                points.find(|point| point.at == at).map(Figure::from)
            })
        });
        let columns: Vec<_> = columns.collect();
        let some = match places.len() {
            all if all > columns.len() => format!(" ({} of {all} points)", columns.len()),
            _ => String::new(),
        };
        let table = render(&labels(summary), &columns);
        format!("{} over the run{some}\n{table}", plain(metric))
    };
    in_order(names, judge).into_iter().map(table).collect()
}

/// What is known of the lanes whose ending has something to tell.
fn failures(run: &RunResult) -> Option<String> {
    let mut text = String::new();
    for policy in run.in_label_order() {
        let lanes = policy.lanes.iter().enumerate();
        let told: Vec<_> = lanes
            .filter_map(|(replication, lane)| {
                let (ending, detail) = (lane.ending, plain(lane.detail.as_ref()?));
                let label = plain(&policy.label);
                Some(format!(
                    "{label}, replication {replication}: {ending}: {detail}\n"
                ))
            })
            .collect();
        text.extend(told.iter().take(DETAILS).map(String::as_str));
        if told.len() > DETAILS {
            let rest = told.len() - DETAILS;
            text += &format!("{}: and {rest} more\n", plain(&policy.label));
        }
    }
    (!text.is_empty()).then_some(text)
}

fn verdicts(summary: &Summary) -> Option<String> {
    let sentences = summary
        .pairs
        .iter()
        .map(|pair| sentence(pair, summary) + "\n");
    let text: String = sentences.collect();
    let head = "Verdicts on a vs b, by the mean of a - b within replications\n";
    (!text.is_empty()).then(|| format!("{head}{text}"))
}

/// A column with a cell per policy.
fn column(
    summary: &Summary,
    head: &str,
    median: bool,
    figure: impl Fn(&PolicySummary) -> Option<Figure>,
) -> Column {
    let rows: Vec<_> = summary.policies.values().map(figure).collect();
    let full: Vec<_> = summary.policies.values().map(lanes).collect();
    Column::figures(&plain(head), &rows, median, &full)
}

fn labels(summary: &Summary) -> Column {
    let labels = summary.policies.keys().map(|label| plain(label));
    Column::words("policy", labels.collect())
}

fn lanes(policy: &PolicySummary) -> u64 {
    policy.endings.values().sum()
}

/// The metrics named, each once: the judged as they are judged, the others as the catalogue has them and then
/// by name; without those of families that are not judged.
fn in_order<'a>(names: impl Iterator<Item = &'a String>, judge: &Judge) -> Vec<&'a str> {
    let judged = |name: &str| judge.metrics.iter().position(|judged| judged == name);
    let names: BTreeSet<_> = names
        .map(String::as_str)
        .filter(|name| judged(name).is_some() || !name.contains('.'))
        .collect();
    let mut names: Vec<_> = names.into_iter().collect();
    names.sort_by_key(|name| {
        let known = catalogue().position(|(known, _)| known == *name);
        let last = usize::MAX;
        (judged(name).unwrap_or(last), known.unwrap_or(last))
    });
    names
}

/// At most [`POINTS`] of them, evenly, with the first and the last.
fn spread(places: &[u64]) -> Vec<u64> {
    if places.len() <= POINTS {
        return places.to_vec();
    }
    let last = places.len() - 1;
    let picks = (0..POINTS).map(|pick| places[pick * last / (POINTS - 1)]);
    picks.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::Versus;
    use crate::protocol::Ending;
    use crate::score::{LaneResult, PolicyRun, Row};

    /// Four replications; `queue` screens few, `greedy` many; `mine` breaks a rule in the last.
    fn run() -> RunResult {
        let lane = |screened: f64, loss: f64, ending: Ending| {
            let row = |metric: &str, at, value| Row {
                metric: metric.into(),
                at,
                value,
            };
            LaneResult {
                ending,
                detail: (ending == Ending::Disqualified).then(|| "chose slot 3\nof 1".into()),
                rows: vec![
                    row("representation_loss", Some(50), loss * 2.0),
                    row("representation_loss", Some(100), loss),
                    row("share.F", Some(50), 0.5),
                    row("accepted", None, 100.0),
                    row("own", None, screened / 7.0),
                    row("screened", None, screened),
                    row("representation_loss", None, loss),
                    row("share.F", None, 0.5 + loss / 8.0),
                    row("share.M", None, 0.5 - loss / 8.0),
                ],
            }
        };
        let policy = |label: &str, screened: f64, loss: f64, last: Ending| PolicyRun {
            label: label.into(),
            kind: "k".into(),
            lanes: (0..4)
                .map(|i| {
                    let part = f64::from(i % 3) / 16.0;
                    let ending = if i == 3 { last } else { Ending::Filled };
                    lane(
                        (screened * (1.0 + part)).round(),
                        loss + part / 64.0,
                        ending,
                    )
                })
                .collect(),
        };
        RunResult {
            name: "small committee".into(),
            seed: 2021,
            replications: 4,
            policies: vec![
                policy("queue", 150.0, 0.0294, Ending::Filled),
                policy("greedy .05", 6399.0, 0.0503, Ending::Filled),
                policy("mine", 152.0, 0.0294, Ending::Disqualified),
            ],
        }
    }

    fn judge() -> Judge {
        Judge {
            metrics: vec!["representation_loss".into(), "screened".into()],
            versus: Versus::Baseline("greedy .05".into()),
            alpha: 0.05,
            ..Judge::default()
        }
    }

    fn shown(run: &RunResult, judge: &Judge) -> String {
        table(run, &Summary::of(run, judge), judge, true)
    }

    #[test]
    fn a_small_run() {
        let known = "small committee: 4 replications, seed 2021

                                               representation_loss               screened
policy       ended                              mean \u{b1} se   median      mean \u{b1} se  median   accepted
greedy .05   filled 4                   0.05103 \u{b1} 0.00047  0.05079   6699   \u{b1} 191  6599          100
mine         filled 3, disqualified 1   0.03013 \u{b1} 0.00047  0.02989    159.2 \u{b1} 4.6   157.0        100
queue        filled 4                   0.03013 \u{b1} 0.00047  0.02989    157.0 \u{b1} 4.5   154.5        100

                               own
policy           mean \u{b1} se  median
greedy .05   957    \u{b1} 27    943
mine          22.75 \u{b1} 0.65   22.43
queue         22.43 \u{b1} 0.65   22.07

                       greedy .05                  mine                 queue
share.GROUP             mean \u{b1} se             mean \u{b1} se             mean \u{b1} se
F             0.506379 \u{b1} 0.000058   0.503767 \u{b1} 0.000058   0.503767 \u{b1} 0.000058
M             0.493621 \u{b1} 0.000058   0.496233 \u{b1} 0.000058   0.496233 \u{b1} 0.000058

representation_loss over the run
                         at 50              at 100
policy               mean \u{b1} se           mean \u{b1} se
greedy .05   0.10206 \u{b1} 0.00093   0.05103 \u{b1} 0.00047
mine         0.06026 \u{b1} 0.00093   0.03013 \u{b1} 0.00047
queue        0.06026 \u{b1} 0.00093   0.03013 \u{b1} 0.00047

mine, replication 3: disqualified: chose slot 3\u{fffd}of 1

Verdicts on a vs b, by the mean of a - b within replications
mine vs greedy .05 on representation_loss: not comparable: 1 of 4 lanes of mine ended disqualified
queue vs greedy .05 on representation_loss: better, -0.0209 [-0.0209, -0.0209] (t, fixed n, alpha 0.0125)
mine vs greedy .05 on screened: not comparable: 1 of 4 lanes of mine ended disqualified
queue vs greedy .05 on screened: better, -6542 [-7550, -5534] (t, fixed n, alpha 0.0125)
";
        let shown = shown(&run(), &judge());
        assert_eq!(shown, known, "\n{shown}");
        assert!(shown.lines().all(|line| line.chars().count() <= 120));
    }

    #[test]
    fn an_empty_run_is_a_heading() {
        let mut run = run();
        run.policies.clear();
        run.replications = 1;
        let heading = "small committee: 1 replication, seed 2021\n";
        assert_eq!(shown(&run, &judge()), heading);
    }

    #[test]
    fn a_policy_without_lanes_is_shown() {
        let mut run = run();
        run.policies[0].lanes.clear();
        let shown = shown(&run, &judge());
        assert!(
            shown.contains("queue vs greedy .05 on screened: undecided"),
            "{shown}"
        );
    }

    #[test]
    fn nothing_moves_the_cursor() {
        let mut run = run();
        run.name = "a\u{1b}[2Jb".into();
        run.policies[0].label = "c\rd".into();
        run.policies[1].lanes[0].rows[0].metric = "share.\u{7}".into();
        let shown = shown(&run, &judge());
        assert!(shown.starts_with("a\u{fffd}[2Jb: "));
        assert!(shown.chars().all(|c| c == '\n' || !c.is_control()));
    }

    #[test]
    fn many_points_are_thinned_with_both_ends() {
        let places: Vec<u64> = (1..=100).collect();
        let shown = spread(&places);
        assert_eq!((shown.len(), shown[0], shown[11]), (12, 1, 100));
        assert!(shown.is_sorted_by(|a, b| a < b));
        assert_eq!(spread(&places[..12]), places[..12]);
        assert_eq!(spread(&[]), [0; 0]);
    }
}
