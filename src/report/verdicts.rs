//! The verdicts: metric by metric, best first, how far apart and how sure.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::grid::{Column, GAP, WIDTH, render, under_points};
use super::number::{about, brief, decimals, fixed};
use super::plain;
use crate::compare::{Judge, Pair, Summary, Verdict, Versus};
use crate::score::{Direction, MetricInfo};

/// More further replications than this are not counted out.
const MANY: u64 = 1_000_000;

/// A table per judged metric: a row per comparison, the best mean difference first; against a baseline, it stands
/// among the others at its difference of 0. None where nothing is compared.
pub(super) fn verdicts(summary: &Summary, judge: &Judge) -> Vec<String> {
    let pairs = &summary.pairs;
    let Some(first) = pairs.first() else {
        return Vec::new();
    };
    let whom = match &judge.versus {
        Versus::Baseline(label) => {
            format!("against {0}, by the mean of policy - {0}", plain(label))
        }
        _ => "on a vs b, by the mean of a - b".to_owned(),
    };
    let hold = match pairs.len() {
        1 => "The interval holds".to_owned(),
        many => format!("All {many} intervals hold together"),
    };
    let sure = brief(100.0 * (1.0 - judge.alpha), 4);
    let methods: BTreeSet<_> = pairs.iter().map(|pair| pair.method).collect();
    let methods = methods.into_iter().collect::<Vec<_>>().join(", ");
    let alone = brief(first.alpha, 3);
    let head = format!(
        "Verdicts {whom} within replications, best first\n\
         {hold} with {sure} % confidence: {methods}, alpha {alone} each\n"
    );
    let mut sections = vec![head];
    let metrics = judge.metrics.iter();
    sections.extend(metrics.filter_map(|metric| one(metric, summary, judge)));
    sections
}

/// The verdicts on one metric.
fn one(metric: &str, summary: &Summary, judge: &Judge) -> Option<String> {
    let direction = MetricInfo::of(metric).direction;
    let pairs = summary.pairs.iter().filter(|pair| pair.metric == metric);
    let pairs: Vec<_> = pairs.collect();
    // As many for all as the narrowest needs: differences are read down the column.
    let digits = pairs.iter().filter_map(|pair| digits(pair)).max();
    let rows = pairs
        .iter()
        .map(|pair| Row::of(pair, digits, summary, judge));
    let mut rows: Vec<Row> = rows.collect();
    if let Versus::Baseline(label) = &judge.versus {
        rows.push(Row::baseline(label));
    }
    rows.sort_by(|a, b| best_first(a.mean, b.mean, direction));
    let better = match direction {
        Direction::Lower => "less is better",
        Direction::Higher => "more is better",
        Direction::None => "neither way is better",
    };
    let words = |cell: fn(&Row) -> &str| rows.iter().map(|row| cell(row).to_owned()).collect();
    let number =
        |at: usize| under_points(rows.iter().map(|row| row.interval[at].clone()).collect());
    let [mean, low, high] = [number(0), number(1), number(2)];
    let intervals = rows.iter().zip(mean.iter().zip(low.iter().zip(&high)));
    let intervals = intervals.map(
        |(row, (mean, (low, high)))| match row.interval[1].as_str() {
            "" => mean.clone(),
            _ => format!("{mean}  [{low}, {high}]"),
        },
    );
    let columns = [
        Column::words("verdict", words(|row| &row.verdict)),
        Column::words("difference, interval", intervals.collect()),
    ];
    let table = render(&[Column::words("policy", words(|row| &row.who))], &columns);
    let wide = table
        .lines()
        .map(|line| line.chars().count())
        .max()
        .unwrap_or(0);
    let notes = std::iter::once("").chain(rows.iter().map(|row| row.note.as_str()));
    let mut text = format!("{}: {better}\n", plain(metric));
    for (line, note) in table.lines().zip(notes) {
        text += &match note {
            "" => format!("{line}\n"),
            note if wide + GAP.len() + note.chars().count() <= WIDTH => {
                format!("{line:wide$}{GAP}{note}\n")
            }
            // Too wide for the line: on the next.
            note => format!("{line}\n    {note}\n"),
        };
    }
    Some(text)
}

/// A comparison as it is shown.
struct Row {
    mean: Option<f64>,
    who: String,
    verdict: String,
    /// Mean, lower and upper limit.
    interval: [String; 3],
    note: String,
}

