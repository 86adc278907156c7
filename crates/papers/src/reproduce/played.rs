//! The runs of a study and their measures: means, paired differences and ratios, each with its
//! standard error.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::error::{Result, StudyError};
use super::estimate::StudyEstimate;
use super::share::StudyShare;
use kleroterion_core::protocol::{Ending, Law};
use kleroterion_core::score::PolicyRun;
use kleroterion_run::config::Plan;
use kleroterion_stats::RunResult;

/// One run of a study.
pub struct StudyRun {
    /// The checked config.
    pub plan: Plan,
    /// The keys and values that the sweep set.
    pub set: Vec<(String, String)>,
    /// The measures of the run.
    pub result: RunResult,
}

/// All runs of a study, by preset, in the order of the preset's sweep.
#[derive(Default)]
pub struct StudyRuns {
    pub(super) runs: BTreeMap<&'static str, Vec<StudyRun>>,
    /// The folder of data files that are not in the current folder.
    pub(super) data: Option<PathBuf>,
}

impl StudyRuns {
    /// The folder of data files that are not in the current folder.
    pub(super) fn data(&self) -> Option<&Path> {
        self.data.as_deref()
    }

    /// Returns the runs of a preset.
    ///
    /// # Errors
    /// Where the study did not play it.
    pub fn of(&self, preset: &str) -> Result<&[StudyRun]> {
        let runs = self.runs.get(preset).filter(|runs| !runs.is_empty());
        runs.map(Vec::as_slice)
            .ok_or_else(|| StudyError::Missing(format!("the study did not play {preset}")))
    }

    /// Returns the first run of a preset.
    ///
    /// # Errors
    /// Where the study did not play it.
    pub fn one(&self, preset: &str) -> Result<&StudyRun> {
        self.of(preset).map(|runs| &runs[0])
    }
}

impl StudyRun {
    /// Returns the number to which the sweep set a key.
    ///
    /// # Errors
    /// Where it set no key of this name to one.
    pub fn swept<T: FromStr>(&self, key: &str) -> Result<T> {
        let found = self.set.iter().find(|(path, _)| path == key);
        let number = found.and_then(|(_, value)| value.parse().ok());
        number.ok_or_else(|| self.lacks(&format!("the sweep of {key}")))
    }

    /// Returns the law of the candidates.
    ///
    /// # Errors
    /// Where it is not known exactly.
    pub fn law(&self) -> Result<&Law> {
        let law = self.plan.world.known.law.exact();
        law.map(|law| &**law)
            .ok_or_else(|| self.lacks("the candidates' law"))
    }

    /// Returns the number of a policy's lanes that ended in this way, and the number of all its
    /// lanes.
    ///
    /// # Errors
    /// Where no policy has the label.
    pub fn ended(&self, label: &str, ending: Ending) -> Result<(u64, u64)> {
        let endings = self.policy(label)?.endings();
        let ended = endings.iter().filter(|known| **known == ending).count();
        Ok((ended as u64, endings.len() as u64))
    }

    /// Returns a metric of a policy, one value per replication. `at` is in the unit of `report.at`,
    /// and `None` means the end.
    ///
    /// # Errors
    /// Where a replication has no value of the metric.
    pub fn values(&self, label: &str, metric: &str, at: Option<u64>) -> Result<Vec<f64>> {
        let values: Option<Vec<f64>> = self.policy(label)?.column(metric, at).collect();
        values.ok_or_else(|| self.lacks(&format!("{metric} of {label} in every replication")))
    }

    /// Returns the mean of a metric.
    ///
    /// # Errors
    /// As [`StudyRun::values`].
    pub fn mean(&self, label: &str, metric: &str, at: Option<u64>) -> Result<StudyEstimate> {
        self.estimate(self.values(label, metric, at)?)
    }

    /// Returns the mean of `a - b` within replications, in which both policies saw the same people.
    ///
    /// # Errors
    /// As [`StudyRun::values`].
    pub fn difference(
        &self,
        [a, b]: [&str; 2],
        metric: &str,
        at: Option<u64>,
    ) -> Result<StudyEstimate> {
        self.gap(&self.values(a, metric, at)?, &self.values(b, metric, at)?)
    }

    /// Returns the mean of this run's values less another's, within replications. Both runs need
    /// one seed, so that a policy saw the same people.
    ///
    /// # Errors
    /// As [`StudyRun::values`].
    pub fn beyond(
        &self,
        other: &Self,
        label: &str,
        metric: &str,
        at: Option<u64>,
    ) -> Result<StudyEstimate> {
        self.gap(
            &self.values(label, metric, at)?,
            &other.values(label, metric, at)?,
        )
    }

    /// Returns the ratio of the mean of `a` to that of `b`, over the same people.
    ///
    /// # Errors
    /// As [`StudyRun::values`], and where the mean of `b` is 0.
    pub fn ratio(&self, [a, b]: [&str; 2], metric: &str, at: Option<u64>) -> Result<StudyEstimate> {
        let (over, under) = (self.values(a, metric, at)?, self.values(b, metric, at)?);
        StudyEstimate::ratio(&over, &under).ok_or_else(|| self.lacks(&format!("{metric} above 0")))
    }

    /// Returns the ratio of a policy's metric at one moment to that at another.
    ///
    /// # Errors
    /// As [`StudyRun::values`], and where the mean at the second moment is 0.
    pub fn course(&self, label: &str, metric: &str, [a, b]: [u64; 2]) -> Result<StudyEstimate> {
        let over = self.values(label, metric, Some(a))?;
        let under = self.values(label, metric, Some(b))?;
        StudyEstimate::ratio(&over, &under).ok_or_else(|| self.lacks(&format!("{metric} above 0")))
    }

    /// Returns the mean of values, one per replication.
    pub(super) fn estimate(&self, values: impl IntoIterator<Item = f64>) -> Result<StudyEstimate> {
        let values: Vec<f64> = values.into_iter().collect();
        StudyEstimate::of(&values).ok_or_else(|| self.lacks("any replication"))
    }

    /// Returns the mean of `a - b`, one value of each per replication.
    pub(super) fn gap(&self, a: &[f64], b: &[f64]) -> Result<StudyEstimate> {
        self.estimate(a.iter().zip(b).map(|(a, b)| a - b))
    }

    /// Returns the share of replications, or instances, for which something holds.
    pub(super) fn share(&self, holds: impl IntoIterator<Item = bool>) -> Result<StudyShare> {
        StudyShare::of(holds).ok_or_else(|| self.lacks("any replication"))
    }

    /// Returns the share of replications in which a metric of 0 or 1 is 1.
    pub(super) fn rate(&self, label: &str, metric: &str) -> Result<StudyShare> {
        let values = self.values(label, metric, None)?;
        match values.iter().all(|value| [0.0, 1.0].contains(value)) {
            true => self.share(values.into_iter().map(|value| value == 1.0)),
            false => Err(self.lacks(&format!("a {metric} of 0 or 1"))),
        }
    }

    /// Returns the error that this run lacks something.
    pub(super) fn lacks(&self, what: &str) -> StudyError {
        StudyError::Missing(format!("the run {:?} does not have {what}", self.plan.name))
    }

    pub(super) fn policy(&self, label: &str) -> Result<&PolicyRun> {
        let mut policies = self.result.policies.iter();
        let policy = policies.find(|policy| policy.label == label);
        policy.ok_or_else(|| self.lacks(&format!("the policy {label}")))
    }
}
