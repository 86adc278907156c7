//! The runs of a sweep as one table: a row a run, with who leads and the means of all policies.

use super::super::account::LeadAnswer;
use super::super::number::{brief, mean_and_se};
use super::super::page::{Link, SortCell, SortTable};
use super::super::plain;
use super::found::SweepFound;

/// The most numbers of the table; beyond them it says who leads, and no means.
const NUMBERS: usize = 1_500;

/// The file of a run's report, in its folder.
const REPORT: &str = "report.html";

/// The table.
pub(super) fn table(found: &SweepFound<'_>) -> SortTable {
    let numbers = found.runs.len() * found.measures.len() * found.labels.len();
    let means: Vec<(&str, &str)> = match numbers <= NUMBERS {
        true => found
            .measures
            .iter()
            .flat_map(|measure| found.labels.iter().map(|label| (measure.as_str(), *label)))
            .collect(),
        false => Vec::new(),
    };
    let mut heads = vec!["run".to_owned()];
    heads.extend(found.axes.iter().map(|axis| axis.key.clone()));
    let asked = found.questions.iter();
    heads.extend(asked.map(|question| format!("who leads: {}", question.name)));
    heads.extend(
        means
            .iter()
            .map(|(measure, label)| match found.labels.len() {
                1 => (*measure).to_owned(),
                _ => format!("{measure}: {label}"),
            }),
    );
    let mut caption = "What each run says. The intervals of one run hold together; over the runs \
                       of the sweep they do not."
        .to_owned();
    match means.is_empty() {
        true => caption += " The means are in `sweep.csv`.",
        false => caption += " Numbers are means over the replications, ± their standard errors.",
    }
    SortTable {
        caption,
        heads: heads.iter().map(|head| plain(head)).collect(),
        rows: (0..found.runs.len())
            .map(|run| row(found, run, &means))
            .collect(),
    }
}

fn row(found: &SweepFound<'_>, at: usize, means: &[(&str, &str)]) -> Vec<SortCell> {
    let (entry, run) = found.runs[at];
    let number = entry.name.trim_start_matches(|c: char| !c.is_ascii_digit());
    let number = number.trim_start_matches('0');
    let mut row = vec![SortCell::Link(Link {
        text: number.to_owned(),
        to: format!("{}/{REPORT}", entry.name),
    })];
    let values = found.axes.iter().zip(&entry.set);
    row.extend(values.map(|(axis, (_, value))| match axis.is_numeric() {
        true => SortCell::Number(plain(value)),
        false => SortCell::Words(plain(value)),
    }));
    row.extend(found.questions.iter().map(|question| {
        let lead = &question.leads[at];
        let mark = match lead {
            LeadAnswer::Sole(_) => "better",
            LeadAnswer::Even(_) => "equivalent",
            LeadAnswer::Open(_) => "undecided",
            LeadAnswer::Nothing => "",
        };
        SortCell::Verdict(mark, short(lead))
    }));
    row.extend(means.iter().map(|(measure, label)| {
        let policy = run.policies.get(*label);
        let stats = policy.and_then(|policy| policy.metrics.get(*measure));
        SortCell::Number(stats.map_or_else(String::new, |stats| match stats.se {
            Some(_) => mean_and_se(stats.mean, stats.se),
            None => brief(stats.mean, 4),
        }))
    }));
    row
}

/// The answer of a run as short as a cell is.
fn short(lead: &LeadAnswer) -> String {
    let names = |labels: &[String]| match labels {
        [one, other] => format!("{one}, {other}"),
        [one, other, ..] => format!("{one}, {other}, …"),
        _ => labels.concat(),
    };
    match lead {
        LeadAnswer::Sole(label) => format!("best: {label}"),
        LeadAnswer::Even(labels) => format!("even: {}", names(labels)),
        LeadAnswer::Open(labels) => format!("open: {}", names(labels)),
        LeadAnswer::Nothing => "–".to_owned(),
    }
}
