//! The parameters of a lane in the form that theory needs.

use crate::reproduce::prelude::*;
use crate::reproduce::redraw::Redraw;
use kleroterion_core::pool::Eta;
use kleroterion_core::protocol::Choose;
use kleroterion_policies::pool::theory::{FiniteN, LargeN};
use kleroterion_policies::pool::{GreedyTerm, Infeasible, ScoreLaw, Weighing};

/// The greedy term of all presets, and what they make of shares that can't be filled; a test holds
/// the presets to it.
const TERM: GreedyTerm = GreedyTerm::Blom;
const AS_PLAYED: Infeasible = Infeasible::Authors;

/// The setting of a lane of Fair-Greedy: two groups, and a pool that reacts to admissions by
/// constant steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct StudyPool {
    /// The parameters that do not depend on N: scores, abar, sbar and lambda.
    pub large: LargeN,
    /// N, the number of applicants in a round.
    pub applicants: u32,
    /// The step eta of the pool.
    pub eta: f64,
    /// The first theta, theta_0.
    pub start: f64,
}

impl StudyPool {
    pub(super) fn of(run: &StudyRun, label: &str) -> Result<Self> {
        let found = || {
            let plan = &run.plan;
            let [u, v] = plan.world.known.scores.get()?[..] else {
                return None;
            };
            let Choose::Share(admitted) = plan.rules.choose else {
                return None;
            };
            let pool = plan.pool.as_ref()?;
            let Eta::Constant(eta) = pool.eta else {
                return None;
            };
            let lane = plan.lanes.iter().find(|lane| lane.label == label)?;
            let aim = lane.policy.aim.as_ref()?;
            let large = LargeN {
                u,
                v,
                admitted,
                target: *aim.target.first()?,
                lambda: aim.lambda?,
            };
            Some((large, eta, *pool.start.first()?))
        };
        let (large, eta, start) =
            found().ok_or_else(|| run.lacks(&format!("a pool steered by {label}")))?;
        // Of each group as many could apply as may.
        let roster = Redraw::of(run, 0)?.next(1)?.roster(0).len();
        Ok(Self {
            large,
            applicants: (roster / 2) as u32,
            eta,
            start,
        })
    }

    /// Returns the settings of all lanes of a run, each with its label, by lambda.
    pub(super) fn all(run: &StudyRun) -> Result<Vec<(&str, Self)>> {
        let labels = run.plan.lanes.iter().map(|lane| lane.label.as_str());
        let all = labels.map(|label| Ok((label, Self::of(run, label)?)));
        let mut all: Vec<_> = all.collect::<Result<_>>()?;
        all.sort_by(|(_, a), (_, b)| a.large.lambda.total_cmp(&b.large.lambda));
        Ok(all)
    }

    /// Returns the setting with another weight of fairness.
    pub(super) fn weighing(self, lambda: f64) -> Self {
        let large = LargeN {
            lambda,
            ..self.large
        };
        Self { large, ..self }
    }

    /// Returns the objective of Fair-Greedy, as played.
    pub(super) fn objective(&self) -> Weighing {
        self.objective_with(AS_PLAYED)
    }

    fn objective_with(&self, infeasible: Infeasible) -> Weighing {
        let LargeN {
            u,
            v,
            target,
            lambda,
            ..
        } = self.large;
        let laws: Vec<ScoreLaw> = vec![u, v];
        Weighing {
            target: vec![target, 1.0 - target],
            lambda,
            greedy_term: TERM,
            laws,
            infeasible,
        }
    }

    /// Returns the number of applicants admitted of N.
    pub(super) fn places(&self) -> u32 {
        self.places_of(self.applicants)
    }

    /// Returns the admitted share of the first group at another N, with `count` applicants of that
    /// group. Shares that can't be filled are no choice.
    pub(super) fn answers(&self, applicants: u32, count: u32) -> f64 {
        let objective = self.objective_with(Infeasible::Feasible);
        objective.share(self.places_of(applicants), [count, applicants - count])
    }

    /// Returns the number of applicants admitted of another N.
    pub(super) fn places_of(&self, applicants: u32) -> u32 {
        Choose::Share(self.large.admitted)
            .places(applicants, None)
            .max
    }

    /// Returns the moves of theta at the run's N, as played.
    pub(super) fn finite(&self) -> FiniteN {
        let objective = self.objective();
        FiniteN::fair_greedy(&objective, self.applicants, self.large.admitted, self.start)
    }

    /// Returns the moves of theta at another N, where shares that can't be filled are no choice.
    pub(super) fn feasible(&self, applicants: u32) -> FiniteN {
        let objective = self.objective_with(Infeasible::Feasible);
        FiniteN::fair_greedy(&objective, applicants, self.large.admitted, self.start)
    }

    /// Returns theta after some rounds if it moves by its drift alone.
    pub(super) fn drifted(&self, rounds: u64) -> f64 {
        let finite = self.finite();
        (0..rounds).fold(self.start, |theta, _| {
            (theta + self.eta * finite.drift(theta)).clamp(0.0, 1.0)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kleroterion_run::presets::PRESETS;

    /// The presets play the parameters that theory is given.
    #[test]
    fn presets_have_the_greedy_term_and_the_handling_of_the_released_code() {
        let ours = PRESETS
            .iter()
            .filter(|one| one.name.starts_with("puranik2022-"))
            // Which says what it does instead.
            .filter(|one| one.name != super::super::fig2::PRESET);
        let mut lanes = 0;
        for preset in ours.filter(|one| one.text.contains("\"fair_greedy_pool\"")) {
            let count = |what: &str| preset.text.matches(what).count();
            let policies = count("[[policy]]");
            assert_eq!(count("greedy_term = \"blom\""), policies, "{}", preset.name);
            assert_eq!(
                count("infeasible = \"authors\""),
                policies,
                "{}",
                preset.name
            );
            lanes += policies;
        }
        assert!(lanes > 20, "{lanes}");
    }

    #[test]
    fn theta_drifts_to_the_zero_of_its_drift() {
        let law = ScoreLaw { mean: 5.0, sd: 1.0 };
        let setting = StudyPool {
            large: LargeN {
                u: law,
                v: law,
                admitted: 0.3,
                target: 0.4,
                lambda: 2.0,
            },
            applicants: 100,
            eta: 0.05,
            start: 0.1,
        };
        let zero = setting.finite().drift_zero().unwrap();
        assert_eq!((setting.drifted(0), setting.places()), (0.1, 30));
        assert!((setting.drifted(2_000) - zero).abs() < 1e-9);
        assert!(setting.drifted(50) < zero - 0.01);
    }
}
