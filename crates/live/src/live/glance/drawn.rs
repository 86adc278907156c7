//! A glance as lines of a terminal. A pure function: the same glance and size give the same lines.

mod hiring;
mod lower;
mod pieces;

use unicode_width::UnicodeWidthStr;

pub use self::pieces::{GlanceLine, Ink, ansi};
use self::pieces::{MARKERS, bar_of, cell, fitted, gauge, right, said, sparkline};
use super::{Glance, GlanceDifference, GlanceLane};
use crate::watch::Stage;
use crate::watch::rates::a_second;
use kleroterion_core::score::Direction;
use kleroterion_report::report::account::quoted;
use kleroterion_report::report::medium::hung;
use kleroterion_report::report::number::{brief, fixed, grouped, telling};
use kleroterion_report::report::plain;
use kleroterion_stats::{Standing, Verdict};

/// The size of the terminal and the reader's choices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GlanceView {
    /// The number of the terminal's columns.
    pub columns: usize,
    /// The number of the terminal's rows.
    pub rows: usize,
    /// True if the drawing is paused.
    pub is_paused: bool,
    /// True if the keys are explained.
    pub has_help: bool,
    /// True if the run is about to stop.
    pub is_stopping: bool,
}

/// The endings after which a lane's verdict says more than its ending.
const WELL: [&str; 3] = ["filled", "horizon", "source ended"];

/// The most lines of the answer.
const ANSWER: usize = 4;

/// The most programs whose last error line is shown.
const ERRORS: usize = 3;

/// The lines that explain the keys.
const HELP: [&str; 5] = [
    "q  stop the run, as Ctrl-C does: what has come is played and written; again: at once",
    "p  hold the drawing still; the run goes on",
    "1 to 9  show another measure",
    "?  show or hide this help",
    "The intervals hold at any time. A sparkline is the measure over all rounds so far.",
];

/// The widths of the columns of a lane.
struct Columns {
    label: usize,
    selected: usize,
    course: usize,
    value: usize,
    bar: usize,
    verdict: usize,
}

impl Columns {
    /// The columns of a terminal of this width; the bar and the course take what is left.
    fn of(glance: &Glance, columns: usize) -> Self {
        let longest = glance.lanes.iter().map(|lane| plain(&lane.label).width());
        let longest = longest.max().unwrap_or(0).max(6);
        let (selected, value, verdict) = (8, 9, 20);
        // Two for the marker, one between any two.
        let room = columns.saturating_sub(2 + selected + value + verdict + 5);
        let label = longest.min((room / 2).clamp(6, 32));
        let rest = room.saturating_sub(label);
        let course = (rest * 2 / 5).min(48);
        Self {
            label,
            selected,
            course,
            value,
            bar: rest.saturating_sub(course).min(80),
            verdict,
        }
    }
}

/// Draws the screen: as many lines as there are rows, none wider than the columns. `notes` are the
/// program's own lines, the latest last.
#[must_use]
pub fn drawn(glance: &Glance, notes: &[String], view: &GlanceView) -> Vec<GlanceLine> {
    let mut top = head(glance, view);
    let mut foot = flow(glance);
    if view.has_help {
        foot.extend(HELP.iter().map(|line| said(Ink::Faint, line)));
    }
    let keys = match glance.measures.len() {
        0 | 1 => "q stop   p pause   ? help".to_owned(),
        many => format!("q stop   p pause   1-{} measure   ? help", many.min(9)),
    };
    let keys = match (view.is_stopping, view.is_paused) {
        (true, _) => format!("stopping: what has come is played and written   {keys}"),
        (_, true) => format!("paused: the run goes on   {keys}"),
        _ => keys,
    };
    let last = said(Ink::Faint, &keys);
    // Lanes have all the room but four lines for notes, where there are some.
    let kept = notes.len().min(4);
    let room = |top: &[GlanceLine]| view.rows.saturating_sub(top.len() + foot.len() + kept + 2);
    let held = room(&top).saturating_sub(glance.lanes.len() + 2);
    top.extend(hiring::round(glance, view.columns, held));
    top.extend(asked(glance));
    let left = room(&top);
    if has_lanes(glance) {
        top.extend(lanes(glance, view.columns, left));
    }
    let left = room(&top).saturating_sub(1);
    top.extend(lower::parts(glance, view.columns, left));
    top.push(Vec::new());
    top.append(&mut foot);
    let room = view.rows.saturating_sub(top.len() + 1);
    let latest = notes.len().saturating_sub(room);
    let notes = notes[latest..].iter();
    top.extend(notes.map(|note| said(Ink::Faint, note)));
    top.truncate(view.rows.saturating_sub(1));
    top.resize(view.rows.saturating_sub(1), Vec::new());
    top.push(last);
    let fitted = top.into_iter().map(|line| fitted(line, view.columns));
    fitted.take(view.rows).collect()
}

