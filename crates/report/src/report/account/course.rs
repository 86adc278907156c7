//! The difference over time: the course of each comparison to its verdict.

use std::borrow::Cow;

use super::super::figure::{
    Axis, Cell, Figure, FigurePoint, FigureTable, Mark, MarkAt, Panel, PolicyLooks, Series,
    SeriesKind,
};
use super::super::files::FIGURE_FILES;
use super::super::finished::Finished;
use super::super::number::{grouped, minus};
use super::difference::{course_of, turned};
use super::drawing::{COLOURFUL, ReportFigure, titled};
use super::standing::MeasureStanding;
use super::words::{a_less_b, list, quoted, units};
use kleroterion_stats::{DifferencePoint, Estimand, Pair, PairCourse, Verdict, t};

/// The most measures; there is a panel for each.
const MEASURES: usize = 6;
/// The number of policies in a panel where there are more than colours: the best.
const BEST: usize = 4;
/// The approximate number of points of a course that are drawn. A panel is too narrow for more.
const POINTS: f64 = 14.0;
/// The first 1/EARLY of the course may lie beyond the frame, because early intervals are wide.
const EARLY: u64 = 4;
/// The share of its breadth that a frame adds above and below what it must hold.
const ROOM: f64 = 0.12;
/// A margin that is more than this many times as wide as the rest is cut.
const WIDE: f64 = 2.0;
/// The axis is logarithmic if a decision came in the first 1/SOON of the course. Otherwise the
/// funnel would close at its very beginning.
const SOON: u64 = 50;
/// The least number of replications for which the axis is logarithmic.
const LONG: u64 = 20;

/// A comparison with its course.
struct Followed<'a> {
    pair: Cow<'a, Pair>,
    course: Cow<'a, PairCourse>,
    /// The difference of now in words.
    difference: String,
    /// The unit that its points count, in singular and plural.
    units: (&'static str, &'static str),
}

/// Makes the figure of courses, with a panel for each measure. All policies are held against one:
/// the baseline, or else the best. `None` if no course was kept.
pub(super) fn figure(run: &Finished, standings: &[MeasureStanding<'_>]) -> Option<ReportFigure> {
    let made: usize = standings.iter().map(|one| courses(run, one)).sum();
    let measures = standings.iter().map(|standing| followed(run, standing));
    let measures = measures.filter(|measure| !measure.is_empty());
    let measures: Vec<Vec<Followed<'_>>> = measures.take(MEASURES).collect();
    let drawn: Vec<&Followed<'_>> = measures.iter().flatten().collect();
    let first = drawn.first()?;
    let mut caption = caption(first.pair.estimand, &drawn);
    let alike: Vec<(String, usize)> = standings.iter().filter_map(|one| alike(run, one)).collect();
    caption.extend(alike.iter().map(|(sentence, _)| sentence.as_str()));
    let said = drawn.len() + alike.iter().map(|(_, many)| many).sum::<usize>();
    if said < made {
        caption += &match made - said {
            1 => " 1 more is in course.csv.".to_owned(),
            more => format!(" {} more are in course.csv.", grouped(more as u64)),
        };
    }
    Some(ReportFigure {
        file: FIGURE_FILES[6],
        figure: Figure {
            title: "The difference over time".into(),
            caption,
            panels: measures.iter().map(|one| panel(run, one)).collect(),
        },
        table: Some(table(run, drawn.into_iter())),
    })
}

/// The number of comparisons on a measure that have a course.
fn courses(run: &Finished, standing: &MeasureStanding<'_>) -> usize {
    let courses = standing.courses(run);
    let pairs = standing.pairs.iter();
    let comparable = pairs.filter(|pair| pair.verdict != Verdict::NotComparable);
    let has_course = |pair: &&&Pair| courses.get(&pair.a, &pair.b).is_some();
    comparable.filter(has_course).count()
}

/// The comparisons on a measure that have a course, each against the baseline or the best.
/// Yardsticks are left out where there are others. They are in the order of the labels, in which
/// numbers sort as numbers.
fn followed<'a>(run: &'a Finished, standing: &MeasureStanding<'a>) -> Vec<Followed<'a>> {
    let Some(other) = held_against(standing) else {
        return Vec::new();
    };
    let courses = standing.courses(run);
    let followed = |label: &str| {
        let pair = standing.pair(label, other)?;
        let (course, _) = courses.get(label, other)?;
        let pair = match pair.a == label {
            true => Cow::Borrowed(pair),
            false => Cow::Owned(turned(pair)),
        };
        Some(Followed {
            course: course_of(course, label),
            difference: minus(&standing.shown(&pair, run).words()),
            units: units(run, pair.estimand),
            pair,
        })
    };
    let labels = compared(run, standing, other);
    labels.iter().filter_map(|label| followed(label)).collect()
}

/// Returns true if two policies had the same value each time.
fn is_alike(standing: &MeasureStanding<'_>, label: &str, other: &str) -> bool {
    let pair = standing.pair(label, other);
    pair.is_some_and(|pair| pair.verdict == Verdict::Identical)
}

/// Returns a sentence on the policies that are not drawn because they had the values of the one that
/// all are held against, with their number. `None` if there are none.
fn alike(run: &Finished, standing: &MeasureStanding<'_>) -> Option<(String, usize)> {
    let other = held_against(standing)?;
    let all = standing.comparable.iter().copied();
    let alike = all.filter(|label| *label != other && is_alike(standing, label, other));
    let alike: Vec<&str> = alike.filter(|label| run.is_contender(label)).collect();
    let sentence = format!(
        " On {}, {} had the same value as {} each time.",
        standing.words.short,
        list(&alike, "and"),
        quoted(other)
    );
    (!alike.is_empty()).then_some((sentence, alike.len()))
}

/// The policy that all are held against: the baseline, or else the best.
fn held_against<'a>(standing: &MeasureStanding<'a>) -> Option<&'a str> {
    let best = standing
        .contenders
        .iter()
        .chain(&standing.comparable)
        .next();
    standing.baseline.or(best.copied())
}

