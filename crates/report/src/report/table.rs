//! The result for a person at a terminal.

use std::collections::{BTreeMap, BTreeSet};

use super::chances;
use super::grid::{GridColumn, MetricCell, render};
use super::medium::Medium;
use super::notes::bounds;
use super::number::{about, brief, p_value};
use super::plain;
use super::streams;
use super::units;
use super::verdicts::verdicts;
use kleroterion_core::score::catalogue;
use kleroterion_stats::{
    GoalAnswer, Judge, PARITY_METHOD, Parity, PolicySummary, RunResult, Summary, Tested,
};

/// Points of a series shown at most, spread evenly; the last is always one.
const POINTS: usize = 12;

/// Metrics in every overview, besides the judged.
const ALWAYS: [&str; 4] = ["quotas_kept", "screened", "accepted", "impact_ratio"];

/// Shown too where a committee has quotas.
const OF_QUOTAS: &str = "seats_off";

/// A note on the place of the other results.
const MORE: &str = "All other measures, shares by group, and measures over the run: --full, or the files that --out DIR writes.\n";

/// The most details of failed lanes that are shown for each policy.
const DETAILS: usize = 3;

/// Returns the result as text. It has a row for each policy with its endings and the judged
/// metrics, then failed lanes, the verdicts, and the answer last. With `full` it has all metrics
/// with their medians, shares by group, and all metrics over the run. No line is wider than the
/// medium, unless a label is.
pub fn table(
    run: &RunResult,
    summary: &Summary,
    judge: &Judge,
    full: bool,
    medium: &Medium,
) -> String {
    let summary = &units::of_summary(summary, &judge.catalogue);
    let mut sections = vec![heading(summary, medium)];
    if !summary.policies.is_empty() {
        let policies = || summary.policies.values();
        let metrics = in_order(policies().flat_map(|policy| policy.metrics.keys()), judge);
        let judged = |name: &str| judge.metrics.iter().any(|judged| judged == name);
        let shown = |names: &[&str], always: &[&str]| -> Vec<String> {
            let shown = |name: &&&str| full || judged(name) || always.contains(name);
            names
                .iter()
                .filter(shown)
                .map(|name| (*name).to_owned())
                .collect()
        };
        let mut always = ALWAYS.to_vec();
        always.extend(metrics.contains(&ALWAYS[0]).then_some(OF_QUOTAS));
        sections.push(overview(
            summary,
            judge,
            &shown(&metrics, &always),
            full,
            medium,
        ));
        sections.extend(failures(run));
        sections.extend(verdicts(summary, judge, medium));
        let asked = summary.answer.goal.as_ref();
        sections.extend(asked.map(|asked| goal(asked, judge, medium)));
        sections.extend(streams::sections(&summary.policies, full, medium));
        sections.extend(parity(summary, medium));
        sections.extend(chances::sections(&summary.policies, full, medium));
        if full {
            sections.extend(families(summary, judge, medium));
            let series = in_order(policies().flat_map(|policy| policy.series.keys()), judge);
            sections.extend(
                series
                    .iter()
                    .map(|metric| over_the_run(summary, judge, metric, medium)),
            );
        } else {
            sections.push(MORE.to_owned());
        }
        // Last, where a terminal shows it without scrolling.
        sections.push(answer(summary, medium));
    }
    medium.finished(&sections.join("\n"))
}

fn heading(summary: &Summary, medium: &Medium) -> String {
    let many = if summary.replications == 1 { "" } else { "s" };
    let disclosures = summary.disclosures.iter();
    let disclosures: String = disclosures
        .map(|what| format!("{}\n", plain(what)))
        .collect();
    let name = plain(&summary.name);
    let (replications, seed) = (summary.replications, summary.seed);
    let head = format!("{name}: {replications} replication{many}, seed {seed}");
    format!("{}\n{disclosures}", medium.title(&head))
}

/// The answer, in a sentence.
pub(super) fn answer(summary: &Summary, medium: &Medium) -> String {
    let sentence = format!("Answer: {}.", plain(&summary.answer.headline));
    medium.strong(&sentence) + "\n"
}

