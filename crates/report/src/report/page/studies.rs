//! A list of studies: one line each with its verdicts, and its sentences folded. A script filters
//! the list.

use maud::{Markup, html};

use super::super::markup::{text, void};
use super::claims::{claims_html, mark};
use super::pieces::{PageExtra, PageNumbers, STUDIES, inline, link};
use super::{ClaimFinding, Link, PageClaims};

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
