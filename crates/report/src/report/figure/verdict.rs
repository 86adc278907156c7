//! The bar of a verdict's row: a difference with its standard error and its interval, on an axis
//! that all rows of a measure share.
//!
//! A row is a small picture of its own, so that it fits a cell of a table. What lies behind the
//! bars (the better side, the margin, zero) is drawn far above and below, and is cut by the cell.

use super::super::markup::{at, escape, px};
use super::super::number::{reach, shown};
use super::look::SeriesLook;
use super::palette::{GRID, INK, MUTED, SHADES};
use super::places::width;
use super::series::{coloured, markers};
use super::ticks::{Tick, linear};
use kleroterion_core::score::Direction;

/// The widths of a bar's picture where two measures share a row, and where one has it alone.
pub(crate) const NARROW: f64 = 228.0;
pub(crate) const WIDE: f64 = 366.0;
/// The height of a bar's picture.
pub(super) const HIGH: f64 = 26.0;
/// The height of the axis.
pub(super) const AXIS: f64 = 22.0;
/// Free room left and right of the axis.
const PAD: f64 = 12.0;
/// The distance that the background of the bars reaches beyond a row.
const BEYOND: f64 = 400.0;
/// An interval is on the axis where both its ends are near the differences: at most this many
/// times their breadth away.
const REACH: f64 = 1.5;
/// A difference that is this many times as large as the next smaller one is beyond the axis, and so
/// are all larger ones: the others would be squashed.
const FAR: f64 = 8.0;
/// The size of the numbers on the axis.
const SIZE: f64 = 12.0;

/// A difference to be drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VerdictBar {
    /// The mean difference.
    pub mean: f64,
    /// The standard error.
    pub se: Option<f64>,
    /// The lower and the upper end of the interval.
    pub limits: Option<(f64, f64)>,
}

impl VerdictBar {
    /// The ends of the inner bar.
    fn inner(&self) -> [f64; 2] {
        let se = self.se.unwrap_or(0.0);
        [self.mean - se, self.mean + se]
    }

    /// The size of the difference, as large as its own spread leaves open.
    fn size(&self) -> f64 {
        let half = self.limits.map_or(0.0, |(lo, hi)| (hi - lo) / 2.0);
        self.mean.abs() + self.se.map_or(half, |se| 3.0 * se)
    }
}

/// The axis that all rows of a measure share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct VerdictAxis {
    pub(super) lo: f64,
    pub(super) hi: f64,
    direction: Direction,
    margin: Option<f64>,
    /// The width of the picture.
    pub(super) wide: f64,
}

impl VerdictAxis {
    /// The axis over some differences, on a picture of this width: it holds 0, the means with their
    /// standard errors, and the intervals and the margin that are near to them. One interval or one
    /// difference that is far wider than the rest squashes nothing.
    pub(crate) fn over(
        bars: &[VerdictBar],
        direction: Direction,
        margin: Option<f64>,
        wide: f64,
    ) -> Self {
        let near = nearest(bars);
        let bars = || near.iter();
        let mut ends: Vec<f64> = bars().flat_map(VerdictBar::inner).chain([0.0]).collect();
        let reached = |ends: &[f64]| reach(ends.iter().copied());
        let is_flat = |ends: &[f64]| reached(ends).1 - reached(ends).0 < f64::MIN_POSITIVE;
        // Without a standard error the narrowest interval says what is near.
        if bars().all(|bar| bar.se.is_none_or(|se| se == 0.0)) || is_flat(&ends) {
            let by_breadth = |a: &&VerdictBar, b: &&VerdictBar| {
                let wide = |bar: &VerdictBar| bar.limits.map_or(f64::INFINITY, |(lo, hi)| hi - lo);
                wide(a).total_cmp(&wide(b))
            };
            let narrowest = bars().min_by(by_breadth).and_then(|bar| bar.limits);
            ends.extend(narrowest.into_iter().flat_map(|(lo, hi)| [lo, hi]));
        }
        if is_flat(&ends) {
            let room = margin.unwrap_or(1.0);
            ends.extend([-room, room]);
        }
        let (lo, hi) = reached(&ends);
        let room = REACH * (hi - lo);
        let is_near = |(from, to): &(f64, f64)| lo - room <= *from && *to <= hi + room;
        let limits = bars().filter_map(|bar| bar.limits);
        let limits = limits.chain(margin.map(|margin| (-margin, margin)));
        ends.extend(limits.filter(is_near).flat_map(|(lo, hi)| [lo, hi]));
        let (lo, hi) = reached(&ends);
        let pad = 0.04 * (hi - lo);
        Self {
            lo: lo - pad,
            hi: hi + pad,
            direction,
            margin,
            wide,
        }
    }

