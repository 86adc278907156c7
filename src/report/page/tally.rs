//! The verdicts of several pages as a table: a row a page and a column a verdict; on a phone a card a page, which counts
//! what there is.

use super::super::markup::escape;
use super::claims::mark;
use super::html::{inline, link};
use super::{Finding, Tally};

/// The table. The roles are spelled out because a table that is laid out as blocks loses them in some browsers.
pub(super) fn tally_html(tally: &Tally) -> String {
    let kinds = Finding::kinds();
    let heads: String = kinds
        .iter()
        .map(|kind| {
            format!(
                "<th scope=\"col\" role=\"columnheader\" class=\"n\">{}</th>",
                escape(kind.word())
            )
        })
        .collect();
    let rows = tally.rows.iter().map(|row| {
        let [page, about] = [link(&row.page), inline(&row.about)];
        row_html(&page, &about, &row.findings.iter().collect::<Vec<_>>())
    });
    let rows: String = rows.collect();
    let all = tally.rows.iter().flat_map(|row| &row.findings);
    let sum = row_html("In all", "", &all.collect::<Vec<_>>());
    format!(
        "<table class=\"tally\" role=\"table\">\n<caption>{}</caption>\n\
         <thead role=\"rowgroup\"><tr role=\"row\"><th scope=\"col\" role=\"columnheader\">name</th>\
         <th scope=\"col\" role=\"columnheader\">what it is</th>{heads}</tr></thead>\n\
         <tbody role=\"rowgroup\">\n{rows}</tbody>\n<tfoot role=\"rowgroup\">\n{sum}</tfoot>\n</table>\n",
        inline(&tally.caption)
    )
}

fn row_html(name: &str, about: &str, findings: &[&Finding]) -> String {
    let count = |kind: Finding| {
        let count = kind.count(findings.iter().copied());
        let class = if count > 0 { mark(&kind).0 } else { "zero" };
        format!(
            "<td role=\"cell\" class=\"n {class}\" data-head=\"{}\">{count}</td>",
            escape(kind.word())
        )
    };
    let counts = Finding::kinds().map(count).concat();
    format!(
        "<tr role=\"row\"><th scope=\"row\" role=\"rowheader\">{name}</th><td role=\"cell\">{about}</td>{counts}</tr>\n"
    )
}
