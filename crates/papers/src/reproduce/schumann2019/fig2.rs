//! Figure 2: the cost of SWAP's interviews against the hardness of drawn instances, and the bound
//! of Theorem 4.4.

use super::applicants::delta;
use super::instances::{DrawnInstance, instances, panel, series};
use super::lanes::SWAP;
use crate::reproduce::growth::slope_of;
use crate::reproduce::prelude::*;

const PRESET: &str = "schumann2019-fig2";

/// The slope of the cost may differ from the bound's by so much.
const NEAR: f64 = 0.2;

pub(super) const STUDY: Study = Study::new(
    "schumann2019-fig2",
    "Figure 2 of Schumann et al. 2019: what interviews cost against how hard the instance is, and \
     the bound of Theorem 4.4",
    &[("schumann2019-fig2", 40)],
    find,
);

fn find(runs: &StudyRuns) -> Result<StudyFindings> {
    let run = runs.one(PRESET)?;
    let instances = instances(run, PRESET, SWAP)?;
    let (capped, rest): (Vec<_>, Vec<_>) = instances.into_iter().partition(|one| one.capped);
    if rest.is_empty() {
        return Err(run.lacks("an instance that was decided before the interview cap"));
    }
    Ok(StudyFindings {
        statements: vec![statement(&rest, capped.len())],
        claims: vec![bound(run, &rest)?, optimal(run)?, grows(run, &rest)?],
        figures: vec![figure(&rest)],
        tables: vec![],
    })
}

fn statement(instances: &[DrawnInstance], capped: usize) -> String {
    let ratios = instances.iter().map(|one| one.bound / one.cost);
    let (low, high) = ratios.fold((f64::INFINITY, 0.0_f64), |(low, high), ratio| {
        (low.min(ratio), high.max(ratio))
    });
    let cut = match capped {
        0 => String::new(),
        _ => format!(
            " {capped} more ran into the interview cap; they are no part of bound, slope and \
             figure."
        ),
    };
    format!(
        "The paper gives neither n, K, δ, σ nor the law of the drawn utilities for this figure; \
         ours are n = 20, K = 5, u ~ N(10, 1), σ = 0.2, δ = 0.1, s = 10, j = 5. The bound is Eq. \
         32 with its constant 499, without ε1 and ε2. Over the {} instances drawn it is {low:.1} \
         to {high:.1} times the cost.{cut}",
        instances.len()
    )
}

fn bound(run: &StudyRun, instances: &[DrawnInstance]) -> Result<StudyClaim> {
    let delta = delta(PRESET)?;
    let over = run.share(instances.iter().map(|one| one.cost > one.bound))?;
    let share = run.estimate(instances.iter().map(|one| one.cost / one.bound))?;
    Ok(StudyClaim::at("Theorem 4.4 and Figure 2: the cost has a bound")
        .says(
            "“T ≤ O(σ² width(M)² H log(nσ²(X̄_Cost − ε₁)³ H/δ₁) / (X̄_Gain − ε₂)), where T denotes \
             the total cost used by Algorithm 1”",
        )
        .rule("on at most δ of the instances the cost exceeds the bound with the proof's constant (499)")
        .share("share of instances that cost more than the bound:", over)
        .measured("cost over bound:", share)
        .computed("δ:", delta)
        .holds(over.at_most(delta), "too many instances cost more"))
}

fn optimal(run: &StudyRun) -> Result<StudyClaim> {
    let found = run.rate(SWAP, "optimal")?;
    let likely = 1.0 - delta(PRESET)?;
    Ok(StudyClaim::at("Theorem 4.4: the best cohort")
        .says(
            "“… with probability at least (1 − δ₁)(1 − δ₂)(1 − δ₃) the SWAP algorithm (Algorithm \
             1) returns the optimal set Out = M*”",
        )
        .rule(
            "the best cohort is returned in more than 1 − δ of the instances (with δ₂ = δ₃ = 0, \
             which asks for most)",
        )
        .share("share of instances with the best cohort:", found)
        .computed("1 − δ:", likely)
        .holds(found.above(likely), "it is returned less often"))
}

fn grows(run: &StudyRun, instances: &[DrawnInstance]) -> Result<StudyClaim> {
    let slope = |y: fn(&DrawnInstance) -> f64| {
        let points = instances.iter().map(|one| (one.hardness, y(one)));
        slope_of(points.collect()).ok_or_else(|| run.lacks("a slope"))
    };
    let cost = slope(|one| one.cost)?;
    let bound = slope(|one| one.bound)?.mean;
    Ok(StudyClaim::at("Figure 2: how the cost grows with hardness")
        .says(
            "“Exploration of bounds in practice vs. the theoretical bounds of Theorem 4 with \
             respect to hardness (note that both axes are a log scale).”",
        )
        .rule(
            "the slope of log cost on log H is within 0.2 of the bound's on the same instances; in \
             shape where the cost grows with H",
        )
        .measured("slope of log cost on log H:", cost)
        .computed("slope of the bound:", bound)
        .judged(
            cost.inside(bound - NEAR, bound + NEAR),
            cost.above(0.0),
            "the cost grows with H, at another rate than the bound or at one not surely like it",
        ))
}

fn figure(instances: &[DrawnInstance]) -> Figure {
    Figure {
        title: "Figure 2 of Schumann et al. 2019".into(),
        caption: format!(
            "What SWAP's interviews cost until the cohort is certain, on {} drawn instances (n = \
             20, K = 5, u ~ N(10, 1): our choice), one run each, and the bound of Theorem 4.4 with \
             the constant of its proof.",
            instances.len()
        ),
        panels: vec![panel(vec![
            series("SWAP", SeriesKind::Scatter, instances, |one| one.cost),
            series(
                "the bound of Theorem 4.4",
                SeriesKind::Line,
                instances,
                |one| one.bound,
            ),
        ])],
    }
}
