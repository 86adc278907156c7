//! The curves of a run: its measures at even steps, averaged over replications as they come.
//!
//! Figures alone are made of them, so a run holds no value of a single replication.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::config::Plan;
use kleroterion_core::protocol::{Batch, Ledger, Stop, Until};
use kleroterion_core::score::{Kept, MetricAt, MetricRow, Metrics, Moments, Witness};
use kleroterion_stats::{CurvePoint, Curves};

/// The replications that curves are of, the first of a run: readings cost more than short
/// replications do, and a figure shows no difference.
pub(super) const CURVED: u64 = 100;

/// Even steps over the course of a run, and its end if known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Steps {
    /// True if the steps count people accepted, false if they count rounds.
    by_accepted: bool,
    /// The distance between two steps.
    gap: u64,
    /// The last step, if known.
    end: Option<u64>,
}

impl Steps {
    /// The fewest steps of a run that is long enough.
    const FEWEST: u64 = 30;
    /// The most steps.
    const POINTS: usize = 2 * Self::FEWEST as usize;

    /// The steps of a run, in the unit of `report.at`.
    fn over(moments: &Moments, until: Until) -> Self {
        let by_accepted = match moments {
            Moments::Accepted(_) => true,
            Moments::Rounds(_) => false,
            Moments::End => matches!(until, Until::Accepted(_)),
        };
        let end = match (moments, until) {
            (_, Until::Accepted(places)) if by_accepted => Some(places),
            (_, Until::Rounds(rounds)) if !by_accepted => Some(rounds),
            (Moments::Rounds(at), _) => at.last().copied(),
            _ => None,
        };
        Self {
            by_accepted,
            gap: end.map_or(1, |end| (end / Self::FEWEST).max(1)),
            end,
        }
    }

    /// The first step after a point of the run.
    fn after(&self, at: u64) -> Option<u64> {
        let next = (at / self.gap).checked_add(1)?.checked_mul(self.gap)?;
        match self.end {
            Some(end) if at >= end => None,
            Some(end) => Some(next.min(end)),
            None => Some(next),
        }
    }

    /// Returns true if there is a step at a point.
    fn holds(&self, at: u64) -> bool {
        at.is_multiple_of(self.gap) || self.end == Some(at)
    }
}

/// The measures of a lane at the steps of one replication.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LaneCurve {
    steps: Steps,
    points: Vec<(u64, Vec<MetricRow>)>,
}

/// The values at one step so far: their number, mean, and squares about it (Welford 1962).
#[derive(Clone, Copy, Debug, Default)]
struct Running {
    n: u64,
    mean: f64,
    squares: f64,
}

impl Running {
    fn add(&mut self, value: f64) {
        self.n += 1;
        let apart = value - self.mean;
        self.mean += apart / self.n as f64;
        self.squares += apart * (value - self.mean);
    }

    /// The point. `None` if the values are too large for a mean.
    fn point(self, at: u64) -> Option<CurvePoint> {
        let n = self.n as f64;
        let se = (self.squares / (n - 1.0) / n).sqrt();
        self.mean.is_finite().then_some(CurvePoint {
            at,
            n: self.n,
            mean: self.mean,
            se: (self.n > 1 && se.is_finite()).then_some(se),
        })
    }
}

/// The curves of one policy.
#[derive(Default)]
pub(super) struct CurveFold {
    /// The widest steps of any replication; none before the first.
    steps: Option<Steps>,
    sums: BTreeMap<Arc<str>, BTreeMap<u64, Running>>,
}

impl CurveFold {
    /// Takes in the next replication.
    pub(super) fn add(&mut self, curve: LaneCurve) {
        let widest = self.steps.get_or_insert_with(|| curve.steps.clone());
        if widest.gap < curve.steps.gap {
            *widest = curve.steps;
            for sums in self.sums.values_mut() {
                sums.retain(|at, _| widest.holds(*at));
            }
        }
        for (at, rows) in curve.points {
            if !widest.holds(at) {
                continue;
            }
            for row in rows {
                let sums = self.sums.entry(row.metric).or_default();
                sums.entry(at).or_default().add(row.value);
            }
        }
    }

    /// The curves.
    pub(super) fn finish(self) -> Curves {
        let points = |sums: BTreeMap<u64, Running>| {
            let points = sums.into_iter();
            points.filter_map(|(at, sum)| sum.point(at)).collect()
        };
        let curves = self.sums.into_iter();
        curves
            .map(|(metric, sums)| (metric.to_string(), points(sums)))
            .collect()
    }
}

/// Reads a lane's measures at each step.
pub(super) struct CurveWitness {
    /// The metrics that figures draw.
    drawn: Kept,
    /// The metrics that a program adds.
    metrics: Metrics,
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
    pub(super) fn new(plan: &Plan) -> Self {
        Self {
            drawn: plan.drawn(),
            metrics: plan.judge.catalogue.clone(),
            steps: Steps::over(&plan.moments, plan.rules.until),
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
    pub(super) fn into_curve(self) -> LaneCurve {
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
        while self.points.len() > Steps::POINTS {
            self.steps.gap *= 2;
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
        rows.retain(|row| self.metrics.of(&row.metric).cumulative);
        let mut next = self.steps.after(self.rounds);
        while let Some(at) = next {
            self.points.push((at, rows.clone()));
            next = self.steps.after(at);
        }
    }
}

#[cfg(test)]
mod tests;
