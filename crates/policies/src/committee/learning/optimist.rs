//! RL-CMDP's planner: optimism in the face of uncertainty, by the extended linear program (5).

use super::super::program::ProgramError;
use super::extended::{self, ProgramForm};
use super::{CellGrid, CertaintyEquivalence, ConfidenceSet, Counts, Learner, Planner};
use std::sync::Arc;

/// The rule for candidates of a type that is impossible under the optimistic law (`p~(x) = 0`). Any
/// pi is optimal for them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ZeroRule {
    /// They are accepted with probability 1/2, as printed.
    #[default]
    Half,
    /// They are accepted.
    Accept,
    /// They are rejected.
    Reject,
    /// They are treated as by the plug-in policy ([`CertaintyEquivalence`]).
    Plugin,
}

/// The parameters of RL-CMDP.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// delta of Theorem 1, in (0, 1); the paper does not state its own.
    pub delta: f64,
    /// The confidence set.
    pub confidence_set: ConfidenceSet,
    /// The factor of the confidence set's distances; 1 is the proven value.
    pub confidence_scale: f64,
    /// The form of the program.
    pub form: ProgramForm,
    /// The rule for cells with `p~(x) = 0`.
    pub zero_rule: ZeroRule,
}

impl Default for Parameters {
    /// The defaults: delta .05, beta_l as printed, the full program, 1/2 as printed.
    fn default() -> Self {
        Self {
            delta: 0.05,
            confidence_set: ConfidenceSet::Printed,
            confidence_scale: 1.0,
            form: ProgramForm::Full,
            zero_rule: ZeroRule::Half,
        }
    }
}

/// Plans with program (5): the best gain that any law within the confidence set allows.
#[derive(Clone, Debug)]
pub struct Optimist {
    grid: Arc<CellGrid>,
    parameters: Parameters,
    plugin: CertaintyEquivalence,
}

/// The learner of Algorithm 1.
pub type RlCmdp = Learner<Optimist>;

impl RlCmdp {
    /// Makes a learner for `levels[i]` values of attribute i and targets `rho[i][j]`.
    ///
    /// # Errors
    /// [`ProgramError::Malformed`], with all that is wrong: no targets on those levels, parameters
    /// out of range, or more cells than the form of the program is solved for
    /// ([`ProgramForm::most_cells`]).
    pub fn new(
        levels: &[usize],
        rho: &[Vec<f64>],
        parameters: Parameters,
    ) -> Result<Self, ProgramError> {
        let mut faults = parameters.faults();
        let grid = match CellGrid::new(levels, rho) {
            Ok(grid) => Arc::new(grid),
            Err(ProgramError::Malformed(mut others)) => {
                faults.append(&mut others);
                return Err(ProgramError::Malformed(faults));
            }
            Err(error) => return Err(error),
        };
        faults.extend(parameters.form.too_large(grid.cells()));
        if !faults.is_empty() {
            return Err(ProgramError::Malformed(faults));
        }
        let planner = Optimist {
            plugin: CertaintyEquivalence::new(Arc::clone(&grid)),
            grid: Arc::clone(&grid),
            parameters,
        };
        Ok(Self::with(planner, &grid))
    }
}

impl Parameters {
    fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        if !(self.delta > 0.0 && self.delta < 1.0) {
            faults.push(format!(
                "delta is {}, not between 0 and 1 (both excluded)",
                self.delta
            ));
        }
        if !(self.confidence_scale >= 0.0 && self.confidence_scale.is_finite()) {
            faults.push(format!(
                "confidence_scale is {}, not 0 or more",
                self.confidence_scale
            ));
        }
        faults
    }
}

impl Planner for Optimist {
    fn plan(&mut self, counts: &Counts) -> Result<Vec<f64>, ProgramError> {
        let Parameters {
            delta,
            confidence_set,
            confidence_scale,
            form,
            zero_rule,
        } = self.parameters;
        let reach = confidence_set.reach(counts, delta, confidence_scale);
        let optimum = extended::solve(form, &self.grid, &counts.shares(), reach)
            .map_err(|why| ProgramError::Unsolved(vec![why]))?;
        let pi = match zero_rule {
            ZeroRule::Half => optimum.filled(|_| 0.5),
            ZeroRule::Accept => optimum.filled(|_| 1.0),
            ZeroRule::Reject => optimum.filled(|_| 0.0),
            ZeroRule::Plugin if optimum.acceptance.iter().all(Option::is_some) => {
                optimum.filled(|_| 0.0)
            }
            ZeroRule::Plugin => {
                let plugin = self.plugin.plan(counts)?;
                optimum.filled(|cell| plugin[cell])
            }
        };
        Ok(pi)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_is_told_at_once() {
        let parameters = Parameters {
            delta: 0.0,
            confidence_scale: -1.0,
            ..Parameters::default()
        };
        let error = RlCmdp::new(&[2], &[vec![0.5, 0.6]], parameters).unwrap_err();
        let ProgramError::Malformed(faults) = error else {
            panic!("{error:?}")
        };
        assert_eq!(faults.len(), 3, "{faults:?}");
        let levels = [64, 64];
        let rho = levels.map(|n| vec![1.0 / 64.0; n]);
        let error = RlCmdp::new(&levels, &rho, Parameters::default()).unwrap_err();
        assert!(error.to_string().contains("\"small\""), "{error}");
    }
}
