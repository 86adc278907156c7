//! Live figures: values under the pointer or by the arrow keys, names that can be hidden.

use super::super::figure::sample_of;
use super::super::markup::escape;
use super::Chart;
use super::html::{Numbers, figure_html};

/// What reads values and moves the cursor.
pub(super) const SCRIPT: &str = include_str!("page.js");

/// The script as the page's content policy names it; nothing else runs.
pub(super) const SCRIPT_HASH: &str = "sha256-YSM+mlKNNpfHdX3hNfqge3HqKFKeCpZ+McAEQcYTpOA=";

/// So many places of a series can be read; fewer where the page must be small.
const MOST_PLACES: usize = 60;

/// A figure with places to read.
pub(super) fn chart_html(chart: &Chart, numbers: &mut Numbers) -> String {
    numbers.is_live = true;
    let id = format!("figure-{}", numbers.next_figure());
    let picture = chart.figure.live(&id, numbers.most_rows.min(MOST_PLACES));
    let own = chart.figure.table();
    let table = chart.table.as_ref().unwrap_or(&own);
    figure_html(
        &id,
        &chart.figure,
        &picture,
        table,
        Some(&chart.file),
        numbers,
    )
}

/// A box to tick for each name. What they do is in the style sheet, by the numbers of the looks.
pub(super) fn switches_html(names: &[(String, usize)]) -> String {
    let boxes = names.iter().map(|(name, look)| {
        format!(
            "<label><input type=\"checkbox\" id=\"show-{}\" checked=\"checked\"/> {}{}</label>\n",
            look + 1,
            sample_of(*look),
            escape(name)
        )
    });
    format!(
        "<fieldset class=\"show\">\n<legend>Shown in the figures</legend>\n{}</fieldset>\n",
        boxes.collect::<String>()
    )
}
