//! Cells: rectangles around points, coloured by a value or uniformly.

use super::super::markup::{at, px};
use super::heat::{STEPS, Shade};
use super::palette::{GRID, INK, MUTED, PAPER, SHADES};
use super::places::Rect;
use super::ruler::Axes;
use super::sheet::{SheetPanel, SheetSeries};
use super::{AxisScale, FigurePoint, SeriesKind, Tone};

/// Cells narrower or lower than this, in pixels, have no lines between them.
const FINE: f64 = 6.0;

/// The distance that cells reach on an axis from their middle.
pub(super) struct CellReach {
    is_log: bool,
    half: f64,
}

impl SeriesKind {
    /// Returns true if points are drawn as cells.
    pub(super) fn is_cells(self) -> bool {
        matches!(self, Self::Cells | Self::Zone(_))
    }
}

impl Tone {
    fn shade(self) -> Shade {
        match self {
            Self::Green => Shade::Below(STEPS - 2),
            Self::Purple => Shade::Above(STEPS - 2),
            Self::PalePurple => Shade::Above(1),
        }
    }
}

impl CellReach {
    /// Half way to the nearest: of any two values the least distance.
    pub(super) fn of(scale: &AxisScale, values: impl Iterator<Item = f64>) -> Self {
        let is_log = matches!(scale, AxisScale::Log10);
        let mut places: Vec<f64> = values
            .map(|value| if is_log { libm::log10(value) } else { value })
            .collect();
        places.sort_by(f64::total_cmp);
        let room = places
            .last()
            .zip(places.first())
            .map_or(0.0, |(hi, lo)| hi - lo);
        let gaps = places.windows(2).map(|pair| pair[1] - pair[0]);
        let least = gaps
            .filter(|gap| *gap > room * 1e-6)
            .fold(f64::INFINITY, f64::min);
        let is_whole = matches!(scale, AxisScale::Names(_)) || !least.is_finite();
        let half = if is_whole { 0.5 } else { least / 2.0 };
        Self { is_log, half }
    }

    /// The two ends of a cell.
    pub(super) fn around(&self, value: f64) -> [f64; 2] {
        let place = if self.is_log {
            libm::log10(value)
        } else {
            value
        };
        let ends = [place - self.half, place + self.half];
        match self.is_log {
            true => ends.map(|end| libm::pow(10.0, end)),
            false => ends,
        }
    }
}

/// Returns the reach of a panel's cells along x and along y, or `None` if it has no cells.
pub(super) fn reaches(drawn: &SheetPanel<'_>) -> Option<[CellReach; 2]> {
    let cells = || {
        let series = drawn.series.iter().filter(|shown| shown.kind.is_cells());
        series.flat_map(SheetSeries::points)
    };
    cells().next()?;
    Some([
        CellReach::of(&drawn.panel.x.scale, cells().map(|point| point.x)),
        CellReach::of(&drawn.panel.y.scale, cells().map(|point| point.y)),
    ])
}

/// Draws all cells of a panel.
pub(super) fn draw(drawn: &SheetPanel<'_>, axes: &Axes) -> String {
    let Some([x, y]) = reaches(drawn) else {
        return String::new();
    };
    let mut cells: Vec<(Shade, Rect)> = Vec::new();
    for shown in drawn.series.iter().filter(|shown| shown.kind.is_cells()) {
        for point in shown.points() {
            let [left, right] = x.around(point.x).map(|end| axes.x.at(end));
            let [bottom, top] = y.around(point.y).map(|end| axes.y.at(end));
            let room = Rect::of([left, right], [top, bottom]);
            cells.extend(shade(drawn, shown.kind, point).map(|shade| (shade, room)));
        }
    }
    cells.sort_by(|(_, a), (_, b)| a.top.total_cmp(&b.top).then(a.left.total_cmp(&b.left)));
    let mut svg = String::new();
    for shade in shades() {
        let alike = cells.iter().filter(|(other, _)| *other == shade);
        let rooms: Vec<Rect> = alike.map(|(_, room)| *room).collect();
        svg.push_str(&filled(shade, &rooms));
    }
    svg + &between(&cells)
}

