//! What pairing by common draws saves, and how soon betting decides.

use std::path::Path;

use kleroterion::compare::Stats;
use kleroterion::compare::sequence::{Bets, Betting, Range};
use kleroterion::score::RunResult;

use crate::support::{config, long, plan, play, values};

/// A comparison: its config, what is set, a, b, the metric, by how much of it makes 1.
struct Pair {
    config: &'static str,
    set: &'static [&'static str],
    a: &'static str,
    b: &'static str,
    metric: &'static str,
    most: f64,
    replications: u64,
}

const BXS: &str = "committee-brexit-like.toml";

/// Six pairs from the four settings, chosen before their figures were known.
const PAIRS: [Pair; 6] = [
    Pair {
        config: BXS,
        set: &["rules.until.accepted=50"],
        a: "queue",
        b: "cmdp",
        metric: "representation_loss",
        most: 1.0,
        replications: 400,
    },
    Pair {
        config: BXS,
        set: &["rules.until.accepted=50"],
        a: "queue",
        b: "cmdp",
        metric: "selection_rate",
        most: 1.0,
        replications: 400,
    },
    Pair {
        config: "do2021-fig2.toml",
        set: &["rules.until.accepted=250", "report.at=[1]"],
        a: "plug-in",
        b: "cmdp, p known",
        metric: "representation_loss",
        most: 1.0,
        replications: 200,
    },
    Pair {
        config: "schumann2019-t2.toml",
        set: &[],
        a: "SWAP",
        b: "strong",
        metric: "strong_share",
        most: 1.0,
        replications: 60,
    },
    Pair {
        config: "grazzi2022-groups.toml",
        set: &["rules.until.rounds=300", "report.at=[1]"],
        a: "fair greedy",
        b: "uniform",
        metric: "fair_regret",
        most: 300.0,
        replications: 60,
    },
    Pair {
        config: "puranik2022-fig1b.toml",
        set: &["rules.until.rounds=50", "report.at=[1]"],
        a: "lambda 2",
        b: "lambda 0.5",
        metric: "fairness_loss",
        most: 1.0,
        replications: 100,
    },
];

/// What is measured of a pair.
struct Measured {
    /// The t interval of independent draws over that of common draws; squared, the saving in replications.
    t: f64,
    /// The same by betting, at all replications.
    betting: f64,
    /// Replications to a verdict by betting, on average.
    verdict: f64,
    /// As a multiple of the information floor.
    floors: f64,
}

/// Chance of a wrong verdict on either side.
const SIDE: f64 = 0.025;

/// D of all replications, with B's values so many replications late: with 0 of common draws, else of independent ones.
fn differences(a: &[f64], b: &[f64], late: usize) -> Vec<f64> {
    let n = a.len();
    (0..n).map(|i| a[i] - b[(i + late) % n]).collect()
}

fn spread(values: &[f64]) -> f64 {
    Stats::of(values)
        .and_then(|stats| stats.sd)
        .expect("two values at least")
}

/// On the scale of [-1, 1], 0 to 1.
fn units(differences: &[f64]) -> Vec<f64> {
    let range = Range::new(-1.0, 1.0).expect("it is one");
    let unit = |d: &f64| range.unit(*d).expect("within the range");
    differences.iter().map(unit).collect()
}

fn width(units: &[f64]) -> f64 {
    let (lo, hi) = Betting::interval(units, 2.0 * SIDE);
    hi - lo
}

/// ln(1/a) / KL, KL the least divergence of a law of mean 1/2 on [0, 1] from that of the values: the greatest mean of
/// ln(1 + f (2 z - 1)) over f in [0, 1] (Honda and Takemura 2010). No test decides sooner on average, by more than a little.
fn floor(units: &[f64]) -> f64 {
    let growth = |step: u32| {
        let f = f64::from(step) / 1000.0;
        let all = units.iter().map(|z| libm::log1p(f * (2.0 * z - 1.0)));
        all.sum::<f64>() / units.len() as f64
    };
    let best = (0..=1000).map(growth).filter(|growth| growth.is_finite());
    -libm::log(SIDE) / best.fold(0.0, f64::max)
}

/// Replications to a verdict, on average over where in the record one starts; the record is gone round.
fn verdict(units: &[f64]) -> f64 {
    let starts: Vec<usize> = (0..units.len())
        .step_by((units.len() / 50).max(1))
        .collect();
    let times = starts.iter().map(|start| {
        let mut bets = Bets::against(0.5);
        let mut round = units.iter().cycle().skip(*start);
        let mut n = 0.0;
        while bets.ln_e() < -libm::log(SIDE) {
            bets.add(*round.next().expect("it goes round"));
            n += 1.0;
            assert!(n < 1e6, "never decided");
        }
        n
    });
    times.sum::<f64>() / starts.len() as f64
}

fn measured(pair: &Pair, run: &RunResult) -> Measured {
    let of = |label: &str| -> Vec<f64> {
        let values = values(run, label, pair.metric, None);
        values.iter().map(|value| value / pair.most).collect()
    };
    let (a, b) = (of(pair.a), of(pair.b));
    let paired = differences(&a, &b, 0);
    let (common, apart) = (units(&paired), units(&differences(&a, &b, 1)));
    // In the direction of the verdict.
    let up = paired.iter().sum::<f64>() > 0.0;
    let toward: Vec<f64> = common
        .iter()
        .map(|z| if up { *z } else { 1.0 - z })
        .collect();
    let independent = (spread(&a).powi(2) + spread(&b).powi(2)).sqrt();
    let time = verdict(&toward);
    Measured {
        t: independent / spread(&paired),
        betting: width(&apart) / width(&common),
        verdict: time,
        floors: time / floor(&toward),
    }
}

#[test]
fn what_pairing_saves_and_how_soon_betting_decides() {
    for pair in PAIRS {
        let replications = format!("replications={}", pair.replications * long());
        let set = [&[&*replications], pair.set].concat();
        let run = play(&plan(&config(pair.config), Path::new("configs"), &set));
        let m = measured(&pair, &run);
        println!(
            "{} {} against {}, {}: by t independent draws are {:.2} times as wide ({:.1} times the replications), by betting \
             {:.2} times; a verdict after {:.1} replications, {:.2} times the information floor",
            pair.config,
            pair.a,
            pair.b,
            pair.metric,
            m.t,
            m.t * m.t,
            m.betting,
            m.verdict,
            m.floors
        );
        assert!((1.0..3.0).contains(&m.floors), "{}", m.floors);
        assert!(m.t > 0.8 && m.betting > 0.8, "{} {}", m.t, m.betting);
    }
}
