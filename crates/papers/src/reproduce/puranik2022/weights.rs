//! The distance of the pool from the target by the weight of fairness, as shared by Figures 1(d),
//! 1(f) and 4.

use super::courses::{by_lambda, panel, rests};
use super::limits::PoolLimit;
use super::measures::{ADMITTED, LAST, NEAR, POOL, SHORT, after, lambda, late_mean, near};
use super::setting::StudyPool;
use crate::reproduce::prelude::*;

/// The side of the target on which theta comes to rest.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum TargetSide {
    Above,
    Below,
}

/// Makes the claim that theta comes nearer to the target from each lambda to the next, until it is
/// there.
pub(super) fn approaches(
    run: &StudyRun,
    side: TargetSide,
    [place, paper]: [&str; 2],
) -> Result<StudyClaim> {
    let lanes = StudyPool::all(run)?;
    let mut claim = StudyClaim::at(place).says(paper);
    let mut holds = Holds::Yes;
    let mut before: Option<&str> = None;
    for (label, setting) in &lanes {
        let theta = run.mean(label, POOL, Some(after(LAST)))?;
        let what = format!("θ after {LAST} rounds, {}:", lambda(setting.large.lambda));
        claim.measured(what, theta);
        let there = near(theta, setting.large.target) == Holds::Yes;
        if let Some(before) = before {
            let step = run.difference([label, before], POOL, Some(after(LAST)))?;
            let nearer = match side {
                TargetSide::Above => step.below(0.0),
                TargetSide::Below => step.above(0.0),
            };
            holds &= nearer;
        } else {
            // The least weight: theta is off the target.
            holds &= match side {
                TargetSide::Above => theta.above(setting.large.target),
                TargetSide::Below => theta.below(setting.large.target),
            };
        }
        if there {
            break;
        }
        before = Some(label);
    }
    let (off, moves) = match side {
        TargetSide::Above => ("above", "falls"),
        TargetSide::Below => ("below", "rises"),
    };
    let rule = format!(
        "at the least λ θ is surely {off} the target, and it surely {moves} from each λ to the \
         next (on the same people) up to the first at which it is surely within {NEAR} of the \
         target; from there on the grid of actions leaves no more to tell"
    );
    Ok(claim
        .rule(rule)
        .holds(holds, format!("it does not {} at every step", &moves[..4])))
}

/// Makes the claim that theta and a are at the target with the greatest lambda.
pub(super) fn arrives(run: &StudyRun, [place, paper]: [&str; 2]) -> Result<StudyClaim> {
    let lanes = StudyPool::all(run)?;
    let (label, setting) = lanes.last().ok_or_else(|| run.lacks("a policy"))?;
    let target = setting.large.target;
    let name = lambda(setting.large.lambda);
    let theta = run.mean(label, POOL, Some(after(LAST)))?;
    let admitted = late_mean(run, label, ADMITTED, SHORT)?;
    let mut claim = StudyClaim::at(place).says(paper);
    claim
        .measured(format!("θ after {LAST} rounds, {name}:"), theta)
        .measured(format!("a after {SHORT} rounds, {name}:"), admitted);
    if let Some(rest) = setting.large.fixed_point() {
        claim.computed("s*, many applicants:", rest);
    }
    let rule = format!(
        "with the greatest λ the mean of θ after {LAST} rounds, and that of a over every tenth \
         round from {SHORT} to {LAST}, are surely within {NEAR} of {target}. Exactly there s* is \
         for no finite λ"
    );
    let holds = near(theta, target) & near(admitted, target);
    Ok(claim.rule(rule).holds(holds, "one of them is elsewhere"))
}

/// Draws theta over the rounds by lambda, and the final theta by lambda.
pub(super) fn figures(
    run: &StudyRun,
    limits: &[PoolLimit],
    title: &str,
    what: &str,
    paper: u64,
) -> Result<Vec<Figure>> {
    let setting = limits.first().ok_or_else(|| run.lacks("a policy"))?.setting;
    let (n, runs) = (setting.applicants, run.result.replications);
    let courses = Figure {
        title: title.into(),
        caption: format!(
            "θ under Fair-Greedy, {what}, {n} applicants a round; mean of {runs} runs and ± 2 s.e."
        ),
        panels: vec![panel("", by_lambda(run)?, setting.large.target, paper)],
    };
    let rests = Figure {
        title: format!(
            "Where the pool of {} comes to rest",
            title.replace(" of Puranik et al. 2022", "")
        ),
        caption: format!(
            "By the weight of fairness, {what}: mean of {runs} runs of {n} applicants a round and \
             ± 2 s.e., the closed form for many applicants, and the zero of the exact drift at N = \
             {n}, whose steps are those of the grid of 1/{}.",
            setting.places()
        ),
        panels: rests(limits).into_iter().collect(),
    };
    Ok(vec![courses, rests])
}
