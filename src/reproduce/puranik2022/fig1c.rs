//! Figure 1(c): few places, and a group of lower mean and larger variance; the pool comes to rest above the target.

use super::super::Findings;
use super::super::claim::{Told, above, verdict};
use super::fig1a::{Start, figure};
use super::limits::{Limit, agreement, grid, table};
use super::setting::Setting;
use super::{ADMITTED, Claim, LAST, Number, POOL, Runs, SHORT, StudyError, claim};
use crate::policy::pool::theory::LargeN;

pub(super) const PRESET: &str = "puranik2022-fig1c";

/// A share of admitted that is not selective.
const GENEROUS: f64 = 0.5;

pub(super) fn find(runs: &Runs) -> Result<Findings, StudyError> {
    let starts = Start::all(runs.of(PRESET)?)?;
    let limits = Limit::all(runs.of(PRESET)?)?;
    let setting = &starts[0].setting;
    Ok(Findings {
        statements: vec![
            grid(setting),
            format!("The paper's figure ends at round {SHORT}; ours at {LAST}."),
        ],
        claims: vec![
            larger(&starts)?,
            tail(setting),
            agreement(
                "A.4.1: an equilibrium",
                "“We also observe that when score distributions are non-identical, the applicant pool still possesses an equilibrium point under \
                 the FG policy …”",
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

fn larger(starts: &[Start<'_>]) -> Result<Claim, StudyError> {
    let mut ours = Vec::new();
    let mut told = Told::Yes;
    for start in starts {
        for (metric, name) in [(POOL, "θ"), (ADMITTED, "a")] {
            let (share, number) = start.late(metric, name)?;
            told = told.and(above(share, start.setting.large.target));
            ours.push(number);
        }
    }
    Ok(claim(
        "Section 3, Figure 1(c): above the target",
        "“From Figure 1c, we note that the applicant mean and also the group admission converges to a proportion larger than s̄.”",
        &format!(
            "from both starts θ and a, each the mean over every tenth round from {SHORT} to {LAST}, are surely above .4"
        ),
        ours,
        verdict(told, Told::No, "they are not surely above it"),
    ))
}

/// What the greedy part alone would admit of u where it applies by the target.
fn greedy(large: LargeN, admitted: f64) -> f64 {
    let alone = LargeN {
        lambda: 0.0,
        admitted,
        ..large
    };
    alone.best_response(large.target)
}

fn tail(setting: &Setting) -> Claim {
    let large = setting.large;
    let few = greedy(large, large.admitted);
    let many = greedy(large, GENEROUS);
    claim(
        "Section 3, Figure 1(c): the longer tail",
        "“This is due to the fact that as the admission rate gets selective, the greedy part of the reward is optimized by an action that admits \
         more from the group with longer tail (larger variance).”",
        &format!(
            "where 40 % of many applicants are of u, the action that maximises the greedy part alone is above .4 if {} are admitted, and is \
             not if {GENEROUS} are; in shape where only the former holds",
            large.admitted
        ),
        vec![
            Number::computed(format!("a if {} are admitted:", large.admitted), few),
            Number::computed(format!("a if {GENEROUS} are admitted:"), many),
        ],
        verdict(
            (few > large.target && many <= large.target).into(),
            (few > large.target).into(),
            "it is above even where half are admitted",
        ),
    )
}
