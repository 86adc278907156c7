//! The comparison of two policies on the least chance of a respondent.

use super::estimand::Estimand;
use super::evidence::PairExtras;
use super::found::Found;
use super::goal::{Constraint, Tested};
use super::judge::Judge;
use super::least_chance::{LEAST_CHANCE, LeastChance};
use super::pair::Pair;
use super::run_result::RunResult;

/// The comparison of two policies, by their places in a run, on the least chance.
pub(super) fn pair(run: &RunResult, places: [usize; 2], judge: &Judge, alpha: f64) -> Pair {
    let known = places.map(|place| run.least_chances.get(place));
    let both = known[0].zip(known[1]);
    // What is exact takes no share of alpha.
    let played = known.iter().flatten().filter(|least| least.exact.is_none());
    let each = alpha / played.count().max(1) as f64;
    let interval = both.map(|(a, b)| {
        let (a, b) = (a.limits(each), b.limits(each));
        (a.0 - b.1, a.1 - b.0)
    });
    let mean = both.map(|(a, b)| a.value() - b.value());
    let found = Found {
        metric: LEAST_CHANCE,
        policies: places.map(|place| &run.policies[place]),
        estimand: Estimand::LeastChances,
        n: both.map_or(0, |(a, b)| a.replications.min(b.replications)),
        unfilled: 0,
        mean,
        se: None,
        interval,
        alpha,
        method: LeastChance::METHOD,
        extras: PairExtras::default(),
        identical: interval == Some((0.0, 0.0)),
        dated: None,
        left: None,
    };
    found.judged(judge, |_| None)
}

/// Tests a bound on the least chance of a policy, given by its place in a run.
pub(super) fn tested(run: &RunResult, place: usize, bound: &Constraint, alpha: f64) -> Tested {
    let known = run.least_chances.get(place);
    Tested::by(
        bound,
        &run.policies[place].label,
        known.map_or(0, |least| least.replications),
        known.map(LeastChance::value),
        known.map(|least| least.limits(alpha)),
        alpha,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::Verdict;
    use kleroterion_core::score::PolicyRun;

    fn played(counts: &[u64], replications: u64) -> LeastChance {
        LeastChance::of(None, counts.iter().copied(), replications, 0).expect("people")
    }

    fn run(least_chances: Vec<LeastChance>) -> RunResult {
        RunResult {
            replications: 200,
            policies: ["a", "b"].map(|label| PolicyRun::new(label, "k")).into(),
            least_chances,
            ..RunResult::default()
        }
    }

    #[test]
    fn a_policy_is_better_only_where_the_limits_lie_apart() {
        let exact = |chance| LeastChance {
            exact: Some(chance),
            at_most: chance,
            ..played(&[10, 20], 200)
        };
        let never = played(&[0, 60], 200);
        // Half of .05 is for each limit, and half of that for each of two people.
        let most = 1.0 - libm::pow(0.0125, 1.0 / 200.0);
        let cases = [
            ([exact(0.1), never], Verdict::Better),
            ([never, exact(0.1)], Verdict::Worse),
            ([exact(most + 1e-9), never], Verdict::Better),
            ([exact(most - 1e-9), never], Verdict::Undecided),
            ([never, never], Verdict::Undecided),
            ([exact(0.1), exact(0.1)], Verdict::Identical),
            ([exact(0.1), exact(0.1 + 1e-12)], Verdict::Worse),
        ];
        let judge = Judge::default();
        for (both, verdict) in cases {
            let found = pair(&run(both.to_vec()), [0, 1], &judge, 0.05);
            assert_eq!(found.verdict, verdict, "{both:?}");
            assert!(
                found.lo <= found.mean && found.mean <= found.hi,
                "{found:?}"
            );
        }
        let unknown = pair(&run(Vec::new()), [0, 1], &judge, 0.05);
        assert_eq!((unknown.verdict, unknown.n), (Verdict::Undecided, 0));
    }

    #[test]
    fn a_bound_of_a_goal_is_met_by_what_is_exact() {
        use crate::goal::{GoalBound, Meets};
        let exact = LeastChance::of(Some(0.04), [3, 9].into_iter(), 200, 1).expect("people");
        let all = run(vec![exact, played(&[0, 9], 200)]);
        let bound = |at| Constraint {
            metric: LEAST_CHANCE.into(),
            bound: GoalBound::AtLeast(at),
        };
        let meets = |place, at| tested(&all, place, &bound(at), 0.05).meets;
        assert_eq!(
            [meets(0, 0.04), meets(0, 0.041)],
            [Meets::Surely, Meets::SurelyNot]
        );
        assert_eq!(
            [meets(1, 0.001), meets(1, 0.041)],
            [Meets::Open, Meets::SurelyNot]
        );
    }
}