/// The shade of a point's cell. `None` if its value is not known.
fn shade(drawn: &SheetPanel<'_>, kind: SeriesKind, point: &FigurePoint) -> Option<Shade> {
    match kind {
        SeriesKind::Zone(tone) => Some(tone.shade()),
        _ => point.heat.map(|heat| drawn.scale.shade(heat)),
    }
}

/// Returns all shades that a cell can have.
fn shades() -> impl Iterator<Item = Shade> {
    let sides = [Shade::Below as fn(usize) -> Shade, Shade::Above];
    let graded = sides.into_iter().flat_map(|side| (0..STEPS).map(side));
    [Shade::Even, Shade::Unsure].into_iter().chain(graded)
}

/// A sample of a tone for the legend.
pub(super) fn sample(tone: Tone, room: Rect) -> String {
    filled(tone.shade(), &[room])
}

/// Rooms of one shade, neighbours side by side as one: coloured, dotted above 0, struck through
/// where unsure.
pub(super) fn filled(shade: Shade, rooms: &[Rect]) -> String {
    let Some(first) = rooms.first() else {
        return String::new();
    };
    let (mut path, mut dots, mut strokes) = (String::new(), String::new(), String::new());
    for run in rooms.chunk_by(|a, b| a.top == b.top && (a.right - b.left).abs() < 0.01) {
        let (start, end) = (run[0], run[run.len() - 1]);
        let whole = Rect {
            right: end.right,
            bottom: end.bottom,
            ..start
        };
        path += &whole.outline();
        let (x, y) = start.middle();
        dots += &format!("M{}H{}", at(x, y), px(end.right));
    }
    for room in rooms {
        let (x, y) = room.middle();
        let half = ((room.right - room.left).min(room.bottom - room.top) / 2.0).max(1.0);
        strokes += &format!("M{}L{}", at(x - half, y + half), at(x + half, y - half));
    }
    match shade {
        Shade::Below(depth) => fill(&format!("b{}", depth + 1), SHADES[0][depth].0, &path),
        Shade::Above(depth) => {
            let (class, ink) = if depth < STEPS / 2 {
                ("ink", INK)
            } else {
                ("paper", PAPER)
            };
            let apart = px(first.right - first.left);
            // Dashes without length under a round pen, a cell apart.
            fill(&format!("a{}", depth + 1), SHADES[1][depth].0, &path)
                + &format!(
                    r#"<path class="l-{class}" fill="none" stroke="{ink}" stroke-width="2" stroke-linecap="round" stroke-dasharray="0 {apart}" d="{dots}"/>"#
                )
        }
        Shade::Even => fill("grid", GRID, &path),
        Shade::Unsure => format!(r#"<path class="l-muted" stroke="{MUTED}" d="{strokes}"/>"#),
    }
}

fn fill(class: &str, colour: &str, path: &str) -> String {
    format!(r#"<path class="f-{class}" fill="{colour}" d="{path}"/>"#)
}

/// Lines of paper between cells that are not too fine for them.
fn between(cells: &[(Shade, Rect)]) -> String {
    let rooms = || cells.iter().map(|(_, room)| room);
    if rooms().any(|room| room.right - room.left < FINE || room.bottom - room.top < FINE) {
        return String::new();
    }
    let hull = |of: fn(&Rect) -> f64, more: fn(f64, f64) -> f64, from: f64| {
        rooms().map(of).fold(from, more)
    };
    let left = hull(|room| room.left, f64::min, f64::INFINITY);
    let right = hull(|room| room.right, f64::max, f64::NEG_INFINITY);
    let top = hull(|room| room.top, f64::min, f64::INFINITY);
    let bottom = hull(|room| room.bottom, f64::max, f64::NEG_INFINITY);
    let edges = |of: fn(&Rect) -> f64, first: f64| {
        let mut edges: Vec<String> = rooms()
            .map(of)
            .filter(|edge| *edge > first + 0.01)
            .map(px)
            .collect();
        edges.sort_unstable();
        edges.dedup();
        edges
    };
    let mut path = String::new();
    for x in edges(|room| room.left, left) {
        path += &format!("M{x} {}V{}", px(top), px(bottom));
    }
    for y in edges(|room| room.top, top) {
        path += &format!("M{} {y}H{}", px(left), px(right));
    }
    format!(r#"<path class="l-paper" fill="none" stroke="{PAPER}" stroke-width=".75" d="{path}"/>"#)
}
