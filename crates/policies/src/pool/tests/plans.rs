//! The results of looking ahead, and the keeping and playing of its plans.

use std::sync::Arc;

use super::ahead::{ahead, mean_field, utility};
use super::slates::People;
use super::{EQUALS, SELECTIVE};
use crate::pool::optimal::{AheadState, Foresight, LookAhead, LookAheadPlan, Optimal, Unsolved};
use crate::pool::{GreedyTerm, Infeasible};
use kleroterion_core::draw::{Key, Purpose};
use kleroterion_core::protocol::Move;

#[test]
fn figure_2_without_chance() {
    let ahead = mean_field(EQUALS, 1.5, 1000);
    let plan = ahead.solve().unwrap();
    assert!(plan.bound <= 1e-7);
    let printed = [0.239, 0.315, 0.362, 0.4, 0.435, 0.471, 0.513, 0.57, 0.692];
    for (i, share) in (1..).zip(printed) {
        let s = f64::from(i) / 10.0;
        assert_eq!(plan.share(s, s), share, "{s}");
    }
    // The reference's values are those of sweeps that were ended: from V = 0, ended where no value
    // grows by 1e-6, they are short by gamma / (1 - gamma) 1e-6 = 1e-4.
    for (s, value) in [(0.1, 614.2142), (0.4, 615.8974), (0.9, 611.6396)] {
        let off = plan.value(s) - value;
        assert!((-0.5e-4..1.5e-4).contains(&off), "{s} {off}");
    }
    // At s = sbar the best is to stay, which is worth R / (1 - gamma).
    let once = LookAhead {
        gamma: 0.0,
        ..ahead
    }
    .solve()
    .unwrap();
    assert_eq!(once.effort(), "1 sweep");
    assert_eq!(plan.effort(), format!("{} sweeps", plan.sweeps));
    let stay = utility(&ahead, 0.4, 0.4).unwrap() / 0.01;
    assert!((plan.value(0.4) - stay).abs() < 1e-7);
}

/// Returns theta at t = 100 and t = 1000 from .1, with N = 100, over runs: means and standard
/// deviations.
fn played(share: impl Fn(f64, f64) -> f64, runs: u64) -> [(f64, f64); 2] {
    let ends: Vec<[f64; 2]> = (0..runs)
        .map(|run| {
            let mut draw = Key::new(61, run).draw(Purpose::World, 0, 0);
            let mut theta: f64 = 0.1;
            let mut early = theta;
            for round in 0..1000 {
                let (mean, u) = (theta * 100.0, draw.uniform());
                let (mut n, mut p) = (0, libm::exp(-mean));
                let mut below = p;
                while u >= below && n < 100 {
                    n += 1;
                    p *= mean / f64::from(n);
                    below += p;
                }
                let s = f64::from(n) / 100.0;
                theta = (theta + 0.05 * (share(theta, s) - s)).clamp(0.0, 1.0);
                if round == 99 {
                    early = theta;
                }
            }
            [early, theta]
        })
        .collect();
    [0, 1].map(|at| {
        let n = ends.len() as f64;
        let mean = ends.iter().map(|end| end[at]).sum::<f64>() / n;
        let squares = ends.iter().map(|end| (end[at] - mean) * (end[at] - mean));
        (mean, (squares.sum::<f64>() / (n - 1.0)).sqrt())
    })
}

#[test]
fn at_a_hundred_applicants_both_states_come_to_the_tables_shares() {
    let blom = |state| ahead(EQUALS, 1.5, GreedyTerm::Blom, state).solve().unwrap();
    let share = blom(AheadState::Share { applicants: 100 });
    let theta = blom(AheadState::Theta {
        applicants: 100,
        cells: 1000,
    });
    let weighing = EQUALS.weighing(1.5, GreedyTerm::Blom, Infeasible::Feasible);
    let greedy: Vec<f64> = (0..=100)
        .map(|n| weighing.share(30, [n, 100 - n]))
        .collect();
    let plan = |plan: &LookAheadPlan| played(|theta, s| plan.share(theta, s), 200);
    let rows = [
        (plan(&share), 0.396, 0.4034, Some(0.0089)),
        (plan(&theta), 0.383, 0.3959, Some(0.0059)),
        (
            played(|_, s| greedy[(s * 100.0).round() as usize], 200),
            0.354,
            0.3938,
            None,
        ),
    ];
    for ([early, end], at_100, at_1000, sd) in rows {
        let spread = sd.unwrap_or(end.1);
        let error = ((spread * spread + end.1 * end.1) / 200.0).sqrt();
        assert!(
            (end.0 - at_1000).abs() < 4.0 * error + 0.5e-4,
            "{end:?} for {at_1000}"
        );
        let error = early.1 * (2.0f64 / 200.0).sqrt();
        assert!(
            (early.0 - at_100).abs() < 4.0 * error + 0.5e-3,
            "{early:?} for {at_100}"
        );
        // Two standard deviations of 200 runs: their quotient is known to 7 %.
        assert!((end.1 / spread - 1.0).abs() < 0.25, "{} {spread}", end.1);
    }
}

