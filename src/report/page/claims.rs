//! What papers say and what we found.

use maud::{Markup, html};

use super::super::markup::{text, void};
use super::pieces::{card_cell, card_heads, inline, lines, link, verdict};
use super::{ClaimFinding, PageClaim, PageClaims, Picture};

/// A table on a wide screen, a card a claim on a phone; `numbered` counts the claims of the page.
pub(super) fn claims_html(claims: &PageClaims, numbered: &mut usize) -> Markup {
    html! {
        table.claims role="table" { "\n"
            caption { (inline(&claims.caption)) } "\n"
            (card_heads(["Claim", "Paper", "Ours", "Verdict"])) "\n"
            tbody role="rowgroup" { "\n"
                @for claim in &claims.claims {
                    (claim_html({ *numbered += 1; *numbered }, claim))
                }
            } "\n"
        } "\n"
        // Below the table: in its caption they would be children that no table may have.
        @if !claims.links.is_empty() {
            p.files {
                @for (n, to) in claims.links.iter().enumerate() {
                    @if n > 0 { " " }
                    span.file { (link(to)) }
                }
            } "\n"
        }
        @if !claims.pictures.is_empty() {
            div.shots { "\n"
                @for Picture { file, about } in &claims.pictures {
                    a href=(text(file)) { (void("img", &[("src", file), ("alt", about)])) } "\n"
                }
            } "\n"
        }
    }
}

/// The class and the sign of a finding.
pub(super) fn mark(finding: &ClaimFinding) -> (&'static str, &'static str) {
    match finding {
        ClaimFinding::Reproduced => ("yes", "✓"),
        ClaimFinding::InShape(_) => ("shape", "≈"),
        ClaimFinding::Undecided(_) => ("open", "?"),
        ClaimFinding::ByConstruction => ("open", "="),
        ClaimFinding::CannotBe(_) | ClaimFinding::NotRun(_) => ("open", "–"),
        ClaimFinding::Failed(_) => ("no", "✗"),
    }
}

fn claim_html(n: usize, claim: &PageClaim) -> Markup {
    let why = claim.finding.why();
    let finding = html! {
        (verdict(mark(&claim.finding), claim.finding.word()))
        @if !why.is_empty() { span.why { (inline(why)) } }
        @if !claim.rule.is_empty() { span.why { "Rule: " (inline(&claim.rule)) } }
    };
    html! {
        tr role="row" id={ "claim-" (n) } {
            th scope="row" role="rowheader" {
                @match &claim.link {
                    Some(to) => { a href=(text(to)) { (inline(&claim.claim)) } },
                    None => { (inline(&claim.claim)) },
                }
            }
            (card_cell("Paper", lines(&claim.paper)))
            (card_cell("Ours", lines(&claim.ours)))
            td role="cell" data-head="Verdict" { (finding) }
        } "\n"
    }
}
