//! The flow through the run, and the state of its parts, as they are now.

use std::time::Duration;

use super::elsewhere;
use super::lanes::{NONE, state};
use super::model::{Model, Words};
use super::moment::Moment;
use crate::watch::gauges::Gauge;
use crate::watch::rates::{HOLDS, Rates, a_second};
use kleroterion_report::report::account::quoted;
use kleroterion_report::report::number::{brief, grouped};

/// A duration to two digits, with its unit.
fn time(took: Duration) -> String {
    let seconds = took.as_secs_f64();
    match seconds {
        _ if seconds < 1e-3 => format!("{} \u{b5}s", brief(seconds * 1e6, 2)),
        _ if seconds < 1.0 => format!("{} ms", brief(seconds * 1e3, 2)),
        _ => format!("{} s", brief(seconds, 2)),
    }
}

/// Fills the table of the policies' health: one row per policy with its state, queue and latency.
pub(super) fn health(model: &mut Model, moment: &Moment<'_>) {
    let lanes = &moment.watched.gauges.lanes;
    let has_forfeits = lanes.iter().any(|lane| lane.forfeits.get() > 0);
    let heads = [
        "policy",
        "state",
        "waiting",
        "decides in (median, 99 %)",
        "forfeits",
    ];
    let all = if has_forfeits { 5 } else { 4 };
    let mut rows = vec![heads.map(Words::from).to_vec()];
    rows.extend(moment.order.iter().map(|&lane| {
        let gauges = &lanes[lane];
        let latency = (gauges.latency.quantile(0.5), gauges.latency.quantile(0.99));
        let latency = match latency {
            (Some(median), Some(most)) => format!("{}, {}", time(median), time(most)),
            _ => NONE.to_owned(),
        };
        vec![
            moment.label(lane).into(),
            state(moment, lane),
            waiting(moment, lane).into(),
            latency.into(),
            grouped(gauges.forfeits.get()).into(),
        ]
    }));
    rows.iter_mut().for_each(|row| row.truncate(all));
    model.table("health", rows);
    flow(model, moment);
}

/// The queue of a policy as text, with the share of the time for which the stream waits for it.
fn waiting(moment: &Moment<'_>, lane: usize) -> String {
    // Its last batch is never taken.
    if moment.end(lane).is_some() {
        return NONE.to_owned();
    }
    let rates = moment.rates.as_ref();
    let held = rates.map_or(0.0, |rates| rates.held_back[lane]);
    let waiting = match moment.watched.gauges.lanes[lane].waiting.get() {
        0 => "0".to_owned(),
        1 => "1 batch".to_owned(),
        n => format!("{} batches", grouped(n)),
    };
    match held >= HOLDS {
        true => format!(
            "{waiting}; the stream waits for it {} % of the time",
            brief(100.0 * held.min(1.0), 2)
        ),
        false => waiting,
    }
}

/// Fills the flow: counts, rates, queues, and the policy that holds the stream back.
fn flow(model: &mut Model, moment: &Moment<'_>) {
    let mut parts = came(moment);
    parts.extend(refused(moment));
    let gauges = &moment.watched.gauges;
    parts.push((
        "Waiting",
        format!(
            "{} to be recorded, {} to be played",
            grouped(gauges.deliveries.get()),
            grouped(moment.watched.to_be_played())
        ),
    ));
    parts.extend(held_back(moment));
    parts.extend(behind(moment));
    parts.extend(elsewhere::farthest_behind(moment));
    parts.extend(connection(moment));
    let rows = parts.into_iter();
    let rows = rows.map(|(name, words)| vec![name.into(), words.into()]);
    let (first, other) = match comes_first(moment) {
        true => ("flow-first", "flow"),
        false => ("flow", "flow-first"),
    };
    model.table(first, rows.collect());
    model.table(other, Vec::new());
}

/// Returns true if the flow is shown before the answer: something is wrong, or policies learn from
/// the outcomes that are reported.
fn comes_first(moment: &Moment<'_>) -> bool {
    let gauges = &moment.watched.gauges;
    let link = moment.watched.link.get();
    gauges.refused.get() + gauges.unreadable.get() + gauges.outcomes.get() > 0
        || link.is_some_and(|link| !link.is_up() && !link.has_ended())
        || behind(moment).is_some()
}

/// The policies that the board's moment does not wait for.
fn behind(moment: &Moment<'_>) -> Option<FlowPart> {
    let lanes = &moment.watched.gauges.lanes;
    let lags = |lane: &&usize| moment.cut.lane(**lane).is_none() && lanes[**lane].rounds.get() > 0;
    let who = moment.order.iter().filter(lags);
    let who: Vec<String> = who.map(|lane| quoted(moment.label(*lane))).collect();
    (!who.is_empty()).then(|| ("Behind", who.join(", ")))
}

/// A name and the text below it.
type FlowPart = (&'static str, String);

/// The numbers of people, decisions and other records that came.
fn came(moment: &Moment<'_>) -> Vec<FlowPart> {
    let gauges = &moment.watched.gauges;
    let rates = moment.rates.as_ref();
    let per_second = |of: fn(&Rates) -> f64| {
        rates.map_or(String::new(), |rates| format!(" ({})", a_second(of(rates))))
    };
    let count = |gauge: &Gauge| grouped(gauge.get());
    let mut parts = vec![
        (
            "People",
            count(&gauges.accepted) + &per_second(|rates| rates.accepted),
        ),
        ("Decisions", grouped(moment.decisions)),
    ];
    let rest = [
        ("Repeats dropped", &gauges.duplicates),
        ("Left out", &gauges.left_out),
        ("Outcomes", &gauges.outcomes),
    ];
    let rest = rest.into_iter().filter(|(_, gauge)| gauge.get() > 0);
    parts.extend(rest.map(|(name, gauge)| (name, count(gauge))));
    parts
}

/// The numbers of refused records and requests, each with the place of the reasons.
fn refused(moment: &Moment<'_>) -> impl Iterator<Item = FlowPart> {
    let gauges = &moment.watched.gauges;
    let refused = [
        (
            "Refused",
            &gauges.refused,
            " (why: bad.ndjson in the run's folder)",
        ),
        (
            "Requests refused",
            &gauges.unreadable,
            " (unreadable; why: in the answers to them)",
        ),
    ];
    let refused = refused.into_iter().filter(|(_, gauge, _)| gauge.get() > 0);
    refused.map(|(name, gauge, why)| (name, grouped(gauge.get()) + why))
}

/// The connection of a feed that reads from a server elsewhere, and the queue there.
fn connection(moment: &Moment<'_>) -> Option<FlowPart> {
    let link = moment.watched.link.get()?;
    let mut words = match link.is_up() {
        true => "connected".to_owned(),
        false if link.has_ended() => "ended, because the feed is over".to_owned(),
        false => "lost; klero connects again".to_owned(),
    };
    if link.waiting() > 0 {
        words += &format!(", {} messages wait there", grouped(link.waiting()));
    }
    if link.lost() > 0 {
        words += &format!(", lost {} times before", grouped(link.lost()));
    }
    Some(("Connection of the feed", words))
}

/// The policy for which the stream waits longest, if it waits at all.
fn held_back(moment: &Moment<'_>) -> Option<FlowPart> {
    let (lane, held) = moment.rates.as_ref()?.slowest()?;
    let who = quoted(moment.label(lane));
    let share = brief(100.0 * held, 2);
    Some(("Held back by", format!("{who}, {share} % of the time")))
}
