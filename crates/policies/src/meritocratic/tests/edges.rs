//! Odd input and odd worlds: right behaviour, no panic.

use std::sync::Arc;

use super::world::{Player, World};
use super::*;
use kleroterion_core::draw::{Draw, Key, Purpose};
use kleroterion_core::protocol::{Attribute, Batch, Schema};

fn schema(groups: usize, dimension: usize) -> Arc<Schema> {
    let attribute = Attribute {
        name: "group".to_owned(),
        values: (0..groups).map(|g| g.to_string()).collect(),
    };
    let features = (0..dimension).map(|j| j.to_string()).collect();
    Arc::new(Schema::new(vec![attribute], features, false).unwrap())
}

/// Returns every policy and oracle of the world.
fn everybody(world: &World) -> Vec<(&'static str, Player)> {
    let (contexts, cdf) = (world.contexts(), world.cdf());
    let authors = Bonus::Authors { ec: 1.0 };
    let bound = Bonus::AbbasiYadkori {
        noise: 2.0,
        delta: 0.01,
        norm: 1.0,
    };
    let oracle_cdf = OracleCdf::new(contexts, 0.1, Arc::clone(&cdf)).unwrap();
    vec![
        ("fair_greedy", fair_greedy(world).into()),
        ("fair_greedy_all", fair_greedy_all(world).into()),
        ("oful", Oful::new(contexts, 0.1, authors).unwrap().into()),
        (
            "oful, bound",
            Oful::new(contexts, 0.1, bound).unwrap().into(),
        ),
        (
            "ridge_greedy",
            RidgeGreedy::new(contexts, 0.1).unwrap().into(),
        ),
        ("uniform_choice", UniformChoice.into()),
        (
            "gmf_oracle",
            Player::Sighted(Box::new(GmfOracle::new(contexts, cdf))),
        ),
        (
            "oracle_mu",
            Player::Sighted(Box::new(OracleMu::new(contexts))),
        ),
        ("oracle_cdf", Player::Sighted(Box::new(oracle_cdf))),
        ("best_reward", Player::Sighted(Box::new(BestReward))),
    ]
}

/// Rounds of `slate` people each: person n has the context that `context` says, and is of group n
/// mod the groups.
fn batch(world: &World, slate: usize, rounds: u64, context: impl Fn(u64) -> Vec<f64>) -> Batch {
    let mut batch = Batch::new(world.schema(), 1, 0);
    let groups = world.contexts().groups() as u64;
    for person in 0..rounds * slate as u64 {
        let group = person % groups;
        let context = context(person);
        batch
            .persons_mut()
            .push(group as u32, &[group as u16], &context, None);
        batch.push_merit(context.iter().sum());
    }
    batch.close_rounds(slate);
    batch
}

fn draw(person: u64) -> Draw {
    Key::new(1, 2).draw(Purpose::Person, person, 0)
}

#[test]
fn who_has_a_nan_is_chosen_only_where_all_have_one() {
    let world = World::s6();
    let people = batch(&world, 4, 60, |person| {
        let mut draw = draw(person);
        let mut context: Vec<f64> = (0..17).map(|_| draw.uniform()).collect();
        // Slot 2 always, and in each tenth round everybody.
        if person % 4 == 2 || person / 4 % 10 == 9 {
            context[person as usize % 17] = [f64::NAN, f64::INFINITY][(person / 4) as usize % 2];
        }
        context
    });
    for (name, player) in everybody(&world) {
        if ["uniform_choice", "best_reward"].contains(&name) || name.starts_with("gmf") {
            continue;
        }
        let played = world.play_on(&people, player, Key::new(1, 1), |_, merit| merit);
        for (round, slot) in (0..).zip(played.slots) {
            assert!(slot != 2 || round % 10 == 9, "{name}: round {}", round + 1);
        }
    }
}

/// An outcome of NaN is no outcome.
#[test]
fn outcomes_that_are_no_numbers_are_not_learned() {
    let (world, key) = (World::s6(), Key::new(4, 4));
    let people = batch(&world, 4, 100, |person| {
        let mut draw = draw(person);
        (0..17).map(|_| draw.uniform()).collect()
    });
    let never = world.late(|_| 1_000_000);
    for ((name, deaf), (_, told)) in everybody(&world).into_iter().zip(everybody(&world)) {
        let deaf = never.play_on(&people, deaf, key, |_, merit| merit);
        let told = world.play_on(&people, told, key, |_, _| f64::NAN);
        assert_eq!(deaf.slots, told.slots, "{name}");
    }
}

#[test]
fn a_slate_of_one_is_taken() {
    let world = World::s6();
    let people = batch(&world, 1, 50, |person| vec![draw(person).uniform(); 17]);
    for (name, player) in everybody(&world) {
        let played = world.play_on(&people, player, Key::new(1, 1), |_, merit| merit);
        assert_eq!(played.slots, [0; 50], "{name}");
    }
}

/// All contexts lie on a line, and many are the same: V is as good as singular, ranks tie.
#[test]
fn a_rank_deficient_design_is_played_through() {
    let world = World::s6();
    let people = batch(&world, 4, 300, |person| {
        vec![draw(person).below(4) as f64; 17]
    });
    for (name, player) in everybody(&world) {
        let played = world.play_on(&people, player, Key::new(1, 1), |_, merit| merit);
        if name == "ridge_greedy" {
            let late: Vec<f64> = played.standard[50..].to_vec();
            assert_eq!(late.first(), late.last(), "it knows the line by then");
        }
    }
}

