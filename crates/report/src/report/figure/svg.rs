//! A whole figure: as a file of its own, or as part of a page.

use super::super::markup::{at, escape, px};
use super::super::number::{brief, minus, reach};
use super::frame::{self, START, muted};
use super::legend;
use super::look::FONT;
use super::palette::{INK, PAPER, style};
use super::panel::{PanelPlan, PanelRows};
use super::places::wrap;
use super::reading;
use super::ruler::{SIZE, WIDTH};
use super::sheet::{FigureSheet, SheetPanel, SheetSeries};
use super::{Axis, AxisScale, Figure, FigurePoint, Heat, Panel, SeriesKind};

/// Free room around a file's contents.
const MARGIN: f64 = 14.0;
/// The gap between panels.
const GUTTER: f64 = 28.0;
/// The size of a figure's title.
const TITLE: f64 = 15.0;

/// A figure with a panel of more series, or of more points in all, is drawn once: a second picture
/// would make the page too large.
const TWICE: usize = 16;
const POINTS: usize = 160;

impl Figure {
    /// Returns the figure as a complete SVG file, with style, title, notes, and a description for
    /// screen readers. It loads nothing from outside. The caption is for the text around it.
    pub fn svg(&self) -> String {
        let sheet = FigureSheet::of(self);
        let (plans, has_names) = plans(&sheet);
        let columns = match plans.len() {
            0 | 1 => 1,
            2 | 4 => 2,
            _ => 3,
        };
        let room = columns as f64 * (WIDTH + GUTTER) - GUTTER;
        let mut body = String::new();
        let mut y = 0.0;
        for line in wrap(&self.title, TITLE, room) {
            y += 20.0;
            let (foot, line) = (px(y - 4.0), escape(&line));
            body += &format!(
                r#"<text class="f-ink" fill="{INK}" font-size="{TITLE}" font-weight="600" y="{foot}">{line}</text>"#
            );
        }
        y += if y > 0.0 { 6.0 } else { 0.0 };
        if !has_names {
            let (rows, height) = legend::rows(&sheet, y, room);
            body.push_str(&rows);
            y += height + 6.0;
        }
        for row in plans.chunks(columns) {
            for (i, plan) in row.iter().enumerate() {
                let x = i as f64 * (WIDTH + GUTTER);
                let (place, panel) = (at(x, y), frame::draw(plan));
                body += &format!(r#"<g transform="translate({place})">{panel}</g>"#);
            }
            y += row.iter().map(|plan| plan.height).fold(0.0, f64::max) + 8.0;
        }
        for line in sheet.notes.iter().flat_map(|note| wrap(note, SIZE, room)) {
            y += 17.0;
            body.push_str(&muted(&line, 0.0, y - 4.0, START));
        }
        let about = [self.full_caption(), description(&sheet)].join(" ");
        document(&self.title, &about, [room, y], &body)
    }

    /// Returns the figure as part of an HTML page that holds [`style`]. It has a legend if needed,
    /// and a picture for each panel, so that they wrap on a narrow screen. `id` is the prefix of
    /// its ids and must be unique on the page.
    pub fn inline(&self, id: &str) -> String {
        self.part(id, 0)
    }

    /// Returns the figure like [`inline`](Self::inline), with values that a script shows under the
    /// pointer and by keys. Each series has about `most` of these points. One or two panels of few
    /// names come in two widths, of which the page's style shows one.
    pub fn live(&self, id: &str, most: usize) -> String {
        let is_large = |panel: &Panel| panel.series.len() > TWICE;
        let series = self.panels.iter().flat_map(|panel| &panel.series);
        let points: usize = series.map(|one| one.points.len()).sum();
        let is_large = points > POINTS || self.panels.iter().any(is_large);
        if is_large || !(1..=2).contains(&self.panels.len()) {
            return self.part(id, most);
        }
        let wide = FigureSheet::of(self).whole();
        let wide = self.block(&wide, &format!("{id}-wide"), most, " k-wide");
        self.block(&FigureSheet::of(self), id, most, " k-narrow") + &wide
    }

    fn part(&self, id: &str, most: usize) -> String {
        self.block(&FigureSheet::of(self), id, most, "")
    }

    /// A legend where one is needed, and the panels.
    fn block(&self, sheet: &FigureSheet<'_>, id: &str, most: usize, class: &str) -> String {
        let (plans, has_names) = plans(sheet);
        let legend = if has_names {
            String::new()
        } else {
            legend::list(sheet)
        };
        let panels = (1..).zip(&plans);
        let panels: String = panels
            .map(|(n, plan)| self.panel(&format!("{}-{n}", escape(id)), plan, most))
            .collect();
        format!(
            r#"<div class="klero-figure{class}">{legend}<div class="k-panels">{panels}</div></div>"#
        )
    }

    /// A panel's picture, with its values where a script is to read them.
    fn panel(&self, id: &str, plan: &PanelPlan<'_>, most: usize) -> String {
        let title = match plan.drawn.panel.title.as_str() {
            "" => self.title.clone(),
            title => format!("{}: {title}", self.title),
        };
        let (wide, high) = (px(plan.drawn.width), px(plan.height));
        let svg = format!(
            r#"<svg role="img" aria-labelledby="{id}-title {id}-about" viewBox="0 0 {wide} {high}" font-size="{SIZE}"><title id="{id}-title">{}</title><desc id="{id}-about">{}</desc>{}</svg>"#,
            escape(&title),
            escape(&about(plan.drawn)),
            frame::draw(plan),
        );
        match most {
            0 => svg,
            _ => format!(
                r#"<div class="k-panel"{}>{svg}</div>"#,
                reading::attributes(plan, most)
            ),
        }
    }

    /// Returns the caption, followed by notes on the parts that the picture does not show.
    pub fn full_caption(&self) -> String {
        let mut sentences = vec![self.caption.clone()];
        sentences.extend(FigureSheet::of(self).notes);
        sentences.retain(|sentence| !sentence.is_empty());
        sentences.join(" ")
    }
}

/// Returns a file of a picture of this size.
pub(super) fn document(title: &str, about: &str, size: [f64; 2], body: &str) -> String {
    let [wide, high] = size.map(|side| px(side + 2.0 * MARGIN));
    let (title, about, style, m) = (escape(title), escape(about), style(), px(MARGIN));
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" class="klero-figure" role="img" aria-labelledby="figure-title figure-about" width="{wide}" height="{high}" viewBox="0 0 {wide} {high}" font-family="{FONT}" font-size="{SIZE}"><title id="figure-title">{title}</title><desc id="figure-about">{about}</desc><style>{style}</style><rect class="f-paper" fill="{PAPER}" width="{wide}" height="{high}"/><g transform="translate({m} {m})">{body}</g></svg>
"#
    )
}

