//! Tables of papers' claims and our results.

use std::collections::BTreeMap;

use maud::{Markup, PreEscaped, html};

use super::super::markup::{text, void};
use super::super::number::with_minus;
use super::pieces::{
    PageExtra, PageNumbers, STUDIES, card_cell, card_heads, inline, lines, link, verdict,
};
use super::strip::{PageStrip, scales, strip_svg};
use super::{ClaimFinding, Link, PageClaim, PageClaims, Picture};

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

/// A list of studies, with its filters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PageStudies {
    /// The studies in their order.
    pub studies: Vec<PageStudy>,
}

/// A study in a list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PageStudy {
    /// The page of the study.
    pub page: Link,
    /// The paper, in a word.
    pub paper: String,
    /// The subject of the study, in a line.
    pub about: String,
    /// The claims of the paper.
    pub claims: PageClaims,
}

/// The script that filters the list of studies.
const FILTER: PageExtra = PageExtra {
    style: "",
    script: include_str!("filter.js"),
};

/// Returns a chip with the count of each verdict that was reached. Short chips show signs in place
/// of words.
pub(super) fn chips_html<'a>(
    findings: impl Iterator<Item = &'a ClaimFinding> + Clone,
    is_short: bool,
) -> Markup {
    let counts = counts(findings);
    html! {
        ul.chips {
            @for (kind, count) in &counts {
                @let (class, sign) = mark(kind);
                li class={ "chip " (class) } title=[is_short.then_some(kind.word())] {
                    span aria-hidden="true" { (sign) } " " (count) " "
                    span class=[is_short.then_some("unseen")] { (text(kind.word())) }
                }
            }
        } "\n"
    }
}

fn counts<'a>(
    findings: impl Iterator<Item = &'a ClaimFinding> + Clone,
) -> Vec<(ClaimFinding, usize)> {
    let kinds = ClaimFinding::kinds().into_iter();
    let counts = kinds.map(|kind| {
        let count = kind.count(findings.clone());
        (kind, count)
    });
    counts.filter(|(_, count)| *count > 0).collect()
}

/// The list, under what filters it; without a script the whole list.
pub(super) fn studies_html(list: &PageStudies, numbers: &mut PageNumbers) -> Markup {
    numbers.need(STUDIES);
    numbers.need(FILTER);
    html! {
        (filter_html(list))
        ol.studies { "\n"
            @for study in &list.studies { (study_html(study, numbers)) }
        } "\n"
    }
}

/// The filter; the script shows it.
fn filter_html(list: &PageStudies) -> Markup {
    let all = || list.studies.iter().flat_map(|study| &study.claims.claims);
    let mut papers: Vec<&str> = list.studies.iter().map(|study| &*study.paper).collect();
    papers.dedup();
    html! {
        form class="filter" hidden="hidden" { "\n"
            fieldset { legend { "Verdict" }
                @for (kind, count) in counts(all().map(|claim| &claim.finding)) {
                    label {
                        (void("input", &[("type", "checkbox"), ("name", "verdict"), ("value", kind.word())]))
                        span class={ "verdict " (mark(&kind).0) } {
                            span aria-hidden="true" { (mark(&kind).1) } " " (text(kind.word()))
                        }
                        "(" (count) ")"
                    } "\n"
                }
            } "\n"
            label { "Paper "
                select name="paper" {
                    option value="" { "all" }
                    @for paper in papers { option value=(text(paper)) { (text(paper)) } }
                }
            } "\n"
            label { "Search " (void("input", &[("type", "search"), ("name", "q")])) } "\n"
            p role="status" {} "\n"
        } "\n"
    }
}

fn study_html(study: &PageStudy, numbers: &mut PageNumbers) -> Markup {
    let claims = &study.claims.claims;
    let sentences = match claims.len() {
        1 => "1 sentence".to_owned(),
        n => format!("{n} sentences"),
    };
    html! {
        li.study data-paper=(text(&study.paper)) { "\n"
            h3 { (link(&study.page)) } "\n"
            p { (inline(&study.about)) } "\n"
            (chips_html(claims.iter().map(|claim| &claim.finding), true))
            details { "\n"
                summary { (sentences) span.unseen { " of " (text(&study.page.text)) } } "\n"
                (claims_html(&study.claims, numbers))
            } "\n"
        } "\n"
    }
}
