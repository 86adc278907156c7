use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::*;

fn report(person: u64, policy: Option<&str>, value: f64) -> Report {
    let policy = policy.map(Into::into);
    Report {
        person,
        policy,
        value,
        corrects: None,
    }
}

fn told(acting: Option<usize>) -> Vec<OutcomeTally> {
    let labels = ["a", "b"].map(Arc::from);
    let outcomes = ReportedOutcomes::new(&labels, acting, &Arc::default(), 0.05);
    outcomes.expect(None, false);
    let people = |numbers: &[u64]| numbers.iter().map(|number| (*number, 0)).collect();
    outcomes.state().lanes[0].chosen = people(&[1, 2, 3]);
    outcomes.state().lanes[1].chosen = people(&[3, 4]);
    for one in [
        report(1, None, 1.0),
        report(9, None, 7.0),
        report(3, Some("b"), 5.0),
        report(3, None, 3.0),
        report(1, Some("a"), 8.0),
    ] {
        outcomes.tell(one);
    }
    outcomes.tallies()
}

fn mean(told: &OutcomeTally) -> Option<f64> {
    told.means.as_ref()?.read().all.mean
}

#[test]
fn only_those_chosen_count_and_of_each_the_first_that_is_told() {
    let lanes = told(None);
    let lanes: Vec<_> = lanes
        .iter()
        .map(|one| (one.told, one.pending, mean(one)))
        .collect();
    assert_eq!(lanes, [(2, 1, Some(2.0)), (1, 1, Some(5.0))]);
}

#[test]
fn where_one_acts_the_outcomes_of_the_others_are_not_observed() {
    let means = |acting| -> Vec<Option<f64>> { told(acting).iter().map(mean).collect() };
    assert_eq!(means(Some(0)), [Some(2.0), None]);
    assert_eq!(means(Some(1)), [None, Some(5.0)]);
}

/// Checks that folded outcomes give the same sums, bit by bit, as held ones.
#[test]
fn folded_outcomes_are_those_that_were_held() {
    const PEOPLE: u64 = 20_000;
    const HORIZON: u64 = 3000;
    for acting in [None, Some(0), Some(1)] {
        let [folding, holding] = [true, false].map(|has_horizon| {
            let labels = ["a", "b"].map(Arc::from);
            let outcomes = ReportedOutcomes::new(&labels, acting, &Arc::default(), 0.05);
            outcomes.expect(Range::new(0.0, 1.0), has_horizon);
            outcomes
        });
        let mut rng = SmallRng::seed_from_u64(7);
        let mut reports: BTreeMap<u64, Vec<Report>> = BTreeMap::new();
        let (mut most, mut unheard) = (0, [0, 0]);
        for person in 0..PEOPLE {
            for outcomes in [&folding, &holding] {
                for due in reports.get(&person).into_iter().flatten() {
                    outcomes.tell(due.clone());
                }
            }
            let chosen = [rng.random_bool(0.5), rng.random_bool(0.2)];
            let to = [None, None, Some("a"), Some("b")][rng.random_range(0..4)];
            let is_reported = rng.random_bool(0.7);
            if is_reported {
                let due = person + rng.random_range(1..HORIZON);
                let told = report(person, to, rng.random::<f64>());
                reports.entry(due).or_default().push(told);
            }
            for outcomes in [&folding, &holding] {
                let mut state = outcomes.state();
                for (lane, is_chosen) in chosen.into_iter().enumerate() {
                    if is_chosen {
                        state.lanes[lane].chosen.insert(person, 0);
                    }
                    state.lanes[lane].seen = person + 1;
                }
            }
            for lane in 0..2 {
                let hears = is_reported && to.is_none_or(|to| to == ["a", "b"][lane]);
                let is_settled = person + HORIZON + 1000 < PEOPLE;
                unheard[lane] += u64::from(chosen[lane] && !hears && is_settled);
            }
            let mut state = folding.state();
            // The second lane is behind.
            state.lanes[0].settled = (person + 1).saturating_sub(HORIZON);
            state.lanes[1].settled = (person + 1).saturating_sub(HORIZON + 1000);
            folding.fold(&mut state, TOGETHER);
            let chosen: usize = state.lanes.iter().map(|lane| lane.chosen.len()).sum();
            most = most.max(state.told.len() + chosen);
        }
        assert!(most < 3 * (HORIZON + 1000 + TOGETHER) as usize, "{most}");
        for (lane, (folded, held)) in folding.tallies().iter().zip(holding.tallies()).enumerate() {
            assert_eq!(folded.means, held.means, "{acting:?}");
            assert_eq!(folded.told, held.told);
            assert_eq!(folded.unheard, Some(unheard[lane]));
            assert_eq!(folded.pending + unheard[lane], held.pending);
        }
    }
}
