//! The report of a sweep: one table over all its runs on the terminal, with verdicts and answers,
//! and its page.

mod answer;
mod axis;
mod curves;
mod map;
mod page;
mod runs_table;
mod sentence;
mod verdicts;

use super::grid::{GridColumn, MetricCell, render};
use super::medium::Medium;
use super::plain;
use super::units;
use kleroterion_stats::{Judge, PolicySummary};
pub use page::{SweepReport, links_of};
pub use verdicts::SweepPoint;
use verdicts::lead;

/// A note on the place of the other results.
const MORE: &str = "\nAll measures of each run: --full, or the files that --out DIR writes.\n";

/// The most rows of a table in text, and the most answers below it.
const ROWS: usize = 20;

/// The table of a sweep. A row for each run and policy has the people screened and the judged
/// metrics; a row for each run and comparison has the verdicts; a line for each run has its answer,
/// last. In text a large sweep has its first runs alone, unless `full`; then each run's own table is
/// printed too.
pub fn sweep_table(points: &[SweepPoint], judge: &Judge, full: bool, medium: &Medium) -> String {
    let Some(first) = points.first() else {
        return String::new();
    };
    let scaled = points.iter().map(|point| SweepPoint {
        entry: point.entry.clone(),
        summary: units::of_summary(&point.summary, &judge.catalogue),
    });
    let points = scaled.collect::<Vec<_>>();
    let points = points.as_slice();
    let name = plain(&first.summary.name);
    let all = points.len();
    let head = format!("{name}: a sweep of {all} runs");
    let policies = points.iter().map(|point| point.summary.policies.len());
    let (tabled, answered) = match full || medium.is_markup() {
        true => (all, all),
        false => (ROWS / policies.max().unwrap_or(1).clamp(1, ROWS), ROWS),
    };
    let tabled = &points[..tabled.min(all)];
    let mut text = format!(
        "{}\n\n{}",
        medium.title(&head),
        metrics(tabled, judge, medium)
    );
    let verdicts = verdicts::verdicts(tabled, all, judge, medium);
    text.extend(verdicts.iter().map(|verdicts| format!("\n{verdicts}")));
    if tabled.len() < all {
        text += &first_of(tabled.len(), all);
    }
    if !full {
        text += MORE;
    }
    if verdicts.is_some() {
        let answered = &points[..answered.min(all)];
        text += &format!("\n{}", answers(answered, medium));
        if answered.len() < all {
            text += &format!("\u{2026} and {} more runs\n", all - answered.len());
        }
    }
    medium.finished(&text)
}

/// A note that the tables have the first runs alone, and on where all are.
fn first_of(shown: usize, all: usize) -> String {
    format!(
        "\nThe tables have the first {shown} of {all} runs: `klero report DIR` makes a page of all.\n"
    )
}

fn metrics(points: &[SweepPoint], judge: &Judge, medium: &Medium) -> String {
    let of_point = |point| move |policy| (point, policy);
    let rows = points
        .iter()
        .flat_map(|point| point.summary.policies.iter().map(of_point(point)));
    let rows: Vec<(&SweepPoint, (&String, &PolicySummary))> = rows.collect();
    let mut lead = lead(rows.iter().map(|(point, _)| *point));
    let labels = rows.iter().map(|(_, (label, _))| plain(label));
    lead.push(GridColumn::words("policy", labels.collect()));
    let judged = judge.metrics.iter().map(String::as_str);
    let metrics = std::iter::once("screened").chain(judged.filter(|metric| *metric != "screened"));
    let full = rows
        .iter()
        .map(|(_, (_, policy))| policy.endings.values().sum());
    let full: Vec<u64> = full.collect();
    let columns = metrics.map(|metric| {
        let figures = rows
            .iter()
            .map(|(_, (_, policy))| policy.metrics.get(metric).map(MetricCell::from));
        let figures: Vec<_> = figures.collect();
        let head = judge.catalogue.words(metric).head();
        GridColumn::figures(&plain(&head), &figures, metric == "screened", &full)
    });
    render(&lead, &columns.collect::<Vec<_>>(), medium)
}

