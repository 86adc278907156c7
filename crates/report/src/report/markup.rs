//! Text and numbers for SVG and HTML.

use maud::{Markup, PreEscaped};

use kleroterion_io::record::legible;

/// The text with the five characters of markup spelled out, fit for an element and for an attribute
/// in double quotes. Characters that XML 1.0 forbids, that turn the direction of a text or that are
/// not seen are spelt out.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let text = text.replace(['\t', '\n', '\r'], " ");
    for c in legible(&text).chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(c),
        }
    }
    escaped
}

/// Returns text for a page, escaped. Maud escapes markup itself, and this also replaces
/// characters that XML forbids.
pub fn text(words: &str) -> Markup {
    PreEscaped(escape(words))
}

/// An element without content, closed as XML demands: what a page's body holds is well-formed XML.
pub(super) fn void(name: &'static str, attributes: &[(&'static str, &str)]) -> Markup {
    let attributes = attributes.iter();
    let attributes = attributes.map(|(name, value)| format!(" {name}=\"{}\"", escape(value)));
    PreEscaped(format!("<{name}{}/>", attributes.collect::<String>()))
}

/// A place, as path data has it.
pub(super) fn at(x: f64, y: f64) -> String {
    format!("{} {}", px(x), px(y))
}

/// A coordinate: two decimals at most, no idle zeros, never "-0".
pub(super) fn px(value: f64) -> String {
    debug_assert!(value.is_finite(), "only finite places are drawn");
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    match text {
        "-0" | "" => "0".to_owned(),
        text => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_escapes_the_escape() {
        assert_eq!(
            escape(r#"<b a="1" c='2'>R&D</b>"#),
            "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;R&amp;D&lt;/b&gt;"
        );
        assert_eq!(escape("bell\u{7} and\nline"), "bell⟨U+0007⟩ and line");
        assert_eq!(escape("ε ≤ 0.05, Žižkov, 東京"), "ε ≤ 0.05, Žižkov, 東京");
    }

    #[test]
    fn coordinates_are_short() {
        for (value, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (-0.001, "0"),
            (12.0, "12"),
            (100.0, "100"),
            (1.005, "1"),
            (0.125, "0.12"),
            (-3.5, "-3.5"),
            (1.0 / 3.0, "0.33"),
        ] {
            assert_eq!(px(value), text);
        }
    }
}
