//! Theorem 2.1: who minds scores alone admits as they apply; Theorem 2.2: with steps that decay and
//! many applicants the pool comes to the target, and so do admissions.

use super::measures::{ADMITTED, NEAR, POOL, after, near};
use super::setting::StudyPool;
use crate::reproduce::prelude::*;

pub(super) const PRESET: &str = "puranik2022-thm22";

/// The preset from .1 at more and more applicants per round.
pub(super) const MANY: &str = "puranik2022-thm22-many";

/// The number of rounds after which those runs are read.
const READ: u64 = 300;

/// The numbers of rounds after which shares are read; the last is the end.
const MOMENTS: [u64; 3] = [100, 500, 2000];

/// A run from one theta_0.
struct Decaying<'a> {
    run: &'a StudyRun,
    label: &'a str,
    target: f64,
    from: f64,
}

impl<'a> Decaying<'a> {
    fn all(runs: &'a StudyRuns) -> Result<Vec<Self>> {
        let of = |run: &'a StudyRun| {
            let lane = run.plan.lanes.first();
            let target = lane.and_then(|lane| lane.policy.aim.as_ref()?.target.first());
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

    /// Returns the mean distance of a share from the target at the moment `at`. If `before` is
    /// given, returns the difference between the distances at `at` and at `before`.
    fn distance(&self, metric: &str, at: u64, before: Option<u64>) -> Result<StudyEstimate> {
        let far = |at| -> Result<Vec<f64>> {
            let values = self.run.values(self.label, metric, Some(after(at)))?;
            Ok(values
                .iter()
                .map(|share| (share - self.target).abs())
                .collect())
        };
        let values = far(at)?;
        match before {
            Some(before) => self.run.gap(&values, &far(before)?),
            None => self.run.estimate(values),
        }
    }

    /// Returns theta's distance from the target at each moment. Judges that it falls from each to
    /// the next, and that it is near at last.
    fn distances(&self) -> Result<(Vec<Number>, [Holds; 2])> {
        let mut ours = Vec::new();
        let mut falls = Holds::Yes;
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
                falls &= self.distance(POOL, at, before)?.below(0.0);
            }
        }
        let last = self.distance(POOL, MOMENTS[MOMENTS.len() - 1], None)?;
        Ok((ours, [falls, last.below(NEAR)]))
    }
}

pub(super) fn converges(runs: &StudyRuns) -> Result<StudyClaim> {
    let mut claim = StudyClaim::at("Theorem 2.2: the pool comes to the target").says(
        "“… if the step-size η_t decays with time and satisfies the conditions (i) Σ η_t = ∞ and \
         (ii) Σ η_t² < ∞, the applicant pool proportion converges to the target proportion s̄.”",
    );
    let (mut falls, mut there) = (Holds::Yes, Holds::Yes);
    for start in Decaying::all(runs)? {
        let (numbers, [fallen, is_near]) = start.distances()?;
        claim.numbers(numbers);
        falls &= fallen;
        there &= is_near;
    }
    Ok(claim
        .rule(format!(
            "at N = 1,000 and η_t = 2/t, from both starts: the mean over runs of a run's distance \
             from the target surely falls from each of {MOMENTS:?} rounds to the next and is \
             surely below {NEAR} at last; in shape without the falling"
        ))
        .judged(
            falls & there,
            there,
            "it is near, but does not surely come nearer",
        ))
}

pub(super) fn admits(runs: &StudyRuns) -> Result<StudyClaim> {
    let mut claim = StudyClaim::at("Theorem 2.2: so do admissions, of many applicants").says(
        "“This implies that the admission or action at equilibrium also approaches the societal or \
         target proportion, in the asymptotic regime that the total applicants in every round are \
         large.”",
    );
    let mut holds = Holds::Yes;
    let last = MOMENTS[MOMENTS.len() - 1];
    for start in Decaying::all(runs)? {
        let admitted = start.run.mean(start.label, ADMITTED, Some(after(last)))?;
        holds &= near(admitted, start.target);
        let from = start.from;
        let what = format!("a after {last} rounds, from θ₀ = {from}:");
        claim.measured(what, admitted);
        let far = start.distance(ADMITTED, last, None)?;
        claim.measured(format!("a round's |a − {}|:", start.target), far);
    }
    Ok(claim
        .rule(format!(
            "at N = 1,000 and η_t = 2/t, from both starts: the mean of a after {last} rounds is \
             surely within {NEAR} of the target. In a round a follows who applies in it, and how \
             many that are is drawn"
        ))
        .holds(holds, "admissions are elsewhere"))
}

