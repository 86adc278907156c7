//! The charts as numbers: the course of the difference that matters, and one line per policy for
//! each measure.

use std::collections::BTreeMap;
use std::time::Instant;

use super::model::{Chart, ChartPoint, Model, Words, short};
use super::moment::Moment;
use crate::limits::COMPARISON_PERIOD;
use crate::watch::courses::CoursePoint;
use kleroterion_core::protocol::Until;
use kleroterion_report::report::account::{MeasureSoFar, PairSoFar};
use kleroterion_report::report::figure::{PolicyLooks, class_of};

/// The most measures with a chart of lines.
pub(super) const CHARTS: usize = 6;
pub(super) const LINES: usize = 8;
/// The most points of the difference that a new viewer gets, besides the last one.
const POINTS: usize = 40;
/// The longest label of a policy in a mark, in characters.
const LABEL: usize = 18;

/// The comparison whose course is drawn first.
#[derive(Clone, Debug)]
pub(super) struct Followed {
    metric: String,
    pair: (String, String),
    since: Instant,
}

impl Followed {
    /// Returns the comparison of the leader with the runner-up, or else the first with a course. An
    /// earlier choice is kept for a while.
    pub(super) fn of(moment: &Moment<'_>, before: Option<&Self>) -> Option<Self> {
        let has_course = |pair: &&PairSoFar| !pair.course.is_empty();
        let known = before.filter(|before| before.found(moment).is_some());
        let is_young =
            |known: &&Self| moment.at.saturating_duration_since(known.since) < COMPARISON_PERIOD;
        if let Some(known) = known.filter(is_young) {
            return Some(known.clone());
        }
        let first = |measure: &MeasureSoFar| {
            let [first, second, ..] = measure.contenders.as_slice() else {
                return measure.pairs.iter().position(|pair| has_course(&pair));
            };
            let other = measure.baseline.as_ref().filter(|base| *base != first);
            let pair = measure
                .pair(first, other.unwrap_or(second))
                .filter(has_course);
            let is_it = |one: &PairSoFar| pair.is_some_and(|pair| std::ptr::eq(one, pair));
            let place = measure.pairs.iter().position(is_it);
            place.or_else(|| measure.pairs.iter().position(|pair| has_course(&pair)))
        };
        let mut measures = moment.so_far.measures.iter();
        let (metric, pair) = measures.find_map(|measure| {
            let pair = &measure.pairs[first(measure)?];
            Some((measure.metric.clone(), (pair.a.clone(), pair.b.clone())))
        })?;
        let same = known.filter(|known| known.metric == metric && known.pair == pair);
        Some(same.cloned().unwrap_or(Self {
            metric,
            pair,
            since: moment.at,
        }))
    }

    fn found<'a>(&self, moment: &'a Moment<'_>) -> Option<&'a PairSoFar> {
        let pair = moment.so_far.pair(&self.metric, &self.pair.0, &self.pair.1);
        pair.filter(|pair| !pair.course.is_empty())
    }
}

/// Fills the course of the followed difference, with its number.
pub(super) fn funnel(model: &mut Model, moment: &Moment<'_>, followed: Option<&Followed>) {
    let found = followed.and_then(|followed| Some((&followed.metric, followed.found(moment)?)));
    let Some((metric, pair)) = found else {
        for id in [
            "funnel-title",
            "funnel-measure",
            "funnel-number",
            "funnel-says",
        ] {
            model.text(id, "");
        }
        model.charts.insert("funnel".into(), Chart::default());
        return;
    };
    model.text(
        "funnel-title",
        format!(
            "\u{201c}{}\u{201d} against \u{201c}{}\u{201d}",
            pair.a, pair.b
        ),
    );
    let title = moment.watched.judge.catalogue.words(metric).head();
    model.text("funnel-measure", title.as_str());
    let interval = match pair.interval.as_str() {
        "" => String::new(),
        interval => format!("({interval})"),
    };
    model.text(
        "funnel-number",
        Words::from(&*pair.number).looking("number").below(interval),
    );
    let says = Words::from(&*pair.says);
    model.text(
        "funnel-says",
        says.looking(format!("chip {}", pair.standing.word())),
    );
    let points: Vec<ChartPoint> = pair
        .course
        .iter()
        .map(|point| {
            let (lo, hi) = point.interval.unzip();
            let ends = [Some(point.mean), lo, hi];
            (point.n, ends.map(|end| end.and_then(short)).into())
        })
        .collect();
    let every = points.len().saturating_sub(1).div_ceil(POINTS).max(1);
    let last = points.len() - 1;
    let kept = points.into_iter().enumerate();
    let kept = kept.filter(|(at, _)| at % every == 0 || *at == last);
    let looks = PolicyLooks::of(moment.order.iter().map(|lane| moment.label(*lane)));
    let colour = looks.look(&pair.a).map_or("ink", class_of);
    let chart = Chart {
        of: format!("{colour} {title}: {} against {}", pair.a, pair.b),
        points: kept.map(|(_, point)| point).collect(),
        marks: pair.sure.iter().map(since).collect(),
        until: until(moment, pair),
    };
    model.charts.insert("funnel".into(), chart);
}

