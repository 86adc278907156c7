//! The policies one by one, and what flows through the run.

use std::time::Duration;

use maud::{Markup, PreEscaped, html};

use super::elsewhere;
use super::moment::Moment;
use crate::protocol::Until;
use crate::report::account::quoted;
use crate::report::figure::sample_of;
use crate::report::markup::text;
use crate::report::number::{brief, grouped};
use crate::report::page::{card_cell, card_heads};
use crate::watch::cut::LaneCut;
use crate::watch::gauges::Gauge;

/// There is no value.
const NONE: &str = "\u{2013}";

/// A lane for which the stream waits for less than this share of the time holds no other back.
const HOLDS: f64 = 0.05;

/// A duration to two digits.
fn time(took: Duration) -> String {
    let seconds = took.as_secs_f64();
    match seconds {
        _ if seconds < 1e-3 => format!("{} \u{b5}s", brief(seconds * 1e6, 2)),
        _ if seconds < 1.0 => format!("{} ms", brief(seconds * 1e3, 2)),
        _ => format!("{} s", brief(seconds, 2)),
    }
}

fn rate(rate: f64) -> String {
    let rate = if rate < 10.0 {
        brief(rate, 2)
    } else {
        grouped(rate.round() as u64)
    };
    format!(" ({rate}/s)")
}

/// A policy's name with a sample of its line.
pub(super) fn named(label: &str, looks: &[(String, usize)]) -> Markup {
    let look = looks.iter().find(|(name, _)| name == label);
    html! {
        @if let Some((_, look)) = look { (PreEscaped(sample_of(*look))) }
        span { (text(label)) }
    }
}

/// A row a policy: whether it plays, its measures, what waits for it.
pub(super) fn lanes(moment: &Moment<'_>, looks: &[(String, usize)]) -> Markup {
    let watched = moment.watched;
    let has_forfeits = watched.gauges.lanes.iter();
    let has_forfeits = has_forfeits.map(|lane| lane.forfeits.get()).any(|n| n > 0);
    let metrics = watched.courses.metrics().iter();
    let metrics: Vec<&str> = metrics.map(|(name, _)| name.as_str()).collect();
    let mut heads = vec!["State", "Rounds", "Chosen"];
    heads.extend(&metrics);
    heads.extend(["Waiting", "Decides in (median, 99 %)"]);
    if has_forfeits {
        heads.push("Forfeits");
    }
    html! {
        table class="claims lanes" role="table" {
            caption.unseen { "The policies as they stand" }
            (card_heads(["Policy"].into_iter().chain(heads.iter().copied())))
            tbody role="rowgroup" {
                @for &lane in &moment.order {
                    tr role="row" {
                        th scope="row" role="rowheader" {
                            span.who {
                                (named(moment.label(lane), looks)) (moment.acting_tag(lane))
                            }
                        }
                        @for (head, cell) in heads.iter().zip(cells(moment, lane, &metrics)) {
                            (card_cell(head, cell))
                        }
                    } "\n"
                }
            }
        }
    }
}

/// The cells of a policy's row after its name.
fn cells(moment: &Moment<'_>, lane: usize, metrics: &[&str]) -> Vec<Markup> {
    let gauges = &moment.watched.gauges.lanes[lane];
    let now = moment.cut.lane(lane);
    let count = |of: fn(&LaneCut) -> u64| text(&now.map_or(NONE.into(), |now| grouped(of(now))));
    let value = |name: &&str| {
        let mut rows = now.map_or(&[][..], |now| &now.rows).iter().rev();
        let row = rows.find(|row| *row.metric == **name);
        text(&row.map_or(NONE.into(), |row| {
            brief(row.value, 4).replace('-', "\u{2212}")
        }))
    };
    let mut cells = vec![
        state(moment, lane),
        count(|now| now.rounds),
        count(|now| now.selected),
    ];
    cells.extend(metrics.iter().map(value));
    cells.push(text(&waiting(moment, lane)));
    let latency = (gauges.latency.quantile(0.5), gauges.latency.quantile(0.99));
    cells.push(text(&match latency {
        (Some(median), Some(most)) => format!("{}, {}", time(median), time(most)),
        _ => NONE.to_owned(),
    }));
    // Without a head of its own where no lane has any.
    cells.push(text(&grouped(gauges.forfeits.get())));
    cells
}

/// What waits for a policy, and whether it holds the stream back.
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

fn state(moment: &Moment<'_>, lane: usize) -> Markup {
    let Some(stop) = moment.end(lane) else {
        return elsewhere::state(moment, lane).unwrap_or_else(|| plays(moment, lane));
    };
    let is_well = stop.ending.is_comparable(false);
    let class = if is_well { "open" } else { "no" };
    html! {
        span class={ "verdict " (class) } {
            "ended: " (text(&stop.ending.word().replace('_', " ")))
        }
        @if let Some(detail) = &stop.detail { span.why { (text(detail)) } }
        @if let Some(line) = moment.watched.last_error(lane) {
            span.why { "last error line: " code { (text(&line)) } }
        }
    }
}

/// That a policy plays; how far it is where it is too far behind to be shown with the others.
fn plays(moment: &Moment<'_>, lane: usize) -> Markup {
    let rounds = moment.watched.gauges.lanes[lane].rounds.get();
    match moment.cut.lane(lane) {
        Some(_) => text("plays"),
        None => html! { "behind" span.why { "at round " (grouped(rounds)) } },
    }
}

/// Counts, rates, what waits where, who holds the stream back.
pub(super) fn flow(moment: &Moment<'_>) -> Markup {
    let mut parts = came(moment);
    if let Some(progress) = super::end::progress(moment) {
        let name = match moment.watched.until {
            Some(Until::Accepted(_)) => "Seats",
            _ => "Rounds",
        };
        parts.insert(1, (name, progress));
    }
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
    parts.extend(elsewhere::farthest_behind(moment));
    parts.extend(connection(moment));
    html! {
        dl.flow {
            @for (name, words) in parts { div { dt { (name) } dd { (words) } } }
        }
    }
}

/// A name and what is said under it.
type FlowPart = (&'static str, String);

/// Who came and what was decided of them, and what else came.
fn came(moment: &Moment<'_>) -> Vec<FlowPart> {
    let gauges = &moment.watched.gauges;
    let rates = moment.rates.as_ref();
    let per_second =
        |of: fn(&super::moment::Rates) -> f64| rates.map_or(String::new(), |rates| rate(of(rates)));
    let count = |gauge: &Gauge| grouped(gauge.get());
    let mut parts = vec![
        (
            "People",
            count(&gauges.accepted) + &per_second(|rates| rates.accepted),
        ),
        (
            "Decisions",
            grouped(moment.decisions) + &per_second(|rates| rates.decisions),
        ),
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

/// The records and requests that were refused, and where the reasons are.
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

/// The connection of a feed that reads from a server elsewhere, and what waits there.
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

/// The policy for which the stream waits longest, where it waits.
fn held_back(moment: &Moment<'_>) -> Option<FlowPart> {
    let held = moment.rates.as_ref()?.held_back.iter().copied().enumerate();
    let slowest = held.max_by(|a, b| a.1.total_cmp(&b.1));
    let (lane, held) = slowest.filter(|(_, held)| *held >= HOLDS)?;
    let who = quoted(moment.label(lane));
    let share = brief(100.0 * held.min(1.0), 2);
    Some(("Held back by", format!("{who}, {share} % of the time")))
}
