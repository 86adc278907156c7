//! The medium of a result for people: its width, its weight and colour, and the style of its
//! tables.

use super::tex::tex;
use unicode_width::UnicodeWidthStr;

/// The number of columns of text if the width is unknown.
pub const WIDTH: usize = 120;

/// The fewest columns that a text is laid out for.
const NARROWEST: usize = 40;

/// The mark at the start of a table's line in markup. Names can't hold it, since `plain` removes
/// control characters.
const TABLE: char = '\u{1}';
/// The mark at the start of a heading in markup.
const HEADING: char = '\u{2}';

/// The mark at the start of a line in bold type in markup.
const BOLD: char = '\u{3}';

/// A language in which tables and headings are marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Markup {
    Markdown,
    Latex,
}

/// A medium: plain text of a width, with or without colour, or a markup: Markdown or LaTeX.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Medium {
    width: usize,
    has_colour: bool,
    markup: Option<Markup>,
}

/// The weight of a word. It repeats the meaning of the words and is never the only sign of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weight {
    /// Normal text.
    Normal,
    /// A heading or the answer.
    Strong,
    /// The better side.
    Good,
    /// The worse side.
    Bad,
    /// An open comparison.
    Open,
    /// A fact of one stream.
    Fact,
}

impl Weight {
    fn code(self) -> &'static str {
        match self {
            Self::Normal => "",
            Self::Strong => "1",
            Self::Good => "1;32",
            Self::Bad => "31",
            Self::Open => "33",
            Self::Fact => "3",
        }
    }
}

impl Default for Medium {
    fn default() -> Self {
        Self::text(WIDTH)
    }
}

impl Medium {
    /// Plain text of this width, without colour.
    #[must_use]
    pub fn text(width: usize) -> Self {
        Self {
            width: width.max(NARROWEST),
            has_colour: false,
            markup: None,
        }
    }

    /// Markdown as GitHub renders it.
    #[must_use]
    pub fn markdown() -> Self {
        Self::marked(Markup::Markdown)
    }

    /// LaTeX that needs no package: each table is a `tabular`.
    #[must_use]
    pub fn latex() -> Self {
        Self::marked(Markup::Latex)
    }

    fn marked(markup: Markup) -> Self {
        Self {
            width: usize::MAX,
            has_colour: false,
            markup: Some(markup),
        }
    }

    /// Turns weight and colour on or off.
    #[must_use]
    pub fn coloured(self, has_colour: bool) -> Self {
        Self {
            has_colour: has_colour && self.markup.is_none(),
            ..self
        }
    }

    /// The number of columns of a line.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns true for Markdown.
    #[must_use]
    pub fn is_markdown(&self) -> bool {
        self.markup == Some(Markup::Markdown)
    }

    /// Returns true for a markup, which has tables of its own and no width.
    #[must_use]
    pub fn is_markup(&self) -> bool {
        self.markup.is_some()
    }

    /// A word in a weight, where the medium shows it.
    pub(crate) fn dressed(&self, text: &str, weight: Weight) -> String {
        match weight {
            _ if !self.has_colour || text.is_empty() => text.to_owned(),
            Weight::Normal => text.to_owned(),
            _ => format!("\u{1b}[{}m{text}\u{1b}[0m", weight.code()),
        }
    }

    /// Returns a heading, without the end of its line.
    #[must_use]
    pub fn title(&self, text: &str) -> String {
        if self.is_markup() {
            return format!("{HEADING}{text}");
        }
        self.strong(text)
    }

