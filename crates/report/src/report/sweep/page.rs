//! The page of a sweep. It shows the findings, the measures over the swept values, a map of the
//! leaders, and a table that links to the runs.

use super::super::figure::{Figure, PolicyLooks};
use super::super::files::{FIGURES, SWEEP_FIGURE};
use super::super::finished::Finished;
use super::super::number::grouped;
use super::super::page::{Chart, Link, Page, PagePart, PageSection};
use super::super::points::PointEntry;
use super::super::units;
use super::answer::findings;
use super::axis::{SweepAxis, SweepFound};
use super::curves::{differences, figure};
use super::map::{maps, ribbon};
use super::runs_table::{REPORT, means, table};
use super::sentence::sentences;

/// A table of more rows is folded.
const OPEN_ROWS: usize = 60;

/// The report of a sweep: its page, and its figure as SVG, which the page links to.
pub struct SweepReport {
    /// The page.
    pub page: Page,
    /// The figure. `None` if nothing was measured.
    pub figure: Option<String>,
}

impl SweepReport {
    /// The report of some runs of a sweep.
    #[must_use]
    pub fn of(runs: &[(&PointEntry, &Finished)]) -> Self {
        let scaled: Vec<Finished> = runs.iter().map(|(_, run)| units::of_run(run)).collect();
        let entries = runs.iter().map(|(entry, _)| *entry);
        let runs: Vec<(&PointEntry, &Finished)> = entries.zip(&scaled).collect();
        let found = SweepFound::of(&runs);
        let labels = runs.iter().flat_map(|(_, run)| run.policies.keys());
        let looks = PolicyLooks::of(labels.cloned());
        let dressed = |mut figure: Figure| {
            looks.dress(&mut figure);
            let series = figure.panels.iter_mut().flat_map(|panel| &mut panel.series);
            series.for_each(|series| series.name = found.shown_name(&series.name));
            figure
        };
        let drawn = figure(&found).map(dressed);
        let compared = differences(&found).map(dressed);
        let looks = looks.pairs().iter();
        let looks: Vec<(String, usize)> = looks
            .map(|(label, look)| (found.shown_name(label), *look))
            .collect();
        let svg = drawn.as_ref().map(Figure::svg);
        let maps = maps(&found, &looks).into_iter().map(PagePart::Map);
        let ribbon = ribbon(&found, &looks).map(PagePart::Map);
        let mut curves = curves(drawn, looks);
        curves.extend(ribbon);
        curves.extend(compared.map(chart));
        let answer = findings(&found);
        let ranges = answer.is_none().then(|| sentences(&found).join("\n\n"));
        let sections = [
            (
                "What was found",
                ranges.map(PagePart::Prose).into_iter().collect(),
            ),
            ("Maps of the leaders", maps.collect()),
            ("Over the values", curves),
            ("Runs", runs_parts(&found)),
        ];
        Self {
            page: Page {
                title: title(&found),
                lead: lead(&found),
                found: answer,
                sections: PageSection::filled(sections),
                ..Page::default()
            },
            figure: svg,
        }
    }
}

/// Returns the links on the page of each run. They lead to the page of the sweep, and to the runs
/// with the next smaller and greater values.
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

/// Returns the swept keys and the number of replications. An example is `rules.slate (5 values) and
/// seed (3 values); 100 replications each`.
fn lead(found: &SweepFound<'_>) -> String {
    let key = |axis: &SweepAxis| format!("`{}` ({} values)", axis.key, axis.values.len());
    let keys: Vec<String> = found.axes.iter().map(key).collect();
    let (least, most) = found
        .runs
        .iter()
        .fold((u64::MAX, 0), |(least, most), (_, run)| {
            (least.min(run.replications), most.max(run.replications))
        });
    let each = match (least, most) {
        (1, 1) => "one replication each".to_owned(),
        (least, most) if least == most => format!("{} replications each", grouped(most)),
        (least, most) => format!("{} to {} replications each", grouped(least), grouped(most)),
    };
    format!("Over {}; {each}.", keys.join(" and "))
}

/// A figure without a file of its own.
fn chart(figure: Figure) -> PagePart {
    PagePart::Chart(Chart {
        figure,
        file: None,
        table: None,
    })
}

