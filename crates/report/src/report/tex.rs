//! Text in which TeX reads nothing but text.

/// Returns the text with all that TeX would read as its own spelled out. No package is needed.
pub(super) fn tex(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    let mut letters = text.chars().peekable();
    while let Some(c) = letters.next() {
        let next = letters.peek().copied();
        match c {
            '\\' => out += "\\textbackslash{}",
            '^' => out += "\\textasciicircum{}",
            '~' => out += "\\textasciitilde{}",
            '`' => out += "\\textasciigrave{}",
            '<' => out += "\\textless{}",
            '>' => out += "\\textgreater{}",
            '|' => out += "\\textbar{}",
            '{' | '}' | '$' | '&' | '#' | '_' | '%' => out.extend(['\\', c]),
            '"' | '\u{201d}' => out += "''",
            '\u{201c}' => out += "``",
            '\u{2026}' => out += "\\dots{}",
            '\u{b1}' => out += "$\\pm$",
            '\u{2264}' => out += "$\\le$",
            '\u{2212}' => out += "$-$",
            '-' if !before.is_alphanumeric() && next.is_some_and(|c| c.is_ascii_digit()) => {
                out += "$-$";
            }
            // Two would be a dash.
            '-' if next == Some('-') => out += "-{}",
            c => out.push(c),
        }
        before = c;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_for_tex_to_read() {
        let all = r"\ { } $ & # ^ _ ~ % < > | `";
        let known = r"\textbackslash{} \{ \} \$ \& \# \textasciicircum{} \_ \textasciitilde{} \% \textless{} \textgreater{} \textbar{} \textasciigrave{}";
        assert_eq!(tex(all), known);
        assert_eq!(tex(r"\input{x}"), r"\textbackslash{}input\{x\}");
    }

    #[test]
    fn a_minus_is_one_and_an_option_no_dash() {
        for (text, known) in [
            ("-0.5", "$-$0.5"),
            ("0.1 [-0.2, 0.3]", "0.1 [$-$0.2, 0.3]"),
            ("GPT-4", "GPT-4"),
            ("2026-11-21", "2026-11-21"),
            ("--range", "-{}-range"),
            ("\u{2212}1 \u{b1} 2", "$-$1 $\\pm$ 2"),
            ("\u{201c}a\u{201d}", "``a''"),
        ] {
            assert_eq!(tex(text), known);
        }
    }
}
