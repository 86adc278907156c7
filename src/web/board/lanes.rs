//! The policies one by one, and what flows through the run.

use std::time::Duration;

use super::moment::Moment;
use crate::report::account::quoted;
use crate::report::figure::sample_of;
use crate::report::markup::escape;
use crate::report::number::brief;
use crate::watch::gauges::{Gauge, LaneGauges};

/// A lane for which the stream stands still for less than this share of the time holds nobody back.
const HOLDS: f64 = 0.05;

/// A count with its thousands parted.
pub(super) fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

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
pub(super) fn named(label: &str, looks: &[(String, usize)]) -> String {
    let look = looks.iter().find(|(name, _)| name == label);
    let sample = look.map_or(String::new(), |(_, look)| sample_of(*look));
    format!("{sample}<span>{}</span>", escape(label))
}

/// A row a policy: whether it plays, its measures, what waits for it.
pub(super) fn lanes(moment: &Moment<'_>, looks: &[(String, usize)]) -> String {
    let watched = moment.watched;
    let metrics = watched.courses.metrics();
    let has = |gauge: fn(&LaneGauges) -> &Gauge| {
        watched
            .gauges
            .lanes
            .iter()
            .any(|lane| gauge(lane).get() > 0)
    };
    let has_forfeits = has(|lane| &lane.forfeits);
    let mut heads = vec![
        "Policy".to_owned(),
        "State".into(),
        "Rounds".into(),
        "Chosen".into(),
    ];
    heads.extend(metrics.iter().map(|(name, _)| name.clone()));
    heads.extend(["Waiting".into(), "Decides in (median, 99 %)".into()]);
    if has_forfeits {
        heads.push("Forfeits".into());
    }
    let row = |lane: &usize| {
        let gauges = &watched.gauges.lanes[*lane];
        let acting = moment.acting_tag(*lane);
        let course = &moment.courses[*lane];
        let value = |name: &String| {
            let row = course.now.iter().rev().find(|row| *row.metric == **name);
            row.map_or("\u{2013}".to_owned(), |row| {
                brief(row.value, 4).replace('-', "\u{2212}")
            })
        };
        let held = moment
            .rates
            .as_ref()
            .map_or(0.0, |rates| rates.held_back[*lane]);
        let waiting = match gauges.waiting.get() {
            0 => "0".to_owned(),
            1 => "1 batch".to_owned(),
            n => format!("{} batches", grouped(n)),
        };
        let waiting = match held >= HOLDS {
            true => format!(
                "{waiting}; the stream stands still for it {} % of the time",
                brief(100.0 * held.min(1.0), 2)
            ),
            false => waiting,
        };
        let latency = match (gauges.latency.quantile(0.5), gauges.latency.quantile(0.99)) {
            (Some(median), Some(most)) => format!("{}, {}", time(median), time(most)),
            _ => "\u{2013}".to_owned(),
        };
        let mut cells = vec![
            state(moment, *lane),
            grouped(gauges.rounds.get()),
            grouped(gauges.accepted.get()),
        ];
        cells.extend(metrics.iter().map(|(name, _)| value(name)));
        cells.extend([escape(&waiting), latency]);
        if has_forfeits {
            cells.push(grouped(gauges.forfeits.get()));
        }
        let cells = heads[1..].iter().zip(&cells).map(|(head, cell)| {
            format!(
                "<td role=\"cell\" data-head=\"{}\"><span>{cell}</span></td>",
                escape(head)
            )
        });
        format!(
            "<tr role=\"row\"><th scope=\"row\" role=\"rowheader\"><span class=\"who\">{}{acting}</span></th>{}</tr>\n",
            named(moment.label(*lane), looks),
            cells.collect::<String>()
        )
    };
    let rows: String = moment.order.iter().map(row).collect();
    let heads: String = heads
        .iter()
        .map(|head| {
            format!(
                "<th scope=\"col\" role=\"columnheader\">{}</th>",
                escape(head)
            )
        })
        .collect();
    format!(
        "<table class=\"claims lanes\" role=\"table\"><caption class=\"unseen\">The policies as they stand</caption>\
         <thead role=\"rowgroup\"><tr role=\"row\">{heads}</tr></thead><tbody role=\"rowgroup\">{rows}</tbody></table>"
    )
}

fn state(moment: &Moment<'_>, lane: usize) -> String {
    let Some(stop) = &moment.ends[lane] else {
        return "plays".into();
    };
    let is_well = stop.ending.is_comparable(false);
    let class = if is_well { "open" } else { "no" };
    let detail = stop.detail.as_ref().map_or(String::new(), |detail| {
        format!("<span class=\"why\">{}</span>", escape(detail))
    });
    format!(
        "<span class=\"verdict {class}\">ended: {}</span>{detail}",
        stop.ending.word().replace('_', " ")
    )
}

/// Counts, rates, what waits where, who holds the stream back.
pub(super) fn flow(moment: &Moment<'_>) -> String {
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
    for (name, gauge) in [
        ("Repeats dropped", &gauges.duplicates),
        ("Left out", &gauges.left_out),
        ("Outcomes", &gauges.outcomes),
    ] {
        if gauge.get() > 0 {
            parts.push((name, count(gauge)));
        }
    }
    if gauges.refused.get() > 0 {
        parts.push((
            "Refused",
            count(&gauges.refused) + " (why: bad.ndjson in the run's folder)",
        ));
    }
    parts.push((
        "Waiting",
        format!(
            "{} to be recorded, {} to be played",
            count(&gauges.deliveries),
            grouped(moment.watched.to_be_played())
        ),
    ));
    let slowest = rates.and_then(|rates| {
        let held = rates.held_back.iter().copied().enumerate();
        held.max_by(|a, b| a.1.total_cmp(&b.1))
            .filter(|(_, held)| *held >= HOLDS)
    });
    if let Some((lane, held)) = slowest {
        let who = escape(&quoted(moment.label(lane)));
        parts.push((
            "Held back by",
            format!("{who}, {} % of the time", brief(100.0 * held.min(1.0), 2)),
        ));
    }
    let parts = parts
        .iter()
        .map(|(name, words)| format!("<div><dt>{name}</dt><dd>{words}</dd></div>"));
    format!("<dl class=\"flow\">{}</dl>", parts.collect::<String>())
}