/// The mark of a date without the dates before it, which the answer has.
fn since((n, words): &(u64, String)) -> (u64, String) {
    let last = words.split(", ").next();
    (*n, last.unwrap_or_default().to_owned())
}

/// The number of rounds of the run; `None` if it ends otherwise.
fn rounds(moment: &Moment<'_>) -> Option<u64> {
    match moment.watched.until {
        Some(Until::Rounds(rounds)) => Some(rounds),
        _ => None,
    }
}

/// The round at which the first of a pair fills its seats if it goes on as it has, to two digits, so
/// that the chart rarely changes its scale; `None` if one has ended or has chosen no one. Of a run
/// of rounds it is the last round.
fn until(moment: &Moment<'_>, pair: &PairSoFar) -> Option<u64> {
    let Some(Until::Accepted(seats)) = moment.watched.until else {
        return rounds(moment);
    };
    let full = |label: &String| {
        let lane = moment.order[moment.place(label)?];
        let now = moment.cut.lane(lane)?;
        let plays = now.stop.is_none() && now.selected > 0;
        plays.then(|| now.rounds as f64 * seats as f64 / now.selected as f64)
    };
    let first = full(&pair.a)?.min(full(&pair.b)?);
    let unit = 10_f64.powi(libm::log10(first.max(10.0)).floor() as i32 - 1);
    Some(((first / unit).round() * unit) as u64)
}

/// Fills one chart per measure: the value of each policy after each round, in label order.
pub(super) fn lines(model: &mut Model, moment: &Moment<'_>) {
    let metrics = &moment.watched.courses.metrics;
    for (at, (metric, range)) in metrics.iter().enumerate().take(CHARTS) {
        let by_round = range.is_some();
        let words = moment.watched.judge.catalogue.words(metric);
        let value = |point: &CoursePoint| match point.mean.filter(|_| by_round) {
            Some(mean) => Some(mean.value),
            None if by_round => None,
            None => point.value,
        };
        let lanes = moment.order.iter().take(LINES).enumerate();
        let all = lanes.clone().count();
        let mut points: BTreeMap<u64, Vec<Option<f64>>> = BTreeMap::new();
        for (place, lane) in lanes {
            for point in moment.watched.line(&moment.cut, *lane, at) {
                let value = value(&point).map(|value| words.scale() * value);
                if let Some(value) = value.and_then(short) {
                    points.entry(point.round).or_insert_with(|| vec![None; all])[place] =
                        Some(value);
                }
            }
        }
        let chart = Chart {
            of: words.head(),
            points: points.into_iter().collect(),
            marks: ends(moment),
            until: rounds(moment),
        };
        model.charts.insert(format!("line-{at}"), chart);
    }
}

/// The rounds at which lanes ended, and their endings as text. It leaves them out if all lanes
/// ended together as intended.
fn ends(moment: &Moment<'_>) -> Vec<(u64, String)> {
    let mut at: BTreeMap<u64, Vec<String>> = BTreeMap::new();
    let mut broke_off = false;
    for &lane in &moment.order {
        let Some((now, stop)) = moment
            .cut
            .lane(lane)
            .and_then(|now| Some((now, now.stop.as_ref()?)))
        else {
            continue;
        };
        broke_off |= stop.ending.breaks_off();
        let label = moment.label(lane);
        let mut name: String = label.chars().take(LABEL).collect();
        name += if label.chars().count() > LABEL {
            "\u{2026}"
        } else {
            ""
        };
        let words = format!("{name}: {}", stop.ending.word().replace('_', " "));
        at.entry(now.rounds).or_default().push(words);
    }
    at.retain(|round, ended| *round > 0 && (broke_off || ended.len() < moment.order.len()));
    at.into_iter()
        .map(|(round, ended)| (round, ended.join(", ")))
        .collect()
}