/// The plans of all panels, and whether their names are next to the data; where they do not in one,
/// they do in none, and the figure needs a legend.
fn plans<'a>(sheet: &'a FigureSheet<'a>) -> (Vec<PanelPlan<'a>>, bool) {
    let rows = PanelRows::of(&sheet.panels);
    let plan = |with_names| -> Vec<PanelPlan<'a>> {
        sheet
            .panels
            .iter()
            .map(|drawn| PanelPlan::of(drawn, rows, with_names))
            .collect()
    };
    let plans = plan(true);
    if plans.iter().all(|plan| plan.has_names) {
        return (plans, true);
    }
    (plan(false), false)
}

/// Returns a description of all panels, in words.
fn description(sheet: &FigureSheet<'_>) -> String {
    let all: Vec<String> = sheet.panels.iter().map(about).collect();
    all.join(" ")
}

/// Returns a description of a panel, in words: its axes, and the range of each series.
fn about(drawn: &SheetPanel<'_>) -> String {
    let panel = drawn.panel;
    let axis = |axis: &Axis| match axis.scale {
        AxisScale::Log10 => format!("{}, logarithmic", axis.words()),
        _ => axis.words(),
    };
    let place = |x: f64| match &panel.x.scale {
        AxisScale::Names(names) => names.get(x as usize).cloned().unwrap_or_default(),
        _ => brief(x, 4),
    };
    let mut words = match panel.title.as_str() {
        "" => String::new(),
        title => format!("{title}. "),
    };
    let named = [("Across", &panel.x), ("Up", &panel.y)];
    for (side, shown) in named.into_iter().filter(|(_, axis)| !axis.label.is_empty()) {
        words += &format!("{side}: {}. ", axis(shown));
    }
    words.truncate(words.trim_end().len());
    for series in &drawn.series {
        words += &about_series(panel, series, &place);
    }
    words
}

