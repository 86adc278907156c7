//! Figure 1(c): few places, and a group of lower mean and larger variance; the pool comes to rest
//! above the target.

use super::fig1a::{PoolStart, figure};
use super::limits::{PoolLimit, agreement, grid, table};
use super::measures::{ADMITTED, LAST, POOL, SHORT};
use super::setting::StudyPool;
use crate::reproduce::prelude::*;
use kleroterion_policies::pool::theory::LargeN;

pub(super) const PRESET: &str = "puranik2022-fig1c";

/// A share of admitted that is not selective.
const GENEROUS: f64 = 0.5;

pub(super) const STUDY: Study = Study::new(
    "puranik2022-fig1c",
    "Figure 1(c) of Puranik et al. 2022: few places, a group of larger variance, from .1 and from \
     .9",
    &[(PRESET, 40)],
    find,
);

fn find(runs: &StudyRuns) -> Result<StudyFindings> {
    let starts = PoolStart::all(runs.of(PRESET)?)?;
    let limits = PoolLimit::all(runs.of(PRESET)?)?;
    let setting = &starts[0].setting;
    Ok(StudyFindings {
        statements: vec![
            grid(setting),
            format!("The paper's figure ends at round {SHORT}; ours at {LAST}."),
        ],
        claims: vec![
            larger(&starts)?,
            tail(setting),
            agreement(
                "A.4.1: an equilibrium",
                "“We also observe that when score distributions are non-identical, the applicant \
                 pool still possesses an equilibrium point under the FG policy …”",
                &limits,
            )?,
        ],
        figures: vec![figure(
            "Figure 1(c) of Puranik et al. 2022",
            "10 % admitted, group u of lower mean and larger variance, λ = 2",
            &starts,
        )?],
        tables: vec![("Where θ comes to rest".into(), table(&limits))],
    })
}

fn larger(starts: &[PoolStart<'_>]) -> Result<StudyClaim> {
    let mut claim = StudyClaim::at("Section 3, Figure 1(c): above the target")
        .says(
            "“From Figure 1c, we note that the applicant mean and also the group admission \
             converges to a proportion larger than s̄.”",
        )
        .rule(format!(
            "from both starts θ and a, each the mean over every tenth round from {SHORT} to \
             {LAST}, are surely above .4"
        ));
    let mut holds = Holds::Yes;
    for start in starts {
        for (metric, name) in [(POOL, "θ"), (ADMITTED, "a")] {
            let (share, number) = start.late(metric, name)?;
            holds &= share.above(start.setting.large.target);
            claim.numbers([number]);
        }
    }
    Ok(claim.holds(holds, "they are not surely above it"))
}

/// The share of u that the greedy part alone admits where u applies by the target.
fn greedy(large: LargeN, admitted: f64) -> f64 {
    let alone = LargeN {
        lambda: 0.0,
        admitted,
        ..large
    };
    alone.best_response(large.target)
}

fn tail(setting: &StudyPool) -> StudyClaim {
    let large = setting.large;
    let few = greedy(large, large.admitted);
    let many = greedy(large, GENEROUS);
    StudyClaim::at("Section 3, Figure 1(c): the longer tail")
        .says(
            "“This is due to the fact that as the admission rate gets selective, the greedy part \
             of the reward is optimized by an action that admits more from the group with longer \
             tail (larger variance).”",
        )
        .rule(format!(
            "where 40 % of many applicants are of u, the action that maximises the greedy part \
             alone is above .4 if {} are admitted, and is not if {GENEROUS} are; in shape where \
             only the former holds",
            large.admitted
        ))
        .computed(format!("a if {} are admitted:", large.admitted), few)
        .computed(format!("a if {GENEROUS} are admitted:"), many)
        .judged(
            few > large.target && many <= large.target,
            few > large.target,
            "it is above even where half are admitted",
        )
}
