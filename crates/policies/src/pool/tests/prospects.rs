//! The statements made of a pool before it is played, and the cases in which none of the usual ones
//! is true.

use super::{Case, EQUALS, SELECTIVE};
use crate::pool::optimal::{AheadState, LookAhead};
use crate::pool::theory::FiniteN;
use crate::pool::{GreedyTerm, Infeasible, PoolSetting, Prospect, Weighing};
use kleroterion_core::pool::Eta;

fn setting() -> PoolSetting {
    PoolSetting {
        group: "u".into(),
        admitted: 0.3,
        applicants: Some(100),
        start: 0.1,
        eta: Eta::Constant(0.05),
    }
}

fn weighing(case: Case, lambda: f64, infeasible: Infeasible) -> Weighing {
    case.weighing(lambda, GreedyTerm::Blom, infeasible)
}

fn fair(setting: &PoolSetting) -> Prospect {
    setting.fair_greedy(&weighing(EQUALS, 2.0, Infeasible::Feasible))
}

fn optimal(setting: &PoolSetting, eta: f64) -> Prospect {
    setting.optimal(&LookAhead {
        laws: EQUALS.laws(),
        admitted: setting.admitted,
        target: EQUALS.target,
        lambda: 1.5,
        eta,
        gamma: 0.99,
        horizon: None,
        greedy_term: GreedyTerm::Blom,
        infeasible: Infeasible::Feasible,
        state: AheadState::Share { applicants: 100 },
        tolerance: 1e-6,
    })
}

#[test]
fn where_theta_stays_nothing_else_is_said() {
    let nobody = "nobody is admitted";
    let everybody = "everybody is admitted";
    let rows = [
        (
            PoolSetting {
                admitted: 0.0,
                ..setting()
            },
            nobody,
        ),
        (
            PoolSetting {
                admitted: 0.009,
                ..setting()
            },
            nobody,
        ),
        (
            PoolSetting {
                admitted: 0.0,
                applicants: None,
                ..setting()
            },
            nobody,
        ),
        (
            PoolSetting {
                admitted: 1.0,
                ..setting()
            },
            everybody,
        ),
        (
            PoolSetting {
                admitted: 1.0,
                applicants: None,
                ..setting()
            },
            everybody,
        ),
        (
            PoolSetting {
                eta: Eta::Constant(0.0),
                ..setting()
            },
            "eta is 0",
        ),
        (
            PoolSetting {
                eta: Eta::Power {
                    start: 0.0,
                    power: 1.0,
                },
                ..setting()
            },
            "eta is 0",
        ),
        (
            PoolSetting {
                start: 0.0,
                ..setting()
            },
            "of a group that is gone nobody is admitted",
        ),
    ];
    for (setting, because) in rows {
        let said = format!(
            "theory says: the pool's share of u stays at {:.4}, since {because}",
            setting.start
        );
        for found in [
            fair(&setting),
            setting.target_share(0.4),
            optimal(&setting, 0.05),
        ] {
            assert_eq!(found.sentence().as_deref(), Some(&*said));
            assert_eq!(found.stays.unwrap().at, setting.start);
            let others = Prospect {
                stays: None,
                ..found
            };
            assert_eq!(others.sentence(), None);
        }
    }
}

#[test]
fn where_it_moves_that_it_stays_is_not_said() {
    for setting in [
        // Of 100 all but one.
        PoolSetting {
            admitted: 0.999,
            ..setting()
        },
        // Poisson(N) is below N half of the time: a full pool has gaps.
        PoolSetting {
            start: 1.0,
            ..setting()
        },
    ] {
        assert_eq!(fair(&setting).stays, None);
        let found = setting.target_share(0.4);
        assert_eq!((found.stays, found.s_star), (None, Some(0.4)));
    }
    // The nominal share of the authors moves a pool in which the group is gone.
    let gone = PoolSetting {
        start: 0.0,
        ..setting()
    };
    let authors = weighing(EQUALS, 2.0, Infeasible::Authors);
    let finite = FiniteN::fair_greedy(&authors, 100, 0.3, 0.0);
    assert!(finite.drift(0.0) > 0.1);
    let found = gone.fair_greedy(&authors);
    assert_eq!((found.stays, found.s_star), (None, Some(0.4)));
    assert!((found.drift_zero.unwrap() - 0.4).abs() < 0.01);
}

