//! The style sheet of figures.

use super::palette::{INKS, RAMP, SERIES, SHADES};

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
    use super::*;

    #[test]
    fn the_style_knows_both_themes_and_asks_for_nothing() {
        let style = style();
        let dark = format!("--k-s8:{}", SERIES[7].dark);
        assert!(style.contains("prefers-color-scheme:dark") && style.contains(&dark));
        assert!(!style.contains("url(") && !style.contains("@import"));
        assert_eq!(style.matches('{').count(), style.matches('}').count());
    }
}