/// An approximate time in one unit.
fn time(seconds: f64) -> String {
    match seconds {
        _ if seconds < 90.0 => format!("{} s", seconds.ceil()),
        _ if seconds < 5_400.0 => format!("{} min", (seconds / 60.0).round()),
        _ => format!("{} h", grouped((seconds / 3_600.0).round() as u64)),
    }
}

/// The name, the stage and the verdict in a sentence.
fn head(glance: &Glance, view: &GlanceView) -> Vec<GlanceLine> {
    let stage = match glance.stage {
        _ if view.is_stopping => "stopping",
        Stage::Replaying => "replaying the journal",
        Stage::Following => "following",
        Stage::Over => "over: no policy plays any more",
    };
    let rate = glance.rate.map(|rate| format!(", {}", a_second(rate)));
    let rate = rate.unwrap_or_default();
    let seats = glance.seats.map_or_else(String::new, |seats| {
        format!("; {} seats for each policy", grouped(seats))
    });
    let left = glance.left.filter(|_| glance.stage == Stage::Following);
    let left = left.map_or_else(String::new, |left| format!("; about {} left", time(left)));
    let people = format!(
        "{stage}; {} people{rate}{seats}{left}",
        grouped(glance.came)
    );
    let verdict = match (&glance.hiring, glance.headline.as_str()) {
        (Some(round), _) => format!("{}.", round.headline),
        (None, "") => "Nothing is compared yet.".to_owned(),
        (None, headline) => format!("{headline}."),
    };
    let mut lines = vec![vec![
        (Ink::Strong, plain(&glance.name)),
        (Ink::Faint, format!("   {people}")),
    ]];
    let mut verdict = hung(&plain(&verdict), view.columns.max(1), "");
    // What is left of an answer that is too long is cut at the end of its last line.
    let most = (view.rows / ANSWER).clamp(1, ANSWER);
    let rest = verdict.split_off(most.min(verdict.len()) - 1).join(" ");
    lines.extend(
        verdict
            .into_iter()
            .chain([rest])
            .map(|line| vec![(Ink::Strong, line)]),
    );
    lines.push(Vec::new());
    lines
}

/// The measures with their numbers, the one that is shown first with its better side, and the policy
/// that differences are from.
fn asked(glance: &Glance) -> Vec<GlanceLine> {
    let Some((measure, direction)) = &glance.measure else {
        return Vec::new();
    };
    let side = match direction {
        Direction::Lower => " (less is better)",
        Direction::Higher => " (more is better)",
        Direction::None => "",
    };
    let lanes = glance.lanes.iter();
    let mut known = lanes.filter_map(|lane| lane.difference.as_ref());
    let within = match known.any(|difference| difference.interval.is_some()) {
        true => ", with intervals",
        false => "",
    };
    let from = glance.baseline.as_ref();
    let from = from.map(|base| format!("differences from {}{within}", quoted(base)));
    if glance.measures.len() < 2 {
        let from = from.map_or_else(String::new, |from| format!("; {from}"));
        return vec![said(Ink::Faint, &format!("{measure}{side}{from}"))];
    }
    let tab = |(at, name): (usize, &String)| match at == glance.shown {
        true => (
            Ink::Strong,
            format!("[{}] {}{side}   ", at + 1, plain(name)),
        ),
        false => (Ink::Faint, format!("{} {}   ", at + 1, plain(name))),
    };
    let tabs = glance.measures.iter().enumerate().map(tab).collect();
    let from = from.map(|from| said(Ink::Faint, &from));
    std::iter::once(tabs).chain(from).collect()
}

/// The last decision, what holds the run back, and the last error lines of failed programs.
fn flow(glance: &Glance) -> Vec<GlanceLine> {
    let last = glance.last.as_deref().unwrap_or("none yet");
    let holds = match &glance.holds {
        Some((label, share)) => format!(
            "{}: the stream waits for it {} % of the time",
            quoted(label),
            brief(100.0 * share, 2)
        ),
        None => match glance.interviews {
            0 => "no lane".to_owned(),
            1 => "an interview that a person is to hold".to_owned(),
            many => format!("{} interviews that people are to hold", grouped(many)),
        },
    };
    let errors = glance.lanes.iter().filter_map(|lane| {
        let line = lane.error.as_ref()?;
        Some((
            "error line     ",
            format!("{}: {line}", quoted(&lane.label)),
        ))
    });
    let always = [
        ("last decision  ", last.to_owned()),
        ("holds back     ", holds),
    ];
    let parts = always.into_iter().chain(errors.take(ERRORS));
    parts
        .map(|(what, words)| vec![(Ink::Faint, what.to_owned()), (Ink::Plain, plain(&words))])
        .collect()
}