/// The policies that are drawn against `other`, in the order of the labels.
fn compared<'a>(run: &Finished, standing: &MeasureStanding<'a>, other: &str) -> Vec<&'a str> {
    let all = standing.comparable.iter().copied();
    let (contenders, yardsticks): (Vec<&str>, Vec<&str>) = all
        .filter(|label| *label != other)
        .partition(|label| run.is_contender(label));
    let mut drawn = match contenders.is_empty() {
        true => yardsticks,
        false => contenders,
    };
    // A line at 0 without a band says no more than a sentence.
    drawn.retain(|label| !is_alike(standing, label, other));
    if run.policies.len() > COLOURFUL {
        drawn.truncate(BEST);
    }
    // As in all figures: numbers in labels sort as numbers.
    let looks = PolicyLooks::of(run.policies.keys().map(String::as_str));
    let places: Vec<&str> = looks.labels().collect();
    drawn.sort_by_key(|label| places.iter().position(|known| known == label));
    drawn
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
        caption += " A ring, with the number above it, marks when the interval first left 0 out";
        caption += if has_margin {
            " or lay within the margin."
        } else {
            "."
        };
    }
    if has(|followed| followed.pair.dated.is_some()) {
        caption += " A running average is another quantity at each round: what was sure may be open \
                    again, as a second number says.";
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

    /// The number at the moment of decision, with its verdict where that is another by now. Of a
    /// running average that is open again, both numbers.
    fn words(&self, moment: &DifferencePoint) -> String {
        let n = grouped(moment.n);
        if let Some(dated) = self.pair.dated {
            return match (dated.since, dated.open_at) {
                (None, Some(open)) => format!("{n} to {}", grouped(open)),
                (Some(since), _) if since != moment.n => format!("{n}, {} again", grouped(since)),
                _ => n,
            };
        }
        match moment.verdict {
            then if then != self.pair.verdict => format!("{n} ({then})"),
            _ => n,
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

    /// The line in its band, with the moment of decision.
    fn series(&self, is_log: bool) -> Series {
        let points = self.points(is_log).into_iter().map(|point| {
            let drawn = FigurePoint::new(point.n as f64, point.mean);
            match self.drawn(point) {
                Some((lo, hi)) => drawn.y_from(lo, hi),
                None => drawn,
            }
        });
        let label = &self.pair.a;
        let series = Series::new(label, SeriesKind::Funnel, points);
        let series = series.labelled(format!("{label} {}", self.difference));
        match self.decided() {
            Some(moment) => series.marked(moment.n as f64, self.words(moment)),
            None => series,
        }
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

/// The panel of one measure.
fn panel(run: &Finished, measure: &[Followed<'_>]) -> Panel {
    let (pair, (_, units)) = (&measure[0].pair, measure[0].units);
    let windows = measure.iter().map(Followed::window);
    let (least, most) = windows.fold((0.0_f64, 0.0_f64), |(lo, hi), window| {
        (lo.min(window.0), hi.max(window.1))
    });
    let reach = measure.iter().map(Followed::reach).max().unwrap_or(1);
    let is_log = is_log(measure, reach);
    let x = match is_log {
        true => Axis::log(units).whole(),
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
    Panel {
        title: titled(&pair.metric, run),
        x: x.spanning(1.0, reach as f64),
        y: Axis::linear(format!("difference from {}", quoted(&pair.b)))
            .spanning(least, most)
            .within(least, most),
        series: measure.iter().map(|one| one.series(is_log)).collect(),
        marks,
    }
}

/// Returns true if the axis is logarithmic: over replications, where intervals narrow at all
/// scales, and where a decision came soon.
fn is_log(measure: &[Followed<'_>], reach: u64) -> bool {
    let first = measure.iter().filter_map(Followed::decided);
    let first = first.map(|point| point.n).min();
    let is_soon = first.is_some_and(|first| first < reach / SOON);
    is_soon || (reach >= LONG && !measure[0].pair.estimand.is_stream())
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
