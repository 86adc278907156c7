//! Pieces that all parts of a page share: text, links, tables, figures, and counters for ids.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

use super::super::figure::{Cell, Figure, FigureTable};
use super::super::markup::{text, void};
use super::Link;

/// Counters for the ids of a page, and the resources left or needed.
#[derive(Default)]
pub(super) struct PageNumbers {
    /// The ids of figures.
    figures: Vec<String>,
    tables: usize,
    claims: usize,
    /// The number of rows left for a table.
    pub(super) most_rows: usize,
    /// Further scripts and styles that it needs.
    pub(super) extras: Vec<PageExtra>,
}

impl PageNumbers {
    /// Makes the counters of a new page. Its tables have at most `most_rows` rows.
    pub(super) fn new(most_rows: usize) -> Self {
        Self {
            most_rows,
            ..Self::default()
        }
    }

    /// Puts an extra on the page, once.
    pub(super) fn need(&mut self, extra: PageExtra) {
        if !self.extras.contains(&extra) {
            self.extras.push(extra);
        }
    }

    /// The id of a figure: by its file's name, so that links to it last; else by its place.
    pub(super) fn figure_id(&mut self, file: Option<&str>) -> String {
        let place = self.figures.len() + 1;
        let stem = file.and_then(|file| Path::new(file).file_stem()?.to_str());
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        let id = match stem {
            Some(stem) => format!("figure-{}", stem.chars().map(plain).collect::<String>()),
            None => format!("figure-{place}"),
        };
        let id = match self.figures.contains(&id) {
            true => format!("{id}-{place}"),
            false => id,
        };
        self.figures.push(id.clone());
        id
    }

    pub(super) fn next_claim(&mut self) -> usize {
        self.claims += 1;
        self.claims
    }

    pub(super) fn next_table(&mut self) -> usize {
        self.tables += 1;
        self.tables
    }
}

/// A link.
pub(super) fn link(link: &Link) -> Markup {
    html! { a href=(text(&link.to)) { (text(&link.text)) } }
}

/// Text, with what is between two backticks as code.
pub(super) fn inline(words: &str) -> Markup {
    let pieces: Vec<&str> = words.split('`').collect();
    html! {
        @for (i, piece) in pieces.iter().enumerate() {
            @match (i % 2 == 1, i + 1 < pieces.len()) {
                (true, true) => { code { (text(piece)) } },
                (true, false) => { "`" (text(piece)) },
                (false, _) => { (text(piece)) },
            }
        }
    }
}

/// The lines of a text, broken where it breaks.
pub(super) fn lines(words: &str) -> Markup {
    html! {
        @for (n, line) in words.lines().enumerate() {
            @if n > 0 { (void("br", &[])) }
            (inline(line))
        }
    }
}

/// Paragraphs.
pub(super) fn prose(words: &str) -> Markup {
    let mut paragraphs: Vec<String> = vec![String::new()];
    for line in words.lines().map(str::trim) {
        match paragraphs.last_mut() {
            Some(last) if !line.is_empty() => {
                last.push_str(if last.is_empty() { "" } else { " " });
                last.push_str(line);
            }
            _ => paragraphs.push(String::new()),
        }
    }
    html! {
        @for paragraph in paragraphs.iter().filter(|paragraph| !paragraph.is_empty()) {
            p { (inline(paragraph)) } "\n"
        }
    }
}

/// A cell of a table that a phone shows as cards: its words in one box, which stays together where
/// cells are laid out as grids. The role is spelled out because a table that is laid out as blocks
/// loses it in some browsers.
pub(crate) fn card_cell(head: &str, words: Markup) -> Markup {
    html! { td role="cell" data-head=(text(head)) { span { (words) } } }
}

/// The head of a table of claims.
pub(crate) fn card_heads<'a>(heads: impl IntoIterator<Item = &'a str>) -> Markup {
    html! {
        thead role="rowgroup" { tr role="row" {
            @for head in heads { th scope="col" role="columnheader" { (text(head)) } }
        } }
    }
}

/// A verdict with its sign.
pub(super) fn verdict((class, sign): (&str, &str), word: &str) -> Markup {
    html! {
        span class={ "verdict " (class) } {
            span aria-hidden="true" { (sign) } " " (word)
        }
    }
}

