//! The verdicts of several pages as a table: a row a page and a column a verdict; on a phone a card
//! a page, which counts what there is.

use maud::{Markup, html};

use super::super::markup::text;
use super::claims::mark;
use super::pieces::{inline, link};
use super::{ClaimFinding, PageTally};

/// The table. The roles are spelled out because a table that is laid out as blocks loses them in
/// some browsers.
pub(super) fn tally_html(tally: &PageTally) -> Markup {
    let all = tally.rows.iter().flat_map(|row| &row.findings);
    html! {
        table.tally role="table" { "\n"
            caption { (inline(&tally.caption)) } "\n"
            thead role="rowgroup" { tr role="row" {
                @for head in ["name", "what it is"] {
                    th scope="col" role="columnheader" { (head) }
                }
                @for kind in ClaimFinding::kinds() {
                    th scope="col" role="columnheader" class="n" { (text(kind.word())) }
                }
            } } "\n"
            tbody role="rowgroup" { "\n"
                @for row in &tally.rows {
                    (row_html(link(&row.page), inline(&row.about), row.findings.iter().collect()))
                }
            } "\n"
            tfoot role="rowgroup" { "\n"
                (row_html(text("In all"), text(""), all.collect()))
            } "\n"
        } "\n"
    }
}

fn row_html(name: Markup, about: Markup, findings: Vec<&ClaimFinding>) -> Markup {
    html! {
        tr role="row" {
            th scope="row" role="rowheader" { (name) }
            td role="cell" { (about) }
            @for kind in ClaimFinding::kinds() {
                @let count = kind.count(findings.iter().copied());
                @let class = if count > 0 { mark(&kind).0 } else { "zero" };
                td role="cell" class={ "n " (class) } data-head=(text(kind.word())) { (count) }
            }
        } "\n"
    }
}
