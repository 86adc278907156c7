//! Tables that a reader sorts by any column.

use maud::{Markup, html};

use super::super::markup::{text, void};
use super::super::number::minus;
use super::Link;
use super::pieces::{PageExtra, PageNumbers, inline, link, verdict};
use super::verdicts::mark;

/// A table with a script that sorts its rows. Without the script, the rows are in the order given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SortTable {
    /// The caption of the table.
    pub caption: String,
    /// The headings of its columns. The first column names the row.
    pub heads: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<SortCell>>,
}

/// A cell of a sortable table.
#[derive(Clone, Debug, PartialEq)]
pub enum SortCell {
    /// A link that is sorted by the number in its text.
    NumberLink(Link),
    /// A number, perhaps with its error. It is sorted by its value.
    Number(String),
    /// Words.
    Words(String),
    /// A verdict's word, as in `summary.json`, and the text shown.
    Verdict(&'static str, String),
}

/// The fewest rows that are kept, however small the page must be.
const LEAST_ROWS: usize = 400;

/// The longest part of a head that is not broken, and the room for the arrow behind it, in letters.
const WHOLE: usize = 16;
const ARROW: usize = 3;

/// The style and script of sortable tables.
const SORTS: PageExtra = PageExtra {
    style: include_str!("sort.css"),
    script: include_str!("sort.js"),
};

/// The table, in a box that scrolls sideways where it must, as the script then says; the page
/// scrolls it down.
pub(super) fn sortable_html(table: &SortTable, numbers: &mut PageNumbers) -> Markup {
    numbers.need(SORTS);
    let id = format!("table-{}", numbers.next_table());
    let most = numbers.most_rows.max(LEAST_ROWS);
    let all = table.rows.len();
    let is_number = |at: usize| {
        let mut cells = table.rows.iter().filter_map(|row| row.get(at));
        cells.all(|cell| matches!(cell, SortCell::Number(_) | SortCell::NumberLink(_)))
    };
    let classes: Vec<Option<&str>> = (0..table.heads.len())
        .map(|at| is_number(at).then_some("n"))
        .collect();
    html! {
        // Above the box, which is as wide as its rows.
        p id=(id) {
            (inline(&table.caption))
            @if all > most { " Shown are the first " (most) " of " (all) " rows." }
        } "\n"
        p.wide hidden="hidden" { "The table is wider than the page and scrolls sideways." } "\n"
        div.sortable role="region" tabindex="0" aria-labelledby=(id) {
            table aria-labelledby=(id) { "\n"
            thead { tr {
                @for (at, head) in table.heads.iter().enumerate() {
                    th scope="col" class=[classes[at]] style=[least(head)] { (head_html(head)) }
                }
            } } "\n"
            tbody { "\n"
                @for row in table.rows.iter().take(most) {
                    tr { @for (at, cell) in row.iter().enumerate() {
                        @if at == 0 { th scope="row" class=[classes.first().copied().flatten()] { (cell_html(cell)) } }
                        @else { td class=[classes.get(at).copied().flatten()] { (cell_html(cell)) } }
                    } } "\n"
                }
            } "\n"
        } } "\n"
    }
}

/// The parts of a head, after which it may be broken: words, and pieces of keys and measures.
fn parts(head: &str) -> impl Iterator<Item = &str> {
    head.split_inclusive([' ', '.', '_'])
}

fn head_html(head: &str) -> Markup {
    html! {
        @for (at, part) in parts(head).enumerate() {
            @if at > 0 { (void("wbr", &[])) }
            (text(part))
        }
    }
}

/// The width that holds the longest part of a head and its arrow, so that no part is broken. A part
/// that is longer than a name should be is broken.
fn least(head: &str) -> Option<String> {
    let longest = parts(head).map(|part| part.chars().count()).max()?;
    Some(format!("min-width:{}ch", longest.min(WHOLE) + ARROW))
}

fn cell_html(cell: &SortCell) -> Markup {
    match cell {
        SortCell::NumberLink(to) => link(to),
        SortCell::Number(words) | SortCell::Words(words) => text(&minus(words)),
        SortCell::Verdict("", words) => text(words),
        SortCell::Verdict(word, words) => verdict(mark(word), words),
    }
}
