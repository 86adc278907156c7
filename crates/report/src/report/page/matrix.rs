//! Pairs as a matrix: the policies best first, and in each cell the row's policy less the column's.

use maud::{Markup, html};

use super::super::figure::shortened;
use super::super::markup::text;
use super::pieces::{PageExtra, PageNumbers};
use super::verdicts::{brief, chosen_by, name, row_mark, said, within};
use super::{PolicyName, VerdictRow, Verdicts};
use crate::limits::MOST_MATRIX_POLICIES;
use kleroterion_stats::Standing;

/// The fewest pairs of a matrix; fewer are a table of rows.
const LEAST_PAIRS: usize = 4;
/// The fewest policies of a matrix, however small the page must be.
const LEAST_POLICIES: usize = 4;

/// The size of a column's head, and the room for it on two lines.
const HEAD: (f64, f64) = (13.0, 120.0);

/// The layout of a matrix, and its script, which reads a cell and chooses a row on a phone.
const MATRIX: PageExtra = PageExtra {
    style: include_str!("matrix.css"),
    script: include_str!("matrix.js"),
};

/// Returns true if all pairs of the policies are compared, and there are enough for a matrix.
pub(super) fn is_matrix(of: &Verdicts) -> bool {
    let (pairs, many) = (of.rows.len(), of.policies.len());
    pairs >= LEAST_PAIRS && 2 * pairs == many * many.saturating_sub(1)
}

/// The matrix, with a line below it that reads out the cell with the focus.
pub(super) fn matrix_html(of: &Verdicts, numbers: &mut PageNumbers) -> Markup {
    numbers.need(MATRIX);
    let id = format!("matrix-{}", numbers.next_table());
    let most = numbers
        .most_rows
        .clamp(LEAST_POLICIES, MOST_MATRIX_POLICIES);
    let shown = &of.policies[..of.policies.len().min(most)];
    html! {
        div.k-matrix.klero-figure data-measure=(text(chosen_by(of))) { "\n"
            p id=(id) {
                b title=(text(&of.measure)) { (text(&of.title)) } ": row less column; " (text(&of.about)) "."
                @if most < of.policies.len() {
                    " The best " (most) " of " (of.policies.len()) " policies."
                }
            } "\n"
            label.k-row hidden="hidden" {
                "Policy " select { @for policy in shown { option { (text(&policy.label)) } } }
            } "\n"
            table role="grid" aria-labelledby=(id) { "\n"
                thead role="rowgroup" { tr role="row" {
                    td role="columnheader" { span.unseen { "Policy" } }
                    @for policy in shown {
                        th role="columnheader" scope="col" class={ "n-" (policy.look + 1) } title=(text(&policy.label)) {
                            (text(&shortened(&policy.label, HEAD.0, HEAD.1)))
                        }
                    }
                } } "\n"
                tbody role="rowgroup" { "\n"
                    @for (at, policy) in shown.iter().enumerate() { (row_html(of, policy, shown, at == 0)) }
                } "\n"
            } "\n"
            p.k-read aria-live="polite" { "Filled: sure. Dashed: open, or a fact so far. Pointer or arrow keys read a cell." } "\n"
        } "\n"
    }
}

fn row_html(of: &Verdicts, policy: &PolicyName, shown: &[PolicyName], is_first: bool) -> Markup {
    let class = format!(
        "n-{}{}",
        policy.look + 1,
        if is_first { " k-at" } else { "" }
    );
    html! {
        tr role="row" class=(class) {
            th role="rowheader" scope="row" { (name(policy)) }
            @for (at, other) in shown.iter().enumerate() {
                @let key = if is_first && at == usize::from(shown.len() > 1) { "0" } else { "-1" };
                (cell_html(of, policy, other, key))
            }
        } "\n"
    }
}

fn cell_html(of: &Verdicts, policy: &PolicyName, other: &PolicyName, key: &str) -> Markup {
    let look = format!("n-{}", other.look + 1);
    let Some(row) = pair(of, policy, other) else {
        return html! { td role="gridcell" class={ "k-same " (look) } tabindex=(key) data-said=(text(&policy.label)) {} };
    };
    let (class, sign) = match policy.is_yardstick || other.is_yardstick {
        true => ("open", row_mark(&row).1),
        false => row_mark(&row),
    };
    let difference = row.difference.split(" ± ").next().unwrap_or_default();
    let (filled, below) = match (row.standing, &row.progress) {
        (Some(Standing::Sure), _) => (" sure", format!("{sign} sure")),
        (_, Some(progress)) => ("", brief(&progress.words).replace("about ", "")),
        _ => ("", said(&row)),
    };
    html! {
        td role="gridcell" class={ (class) (filled) " " (look) } tabindex=(key)
            data-head=(text(&other.label)) data-said=(text(&read(&row, policy, other))) {
            b { (text(if difference.is_empty() { "–" } else { difference })) } " "
            span { (text(&below)) }
        }
    }
}

/// All that is known of a pair, in words.
fn read(row: &VerdictRow, policy: &PolicyName, other: &PolicyName) -> String {
    let numbers = [row.difference.clone(), within(&row.interval)].join(" ");
    let progress = row
        .progress
        .as_ref()
        .map(|progress| progress.words.as_str());
    let words = [
        numbers.trim(),
        &said(row),
        &row.counted,
        progress.unwrap_or(""),
        &row.note,
        &row.aside,
    ];
    let words: Vec<&str> = words
        .into_iter()
        .filter(|words| !words.is_empty())
        .collect();
    format!(
        "{} less {}: {}.",
        policy.label,
        other.label,
        words.join("; ")
    )
}

/// The comparison of two policies, from the side of the first.
fn pair(of: &Verdicts, a: &PolicyName, b: &PolicyName) -> Option<VerdictRow> {
    let find = |a: &PolicyName, b: &PolicyName| {
        let mut rows = of.rows.iter();
        rows.find(|row| row.who == *a && row.against.as_ref() == Some(b))
    };
    find(a, b).cloned().or_else(|| Some(turned(find(b, a)?)))
}

/// The comparison from the other side.
fn turned(row: &VerdictRow) -> VerdictRow {
    let ends = row.interval.split_once(" to ");
    let verdict = match &*row.verdict {
        "better" => "worse",
        "worse" => "better",
        other => other,
    };
    VerdictRow {
        difference: negated(&row.difference),
        interval: ends.map_or_else(String::new, |(lo, hi)| {
            format!("{} to {}", negated(hi), negated(lo))
        }),
        verdict: verdict.to_owned(),
        ..row.clone()
    }
}

/// A number with a sign, less than 0 if it was more.
fn negated(number: &str) -> String {
    match number.strip_prefix('+') {
        Some(rest) => format!("\u{2212}{rest}"),
        None => number.replacen('\u{2212}', "+", 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_from_the_other_side_has_other_signs() {
        let row = VerdictRow {
            difference: "\u{2212}0.75 ± 0.62".into(),
            interval: "\u{2212}2.00 to +0.50".into(),
            verdict: "worse".into(),
            ..VerdictRow::default()
        };
        let other = turned(&row);
        assert_eq!(
            [&*other.difference, &other.interval, &other.verdict],
            ["+0.75 ± 0.62", "\u{2212}0.50 to +2.00", "better"]
        );
        assert_eq!(turned(&other), row);
        assert_eq!(negated("0"), "0");
        assert_eq!(turned(&VerdictRow::default()), VerdictRow::default());
    }
}
