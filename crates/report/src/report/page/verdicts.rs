//! The look of a verdict: its axis, its mark and its words, which tables, the matrix of pairs and
//! the figure's file share.

use maud::{Markup, PreEscaped, html};

use super::super::figure::{VerdictAxis, VerdictBar, VerdictLine, VerdictPanel, WIDE, marker_of};
use super::super::markup::text;
use super::{PolicyName, VerdictRow, Verdicts};
use kleroterion_stats::Standing;

/// The explanation of a yardstick, shown at its name.
const YARDSTICK: &str = "compared with the others, and never the answer";

impl Verdicts {
    /// The axis that all rows share, on pictures of this width.
    pub(super) fn axis(&self, wide: f64) -> VerdictAxis {
        let bars: Vec<VerdictBar> = self.rows.iter().filter_map(|row| row.bar).collect();
        VerdictAxis::over(&bars, self.direction, self.margin, wide)
    }

    /// Returns true if each row has a policy of its own to be compared with.
    pub(super) fn is_of_pairs(&self) -> bool {
        self.rows.iter().any(|row| row.against.is_some())
    }

    /// Returns the rows for a figure. `None` if nothing can be drawn.
    pub(crate) fn panel(&self) -> Option<VerdictPanel> {
        let is_drawn = |row: &&VerdictRow| row.bar.is_some() && row.verdict != "baseline";
        self.rows.iter().find(is_drawn)?;
        Some(VerdictPanel {
            title: format!("{}: {}", self.title, self.about),
            direction: self.direction,
            axis: self.axis(WIDE),
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
pub(super) fn within(interval: &str) -> String {
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
        "baseline" => ("base", "·"),
        "undecided" => ("open", "?"),
        _ => ("open", "–"),
    }
}

/// The sign of what was seen so far.
const SO_FAR: &str = "◦";

/// The mark of a row by how it stands: what is sure has the colour of its verdict, what is open is
/// grey, what was seen so far has a look of its own. A yardstick's is grey, because it answers
/// nothing.
pub(super) fn row_mark(row: &VerdictRow) -> (&'static str, &'static str) {
    let (class, sign) = mark(&row.verdict);
    match row.standing {
        Some(Standing::SoFar) => ("sofar", SO_FAR),
        _ if row.who.is_yardstick => ("open", sign),
        Some(Standing::Sure) => match class {
            "open" => ("shape", sign),
            class => (class, sign),
        },
        Some(Standing::Open) => ("open", sign),
        None => (class, sign),
    }
}

/// The verdict as all tables have it.
pub(super) fn said(row: &VerdictRow) -> String {
    match row.standing {
        Some(standing) => standing.with(&row.verdict),
        None => row.verdict.replace('_', " "),
    }
}

/// The verdict's word with its sign. What is sure is filled; on a yardstick nothing is.
pub(super) fn chip(row: &VerdictRow) -> Markup {
    let ((class, sign), words) = (row_mark(row), said(row));
    let is_filled = row.standing == Some(Standing::Sure) && !row.who.is_yardstick;
    let sure = if is_filled { " sure" } else { "" };
    html! {
        span class={ "verdict " (class) (sure) } {
            span aria-hidden="true" { (sign) } " "
            @match words.strip_prefix("sure: ").filter(|_| is_filled) {
                Some(word) => { span.unseen { "sure: " } (word) },
                None => (words),
            }
        }
    }
}

/// The name of a policy, with its mark.
pub(super) fn name(of: &PolicyName) -> Markup {
    html! {
        (PreEscaped(marker_of(of.look))) span { (text(&of.label)) }
        @if of.is_yardstick { " " span.yardstick title=(YARDSTICK) { "yardstick" } }
    }
}

/// Returns the name without marks.
pub(super) fn words_of(of: &PolicyName) -> String {
    match of.is_yardstick {
        true => format!("{} (yardstick)", of.label),
        false => of.label.clone(),
    }
}

/// The name by which a reader chooses a measure.
pub(super) fn chosen_by(of: &Verdicts) -> &str {
    of.title.split(" (").next().unwrap_or_default()
}

/// The end of a progress in words: `about 140 more`.
pub(super) fn brief(words: &str) -> &str {
    let more = words.split(": ").last().unwrap_or_default();
    more.strip_suffix(" may decide it").unwrap_or(more)
}
