//! The numbers of a study's runs: means, paired differences and ratios, each with its standard error.

use std::collections::BTreeMap;
use std::str::FromStr;

use super::StudyError;
use crate::compare::RunResult;
use crate::compare::Stats;
use crate::config::Plan;
use crate::protocol::{Ending, Law};
use crate::score::LaneResult;

/// A mean, or what is made of means, and how sure it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The value.
    pub mean: f64,
    /// Its standard error; none of a single replication.
    pub se: Option<f64>,
    /// From so many replications.
    pub n: u64,
}

/// One run of a study.
pub struct Played {
    /// What was asked for.
    pub plan: Plan,
    /// What a sweep set: keys and values.
    pub set: Vec<(String, String)>,
    /// What was measured.
    pub result: RunResult,
}

/// All runs of a study by preset, in the order of the preset's sweep.
#[derive(Default)]
pub struct Runs(pub(super) BTreeMap<&'static str, Vec<Played>>);

impl Estimate {
    /// Of values, a replication each; none of none.
    #[must_use]
    pub fn of(values: &[f64]) -> Option<Self> {
        Stats::of(values).map(|stats| Self {
            mean: stats.mean,
            se: stats.se,
            n: stats.n,
        })
    }

    /// Of a number that `n` replications give together, with the jackknife's standard error; `without` computes it from all of
    /// them or from all but one. None where all of them give none.
    pub(super) fn jackknife(
        n: usize,
        without: impl Fn(Option<usize>) -> Option<f64>,
    ) -> Option<Self> {
        let others: Option<Vec<f64>> = (n > 1)
            .then(|| (0..n).map(|at| without(Some(at))).collect())
            .flatten();
        let se = others.map(|others| {
            let centre = others.iter().sum::<f64>() / n as f64;
            let spread = others.iter().map(|s| (s - centre) * (s - centre));
            (spread.sum::<f64>() * (n - 1) as f64 / n as f64).sqrt()
        });
        Some(Self {
            mean: without(None)?,
            se,
            n: n as u64,
        })
    }

    /// `a - b` of two estimates from draws of their own.
    #[must_use]
    pub fn less(self, other: Self) -> Self {
        let se = self.se.zip(other.se).map(|(a, b)| libm::hypot(a, b));
        Self {
            mean: self.mean - other.mean,
            se,
            n: self.n.min(other.n),
        }
    }

    /// `factor` times the estimate.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        Self {
            mean: self.mean * factor,
            se: self.se.map(|se| se * factor.abs()),
            n: self.n,
        }
    }

    /// The estimate less a number.
    #[must_use]
    pub fn minus(self, number: f64) -> Self {
        Self {
            mean: self.mean - number,
            ..self
        }
    }

    /// The ratio of the means of pairs, with the standard error of `a - r b` over the mean of `b`.
    fn ratio(a: &[f64], b: &[f64]) -> Option<Self> {
        let (over, under) = (Self::of(a)?, Self::of(b)?);
        let ratio = over.mean / under.mean;
        if !ratio.is_finite() {
            return None;
        }
        let rest: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - ratio * b).collect();
        Some(Self {
            mean: ratio,
            se: Self::of(&rest)?.se.map(|se| se / under.mean.abs()),
            n: over.n,
        })
    }
}

impl Runs {
    /// The runs of a preset.
    ///
    /// # Errors
    /// Where the study did not play it.
    pub fn of(&self, preset: &str) -> Result<&[Played], StudyError> {
        let runs = self.0.get(preset).filter(|runs| !runs.is_empty());
        runs.map(Vec::as_slice)
            .ok_or_else(|| StudyError::Missing(format!("the study did not play {preset}")))
    }

    /// The first run of a preset.
    ///
    /// # Errors
    /// Where the study did not play it.
    pub fn one(&self, preset: &str) -> Result<&Played, StudyError> {
        self.of(preset).map(|runs| &runs[0])
    }
}

impl Played {
    /// What the sweep set a key to, as a number.
    ///
    /// # Errors
    /// Where it set no such key to one.
    pub fn swept<T: FromStr>(&self, key: &str) -> Result<T, StudyError> {
        let found = self.set.iter().find(|(path, _)| path == key);
        let number = found.and_then(|(_, value)| value.parse().ok());
        number.ok_or_else(|| self.lacks(&format!("the sweep of {key}")))
    }

    /// The law of the candidates.
    ///
    /// # Errors
    /// Where it is not known exactly.
    pub fn law(&self) -> Result<&Law, StudyError> {
        let law = self.plan.world.known.law.exact();
        law.map(|law| &**law)
            .ok_or_else(|| self.lacks("the candidates' law"))
    }

    /// How many lanes of a policy ended in a way, and how many there are.
    ///
    /// # Errors
    /// Where no policy has the label.
    pub fn ended(&self, label: &str, ending: Ending) -> Result<(u64, u64), StudyError> {
        let lanes = self.lanes(label)?;
        let ended = lanes.iter().filter(|lane| lane.ending == ending).count();
        Ok((ended as u64, lanes.len() as u64))
    }

