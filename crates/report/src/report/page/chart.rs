//! Live figures. Values are shown under the pointer or by the arrow keys, and names can be hidden.
//! Choices are kept in the address, and pictures and numbers can be downloaded.

use maud::{Markup, PreEscaped, html};

use super::super::figure::sample_of;
use super::super::markup::{text, void};
use super::Chart;
use super::pieces::{PageNumbers, figure_html};

/// The script of live figures.
pub(super) const SCRIPT: &str = include_str!("page.js");

/// The most places of a series that can be read; fewer where the page must be small.
const MOST_PLACES: usize = 24;

/// A figure with places to read.
pub(super) fn chart_html(chart: &Chart, numbers: &mut PageNumbers) -> Markup {
    numbers.is_live = true;
    let id = numbers.figure_id(Some(&chart.file));
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

/// A box to tick for each name, by the number of its look, and a choice of the measure; the script
/// fills in the measures.
pub(super) fn switches_html(names: &[(String, usize)]) -> Markup {
    html! {
        fieldset.show { "\n"
            legend { "Shown in the figures" } "\n"
            @for (name, look) in names {
                @let id = format!("show-{}", look + 1);
                label {
                    (void("input", &[("type", "checkbox"), ("id", &id), ("checked", "checked")]))
                    " " (PreEscaped(sample_of(*look))) (text(name))
                } "\n"
            }
            label hidden="hidden" {
                "Measure " select id="measure" { option value="" { "all" } }
            } "\n"
        } "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words of a page are in the document, never in the script.
    #[test]
    fn the_script_asks_for_nothing_and_writes_no_markup() {
        for word in ["fetch", "http", "import", "innerHTML", "eval", "</"] {
            assert!(!SCRIPT.contains(word), "{word}");
        }
    }
}