/// Returns true if the lanes say more than the table of applicants.
fn has_lanes(glance: &Glance) -> bool {
    let has_ended = |lane: &GlanceLane| lane.ended.is_some();
    glance.hiring.is_none() || glance.measure.is_some() || glance.lanes.iter().any(has_ended)
}

/// A head and one line per lane, in at most `room` lines.
fn lanes(glance: &Glance, columns: usize, room: usize) -> Vec<GlanceLine> {
    let widths = Columns::of(glance, columns);
    let over = match glance.seats {
        Some(seats) => match format!("of {}", grouped(seats)) {
            head if head.width() <= widths.course => head,
            _ => "seats".to_owned(),
        },
        None => "over the run".to_owned(),
    };
    let head = format!(
        "  {} {} {} {} {} {}",
        cell("policy", widths.label),
        right("selected", widths.selected),
        cell(&over, widths.course),
        right("now", widths.value),
        cell("difference", widths.bar),
        "verdict"
    );
    let shown = match glance.lanes.len() + 1 > room {
        true => room.saturating_sub(2),
        false => glance.lanes.len(),
    };
    let mut lines = vec![said(Ink::Faint, &head)];
    let most = scale(glance);
    let each = glance.lanes.iter().enumerate().take(shown);
    lines.extend(each.map(|(at, one)| lane(at, one, &widths, most, glance)));
    let rest = glance.lanes.len() - shown;
    if rest > 0 {
        lines.push(said(Ink::Faint, &format!("  \u{2026} and {rest} more")));
    }
    lines
}

fn lane(at: usize, lane: &GlanceLane, widths: &Columns, most: f64, glance: &Glance) -> GlanceLine {
    let ink = Ink::Policy(at);
    let value = lane.value.map_or_else(String::new, |value| brief(value, 4));
    let is_baseline = glance.baseline.as_ref() == Some(&lane.label);
    let verdict = match (&lane.difference, &lane.ended) {
        (_, Some(ended)) if !WELL.contains(&ended.as_str()) => {
            (Ink::Bad, format!("ended: {ended}"))
        }
        (None, _) if is_baseline => (Ink::Faint, "baseline".to_owned()),
        _ if lane.is_yardstick => (Ink::Faint, "yardstick".to_owned()),
        (Some(difference), _) => verdict(difference),
        _ => (Ink::Plain, String::new()),
    };
    let over = match glance.seats {
        Some(seats) => gauge(lane.selected as f64 / seats.max(1) as f64, widths.course),
        None => sparkline(&lane.course, widths.course),
    };
    let acts = if lane.acts { Ink::Strong } else { Ink::Plain };
    let bar = lane.difference.as_ref();
    let bar = bar.map_or_else(String::new, |of| bar_of(of, widths.bar, most));
    vec![
        (ink, format!("{} ", MARKERS[at % MARKERS.len()])),
        (acts, cell(&lane.label, widths.label) + " "),
        (
            Ink::Plain,
            right(&grouped(lane.selected), widths.selected) + " ",
        ),
        (ink, cell(&over, widths.course) + " "),
        (
            Ink::Plain,
            right(&value.replace('-', "\u{2212}"), widths.value) + " ",
        ),
        (ink, cell(&bar, widths.bar) + " "),
        (verdict.0, cell(&verdict.1, widths.verdict)),
    ]
}

/// The verdict's word, or the difference without a verdict.
fn verdict(difference: &GlanceDifference) -> (Ink, String) {
    let decimals = difference.interval.and_then(|(lo, hi)| telling(lo, hi));
    let mean = match decimals {
        Some(decimals) => fixed(difference.mean, decimals),
        None => brief(difference.mean, 3),
    };
    let mean = mean.replace('-', "\u{2212}");
    let said = difference.standing.with(difference.verdict.word());
    match (difference.standing, difference.verdict) {
        (Standing::Sure, Verdict::Better) => (Ink::Good, format!("{said} {mean}")),
        (Standing::Sure, Verdict::Worse) => (Ink::Bad, format!("{said} {mean}")),
        (_, Verdict::Undecided) => (Ink::Plain, format!("{said} {mean}")),
        (Standing::SoFar, _) => (Ink::Faint, format!("{said} {mean}")),
        _ => (Ink::Plain, said),
    }
}

/// The distance from 0 to the farthest end of all intervals.
fn scale(glance: &Glance) -> f64 {
    let differences = glance
        .lanes
        .iter()
        .filter_map(|lane| lane.difference.as_ref());
    let ends = differences.flat_map(|of| {
        let (lo, hi) = of.interval.unwrap_or((of.mean, of.mean));
        [lo.abs(), hi.abs(), of.mean.abs()]
    });
    ends.filter(|end| end.is_finite()).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests;
