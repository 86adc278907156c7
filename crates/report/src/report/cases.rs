//! A comparison over the cases of a table, for people and as JSON.

use super::grid::{MetricCell, render};
use super::medium::Medium;
use super::plain;
use super::table::{answer, column, labels};
use super::units;
use super::verdicts::verdicts;
use kleroterion_stats::{Comparison, Summary};

/// Returns the comparison as text: a row for each policy, the verdicts, and the answer last.
#[must_use]
pub fn case_table(found: &Comparison, medium: &Medium) -> String {
    let catalogue = &found.judge.catalogue;
    let summary = &units::of_summary(&found.summary, catalogue);
    let mut sections = vec![heading(summary, medium)];
    let metrics = found.judge.metrics.iter();
    let columns = metrics.map(|metric| {
        column(summary, &catalogue.words(metric).head(), false, |policy| {
            policy.metrics.get(metric).map(MetricCell::from)
        })
    });
    sections.push(render(
        &[labels(summary)],
        &columns.collect::<Vec<_>>(),
        medium,
    ));
    sections.extend(verdicts(summary, &found.judge, medium));
    sections.push(answer(summary, medium));
    medium.finished(&sections.join("\n"))
}

fn heading(summary: &Summary, medium: &Medium) -> String {
    let cases = summary.replications;
    let many = if cases == 1 { "" } else { "s" };
    let disclosed = summary.disclosures.iter();
    let disclosed: String = disclosed.map(|what| format!("{}\n", plain(what))).collect();
    let head = format!("{}: {cases} case{many}", plain(&summary.name));
    format!("{}\n{disclosed}", medium.title(&head))
}

/// Returns the comparison as indented JSON, with policies and metrics by name.
#[must_use]
pub fn case_json(found: &Comparison) -> String {
    let text = serde_json::to_string_pretty(&found.contents());
    text.expect("a comparison has text keys alone") + "\n"
}
