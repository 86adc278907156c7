//! Chances of respondents: a curve for each policy, from the least to the largest chance.

use super::super::chances::{about, group_table, least, spread_table};
use super::super::figure::{Axis, Figure, FigurePoint, Panel, Series, SeriesKind};
use super::super::files::FIGURE_FILES;
use super::super::finished::Finished;
use super::super::page::PagePart;
use super::drawing::ReportFigure;
use kleroterion_stats::CHANCE_STEPS;

/// The curves, the tables and what they are of. Empty if no chances are known.
pub(super) fn parts(run: &Finished, figure: Option<PagePart>) -> Vec<PagePart> {
    let policies = &run.policies;
    let (Some(about), Some(spread)) = (about(policies), spread_table(policies)) else {
        return Vec::new();
    };
    let mut parts: Vec<PagePart> = least(policies).map(PagePart::Prose).into_iter().collect();
    parts.push(PagePart::Prose(about));
    parts.extend(figure);
    parts.push(PagePart::table("How the chances are spread", spread));
    let caption = "The mean and the least chance of each group, and who was never chosen";
    let groups = group_table(policies);
    parts.extend(groups.map(|groups| PagePart::folded("Chances by group", caption, groups)));
    parts
}

/// Makes the figure of chances, with a curve for each policy. `None` if no chances are known.
pub(super) fn figure(run: &Finished, labels: &[&str]) -> Option<ReportFigure> {
    let chances = labels.iter().filter_map(|label| {
        let policy = run.policies.get(*label)?;
        Some((*label, policy.chances.as_ref()?))
    });
    let known: Vec<_> = chances.collect();
    let (_, first) = known.first()?;
    let curve = |chances: &[f64]| {
        let step = 100.0 / f64::from(CHANCE_STEPS);
        let points = (0..).zip(chances);
        let points = points.map(|(at, chance)| FigurePoint::new(f64::from(at) * step, *chance));
        points.collect::<Vec<_>>()
    };
    let mut series: Vec<Series> = known
        .iter()
        .map(|(label, all)| Series::new(*label, SeriesKind::Line, curve(&all.quantiles)))
        .collect();
    let even = [0.0, 100.0].map(|x| FigurePoint::new(x, first.mean));
    series.push(Series::new("all alike", SeriesKind::Guide, even));
    let panel = Panel {
        title: String::new(),
        x: Axis::linear("respondents, from the least chance (%)").within(0.0, 100.0),
        y: Axis::linear("chance").within(0.0, 1.0),
        series,
        marks: vec![],
    };
    let caption = format!(
        "The chance of each respondent, from the least to the largest: a flat line gives all the \
         same. The thin line is the mean chance under “{}”.",
        known[0].0
    );
    Some(ReportFigure {
        file: FIGURE_FILES[5],
        figure: Figure {
            title: "Chances of respondents".into(),
            caption,
            panels: vec![panel],
        },
        table: None,
    })
}
