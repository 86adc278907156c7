//! Verdicts as tables: a row for each policy with its mean, its difference as a bar, and its
//! verdict. Eyes and screen readers get the same content.

use maud::{Markup, PreEscaped, html};

use super::super::figure::{
    VerdictAxis, VerdictBar, VerdictLine, VerdictPanel, better_side, marker_of, progress,
};
use super::super::markup::text;
use super::pieces::verdict;
use super::{PolicyName, Progress, VerdictPicture, VerdictRow, Verdicts};
use kleroterion_core::score::Direction;
use kleroterion_stats::Standing;

/// The fewest comparisons shown of each measure, however small the page must be.
const LEAST_ROWS: usize = 12;

/// The explanation of a yardstick, shown at its name.
const YARDSTICK: &str = "compared with the others, and never the answer";

impl Verdicts {
    /// The axis that all rows share.
    fn axis(&self) -> VerdictAxis {
        let bars: Vec<VerdictBar> = self.rows.iter().filter_map(|row| row.bar).collect();
        VerdictAxis::over(&bars, self.direction, self.margin)
    }

    /// Returns the rows for a figure. `None` if nothing can be drawn.
    pub(crate) fn panel(&self) -> Option<VerdictPanel> {
        let is_drawn = |row: &&VerdictRow| row.bar.is_some() && row.verdict != "baseline";
        self.rows.iter().find(is_drawn)?;
        Some(VerdictPanel {
            title: format!("{}: {}", self.title, self.about),
            direction: self.direction,
            axis: self.axis(),
            rows: self.rows.iter().map(line).collect(),
        })
    }
}

fn line(row: &VerdictRow) -> VerdictLine {
    let verdict = format!("{} {}", row_mark(row).1, said(row));
    let words = [&row.difference, &within(&row.interval), &verdict];
    let words = words.into_iter().filter(|words| !words.is_empty());
    let against = row.against.iter();
    let against: String = against
        .map(|other| format!(" against {}", words_of(other)))
        .collect();
    VerdictLine {
        name: words_of(&row.who) + &against,
        look: row.who.look,
        bar: row.bar,
        words: words.map(String::as_str).collect::<Vec<_>>().join(" "),
    }
}

/// An interval in brackets.
fn within(interval: &str) -> String {
    match interval {
        "" => String::new(),
        interval => format!("({interval})"),
    }
}

/// The class and the sign of a verdict's word.
pub(super) fn mark(verdict: &str) -> (&'static str, &'static str) {
    match verdict {
        "better" => ("yes", "✓"),
        "worse" => ("no", "✗"),
        "differs" => ("shape", "≠"),
        "equivalent" => ("shape", "≈"),
        "identical" => ("open", "="),
        "so_far" => ("sofar", SO_FAR),
        "baseline" => ("open", "·"),
        "undecided" => ("open", "?"),
        _ => ("open", "–"),
    }
}

/// The sign of what was seen so far.
const SO_FAR: &str = "◦";

/// The mark of a row by how it stands: what is sure has the colour of its verdict, what is open is
/// grey, what was seen so far has a look of its own. A yardstick's is grey, because it answers
/// nothing.
fn row_mark(row: &VerdictRow) -> (&'static str, &'static str) {
    let (class, sign) = mark(&row.verdict);
    match row.standing {
        Some(Standing::SoFar) => ("sofar", SO_FAR),
        _ if row.who.is_yardstick => ("open", sign),
        Some(Standing::Sure) => match class {
            "open" => ("shape", sign),
            class => (class, sign),
        },
        Some(Standing::Open) | None => ("open", sign),
    }
}

/// The verdict as all tables have it.
fn said(row: &VerdictRow) -> String {
    match row.standing {
        Some(standing) => standing.with(&row.verdict),
        None => row.verdict.replace('_', " "),
    }
}

/// A table for each measure, and what the bars are; on a phone each row is a card. Of very many
/// rows the first.
pub(crate) fn verdicts_html(picture: &VerdictPicture, most_rows: usize) -> Markup {
    html! {
        @for table in &picture.tables { (table_html(table, most_rows)) }
        @if !picture.about.is_empty() {
            p.about {
                (text(&picture.about))
                @if let Some(file) = &picture.file { " " a href=(text(file)) { (text(file)) } }
            } "\n"
        }
    }
}