fn overview(
    summary: &Summary,
    judge: &Judge,
    metrics: &[String],
    full: bool,
    medium: &Medium,
) -> String {
    let endings = summary.policies.values().map(|policy| {
        let endings = policy.endings.iter();
        let words = endings.map(|(ending, count)| format!("{ending} {count}"));
        words.collect::<Vec<_>>().join(", ")
    });
    let mut columns = vec![GridColumn::words("ended", endings.collect())];
    for metric in metrics {
        let figure = |policy: &PolicySummary| policy.metrics.get(metric).map(MetricCell::from);
        // How many are looked at has a long tail: its mean alone would mislead.
        let median = full || metric == "screened";
        let head = judge.catalogue.words(metric).head();
        columns.push(column(summary, &head, median, figure));
    }
    render(&[labels(summary)], &columns, medium)
}

/// Returns a table of the tests of parity, with a row for each policy. `None` if the run has no
/// rates.
fn parity(summary: &Summary, medium: &Medium) -> Option<String> {
    let tests = || {
        summary
            .policies
            .values()
            .map(|policy| policy.parity.as_ref())
    };
    tests().flatten().next()?;
    let cells = |show: fn(&Parity) -> Option<String>| {
        let cell = |test: Option<&Parity>| test.and_then(show).unwrap_or_else(|| "-".to_owned());
        tests().map(cell).collect::<Vec<_>>()
    };
    let columns = [
        GridColumn::words("chi-square", cells(|test| Some(brief(test.chi_square, 4)))),
        GridColumn::words(
            "design effect",
            cells(|test| Some(brief(test.design_effect?, 2))),
        ),
        GridColumn::words("p", cells(|test| test.p.map(p_value))),
    ];
    let table = render(&[labels(summary)], &columns, medium);
    let title = "Demographic parity: whether groups are chosen as often as they come";
    Some(format!(
        "{}\n{PARITY_METHOD}\n\n{table}",
        medium.title(title)
    ))
}

/// A table per family of metrics (`share.GROUP`): a row per group, a column per policy.
fn families(summary: &Summary, judge: &Judge, medium: &Medium) -> Vec<String> {
    let mut families: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let names = summary.policies.values().flat_map(|p| p.metrics.keys());
    for (family, group) in names.filter_map(|name| name.split_once('.')) {
        families.entry(family).or_default().insert(group);
    }
    let table = |(family, groups): (&str, BTreeSet<&str>)| {
        let columns = summary.policies.iter().map(|(label, policy)| {
            let figures = groups.iter().map(|group| {
                let stats = policy.metrics.get(&format!("{family}.{group}"));
                stats.map(MetricCell::from)
            });
            let full = vec![lanes(policy); groups.len()];
            GridColumn::figures(&plain(label), &figures.collect::<Vec<_>>(), false, &full)
        });
        let head = judge.catalogue.words(&format!("{family}.GROUP")).head();
        let first = GridColumn::words(
            &plain(&head),
            groups.iter().map(|group| plain(group)).collect(),
        );
        render(&[first], &columns.collect::<Vec<_>>(), medium)
    };
    families.into_iter().map(table).collect()
}

/// A metric's series: a row per policy, a column per point.
fn over_the_run(summary: &Summary, judge: &Judge, metric: &str, medium: &Medium) -> String {
    let points = summary
        .policies
        .values()
        .filter_map(|policy| policy.series.get(metric));
    let places: BTreeSet<_> = points.flatten().map(|point| point.at).collect();
    let places: Vec<_> = places.into_iter().collect();
    let columns = spread(&places).into_iter().map(|at| {
        column(summary, &format!("at {at}"), false, |policy| {
            let mut points = policy.series.get(metric)?.iter();
            points.find(|point| point.at == at).map(MetricCell::from)
        })
    });
    let columns: Vec<_> = columns.collect();
    let some = match places.len() {
        all if all > columns.len() => format!(" ({} of {all} points)", columns.len()),
        _ => String::new(),
    };
    let table = render(&[labels(summary)], &columns, medium);
    let name = judge.catalogue.words(metric).head();
    let title = format!("{} over the run{some}", plain(&name));
    format!("{}\n{table}", medium.title(&title))
}

