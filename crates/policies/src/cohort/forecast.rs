//! Forecasts: what a score and earlier rounds say of an applicant, put as interviews. *Ours, not
//! the paper's.*
//!
//! The worth of an applicant of group g is modelled as normal around a line,
//!
//! ```text
//! worth = score + z' beta_g + e,    e ~ N(0, spread^2),    beta_g ~ N(0, doubt^2 I),
//! ```
//!
//! z being a constant, the score and the features, each less its mean on the first slate; the score
//! in units of `spread`, features in standard deviations of that slate (as they are where they do
//! not vary on it). An interview of weight T answers worth + N(0, sigma^2 / T), an outcome worth +
//! N(0, tau^2). Kept is the posterior of beta_g given every interview and outcome of earlier
//! rounds: it is that of Bayes' rule, since who was interviewed or chosen hung on what was seen
//! alone. A forecast of variance v weighs as much as sigma^2 / v interviews of gain 1. Forecasts of
//! one slate share the doubt about beta_g; they are used as if they did not.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use crate::BadParameters;
use crate::meritocratic::Ridge;
use kleroterion_core::protocol::{LookStats, Outcome, Shown, Slate};

/// The assumptions of a forecast, all in units of the worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForecastParameters {
    /// The standard deviation of people's worth around the line; above 0.
    pub spread: f64,
    /// The standard deviation of each coefficient's first guess. With 0 the score is taken as it
    /// is, for ever.
    pub doubt: f64,
    /// sigma: the standard deviation of an interview of gain 1; above 0.
    pub look_noise: f64,
    /// tau: the standard deviation of an outcome, at least 0. `None` if outcomes are not reported.
    pub outcome_noise: Option<f64>,
    /// The longest delay of an outcome, in rounds.
    pub delay: u64,
    /// The attribute whose values have a line each. `None` for one line for all.
    pub by: Option<usize>,
}

/// The origin and the unit of a column.
#[derive(Clone, Copy, Debug)]
struct Scale {
    mean: f64,
    unit: f64,
}

impl Scale {
    /// Makes the scale of a column: from its mean, in this unit, or in standard deviations if none
    /// is given. A column that does not vary is not scaled.
    fn of(column: &[f64], unit: Option<f64>) -> Self {
        let n = column.len().max(1) as f64;
        let mean = column.iter().sum::<f64>() / n;
        let square = |x: &f64| (x - mean) * (x - mean);
        let sd = (column.iter().map(square).sum::<f64>() / n).sqrt();
        let unit = unit.or(Some(sd).filter(|sd| *sd > 0.0));
        Self {
            mean,
            unit: unit.unwrap_or(1.0),
        }
    }
}

/// A forecast of applicants' worths before they are interviewed.
#[derive(Clone, Debug)]
pub struct CohortForecast {
    parameters: ForecastParameters,
    /// An estimate of beta a group; none where nothing is learnt.
    lines: Vec<Ridge>,
    /// The scales, by column; empty before the first slate.
    scales: Vec<Scale>,
    /// The interviews of those chosen whose outcomes may still come, by round and person.
    asked: BTreeMap<(u64, u64), LookStats>,
}

impl CohortForecast {
    /// Makes the forecast before the first round. `columns` is the number of scores and features
    /// shown of each applicant; `groups` is the number of values of `by`.
    ///
    /// # Errors
    /// Returns all parameters that are out of range.
    pub fn new(
        parameters: ForecastParameters,
        columns: usize,
        groups: usize,
    ) -> Result<Self, BadParameters> {
        let ForecastParameters {
            spread,
            doubt,
            look_noise,
            outcome_noise,
            ..
        } = parameters;
        let mut wrong = BadParameters::default();
        let positive = |x: f64| x.is_finite() && x > 0.0;
        let above = "a finite number above 0";
        wrong.demand("spread", spread, positive(spread), above);
        wrong.demand(
            "the noise of a look",
            look_noise,
            positive(look_noise),
            above,
        );
        let at_least_0 = |x: f64| x.is_finite() && x >= 0.0;
        let wants = "a finite number, at least 0";
        wrong.demand("doubt", doubt, at_least_0(doubt), wants);
        let tau = outcome_noise.unwrap_or(0.0);
        wrong.demand("the noise of an outcome", tau, at_least_0(tau), wants);
        wrong.or(())?;
        let lines = if doubt > 0.0 {
            let groups = parameters.by.map_or(1, |_| groups);
            vec![Ridge::new(1 + columns, 1.0 / (doubt * doubt)); groups]
        } else {
            Vec::new()
        };
        Ok(Self {
            parameters,
            lines,
            scales: Vec::new(),
            asked: BTreeMap::new(),
        })
    }

    /// The parameters of the forecast.
    #[must_use]
    pub fn parameters(&self) -> &ForecastParameters {
        &self.parameters
    }