/// eta kappa: up to 1 theta creeps up to s*, up to 2 it jumps about it ever nearer, beyond it does
/// not settle.
#[test]
fn steps_that_overshoot_have_no_time_constant() {
    let kappa = fair(&setting()).kappa.unwrap();
    let at = |step: f64| PoolSetting {
        eta: Eta::Constant(step / kappa),
        ..setting()
    };
    let slow = fair(&at(0.5));
    assert!((slow.time_constant.unwrap() - 2.0).abs() < 1e-12);
    assert_eq!((slow.step, slow.may_die_out), (None, 0.5 > kappa));
    let turns = fair(&at(1.5));
    assert_eq!((turns.time_constant, turns.may_die_out), (None, true));
    assert!((turns.step.unwrap() - 1.5).abs() < 1e-12);
    assert!(turns.drift_zero.is_some() && turns.stationary_sd.is_some());
    let said = turns.sentence().unwrap();
    for part in [
        "goes to s* = 0.4000",
        "from one side to the other, each time 0.5000 times as far off",
        "unless a step carries it to 0, where it stays",
    ] {
        assert!(said.contains(part), "{said}");
    }
    let wild = fair(&at(2.6));
    assert_eq!((wild.time_constant, wild.stationary_sd), (None, None));
    assert_eq!((wild.drift_zero, wild.stationary_sd_finite), (None, None));
    let said = wild.sentence().unwrap();
    assert!(
        said.contains("does not settle at s* = 0.4000") && said.contains("1.6000 times as far off"),
        "{said}"
    );
    assert!(!said.contains("goes"), "{said}");
    // As it is without chance, from next to s*.
    for (step, shrinks) in [(0.5, true), (1.5, true), (2.6, false)] {
        let path = EQUALS.large(2.0).path(0.401, 6, |_| step / kappa);
        let off: Vec<f64> = path.iter().map(|theta| theta - 0.4).collect();
        for pair in off.windows(2) {
            assert_eq!(pair[1].abs() < pair[0].abs(), shrinks, "{step}: {off:?}");
            assert_eq!(pair[1] * pair[0] < 0.0, step > 1.0, "{step}: {off:?}");
        }
    }
    // Admitting the target: kappa is 1.
    let with = |eta| PoolSetting {
        eta: Eta::Constant(eta),
        ..setting()
    };
    assert_eq!(with(0.5).target_share(0.4).time_constant, Some(2.0));
    let wild = with(2.5).target_share(0.4).sentence().unwrap();
    assert!(wild.contains("does not settle"), "{wild}");
    // Steps that decay settle in the end.
    let decays = PoolSetting {
        eta: Eta::Power {
            start: 3.0,
            power: 1.0,
        },
        ..setting()
    };
    let found = fair(&decays);
    assert_eq!((found.s_star, found.step), (Some(0.4), None));
    assert!(found.drift_zero.is_some());
    assert_eq!(optimal(&setting(), 0.05).s_star, Some(0.4));
    assert_eq!(optimal(&with(1.5), 1.5).sentence(), None);
}

#[test]
fn a_pool_that_drifts_to_an_end_is_said_to() {
    let selective = |start| PoolSetting {
        admitted: 0.1,
        start,
        ..setting()
    };
    let greedy = weighing(SELECTIVE, 0.0, Infeasible::Feasible);
    // The same weights, two ends: near 0 the grid of shares is too coarse for the better group.
    let up = selective(0.3).fair_greedy(&greedy);
    assert_eq!(up.s_star, Some(1.0));
    let rest = up.drift_zero.or(up.drift_end).unwrap();
    assert!(rest > 0.95, "{rest}");
    let mut swapped = SELECTIVE;
    std::mem::swap(&mut swapped.u, &mut swapped.v);
    let greedy = weighing(swapped, 0.0, Infeasible::Feasible);
    let down = selective(0.5).fair_greedy(&greedy);
    let said = down.sentence().unwrap();
    assert_eq!(
        (down.s_star, down.drift_end),
        (Some(0.0), Some(0.0)),
        "{said}"
    );
    assert!(
        said.ends_with("at this many applicants to the end, 0"),
        "{said}"
    );
    // Where the limit says nothing, a sentence is still one.
    let equals = weighing(EQUALS, 0.0, Infeasible::Feasible);
    let said = setting().fair_greedy(&equals).sentence().unwrap();
    let start = "theory says: the pool's share of u goes at this many applicants to ";
    assert!(said.starts_with(start), "{said}");
}
