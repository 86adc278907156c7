//! A live run at a glance, as a terminal shows it.

mod drawn;
mod people;

pub use drawn::{GlanceLine, GlanceView, Ink, ansi, drawn};
pub use people::{GlanceCourse, GlancePeople, GlancePoint};

use std::time::Instant;

use crate::limits::HEADLINE_PERIOD;
use crate::watch::courses::CoursePoint;
use crate::watch::cut::Cut;
use crate::watch::rates::{History, Rates};
use crate::watch::{Stage, Watched};
use crate::web::board::HiringWords;
use kleroterion_core::protocol::Until;
use kleroterion_core::score::Direction;
use kleroterion_report::report::account::quoted;
use kleroterion_report::report::figure::PolicyLooks;
use kleroterion_report::report::finished::Finished;
use kleroterion_stats::{ByPair, Pair, Standing, Verdict};

/// A live run at a moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Glance {
    /// The run's name.
    pub name: String,
    /// The stage of the run.
    pub stage: Stage,
    /// The answer so far.
    pub headline: String,
    /// The measure shown for the lanes, and its better side.
    pub measure: Option<(String, Direction)>,
    /// The names of all measures that can be shown.
    pub measures: Vec<String>,
    /// The place of the measure shown among them.
    pub shown: usize,
    /// The policy from which differences are shown.
    pub baseline: Option<String>,
    /// The lanes in label order.
    pub lanes: Vec<GlanceLane>,
    /// The number of seats that each lane fills, if seats end the run.
    pub seats: Option<u64>,
    /// The number of persons taken so far.
    pub came: u64,
    /// The number of persons per second, over the last seconds.
    pub rate: Option<f64>,
    /// The seconds until the run's end, at the present rate.
    pub left: Option<f64>,
    /// The latest rounds, the newest last.
    pub people: Vec<GlancePeople>,
    /// The course of the difference between the best and the baseline.
    pub course: Option<GlanceCourse>,
    /// The hiring round, if people answer interviews.
    pub hiring: Option<HiringWords>,
    /// The latest round in words: its number, the person, and the policies that chose them.
    pub last: Option<String>,
    /// The lane that the others wait for, and the share of the time for which they do.
    pub holds: Option<(String, f64)>,
    /// The number of interviews that policies wait for people to hold.
    pub interviews: u64,
}

/// A lane at a moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GlanceLane {
    /// Its label.
    pub label: String,
    /// Its place among the lanes of the run.
    pub place: usize,
    /// True if its decisions count.
    pub acts: bool,
    /// True if it can never be the answer.
    pub is_yardstick: bool,
    /// The number of rounds played.
    pub rounds: u64,
    /// The number of persons selected.
    pub selected: u64,
    /// The lane's ending; `None` while it plays.
    pub ended: Option<String>,
    /// The last error line of its program, if the lane broke off.
    pub error: Option<String>,
    /// The current value of the measure.
    pub value: Option<f64>,
    /// The values of the measure over the rounds.
    pub course: Vec<f64>,
    /// Its difference from the baseline.
    pub difference: Option<GlanceDifference>,
}

/// A difference from the baseline.
#[derive(Clone, Debug, PartialEq)]
pub struct GlanceDifference {
    /// The mean difference.
    pub mean: f64,
    /// The interval of the difference; `None` for a fact.
    pub interval: Option<(f64, f64)>,
    /// The verdict.
    pub verdict: Verdict,
    /// The standing of the comparison.
    pub standing: Standing,
}

/// The latest samples, from which rates are computed, and the headline shown, with the time since
/// which it has been shown.
#[derive(Debug, Default)]
pub struct Glances {
    /// The place of the measure that the reader chose. `None` before a choice.
    pub chosen: Option<usize>,
    history: History,
    headline: Option<(Instant, String)>,
}

impl Glances {
    /// Reads the run as it is now.
    #[must_use]
    pub fn see(&mut self, watched: &Watched, now: Instant) -> Glance {
        let rates = self.history.see(watched, now);
        let mut glance = glance(watched, rates, self.chosen);
        glance.hiring = HiringWords::of(watched, now);
        let is_over = glance.stage == Stage::Over;
        let headline = match self.headline.take() {
            Some((at, shown)) if now - at < HEADLINE_PERIOD && !is_over && !shown.is_empty() => {
                (at, shown)
            }
            Some((at, shown)) if shown == glance.headline => (at, shown),
            _ => (now, std::mem::take(&mut glance.headline)),
        };
        glance.headline.clone_from(&headline.1);
        self.headline = Some(headline);
        glance
    }
}

