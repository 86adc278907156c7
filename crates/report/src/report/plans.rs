//! The plans of policies that look ahead, kept in the folder of their run as `plans/KEY.json`. KEY
//! is the hash of the parameters.
//!
//! A kept plan saves its computation and changes nothing else: its numbers are exact to the last
//! bit. A file that is incomplete or is for other parameters is not used.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde_json::{Value, json};

use super::files::Folder;
use super::kept::{Kept, name};
use kleroterion_core::problem::{Problem, Problems};
use kleroterion_policies::pool::optimal::{
    Foresight, LookAhead, LookAheadPlan, PlanWatch, Unsolved,
};

/// The folder of the plans, in that of the run.
pub const PLANS: &str = "plans";

/// The plans that were needed so far, each once, and the folder for further ones.
#[derive(Debug, Default)]
pub struct Plans {
    folder: Option<PathBuf>,
    known: BTreeMap<u64, Arc<LookAheadPlan>>,
    /// A flag that ends the waiting of all threads.
    interrupt: Arc<AtomicBool>,
    /// The plans that are not on disk yet.
    fresh: Vec<(LookAhead, Arc<LookAheadPlan>)>,
}

/// The origin of a plan.
#[derive(Clone, Debug, PartialEq)]
pub enum PlanOrigin {
    /// It had been needed before.
    Known,
    /// It was read from this file.
    Read(PathBuf),
    /// It was computed. The problem says why a kept one could not be used, if there was one.
    WorkedOut(Option<Problem>),
}

impl Plans {
    /// Keeps plans in the subfolder `plans` of the folder of a run.
    #[must_use]
    pub fn beside(run: &Path) -> Self {
        Self {
            folder: Some(run.join(PLANS)),
            ..Self::default()
        }
    }

    /// Makes the plans give up a computation as soon as `interrupt` is set.
    #[must_use]
    pub fn heeding(self, interrupt: Arc<AtomicBool>) -> Self {
        Self { interrupt, ..self }
    }

    /// Makes sure that there is a plan. A plan that is not known yet is read from a file, or else
    /// computed.
    ///
    /// # Errors
    /// As [`LookAhead::solve_unless`].
    pub fn supply(&mut self, foresight: &Foresight) -> Result<PlanOrigin, Unsolved> {
        let ahead = foresight.ahead();
        if let Some(plan) = self.known.get(&ahead.key())
            && foresight.take(Arc::clone(plan))
        {
            return Ok(PlanOrigin::Known);
        }
        let mut unusable = None;
        if let Some(path) = self.file(ahead) {
            match read(&path, ahead) {
                Ok(Some(plan)) => {
                    let plan = Arc::new(plan);
                    foresight.take(Arc::clone(&plan));
                    self.known.insert(ahead.key(), plan);
                    return Ok(PlanOrigin::Read(path));
                }
                Ok(None) => {}
                Err(why) => unusable = Some(refused(path, &why)),
            }
        }
        let plan = foresight.work_out_unless(&PlanWatch::interrupted_by(&self.interrupt))?;
        self.known.insert(ahead.key(), Arc::clone(plan));
        self.fresh.push((*ahead, Arc::clone(plan)));
        Ok(PlanOrigin::WorkedOut(unusable))
    }

    /// Writes the plans computed since, if plans are kept. Each file is written whole or not at
    /// all.
    ///
    /// # Errors
    /// Where the folder can't be made or written to.
    pub fn keep(&mut self) -> Result<(), Problems> {
        let fresh = std::mem::take(&mut self.fresh);
        let Some(folder) = self.folder.as_ref().filter(|_| !fresh.is_empty()) else {
            return Ok(());
        };
        // It may hold other plans.
        let folder = Folder::made(folder)?;
        for (ahead, plan) in fresh {
            let kept = Kept::new(parameters(&ahead), LookAheadPlan::clone(&plan));
            kept.write(&folder, &name(ahead.key()))?;
        }
        Ok(())
    }

    fn file(&self, ahead: &LookAhead) -> Option<PathBuf> {
        let folder = self.folder.as_ref()?;
        Some(folder.join(name(ahead.key())))
    }
}

/// The plan in a file, where there is the file; or why it is of no use.
fn read(path: &Path, ahead: &LookAhead) -> Result<Option<LookAheadPlan>, String> {
    let Some(kept) = Kept::<LookAheadPlan>::read(path, &parameters(ahead), "plan")? else {
        return Ok(None);
    };
    if !kept.plan.is_for(ahead) {
        return Err("does not have the form of a plan for these parameters".into());
    }
    match kept.is_as_written() {
        true => Ok(Some(kept.plan)),
        false => Err("holds other numbers than were written".into()),
    }
}

fn refused(path: PathBuf, why: &str) -> Problem {
    Problem::of_file(path, format!("this plan {why}; it was worked out anew"))
}

/// The parameters of a plan, named.
fn parameters(ahead: &LookAhead) -> Value {
    let laws = ahead
        .laws
        .map(|law| json!({ "mean": law.mean, "sd": law.sd }));
    let mut named = json!({
        "laws": laws,
        "admitted": ahead.admitted,
        "target": ahead.target,
        "lambda": ahead.lambda,
        "eta": ahead.eta,
        "gamma": ahead.gamma,
        "greedy_term": format!("{:?}", ahead.greedy_term),
        "infeasible": format!("{:?}", ahead.infeasible),
        "state": format!("{:?}", ahead.state),
        "tolerance": ahead.tolerance,
    });
    // Plans that look ahead for ever were kept before there were horizons.
    if let Some(rounds) = ahead.horizon {
        named["horizon"] = rounds.into();
    }
    named
}

#[cfg(test)]
mod tests {
    use super::*;
    use kleroterion_policies::pool::optimal::AheadState;
    use kleroterion_policies::pool::{GreedyTerm, Infeasible, ScoreLaw};

    #[test]
    fn a_plan_is_worked_out_once_where_nothing_is_kept() {
        let law = ScoreLaw { mean: 5.0, sd: 1.0 };
        let ahead = LookAhead {
            laws: [law, law],
            admitted: 0.3,
            target: 0.4,
            lambda: 1.5,
            eta: 0.05,
            gamma: 0.5,
            horizon: None,
            greedy_term: GreedyTerm::MeanField,
            infeasible: Infeasible::Feasible,
            state: AheadState::MeanField { cells: 10 },
            tolerance: 1e-6,
        };
        let asked = || Foresight::new(ahead).expect("it can be worked with");
        let mut plans = Plans::default();
        let (first, second) = (asked(), asked());
        assert_eq!(plans.supply(&first), Ok(PlanOrigin::WorkedOut(None)));
        assert_eq!(plans.supply(&second), Ok(PlanOrigin::Known));
        assert_eq!(first.plan(), second.plan());
        assert!(second.plan().is_some());
        assert_eq!(plans.keep(), Ok(()));
    }
}
