//! What was found: cards, tables of verdicts, lists of pages.

use maud::{Markup, html};

use super::super::markup::text;
use super::pieces::{card_cell, card_heads, verdict};
use super::{Mood, PageAnswer, VerdictRow, Verdicts};

/// The fewest comparisons shown of each measure, however small the page must be.
const LEAST_ROWS: usize = 20;

/// What is said of those who have been alike while more may come.
const EQUAL_SO_FAR: &str = "equal_so_far";

impl Verdicts {
    /// The same while more may come: then no two are identical yet.
    pub(crate) fn so_far(mut self) -> Self {
        for row in &mut self.rows {
            if row.verdict == "identical" {
                row.verdict = EQUAL_SO_FAR.into();
            }
        }
        self
    }
}

/// A card for each answer.
pub(crate) fn answers_html(answers: &[PageAnswer]) -> Markup {
    html! {
        div.answers { "\n"
            @for answer in answers {
                div class={ "answer " (class(answer.mood)) } { "\n"
                    p.question { (text(&answer.question)) } "\n"
                    h3 { (text(&answer.answer)) } "\n"
                    @for line in &answer.lines { p { (text(line)) } "\n" }
                } "\n"
            }
        } "\n"
    }
}

fn class(mood: Mood) -> &'static str {
    match mood {
        Mood::Settled => "settled",
        Mood::Told => "told",
        Mood::Open => "unsettled",
    }
}

/// The class and the sign of a verdict's word.
pub(super) fn mark(verdict: &str) -> (&'static str, &'static str) {
    match verdict {
        "better" => ("yes", "✓"),
        "worse" => ("no", "✗"),
        "differs" => ("shape", "≠"),
        "equivalent" => ("shape", "≈"),
        "identical" => ("shape", "="),
        EQUAL_SO_FAR => ("open", "="),
        "baseline" => ("open", "·"),
        "undecided" => ("open", "?"),
        _ => ("open", "–"),
    }
}

/// A table on a wide screen, a card a comparison on a phone; of very many the first.
pub(crate) fn verdicts_html(verdicts: &Verdicts, most_rows: usize) -> Markup {
    let most = most_rows.max(LEAST_ROWS);
    let all = verdicts.rows.len();
    html! {
        table class="claims verdicts" role="table" { "\n"
            caption {
                (text(&verdicts.caption))
                @if all > most {
                    " " span.note { "The first " (most) " of " (all) "; all are in summary.json." }
                }
            } "\n"
            (card_heads(["Policy", "Difference", "Interval", "Verdict"])) "\n"
            tbody role="rowgroup" { "\n"
                @for row in verdicts.rows.iter().take(most) { (row_html(row)) }
            } "\n"
        } "\n"
    }
}

fn row_html(row: &VerdictRow) -> Markup {
    let given = |words: &str| text(if words.is_empty() { "–" } else { words });
    let verdict = html! {
        (verdict(mark(&row.verdict), &row.verdict.replace('_', " ")))
        @if !row.note.is_empty() { span.why { (text(&row.note)) } }
    };
    html! {
        tr role="row" {
            th scope="row" role="rowheader" { (text(&row.who)) }
            (card_cell("Difference", given(&row.difference)))
            (card_cell("Interval", given(&row.interval)))
            (card_cell("Verdict", verdict))
        } "\n"
    }
}
