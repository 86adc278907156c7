//! The rates at which a live run goes on, for the board and the terminal.

use std::collections::VecDeque;
use std::time::Instant;

use super::Watched;
use super::gauges::{Gauge, LaneGauges};
use crate::limits::{RATE_SHORTEST, RATE_SPAN};
use kleroterion_report::report::number::{brief, grouped};

/// A lane for which the stream waits for less than this share of the time holds no other lane back.
pub(crate) const HOLDS: f64 = 0.05;

/// The rates of the last seconds.
pub(crate) struct Rates {
    /// The number of persons per second.
    pub(crate) accepted: f64,
    /// The share of the time for which the stream waited for each lane.
    pub(crate) held_back: Vec<f64>,
    /// The number of rounds per second in each lane.
    pub(crate) played: Vec<f64>,
    /// The number of people chosen per second in each lane.
    pub(crate) chosen: Vec<f64>,
}

/// A rate per second as text.
pub(crate) fn a_second(rate: f64) -> String {
    match rate < 10.0 {
        true => format!("{}/s", brief(rate, 2)),
        false => format!("{}/s", grouped(rate.round() as u64)),
    }
}

/// The latest samples, from which rates are computed.
#[derive(Debug, Default)]
pub(crate) struct History(VecDeque<Sample>);

#[derive(Debug)]
struct Sample {
    at: Instant,
    accepted: u64,
    held_back: Vec<u64>,
    played: Vec<u64>,
    chosen: Vec<u64>,
}

impl Rates {
    /// The lane for which the stream waits longest, with the share of the time, if it holds others
    /// back.
    pub(crate) fn slowest(&self) -> Option<(usize, f64)> {
        let held = self.held_back.iter().copied().enumerate();
        let slowest = held.max_by(|a, b| a.1.total_cmp(&b.1));
        let slowest = slowest.filter(|(_, held)| *held >= HOLDS);
        slowest.map(|(lane, held)| (lane, held.min(1.0)))
    }
}

impl History {
    /// Adds a sample of now. Returns the rates since the oldest sample, if that is old enough.
    pub(crate) fn see(&mut self, watched: &Watched, now: Instant) -> Option<Rates> {
        let gauges = &watched.gauges;
        let each = |of: fn(&LaneGauges) -> &Gauge| -> Vec<u64> {
            gauges.lanes.iter().map(|lane| of(lane).get()).collect()
        };
        let sample = Sample {
            at: now,
            accepted: gauges.accepted.get(),
            held_back: each(|lane| &lane.held_back),
            played: each(|lane| &lane.rounds),
            chosen: each(|lane| &lane.accepted),
        };
        while self
            .0
            .get(1)
            .is_some_and(|second| now - second.at >= RATE_SPAN)
        {
            self.0.pop_front();
        }
        let rates = self.0.front().and_then(|first| sample.since(first));
        self.0.push_back(sample);
        rates
    }
}

impl Sample {
    fn since(&self, before: &Self) -> Option<Rates> {
        let span = self.at - before.at;
        if span < RATE_SHORTEST {
            return None;
        }
        let seconds = span.as_secs_f64();
        let rate = |now: u64, then: u64| now.saturating_sub(then) as f64 / seconds;
        let each = |now: &[u64], then: &[u64]| -> Vec<f64> {
            now.iter()
                .zip(then)
                .map(|(now, then)| rate(*now, *then))
                .collect()
        };
        let held = each(&self.held_back, &before.held_back);
        Some(Rates {
            accepted: rate(self.accepted, before.accepted),
            held_back: held.into_iter().map(|micros| micros / 1e6).collect(),
            played: each(&self.played, &before.played),
            chosen: each(&self.chosen, &before.chosen),
        })
    }
}