/// Reads the run as it is now.
fn glance(watched: &Watched, rates: Option<Rates>, chosen: Option<usize>) -> Glance {
    let cut = watched.cut();
    let places = 0..watched.labels.len();
    let run = watched.so_far(&cut);
    let metrics = watched.courses.metrics.iter();
    let metrics: Vec<&str> = metrics.map(|(name, _)| name.as_str()).collect();
    let sided = |name: &&&str| run.directions.of(name) != Direction::None;
    let chosen = chosen.and_then(|chosen| metrics.get(chosen));
    let shown = chosen.or_else(|| metrics.iter().find(sided).or(metrics.first()));
    let shown = shown.copied();
    let place = metrics.iter().position(|name| Some(*name) == shown);
    let direction = run.directions.of(shown.unwrap_or_default());
    let words = run.catalogue.words(shown.unwrap_or_default());
    let scale = words.scale();
    let pairs: Vec<&Pair> = run
        .pairs
        .iter()
        .filter(|pair| Some(pair.metric.as_str()) == shown)
        .collect();
    let baseline = baseline(watched, &pairs);
    let all = pairs;
    let pairs = ByPair::of(all.iter().map(|pair| ([&*pair.a, &*pair.b], *pair)));
    let lane = |at: usize| {
        let label = &*watched.labels[at];
        let course = place.map_or_else(Vec::new, |place| {
            values(&watched.line(&cut, at, place), scale)
        });
        let pair = baseline.and_then(|base| pairs.get(label, base));
        let difference = pair.and_then(|(pair, _)| difference(pair, label, scale));
        lane_of(watched, &cut, at, course, difference)
    };
    let mut lanes: Vec<GlanceLane> = places.map(lane).collect();
    let holds = rates.as_ref().and_then(Rates::slowest);
    let contenders = lanes.iter().filter(|lane| !lane.is_yardstick);
    let values = contenders.filter_map(|lane| Some((&*lane.label, lane.value?)));
    let course = baseline
        .and_then(|base| people::course(&run.courses, &all, base, values, (direction, scale)));
    // As in figures: numbers in labels sort as numbers.
    let looks = PolicyLooks::of(lanes.iter().map(|lane| lane.label.as_str()));
    lanes.sort_by_cached_key(|lane| looks.look(&lane.label));
    Glance {
        name: watched.name.clone(),
        stage: *watched.stage.borrow(),
        headline: headline(&run),
        measure: shown.map(|_| (words.head(), direction)),
        measures: metrics
            .iter()
            .map(|name| run.catalogue.words(name).head())
            .collect(),
        shown: place.unwrap_or(0),
        left: left(watched, &lanes, rates.as_ref()),
        people: people::latest(watched),
        course,
        hiring: None,
        baseline: baseline.map(str::to_owned),
        lanes,
        seats: seats(watched),
        came: watched.gauges.accepted.get(),
        rate: rates.as_ref().map(|rates| rates.accepted),
        last: last(watched),
        holds: holds.map(|(lane, share)| (watched.labels[lane].to_string(), share)),
        interviews: watched.desk.as_ref().map_or(0, |desk| desk.counts()[0]),
    }
}

/// The answer so far. Empty before anything is compared.
fn headline(run: &Finished) -> String {
    let answer = run.answer.as_ref();
    match run.pairs.iter().any(|pair| pair.n > 0) {
        true => answer.map_or_else(String::new, |answer| answer.headline.clone()),
        false if run.pairs.is_empty() => "Nothing is compared".to_owned(),
        false => String::new(),
    }
}

/// A lane with the course of the measure shown, and its difference from the baseline.
fn lane_of(
    watched: &Watched,
    cut: &Cut,
    at: usize,
    course: Vec<f64>,
    difference: Option<GlanceDifference>,
) -> GlanceLane {
    let label = &*watched.labels[at];
    let own = cut.lane(at);
    let gauges = &watched.gauges.lanes[at];
    GlanceLane {
        label: label.to_owned(),
        place: at,
        is_yardstick: !watched.judge.is_contender(label),
        acts: watched.acting == Some(at),
        // Of one that is behind it is known how far it is, and nothing else.
        rounds: own.map_or_else(|| gauges.rounds.get(), |own| own.rounds),
        selected: own.map_or_else(|| gauges.accepted.get(), |own| own.selected),
        ended: own
            .and_then(|own| own.stop.as_ref())
            .map(|stop| stop.ending.word().replace('_', " ")),
        error: watched.last_error(at),
        value: course.last().copied(),
        course,
        difference,
    }
}