    /// Returns a sentence in bold, line by line.
    pub fn strong(&self, text: &str) -> String {
        if self.is_markup() {
            return format!("{BOLD}{text}");
        }
        let lines = fitted(text, self.width).into_iter();
        let lines = lines.map(|line| self.dressed(&line, Weight::Strong));
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Returns the line of a Markdown table with these cells.
    pub fn table_line(cells: impl Iterator<Item = String>) -> String {
        let cells: Vec<String> = cells.map(|cell| escaped(cell.trim(), true)).collect();
        format!("{TABLE}| {} |\n", cells.join(" | "))
    }

    /// Returns a table in this markup. A column is its lines, the first its heading, and is set to
    /// the right if it says so.
    pub(super) fn table(&self, columns: &[(Vec<String>, bool)]) -> String {
        let rows = columns.first().map_or(0, |(lines, _)| lines.len());
        if rows == 0 {
            return String::new();
        }
        let row = |at: usize| columns.iter().map(move |(lines, _)| lines[at].clone());
        if self.markup == Some(Markup::Latex) {
            let mut lines = vec![format!(
                "\\begin{{tabular}}{{{}}}",
                sides(columns, "r", "l")
            )];
            for at in 0..rows {
                let cells: Vec<String> = row(at).map(|cell| tex(cell.trim())).collect();
                // Of nothing before it, so that a bracket is no option of the line above.
                lines.push(format!("{{}}{} \\\\", cells.join(" & ")));
                lines.extend((at == 0).then(|| "\\hline".to_owned()));
            }
            lines.push("\\end{tabular}".into());
            let lines = lines.into_iter().map(|line| format!("{TABLE}{line}\n"));
            return lines.collect();
        }
        let rule = columns.iter().map(|(_, right)| match right {
            true => "---:",
            false => ":---",
        });
        let rule = Self::table_line(rule.map(str::to_owned));
        let cells = (1..rows).map(|at| Self::table_line(row(at)));
        Self::table_line(row(0)) + &rule + &cells.collect::<String>()
    }

    /// Returns names with their descriptions, in two columns.
    #[must_use]
    pub fn listed(&self, rows: &[(String, String)]) -> String {
        let wide = rows.iter().map(|(name, _)| width(name)).max().unwrap_or(0);
        let hang = " ".repeat(wide + 4);
        let lines = rows.iter().flat_map(|(name, about)| {
            let blank = " ".repeat(wide - width(name));
            hung(&format!("  {name}{blank}  {about}"), self.width, &hang)
        });
        lines.map(|line| line + "\n").collect()
    }

    /// Returns the text as printed. No line is wider than the medium unless a word is. In a markup
    /// each line of prose is a paragraph.
    #[must_use]
    pub fn finished(&self, text: &str) -> String {
        if let Some(markup) = self.markup {
            return paragraphs(text, markup);
        }
        let lines = text.lines().flat_map(|line| fitted(line, self.width));
        lines.map(|line| line + "\n").collect()
    }
}

/// A letter for the side of each column.
fn sides(columns: &[(Vec<String>, bool)], right: &str, left: &str) -> String {
    let side = |(_, is_right): &(Vec<String>, bool)| if *is_right { right } else { left };
    columns.iter().map(side).collect()
}

/// The lines of a text in a markup: tables stay together, all else is a paragraph or a heading.
fn paragraphs(text: &str, markup: Markup) -> String {
    let mut out = String::new();
    let mut in_table = false;
    for line in text.lines() {
        let is_table = line.starts_with(TABLE);
        let line = line.trim();
        if line.is_empty() {
            in_table = false;
            continue;
        }
        let goes_on = is_table && in_table;
        if !out.is_empty() && !goes_on {
            out.push('\n');
        }
        in_table = is_table;
        let mut letters = line.chars();
        out += &match (letters.next(), letters.as_str(), markup) {
            (Some(TABLE), row, _) => row.to_owned(),
            (Some(HEADING), heading, Markup::Markdown) => {
                format!("### {}", escaped(heading, false))
            }
            (Some(HEADING), heading, Markup::Latex) => format!("\\paragraph{{{}}}", tex(heading)),
            (Some(BOLD), words, Markup::Markdown) => format!("**{}**", escaped(words, false)),
            (Some(BOLD), words, Markup::Latex) => format!("\\textbf{{{}}}", tex(words)),
            (_, _, Markup::Markdown) => escaped(line, false),
            (_, _, Markup::Latex) => tex(line),
        };
        out.push('\n');
    }
    out
}

/// Text in which Markdown reads nothing but text.
fn escaped(text: &str, in_table: bool) -> String {
    let mut out = String::new();
    for (at, c) in text.char_indices() {
        let begins = at == 0 && matches!(c, '#' | '+' | '>' | '=');
        let is_read = matches!(c, '\\' | '`' | '*' | '<' | '~') || (c == '|' && in_table);
        if begins || is_read || (c == '_' && !is_within_word(text, at)) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Returns true if letters or digits are on both sides, as in `representation_loss`, which needs no
/// escape.
fn is_within_word(text: &str, at: usize) -> bool {
    let before = text[..at].chars().next_back();
    let after = text[at + 1..].chars().next();
    [before, after]
        .iter()
        .all(|c| c.is_some_and(char::is_alphanumeric))
}

/// The number of terminal columns that a text takes. Chinese, Japanese and Korean letters take two,
/// colours none.
pub(crate) fn width(text: &str) -> usize {
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().width();
    let rest = parts.map(|part| part.split_once('m').map_or(0, |(_, shown)| shown.width()));
    first + rest.sum::<usize>()
}

/// The fewest columns in which a line goes on below its last cell.
const CELL: usize = 30;

/// A line in lines of at most `wide` columns, broken at blanks; a longer word has a line of its own.
/// Where two blanks part the line into cells, it goes on below the last one if there is room; where
/// it is indented, it goes on indented by two more.
pub(crate) fn fitted(line: &str, wide: usize) -> Vec<String> {
    let (line, indent) = (line.trim_end(), indent(line));
    let cell = line.rfind("  ").map_or(0, |at| width(&line[..at + 2]));
    let hang = match (cell, indent) {
        (cell, indent) if cell > indent && cell + CELL <= wide => cell,
        (_, 0) => 0,
        (_, indent) => indent + 2,
    };
    hung(line, wide, &" ".repeat(hang))
}

/// The number of blanks at the start of a line, colours aside.
fn indent(line: &str) -> usize {
    let bare = line.trim_start_matches(' ');
    let blanks = line.len() - bare.len();
    let colour = bare.strip_prefix("\u{1b}[");
    let rest = colour.and_then(|codes| codes.split_once('m'));
    blanks + rest.map_or(0, |(_, rest)| indent(rest))
}

/// Wraps a line into lines of at most `wide` columns. Lines after the first begin with `hang`.
pub fn hung(line: &str, wide: usize, hang: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut rest = line.trim_end().to_owned();
    while width(&rest) > wide {
        let start = rest.len() - rest.trim_start_matches(' ').len();
        let blanks = rest[start..].match_indices(' ').map(|(at, _)| start + at);
        let mut blanks = blanks.filter(|at| !rest[..*at].ends_with(' ')).peekable();
        let Some(&first) = blanks.peek() else { break };
        let fits = blanks.take_while(|at| width(&rest[..*at]) <= wide);
        let at = fits.last().unwrap_or(first);
        let later = format!("{hang}{}", rest[at..].trim_start());
        rest.truncate(at);
        lines.push(std::mem::replace(&mut rest, later));
    }
    lines.push(rest);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_blanks_and_keep_their_indentation() {
        assert_eq!(fitted("a bb ccc", 4), ["a bb", "ccc"]);
        assert_eq!(fitted("  aa bb cc", 6), ["  aa", "    bb", "    cc"]);
        assert_eq!(fitted("abcdefgh ij", 4), ["abcdefgh", "ij"]);
        assert_eq!(fitted("a   b", 9), ["a   b"]);
        assert_eq!(fitted("", 9), [""]);
        assert_eq!(
            hung("name  one two", 10, "      "),
            ["name  one", "      two"]
        );
    }

    #[test]
    fn lines_go_on_below_their_last_cell() {
        let words = "rule        look-ahead (quota_lookahead): respondents came";
        assert_eq!(
            fitted(words, 44),
            [
                "rule        look-ahead (quota_lookahead):",
                "            respondents came"
            ]
        );
        // A cell that is too far to the right has no room below it.
        let far = format!("{}  one two three", "x".repeat(30));
        assert_eq!(
            fitted(&far, 40),
            [format!("{}  one two", "x".repeat(30)), "three".into()]
        );
        // Colours do not hide an indentation.
        let help = "\u{1b}[36m  help: \u{1b}[0maa bb cc";
        assert_eq!(
            fitted(help, 11),
            ["\u{1b}[36m  help: \u{1b}[0maa", "    bb cc"]
        );
    }

    #[test]
    fn colours_take_no_columns() {
        let medium = Medium::text(80).coloured(true);
        let word = medium.dressed("better", Weight::Good);
        assert_eq!(word, "\u{1b}[1;32mbetter\u{1b}[0m");
        assert_eq!(width(&word), 6);
        assert_eq!(medium.dressed("", Weight::Good), "");
        assert_eq!(Medium::text(80).dressed("better", Weight::Good), "better");
    }

    #[test]
    fn each_line_of_a_sentence_in_weight_ends_it() {
        let medium = Medium::text(40).coloured(true);
        let shown = medium.strong(&"word ".repeat(12));
        assert_eq!(shown.lines().count(), 2);
        assert!(
            shown.lines().all(|line| line.ends_with("\u{1b}[0m")),
            "{shown:?}"
        );
    }

    #[test]
    fn a_table_has_the_same_cells_in_both_markups() {
        let column = |lines: [&str; 2], right| (lines.map(str::to_owned).to_vec(), right);
        let columns = [
            column(["who", "[a|b]"], false),
            column(["x_y", "-0.5"], true),
        ];
        let text = |medium: Medium| medium.finished(&medium.table(&columns));
        let markdown = "| who | x_y |\n| :--- | ---: |\n| [a\\|b] | -0.5 |\n";
        assert_eq!(text(Medium::markdown()), markdown);
        let latex = "\\begin{tabular}{lr}\n{}who & x\\_y \\\\\n\\hline\n\
                     {}[a\\textbar{}b] & $-$0.5 \\\\\n\\end{tabular}\n";
        assert_eq!(text(Medium::latex()), latex);
        let medium = Medium::latex();
        let shown = medium.finished(&format!(
            "{}\n50 %\n{}",
            medium.title("a_b"),
            medium.strong("c")
        ));
        assert_eq!(shown, "\\paragraph{a\\_b}\n\n50 \\%\n\n\\textbf{c}\n");
    }

    #[test]
    fn markdown_reads_nothing_but_text() {
        let medium = Medium::markdown();
        let title = medium.title("a *b*");
        let row = Medium::table_line(["x|y", "_z_", "a_b"].map(str::to_owned).into_iter());
        let shown = medium.finished(&format!("{title}\n# one\ntwo\n{row}{row}\nthree"));
        let known = "### a \\*b\\*\n\n\\# one\n\ntwo\n\n| x\\|y | \\_z\\_ | a_b |\n\
                     | x\\|y | \\_z\\_ | a_b |\n\nthree\n";
        assert_eq!(shown, known);
    }
}
