//! The reference table's rows (papers' worlds, not printed in the paper): mean and sd over runs, ours within four
//! combined standard errors.

use super::world::{Played, Player, World};
use super::*;

type Series = fn(&Played) -> &[f64];

const FAIR: Series = |played| &played.fair;
const STANDARD: Series = |played| &played.standard;

/// One figure: a series at a round, its mean and sd in the reference.
struct Figure(Series, u64, f64, f64);

/// Plays `runs` runs and compares with figures of `reference_runs`.
#[track_caller]
fn meets(
    world: &World,
    player: impl Fn(&World) -> Player,
    (runs, reference_runs): (u64, u64),
    figures: &[Figure],
) {
    let rounds = figures.iter().map(|figure| figure.1).max().unwrap();
    let played: Vec<Played> = (0..runs)
        .map(|seed| world.play(player(world), 10_000 + seed, rounds))
        .collect();
    let n = runs as f64;
    let mut misses = Vec::new();
    for Figure(series, round, mean, sd) in figures {
        let values: Vec<f64> = played
            .iter()
            .map(|played| series(played)[*round as usize - 1])
            .collect();
        let ours = values.iter().sum::<f64>() / n;
        let spread = values.iter().map(|x| (x - ours).powi(2)).sum::<f64>() / (n - 1.0);
        let bound = 4.0 * (spread / n + sd * sd / reference_runs as f64).sqrt();
        let line = format!(
            "t = {round}: {ours:.2} +- {:.2}, to be {mean} +- {sd}: {:.2} of {bound:.2}",
            spread.sqrt(),
            ours - mean
        );
        println!("{line}");
        if (ours - mean).abs() > bound {
            misses.push(line);
        }
    }
    assert!(misses.is_empty(), "{misses:#?}");
}

/// A row of Section 6: fair regret at 50, 100, 200, 500, 1000, 2500.
fn row(figures: [(f64, f64); 6]) -> Vec<Figure> {
    let rounds = [50, 100, 200, 500, 1000, 2500];
    let row = rounds.iter().zip(figures);
    row.map(|(round, (mean, sd))| Figure(FAIR, *round, mean, sd))
        .collect()
}

/// Standard regret at 500 and 2500.
fn standard(at_500: (f64, f64), at_2500: (f64, f64)) -> [Figure; 2] {
    [
        Figure(STANDARD, 500, at_500.0, at_500.1),
        Figure(STANDARD, 2500, at_2500.0, at_2500.1),
    ]
}

#[test]
fn section_6_fair_greedy() {
    let mut figures = row([
        (9.22, 2.05),
        (13.66, 3.42),
        (18.18, 5.13),
        (23.89, 6.62),
        (27.98, 7.48),
        (33.61, 8.52),
    ]);
    figures.extend(standard((983.0, 61.0), (4428.0, 107.0)));
    meets(
        &World::s6(),
        |world| fair_greedy(world).into(),
        (100, 100),
        &figures,
    );
}

#[test]
fn section_6_oful() {
    let mut figures = row([
        (10.37, 1.39),
        (17.87, 2.12),
        (30.98, 2.69),
        (65.07, 4.44),
        (118.3, 7.8),
        (275.7, 12.2),
    ]);
    figures.extend(standard((578.0, 27.0), (1576.0, 52.0)));
    let player = |world: &World| {
        Oful::new(world.contexts(), 0.1, Bonus::Authors { ec: 1.0 })
            .unwrap()
            .into()
    };
    meets(&World::s6(), player, (100, 100), &figures);
}

#[test]
fn section_6_oful_of_abbasi_yadkori() {
    let bonus = Bonus::AbbasiYadkori {
        noise: 2.0,
        delta: 0.01,
        norm: World::s6().norm(),
    };
    let player = |world: &World| Oful::new(world.contexts(), 0.1, bonus).unwrap().into();
    meets(
        &World::s6(),
        player,
        (100, 100),
        &[Figure(FAIR, 500, 62.69, 5.03)],
    );
}

