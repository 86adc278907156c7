//! A small strip that compares a paper's number with ours, on a scale.

use super::super::markup::{at, escape, px};
use super::super::number::{brief, mean_and_se, minus};

/// Our number and the paper's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PageStrip {
    /// Our number.
    pub ours: f64,
    /// The standard error of our number, if it has one.
    pub se: Option<f64>,
    /// The paper's number.
    pub paper: f64,
}

/// The range of a strip. Its ends are round numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct StripScale {
    lo: f64,
    hi: f64,
}

const WIDTH: f64 = 200.0;
const HEIGHT: f64 = 30.0;
const MIDDLE: f64 = 9.0;
/// The vertical position of the words at the ends.
const WORDS: f64 = 28.0;
/// The room at either end.
const EDGE: f64 = 8.0;
/// The thin bar reaches over this many standard errors.
const SURE: f64 = 3.0;
/// The least that a strip spans, as a share of its greatest number.
const LEAST: f64 = 0.1;
/// Numbers so many times as great as others have a scale of their own.
const APART: f64 = 10.0;

impl PageStrip {
    /// The standard error that is drawn.
    fn error(&self) -> f64 {
        self.se.filter(|se| se.is_finite()).unwrap_or(0.0)
    }

    /// Returns the larger magnitude of its two numbers.
    fn size(&self) -> f64 {
        self.ours.abs().max(self.paper.abs())
    }
}

impl StripScale {
    /// A scale that holds these strips.
    fn of<'a>(strips: impl Iterator<Item = &'a PageStrip>) -> Self {
        let (mut lo, mut hi, mut size) = (f64::INFINITY, f64::NEG_INFINITY, 0.0_f64);
        for strip in strips {
            let reach = SURE * strip.error();
            lo = lo.min(strip.ours - reach).min(strip.paper);
            hi = hi.max(strip.ours + reach).max(strip.paper);
            size = size.max(strip.size());
        }
        // Numbers that are about the same are seen so.
        let short = (LEAST * size - (hi - lo)).max(0.0) / 2.0;
        let (lo, hi) = (lo - short, hi + short);
        let step = step((hi - lo) / 4.0);
        Self {
            lo: step * (lo / step).floor(),
            hi: step * (hi / step).ceil(),
        }
    }

    /// Returns the horizontal position of a value on a strip.
    fn x(self, value: f64) -> f64 {
        let share = (value - self.lo) / (self.hi - self.lo);
        match share.is_finite() {
            true => EDGE + share * (WIDTH - 2.0 * EDGE),
            false => WIDTH / 2.0,
        }
    }

    /// The ends in words.
    fn words(self) -> [String; 2] {
        [self.lo, self.hi].map(|end| minus(&brief(end, 4)))
    }
}

/// The greatest of 1, 2 and 5 times a power of ten that is no greater than a length; 1 of none.
fn step(length: f64) -> f64 {
    if !(length.is_finite() && length > 0.0) {
        return 1.0;
    }
    let power = 10_f64.powi(libm::log10(length).floor() as i32);
    let steps = [5.0, 2.0, 1.0].map(|times| times * power);
    let step = steps.into_iter().find(|step| *step <= length);
    step.filter(|step| *step > 0.0).unwrap_or(length)
}

/// The scale of each strip of a claim: one for all whose numbers are of one order of magnitude.
pub(super) fn scales(strips: &[PageStrip]) -> Vec<StripScale> {
    let mut sizes: Vec<f64> = strips.iter().map(PageStrip::size).collect();
    sizes.sort_by(f64::total_cmp);
    // The least sizes of the groups.
    let mut groups: Vec<f64> = Vec::new();
    for size in sizes {
        if groups.last().is_none_or(|least| size > least * APART) {
            groups.push(size);
        }
    }
    let group = |strip: &PageStrip| groups.iter().rposition(|least| strip.size() >= *least);
    let of = |strip: &PageStrip| {
        let own = group(strip);
        StripScale::of(strips.iter().filter(|other| group(other) == own))
    };
    strips.iter().map(of).collect()
}