fn curves(drawn: Option<Figure>, looks: Vec<(String, usize)>) -> Vec<PagePart> {
    let chart = drawn.map(|figure| {
        PagePart::Chart(Chart {
            figure,
            file: Some(format!("{FIGURES}/{SWEEP_FIGURE}")),
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

/// Returns the table of the leaders in each run, and the means, folded.
fn runs_parts(found: &SweepFound<'_>) -> Vec<PagePart> {
    let table = PagePart::Sortable(table(found));
    let all = match found.runs.len() > OPEN_ROWS {
        true => PagePart::Fold {
            summary: format!(
                "The {} runs, each with a link to its report",
                found.runs.len()
            ),
            parts: vec![table],
        },
        false => table,
    };
    let means = means(found).into_iter();
    let means = means.map(|(measure, table)| PagePart::Fold {
        summary: format!("The means of {measure}"),
        parts: vec![PagePart::Sortable(table)],
    });
    std::iter::once(all).chain(means).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::account::LeadAnswer;
    use crate::report::page::{MapMood, SortCell, SortTable};
    use kleroterion_core::protocol::Ending;
    use kleroterion_core::score::{LaneResult, MetricRow, PolicyRun};
    use kleroterion_stats::{Judge, RunResult, Versus};

    /// A run in which "queue" screens `gap` fewer people than "greedy", or about as many where the
    /// gap is 0.
    fn run(name: &str, set: &[(&str, &str)], gap: f64) -> (PointEntry, Finished) {
        let lane = |screened: f64| {
            let row = MetricRow {
                metric: "screened".into(),
                at: None,
                value: screened,
            };
            LaneResult::new(Ending::Filled, None, [row])
        };
        let noise = [3.0, -2.0, 4.0, -5.0];
        let queue = noise.map(|noise| lane(100.0 - gap + noise));
        let greedy = [100.0; 4].map(lane);
        let result = RunResult {
            name: "small".into(),
            seed: 1,
            replications: 4,
            policies: vec![
                PolicyRun::new("greedy", "greedy").with(greedy),
                PolicyRun::new("queue", "virtual_queue").with(queue),
            ],
            ..RunResult::default()
        };
        let judge = Judge {
            metrics: vec!["screened".into()],
            alpha: 0.05,
            versus: Versus::Baseline("greedy".into()),
            ..Judge::default()
        };
        let set = set.iter();
        let entry = PointEntry {
            name: name.into(),
            set: set
                .map(|(key, value)| ((*key).into(), (*value).into()))
                .collect(),
        };
        (entry, Finished::so_far(result, &judge))
    }

    fn report(runs: &[(PointEntry, Finished)]) -> (SweepReport, Vec<(String, Vec<Link>)>) {
        let runs: Vec<_> = runs.iter().map(|(entry, run)| (entry, run)).collect();
        (SweepReport::of(&runs), links_of(&runs))
    }

    /// The table of who leads.
    fn runs_table(report: &SweepReport) -> &SortTable {
        let runs = report.page.sections.last().expect("the runs");
        match &runs.parts[0] {
            PagePart::Sortable(table) => table,
            other => panic!("{other:?}"),
        }
    }

    /// The names of all who may lead are there: a page that hides them hides the answer.
    #[test]
    fn no_candidate_is_hidden() {
        let labels = ["first come", "second come", "third come", "the last"].map(str::to_owned);
        let lead = LeadAnswer {
            mood: MapMood::Open,
            labels: labels.to_vec(),
            by: None,
        };
        let known = "undecided: first come, second come, third come, the last";
        assert_eq!(super::super::runs_table::words(&lead), known);
    }

    /// The sentences below the answer, or in its place where nothing is compared.
    fn found(report: &SweepReport) -> String {
        let first = report.page.sections[0].parts.as_slice();
        match (&report.page.found, first) {
            (Some(found), _) => found.lines.join("\n\n"),
            (None, [PagePart::Prose(words)]) => words.clone(),
            (None, other) => panic!("{other:?}"),
        }
    }

    #[test]
    fn one_key_says_over_which_values_which_policy_is_best() {
        let values = [
            ("100", 90.0),
            ("200", 90.0),
            ("400", 90.0),
            ("50", 0.0),
            ("75", 0.0),
        ];
        let runs: Vec<_> = (1..)
            .zip(values)
            .map(|(n, (k, gap))| run(&format!("point-00{n}"), &[("k", k)], gap))
            .collect();
        let (report, links) = report(&runs);
        let words = found(&report);
        let known = "People screened (less is better): \u{201c}queue\u{201d} is surely best from 100 to 400; \
                     it is undecided at 50 and 75 (by the mean ";
        assert!(words.starts_with(known), "{words}");
        assert_eq!(report.page.title, "small: a sweep of 5 runs");
        assert_eq!(
            report.page.lead,
            "Over `k` (5 values); 4 replications each."
        );
        // Runs follow each other by their values, not as text.
        let of = |name: &str| {
            let (_, links) = links.iter().find(|(known, _)| known == name).unwrap();
            let links = links
                .iter()
                .map(|link| format!("{} {}", link.text, link.to));
            links.collect::<Vec<_>>()
        };
        assert_eq!(
            of("point-001"),
            [
                "All 5 runs of the sweep ../report.html",
                "Before: k = 75 ../point-005/report.html",
                "Next: k = 200 ../point-002/report.html",
            ]
        );
        assert_eq!(of("point-003").len(), 2);
        let headings = report
            .page
            .sections
            .iter()
            .map(|section| section.heading.as_str());
        let headings: Vec<&str> = headings.collect();
        assert_eq!(headings, ["Over the values", "Runs"]);
        let answer = report.page.found.as_ref().map(|found| &*found.answer);
        let known = "\u{201c}queue\u{201d} leads on people screened for k from 100 to 400, by 90; \
                     elsewhere it is open";
        assert_eq!(answer, Some(known));
        let parts = &report.page.sections[0].parts;
        let [
            _,
            PagePart::Chart(_),
            PagePart::Map(ribbon),
            PagePart::Chart(compared),
        ] = &parts[..]
        else {
            panic!("{parts:?}")
        };
        assert_eq!((ribbon.columns.len(), ribbon.rows.len()), (5, 1));
        let cells = ribbon.panels[0]
            .cells
            .iter()
            .map(|cell| (cell.mood, &*cell.by));
        let cells: Vec<(MapMood, &str)> = cells.collect();
        assert_eq!(cells[0].0, MapMood::Open);
        assert_eq!(cells[2], (MapMood::Sure, "90"));
        // The difference is the baseline's, of those that can be the answer.
        let [panel] = &compared.figure.panels[..] else {
            panic!("{:?}", compared.figure.panels)
        };
        let drawn = panel
            .series
            .iter()
            .map(|one| (&*one.name, one.points.len()));
        assert_eq!(drawn.collect::<Vec<_>>(), [("queue", 5)]);
    }

    #[test]
    fn yardsticks_are_left_out_and_marked() {
        let mut runs = vec![
            run("point-001", &[("k", "1")], 90.0),
            run("point-002", &[("k", "2")], 90.0),
        ];
        let words = |runs: &[(PointEntry, Finished)]| found(&report(runs).0);
        assert!(!words(&runs).contains("yardstick"));
        for (_, run) in &mut runs {
            let mut all = run.policies["queue"].clone();
            all.role = kleroterion_core::protocol::Role::Yardstick;
            run.policies.insert("all".into(), all);
            let mut pair = run.pairs[0].clone();
            pair.a = "all".into();
            run.pairs.push(pair);
        }
        let said = words(&runs);
        let known = "\u{201c}all\u{201d} is left out: it is a yardstick.";
        assert!(said.ends_with(known), "{said}");
        assert!(
            said.contains("\u{201c}queue\u{201d} is surely best"),
            "{said}"
        );
        let (report, _) = report(&runs);
        let svg = report.figure.expect("a figure");
        assert!(svg.contains("all (yardstick)") && !svg.contains("queue (yardstick)"));
    }

    #[test]
    fn two_keys_make_maps_and_a_panel_a_value() {
        let mut runs = Vec::new();
        for (n, k) in ["10", "20", "40"].into_iter().enumerate() {
            for (m, v) in ["all", "some"].into_iter().enumerate() {
                let gap = if n > 0 { 90.0 } else { 0.0 };
                let name = format!("point-{:03}", 2 * n + m + 1);
                runs.push(run(&name, &[("k", k), ("v", v)], gap));
            }
        }
        let (report, _) = report(&runs);
        let words = found(&report);
        assert!(
            words.contains(
                "\u{201c}queue\u{201d} is surely best in 4 of 6 runs, only where k is at least 20"
            ),
            "{words}"
        );
        let answer = &report.page.found.as_ref().expect("an answer").answer;
        let known = "\u{201c}queue\u{201d} leads on people screened in 4 of 6 runs, by 90; \
                     elsewhere it is open";
        assert_eq!(answer, known);
        let maps = report.page.sections[0].parts.as_slice();
        let [PagePart::Map(map)] = maps else {
            panic!("{maps:?}")
        };
        assert_eq!((map.columns.len(), map.rows.len()), (3, 2));
        assert_eq!(map.panels[0].cells.len(), 6);
        let html = report.page.html();
        assert!(
            html.contains("v = all") && html.contains("v = some"),
            "{html}"
        );
        assert!(html.contains("href=\"point-006/report.html\""));
        let table = runs_table(&report);
        assert_eq!(table.heads, ["run", "k", "v", "who leads: People screened"]);
        let last = table.rows.last().expect("a row");
        let link = Link {
            text: "6".into(),
            to: "point-006/report.html".into(),
        };
        let known = [
            SortCell::NumberLink(link),
            SortCell::Number("40".into()),
            SortCell::Words("some".into()),
            SortCell::Verdict("better", "best: queue".into()),
        ];
        assert_eq!(*last, known);
        assert!(report.figure.expect("a figure").starts_with("<svg "));
    }

    #[test]
    fn a_sweep_without_comparisons_says_from_where_to_where_it_runs() {
        let mut runs = vec![
            run("point-001", &[("k", "2")], 10.0),
            run("point-002", &[("k", "1")], 90.0),
        ];
        for (_, run) in &mut runs {
            run.pairs.clear();
            run.answer = None;
            run.policies.remove("greedy");
        }
        let (report, _) = report(&runs);
        assert_eq!(
            found(&report),
            "People screened is from 10 (k = 1) to 90 (k = 2)."
        );
    }
}
