//! Figure 1(a): identical scores; the pool comes to the target from below and from above.

use super::courses::{mean, one_run, panel};
use super::limits::{PoolLimit, agreement, grid, table};
use super::measures::{ADMITTED, LAST, NEAR, POOL, SHORT, after, late_mean, near};
use super::setting::StudyPool;
use super::theorem;
use crate::reproduce::prelude::*;

pub(super) const PRESET: &str = "puranik2022-fig1a";

/// The target, as the paper prints it.
const PRINTED: f64 = 0.4;

pub(super) const STUDY: Study = Study::new(
    "puranik2022-fig1a",
    "Figure 1(a) of Puranik et al. 2022: identical scores, a pool that starts at .1 and at .9",
    &[(PRESET, 40), (theorem::PRESET, 5), (theorem::MANY, 3)],
    find,
);

fn find(runs: &StudyRuns) -> Result<StudyFindings> {
    let starts = PoolStart::all(runs.of(PRESET)?)?;
    let limits = PoolLimit::all(runs.of(PRESET)?)?;
    let setting = &starts[0].setting;
    Ok(StudyFindings {
        statements: vec![
            grid(setting),
            format!(
                "The paper says neither how near the target counts as there nor how long it is run \
                 to the end: ours are ±{NEAR} and {LAST} rounds, its figure ends at {SHORT}."
            ),
        ],
        claims: vec![
            convergence(&starts)?,
            admission(&starts)?,
            inversion(&starts)?,
            structure(setting),
            theorem::proportional(setting),
            theorem::converges(runs)?,
            theorem::admits(runs)?,
            theorem::many(runs)?,
            agreement(
                "Section 3, Figure 1(a): constant steps at N = 100",
                "“The stepsize is fixed as η = 0.05, though a decaying step-size would in fact aid \
                 in smoother convergence.”",
                &limits,
            )?,
        ],
        figures: vec![figure(
            "Figure 1(a) of Puranik et al. 2022",
            "identical scores, λ = 2",
            &starts,
        )?],
        tables: vec![("Where θ comes to rest".into(), table(&limits))],
    })
}

/// A run from one theta_0; it has one lane.
pub(super) struct PoolStart<'a> {
    pub run: &'a StudyRun,
    pub label: &'a str,
    pub setting: StudyPool,
}

impl<'a> PoolStart<'a> {
    pub(super) fn all(runs: &'a [StudyRun]) -> Result<Vec<Self>> {
        let start = |run: &'a StudyRun| {
            let lane = StudyPool::all(run)?.into_iter().next();
            let (label, setting) = lane.ok_or_else(|| run.lacks("a policy"))?;
            Ok(Self {
                run,
                label,
                setting,
            })
        };
        runs.iter().map(start).collect()
    }

    pub(super) fn name(&self) -> String {
        format!("from θ₀ = {}", self.setting.start)
    }

    /// A share from the end of the paper's figure on, and as a number under a name.
    pub(super) fn late(&self, metric: &str, name: &str) -> Result<(StudyEstimate, Number)> {
        let share = late_mean(self.run, self.label, metric, SHORT)?;
        let what = format!("{name} after {SHORT} rounds, {}:", self.name());
        Ok((share, Number::measured(what, share)))
    }
}