/// The seconds until the run's end, by the acting lane while it plays, or else by the lane with the
/// most left.
fn left(watched: &Watched, lanes: &[GlanceLane], rates: Option<&Rates>) -> Option<f64> {
    let rates = rates?;
    let left = |lane: &GlanceLane| match watched.until {
        Some(Until::Accepted(seats)) => Some((
            seats.saturating_sub(lane.selected),
            rates.chosen[lane.place],
        )),
        Some(Until::Rounds(rounds)) => {
            Some((rounds.saturating_sub(lane.rounds), rates.played[lane.place]))
        }
        _ => None,
    };
    let plays = lanes.iter().filter(|lane| lane.ended.is_none());
    let acting = plays.clone().find(|lane| lane.acts);
    let (left, rate) = match acting {
        Some(lane) => left(lane)?,
        None => plays.filter_map(left).max_by_key(|(left, _)| *left)?,
    };
    (rate > 0.0).then(|| left as f64 / rate)
}

/// The number of seats that each lane fills, if seats end the run.
fn seats(watched: &Watched) -> Option<u64> {
    match watched.until {
        Some(Until::Accepted(seats)) => Some(seats),
        _ => None,
    }
}

/// The policy from which the differences of these pairs are shown.
fn baseline<'a>(watched: &'a Watched, pairs: &[&'a Pair]) -> Option<&'a str> {
    let first = pairs.first()?.b.as_str();
    match pairs.iter().all(|pair| pair.b == first) {
        true => Some(first),
        false => against(watched),
    }
}

/// The policy from which differences are shown where all are compared with all: the one that acts,
/// or the first that is no yardstick.
fn against(watched: &Watched) -> Option<&str> {
    let mut labels = watched.labels.iter().map(|label| &**label);
    match watched.acting {
        Some(lane) => labels.nth(lane),
        None => labels.find(|label| watched.judge.is_contender(label)),
    }
}

/// The difference of a policy from the other one of a pair.
fn difference(pair: &Pair, label: &str, scale: f64) -> Option<GlanceDifference> {
    let interval = pair.lo.zip(pair.hi);
    let interval = interval.map(|(lo, hi)| (scale * lo, scale * hi));
    let mean = scale * pair.mean?;
    let is_turned = pair.a != label;
    Some(GlanceDifference {
        mean: if is_turned { -mean } else { mean },
        interval: match is_turned {
            true => interval.map(|(lo, hi)| (-hi, -lo)),
            false => interval,
        },
        verdict: match is_turned {
            true => pair.verdict.turned(),
            false => pair.verdict,
        },
        standing: pair.standing,
    })
}

fn values(points: &[CoursePoint], scale: f64) -> Vec<f64> {
    let value = |point: &CoursePoint| point.mean.map(|mean| mean.value).or(point.value);
    let values = points.iter().filter_map(value);
    let values = values.map(|value| scale * value);
    values.filter(|value| value.is_finite()).collect()
}

/// The latest round that all lanes which still play decided, as a sentence. A round with a decision
/// that counts is shown only once that is committed.
fn last(watched: &Watched) -> Option<String> {
    let lanes = watched.labels.len();
    let all = *watched.decisions.watch().borrow();
    let events = watched
        .decisions
        .since(all.saturating_sub(2 * lanes as u64), 2 * lanes);
    let of = |round: u64| events.iter().filter(move |event| event.round() == round);
    let is_shown = |round: u64| of(round).all(|event| watched.may_tell(event));
    let last = events.iter().rev().find(|event| is_shown(event.round()))?;
    let round = last.round();
    let of_round = || of(round);
    let chose = of_round().filter(|event| !event.event.decision.chosen.is_empty());
    let chose: Vec<String> = chose.map(|e| quoted(&watched.labels[e.lane])).collect();
    let shown = &last.event.decision.shown;
    let who = match shown.as_slice() {
        [only] => only.clone(),
        all => format!("{} people", all.len()),
    };
    let by = match chose.len() {
        0 => "no policy chooses".to_owned(),
        all if all > 1 && all == of_round().count() => "every policy chooses".to_owned(),
        _ => format!("chosen by {}", chose.join(", ")),
    };
    Some(format!("round {round}, {who}: {by}"))
}

#[cfg(test)]
mod tests;
