//! What was found: cards, tables of verdicts, lists of pages.

use super::super::markup::escape;
use super::html::{inline, link};
use super::{Answer, Link, Mood, VerdictRow, Verdicts};

/// So many comparisons are shown of each measure, however small the page must be.
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
pub(crate) fn answers_html(answers: &[Answer]) -> String {
    let cards = answers.iter().map(|answer| {
        let class = match answer.mood {
            Mood::Settled => "settled",
            Mood::Told => "told",
            Mood::Open => "unsettled",
        };
        let lines = answer.lines.iter().map(|line| format!("<p>{}</p>\n", escape(line)));
        let lines: String = lines.collect();
        format!(
            "<div class=\"answer {class}\">\n<p class=\"question\">{}</p>\n<h3>{}</h3>\n{lines}</div>\n",
            escape(&answer.question),
            escape(&answer.answer)
        )
    });
    let cards: String = cards.collect();
    format!("<div class=\"answers\">\n{cards}</div>\n")
}

/// The class and the sign of a verdict's word.
fn mark(verdict: &str) -> (&'static str, &'static str) {
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
pub(crate) fn verdicts_html(verdicts: &Verdicts, most_rows: usize) -> String {
    let heads = ["Policy", "Difference", "Interval", "Verdict"];
    let heads = heads.map(|head| format!("<th scope=\"col\" role=\"columnheader\">{head}</th>"));
    let most = most_rows.max(LEAST_ROWS);
    let rows: String = verdicts.rows.iter().take(most).map(row_html).collect();
    let all = verdicts.rows.len();
    let note = match all > most {
        true => format!(
            " <span class=\"note\">The first {most} of {all}; all are in summary.json.</span>"
        ),
        false => String::new(),
    };
    format!(
        "<table class=\"claims verdicts\" role=\"table\">\n<caption>{}{note}</caption>\n\
         <thead role=\"rowgroup\"><tr role=\"row\">{}</tr></thead>\n\
         <tbody role=\"rowgroup\">\n{rows}</tbody>\n</table>\n",
        escape(&verdicts.caption),
        heads.concat()
    )
}

fn row_html(row: &VerdictRow) -> String {
    let cell = |head: &str, text: &str| {
        let text = if text.is_empty() { "–" } else { text };
        format!(
            "<td role=\"cell\" data-head=\"{head}\"><span>{}</span></td>",
            escape(text)
        )
    };
    let (class, sign) = mark(&row.verdict);
    let note = match row.note.as_str() {
        "" => String::new(),
        note => format!("<span class=\"why\">{}</span>", escape(note)),
    };
    format!(
        "<tr role=\"row\"><th scope=\"row\" role=\"rowheader\">{}</th>{}{}\
         <td role=\"cell\" data-head=\"Verdict\"><span><span class=\"verdict {class}\">\
         <span aria-hidden=\"true\">{sign}</span> {}</span>{note}</span></td></tr>\n",
        escape(&row.who),
        cell("Difference", &row.difference),
        cell("Interval", &row.interval),
        escape(&row.verdict.replace('_', " ")),
    )
}

/// A list of pages, each with what it says.
pub(super) fn pages_html(pages: &[(Link, Vec<String>)]) -> String {
    let items = pages.iter().map(|(to, lines)| {
        let lines = lines.iter().map(|line| format!("<p>{}</p>", inline(line)));
        format!("<li>{}{}</li>\n", link(to), lines.collect::<String>())
    });
    format!("<ul class=\"runs\">\n{}</ul>\n", items.collect::<String>())
}