#[test]
fn the_optimal_policy_comes_to_rest_where_the_closed_form_says() {
    for (case, lambda) in [(SELECTIVE, 2.0), (SELECTIVE, 5.0), (EQUALS, 1.5)] {
        let plan = mean_field(case, lambda, 1000).solve().unwrap();
        let at = case.large(lambda).optimal_fixed_point(0.99, 0.05).unwrap();
        // The grid's shares are .001 apart: at rest a stretch of states answers with itself.
        let below = (1..1000).map(|i| f64::from(i) / 1000.0);
        let (up, down): (Vec<f64>, Vec<f64>) = below
            .filter(|&s| (plan.share(s, s) - s).abs() > 1e-9)
            .partition(|&s| plan.share(s, s) > s);
        assert!(up.iter().all(|&s| s < at + 0.0015), "{at} {:?}", up.last());
        assert!(
            down.iter().all(|&s| s > at - 0.0015),
            "{at} {:?}",
            down.first()
        );
    }
}

#[test]
fn a_plan_can_be_kept_and_belongs_to_its_parameters() {
    let state = AheadState::Theta {
        applicants: 10,
        cells: 5,
    };
    let here = ahead(EQUALS, 1.5, GreedyTerm::Blom, state);
    let plan = here.solve().unwrap();
    let kept = serde_json::to_string(&plan).unwrap();
    let read: LookAheadPlan = serde_json::from_str(&kept).unwrap();
    assert_eq!(read, plan);
    assert!(read.is_for(&here));
    let mut others = vec![here; 12];
    others[0].laws[0].mean = 5.1;
    others[1].laws[1].sd = 1.1;
    others[2].admitted = 0.31;
    others[3].target = 0.5;
    others[4].lambda = 1.0;
    others[5].eta = 0.06;
    others[6].gamma = 0.9;
    others[7].greedy_term = GreedyTerm::Exact;
    others[8].infeasible = Infeasible::Authors;
    others[9].state = AheadState::Share { applicants: 10 };
    others[10].tolerance = 1e-6;
    others[11].horizon = Some(5);
    let mut keys: Vec<u64> = others.iter().map(LookAhead::key).collect();
    keys.push(here.key());
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), 13);
    assert!(others.iter().all(|other| !plan.is_for(other)));
    let foresight = Foresight::new(others[0]).unwrap();
    assert!(!foresight.take(Arc::new(plan)) && foresight.plan().is_none());
    let wrong = Optimal::new(1, Arc::new(foresight), 2.0).unwrap_err();
    assert_eq!(wrong.0.len(), 1, "{wrong}");
    // Whoever changes what goes into the key, or how, has to change its version.
    assert_eq!(here.key(), 16_783_176_423_333_480_111);
}

