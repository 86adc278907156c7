//! Figure 1(f): law school, by the weight of fairness.

use super::limits::{PoolLimit, agreement, grid, table};
use super::measures::{LAST, NEAR, POOL, SHORT, after, lambda};
use super::setting::StudyPool;
use super::weights::{TargetSide, approaches, arrives, figures};
use crate::reproduce::prelude::*;
use kleroterion_policies::pool::theory::LargeN;

pub(super) const PRESET: &str = "puranik2022-fig1f";

pub(super) const STUDY: Study = Study::new(
    "puranik2022-fig1f",
    "Figure 1(f) of Puranik et al. 2022: law school, by the weight of fairness",
    &[(PRESET, 40)],
    find,
);

fn find(runs: &StudyRuns) -> Result<StudyFindings> {
    let run = runs.one(PRESET)?;
    let limits = PoolLimit::all(runs.of(PRESET)?)?;
    let first = limits.first().ok_or_else(|| run.lacks("a policy"))?;
    Ok(StudyFindings {
        statements: vec![
            grid(&first.setting),
            format!(
                "Scores are drawn from the Gaussians of the paper's Table 1 (race included), as in \
                 the paper; the data themselves are not read. Its figure ends at round {SHORT}; \
                 ours at {LAST}."
            ),
        ],
        claims: vec![
            convergence(run)?,
            favoured(run)?,
            approaches(
                run,
                TargetSide::Below,
                [
                    "A.4.2, Figure 1(f): by the weight",
                    "“In both the figures, we observe that when the greedy reward is favored \
                     (lower values of λ), the applicant pool in fact converges to a point lesser \
                     than the target, while it approaches the target as λ increases.”",
                ],
            )?,
            arrives(
                run,
                [
                    "Section 3, Figure 1(f): enough weight",
                    "“However, as the importance of fairness is increased through λ, the applicant \
                     pool and admission rate both approach 50%.”",
                ],
            )?,
            agreement(
                "Figure 1(f): where the pool goes",
                "“(f) Applicant pool evolution with θ₀ = 0.25, with varying λ for the law school \
                 dataset.”",
                &limits,
            )?,
        ],
        figures: figures(
            run,
            &limits,
            "Figure 1(f) of Puranik et al. 2022",
            "law school",
            SHORT,
        )?,
        tables: vec![("Where θ comes to rest".into(), table(&limits))],
    })
}

/// Makes the claim that little happens after the paper's last round.
fn convergence(run: &StudyRun) -> Result<StudyClaim> {
    let mut claim = StudyClaim::at("Section 3, Figure 1(f): convergence")
        .says(
            "“… and Figure 1f shows the convergence of the applicant pool by plotting the mean \
             parameter θ_t for various settings for the hyperparameter λ.”",
        )
        .rule(format!(
            "for each λ the mean of θ moves surely by less than {NEAR} from round {SHORT}, where \
             the paper's figure ends, to {LAST}"
        ));
    let mut holds = Holds::Yes;
    for (label, setting) in StudyPool::all(run)? {
        let late = run.values(label, POOL, Some(after(LAST)))?;
        let early = run.values(label, POOL, Some(after(SHORT)))?;
        let moved = run.gap(&late, &early)?;
        holds &= moved.inside(-NEAR, NEAR);
        let name = lambda(setting.large.lambda);
        claim.measured(format!("{name}:"), moved);
    }
    Ok(claim.holds(holds, "it still moves"))
}

/// Makes the claim that the scores alone favour the other group.
pub(super) fn favoured(run: &StudyRun) -> Result<StudyClaim> {
    let lanes = StudyPool::all(run)?;
    let (label, setting) = lanes.first().ok_or_else(|| run.lacks("a policy"))?;
    let start = setting.start;
    let alone = LargeN {
        lambda: 0.0,
        ..setting.large
    };
    let greedy = alone.best_response(start);
    let theta = run.mean(label, POOL, Some(after(LAST)))?;
    let name = lambda(setting.large.lambda);
    let less = Holds::from(greedy < start);
    Ok(StudyClaim::at("Section 3: the other group")
        .says(
            "“Since the mean of scores of the underprivileged group is smaller and the application \
             is not very selective, the utility is maximized by admitting more from the other \
             group.”",
        )
        .rule(format!(
            "the action that maximises the greedy part alone is below u's share of many applicants \
             at the start, {start}, and θ is surely below the start after {LAST} rounds with the \
             least λ; in shape without the latter"
        ))
        .computed(
            format!("a by the greedy part alone at s = {start}:"),
            greedy,
        )
        .measured(format!("θ after {LAST} rounds, {name}:"), theta)
        .judged(
            less & theta.below(start),
            less,
            "it is, but at the least λ θ does not fall",
        ))
}
