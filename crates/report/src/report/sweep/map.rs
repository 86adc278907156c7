//! Maps of the leaders at each pair of values: one for each question, and with more keys one for
//! each value of the others.

use super::super::account::{LeadAnswer, list};
use super::super::number::brief;
use super::super::page::{MapCell, MapMood, MapPanel, PageMap};
use super::axis::{SweepFound, SweepQuestion};

/// The most maps of a question.
const MAPS: usize = 24;

/// The most cells of all maps of a question.
const CELLS: usize = 1_500;

/// The most values of a map of one row.
const RIBBON: usize = 60;

/// How a cell is read.
const CELL: &str = "A cell a run, in the look of the policy that is best; hatched where that is not \
                    sure, and then the look is that of the policy ahead by the mean. The number is \
                    its distance from the next by the mean.";

/// The leaders over the values of one key: a map of one row for each question.
pub(super) fn ribbon(found: &SweepFound<'_>, looks: &[(String, usize)]) -> Option<PageMap> {
    let [axis] = found.axes.as_slice() else {
        return None;
    };
    let panel = |question: &SweepQuestion| MapPanel {
        title: question.words.clone(),
        cells: (0..found.runs.len())
            .map(|run| cell(&question.leads[run], [found.places(run)[0], 0], looks))
            .collect(),
    };
    let is_small = axis.values.len() <= RIBBON;
    (is_small && !found.questions.is_empty()).then(|| PageMap {
        title: "Who leads where".into(),
        caption: CELL.into(),
        across: axis.title(),
        up: String::new(),
        columns: axis.names.clone(),
        rows: vec![String::new()],
        looks: looks.to_vec(),
        panels: found.questions.iter().map(panel).collect(),
    })
}

/// The maps; none of a sweep over one key, of one without comparisons, or where there are
/// too many. `looks`: the policies with the number of their look.
pub(super) fn maps(found: &SweepFound<'_>, looks: &[(String, usize)]) -> Vec<PageMap> {
    let Some([across, up]) = keys(found) else {
        return Vec::new();
    };
    let others: Vec<usize> = (0..found.axes.len())
        .filter(|key| ![across, up].contains(key))
        .collect();
    let facets = others.iter().map(|key| found.axes[*key].values.len());
    let facets: usize = facets.product();
    if facets > MAPS || found.runs.len() > CELLS {
        return Vec::new();
    }
    let map = |title: String, panels: Vec<MapPanel>| PageMap {
        title,
        caption: CELL.into(),
        across: found.axes[across].title(),
        up: found.axes[up].title(),
        columns: found.axes[across].names.clone(),
        rows: found.axes[up].names.clone(),
        looks: looks.to_vec(),
        panels,
    };
    let each = found.questions.iter();
    let each = each.map(|question| {
        let panels = panels(found, question, [across, up], &others, looks);
        (question.words.clone(), panels)
    });
    if !others.is_empty() {
        let of = |(words, panels)| map(format!("Who leads on {words}"), panels);
        return each.map(of).collect();
    }
    // Without further keys there is one map a question: they make one figure.
    let titled = |(words, panels): (String, Vec<MapPanel>)| {
        let panels = panels.into_iter();
        panels.map(move |panel| MapPanel {
            title: words.clone(),
            ..panel
        })
    };
    let panels: Vec<MapPanel> = each.flat_map(titled).collect();
    match panels.is_empty() {
        true => Vec::new(),
        false => vec![map("Who leads where".into(), panels)],
    }
}

/// The keys of the two sides: of more than two those with the most values, numbers first.
fn keys(found: &SweepFound<'_>) -> Option<[usize; 2]> {
    let mut keys: Vec<usize> = (0..found.axes.len()).collect();
    keys.sort_by_key(|key| {
        let axis = &found.axes[*key];
        (!axis.is_numeric(), std::cmp::Reverse(axis.values.len()))
    });
    let mut two: Vec<usize> = keys.into_iter().take(2).collect();
    two.sort_by_key(|key| std::cmp::Reverse(found.axes[*key].values.len()));
    two.try_into().ok()
}

fn panels(
    found: &SweepFound<'_>,
    question: &SweepQuestion,
    [across, up]: [usize; 2],
    others: &[usize],
    looks: &[(String, usize)],
) -> Vec<MapPanel> {
    let mut panels: Vec<(Vec<usize>, MapPanel)> = Vec::new();
    for run in 0..found.runs.len() {
        let places = found.places(run);
        let facet: Vec<usize> = others.iter().map(|key| places[*key]).collect();
        let at = panels.iter().position(|(known, _)| *known == facet);
        let at = at.unwrap_or_else(|| {
            let parts = others.iter().zip(&facet);
            let parts = parts.map(|(key, place)| found.axes[*key].setting(*place));
            let title = parts.collect::<Vec<_>>().join(", ");
            let cells = Vec::new();
            panels.push((facet.clone(), MapPanel { title, cells }));
            panels.len() - 1
        });
        let places = [places[across], places[up]];
        panels[at]
            .1
            .cells
            .push(cell(&question.leads[run], places, looks));
    }
    panels.into_iter().map(|(_, panel)| panel).collect()
}

/// The cell of an answer at this column and row.
fn cell(lead: &LeadAnswer, [column, row]: [usize; 2], looks: &[(String, usize)]) -> MapCell {
    let first = lead.labels.first();
    let look = first.and_then(|label| looks.iter().find(|(known, _)| known == label));
    MapCell {
        column,
        row,
        look: look.map(|(_, look)| *look),
        mood: lead.mood,
        by: size(lead),
        words: words(lead),
    }
}

/// The distance of the leader from the next. Empty where no policy is ahead.
fn size(lead: &LeadAnswer) -> String {
    let is_ahead = matches!(lead.mood, MapMood::Sure | MapMood::Open);
    let by = lead.by.filter(|_| is_ahead);
    by.map_or(String::new(), |by| brief(by, 2))
}

/// The answer of a run in a few words.
fn words(lead: &LeadAnswer) -> String {
    match lead.mood {
        MapMood::Sure => format!("{} is best", list(&lead.labels, "and")),
        MapMood::Even => format!("even: {}", list(&lead.labels, "and")),
        MapMood::Open => format!("undecided: {}", list(&lead.labels, "or")),
        MapMood::Nothing => "nothing to compare".to_owned(),
    }
}
