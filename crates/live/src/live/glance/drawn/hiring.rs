//! The applicants of a hiring round, and the money.

use unicode_width::UnicodeWidthStr;

use super::super::Glance;
use super::pieces::{GlanceLine, Ink, cell, said};
use kleroterion_report::report::plain;

/// The widest cell.
const WIDEST: usize = 34;

/// The facts of the round and its applicants, in at most `room` lines. Empty for other runs.
pub(super) fn round(glance: &Glance, columns: usize, room: usize) -> Vec<GlanceLine> {
    let Some(round) = &glance.hiring else {
        return Vec::new();
    };
    let lines = round.lines.iter().chain(&round.facts);
    let mut all: Vec<GlanceLine> = lines.map(|line| said(Ink::Faint, line)).collect();
    let widths = widths(&round.table, columns);
    let left = room.saturating_sub(all.len() + 2);
    for (at, row) in round.table.iter().take(left).enumerate() {
        let cells = row.iter().zip(&widths);
        let cells = cells.map(|(words, width)| cell(words, *width) + "  ");
        let ink = if at == 0 { Ink::Faint } else { Ink::Plain };
        let line: String = cells.collect();
        all.push(vec![(ink, line.trim_end().to_owned())]);
    }
    let rest = round.table.len().saturating_sub(left);
    if rest > 0 && left > 0 {
        all.push(said(Ink::Faint, &format!("\u{2026} and {rest} more")));
    }
    all.truncate(room.saturating_sub(1));
    all.push(Vec::new());
    all
}

/// The widths of the columns, none wider than its share of the terminal.
fn widths(table: &[Vec<String>], columns: usize) -> Vec<usize> {
    let count = table.iter().map(Vec::len).max().unwrap_or(0);
    let most = (columns / count.max(1)).clamp(6, WIDEST);
    let width = |at: usize| {
        let cells = table.iter().filter_map(|row| row.get(at));
        let widths = cells.map(|words| plain(words).width());
        widths.max().unwrap_or(0).min(most)
    };
    let mut widths: Vec<usize> = (0..count).map(width).collect();
    // The last column, which says what to do, has the rest.
    if let Some((last, others)) = widths.split_last_mut() {
        let taken: usize = others.iter().map(|width| width + 2).sum();
        *last = columns.saturating_sub(taken).max(6);
    }
    widths
}
