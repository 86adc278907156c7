//! What papers say and what we found.

use super::super::markup::escape;
use super::html::{inline, link};
use super::{Claim, Claims, Finding};

/// A table on a wide screen, a card a claim on a phone; `numbered` counts the claims of the page. The roles are spelled out because a table that is
/// laid out as blocks loses them in some browsers.
pub(super) fn claims_html(claims: &Claims, numbered: &mut usize) -> String {
    let heads: String = ["Claim", "Paper", "Ours", "Verdict"]
        .map(|head| format!("<th scope=\"col\" role=\"columnheader\">{head}</th>"))
        .concat();
    let row = |claim| {
        *numbered += 1;
        claim_html(*numbered, claim)
    };
    let rows: String = claims.claims.iter().map(row).collect();
    let links = claims
        .links
        .iter()
        .map(|to| format!("<span class=\"file\">{}</span> ", link(to)));
    let links: String = links.collect();
    // Below the table: in its caption they would be children that no table may have.
    let links = match links.trim_end() {
        "" => String::new(),
        links => format!("<p class=\"files\">{links}</p>\n"),
    };
    let pictures = claims.pictures.iter().map(|picture| {
        let [file, about] = [&picture.file, &picture.about].map(|text| escape(text));
        format!("<a href=\"{file}\"><img src=\"{file}\" alt=\"{about}\"/></a>\n")
    });
    let pictures = match pictures.collect::<String>() {
        none if none.is_empty() => none,
        all => format!("<div class=\"shots\">\n{all}</div>\n"),
    };
    format!(
        "<table class=\"claims\" role=\"table\">\n<caption>{}</caption>\n\
         <thead role=\"rowgroup\"><tr role=\"row\">{heads}</tr></thead>\n\
         <tbody role=\"rowgroup\">\n{rows}</tbody>\n</table>\n{links}{pictures}",
        inline(&claims.caption)
    )
}

/// The class and the sign of a finding.
pub(super) fn mark(finding: &Finding) -> (&'static str, &'static str) {
    match finding {
        Finding::Reproduced => ("yes", "✓"),
        Finding::InShape(_) => ("shape", "≈"),
        Finding::Undecided(_) => ("open", "?"),
        Finding::ByConstruction => ("open", "="),
        Finding::CannotBe(_) | Finding::NotRun(_) => ("open", "–"),
        Finding::Failed(_) => ("no", "✗"),
    }
}

fn claim_html(n: usize, claim: &Claim) -> String {
    let (class, sign) = mark(&claim.finding);
    let why = match claim.finding.why() {
        "" => String::new(),
        why => format!("<span class=\"why\">{}</span>", inline(why)),
    };
    let rule = match claim.rule.as_str() {
        "" => String::new(),
        rule => format!("<span class=\"why\">Rule: {}</span>", inline(rule)),
    };
    // One box for all of a cell, so that it stays together where cells are laid out as grids.
    let cell = |head: &str, text: &str| {
        let lines: Vec<String> = text.lines().map(inline).collect();
        let lines = lines.join("<br/>");
        format!("<td role=\"cell\" data-head=\"{head}\"><span>{lines}</span></td>")
    };
    let name = inline(&claim.claim);
    let name = match &claim.link {
        Some(to) => format!("<a href=\"{}\">{name}</a>", escape(to)),
        None => name,
    };
    format!(
        "<tr role=\"row\" id=\"claim-{n}\"><th scope=\"row\" role=\"rowheader\">{name}</th>{}{}\
         <td role=\"cell\" data-head=\"Verdict\"><span class=\"verdict {class}\">\
         <span aria-hidden=\"true\">{sign}</span> {}</span>{why}{rule}</td></tr>\n",
        cell("Paper", &claim.paper),
        cell("Ours", &claim.ours),
        claim.finding.word(),
    )
}
