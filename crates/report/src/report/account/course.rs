//! The difference over time: the course of each comparison to its verdict.

use std::borrow::Cow;

use super::super::figure::{
    Axis, Cell, Figure, FigurePoint, FigureTable, Mark, MarkAt, Panel, PolicyLooks, Series,
    SeriesKind,
};
use super::super::files::FIGURE_FILES;
use super::super::finished::Finished;
use super::difference::course_of;
use super::drawing::{COLOURFUL, ReportFigure, titled};
use super::standing::MeasureStanding;
use super::words::{a_less_b, units};
use kleroterion_stats::{DifferencePoint, Estimand, Pair, PairCourse, Verdict, t};

/// The most panels of all measures; there is one for each comparison.
const PANELS: usize = 12;
/// The most panels if there are more policies than colours, or if the page would be too large.
const PANELS_OF_MANY: usize = 6;
/// The most measures, of which each has the same room.
const MEASURES: usize = 4;
/// The approximate number of points of a course that are drawn. A panel is too narrow for more.
const POINTS: f64 = 24.0;
/// The first 1/EARLY of the course may lie beyond the frame, because early intervals are wide.
const EARLY: u64 = 4;
/// The share of its breadth that a frame adds above and below what it must hold.
const ROOM: f64 = 0.12;
/// A margin that is more than this many times as wide as the rest is cut.
const WIDE: f64 = 2.0;
/// The axis is logarithmic if a decision came in the first 1/SOON of the course. Otherwise the
/// funnel would close at its very beginning.
const SOON: u64 = 50;

/// A comparison with its course.
struct Followed<'a> {
    pair: Cow<'a, Pair>,
    course: Cow<'a, PairCourse>,
    /// The unit that its points count, in singular and plural.
    units: (&'static str, &'static str),
}

/// Makes the figure of courses, with a panel for each comparison. Panels of one measure span the
/// same numbers. `None` if no course was kept.
pub(super) fn figure(run: &Finished, standings: &[MeasureStanding<'_>]) -> Option<ReportFigure> {
    let mut measures: Vec<Vec<Followed<'_>>> = standings
        .iter()
        .map(|standing| followed(run, standing))
        .filter(|measure| !measure.is_empty())
        .collect();
    let made: usize = measures.iter().map(Vec::len).sum();
    measures.truncate(MEASURES);
    let most = match run.policies.len() > COLOURFUL {
        true => PANELS_OF_MANY,
        false => PANELS,
    };
    let room = most / measures.len().max(1);
    // As in all figures: numbers in labels sort as numbers.
    let looks = PolicyLooks::of(run.policies.keys().map(String::as_str));
    let places: Vec<&str> = looks.labels().collect();
    for measure in &mut measures {
        measure.truncate(room);
        // Those between policies that can be chosen come first, whoever leads by now.
        measure.sort_by_cached_key(|Followed { pair, .. }| {
            let sides = [&pair.a, &pair.b];
            let has_yardstick = sides.iter().any(|label| !run.is_contender(label));
            let mut places = sides.map(|label| places.iter().position(|one| one == label));
            places.sort_unstable();
            (has_yardstick, places)
        });
    }
    let all = || measures.iter().flatten();
    let first = all().next()?;
    let panels: Vec<Panel> = measures.iter().flat_map(|m| of_measure(run, m)).collect();
    let drawn: Vec<&Followed<'_>> = all().collect();
    let mut caption = caption(first.pair.estimand, &drawn);
    if panels.len() < made {
        caption += &format!(" {} more are in course.csv.", made - panels.len());
    }
    Some(ReportFigure {
        file: FIGURE_FILES[6],
        figure: Figure {
            title: "The difference over time".into(),
            caption,
            panels,
        },
        table: Some(table(run, all())),
    })
}

/// The comparisons on a measure that have a course, best first.
fn followed<'a>(run: &'a Finished, standing: &MeasureStanding<'a>) -> Vec<Followed<'a>> {
    let courses = standing.courses(run);
    let with_course = |pair: &&'a Pair| {
        let (course, _) = courses.get(&pair.a, &pair.b)?;
        let shown = standing.better_first(pair);
        Some(Followed {
            course: course_of(course, &shown.a),
            pair: shown,
            units: units(run, pair.estimand),
        })
    };
    let pairs = standing.pairs.iter();
    let comparable = pairs.filter(|pair| pair.verdict != Verdict::NotComparable);
    comparable.filter_map(with_course).collect()
}

