//! The colours of figures on light and on dark paper.

use super::heat::STEPS;

/// A colour of series: its class in the style sheet, and how it is on light and on dark paper.
pub(super) struct Paint {
    pub(super) class: &'static str,
    pub(super) light: &'static str,
    pub(super) dark: &'static str,
}

/// The number of colours, of dashes and of markers.
pub(super) const COLOURS: usize = 9;

/// The number of colours of a ramp.
pub(super) const STEPS_OF_RAMP: usize = 8;

/// The colours of policies by their places. They were searched for by hue family, for contrast with
/// the paper and for distance under normal sight and the three kinds of colour blindness, the first
/// four farthest. A colour keeps its hue on dark paper.
pub(super) const SERIES: [Paint; COLOURS] = [
    paint("s1", "#233cb6", "#4470bd"),
    paint("s2", "#a04201", "#fa7140"),
    paint("s3", "#54a36d", "#87f58a"),
    paint("s4", "#d25fd7", "#fba3f6"),
    paint("s5", "#8c40e2", "#b681e9"),
    paint("s6", "#9b7c00", "#816e05"),
    paint("s7", "#0a7b89", "#43b3b9"),
    paint("s8", "#80061f", "#cf4a62"),
    paint("s9", "#600048", "#a83888"),
];

/// The colours of policies that differ in one number, from the least to the greatest: darker on
/// light paper and on dark paper, at even distances.
pub(super) const RAMP: [Paint; STEPS_OF_RAMP] = [
    paint("r1", "#c88004", "#ffe3c3"),
    paint("r2", "#c56400", "#ffceab"),
    paint("r3", "#c04311", "#feb599"),
    paint("r4", "#ad2733", "#ff948d"),
    paint("r5", "#970b45", "#e8669c"),
    paint("r6", "#7f004f", "#cf5ba7"),
    paint("r7", "#630054", "#af51b0"),
    paint("r8", "#35004f", "#8a48b3"),
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
pub(super) struct Ink(
    pub(super) &'static str,
    pub(super) &'static str,
    pub(super) &'static str,
);

pub(super) const PAPER: &str = "#ffffff";
pub(super) const INK: &str = "#16191d";
pub(super) const MUTED: &str = "#565d66";
pub(super) const GRID: &str = "#e3e6ea";
pub(super) const FAINT: &str = "#aab1ba";

pub(super) const INKS: [Ink; 5] = [
    Ink("paper", PAPER, "#14171b"),
    Ink("ink", INK, "#eceff2"),
    Ink("muted", MUTED, "#a3abb5"),
    Ink("grid", GRID, "#2b3036"),
    Ink("faint", FAINT, "#5c646e"),
];

const fn paint(class: &'static str, light: &'static str, dark: &'static str) -> Paint {
    Paint { class, light, dark }
}

/// Returns the style sheet of all figures, which a page holds once. It sets only colours, under
/// `.klero-figure`. Programs without custom properties skip it and draw with the attributes, which
/// are the light theme.
pub fn style() -> String {
    sheet(|dark| {
        format!("@media screen and (prefers-color-scheme:dark){{.klero-figure{{{dark}}}}}")
    })
}

/// Returns the style for a page with a choice of theme, by the inputs `#theme-light` and
/// `#theme-dark`.
pub fn page_style() -> String {
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
        let series = SERIES.iter().chain(&RAMP);
        let series = series.map(|paint| (paint.class.to_owned(), paint.light, paint.dark));
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

#[cfg(test)]
mod tests {
    use super::super::super::tests::contrast::{Colour, contrast, light_of};
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
            ..,
        ] = INKS;
        for (text, paper) in [
            (ink, paper),
            (muted, paper),
            (dark_ink, dark_paper),
            (dark_muted, dark_paper),
        ] {
            assert!(contrast(text, paper) >= 4.5, "{text} on {paper}");
        }
        for paint in SERIES.iter().chain(&RAMP) {
            assert!(contrast(paint.light, paper) >= 3.0, "{}", paint.light);
            assert!(contrast(paint.dark, dark_paper) >= 3.0, "{}", paint.dark);
        }
    }

    #[test]
    fn colours_differ_whatever_the_sight() {
        for colours in [
            SERIES.map(|paint| paint.light),
            SERIES.map(|paint| paint.dark),
        ] {
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

    /// Degrees around the circle of hues, and how far from grey.
    fn hue(hex: &str) -> (f64, f64) {
        let [_, a, b] = oklab(light_of(hex));
        (libm::atan2(b, a).to_degrees(), libm::hypot(a, b))
    }

    #[test]
    fn a_colour_keeps_its_hue_on_dark_paper() {
        for paint in &SERIES {
            let [(light, strong), (dark, vivid)] = [paint.light, paint.dark].map(hue);
            let apart = (light - dark).abs();
            assert!(
                apart.min(360.0 - apart) < 12.0,
                "{}: {light} {dark}",
                paint.class
            );
            assert!(
                strong > 0.08 && vivid > 0.08,
                "{} is next to grey",
                paint.class
            );
        }
    }

    #[test]
    fn a_ramp_runs_from_light_to_dark_in_even_steps_whatever_the_sight() {
        for colours in [RAMP.map(|paint| paint.light), RAMP.map(|paint| paint.dark)] {
            let lights = colours.map(|hex| oklab(light_of(hex))[0]);
            assert!(lights.iter().rev().is_sorted(), "{lights:?}");
            for pair in colours.windows(2) {
                assert!(least_distance(pair) > 0.04, "{pair:?}");
            }
        }
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
    fn the_style_knows_both_themes_and_asks_for_nothing() {
        let style = style();
        let dark = format!("--k-s9:{}", SERIES[8].dark);
        assert!(style.contains("prefers-color-scheme:dark") && style.contains(&dark));
        assert!(!style.contains("url(") && !style.contains("@import"));
        assert_eq!(style.matches('{').count(), style.matches('}').count());
    }
}
