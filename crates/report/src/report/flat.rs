//! The files `summary.csv` and `verdicts.csv`: numbers of `summary.json` as flat tables, for a run
//! or a sweep.

use std::io::{self, Write};

use serde::Serialize;

use kleroterion_core::score::{MetricNames, PARTS};
use kleroterion_io::record::{SheetWriter, shortest};
use kleroterion_stats::{Dated, Pair, PolicySummary, Stats, Summary};

/// A column of a table: its name, and its text in a row.
type Column<R> = (&'static str, fn(&R) -> String);

/// A metric of one policy at the end of the run.
struct SummaryRow<'a> {
    label: &'a str,
    policy: &'a PolicySummary,
    /// The metric's whole name, as `judge` of a config takes it.
    metric: &'a str,
    stats: &'a Stats,
}

/// The columns of `summary.csv` before the metric's parts.
fn of_policy<'a>() -> [Column<SummaryRow<'a>>; 3] {
    [
        ("policy", |row| row.label.to_owned()),
        ("kind", |row| row.policy.kind.clone()),
        ("role", |row| word(&row.policy.role)),
    ]
}

/// The columns after them.
fn of_stats<'a>() -> [Column<SummaryRow<'a>>; 8] {
    [
        ("n", |row| row.stats.n.to_string()),
        ("mean", |row| shortest(row.stats.mean)),
        ("sd", |row| number(row.stats.sd)),
        ("se", |row| number(row.stats.se)),
        ("median", |row| shortest(row.stats.median)),
        ("min", |row| shortest(row.stats.min)),
        ("max", |row| shortest(row.stats.max)),
        ("name", |row| row.metric.to_owned()),
    ]
}

/// The columns of `verdicts.csv` after the metric's parts.
const OF_PAIR: [Column<Pair>; 33] = [
    ("a", |pair| pair.a.clone()),
    ("b", |pair| pair.b.clone()),
    ("verdict", |pair| word(&pair.verdict)),
    ("estimand", |pair| word(&pair.estimand)),
    ("n", |pair| pair.n.to_string()),
    ("unfilled", |pair| pair.unfilled.to_string()),
    ("mean", |pair| number(pair.mean)),
    ("se", |pair| number(pair.se)),
    ("lo", |pair| number(pair.lo)),
    ("hi", |pair| number(pair.hi)),
    ("alpha", |pair| shortest(pair.alpha)),
    ("method", |pair| pair.method.to_string()),
    ("t_lo", |pair| number(pair.extras.t_lo)),
    ("t_hi", |pair| number(pair.extras.t_hi)),
    ("e_value", |pair| number(pair.extras.e_value)),
    ("e_above", |pair| number(pair.extras.e_above)),
    ("e_below", |pair| number(pair.extras.e_below)),
    ("p_anytime", |pair| number(pair.extras.p_anytime)),
    ("median", |pair| number(pair.extras.median)),
    ("median_lo", |pair| number(pair.extras.median_lo)),
    ("median_hi", |pair| number(pair.extras.median_hi)),
    ("beats", |pair| number(pair.extras.beats)),
    ("beats_lo", |pair| number(pair.extras.beats_lo)),
    ("beats_hi", |pair| number(pair.extras.beats_hi)),
    ("variance_bound", |pair| number(pair.extras.variance_bound)),
    ("margin", |pair| number(pair.margin)),
    ("needed", |pair| {
        pair.needed.map_or_else(String::new, |n| n.to_string())
    }),
    ("name", |pair| pair.metric.clone()),
    ("standing", |pair| pair.standing.word().to_owned()),
    ("sure_at", |pair| date(pair, |dated| Some(dated.sure_at))),
    ("open_at", |pair| date(pair, |dated| dated.open_at)),
    ("since", |pair| date(pair, |dated| dated.since)),
    ("ends_before", |pair| pair.ends_before.to_string()),
];

