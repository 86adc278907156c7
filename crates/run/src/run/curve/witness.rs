//! The witness that reads a lane's measures at the steps of a curve.

use std::collections::VecDeque;
use std::sync::Arc;

use super::lane_curve::LaneCurve;
use super::steps::Steps;
use crate::config::Plan;
use kleroterion_core::protocol::{Batch, Ledger, Stop};
use kleroterion_core::score::{Kept, MetricAt, MetricInfo, MetricRow, Witness};

/// Reads a lane's measures at each step.
pub(in super::super) struct CurveWitness {
    /// The metrics that figures draw.
    drawn: Kept,
    steps: Steps,
    /// The rounds and the accepted up to the end of the batch seen last.
    rounds: u64,
    accepted: u64,
    /// The steps of that batch still to be read, each after its round.
    due: VecDeque<(u64, u64)>,
    /// The steps that the next reading is of.
    now: Vec<u64>,
    /// The metrics in the order of the last reading, and whether they are drawn.
    known: Vec<(Arc<str>, bool)>,
    latest: Vec<MetricRow>,
    points: Vec<(u64, Vec<MetricRow>)>,
}

impl CurveWitness {
    /// Makes the witness of a lane of a plan, before any reading.
    pub(in super::super) fn new(plan: &Plan) -> Self {
        Self::at(Steps::of(plan), plan.drawn())
    }

    pub(super) fn at(steps: Steps, drawn: Kept) -> Self {
        Self {
            drawn,
            steps,
            rounds: 0,
            accepted: 0,
            due: VecDeque::new(),
            now: Vec::new(),
            known: Vec::new(),
            latest: Vec::new(),
            points: Vec::new(),
        }
    }

    /// The curve of the lane, which has ended.
    pub(in super::super) fn into_curve(self) -> LaneCurve {
        LaneCurve {
            steps: self.steps,
            points: self.points,
        }
    }

    /// The rows of the metrics that are drawn; of two of one metric the first, which is a scorer's.
    fn pick(&mut self, rows: &[MetricRow]) -> Vec<MetricRow> {
        let mut picked: Vec<MetricRow> = Vec::new();
        for (place, row) in rows.iter().enumerate() {
            if self.is_drawn(place, &row.metric)
                && !picked.iter().any(|known| known.metric == row.metric)
            {
                picked.push(row.clone());
            }
        }
        picked
    }

    /// Returns true if a metric is drawn. Most often the metric has the same place as in the last
    /// reading.
    fn is_drawn(&mut self, place: usize, metric: &Arc<str>) -> bool {
        match self.known.get(place) {
            Some((known, is_drawn)) if Arc::ptr_eq(known, metric) => *is_drawn,
            _ => {
                let is_drawn = self.drawn.holds(&MetricAt {
                    metric: Arc::clone(metric),
                    at: None,
                });
                let known = (Arc::clone(metric), is_drawn);
                match self.known.get_mut(place) {
                    Some(other) => *other = known,
                    None => self.known.push(known),
                }
                is_drawn
            }
        }
    }

    /// Keeps every other step while there are too many.
    fn thin(&mut self) {
        while self.points.len() > Steps::MOST {
            self.steps.widen();
            self.points.retain(|(at, _)| self.steps.holds(*at));
            self.due.retain(|(_, at)| self.steps.holds(*at));
        }
    }
}

impl Witness for CurveWitness {
    fn record(&mut self, _: &Batch, ledger: &Ledger) {
        let rounds = ledger.rounds();
        let before = match self.steps.by_accepted {
            true => self.accepted,
            false => self.rounds,
        };
        let mut next = self.steps.after(before);
        while let Some(at) = next {
            let round = match self.steps.by_accepted {
                true => ledger.round_reaching(at - before),
                false => Some((at - before - 1) as usize).filter(|round| *round < rounds),
            };
            let Some(round) = round else { break };
            self.due.push_back((self.rounds + round as u64 + 1, at));
            next = self.steps.after(at);
        }
        self.rounds += rounds as u64;
        self.accepted += ledger.chosen_before(rounds) as u64;
    }

    fn due(&self) -> Option<u64> {
        self.due.front().map(|(round, _)| *round)
    }

    fn wants(&mut self, rounds: u64) -> bool {
        while let Some((_, at)) = self.due.pop_front_if(|(round, _)| *round <= rounds) {
            self.now.push(at);
        }
        !self.now.is_empty()
    }

    fn read(&mut self, _: u64, rows: &[MetricRow]) {
        let picked = self.pick(rows);
        let now = std::mem::take(&mut self.now).into_iter();
        self.points.extend(now.map(|at| (at, picked.clone())));
        self.latest = picked;
        self.thin();
    }

    /// Carries what only adds up forward over the rounds at which it was still to be read, as series
    /// do: else the later means would be of the lanes that last long.
    fn end(&mut self, _: &Stop) {
        if self.steps.by_accepted || self.steps.end.is_none() {
            return;
        }
        let mut rows = std::mem::take(&mut self.latest);
        rows.retain(|row| MetricInfo::of(&row.metric).cumulative);
        let mut next = self.steps.after(self.rounds);
        while let Some(at) = next {
            self.points.push((at, rows.clone()));
            next = self.steps.after(at);
        }
    }
}