#[test]
fn contexts_of_huge_numbers_do_no_harm() {
    let world = World::s6();
    let people = batch(&world, 4, 100, |person| {
        let sign = if person % 3 == 0 { -1.0 } else { 1.0 };
        vec![sign * 1e307 * draw(person).uniform(); 17]
    });
    for (_, player) in everybody(&world) {
        world.play_on(&people, player, Key::new(1, 1), |_, merit| merit);
    }
}

#[test]
fn bad_parameters_are_all_named() {
    let contexts = World::s6().contexts();
    let refused = FairGreedy::new(
        contexts,
        FairGreedyParameters {
            lambda: 0.0,
            rho: 2.0,
            refresh: Some(1.0),
        },
    );
    let told = refused.unwrap_err().to_string();
    assert_eq!(
        told,
        "lambda is 0; it has to be a finite number above 0; rho is 2; it has to be above 0, at most 1; \
         refresh is 1; it has to be a finite number above 1"
    );
    let bonus = Bonus::AbbasiYadkori {
        noise: -1.0,
        delta: 1.0,
        norm: f64::NAN,
    };
    let refused = Oful::new(contexts, f64::INFINITY, bonus).unwrap_err();
    let names: Vec<&str> = refused.0.iter().map(|wrong| wrong.name).collect();
    assert_eq!(names, ["lambda", "R", "S", "delta"]);
    assert!(RidgeGreedy::new(contexts, -0.1).is_err());
    assert!(FairGreedyAll::new(contexts, f64::NAN).is_err());
    assert!(OracleCdf::new(contexts, f64::NAN, World::s6().cdf()).is_err());
    let refused = Contexts::of(&schema(2, 0), 1).unwrap_err();
    assert_eq!(refused.0.len(), 2);
}

/// Two groups come; whether the schema knows two more that never do makes no difference.
#[test]
fn a_group_that_never_appears_changes_nothing() {
    let few = schema(2, 1);
    let many = schema(4, 1);
    let play = |schema: &Arc<Schema>| {
        let world = World::s6().with_schema(schema);
        let mut people = Batch::new(Arc::clone(schema), 1, 0);
        for person in 0..400 {
            let mut draw = draw(person);
            let group = (person % 2) as u16;
            people
                .persons_mut()
                .push(group.into(), &[group], &[draw.uniform()], None);
            people.push_merit(1.0);
        }
        people.close_rounds(2);
        world
            .play_on(
                &people,
                fair_greedy(&world).into(),
                Key::new(1, 1),
                |_, m| m,
            )
            .slots
    };
    assert_eq!(play(&few), play(&many));
}

#[test]
fn a_refresh_factor_is_another_algorithm_that_is_off_by_default() {
    let world = World::s6();
    let with = |refresh| {
        let parameters = FairGreedyParameters {
            refresh,
            ..FairGreedyParameters::default()
        };
        FairGreedy::new(world.contexts(), parameters).unwrap()
    };
    assert_eq!(FairGreedyParameters::default().refresh, None);
    let printed = world.play(with(None).into(), 3, 600);
    let lazy = world.play(with(Some(1.5)).into(), 3, 600);
    let fine = world.play(with(Some(1.000_001)).into(), 3, 600);
    assert_ne!(printed.slots, lazy.slots);
    // With a factor that every round meets it is the printed one.
    assert_eq!(printed.slots, fine.slots);
    let lost = lazy.fair.last().unwrap();
    assert!(
        *lost < 60.0,
        "uniform choice would lose 180, it lost {lost}"
    );
}

/// The numbers of a ridge against its definition.
#[test]
fn ridge_solves_its_normal_equations() {
    for lambda in [0.1, 1e-8, 1e-12] {
        let mut ridge = Ridge::new(3, lambda);
        let mut v = [[lambda, 0.0, 0.0], [0.0, lambda, 0.0], [0.0, 0.0, lambda]];
        let mut b = [0.0; 3];
        let mut draw = draw(9);
        for _ in 0..50 {
            let x = [draw.normal(), draw.normal(), draw.normal()];
            let r = draw.normal();
            ridge.observe(&x, r);
            for i in 0..3 {
                b[i] += r * x[i];
                for j in 0..3 {
                    v[i][j] += x[i] * x[j];
                }
            }
        }
        let mu = ridge.estimate();
        for (row, b) in v.iter().zip(b) {
            assert!((dot(row, &mu) - b).abs() < 1e-10, "lambda {lambda}: {mu:?}");
        }
        let minor = |i: usize, j: usize| v[1][i] * v[2][j] - v[1][j] * v[2][i];
        let det = v[0][0] * minor(1, 2) - v[0][1] * minor(0, 2) + v[0][2] * minor(0, 1);
        let log_det = libm::log(det) - 3.0 * libm::log(lambda);
        assert!((ridge.log_det() - log_det).abs() < 1e-9, "lambda {lambda}");
        // x'V^-1 x of x = V mu is mu'V mu = mu.b.
        let spread = ridge.spread(&b);
        assert!((spread - dot(&mu, &b)).abs() < 1e-9 * spread);
    }
}