/// The strip: a dot with a thick bar (± one standard error) and a thin one (± three) for ours, a
/// diamond for the paper's, and the ends of the scale below.
pub(super) fn strip_svg(strip: &PageStrip, scale: StripScale) -> String {
    let se = strip.error();
    let [lo, hi] = scale.words();
    let (paper, ours) = (brief(strip.paper, 4), mean_and_se(strip.ours, strip.se));
    let about = minus(&format!("the paper: {paper}, ours: {ours}"));
    let about = about + &format!("; on a scale from {lo} to {hi}");
    let mut svg = format!(
        r#"<svg class="strip" role="img" aria-label="{}" viewBox="0 0 {} {}"><path class="strip-line" d="M{l} {m}H{r}M{l} {t}v8M{r} {t}v8"/>"#,
        escape(&about),
        px(WIDTH),
        px(HEIGHT),
        l = px(EDGE),
        r = px(WIDTH - EDGE),
        m = px(MIDDLE),
        t = px(MIDDLE - 4.0),
    );
    for (class, over) in [("strip-thin", SURE * se), ("strip-thick", se)] {
        if over > 0.0 {
            let (from, to) = (scale.x(strip.ours - over), scale.x(strip.ours + over));
            let (from, to) = (at(from, MIDDLE), px(to));
            svg += &format!(r#"<path class="{class}" d="M{from}H{to}"/>"#);
        }
    }
    let (paper, ours) = (px(scale.x(strip.paper)), px(scale.x(strip.ours)));
    svg += &format!(
        r#"<circle class="strip-ours" cx="{ours}" cy="{}" r="3.5"/><path class="strip-paper" d="M{paper} 2l6 7l-6 7l-6 -7z"/>"#,
        px(MIDDLE)
    );
    for (x, anchor, words) in [(0.0, "start", lo), (WIDTH, "end", hi)] {
        let (x, y, words) = (px(x), px(WORDS), escape(&words));
        svg += &format!(
            r#"<text x="{x}" y="{y}" text-anchor="{anchor}" aria-hidden="true">{words}</text>"#
        );
    }
    svg + "</svg>"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strip(ours: f64, se: Option<f64>, paper: f64) -> PageStrip {
        PageStrip { ours, se, paper }
    }

    fn drawn(strips: &[PageStrip]) -> Vec<String> {
        let scales = scales(strips).into_iter();
        let svgs = strips.iter().zip(scales);
        let svgs = svgs.map(|(strip, scale)| strip_svg(strip, scale));
        svgs.inspect(|svg| assert!(roxmltree::Document::parse(svg).is_ok(), "{svg}"))
            .collect()
    }

    /// The words at the ends of a strip's scale.
    fn ends(svg: &str) -> Vec<String> {
        let svg = roxmltree::Document::parse(svg).unwrap();
        let texts = svg.descendants().filter(|node| node.has_tag_name("text"));
        texts
            .filter_map(|node| Some(node.text()?.to_owned()))
            .collect()
    }

    #[test]
    fn both_numbers_and_the_bars_lie_on_a_scale_with_round_ends() {
        let svg = &drawn(&[strip(80.0, Some(1.0), 87.0)])[0];
        // From 76 to 88 over 184 pixels; 77 to 83 is the thin bar.
        assert_eq!(ends(svg), ["76", "88"]);
        assert!(svg.contains("cx=\"69.33\""), "{svg}");
        assert!(
            svg.contains("M23.33 9H115.33") && svg.contains("M54 9H84.67"),
            "{svg}"
        );
        assert!(svg.contains("the paper: 87, ours: "), "{svg}");
        assert!(svg.contains("; on a scale from 76 to 88\""), "{svg}");
    }

    /// A tenth of a percent apart: not at the two ends.
    #[test]
    fn numbers_that_are_about_the_same_are_seen_so() {
        let svg = &drawn(&[strip(80.0, None, 80.08)])[0];
        assert_eq!(ends(svg), ["76", "86"]);
        assert_eq!(ends(&drawn(&[strip(0.0, None, 0.0)])[0]), ["0", "0"]);
        assert_eq!(
            ends(&drawn(&[strip(-0.25, None, -0.5)])[0]),
            ["\u{2212}0.5", "\u{2212}0.25"]
        );
    }

    /// The rows of a claim can be compared with each other; a share and a cost can't.
    #[test]
    fn strips_of_a_claim_share_a_scale_where_their_numbers_are_of_one_size() {
        let all = [
            strip(1.1, Some(0.01), 1.17),
            strip(0.06, None, 0.05),
            strip(1.4, None, 1.21),
            strip(0.1, None, 0.05),
        ];
        let ends: Vec<Vec<String>> = drawn(&all).iter().map(|svg| ends(svg)).collect();
        assert_eq!(ends[0], ends[2]);
        assert_eq!(ends[1], ends[3]);
        assert_ne!(ends[0], ends[1]);
        // What is drawn of the one reaches as far as the scale of the other allows.
        assert_eq!(
            (ends[0].join(" "), ends[1].join(" ")),
            ("1.05 1.4".into(), "0.05 0.1".into())
        );
    }
}