/// Returns the details of lanes with a notable ending. An event of several replications is listed
/// once.
fn failures(run: &RunResult) -> Option<String> {
    let mut text = String::new();
    for policy in run.in_label_order() {
        let label = plain(&policy.label);
        let mut events: Vec<(String, Vec<usize>)> = Vec::new();
        for (&replication, detail) in policy.details() {
            let ending = policy.endings()[replication];
            let what = format!("{ending}: {}", plain(detail));
            match events.iter_mut().find(|(known, _)| *known == what) {
                Some((_, replications)) => replications.push(replication),
                None => events.push((what, vec![replication])),
            }
        }
        for (what, replications) in events.iter().take(DETAILS) {
            let others = match replications.len() - 1 {
                0 => String::new(),
                others => format!(" and {others} more"),
            };
            text += &format!("{label}, replication {}{others}: {what}\n", replications[0]);
        }
        if events.len() > DETAILS {
            let rest = events[DETAILS..]
                .iter()
                .map(|(_, replications)| replications.len());
            text += &format!("{label}: and {} more\n", rest.sum::<usize>());
        }
    }
    (!text.is_empty()).then_some(text)
}

/// A column with a cell per policy.
pub(super) fn column(
    summary: &Summary,
    head: &str,
    median: bool,
    figure: impl Fn(&PolicySummary) -> Option<MetricCell>,
) -> GridColumn {
    let rows: Vec<_> = summary.policies.values().map(figure).collect();
    let full: Vec<_> = summary.policies.values().map(lanes).collect();
    GridColumn::figures(&plain(head), &rows, median, &full)
}

pub(super) fn labels(summary: &Summary) -> GridColumn {
    let labels = summary.policies.keys().map(|label| plain(label));
    GridColumn::words("policy", labels.collect())
}

fn lanes(policy: &PolicySummary) -> u64 {
    policy.endings.values().sum()
}

/// The metrics named, each once: the judged as they are judged, the others as the catalogue has
/// them and then by name; without those of families that are not judged.
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

/// Returns at most [`POINTS`] of the places, evenly spaced, with the first and the last.
fn spread(places: &[u64]) -> Vec<u64> {
    if places.len() <= POINTS {
        return places.to_vec();
    }
    let last = places.len() - 1;
    let picks = (0..POINTS).map(|pick| places[pick * last / (POINTS - 1)]);
    picks.collect()
}

/// The goal, how sure its answer is, and a row for each policy and constraint.
pub(super) fn goal(goal: &GoalAnswer, judge: &Judge, medium: &Medium) -> String {
    let best = plain(&judge.catalogue.words(&goal.best).short);
    let bounds = plain(&bounds(goal, &judge.catalogue));
    if bounds.is_empty() {
        return medium.title(&format!("Goal: best {best}")) + "\n";
    }
    let alpha: f64 = goal.tests.iter().map(|test| test.alpha).sum();
    let title = format!("Goal: best {best}, where {bounds}");
    let head = format!(
        "{}\nAll {} tests are right together with {} % confidence, however often you look\n",
        medium.title(&title),
        goal.tests.len(),
        brief(100.0 * (1.0 - alpha), 4),
    );
    let words = |cell: &dyn Fn(&Tested) -> String| goal.tests.iter().map(cell).collect();
    let columns = [
        GridColumn::words(
            "bound",
            words(&|test| plain(&judge.catalogue.words(&test.metric).bound(&test.bound))),
        ),
        GridColumn::words(
            "mean",
            words(&|test| test.mean.map_or("-".into(), |mean| brief(mean, 4))),
        ),
        GridColumn::words("met", words(&|test| test.words().into())),
        GridColumn::words(
            "more needed",
            words(&|test| {
                test.needed
                    .map_or(String::new(), |more| format!("about {}", about(more)))
            }),
        ),
    ];
    let labels = GridColumn::words("policy", words(&|test| plain(&test.label)));
    format!("{head}\n{}", render(&[labels], &columns, medium))
}

#[cfg(test)]
mod tests;
