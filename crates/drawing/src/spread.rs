//! The chances of all respondents as a figure.

use kleroterion_report::report::figure::{Axis, Figure, Mark, MarkAt, Panel, histogram};
use kleroterion_report::report::page::PagePart;

/// The most bars of the figure.
const BINS: usize = 20;

/// Returns a figure that counts respondents by chance, with a line at the chance that each would have
/// if all were alike.
pub(super) fn spread(chances: &[f64]) -> PagePart {
    let percents: Vec<f64> = chances.iter().map(|chance| 100.0 * chance).collect();
    let even = percents.iter().sum::<f64>() / percents.len().max(1) as f64;
    let panel = Panel {
        title: String::new(),
        x: Axis::linear("chance").unit("%"),
        y: Axis::linear("respondents").whole(),
        series: histogram(&[("", &percents)], BINS),
        marks: vec![Mark {
            at: MarkAt::X(even),
            label: format!("{even:.1} % if all were alike"),
        }],
    };
    let figure = Figure {
        title: "How likely each respondent was to be drawn".to_owned(),
        caption: "A respondent who brings what few others bring has a larger chance, because the \
                  quotas ask for it."
            .to_owned(),
        panels: vec![panel],
    };
    PagePart::Figure { figure, file: None }
}
