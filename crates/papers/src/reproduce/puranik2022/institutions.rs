//! Several institutions that choose from one pool: sentences of the authors' follow-up, arXiv
//! 2407.07350, of which we know the abstract.

use super::measures::{ADMITTED, LAST, NEAR, POOL, after, late_mean, near};
use crate::reproduce::prelude::*;

const ALIKE: &str = "puranik2024-institutions";
const UNLIKE: &str = "puranik2024-institutions-unlike";

const IN_TURN: &str = "in turn";
const TOGETHER: &str = "together";
const ALONE: &str = "scores alone";

/// From which round on shares are averaged.
const LATE: u64 = 400;

pub(super) const STUDY: Study = Study::new(
    "puranik2024-institutions",
    "Several institutions choosing from one pool (arXiv 2407.07350, its abstract)",
    &[(ALIKE, 10), (UNLIKE, 10)],
    find,
);

fn find(runs: &StudyRuns) -> Result<StudyFindings> {
    let (alike, unlike) = (runs.of(ALIKE)?, runs.of(UNLIKE)?);
    Ok(StudyFindings {
        statements: vec![
            "Of this paper we know the abstract, so the instance and the rule are ours: 200 \
             applicants a round, three institutions with half, three tenths and a fifth of 60 \
             places, in the order of how much they are wanted; each sees the scores of those whom \
             the ones before left, and weighs its own share with λ = 2. “Together” makes the sum of \
             their utilities the greatest. The pool moves by the share of all who are admitted."
                .into(),
        ],
        claims: vec![
            pool(alike)?,
            admissions(alike)?,
            equilibrium(unlike)?,
        ],
        figures: vec![figure(alike, unlike)?],
        tables: vec![(
            "Together less in turn, different scores".into(),
            coordination(unlike)?,
        )],
    })
}

const CONVERGES: &str = "“Under this policy, we prove that the resource pool and the admissions \
                         converge to a long-term fairness target set by the agents when the score \
                         distributions across the groups in the population are identical.”";

/// sbar of a run.
fn target(run: &StudyRun) -> Result<f64> {
    let aim = run
        .plan
        .lanes
        .first()
        .and_then(|lane| lane.policy.aim.as_ref());
    let target = aim.and_then(|aim| aim.target.first());
    target.copied().ok_or_else(|| run.lacks("a target"))
}

/// theta_0 of a run.
fn start(run: &StudyRun) -> Result<f64> {
    run.swept("pool.start.u")
}

fn pool(runs: &[StudyRun]) -> Result<StudyClaim> {
    let mut claim = StudyClaim::at("Abstract: the pool, identical scores")
        .says(CONVERGES)
        .rule(format!(
            "from both starts the mean of θ after {LAST} rounds is surely within {NEAR} of the \
             target where institutions choose in turn"
        ));
    let mut there = Holds::Yes;
    for run in runs {
        for label in [IN_TURN, TOGETHER] {
            let theta = run.mean(label, POOL, Some(after(LAST)))?;
            claim.measured(format!("{label}, θ from {}:", start(run)?), theta);
            if label == IN_TURN {
                there &= near(theta, target(run)?);
            }
        }
    }
    Ok(claim.holds(there, "θ is elsewhere"))
}

fn admissions(runs: &[StudyRun]) -> Result<StudyClaim> {
    let mut claim = StudyClaim::at("Abstract: admissions, identical scores")
        .says(CONVERGES)
        .rule(format!(
            "from both starts the mean after {LATE} rounds of the share of all admitted, and of \
             those whom the first and the last institution admit, is surely within {NEAR} of the \
             target where they choose in turn; in shape where that of all is"
        ));
    let (mut all, mut each) = (Holds::Yes, Holds::Yes);
    for run in runs {
        let share = late_mean(run, IN_TURN, ADMITTED, LATE)?;
        all &= near(share, target(run)?);
        claim.measured(format!("all, from {}:", start(run)?), share);
        for (name, metric) in [("the first", "first_share"), ("the last", "last_share")] {
            let share = late_mean(run, IN_TURN, metric, LATE)?;
            each &= near(share, target(run)?);
            claim.measured(format!("{name}:"), share);
        }
    }
    Ok(claim.judged(
        all & each,
        all,
        "all together are at the target, single institutions are off it",
    ))
}

fn equilibrium(runs: &[StudyRun]) -> Result<StudyClaim> {
    let [low, high] = runs else {
        return Err(StudyError::Missing("two starts".into()));
    };
    let mut claim = StudyClaim::at("Abstract: equilibria, other distributions")
        .says(
            "“We provide empirical evidence of existence of equilibria under non-identical score \
             distributions through synthetic and adapted real-world datasets.”",
        )
        .rule(format!(
            "after {LAST} rounds the means of θ from both starts are surely within {NEAR} of each \
             other where institutions choose in turn"
        ));
    let mut meet = Holds::No;
    for label in [IN_TURN, TOGETHER] {
        for run in runs {
            let theta = run.mean(label, POOL, Some(after(LAST)))?;
            claim.measured(format!("{label}, θ from {}:", start(run)?), theta);
        }
        let apart = high.beyond(low, label, POOL, Some(after(LAST)))?;
        claim.measured("from above less from below:", apart);
        if label == IN_TURN {
            meet = near(apart, 0.0);
        }
    }
    Ok(claim.holds(meet, "they do not surely meet"))
}

/// Builds a table of the gain of choosing together over choosing in turn.
fn coordination(runs: &[StudyRun]) -> Result<FigureTable> {
    let columns = ["greedy_reward", "fairness_loss"];
    let row = |run: &StudyRun| {
        let gaps = columns.map(|metric| run.difference([TOGETHER, IN_TURN], metric, None).ok());
        Ok((text(format!("θ₀ = {}", start(run)?)), gaps.into()))
    };
    let rows: Result<Vec<_>> = runs.iter().map(row).collect();
    Ok(tabulate_estimates("", columns.map(str::to_owned), rows?))
}

fn figure(alike: &[StudyRun], unlike: &[StudyRun]) -> Result<Figure> {
    let panel = |title: &str, runs: &[StudyRun]| {
        let mut lines = Vec::new();
        for run in runs {
            for label in [IN_TURN, TOGETHER, ALONE] {
                let name = format!("{label}, from {}", start(run)?);
                lines.push(run.line(label, POOL, name, Spread::None)?);
            }
        }
        let y = Axis::linear("share of u in the pool, θ").spanning(0.0, 1.0);
        Ok::<_, StudyError>(Panel {
            marks: vec![level(target(&runs[0])?, "target")],
            ..plot(title, Axis::linear("round"), y, lines)
        })
    };
    Ok(Figure {
        title: "Several institutions that choose from one pool".into(),
        caption: format!(
            "The setting of arXiv 2407.07350 on instances of ours: mean of {} runs.",
            alike[0].result.replications
        ),
        panels: vec![
            panel("identical scores", alike)?,
            panel("different scores", unlike)?,
        ],
    })
}