fn table_html(verdicts: &Verdicts, most_rows: usize) -> Markup {
    let most = most_rows.max(LEAST_ROWS);
    let all = verdicts.rows.len();
    let axis = verdicts.axis();
    let is_drawn = verdicts.rows.iter().any(|row| row.bar.is_some());
    let class = match is_of_pairs(verdicts) {
        true => "verdicts pairs klero-figure",
        false => "verdicts klero-figure",
    };
    html! {
        table class=(class) role="table" data-measure=(text(&verdicts.title)) { "\n"
            caption {
                b title=(verdicts.measure) { (text(&verdicts.title)) } " " span.note { (text(&verdicts.about)) }
                @if all > most {
                    " " span.note { "The first " (most) " of " (all) "; all are in summary.json." }
                }
            } "\n"
            (head(verdicts, is_drawn)) "\n"
            tbody role="rowgroup" { "\n"
                @for row in verdicts.rows.iter().take(most) {
                    (row_html(row, verdicts, is_drawn.then_some(&axis)))
                }
            } "\n"
            @if is_drawn {
                tfoot aria-hidden="true" { tr {
                    td colspan=(1 + usize::from(verdicts.means.is_some())) {}
                    td.difference { span.interval { (PreEscaped(axis.foot())) } }
                    td {}
                } } "\n"
            }
        } "\n"
        @for note in &verdicts.notes {
            p.caveat data-measure=(text(&verdicts.title)) { (text(note)) } "\n"
        }
    }
}

fn head(verdicts: &Verdicts, is_drawn: bool) -> Markup {
    let side = better_side(verdicts.direction).filter(|_| is_drawn);
    let who = match is_of_pairs(verdicts) {
        true => "Pair",
        false => "Policy",
    };
    let class = match verdicts.direction {
        Direction::Lower => "side left",
        _ => "side right",
    };
    html! {
        thead role="rowgroup" { tr role="row" {
            th scope="col" role="columnheader" { (who) }
            @if let Some(head) = verdicts.means {
                th scope="col" role="columnheader" class="mean" { (head) }
            }
            th scope="col" role="columnheader" class="difference" {
                span.head { (text(&verdicts.against)) }
                @if let Some(side) = side { " " span class=(class) { (side) } }
            }
            th scope="col" role="columnheader" { "Verdict" }
        } }
    }
}

fn is_of_pairs(verdicts: &Verdicts) -> bool {
    verdicts.rows.iter().any(|row| row.against.is_some())
}

/// The role is spelled out because a table that is laid out as blocks loses it in some browsers.
fn row_html(row: &VerdictRow, of: &Verdicts, axis: Option<&VerdictAxis>) -> Markup {
    html! {
        tr role="row" class=(format!("n-{}", row.who.look + 1)) {
            th scope="row" role="rowheader" {
                (name(&row.who))
                @if let Some(other) = &row.against { span.against { "against " (name(other)) } }
            }
            @if let Some(head) = of.means {
                td role="cell" class="mean" data-head=(head) { (given(&row.mean)) }
            }
            td role="cell" class="difference" {
                span.numbers data-head=(of.against) {
                    span { (given(&row.difference)) }
                    @if !row.interval.is_empty() { " " span.within { (text(&within(&row.interval))) } }
                }
                @if let Some(axis) = axis {
                    span.interval { (PreEscaped(axis.row(row.bar.as_ref(), row.who.look))) }
                }
            }
            td role="cell" class="said" {
                (verdict(row_mark(row), &said(row)))
                @if let Some(progress) = &row.progress { " " (progress_html(progress)) }
                @if !row.note.is_empty() { " " span.why { (text(&row.note)) } }
            }
        } "\n"
    }
}

fn name(of: &PolicyName) -> Markup {
    html! {
        (PreEscaped(marker_of(of.look))) span { (text(&of.label)) }
        @if of.is_yardstick { " " span.yardstick title=(YARDSTICK) { "yardstick" } }
    }
}

/// Returns the name without marks.
fn words_of(of: &PolicyName) -> String {
    match of.is_yardstick {
        true => format!("{} (yardstick)", of.label),
        false => of.label.clone(),
    }
}

fn given(words: &str) -> Markup {
    text(if words.is_empty() { "–" } else { words })
}

fn progress_html(of: &Progress) -> Markup {
    html! {
        @if let Some(whole) = of.whole {
            span.progress { (PreEscaped(progress(of.seen, whole))) } " "
        }
        span.why { (text(&of.words)) }
    }
}
