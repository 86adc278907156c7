//! How things look: the colours in light and dark, dashes, markers, and the style sheet made of
//! them.

use super::super::markup::px;
use super::heat::STEPS;

/// The look of a series: no two share a dash or a marker, so that colour is never needed to tell
/// them apart.
pub(super) struct SeriesLook {
    /// Colour on light paper.
    pub(super) light: &'static str,
    /// Colour on dark paper.
    dark: &'static str,
    /// Lengths of dashes and gaps in pixels; empty for an unbroken line.
    pub(super) dash: &'static str,
    /// The shape at its points.
    pub(super) marker: Marker,
}

/// The shape of a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Marker {
    Disc,
    Square,
    Triangle,
    Diamond,
    Ring,
    Box,
    Wedge,
    Cross,
}

/// The looks in the order in which names are met. Colours were searched for by hue family, for
/// contrast with the paper and for distance under normal sight and the three kinds of colour
/// blindness, the first four farthest.
pub(super) const LOOKS: [SeriesLook; 8] = [
    look("#1c6fe9", "#3882fe", "", Marker::Disc),
    look("#d67814", "#ed9542", "7 3", Marker::Square),
    look("#03492b", "#a7ffd8", "2 2.5", Marker::Triangle),
    look("#ad218c", "#c94a94", "9 3 2 3", Marker::Diamond),
    look("#2b2b4d", "#9b9cbb", "14 4", Marker::Ring),
    look("#6a5b0e", "#f9d335", "4 2 1 2 1 2", Marker::Box),
    look("#209ac7", "#76d9f8", "4 4", Marker::Wedge),
    look("#d14d5c", "#e5311c", "1 4", Marker::Cross),
];

/// The shades of heat maps from pale to deep, each on light and on dark paper: below 0 and above.
/// Their hues were searched for by distance between the two sides under normal sight and the three
/// kinds of colour blindness.
pub(super) const SHADES: [[(&str, &str); STEPS]; 2] = [
    [
        ("#d8f2d8", "#1a321b"),
        ("#a9deaa", "#1b4c1f"),
        ("#76c479", "#226929"),
        ("#3ca146", "#378c3f"),
        ("#03791f", "#5bb661"),
        ("#004e10", "#9ee6a0"),
    ],
    [
        ("#f8e0fd", "#36233b"),
        ("#e8bbf3", "#542e5d"),
        ("#d292e1", "#753e81"),
        ("#b365c4", "#9b59aa"),
        ("#8a3d9a", "#c77dd8"),
        ("#5a2566", "#f2b9ff"),
    ],
];