    /// A metric of a policy, a value a replication; `at` in the unit of `report.at`, none for the end.
    ///
    /// # Errors
    /// Where a replication has no such value.
    pub fn values(
        &self,
        label: &str,
        metric: &str,
        at: Option<u64>,
    ) -> Result<Vec<f64>, StudyError> {
        let value = |lane: &LaneResult| {
            let mut rows = lane.rows.iter().rev();
            rows.find(|row| row.at == at && &*row.metric == metric && row.value.is_finite())
                .map(|row| row.value)
                .ok_or_else(|| self.lacks(&format!("{metric} of {label} in every replication")))
        };
        self.lanes(label)?.iter().map(value).collect()
    }

    /// The mean of a metric.
    ///
    /// # Errors
    /// As [`Played::values`].
    pub fn mean(&self, label: &str, metric: &str, at: Option<u64>) -> Result<Estimate, StudyError> {
        let values = self.values(label, metric, at)?;
        Estimate::of(&values).ok_or_else(|| self.lacks("any replication"))
    }

    /// The mean of `a - b` within replications, in which both policies saw the same people.
    ///
    /// # Errors
    /// As [`Played::values`].
    pub fn difference(
        &self,
        [a, b]: [&str; 2],
        metric: &str,
        at: Option<u64>,
    ) -> Result<Estimate, StudyError> {
        let (a, b) = (self.values(a, metric, at)?, self.values(b, metric, at)?);
        let pairs: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
        Estimate::of(&pairs).ok_or_else(|| self.lacks("any replication"))
    }

    /// The mean of this run's values less another's, within replications: for runs of one seed, in which a policy saw the same
    /// people.
    ///
    /// # Errors
    /// As [`Played::values`].
    pub fn beyond(
        &self,
        other: &Self,
        label: &str,
        metric: &str,
        at: Option<u64>,
    ) -> Result<Estimate, StudyError> {
        let here = self.values(label, metric, at)?;
        let there = other.values(label, metric, at)?;
        let pairs: Vec<f64> = here.iter().zip(there).map(|(a, b)| a - b).collect();
        Estimate::of(&pairs).ok_or_else(|| self.lacks("any replication"))
    }

    /// The ratio of the mean of `a` to that of `b`, over the same people.
    ///
    /// # Errors
    /// As [`Played::values`], and where the mean of `b` is 0.
    pub fn ratio(
        &self,
        [a, b]: [&str; 2],
        metric: &str,
        at: Option<u64>,
    ) -> Result<Estimate, StudyError> {
        let (over, under) = (self.values(a, metric, at)?, self.values(b, metric, at)?);
        Estimate::ratio(&over, &under).ok_or_else(|| self.lacks(&format!("{metric} above 0")))
    }

    /// The ratio of a metric of a policy at one moment to that at another.
    ///
    /// # Errors
    /// As [`Played::values`], and where the mean at the second moment is 0.
    pub fn course(
        &self,
        label: &str,
        metric: &str,
        [a, b]: [u64; 2],
    ) -> Result<Estimate, StudyError> {
        let over = self.values(label, metric, Some(a))?;
        let under = self.values(label, metric, Some(b))?;
        Estimate::ratio(&over, &under).ok_or_else(|| self.lacks(&format!("{metric} above 0")))
    }

    /// The error that says what this run lacks.
    pub(super) fn lacks(&self, what: &str) -> StudyError {
        StudyError::Missing(format!("the run {:?} does not have {what}", self.plan.name))
    }

    pub(super) fn lanes(&self, label: &str) -> Result<&[LaneResult], StudyError> {
        let mut policies = self.result.policies.iter();
        let policy = policies.find(|policy| policy.label == label);
        policy
            .map(|policy| policy.lanes.as_slice())
            .ok_or_else(|| self.lacks(&format!("the policy {label}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_and_differences_have_the_errors_of_the_textbook() {
        // r = 6/3; a - r b = (0, 1, -1): sd 1, se 1/sqrt(3), over the mean of b.
        let ratio = Estimate::ratio(&[4.0, 7.0, 7.0], &[2.0, 3.0, 4.0]).unwrap();
        assert_eq!((ratio.mean, ratio.n), (2.0, 3));
        assert!((ratio.se.unwrap() - 1.0 / 3.0_f64.sqrt() / 3.0).abs() < 1e-15);
        assert_eq!(Estimate::ratio(&[1.0], &[0.0]), None);
        let at = |mean, se| Estimate { mean, se, n: 9 };
        let less = at(5.0, Some(3.0)).less(at(1.0, Some(4.0)));
        assert_eq!((less.mean, less.se), (4.0, Some(5.0)));
        assert_eq!(at(5.0, Some(3.0)).less(at(1.0, None)).se, None);
        assert_eq!(at(5.0, Some(3.0)).times(-2.0).se, Some(6.0));
    }
}
