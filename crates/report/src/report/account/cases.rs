//! The page of a comparison over the cases of a table: one file that links to no other.

use std::collections::BTreeSet;

use super::super::finished::Finished;
use super::super::page::{Chart, Page, PagePart, PageSection};
use super::super::units;
use super::drawing::ReportFigure;
use super::drawn::DrawnRun;
use super::{facts, further, many, next, sure};
use kleroterion_stats::Comparison;

/// Returns the page of a comparison: the answer, the verdicts with their bars, the figures, and
/// what is assumed. It needs no other file.
#[must_use]
pub fn case_page(found: &Comparison) -> Page {
    let whole = Finished {
        disclosures: found.summary.disclosures.clone(),
        ..Finished::so_far(found.result.clone(), &found.judge)
    };
    let whole = units::of_run(&whole);
    let drawn = DrawnRun::of(&whole);
    let chart = |drawn: ReportFigure| {
        PagePart::Chart(Chart {
            figure: drawn.figure,
            file: None,
            table: drawn.table,
        })
    };
    let mut charts = Vec::new();
    if drawn.looks.pairs().len() > 1 && !drawn.figures.is_empty() {
        charts.push(PagePart::Switches(drawn.looks.pairs().to_vec()));
    }
    charts.extend(drawn.figures.into_iter().map(chart));
    let verdicts = [PagePart::Verdicts(drawn.picture)].into_iter();
    let verdicts = verdicts.chain(further::part(&whole));
    let names: BTreeSet<&str> = found.judge.metrics.iter().map(String::as_str).collect();
    let values = PagePart::table(
        "Over the cases that have a value",
        facts::values(&whole, &names),
    );
    let sections = [
        ("Verdicts", verdicts.collect()),
        ("Figures", charts),
        ("All measures", vec![values]),
        (
            "What is estimated, and what is assumed",
            vec![PagePart::Prose(sure::of_cases(&whole))],
        ),
    ];
    let counted =
        |n: u64, one: &str, more: &str| format!("{n} {}", if n == 1 { one } else { more });
    let cases = counted(whole.replications, "case", "cases");
    let policies = counted(whole.policies.len() as u64, "policy", "policies");
    Page {
        title: whole.name.clone(),
        tab: next::tab(&whole),
        lead: format!("{policies} over {cases}.{}", many::said(&whole, &drawn.run)),
        found: drawn.found,
        sections: PageSection::filled(sections),
        ..Page::default()
    }
}