/// Returns the range of a series, in words.
fn about_series(panel: &Panel, series: &SheetSeries<'_>, place: &impl Fn(f64) -> String) -> String {
    let name = match series.name {
        "" => "Values",
        name => name,
    };
    let points: Vec<_> = series.points().collect();
    let is_line = series.kind.is_line() || series.kind == SeriesKind::Guide;
    match points.as_slice() {
        [] => format!(" {name}: no data."),
        cells if series.kind == SeriesKind::Cells => heats(name, cells, place),
        rows if matches!(panel.y.scale, AxisScale::Names(_)) => along_rows(name, rows),
        [only] => format!(" {name}: {} at {}.", brief(only.y, 4), place(only.x)),
        [first, .., last] if is_line => {
            let end = |point: &&FigurePoint| format!("{} at {}", brief(point.y, 4), place(point.x));
            format!(" {name}: from {} to {}.", end(first), end(last))
        }
        all => {
            let (lo, hi) = reach(all.iter().map(|point| point.y));
            let (left, right) = reach(all.iter().map(|point| point.x));
            format!(
                " {name}: {} values from {} to {}, between {} and {}.",
                all.len(),
                brief(lo, 4),
                brief(hi, 4),
                place(left),
                place(right)
            )
        }
    }
}

/// Returns the range of values along rows, in words.
fn along_rows(name: &str, points: &[&FigurePoint]) -> String {
    let (lo, hi) = reach(points.iter().map(|point| point.x));
    match points {
        [only] => format!(" {name}: {}.", reading::with_span(only.x, only.x_span)),
        all => format!(
            " {name}: {} values from {} to {}.",
            all.len(),
            brief(lo, 4),
            brief(hi, 4)
        ),
    }
}

/// Returns a description of the cells, in words: the counts on each side of 0, and the extreme
/// values.
fn heats(name: &str, cells: &[&FigurePoint], place: &impl Fn(f64) -> String) -> String {
    let heats = || cells.iter().filter_map(|point| Some((point, point.heat?)));
    let count = |side: Option<i8>| heats().filter(|(_, heat)| heat.side() == side).count();
    let [below, above, even, unsure] = [Some(-1), Some(1), Some(0), None].map(count);
    let mut words = format!(
        " {name}: {} cells, below 0 in {below}, above 0 in {above}, exactly 0 in {even}, not \
         distinguished from 0 in {unsure}.",
        cells.len()
    );
    let by_value =
        |a: &(&&FigurePoint, Heat), b: &(&&FigurePoint, Heat)| a.1.value.total_cmp(&b.1.value);
    let ends = [
        ("Least", heats().min_by(by_value)),
        ("Most", heats().max_by(by_value)),
    ];
    for (end, (point, heat)) in ends
        .into_iter()
        .filter_map(|(end, found)| Some((end, found?)))
    {
        let value = minus(&brief(heat.value, 4));
        let (x, y) = (place(point.x), brief(point.y, 4));
        words += &format!(" {end}: {value} at {x}, {y}.");
    }
    words
}