impl Row {
    fn of(pair: &Pair, digits: Option<i32>, summary: &Summary, judge: &Judge) -> Self {
        let who = match &judge.versus {
            Versus::Baseline(_) => plain(&pair.a),
            _ => format!("{} vs {}", plain(&pair.a), plain(&pair.b)),
        };
        let comparable = pair.verdict != Verdict::NotComparable;
        let verdict = match pair.verdict {
            Verdict::NotComparable => "not comparable".to_owned(),
            verdict => verdict.to_string(),
        };
        Self {
            mean: pair.mean.filter(|_| comparable),
            who,
            verdict,
            interval: if comparable {
                interval(pair, digits)
            } else {
                Default::default()
            },
            note: note(pair, summary),
        }
    }

    fn baseline(label: &str) -> Self {
        Self {
            mean: Some(0.0),
            who: plain(label),
            verdict: "baseline".into(),
            interval: ["0".into(), String::new(), String::new()],
            note: String::new(),
        }
    }
}

fn best_first(a: Option<f64>, b: Option<f64>, direction: Direction) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) if direction == Direction::Lower => a.total_cmp(&b),
        (Some(a), Some(b)) => b.total_cmp(&a),
        // What has no mean comes last.
        (a, b) => a.is_none().cmp(&b.is_none()),
    }
}

/// The decimals that show two significant digits of half the interval's width.
fn digits(pair: &Pair) -> Option<i32> {
    let (lo, hi) = pair.lo.zip(pair.hi)?;
    decimals(Some((hi - lo) / 2.0))
}

/// Mean and limits.
fn interval(pair: &Pair, digits: Option<i32>) -> [String; 3] {
    let show = |value: Option<f64>| match (value, digits) {
        (None, _) => String::new(),
        (Some(value), Some(digits)) => fixed(value, digits),
        (Some(value), None) => brief(value, 4),
    };
    [show(pair.mean), show(pair.lo), show(pair.hi)]
}

/// What else is to be said.
fn note(pair: &Pair, summary: &Summary) -> String {
    let mut parts = Vec::new();
    match pair.verdict {
        Verdict::NotComparable => parts.extend(blocked(pair, summary)),
        Verdict::Identical => parts.push(format!("in {}", replications(pair.n))),
        _ if pair.lo.is_none() => {
            let both = replications(pair.n);
            parts.push(format!(
                "both have a value in {both}, an interval needs two"
            ));
        }
        _ if pair.n != summary.replications => {
            parts.push(format!("n {} of {}", pair.n, summary.replications));
        }
        _ => {}
    }
    let lies_within = |margin: &f64| {
        let limits = pair.lo.zip(pair.hi);
        limits.is_some_and(|(lo, hi)| -margin <= lo && hi <= *margin)
    };
    if let Some(margin) = pair.margin.filter(lies_within)
        && pair.verdict != Verdict::Identical
    {
        parts.push(format!("within the margin of {}", brief(margin, 3)));
    }
    match pair.needed {
        Some(needed) if needed > MANY => {
            parts.push("over a million more replications may decide it".into());
        }
        Some(needed) => {
            parts.push(format!(
                "about {} more replications may decide it",
                about(needed)
            ));
        }
        None => {}
    }
    parts.join("; ")
}

fn blocked(pair: &Pair, summary: &Summary) -> Vec<String> {
    let lanes = pair.blocked.iter().map(|blocked| {
        let policy = summary.policies.get(&blocked.label);
        let all = policy.map_or(blocked.lanes, |policy| policy.endings.values().sum());
        let (label, ending) = (plain(&blocked.label), blocked.ending);
        format!("{} of {all} lanes of {label} ended {ending}", blocked.lanes)
    });
    lanes.collect()
}