/// A colour that is not a series': name, on light paper, on dark paper.
struct Ink(&'static str, &'static str, &'static str);

pub(super) const PAPER: &str = "#ffffff";
pub(super) const INK: &str = "#16191d";
pub(super) const MUTED: &str = "#565d66";
pub(super) const GRID: &str = "#e3e6ea";

const INKS: [Ink; 4] = [
    Ink("paper", PAPER, "#14171b"),
    Ink("ink", INK, "#eceff2"),
    Ink("muted", MUTED, "#a3abb5"),
    Ink("grid", GRID, "#2b3036"),
];

/// The reader's own typeface, which is always available.
pub(super) const FONT: &str =
    "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif";

impl SeriesLook {
    /// The dash as an attribute of a line; nothing for an unbroken one.
    pub(super) fn dash_attribute(&self) -> String {
        match self.dash {
            "" => String::new(),
            dash => format!(r#" stroke-dasharray="{dash}""#),
        }
    }
}

const fn look(
    light: &'static str,
    dark: &'static str,
    dash: &'static str,
    marker: Marker,
) -> SeriesLook {
    SeriesLook {
        light,
        dark,
        dash,
        marker,
    }
}

/// The style sheet of all figures; a page holds it once. It sets colours only, under
/// `.klero-figure`: programs without custom properties skip it whole and draw with the attributes,
/// which are the light theme.
pub fn style() -> String {
    sheet(|dark| {
        format!("@media screen and (prefers-color-scheme:dark){{.klero-figure{{{dark}}}}}")
    })
}

/// The same for a page whose reader may choose the theme, by `#theme-light` and `#theme-dark` that
/// can be checked.
pub(crate) fn page_style() -> String {
    sheet(|dark| {
        format!(
            "@media screen{{@media (prefers-color-scheme:dark){{:root:not(:has(#theme-light:checked)) .klero-figure{{{dark}}}}}\
             :root:has(#theme-dark:checked) .klero-figure{{{dark}}}}}"
        )
    })
}

/// The style sheet, its dark theme as `dark_theme` puts the colours of it.
fn sheet(dark_theme: impl Fn(&str) -> String) -> String {
    let inks = || {
        let series = (1..)
            .zip(&LOOKS)
            .map(|(n, look)| (format!("s{n}"), look.light, look.dark));
        let inks = INKS.iter().map(|ink| (ink.0.to_owned(), ink.1, ink.2));
        inks.chain(series)
    };
    let shades = || {
        let sides = ["b", "a"].iter().zip(&SHADES);
        sides.flat_map(|(side, shades)| {
            let shades = (1..).zip(shades);
            shades.map(move |(n, (light, dark))| (format!("{side}{n}"), *light, *dark))
        })
    };
    let names = || inks().chain(shades());
    let light: String = names()
        .map(|(name, light, _)| format!("--k-{name}:{light};"))
        .collect();
    let dark: String = names()
        .map(|(name, _, dark)| format!("--k-{name}:{dark};"))
        .collect();
    // Shades fill and draw no lines.
    let fills =
        names().map(|(name, ..)| format!(".klero-figure .f-{name}{{fill:var(--k-{name})}}"));
    let lines =
        inks().map(|(name, ..)| format!(".klero-figure .l-{name}{{stroke:var(--k-{name})}}"));
    let uses: String = fills.chain(lines).collect();
    format!(
        "@supports (--k:0){{.klero-figure{{{light}}}{}{uses}}}",
        dark_theme(&dark)
    )
}

impl Marker {
    /// Whether its inside is paper.
    pub(super) fn is_hollow(self) -> bool {
        matches!(self, Self::Ring | Self::Box)
    }

    /// Its outline around a place, as path data; `r` is about half its width in pixels.
    pub(super) fn outline(self, x: f64, y: f64, r: f64) -> String {
        // From corner to corner, for relative places are short.
        let corners = |corners: &[(f64, f64)]| {
            let mut path = format!("M{} {}", px(x + corners[0].0 * r), px(y + corners[0].1 * r));
            for pair in corners.windows(2) {
                let (dx, dy) = (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
                let (dx, dy) = (px(dx * r), px(dy * r));
                path += &match (dx.as_str(), dy.as_str()) {
                    (_, "0") => format!("h{dx}"),
                    ("0", _) => format!("v{dy}"),
                    _ => format!("l{dx} {dy}"),
                };
            }
            path + "z"
        };
        match self {
            Self::Disc | Self::Ring => {
                let (d, r, left) = (px(2.0 * r), px(r), px(x - r));
                format!(
                    "M{left} {}a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0 -{d} 0z",
                    px(y)
                )
            }
            Self::Square | Self::Box => {
                corners(&[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)])
            }
            Self::Triangle => corners(&[(0.0, -1.2), (1.1, 0.8), (-1.1, 0.8)]),
            Self::Wedge => corners(&[(0.0, 1.2), (-1.1, -0.8), (1.1, -0.8)]),
            Self::Diamond => corners(&[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)]),
            Self::Cross => corners(&[
                (-1.2, -0.7),
                (-0.7, -1.2),
                (0.0, -0.5),
                (0.7, -1.2),
                (1.2, -0.7),
                (0.5, 0.0),
                (1.2, 0.7),
                (0.7, 1.2),
                (0.0, 0.5),
                (-0.7, 1.2),
                (-1.2, 0.7),
                (-0.5, 0.0),
            ]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::contrast::{Colour, contrast, light_of};
    use super::*;

    fn times(rows: [Colour; 3], colour: Colour) -> Colour {
        rows.map(|row| row.iter().zip(colour).map(|(a, b)| a * b).sum())
    }

    /// OKLab (Ottosson 2020).
    fn oklab(colour: Colour) -> Colour {
        let lms = times(
            [
                [0.412_221_470_8, 0.536_332_536_3, 0.051_445_992_9],
                [0.211_903_498_2, 0.680_699_545_1, 0.107_396_956_6],
                [0.088_302_461_9, 0.281_718_837_6, 0.629_978_700_5],
            ],
            colour,
        );
        times(
            [
                [0.210_454_255_3, 0.793_617_785, -0.004_072_046_8],
                [1.977_998_495_1, -2.428_592_205, 0.450_593_709_9],
                [0.025_904_037_1, 0.782_771_766_2, -0.808_675_766],
            ],
            lms.map(libm::cbrt),
        )
    }

    /// Normal sight, protanopia, deuteranopia, tritanopia (Machado 2009, severity 1).
    const SIGHTS: [[Colour; 3]; 4] = [
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [
            [0.152_286, 1.052_583, -0.204_868],
            [0.114_503, 0.786_281, 0.099_216],
            [-0.003_882, -0.048_116, 1.051_998],
        ],
        [
            [0.367_322, 0.860_646, -0.227_968],
            [0.280_085, 0.672_501, 0.047_413],
            [-0.011_820, 0.042_940, 0.968_881],
        ],
        [
            [1.255_528, -0.076_749, -0.178_779],
            [-0.078_411, 0.930_809, 0.147_602],
            [0.004_733, 0.691_367, 0.303_900],
        ],
    ];

    fn least_distance(colours: &[&str]) -> f64 {
        let mut least = f64::INFINITY;
        for sight in SIGHTS {
            let seen = |hex| oklab(times(sight, light_of(hex)).map(|c| c.clamp(0.0, 1.0)));
            for (i, a) in colours.iter().enumerate() {
                for b in &colours[..i] {
                    let squares = seen(a)
                        .iter()
                        .zip(seen(b))
                        .map(|(a, b)| (a - b) * (a - b))
                        .sum();
                    least = least.min(f64::sqrt(squares));
                }
            }
        }
        least
    }

    #[test]
    fn text_and_shapes_stand_out_from_the_paper() {
        let [
            Ink(_, paper, dark_paper),
            Ink(_, ink, dark_ink),
            Ink(_, muted, dark_muted),
            _,
        ] = INKS;
        for (text, paper) in [
            (ink, paper),
            (muted, paper),
            (dark_ink, dark_paper),
            (dark_muted, dark_paper),
        ] {
            assert!(contrast(text, paper) >= 4.5, "{text} on {paper}");
        }
        for look in &LOOKS {
            assert!(contrast(look.light, paper) >= 3.0, "{}", look.light);
            assert!(contrast(look.dark, dark_paper) >= 3.0, "{}", look.dark);
        }
    }

    #[test]
    fn colours_differ_whatever_the_sight() {
        for colours in [LOOKS.map(|look| look.light), LOOKS.map(|look| look.dark)] {
            assert!(
                least_distance(&colours[..4]) > 0.12,
                "{}",
                least_distance(&colours[..4])
            );
            assert!(
                least_distance(&colours) > 0.07,
                "{}",
                least_distance(&colours)
            );
        }
        assert!(
            least_distance(&["#ff0000", "#fe0101"]) < 0.01,
            "the measure can fail"
        );
    }

    #[test]
    fn shades_differ_by_side_and_by_step_whatever_the_sight() {
        let light = SHADES.map(|side| side.map(|(light, _)| light));
        let dark = SHADES.map(|side| side.map(|(_, dark)| dark));
        for [below, above] in [light, dark] {
            for step in 0..STEPS {
                let least = if step == 0 { 0.045 } else { 0.09 };
                let sides = [below[step], above[step]];
                assert!(least_distance(&sides) > least, "{sides:?}");
            }
            for pair in below.windows(2).chain(above.windows(2)) {
                assert!(least_distance(pair) > 0.07, "{pair:?}");
            }
        }
        // The deeper, the farther from the paper.
        let [Ink(_, paper, dark_paper), ..] = INKS;
        for (sides, paper) in [(light, paper), (dark, dark_paper)] {
            for side in sides {
                let far: Vec<f64> = side.iter().map(|shade| contrast(shade, paper)).collect();
                assert!(far.is_sorted(), "{side:?}");
            }
        }
    }

    #[test]
    fn no_two_looks_share_a_dash_or_a_marker() {
        for (i, a) in LOOKS.iter().enumerate() {
            for b in &LOOKS[..i] {
                assert!(a.dash != b.dash && a.marker != b.marker);
                assert_ne!(a.marker.outline(9.0, 9.0, 3.0), "");
            }
        }
    }

    #[test]
    fn the_style_knows_both_themes_and_asks_for_nothing() {
        let style = style();
        assert!(style.contains("prefers-color-scheme:dark") && style.contains("--k-s8:#e5311c"));
        assert!(!style.contains("url(") && !style.contains("@import"));
        assert_eq!(style.matches('{').count(), style.matches('}').count());
    }
}
