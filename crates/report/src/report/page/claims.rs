//! Tables of papers' claims and our results.

use std::collections::BTreeMap;

use maud::{Markup, PreEscaped, html};

use super::super::markup::{text, void};
use super::super::number::with_minus;
use super::pieces::{PageNumbers, STUDIES, card_cell, card_heads, inline, lines, link, verdict};
use super::strip::{PageStrip, scales, strip_svg};
use super::{ClaimFinding, PageClaim, PageClaims, Picture};

/// The explanation of strips.
const STRIPS: &str = "A strip has a diamond at the paper's number and a dot at ours, with one \
                      standard error to both sides (thick) and three (thin).";

/// A table on a wide screen, a card a claim on a phone; the claims of a page are numbered.
pub(super) fn claims_html(claims: &PageClaims, numbers: &mut PageNumbers) -> Markup {
    numbers.need(STUDIES);
    html! {
        table class="claims studied" role="table" { "\n"
            caption {
                (inline(&claims.caption))
                @if claims.claims.iter().any(|claim| !claim.strips.is_empty()) {
                    " " span.note { (STRIPS) }
                }
            } "\n"
            (card_heads(["Verdict", "Claim", "Paper", "Ours"])) "\n"
            tbody role="rowgroup" { "\n"
                @for claim in &claims.claims {
                    (claim_html(numbers.next_claim(), claim))
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
    };
    let ours = html! {
        (ours_html(claim))
        @if !claim.rule.is_empty() { span.why { "Rule: " (inline(&claim.rule)) } }
    };
    html! {
        tr role="row" id={ "claim-" (n) } data-verdict=(claim.finding.word()) {
            td role="cell" data-head="Verdict" { span { (finding) } }
            th scope="row" role="rowheader" {
                @match &claim.link {
                    Some(to) => { a href=(text(to)) { (inline(&claim.claim)) } },
                    None => { (inline(&claim.claim)) },
                }
            }
            (card_cell("Paper", lines(&with_minus(&claim.paper))))
            (card_cell("Ours", ours))
        } "\n"
    }
}

/// Our numbers, a line each, with a strip under those for which the paper prints one. Strips of one
/// order of magnitude share a scale.
fn ours_html(claim: &PageClaim) -> Markup {
    let all: Vec<PageStrip> = claim.strips.iter().map(|(_, strip)| *strip).collect();
    let scales = scales(&all);
    let strips = claim.strips.iter().zip(&scales);
    let strips: BTreeMap<usize, Markup> = strips
        .map(|((line, strip), scale)| (*line, PreEscaped(strip_svg(strip, *scale))))
        .collect();
    html! {
        @for (n, line) in claim.ours.lines().enumerate() {
            @if n > 0 && !strips.contains_key(&(n - 1)) { (void("br", &[])) }
            (inline(&with_minus(line)))
            @if let Some(strip) = strips.get(&n) { (strip) }
        }
    }
}