/// A date of a running average's sureness; empty where there is none.
fn date(pair: &Pair, of: fn(&Dated) -> Option<u64>) -> String {
    let date = pair.dated.as_ref().and_then(of);
    date.map_or_else(String::new, |date| date.to_string())
}

/// The summary of one run, after the cells that distinguish it from the other runs of a table.
pub struct FlatRun<'a> {
    /// The cells before the others. Empty for a single run.
    pub lead: Vec<&'a str>,
    /// The summary.
    pub summary: &'a Summary,
    /// The names of its metrics.
    pub names: &'a MetricNames,
}

impl<'a> FlatRun<'a> {
    /// A run that is alone in its table.
    #[must_use]
    pub fn alone(summary: &'a Summary, names: &'a MetricNames) -> [Self; 1] {
        [Self {
            lead: Vec::new(),
            summary,
            names,
        }]
    }

    /// Begins a row of a metric's parts after `before`.
    fn begin<R>(
        &self,
        csv: &mut SheetWriter<impl Write>,
        metric: &str,
        before: &[Column<R>],
        row: &R,
    ) -> io::Result<()> {
        self.lead.iter().try_for_each(|cell| csv.begin([cell]))?;
        fields(csv, before, row)?;
        let parts = self.names.parts(metric).fields();
        parts.iter().try_for_each(|part| csv.begin([part]))
    }
}

/// Writes `summary.csv` or, for a sweep, `sweep.csv`: each metric of each policy at the end of the
/// run, by run, label and name. `lead` holds the names of the columns before the others.
///
/// # Errors
/// Where `out` fails.
pub fn write_summaries(lead: &[&str], runs: &[FlatRun<'_>], out: impl Write) -> io::Result<()> {
    let mut csv = SheetWriter::to(out);
    let (of_policy, of_stats) = (of_policy(), of_stats());
    let first = of_policy.iter().map(|(name, _)| *name);
    let last = of_stats.iter().map(|(name, _)| *name);
    let heads = lead.iter().copied().chain(first).chain(PARTS).chain(last);
    csv.row(heads)?;
    for run in runs {
        for (label, policy) in &run.summary.policies {
            for (metric, stats) in &policy.metrics {
                let row = SummaryRow {
                    label,
                    policy,
                    metric,
                    stats,
                };
                run.begin(&mut csv, metric, &of_policy, &row)?;
                fields(&mut csv, &of_stats, &row)?;
                csv.row(None::<&str>)?;
            }
        }
    }
    csv.flush()
}

/// Writes `verdicts.csv`: the pairs by run, in the order of `summary.json`. `lead` holds the names
/// of the columns before the others.
///
/// # Errors
/// Where `out` fails.
pub fn write_verdicts(lead: &[&str], runs: &[FlatRun<'_>], out: impl Write) -> io::Result<()> {
    let mut csv = SheetWriter::to(out);
    let last = OF_PAIR.iter().map(|(name, _)| *name);
    csv.row(lead.iter().copied().chain(PARTS).chain(last))?;
    for run in runs {
        for pair in &run.summary.pairs {
            run.begin(&mut csv, &pair.metric, &[], pair)?;
            fields(&mut csv, &OF_PAIR, pair)?;
            csv.row(None::<&str>)?;
        }
    }
    csv.flush()
}

fn fields<R>(csv: &mut SheetWriter<impl Write>, columns: &[Column<R>], row: &R) -> io::Result<()> {
    columns
        .iter()
        .try_for_each(|(_, text)| csv.begin([text(row)]))
}

/// The shortest text that reads back; empty where there is no number, as null in JSON.
fn number(value: Option<f64>) -> String {
    value
        .filter(|value| value.is_finite())
        .map(shortest)
        .unwrap_or_default()
}

/// The word that JSON has for a value.
fn word(value: &impl Serialize) -> String {
    let word = serde_json::to_value(value).ok();
    let word = word.as_ref().and_then(|word| word.as_str());
    word.unwrap_or_default().to_owned()
}