/// Returns the caption, which explains only the elements that are drawn.
fn caption(estimand: Estimand, all: &[&Followed<'_>]) -> String {
    let mut caption = match estimand.is_stream() {
        true => "The mean difference over this stream so far".to_owned(),
        false => format!("The mean difference over the {} so far", estimand.units()),
    };
    let has = |what: fn(&Followed<'_>) -> bool| all.iter().any(|followed| what(followed));
    let has_band = has(|followed| !is_by_t(&followed.pair));
    caption += match has_band {
        true => ", in the interval that its verdict rests on, which is valid at every look.",
        false => ".",
    };
    let has_margin = has(|followed| followed.pair.margin.is_some_and(|margin| margin > 0.0));
    if has(|followed| followed.decided().is_some()) {
        caption += " The upright line marks when the interval first left 0 out";
        caption += if has_margin {
            " or lay within the margin."
        } else {
            "."
        };
    }
    if has(|followed| followed.pair.dated.is_some()) {
        caption += " A running average is another quantity at each round: what was sure may be open \
                    again.";
    }
    if has_margin {
        caption += " Grey band: the margin.";
    }
    if has(|followed| is_by_t(&followed.pair)) {
        caption += if has_band {
            " A mean without a band"
        } else {
            " Each mean"
        };
        caption += " has an interval that is valid at one look, planned beforehand: only its last \
                    is drawn.";
    }
    caption
}

fn is_by_t(pair: &Pair) -> bool {
    pair.method == t::METHOD
}

impl Followed<'_> {
    /// Returns the point at which its verdict was first decided by an interval that holds at any
    /// time.
    fn decided(&self) -> Option<&DifferencePoint> {
        self.course.decided_at().filter(|_| !is_by_t(&self.pair))
    }

    /// The last n.
    fn reach(&self) -> u64 {
        self.course.points.last().map_or(0, |point| point.n)
    }

    /// The words at the moment of decision; with its verdict where that is another by now.
    fn words(&self, moment: &DifferencePoint) -> String {
        let (unit, _) = self.units;
        if let Some(when) = self.pair.when(unit) {
            return when;
        }
        match moment.verdict {
            then if then != self.pair.verdict => format!("decided at {unit} {} ({then})", moment.n),
            _ => format!("decided at {unit} {}", moment.n),
        }
    }

    /// The points that are drawn: the first, the last, the moment of decision, and those between
    /// that lie apart on the axis. On an even one they are the denser the earlier, because a funnel
    /// is bent most there.
    fn points(&self, is_log: bool) -> Vec<&DifferencePoint> {
        let reach = self.reach() as f64;
        let place = |n: u64| match is_log {
            true => libm::log(n as f64) / libm::log(reach.max(2.0)),
            false => libm::cbrt(n as f64 / reach).powi(2),
        };
        let moment = self.decided().map(|moment| moment.n);
        let mut next = 0.0;
        let mut is_drawn = |point: &&DifferencePoint| {
            let here = place(point.n);
            let is_due = here >= next;
            if is_due {
                next = here + 1.0 / POINTS;
            }
            is_due || Some(point.n) == moment || point.n == self.reach()
        };
        let points = self.course.points.iter();
        points.filter(|point| is_drawn(point)).collect()
    }

    /// The interval of a point that is drawn.
    fn drawn(&self, point: &DifferencePoint) -> Option<(f64, f64)> {
        point
            .interval
            .filter(|_| !is_by_t(&self.pair) || point.n == self.reach())
    }

    /// Returns the range of the frame. It holds 0, the intervals except early ones, the interval at
    /// the decision, and the margin unless that is too wide.
    fn window(&self) -> (f64, f64) {
        let (mut lo, mut hi) = (0.0_f64, 0.0_f64);
        let mut hold = |value: f64| (lo, hi) = (lo.min(value), hi.max(value));
        let is_late = |point: &&DifferencePoint| point.n >= self.reach().div_ceil(EARLY);
        let late = self.course.points.iter().filter(is_late);
        for point in late.chain(self.decided()) {
            hold(point.mean);
            if let Some((lo, hi)) = self.drawn(point) {
                hold(lo);
                hold(hi);
            }
        }
        let margin = self.pair.margin.unwrap_or_default();
        if margin <= WIDE * hi.max(-lo) {
            (lo, hi) = (lo.min(-margin), hi.max(margin));
        }
        match (hi - lo) * ROOM {
            room if room > 0.0 => (lo - room, hi + room),
            _ => (-1.0, 1.0),
        }
    }
}

/// The panels of one measure.
fn of_measure(run: &Finished, measure: &[Followed<'_>]) -> Vec<Panel> {
    let reach = measure.iter().map(Followed::reach).max().unwrap_or(1);
    let first = measure.iter().filter_map(Followed::decided);
    let is_soon = first.map(|point| point.n).min();
    let is_soon = is_soon.is_some_and(|first| first < reach / SOON);
    let panel = |followed: &Followed<'_>| {
        let pair = &followed.pair;
        let (least, most) = followed.window();
        let (_, units) = followed.units;
        let x = match is_soon {
            true => Axis::log(units),
            false => Axis::linear(units).whole(),
        };
        let mut marks = vec![Mark {
            at: MarkAt::Y(0.0),
            label: String::new(),
        }];
        marks.extend(pair.margin.map(|margin| Mark {
            at: MarkAt::Band((-margin).max(least), margin.min(most)),
            label: String::new(),
        }));
        marks.extend(followed.decided().map(|moment| Mark {
            at: MarkAt::X(moment.n as f64),
            label: followed.words(moment),
        }));
        let points = followed.points(is_soon).into_iter().map(|point| {
            let drawn = FigurePoint::new(point.n as f64, point.mean);
            match followed.drawn(point) {
                Some((lo, hi)) => drawn.y_from(lo, hi),
                None => drawn,
            }
        });
        Panel {
            title: titled(&pair.metric, run),
            x: x.spanning(1.0, reach as f64),
            y: Axis::linear(format!("{} against {}", pair.a, pair.b))
                .spanning(least, most)
                .within(least, most),
            series: vec![Series::new(&pair.a, SeriesKind::Funnel, points)],
            marks,
        }
    };
    measure.iter().map(panel).collect()
}

/// Returns a table with the decision point of each verdict and its current basis.
fn table<'a>(run: &Finished, all: impl Iterator<Item = &'a Followed<'a>>) -> FigureTable {
    let headers = [
        "measure",
        "difference",
        "decided at",
        "n",
        "mean",
        "lo",
        "hi",
    ];
    let row = |followed: &Followed<'_>| {
        let pair = &followed.pair;
        let decided = followed.decided();
        vec![
            Cell::Text(run.catalogue.words(&pair.metric).head()),
            Cell::Text(a_less_b(&pair.a, &pair.b)),
            decided.map_or(Cell::Empty, |moment| {
                Cell::Text(format!("{} {}", followed.units.0, moment.n))
            }),
            Cell::Number(pair.n as f64),
            Cell::known(pair.mean),
            Cell::known(pair.lo),
            Cell::known(pair.hi),
        ]
    };
    FigureTable::of(headers, all.map(row))
}