/// A figure: caption, picture, and its numbers in a table that opens.
pub(super) fn figure_html(
    id: &str,
    figure: &Figure,
    picture: &str,
    table: &FigureTable,
    file: Option<&str>,
    numbers: &mut PageNumbers,
) -> Markup {
    let table = table_html(&figure.title, table, numbers.most_rows, numbers);
    html! {
        figure id=(id) aria-labelledby={ (id) "-caption" } { "\n"
            figcaption id={ (id) "-caption" } {
                b { (text(&figure.title)) } " " span.what { (inline(&figure.full_caption())) } " "
                a.anchor href={ "#" (id) } aria-label={ "Link to " (text(&figure.title)) } { "#" }
            } "\n"
            (PreEscaped(picture)) "\n"
            div.foot { "\n"
                details { "\n"
                    summary {
                        "The numbers of this figure"
                        span.unseen { ": " (text(&figure.title)) }
                    } "\n"
                    (table)
                }
                @if let Some(file) = file {
                    "\n" a href=(text(file)) aria-label={ "SVG of " (text(&figure.title)) } { "SVG" }
                }
            "\n" } "\n"
        } "\n"
    }
}

/// The style sheet aligns numbers from each of the columns after these on.
const ALIGNED: usize = 4;

/// A table in a box of its own that scrolls sideways where it must.
pub(super) fn table_html(
    caption: &str,
    table: &FigureTable,
    most_rows: usize,
    numbers: &mut PageNumbers,
) -> Markup {
    let is_number = |i: usize| {
        let mut column = table.rows.iter().filter_map(|row| row.get(i));
        column.all(|cell| !matches!(cell, Cell::Text(_)))
    };
    let columns = table.headers.len();
    // The numbers at the end, where they mostly are, are aligned by one class of the table.
    let from = (0..columns).rfind(|i| !is_number(*i)).map_or(0, |i| i + 1);
    let aligned = (1..=ALIGNED).contains(&from).then(|| format!("n{from}"));
    let own = if aligned.is_some() { from } else { columns };
    let classes: Vec<_> = (0..own).map(|i| is_number(i).then_some("n")).collect();
    let class = |i: usize| classes.get(i).copied().flatten();
    // A long table is thinned evenly, so that its course remains.
    let all = table.rows.len();
    let every = all.div_ceil(most_rows).max(1);
    let id = format!("table-{}", numbers.next_table());
    html! {
        div.scroll role="region" tabindex="0" aria-labelledby=(id) { table class=[aligned] { "\n"
            caption id=(id) {
                (inline(caption))
                @if every > 1 {
                    " " span.note { "One row in " (every) " of " (all) " is shown." }
                }
            } "\n"
            thead { tr {
                @for (i, head) in table.headers.iter().enumerate() {
                    th scope="col" class=[class(i)] { (text(head)) }
                }
            } } "\n"
            tbody { "\n"
                @for row in table.rows.iter().step_by(every) {
                    tr { @for (i, cell) in row.iter().enumerate() {
                        @if i == 0 {
                            th scope="row" class=[class(i)] { (text(&cell.brief())) }
                        } @else {
                            td class=[class(i)] { (text(&cell.brief())) }
                        }
                    } } "\n"
                }
            } "\n"
        } } "\n"
    }
}

/// A style sheet and a script for some of the things that a page may show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PageExtra {
    pub(super) style: &'static str,
    pub(super) script: &'static str,
}

/// The layout of claims and studies.
pub(super) const STUDIES: PageExtra = PageExtra {
    style: include_str!("studies.css"),
    script: "",
};

/// A script as the page's content policy names it; nothing else runs.
pub(super) fn hash_of(script: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(script)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_named_as_browsers_do() {
        let known = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
        assert_eq!(hash_of(""), known);
    }

    /// The words of a page are in the document, never in the script.
    #[test]
    fn the_scripts_ask_for_nothing_and_write_no_markup() {
        let texts = [
            include_str!("sort.js"),
            include_str!("filter.js"),
            include_str!("matrix.js"),
        ];
        for script in texts {
            for word in ["fetch", "http", "import", "innerHTML", "eval", "</"] {
                assert!(!script.contains(word), "{word}");
            }
        }
    }
}
