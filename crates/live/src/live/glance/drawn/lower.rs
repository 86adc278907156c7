//! Below the lanes: the latest people with what each policy decided, and the course of the
//! difference that matters most.

use unicode_width::UnicodeWidthStr;

use super::super::{Glance, GlanceCourse};
use super::pieces::{GlanceLine, Ink, MARKERS, cell, right, said};
use kleroterion_report::report::number::{brief, grouped};
use kleroterion_report::report::plain;

/// The rows of the course.
const ROWS: usize = 6;
/// The least columns of both parts on one screen.
const BOTH: usize = 100;
/// The widest label of a policy, with its marker.
const LABEL: usize = 22;
/// The width of a round.
const ROUND: usize = 7;
/// The columns of the numbers to the left of the course.
const NUMBERS: usize = 9;

/// The parts that fit into `room` lines, side by side where the terminal is wide.
pub(super) fn parts(glance: &Glance, columns: usize, room: usize) -> Vec<GlanceLine> {
    let has_both = columns >= BOTH && glance.course.is_some();
    let width = if has_both { columns / 2 - 2 } else { columns };
    let people = people(glance, width);
    let course = match &glance.course {
        Some(course) if has_both => drawn(course, columns - width - 4),
        _ => Vec::new(),
    };
    let most = people.len().max(course.len());
    if most == 0 || room < most + 1 {
        return Vec::new();
    }
    let mut lines = vec![Vec::new()];
    for at in 0..most {
        let mut line = course.get(at).cloned().unwrap_or_default();
        if has_both {
            let taken: usize = line.iter().map(|(_, words)| words.width()).sum();
            let gap = (columns - width).saturating_sub(taken);
            line.push((Ink::Plain, " ".repeat(gap)));
        }
        line.extend(people.get(at).cloned().unwrap_or_default());
        lines.push(line);
    }
    lines
}

/// The latest people, a column each, and a row for each policy: filled where it chose.
fn people(glance: &Glance, width: usize) -> Vec<GlanceLine> {
    let labels = glance
        .lanes
        .iter()
        .map(|lane| plain(&lane.label).width() + 2);
    let label = labels.max().unwrap_or(0).clamp("last people".len(), LABEL);
    let fit = width.saturating_sub(label + 2) / ROUND;
    let skipped = glance.people.len().saturating_sub(fit);
    let shown = &glance.people[skipped..];
    if shown.is_empty() || fit == 0 {
        return Vec::new();
    }
    let who = shown
        .iter()
        .map(|people| cell(&people.who, ROUND - 1) + " ");
    let head = cell("last people", label) + "  " + &who.collect::<String>();
    let mut lines = vec![vec![(Ink::Faint, head)]];
    for (at, lane) in glance.lanes.iter().enumerate() {
        let sign = |chose: Option<bool>| match chose {
            Some(true) => "\u{25a0}",
            Some(false) => "\u{b7}",
            None => " ",
        };
        let signs = shown.iter().map(|people| {
            let chose = people.chose.get(lane.place).copied().flatten();
            cell(sign(chose), ROUND)
        });
        let marker = MARKERS[at % MARKERS.len()];
        lines.push(vec![
            (Ink::Policy(at), format!("{marker} ")),
            (Ink::Plain, cell(&lane.label, label - 2) + "  "),
            (Ink::Policy(at), signs.collect()),
        ]);
    }
    lines
}

/// A course in its band: a title, rows from high to low, and the numbers of rounds below.
fn drawn(course: &GlanceCourse, width: usize) -> Vec<GlanceLine> {
    let columns = width.saturating_sub(NUMBERS);
    let Some(last) = course.points.last().filter(|_| columns >= 10) else {
        return Vec::new();
    };
    // Early intervals are wide: the frame holds the second half.
    let late = course.points.iter().filter(|point| 2 * point.0 >= last.0);
    let ends = late.flat_map(|(_, mean, interval)| {
        let (lo, hi) = interval.unwrap_or((*mean, *mean));
        [lo, hi, *mean]
    });
    let (lo, hi) = ends.fold((0.0_f64, 0.0_f64), |(lo, hi), end| {
        (lo.min(end), hi.max(end))
    });
    if hi <= lo || !(hi - lo).is_finite() {
        return Vec::new();
    }
    let row = |value: f64| ((hi - value) / (hi - lo) * (ROWS - 1) as f64).round();
    let zero = row(0.0);
    let [first, base] = &course.sides;
    let title = format!("{} less {}", plain(first), plain(base));
    let mut lines = vec![said(Ink::Strong, &title)];
    let at = |column: usize| {
        let n = (column + 1) as f64 / columns as f64 * last.0 as f64;
        let before = course.points.iter().take_while(|point| point.0 as f64 <= n);
        before.last().or(course.points.first())
    };
    for line in 0..ROWS {
        let here = line as f64;
        let letter = |column: usize| {
            let (_, mean, interval) = at(column)?;
            let is_within = interval.is_some_and(|(lo, hi)| row(hi) <= here && here <= row(lo));
            Some(match (row(*mean) == here, is_within, zero == here) {
                (true, ..) => '\u{2022}',
                (_, true, _) => '\u{2591}',
                (_, _, true) => '\u{2500}',
                _ => ' ',
            })
        };
        let letters: String = (0..columns).filter_map(letter).collect();
        let number = match line {
            0 => brief(hi, 2),
            _ if here == zero => "0".to_owned(),
            _ if line == ROWS - 1 => brief(lo, 2),
            _ => String::new(),
        };
        let number = right(&number.replace('-', "\u{2212}"), NUMBERS - 2);
        lines.push(vec![(Ink::Faint, number + " "), (Ink::Plain, letters)]);
    }
    let sure = course
        .sure
        .map(|since| format!("   sure since {}", grouped(since)));
    let foot = format!("to {}{}", grouped(last.0), sure.unwrap_or_default());
    lines.push(said(Ink::Faint, &(" ".repeat(NUMBERS - 1) + &foot)));
    lines
}
