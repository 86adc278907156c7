//! The page of a sweep: what was found, the measures over the swept values, who leads where, and a
//! table that leads to the runs.

use super::super::figure::{Figure, drawn_names};
use super::super::files::{FIGURES, SWEEP_FIGURE};
use super::super::finished::Finished;
use super::super::page::{Chart, Link, Page, PagePart, PageSection};
use super::super::points::PointEntry;
use super::curves::figure;
use super::found::SweepFound;
use super::map::maps;
use super::runs_table::table;
use super::sentence::sentences;

/// The file of the page, and of the report of each run.
const REPORT: &str = "report.html";

/// A table of more rows is folded.
const OPEN_ROWS: usize = 60;

/// The report of a sweep: its page, and its figure as SVG, which the page links to.
pub struct SweepReport {
    /// The page.
    pub page: Page,
    /// The figure; none where nothing was measured.
    pub figure: Option<String>,
}

impl SweepReport {
    /// The report of some runs of a sweep.
    #[must_use]
    pub fn of(runs: &[(&PointEntry, &Finished)]) -> Self {
        let found = SweepFound::of(runs);
        let drawn = figure(&found);
        let looks: Vec<(String, usize)> = drawn.as_ref().map_or_else(Vec::new, |figure| {
            let names = drawn_names(figure).into_iter();
            names.map(|(name, look)| (name.to_owned(), look)).collect()
        });
        let svg = drawn.as_ref().map(Figure::svg);
        let maps = maps(&found, &looks).into_iter().map(PagePart::Map);
        let sections = [
            ("Over the values", curves(drawn, looks)),
            ("Who leads where", maps.collect()),
            ("Runs", vec![runs_part(&found)]),
        ];
        let sections = sections.into_iter().filter(|(_, parts)| !parts.is_empty());
        let sections = sections.map(|(heading, parts)| PageSection {
            heading: heading.into(),
            parts,
        });
        Self {
            page: Page {
                title: title(&found),
                lead: sentences(&found).join(" "),
                links: Vec::new(),
                sections: sections.collect(),
            },
            figure: svg,
        }
    }
}

/// Where a run's page leads: to the page of the sweep, and to the runs with the next smaller and
/// the next greater values.
#[must_use]
pub fn links_of(runs: &[(&PointEntry, &Finished)]) -> Vec<(String, Vec<Link>)> {
    let found = SweepFound::of(runs);
    let to = |word: &str, at: usize| {
        let (entry, _) = *found.runs.get(at)?;
        Some(Link {
            text: format!("{word}: {}", found.settings(at)),
            to: format!("../{}/{REPORT}", entry.name),
        })
    };
    let all = Link {
        text: format!("All {} runs of the sweep", found.runs.len()),
        to: format!("../{REPORT}"),
    };
    let of = |at: usize| {
        let before = at.checked_sub(1).and_then(|at| to("Before", at));
        let links = [Some(all.clone()), before, to("Next", at + 1)];
        let name = found.runs[at].0.name.clone();
        (name, links.into_iter().flatten().collect())
    };
    (0..found.runs.len()).map(of).collect()
}

fn title(found: &SweepFound<'_>) -> String {
    let all = found.runs.len();
    let mut names = found.runs.iter().map(|(_, run)| run.name.as_str());
    let first = names.next().unwrap_or_default();
    match names.all(|name| name == first) {
        true => format!("{first}: a sweep of {all} runs"),
        false => format!("A sweep of {all} runs"),
    }
}

fn curves(drawn: Option<Figure>, looks: Vec<(String, usize)>) -> Vec<PagePart> {
    let chart = drawn.map(|figure| {
        PagePart::Chart(Chart {
            figure,
            file: format!("{FIGURES}/{SWEEP_FIGURE}"),
            table: None,
        })
    });
    let switches = (looks.len() > 1).then_some(PagePart::Switches(looks));
    switches
        .filter(|_| chart.is_some())
        .into_iter()
        .chain(chart)
        .collect()
}

fn runs_part(found: &SweepFound<'_>) -> PagePart {
    let table = PagePart::Sortable(table(found));
    match found.runs.len() > OPEN_ROWS {
        true => PagePart::Fold {
            summary: format!(
                "The {} runs, each with a link to its report",
                found.runs.len()
            ),
            parts: vec![table],
        },
        false => table,
    }
}
