//! The findings in words: the sentence over all measures, and a line for each.

use maud::{Markup, html};

use super::super::markup::text;
use super::{Findings, MeasureFinding, Mood};

/// An answer of more bytes is set smaller.
const LONG: usize = 160;

/// The sentence, what else is to be said of it, and a line for each measure.
pub(crate) fn findings_html(found: &Findings) -> Markup {
    html! {
        div class={ "found " (class(found.mood)) } { "\n"
            @if !found.question.is_empty() { p.question { (text(&found.question)) } "\n" }
            @if !found.answer.is_empty() {
                @let class = if found.answer.len() > LONG { "answer long" } else { "answer" };
                p class=(class) { (text(&found.answer)) "." } "\n"
            }
            @for line in &found.lines { p { (text(line)) } "\n" }
            @if !found.measures.is_empty() {
                ul.findings { "\n" @for one in &found.measures { (finding(one)) } } "\n"
            }
        } "\n"
    }
}

fn finding(one: &MeasureFinding) -> Markup {
    html! {
        li class=(class(one.mood)) {
            (text(&one.measure)) " " span.note { "(" (text(&one.side)) "):" } " "
            b { (text(&one.answer)) } (text(&one.detail))
        } "\n"
    }
}

fn class(mood: Mood) -> &'static str {
    match mood {
        Mood::Settled => "settled",
        Mood::Differs => "differs",
        Mood::SoFar => "sofar",
        Mood::Open => "unsettled",
    }
}
