//! A small strip on which a paper's number and ours are seen side by side.

use std::fmt::Write as _;

use super::super::markup::{escape, px};
use super::super::number::{brief, mean_and_se};

/// Our number beside the paper's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PageStrip {
    /// Ours.
    pub ours: f64,
    /// Its standard error; none where it has none.
    pub se: Option<f64>,
    /// The paper's.
    pub paper: f64,
}

const WIDTH: f64 = 200.0;
const MIDDLE: f64 = 9.0;
/// The room at either end.
const EDGE: f64 = 8.0;
/// The thin bar reaches over this many standard errors.
const SURE: f64 = 3.0;

/// The least that a strip spans, as a share of the greater number.
const LEAST: f64 = 0.1;

/// The strip: a dot with a thick bar (± one standard error) and a thin one (± three) for ours, a
/// diamond for the paper's.
pub(super) fn strip_svg(strip: &PageStrip) -> String {
    let se = strip.se.filter(|se| se.is_finite()).unwrap_or(0.0);
    let reach = SURE * se;
    let lo = (strip.ours - reach).min(strip.paper);
    let hi = (strip.ours + reach).max(strip.paper);
    // Numbers that are about the same are seen so: the strip spans a tenth of the paper's at least.
    let (middle, most) = ((lo + hi) / 2.0, strip.ours.abs().max(strip.paper.abs()));
    let half = ((hi - lo) / 2.0).max(LEAST * most / 2.0);
    let x = |value: f64| match half > 0.0 {
        true => WIDTH / 2.0 + (value - middle) / half * (WIDTH / 2.0 - EDGE),
        false => WIDTH / 2.0,
    };
    let about = format!(
        "the paper: {}, ours: {}",
        brief(strip.paper, 4),
        mean_and_se(strip.ours, strip.se)
    );
    let mut svg = format!(
        r#"<svg class="strip" role="img" aria-label="{}" viewBox="0 0 {} {}"><path class="strip-line" d="M0 {m}H{w}"/>"#,
        escape(&about.replace('-', "\u{2212}")),
        px(WIDTH),
        px(2.0 * MIDDLE),
        m = px(MIDDLE),
        w = px(WIDTH),
    );
    for (class, over) in [("strip-thin", reach), ("strip-thick", se)] {
        if over > 0.0 {
            let _ = write!(
                svg,
                r#"<path class="{class}" d="M{} {}H{}"/>"#,
                px(x(strip.ours - over)),
                px(MIDDLE),
                px(x(strip.ours + over))
            );
        }
    }
    let (paper, ours) = (px(x(strip.paper)), px(x(strip.ours)));
    let _ = write!(
        svg,
        r#"<circle class="strip-ours" cx="{ours}" cy="{}" r="3.5"/><path class="strip-paper" d="M{paper} 2l6 7l-6 7l-6 -7z"/></svg>"#,
        px(MIDDLE)
    );
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_numbers_and_the_bars_lie_on_the_strip() {
        let strip = PageStrip {
            ours: 80.0,
            se: Some(1.0),
            paper: 87.0,
        };
        let svg = strip_svg(&strip);
        roxmltree::Document::parse(&svg).expect("XML");
        // From 77 to 87 over 184 pixels.
        assert!(
            svg.contains("cx=\"63.2\"") && svg.contains("M192 2l6 7"),
            "{svg}"
        );
        assert!(
            svg.contains("M8 9H118.4") && svg.contains("M44.8 9H81.6"),
            "{svg}"
        );
        assert!(svg.contains("the paper: 87, ours: "), "{svg}");
        let same = PageStrip {
            ours: 1.0,
            se: None,
            paper: 1.0,
        };
        assert!(strip_svg(&same).contains("cx=\"100\""));
        // A tenth of a percent apart: not at the two ends.
        let near = PageStrip {
            paper: 80.08,
            se: None,
            ..strip
        };
        assert!(
            strip_svg(&near).contains("cx=\"99.08\""),
            "{}",
            strip_svg(&near)
        );
    }
}
