//! Figure 1(d): few places, and a group of lower mean and larger variance, by the weight of
//! fairness.

use super::limits::{PoolLimit, agreement, grid, table};
use super::measures::LAST;
use super::weights::{TargetSide, approaches, arrives, figures};
use crate::reproduce::prelude::*;

pub(super) const PRESET: &str = "puranik2022-fig1d";

pub(super) const STUDY: Study = Study::new(
    "puranik2022-fig1d",
    "Figure 1(d) of Puranik et al. 2022: few places, a group of larger variance, by the weight of \
     fairness",
    &[(PRESET, 40)],
    find,
);

fn find(runs: &StudyRuns) -> Result<StudyFindings> {
    let run = runs.one(PRESET)?;
    let limits = PoolLimit::all(runs.of(PRESET)?)?;
    let first = limits.first().ok_or_else(|| run.lacks("a policy"))?;
    Ok(StudyFindings {
        statements: vec![grid(&first.setting)],
        claims: vec![
            approaches(
                run,
                TargetSide::Above,
                [
                    "Section 3, Figure 1(d): by the weight",
                    "“This is also evident in Figure 1d, where we observe that for smaller values \
                     of λ, i.e., when more weight is assigned to the greedy reward, the mean \
                     parameter θ_t converges to larger values.”",
                ],
            )?,
            arrives(
                run,
                [
                    "Section 3, Figure 1(d): enough weight",
                    "“However with enough weight being given to fairness, the applicant pool still \
                     converges to the desired ratio.”",
                ],
            )?,
            agreement(
                "A.4.1: an equilibrium",
                "“We also observe that when score distributions are non-identical, the applicant \
                 pool still possesses an equilibrium point under the FG policy …”",
                &limits,
            )?,
        ],
        figures: figures(
            run,
            &limits,
            "Figure 1(d) of Puranik et al. 2022",
            "10 % admitted, group u of lower mean and larger variance",
            LAST,
        )?,
        tables: vec![("Where θ comes to rest".into(), table(&limits))],
    })
}