    /// The place of a value, at most at the edge.
    fn at(&self, value: f64) -> f64 {
        let share = (value - self.lo) / (self.hi - self.lo);
        PAD + share.clamp(0.0, 1.0) * (self.wide - 2.0 * PAD)
    }

    /// Returns the background of the bars, from `top` down to `bottom`: the better side, the margin
    /// and the zero line.
    pub(super) fn ground(&self, top: f64, bottom: f64) -> String {
        let zero = self.at(0.0);
        let high = px(bottom - top);
        let mut svg = String::new();
        let better = match self.direction {
            Direction::Lower => Some((0.0, zero)),
            Direction::Higher => Some((zero, self.wide)),
            Direction::None => None,
        };
        if let Some((left, right)) = better {
            let green = SHADES[0][0].0;
            let (x, y, wide) = (px(left), px(top), px(right - left));
            svg += &format!(
                r#"<rect class="f-b1" fill="{green}" fill-opacity=".7" x="{x}" y="{y}" width="{wide}" height="{high}"/>"#
            );
        }
        if let Some(margin) = self.margin {
            let (left, right) = (self.at(-margin), self.at(margin));
            let (x, y, wide) = (px(left), px(top), px((right - left).max(1.0)));
            svg += &format!(
                r#"<rect class="f-muted" fill="{MUTED}" fill-opacity=".2" x="{x}" y="{y}" width="{wide}" height="{high}"/>"#
            );
        }
        let d = format!("M{}v{high}", at(zero, top));
        svg + &format!(r#"<path class="l-ink" fill="none" stroke="{INK}" d="{d}"/>"#)
    }

    /// The bar of a row around a height; `look` is that of its policy.
    pub(super) fn bar(&self, bar: &VerdictBar, look: usize, y: f64) -> String {
        if !is_drawable(bar) {
            return String::new();
        }
        if bar.mean < self.lo || bar.mean > self.hi {
            return self.beyond(bar.mean, y);
        }
        let mut shapes = String::new();
        if let Some(limits) = bar.limits {
            let path = self.outer(limits, y);
            shapes += &format!(r#"<path fill="none" stroke-width="1.75" d="{path}"/>"#);
        }
        let mean = self.at(bar.mean);
        if bar.se.is_some_and(|se| se > 0.0) {
            let [left, right] = bar.inner().map(|end| self.at(end));
            let (bar, tick) = (at(left, y), at(mean, y - 7.5));
            shapes += &format!(
                r#"<path fill="none" stroke-width="8" d="M{bar}H{}"/><path fill="none" stroke-width="2" d="M{tick}v15"/>"#,
                px(right)
            );
        } else {
            shapes += &markers(SeriesLook::of(look), &[(mean, y)], 4.2);
        }
        coloured(look, &shapes)
    }

    /// The difference of a row that is beyond the axis, with an arrow that points to it.
    fn beyond(&self, mean: f64, y: f64) -> String {
        let number = shown(mean.abs(), None);
        let (x, anchor, words) = match mean < 0.0 {
            true => (PAD, "start", format!("\u{2190} \u{2212}{number}")),
            false => (self.wide - PAD, "end", format!("+{number} \u{2192}")),
        };
        let (x, y) = (px(x), px(y + 4.5));
        format!(
            r#"<text class="f-ink" fill="{INK}" font-size="{SIZE}" font-weight="600" text-anchor="{anchor}" x="{x}" y="{y}">{words}</text>"#
        )
    }

    /// The line of an interval: a cap at each end, or an arrow where it goes on beyond the axis.
    fn outer(&self, (lo, hi): (f64, f64), y: f64) -> String {
        let ends = [
            (lo, lo < self.lo, 0.0, 6.0),
            (hi, hi > self.hi, self.wide, -6.0),
        ];
        let places = ends.map(|(end, is_cut, edge, _)| if is_cut { edge } else { self.at(end) });
        let mut path = format!("M{} {}H{}", px(places[0]), px(y), px(places[1]));
        for ((_, is_cut, _, inward), place) in ends.into_iter().zip(places) {
            let back = place + inward;
            path += &match is_cut {
                true => {
                    let [above, below] = [y - 4.5, y + 4.5].map(|y| at(back, y));
                    format!("M{above}L{}L{below}", at(place, y))
                }
                false => format!("M{}v8", at(place, y - 4.0)),
            };
        }
        path
    }

    /// The ticks, as many as their labels have room for.
    fn ticks(&self) -> Vec<Tick> {
        let apart = |ticks: &[Tick]| {
            let rooms = ticks.iter().map(|tick| {
                let half = width(tick.label.as_deref().unwrap_or(""), SIZE) / 2.0;
                (self.at(tick.value) - half, self.at(tick.value) + half)
            });
            let rooms: Vec<(f64, f64)> = rooms.collect();
            rooms.windows(2).all(|pair| pair[0].1 + 8.0 <= pair[1].0)
        };
        let ticks = |most| linear(self.lo, self.hi, most);
        let most = (2..=6).rev().find(|most| apart(&ticks(*most)));
        ticks(most.unwrap_or(2))
    }

    /// The axis below the rows, from `top` on.
    pub(super) fn scale(&self, top: f64) -> String {
        let (mut path, mut labels) = (format!("M0 {}H{}", px(top), px(self.wide)), String::new());
        for tick in self.ticks() {
            let x = self.at(tick.value);
            path += &format!("M{}v5", at(x, top));
            let label = escape(tick.label.as_deref().unwrap_or(""));
            let half = width(&label, SIZE) / 2.0;
            let x = x.clamp(half, self.wide - half);
            let y = px(top + 18.0);
            labels += &format!(r#"<text x="{}" y="{y}">{label}</text>"#, px(x));
        }
        format!(
            r#"<path class="l-muted" fill="none" stroke="{MUTED}" d="{path}"/><g class="f-muted" fill="{MUTED}" font-size="{SIZE}" text-anchor="middle">{labels}</g>"#
        )
    }

    /// The picture of a row on a page; its numbers are next to it.
    pub(crate) fn row(&self, bar: Option<&VerdictBar>, look: usize) -> String {
        let ground = self.ground(-BEYOND, HIGH + BEYOND);
        let shapes = bar.map_or(String::new(), |bar| self.bar(bar, look, HIGH / 2.0));
        picture([self.wide, HIGH], &(ground + &shapes))
    }

    /// The picture of the axis on a page.
    pub(crate) fn foot(&self) -> String {
        picture([self.wide, AXIS], &self.scale(0.5))
    }
}

/// The better side's name, with an arrow that points to it.
pub(crate) fn better_side(direction: Direction) -> Option<&'static str> {
    match direction {
        Direction::Lower => Some("\u{2190} less is better"),
        Direction::Higher => Some("more is better \u{2192}"),
        Direction::None => None,
    }
}

/// Returns a thin bar for the share done, within a figure or a table of verdicts.
pub(crate) fn progress(seen: u64, whole: u64) -> String {
    let share = seen as f64 / (whole.max(1) as f64);
    let wide = px(100.0 * share.clamp(0.0, 1.0));
    format!(
        r#"<svg aria-hidden="true" viewBox="0 0 100 6" preserveAspectRatio="none"><path class="l-grid" fill="none" stroke="{GRID}" stroke-width="6" d="M0 3H100"/><path class="l-muted" fill="none" stroke="{MUTED}" stroke-width="6" d="M0 3H{wide}"/></svg>"#
    )
}

/// The marker of a policy, to go before its name, within a figure or a table of verdicts.
pub(crate) fn marker_of(look: usize) -> String {
    let marker = coloured(look, &markers(SeriesLook::of(look), &[(8.0, 8.0)], 5.0));
    format!(r#"<svg aria-hidden="true" width="16" height="16" viewBox="0 0 16 16">{marker}</svg>"#)
}

fn picture([wide, high]: [f64; 2], shapes: &str) -> String {
    let (wide, high) = (px(wide), px(high));
    format!(r#"<svg aria-hidden="true" viewBox="0 0 {wide} {high}">{shapes}</svg>"#)
}

/// The bars that can be drawn, without those that are far beyond the others.
fn nearest(bars: &[VerdictBar]) -> Vec<VerdictBar> {
    let drawable = bars.iter().copied().filter(is_drawable);
    let mut near: Vec<VerdictBar> = drawable.collect();
    near.sort_by(|a, b| a.mean.abs().total_cmp(&b.mean.abs()));
    let is_far = |pair: &[VerdictBar]| {
        let size = pair[0].size();
        size > 0.0 && pair[1].mean.abs() > FAR * size
    };
    if let Some(last) = near.windows(2).position(is_far) {
        near.truncate(last + 1);
    }
    near
}

fn is_drawable(bar: &VerdictBar) -> bool {
    let limits = bar.limits.unwrap_or_default();
    let all = [bar.mean, bar.se.unwrap_or(0.0), limits.0, limits.1];
    all.iter().all(|value| value.abs() < 1e100)
}

#[cfg(test)]
mod tests;