/// Makes the claim that a policy that minds scores alone admits each group in proportion, for many
/// applicants.
pub(super) fn proportional(setting: &StudyPool) -> StudyClaim {
    let greedy = setting.weighing(0.0);
    let off = |applicants: Option<u32>| {
        let each = (1..100).map(|percent| {
            let s = f64::from(percent) / 100.0;
            let a = match applicants {
                None => greedy.large.best_response(s),
                Some(n) => greedy.answers(n, (s * f64::from(n)).round() as u32),
            };
            (a - s).abs()
        });
        each.fold(0.0, f64::max)
    };
    let mut claim = StudyClaim::at("Theorem 2.1: by scores alone, as they apply")
        .says(
            "“If the score distributions P_u and P_v of the two groups are identical, under the \
             regime of large N_t, the greedy reward R_G(s_t, a_t) is optimized by the action: a*_G = \
             arg max R_G(s_t, a_t) = s_t.”",
        )
        .rule(
            "the maximum of R_G in closed form is at s to 1e-9 at every s = .01 … .99, and that of \
             N applicants (Blom's expectations) comes no farther with N, and is within a place of it",
        );
    let closed = off(None);
    claim.computed("largest |a − s|, many applicants:", closed);
    let mut holds = closed < 1e-9;
    let mut last = f64::INFINITY;
    for n in [100, 1000, 10_000] {
        let gap = off(Some(n));
        holds &= gap <= last && gap * f64::from(greedy.places_of(n)) <= 1.0;
        last = gap;
        claim.computed(format!("N = {n}:"), gap);
    }
    claim.holds(holds, "it is elsewhere")
}

/// Makes the claim that the rounds' admissions come to the target as there are more applicants.
pub(super) fn many(runs: &StudyRuns) -> Result<StudyClaim> {
    let mut claim = StudyClaim::at("Theorem 2.2: ever more applicants").says(
        "“This implies that the admission or action at equilibrium also approaches the societal or \
         target proportion, in the asymptotic regime that the total applicants in every round are \
         large.”",
    );
    let mut falls = Holds::Yes;
    let mut before: Option<StudyEstimate> = None;
    let mut there = Holds::No;
    for run in runs.of(MANY)? {
        let lane = run.plan.lanes.first().ok_or_else(|| run.lacks("a lane"))?;
        let aim = lane.policy.aim.as_ref();
        let target = aim.and_then(|aim| aim.target.first());
        let target = *target.ok_or_else(|| run.lacks("a target"))?;
        let distance = |metric: &str| {
            let values = run.values(&lane.label, metric, Some(after(READ)))?;
            run.estimate(values.into_iter().map(|share| (share - target).abs()))
        };
        let (admitted, pool) = (distance(ADMITTED)?, distance(POOL)?);
        let n: u64 = run.swept("rules.slate")?;
        claim.measured(format!("N = {n}: a round's |a − {target}|"), admitted);
        claim.measured(format!("|θ − {target}|"), pool);
        if let Some(before) = before {
            falls &= admitted.less(before).below(0.0);
        }
        before = Some(admitted);
        there = admitted.below(NEAR);
    }
    Ok(claim
        .rule(format!(
            "with η_t = 2/t from θ₀ = .1 the mean distance of a round's a from the target after \
             {READ} rounds surely falls from each N to the next, and is surely below {NEAR} at the \
             last; in shape without the latter"
        ))
        .judged(falls & there, falls, "it falls, and is not yet so near"))
}
