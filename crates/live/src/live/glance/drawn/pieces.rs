//! Pieces of lines: looks, words in cells of a width, bars.

use unicode_width::UnicodeWidthStr;

use super::super::GlanceDifference;
use kleroterion_report::report::plain;

/// The markers of policies, as figures have them.
pub(super) const MARKERS: [char; 9] = [
    '\u{25cf}', '\u{25a0}', '\u{25b2}', '\u{25c6}', '\u{25cb}', '\u{25a1}', '\u{25bc}', '\u{2715}',
    '\u{271a}',
];

/// The bars of a sparkline, from low to high.
const BARS: [char; 8] = [
    '\u{2581}', '\u{2582}', '\u{2583}', '\u{2584}', '\u{2585}', '\u{2586}', '\u{2587}', '\u{2588}',
];

/// The look of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// The look of ordinary text.
    Plain,
    /// Bold text.
    Strong,
    /// Pale text.
    Faint,
    /// The look of the better side.
    Good,
    /// The look of the worse side.
    Bad,
    /// The look of a policy, by its place among all labels.
    Policy(usize),
}

/// A line: pieces of text, each with its look.
pub type GlanceLine = Vec<(Ink, String)>;

/// A line in one look.
pub(super) fn said(ink: Ink, words: &str) -> GlanceLine {
    vec![(ink, plain(words))]
}

/// A difference and its interval on a line around 0.
pub(super) fn bar_of(difference: &GlanceDifference, width: usize, most: f64) -> String {
    if width < 3 || most <= 0.0 {
        return String::new();
    }
    let middle = (width - 1) as f64 / 2.0;
    let cell = |value: f64| {
        let place = middle + (value / most).clamp(-1.0, 1.0) * middle;
        (place.round() as usize).min(width - 1)
    };
    let mut cells = vec![' '; width];
    if let Some((lo, hi)) = difference.interval {
        cells[cell(lo)..=cell(hi)].fill('\u{2500}');
    }
    cells[cell(0.0)] = '\u{2502}';
    cells[cell(difference.mean)] = '\u{25cf}';
    cells.into_iter().collect()
}

/// A sparkline of the course, the latest value last. A level course is low.
pub(super) fn sparkline(course: &[f64], width: usize) -> String {
    let cells = course.len().min(width);
    let lo = course.iter().copied().fold(f64::INFINITY, f64::min);
    let hi = course.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let bar = |cell: usize| {
        let value = course[(cell + 1) * course.len() / cells - 1];
        let share = if hi > lo {
            (value - lo) / (hi - lo)
        } else {
            0.0
        };
        BARS[((share * 7.0).round() as usize).min(7)]
    };
    (0..cells).map(bar).collect()
}

/// A share of all cells of this width, filled from the left.
pub(super) fn gauge(share: f64, width: usize) -> String {
    let full = (share.clamp(0.0, 1.0) * width as f64).round() as usize;
    "\u{2588}".repeat(full) + &"\u{2591}".repeat(width - full)
}

/// The words in cells of this width. Longer words are cut.
pub(super) fn cell(words: &str, width: usize) -> String {
    let words = cut(&plain(words), width);
    let rest = width.saturating_sub(words.width());
    words + &" ".repeat(rest)
}

/// The words right-aligned in this width.
pub(super) fn right(words: &str, width: usize) -> String {
    let words = cut(words, width);
    " ".repeat(width.saturating_sub(words.width())) + &words
}

/// The words as far as they fit, with an ellipsis if they are cut.
pub(super) fn cut(words: &str, width: usize) -> String {
    if words.width() <= width {
        return words.to_owned();
    }
    let mut kept = String::new();
    for letter in words.chars() {
        let longer = format!("{kept}{letter}");
        if longer.width() + 1 > width {
            break;
        }
        kept = longer;
    }
    if width > 0 { kept + "\u{2026}" } else { kept }
}

/// The line, cut at the last column.
pub(super) fn fitted(line: GlanceLine, columns: usize) -> GlanceLine {
    let mut left = columns;
    let mut fitted = Vec::new();
    for (ink, words) in line {
        let words = cut(&words, left);
        left -= words.width();
        fitted.push((ink, words));
    }
    fitted
}

/// The lines as escape sequences for a terminal. Each starts in the first column and clears the
/// rest of its row.
#[must_use]
pub fn ansi(lines: &[GlanceLine], has_colour: bool) -> String {
    // Blue, yellow, green, magenta, and again in their bright forms.
    const COLOURS: [u8; 8] = [34, 33, 32, 35, 94, 93, 92, 95];
    let code = |ink: Ink| match ink {
        _ if !has_colour => None,
        Ink::Plain => None,
        Ink::Strong => Some(1),
        Ink::Faint => Some(2),
        Ink::Good => Some(32),
        Ink::Bad => Some(31),
        Ink::Policy(at) => Some(COLOURS[at % COLOURS.len()]),
    };
    let mut text = String::from("\u{1b}[H");
    for (at, line) in lines.iter().enumerate() {
        text += if at > 0 { "\r\n" } else { "" };
        for (ink, words) in line {
            match code(*ink) {
                Some(code) => text += &format!("\u{1b}[{code}m{words}\u{1b}[0m"),
                None => text += words,
            }
        }
        text += "\u{1b}[K";
    }
    text + "\u{1b}[J"
}
