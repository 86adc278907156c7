//! Theorem 2.2: with steps that decay and many applicants the pool comes to the target, and so do admissions.

use super::super::claim::{Told, below, verdict};
use super::super::numbers::{Estimate, Played, Runs};
use super::{ADMITTED, Claim, NEAR, Number, POOL, StudyError, after, claim, near};

pub(super) const PRESET: &str = "puranik2022-thm22";

/// After how many rounds shares are read: the last is the end.
const MOMENTS: [u64; 3] = [100, 500, 2000];

/// A run from one theta_0.
struct Decaying<'a> {
    run: &'a Played,
    label: &'a str,
    target: f64,
    from: f64,
}

impl<'a> Decaying<'a> {
    fn all(runs: &'a Runs) -> Result<Vec<Self>, StudyError> {
        let of = |run: &'a Played| {
            let lane = run.plan.lanes.first();
            let target = lane.and_then(|lane| lane.aim.as_ref()?.target.first());
            let start = run.plan.pool.as_ref().and_then(|pool| pool.start.first());
            match (lane, target, start) {
                (Some(lane), Some(target), Some(from)) => Ok(Self {
                    run,
                    label: &lane.label,
                    target: *target,
                    from: *from,
                }),
                _ => Err(run.lacks("a pool steered to a target")),
            }
        };
        runs.of(PRESET)?.iter().map(of).collect()
    }

    /// How far a share is from the target in a run, on average, at a moment and by how much less than at another.
    fn distance(&self, metric: &str, at: u64, before: Option<u64>) -> Result<Estimate, StudyError> {
        let far = |at| -> Result<Vec<f64>, StudyError> {
            let values = self.run.values(self.label, metric, Some(after(at)))?;
            Ok(values
                .iter()
                .map(|share| (share - self.target).abs())
                .collect())
        };
        let mut values = far(at)?;
        if let Some(before) = before {
            let then = far(before)?;
            values
                .iter_mut()
                .zip(then)
                .for_each(|(now, then)| *now -= then);
        }
        Estimate::of(&values).ok_or_else(|| self.run.lacks("any replication"))
    }

    /// Theta's distance from the target at each moment; whether it surely falls from each to the next, and is near at last.
    fn told(&self) -> Result<(Vec<Number>, [Told; 2]), StudyError> {
        let mut ours = Vec::new();
        let mut falls = Told::Yes;
        for (at, before) in MOMENTS
            .into_iter()
            .zip([None].into_iter().chain(MOMENTS.map(Some)))
        {
            let what = format!(
                "|θ − {}| after {at} rounds, from θ₀ = {}:",
                self.target, self.from
            );
            ours.push(Number::measured(what, self.distance(POOL, at, None)?));
            if before.is_some() {
                falls = falls.and(below(self.distance(POOL, at, before)?, 0.0));
            }
        }
        let last = self.distance(POOL, MOMENTS[MOMENTS.len() - 1], None)?;
        Ok((ours, [falls, below(last, NEAR)]))
    }
}

pub(super) fn converges(runs: &Runs) -> Result<Claim, StudyError> {
    let mut ours = Vec::new();
    let (mut falls, mut there) = (Told::Yes, Told::Yes);
    for start in Decaying::all(runs)? {
        let (numbers, [fallen, is_near]) = start.told()?;
        ours.extend(numbers);
        falls = falls.and(fallen);
        there = there.and(is_near);
    }
    Ok(claim(
        "Theorem 2.2: the pool comes to the target",
        "“… if the step-size η_t decays with time and satisfies the conditions (i) Σ η_t = ∞ and (ii) Σ η_t² < ∞, the applicant pool proportion \
         converges to the target proportion s̄.”",
        &format!(
            "at N = 1,000 and η_t = 2/t, from both starts: the mean over runs of a run's distance from the target surely falls from each of \
             {MOMENTS:?} rounds to the next and is surely below {NEAR} at last; in shape without the falling"
        ),
        ours,
        verdict(
            falls.and(there),
            there,
            "it is near, but does not surely come nearer",
        ),
    ))
}

pub(super) fn admits(runs: &Runs) -> Result<Claim, StudyError> {
    let mut ours = Vec::new();
    let mut told = Told::Yes;
    let last = MOMENTS[MOMENTS.len() - 1];
    for start in Decaying::all(runs)? {
        let admitted = start.run.mean(start.label, ADMITTED, Some(after(last)))?;
        told = told.and(near(admitted, start.target));
        let from = start.from;
        let what = format!("a after {last} rounds, from θ₀ = {from}:");
        ours.push(Number::measured(what, admitted));
        let far = start.distance(ADMITTED, last, None)?;
        let what = format!("a round's |a − {}|:", start.target);
        ours.push(Number::measured(what, far));
    }
    Ok(claim(
        "Theorem 2.2: so do admissions, of many applicants",
        "“This implies that the admission or action at equilibrium also approaches the societal or target proportion, in the asymptotic \
         regime that the total applicants in every round are large.”",
        &format!(
            "at N = 1,000 and η_t = 2/t, from both starts: the mean of a after {last} rounds is surely within {NEAR} of the target. In a round a \
             follows who applies in it, and how many that are is drawn"
        ),
        ours,
        verdict(told, Told::No, "admissions are elsewhere"),
    ))
}
