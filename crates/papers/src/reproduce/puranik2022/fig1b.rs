//! Figure 1(b): identical scores; the weight of fairness sets how fast the pool comes to the
//! target.

use super::courses::{by_lambda, panel};
use super::limits::{PoolLimit, agreement, grid, table};
use super::measures::{LAST, NEAR, POOL, after, lambda, near};
use super::setting::StudyPool;
use crate::reproduce::prelude::*;

pub(super) const PRESET: &str = "puranik2022-fig1b";

/// The metric with the number of rounds after which theta was first near the target.
const REACHED: &str = "rounds_to_target";

pub(super) const STUDY: Study = Study::new(
    "puranik2022-fig1b",
    "Figure 1(b) of Puranik et al. 2022: identical scores, how fast the target is reached by the \
     weight of fairness",
    &[(PRESET, 40)],
    find,
);

fn find(runs: &StudyRuns) -> Result<StudyFindings> {
    let run = runs.one(PRESET)?;
    let lanes = StudyPool::all(run)?;
    let limits = PoolLimit::all(runs.of(PRESET)?)?;
    let (_, setting) = lanes.first().ok_or_else(|| run.lacks("a policy"))?;
    Ok(StudyFindings {
        statements: vec![
            grid(setting),
            format!(
                "The paper shows the rate by its curves; ours is the number of rounds until θ is \
                 first within {NEAR} of the target. Played to 1,000 rounds, so that all runs come \
                 there; the figure ends at the paper's {LAST}. λ = 0, which leaves θ to ties, is \
                 not played."
            ),
        ],
        claims: vec![
            all_converge(run, &lanes)?,
            rate(run, &lanes)?,
            agreement(
                "A.4.1: no λ need be tuned",
                "“Also, note that for the FG policy based decisions, the framework is such that \
                 tuning of the hyperparameter λ is not needed.”",
                &limits,
            )?,
        ],
        figures: vec![figure(run, setting)?, speed(run, &lanes)?],
        tables: vec![("Where θ comes to rest".into(), table(&limits))],
    })
}

fn all_converge(run: &StudyRun, lanes: &[(&str, StudyPool)]) -> Result<StudyClaim> {
    let mut claim = StudyClaim::at("Section 3, Figure 1(b): whatever the weight")
        .says("“As long as λ > 0, the applicant pool converges to the target proportion …”")
        .rule(format!(
            "for each λ the mean of θ after {LAST} rounds is surely within {NEAR} of .4"
        ));
    let mut there = Holds::Yes;
    for (label, setting) in lanes {
        let theta = run.mean(label, POOL, Some(after(LAST)))?;
        there &= near(theta, setting.large.target);
        let what = format!("θ after {LAST} rounds, {}:", lambda(setting.large.lambda));
        claim.measured(what, theta);
    }
    Ok(claim.holds(there, "for some λ it is elsewhere"))
}

/// Returns the number of rounds after which theta is near the target, for many applicants.
fn mean_field(setting: &StudyPool) -> Option<u64> {
    let path = setting.large.path(setting.start, 10_000, |_| setting.eta);
    let near = |theta: &f64| (theta - setting.large.target).abs() <= NEAR;
    path.iter().position(near).map(|rounds| rounds as u64)
}

fn rate(run: &StudyRun, lanes: &[(&str, StudyPool)]) -> Result<StudyClaim> {
    let mut claim = StudyClaim::at("Section 3, Figure 1(b): the rate").says(
        "“… with only the rate of convergence increasing with λ, as we depict in Figure 1b.”",
    );
    let mut faster = Holds::Yes;
    let mut before: Option<&str> = None;
    for (label, setting) in lanes {
        let name = lambda(setting.large.lambda);
        claim.measured(format!("rounds, {name}:"), run.mean(label, REACHED, None)?);
        if let Some(rounds) = mean_field(setting) {
            claim.computed("many applicants:", rounds as f64);
        }
        if let Some(before) = before {
            let gap = run.difference([label, before], REACHED, None)?;
            faster &= gap.below(0.0);
        }
        before = Some(label);
    }
    Ok(claim
        .rule(format!(
            "the rounds until θ is within {NEAR} of .4 surely fall from each λ to the next (on the \
             same people). Beside them, what they are for many applicants"
        ))
        .holds(faster, "they do not fall at every step"))
}

fn figure(run: &StudyRun, setting: &StudyPool) -> Result<Figure> {
    Ok(Figure {
        title: "Figure 1(b) of Puranik et al. 2022".into(),
        caption: format!(
            "θ under Fair-Greedy, identical scores, {} applicants a round; mean of {} runs and ± 2 \
             s.e.",
            setting.applicants, run.result.replications
        ),
        panels: vec![panel("", by_lambda(run)?, setting.large.target, LAST)],
    })
}

fn speed(run: &StudyRun, lanes: &[(&str, StudyPool)]) -> Result<Figure> {
    let measured = lanes.iter().map(|(label, setting)| {
        let rounds = run.mean(label, REACHED, None)?;
        Ok(rounds.at(setting.large.lambda))
    });
    let measured = series_of("measured", SeriesKind::Scatter, measured)?;
    let many = lanes.iter().filter_map(|(_, setting)| {
        mean_field(setting).map(|rounds| FigurePoint::new(setting.large.lambda, rounds as f64))
    });
    Ok(Figure {
        title: "How fast the pool comes to the target".into(),
        caption: format!(
            "Rounds until θ is first within {NEAR} of the target, from θ₀ = .1: mean of {} runs \
             and ± 2 s.e., and by the recursion for many applicants.",
            run.result.replications
        ),
        panels: vec![plot(
            "",
            Axis::log("λ"),
            Axis::linear("rounds"),
            [
                Series::new("many applicants", SeriesKind::Line, many),
                measured,
            ],
        )],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use kleroterion_policies::pool::ScoreLaw;
    use kleroterion_policies::pool::theory::LargeN;

    /// The rounds of the recursion for many applicants, from a reference implementation of it.
    #[test]
    fn many_applicants_come_to_the_target_after_known_rounds() {
        let law = ScoreLaw { mean: 5.0, sd: 1.0 };
        for (lambda, rounds) in [(0.5, 356), (1.0, 211), (2.0, 138), (5.0, 95), (10.0, 81)] {
            let setting = StudyPool {
                large: LargeN {
                    u: law,
                    v: law,
                    admitted: 0.3,
                    target: 0.4,
                    lambda,
                },
                applicants: 100,
                eta: 0.05,
                start: 0.1,
            };
            assert_eq!(mean_field(&setting), Some(rounds), "{lambda}");
        }
    }
}