/// The answer of each run, in a sentence.
fn answers(points: &[SweepPoint], medium: &Medium) -> String {
    let lines = points.iter().map(|point| {
        let headline = plain(&point.summary.answer.headline);
        let sentence = format!("{}: {headline}.", point.entry.settings());
        medium.strong(&sentence) + "\n"
    });
    let lines: String = lines.collect();
    format!("{}\n{lines}", medium.title("Answers"))
}

#[cfg(test)]
mod tests {
    use super::super::points::PointEntry;
    use super::*;
    use kleroterion_core::protocol::Ending;
    use kleroterion_core::score::{LaneResult, MetricRow, PolicyRun};
    use kleroterion_stats::{RunResult, Summary};

    fn point(k: u64, v: &str) -> SweepPoint {
        let lane = |screened: f64| {
            LaneResult::new(
                Ending::Filled,
                None,
                [
                    ("screened", screened),
                    ("representation_loss", 1.0 / screened),
                ]
                .map(|(metric, value)| MetricRow {
                    metric: metric.into(),
                    at: None,
                    value,
                }),
            )
        };
        let policy = |label: &str, factor: f64| {
            PolicyRun::new(label, "k").with([1.0, 1.5].map(|part| lane(factor * part * k as f64)))
        };
        let run = RunResult {
            name: "small\tcommittee".into(),
            seed: 1,
            replications: 2,
            policies: vec![policy("queue", 1.0), policy("greedy .05", 40.0)],
            ..RunResult::default()
        };
        let key = |key: &str, value: String| (key.to_owned(), value);
        SweepPoint {
            entry: PointEntry {
                name: format!("point-{k:03}"),
                set: vec![
                    key("rules.until.accepted", k.to_string()),
                    key("policy.queue.v", v.into()),
                ],
            },
            summary: Summary::of(&run, &Judge::default()),
        }
    }

    #[test]
    fn every_row_says_which_run_it_is_of() {
        let judge = Judge {
            metrics: vec!["representation_loss".into()],
            ..Judge::default()
        };
        let known = "small⟨U+0009⟩committee: a sweep of 2 runs

                                                                               Largest gap
                                                                               to a target
                                                           People screened        (points)
rules.until.accepted   policy.queue.v   policy           mean \u{b1} se  median       mean \u{b1} se
50                     1                greedy .05   2,500 \u{b1} 500     2,500   0.042 \u{b1} 0.008
50                     1                queue           62 \u{b1} 12         62   1.667 \u{b1} 0.333
100                    2.0              greedy .05   5,000 \u{b1} 1,000   5,000   0.021 \u{b1} 0.004
100                    2.0              queue          125 \u{b1} 25        125   0.833 \u{b1} 0.167
";
        let shown = sweep_table(
            &[point(50, "1"), point(100, "2.0")],
            &judge,
            true,
            &Medium::default(),
        );
        assert_eq!(shown, known, "\n{shown}");
        assert_eq!(
            point(50, "1").entry.settings(),
            "rules.until.accepted = 50, policy.queue.v = 1"
        );
        assert_eq!(sweep_table(&[], &judge, true, &Medium::default()), "");
    }

    #[test]
    fn a_large_sweep_has_its_first_runs_and_says_where_all_are() {
        let judge = Judge::default();
        let points: Vec<SweepPoint> = (101..112).map(|k| point(k, "1")).collect();
        let rows = |points: &[SweepPoint], full: bool, medium: Medium| {
            let text = sweep_table(points, &judge, full, &medium);
            let rows = text.lines().filter(|line| line.contains("queue  ")).count();
            (
                rows,
                text.contains("The tables have the first 10 of 11 runs"),
            )
        };
        assert_eq!(rows(&points, false, Medium::default()), (10, true));
        assert_eq!(rows(&points[..10], false, Medium::default()), (10, false));
        assert_eq!(rows(&points, true, Medium::default()), (11, false));
        let markdown = sweep_table(&points, &judge, false, &Medium::markdown());
        assert_eq!(markdown.matches("| queue |").count(), 11);
    }
}
