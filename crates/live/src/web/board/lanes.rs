//! The policies one by one, best first.

use super::elsewhere;
use super::end::time_left;
use super::model::{Model, Words};
use super::moment::Moment;
use crate::watch::cut::LaneCut;
use kleroterion_core::protocol::Until;
use kleroterion_report::report::number::{brief, fixed, grouped};

/// The text for a missing value.
pub(super) const NONE: &str = "\u{2013}";

/// The digits of a measure; also its decimals, unless it is small in all lanes.
const DIGITS: i32 = 3;
const DECIMALS: i32 = 4;

/// Fills the table of the policies, in label order: one row each with tag, seats and measures.
pub(super) fn lanes(model: &mut Model, moment: &Moment<'_>) {
    let metrics = moment.watched.courses.metrics.iter();
    let metrics: Vec<&str> = metrics.map(|(name, _)| name.as_str()).collect();
    let columns: Vec<Vec<String>> = metrics.iter().map(|name| column(moment, name)).collect();
    let heads = ["policy", heading(moment)].map(str::to_owned).into_iter();
    let by = moment.first_sided().map(|measure| &*measure.metric);
    let words = |name: &&str| {
        let head = moment.watched.judge.catalogue.words(name).head();
        let mark = if Some(*name) == by { " \u{25be}" } else { "" };
        head + mark
    };
    let heads = heads.chain(metrics.iter().map(words));
    let mut rows = vec![heads.map(Words::from).collect()];
    for (place, &lane) in moment.order.iter().enumerate() {
        let values = columns.iter().map(|column| Words::from(&*column[place]));
        let first = [tag(moment, lane).into(), chosen(moment, lane)];
        rows.push(first.into_iter().chain(values).collect());
    }
    model.table("lanes", rows);
    let best = moment.best_first();
    let places = best
        .iter()
        .filter_map(|lane| moment.place(moment.label(*lane)));
    model.order = places.collect();
}

fn heading(moment: &Moment<'_>) -> &'static str {
    match moment.watched.until {
        Some(Until::Accepted(_)) => "seats",
        _ => "chosen",
    }
}

/// The tag of a policy: acting, acted, yardstick, or none.
fn tag(moment: &Moment<'_>, lane: usize) -> &'static str {
    match moment.acting_tag(lane) {
        "" if !moment.watched.judge.is_contender(moment.label(lane)) => "yardstick",
        tag => tag,
    }
}

/// The values of a measure, all with the same number of decimals.
fn column(moment: &Moment<'_>, metric: &str) -> Vec<String> {
    let scale = moment.watched.judge.catalogue.words(metric).scale();
    let value = |lane: &usize| {
        let mut rows = moment.cut.lane(*lane)?.rows.iter().rev();
        let row = rows.find(|row| *row.metric == *metric)?;
        Some(scale * row.value)
    };
    let values: Vec<Option<f64>> = moment.order.iter().map(value).collect();
    let brief = |value: &f64| brief(*value, DIGITS);
    let words: Vec<String> = values.iter().flatten().map(brief).collect();
    let is_plain = !words.iter().any(|words| words.contains('e'));
    let decimals = words
        .iter()
        .map(|words| words.split('.').nth(1).map_or(0, str::len));
    let is_small = values.iter().flatten().all(|value| value.abs() < 1e-3);
    let most = if is_small { i32::MAX } else { DECIMALS };
    let decimals = (decimals.max().unwrap_or(0) as i32).min(most);
    let shown = |value: &Option<f64>| match value {
        None => NONE.to_owned(),
        Some(value) if is_plain => fixed(*value, decimals).replace('-', "\u{2212}"),
        Some(value) => brief(value).replace('-', "\u{2212}"),
    };
    values.iter().map(shown).collect()
}

/// The number of people that a policy has chosen, with its bar. Below it is the standing of its
/// lane, or the time until its seats are full.
fn chosen(moment: &Moment<'_>, lane: usize) -> Words {
    let Some(now) = moment.cut.lane(lane) else {
        return Words::new("").below(standing(moment, lane));
    };
    let (words, share, left) = match moment.watched.until {
        Some(Until::Accepted(seats)) => {
            let words = format!("{} of {} seats", grouped(now.selected), grouped(seats));
            let left = seats.saturating_sub(now.selected);
            (words, now.selected as f64 / seats as f64, left)
        }
        _ => {
            let words = format!("{} of {}", grouped(now.selected), grouped(now.persons));
            (words, now.selected as f64 / now.persons as f64, 0)
        }
    };
    let below = match standing(moment, lane) {
        plays if plays.is_empty() => full_in(moment, lane, left),
        other => other,
    };
    Words::new(words).below(below).share(share)
}

/// The time until its seats are full, as text; empty if it can't be predicted.
fn full_in(moment: &Moment<'_>, lane: usize, left: u64) -> String {
    let rates = moment.rates.as_ref().filter(|_| left > 0);
    let left = rates.and_then(|rates| time_left(left as f64, rates.chosen[lane]));
    left.map_or_else(String::new, |left| format!("full in {left}"))
}

/// The standing of a lane that has ended or is behind; empty for one that plays.
fn standing(moment: &Moment<'_>, lane: usize) -> String {
    match moment.cut.lane(lane) {
        Some(LaneCut {
            stop: Some(stop), ..
        }) => {
            format!("ended: {}", stop.ending.word().replace('_', " "))
        }
        Some(_) => String::new(),
        None => behind(moment, lane),
    }
}

fn behind(moment: &Moment<'_>, lane: usize) -> String {
    match moment.watched.gauges.lanes[lane].rounds.get() {
        0 => String::new(),
        rounds => format!("behind, at {} {}", moment.unit(), grouped(rounds)),
    }
}

/// The full state of a lane: why it ended and its program's last error, or how far it is behind.
pub(super) fn state(moment: &Moment<'_>, lane: usize) -> Words {
    let Some(now) = moment.cut.lane(lane).filter(|now| now.stop.is_some()) else {
        let plays = match moment.cut.lane(lane) {
            Some(_) => "plays".into(),
            None => match behind(moment, lane) {
                nothing if nothing.is_empty() => "plays".into(),
                behind => behind,
            },
        };
        return elsewhere::state(moment, lane).unwrap_or(plays).into();
    };
    let (detail, is_well) = match &now.stop {
        Some(stop) => (stop.detail.clone(), stop.ending.is_comparable(false)),
        None => (None, true),
    };
    let error = moment.watched.last_error(lane);
    let error = error.map(|line| format!("last error line: {line}"));
    let why: Vec<String> = detail.into_iter().chain(error).collect();
    let rounds = grouped(now.rounds);
    let words = format!("{}, at {} {rounds}", standing(moment, lane), moment.unit());
    let look = if is_well { "" } else { "no" };
    Words::new(words).looking(look).below(why.join("; "))
}