fn replications(count: u64) -> String {
    match count {
        1 => "1 replication".to_owned(),
        _ => format!("{count} replications"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::Blocked;
    use crate::protocol::Ending;
    use crate::score::{LaneResult, PolicyRun, RunResult};

    fn pair(a: &str, verdict: Verdict, mean: f64, half: f64) -> Pair {
        Pair {
            metric: "representation_loss".into(),
            a: a.into(),
            b: "greedy .05".into(),
            n: 200,
            mean: Some(mean),
            se: Some(half / 2.0),
            lo: Some(mean - half),
            hi: Some(mean + half),
            alpha: 0.0125,
            method: "t (fixed n)",
            verdict,
            margin: None,
            needed: None,
            blocked: Vec::new(),
        }
    }

    fn summary(pairs: Vec<Pair>) -> Summary {
        let lane = |ending| LaneResult {
            ending,
            detail: None,
            rows: Vec::new(),
        };
        let policy = |label: &str| PolicyRun {
            label: label.into(),
            kind: "k".into(),
            lanes: [Ending::Filled, Ending::Filled, Ending::Stalled]
                .map(lane)
                .into(),
        };
        let run = RunResult {
            name: "t".into(),
            seed: 1,
            replications: 200,
            policies: vec![policy("queue"), policy("greedy .05")],
        };
        let summary = Summary::of(&run, &Judge::default());
        Summary { pairs, ..summary }
    }

    fn judge(metric: &str) -> Judge {
        Judge {
            metrics: vec![metric.into()],
            versus: Versus::Baseline("greedy .05".into()),
            alpha: 0.05,
            ..Judge::default()
        }
    }

    #[test]
    fn best_first_with_the_baseline_among_them() {
        let mut open = pair("open", Verdict::Undecided, 0.000_3, 0.02);
        open.needed = Some(1234);
        let mut near = pair("near", Verdict::Equivalent, -0.000_1, 0.001);
        near.margin = Some(0.005);
        let mut same = pair("same", Verdict::Identical, 0.0, 0.0);
        same.n = 150;
        let mut not = pair("not", Verdict::NotComparable, -0.5, 0.1);
        let (label, ending, lanes) = ("queue".into(), Ending::Stalled, 1);
        not.blocked = vec![Blocked {
            label,
            ending,
            lanes,
        }];
        let mut few = pair("few", Verdict::Worse, 0.2, 0.01);
        few.n = 150;
        let pairs = vec![
            not,
            few,
            open,
            near,
            same,
            pair("best", Verdict::Better, -0.0213, 0.0018),
        ];
        let known = "Verdicts against greedy .05, by the mean of policy - greedy .05 within replications, best first
All 6 intervals hold together with 95 % confidence: t (fixed n), alpha 0.0125 each

representation_loss: less is better
policy       verdict          difference, interval
best         better           -0.0213  [-0.0231, -0.0195]
near         equivalent       -0.0001  [-0.0011,  0.0009]   within the margin of 0.005
same         identical         0.0000  [ 0.0000,  0.0000]   in 150 replications
greedy .05   baseline          0
open         undecided         0.0003  [-0.0197,  0.0203]   about 1,300 more replications may decide it
few          worse             0.2000  [ 0.1900,  0.2100]   n 150 of 200
not          not comparable                                 1 of 3 lanes of queue ended stalled
";
        let shown = verdicts(&summary(pairs), &judge("representation_loss")).join("\n");
        assert_eq!(shown, known, "\n{shown}");
    }

    #[test]
    fn the_direction_of_the_metric_orders() {
        let order = |metric: &str| {
            let mut pairs = vec![
                pair("less", Verdict::Differs, -1.0, 0.5),
                pair("more", Verdict::Differs, 1.0, 0.5),
            ];
            for pair in &mut pairs {
                pair.metric = metric.into();
            }
            let shown = verdicts(&summary(pairs), &judge(metric)).remove(1);
            let first = shown.lines().nth(2).unwrap();
            first.split(' ').next().unwrap().to_owned()
        };
        assert_eq!(order("representation_loss"), "less");
        assert_eq!(order("selection_rate"), "more");
        assert_eq!(order("share.F"), "more");
    }

    #[test]
    fn all_pairs_name_both_and_one_value_has_no_interval() {
        let mut bare = pair("queue", Verdict::Undecided, -0.25, 0.5);
        (bare.n, bare.lo, bare.hi) = (1, None, None);
        let judge = Judge {
            versus: Versus::Everyone,
            ..judge("representation_loss")
        };
        let shown = verdicts(&summary(vec![bare]), &judge).join("\n");
        let known = "Verdicts on a vs b, by the mean of a - b within replications, best first
The interval holds with 95 % confidence: t (fixed n), alpha 0.0125 each

representation_loss: less is better
policy                verdict     difference, interval
queue vs greedy .05   undecided   -0.25                  both have a value in 1 replication, an interval needs two
";
        assert_eq!(shown, known, "\n{shown}");
    }

    #[test]
    fn many_more_are_not_counted_out_and_nothing_is_shown_where_nothing_is_compared() {
        let mut open = pair("open", Verdict::Undecided, 0.1, 0.5);
        open.needed = Some(u64::MAX);
        let shown = note(&open, &summary(vec![]));
        assert_eq!(shown, "over a million more replications may decide it");
        assert!(verdicts(&summary(vec![]), &judge("screened")).is_empty());
    }
}