#[test]
fn section_6_ridge_greedy() {
    let mut figures = row([
        (14.65, 2.11),
        (28.65, 3.70),
        (56.87, 6.59),
        (142.4, 16.7),
        (283.8, 36.3),
        (709.3, 93.5),
    ]);
    figures.extend(standard((123.0, 35.0), (580.0, 210.0)));
    let player = |world: &World| RidgeGreedy::new(world.contexts(), 0.1).unwrap().into();
    meets(&World::s6(), player, (100, 100), &figures);
}

#[test]
fn section_6_uniform_choice() {
    let mut figures = row([
        (14.66, 1.78),
        (29.51, 2.55),
        (59.01, 3.13),
        (149.1, 5.2),
        (298.8, 8.0),
        (749.8, 12.8),
    ]);
    figures.extend(standard((1877.0, 76.0), (9420.0, 183.0)));
    meets(&World::s6(), |_| UniformChoice.into(), (100, 100), &figures);
}

#[test]
fn section_6_oracle_mu() {
    let figures = row([
        (1.27, 0.53),
        (1.46, 0.58),
        (1.65, 0.62),
        (1.93, 0.66),
        (2.15, 0.68),
        (2.43, 0.71),
    ]);
    let player = |world: &World| Player::Sighted(Box::new(OracleMu::new(world.contexts())));
    meets(&World::s6(), player, (100, 100), &figures);
}

#[test]
fn section_6_gmf_oracle() {
    let figures = standard((842.0, 40.0), (4221.0, 93.0));
    let player =
        |world: &World| Player::Sighted(Box::new(GmfOracle::new(world.contexts(), world.cdf())));
    meets(&World::s6(), player, (100, 100), &figures);
}

#[test]
fn section_7_without_data() {
    let at = |at_500: (f64, f64), at_2500: (f64, f64)| {
        [
            Figure(FAIR, 500, at_500.0, at_500.1),
            Figure(FAIR, 2500, at_2500.0, at_2500.1),
        ]
    };
    let world = World::mg();
    let ridge_greedy = |world: &World| RidgeGreedy::new(world.contexts(), 0.1).unwrap().into();
    let runs = (40, 40);
    meets(
        &world,
        |world| fair_greedy(world).into(),
        runs,
        &at((6.40, 2.31), (7.96, 2.57)),
    );
    meets(
        &world,
        ridge_greedy,
        runs,
        &at((76.05, 6.60), (381.8, 18.9)),
    );
    meets(
        &world,
        |_| UniformChoice.into(),
        runs,
        &at((205.3, 6.6), (1026.0, 14.0)),
    );
}

/// By Definitions 3.1 and 3.2, and Remark 3.1.
#[test]
fn a_yardstick_loses_nothing_of_its_own_kind() {
    for world in [World::s6(), World::mg()] {
        let fair = GmfOracle::new(world.contexts(), world.cdf());
        let played = world.play(Player::Sighted(Box::new(fair)), 1, 300);
        assert_eq!(played.fair.last(), Some(&0.0));
        let played = world.play(Player::Sighted(Box::new(BestReward)), 1, 300);
        assert_eq!(played.standard.last(), Some(&0.0));
    }
}

/// Section 6 gives the groups disjoint coordinates: who knows the CDFs without mu* locks in, and goes on losing when
/// Fair-Greedy, which knows neither, hardly does any more.
#[test]
fn knowing_the_cdfs_alone_loses_linearly() {
    let world = World::s6();
    let lost = |player: &dyn Fn() -> Player| -> f64 {
        let runs = (0..20).map(|seed| world.play(player(), seed, 2500).fair);
        runs.map(|fair| (fair[2499] - fair[999]) / 20.0).sum()
    };
    let learner = lost(&|| fair_greedy(&world).into());
    let oracle = lost(&|| {
        let oracle = OracleCdf::new(world.contexts(), 0.1, world.cdf()).unwrap();
        Player::Sighted(Box::new(oracle))
    });
    println!("rounds 1000 to 2500: oracle_cdf {oracle:.1}, fair_greedy {learner:.1}");
    assert!(oracle > 10.0 * learner, "{oracle} {learner}");
}