#[test]
fn what_cant_be_solved_is_said() {
    let state = AheadState::Share { applicants: 50_000 };
    let large = LookAhead {
        gamma: 1.0,
        eta: 0.0,
        ..ahead(EQUALS, -1.0, GreedyTerm::Realised, state)
    };
    let Err(Unsolved::Wrong(wrong)) = large.solve() else {
        panic!("refused");
    };
    assert_eq!(wrong.0.len(), 5, "{wrong}");
    let said = wrong.to_string();
    assert!(said.contains("in the table is 3400000000000"), "{said}");
    assert!(said.contains("at most 60000000: follow theta"), "{said}");
    let endless = LookAhead {
        horizon: Some(200_000),
        ..ahead(
            EQUALS,
            1.0,
            GreedyTerm::Blom,
            AheadState::Share { applicants: 100 },
        )
    };
    let said = endless.solve().unwrap_err().to_string();
    assert!(said.contains("of all rounds is 60000000000"), "{said}");
    let over = LookAhead {
        horizon: Some(0),
        gamma: 1.01,
        ..endless
    };
    assert_eq!(over.check().unwrap_err().0.len(), 2);
    let no_places = ahead(
        EQUALS,
        1.0,
        GreedyTerm::Blom,
        AheadState::Share { applicants: 3 },
    );
    assert!(no_places.solve().is_err());
    let nobody = ahead(
        EQUALS,
        1.0,
        GreedyTerm::Blom,
        AheadState::Share { applicants: 0 },
    );
    assert!(nobody.solve().is_err());
    let nominal = LookAhead {
        infeasible: Infeasible::Authors,
        ..mean_field(EQUALS, 1.0, 10)
    };
    assert_eq!(
        nominal.check().unwrap_err().to_string(),
        "infeasible has to be \"feasible\" where the state has no chance"
    );
    // The rounding is part of the bound.
    let fine = LookAhead {
        tolerance: 1e-300,
        ..mean_field(SELECTIVE, 1.0, 10)
    };
    assert!(matches!(fine.solve(), Err(Unsolved::Bound(bound)) if bound < 1e-9));
    // Whoever plays it all the same sees it stall.
    let foresight = Foresight::new(fine).unwrap();
    let mut policy = Optimal::new(1, Arc::new(foresight), 0.5).unwrap();
    let slate = People::new(2, &[(0, 1.0), (1, 2.0)]);
    assert_eq!(slate.answered_by(&mut policy, 0.5).0, Move::Stall);
}

#[test]
fn a_plan_is_played_by_lookup_and_theta_is_followed() {
    let slate = People::ten();
    let state = AheadState::Theta {
        applicants: 10,
        cells: 100,
    };
    let parameters = LookAhead {
        eta: 0.5,
        ..ahead(EQUALS, 3.0, GreedyTerm::Blom, state)
    };
    let foresight = Arc::new(Foresight::new(parameters).unwrap());
    let mut policy = Optimal::new(1, Arc::clone(&foresight), 0.9).unwrap();
    let plan = Arc::new(parameters.solve().unwrap());
    let mut theta: f64 = 0.9;
    let mut answers = Vec::new();
    for _ in 0..20 {
        let (selection, _) = slate.shown_to(&mut policy, 0.3);
        let chosen = selection.chosen.as_slice();
        assert_eq!(chosen.len(), 3);
        let share = chosen.iter().filter(|&&slot| slot < 4).count() as f64 / 3.0;
        assert_eq!(share, plan.share(theta, 0.4));
        theta = (theta + 0.5 * (share - 0.4)).clamp(0.0, 1.0);
        answers.push(share);
    }
    answers.dedup();
    assert!(answers.len() > 1, "theta makes no difference: {answers:?}");
    // Everybody of one group: what is possible is done.
    let people: Vec<(u16, f64)> = (0..10).map(|i| (1, f64::from(i))).collect();
    let (selection, _) = People::new(2, &people).shown_to(&mut policy, 0.3);
    assert_eq!(selection.chosen.as_slice(), [7, 8, 9]);
    assert_eq!(selection.declared, None);
    // Where nominal shares count they are declared.
    let parameters = LookAhead {
        infeasible: Infeasible::Authors,
        lambda: 50.0,
        ..ahead(
            EQUALS,
            3.0,
            GreedyTerm::Blom,
            AheadState::Share { applicants: 10 },
        )
    };
    let foresight = Arc::new(Foresight::new(parameters).unwrap());
    let mut policy = Optimal::new(1, foresight, 0.1).unwrap();
    let (selection, _) = People::new(2, &people).shown_to(&mut policy, 0.3);
    let declared = selection.declared.expect("a nominal share");
    assert_eq!(declared[0], 1.0 / 3.0);
    // Nobody is to be admitted.
    let (selection, _) = People::new(2, &people).shown_to(&mut policy, 0.0);
    assert!(selection.chosen.as_slice().is_empty());
}
