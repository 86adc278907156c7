//! Figure 4: German credit, by the weight of fairness.

use super::limits::{PoolLimit, agreement, grid, table};
use super::measures::LAST;
use super::weights::{TargetSide, approaches, arrives, figures};
use crate::reproduce::prelude::*;

pub(super) const PRESET: &str = "puranik2022-fig4";

pub(super) const STUDY: Study = Study::new(
    "puranik2022-fig4",
    "Figure 4 of Puranik et al. 2022: German credit, by the weight of fairness",
    &[(PRESET, 40)],
    find,
);

fn find(runs: &StudyRuns) -> Result<StudyFindings> {
    let run = runs.one(PRESET)?;
    let limits = PoolLimit::all(runs.of(PRESET)?)?;
    let first = limits.first().ok_or_else(|| run.lacks("a policy"))?;
    let setting = &first.setting;
    Ok(StudyFindings {
        statements: vec![
            grid(setting),
            format!(
                "Scores are drawn from the Gaussians of the paper's Table 1 (gender included), as \
                 in the paper; the data themselves are not read. With the least λ the time \
                 constant is {:.0} rounds: by its drift θ is at {:.4} after {LAST} rounds, and at \
                 {:.4} in the end.",
                setting.large.time_constant(setting.eta).unwrap_or(f64::NAN),
                setting.drifted(LAST),
                setting.finite().drift_zero().unwrap_or(f64::NAN)
            ),
        ],
        claims: vec![
            approaches(
                run,
                TargetSide::Below,
                [
                    "A.4.2, Figure 4: by the weight",
                    "“In both the figures, we observe that when the greedy reward is favored \
                     (lower values of λ), the applicant pool in fact converges to a point lesser \
                     than the target, while it approaches the target as λ increases.”",
                ],
            )?,
            arrives(
                run,
                [
                    "A.4.2: equal numbers of both groups",
                    "“… the target proportion is set to s̄ = 0.5, which is equivalent to \
                     demographic parity, i.e., admitting same number proportion of candidates from \
                     both groups.”",
                ],
            )?
            // What is said of the target is what 1/2 means.
            .grounded_else(ClaimGround::Definition),
            agreement(
                "A.4.2, Figure 4: convergence",
                "“German credit dataset: applicant pool convergence with initial mean proportion \
                 parameter θ₀ = 0.31, as λ is varied.”",
                &limits,
            )?,
        ],
        figures: figures(
            run,
            &limits,
            "Figure 4 of Puranik et al. 2022",
            "German credit",
            LAST,
        )?,
        tables: vec![("Where θ comes to rest".into(), table(&limits))],
    })
}