fn convergence(starts: &[PoolStart<'_>]) -> Result<StudyClaim> {
    let mut claim = StudyClaim::at("Section 3, Figure 1(a): convergence")
        .says(
            "“Figure 1a shows the convergence of the applicant pool to the target proportion of \
             40% as guaranteed by our analysis.”",
        )
        .rule(format!(
            "from both starts the mean of θ after {SHORT} rounds is surely within {NEAR} of .4"
        ));
    let mut there = Holds::Yes;
    for start in starts {
        let theta = start.run.mean(start.label, POOL, Some(after(SHORT)))?;
        there &= near(theta, start.setting.large.target);
        claim
            .measured(format!("θ after {SHORT} rounds, {}:", start.name()), theta)
            .printed(PRINTED);
    }
    Ok(claim.holds(there, "θ is elsewhere"))
}

fn admission(starts: &[PoolStart<'_>]) -> Result<StudyClaim> {
    let mut claim = StudyClaim::at("A.4.1: who is admitted")
        .says(
            "“… and further, even the proportion of admitted candidates belonging to group u is \
             around 0.4, in accordance with Theorem 2.2.”",
        )
        .rule(format!(
            "from both starts the mean of a over every tenth round from {SHORT} to {LAST} is \
             surely within {NEAR} of .4; a by heads"
        ));
    let mut there = Holds::Yes;
    for start in starts {
        let (admitted, number) = start.late(ADMITTED, "a")?;
        there &= near(admitted, start.setting.large.target);
        claim.numbers([number.against(PRINTED)]);
    }
    Ok(claim.holds(there, "a is elsewhere"))
}

fn inversion(starts: &[PoolStart<'_>]) -> Result<StudyClaim> {
    let mut claim = StudyClaim::at("A.4.1: majority and minority").says(
        "“The framework is capable of handling an inversion in the majority and minority groups, \
         as we consider two initial states of θ₀ = 0.1 and θ₀ = 0.9.”",
    );
    let mut moves = Holds::Yes;
    for start in starts {
        let StudyPool {
            start: from, large, ..
        } = start.setting;
        let gone = start.run.mean(start.label, POOL, Some(after(SHORT)))?;
        let gone = gone.minus(from);
        moves &= match from < large.target {
            true => gone.above(0.0),
            false => gone.below(0.0),
        };
        let what = format!("θ after {SHORT} rounds less θ₀, {}:", start.name());
        claim.measured(what, gone);
    }
    let [low, high] = starts else {
        return Err(StudyError::Missing("two starts".into()));
    };
    let apart = high
        .run
        .beyond(low.run, low.label, POOL, Some(after(LAST)))?;
    claim.measured(
        format!("θ after {LAST} rounds, from above less from below:"),
        apart,
    );
    let same = near(apart, 0.0);
    Ok(claim
        .rule(format!(
            "θ surely rises from .1 and falls from .9, and the two are surely within {NEAR} of \
             each other after {LAST} rounds; in shape without the latter"
        ))
        .judged(moves & same, moves, "they do not surely meet"))
}

/// Returns true if `a` lies between `s` and the target, or at the target where `s` does.
pub(super) fn between(s: f64, a: f64, target: f64) -> bool {
    const SLACK: f64 = 1e-9;
    if (s - target).abs() < SLACK {
        return (a - target).abs() < SLACK;
    }
    let (low, high) = (s.min(target), s.max(target));
    low < a - SLACK && a + SLACK < high
}

fn structure(setting: &StudyPool) -> StudyClaim {
    let n = setting.applicants;
    let large = setting.large;
    let objective = setting.objective();
    let share = |count: u32| f64::from(count) / f64::from(n);
    let kept = |a: &dyn Fn(u32) -> f64| {
        let kept = (1..n).filter(|&count| between(share(count), a(count), large.target));
        f64::from(kept.count() as u32)
    };
    let many = kept(&|count| large.best_response(share(count)));
    let places = setting.places();
    let few = kept(&|count| objective.share(places, [count, n - count]));
    let all = f64::from(n - 1);
    StudyClaim::at("A.4.1: the structure of Theorem 2.2")
        .says(
            "“We also observe that the FG policy follows the structure stated in the same” (s < a \
             < s̄ where s < s̄, s̄ < a < s where s > s̄, a = s̄ where s = s̄).",
        )
        .rule(format!(
            "so it is at every s = .01 … .99, by the closed form for many applicants and by the \
             policy itself at N = {n}; in shape where only by the former"
        ))
        .computed(
            format!("states of {all} where it holds, many applicants:"),
            many,
        )
        .computed(format!("states of {all} where it holds, N = {n}:"), few)
        .judged(
            many == all && few == all,
            many == all,
            format!(
                "it is so for many applicants; at N = {n} the grid of 1/{places} has no action in \
                 between, or rounds off"
            ),
        )
}

/// The means from both starts, and one run from each; Figures 1(a) and 1(c).
pub(super) fn figure(title: &str, what: &str, starts: &[PoolStart<'_>]) -> Result<Figure> {
    let Some(first) = starts.first() else {
        return Err(StudyError::Missing("no start".into()));
    };
    let target = first.setting.large.target;
    let means: Result<Vec<_>> = starts
        .iter()
        .map(|start| mean(start.run, start.label, start.name()))
        .collect();
    let mut panels = vec![panel("θ, mean of the runs", means?, target, SHORT)];
    for start in starts {
        let title = format!("one run {}", start.name());
        panels.push(panel(
            title,
            one_run(start.run, start.label)?,
            target,
            SHORT,
        ));
    }
    Ok(Figure {
        title: title.into(),
        caption: format!(
            "Fair-Greedy, {} applicants a round, {what}. Left: θ, mean of {} runs and ± 2 s.e. \
             Middle and right: the first run, every tenth round.",
            first.setting.applicants, first.run.result.replications
        ),
        panels,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_action_is_between_only_where_it_strictly_is() {
        assert!(between(0.1, 0.2, 0.4) && between(0.9, 0.5, 0.4) && between(0.4, 0.4, 0.4));
        assert!(!between(0.1, 0.1, 0.4) && !between(0.1, 0.4, 0.4));
        assert!(!between(0.9, 0.3, 0.4) && !between(0.4, 0.41, 0.4));
    }
}