    /// Returns the forecast for each of a slate's people before any interview, by slot, as files
    /// without interviews. A person without a finite score has weight 0.
    pub fn open(&mut self, slate: Slate<'_>) -> Vec<LookStats> {
        if self.scales.is_empty() {
            let rows: Vec<Vec<f64>> = slate
                .candidates()
                .map(|shown| columns(shown).collect())
                .collect();
            let column = |at: usize| {
                let column = rows.iter().map(|row| row[at]);
                column.filter(|x| x.is_finite()).collect::<Vec<_>>()
            };
            let width = rows.first().map_or(0, Vec::len);
            let scored = slate.candidates().any(|shown| shown.score().is_some());
            let unit = |at: usize| (scored && at == 0).then_some(self.parameters.spread);
            let scales = (0..width).map(|at| Scale::of(&column(at), unit(at)));
            self.scales = scales.collect();
        }
        let betas: Vec<_> = self.lines.iter().map(Ridge::estimate).collect();
        let given = self.parameters;
        let forecast = |shown: Shown<'_>| {
            let mut mean = shown.score().unwrap_or(0.0);
            let mut variance = given.spread * given.spread;
            if let Some(at) = self.line(shown) {
                let z = self.z(shown);
                mean += z
                    .iter()
                    .zip(&betas[at])
                    .map(|(z, beta)| z * beta)
                    .sum::<f64>();
                variance += self.lines[at].spread(&z);
            }
            let weight = given.look_noise * given.look_noise / variance;
            let told = mean.is_finite() && weight.is_finite();
            LookStats {
                looks: 0,
                weight: if told { weight } else { 0.0 },
                mean: if told { mean } else { 0.0 },
            }
        };
        slate.candidates().map(forecast).collect()
    }

    /// Learns from a round's interviews (`files` by slot). Keeps those of the chosen until their
    /// outcomes come.
    pub fn close(&mut self, round: u64, slate: Slate<'_>, files: &[LookStats], chosen: &[u32]) {
        if self.lines.is_empty() {
            return;
        }
        let given = self.parameters;
        for (slot, file) in (0..).zip(files).filter(|(_, file)| file.looks > 0) {
            let noise = given.look_noise * given.look_noise / file.weight;
            let shown = slate.candidate(slot);
            let variance = given.spread * given.spread + noise;
            self.observe(shown, 1.0, file.mean, variance);
        }
        let late = self
            .asked
            .split_off(&(round.saturating_sub(given.delay), 0));
        self.asked = late;
        for &slot in chosen {
            let file = files.get(slot as usize).filter(|file| file.looks > 0);
            if let Some(file) = file {
                let person = slate.candidate(slot).number();
                self.asked.insert((round, person), *file);
            }
        }
    }

    /// Returns true if the forecast learns from anything.
    pub fn learns(&self) -> bool {
        !self.lines.is_empty()
    }

    /// Learns from an outcome. The interviews of the person were learnt before. The more they said
    /// about beta, the less the outcome adds.
    pub fn learn(&mut self, outcome: &Outcome<'_>) {
        if self.lines.is_empty() {
            return;
        }
        let given = self.parameters;
        let shown = outcome.person();
        let who = (outcome.decided(), shown.number());
        let file = self.asked.remove(&who).unwrap_or_default();
        let line = 1.0 / (given.spread * given.spread);
        let looks = file.weight / (given.look_noise * given.look_noise);
        let share = line / (line + looks);
        let tau = given.outcome_noise.unwrap_or(0.0);
        let variance = 1.0 / (line + looks) + tau * tau;
        let rest = outcome.value() - (1.0 - share) * file.mean;
        self.observe(shown, share, rest, variance);
    }

    /// Learns that `value` is `share` times the line for a person, with noise of this variance.
    fn observe(&mut self, shown: Shown<'_>, share: f64, value: f64, variance: f64) {
        let Some(at) = self.line(shown) else {
            return;
        };
        let narrow = 1.0 / variance.sqrt();
        let z: Vec<f64> = self.z(shown).iter().map(|z| share * narrow * z).collect();
        let rest = value - share * shown.score().unwrap_or(0.0);
        self.lines[at].observe(&z, narrow * rest);
    }

    /// The line of a person's group.
    fn line(&self, shown: Shown<'_>) -> Option<usize> {
        let group = self
            .parameters
            .by
            .map_or(0, |by| usize::from(shown.values()[by]));
        (!self.lines.is_empty()).then_some(group)
    }

    /// Returns the vector z of a person.
    fn z(&self, shown: Shown<'_>) -> Vec<f64> {
        let scaled = columns(shown).zip(&self.scales);
        let scaled = scaled.map(|(x, scale)| (x - scale.mean) / scale.unit);
        std::iter::once(1.0).chain(scaled).collect()
    }
}

/// A person's score and features.
fn columns(shown: Shown<'_>) -> impl Iterator<Item = f64> {
    shown
        .score()
        .into_iter()
        .chain(shown.features().iter().copied())
}
