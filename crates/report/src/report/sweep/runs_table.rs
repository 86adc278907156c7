//! The runs of a sweep as tables. One table has the values and the leaders of each run. Others have
//! the policies' means, one for each measure.

use super::super::account::LeadAnswer;
use super::super::number::{of_column, shown};
use super::super::page::{Link, MapMood, SortCell, SortTable};
use super::super::plain;
use super::super::points::PointEntry;
use super::axis::{SweepAxis, SweepFound};

/// The file of the page, and of the report of each run.
pub(super) const REPORT: &str = "report.html";

/// The most means on a page; of more there are none.
const NUMBERS: usize = 1_500;

/// Returns the table of the leaders in each run.
pub(super) fn table(found: &SweepFound<'_>) -> SortTable {
    let asked = found.questions.iter();
    let asked = asked.map(|question| format!("who leads: {}", question.title));
    let mut caption = "What each run says, with a link to its report. The comparisons of one run \
                       are right together; over the runs of the sweep they do not."
        .to_owned();
    if !has_means(found) {
        caption += " The means are in `sweep.csv`.";
    }
    let rows = (0..found.runs.len()).map(|at| {
        let mut row = vec![linked(found, at)];
        row.extend(values(found, at));
        row.extend(found.questions.iter().map(|question| {
            let lead = &question.leads[at];
            SortCell::Verdict(mark(lead), words(lead))
        }));
        row
    });
    let mut heads = heads(found, asked);
    heads.insert(0, "run".to_owned());
    SortTable {
        caption,
        rows: rows.collect(),
        heads,
    }
}

/// The means of the policies, a table for each measure. Empty if they would be too many.
pub(super) fn means(found: &SweepFound<'_>) -> Vec<(String, SortTable)> {
    if !has_means(found) {
        return Vec::new();
    }
    let of = |measure: &String| {
        let policies = found.runs.iter().flat_map(|(_, run)| run.policies.values());
        let decimals = of_column(policies.filter_map(|policy| policy.metrics.get(measure)?.se));
        let rows = (0..found.runs.len()).map(|at| {
            let mut row = values(found, at);
            let means = found.labels.iter();
            row.extend(means.map(|label| mean(found, at, label, (measure, decimals))));
            row
        });
        let head = found.words(measure).head();
        let table = SortTable {
            caption: format!("{head}: means over the replications, ± their standard errors."),
            rows: rows.collect(),
            heads: heads(found, found.labels.iter().map(|label| (*label).to_owned())),
        };
        (head, table)
    };
    found.measures.iter().map(of).collect()
}

fn has_means(found: &SweepFound<'_>) -> bool {
    found.runs.len() * found.measures.len() * found.labels.len() <= NUMBERS
}

/// The keys of the sweep, and further columns.
fn heads(found: &SweepFound<'_>, further: impl Iterator<Item = String>) -> Vec<String> {
    let keys = found.axes.iter().map(|axis| axis.key.clone());
    keys.chain(further).map(|head| plain(&head)).collect()
}

/// The values of a run.
fn values(found: &SweepFound<'_>, at: usize) -> Vec<SortCell> {
    let values = found.axes.iter().zip(&found.runs[at].0.set);
    let cell = |(axis, (_, value)): (&SweepAxis, &(String, String))| match axis.is_numeric() {
        true => SortCell::Number(plain(value)),
        false => SortCell::Words(plain(value)),
    };
    values.map(cell).collect()
}

/// Returns the number of a run, which no other has, as a link to the run's report.
fn linked(found: &SweepFound<'_>, at: usize) -> SortCell {
    let (entry, _) = &found.runs[at];
    SortCell::NumberLink(Link {
        text: number(entry).to_owned(),
        to: format!("{}/{REPORT}", entry.name),
    })
}

/// The number of a run.
fn number(entry: &PointEntry) -> &str {
    let number = entry.name.trim_start_matches(|c: char| !c.is_ascii_digit());
    number.trim_start_matches('0')
}

/// The mean of a policy; its error may be on a line of its own.
fn mean(
    found: &SweepFound<'_>,
    at: usize,
    label: &str,
    (measure, decimals): (&str, Option<i32>),
) -> SortCell {
    let policy = found.runs[at].1.policies.get(label);
    let stats = policy.and_then(|policy| policy.metrics.get(measure));
    let words = stats.map_or_else(String::new, |stats| match stats.se {
        Some(se) => {
            let [mean, se] = [stats.mean, se].map(|value| shown(value, decimals));
            format!("{mean} ±\u{a0}{se}")
        }
        None => shown(stats.mean, decimals),
    });
    SortCell::Number(words)
}

/// The verdict's word for an answer.
fn mark(lead: &LeadAnswer) -> &'static str {
    match lead.mood {
        MapMood::Sure => "better",
        MapMood::Even => "equivalent",
        MapMood::Open => "undecided",
        MapMood::Nothing => "",
    }
}

/// The answer of a run, with all who lead or may.
pub(super) fn words(lead: &LeadAnswer) -> String {
    let labels = lead.labels.join(", ");
    match lead.mood {
        MapMood::Sure => format!("best: {labels}"),
        MapMood::Even => format!("even: {labels}"),
        MapMood::Open => format!("undecided: {labels}"),
        MapMood::Nothing => "–".to_owned(),
    }
}
